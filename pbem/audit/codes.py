"""The words of every code of the area `audit/`: what level 2 finds wrong in a log that level 1 found in order.

`CODES` has these and those of the work with archives (`archive/` and its neighbours).
"""

from __future__ import annotations

from engine import Code
from pbem.audit.archive_codes import ARCHIVE

_EVIDENCE = (
    "Keep this file: it is evidence. Ask the host for an explanation and compare with the other players."
)
_RULES = (
    "Audit it again with the version of pbem that the game was played with. If that agrees, keep the file."
)

LEVEL2 = (
    Code(
        "audit/ruleset",
        "A ruleset that this version of pbem knows.",
        "The charter names {id} in version {version}.",
        "Audit the file with a version of pbem that has this ruleset.",
    ),
    Code(
        "audit/options",
        "Seats, options and data with which this game can be played.",
        "The rules do not accept those of the charter ({reason}).",
        _EVIDENCE,
    ),
    Code(
        "audit/schemas",
        "In the charter, the digests of the schemas of this ruleset.",
        "The digest of {name} is another one, is missing, or is one too many.",
        _RULES,
    ),
    Code(
        "audit/hidden-key",
        "The key of hidden draws that the charter committed the host to.",
        "The key that was opened at the end is another one.",
        _EVIDENCE,
    ),
    Code(
        "audit/host-seed",
        "A host seed whose chain ends in the tip that the charter published.",
        "The chain of the seed that was opened at the end ends in another tip.",
        _EVIDENCE,
    ),
    Code(
        "audit/host-link",
        "Link {link} of the host's chain, as its seed gives it.",
        "The record carries another link, or the chain is not that long.",
        _EVIDENCE,
    ),
    Code(
        "audit/envelope",
        "The envelope whose id record {of} published.",
        "The opened envelope has another id.",
        _EVIDENCE,
    ),
    Code(
        "audit/envelope-field",
        "A record that says the same as the envelope it is of.",
        "They differ in {field}.",
        _EVIDENCE,
    ),
    Code(
        "audit/schema",
        "An envelope that fits the schemas of its ruleset.",
        "The host accepted one of {seat} that does not.",
        _EVIDENCE,
    ),
    Code(
        "audit/stale",
        "A move written after the newest change of the position, record {changed}.",
        "The host accepted one of {seat} that was written after record {base}.",
        _EVIDENCE,
    ),
    Code(
        "audit/rev",
        "A rev above {last}, the newest of this kind by {seat}.",
        "The host accepted {found}.",
        _EVIDENCE,
    ),
    Code(
        "audit/not-allowed",
        "What the rules allow.",
        "The host recorded what the rules refuse with {code}.",
        _RULES,
    ),
    Code(
        "audit/rules-broke",
        "A record that the rules can follow.",
        "The rules cannot follow it ({reason}).",
        _RULES,
    ),
    Code(
        "audit/order",
        "The turn order that the rules give.",
        "The record has another one.",
        _EVIDENCE,
    ),
    Code(
        "audit/next",
        "The turn closed if the rules close it, and the seats that must decide next.",
        "The record has it otherwise.",
        _EVIDENCE,
    ),
    Code(
        "audit/events",
        "The public events that the rules give.",
        "The record has others.",
        _EVIDENCE,
    ),
    Code(
        "audit/draws",
        "The public draws that the rules ask for.",
        "The record has others.",
        _EVIDENCE,
    ),
    Code(
        "audit/auto",
        "The automatic answers that standing orders and defaults give.",
        "The record has others.",
        _EVIDENCE,
    ),
    Code(
        "audit/public",
        "The digest of the public view of the position.",
        "The record has another one.",
        _EVIDENCE,
    ),
    Code(
        "audit/state",
        "The code by which the host was bound to the whole position.",
        "The record has another one.",
        _EVIDENCE,
    ),
    Code(
        "audit/result",
        "The result that the rules give.",
        "The end has another one.",
        _EVIDENCE,
    ),
    Code(
        "audit/hidden-draws",
        "The hidden draws of record {of}, as the opened key gives them.",
        "Others were opened.",
        _EVIDENCE,
    ),
    Code(
        "audit/drawn-missing",
        "The hidden draws of every record opened at the end.",
        "Those of record {of} are missing.",
        _EVIDENCE,
    ),
    Code(
        "audit/drawn-extra",
        "Hidden draws of records that have some.",
        "Record {of} has none, and yet some were opened.",
        _EVIDENCE,
    ),
)

CODES: tuple[Code, ...] = LEVEL2 + ARCHIVE
