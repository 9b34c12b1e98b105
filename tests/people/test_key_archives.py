"""Archives of games in which keys changed: sound for every verifier, and damage is found alike by all of them."""

from __future__ import annotations

import random
from collections.abc import Iterator

import msgspec
import pytest

from pbem.audit.audit import audit
from pbem.log.ledger import Step, lines_of, verify
from pbem.log.record import Key, Move
from tests.archive.games import host_key
from tests.archive.minimal import check
from tests.archive.mutate import Source, mutants, rewritten
from tests.pages.mutants import blind, forged
from tests.pages.test_judge import agree
from tests.people.keyed import SEATS, changing, changing_match

GAMES = [(SEATS, "keys", 4), (("red", "blue"), "two", 3)]
WHOLE = (SEATS, "links", 11, 400)


@pytest.mark.parametrize("game", GAMES, ids=["3", "2"])
def test_it_is_sound_for_everybody(game: tuple[tuple[str, ...], str, int]) -> None:
    archive = changing(*game)
    report = audit(archive)
    assert (report.verdict, report.code) == ("sound", "")
    assert archive.count(b'"kind":"key"') > 6
    assert check(archive, secrets=True) == ("finished", 0)
    assert agree([archive]) == {"sound": 1}


@pytest.mark.soak
def test_a_game_played_to_its_end_is_sound_for_everybody() -> None:
    assert agree([changing(*WHOLE)]) == {"sound": 1}


def test_every_beginning_is_judged_alike() -> None:
    lines = list(lines_of(changing()))
    beginnings = [b"".join(lines[:n]) for n in range(0, len(lines), 20)]
    assert agree(beginnings)["unfinished"]
    for data in beginnings:
        report = verify(lines_of(data))
        assert check(data, secrets=False) == (report.verdict, report.fault.line if report.fault else 0)


def damaged(count: int, seed: str) -> Iterator[bytes]:
    key = host_key(changing_match())
    yield from (mutant.data for mutant in mutants(Source(changing(), key), count // 2, seed))
    for number in range(count - count // 2):
        chance = random.Random(f"{seed}/{number}")
        yield blind(changing(), chance) if number % 2 else forged(changing(), key, chance)


def judged_alike(count: int, seed: str) -> None:
    logs = list(damaged(count, seed))
    assert len(agree(logs)) > 5
    for number, data in enumerate(logs):
        report = verify(lines_of(data))
        line = report.fault.line if report.fault else 0
        assert check(data, secrets=False) == (report.verdict, line), number


def test_damage_is_found_alike() -> None:
    judged_alike(14, "keyed")


@pytest.mark.soak
def test_thousands_of_mutants_are_judged_alike() -> None:
    for part in range(12):
        judged_alike(300, f"keyed soak {part}")


def test_a_lost_chain_gives_no_link_till_the_others_have_given_theirs() -> None:
    """Protocol, section 5, keys lost: else host and seat could choose the tip until the dice please."""

    class Watch:
        def __init__(self) -> None:
            self.waiting: dict[str, set[str]] = {}
            self.silent = self.counted = 0

        def visit(self, step: Step) -> None:
            record = step.record
            playing = step.before is not None and step.before.phase == "playing"
            if isinstance(record, Key) and playing and record.how != "rotated":
                self.waiting[record.seat] = {*SEATS} - {record.seat}
            if isinstance(record, Move):
                for seat, others in self.waiting.items():
                    if record.reveal is not None and seat != record.seat:
                        others.discard(record.seat)
                if record.seat in self.waiting and record.reveal is None:
                    self.silent += 1
                if record.seat in self.waiting and record.reveal is not None:
                    assert not self.waiting.pop(record.seat)
                    self.counted += 1

    watch = Watch()
    archive = changing(*WHOLE)
    assert verify(lines_of(archive), watch).verdict == "finished"
    assert watch.silent
    assert watch.counted


def test_a_key_that_was_used_once_never_comes_back() -> None:
    """The host writes an ended key into a later record, and seals all of it anew."""
    rows = [msgspec.json.decode(line) for line in lines_of(changing())]
    keys = [row for row in rows if row["kind"] == "key"]
    spent = next(row["public_key"] for row in rows if row["kind"] == "join")
    key = host_key(changing_match())
    mutant = rewritten(Source(changing(), key), keys[-1]["n"], lambda record: record.update(public_key=spent))
    report = audit(mutant.data)
    assert (report.code, report.line) == ("log/key-used", keys[-1]["n"] + 1)
    assert agree([mutant.data]) == {"log/key-used": 1}
    assert check(mutant.data, secrets=False) == ("fault", keys[-1]["n"] + 1)
