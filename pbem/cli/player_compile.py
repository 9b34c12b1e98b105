"""`pbem compile`: orders written as lines of text, made into a move file; and back into lines with check words."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from engine import AnyGame, Refusal, foresee, plural, read_order, refuse, say
from pbem.cli import player_page as page
from pbem.cli.asked import ruleset
from pbem.cli.player import Letter, draft_of, json_option, open_letter, read_file, stem_of, tell_worries
from pbem.cli.say import FAULTS, answers, tell, tell_json, tell_refusal
from pbem.disk import INPUT, read_stream, write_file
from pbem.log.canonical import ENVELOPE, read
from pbem.player.check import read_orders
from pbem.player.check_words import check_word
from pbem.player.grammar import Grammar, grammar_of
from pbem.player.order_lines import order_line
from pbem.player.order_text import Compiled, Fault, Line, compile_text

Order = dict[str, Any]


@click.command("compile")
@click.argument("text", metavar="TEXT", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--view", "view_path", type=click.Path(path_type=Path), help="The view that the orders answer.")
@click.option(
    "--ruleset", "named", metavar="NAME", help="The game whose orders they are, where there is no view."
)
@click.option("--words", is_flag=True, help="Print the lines with their check words, and write no file.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Where to write the move file."
)
@json_option
@answers
def compile_orders(
    text: Path, view_path: Path | None, named: str | None, words: bool, output: Path | None, as_json: bool
) -> None:
    """Make a move file of TEXT, a file with one order a line (- for standard input); `pbem sign` signs it.

    A line is a verb and its words: docs/order_text.md shows how to write one. A word such as #kite at its end is
    checked. TEXT may be a move file too, which --words puts into lines.

    Exit code 0: all is well, 1: a line is wrong or an order refused, 2: nothing can be judged.
    """
    if (view_path is None) == (named is None):
        raise refuse("cli/view-or-ruleset")
    letter = open_letter(view_path) if view_path is not None else None
    game = letter.view.game if letter is not None else ruleset(named or "")
    if letter is not None:
        tell_worries(letter)
        if letter.view.seen is None:
            raise refuse("kit/not-playing")
    grammar = grammar_of(game)
    compiled = _compiled(_read(text), game)
    _stop_at(compiled.faults)
    if not compiled.lines:
        raise refuse("line/no-orders")
    if letter is not None:
        _stop_at(_refused(letter, compiled.lines))
    if words:
        _tell_lines(compiled.orders, grammar)
    elif as_json or letter is None:
        tell_json(list(compiled.orders))
    else:
        _write(letter, compiled.orders, output)


def orders_of(data: bytes, game: AnyGame) -> tuple[Order, ...]:
    """The orders of a file, be it JSON or lines of text; ends the command where a line is wrong. Refused `kit/orders`."""
    if _is_json(data):
        return read_orders(read(data, ENVELOPE))
    compiled = _compiled(data, game)
    _stop_at(compiled.faults)
    return compiled.orders


def _read(path: Path) -> bytes:
    return read_stream(sys.stdin.buffer, INPUT, "-") if str(path) == "-" else read_file(path)


def _is_json(data: bytes) -> bool:
    return data.lstrip().startswith((b"{", b"["))


def _compiled(data: bytes, game: AnyGame) -> Compiled:
    """Lines of text, or a move file's orders as if written so. Refused: `line/…`, `kit/orders`, `order/…`."""
    grammar = grammar_of(game)
    if _is_json(data):
        orders = read_orders(read(data, ENVELOPE))
        for number, order in enumerate(orders, 1):
            read_order(game, order, number)
        return compile_text("\n".join(order_line(order, grammar) for order in orders), grammar)
    try:
        return compile_text(data.decode("utf-8-sig"), grammar)
    except UnicodeDecodeError:
        raise refuse("line/not-utf-8") from None


def _refused(letter: Letter, lines: Sequence[Line]) -> list[Fault]:
    """The lines whose orders the rules refuse, as far as the view tells, at the word that the reason is about."""
    view = letter.view
    seen = foresee(view.game, view.seen, view.seat, [line.order for line in lines])
    return [
        Fault(line.number, line.line, *_place(line, step.refusal), step.refusal)
        for line, step in zip(lines, seen.steps, strict=True)
        if step.refusal is not None
    ]


def _place(line: Line, refusal: Refusal) -> tuple[int, int]:
    """The first word that stands in the reason; else the verb."""
    said = {str(value) for value in refusal.args.values()}
    word = next((word for word in line.words[1:] if word.text in said), line.words[0])
    return word.start, word.end


def _stop_at(faults: Sequence[Fault]) -> None:
    """Every fault under its line, with marks below the word; then the end of the command."""
    for fault in faults:
        page.excerpt(fault.number, fault.line, fault.start, fault.end)
        tell_refusal(fault.refusal)
    if faults:
        sys.exit(FAULTS)


def _tell_lines(orders: Sequence[Order], grammar: Grammar) -> None:
    lines = [order_line(order, grammar) for order in orders]
    for count, line in enumerate(lines, 1):
        click.echo(f"{line} #{check_word(lines[:count])}")


def _write(letter: Letter, orders: Sequence[Order], output: Path | None) -> None:
    path = output or Path(f"{stem_of(letter.view, 'draft')}.json")
    write_file(path, draft_of(letter.view, orders))
    tell(
        plural(
            "One order, which is not refused, is in {file}.",
            "{n} orders, none of them refused, are in {file}.",
            n=len(orders),
            file=str(path),
        )
    )
    tell(say("Nothing is signed yet. Type: pbem sign {file}", file=str(path)))
