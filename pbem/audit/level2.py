"""Level 2 (protocol.md section 7): is what a finished log says what its players wrote and the rules make of it?

Works on a log that level 1 has found sound and finished. Everything is recomputed and compared, nothing is
copied. The order of checks, which decides what "the first" is: the charter (line 1), the secrets (the line
of `end`), then record by record in the log's order, each with its envelope before its replay, then the
result, then whether hidden draws are missing. A fault names the line of the record at fault; that is the
`opened` or `drawn` line itself where what was opened belongs to no record or to another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from engine import AnyGame, Refused, Table, plain, refuse
from pbem.audit import course as courses
from pbem.audit import sealed
from pbem.audit.collected import Collected, line_of
from pbem.audit.course import Course, by_rules
from pbem.log import payloads, record
from pbem.log.canonical import canonical
from pbem.log.chain import HOST, LENGTH, chain_link
from pbem.log.draws import hidden_commit, source
from pbem.log.ledger import Fault, Ledger, Step
from pbem.turn import schema, times
from pbem.turn.clocks import in_game
from pbem.turn.course import after as after_change
from pbem.turn.desk import table_of
from pbem.turn.play import Played
from pbem.turn.policy import policy_of
from pbem.turn.record import Told, public_digest, state_digest, told
from pbem.turn.times import Times

CANCELLED: dict[str, Any] = {"how": "cancelled", "places": []}
"""The result of a game that ended before it started."""

Watch = Callable[[Step, Course, Played], None]
"""Sees each change of the position that was found sound: record, course after it, what was played."""

_FIELDS = {
    "events": "audit/events",
    "draws": "audit/draws",
    "auto": "audit/auto",
    "next": "audit/next",
    "public": "audit/public",
    "state": "audit/state",
}


class Judged(msgspec.Struct, frozen=True):
    """The outcome of level 2. `complete` is False if only the last `drawn` lines are missing, as in a cut file."""

    fault: Fault | None = None
    complete: bool = True
    draws: int = 0


class Auditor(msgspec.Struct, frozen=True):
    """The rules to go by. `schemas=False` leaves the schemas out, which is for measuring what they cost."""

    games: Sequence[AnyGame]
    schemas: bool = True


def judge(log: Collected, auditor: Auditor, watch: Watch | None = None) -> Judged:
    """The verdict on a log that is finished; never raises for what is in it."""
    run = _Pass(log, auditor, watch)
    try:
        complete = run.judge()
    except Refused as refused:
        return Judged(Fault(run.line, refused.refusal), True, run.draws)
    return Judged(None, complete, run.draws)


class _Pass:
    """One replay in progress; `line` is where the check at hand would find its fault."""

    def __init__(self, log: Collected, auditor: Auditor, watch: Watch | None) -> None:
        self.log = log
        self.auditor = auditor
        self.watch = watch
        self.line = 1
        self.draws = 0
        self.revs: sealed.Revs = {}
        self.owing: list[int] = []
        self.result: Any = CANCELLED
        self.policy = policy_of(log.charter.deadline)
        self.times = Times()

    def judge(self) -> bool:
        """All checks; True if nothing is missing at the end."""
        # 1. the charter: rules, options, schemas
        charter, end = self.log.charter, self.log.end
        if end is None:
            raise ValueError("level 2 before the end")
        table = self._table(charter)
        # 2. the secrets
        self.line = line_of(end.n)
        k_hidden, seed = bytes.fromhex(end.k_hidden), bytes.fromhex(end.host_seed)
        _check_secrets(charter, k_hidden, seed)
        # 3. record by record: envelope, then replay
        course = Course(table)
        for step in self.log.steps[1 : end.n]:
            if step.before is None:
                raise ValueError("a record before the charter")
            self.line = line_of(step.record.n)
            payload = self._envelope(step, step.before, table.game)
            self._note_time(step.record, step.before, course)
            course = self._advance(course, step, payload, k_hidden)
            _check_host_link(step.record, step.before, seed)
        # 4. the result
        self.line = line_of(end.n)
        if canonical(self.result) != canonical(end.result):
            raise refuse("audit/result")
        # 5. the hidden draws, all opened
        return self._all_drawn()

    def _table(self, charter: record.Charter) -> Table:
        ruleset = charter.ruleset
        game = next(
            (one for one in self.auditor.games if (one.id, one.version) == (ruleset.id, ruleset.version)),
            None,
        )
        if game is None:
            raise refuse("audit/ruleset", id=ruleset.id, version=str(ruleset.version))
        if self.auditor.schemas:
            _check_schemas(charter, game)
        try:
            table = by_rules(lambda: table_of(game, charter, self.log.data))
            refusal = by_rules(lambda: game.vet(charter.seats, table.charter.options, self.log.data))
        except Refused as refused:
            raise refuse("audit/options", reason=_reason(refused)) from refused
        if refusal is not None:
            raise refuse("audit/options", reason=refusal.code)
        return table

    def _envelope(self, step: Step, before: Ledger, game: AnyGame) -> payloads.Payload | None:
        """What the record's author wrote, or None for a record of the host."""
        entry = step.record
        if not isinstance(entry, record.Enveloped) or isinstance(entry, record.Press):
            return None  # what was said is never opened
        opened = self.log.opened[entry.n]
        self.line = line_of(opened.n)
        sealed.check_id(entry, opened)
        self.line = line_of(entry.n)
        payload = sealed.open_envelope(entry, opened, before, game if self.auditor.schemas else None)
        sealed.check_timely(entry, payload, before, self.log.numbers[entry.base], self.revs)
        return payload

    def _note_time(self, entry: record.Record, before: Ledger, course: Course) -> None:
        """What the record says of deadlines, held against those before it. Refused `time/…`."""
        if self.policy is None:
            return
        if isinstance(entry, record.Timeout) and not _is_decided(course):
            times.check_timeout(self.times, entry, self.policy)
        self.times = times.note(self.times, entry, self.policy, in_game(before))

    def _advance(
        self, course: Course, step: Step, payload: payloads.Payload | None, k_hidden: bytes
    ) -> Course:
        match payload:
            case payloads.Ready():
                return courses.confirm(course, payload)
            case payloads.Standing():
                return courses.instruct(course, payload)
            case _:
                pass
        entry = step.record
        if isinstance(entry, record.Undone):
            return self._put_back(course, entry, step.before, k_hidden)
        if isinstance(entry, record.Ruling):
            self.result = CANCELLED
        if not isinstance(entry, record.Changed):
            return course
        if step.dice is None or step.before is None:
            raise ValueError("a finished log with a turn that is not closed")
        game_id = step.before.game
        dice = source(step.dice.acc, k_hidden, game_id, step.dice.turn)
        played = courses.change(course, entry, payload, dice)
        says = by_rules(lambda: told(course.table, game_id, played, entry.n, k_hidden))
        self._compare(entry, says, played, course.table.game)
        outcome = played.outcome
        self.result = plain(outcome.result)
        after = by_rules(lambda: after_change(course, entry, played))
        if self.watch is not None:
            self.watch(step, after, played)
        return after

    def _put_back(
        self, course: Course, entry: record.Undone, before: Ledger | None, k_hidden: bytes
    ) -> Course:
        """An undo, its two digests held against the position to which it goes back."""
        undone = courses.put_back(course, entry)
        position = undone.position
        if position is None or before is None:
            raise ValueError("an undo before the start")
        public = by_rules(lambda: public_digest(course.table.game, position))
        if entry.public != public:
            raise refuse("audit/public")
        if entry.state != state_digest(before.game, position, entry.n, k_hidden):
            raise refuse("audit/state")
        return undone

    def _compare(self, entry: record.Changed, says: Told, played: Played, game: AnyGame) -> None:
        """The record against what the rules say, field by field."""
        for field, code in _FIELDS.items():
            if field == "auto" and isinstance(entry, record.Start):
                continue
            if not _same(getattr(entry, field), getattr(says, field)):
                raise refuse(code)
        if isinstance(entry, record.Start):
            order = by_rules(lambda: game.order(played.outcome.position.state))
            if tuple(order) != entry.order:
                raise refuse("audit/order")
        self.draws += len(entry.draws)
        self._compare_hidden(entry.n, played)

    def _compare_hidden(self, number: int, played: Played) -> None:
        hidden = tuple(played.dice.hidden)
        if hidden:
            self.owing.append(number)
        drawn = self.log.drawn.get(number)
        if drawn is None:
            return
        self.line = line_of(drawn.n)
        if not hidden:
            raise refuse("audit/drawn-extra", of=number)
        if drawn.draws != hidden:
            raise refuse("audit/hidden-draws", of=number)
        self.draws += len(hidden)

    def _all_drawn(self) -> bool:
        missing = [number for number in self.owing if number not in self.log.drawn]
        if not missing:
            return True
        newest = max(self.log.drawn, default=-1)
        if missing[0] < newest or self.log.named:
            self.line = line_of(missing[0])
            raise refuse("audit/drawn-missing", of=missing[0])
        return False


def _same(recorded: Any, made: Any) -> bool:
    """Whether two values of a field are written alike: in JSON, `true` is not `1`."""
    if isinstance(made, str):
        return bool(recorded == made)
    return canonical(recorded) == canonical(made)


def _is_decided(course: Course) -> bool:
    """Whether the game is over already: whoever is still waited for then is excused, and not late."""
    position = course.position
    if position is None:
        return False
    return by_rules(lambda: course.table.game.result(position.state)) is not None


def _check_schemas(charter: record.Charter, game: AnyGame) -> None:
    own = schema.digests(game)
    for name in sorted({**own, **charter.schemas}):
        if own.get(name) != charter.schemas.get(name):
            raise refuse("audit/schemas", name=name.encode("ascii", "backslashreplace").decode("ascii"))


def _check_secrets(charter: record.Charter, k_hidden: bytes, seed: bytes) -> None:
    if hidden_commit(charter.game, k_hidden).hex() != charter.hidden:
        raise refuse("audit/hidden-key")
    if chain_link(seed, charter.game, HOST, 0).hex() != charter.tip:
        raise refuse("audit/host-seed")


def _check_host_link(entry: record.Record, before: Ledger, seed: bytes) -> None:
    """`start` carries link 1, the record that closes turn t link t + 1."""
    if not isinstance(entry, record.Changed | record.Ruling) or entry.link is None:
        return
    number = before.turn + 1
    if number > LENGTH or chain_link(seed, before.game, HOST, number).hex() != entry.link:
        raise refuse("audit/host-link", link=number)


def _reason(refused: Refused) -> str:
    args = refused.refusal.args
    return str(args.get("code") or args.get("reason") or refused.refusal.code)
