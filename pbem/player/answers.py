"""The envelopes that a player sends: signed answers to an invitation or to a view.

Decides what is in them beside the player's own choices: game, seat, base, revision, link. The same key, file
and choices give the same bytes. Whether the choices make sense is for `check` to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from engine import refuse
from pbem.log.canonical import ENVELOPE, read
from pbem.log.envelope import Envelope, make_envelope
from pbem.log.payloads import Count, Hex, Move, OnLapse, Payload, place, shape_payload
from pbem.log.seal import PrivateKey, public_of
from pbem.player.chain import ChainPlace, next_link, seat_tip
from pbem.player.invitation import Invitation
from pbem.player.opening import as_object, is_address, open_file
from pbem.player.view import ViewFile

Json = dict[str, Any]


class _Place(msgspec.Struct, frozen=True):
    """The aside of a move file that is not signed yet."""

    charter: Hex
    link: Count
    given: str
    owes: bool


class Unsigned(msgspec.Struct, frozen=True):
    """A move file before it is signed (or to be signed anew): its payload, and its place in the chain if it says it.

    `address`: where it says that it is to be mailed; empty if it does not.
    """

    payload: Json
    place: _Place | None = None
    address: str = ""


def join_envelope(key: PrivateKey, invitation: Invitation, name: str = "", lang: str = "en") -> Envelope:
    """Takes the seat. `name` and `lang` stand beside the payload, unsigned, and never in the log."""
    charter = invitation.known.digest
    payload = {
        "v": 1,
        "kind": "join",
        "game": invitation.game,
        "seat": invitation.seat,
        "base": charter,
        "token": invitation.token,
        "public_key": public_of(key).hex(),
        "tip": seat_tip(key, invitation.game, invitation.seat, charter),
    }
    return _signed(key, payload, _aside(name, lang))


def _aside(name: str, lang: str) -> dict[str, Any]:
    return {said: value for said, value in (("name", name), ("lang", lang)) if value}


def take_envelope(key: PrivateKey, invitation: Invitation, name: str = "", lang: str = "en") -> Envelope:
    """Takes over a seat that is offered. Refused `kit/not-an-offer`, `kit/key-spent` for a key that the game knows."""
    offered, charter = invitation.offer, invitation.known.digest
    if offered is None:
        raise refuse("kit/not-an-offer")
    public = public_of(key).hex()
    if public in offered.used:
        raise refuse("kit/key-spent", game=invitation.game)
    payload = {
        "v": 1,
        "kind": "take",
        "game": invitation.game,
        "seat": invitation.seat,
        "base": offered.base,
        "token": invitation.token,
        "public_key": public,
        "tip": seat_tip(key, invitation.game, invitation.seat, charter),
    }
    return _signed(key, payload, _aside(name, lang))


def rekey_envelope(key: PrivateKey, new: PrivateKey, view: ViewFile) -> Envelope:
    """A new key for the seat, signed by the one that it has. Refused: `kit/not-playing`, `kit/key-spent`."""
    head = view.head
    if head.phase not in ("join", "play"):
        raise refuse("kit/not-playing")
    if new.raw == key.raw:
        raise refuse("kit/key-spent", game=head.game)
    fields = {"public_key": public_of(new).hex(), "tip": seat_tip(new, head.game, head.seat, head.charter)}
    return _signed(key, {**_head(view, "rekey"), **fields})


def ready_envelope(key: PrivateKey, view: ViewFile, setup: Json) -> Envelope:
    """Confirms, and gives link 1. Refused: `kit/not-ready-time`, `kit/not-your-link`."""
    if view.head.phase != "ready" or not view.head.owes:
        raise refuse("kit/not-ready-time")
    fields = {"reveal": next_link(key, view.place), "setup": setup, "rev": view.rev("ready")}
    return _signed(key, {**_head(view, "ready"), **fields})


def move_envelope(
    key: PrivateKey, view: ViewFile, orders: Sequence[Json], on_lapse: OnLapse = "go_on", note: str = ""
) -> Envelope:
    """Plays, with the next link where one is owed. A note is sealed till the end of the game, then public.

    Refused: `kit/not-playing`, `kit/no-orders`, `kit/not-your-link`, `file/…` for orders beyond all bounds.
    """
    if view.head.phase != "play":
        raise refuse("kit/not-playing")
    if not orders:
        raise refuse("kit/no-orders")
    fields: Json = {"turn": view.head.turn, "orders": list(orders), "rev": view.rev("move")}
    fields |= {"reveal": next_link(key, view.place)} if view.head.owes else {}
    fields |= {"on_lapse": on_lapse} if on_lapse != "go_on" else {}
    fields |= {"note": note} if note else {}
    return _signed(key, {**_head(view, "move"), **fields})


def standing_envelope(key: PrivateKey, view: ViewFile, policy: Json) -> Envelope:
    """Replaces the seat's standing orders. Refused: `kit/not-playing`."""
    if view.head.phase not in ("ready", "play"):
        raise refuse("kit/not-playing")
    return _signed(key, {**_head(view, "standing"), "policy": policy, "rev": view.rev("standing")})


def press_envelope(key: PrivateKey, view: ViewFile, to: list[str] | str, text: str) -> Envelope:
    """A message to seats, or to `all`. Refused: `kit/not-playing`, `file/…`."""
    if view.head.phase == "over":
        raise refuse("kit/not-playing")
    return _signed(key, {**_head(view, "press"), "to": to, "text": text, "rev": view.rev("press")})


def resign_envelope(key: PrivateKey, view: ViewFile) -> Envelope:
    """Leaves the game. Refused: `kit/not-playing`."""
    if view.head.phase != "play":
        raise refuse("kit/not-playing")
    return _signed(key, _head(view, "resign"))


def read_unsigned(data: bytes) -> Unsigned:
    """A move file that is still to be signed, with or without a signature that no longer counts.

    Refused: `kit/not-a-move`, `file/…`.
    """
    opened = open_file(data)
    if not opened.texts:
        raise refuse("kit/not-a-move")
    whole = as_object(read(opened.texts[0], ENVELOPE)) or {}
    payload = as_object(whole.get("payload"))
    if payload is None or payload.get("kind") != "move":
        raise refuse("kit/not-a-move")
    aside = as_object(whole.get("aside")) or {}
    where = aside.get("address")
    to = where if isinstance(where, str) and is_address(where) else ""
    if "link" not in aside:
        return Unsigned(payload, address=to)
    try:
        return Unsigned(payload, msgspec.convert(aside, _Place), to)
    except msgspec.ValidationError as misfit:
        raise refuse("file/shape", where=place(misfit)) from None


def sign_move(key: PrivateKey, unsigned: Unsigned, view: ViewFile | None = None) -> Envelope:
    """The move file with its link and signature. Where in the chain it stands, the view says, else the file itself.

    A file that claims a place further on gets nothing: `next_link` gives link k only to whoever shows link k−1
    of this very key under this very charter, and a made-up `given` or charter fits no chain. So a host that
    sends a false file cannot collect links ahead of their turns. Refused: `kit/…`, `file/shape`.
    """
    payload = {name: value for name, value in unsigned.payload.items() if name != "reveal"}
    # 1. the shape, before anything is derived from it
    shaped = _as_move(shape_payload(payload))
    # 2. the place in the chain: the signed view's word before the file's own
    if view is not None:
        same_moment(shaped, view)
        owes, where = view.head.owes, view.place
    elif unsigned.place is not None:
        said = unsigned.place
        owes, where = said.owes, ChainPlace(shaped.game, shaped.seat, said.charter, said.link, said.given)
    else:
        raise refuse("kit/no-place")
    # 3. something to do
    if not shaped.orders:
        raise refuse("kit/no-orders")
    # 4. the link, which is refused unless it is the next
    if owes:
        payload["reveal"] = next_link(key, where)
    return _signed(key, payload)


def same_moment(move: Move, view: ViewFile) -> None:
    """Refused `kit/other-view` if the move answers another view."""
    head = view.head
    for field in ("game", "seat", "turn", "base"):
        if getattr(move, field) != getattr(head, field):
            raise refuse("kit/other-view", game=head.game, seat=head.seat, turn=head.turn, where=field)


def _as_move(payload: Payload) -> Move:
    if not isinstance(payload, Move):
        raise refuse("kit/not-a-move")
    return payload


def _head(view: ViewFile, kind: str) -> Json:
    head = view.head
    return {"v": 1, "kind": kind, "game": head.game, "seat": head.seat, "base": head.base}


def _signed(key: PrivateKey, payload: Json, aside: Json | None = None) -> Envelope:
    shape_payload(payload)
    return make_envelope(key, payload, aside)
