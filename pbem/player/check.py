"""What a player can tell of a move before he sends it: its shape, its signature, and each order's prospects.

Decides nothing itself: the published schema, the key and the engine's foresight do. Whatever the answer, it
depends on the view alone.
"""

from __future__ import annotations

import hashlib
from typing import Any, Literal

import msgspec

from engine import AnyGame, Foresight, Refused, Stream, find_bot, foresee, misfit_args, refuse
from pbem.log.envelope import Envelope, read_envelope, verify_envelope
from pbem.log.payloads import Move, shape_payload
from pbem.log.seal import PrivateKey, public_of
from pbem.player.answers import Unsigned, read_unsigned, same_moment
from pbem.player.chain import next_link
from pbem.player.invitation import KnownGame, table_of
from pbem.player.opening import as_list, as_object, open_file
from pbem.player.view import ViewFile
from pbem.turn import schema

Json = dict[str, Any]


class Checked(msgspec.Struct, frozen=True):
    """A move held against its view.

    `signature`: by the player's own key (`own`), not there (`none`), or `unchecked` for want of a key.
    `linked`: its link is the right one, or none is owed and none there.
    """

    move: Move
    signature: Literal["own", "none", "unchecked"]
    linked: bool
    foresight: Foresight

    @property
    def fine(self) -> bool:
        """Whether no order is refused."""
        return all(step.certainty != "refused" for step in self.foresight.steps)


def fit(payload: Json, game: AnyGame) -> None:
    """Refused `schema/…` where a payload does not fit the published schemas of its ruleset."""
    schema.check(payload, (game.id, game.version))


def check_move(data: bytes, view: ViewFile, key: PrivateKey | None) -> Checked:
    """A move file, signed or not, held against the view it answers. Refused: `kit/…`, `file/…`, `seal/…`, `schema/…`."""
    if view.seen is None:
        raise refuse("kit/not-playing")
    # 1. a move for this view, of the published shape
    claim = _claim(data)
    if claim.payload.get("kind") != "move":
        raise refuse("kit/not-a-move")
    fit(claim.payload, view.game)
    move = shape_payload(claim.payload)
    if not isinstance(move, Move):
        raise refuse("kit/not-a-move")
    same_moment(move, view)
    # 2. the signature, if it has one, by one's own key
    signature: Literal["own", "none", "unchecked"] = "none"
    if isinstance(claim, Envelope):
        signature = "unchecked" if key is None else "own"
        if key is not None:
            verify_envelope(claim, public_of(key))
    # 3. the link, which can be told by the key alone
    linked = (move.reveal is not None) == view.head.owes
    if key is not None and move.reveal is not None and view.head.owes:
        linked = move.reveal == next_link(key, view.place)
    # 4. the orders
    return Checked(move, signature, linked, foresee(view.game, view.seen, view.seat, move.orders))


def bot_orders(view: ViewFile, seed: int, bot: str = "random") -> tuple[Json, ...]:
    """A bot's turn, the same for the same view and seed; nothing where nothing is asked. Refused `game/unknown-bot`.

    No name is the best bot of the game.
    """
    if view.seen is None:
        return ()
    name = f"pbem bot {seed} {view.seat} {view.head.base}"
    below = Stream(hashlib.sha256(name.encode("utf-8")).digest()).below
    return find_bot(view.game, bot)(view.game, view.seen, view.seat, below)


def read_orders(value: object) -> tuple[Json, ...]:
    """Orders from a list of them, or from a whole move file. Refused `kit/orders`."""
    whole = as_object(value)
    if whole is not None:
        inner = as_object(whole.get("payload")) or whole
        value = inner.get("orders")
    orders = [as_object(order) for order in as_list(value) or [None]]
    if None in orders:
        raise refuse("kit/orders")
    return tuple(order for order in orders if order is not None)


def _claim(data: bytes) -> Envelope | Unsigned:
    try:
        return read_envelope(open_file(data).texts[0])
    except (Refused, IndexError):
        return read_unsigned(data)


def vet(payload: Json, view: ViewFile, known: KnownGame | None) -> None:
    """Setup choices or standing orders held against the ruleset, as far as the charter is known.

    Refused: `schema/…`, `setup/…`, `policy/…`.
    """
    # 1. the published shape
    fit(payload, view.game)
    # 2. what the rules say of it in this game
    if known is None or not _knows_data(view, known):
        return
    charter = table_of(known)
    refusal = None
    if payload["kind"] == "ready":
        setup = msgspec.convert(payload["setup"], view.game.setup)
        refusal = view.game.vet_setup(charter, view.seat, setup)
    elif payload["kind"] == "standing":
        vet_policy(payload["policy"], view, known)
    if refusal is not None:
        raise Refused(refusal)


def vet_policy(policy: Json, view: ViewFile, known: KnownGame | None) -> Any:
    """Standing orders as the ruleset has them. Refused `order/…`, what the rules say only if the charter is known."""
    try:
        typed = msgspec.convert(policy, view.game.policy)
    except msgspec.ValidationError as misfit:
        raise refuse("order/shape", **misfit_args(misfit)) from None
    if known is not None and _knows_data(view, known):
        refusal = view.game.vet_policy(table_of(known), view.seat, typed)
        if refusal is not None:
            raise Refused(refusal)
    return typed


def _knows_data(view: ViewFile, known: KnownGame) -> bool:
    """Whether the copy of the log holds the boards and decks that the view says this game has."""
    return known.data is not None or not view.head.data
