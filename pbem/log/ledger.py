"""The log's state machine, in one place to import from: facts, order, verification.

The service and the audit both go through `append`, so they agree by construction about the order of
records; `verify` is level 1 over a whole log.
"""

from __future__ import annotations

from pbem.log.facts import (
    Ledger,
    Member,
    Phase,
    is_agreed,
    is_finished,
    is_fresh,
    is_key_used,
    member,
    note_rev,
    owes_reveal,
    setup_acc,
    turn_acc,
    waiting,
)
from pbem.log.order import NO_PREVIOUS, append, is_time
from pbem.log.verify import Fault, Report, Step, Verdict, Visitor, lines_of, verify

__all__ = [
    "NO_PREVIOUS",
    "Fault",
    "Ledger",
    "Member",
    "Phase",
    "Report",
    "Step",
    "Verdict",
    "Visitor",
    "append",
    "is_agreed",
    "is_finished",
    "is_fresh",
    "is_key_used",
    "is_time",
    "lines_of",
    "member",
    "note_rev",
    "owes_reveal",
    "setup_acc",
    "turn_acc",
    "verify",
    "waiting",
]
