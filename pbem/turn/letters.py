"""Letters: who is told what of a step, and in which order. A letter is written from views and heard events.

The only door between a position and a reader is `game.view` and `game.hear`; the report is made of these.
The letters of a step depend on nothing that their reader may not see, not even their order or number.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from engine import Lapsed, Say, decode, encode, plain, say, words
from pbem.log.ledger import member
from pbem.turn import answers, press, time_words, undo_letters, wording
from pbem.turn.accept import Step
from pbem.turn.desk import Desk, Journal, Snapshot, name_of
from pbem.turn.eml import Attachment
from pbem.turn.posting import Carried, Draft, Letter, joined, log_file, render_letter
from pbem.turn.record import heard_parts
from pbem.turn.record_letters import OWN_LETTERS, record_letter
from pbem.turn.views import address, asked_now, awaited, blank_move, phase, view_file
from pbem.turn.wording import paragraph

RECEIPTS = ("ready", "standing", "time")
"""Steps whose letters bring no view: they change no position."""
replace = msgspec.structs.replace
Json = dict[str, Any]


class Posted(msgspec.Struct, frozen=True):
    """The letters of a step, and the snapshot that remembers them."""

    letters: tuple[Letter, ...]
    snapshot: Snapshot


class News(msgspec.Struct, frozen=True):
    """What a seat hears of a step: the game's events, which its report is made of, and the same as plain JSON."""

    parts: tuple[Any, ...]
    told: tuple[Json, ...]


def post(step: Step) -> Posted:
    """The letters that a step causes, in charter order, and what everybody has now been told."""
    desk = _with_tail(step.desk, step.book.lines)
    if step.what == "press":
        return _pressed(step, desk)
    told = _told(step)
    letters: list[Letter] = []
    journals = dict(desk.snapshot.journals)
    for seat in desk.charter.seats:
        news, letter = _news(step, seat), None
        if seat in told:
            letter = _letter_of(step, desk, seat, news)
            letters.append(letter)
            letters += _waiting_press(desk, seat)
        journals[seat] = _journal(step, journals[seat], seat, news.told, letter)
    return Posted(tuple(letters), _trimmed(replace(desk.snapshot, journals=journals)))


def _letter_of(step: Step, desk: Desk, seat: str, news: News) -> Letter:
    if step.what == "undo":
        return undo_letters.wish_letter(step, desk, seat)
    return record_letter(step, desk, seat) if step.what in OWN_LETTERS else _letter(step, desk, seat, news)


def _pressed(step: Step, desk: Desk) -> Posted:
    """A message: a receipt, and the message itself at once or with each reader's next letter."""
    journals, message = dict(desk.snapshot.journals), step.message
    if message is None:
        raise RuntimeError("press without a message")
    record = step.book.ledger.n if step.book.lines else 0
    letters = [press.receipt_letter(desk, step.seat, step.readers, record)]
    journals[step.seat] = press.counted(journals[step.seat], desk.now)
    for seat in step.readers:
        if press.terms_of(desk).press_when == "once":
            letters.append(press.message_letter(desk, seat, (message,), f"{desk.snapshot.ledger.n}"))
        else:
            journals[seat] = replace(journals[seat], press=(*journals[seat].press, message))
    return Posted(tuple(letters), replace(desk.snapshot, journals=journals))


def _waiting_press(desk: Desk, seat: str) -> list[Letter]:
    """What was said to a seat since its last letter: a letter of its own beside the next, so that none takes its place."""
    waiting_ = desk.snapshot.journals[seat].press
    return [press.message_letter(desk, seat, waiting_, f"{desk.snapshot.ledger.n}")] if waiting_ else []


def _told(step: Step) -> tuple[str, ...]:
    """Who gets a letter: all, when something changed for all; else the envelope's author alone."""
    seats = step.desk.charter.seats
    match step.what:
        case (
            "start"
            | "move"
            | "timeout"
            | "resign"
            | "rotated"
            | "reset"
            | "taken"
            | "ruling"
            | "time"
            | "undo"
            | "undone"
        ):
            return seats
        case "join" if all(entry.public_key for entry in step.book.ledger.roster):
            return seats
        case _:
            return (step.seat,)


def _news(step: Step, seat: str) -> News:
    parts = heard_parts(step.desk.table.game, step.events, seat)
    return News(parts, tuple(plain(parts)))


def _asked(step: Step, seat: str) -> bool:
    return step.position is not None and seat in asked_now(step.desk.table, step.position)


def _journal(step: Step, old: Journal, seat: str, news: tuple[Json, ...], letter: Letter | None) -> Journal:
    """A seat's own move wipes what it has read; a letter brings it up to date with the log.

    Without a letter, `held` and a `sent` that was set back stay: lines may be mailed twice, never not at all.
    """
    own = step.enveloped and seat == step.seat and step.what in ("move", "sealed", "resign")
    # what was undone is no news any more: the next report shows the position as it is
    kept = () if own or step.what == "undone" else (*old.news, *news)
    if letter is None:
        return replace(old, news=kept)
    first = old.thread[:1]
    sent, thread = step.book.ledger.n + 1, (*first, letter.message_id)
    return replace(old, news=kept, sent=sent, thread=thread, held=(), press=())


def _with_tail(desk: Desk, lines: tuple[bytes, ...]) -> Desk:
    tail = (*desk.snapshot.tail, *(line.decode("utf-8") for line in lines))
    return replace(desk, snapshot=replace(desk.snapshot, tail=tail))


def _trimmed(snapshot: Snapshot) -> Snapshot:
    """Lines that everybody has been sent need not lie on the desk any longer."""
    first = min(journal.sent for journal in snapshot.journals.values())
    return replace(snapshot, tail=snapshot.tail[first - snapshot.tail_from :], tail_from=first)


def _letter(step: Step, desk: Desk, seat: str, news: News) -> Letter:
    journal = desk.snapshot.journals[seat]
    asked = _asked(step, seat)
    own = seat == step.seat and step.enveloped
    since = joined(journal.held, journal.news) if asked and not own else journal.held
    read = (*since, *news.told)
    shown = _shown(step, seat)
    files = _files(step, desk, seat, read, shown)
    text = wording.letter_text(
        [
            _head(step, desk, seat),
            _report(step, seat, (since, news.parts), shown),
            _what_next(step, desk, seat, files),
            _time(step, desk, seat),
            wording.how_to_check(
                desk.snapshot.ledger.head, desk.snapshot.ledger.n, files[-1].name, desk.lang(seat)
            ),
        ]
    )
    ledger = desk.snapshot.ledger
    name = f"{desk.game_id}.{ledger.turn}.{seat}.{ledger.n}@{desk.post.domain}"
    subject = words(_subject(step, desk, seat, asked), desk.lang(seat))
    # a report has a view; a receipt has the log alone, and takes no other letter's place
    carried = Carried(journal.sent, None if _is_receipt(step) else read)
    return render_letter(desk, seat, Draft(name, subject, text, files, own, carried=carried))


def _head(step: Step, desk: Desk, seat: str) -> str:
    """First lines: your receipt, or what somebody did; then whom the game waits for."""
    lang = desk.lang(seat)
    turn = step.turn
    if seat == step.seat:
        first = (
            wording.receipt_of(step.what, _own_record(step))
            if step.enveloped
            else wording.silent_of(turn, step.by)
        )
    elif step.what == "timeout":
        first = wording.silence_of(name_of(desk, step.seat), turn, step.by)
    else:
        first = wording.news_of(step.what, name_of(desk, step.seat), turn)
    lines = [paragraph(one, lang) for one in undo_letters.done(step) or [first]]
    lines += [paragraph(one, lang) for one in time_words.of_lines(desk, step.book.lines, seat)]
    if desk.snapshot.journals[seat].held and step.what not in RECEIPTS:
        lines.append(
            paragraph(say("This letter also tells what earlier ones told that did not go out."), lang)
        )
    return "\n".join(lines)


def _own_record(step: Step) -> int:
    """The number of the record of the step's envelope: the first line written."""
    return step.book.ledger.n - len(step.book.lines) + 1


def _shown(step: Step, seat: str) -> Any:
    """What the seat sees of the position, from which report and view are made; None before the start."""
    if step.position is None or step.what in RECEIPTS:
        return None
    return step.desk.table.game.view(step.position.state, seat)


def _report(step: Step, seat: str, news: tuple[tuple[Json, ...], tuple[Any, ...]], shown: Any) -> str:
    """The game's own part. `news`: what a journal has kept, and after it the events of this step."""
    if shown is None:
        return ""
    game, (kept, parts) = step.desk.table.game, news
    before = decode(_heard_type(game.event), encode(kept)) if kept else ()
    return game.report(shown, (*before, *parts), step.desk.lang(seat))


@cache
def _heard_type(event: Any) -> Any:
    """The type of what a seat has heard: to put it together costs more than to decode a turn."""
    return tuple[event | Lapsed, ...]


def _files(step: Step, desk: Desk, seat: str, news: tuple[Json, ...], shown: Any) -> tuple[Attachment, ...]:
    """The signed view, the move file to fill in where one is wanted, and last the new lines of the log."""
    stem = f"{desk.game_id}-{desk.snapshot.ledger.n:04d}-{seat}"
    log = log_file(desk, seat)
    due = time_words.calendar_file(desk, seat, _awaited(step, desk))
    timed = (due,) if due is not None else ()
    if _is_receipt(step):
        # a word about time brings its author a view, for its numbers: the next word must have a higher one
        if step.what != "time" or seat != step.seat:
            return (*timed, log)
        _, text = view_file(desk, step.position, seat, ())
        return (Attachment(f"{stem}.view.json", "application/json", text), *timed, log)
    payload, text = view_file(desk, step.position, seat, news, shown)
    files = [Attachment(f"{stem}.view.json", "application/json", text)]
    if _asked(step, seat):
        files.append(Attachment(f"{stem}.move.json", "application/json", blank_move(payload)))
    return (*files, *timed, log)


def _is_receipt(step: Step) -> bool:
    """Whether a letter of this step has the log alone: no view, and no report."""
    return phase(step.desk.snapshot.ledger) == "join" or step.what in RECEIPTS


def _awaited(step: Step, desk: Desk) -> tuple[str, ...]:
    """The seats that have a deadline now, if any has."""
    return awaited(desk, step.position) if desk.snapshot.times.due else ()


def _time(step: Step, desk: Desk, seat: str) -> str:
    """Until when the reader has time, or those whom the game waits for."""
    waits = _awaited(step, desk)
    own = time_words.until(desk, seat, waits)
    rows = [paragraph(one, desk.lang(seat)) for one in time_words.others(desk, seat, waits)]
    return "\n".join([*([own] if own else []), *rows])


def _what_next(step: Step, desk: Desk, seat: str, files: tuple[Attachment, ...]) -> str:
    """How to answer, for who must; for the others, whom the game waits for."""
    lang, ledger = desk.lang(seat), desk.snapshot.ledger
    now = phase(ledger)
    receipt = step.what in RECEIPTS
    if not receipt and now == "play" and _asked(step, seat):
        return wording.how_to_move(files[0].name, files[1].name, address(desk, seat), lang)
    if not receipt and now == "ready" and not member(ledger, seat).ready:
        choices = desk.table.game.setup.__struct_fields__
        return wording.how_to_confirm(files[0].name, address(desk, seat), lang, desk.table.game.id, choices)
    missing = awaited(desk, step.position)
    if not missing or now == "over":
        return ""
    names = tuple(name_of(desk, other) for other in missing)
    return paragraph(say("The game now waits for {names}.", names=names), lang)


def _subject(step: Step, desk: Desk, seat: str, asked: bool) -> Say:
    game, turn = desk.game_id, desk.snapshot.ledger.turn
    if phase(desk.snapshot.ledger) == "ready" and step.what == "join":
        return say("[pbem {game}] all seats are taken: please confirm", game=game)
    if asked and step.position is not None and step.what not in RECEIPTS:
        due = seat in step.position.due or not _answers(step, seat)
        return wording.your_move(game, turn) if due else wording.your_answer(game, turn)
    if seat == step.seat and step.enveloped and step.what in ("move", "sealed"):
        return say("[pbem {game}] turn {turn}: your move is recorded", game=game, turn=step.turn)
    if phase(desk.snapshot.ledger) == "over":
        return say("[pbem {game}] the game is over", game=game)
    return wording.subject_of(step.what, game, step.turn, step.seat)


def _answers(step: Step, seat: str) -> bool:
    """Whether the seat is asked in somebody else's turn: it did not have to decide when the turn opened."""
    return seat not in step.desk.snapshot.ledger.due


def post_archive(desk: Desk, lines: tuple[bytes, ...]) -> Posted:
    """The last letters of a game: the lines that open everything, to every seat that had joined."""
    desk = _with_tail(desk, lines)
    letters: list[Letter] = []
    journals = dict(desk.snapshot.journals)
    for seat in desk.charter.seats:
        letter = answers.archive_letter(desk, seat)
        letters.append(letter)
        journals[seat] = replace(
            journals[seat],
            news=(),
            sent=desk.snapshot.ledger.n + 1,
            thread=(*journals[seat].thread[:1], letter.message_id),
        )
    return Posted(tuple(letters), _trimmed(replace(desk.snapshot, journals=journals)))
