"""The files a seat receives: its signed view, the move file to fill in, the new lines of the log.

Decides what of the ledger a seat needs beside the game's own view: the head it saw, its place in its
chain, its revision numbers. Everything in a view is known to that seat or public.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from functools import lru_cache
from typing import Any

import msgspec

from engine import Position, Table, newest_of_same, waiting
from pbem.log.canonical import VIEW, canonical, pretty
from pbem.log.envelope import Envelope, make_envelope, sealed_text
from pbem.log.ledger import Ledger, member, owes_reveal
from pbem.log.seal import key_id
from pbem.turn.desk import Desk

Json = dict[str, Any]

ROOM = VIEW.size - 1024
"""What a view may take with its news, the seal apart; news that would not fit are left to the letter's text."""


def view_envelope(
    desk: Desk, position: Position[Any] | None, seat: str, news: tuple[Json, ...], shown: Any = None
) -> Envelope:
    """The seat's view, signed by the host. Before the start it holds no game view and asks for a `ready`.

    `shown` is the game's view for the seat, where it was made already.
    """
    payload = view_payload(desk, position, seat, shown)
    _with_news(payload, news)
    return make_envelope(desk.secrets.key, payload)


def view_file(
    desk: Desk, position: Position[Any] | None, seat: str, news: tuple[Json, ...], shown: Any = None
) -> tuple[Json, bytes]:
    """The payload and the text of `view_envelope`, which letters need and nothing more."""
    payload = view_payload(desk, position, seat, shown)
    return payload, sealed_text(desk.secrets.key, "view", _with_news(payload, news))


def _with_news(payload: Json, news: tuple[Json, ...]) -> bytes:
    """The canonical bytes of the payload, which is given its news if there is room for them."""
    if not news:
        return canonical(payload)
    payload["news"] = news
    data = canonical(payload)
    if len(data) < ROOM + len(b'"news":,'):
        return data
    del payload["news"]
    return canonical(payload)


def view_payload(desk: Desk, position: Position[Any] | None, seat: str, shown: Any = None) -> Json:
    """What the host signs for a seat, Structs as they are; `shown` as above."""
    ledger = desk.snapshot.ledger
    entry = member(ledger, seat)
    payload: Json = {
        "v": 1,
        "kind": "view",
        "game": desk.game_id,
        "seat": seat,
        "base": ledger.head,
        "n": ledger.n,
        "at": ledger.at,
        "phase": phase(ledger),
        "turn": ledger.turn,
        "ruleset": desk.charter.ruleset,
        "seats": list(desk.charter.seats),
        "charter": desk.charter_digest,
        "link": entry.links + 1,
        "given": entry.link,
        "owes": owes(ledger, seat),
        "revs": dict(entry.revs),
        "address": address(desk, seat),
    }
    if entry.keys:
        payload["key"] = key_id(bytes.fromhex(entry.public_key))
    if desk.table.charter.data:
        payload["data"] = sorted(desk.table.charter.data)
    due = desk.snapshot.times.due
    if due:
        payload["deadlines"] = {name: one.at for name, one in due.items()}
    if undo := _undo(ledger):
        payload["undo"] = undo
    if position is not None:
        game = desk.table.game
        shown = game.view(position.state, seat) if shown is None else shown
        payload["asked"] = seat in asked_now(desk.table, position)
        payload["view"] = shown
        payload["menu"] = game.menu(shown)
    return payload


def _undo(ledger: Ledger) -> Json:
    """The records of the open turn to go back to, and who wishes which; empty if there are none."""
    if ledger.phase != "playing" or not ledger.course[:-1]:
        return {}
    wishes = {one.seat: one.wish for one in ledger.roster if one.wish and not one.resigned}
    return {"places": list(ledger.course[:-1]), "wishes": wishes}


def phase(ledger: Ledger) -> str:
    """The word a view has for it: `join`, `ready`, `play` or `over`."""
    if ledger.phase == "joining":
        return "ready" if all(entry.public_key for entry in ledger.roster) else "join"
    return {"readying": "ready", "playing": "play"}.get(ledger.phase, "over")


def awaited(desk: Desk, position: Position[Any] | None = None) -> tuple[str, ...]:
    """The seats that the game waits for: to join, to confirm, to decide.

    `position` is the desk's own, from who has it at hand: the desk would decode it once more.
    """
    ledger = desk.snapshot.ledger
    match phase(ledger):
        case "join":
            return tuple(entry.seat for entry in ledger.roster if not entry.public_key)
        case "ready":
            return tuple(entry.seat for entry in ledger.roster if not entry.ready)
        case "play" if (now := position or desk.position) is not None:
            return asked_now(desk.table, now)
        case _:
            return ()


@newest_of_same  # every letter of a turn asks it several times
def asked_now(table: Table, position: Position[Any]) -> tuple[str, ...]:
    """The seats that may move now."""
    return waiting(table, position)


def owes(ledger: Ledger, seat: str) -> bool:
    """Whether the seat's next envelope must give its next link."""
    if ledger.phase in ("joining", "readying"):
        return not member(ledger, seat).ready
    return owes_reveal(ledger, seat)


def blank_move(payload: Json) -> bytes:
    """The move file to fill in, for a view's payload: not signed, without a link; `pbem sign` adds both.

    Its `aside` says where in the chain the link comes from, and where the signed file is mailed to.
    """
    move: Json = {name: payload[name] for name in ("v", "game", "seat", "base", "turn")}
    move |= {"kind": "move", "orders": [], "rev": int(payload["revs"].get("move", -1)) + 1}
    aside: Json = {name: payload[name] for name in ("charter", "link", "given", "owes", "address")}
    return pretty({"payload": move, "aside": aside})


def address(desk: Desk, seat: str) -> str:
    """Where a seat's mail goes: `games+GAME.SEAT.TOKEN@domain`, lower case, for mail programs lower it anyway.

    Where there is no plus-addressing, the address of the service itself.
    """
    if not desk.post.plus:
        return desk.post.address
    local, _, domain = desk.post.address.partition("@")
    return f"{local}+{desk.game_id}.{seat}.{mail_token(desk, seat)}@{domain}"


def mail_token(desk: Desk, seat: str) -> str:
    """Eight letters that only the host and the seat's correspondents know."""
    return token(desk.secrets.mail, desk.game_id, seat)


@lru_cache(maxsize=4096)
def token(secret: bytes, *parts: str) -> str:
    """A short MAC in lower-case base32."""
    mac = hmac.digest(secret, msgspec.json.encode(parts), hashlib.sha256)
    return base64.b32encode(mac[:5]).decode("ascii").lower()
