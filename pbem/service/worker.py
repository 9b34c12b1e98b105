"""The worker: mail from the inbox through the straight line, and what came of it into the rows.

Decides nothing about a game. The game is that of the address the mail came to, whatever the mail says. Its row
is locked first and then its oldest mail is taken, so that any number of workers keep each game in order. Several
mails share a transaction, for a commit costs more than a move, and plain moves of several games are written
together (`batch`). A fault of ours counts against the mail alone: after three it is poison, kept with its traceback.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Collection, Sequence
from typing import Literal

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from pbem.service import (
    commands,
    held,
    hints,
    inbox,
    locks,
    observers,
    plain,
    prepared,
    quiet,
    store,
    substitutes,
)
from pbem.service.batch import Batch
from pbem.service.clock import Clock
from pbem.service.config import Host
from pbem.service.database import TROUBLE, Database
from pbem.service.inbox import Waiting
from pbem.service.journal import fault
from pbem.service.judges import JudgeProcess, NoAnswer
from pbem.service.plain import Found, Judged, Rows, Sheet, answerable, claims_of
from pbem.service.rows import Loaded
from pbem.service.store import Overtaken
from pbem.turn import pipeline, shelf
from pbem.turn.pipeline import Verdict
from pbem.turn.tick import play_waiting

replace = msgspec.structs.replace

MOST, SECONDS = 32, 0.1
"""How many mails share a transaction, and after how long the next one waits for the next: the door waits too."""
CHUNK = 16
"""How many mails another process judges while others are written."""


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


def handle_some(
    database: Database, host: Host, clock: Clock, most: int = MOST, apart: JudgeProcess | None = None
) -> list[Handled]:
    """The oldest waiting mail of each of several games; none if none waits for this worker.

    With a process that judges `apart`, many mails are judged there, and the next ones while these are written. Raises what
    is wrong with the database, with nothing done.
    """
    try:
        if not database.is_sqlite:
            return _locked(database, host, clock, most)
        return _ahead(database, host, clock, most, apart)
    except _Unwritable as raised:
        if len(raised.mails) == 1:
            with database.write() as tx:
                return [_failed(tx, raised.mails[0], raised.error)]
    # one of them is at fault, and each is tried by itself
    return handle_some(database, host, clock, 1)


def _ahead(
    database: Database, host: Host, clock: Clock, most: int, apart: JudgeProcess | None
) -> list[Handled]:
    """While a mail is judged, SQLite's one writer may be somebody else: the door."""
    if apart is not None and apart.games:
        try:
            return _write(database, host, *_next_answer(database, clock, apart))
        except NoAnswer:
            apart.close()
    sheets, now = _read(database, most), clock()
    if apart is not None and apart.takes(len(sheets)):
        try:
            apart.ask(sheets[:CHUNK], now)
            return _write(database, host, *_next_answer(database, clock, apart))
        except NoAnswer:
            apart.close()
    if not sheets:
        return []
    return _write(database, host, now, sheets, [plain.found(host, sheet, now) for sheet in sheets])


def _next_answer(
    database: Database, clock: Clock, apart: JudgeProcess
) -> tuple[int, list[Sheet], list[Found]]:
    """What was judged. The next mails are read meanwhile, and will be judged while these are written. Raises NoAnswer."""
    more = _read(database, CHUNK, apart.games)
    answer = apart.answer()
    if more:
        apart.ask(more, clock())
    return answer


def _read(database: Database, most: int, busy: Collection[str] = ()) -> list[Sheet]:
    with database.read() as tx:
        return locks.Queue(tx).sheets(most, busy)


def _write(
    database: Database, host: Host, now: int, sheets: Sequence[Sheet], found: Sequence[Found]
) -> list[Handled]:
    with database.write() as tx:
        return _Desk(tx, host, now).write_all(sheets, found)


def _locked(database: Database, host: Host, clock: Clock, most: int) -> list[Handled]:
    """With the games locked from the first look at them to the commit; their next mails in the same transaction."""
    until = time.monotonic() + SECONDS
    done: list[Handled] = []
    with database.write() as tx:
        queue = locks.Queue(tx)
        while len(done) < most and (sheets := queue.sheets(most - len(done))):
            now = clock()
            found = [plain.found(host, sheet, now) for sheet in sheets]
            done += _Desk(tx, host, now).write_all(sheets, found)
            # a mail that failed comes again before all others of its game
            if any(one.what in ("failed", "poison") for one in done) or time.monotonic() > until:
                break
    return done


class _Unwritable(Exception):
    """A fault of ours where mails are written or read: nothing of the transaction is kept; it is of one of `mails`."""

    def __init__(self, mails: list[Waiting], error: Exception) -> None:
        super().__init__()
        self.mails = mails
        self.error = error


class _Desk:
    """Where what came of mails is written, in one transaction, at one instant."""

    def __init__(self, tx: sa.Connection, host: Host, now: int) -> None:
        self._tx = tx
        self._host = host
        self._now = now
        self._batch = Batch(tx)
        self._kept: list[Waiting] = []

    def write_all(self, sheets: Sequence[Sheet], judged: Sequence[Found]) -> list[Handled]:
        """Plain moves together, then all else one by one, until it has lasted too long: what is left comes again.

        Raises Overtaken, what is wrong with the database, or _Unwritable.
        """
        until = time.monotonic() + SECONDS
        done: list[Handled] = []
        for sheet, one in sorted(
            zip(sheets, judged, strict=True), key=lambda pair: not isinstance(pair[1], Rows)
        ):
            if done and not isinstance(one, Rows) and time.monotonic() > until:
                break
            done.append(self._written(sheet.mail, one))
        self._flush()
        return done

    def _written(self, mail: Waiting, judged: Found) -> Handled:
        try:
            if isinstance(judged, Exception):
                raise judged
            if judged is None:
                judged = _judged(self._tx, self._host, mail, self._now)
        except (*TROUBLE, Overtaken):
            raise
        except SQLAlchemyError as error:
            # after it PostgreSQL does nothing more in this transaction
            raise _Unwritable([*self._kept, mail], error) from error
        except Exception as error:  # noqa: BLE001 - one mail's fault must not keep the others waiting
            self._flush()
            return _failed(self._tx, mail, error)
        if isinstance(judged, Rows):
            self._batch.put(mail.game, judged)
            self._kept.append(mail)
            return Handled(mail.id, mail.game, "taken", "", len(judged.records), len(judged.letters))
        return self._handled(mail, judged)

    def _handled(self, mail: Waiting, judged: Judged) -> Handled:
        """Written at once, and what is written can be taken back by itself."""
        tx = self._tx
        self._flush()
        prepared.begin(tx)
        try:
            handled = _handle(tx, self._host, mail, judged, self._now)
        except (*TROUBLE, Overtaken):
            raise
        except Exception as error:  # noqa: BLE001 - as above
            prepared.undo(tx)
            return _failed(tx, mail, error)
        # outside of the `try`: if this fails, nothing of the transaction may be kept
        prepared.keep(tx)
        return handled

    def _flush(self) -> None:
        mails, self._kept = self._kept, []
        try:
            self._batch.flush()
        except (*TROUBLE, Overtaken):
            raise
        except Exception as error:
            raise _Unwritable(mails, error) from error


def _failed(tx: sa.Connection, mail: Waiting, error: Exception) -> Handled:
    fault("mail-fault", error, mail=mail.id, game=mail.game, attempt=mail.attempts + 1)
    poison = inbox.failed(tx, mail, "".join(traceback.format_exception(error)))
    return Handled(mail.id, mail.game, "poison" if poison else "failed")


def _judged(tx: sa.Connection, host: Host, mail: Waiting, now: int) -> Rows | Judged:
    """Reads and judges, and writes nothing."""
    # 1. what the mail claims
    claims = quiet.marked(tx, claims_of(mail), mail, host.post)
    # 2. the desk of the game it came to
    loaded = store.load_desk(tx, host, mail.game, now)
    known = store.load_known(tx, mail.game, claims, loaded.desk.snapshot.ledger)
    # 3. commands, games on hold and moves that are held want more than a verdict
    judged = Judged(claims, loaded, known, None)
    if loaded.held or loaded.desk.snapshot.shelf or commands.command_of(claims):
        return judged
    return plain.verdict_of(judged, mail, now)


def _handle(tx: sa.Connection, host: Host, mail: Waiting, judged: Judged, now: int) -> Handled:
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
        answered = held.hear(tx, loaded.desk, mail, answerable(claims, mail, loaded.desk), now)
        return Handled(mail.id, mail.game, "held", letters=answered)
    # 3. moves that are held are played before anything that changes the position under them
    if loaded.desk.snapshot.shelf and pipeline.unsettles(claims, known, loaded.desk):
        loaded = play_held(tx, host, loaded, now)
        known = store.load_known(tx, mail.game, claims, loaded.desk.snapshot.ledger)
    # 4. judged, and if that was the last move, opened; machines are not answered
    claims = answerable(claims, mail, loaded.desk)
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
