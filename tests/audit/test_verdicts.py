"""Sound, unfinished, broken: what the audit says of whole, cut and damaged archives (protocol.md section 7)."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

import pytest

from engine import words
from pbem.audit import audit, headline, sentences_of
from pbem.audit.level2 import Auditor
from pbem.log.ledger import lines_of
from tests.audit.make import Plan, make
from tests.toy import GAME

SHORT = Plan(GAME, GAME.seats[:2], seed=5, options={"gems": 4}, named=True)
LONG = Plan(GAME, GAME.seats, seed=1, options={"gems": 12, "reactions": "ask"})


@pytest.mark.parametrize("seed", range(1, 13))
def test_an_honest_game_is_sound(auditor: Auditor, seed: int) -> None:
    lines = make(replace(LONG, seed=seed))
    report = audit(b"".join(lines), auditor)
    assert (report.verdict, report.exit_code, report.records) == ("sound", 0, len(lines)), report
    assert report.result["places"]
    assert report.turns > 1
    assert report.draws > 1


def test_lines_and_bytes_are_audited_alike(auditor: Auditor) -> None:
    lines = make(SHORT)
    assert audit(lines, auditor) == audit(b"".join(lines), auditor) == audit(iter(lines), auditor)


def test_a_game_called_off_is_finished_and_its_envelopes_are_opened(auditor: Auditor) -> None:
    report = audit(make(replace(SHORT, cancelled=True)), auditor)
    assert (report.verdict, report.envelopes, report.turns) == ("sound", 3, 0)
    assert report.result == {"how": "cancelled", "places": []}


def test_cut_at_any_line_end_it_is_unfinished(auditor: Auditor) -> None:
    lines = make(replace(SHORT, named=False))
    for count in range(1, len(lines)):
        report = audit(lines[:count], auditor)
        assert (report.verdict, report.exit_code, report.records) == ("unfinished", 3, count), report


def test_without_the_names_it_is_finished_all_the_same(auditor: Auditor) -> None:
    assert audit(make(SHORT)[:-1], auditor).verdict == "sound"


def test_an_empty_file_is_a_fault_in_line_1(auditor: Auditor) -> None:
    report = audit(b"", auditor)
    assert (report.exit_code, report.line, report.code) == (1, 1, "log/empty")


def test_cut_within_a_line_it_is_a_fault_in_that_line(auditor: Auditor) -> None:
    lines = make(SHORT)
    for count in (1, 7, len(lines)):
        whole = b"".join(lines[:count])
        report = audit(whole[:-1], auditor)
        assert (report.exit_code, report.line) == (1, count)


def test_any_byte_changed_is_a_fault_in_its_line(auditor: Auditor) -> None:
    whole = b"".join(make(SHORT))
    chance = random.Random(7)
    starts = [0]
    for line in lines_of(whole):
        starts.append(starts[-1] + len(line))
    for number, (start, end) in enumerate(pairwise(starts), 1):
        for place in {start, end - 2, end - 1, *(chance.randrange(start, end) for _ in range(4))}:
            other = chance.choice([byte for byte in range(256) if byte != whole[place]])
            damaged = whole[:place] + bytes([other]) + whole[place + 1 :]
            report = audit(damaged, auditor)
            assert (report.exit_code, report.line) == (1, number), (place, other, report)


def test_lines_swapped_doubled_or_dropped_are_faults(auditor: Auditor) -> None:
    lines = make(SHORT)
    for at in range(1, len(lines) - 2):
        dropped = lines[:at] + lines[at + 1 :]
        doubled = lines[: at + 1] + lines[at:]
        swapped = [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]
        for damaged, line in ((dropped, at + 1), (doubled, at + 2), (swapped, at + 1)):
            report = audit(damaged, auditor)
            assert (report.exit_code, report.line) == (1, line)


def test_every_verdict_has_its_words(auditor: Auditor) -> None:
    lines = make(SHORT)
    sound = audit(lines, auditor)
    assert words(headline(sound)).startswith(f"sound: 01toy5, toy 1, {len(lines)} records, ")
    assert (
        words(headline(audit(lines[:1], auditor)))
        == "sound so far, but unfinished: one record, 0 turns closed"
    )
    broken = audit([lines[0], lines[0]], auditor)
    assert words(headline(broken)) == "fault in line 2: log/number"
    assert len(sentences_of(broken)) == 4
    assert sentences_of(sound) == (headline(sound),)
