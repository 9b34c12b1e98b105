"""Letters about time alone: deadlines that moved, clocks that stopped, reminders, moves that wait.

A letter that carries lines of the log brings its reader up to date with it; a reminder and a receipt of a move that
waits carry none.
"""

from __future__ import annotations

from typing import Any

import msgspec

from engine import Refusal, Say, plain, say, words
from pbem.log.canonical import canonical, digest
from pbem.log.envelope import make_envelope
from pbem.turn import time_words, wording
from pbem.turn.answers import refusal_text
from pbem.turn.desk import Desk, Person, Snapshot, Waits
from pbem.turn.eml import Attachment
from pbem.turn.posting import Carried, Draft, Letter, log_file, render_letter
from pbem.turn.views import address, awaited, view_envelope
from pbem.turn.wording import paragraph

replace = msgspec.structs.replace


class TimePosted(msgspec.Struct, frozen=True):
    """Letters, and the snapshot that remembers them."""

    letters: tuple[Letter, ...]
    snapshot: Snapshot


def post_times(desk: Desk, lines: tuple[bytes, ...]) -> TimePosted:
    """To every seat: what new lines, all about time, have changed. `desk` is as it is after them."""
    tail = (*desk.snapshot.tail, *(line.decode("utf-8") for line in lines))
    desk = replace(desk, snapshot=replace(desk.snapshot, tail=tail))
    waits, journals = awaited(desk), dict(desk.snapshot.journals)
    letters: list[Letter] = []
    for seat in desk.charter.seats:
        letter = _times_letter(desk, seat, lines, waits)
        letters.append(letter)
        old = journals[seat]
        thread = (*old.thread[:1], letter.message_id)
        journals[seat] = replace(old, sent=desk.snapshot.ledger.n + 1, thread=thread)
    return TimePosted(tuple(letters), _trimmed(replace(desk.snapshot, journals=journals)))


def _times_letter(desk: Desk, seat: str, lines: tuple[bytes, ...], waits: tuple[str, ...]) -> Letter:
    lang, ledger = desk.lang(seat), desk.snapshot.ledger
    log, file = log_file(desk, seat), time_words.calendar_file(desk, seat, waits)
    text = wording.letter_text(
        [
            "\n".join(paragraph(one, lang) for one in time_words.of_lines(desk, lines, seat)),
            time_words.until(desk, seat, waits),
            "\n".join(paragraph(one, lang) for one in time_words.others(desk, seat, waits)),
            wording.how_to_check(ledger.head, ledger.n, log.name, lang),
        ]
    )
    subject = words(say("[pbem {game}] turn {turn}: deadlines", game=desk.game_id, turn=ledger.turn), lang)
    name = f"{desk.game_id}.time.{seat}.{ledger.n}@{desk.post.domain}"
    files = (*((file,) if file else ()), log)
    carried = Carried(desk.snapshot.journals[seat].sent)
    return render_letter(desk, seat, Draft(name, subject, text, files, carried=carried))


def reminder(desk: Desk, seat: str, mark: str) -> Letter:
    """The seat's time is running out: the view once more, and a move file, so that this letter can be answered."""
    lang, ledger, waits = desk.lang(seat), desk.snapshot.ledger, awaited(desk)
    files: list[Attachment] = []
    steps = ""
    if ledger.phase != "joining" or all(entry.public_key for entry in ledger.roster):
        view = view_envelope(desk, desk.position, seat, ())
        stem = f"{desk.game_id}-{ledger.n:04d}-{seat}"
        files.append(Attachment(f"{stem}.view.json", "application/json", view.text()))
        where = address(desk, seat)
        if ledger.phase == "playing":
            steps = wording.how_to_answer_reminder(files[0].name, where, lang)
        else:
            steps = wording.how_to_confirm(files[0].name, where, lang)
    file = time_words.calendar_file(desk, seat, waits)
    files += [file] if file else []
    text = wording.letter_text(
        [
            paragraph(
                say(
                    "The game still waits for you. If your answer is on its way, this letter has crossed it."
                ),
                lang,
            ),
            time_words.until(desk, seat, waits),
            steps,
        ]
    )
    subject = words(say("[pbem {game}] turn {turn}: a reminder", game=desk.game_id, turn=ledger.turn), lang)
    name = f"{desk.game_id}.reminder.{_short(mark)}@{desk.post.domain}"
    return render_letter(desk, seat, Draft(name, subject, text, tuple(files)))


def receipt_file(desk: Desk, waits: Waits) -> Attachment:
    """The host's signed word that a move is in, though no record says so yet."""
    payload: dict[str, Any] = {
        "v": 1,
        "kind": "receipt",
        "game": desk.game_id,
        "seat": waits.seat,
        "envelope": waits.envelope,
        "rev": waits.rev,
        "at": waits.put,
        "base": desk.snapshot.ledger.head,
        "n": desk.snapshot.ledger.n,
    }
    payload |= {"due": waits.due} if waits.due else {"advance": True}
    name = f"{desk.game_id}-{waits.seat}-{waits.rev}.receipt.json"
    return Attachment(name, "application/json", make_envelope(desk.secrets.key, payload).text())


def waits_letter(desk: Desk, waits: Waits, answers: str) -> Letter:
    """A move is in, and waits: until when it can still be changed, or for its turn."""
    lang, seat = desk.lang(waits.seat), waits.seat
    files = (_view_file(desk, seat, f"r{waits.rev}"), receipt_file(desk, waits))
    rows = [_waits_how(desk, waits), _waits_change(waits)]
    rows.append(
        say(
            "{file} is the host's signed receipt: keep it until the log has the move. Its envelope is {envelope}.",
            file=files[1].name,
            envelope=waits.envelope,
        )
    )
    text = wording.letter_text([paragraph(row, lang) for row in rows])
    turn = desk.snapshot.ledger.turn
    subject = say("[pbem {game}] turn {turn}: your move is in", game=desk.game_id, turn=turn)
    if not waits.due:
        subject = say("[pbem {game}] turn {turn}: your move in advance", game=desk.game_id, turn=turn)
    name = f"{desk.game_id}.waits.{waits.envelope[:24]}@{desk.post.domain}"
    return render_letter(desk, seat, Draft(name, words(subject, lang), text, files, True, answers))


def _waits_how(desk: Desk, waits: Waits) -> Say:
    if waits.due:
        return say(
            "Your move is in. It is played on {at}, and until then you can change it.",
            at=time_words.at_said(desk, waits.seat, waits.due),
        )
    return say(
        "Your move in advance is in, and stays sealed. It is played when your next turn comes, if all that it is bound"
        " to holds then and every order can be carried out. Otherwise you are asked as usual, and told why."
    )


def _waits_change(waits: Waits) -> Say:
    return say(
        "To change it, send another, made from the view in this letter. To take it back: `pbem withdraw`, the name of"
        " that view, and {rev}.",
        rev=waits.rev,
    )


def withdrawn_letter(desk: Desk, waits: Waits, answers: str) -> Letter:
    """A move that waited was taken back."""
    lang = desk.lang(waits.seat)
    text = paragraph(say("Your move {rev} was taken back, and will not be played.", rev=waits.rev), lang)
    subject = words(say("[pbem {game}] your move was taken back", game=desk.game_id), lang)
    name = f"{desk.game_id}.withdrawn.{waits.envelope[:24]}@{desk.post.domain}"
    files = (_view_file(desk, waits.seat, f"w{waits.rev}"),)
    return render_letter(desk, waits.seat, Draft(name, subject, f"{text}\n", files, True, answers))


def dropped_letter(desk: Desk, waits: Waits, refusal: Refusal) -> Letter:
    """A move that waited could not be played when its time came: why, and that nothing else has changed."""
    lang, seat = desk.lang(waits.seat), waits.seat
    first = say("Your move {rev}, which waited for its time, was not played.", rev=waits.rev)
    second = say("If a move of yours is waited for, you are asked for it in a letter of its own.")
    text = wording.letter_text(
        [f"{paragraph(first, lang)}\n{paragraph(second, lang)}", refusal_text(refusal, lang)]
    )
    subject = words(say("[pbem {game}] a move that waited was dropped", game=desk.game_id), lang)
    mark = digest(canonical([plain(refusal), waits.envelope, desk.now]))
    name = f"{desk.game_id}.dropped.{mark[:24]}@{desk.post.domain}"
    return render_letter(desk, seat, Draft(name, subject, text))


def settings_letter(desk: Desk, seat: str, mark: str, answers: str) -> Letter:
    """What a player's settings are now."""
    lang, person = desk.lang(seat), desk.people[seat]
    rows = [say("Times are told to you in the zone {zone}.", zone=time_words.zone_of(desk, seat))]
    if person.quiet:
        rows.append(say("You are not reminded in the hours {hours}.", hours=person.quiet))
    else:
        rows.append(say("You are reminded at any hour."))
    rows.append(say("Your letters are in English."))
    match person.pictures:
        case "on":
            rows.append(say("Your letters bring pictures of the board."))
        case "off":
            rows.append(say("Your letters bring the board in words, as text and as HTML, and no pictures."))
        case "text":
            rows.append(say("Your letters are text alone."))
        case _:
            pass
    rows += _where_to(person)
    text = "\n".join(paragraph(row, lang) for row in rows)
    subject = words(say("[pbem {game}] your settings", game=desk.game_id), lang)
    name = f"{desk.game_id}.settings.{mark[:24]}@{desk.post.domain}"
    files = (_view_file(desk, seat, mark[:6]),)
    return render_letter(desk, seat, Draft(name, subject, f"{text}\n", files, True, answers))


def _where_to(person: Person) -> list[Say]:
    """Where his letters go, which only he is told."""
    rows = [say("Your letters go to {address}.", address=person.address)]
    if person.second:
        rows.append(say("Your second address is {address}.", address=person.second))
    if person.wanted:
        wanted = person.wanted.split(" ")[1]
        rows.append(
            say("A mail has gone to {address}: when you confirm what it says, that counts.", address=wanted)
        )
    return rows


def _view_file(desk: Desk, seat: str, mark: str) -> Attachment:
    """The seat's view as it is now, for the numbers in it: what is sent next must have a higher one."""
    view = view_envelope(desk, desk.position, seat, ())
    name = f"{desk.game_id}-{desk.snapshot.ledger.n:04d}-{seat}-{mark}.view.json"
    return Attachment(name, "application/json", view.text())


def _trimmed(snapshot: Snapshot) -> Snapshot:
    first = min(journal.sent for journal in snapshot.journals.values())
    return replace(snapshot, tail=snapshot.tail[first - snapshot.tail_from :], tail_from=first)


def _short(mark: str) -> str:
    return digest(mark.encode("utf-8"))[:20]
