"""Letters about going back: who wishes it and what it would mean, and that it has been done.

Whoever is asked for his consent is told first what he consents to: what was rolled since, and that nobody forgets what
he has seen. Everything said here is public: it stands in the log.
"""

from __future__ import annotations

from engine import Say, plural, say, words
from pbem.log.record import Undo, Undone, read_record
from pbem.turn import wording
from pbem.turn.accept import Step
from pbem.turn.desk import Desk, name_of
from pbem.turn.eml import Attachment
from pbem.turn.posting import Carried, Draft, Letter, log_file, render_letter
from pbem.turn.views import address, view_envelope
from pbem.turn.wording import paragraph


def wish_letter(step: Step, desk: Desk, seat: str) -> Letter:
    """One seat's letter about a wish to go back, or about one that is taken back."""
    lang, ledger = desk.lang(seat), desk.snapshot.ledger
    log = log_file(desk, seat)
    view = view_envelope(desk, step.position, seat, ())
    name = f"{desk.game_id}-{ledger.n:04d}-{seat}-undo.view.json"
    files = (Attachment(name, "application/json", view.text()), log)
    parts = [
        "\n".join(paragraph(one, lang) for one in _said(step, desk, seat)),
        _how(step, desk, seat, name),
        wording.how_to_check(ledger.head, ledger.n, log.name, lang),
    ]
    subject = say(
        "[pbem {game}] turn {turn}: {who} asks to go back", game=desk.game_id, turn=step.turn, who=step.seat
    )
    if _wish(step).to is None:
        subject = say(
            "[pbem {game}] turn {turn}: {who} does not go back",
            game=desk.game_id,
            turn=step.turn,
            who=step.seat,
        )
    draft = Draft(
        f"{desk.game_id}.{ledger.turn}.{seat}.{ledger.n}@{desk.post.domain}",
        words(subject, lang),
        wording.letter_text(parts),
        files,
        seat == step.seat,
        carried=Carried(desk.snapshot.journals[seat].sent),
    )
    return render_letter(desk, seat, draft)


def _wish(step: Step) -> Undo:
    wish = read_record(step.book.lines[0])
    assert isinstance(wish, Undo)
    return wish


def _said(step: Step, desk: Desk, seat: str) -> list[Say]:
    wish, who = _wish(step), name_of(desk, step.seat)
    if wish.to is None:
        if seat == step.seat:
            return [
                say("Your word is record {record} of the log: you do not wish to go back.", record=wish.n)
            ]
        return [say("{who} does not wish to go back. The game goes on as it is.", who=who)]
    if seat == step.seat:
        first = say(
            "Your wish is record {record} of the log. The game goes back when all wish the same.",
            record=wish.n,
        )
    else:
        first = say(
            "{who} wishes to put turn {turn} back to where record {to} left it.",
            who=who,
            turn=step.turn,
            to=wish.to,
        )
    rows = [first]
    if reason := _line(wish.reason):
        rows.append(say("The reason given: {reason}", reason=reason))
    return [*rows, *_meaning(desk, wish.to)]


def _meaning(desk: Desk, to: int) -> list[Say]:
    """What going back would mean, as far as the log tells it to everybody."""
    ledger = desk.snapshot.ledger
    undone = [n for n in ledger.course if n > to]
    return [
        plural(
            "It would take back what was played in the one record {records}.",
            "It would take back what was played in the records {records}.",
            len(undone),
            records=", ".join(str(n) for n in undone),
        ),
        say(
            "The dice of this turn stay: a roll that is made again, in the same place of the turn, falls the same, so"
            " whoever moves then knows it. And nobody forgets the cards that he has drawn or been shown since."
        ),
    ]


def _how(step: Step, desk: Desk, seat: str, view: str) -> str:
    wish, lang = _wish(step), desk.lang(seat)
    entry = next(one for one in desk.snapshot.ledger.roster if one.seat == seat)
    if wish.to is None or entry.resigned or entry.wish == wish.to:
        return ""
    rows = (
        say(
            "If you agree: save {view}, type `pbem undo {view} --to {to}`, and mail what it writes to",
            view=view,
            to=wish.to,
        ),
        say("If you do not, nothing need be done: without your consent the game goes on as it is."),
    )
    title = wording.heading(say("How to agree"), lang)
    return "\n".join(
        [title, paragraph(rows[0], lang), f"     {address(desk, seat)}", paragraph(rows[1], lang)]
    )


def done(step: Step) -> list[Say]:
    """First lines of the letter after it is done; none for any other step."""
    if step.what != "undone":
        return []
    record = next(one for line in step.book.lines if isinstance(one := read_record(line), Undone))
    rows = [
        say(
            "All have agreed: the game is again where record {to} left it. Record {n} says so.",
            to=record.to,
            n=record.n,
        )
    ]
    if reason := _line(record.reason):
        rows.append(say("The reason given: {reason}", reason=reason))
    return rows


def _line(text: str | None) -> str:
    """A stranger's words on one line, without control characters."""
    return " ".join("".join(char if char.isprintable() else " " for char in text or "").split())
