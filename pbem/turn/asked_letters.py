"""Answers to mail commands: help, how a game stands, which games somebody plays, the log, a letter once more.

Decides what is in them. Everything told to a seat is public, or comes from its own view; nothing is changed, and no
letter's place is taken. Who is answered is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine import Say, break_lines, say, verbatim, words
from pbem.log.canonical import digest
from pbem.log.ledger import member
from pbem.turn import answers, time_words, wording
from pbem.turn.catching_up import lines_file, needed
from pbem.turn.commands import ASKING, WITH_SIGNATURE
from pbem.turn.desk import Desk, name_of
from pbem.turn.eml import Attachment
from pbem.turn.posting import Draft, Letter, render_letter
from pbem.turn.views import address, awaited, phase
from pbem.turn.wording import heading, paragraph

PHASES = {
    "join": say("players are joining"),
    "ready": say("players are confirming"),
    "play": say("it is being played"),
    "over": say("it is over"),
}


class Question(msgspec.Struct, frozen=True):
    """Whom to answer: the seat, the address that asked (one of the seat's own), the mail's Message-ID or "".

    `mark` tells this mail from others.
    """

    seat: str
    to: str
    answers: str
    mark: str


class Playing(msgspec.Struct, frozen=True):
    """One of somebody's games, for a list. `times`: until when whom it waits for has time, as he reads it."""

    game: str
    title: Say
    seat: Say
    phase: str
    turn: int
    waited_for: bool
    times: tuple[Say, ...] = ()


class _Reply(msgspec.Struct, frozen=True):
    word: str
    subject: Say
    parts: Sequence[str]
    files: tuple[Attachment, ...] = ()


def help_letter(desk: Desk, question: Question) -> Letter:
    """All commands, and what cannot be done by them."""
    lang = desk.lang(question.seat)
    rows = {
        "help": say("this letter"),
        "status": say("how the game stands, and whom it waits for"),
        "resend": say("your view, your move file and the newest lines once more"),
        "log": say("the whole public log, to be checked with `pbem verify`"),
        "games": say("all the games that you play here"),
        "tables": say("tables that wait for players"),
        "sit": say("an invitation to one of these tables: `sit` and its name"),
    }
    parts = [
        paragraph(say("Write one of these words as the subject of a mail; the text may stay empty."), lang),
        "\n".join(_row(word, rows[word], lang) for word in ASKING),
        paragraph(
            say(
                "To ask about another of your games, write its name behind the word, as in `status {game}`."
                " Only players are answered, and only at the addresses that the host has written down.",
                game=desk.game_id,
            ),
            lang,
        ),
        paragraph(
            say(
                "Whatever changes the game must be signed with your key: no mail program can do that, the program"
                " `pbem` can. It needs no network; it reads the files of your letters, and writes one to be mailed."
            ),
            lang,
        ),
        "\n".join(
            [
                heading(say("What needs a signature, and how"), lang),
                *(_row(word, how, lang) for word, how in _signed_rows()),
            ]
        ),
        paragraph(say("Then mail the file that it writes to"), lang)
        + f"\n     {address(desk, question.seat)}",
    ]
    return _answer(
        desk, question, _Reply("help", say("[pbem {game}] commands by mail", game=desk.game_id), parts)
    )


def _signed_rows() -> list[tuple[str, Say]]:
    """Each thing that can be done once, under its first word."""
    rows: list[tuple[str, Say]] = []
    for word, how in WITH_SIGNATURE.items():
        if all(how != other for _, other in rows):
            rows.append((word, how))
    return rows


def _row(word: str, how: Say, lang: str) -> str:
    return "\n".join(break_lines(f"{word:<11} {words(how, lang)}", wording.WIDTH, "  ", " " * 14))


def needs_signature_letter(desk: Desk, question: Question, word: str) -> Letter:
    """A word that changes something: nothing was done, and how it is done."""
    lang = desk.lang(question.seat)
    parts = [
        paragraph(
            say(
                "Nothing has changed. Your mail asks for `{word}`, and that needs your signature: anybody could have"
                " written this mail.",
                word=word,
            ),
            lang,
        ),
        paragraph(WITH_SIGNATURE[word], lang),
        paragraph(say("Then mail the file that it writes to"), lang)
        + f"\n     {address(desk, question.seat)}",
        paragraph(
            say("A mail with the subject `resend` brings you the newest view; `help` all you can ask for."),
            lang,
        ),
    ]
    subject = say("[pbem {game}] {word} needs your signature", game=desk.game_id, word=word)
    return _answer(desk, question, _Reply(word, subject, parts))


def status_letter(desk: Desk, question: Question) -> Letter:
    """How the game stands, whom it waits for, and until when."""
    lang, ledger, game = desk.lang(question.seat), desk.snapshot.ledger, desk.table.game
    now = phase(ledger)
    missing = awaited(desk)
    sentences = [
        say(
            "{title}, game {game}: {phase}, turn {turn}. You are {seat}.",
            title=game.title,
            game=desk.game_id,
            phase=PHASES[now],
            turn=ledger.turn,
            seat=name_of(desk, question.seat),
        )
    ]
    if missing:
        names = tuple(name_of(desk, seat) for seat in missing)
        sentences.append(say("The game now waits for {names}.", names=names))
    if question.seat in missing:
        sentences.append(
            say("It waits for you. Write `resend` as the subject of a mail, and you get the files.")
        )
    resigned = tuple(name_of(desk, one.seat) for one in ledger.roster if one.resigned)
    if resigned:
        sentences.append(say("Left the game: {names}.", names=resigned))
    sentences += times_of(desk, question.seat, missing)
    newest = say("The newest record is {n}, of {at}. Its digest:", n=ledger.n, at=ledger.at)
    parts = [
        "\n".join(paragraph(one, lang) for one in sentences),
        paragraph(newest, lang) + "\n" + wording.hex_groups(ledger.head),
    ]
    subject = say("[pbem {game}] how the game stands", game=desk.game_id)
    return _answer(desk, question, _Reply("status", subject, parts))


def times_of(desk: Desk, seat: str, missing: Sequence[str]) -> tuple[Say, ...]:
    """Until when the reader has time, then the others; that the clocks stand; nothing in a game without deadlines."""
    if not desk.snapshot.times.due:
        return ()
    if desk.snapshot.times.paused:
        return (say("The clocks of this game stand, so no time is running out."),)
    due = time_words.own_due(desk, seat, missing)
    own = (
        (say("You have time until {at}.", at=time_words.at_said(desk, seat, due.at)),)
        if due is not None
        else ()
    )
    return (*own, *time_words.others(desk, seat, missing))


def games_letter(desk: Desk, question: Question, found: Sequence[Playing], unclear: str = "") -> Letter:
    """Somebody's games. `unclear`: the command that he meant for one of them without saying which."""
    lang = desk.lang(question.seat)
    rows = [
        say(
            "  {game}: {title}, you are {seat}. Turn {turn}: {phase}.",
            game=one.game,
            title=one.title,
            seat=one.seat,
            turn=one.turn,
            phase=say("it waits for you") if one.waited_for else PHASES[one.phase],
        )
        for one in found
    ]
    shown = [
        "\n".join(
            "\n".join(break_lines(words(line, lang), wording.WIDTH, "" if number == 0 else "    ", "    "))
            for number, line in enumerate((row, *one.times))
        )
        for row, one in zip(rows, found, strict=True)
    ]
    parts = [
        paragraph(say("Your games here:"), lang),
        "\n".join(shown),
    ]
    if unclear:
        asked = say(
            "You wrote `{word}`, and that is about one game: write its name behind it, as in `{word} {game}`.",
            word=unclear,
            game=found[0].game if found else desk.game_id,
        )
        parts.insert(0, paragraph(asked, lang))
    return _answer(desk, question, _Reply("games", say("[pbem {game}] your games", game=desk.game_id), parts))


def log_letter(desk: Desk, question: Question, lines: Sequence[bytes]) -> Letter:
    """The whole public log as a file."""
    lang, ledger = desk.lang(question.seat), desk.snapshot.ledger
    file = lines_file(desk, lines, 0)
    parts = [
        paragraph(
            say(
                "The whole log of the game, as everybody has it: records 0 to {n}. What it still seals is opened when"
                " the game is over.",
                n=ledger.n,
            ),
            lang,
        ),
        paragraph(
            say("Save {log}, and type `pbem verify` with its name. It must end with", log=file.name), lang
        )
        + "\n"
        + wording.hex_groups(ledger.head),
    ]
    subject = say("[pbem {game}] the log, records 0 to {n}", game=desk.game_id, n=ledger.n)
    return _answer(desk, question, _Reply("log", subject, parts, (file,)))


def resent_letter(desk: Desk, question: Question, lines: Sequence[bytes], first: int) -> Letter:
    """What a player needs to go on, written anew from where the game stands: report, view, move file, lines."""
    seat = question.seat
    if not member(desk.snapshot.ledger, seat).public_key:
        again = answers.invitation_letter(desk, seat)
        return _answer(desk, question, _Reply("resend", verbatim(again.subject), [again.text], again.files))
    lang = desk.lang(seat)
    head = paragraph(say("Here is what you need once more, as the game stands now."), lang)
    parts, files = needed(desk, seat, lines, first)
    subject = say("[pbem {game}] turn {turn}: once more", game=desk.game_id, turn=desk.snapshot.ledger.turn)
    return _answer(desk, question, _Reply("resend", subject, [head, *parts], files))


def _answer(desk: Desk, question: Question, reply: _Reply) -> Letter:
    """The letter to the one who asked, in the thread of his mail."""
    mark = digest("\n".join((question.mark, question.answers, question.to)).encode("utf-8"))[:16]
    name = f"{desk.game_id}.answer.{reply.word}.{mark}@{desk.post.domain}"
    subject, text = words(reply.subject, desk.lang(question.seat)), wording.letter_text(reply.parts)
    draft = Draft(name, subject, text, reply.files, True, question.answers, to=question.to)
    return render_letter(desk, question.seat, draft)
