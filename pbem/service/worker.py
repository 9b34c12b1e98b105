"""The worker: mail from the inbox through the straight line, and what came of it into the rows.

Decides nothing about a game. The game is that of the address the mail came to, whatever the mail says. Its row
is locked first and then its oldest mail is taken, so that any number of workers keep each game in order. Several
mails share a transaction, for a commit costs more than a move, and plain moves of several games are written
together (`batch`). A fault of ours counts against the mail alone: after three it is poison, kept with its traceback.
"""

from __future__ import annotations

import time
import traceback
from typing import Literal

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from pbem.service import commands, held, hints, inbox, locks, observers, prepared, quiet, store, substitutes
from pbem.service.batch import Batch, Rows
from pbem.service.clock import Clock
from pbem.service.config import Host
from pbem.service.database import TROUBLE, Database
from pbem.service.inbox import Waiting
from pbem.service.journal import fault
from pbem.service.store import Loaded, Overtaken
from pbem.turn import pipeline, shelf
from pbem.turn.desk import Desk, Post
from pbem.turn.pipeline import Claims, Known, Verdict
from pbem.turn.tick import play_waiting

replace = msgspec.structs.replace

MOST, SECONDS = 32, 0.1
"""How many mails share a transaction, and after how long the next one waits for the next: the door waits too."""
CHUNK = 8
"""So many mails are read at once."""


class Handled(msgspec.Struct, frozen=True):
    """What came of a mail. `code` is the refusal's; `lines` counts records, `letters` what was queued."""

    mail: int
    game: str
    what: Literal["taken", "again", "refused", "failed", "poison", "held", "asked"]
    code: str = ""
    lines: int = 0
    letters: int = 0


def handle_next(database: Database, host: Host, clock: Clock) -> Handled | None:
    """The next mail alone; None if none waits. Raises what is wrong with the database, with nothing done."""
    handled = handle_some(database, host, clock, 1)
    return handled[0] if handled else None


def handle_some(database: Database, host: Host, clock: Clock, most: int = MOST) -> list[Handled]:
    """The oldest waiting mails, one after the other, in one transaction; none if none waits for this worker.

    Raises what is wrong with the database, with nothing done.
    """
    try:
        return _together(database, host, clock, most)
    except _Unwritable as raised:
        if len(raised.mails) == 1:
            with database.write() as tx:
                return [_failed(tx, raised.mails[0], raised.error)]
    # one of them is at fault, and each is tried by itself
    return handle_some(database, host, clock, 1)


def _together(database: Database, host: Host, clock: Clock, most: int) -> list[Handled]:
    until = time.monotonic() + SECONDS
    done: list[Handled] = []
    with database.write() as tx:
        queue = locks.Queue(tx)
        desk = _Desk(tx, host, Batch(tx))
        while len(done) < most and (mail := queue.next(min(most - len(done), CHUNK))) is not None:
            done.append(_guarded(desk, mail, clock()))
            # a mail that failed comes again before all others of its game
            if done[-1].what in ("failed", "poison") or time.monotonic() > until:
                break
        desk.write()
    return done


class _Unwritable(Exception):
    """A fault of ours where mails are written or read: nothing of the transaction is kept; it is of one of `mails`."""

    def __init__(self, mails: list[Waiting], error: Exception) -> None:
        super().__init__()
        self.mails = mails
        self.error = error


class _Desk:
    """Where the mails of one transaction are worked on; `kept` are those whose rows are not written yet."""

    def __init__(self, tx: sa.Connection, host: Host, batch: Batch) -> None:
        self.tx = tx
        self.host = host
        self.batch = batch
        self.kept: list[Waiting] = []

    def write(self) -> None:
        """Writes what was kept back. Raises Overtaken, what is wrong with the database, or _Unwritable."""
        mails, self.kept = self.kept, []
        try:
            self.batch.flush()
        except (*TROUBLE, Overtaken):
            raise
        except Exception as error:
            raise _Unwritable(mails, error) from error


def _guarded(desk: _Desk, mail: Waiting, now: int) -> Handled:
    tx = desk.tx
    # 1. what was kept back of this game is written before it is read again
    if desk.batch.holds(mail.game):
        desk.write()
    # 2. most moves: judged now, written with others
    try:
        judged = _judged(tx, desk.host, mail, now)
    except (*TROUBLE, Overtaken):
        raise
    except SQLAlchemyError as error:
        # after it PostgreSQL does nothing more in this transaction
        raise _Unwritable([*desk.kept, mail], error) from error
    except Exception as error:  # noqa: BLE001 - one mail's fault must not keep the others waiting
        desk.write()
        return _failed(tx, mail, error)
    if isinstance(judged, Rows):
        desk.batch.put(mail.game, judged)
        desk.kept.append(mail)
        return Handled(mail.id, mail.game, "taken", "", len(judged.records), len(judged.letters))
    # 3. all else is written at once, and can be taken back by itself
    desk.write()
    prepared.begin(tx)
    try:
        handled = _handle(tx, desk.host, mail, judged, now)
    except (*TROUBLE, Overtaken):
        raise
    except Exception as error:  # noqa: BLE001 - as above
        prepared.undo(tx)
        return _failed(tx, mail, error)
    # outside of the `try`: if this fails, nothing of the transaction may be kept
    prepared.keep(tx)
    return handled


def _failed(tx: sa.Connection, mail: Waiting, error: Exception) -> Handled:
    fault("mail-fault", error, mail=mail.id, game=mail.game, attempt=mail.attempts + 1)
    poison = inbox.failed(tx, mail, "".join(traceback.format_exception(error)))
    return Handled(mail.id, mail.game, "poison" if poison else "failed")


class _Judged(msgspec.Struct, frozen=True):
    """A mail as far as it can be judged without writing: its verdict, or None if more is to be done before there is one."""

    claims: Claims
    loaded: Loaded
    known: Known
    verdict: Verdict | None


def _judged(tx: sa.Connection, host: Host, mail: Waiting, now: int) -> Rows | _Judged:
    """Reads and judges, and writes nothing."""
    # 1. what the mail claims
    claims = quiet.marked(tx, claims_of(mail), mail, host.post)
    # 2. the desk of the game it came to
    loaded = store.load_desk(tx, host, mail.game, now)
    known = store.load_known(tx, mail.game, claims, loaded.desk.snapshot.ledger)
    # 3. commands, games on hold and moves that are held want more than a verdict
    if loaded.held or loaded.desk.snapshot.shelf or commands.command_of(claims):
        return _Judged(claims, loaded, known, None)
    claims = answerable(claims, mail, loaded.desk, host.post)
    verdict = pipeline.judge(claims, known, loaded.desk)
    rows = store.plain_rows(loaded, verdict, now)
    if rows is None:
        return _Judged(claims, loaded, known, verdict)
    hints.tell_of_a_doubtful_join(mail.raw, claims, host.authserv)
    return Rows(*rows, mail.id, "taken")


def _handle(tx: sa.Connection, host: Host, mail: Waiting, judged: _Judged, now: int) -> Handled:
    claims, loaded, known = judged.claims, judged.loaded, judged.known
    # 1. a mail that only asks is answered, and nothing else comes of it
    if judged.verdict is None and (asked := commands.answer(tx, host, loaded.desk, mail, claims)):
        command, verdict = asked
        if not (loaded.held and command.word in ("resend", "log")):
            told = quiet.discreet_to(tx, mail, claims, (f"asks:{command.word}", verdict))
            store.commit(tx, loaded, [told], now)
            return _done(tx, mail, Handled(mail.id, mail.game, "asked", letters=len(told.letters)))
    # 2. a game that was put back from an old copy waits: the mail is a witness, and is judged later
    if loaded.held:
        answered = held.hear(tx, loaded.desk, mail, claims, now)
        return Handled(mail.id, mail.game, "held", letters=answered)
    # 3. moves that are held are played before anything that changes the position under them
    if loaded.desk.snapshot.shelf and pipeline.unsettles(claims, loaded.desk):
        loaded = play_held(tx, host, loaded, now)
        known = store.load_known(tx, mail.game, claims, loaded.desk.snapshot.ledger)
    # 4. judged, and if that was the last move, opened; machines are not answered
    claims = answerable(claims, mail, loaded.desk, host.post)
    verdict = judged.verdict or pipeline.judge(claims, known, loaded.desk)
    verdict = quiet.discreet(tx, loaded.desk, mail, claims, verdict)
    # 5. everything or nothing
    handled = _done(tx, mail, _outcome(mail, settle(tx, loaded, verdict, now)))
    if verdict.lines:
        hints.tell_of_a_doubtful_join(mail.raw, claims, host.authserv)
    return handled


def _done(tx: sa.Connection, mail: Waiting, handled: Handled) -> Handled:
    """The mail is done with. Raises Overtaken if somebody else was faster."""
    if not inbox.done(tx, mail.id, handled.code or handled.what):
        raise Overtaken
    return handled


def play_held(tx: sa.Connection, host: Host, loaded: Loaded, now: int) -> Loaded:
    """Plays every held move of a game at once; gives the desk after them."""
    while (held_move := shelf.first_held(loaded.desk)) is not None:
        settle(tx, loaded, play_waiting(loaded.desk, held_move), now)
        loaded = store.load_desk(tx, host, loaded.desk.game_id, now)
    return loaded


def claims_of(mail: Waiting) -> Claims:
    """The mail's claims. Mail without an envelope sender is automatic; without From, the envelope sender counts."""
    claims = pipeline.claim_mail(mail.raw)
    return replace(claims, auto=claims.auto or not mail.sender, sender=claims.sender or mail.sender)


def answerable(claims: Claims, mail: Waiting, desk: Desk, post: Post) -> Claims:
    """The claims, sent by the player whose seat's own address the mail came to, if its sender is on no roster.

    Who writes from somewhere else hears what is amiss where his letters go: that address is known to him alone. What
    came to the service's own address may name any seat, and proves nothing.
    """
    person = desk.people.get(mail.seat)
    if person is None or not person.address or mail.recipient.lower() == post.address.lower():
        return claims
    if pipeline.seats_of(desk, claims.sender):
        return claims
    return replace(claims, sender=person.address)


def settle(tx: sa.Connection, loaded: Loaded, verdict: Verdict, now: int) -> list[Verdict]:
    """Writes a verdict, and after the last move of a game its end; gives all that was written."""
    verdicts = [verdict]
    if verdict.finished:
        after = replace(loaded.desk, snapshot=verdict.snapshot, people=verdict.people)
        kept = [*store.load_kept(tx, after.game_id), *verdict.kept]
        verdicts.append(pipeline.finish(after, kept))
    store.commit(tx, loaded, verdicts, now)
    substitutes.came_back(tx, loaded.desk, (line for one in verdicts for line in one.lines))
    substitutes.taken(tx, loaded.desk.game_id, [one.taken for one in verdicts if one.taken])
    if loaded.watched:
        observers.tell(tx, loaded.desk, verdicts, now)
    return verdicts


def _outcome(mail: Waiting, verdicts: list[Verdict]) -> Handled:
    first = verdicts[0]
    code = first.refusal.code if first.refusal else ""
    return Handled(
        mail.id,
        mail.game,
        "refused" if code else "taken" if first.lines or first.quiet else "again",
        code,
        sum(len(verdict.lines) for verdict in verdicts),
        sum(len(verdict.letters) for verdict in verdicts),
    )
