"""Turns of arena that chance seldom writes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.pages.moment import END, Json, Moment

EIGHT = ["cyclops", "ettin", "magus", "seraphim", "titan", "troll", "unicorn", "wyrm"]
TITAN: Json = {"task": "titan", "seat": "red", "victim": "green", "cards": ["magus-1", "magus-2", "wyrm-5"]}
DISCARD: Json = {"task": "discard", "seat": "red"}


def _red(position: Json, *orders: Json, seat: str = "red", **options: Any) -> Moment:
    return Moment(("red", "green", "blue"), position, orders, seat, {"creatures": EIGHT, **options})


def _holds(*cards: str, **more: Any) -> Json:
    return {"players": {"red": {"hand": list(cards), **more}}}


def _play(card: str, **more: Any) -> Json:
    return {"do": "play", "card": card, **more}


def arena() -> Iterator[Moment]:
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
    # what others see of it is that cards were drawn
    titan = {"players": {"green": {"hand": ["magus-1", "magus-2", "wyrm-5"]}}, "agenda": [TITAN, DISCARD]}
    yield _red(titan, seat="green")
    yield _red(titan, seat="blue")
    # HU p.11-12: a second card by an Ettin may be a Unicorn that swaps what the first has covered, or shows
    two: Json = {
        "dead": ["cyclops"],
        "columns": {
            "ettin": {"rows": [{"cards": ["ettin-2"], "token": "red"}]},
            "unicorn": {"rows": [{"cards": ["unicorn-1"], "token": "red"}, {"cards": ["unicorn-2"]}]},
            "seraphim": {"rows": [{"cards": ["seraphim-2"], "token": "red"}]},
        },
    }
    swap = {"card": "unicorn-3", "power": {"use": "unicorn", "swap": ["ettin-2", "ettin-7"]}}
    several = _holds("ettin-5", "ettin-7", "unicorn-3", "seraphim-4") | two
    yield _red(several, _play("ettin-7", power={"use": "ettin", "then": [swap]}), END)
    yield _red(_holds("ettin-5") | two, _play("ettin-5", power={"use": "ettin"}), END)
    kept = {"players": {"green": {"hand": ["magus-1", "magus-2", "wyrm-5"]}}, "agenda": [TITAN, DISCARD]}
    yield _red(
        kept | {"dead": ["magus"]},
        {"do": "keep", "card": "magus-1"},
        {"do": "discard", "cards": ["all_dead"]},
        END,
    )
    frozen = {"players": {"red": {"hand": ["wyrm-1"], "frozen": ["titan-5", "troll-3"]}}}
    yield _red(frozen, {"do": "bet", "creature": "wyrm"}, _play("wyrm-1"), END)
