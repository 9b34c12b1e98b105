"""The stalemate variant by mail, from the letter that offers a declaration to the audit (FAQ; docs/arena.md)."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
import pytest

from engine import GAMES, Refusal, fill, random_turn, waiting
from engine.games.arena.orders import Options
from fixtures.play import POST, Chance, Match, begin, expect, move, open_match, standing
from pbem.audit.audit import audit
from pbem.log.envelope import Envelope
from pbem.turn import pipeline
from pbem.turn.pipeline import Verdict
from pbem.turn.posting import Letter
from tests.service.mailbox import written

ARENA = next(game for game in GAMES if game.id == "arena")
SEATS = ("red", "green", "blue")
DECLARE = {"do": "declare_stalemate"}
POLICIES: dict[str, dict[str, Any]] = {
    "red": {"object": "ask"},
    "green": {"object": "ask"},
    "blue": {"object": "ask"},
}

Json = dict[str, Any]


def mailed(match: Match, envelope: Envelope) -> Verdict:
    """An envelope pasted into a mail, found there again, and judged."""
    raw = written(f"{envelope.seat}@example.org", POST.address, envelope.text())
    assert pipeline.claim_mail(raw).envelopes == (envelope,)
    return match.send(envelope)


def seen(match: Match, seat: str) -> Any:
    return msgspec.convert(match.view(seat)["view"], ARENA.view_type)


def acts(match: Match, seat: str) -> dict[str, Any]:
    """What the menu in the seat's newest letter offers."""
    return {act.do: act for asked in ARENA.menu(seen(match, seat)).asked for act in asked.acts}


def newest(match: Match, seat: str) -> Letter:
    return next(one for one in reversed(match.letters) if one.seat == seat)


def due(match: Match) -> tuple[str, ...]:
    position = match.desk.position
    assert position is not None
    return waiting(match.desk.table, position)


def turn(match: Match, seat: str, below: Any) -> tuple[Json, ...]:
    """Random orders that bet little, so that the game is long and the pile runs out before five creatures fall."""
    return tuple(order for order in random_turn(ARENA, seen(match, seat), seat, below) if order != DECLARE)


def played(seed: str, policies: dict[str, Json], reactions: str = "standing") -> tuple[Match, str]:
    """A game up to where a declaration is on offer, and to whom."""
    options = {"stalemate": True, "reactions": reactions}
    assert msgspec.convert(options, Options).stalemate
    match = open_match(ARENA, SEATS, seed, options)
    begin(match)
    for seat, policy in policies.items():
        expect(mailed(match, standing(match, seat, policy)))
    below = Chance(seed).below("moves")
    while not match.over:
        seat = due(match)[0]
        if "declare_stalemate" in acts(match, seat):
            return match, seat
        expect(match.send(move(match, match.view(seat), turn(match, seat, below) or ({"do": "end_turn"},))))
    raise LookupError(seed)


@cache
def a_seed() -> str:
    """The first seed in whose game a declaration is on offer."""
    for number in range(40):
        try:
            played(f"stalemate-{number}", POLICIES)
        except LookupError:
            continue
        return f"stalemate-{number}"
    raise AssertionError("no such game")


def to_the_question(match: Match, seat: str) -> tuple[str, ...]:
    """Declares by mail, and plays on until the others are asked; gives who is asked."""
    assert "declare one, since the pile is empty" in newest(match, seat).text.replace("\n" + " " * 13, " ")
    expect(mailed(match, move(match, match.view(seat), (DECLARE,))))
    below = Chance("on").below(seat)
    while not any("accept" in acts(match, one) for one in due(match)):
        asked = due(match)[0]
        assert "declare_stalemate" not in acts(match, asked)
        orders = turn(match, asked, below) or ({"do": "end_turn"},)
        expect(match.send(move(match, match.view(asked), orders)))
        assert not match.over, "the game ended before the question"
    return due(match)


def answer(match: Match, seat: str, verb: str, view: Json | None = None) -> Verdict:
    act = acts(match, seat)[verb]
    order = fill(ARENA.menu(seen(match, seat)), act, None)  # type: ignore[arg-type]
    return mailed(match, move(match, view or match.view(seat), (order,)))


def public(match: Match) -> list[str]:
    return [line.decode() for line in match.lines]


def test_a_declaration_is_offered_mailed_asked_about_and_accepted() -> None:
    match, seat = played(a_seed(), POLICIES)
    asked = to_the_question(match, seat)
    assert set(asked) == set(SEATS) - {seat}
    for one in asked:
        letter = newest(match, one)
        assert letter.subject.endswith(("your move", "your answer is needed"))
        assert "  accept  " in letter.text
        assert "  object  " in letter.text
    before = len(match.lines)
    for one in asked:
        expect(answer(match, one, "accept"))
    told = "".join(public(match)[before:])
    assert '"event":"row_shuffled"' in told
    assert "accept" not in told
    for one in SEATS:
        assert "A stalemate:" in "".join(letter.text for letter in match.letters if letter.seat == one)
        drawn = [letter for letter in match.letters if letter.seat == one and "You drew" in letter.text]
        assert drawn, one
    to_the_end(match)


def test_one_objection_is_enough() -> None:
    match, seat = played(a_seed(), POLICIES)
    asked = to_the_question(match, seat)
    expect(answer(match, asked[0], "object"))
    assert "accept" not in acts(match, asked[1])
    assert "row_shuffled" not in "".join(public(match))
    name = ARENA.seat_names[asked[0]].id
    assert f"{name} objected: there is no stalemate." in newest(match, asked[1]).text
    to_the_end(match)


@pytest.mark.parametrize(("policy", "event"), [("always", "stalemate_objected"), ("never", "row_shuffled")])
def test_standing_orders_answer_at_once(policy: str, event: str) -> None:
    """`object: always` objects, `never`, the default, does not; nobody is asked by mail."""
    orders: dict[str, Json] = {one: {"object": policy} for one in SEATS}
    match, seat = played(a_seed(), orders)
    expect(mailed(match, move(match, match.view(seat), (DECLARE,))))
    below = Chance("on").below(seat)
    while f'"event":"{event}"' not in "".join(public(match)):
        one = due(match)[0]
        assert "accept" not in acts(match, one)
        expect(match.send(move(match, match.view(one), turn(match, one, below) or ({"do": "end_turn"},))))
    (line,) = [line for line in public(match) if f'"event":"{event}"' in line]
    assert '"decision":"stalemate"' in line
    to_the_end(match)


def test_silence_accepts_unless_the_standing_order_objects() -> None:
    match, seat = played(a_seed(), POLICIES)
    for one in to_the_question(match, seat):
        match.hours += 1
        match.silence(one)
    assert '"event":"row_shuffled"' in "".join(public(match))
    to_the_end(match)


def test_an_answer_that_crosses_another_is_sent_again_from_the_newest_letter() -> None:
    """ADR 21: an answer of one asked seat is a change; whoever wrote before it is asked again, and answers anew."""
    match, seat = played(a_seed(), POLICIES)
    first, second = to_the_question(match, seat)
    old = match.view(second)
    expect(answer(match, first, "accept"))
    again = newest(match, second)
    assert again.subject.endswith(("your move", "your answer is needed"))
    assert any(file.name.endswith(".move.json") for file in again.files)
    verdict = answer(match, second, "accept", old)
    assert isinstance(verdict.refusal, Refusal)
    assert verdict.refusal.code == "fresh/stale"
    expect(answer(match, second, "accept"))
    assert '"event":"row_shuffled"' in "".join(public(match))
    to_the_end(match)


def to_the_end(match: Match) -> None:
    """Random turns to the end of the game; then both levels of the audit."""
    below = Chance("end").below("moves")
    while not match.over:
        seat = due(match)[0]
        orders = random_turn(ARENA, seen(match, seat), seat, below) or ({"do": "end_turn"},)
        expect(match.send(move(match, match.view(seat), orders)))
    report = audit(match.archive())
    assert report.verdict == "sound", report
