"""Letters about records that leave the position as it is: a key that has changed, a ruling of the host.

Everybody is told, and everybody gets the lines. Who has taken a seat over gets with them all that the seat had: its
view, the whole log, its standing orders, its notes.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine import Say, say, words
from pbem.log.canonical import pretty
from pbem.log.record import Key, Ruling, read_record
from pbem.turn import wording
from pbem.turn.accept import Step
from pbem.turn.catching_up import needed
from pbem.turn.desk import Desk, name_of
from pbem.turn.eml import Attachment
from pbem.turn.posting import Carried, Draft, Letter, log_file, render_letter
from pbem.turn.wording import heading, paragraph

OWN_LETTERS = ("rotated", "reset", "taken", "ruling")
"""What a step may be whose letters are written here."""


def record_letter(step: Step, desk: Desk, seat: str) -> Letter:
    """One seat's letter about such a step; `desk` is the desk after it, with the new lines on it."""
    lang, ledger = desk.lang(seat), desk.snapshot.ledger
    own = seat == step.seat
    name = f"{desk.game_id}.{ledger.turn}.{seat}.{ledger.n}@{desk.post.domain}"
    subject = words(_subject(step, desk), lang)
    if own and step.what in ("reset", "taken"):
        parts, files = _handed_over(step, desk, seat)
        return render_letter(desk, seat, Draft(name, subject, wording.letter_text(parts), files))
    if own and step.what == "rotated":
        parts, files = _rotated(step, desk, seat)
        return render_letter(desk, seat, Draft(name, subject, wording.letter_text(parts), files))
    log = log_file(desk, seat)
    head = _news(step, desk)
    parts = [
        "\n".join(paragraph(one, lang) for one in head),
        wording.how_to_check(ledger.head, ledger.n, log.name, lang),
    ]
    carried = Carried(desk.snapshot.journals[seat].sent)
    return render_letter(
        desk, seat, Draft(name, subject, wording.letter_text(parts), (log,), carried=carried)
    )


def _subject(step: Step, desk: Desk) -> Say:
    match step.what:
        case "taken":
            return say("[pbem {game}] {who} is played by somebody else", game=desk.game_id, who=step.seat)
        case "ruling":
            return say("[pbem {game}] the host has ended the game", game=desk.game_id)
        case _:
            return say("[pbem {game}] {who} has a new key", game=desk.game_id, who=step.seat)


def _news(step: Step, desk: Desk) -> tuple[Say, ...]:
    who, record = name_of(desk, step.seat), step.book.ledger.n
    public = _public_key(step)
    compare = say("The new key is {key}.", key=public) if public else None
    match step.what:
        case "rotated":
            first = say("{who} has a new key, signed with the old one: record {n}.", who=who, n=record)
        case "reset":
            first = say(
                "The key of {who} was lost. The host has exchanged mails with the player, and there is a new one: record"
                " {n}. If that surprises you, ask {who} about it.",
                who=who,
                n=record,
            )
        case "taken":
            first = say(
                "{who} is played by somebody else from now on: record {n}. The key before it has ended; hand, stock and"
                " standing orders are as they were.",
                who=who,
                n=record,
            )
        case _:
            return (_ruled(step),)
    return (first, *((compare,) if compare else ()), _unchanged())


def _rotated(step: Step, desk: Desk, seat: str) -> tuple[Sequence[str], tuple[Attachment, ...]]:
    """The receipt of a new key: with a view that names it, for files made from older views are signed by the old one."""
    lang, first = desk.lang(seat), desk.snapshot.journals[seat].sent
    lines = tuple(line.encode("utf-8") for line in desk.snapshot.tail[first - desk.snapshot.tail_from :])
    parts, files = needed(desk, seat, lines, first)
    return ["\n".join(paragraph(one, lang) for one in _own_news(step)), *parts], files


def _own_news(step: Step) -> tuple[Say, ...]:
    return (
        say("Your new key counts from record {n} of the log on.", n=step.book.ledger.n),
        say(
            "Keep the old key file for a while: until every other player has moved, your part of the dice still comes"
            " from it. The kit finds both keys by itself, as long as they lie in its folder."
        ),
        say(
            "Nothing else has changed. If you have begun a move, sign it anew from the files of this letter."
        ),
    )


def _unchanged() -> Say:
    return say("Nothing else has changed, and a move that you have begun stays good.")


def _ruled(step: Step) -> Say:
    record = _record(step)
    reason = record.reason if isinstance(record, Ruling) else ""
    return say("The host has ended the game: {reason} It has no result.", reason=_sentence(reason))


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _record(step: Step) -> Key | Ruling | None:
    record = read_record(step.book.lines[0])
    return record if isinstance(record, Key | Ruling) else None


def _public_key(step: Step) -> str:
    record = _record(step)
    return " ".join(wording.hex_groups(record.public_key, "").split()) if isinstance(record, Key) else ""


def _handed_over(step: Step, desk: Desk, seat: str) -> tuple[Sequence[str], tuple[Attachment, ...]]:
    """Everything that the seat had, for whoever sits there now."""
    lang, estate = desk.lang(seat), step.estate
    lines = (*estate.lines, *step.book.lines)
    parts, files = needed(desk, seat, lines, 0)
    first = say(
        "{who} is yours: record {n} of the log says so, and everybody has been told.",
        who=name_of(desk, seat),
        n=step.book.ledger.n,
    )
    what = say(
        "This letter has all that the seat had: its view, the whole log, its standing orders and its notes. Keep the"
        " log file: later letters bring only the lines that are new."
    )
    standing = say("No standing orders were given for this seat: the defaults of the rules answer for it.")
    if estate.policy:
        name = f"{desk.game_id}-{seat}.standing.json"
        files = (*files[:-1], Attachment(name, "application/json", pretty(dict(estate.policy))), files[-1])
        standing = say(
            "{name} holds the standing orders in force. They go on answering until you send others: change the file, and"
            " type `pbem standing` with the names of the view and of this file.",
            name=name,
        )
    told = [paragraph(one, lang) for one in (first, what, standing)]
    return ["\n".join(told[:2]), told[2], *_notes(step, lang), *parts], files


def _notes(step: Step, lang: str) -> list[str]:
    """What was noted for this seat, turn by turn; sealed till the end for everybody else."""
    notes = step.estate.notes
    if not notes:
        return []
    rows = [
        "\n".join(
            paragraph(say("Turn {turn}: {text}", turn=turn, text=line), lang, "  ")
            for line in text.split("\n")
        )
        for turn, text in notes
    ]
    return ["\n".join([heading(say("Notes of this seat"), lang), *rows])]
