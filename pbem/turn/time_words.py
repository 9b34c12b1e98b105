"""Time in letters: until when, in the reader's zone and in UTC, and the calendar file that says the same.

Everything said here is public: deadlines stand in the log. Knows no clock, and decides no deadline.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from engine import Say, plural, say, verbatim, words
from pbem.log import payloads, record
from pbem.log.chain import HOST
from pbem.log.record import read_record
from pbem.turn import times as facts
from pbem.turn import zones
from pbem.turn.desk import Desk, name_of
from pbem.turn.eml import Attachment
from pbem.turn.ics import Event, calendar
from pbem.turn.policy import TimePolicy, policy_of
from pbem.turn.times import Due, Times
from pbem.turn.wording import paragraph

CALENDAR = "text/calendar; charset=utf-8; method=PUBLISH"


def zone_of(desk: Desk, seat: str) -> str:
    """The zone in which a seat reads times: its own, else the game's."""
    policy = policy_of(desk.charter.deadline)
    person = desk.people.get(seat)
    return (person.zone if person else "") or (policy.zone if policy else "UTC")


def at_said(desk: Desk, seat: str, at: str) -> Say:
    """An instant as a seat reads it."""
    return zones.spoken(zones.seconds_of(at), zone_of(desk, seat))


def terms(desk: Desk, seat: str) -> str:
    """How this game is timed, in a few sentences; empty where it has no deadlines."""
    policy, lang = policy_of(desk.charter.deadline), desk.lang(seat)
    if policy is None:
        return ""
    rules = tuple(
        say("{rule} for {kind}", rule=rule, kind=KINDS.get(kind) or verbatim(kind))
        for kind, rule in policy.rules.items()
    )
    rows = [say("Time to decide: {rules} (zone {zone}).", rules=rules, zone=policy.zone)]
    if policy.grace:
        rows.append(say("What is late by no more than {grace} still counts.", grace=policy.grace))
    if policy.hold:
        rows.append(say("A move can be changed for {hold} after it came in.", hold=policy.hold))
    if policy.vacation:
        rows.append(say("Days of vacation for each player: {days}.", days=policy.vacation))
    rows.append(SILENT[policy.silence])
    return "\n".join(paragraph(row, lang) for row in rows)


KINDS = {
    "all": say("everything else"),
    "join": say("joining"),
    "ready": say("confirming"),
    "move": say("a move"),
    "answer": say("an answer in another's turn"),
}
SILENT = {
    "default": say("Whoever says nothing until then has the safe default played for him."),
    "bot": say("For whoever says nothing until then a bot plays."),
    "skip": say("Whoever says nothing until then is skipped, where the rules allow it."),
    "pause": say("When somebody says nothing until then, the clocks stop until he does."),
    "substitute": say(
        "When somebody says nothing until then, the clocks stop and his seat is offered to others."
    ),
}


def own_due(desk: Desk, seat: str, awaited: Sequence[str]) -> Due | None:
    """The seat's deadline, if the game waits for it."""
    return desk.snapshot.times.due.get(seat) if seat in awaited else None


def until(desk: Desk, seat: str, awaited: Sequence[str]) -> str:
    """For a seat that is waited for: until when, and that a calendar file says so; else empty."""
    due = own_due(desk, seat, awaited)
    if due is None:
        return ""
    lang, policy = desk.lang(seat), policy_of(desk.charter.deadline)
    rows = [paragraph(_until_own(desk, seat, due), lang)]
    if policy is not None and policy.grace and not desk.snapshot.times.paused:
        last = zones.stamp(facts.last_instant(due, policy))
        late = say("What comes later is still taken until {at}.", at=at_said(desk, seat, last))
        rows.append(paragraph(late, lang))
    rows.append(
        paragraph(say("The file {file} puts it into your calendar.", file=_name(desk, seat, due)), lang)
    )
    return "\n".join(rows)


def _until_own(desk: Desk, seat: str, due: Due) -> Say:
    if desk.snapshot.times.paused:
        return say("The clocks of this game stand, so no time is running out.")
    return say("You have time until {at}.", at=at_said(desk, seat, due.at))


def others(desk: Desk, seat: str, awaited: Sequence[str]) -> tuple[Say, ...]:
    """Until when the others have time, one sentence a deadline."""
    found: dict[str, list[str]] = {}
    if desk.snapshot.times.paused:
        return ()
    for other in awaited:
        due = desk.snapshot.times.due.get(other)
        if due is not None and other != seat:
            found.setdefault(due.at, []).append(other)
    return tuple(
        plural(
            "{names} has time until {at}.",
            "{names} have time until {at}.",
            n=len(named),
            names=tuple(name_of(desk, one) for one in named),
            at=at_said(desk, seat, at),
        )
        for at, named in found.items()
    )


def calendar_file(desk: Desk, seat: str, awaited: Sequence[str]) -> Attachment | None:
    """The seat's deadline as a calendar file."""
    due = own_due(desk, seat, awaited)
    if due is None:
        return None
    lang, game = desk.lang(seat), desk.table.game
    title = say("{title}, game {game}: your move", title=game.title, game=desk.game_id)
    event = Event(
        uid=f"{desk.game_id}.{due.turn}.{seat}.{due.since.replace(':', '').replace('-', '')}@{desk.post.domain}",
        sequence=_sequence(desk.snapshot.times, due),
        stamp=desk.snapshot.ledger.at,
        at=due.at,
        summary=words(title, lang),
        description=words(say("Until then the host waits for what you decide."), lang),
        stopped=bool(desk.snapshot.times.paused),
    )
    return Attachment(_name(desk, seat, due), CALENDAR, calendar(event))


def _sequence(times: Times, due: Due) -> int:
    """Rises with every move, and stands between two of them while the clocks stand."""
    return 2 * due.seq + bool(times.paused)


def _name(desk: Desk, seat: str, due: Due) -> str:
    return f"{desk.game_id}-{due.turn}-{seat}.ics"


def of_lines(desk: Desk, lines: Iterable[bytes], seat: str) -> tuple[Say, ...]:
    """What new lines say of time beside first deadlines, as a seat reads it; each once."""
    policy = policy_of(desk.charter.deadline)
    if policy is None:
        return ()
    said: list[Say] = []
    for line in lines:
        entry = read_record(line)
        sentence = None
        if isinstance(entry, record.Deadline):
            sentence = _of_deadline(desk, entry, seat)
        elif isinstance(entry, record.Time):
            said += [one for one in _of_word(desk, entry, policy, seat) if one not in said]
        if sentence is not None and sentence not in said:
            said.append(sentence)
    return tuple(said)


def _of_deadline(desk: Desk, entry: record.Deadline, seat: str) -> Say | None:
    if entry.new == facts.PAUSED:
        return _stopped(desk, entry)
    if entry.new == facts.RUNNING:
        return say("The clocks run again; every deadline is later by as long as they stood.")
    if entry.reason in (facts.OPENED, facts.RESUMED):
        return None
    new = msgspec.convert(entry.new, facts.Deadline)
    names, at = tuple(name_of(desk, one) for one in new.seats), at_said(desk, seat, new.at)
    match entry.reason:
        case facts.OUTAGE:
            return say(
                "The service was out of order; the deadline of {names} is now {at}.", names=names, at=at
            )
        case facts.PUT_BACK:
            return say("The game was on hold; the deadline of {names} is now {at}.", names=names, at=at)
        case facts.CONSENT:
            return say("All have agreed: the deadline of {names} is now {at}.", names=names, at=at)
        case _ if entry.who == HOST:
            return say(
                "The host has moved the deadline of {names} to {at}: {reason}",
                names=names,
                at=at,
                reason=entry.reason or say("no reason given."),
            )
        case _:
            return None


def _line(text: str) -> str:
    """A stranger's words on one line, without control characters."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def _stopped(desk: Desk, entry: record.Deadline) -> Say:
    if entry.reason == facts.CLOCK:
        return say(
            "The clock of the service has leapt, so all deadlines of this game stand still until the host has looked at it."
        )
    if entry.reason.startswith(f"{facts.SILENCE}:"):
        who = name_of(desk, entry.reason.partition(":")[2])
        return say(
            "The time of {who} is up. The clocks of this game stand until {who} moves or the host lets it go on.",
            who=who,
        )
    return say(
        "The host has stopped the clocks of this game: {reason}",
        reason=entry.reason or say("no reason given."),
    )


def _of_word(desk: Desk, entry: record.Time, policy: TimePolicy, seat: str) -> tuple[Say, ...]:
    who = name_of(desk, entry.seat)
    ask = msgspec.convert(entry.ask, payloads.Away | payloads.Extend)
    if isinstance(ask, payloads.Away):
        if not ask.periods:
            return (say("{who} has no more vacations to come.", who=who),)
        return tuple(
            say(
                "{who} is on vacation from {first} to {last} ({zone}). The deadline that runs now stays as it is.",
                who=who,
                first=one.first,
                last=one.last,
                zone=policy.zone,
            )
            for one in ask.periods
        )
    sentences = [
        say(
            "{who} wishes the deadlines of turn {turn} to move to {at}.",
            who=who,
            turn=ask.turn,
            at=at_said(desk, seat, ask.until),
        )
    ]
    if ask.reason:
        sentences.append(say("The reason given: {reason}", reason=_line(ask.reason)))
    if seat != entry.seat and seat not in desk.snapshot.times.wishes:
        sentences.append(
            say(
                "It is done when all wish the same. If you do, type `pbem extend`, the name of your newest view, and"
                " `--until {until}`.",
                until=ask.until,
            )
        )
    return tuple(sentences)
