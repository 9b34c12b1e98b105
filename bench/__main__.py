"""`python -m bench`: all figures, a table, and `bench/results.json`. Exit code 0 whatever they are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from bench import (
    audit_floor,
    bots,
    bulk,
    canonical,
    commits,
    live_turn,
    long_game,
    mail_in,
    rivals,
    schemas,
    size,
    start,
    two_workers,
)
from bench.measure import Figure

RESULTS = Path(__file__).with_name("results.json")
PARTS: tuple[Callable[[], list[Figure]], ...] = (
    audit_floor.figures,
    bulk.figures,
    commits.figures,
    schemas.figures,
    long_game.figures,
    size.figures,
    start.figures,
    canonical.figures,
    bots.figures,
    rivals.figures,
    live_turn.figures,
    mail_in.figures,
    two_workers.figures,
)


def main() -> None:
    """Measures one after the other and shows each as it comes."""
    found: list[Figure] = []
    print(f"{'figure':<52} {'value':>8} {'bound':>8}")
    for part in PARTS:
        for one in part():
            found.append(one)
            print(
                f"{one.name:<52} {one.value:>8.3f} {one.bound:>8.3f}  {'ok' if one.ok else 'MISSED'}",
                flush=True,
            )
    RESULTS.write_bytes(msgspec.json.format(msgspec.json.encode(found)) + b"\n")


if __name__ == "__main__":
    main()
