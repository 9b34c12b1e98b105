"""Letters that no step causes: invitations, refusals, a receipt once more, and the opened archive."""

from __future__ import annotations

import msgspec

from engine import Code, Refusal, plain, say, sentences, words
from pbem.log.canonical import digest, pretty
from pbem.log.seal import sign
from pbem.turn import time_words, wording
from pbem.turn.desk import Desk
from pbem.turn.desk_file import desk_file
from pbem.turn.eml import Attachment
from pbem.turn.posting import Carried, Draft, Letter, log_file, render_letter
from pbem.turn.refusals import TABLE
from pbem.turn.views import address
from pbem.turn.wording import heading, paragraph


def refusal_text(refusal: Refusal, lang: str, table: dict[str, Code] = TABLE) -> str:
    """Code, order, what was expected, what was found, what to do next; `table` has the words of the code."""
    expected, found, todo = sentences(refusal, table)
    rows = [
        paragraph(say("Expected: {sentence}", sentence=expected), lang),
        paragraph(say("Found: {sentence}", sentence=found), lang),
        paragraph(say("What to do: {sentence}", sentence=todo), lang),
    ]
    if refusal.quote:
        number = refusal.order or 1
        rows.insert(0, paragraph(say("Order {number}: {quote}", number=number, quote=refusal.quote), lang))
    return "\n".join([heading(say("Code {code}", code=refusal.code), lang), *rows])


def refusal_letter(desk: Desk, seat: str, refusal: Refusal, answers: str) -> Letter:
    """Why an envelope was not accepted. Nothing has changed, and the same link may be used again."""
    lang = desk.lang(seat)
    first = say("Your mail was not accepted, and nothing has changed. Once it is mended, send it again.")
    text = wording.letter_text([paragraph(first, lang), refusal_text(refusal, lang)])
    name = digest(msgspec.json.encode((plain(refusal), answers, desk.now, seat)))[:24]
    subject = words(say("[pbem {game}] not accepted: {code}", game=desk.game_id, code=refusal.code), lang)
    draft = Draft(f"{desk.game_id}.refused.{name}@{desk.post.domain}", subject, text, (), True, answers)
    return render_letter(desk, seat, draft)


def again_letter(desk: Desk, seat: str, record: int, answers: str) -> Letter:
    """The same payload has come again: the same receipt."""
    lang = desk.lang(seat)
    sentence = say("That mail had been taken already: it is record {record} of the log.", record=record)
    more = say("Nothing has changed. The line itself is in the letter that you were sent for it.")
    text = wording.letter_text([paragraph(sentence, lang), paragraph(more, lang)])
    subject = words(say("[pbem {game}] already recorded as {record}", game=desk.game_id, record=record), lang)
    name = f"{desk.game_id}.again.{seat}.{record}@{desk.post.domain}"
    return render_letter(desk, seat, Draft(name, subject, text, (), True, answers))


def invitation_letter(desk: Desk, seat: str) -> Letter:
    """An invitation, with the file that `pbem join` reads, and the page that does all of it in a browser."""
    lang, game = desk.lang(seat), desk.table.game
    file = f"{desk.game_id}-{seat}.invitation.json"
    names = tuple(game.seat_names[other] for other in desk.charter.seats)
    sentences_ = [
        say("You are invited to a game of {title}, played by mail.", title=game.title),
        say("Seats: {names}. Yours is {seat}.", names=names, seat=game.seat_names[seat]),
        say("Nobody can roll for you or move for you: every move is signed, every roll can be checked."),
    ]
    text = wording.letter_text(
        [
            "\n".join(paragraph(one, lang) for one in sentences_),
            time_words.terms(desk, seat),
            wording.how_to_join(file, address(desk, seat), lang),
            time_words.until(desk, seat, (seat,)),
        ]
    )
    subject = words(
        say("[pbem {game}] your invitation as {seat}", game=desk.game_id, seat=game.seat_names[seat]), lang
    )
    name = f"{desk.game_id}.invitation.{seat}@{desk.post.domain}"
    due = time_words.calendar_file(desk, seat, (seat,))
    files = (
        Attachment(file, "application/json", invitation_file(desk, seat)),
        desk_file(),
        *((due,) if due is not None else ()),
    )
    return render_letter(desk, seat, Draft(name, subject, text, files))


def invitation_file(desk: Desk, seat: str) -> bytes:
    """What `pbem join` needs: the charter's line, the seat, its token, and where to mail to; signed by the host."""
    payload = {
        "v": 1,
        "kind": "invitation",
        "game": desk.game_id,
        "seat": seat,
        "token": desk.people[seat].token,
        "address": address(desk, seat),
        "charter_line": desk.charter_line.decode("utf-8"),
    }
    return pretty(
        {
            "payload": payload,
            "sig": sign(desk.secrets.key, "invitation", msgspec.json.encode(payload, order="sorted")),
        }
    )


def archive_letter(desk: Desk, seat: str) -> Letter:
    """After the end: every envelope and every hidden draw is open."""
    lang = desk.lang(seat)
    file = log_file(desk, seat)
    sentence = say(
        "The game is complete. The attached lines open every sealed move and every hidden draw; with them your"
        " copy of the log is the whole archive. Type `pbem audit` with its name: it plays the game again and"
        " checks all of it."
    )
    ledger = desk.snapshot.ledger
    text = wording.letter_text(
        [paragraph(sentence, lang), wording.how_to_check(ledger.head, ledger.n, file.name, lang)]
    )
    subject = words(say("[pbem {game}] the archive is open", game=desk.game_id), lang)
    name = f"{desk.game_id}.archive.{seat}.{ledger.n}@{desk.post.domain}"
    carried = Carried(desk.snapshot.journals[seat].sent)
    return render_letter(desk, seat, Draft(name, subject, text, (file,), carried=carried))
