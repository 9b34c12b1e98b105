"""Mail by hand: one mail given in by a mail server's pipe, and the mails that a fault of ours has put aside."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

from engine import Refused, plain, say
from pbem.cli.host_home import HOME, JSON, opened, store
from pbem.cli.say import answers, tell, tell_json, tell_refusal, warn

MOST = 1_000
"""Mails in one list."""

SAID = {
    "dropped": say("Dropped: this mail names no game, and is of no player."),
    "no-recipient": say("There is no such address."),
    "no-game": say("This mail names no game: answer a letter of the game, or send its move file."),
    "too-large": say("This mail is too large: send the move file alone."),
    "not-an-address": say("The sender's address is none that can be used."),
}
"""Read by the sender, in what his mail server sends back."""


class WrongUse(click.UsageError):
    """EX_TEMPFAIL, and not EX_USAGE: for a word mistyped by the host a mail server would send his players' mail back."""

    exit_code = 75


class PipeCommand(click.Command):
    """A command for mail servers: wrong use ends with 75 (EX_TEMPFAIL), and they keep the mail."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does, with another exit code."""
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            raise WrongUse(error.message, ctx) from None


@click.command(cls=PipeCommand)
@HOME
@click.option("--sender", default=None, metavar="ADDRESS", help="The envelope sender; $SENDER if left out.")
@click.option(
    "--accepted",
    is_flag=True,
    help="The mail server has accepted the mail already: refuse nothing for good, tell players by letter.",
)
@click.argument("recipients", metavar="[RECIPIENT]...", nargs=-1)
def deliver(home: Path, sender: str | None, accepted: bool, recipients: tuple[str, ...]) -> None:
    """Take one mail from standard input, as a mail server's pipe hands it over.

    RECIPIENT is $ORIGINAL_RECIPIENT or $RECIPIENT if left out, else the address of the service. Ends with 0 when the
    mail is safe, 65 or 67 if it can never be taken, 75 if it should be handed over again later. With --accepted
    there is no 65 and no 67: what is of no player is dropped.
    """
    from pbem.service.deliver import TEMPFAIL

    try:
        code = _deliver(home, sender, recipients, accepted)
    except OSError:
        # not even what is wrong can be written; any other code would send the mail back
        code = TEMPFAIL
    sys.exit(code)


def _deliver(path: Path, sender: str | None, recipients: tuple[str, ...], accepted: bool) -> int:
    from pbem.service.deliver import TEMPFAIL

    try:
        return _taken(path, sender, recipients, accepted)
    except Refused as refused:
        tell_refusal(refused.refusal)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with us, the mail must be handed over again
        from pbem.service import journal

        journal.listen()
        journal.fault("deliver-failed", error)
    warn(say("The mail was not taken; it should be handed over again later."))
    return TEMPFAIL


def _taken(path: Path, sender: str | None, recipients: tuple[str, ...], accepted: bool) -> int:
    from pbem.service import deliver as ways
    from pbem.service.clock import system_clock
    from pbem.service.deliver import recipients_of, sender_of
    from pbem.service.home_store import using_store
    from pbem.service.inbox import Arrival
    from pbem.service.pulse import believed

    home = opened(path)
    raw = sys.stdin.buffer.read(ways.most_of(home, accepted=accepted))
    wanted = recipients_of(recipients, os.environ, home.config.address)
    with using_store(home) as database:
        # a mail that is dated in a year to come would count against its sender until then
        clock = believed(database, system_clock)
        mail = Arrival(sender_of(sender, os.environ), (), raw, clock())
        take = ways.deliver_accepted if accepted else ways.deliver
        found = take(database, home, mail, wanted, clock)
    if found.what == "later":
        warn(say("Too much mail within an hour; more is taken after {when}.", when=found.when))
    elif found.what != "taken":
        warn(SAID[found.what])
    return found.code


@click.group()
def inbox() -> None:
    """Mails that a fault of ours has put aside."""


@inbox.command(name="list")
@HOME
@click.option(
    "--state",
    type=click.Choice(("poison", "new", "done", "dropped")),
    default="poison",
    help="Which mails; those that were put aside if left out.",
)
@JSON
@answers
def list_(home: Path, state: str, as_json: bool) -> None:
    """The mails that were put aside, oldest first."""
    from pbem.service import inbox as mails

    with store(home) as (_, _, database), database.read() as tx:
        found = mails.in_state(tx, state, MOST)
    if as_json:
        tell_json([_brief(plain(one)) for one in found])
        return
    for one in found:
        _tell(one)
    if not found:
        tell(say("There are none."))


@inbox.command()
@HOME
@click.argument("mail", type=int, metavar="ID")
@click.option("--raw", is_flag=True, help="The mail itself, byte for byte.")
@JSON
@answers
def show(home: Path, mail: int, raw: bool, as_json: bool) -> None:
    """One mail: what is known of it, and the traceback of the fault."""
    from pbem.service import inbox as mails

    with store(home) as (_, _, database), database.read() as tx:
        found, data = mails.look_up(tx, mail)
    if raw:
        click.echo(data, nl=False)
        return
    if as_json:
        tell_json({**plain(found), "bytes": len(data)})
        return
    _tell(found)
    tell(say("Bytes: {bytes}; with --raw they are written out.", bytes=len(data)))
    if found.error:
        click.echo(found.error)


@inbox.command()
@HOME
@click.argument("mails", type=int, nargs=-1, required=True, metavar="ID...")
@JSON
@answers
def retry(home: Path, mails: tuple[int, ...], as_json: bool) -> None:
    """Try mails anew that were put aside, after an update for instance."""
    _release(home, mails, "new", as_json)


@inbox.command()
@HOME
@click.argument("mails", type=int, nargs=-1, required=True, metavar="ID...")
@JSON
@answers
def drop(home: Path, mails: tuple[int, ...], as_json: bool) -> None:
    """Drop mails for good that were put aside; their bytes are kept."""
    _release(home, mails, "dropped", as_json)


def _release(home: Path, mails: tuple[int, ...], state: Any, as_json: bool) -> None:
    from pbem.service import inbox as queue

    with store(home) as (_, _, database), database.write() as tx:
        for mail in mails:
            queue.release(tx, mail, state)
    if as_json:
        tell_json({"mails": list(mails), "state": state})
        return
    if state == "new":
        tell(say("Mails that are tried anew: {mails}.", mails=len(mails)))
    else:
        tell(say("Mails that are dropped: {mails}.", mails=len(mails)))


def _tell(one: Any) -> None:
    from pbem.service.clock import instant

    row = say(
        "{id}  {state}  game {game}, seat {seat}, from {sender}, {received}; tries: {attempts}",
        id=one.id,
        state=one.state,
        game=one.game,
        seat=one.seat or "?",
        sender=one.sender or "<>",
        received=instant(one.received),
        attempts=one.attempts,
    )
    tell(row)


def _brief(one: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in one.items() if name != "error"}
