"""Positions, news and whole games for whoever reads them: what the tests of reports and pictures are written in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from engine import Below, Charter, Dice, Held, Lapsed, Stream, Table, find, play, random_turn, start
from engine.games.cybertron import events as ev
from engine.games.cybertron.state import Compared, State

CYBERTRON = find("cybertron", 1)
TWO = ("optimus_prime", "megatron")
FOUR = ("optimus_prime", "barricade", "bumblebee", "megatron")


def charter(seats: tuple[str, ...] = TWO, **options: Any) -> Charter:
    return Charter(seats, msgspec.convert(options, CYBERTRON.options))


def position(seats: tuple[str, ...] = TWO, **given: Any) -> State:
    """A position; what is not given is as `place` documents it."""
    placed: State = CYBERTRON.place(charter(seats), {"order": list(seats), **given})
    return placed


def report(state: State, seat: str | None, *news: Any) -> str:
    """What a seat reads, its lines joined again where a sentence was broken."""
    return CYBERTRON.report(CYBERTRON.view(state, seat), hears(seat, news), "en")


def long_report(state: State, seat: str | None, *news: Any) -> str:
    assert CYBERTRON.long_report is not None
    return CYBERTRON.long_report(CYBERTRON.view(state, seat), hears(seat, news), "en")


def hears(seat: str | None, news: tuple[Any, ...]) -> tuple[Any, ...]:
    """Events as a seat hears them; a lapse is its author's."""
    found: list[Any] = []
    for event in news:
        if isinstance(event, Lapsed):
            found += [event] if event.seat == seat else []
        else:
            found.append(CYBERTRON.hear(event, seat))
    return tuple(found)


def prose(text: str) -> str:
    """A report's text in one line, single blanks between the words."""
    return " ".join(text.split())


def section(text: str, title: str) -> str:
    """The part of a report under a heading; empty if there is none."""
    parts = text.split("\n\n")
    for number, part in enumerate(parts):
        if part.startswith((f"{title.upper()}\n", f"{title.upper()} ")):
            rest: list[str] = [part.split("\n", 2)[2]]
            for other in parts[number + 1 :]:
                if "\n---" in other[:150]:
                    break
                rest.append(other)
            return "\n\n".join(rest)
    return ""


def game(seed: int, seats: tuple[str, ...], **options: Any) -> Iterator[tuple[State, tuple[Any, ...]]]:
    """A whole game of random turns: each position, and the events of the move that led to it."""
    table = Table(CYBERTRON, charter(seats, **options))
    numbers = Stream(f"reading/{seed}".encode())

    def source(label: str, *, hidden: bool) -> Below:
        return Stream(f"{seed}/{label}".encode()).below

    dice = Dice(source)
    outcome = start(table, {seat: msgspec.convert({}, CYBERTRON.setup) for seat in seats}, (), dice)
    yield outcome.position.state, outcome.events
    while outcome.result is None:
        asked = CYBERTRON.pending(outcome.position.state)[0].seat
        orders = random_turn(CYBERTRON, CYBERTRON.view(outcome.position.state, asked), asked, numbers.below)
        outcome = play(table, outcome.position, Held(asked, orders), dice)
        yield outcome.position.state, outcome.events


WAR: tuple[Any, ...] = (
    ev.TurnBegan("optimus_prime", 3, 2, ev.Income(20, 6, (), 0, {"decagon_factory": 2}, 8)),
    ev.CardPlayed("optimus_prime", "card_arena", "mass_production", 3),
    ev.RobotsPlaced("optimus_prime", "launch_pad", 6, 5),
    ev.RobotsPlaced("optimus_prime", "mithril_sea", 5, 0),
    ev.LeaderFlipped("optimus_prime", "vehicle"),
    ev.ZoneMorphed("optimus_prime", "card_praxus", "praxus", opened=True),
    ev.AttackBegan("optimus_prime", 1, "launch_pad", "hexima", "megatron", 3, 8, 3, leader=True),
    ev.CardPlayed("optimus_prime", "card_perihex", "fusion_cannons", 0, 1),
    ev.CardPlayed("megatron", "card_uraya", "energon_shield", 0, 1),
    ev.Rolled(
        1,
        1,
        ((8, 8), (5, 6), (2, 6)),
        ((6, 6), (5, 6)),
        (Compared("defender"), Compared("attacker")),
        attacking_leader=True,
    ),
    ev.Rolled(1, 2, ((6, 8), (5, 6)), ((5, 6),), (Compared("defender"),), attacking_leader=True),
    ev.AttackEnded(
        "optimus_prime", 1, "launch_pad", "hexima", "megatron", "captured", 2, 1, 2, 2, True, 4, 2
    ),
    ev.AttackBegan("optimus_prime", 2, "mithril_sea", "ibex", "megatron", 3, 7, 8, garrison_leader=True),
    ev.Rolled(
        2,
        1,
        ((4, 6), (4, 6), (2, 6)),
        ((6, 8), (4, 6)),
        (Compared("attacker"), Compared("attacker", 0, 1)),
        defending_leader=True,
    ),
    ev.AttackEnded(
        "optimus_prime", 2, "mithril_sea", "ibex", "megatron", "until", 1, 2, 0, left=5, garrison=9
    ),
    ev.BackUpMoved("optimus_prime", "simfur", "perihex", 3, leader=True),
    ev.CardDrawn("optimus_prime", "card_kaon"),
    ev.TurnBegan("megatron", 4, 2, ev.Income(21, 7, ("yellow",), 2, {}, 9)),
    ev.RobotsPlaced("megatron", "primus", 9, 0),
    ev.AttackBegan("megatron", 1, "primus", "uraya", "optimus_prime", 3, 8, 0, garrison_leader=True),
    ev.Rolled(
        1,
        1,
        ((6, 6), (5, 6), (2, 6)),
        ((3, 8),),
        (Compared("defending_leader"),),
        defending_leader=True,
    ),
    ev.LeaderDestroyed("optimus_prime", "uraya"),
    ev.AttackEnded(
        "megatron", 1, "primus", "uraya", "optimus_prime", "captured", 1, 0, 1, 3, left=5, garrison=3
    ),
    ev.CardDrawn("megatron", "card_perihex"),
    ev.AllSparkTurned(2, "card_kalis", "kalis", "megatron", 3),
)
"""Two turns with all that a turn can have."""


def after_the_war(**given: Any) -> State:
    """A position as it is after WAR, with Megatron to move, or whatever is given."""
    zones = {
        "launch_pad": ("optimus_prime", 4),
        "hexima": ("optimus_prime", 1),
        "mithril_sea": ("optimus_prime", 5),
        "simfur": ("optimus_prime", 1),
        "perihex": ("optimus_prime", 4),
        "praxus": ("megatron", 2),
        "ibex": ("megatron", 8),
        "primus": ("megatron", 5),
        "uraya": ("megatron", 3),
        "kalis": ("megatron", 4),
        "stanix": ("megatron", 1),
        "unicron": ("megatron", 1),
        "polyhex": ("megatron", 2),
        "decagon": ("optimus_prime", 2),
        "decagon_factory": ("optimus_prime", 3),
        "rust_sea": ("megatron", 12),
        "tagan_heights": ("optimus_prime", 2),
        "autobase": ("optimus_prime", 3),
        "iacon": ("optimus_prime", 1),
        "altihex": ("optimus_prime", 1),
        "tyger_pax": ("optimus_prime", 1),
        "rad_zone": ("optimus_prime", 2),
    }
    hands = {
        "optimus_prime": {"hand": ["card_kaon"], "form": "vehicle", "destroyed": 3},
        "megatron": {"hand": ["card_perihex", "card_crystal_city", "card_moon_alpha"], "leader": "ibex"},
    }
    parts: dict[str, Any] = {
        "turn": 5,
        "day": 3,
        "seat": "megatron",
        "zones": {name: {"seat": seat, "robots": robots} for name, (seat, robots) in zones.items()},
        "opened": ["praxus", "decagon"],
        "players": hands,
        "discards": ["card_arena", "card_praxus", "card_uraya", "card_kalis"],
        **given,
    }
    return position(**parts)
