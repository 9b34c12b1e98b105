"""Turns that chance seldom writes: rare rules, and ends of a game, in positions given in parts as a scenario gives them.

Of each, every order is one that can be given.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from engine import AnyGame, Charter

Json = dict[str, Any]


class Moment(msgspec.Struct, frozen=True):
    """A seat's orders in a position."""

    seats: tuple[str, ...]
    position: Json
    orders: tuple[Json, ...]
    seat: str
    options: Json = {}


def placed(game: AnyGame, moment: Moment) -> Any:
    """The state of a moment."""
    charter = Charter(moment.seats, msgspec.convert(moment.options, game.options))
    return game.place(charter, moment.position)


def moments(game: str) -> tuple[Moment, ...]:
    """Those of a game; none for a game that has not been thought of here."""
    return {"arena": tuple(_arena()), "cybertron": tuple(_cybertron())}.get(game, ())


END: Json = {"do": "end_turn"}
EIGHT = ["cyclops", "ettin", "magus", "seraphim", "titan", "troll", "unicorn", "wyrm"]
TITAN: Json = {"task": "titan", "seat": "red", "victim": "green", "cards": ["magus-1", "magus-2", "wyrm-5"]}
DISCARD: Json = {"task": "discard", "seat": "red"}


def _red(position: Json, *orders: Json, seat: str = "red", **options: Any) -> Moment:
    return Moment(("red", "green", "blue"), position, orders, seat, {"creatures": EIGHT, **options})


def _holds(*cards: str, **more: Any) -> Json:
    return {"players": {"red": {"hand": list(cards), **more}}}


def _play(card: str, **more: Any) -> Json:
    return {"do": "play", "card": card, **more}


def _arena() -> Iterator[Moment]:
    backed: Json = {"columns": {"ettin": {"rows": [{"cards": ["ettin-2"], "token": "red"}]}}}
    # HU p.7, p.11: the second card takes the first away again, and what it covered was seen before
    again = {"card": "prefect-1", "take": "ettin-5"}
    yield _red(
        _holds("ettin-5", "prefect-1") | backed,
        _play("ettin-5", power={"use": "ettin", "then": [again]}),
        END,
    )
    # HU p.11: nothing of the list can be played, and the second card is still open
    lost = {"card": "wyrm-3"}
    yield _red(
        _holds("ettin-5", "titan-1") | backed,
        _play("ettin-5", power={"use": "ettin", "then": [lost]}),
        _play("titan-1"),
        END,
    )
    # HU p.8: a magister bares a secret bet of one's own
    yield _red(_holds("magister", secret="wyrm-1"), _play("magister", on="wyrm"), END)
    # HU p.6, p.9: the pile's last card ends the game, and a hidden bet is shown
    yield _red(_holds("wyrm-3", secret="wyrm-1") | {"deck": ["titan-9"]}, _play("wyrm-3"), END)
    # HU p.9: the fifth death; the hidden bets of others are not known
    four: Json = {
        name: {"rows": [{}] * 4 + [{"cards": [f"{name}-{n}"]}]} for n, name in enumerate(EIGHT[4:], 2)
    }
    last: Json = {"dead": EIGHT[:4], "columns": four}
    yield _red(_holds("spectator-9") | last, _play("spectator-9", on="wyrm"), END)
    hidden = {"players": {"red": {"hand": ["spectator-9"]}, "blue": {"secret": "wyrm-9"}}}
    yield _red(hidden | last, _play("spectator-9", on="wyrm"), END)
    yield from _stalemates()
    yield from _answers()


def _stalemates() -> Iterator[Moment]:
    # #59: nothing moves in a whole round
    still: Json = {"stalemate": {"began": "green"}, "deck": [], "idle": 2}
    yield _red(still, {"do": "show_hand"}, END, stalemate=True)
    # FAQ: a stalemate that is declared, objected to, not objected to
    table: Json = {
        "columns": {"wyrm": {"rows": [{"cards": ["wyrm-4"]}]}},
        "players": {"red": {"hand": ["titan-1"]}},
    }
    declared: Json = {**table, "stalemate": {"began": "red"}, "deck": []}
    yield _red(declared, {"do": "declare_stalemate"}, stalemate=True)
    yield _red(declared, _play("titan-1"), {"do": "declare_stalemate"}, END, stalemate=True)
    asked: Json = {"agenda": [{"task": "stalemate", "seat": "red"}, {"task": "stalemate", "seat": "blue"}]}
    judged: Json = {**table, "stalemate": {"began": "red", "declared": "green"}, "deck": [], **asked}
    yield _red(judged, {"do": "object"}, stalemate=True)
    yield _red(judged, {"do": "accept"}, stalemate=True)
    alone: Json = {**judged, "agenda": [{"task": "stalemate", "seat": "red"}]}
    yield _red(alone, {"do": "accept"}, {"do": "accept"}, stalemate=True)


def _answers() -> Iterator[Moment]:
    # HU p.12, p.9: a Titan's question, then discards of the dead and frozen cards that return
    kept = {"players": {"green": {"hand": ["magus-1", "magus-2", "wyrm-5"]}}, "agenda": [TITAN, DISCARD]}
    yield _red(
        kept | {"dead": ["magus"]},
        {"do": "keep", "card": "magus-1"},
        {"do": "discard", "cards": ["all_dead"]},
        END,
    )
    frozen = {"players": {"red": {"hand": ["wyrm-1"], "frozen": ["titan-5", "troll-3"]}}}
    yield _red(frozen, {"do": "bet", "creature": "wyrm"}, _play("wyrm-1"), END)


PHASES = ("muster", "morph", "attack", "back_up")
OPTIMUS, MEGATRON, BUMBLEBEE, BARRICADE = "optimus_prime", "megatron", "bumblebee", "barricade"


def _mine(position: Json, *orders: Json, seats: tuple[str, ...] = (OPTIMUS, MEGATRON)) -> Moment:
    return Moment(seats, position, orders, OPTIMUS)


def _war(phase: str, player: Json | None = None, **more: Any) -> Json:
    agenda = [{"task": word, "seat": OPTIMUS} for word in PHASES[PHASES.index(phase) :]]
    zones = {"hexima": 5, "autobase": 3, "decagon": 2}
    held = {zone: {"seat": OPTIMUS, "robots": robots} for zone, robots in zones.items()}
    given = {} if phase == "muster" else {"agenda": agenda}
    zones_of_others = more.pop("zones", {})
    start = {"seat": OPTIMUS, "zones": held | zones_of_others, "rest": MEGATRON}
    return {**start, "players": {OPTIMUS: player or {}}, **given, **more}


def _cybertron() -> Iterator[Moment]:
    hand = ["card_vos", "card_arena", "card_hexima", "card_iacon", "card_kaon", "card_autobase", "card_kalis"]
    # FI p.8-9, p.14, p.16: a whole turn without an attack
    yield _mine(
        _war("muster", {"hand": hand, "leader": "hexima"}, zones={"launch_pad": {"seat": OPTIMUS}}),
        {"do": "place", "zone": "hexima", "robots": 1},
        {"do": "place", "zone": "decagon"},
        {"do": "flip_leader"},
        {"do": "jump", "to": "decagon"},
        {"do": "back_up", "from": "hexima", "to": "decagon", "robots": 1},
        END,
    )
    # FI p.9: a slider opened and closed again over one's own robot
    yield _mine(
        _war("morph", {"hand": hand}),
        {"do": "morph", "card": "card_vos", "zone": "decagon"},
        {"do": "morph", "card": "card_arena", "zone": "decagon"},
        END,
    )
    # FI p.9, p.13: a factory closed over an enemy's last robot
    over: Json = {"opened": ["decagon"], "rest": OPTIMUS, "zones": {"decagon_factory": {"seat": MEGATRON}}}
    yield _mine(_war("morph", {"hand": hand}, **over), {"do": "morph", "card": "card_vos", "zone": "decagon"})
    yield from _ends()
    yield from _live()


def _ends() -> Iterator[Moment]:
    # FI p.17-18: a card drawn that nobody has seen; the end of a day by an empty pile; the sixth day
    yield _mine(_war("attack", captured=["hexima"]), END)
    night: Json = {"order": [MEGATRON, OPTIMUS], "discards": ["rest"]}
    yield _mine(_war("attack", **night), END)
    yield _mine(_war("attack", day=6, **night), END)
    yield _mine(_war("attack", day=6, order=[MEGATRON, OPTIMUS]), END)
    three = (OPTIMUS, MEGATRON, BUMBLEBEE)
    third: Json = {"kalis": {"seat": BUMBLEBEE}}
    final: Json = {**night, "order": [MEGATRON, BUMBLEBEE, OPTIMUS], "day": 6, "zones": third}
    yield _mine(_war("attack", **final), END, seats=three)
    # section 7.1: who has left gives his cards back when the turn ends
    left = {"players": {MEGATRON: {"resigned": True, "hand": ["card_vos", "card_kaon"]}}}
    yield _mine(_war("attack", zones=third, **left), END, seats=three)
    # FI p.16: a zone with the leader in it for the team-mate
    four = (OPTIMUS, MEGATRON, BUMBLEBEE, BARRICADE)
    team = _war("back_up", {"leader": "decagon"}, zones={**third, "iacon": {"seat": BARRICADE}})
    yield _mine(team, {"do": "give", "zone": "decagon"}, END, seats=four)


def _live() -> Iterator[Moment]:
    # FI p.5: a live setup, the last claim and the last robot
    claims: Json = {
        "day": 0,
        "zones": {"hexima": {"seat": "", "robots": 0}},
        "rest": MEGATRON,
        "players": {OPTIMUS: {"spare": 2}, MEGATRON: {"spare": 1}},
    }
    claims["zones"]["autobase"] = {"seat": OPTIMUS}
    yield _mine(claims | {"agenda": [{"task": "claim", "seat": OPTIMUS}]}, {"do": "claim", "zone": "hexima"})
    last = {**claims, "zones": {"autobase": {"seat": OPTIMUS}}, "players": {OPTIMUS: {"spare": 1}}}
    yield _mine(last | {"agenda": [{"task": "spare", "seat": OPTIMUS}]}, {"do": "spare", "zone": "autobase"})
