"""What a player signs beside his turn: a move in advance, taking it back, vacations, longer deadlines, going
back, his settings.

Decides what is in the envelope; whether it may be said is for the host to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from engine import refuse
from pbem.log.envelope import Envelope, make_envelope
from pbem.log.ledger import is_time
from pbem.log.payloads import OnLapse, shape_payload
from pbem.log.seal import PrivateKey
from pbem.player.chain import next_link
from pbem.player.view import ViewFile
from pbem.turn.spans import read_span

Json = dict[str, Any]


def advance_envelope(
    key: PrivateKey, view: ViewFile, orders: Sequence[Json], when: Json, on_lapse: OnLapse = "go_on"
) -> Envelope:
    """A move for the seat's next turn, bound to what `when` says. Gives the link that it will owe then.

    Refused: `kit/not-playing`, `kit/no-orders`, `kit/your-turn-now`, `kit/not-your-link`.
    """
    _playing(view)
    if view.head.owes:
        raise refuse("kit/your-turn-now", turn=view.head.turn)
    if not orders:
        raise refuse("kit/no-orders")
    fields: Json = {"advance": True, "turn": view.head.turn, "orders": list(orders), "rev": view.rev("move")}
    fields |= {"reveal": next_link(key, view.place)}
    fields |= {"when": when} if when else {}
    fields |= {"on_lapse": on_lapse} if on_lapse != "go_on" else {}
    return _signed(key, view, "move", fields)


def withdraw_envelope(key: PrivateKey, view: ViewFile, of: int) -> Envelope:
    """Takes the move with the number `of` back, which waits to be played. Refused: `kit/not-playing`."""
    _playing(view)
    return _signed(key, view, "withdraw", {"of": of, "rev": view.rev("withdraw")})


def away_envelope(key: PrivateKey, view: ViewFile, periods: Sequence[tuple[str, str]]) -> Envelope:
    """The seat's vacations, first and last day each; they replace all that have not begun."""
    _running(view)
    said = [{"first": first, "last": last} for first, last in periods]
    return _signed(key, view, "time", {"ask": {"do": "away", "periods": said}, "rev": view.rev("time")})


def extend_envelope(key: PrivateKey, view: ViewFile, until: str, reason: str = "") -> Envelope:
    """A wish that the deadlines of the open turn move to `until`, `YYYY-MM-DDTHH:MM:SSZ`. Refused: `kit/instant`."""
    _running(view)
    if not is_time(until):
        raise refuse("kit/instant", found=until[:40].encode("ascii", "backslashreplace").decode("ascii"))
    ask: Json = {"do": "extend", "turn": view.head.turn, "until": until}
    ask |= {"reason": reason[:200]} if reason else {}
    return _signed(key, view, "time", {"ask": ask, "rev": view.rev("time")})


def undo_envelope(key: PrivateKey, view: ViewFile, to: int | None, reason: str = "") -> Envelope:
    """A wish to go back to record `to`, or consent to one; None takes such a wish back. Refused: `kit/not-playing`."""
    _playing(view)
    fields: Json = {"turn": view.head.turn, "rev": view.rev("undo")}
    fields |= {} if to is None else {"to": to}
    fields |= {"reason": reason[:200]} if reason else {}
    return _signed(key, view, "undo", fields)


def last_place(view: ViewFile) -> int:
    """The record to go back to if nothing else is said: what others wish, else one step. Refused: `kit/no-undo`."""
    undo = view.head.undo
    wished = sorted({to for seat, to in undo.wishes.items() if seat != view.seat})
    if len(wished) == 1:
        return wished[0]
    if not undo.places:
        raise refuse("kit/no-undo")
    return undo.places[-1]


def longer(view: ViewFile, by: str) -> str:
    """The instant that is so much later than the latest deadline in the view. Refused: `kit/no-deadline`, `time/rule`."""
    span, known = read_span(by), view.head.deadlines
    if not known:
        raise refuse("kit/no-deadline")
    latest = datetime.strptime(max(known.values()), "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    moved = latest + timedelta(days=span.days, seconds=span.seconds)
    return moved.strftime("%Y-%m-%dT%H:%M:%SZ")


def settings_envelope(key: PrivateKey, view: ViewFile, **wanted: str | None) -> Envelope:
    """How the host reaches the player: `zone`, `quiet` hours, `lang`, `pictures`, addresses; None leaves one as it is."""
    _running(view)
    fields: Json = {"rev": view.rev("settings")}
    fields |= {name: value for name, value in wanted.items() if value is not None}
    return _signed(key, view, "settings", fields)


def _playing(view: ViewFile) -> None:
    if view.head.phase != "play":
        raise refuse("kit/not-playing")


def _running(view: ViewFile) -> None:
    if view.head.phase == "over":
        raise refuse("kit/not-playing")


def _signed(key: PrivateKey, view: ViewFile, kind: str, fields: Json) -> Envelope:
    head = view.head
    payload = {"v": 1, "kind": kind, "game": head.game, "seat": head.seat, "base": head.base, **fields}
    shape_payload(payload)
    return make_envelope(key, payload)
