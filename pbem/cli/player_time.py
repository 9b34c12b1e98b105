"""`pbem advance`, `withdraw`, `away`, `extend`, `undo`, `settings`: signed answers about time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from engine import LANGUAGES, refuse
from pbem.cli.player import (
    Delivery,
    Letter,
    delivery_options,
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
from pbem.cli.player_send import json_value
from pbem.cli.say import answers
from pbem.log.envelope import Envelope
from pbem.log.payloads import OnLapse
from pbem.player.check import fit
from pbem.player.time_answers import (
    advance_envelope,
    away_envelope,
    extend_envelope,
    last_place,
    longer,
    settings_envelope,
    undo_envelope,
    withdraw_envelope,
)

DAYS = 2


@click.command()
@view_argument
@click.option(
    "--orders",
    required=True,
    type=click.Path(path_type=Path),
    help="The file with the orders, as for `pbem fill`.",
)
@click.option(
    "--when", default="{}", help="What must hold then, as JSON or the name of a file; nothing if left out."
)
@click.option("--on-lapse", type=click.Choice(["go_on", "stop"]), default="go_on", show_default=True)
@key_option
@delivery_options
@answers
def advance(
    view_path: Path, orders: Path, when: str, on_lapse: OnLapse, key_path: Path | None, **where: Any
) -> None:
    """Send the move for your next turn before it comes. It is played then, if all that --when says holds.

    Otherwise it is dropped, and you are told why. Until then `pbem withdraw` takes it back.
    """
    letter = _open(view_path)
    found = orders_of(read_file(orders), letter.view.game)
    envelope = advance_envelope(
        own_ring(key_path, letter.view), letter.view, found, json_value(when), on_lapse
    )
    _send(envelope, letter, "advance", Delivery(**where))


@click.command()
@view_argument
@click.argument("number", type=click.IntRange(min=0))
@key_option
@delivery_options
@answers
def withdraw(view_path: Path, number: int, key_path: Path | None, **where: Any) -> None:
    """Take back a move that waits to be played: NUMBER is the one that its receipt names."""
    letter = _open(view_path)
    _send(
        withdraw_envelope(own_ring(key_path, letter.view), letter.view, number),
        letter,
        "withdraw",
        Delivery(**where),
    )


@click.command()
@view_argument
@click.argument("days", nargs=-1)
@key_option
@delivery_options
@answers
def away(view_path: Path, days: tuple[str, ...], key_path: Path | None, **where: Any) -> None:
    """Say when you are on vacation: the first and the last of the DAYS, as 2026-12-20 2027-01-03; more pairs may follow.

    It replaces all vacations of yours that have not begun; without DAYS you have none to come. The deadline that runs
    now stays as it is.
    """
    if len(days) % DAYS:
        raise refuse("kit/days", count=len(days))
    periods = list(zip(days[::DAYS], days[1::DAYS], strict=True))
    letter = _open(view_path)
    _send(
        away_envelope(own_ring(key_path, letter.view), letter.view, periods),
        letter,
        "away",
        Delivery(**where),
    )


@click.command()
@view_argument
@click.option("--until", default="", metavar="INSTANT", help="Until then, as 2026-12-24T18:00:00Z.")
@click.option("--by", default="", metavar="TIME", help="So much longer, as 48h or 3d.")
@click.option("--reason", default="", help="Why; everybody can read it.")
@key_option
@delivery_options
@answers
def extend(view_path: Path, until: str, by: str, reason: str, key_path: Path | None, **where: Any) -> None:
    """Wish for longer deadlines in this turn, or agree to such a wish: it is done when all players wish the same."""
    letter = _open(view_path)
    wished = until or longer(letter.view, by)
    _send(
        extend_envelope(own_ring(key_path, letter.view), letter.view, wished, reason),
        letter,
        "extend",
        Delivery(**where),
    )


@click.command()
@view_argument
@click.option("--to", type=click.IntRange(min=1), default=None, metavar="RECORD", help="Back to this record.")
@click.option("--start", is_flag=True, help="Back to the opening of this turn.")
@click.option("--no", "never_mind", is_flag=True, help="Wish it no more, or say no to a wish.")
@click.option("--reason", default="", help="Why; everybody can read it. The first to wish it must say it.")
@key_option
@delivery_options
@answers
def undo(
    view_path: Path,
    to: int | None,
    start: bool,
    never_mind: bool,
    reason: str,
    key_path: Path | None,
    **where: Any,
) -> None:
    """Wish to take back what was played in this turn, or agree to such a wish: done when all players wish the same.

    Without --to it is the last thing played, or what another player wishes. The dice of the turn stay as they are.
    """
    letter = _open(view_path)
    back: int | None = None
    if not never_mind:
        places = letter.view.head.undo.places
        back = to or (places[0] if start and places else last_place(letter.view))
    _send(
        undo_envelope(own_ring(key_path, letter.view), letter.view, back, reason),
        letter,
        "undo",
        Delivery(**where),
    )


@click.command()
@view_argument
@click.option("--zone", default=None, metavar="ZONE", help="Your time zone, as Europe/Helsinki.")
@click.option(
    "--quiet", default=None, metavar="HOURS", help="No reminders then, as 22:00-08:00; empty for none."
)
@click.option("--lang", default=None, type=click.Choice(LANGUAGES), help="The language of your letters.")
@click.option(
    "--pictures",
    type=click.Choice(["on", "off", "text"]),
    default=None,
    help="Letters with pictures of the board; HTML without pictures; or their text alone.",
)
@click.option("--address", default=None, metavar="ADDRESS", help="Where your letters shall go.")
@click.option("--second", default=None, metavar="ADDRESS", help="Another address of yours; empty for none.")
@click.option("--confirm", default=None, metavar="WORD", help="The word that was mailed to that address.")
@key_option
@delivery_options
@answers
def settings(
    view_path: Path,
    zone: str | None,
    quiet: str | None,
    lang: str | None,
    pictures: str | None,
    address: str | None,
    second: str | None,
    confirm: str | None,
    key_path: Path | None,
    **where: Any,
) -> None:
    """Say how you are reached: time zone, hours without reminders, language and pictures of your letters, addresses.

    A new address counts when you have confirmed it with the word that is mailed there. It never stands in the log.
    """
    if [address is not None, second is not None, confirm is not None].count(True) > 1:
        raise refuse("cli/one-of", options="--address, --second, --confirm")
    letter = _open(view_path)
    wanted = {"zone": zone, "quiet": quiet, "lang": lang, "pictures": pictures}
    wanted |= {"address": address, "second": second, "confirm": confirm}
    envelope = settings_envelope(own_ring(key_path, letter.view), letter.view, **wanted)
    _send(envelope, letter, "settings", Delivery(**where))


def _open(path: Path) -> Letter:
    letter = open_letter(path)
    tell_worries(letter)
    return letter


def _send(envelope: Envelope, letter: Letter, word: str, where: Delivery) -> None:
    fit(envelope.payload, letter.view.game)
    hand_over(envelope, letter.view.head.address, stem_of(letter.view, word), where, letter.reply)
