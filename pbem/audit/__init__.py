"""The audit of a whole archive: level 1 and level 2 of protocol.md section 7, and its replay for readers. Pure."""

from __future__ import annotations

from pbem.audit.audit import Report, audit, headline, sentences_of
from pbem.audit.codes import CODES
from pbem.audit.replay import Page, Replay, replay

__all__ = ["CODES", "Page", "Replay", "Report", "audit", "headline", "replay", "sentences_of"]
