"""`pbem ready` and `pbem resign`: signed answers that are no moves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from engine import Refused, refuse, say
from pbem.cli import player_page as page
from pbem.cli.player import (
    Delivery,
    Letter,
    delivery_options,
    hand_over,
    home,
    key_option,
    open_letter,
    own_ring,
    read_file,
    stem_of,
    tell_worries,
    view_argument,
)
from pbem.cli.say import answers, tell
from pbem.log.canonical import ENVELOPE, read
from pbem.log.envelope import Envelope
from pbem.player import folder
from pbem.player.answers import press_envelope, ready_envelope, resign_envelope
from pbem.player.check import vet
from pbem.player.opening import as_object


@click.command()
@click.argument("view_path", metavar="FILE", type=click.Path(path_type=Path))
@click.option(
    "--setup", default="{}", help="What the ruleset lets you choose, as JSON or the name of a file."
)
@key_option
@delivery_options
@answers
def ready(view_path: Path, setup: str, key_path: Path | None, **where: Any) -> None:
    """Confirm that you play: FILE is the view of the letter that asks for it, or the letter itself."""
    letter = open_worried(view_path)
    envelope = ready_envelope(own_ring(key_path, letter.view), letter.view, json_value(setup))
    vet_and_send(envelope, letter, Delivery(**where))


@click.command()
@view_argument
@click.option("--yes", is_flag=True, help="Do not ask whether you mean it.")
@key_option
@delivery_options
@answers
def resign(view_path: Path, yes: bool, key_path: Path | None, **where: Any) -> None:
    """Leave the game of VIEW for good."""
    letter = open_worried(view_path)
    envelope = resign_envelope(own_ring(key_path, letter.view), letter.view)
    if not yes:
        tell(
            say("This takes {seat} out of the game {game} for good.", seat=envelope.seat, game=envelope.game)
        )
        tell(say("Type the name of your seat if you mean it:"))
        if page.read_line() != envelope.seat:
            raise refuse("kit/not-confirmed")
    vet_and_send(envelope, letter, Delivery(**where))


@click.command()
@view_argument
@click.argument("text", default="-")
@click.option("--to", default="all", show_default=True, metavar="SEAT,SEAT", help="To whom: all, or seats.")
@key_option
@delivery_options
@answers
def press(view_path: Path, text: str, to: str, key_path: Path | None, **where: Any) -> None:
    """Say something to the other players: TEXT, or what standard input holds. Lines that quote (>) are not passed on."""
    letter = open_worried(view_path)
    said = page.read_input() if text == "-" else text
    seats = "all" if to == "all" else [seat.strip() for seat in to.split(",") if seat.strip()]
    envelope = press_envelope(own_ring(key_path, letter.view), letter.view, seats, said)
    hand_over(
        envelope,
        letter.view.head.address,
        stem_of(letter.view, envelope.kind),
        Delivery(**where),
        letter.reply,
    )


def json_value(text: str) -> dict[str, Any]:
    """An object of names and values, written out or in a file. Refused `kit/json`, `file/…`; OSError."""
    written = text.lstrip().startswith(("{", "[", '"'))
    data = text.encode("utf-8", "replace") if written else read_file(Path(text))
    try:
        value = as_object(read(data, ENVELOPE))
    except Refused as refused:
        if refused.refusal.code != "file/not-json":
            raise
        raise refuse("kit/json", found=text[:80]) from None
    if value is None:
        raise refuse("kit/json", found=text[:80])
    return value


def open_worried(path: Path) -> Letter:
    """A letter, and what speaks against it told. Errors as `open_letter`."""
    letter = open_letter(path)
    tell_worries(letter)
    return letter


def vet_and_send(envelope: Envelope, letter: Letter, where: Delivery) -> None:
    """Held against the rules as far as they are known, and handed over. Refused `schema/…`, `order/…`."""
    vet(envelope.payload, letter.view, folder.known_game(home(), envelope.game))
    stem = stem_of(letter.view, envelope.kind)
    hand_over(envelope, letter.view.head.address, stem, where, letter.reply)
