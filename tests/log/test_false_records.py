"""Records that are false, or out of order, under a good seal: each is named by line and code."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.log.codes import CODES
from tests.log.book import Entry, Spoil, found, judge, link, plan, seal_again, write

PLAN = plan()
LINES = write(PLAN)
AT = {entry["id"]: number for number, entry in enumerate(PLAN)}


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


def nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(depth):
        value = {"x": value}
    return value


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
    ("board", put(kind="gossip"), "log/unknown-kind"),
    ("board", put(kind="ruling"), "log/shape"),
    ("board", put(kind="key"), "log/shape"),
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
    ("red 1", put(auto=[{"seat": "red", "decision": "gift", "by": "luck"}]), "log/auto"),
    ("red 1", put(auto=[{"seat": "green", "decision": "gift", "by": "default"}]), "log/auto"),
    ("red 1", put(auto=[{"seat": "red", "by": "default"}]), "log/auto"),
    ("red 1", put(auto=["red"]), "log/shape"),
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
    ("opened join red", put(payload_and_sig={"payload": {}}), "log/shape"),
    ("opened join red", put(payload_and_sig={"payload": [], "sig": {}}), "log/shape"),
    ("opened join red", put(payload_and_sig={"payload": nested(23), "sig": {}}), "file/too-deep"),
    ("opened join red", put(payload_and_sig={"payload": {"x": "y" * 32760}, "sig": {}}), "file/too-long"),
    ("drawn start", put(of=4), "log/drawn-order"),
    ("drawn blue 1", put(of=AT["start"]), "log/drawn-order"),
    ("drawn blue 1", one_draw(label="hand"), "log/label-twice"),
    ("drawn blue 1", one_draw(sides=0), "log/draw-shape"),
    # a number out of bounds is one even where there are no values to hold against it
    *(
        (at, one_draw(sides=sides, values=[]), "log/draw-shape")
        for at, sides in (("blue 1", 0), ("blue 1", -1), ("blue 1", 2**32 + 1), ("drawn blue 1", 2**60))
    ),
    ("blue 1", one_draw(sides=6, items=[], values=[]), "log/draw-shape"),
    ("start", put(order=["blue\nred"]), "log/turn-order"),
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


ODD = st.recursive(
    st.none()
    | st.booleans()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.integers()
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_whatever_stands_in_a_field_there_is_a_verdict(data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(LINES) - 1))
    fields = sorted(msgspec.json.decode(LINES[number]))
    field, value = data.draw(st.sampled_from(fields)), data.draw(ODD)
    report = judge(seal_again(LINES, number, put(**{field: value})))
    assert report.verdict in ("fault", "finished")


def test_every_code_has_its_sentences_once() -> None:
    codes = [code.code for code in CODES]
    assert len(set(codes)) == len(codes)
    assert {case[2] for case in CASES} | {case[1] for case in ORDER} <= set(codes)
