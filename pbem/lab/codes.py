"""Refusals of the laboratory."""

from __future__ import annotations

from engine import Code

CODES: tuple[Code, ...] = (
    Code(
        "lab/players",
        "From {least} to {most} players.",
        "{found}.",
        "Say another number with --players.",
    ),
    Code("lab/bot", "Bots of these kinds: {known}.", "{found}.", "Say others with --bots."),
    Code(
        "lab/died",
        "Processes that play to the end.",
        "One was ended from outside, perhaps for want of memory.",
        "Try again, with fewer of them (--jobs). No table was written.",
    ),
    Code(
        "lab/options",
        "Options of this ruleset.",
        "{problem}.",
        "Say others with --option; `pbem game new` takes the same ones.",
    ),
)
