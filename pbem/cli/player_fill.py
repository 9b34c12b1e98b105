"""`pbem fill`: asks its way through a turn, by the menu alone, and signs it.

The questions come from `pbem.player.walk`; here they are shown, and lines are read from standard input, be it a
terminal or not. Every answer is kept, so that undoing one is walking again without it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from engine import foresee, refuse, say
from pbem.cli import player_page as page
from pbem.cli.player import (
    Delivery,
    Letter,
    delivery_options,
    draft_of,
    hand_over,
    key_option,
    open_letter,
    own_ring,
    read_file,
    stem_of,
    tell_worries,
    view_argument,
)
from pbem.cli.player_compile import orders_of
from pbem.cli.say import FAULTS, answers, is_asked, lang, tell, tell_refusal
from pbem.disk import write_file
from pbem.log.payloads import OnLapse
from pbem.player.answers import move_envelope
from pbem.player.check import bot_orders, fit
from pbem.player.questions import Answer, Choice, Question, Unclear, counted, help_of, parse
from pbem.player.view import ViewFile
from pbem.player.walk import Filled, Order, Scene, Stand, resume, summary


class Wanted(msgspec.Struct, frozen=True):
    """How the turn is to be made: by a bot, from a file, or (neither) by asking."""

    orders: Path | None
    bot: str | None
    seed: int
    on_lapse: OnLapse
    note: str


@click.command()
@view_argument
@click.option(
    "--orders",
    type=click.Path(path_type=Path),
    help="Take the orders from this file (JSON, or lines of text), and do not ask.",
)
@click.option(
    "--bot", metavar="NAME", help="Let a bot choose the orders: random, or one that knows the game."
)
@click.option("--seed", type=int, default=0, show_default=True, help="What the bot's choices depend on.")
@click.option(
    "--on-lapse",
    type=click.Choice(["go_on", "stop"]),
    default="go_on",
    show_default=True,
    help="What happens to the orders after one that turns out to be impossible.",
)
@click.option("--note", default="", help="A note to yourself; everybody can read it when the game is over.")
@key_option
@delivery_options
@answers
def fill(view_path: Path, key_path: Path | None, **options: Any) -> None:
    """Fill in your turn: asks for your orders, signs them, writes the file and the mail.

    VIEW is the view of your newest letter, or the whole letter saved as .eml. At every question: ? for help, u
    to undo, v for the board, q to stop and keep a draft.
    """
    where = Delivery(**{name: options.pop(name) for name in Delivery.__struct_fields__})
    wanted = Wanted(**options)
    letter = open_letter(view_path)
    tell_worries(letter)
    view = letter.view
    if view.head.phase != "play" or view.seen is None:
        raise refuse("kit/not-playing")
    if not view.menu.asked:
        raise refuse("kit/nothing-asked", seat=view.seat, turn=view.head.turn)
    key = own_ring(key_path, view)
    filled = _given(view, wanted) if wanted.orders or wanted.bot else _ask(letter)
    if wanted.note:
        filled = msgspec.structs.replace(filled, note=wanted.note)
    if filled.note:
        tell(say("Your note is sealed now. When the game is over everybody can read it."))
    envelope = move_envelope(key, view, filled.orders, filled.on_lapse, filled.note)
    fit(envelope.payload, view.game)
    hand_over(envelope, view.head.address, stem_of(view, "signed"), where, letter.reply)
    _draft(view).unlink(missing_ok=True)


def _given(view: ViewFile, wanted: Wanted) -> Filled:
    """Orders from a bot or a file; ends the command with their refusals, if they have some."""
    if wanted.orders is not None:
        orders = orders_of(read_file(wanted.orders), view.game)
    else:
        orders = bot_orders(view, wanted.seed, wanted.bot or "")
    seen = foresee(view.game, view.seen, view.seat, orders)
    page.sentences(summary(_scene(view), orders, seen))
    refused = [step.refusal for step in seen.steps if step.refusal is not None]
    for refusal in refused:
        tell_refusal(refusal)
    if refused:
        sys.exit(FAULTS)
    return Filled(orders, wanted.on_lapse, wanted.note, sign=True)


def _ask(letter: Letter) -> Filled:
    """Questions until the turn is filled in and to be signed; else the draft is kept and the command ends."""
    view = letter.view
    page.page(view.report(lang()))
    click.echo()
    page.sentence(say("(? for help, u to undo, v for the board, q to stop and keep a draft)"))
    orders: tuple[Order, ...] = ()
    try:
        stand = _converse(view, _resumed(view))
        if stand.filled is not None and stand.filled.sign:
            return stand.filled
        orders = stand.orders
    except _Quit as stopped:
        orders = stopped.orders
        if stopped.ended and not orders:
            raise refuse("kit/no-answers") from None
    _keep(view, orders)
    sys.exit(0)


class _Quit(Exception):
    """The player stops; the orders so far. `ended`: there is nobody who answers, and never was."""

    def __init__(self, orders: tuple[Order, ...], *, ended: bool = False) -> None:
        super().__init__()
        self.orders = orders
        self.ended = ended


def _converse(view: ViewFile, first: tuple[Order, ...]) -> Stand:
    scene, given = _scene(view), list[Answer]()
    while True:
        stand = resume(scene, first, given)
        if stand.question is None:
            return stand
        line = _put(stand.question)
        match line:
            case None | "q":
                raise _Quit(stand.orders, ended=line is None and not is_asked())
            case "u" if given:
                given.pop()
            case "u" if first:
                first = first[:-1]
            case "u":
                page.sentence(say("There is nothing to undo."))
            case "v":
                _board(view, stand)
            case "?":
                page.sentences(help_of(stand.question))
            case _:
                given += _understood(stand.question, line)


def _understood(question: Question, line: str) -> list[Answer]:
    """The answer, or none and what would be one."""
    try:
        return [parse(question, line)]
    except Unclear as unclear:
        page.sentence(unclear.sentence)
        return []


def _put(question: Question) -> str | None:
    """Shows a question and reads a line; None where there is no more to read."""
    click.echo()
    page.sentences(question.notes)
    page.sentence(say("{question}", question=question.say), style="bold")
    if question.choices:
        page.choices(question.choices)
    if question.optional:
        page.sentence(say("  - to leave it out"))
    words = [choice.word for choice in question.choices if " " not in choice.word]
    return page.ask_line(_prompt(question), [*words, *_COMMANDS])


_COMMANDS = ("?", "u", "v", "q")
"""What may be typed at every question."""


def _prompt(question: Question) -> str:
    """The range and the default, and where to type."""
    default = ""
    if question.has_default:
        match question.default:
            case None:
                default = "-"
            case int(place) if question.kind == "choice":
                default = _mark(question, place)
            case int(number):
                default = str(number)
            case tuple(places):
                default = " ".join(_mark(question, place) for place in places)
            case text:
                default = text
    low = f"{question.low}–{question.high} " if question.kind == "number" else ""
    return f"{low}[{default}] > " if default else f"{low}> "


def _mark(question: Question, place: int) -> str:
    """What may be typed for a choice: its place, or its word where places are not shown."""
    return str(place + 1) if counted(question.choices) else question.choices[place].word


def _board(view: ViewFile, stand: Stand) -> None:
    """The board as it will be after the orders so far, as far as that can be told."""
    if stand.seen.view is None:
        page.sentence(say("After these orders nobody can tell how the board looks; this is how it is now."))
        page.page(view.report(lang()))
        return
    page.page(view.game.report(stand.seen.view, stand.seen.events, lang()))


def _scene(view: ViewFile) -> Scene:
    return Scene(view.game, view.seen, view.seat)


def _draft(view: ViewFile) -> Path:
    return Path(f"{stem_of(view, 'draft')}.json")


def _keep(view: ViewFile, orders: Sequence[Order]) -> None:
    """Writes the draft: an unsigned move file, which `pbem check` and `pbem sign` take as well."""
    if not orders:
        tell(say("Nothing was signed, and there is nothing to keep."))
        return
    write_file(_draft(view), draft_of(view, orders))
    tell(
        say(
            "Nothing was signed. Your draft is in {file}; `pbem fill` goes on from it.",
            file=str(_draft(view)),
        )
    )


def _resumed(view: ViewFile) -> tuple[Order, ...]:
    """The orders of a draft of this very turn, if there is one and the player wants it."""
    path = _draft(view)
    if not path.is_file():
        return ()
    orders = orders_of(read_file(path), view.game)
    question = Question(
        kind="choice",
        say=say("There is a draft with your orders so far. Go on from it?"),
        choices=(Choice(say("yes"), "yes"), Choice(say("no, begin anew"), "no")),
        has_default=True,
        default=0,
    )
    while True:
        line = _put(question)
        if line is None or line == "q":
            raise _Quit(orders)
        understood = _understood(question, line)
        if understood:
            return orders if understood[0] == 0 else ()
