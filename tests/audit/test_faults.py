"""Everything that only level 2 can find, each in a log whose signatures, chain and public draws are in order."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from engine import words
from pbem.audit import audit, level2, sentences_of
from pbem.audit.level2 import Auditor
from pbem.log.canonical import canonical, digest
from pbem.log.seal import PrivateKey, sign
from tests.audit.make import Json, Plan, make, secret
from tests.toy import GAME

PLAN = Plan(GAME, GAME.seats, seed=3, options={"gems": 8, "reactions": "standing"}, silence=0)
Wrong = Callable[[Json], object]


class At:
    """Changes the `nth` record (or payload) of a kind for which `where` holds, and remembers its line."""

    def __init__(
        self, kind: str, change: Wrong, nth: int = 0, where: Callable[[Json], Any] | None = None
    ) -> None:
        self.kind, self.change, self.left, self.where = kind, change, nth, where
        self.line = 0

    def __call__(self, record: Json) -> object:
        if record["kind"] != self.kind or self.line or (self.where is not None and not self.where(record)):
            return None
        if self.left:
            self.left -= 1
            return None
        self.line = int(record.get("n", -2)) + 1
        return self.change(record)


def other_hex(record: Json, field: str) -> None:
    record[field] = "ab" * 32


def set_to(field: str, value: Any) -> Wrong:
    return lambda record: record.update({field: value})


def drop_first(field: str) -> Wrong:
    return lambda record: record[field].pop(0) and None


def has(field: str) -> Callable[[Json], Any]:
    return lambda record: record.get(field)


def wins(record: Json) -> list[Json]:
    return [event for event in record["events"] if event.get("won") is True]


def one_for_true(record: Json) -> None:
    wins(record)[0]["won"] = 1


EDITS: dict[str, tuple[At, str]] = {
    "turn order": (At("start", lambda r: r["order"].reverse()), "audit/order"),
    "who is next, at the start": (At("start", lambda r: r["next"].reverse()), "audit/next"),
    "who is next": (At("move", lambda r: r["next"].reverse(), 1, has("next")), "audit/next"),
    "an event left out": (At("move", drop_first("events"), 2, has("events")), "audit/events"),
    "an event too many": (
        At("move", lambda r: r["events"].append({"event": "opened", "turn": 1})),
        "audit/events",
    ),
    "a one for a true": (At("move", one_for_true, 0, wins), "audit/events"),
    "a draw left out": (At("move", drop_first("draws"), 0, has("draws")), "audit/draws"),
    "an automatic answer left out": (At("move", drop_first("auto"), 0, has("auto")), "audit/auto"),
    "an answer by standing orders that there are not": (
        At(
            "move",
            lambda r: r["auto"][0].update(by="standing"),
            0,
            lambda r: r["auto"] and r["auto"][0]["by"] == "default",
        ),
        "audit/auto",
    ),
    "the public digest": (At("move", lambda r: other_hex(r, "public"), 4), "audit/public"),
    "the state's code": (At("move", lambda r: other_hex(r, "state"), 5), "audit/state"),
    "the state's code at the start": (At("start", lambda r: other_hex(r, "state")), "audit/state"),
    "the winner": (At("end", lambda r: r["result"]["places"][0].update(score=99)), "audit/result"),
    "the places": (At("end", lambda r: r["result"]["places"].reverse()), "audit/result"),
    "the hidden key": (At("end", lambda r: other_hex(r, "k_hidden")), "audit/hidden-key"),
    "the host's seed": (At("end", lambda r: other_hex(r, "host_seed")), "audit/host-seed"),
    "a hidden draw": (At("drawn", lambda r: r["draws"][0]["values"].reverse()), "audit/hidden-draws"),
    "a hidden draw left out": (At("drawn", lambda r: r.update(draws=[])), "audit/hidden-draws"),
    "the ruleset's version": (At("charter", lambda r: r["ruleset"].update(version=2)), "audit/ruleset"),
    "an option beyond the rules": (At("charter", lambda r: r["options"].update(gems=99)), "audit/options"),
    "a schema's digest": (At("charter", lambda r: r["schemas"].update(move="ab" * 32)), "audit/schemas"),
    "a schema too many": (At("charter", lambda r: r["schemas"].update(more="ab" * 32)), "audit/schemas"),
    "a payload changed after the fact": (
        At("opened", lambda r: r["payload_and_sig"]["payload"].update(rev=77), 6),
        "audit/envelope",
    ),
}


@pytest.mark.parametrize("name", EDITS)
def test_a_falsified_record_is_found_at_its_line(auditor: Auditor, name: str) -> None:
    spoil, code = EDITS[name]
    report = audit(make(replace(PLAN, edit=spoil)), auditor)
    assert spoil.line, "nothing was falsified"
    assert (report.exit_code, report.line, report.code) == (1, spoil.line, code)
    assert all(words(sentence) for sentence in sentences_of(report))


PENS: dict[str, tuple[At, str]] = {
    "another turn": (At("move", set_to("turn", 99), 3), "audit/envelope-field"),
    "another game": (At("ready", set_to("game", "02other")), "audit/envelope-field"),
    "another link": (At("move", set_to("reveal", "ab" * 32), 0, has("reveal")), "audit/envelope-field"),
    "another link 1": (At("ready", set_to("reveal", "ab" * 32)), "audit/envelope-field"),
    "another rev than the record": (At("ready", set_to("rev", 40)), "audit/envelope-field"),
    "another tip": (At("join", set_to("tip", "ab" * 32), 1), "audit/envelope-field"),
    "another kind": (At("ready", lambda p: p.update(kind="resign")), "audit/envelope-field"),
    "a field too many": (At("move", set_to("extra", 1), 2), "audit/schema"),
    "an order that is none": (At("move", set_to("orders", [{"do": "nothing"}]), 2), "audit/schema"),
    "a setup that is none": (At("ready", set_to("setup", {"charm": "none"})), "audit/schema"),
    "a policy that is none": (At("standing", set_to("policy", {"guard": "always"})), "audit/schema"),
    "a policy that the rules refuse": (
        At("standing", set_to("policy", {"guard": "ask"})),
        "audit/not-allowed",
    ),
    "orders that the rules refuse": (
        At("move", set_to("orders", [{"do": "bid", "coins": 99}]), 0),
        "audit/not-allowed",
    ),
    "a rev that does not rise": (At("move", set_to("rev", 0), 9), "audit/rev"),
}


def numbered(plan: Plan, pen: At) -> tuple[list[bytes], Callable[[], int]]:
    """The lines, and in which of them the record of the changed payload stands."""
    found = 0

    def edit(record: Json) -> None:
        nonlocal found
        if pen.line and not found and "envelope" in record:
            found = record["n"] + 1

    lines = make(replace(plan, pen=pen, edit=edit))
    return lines, lambda: found


@pytest.mark.parametrize("name", PENS)
def test_an_envelope_that_should_have_been_refused_is_found_at_its_record(
    auditor: Auditor, name: str
) -> None:
    pen, code = PENS[name]
    lines, line = numbered(PLAN, pen)
    report = audit(lines, auditor)
    assert (report.exit_code, report.line, report.code) == (1, line(), code), report.refusal
    assert all(words(sentence) for sentence in sentences_of(report))


def test_other_orders_than_those_played_show_in_the_record(auditor: Auditor) -> None:
    pen = At("move", lambda p: p["orders"][0].update(coins=0), 0, lambda p: p["orders"][0].get("coins"))
    lines, line = numbered(PLAN, pen)
    report = audit(lines, auditor)
    assert (report.line, report.code) == (line(), "audit/state")


def test_a_stale_move_is_found(auditor: Auditor) -> None:
    old: list[str] = []
    pen = At("move", lambda p: p.update(base=old[0]), 5)

    def write(payload: Json) -> None:
        if payload["kind"] == "ready":
            old.append(payload["base"])
        pen(payload)

    report = audit(make(replace(PLAN, pen=write)), auditor)
    assert (report.exit_code, report.code) == (1, "audit/stale")
    assert report.refusal is not None
    assert report.refusal.args["seat"] in GAME.seats


def forged(whole_of: Callable[[Json], Json]) -> tuple[list[bytes], int]:
    """The host publishes, and opens, something else for the first move of ash."""
    payloads: list[Json] = []
    number = 0
    whole: Json = {}

    def pen(payload: Json) -> None:
        if payload["kind"] == "move" and payload["seat"] == "ash":
            payloads.append(dict(payload))

    def edit(record: Json) -> None:
        nonlocal number, whole
        if record["kind"] == "move" and record["seat"] == "ash" and not number:
            number = record["n"]
            whole = whole_of(payloads[0])
            record["envelope"] = digest(canonical(whole))
        if record["kind"] == "opened" and record["of"] == number:
            record["payload_and_sig"] = whole

    return make(replace(PLAN, pen=pen, edit=edit)), number + 1


def sealed_by(key: PrivateKey, kind: str = "move", **changes: Any) -> Callable[[Json], Json]:
    def whole(payload: Json) -> Json:
        changed = {**payload, **changes}
        return {"payload": changed, "sig": sign(key, kind, canonical(changed))}

    return whole


ASH = PrivateKey(secret(PLAN, "ash"))
FORGERIES: dict[str, tuple[Callable[[Json], Json], str]] = {
    "by a stranger": (sealed_by(PrivateKey(b"\x05" * 32)), "seal/other-key"),
    "as a file of another kind": (sealed_by(ASH, "standing"), "seal/wrong"),
    "in the name of another seat": (sealed_by(ASH, seat="birch"), "audit/envelope-field"),
    "for another game": (sealed_by(ASH, game="02other"), "audit/envelope-field"),
    "of another version": (sealed_by(ASH, v=2), "file/version"),
    "without a reveal": (sealed_by(ASH, reveal="cd" * 32), "audit/envelope-field"),
    "on another base": (sealed_by(ASH, base="cd" * 32), "audit/envelope-field"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_move_is_found_at_its_record(auditor: Auditor, name: str) -> None:
    whole_of, code = FORGERIES[name]
    lines, line = forged(whole_of)
    report = audit(lines, auditor)
    assert (report.exit_code, report.line, report.code) == (1, line, code), report.refusal


def test_the_envelope_of_another_record_is_found_where_it_is_opened(auditor: Auditor) -> None:
    seen: list[Json] = []

    def edit(record: Json) -> None:
        if record["kind"] == "opened":
            seen.append(record["payload_and_sig"])
            if len(seen) == 8:
                record["payload_and_sig"] = seen[6]

    report = audit(lines := make(replace(PLAN, edit=edit)), auditor)
    assert report.code == "audit/envelope"
    assert b'"kind":"opened"' in lines[report.line - 1]


def drawn_lines(plan: Plan) -> list[int]:
    return [number for number, line in enumerate(make(plan)) if b'"kind":"drawn"' in line]


def test_hidden_draws_not_opened_are_missed(auditor: Auditor) -> None:
    plan = next(plan for seed in range(1, 99) if len(drawn_lines(plan := replace(PLAN, seed=seed))) > 1)
    middle = At("drawn", lambda r: False)
    report = audit(make(replace(plan, edit=middle)), auditor)
    assert (report.exit_code, report.code) == (1, "audit/drawn-missing")
    assert b'"kind":"start"' in make(plan)[report.line - 1]
    last = At("drawn", lambda r: False, len(drawn_lines(plan)) - 1)
    assert audit(make(replace(plan, edit=last)), auditor).exit_code == 3
    last = At("drawn", lambda r: False, len(drawn_lines(plan)) - 1)
    report = audit(make(replace(plan, edit=last, named=True)), auditor)
    assert (report.exit_code, report.code) == (1, "audit/drawn-missing")


def test_hidden_draws_that_the_rules_did_not_ask_for_are_found(auditor: Auditor) -> None:
    quiet: list[int] = []

    def edit(record: Json) -> None:
        if record["kind"] == "move" and not quiet:
            quiet.append(record["n"])
        if record["kind"] == "drawn":
            record["of"] = quiet[0]

    single = next(plan for seed in range(1, 99) if len(drawn_lines(plan := replace(PLAN, seed=seed))) == 1)
    lines = make(replace(single, edit=edit))
    report = audit(lines, auditor)
    assert (report.line, report.code) == (drawn_lines(single)[0] + 1, "audit/drawn-extra")


def test_a_commitment_to_another_hidden_key_is_found_at_the_end(auditor: Auditor) -> None:
    lines = make(replace(PLAN, edit=At("charter", lambda r: other_hex(r, "hidden"))))
    report = audit(lines, auditor)
    assert report.code == "audit/hidden-key"
    assert b'"kind":"end"' in lines[report.line - 1]


def test_a_chain_that_is_too_short_is_found(auditor: Auditor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(level2, "LENGTH", 3)
    lines = make(PLAN)
    report = audit(lines, auditor)
    assert report.code == "audit/host-link"
    assert b'"turn":3' in lines[report.line - 1]


def test_a_cancelled_game_has_no_result(auditor: Auditor) -> None:
    spoil = At("end", lambda r: r["result"].update(how="deck"))
    report = audit(make(replace(PLAN, cancelled=True, edit=spoil)), auditor)
    assert (report.line, report.code) == (spoil.line, "audit/result")


def test_a_forged_envelope_of_a_cancelled_game_is_found(auditor: Auditor) -> None:
    lines, line = numbered(replace(PLAN, cancelled=True), At("standing", set_to("policy", {"guard": 1})))
    report = audit(lines, auditor)
    assert (report.line, report.code) == (line(), "audit/schema")


def test_whatever_the_rules_raise_is_a_fault_and_no_traceback() -> None:
    def breaks(*_args: Any) -> Any:
        raise ZeroDivisionError

    broken = dataclasses.replace(GAME, apply=breaks)
    lines = make(PLAN)
    report = audit(lines, Auditor((broken,)))
    assert (report.exit_code, report.code) == (1, "audit/rules-broke")
    assert b'"kind":"move"' in lines[report.line - 1]
    assert audit(lines, Auditor((dataclasses.replace(GAME, vet=breaks),))).code == "audit/options"


def test_the_schemas_can_be_left_out_for_measuring() -> None:
    pen = At("move", set_to("extra", 1), 2)
    report = audit(make(replace(PLAN, pen=pen)), Auditor((GAME,), schemas=False))
    assert report.code == "file/shape"
