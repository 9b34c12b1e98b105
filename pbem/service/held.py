"""Games on hold: put back from an old copy, and not gone on with before every player has been heard.

Law: a line that the host has signed is never signed again with other words. A copy may be older than what the
players hold; a record written then would fork the game. So each seat is asked for its newest letter, and its
answer is a witness: the `base` of an envelope that it signed, or of a view that the host signed for it.

| witness                                            | then                                              |
| -------------------------------------------------- | ------------------------------------------------- |
| a line that the store does not know                | the game ran on; it stays on hold, the host is told |
| a line at least as new as the last one sent to it  | the seat is clear                                 |
| an older line, or none                             | the seat is asked once more, in the answer        |

When all seats are clear the game goes on, and mail that came meanwhile is played in its order. Mail that lay in
the copy itself witnesses nothing: it is from before. A seat that has resigned is not waited for.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec
import sqlalchemy as sa

from engine import Refused, refuse
from pbem.log.envelope import PLAYER_KINDS, Envelope, verify_envelope
from pbem.log.ledger import member
from pbem.log.seal import public_of
from pbem.service import outbox, pulse, quiet, store
from pbem.service.config import Host
from pbem.service.inbox import Waiting, done
from pbem.service.journal import note, warn
from pbem.service.tables import NEW, games, holds, inbox
from pbem.turn import pipeline, sealing
from pbem.turn.desk import Desk
from pbem.turn.hold_letters import asking_letter, heard_letter
from pbem.turn.pipeline import Claims, Verdict
from pbem.turn.posting import Letter

ASKED: Final = "asked"
CLEAR: Final = "clear"
AHEAD: Final = "ahead"
"""States of a seat of a game on hold."""
HELD = "held"
"""The state of a mail that waits for its game."""
_HELD = sa.select(holds.c.seat).where(holds.c.game == sa.bindparam("game")).limit(1)
Heard = Literal["clear", "ahead", "old", "nothing"]


class Witness(msgspec.Struct, frozen=True):
    """Which line a seat has seen: its digest, and its number if the store knows it."""

    seat: str
    base: str
    n: int | None


class Hold(msgspec.Struct, frozen=True):
    """A game on hold. `ran_on`: a player holds lines that the store does not know."""

    game: str
    waits_for: tuple[str, ...]
    ran_on: tuple[str, ...]


def hold_all(tx: sa.Connection, host: Host, now: int) -> list[str]:
    """Puts every game that is not over on hold, and asks its players; gives their ids."""
    unfinished = tx.execute(
        sa.select(games.c.id).where(games.c.phase != "over").order_by(games.c.id)
    ).scalars()
    held = list(unfinished)
    for game in held:
        hold(tx, host, game, now)
    return held


def hold(tx: sa.Connection, host: Host, game: str, now: int) -> None:
    """Puts one game on hold and asks its players. Mail that waits is from before, and waits on."""
    desk = store.load_desk(tx, host, game, now).desk
    seats = [seat for seat in desk.charter.seats if not member(desk.snapshot.ledger, seat).resigned]
    tx.execute(holds.delete().where(holds.c.game == game))
    tx.execute(
        holds.insert(),
        [{"game": game, "seat": seat, "asked": now, "state": ASKED, "proof": ""} for seat in seats],
    )
    tx.execute(inbox.update().where(inbox.c.game == game, inbox.c.state == NEW).values(state=HELD))
    outbox.queue(tx, game, [asking_letter(desk, seat) for seat in seats], now)


def is_held(tx: sa.Connection, game: str) -> bool:
    """Whether a game is on hold."""
    return tx.execute(_HELD, {"game": game}).first() is not None


def list_held(tx: sa.Connection) -> list[Hold]:
    """All games on hold."""
    found: dict[str, list[tuple[str, str]]] = {}
    for row in tx.execute(sa.select(holds).order_by(holds.c.game, holds.c.seat)):
        found.setdefault(row.game, []).append((row.seat, row.state))
    return [
        Hold(
            game,
            tuple(seat for seat, state in seats if state == ASKED),
            tuple(seat for seat, state in seats if state == AHEAD),
        )
        for game, seats in found.items()
    ]


def hear(tx: sa.Connection, desk: Desk, mail: Waiting, claims: Claims, now: int) -> int:
    """A mail to a game on hold: what it witnesses, an answer to it, and the mail laid aside or done with.

    Gives how many letters answer it.
    """
    # 1. which lines its authors have seen; whoever forwards a letter may have attached it whole
    game = desk.game_id
    claimed = (*claims.envelopes, *pipeline.attached_views(mail.raw))
    found = [one for one in (_witness(tx, desk, each) for each in claimed) if one is not None]
    letters: list[Letter] = []
    for one in found:
        what = _judged(desk, one)
        if what in (CLEAR, AHEAD):
            _write(tx, game, one, what)
        # 2. the player learns what became of it, and that nothing did; a machine learns nothing
        if not claims.auto:
            letters.append(heard_letter(desk, one.seat, what, f"{mail.id}", claims.message_id))
    if not found and (seats := pipeline.seats_of(desk, claims.sender)):
        seat = mail.seat if mail.seat in seats else seats[0]
        answer = heard_letter(desk, seat, "nothing", f"{mail.id}", claims.message_id)
        verdict = Verdict(desk.snapshot, desk.people, letters=(answer,))
        letters += quiet.discreet(tx, desk, mail, claims, verdict).letters
    outbox.queue(tx, game, letters, now)
    # 3. a move waits with the game; a letter that was only shown has done its work
    if not any(one.kind in PLAYER_KINDS for one in claims.envelopes):
        done(tx, mail.id, "witness" if found else "held")
    else:
        tx.execute(inbox.update().where(inbox.c.id == mail.id).values(state=HELD))
    # 4. all heard: the game goes on
    _go_on_if_clear(tx, game)
    return len(letters)


def release(tx: sa.Connection, game: str) -> None:
    """The game goes on, whoever has been heard; the mail that waited is handled in its order.

    The time on hold does not count: deadlines move by it, as soon as the clock looks at the game.
    """
    began = tx.execute(sa.select(sa.func.min(holds.c.asked)).where(holds.c.game == game)).scalar()
    if began is not None:
        pulse.note_trouble(tx, "put-back", began, 0, game)
    tx.execute(holds.delete().where(holds.c.game == game))
    tx.execute(inbox.update().where(inbox.c.game == game, inbox.c.state == HELD).values(state=NEW))
    note("game-goes-on", game=game)


def resume(tx: sa.Connection, game: str) -> None:
    """The host answers for it that nobody holds newer lines. Refused `host/not-held`."""
    if not is_held(tx, game):
        raise refuse("host/not-held", game=game[:40])
    release(tx, game)


def look_again(tx: sa.Connection, game: str) -> None:
    """After lines were adopted: a seat that was ahead is clear if the store now knows what it knew."""
    ahead = sa.select(holds.c.seat, holds.c.proof).where(holds.c.game == game, holds.c.state == AHEAD)
    for row in tx.execute(ahead).all():
        if store.line_number(tx, game, row.proof) is not None:
            _set(tx, game, row.seat, CLEAR, row.proof)
    _go_on_if_clear(tx, game)


def _witness(tx: sa.Connection, desk: Desk, claimed: Envelope) -> Witness | None:
    """What an envelope proves; None if nothing: signed by nobody that we know, or of another game."""
    try:
        if claimed.kind == "view":
            # a view is the host's own word to a seat
            if claimed.game != desk.game_id or claimed.seat not in desk.charter.seats:
                return None
            verify_envelope(claimed, public_of(desk.secrets.key))
        else:
            sealing.verify(claimed, desk)
    except Refused:
        return None
    base = str(claimed.payload.get("base", ""))
    return Witness(claimed.seat, base, store.line_number(tx, desk.game_id, base))


def _judged(desk: Desk, witness: Witness) -> Heard:
    if witness.n is None:
        return AHEAD
    # what was sent last; the charter came with the invitation
    return CLEAR if witness.n >= max(desk.snapshot.journals[witness.seat].sent - 1, 0) else "old"


def _write(tx: sa.Connection, game: str, witness: Witness, state: str) -> None:
    """Once ahead, always ahead: a line that the host signed does not go away by an older letter."""
    known = tx.execute(
        sa.select(holds.c.state).where(holds.c.game == game, holds.c.seat == witness.seat)
    ).scalar()
    if known is None or known == AHEAD:
        return
    _set(tx, game, witness.seat, state, witness.base)
    if state == AHEAD:
        warn("game-ran-on", game=game, seat=witness.seat)


def _set(tx: sa.Connection, game: str, seat: str, state: str, proof: str) -> None:
    tx.execute(
        holds.update().where(holds.c.game == game, holds.c.seat == seat).values(state=state, proof=proof)
    )


def _go_on_if_clear(tx: sa.Connection, game: str) -> None:
    states = set(tx.execute(sa.select(holds.c.state).where(holds.c.game == game)).scalars())
    if states == {CLEAR}:
        release(tx, game)
