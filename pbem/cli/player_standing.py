"""`pbem standing`: send standing orders, or try out what they would answer.

To try needs no key and sends nothing: the game itself says what a policy would have answered to what the log tells, and to
typical cases. Nothing of a game is known here.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from engine import Tried, refuse, say
from pbem.cli.player import Delivery, delivery_options, home, key_option, own_ring, view_argument
from pbem.cli.player_send import json_value, open_worried, vet_and_send
from pbem.cli.say import answers, tell
from pbem.log.record import Move, Resign, Start, Timeout, read_record
from pbem.player import folder
from pbem.player.answers import standing_envelope
from pbem.player.check import vet_policy
from pbem.player.view import ViewFile


class _Group(click.Group):
    """`set` is what is meant where neither word is said."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        named = bool(args) and (args[0] in self.commands or args[0].startswith("-"))
        return super().resolve_command(ctx, args if named else ["set", *args])


@click.group(cls=_Group)
def standing() -> None:
    """Your standing orders: set them, or try them out. `pbem standing VIEW POLICY` sets them."""


@standing.command(name="set")
@view_argument
@click.argument("policy")
@key_option
@delivery_options
@answers
def set_(view_path: Path, policy: str, key_path: Path | None, **where: Any) -> None:
    """Replace your standing orders: POLICY is JSON, or the name of a file with it.

    They count from the next turn that opens.
    """
    letter = open_worried(view_path)
    envelope = standing_envelope(own_ring(key_path, letter.view), letter.view, json_value(policy))
    vet_and_send(envelope, letter, Delivery(**where))


@standing.command(name="try")
@view_argument
@click.argument("policy")
@answers
def try_(view_path: Path, policy: str) -> None:
    """Say what POLICY would have answered in this game so far, and in typical cases. Nothing is sent."""
    view = open_worried(view_path).view
    known = folder.known_game(home(), view.head.game)
    typed = vet_policy(json_value(policy), view, known)
    if view.game.trial is None or view.seen is None:
        raise refuse("kit/no-trial", game=view.head.game)
    cases = view.game.trial(view.seen, _events(view), typed)
    _tell(say("What has happened in this game:"), [one for one in cases if one.past])
    _tell(say("Typical cases:"), [one for one in cases if not one.past])


def _events(view: ViewFile) -> tuple[Any, ...]:
    """The public events of the copy of the log, up to the view's own line."""
    found: list[Any] = []
    for line in folder.load_log(home(), view.head.game)[: view.head.n + 1]:
        record = read_record(line.rstrip(b"\n"))
        if isinstance(record, Start | Move | Timeout | Resign):
            found.extend(msgspec.convert(event, view.game.event) for event in record.events)
    return tuple(found)


def _tell(title: Any, cases: Sequence[Tried]) -> None:
    tell(title)
    for one in cases:
        tell(say("- {situation}", situation=one.situation))
        tell(say("  {answer}", answer=one.answer))
    if not cases:
        tell(say("- Nothing that asks for standing orders."))
