"""The picture of the arena: what everybody can see (HU p.3-9, rules section 3), told by marks as well as colours."""

from __future__ import annotations

from typing import Any

from engine import Group, Mark, Picture, Rect, Stroke, Text, encode, words
from engine.games.arena.events import BetPlaced, CardPlayed
from engine.games.arena.shapes_parts import PALETTE, SIGNS
from engine.games.arena.state import State
from tests.games.arena.kit import ARENA, hands, position, rows
from tests.render.looking import contrast, faults, flat, groups, lines


def drawn(state: State, seat: str | None = None, news: tuple[Any, ...] = ()) -> Picture:
    picture = ARENA.shapes(ARENA.view(state, seat), news)
    assert not faults(picture)
    return picture


def said(picture: Picture) -> list[str]:
    return [line.words for line in lines(picture)]


def line_of(picture: Picture, creature: str) -> Group:
    return next(
        group for group in groups(picture.groups) if words(group.title).startswith(creature) and group.row
    )


def row(picture: Picture, creature: str) -> list[str]:
    return [words(cell) for cell in line_of(picture, creature).row]


def marks(group: Group, seat: str) -> list[Mark]:
    return [part for part in flat(group.parts) if isinstance(part, Mark) and part.fill == seat]


def test_tokens_are_told_apart_without_colours() -> None:
    assert len(set(SIGNS.values())) == len(SIGNS) == 5
    state = position(columns={"wyrm": rows("red"), "troll": rows("green"), "titan": rows("blue")})
    picture = drawn(state)
    for creature, seat, letter in (("Wyrm", "red", "R"), ("Troll", "green", "G"), ("Titan", "blue", "B")):
        line = line_of(picture, creature)
        assert {mark.sign for mark in marks(line, seat)} == {SIGNS[seat]}
        assert letter in [words(part.text) for part in flat(line.parts) if isinstance(part, Text)]


def test_every_token_has_an_edge_that_stands_out() -> None:
    for seat in SIGNS:
        for ground in ("ground", "now", "panel", "dead"):
            edge, under = PALETTE["edge"], PALETTE[ground]
            assert min(contrast(edge.light, under.light), contrast(edge.dark, under.dark)) > 4.5, seat


def test_a_cell_shows_the_card_how_many_lie_beneath_and_the_token() -> None:
    """HU p.7: the last card laid is the visible one."""
    state = position(columns={"wyrm": rows((["wyrm-2", "wyrm-9", "spectator-4"], "red"))})
    picture = drawn(state)
    assert row(picture, "Wyrm")[1] == "spectator\u00a04 on 2 cards, bet: Red"
    shown = [words(part.text) for part in flat(line_of(picture, "Wyrm").parts) if isinstance(part, Text)]
    assert {"4", "+2", "R"} <= set(shown)
    assert "9" not in shown
    heads = [
        part for part in flat(line_of(picture, "Wyrm").parts) if isinstance(part, Mark) and part.fill == "ink"
    ]
    assert len(heads) == 3, "a spectator has three heads"


def test_the_backer_has_a_column() -> None:
    """HU p.4: the seat with the greatest total."""
    state = position(columns={"wyrm": rows("red"), "troll": rows()})
    picture = drawn(state)
    assert (row(picture, "Wyrm")[-1], row(picture, "Troll")[-1]) == ("Red", "-")
    assert len(marks(line_of(picture, "Wyrm"), "red")) == 2, "the token and the backer"


def test_the_dead_are_grey_struck_out_and_worth_nothing() -> None:
    """HU p.9: bets on a dead creature are lost."""
    state = position(dead=["troll"], columns={"troll": rows((["troll-0"], "red"))})
    line = line_of(drawn(state), "Troll")
    assert words(line.title) == "Troll, fallen in row 1"
    assert any(isinstance(part, Rect) and part.fill == "dead" for part in line.parts)
    assert any(isinstance(part, Rect) and part.hatch for part in line.parts)
    assert any(isinstance(part, Stroke) and part.wide == 2 for part in line.parts)
    assert not marks(line, "red"), "tokens have lost their colour"
    assert "R" in [words(part.text) for part in flat(line.parts) if isinstance(part, Text)], (
        "and not their letter"
    )


def test_who_would_fall_now_is_marked() -> None:
    """HU p.9: the one lowest card, once every living creature has one."""
    creatures = ("ettin", "gorgon", "magus", "seraphim", "titan", "troll", "unicorn", "wyrm")
    columns = {name: rows([f"{name}-{3 + place}"]) for place, name in enumerate(creatures)}
    assert "▼ falls next" in said(drawn(position(columns=columns)))
    tied = {**columns, "gorgon": rows(["gorgon-3"])}
    assert "▼ falls next" not in said(drawn(position(columns=tied)))
    bare = {**columns, "ettin": rows()}
    assert "▼ falls next" not in said(drawn(position(columns=bare)))


def test_a_hand_is_seen_by_its_owner_alone() -> None:
    state = position(players=hands(red="troll-7 spectator-3 magister"))
    mine = [words(group.row[0]) for group in groups(drawn(state, "red").groups) if len(group.row) == 1]
    assert {"Troll\u00a07", "spectator\u00a03", "Magister"} <= set(mine)
    for other in ("green", "blue", None):
        picture = drawn(state, other)
        assert "Your cards" not in said(picture)
        assert not [card for card in ("Troll\u00a07", "Magister") if card in encode(picture).decode()]


def test_a_hidden_bet_is_seen_by_its_owner_alone() -> None:
    """HU p.6: all see that there is one, its owner on what."""
    state = position(players={"red": {"secret": "troll-5"}})
    own, other = drawn(state, "red"), drawn(state, "green")
    assert row(own, "Troll")[6] == "Red, hidden"
    assert "Your secret bet lies on Troll\u00a05." in said(own)
    assert row(other, "Troll")[6] == "-"
    assert said(own).count("hidden") == said(other).count("hidden") == 1


def test_revealed_bets_stand_in_their_column() -> None:
    state = position(columns={"wyrm": rows(revealed=("red", "blue"))})
    assert row(drawn(state), "Wyrm")[6] == "Red, Blue"


def test_a_titans_three_cards_are_seen_by_two() -> None:
    """HU p.12: the Titan's player and the victim."""
    state = position(
        players=hands(green="troll-1 troll-2 troll-3"),
        agenda=[
            {"task": "titan", "seat": "red", "victim": "green", "cards": ["troll-1", "troll-2", "troll-3"]},
            {"task": "discard", "seat": "red"},
        ],
    )
    assert "The Titan's choice" in said(drawn(state, "red"))
    assert "The Titan's choice" in said(drawn(state, "green"))
    assert "The Titan's choice" not in said(drawn(state, "blue"))
    assert "The Titan's choice" not in said(drawn(state, None))


def test_what_is_new_has_a_frame() -> None:
    state = position(columns={"wyrm": rows((["wyrm-4"], "red"))})
    news = (CardPlayed("red", "wyrm-4", "wyrm", 1), BetPlaced("red", "wyrm", 1))
    frames = [
        part for part in flat(line_of(drawn(state, None, news), "Wyrm").parts) if isinstance(part, Rect)
    ]
    assert [part.wide for part in frames if part.line == "new"] == [4]
    assert "This frame: changed since your last letter." in said(drawn(state, None, news))
    assert not [part for part in flat(drawn(state).groups) if isinstance(part, Rect) and part.line == "new"]


def test_who_has_resigned_says_so() -> None:
    state = position(players={"blue": {"resigned": True}})
    assert "resigned" in said(drawn(state))


def test_who_has_declared_a_stalemate_is_said_with_his_token() -> None:
    """FAQ: with the variant a declaration is judged before the next turn of who began the round."""
    plain = position()
    begun = position(stalemate={"began": "green"})
    declared = position(stalemate={"began": "green", "declared": "red"})
    assert not [words for words in said(drawn(plain)) if "began" in words]
    assert "Green began the round." in said(drawn(begun))
    assert "Green began the round. Red has declared a stalemate." in said(drawn(declared))

    def part(state: State) -> Group:
        return next(
            group for group in groups(drawn(state).groups) if words(group.title) == "The stalemate variant"
        )

    assert not marks(part(begun), "red")
    assert len(marks(part(declared), "red")) == 1
