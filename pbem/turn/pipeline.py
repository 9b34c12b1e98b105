"""The straight line: from a claim to records and letters.

`claim_file` and `claim_mail` are the part before the desk is loaded, `judge` the part after it: a pure
function of claims and desk, outgoing mails included. `Refused` is caught here and nowhere else, and
becomes a refusal letter; anything else that is raised is a fault of ours and changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from engine import Refusal, Refused, plain, refuse
from pbem.log.envelope import Envelope, Sealed, read_envelope
from pbem.log.ledger import member
from pbem.log.payloads import Advance, Move, Settings, Undo, Withdraw
from pbem.turn import (
    accept,
    addresses,
    answers,
    clocks,
    fresh,
    letters,
    mime,
    schema,
    sealing,
    settings,
    shelf,
    time_letters,
    times,
    undo,
    views,
    zones,
)
from pbem.turn.accept import Step
from pbem.turn.desk import Archive, Desk, Estate, Kept, Person, Snapshot
from pbem.turn.mail_begun import Begun
from pbem.turn.policy import policy_of
from pbem.turn.posting import Letter
from pbem.turn.writer import write_end

replace = msgspec.structs.replace


class Claims(msgspec.Struct, frozen=True):
    """What a mail or a file claims: envelopes found, none of them verified; how to answer the mail.

    `sender` is only a hint, and `auto` means that no person wrote this, so that it must not be answered. `subject`
    is decoded, one line. `torn`: what begins in the mail, too, and cannot be read.
    """

    envelopes: tuple[Envelope, ...]
    trouble: Refusal | None = None
    sender: str = ""
    message_id: str = ""
    auto: bool = False
    subject: str = ""
    torn: tuple[Begun, ...] = ()

    @property
    def is_torn(self) -> bool:
        """Whether a move begins in the mail, however it is encoded, that is not to be read: what no program writes."""
        return self.trouble is not None and self.trouble.code == "mail/damaged"


class Known(msgspec.Struct, frozen=True):
    """What was looked up for a claim: record numbers of the lines it may name, and of what it repeats.

    `bases`: line digest → record number. `seen`: payload digest → the number of its record. `estate` for a claim that
    takes a seat over, `archive` for one that wishes to go back.
    """

    bases: Mapping[str, int] = {}
    seen: Mapping[str, int] = {}
    estate: Estate = Estate()
    archive: Archive = Archive()


class Verdict(msgspec.Struct, frozen=True):
    """What came of a claim. With a refusal nothing changed, and `snapshot` and `people` are as before.

    `finished`: the game is over, and its envelopes wait to be opened by `finish`. `taken`: the seat whose offer has
    been taken up, or empty. `quiet`: the snapshot has changed without a record, by a move that waits, say. `free`: seats
    that are silent too often, to be offered to others. `late`: seats that have not joined or confirmed in time. `moved`:
    a player has another address.
    """

    snapshot: Snapshot
    people: Mapping[str, Person]
    lines: tuple[bytes, ...] = ()
    kept: tuple[Kept, ...] = ()
    letters: tuple[Letter, ...] = ()
    refusal: Refusal | None = None
    finished: bool = False
    taken: str = ""
    quiet: bool = False
    free: tuple[str, ...] = ()
    late: tuple[str, ...] = ()
    moved: bool = False


def claim_file(data: bytes) -> Claims:
    """The claim of a move file. What is wrong with it becomes its trouble."""
    try:
        return Claims((read_envelope(data),))
    except Refused as refused:
        return Claims((), refused.refusal)


def claim_mail(raw: bytes) -> Claims:
    """The claims of a mail: every envelope in it that has the right shape."""
    mail = mime.open_mail(raw)
    try:
        found, trouble = mime.claims(mail, read_envelope), mail.trouble
    except Refused as refused:
        found, trouble = (), refused.refusal
    message_id = mail.message_id.strip("<>")
    return Claims(found, trouble, mail.sender, message_id, mail.auto, mail.subject, mail.torn)


def attached_views(raw: bytes) -> tuple[Envelope, ...]:
    """The views in mails that are attached to a mail: a letter of ours that a player has forwarded so."""
    return tuple(
        one for inner in mime.attached_mails(raw) for one in claim_mail(inner).envelopes if one.kind == "view"
    )


def judge(claims: Claims, known: Known, desk: Desk, *, hold: bool = True) -> Verdict:
    """One claim at one desk: records, letters, and the snapshot after them; or a refusal and its letter.

    Without `hold`, a move is played at once, though the game lets its author change his mind.
    """
    try:
        # 1. one envelope whose signature is right
        sealed = _meant(claims, known, desk)
    except Refused as refused:
        return _refused(desk, refused.refusal, _whose(claims, desk), claims.message_id)
    try:
        # 2. the same payload again: the same receipt, and nothing else
        if sealed.payload_digest in known.seen:
            return _again(desk, sealed.seat, known.seen[sealed.payload_digest], claims.message_id)
        waits = next((w for w in desk.snapshot.shelf if w.payload_digest == sealed.payload_digest), None)
        if waits is not None and hold:
            letter = time_letters.waits_letter(desk, waits, claims.message_id)
            return Verdict(desk.snapshot, desk.people, letters=(letter,))
        # 3. schemas, and with them types
        payload = schema.check(sealed.payload, (desk.table.game.id, desk.table.game.version))
        # 4. the right moment
        base = known.bases.get(payload.base)
        fresh.check(payload, desk.snapshot.ledger, base)
        # 5. what leaves no record, now or ever
        if isinstance(payload, Withdraw | Settings):
            return _unrecorded(desk, sealed, payload, claims.message_id)
        if isinstance(payload, Move | Advance) and hold and shelf.holds(desk, payload):
            return _waits(desk, sealed, payload, (base or 0, claims.message_id))
        if isinstance(payload, Undo):
            return told(desk, undo.wish(desk, sealed, payload, known.archive))
        # 6. play and record, 7. letters
        return told(desk, replace(accept.accept(desk, sealed, payload), estate=known.estate))
    except Refused as refused:
        return _refused(desk, refused.refusal, sealed.seat, claims.message_id)


def silence(desk: Desk, seat: str) -> Verdict:
    """A seat's time has run out. Raises Refused if nothing waits for it."""
    member(desk.snapshot.ledger, seat)
    if desk.snapshot.ledger.phase != "playing":
        raise refuse("fresh/not-playing")
    policy = policy_of(desk.charter.deadline)
    if policy is None:
        return told(desk, accept.silence(desk, seat))
    due = desk.snapshot.times.due.get(seat)
    if desk.snapshot.times.paused:
        raise refuse("time/paused")
    if due is not None and zones.seconds_of(desk.now) < times.last_instant(due, policy):
        raise refuse("time/too-early", at=due.at)
    return told(
        desk, accept.silence(desk, seat, policy.silence if policy.silence in ("bot", "skip") else None)
    )


def unsettles(claims: Claims, known: Known, desk: Desk) -> bool:
    """Whether a claim, if it is accepted, changes the position while moves of others are held."""
    try:
        return _meant(claims, known, desk).kind in ("resign", "undo")
    except Refused:
        return False


def _meant(claims: Claims, known: Known, desk: Desk) -> Sealed:
    """The envelope that a mail is about. Refused: none is sound, or what its player has sent now cannot be read.

    Whoever answers a mail of his own quotes the move that was in it; of that nothing has to be heard again.
    """
    waiting = [waits.payload_digest for waits in desk.snapshot.shelf]
    taken = [*sorted(known.seen, key=lambda digest: known.seen[digest]), *waiting]
    sealed = sealing.choose(claims.envelopes, claims.trouble, desk, taken)
    # 1. what begins in the mail and does not end was made when there were more lines than this one knows, or after it
    base, rev = known.bases.get(str(sealed.payload.get("base", ""))), sealed.payload.get("rev")
    this = (-1 if base is None else base, rev if isinstance(rev, int) else -1)
    for begun in claims.torn:
        if begun.kind == sealed.kind and (known.bases.get(begun.base, -1), begun.rev) > this:
            raise refuse("mail/damaged")
    # 2. what was taken lies beside a file that cannot be read, and its player is asked for another move
    if claims.trouble is not None and sealed.payload_digest in taken and sealed.seat in views.awaited(desk):
        raise Refused(claims.trouble)
    return sealed


def call_off(desk: Desk, reason: str) -> Verdict:
    """The host ends a game that is under way; `finish` opens it then. Refused `fresh/not-playing`."""
    if desk.snapshot.ledger.phase != "playing":
        raise refuse("fresh/not-playing")
    return told(desk, accept.call_off(desk, reason))


def finish(desk: Desk, kept: Iterable[Kept]) -> Verdict:
    """The end of a game that is over, or is called off before its start: result, secrets, everything opened.

    `kept` is what was kept of every record, in order. The last letters carry the lines.
    """
    ledger = desk.snapshot.ledger
    if ledger.phase not in ("over", "joining", "readying"):
        raise refuse("fresh/not-over")
    book = write_end(accept.open_book(desk), _result(desk), kept)
    after = replace(desk, snapshot=replace(desk.snapshot, ledger=book.ledger))
    posted = letters.post_archive(after, book.lines)
    return Verdict(posted.snapshot, desk.people, book.lines, letters=posted.letters)


def _result(desk: Desk) -> dict[str, Any]:
    position = desk.position
    if position is None or desk.snapshot.ledger.ruled:
        return {"how": "cancelled", "places": []}
    result: dict[str, Any] = plain(desk.table.game.result(position.state))
    return result


def _waits(desk: Desk, sealed: Sealed, payload: Move | Advance, came: tuple[int, str]) -> Verdict:
    """A move that is taken, and played later."""
    snapshot, waits = shelf.put(desk, sealed, payload, came)
    after = replace(desk, snapshot=snapshot)
    letter = time_letters.waits_letter(after, waits, came[1])
    return Verdict(snapshot, desk.people, letters=(letter,), quiet=True)


def _unrecorded(desk: Desk, sealed: Sealed, payload: Withdraw | Settings, answers_to: str) -> Verdict:
    if isinstance(payload, Withdraw):
        snapshot, waits = shelf.withdraw(desk, payload)
        letter = time_letters.withdrawn_letter(replace(desk, snapshot=snapshot), waits, answers_to)
        return Verdict(snapshot, desk.people, letters=(letter,), quiet=True)
    after, more = addresses.apply(settings.apply(desk, payload), payload)
    letter = time_letters.settings_letter(after, payload.seat, sealed.id, answers_to)
    moved = after.people[payload.seat].address != desk.people[payload.seat].address
    return Verdict(after.snapshot, after.people, letters=(letter, *more), quiet=True, moved=moved)


def told(before: Desk, step: Step) -> Verdict:
    """The verdict of a step: what follows from it in time, and the letters."""
    step = clocks.follow(before, step)
    if step.what in ("resign", "rotated", "reset", "taken"):
        step = replace(step, desk=shelf.cleared(step.desk, step.seat))
    posted = letters.post(step)
    return Verdict(
        posted.snapshot,
        step.desk.people,
        step.book.lines,
        step.book.kept,
        posted.letters,
        finished=step.book.ledger.phase == "over",
        taken=step.seat if step.what in ("taken", "reset") else "",
        quiet=not step.book.lines,
    )


def _whose(claims: Claims, desk: Desk) -> str:
    """Of whom an unsound mail is, as far as it may be answered: it came from the address of a seat it names.

    Nobody else is ever answered. A file that is judged by hand has no sender, and speaks for the seat it names.
    """
    if claims.auto:
        return ""
    named = [one.seat for one in claims.envelopes if one.seat in desk.people]
    if not claims.sender:
        return named[0] if named else ""
    theirs = seats_of(desk, claims.sender)
    return next((seat for seat in named if seat in theirs), theirs[0] if theirs else "")


def seats_of(desk: Desk, address: str) -> list[str]:
    """The seats whose player has this address, as his first or his second."""
    wanted = address.casefold()
    return [
        seat
        for seat, person in desk.people.items()
        if wanted and wanted in (person.address.casefold(), person.second.casefold())
    ]


def _refused(desk: Desk, refusal: Refusal, seat: str, message_id: str) -> Verdict:
    sent = (answers.refusal_letter(desk, seat, refusal, message_id),) if seat else ()
    return Verdict(desk.snapshot, desk.people, letters=sent, refusal=refusal)


def _again(desk: Desk, seat: str, record: int, message_id: str) -> Verdict:
    return Verdict(
        desk.snapshot, desk.people, letters=(answers.again_letter(desk, seat, record, message_id),)
    )
