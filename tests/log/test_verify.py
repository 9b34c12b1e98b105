"""Level 1 over a small synthetic game: sound, cut off, and falsified in every way there is a code for."""

from __future__ import annotations

import msgspec
import pytest

from engine import Refused, refuse
from pbem.log.chain import chain_link
from pbem.log.ledger import (
    Ledger,
    Step,
    append,
    is_fresh,
    lines_of,
    note_rev,
    setup_acc,
    turn_acc,
    verify,
    waiting,
)
from pbem.log.record import line_digest, read_record, verify_record
from tests.log.book import GAME, SEEDS, Entry, file_of, found, judge, link, plan, seal_again, write

PLAN = plan()
LINES = write(PLAN)
WHOLE = file_of(LINES)
AT = {entry["id"]: number for number, entry in enumerate(PLAN)}
LAST_OPENED = AT["drawn start"] - 1


def ledgers() -> list[Ledger]:
    kept: list[Ledger] = []
    for line in LINES:
        kept.append(append(kept[-1] if kept else None, read_record(line), line_digest(line)))
    return kept


LEDGERS = ledgers()


def test_the_whole_log_is_sound_and_finished() -> None:
    report = verify(lines_of(WHOLE))
    assert report.fault is None
    assert (report.verdict, report.exit_code, report.lines) == ("finished", 0, len(LINES))


@pytest.mark.parametrize("count", range(1, len(LINES)))
def test_cut_at_a_line_end_it_is_sound_so_far(count: int) -> None:
    report = judge(LINES[:count])
    assert report.verdict == ("finished" if count > LAST_OPENED else "unfinished")
    assert report.exit_code == (0 if count > LAST_OPENED else 3)


def test_cut_within_a_line_it_is_a_fault() -> None:
    assert found(verify(lines_of(WHOLE[:-1]))) == ("log/no-line-end", len(LINES))


def test_an_empty_file_is_a_fault() -> None:
    assert found(verify([])) == ("log/empty", 1)


def test_without_names_it_is_as_sound() -> None:
    assert judge(LINES[:-1]).verdict == "finished"


@pytest.mark.parametrize("number", range(len(LINES)))
def test_every_byte_of_a_line_counts(number: int) -> None:
    line = LINES[number]
    for place in range(len(line)):
        bad = bytearray(line)
        bad[place] ^= 1 << (place % 7)
        with pytest.raises(Refused):
            accept(bytes(bad), LEDGERS[number - 1] if number else None)


def accept(line: bytes, before: Ledger | None) -> Ledger:
    record = read_record(line)
    verify_record(record, bytes.fromhex(LEDGERS[0].host_key))
    return append(before, record, line_digest(line))


@pytest.mark.parametrize("first", range(0, len(WHOLE), 211))
def test_a_byte_of_the_file_changed_names_its_line(first: int) -> None:
    bad = bytearray(WHOLE)
    bad[first] ^= 4
    line = WHOLE[:first].count(b"\n") + 1
    assert found(verify(lines_of(bytes(bad))))[1] == line


def test_a_line_end_changed_names_its_line() -> None:
    for number in range(len(LINES)):
        joined = (
            b"\n".join(LINES[: number + 1]) + b" " + b"".join(line + b"\n" for line in LINES[number + 1 :])
        )
        assert found(verify(lines_of(joined)))[1] == number + 1


@pytest.mark.parametrize("number", range(len(LINES) - 1))
def test_a_dropped_line_is_missed(number: int) -> None:
    assert found(judge(LINES[:number] + LINES[number + 1 :]))[1] == number + 1


@pytest.mark.parametrize("number", range(len(LINES)))
def test_a_doubled_line_is_one_too_many(number: int) -> None:
    assert found(judge(LINES[: number + 1] + LINES[number:])) == ("log/number", number + 2)


@pytest.mark.parametrize("number", range(len(LINES) - 1))
def test_swapped_lines_are_out_of_order(number: int) -> None:
    swapped = [*LINES[:number], LINES[number + 1], LINES[number], *LINES[number + 2 :]]
    assert found(judge(swapped))[1] == number + 1


def test_base_may_name_any_earlier_line_but_no_later_one() -> None:
    later = line_digest(LINES[AT["red 1"]])
    early = seal_again(LINES, AT["ready red"], lambda record: record.update(base=later))
    assert found(judge(early)) == ("log/base", AT["ready red"] + 1)


def test_a_game_may_be_cancelled_before_it_starts() -> None:
    sealed = ["join red", "join blue", "ready red"]
    head = [*PLAN[: AT["ready blue"]], {"id": "end", "kind": "end"}]
    opened: list[Entry] = [{"id": f"opened {name}", "kind": "opened", "of": name} for name in sealed]
    assert judge(write(head)).verdict == "unfinished"
    assert judge(write(head + opened)).verdict == "finished"


def test_a_standing_record_may_come_before_the_start() -> None:
    entry = {"id": "early", "kind": "standing", "seat": "red", "base": "charter"}
    assert (
        judge(write([*PLAN[: AT["ready red"]], entry, *PLAN[AT["ready red"] : AT["start"] + 1]])).verdict
        == "unfinished"
    )


def test_another_host_key_is_no_seal() -> None:
    line = LINES[1].replace(b'"key":"', b'"key":"0', 1)[: len(LINES[1])]
    report = judge([LINES[0], line])
    assert report.verdict == "fault"
    record = msgspec.json.decode(LINES[1])
    value = record["sig"]["val"]
    twin = value[:-3] + chr(ord(value[-3]) + 1) + "=="
    spelt = LINES[1].replace(value.encode(), twin.encode())
    assert found(judge([LINES[0], spelt])) == ("seal/value", 2)


def test_a_line_that_is_the_same_value_in_other_bytes() -> None:
    spaced = LINES[1].replace(b",", b", ", 1)
    assert found(judge([LINES[0], spaced])) == ("log/not-canonical", 2)
    twice = LINES[1][:-1] + b',"value":1}'
    assert found(judge([LINES[0], twice])) == ("file/key-twice", 2)
    assert found(judge([LINES[0], b'"\xff"'])) == ("file/encoding", 2)
    assert found(judge([LINES[0], b"[" * 60000])) == ("file/too-deep", 2)
    assert found(judge([LINES[0], b"[]"])) == ("log/shape", 2)
    assert found(judge([LINES[0], b" " * 65537])) == ("file/too-long", 2)


class Watch:
    """A visitor that keeps what it sees, and may find a fault."""

    def __init__(self, fault_at: int = -1) -> None:
        self.steps: list[Step] = []
        self.fault_at = fault_at

    def visit(self, step: Step) -> None:
        self.steps.append(step)
        if step.record.n == self.fault_at:
            raise refuse("log/base")


def test_a_visitor_sees_every_record_once_in_order_with_its_dice() -> None:
    watch = Watch()
    verify(lines_of(WHOLE), watch)
    assert [step.line for step in watch.steps] == LINES
    assert [step.digest for step in watch.steps] == [line_digest(line) for line in LINES]
    for step in watch.steps:
        playing = AT["start"] <= step.record.n <= AT["blue leaves"]
        assert (step.dice is not None) == playing
        if step.dice is not None:
            assert step.dice.turn == getattr(step.record, "turn", step.dice.turn)
    for earlier, later in zip(watch.steps, watch.steps[1:], strict=False):
        assert later.before == earlier.after


def test_a_visitor_sees_the_open_turn_too() -> None:
    watch = Watch()
    assert judge(LINES[: AT["red 1b"]]).verdict == "unfinished"
    verify(lines_of(file_of(LINES[: AT["red 1b"]])), watch)
    assert [step.dice is None for step in watch.steps[-2:]] == [True, True]
    assert len(watch.steps) == AT["red 1b"]


@pytest.mark.parametrize("number", range(len(LINES)))
def test_a_visitors_fault_is_at_its_record(number: int) -> None:
    assert found(verify(lines_of(WHOLE), Watch(number))) == ("log/base", number + 1)


def test_a_ledger_is_json_and_does_not_grow() -> None:
    for ledger in LEDGERS:
        stored = msgspec.json.encode(ledger)
        assert msgspec.json.decode(stored, type=Ledger) == ledger
        assert len(stored) < 2000


def test_who_is_waited_for() -> None:
    names = ("later", "start", "red 1", "orders", "blue 1", "red 1b", "silence", "blue 3", "end")
    seen = {name: waiting(LEDGERS[AT[name]]) for name in names}
    assert seen == {
        "later": (),
        "start": ("red", "blue"),
        "red 1": ("blue",),
        "orders": ("blue",),
        "blue 1": (),
        "red 1b": ("red",),
        "silence": ("blue",),
        "blue 3": (),
        "end": (),
    }


def test_the_host_knows_the_accumulator_before_the_record_is_written() -> None:
    ready, start = LEDGERS[AT["ready blue"]], LEDGERS[AT["start"]]
    assert setup_acc(ready, link("host", 1)).hex() == start.acc
    sealed = LEDGERS[AT["orders"]]
    coming = {"blue": chain_link(SEEDS["blue"], GAME, "blue", 2)}
    assert turn_acc(sealed, link("host", 2), coming).hex() == LEDGERS[AT["red 1b"]].acc


def test_sealed_moves_of_others_leave_a_move_fresh() -> None:
    sealed = LEDGERS[AT["red 1"]]
    assert is_fresh(sealed, "blue", AT["start"])
    assert not is_fresh(sealed, "blue", AT["ready blue"])
    assert not is_fresh(sealed, "red", AT["start"])
    assert is_fresh(sealed, "red", AT["red 1"])
    assert not is_fresh(LEDGERS[AT["blue 1"]], "red", AT["red 1"])
    assert is_fresh(LEDGERS[AT["blue 3"]], "blue", AT["blue 3"])
    assert not is_fresh(LEDGERS[AT["red leaves"]], "blue", AT["blue 3"])


def test_a_rev_is_remembered() -> None:
    noted = note_rev(LEDGERS[AT["start"]], "red", "move", 4)
    assert [entry.revs for entry in noted.roster] == [{"ready": 1, "move": 4}, {"ready": 1}]


def test_a_refused_record_leaves_the_ledger_alone() -> None:
    before = LEDGERS[AT["start"]]
    stored = msgspec.json.encode(before)
    report = judge([*LINES[: AT["red 1"]], *LINES[AT["red 1"] + 1 :]])
    assert report.ledger == before
    assert msgspec.json.encode(before) == stored
