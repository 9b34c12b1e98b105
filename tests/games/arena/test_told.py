"""What a letter tells of turns, players and the end: whose turn it was, what came to nothing, who has left."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from typing import Any

import pytest

from engine import (
    Charter,
    Dice,
    Held,
    Outcome,
    Position,
    Table,
    play,
    random_turn,
    resign,
    sentences,
    start,
    words,
)
from engine.games.arena.codes import CODES
from engine.games.arena.events import TurnBegan
from engine.games.arena.orders import Options
from engine.games.arena.setup import SEATS
from engine.games.arena.state import State
from tests.games.arena.kit import (
    ARENA,
    END,
    LAST_EIGHT,
    Json,
    action,
    charter,
    do,
    hands,
    position,
    rows,
    seeded,
    use,
)
from tests.games.arena.kit import play as card

TITLES = re.compile(r"^Turn (\d+), (\w+):", re.MULTILINE)


def titles(text: str) -> list[tuple[int, str]]:
    return [(int(number), seat) for number, seat in TITLES.findall(text)]


def letter(state: State, seat: str | None, events: list[Any]) -> str:
    heard = tuple(ARENA.hear(event, seat) for event in events)
    return ARENA.report(ARENA.view(state, seat), heard, "en")


def steps(state: State, *moves: tuple[str, Json]) -> tuple[State, list[Any]]:
    """Orders of several seats; the position after them and the events as they are."""
    happened: list[Any] = []
    for seat, order in moves:
        state, events = ARENA.apply(state, seat, action(order), Dice(seeded(1)))
        happened += events
    return state, happened


def asked_by_a_gorgon(green: str) -> State:
    """Red's Gorgon has asked Green, and Red holds so many cards that nothing is drawn at the end of his turn."""
    red = " ".join(f"{name}-{number}" for name in ("wyrm", "unicorn") for number in range(9))
    state = position(
        charter(reactions="ask"),
        turn=7,
        columns={"gorgon": rows("red")},
        players=hands(red=f"gorgon-1 {red}", green=green, blue="titan-1 titan-2"),
    )
    state, _ = do(state, "red", card("gorgon-1", power=use("gorgon", seat="green", creature="troll")))
    return state


@pytest.mark.parametrize(("green", "answer"), [("troll-3", {"do": "give", "card": "troll-3"}), ("", None)])
@pytest.mark.parametrize("reader", ["red", "green", "blue", None])
def test_a_turn_that_goes_on_after_an_answer_is_his_whose_turn_it_is(
    green: str, answer: Json | None, reader: str | None
) -> None:
    """The letter after a Gorgon's answer (HU p.11) called the rest of Red's turn the next player's."""
    state = asked_by_a_gorgon(green)
    state, events = steps(state, ("green", answer or {"do": "show_hand"}), ("red", END))
    assert not [event for event in events if getattr(event, "seat", "") == "red"]
    named = "you" if reader == "red" else "Red"
    assert titles(letter(state, reader, events)) == [(7, named)]


def owners(position: Position[Any]) -> tuple[int, str]:
    return position.state.turn, position.state.seat


def told_rightly(outcome: Outcome, whose: Mapping[int, str], kept: Mapping[str, list[Any]]) -> int:
    """Each seat's letter with all that it has not read yet: every title names whose turn it was."""
    count = 0
    for seat, events in kept.items():
        view = ARENA.view(outcome.position.state, seat)
        for number, name in titles(ARENA.report(view, tuple(events), "en")):
            owner = whose[number]
            assert name == ("you" if owner == seat else words(ARENA.seat_names[owner])), (number, name)
            count += 1
    return count


@pytest.mark.parametrize(
    "seed", [pytest.param(n, marks=() if n < 12 else pytest.mark.soak) for n in range(24)]
)
def test_every_title_names_whose_turn_it_was(seed: int) -> None:
    """Games in pieces, with questions, resignations and stalemates; each seat reads only now and then."""
    lot = random.Random(seed)
    seats = SEATS[: 2 + seed % 4]
    table = Table(ARENA, Charter(seats, Options(reactions="ask", stalemate=seed % 2 == 1)))
    dice = Dice(seeded(seed))
    outcome = start(table, {seat: ARENA.setup() for seat in seats}, (), dice)
    whose = dict([owners(outcome.position)])
    kept: dict[str, list[Any]] = {seat: [] for seat in seats}
    count = 0
    while outcome.result is None:
        where = outcome.position
        asked = ARENA.pending(where.state)[0].seat
        if lot.random() < 0.01:
            outcome = resign(table, where, lot.choice(seats), dice)
        else:
            turn = random_turn(ARENA, ARENA.view(where.state, asked), asked, lot.randrange)
            outcome = play(table, where, Held(asked, turn[: lot.choice((1, 2, 9))] or turn), dice)
        opened = [event for event in outcome.events if isinstance(event, TurnBegan)]
        whose |= {event.turn: event.seat for event in opened}
        for seat in seats:
            kept[seat] += [heard for e in outcome.events if (heard := hear(e, seat)) is not None]
        count += told_rightly(outcome, whose, kept)
        for seat in seats:
            if lot.random() < 0.5:
                kept[seat] = []
    assert count > 30


def hear(event: Any, seat: str) -> Any:
    """As a letter's news: a lapse is its author's alone."""
    if type(event).__name__ == "Lapsed":
        return event if event.seat == seat else None
    return ARENA.hear(event, seat)


NOTHING: dict[str, tuple[Json, Json, str]] = {
    "magister": (
        {"players": hands(red="magister")},
        card("magister", on="titan"),
        "sent the Magister to the Titan, who found no bet",
    ),
    "prefect": (
        {"players": hands(red="prefect-1")},
        card("prefect-1"),
        "sent out a Prefect, who found no card to take",
    ),
    "troll": (
        {"players": hands(red="troll-2"), "columns": {"troll": rows("red")}},
        card("troll-2", power=use("troll")),
        "used the Troll's power, which found no card to take",
    ),
    "seraphim": (
        {
            "players": hands(red="seraphim-2"),
            "dead": ["troll"],
            "columns": {"seraphim": rows([], "red")},
        },
        card("seraphim-2", power=use("seraphim", **{"as": use("troll")})),
        "used the Seraphim's power, as the fallen Troll had it, which found no card to take",
    ),
}


@pytest.mark.parametrize("name", NOTHING)
@pytest.mark.parametrize("reader", ["red", "blue", None])
def test_what_had_no_effect_is_not_told_as_if_it_had(name: str, reader: str | None) -> None:
    """HU p.8, #15, and #2.1: Magister, Prefect and Troll may be used where they find nothing."""
    given, order, nothing = NOTHING[name]
    state, events = steps(position(**given), ("red", order))
    assert nothing in letter(state, reader, events).replace("\n    ", " ")


EFFECT: dict[str, tuple[Json, Json, str]] = {
    "magister": (
        {"players": hands(red="magister", blue={"hand": [], "secret": "titan-3"})},
        card("magister", on="titan"),
        "sent the Magister to the Titan; bared the secret bet of Blue: Titan 3, so 5 gold on the Titan",
    ),
    "prefect": (
        {"players": hands(red="prefect-1"), "columns": {"titan": rows(["titan-4"])}},
        card("prefect-1", take="titan-4"),
        "sent out a Prefect; took Titan 4 from row 1 into hand",
    ),
    "troll": (
        {"players": hands(red="troll-2"), "dead": ["wyrm"], "columns": {"troll": rows((["troll-9"], "red"))}},
        card("troll-2", power=use("troll", take="troll-9")),
        "used the Troll's power; took Troll 9 from row 1 into hand",
    ),
}


@pytest.mark.parametrize("name", EFFECT)
def test_what_had_an_effect_is_told_with_it(name: str) -> None:
    given, order, told = EFFECT[name]
    state, events = steps(position(**given), ("red", order))
    assert told in letter(state, "green", events).replace("\n    ", " ")


def test_ones_own_bet_that_a_magister_bared() -> None:
    """HU p.8; it was told as "the secret bet of you"."""
    given, order, _ = EFFECT["magister"]
    state, events = steps(position(**given), ("red", order))
    assert "bared your secret bet: Titan 3" in letter(state, "blue", events).replace("\n    ", " ")


def test_a_letter_says_that_the_hand_is_filled() -> None:
    """HU p.9: "you draw up to 8 cards" read like eight cards to draw."""
    assert "you fill your hand to 8" in letter(position(), "red", [])


def test_a_secret_bet_of_who_has_resigned_stays_in_sight_until_the_end() -> None:
    """#2.1: it stays hidden until the end; its owner's "resigned" stood in its place."""
    state = position(players=hands(blue={"hand": [], "secret": "titan-3", "resigned": True}))
    row = next(line for line in letter(state, "red", []).split("\n") if "Blue (resigned)" in line)
    assert row.split() == ["Blue", "(resigned)", "-", "hidden", "0"]
    own = next(line for line in letter(state, "blue", []).split("\n") if "(you, resigned)" in line)
    assert own.split() == ["Blue", "(you,", "resigned)", "-", "Titan", "3", "0"]
    assert "hidden" in str(ARENA.shapes(ARENA.view(state, "red"), ()))


def ended(**given: Any) -> str:
    """The letter after Red's last card but one has left the pile."""
    parts: Json = {"deck": ["wyrm-0"], "seat": "red", "agenda": [{"task": "end", "seat": "red"}]}
    state = position(charter(LAST_EIGHT, ("red", "green", "blue", "yellow")), **(parts | given))
    state, events = steps(state, ("red", END))
    assert ARENA.result(state) is not None
    return letter(state, "green", events)


def test_the_final_table_says_why_equal_gold_is_not_equal() -> None:
    """HU p.9, #57: most recent turn first."""
    tied = ended(columns={"titan": rows("green"), "troll": rows("blue")})
    assert "1.  Green (you), 4 gold" in tied or "1.  Blue, 4 gold" in tied
    assert "the one whose turn was most recent is ahead" in tied.replace("\n", " ")
    columns = {"titan": rows("green"), "troll": rows("blue", "blue"), "wyrm": rows("", "yellow")}
    clear = ended(columns=columns, dead=["magus"])
    assert "most recent" not in clear


def test_the_final_table_says_who_has_resigned() -> None:
    """#2.1: who has resigned cannot win."""
    text = ended(
        columns={"titan": rows("green"), "troll": rows("", "blue"), "magus": rows("yellow", "yellow")},
        dead=["wyrm"],
        players={"yellow": {"resigned": True}},
    )
    assert "4.  Yellow (resigned), 7 gold" in text
    assert "Who has resigned comes after all others." in text
    assert "most recent" not in text


def test_the_backer_of_the_dead_is_nobody() -> None:
    """HU p.4: only a living creature's power can be used; `highest_backed` took cards of the dead."""
    columns = {"wyrm": rows("red"), "titan": rows("red"), "troll": rows("", "red")}
    players = hands(red="titan-1", green="wyrm-9 troll-2 magus-5")
    state = position(columns=columns, dead=["wyrm"], players=players)
    view = ARENA.view(state, "red")
    assert (view.columns["wyrm"].backer, view.columns["troll"].backer) == ("", "red")
    order = card("titan-1", power=use("titan", seat="green", keep=["highest_backed"]))
    after, _ = do(state, "red", order)
    assert "troll-2" in after.players["red"].hand


def test_who_bet_in_secret_is_told_why_he_plays_no_card() -> None:
    """HU p.6: a secret bet takes the place of the card."""
    discards: Json = {"do": "discard", "cards": ["all_dead"]}
    state, _ = do(position(players=hands(red="titan-1 troll-2 wyrm-3")), "red", SECRET)
    for later in (state, do(state, "red", discards)[0]):
        for order in (card("troll-2"), {"do": "show_hand"}):
            found = found_of(later, order)
            assert found.endswith("the secret bet of this turn has taken the place of the card")
    played, _ = do(position(players=hands(red="titan-1 troll-2")), "red", card("titan-1"))
    assert found_of(played, card("troll-2")) == "play"


SECRET: Json = {"do": "secret_bet", "card": "titan-1"}


def found_of(state: State, order: Json) -> str:
    refused = ARENA.check(state, "red", action(order))
    assert refused is not None
    assert refused.code == "moment/not-now"
    return words(sentences(refused, {code.code: code for code in CODES})[1])
