"""The page's judge and Python's say the same of every log: verdict, line and code."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pbem.audit import audit
from pbem.log.canonical import canonical
from pbem.log.ledger import lines_of, verify
from tests.archive import games
from tests.archive.mutate import Source, mutants
from tests.log import book
from tests.pages.mutants import blind, forged
from tests.pages.node import node

FIXTURES = Path(__file__).parents[2] / "fixtures" / "games"
BY_RULES = {
    f"audit/{name}"
    for name in (
        *("ruleset", "options", "schemas", "schema", "not-allowed", "rules-broke", "order", "next", "events"),
        *("draws", "auto", "public", "state", "result", "drawn-missing", "drawn-extra"),
    )
}
"""What only the rules can find."""


def first_of(log: bytes) -> dict[str, Any]:
    """Level 1 by Python, as the page tells it."""
    report = verify(lines_of(log))
    fault = report.fault
    where = {} if fault is None else {"line": fault.line, "code": fault.refusal.code}
    return {"verdict": report.verdict, "lines": report.lines, **where}


def agree(logs: list[bytes]) -> Counter[str]:
    """Every log judged by both; how often each outcome came."""
    seen: Counter[str] = Counter()
    for number, (log, told) in enumerate(zip(logs, node("judge.mjs", logs), strict=True)):
        assert told["first"] == first_of(log), number
        whole, report = told["whole"], audit(log)
        seen[report.code or report.verdict] += 1
        if report.code in BY_RULES:
            continue
        if report.code == "audit/hidden-draws" and whole["verdict"] == "sound":
            continue  # one is left out of the list: only the rules know how many there must be
        if report.verdict == "unfinished" and told["first"]["verdict"] == "finished":
            assert whole["verdict"] == "sound", number  # only the rules know of the missing hidden draws
        else:
            found = (report.verdict, report.line, report.code)
            assert (whole["verdict"], whole.get("line", 0), whole.get("code", "")) == found, number
    return seen


def damaged(count: int, seed: str) -> Iterator[bytes]:
    small, tiny = Source(games.small(), games.host_key(games.small_match())), games.tiny()
    key = games.host_key(games.tiny_match())
    yield from (mutant.data for mutant in mutants(small, count // 2, seed))
    for number in range(count - count // 2):
        chance = random.Random(f"{seed}/{number}")
        base, host = ((games.small(), games.host_key(games.small_match())), (tiny, key))[number % 4 == 3]
        yield blind(base, chance) if number % 2 else forged(base, host, chance)


def test_archives_are_sound() -> None:
    sound(sorted(FIXTURES.glob("*/*.pbem"))[::6] + sorted(FIXTURES.glob("*/*undone.pbem")))


@pytest.mark.soak
def test_every_archive_is_sound() -> None:
    sound(sorted(FIXTURES.glob("*/*.pbem")))


def sound(paths: list[Path]) -> None:
    logs = [path.read_bytes() for path in paths]
    assert logs
    assert agree(logs) == {"sound": len(logs)}


def test_every_beginning_is_judged_alike() -> None:
    lines = list(lines_of(games.small()))
    seen = agree([b"".join(lines[:n]) for n in range(len(lines) + 1)])
    assert seen["unfinished"]
    assert seen["sound"]
    assert seen["log/empty"] == 1


def test_damage_is_found_alike() -> None:
    seen = agree(list(damaged(100, "page")))
    assert len(seen) > 20, seen


ODD_DRAWS: tuple[dict[str, Any], ...] = (
    *({"label": "none", "sides": sides, "values": []} for sides in (0, -5, 1, 2**32, 2**32 + 1, 2**60)),
    {"label": "both", "sides": 6, "items": [], "values": []},
    {"label": "no items", "items": [], "values": []},
    {"label": "twice", "items": ["a", "a"], "values": ["a", "a"]},
    {"label": "\x7f", "sides": 1, "values": [1, 1]},
    {"label": "true", "sides": 1, "values": [True]},
)
SEALED: tuple[tuple[str, book.Spoil], ...] = (
    *(("move", lambda record, draw=draw: record["draws"].append(draw)) for draw in ODD_DRAWS),
    *(
        ("start", lambda record, order=order: record.update(order=order))
        for order in (["blue\nred"], ["blue"])
    ),
    *(
        ("data", lambda record, name=name: record.update(name=name))
        for name in ("", "😀" * 64, "😀" * 65, "\0")
    ),
    *(("deadline", lambda record, who=who: record.update(who=who)) for who in ("__proto__", "constructor")),
    *(
        ("end", lambda record, key=key: record.update(sig={**record["sig"], "key": key}))
        for key in ("😀" * 8, "😀" * 16)
    ),
    *(
        ("names", lambda record, at=at: record.update(at=at))
        for at in ("2100-02-29T00:00:00Z", "2104-02-29T00:00:00Z")
    ),
    ("data", lambda record: record.update(value={"__proto__": 1})),
    ("charter", lambda record: record["schemas"].update(constructor="ab" * 32)),
)
"""What a host may seal though it is odd: bounds, letters of four bytes, names that JavaScript knows."""


def test_what_a_host_may_seal_is_judged_alike() -> None:
    lines = book.write(book.plan())
    kinds = [msgspec.json.decode(line)["kind"] for line in lines]
    logs: list[bytes] = []
    for kind, spoil in SEALED:
        at = len(kinds) - 1 - kinds[::-1].index(kind)
        record = msgspec.json.decode(lines[at])
        if kind == "end":  # here the seal itself is what is odd
            spoil(record)
            logs.append(book.file_of([*lines[:at], canonical(record), *lines[at + 1 :]]))
        else:
            logs.append(book.file_of(book.seal_again(lines, at, spoil)))
    told = [row["first"] for row in node("judge.mjs", logs)]
    assert told == [first_of(log) for log in logs]
    assert {row["verdict"] for row in told} == {"finished", "fault"}


@pytest.mark.soak
def test_ten_thousand_mutants_are_judged_alike() -> None:
    for part in range(20):
        agree(list(damaged(500, f"soak {part}")))
