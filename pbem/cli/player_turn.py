"""`pbem show`, `pbem check`, `pbem sign`: a letter read, a move looked over, a move signed by hand."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from engine import AnyGame, Say, Step, plain, say
from pbem.cli import player_page as page
from pbem.cli.player import (
    Delivery,
    Letter,
    delivery_options,
    hand_over,
    home,
    json_option,
    key_option,
    open_letter,
    own_ring,
    own_ring_if_any,
    read_file,
    stem_of,
    tell_worries,
    view_argument,
)
from pbem.cli.say import FAULTS, OK, answers, lang, tell, tell_json, tell_refusal
from pbem.player import folder
from pbem.player.answers import read_unsigned, sign_move
from pbem.player.check import Checked, check_move, fit
from pbem.player.invitation import find_game
from pbem.player.walk import certainty_say


@click.command()
@view_argument
@click.option("--long", "in_full", is_flag=True, help="Tell more of what happened, in a game that can.")
@json_option
@answers
def show(view_path: Path, in_full: bool, as_json: bool) -> None:
    """Show how things stand: the board, your hand, what you may do. VIEW is the view or the whole mail."""
    letter = open_letter(view_path)
    view = letter.view
    report = view.report(lang(), long=in_full)
    if as_json:
        known = {"game": view.head.game, "seat": view.seat, "turn": view.head.turn, "phase": view.head.phase}
        tell_json({**known, "checked": view.checked, "report": report, "menu": plain(view.menu)})
        return
    if view.seen is not None:
        page.page(report)
    page.heading(say("What to do now"))
    page.sentences(_may(letter))
    page.heading(say("This view"))
    # both on standard output: what was asked for is what can be said of the view, be it good or bad
    page.sentences((*letter.trust, *letter.worries))


def _may(letter: Letter) -> tuple[Say, ...]:
    view = letter.view
    match view.head.phase:
        case "join":
            return (say("Wait until all seats are taken."),)
        case "ready" if view.head.owes:
            return (say("Confirm that you play: type `pbem ready` and the name of this file."),)
        case "ready":
            return (say("Wait until everybody has confirmed."),)
        case "over":
            return (say("Nothing; the game is over."),)
        case _:
            pass
    rows: list[Say] = []
    for asked in view.menu.asked:
        rows.append(asked.say)
        rows += [say("  - {act}", act=act.say) for act in asked.acts]
    if not rows:
        return (say("Nothing now; a letter will tell you when it is your time."),)
    return (*rows, say("Type `pbem fill` and the name of this file: it asks you for everything."))


@click.command()
@click.argument("move", type=click.Path(path_type=Path))
@click.option(
    "--view", "view_path", required=True, type=click.Path(path_type=Path), help="The view that MOVE answers."
)
@key_option
@json_option
@answers
def check(move: Path, view_path: Path, key_path: Path | None, as_json: bool) -> None:
    """Check MOVE offline: its shape, its signature, and what becomes of each order.

    Exit code 0: nothing is refused, 1: something is, 2: the files can not be judged.
    """
    letter = open_letter(view_path)
    checked = check_move(read_file(move), letter.view, own_ring_if_any(key_path, letter.view))
    if as_json:
        tell_json(_as_json(checked))
    else:
        tell_worries(letter)
        _tell_check(checked)
    sys.exit(OK if checked.fine else FAULTS)


def _as_json(checked: Checked) -> dict[str, Any]:
    steps = [
        {"order": step.order, "verdict": _verdict(step), **_refusal(step)} for step in checked.foresight.steps
    ]
    return {
        "signature": checked.signature,
        "linked": checked.linked,
        "orders": steps,
        "closes_turn": checked.foresight.closed,
        "refused": not checked.fine,
    }


def _verdict(step: Step) -> str:
    return {"dice": "depends on dice", "hidden": "depends on hidden"}.get(step.certainty, step.certainty)


def _refusal(step: Step) -> dict[str, Any]:
    return {"refusal": plain(step.refusal)} if step.refusal is not None else {}


def _tell_check(checked: Checked) -> None:
    match checked.signature:
        case "own":
            tell(say("Signature: yours."))
        case "none":
            tell(say("Signature: none yet; sign it with `pbem sign`."))
        case "unchecked":
            tell(say("Signature: not checked, because there is no key of yours here."))
    if not checked.linked and checked.signature != "none":
        tell(say("Link: it does not have the link that the host needs; sign it with `pbem sign`."))
    for step in checked.foresight.steps:
        page.sentence(certainty_say(step.order, step.certainty))
        if step.refusal is not None:
            tell_refusal(step.refusal)
    if checked.foresight.closed:
        tell(say("With these orders your turn ends."))


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--view", "view_path", type=click.Path(path_type=Path), help="The view that the move answers.")
@key_option
@delivery_options
@answers
def sign(file: Path, view_path: Path | None, key_path: Path | None, **where: Any) -> None:
    """Sign FILE, a move file that you filled in by hand, and add the link that the dice need."""
    unsigned = read_unsigned(read_file(file))
    beside = file.with_name(f"{file.name.partition('.')[0]}.view.json")
    if view_path is None and beside.is_file():
        view_path = beside
    letter = open_letter(view_path) if view_path is not None else None
    if letter is not None:
        tell_worries(letter)
    envelope = sign_move(
        own_ring(key_path, letter.view if letter else None), unsigned, letter.view if letter else None
    )
    game = letter.view.game if letter else _game_of(envelope.game)
    if game is not None:
        fit(envelope.payload, game)
    if letter is not None:
        stem, address = stem_of(letter.view, "signed"), letter.view.head.address
    else:
        stem, address = f"{file.name.removesuffix('.json').removesuffix('.move')}.signed", unsigned.address
    hand_over(envelope, address, stem, Delivery(**where), letter.reply if letter else None)


def _game_of(game: str) -> AnyGame | None:
    """The rules of a game that is known here."""
    known = folder.known_game(home(), game)
    return find_game(known.charter.ruleset.id, known.charter.ruleset.version) if known else None
