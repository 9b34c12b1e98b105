"""Scenarios: a rules question as a JSON file with a position, orders, scripted draws and expectations.

Pure: files are read by the caller, through the strict reader and within `MOST_BYTES` and `DEEPEST`.
"""

from __future__ import annotations

from pbem.scenario.codes import CODES
from pbem.scenario.match import Difference
from pbem.scenario.model import DEEPEST, MOST_BYTES
from pbem.scenario.run import Reader, Report, Verdict, run, run_file
from pbem.scenario.schema import schema

__all__ = [
    "CODES",
    "DEEPEST",
    "MOST_BYTES",
    "Difference",
    "Reader",
    "Report",
    "Verdict",
    "run",
    "run_file",
    "schema",
]
