"""Rules section 3: who knows what; and that a view tells no more (HU p.7, p.11-12)."""

from __future__ import annotations

from typing import Any

import pytest

from engine import encode, plain
from engine.games.arena.events import Event
from engine.games.arena.state import State
from tests.games.arena.kit import (
    ARENA,
    END,
    SHOW,
    THREE,
    Json,
    action,
    charter,
    do,
    hands,
    play,
    position,
    random_game,
    rows,
    use,
)


def heard(events: list[Json], name: str) -> dict[str, Json]:
    """The event as each seat and the public hear it."""
    import msgspec

    event = next(e for e in events if e["event"] == name)
    typed = msgspec.convert(event, Event)
    return {seat or "all": plain(ARENA.hear(typed, seat)) for seat in (*THREE, None)}


def who_hears(events: list[Json], name: str, field: str) -> set[str]:
    return {seat for seat, event in heard(events, name).items() if event.get(field)}


def test_p9_drawn_cards_only_to_their_owner() -> None:
    _, events = do(position(players=hands(red="troll-1")), "red", play("troll-1"), END)
    assert who_hears(events, "cards_drawn", "cards") == {"red"}
    assert heard(events, "cards_drawn")["all"]["count"] == 8


def test_p5_a_secret_bets_card_only_to_its_owner() -> None:
    state, events = do(position(players=hands(red="troll-1")), "red", {"do": "secret_bet", "card": "troll-1"})
    assert who_hears(events, "secret_bet_placed", "card") == {"red"}
    assert ARENA.view(state, "green").seats["red"].secret
    assert b"troll-1" not in encode(ARENA.view(state, "green"))


def test_38_a_card_given_to_a_gorgon_only_to_both() -> None:
    players = hands(red="gorgon-1", green="troll-3")
    state = position(columns={"gorgon": rows("red")}, players=players)
    state, _ = do(state, "red", play("gorgon-1", power=use("gorgon", seat="green", creature="troll")))
    state, events = do(state, "green", {"do": "give", "card": "troll-3"})
    assert who_hears(events, "card_given", "card") == {"red", "green"}
    assert heard(events, "card_given")["blue"]["creature"] == "troll"


def test_p11_a_hand_shown_to_a_gorgon_only_to_him() -> None:
    players = hands(red="gorgon-1", green="wyrm-3")
    state = position(columns={"gorgon": rows("red")}, players=players)
    state, _ = do(state, "red", play("gorgon-1", power=use("gorgon", seat="green", creature="troll")))
    state, events = do(state, "green", SHOW)
    assert who_hears(events, "hand_seen", "cards") == {"red"}


def test_45_which_cards_are_frozen_only_to_their_owner() -> None:
    players = hands(red="cyclops-1", green="magus-1 magus-2")
    table = charter(("amazon", "colossus", "cyclops", "daimon", "ettin", "gorgon", "magus", "seraphim"))
    state = position(table, columns={"cyclops": rows("red")}, players=players)
    state, events = do(state, "red", play("cyclops-1", power=use("cyclops", seat="green")))
    assert who_hears(events, "cards_frozen", "cards") == {"green"}
    assert ARENA.view(state, "green").own.frozen == ("magus-1",)
    assert ARENA.view(state, "blue").seats["green"].frozen == 1
    for seat in ("red", "blue", None):
        assert b"magus-1" not in encode(ARENA.view(state, seat))


def test_42_the_titans_three_only_to_taker_and_victim() -> None:
    players = hands(red="titan-1", green="troll-1 troll-2 troll-3 troll-4")
    state = position(columns={"titan": rows("red")}, players=players)
    state, events = do(state, "red", play("titan-1", power=use("titan", seat="green")))
    assert who_hears(events, "cards_sampled", "cards") == {"red", "green"}
    assert b"troll-1" in encode(ARENA.view(state, "red"))
    assert b"troll-1" not in encode(ARENA.view(state, "blue"))
    assert b"troll-1" not in encode(ARENA.view(state, None))
    state, events = do(state, "red", {"do": "keep", "card": "troll-2"})
    assert who_hears(events, "card_kept", "card") == {"red", "green"}


def test_50_a_magus_stack_shows_only_its_top() -> None:
    players = hands(red="magus-1 troll-2 troll-5 wyrm-3")
    state = position(columns={"magus": rows("red")}, players=players)
    state, _ = do(state, "red", play("magus-1", power=use("magus")))
    state, events = do(state, "red", {"do": "discard", "cards": ["troll-2", "troll-5"]})
    told = heard(events, "cards_discarded")
    assert told["red"]["cards"] == ["troll-2", "troll-5"]
    assert told["green"]["cards"] == told["all"]["cards"] == ["troll-5"]
    assert told["green"]["count"] == 2
    assert ARENA.view(state, "green").discard == "troll-5"


def test_p9_discards_of_dead_creatures_are_shown_to_all() -> None:
    state = position(players=hands(red="magus-1 magus-2"), dead=["magus"])
    state, events = do(state, "red", SHOW, {"do": "discard", "cards": ["magus-1", "magus-2"]})
    assert who_hears(events, "hand_shown", "cards") == {"red", "green", "blue", "all"}
    assert heard(events, "cards_discarded")["all"]["cards"] == ["magus-1", "magus-2"]


def test_60_covered_cards_are_only_counted() -> None:
    state = position(columns={"troll": rows((["troll-1", "spectator-9"], "blue"))})
    for seat in (*THREE, None):
        cell = ARENA.view(state, seat).columns["troll"].rows[0]
        assert (cell.top, cell.covered, cell.token) == ("spectator-9", 1, "blue")
        assert b"troll-1" not in encode(ARENA.view(state, seat))


def hidden_swapped(state: State, seat: str) -> State:
    """A position that looks the same to a seat: everything that it cannot see lies otherwise."""
    import msgspec

    me = state.players[seat]
    keep = next((task for task in state.agenda if task.__struct_config__.tag == "titan"), None)
    shown = (
        set(getattr(keep, "cards", ()))
        if keep and seat in {keep.seat, getattr(keep, "victim", "")}
        else set[str]()
    )
    unseen: list[str] = [*state.deck, *state.gone, *state.discards[:-1]]
    for other, player in state.players.items():
        if other != seat:
            unseen += [c for c in (*player.hand, *player.frozen) if c not in shown]
    turned = iter(sorted(unseen, key=lambda c: (len(c), c[::-1])))

    def turn(cards: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(card if card in shown else next(turned) for card in cards)

    players: dict[str, Any] = {}
    for other, player in state.players.items():
        changed = (
            player
            if other == seat
            else msgspec.structs.replace(
                player, hand=tuple(sorted(turn(player.hand))), frozen=turn(player.frozen)
            )
        )
        players[other] = changed
    assert players[seat] is me
    agenda = state.agenda
    if keep and not shown:
        victim = players[keep.victim]  # type: ignore[union-attr]
        agenda = (msgspec.structs.replace(keep, cards=victim.hand[:3]), *agenda[1:])
    return msgspec.structs.replace(
        state,
        players=players,
        deck=turn(state.deck),
        gone=turn(state.gone),
        discards=(*turn(state.discards[:-1]), *state.discards[-1:]),
        agenda=agenda,
    )


ODD: list[Json] = [
    END,
    SHOW,
    {"do": "reveal_bet"},
    {"do": "bet", "creature": "troll"},
    {"do": "give", "card": "troll-3"},
    {"do": "keep", "card": "wyrm-3"},
    {"do": "secret_bet", "card": "wyrm-4"},
    {"do": "discard", "cards": ["all_dead"]},
    play("prefect-1"),
    play("magister", on="wyrm"),
    play("titan-3", power=use("titan", seat="green")),
    play("gorgon-3", power=use("gorgon", seat="blue", creature="wyrm")),
]


@pytest.mark.parametrize("seed", range(6))
def test_check_is_no_probe_and_views_hide_what_they_must(seed: int) -> None:
    """What a seat cannot see changes neither its view nor any answer of `check`."""

    def each(state: State, seat: str, order: Any) -> None:
        for viewer in state.order:
            other = hidden_swapped(state, viewer)
            seen = ARENA.view(state, viewer)
            assert encode(ARENA.view(other, viewer)) == encode(seen)
            imagined = ARENA.imagine(seen)
            for odd in (*(action(o) for o in ODD), order):
                answer = ARENA.check(state, viewer, odd)
                assert ARENA.check(other, viewer, odd) == answer
                assert ARENA.check(imagined, viewer, odd) == answer

    random_game(seed, charter(reactions="ask" if seed % 2 else "standing"), each)
