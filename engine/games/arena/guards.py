"""Guards: what a move in advance may be bound to. All that are named must hold when its turn opens.

They look at the view alone, so that a move that was kept or dropped tells nobody what its author could not see.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from engine.games.arena import report_names as named
from engine.games.arena.cards import creature_of, names, strength_of
from engine.games.arena.view import View
from engine.kernel.prose import Say, say, verbatim


class Guard(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """`alive`, `dead`: creatures; `hand`: cards that I hold; `backing`: creatures whose backer I am; `round`: it is
    this round; `at_least`, `at_most`: by creature, the strength of its visible card in the open round (0 for none).
    """

    alive: tuple[str, ...] = ()
    dead: tuple[str, ...] = ()
    hand: tuple[str, ...] = ()
    backing: tuple[str, ...] = ()
    round: int = 0
    at_least: Mapping[str, int] = {}
    at_most: Mapping[str, int] = {}


def unmet(view: View, guard: Guard) -> Say | None:
    """The first condition that does not hold, in words; None if all hold. A name that means nothing never holds."""
    return next((said for part in (_lives, _mine, _shown) for said in part(view, guard)), None)


def _lives(view: View, guard: Guard) -> Iterator[Say]:
    for name in guard.alive:
        if name not in view.creatures or name in view.dead:
            yield say("{creature} is alive", creature=_creature(name))
    for name in guard.dead:
        if name not in view.dead:
            yield say("{creature} is dead", creature=_creature(name))
    if guard.round and guard.round != view.row:
        yield say("it is round {round}", round=guard.round)


def _mine(view: View, guard: Guard) -> Iterator[Say]:
    for card in guard.hand:
        if card not in view.own.hand:
            yield say("{card} is in your hand", card=_card(view, card))
    for name in guard.backing:
        column = view.columns.get(name)
        if column is None or column.backer != view.me:
            yield say("you are the backer of {creature}", creature=_creature(name))


def _shown(view: View, guard: Guard) -> Iterator[Say]:
    for name, strength in guard.at_least.items():
        if _strength(view, name) < strength:
            yield say("{creature} shows at least {strength}", creature=_creature(name), strength=strength)
    for name, strength in guard.at_most.items():
        if name not in view.columns or _strength(view, name) > strength:
            yield say("{creature} shows at most {strength}", creature=_creature(name), strength=strength)


def _strength(view: View, name: str) -> int:
    """The strength that a creature shows in the open round; 0 for none."""
    column = view.columns.get(name)
    if column is None or view.row > len(column.rows):
        return 0
    top = column.rows[view.row - 1].top
    return strength_of(top) if top and (creature_of(top) or top.startswith("spectator")) else 0


def _creature(name: str) -> Say:
    return named.CREATURES.get(name) or verbatim(_plain(name))


def _card(view: View, card: str) -> Say:
    return named.card(card) if card in names(view.creatures) else verbatim(_plain(card))


def _plain(text: str) -> str:
    """A stranger's word, harmless as a sentence of its own."""
    return "".join(char for char in text if char.isalnum() or char in "-_ ")[:40]
