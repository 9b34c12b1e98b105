"""Level 1 over a small synthetic game: sound, cut off, and falsified in every way there is a code for."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine import Refused, refuse
from pbem.log.chain import chain_link
from pbem.log.codes import CODES
from pbem.log.ledger import (
    Ledger,
    Report,
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
from tests.log.book import GAME, SEEDS, Entry, Spoil, file_of, link, plan, seal_again, write

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


def judge(lines: list[bytes]) -> Report:
    return verify(lines_of(file_of(lines)))


def found(report: Report) -> tuple[str, int]:
    assert report.fault is not None, report.verdict
    return report.fault.refusal.code, report.fault.line


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
            record = read_record(bytes(bad))
            verify_record(record, bytes.fromhex(LEDGERS[0].host_key))
            append(LEDGERS[number - 1] if number else None, record, line_digest(bytes(bad)))


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


def put(**fields: Any) -> Spoil:
    return lambda record: record.update(fields)


def drop(field: str) -> Spoil:
    return lambda record: record.pop(field)


def copied(field: str, other: str) -> Spoil:
    value = msgspec.json.decode(LINES[AT[other]])[field]
    return put(**{field: value})


def one_draw(**fields: Any) -> Spoil:
    return lambda record: record["draws"][0].update(fields)


def other_value(record: Entry) -> None:
    draw = record["draws"][0]
    draw["values"][0] = draw["values"][0] % draw["sides"] + 1


def other_shuffle(record: Entry) -> None:
    record["draws"][1]["values"].reverse()


OTHER = "99" * 32
CASES: list[tuple[str, Spoil, str]] = [
    ("charter", put(kind="data"), "log/shape"),
    ("charter", put(seats=["red", "host"]), "log/seats"),
    ("charter", put(seats=["red", "red"]), "log/seats"),
    ("charter", put(seats=[]), "log/seats"),
    ("charter", put(n=1), "log/number"),
    ("charter", put(prev=OTHER), "log/previous"),
    ("charter", put(at="2026-02-29T00:00:00Z"), "log/time"),
    ("charter", put(host_key=OTHER), "seal/other-key"),
    ("charter", drop("deadline"), "log/shape"),
    ("charter", put(deadline=None), "file/null"),
    ("charter", put(schemas={"Move": OTHER}), "file/bad-key"),
    ("charter", put(options={"a": 1.5}), "file/float"),
    ("board", put(value=2**53), "file/integer"),
    ("board", put(value=None), "file/null"),
    ("board", put(extra=1), "log/shape"),
    ("board", put(kind="press"), "log/unknown-kind"),
    ("board", put(kind="ruling"), "log/unknown-kind"),
    ("board", put(kind="key"), "log/unknown-kind"),
    ("board", put(kind="gossip"), "log/unknown-kind"),
    ("board", put(at="2026-03-01T11:59:59Z"), "log/time-falls"),
    ("board", put(at="2026-03-01T12:01:00Z\n"), "log/time"),
    ("board", put(at="2026-03-01T12:61:00Z"), "log/time"),
    ("join red", copied("base", "ready red"), "log/join-base"),
    ("join red", put(seat="green"), "log/unknown-seat"),
    ("join red", put(public_key="01" + "00" * 31), "seal/weak-key"),
    ("join red", put(public_key="AB" * 32), "log/shape"),
    ("join red", put(tip="ab" * 32 + "\n"), "log/shape"),
    ("join blue", copied("public_key", "join red"), "log/key-used"),
    ("join blue", put(public_key=msgspec.json.decode(LINES[0])["host_key"]), "log/key-used"),
    ("join blue", put(seat="red"), "log/join-twice"),
    ("later", put(who="green"), "log/unknown-seat"),
    ("ready red", copied("reveal", "ready blue"), "log/wrong-link"),
    ("ready red", put(reveal=link("red", 2).hex()), "log/wrong-link"),
    ("ready blue", put(base=OTHER), "log/base"),
    ("ready blue", copied("envelope", "ready red"), "log/envelope-twice"),
    ("start", put(turn=1), "log/shape"),
    ("start", put(link=link("host", 2).hex()), "log/wrong-link"),
    ("start", put(order=["red"]), "log/turn-order"),
    ("start", put(order=["red", "red"]), "log/turn-order"),
    ("start", put(next=["green"]), "log/next-seats"),
    ("start", put(next=["red", "red"]), "log/next-seats"),
    ("start", drop("next"), "log/shape"),
    ("start", lambda record: record["draws"][1].update(label="order"), "log/label-twice"),
    ("start", one_draw(values=["red", "red"]), "log/draw-value"),
    ("start", one_draw(sides=6), "log/draw-shape"),
    ("start", one_draw(label="Ordnung/ö"), "log/draw-shape"),
    ("red 1", drop("reveal"), "log/reveal-missing"),
    ("red 1", put(reveal=link("red", 3).hex()), "log/wrong-link"),
    ("red 1", put(turn=2), "log/turn"),
    ("red 1", put(draws=[{"label": "early", "sides": 6, "values": [1]}]), "log/draws-early"),
    ("red 1", put(link=link("host", 2).hex(), next=["red"]), "log/closed-early"),
    ("red 1", put(link=link("host", 2).hex()), "log/link-and-next"),
    ("red 1", put(next=["red"]), "log/link-and-next"),
    ("red 1", drop("auto"), "log/shape"),
    ("blue 1", other_value, "log/draw-value"),
    ("blue 1", other_shuffle, "log/draw-value"),
    ("blue 1", one_draw(sides=8), "log/draw-value"),
    ("blue 1", one_draw(label="first"), "log/label-twice"),
    ("blue 1", one_draw(values=[0, 1, 2]), "log/draw-shape"),
    ("blue 1", one_draw(values=["1", "2", "3"]), "log/draw-shape"),
    ("blue 1", lambda record: record["draws"][0].pop("sides"), "log/draw-shape"),
    ("red 1b", put(reveal=link("red", 3).hex()), "log/reveal-extra"),
    ("red 1b", put(link=link("host", 3).hex()), "log/wrong-link"),
    ("red 1b", other_value, "log/draw-value"),
    ("silence", put(reveal=link("red", 3).hex()), "log/shape"),
    ("silence", put(seat="blue"), "log/draws-early"),
    ("red leaves", put(draws=[{"label": "spoils", "sides": 6, "values": [1]}]), "log/draws-out-of-turn"),
    ("red leaves", put(reveal=link("red", 3).hex()), "log/shape"),
    ("blue 3b", put(seat="red"), "log/resigned"),
    ("end", put(k_hidden="77"), "log/shape"),
    ("opened join red", put(of=3), "log/opened-order"),
    ("opened join red", put(of=1), "log/opened-order"),
    ("opened join blue", put(of=2), "log/opened-order"),
    ("drawn start", put(of=4), "log/drawn-order"),
    ("drawn blue 1", put(of=AT["start"]), "log/drawn-order"),
    ("drawn blue 1", one_draw(label="hand"), "log/label-twice"),
    ("drawn blue 1", one_draw(sides=0), "log/draw-shape"),
    ("names", put(names={"green": "Gus"}), "log/unknown-seat"),
    ("names", put(names={"red": 1}), "log/shape"),
]


@pytest.mark.parametrize(
    ("name", "spoil", "code"), CASES, ids=[f"{c[0]}-{c[2]}-{i}" for i, c in enumerate(CASES)]
)
def test_a_false_record_under_a_good_seal(name: str, spoil: Spoil, code: str) -> None:
    lines = seal_again(LINES, AT[name], spoil)
    assert found(judge(lines)) == (code, AT[name] + 1)


def without(*names: str) -> list[Entry]:
    return [entry for entry in PLAN if entry["id"] not in names]


def moved(name: str, before: str) -> list[Entry]:
    rest = without(name)
    place = next(index for index, entry in enumerate(rest) if entry["id"] == before)
    return [*rest[:place], PLAN[AT[name]], *rest[place:]]


def added(entry: Entry, before: str) -> list[Entry]:
    place = AT[before]
    return [*PLAN[:place], {"id": "added", **entry}, *PLAN[place:]]


READY = {"kind": "ready", "seat": "red", "base": "join red", "reveal": 2, "rev": 2}
STANDING = {"kind": "standing", "seat": "red", "base": "start"}
ANSWER = {"kind": "move", "seat": "blue", "turn": 2, "base": "red 1b", "reveal": 3}
ORDER: list[tuple[list[Entry], str, int]] = [
    (PLAN[1:2], "log/charter-first", 1),
    (moved("board", "later"), "log/order", AT["board"] + 3),
    (moved("join blue", "ready blue"), "log/ready-early", AT["join blue"] + 2),
    (moved("start", "ready blue"), "log/start-early", AT["ready blue"] + 1),
    (without("start"), "log/order", AT["start"] + 1),
    (added(READY, "start"), "log/ready-twice", AT["start"] + 1),
    (added({"kind": "end"}, "red 1"), "log/order", AT["red 1"] + 1),
    (added({"kind": "end"}, "blue leaves"), "log/order", AT["blue leaves"] + 1),
    (added(STANDING, "end"), "log/order", AT["end"] + 1),
    (added(PLAN[AT["later"]], "end"), "log/order", AT["end"] + 1),
    (added(ANSWER, "silence"), "log/reveal-extra", AT["silence"] + 1),
    (added(STANDING, "blue 3b"), "log/resigned", AT["blue 3b"] + 1),
    (added({**STANDING, "base": "charter"}, "join red"), "log/not-joined", AT["join red"] + 1),
    (added(PLAN[AT["names"]], "drawn start"), "log/after-names", AT["drawn start"] + 2),
    (moved("drawn start", "opened blue leaves"), "log/drawn-order", AT["opened blue leaves"] + 1),
    (moved("names", "opened blue leaves"), "log/names-early", AT["opened blue leaves"] + 1),
    (
        added({"kind": "deadline", "old": 1, "new": 2, "who": "red", "reason": ""}, "names"),
        "log/order",
        AT["names"] + 1,
    ),
    ([*PLAN, {**PLAN[AT["opened blue leaves"]]}], "log/after-names", len(PLAN) + 1),
]


@pytest.mark.parametrize(("entries", "code", "line"), ORDER, ids=[f"{c[1]}-{i}" for i, c in enumerate(ORDER)])
def test_records_out_of_order(entries: list[Entry], code: str, line: int) -> None:
    assert found(judge(write(entries))) == (code, line)


def test_base_may_name_any_earlier_line_but_no_later_one() -> None:
    later = line_digest(LINES[AT["red 1"]])
    early = seal_again(LINES, AT["ready red"], put(base=later))
    assert found(judge(early)) == ("log/base", AT["ready red"] + 1)


def test_a_game_may_be_cancelled_before_it_starts() -> None:
    sealed = ["join red", "join blue", "ready red"]
    head = [*PLAN[: AT["ready blue"]], {"id": "end", "kind": "end"}]
    opened: list[Entry] = [{"id": f"opened {name}", "kind": "opened", "of": name} for name in sealed]
    assert judge(write(head)).verdict == "unfinished"
    assert judge(write(head + opened)).verdict == "finished"


def test_a_standing_record_may_come_before_the_start() -> None:
    entry = {"kind": "standing", "seat": "red", "base": "charter"}
    assert judge(write(added(entry, "ready red")[: AT["start"] + 2])).verdict == "unfinished"


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


def test_every_code_has_its_sentences_once() -> None:
    codes = [code.code for code in CODES]
    assert len(set(codes)) == len(codes)
    assert {case[2] for case in CASES} | {case[1] for case in ORDER} <= set(codes)
