"""The viewer's own cards in the picture: each with its name, what it does and when it can be played."""

from __future__ import annotations

from engine.games.cybertron.deck import BLANK
from engine.games.cybertron.report_names import named
from engine.games.cybertron.report_outlook import effect, when
from engine.games.cybertron.view import View
from engine.kernel.prose import Say, say
from engine.kernel.shapes import WIDTH, Group, Part, Rect, Text

EDGE = 16
LINE = 70
CARD = 62
ROOM = WIDTH - 2 * EDGE - 28


def hand(view: View, top: float) -> tuple[Group, float]:
    """One card below the other; an empty group for who holds none."""
    what = say("Your cards")
    if not view.own.hand:
        return Group(what, ()), top
    parts: list[Part] = [Text(EDGE, top + 24, what, 400, 24, bold=True, anchor="start")]
    at = top + 46
    for card in view.own.hand:
        parts.append(_card(view, card, at))
        at += LINE
    return Group(what, tuple(parts), (say("card"),)), at


def _card(view: View, card: str, y: float) -> Group:
    name, told = _words(view, card)
    parts: list[Part] = [Rect(EDGE, y, WIDTH - 2 * EDGE, CARD, "card", "line", 2, 8)]
    parts.append(Text(EDGE + 16, y + 20, name, ROOM, 22, bold=True, anchor="start"))
    parts.append(Text(EDGE + 16, y + 44, told, ROOM, anchor="start", fill="faint"))
    return Group(name, tuple(parts), row=(say("{name}: {told}", name=name, told=told),), of=card)


def _words(view: View, card: str) -> tuple[Say, Say]:
    if card.startswith(BLANK):
        return say("hidden card"), say("not seen yet")
    power = view.catalogue.upgrade(card)
    told = say("{when}: {effect}", when=when(power), effect=effect(power.effect))
    if view.catalogue.card(card).morph:
        told = say("{card}; or, in phase 2, a morph", card=told)
    return named(power.name), told
