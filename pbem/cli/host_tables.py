"""`pbem table`: standing tables, at which a game begins whenever enough players have come."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from engine import plain, say
from pbem.cli import asked, host_time
from pbem.cli.host_home import HOME, JSON, store
from pbem.cli.say import answers, tell, tell_json
from pbem.turn.policy import plain_policy


@click.group()
def table() -> None:
    """Standing tables: whoever mails `sit` and a table's name gets an invitation, and full tables are laid anew."""


@table.command()
@HOME
@click.option("--ruleset", required=True, help="Which game, as ID or ID/VERSION.")
@click.option("--seat", "seats", multiple=True, required=True, metavar="SEAT", help="A seat of it.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the ruleset.")
@asked.PRESS
@asked.ON_TIME
@host_time.policy_options
@JSON
@answers
def new(
    home: Path,
    ruleset: str,
    seats: tuple[str, ...],
    options: tuple[str, ...],
    press: str,
    on_time: int,
    as_json: bool,
    **time: Any,
) -> None:
    """Lay a table. Its first game waits at once; nobody is mailed before he asks."""
    from pbem.service import halls
    from pbem.service.clock import system_clock
    from pbem.service.pulse import believed

    rules = asked.ruleset(ruleset)
    laid = halls.Laid(
        rules.id,
        rules.version,
        seats,
        asked.options(options),
        {},
        plain_policy(host_time.policy_from(**time)),
        {} if press == "none" else {"press": press, "press_when": "letter"},
    )
    with store(home) as (home_, host_, database):
        now = believed(database, system_clock)()
        with database.write() as tx:
            name = halls.lay(tx, host_, laid, on_time, now)
    if as_json:
        tell_json({"table": name})
        return
    tell(
        say(
            "Table {table} waits. Whoever mails `sit {table}` to {address} gets an invitation.",
            table=name,
            address=home_.config.address,
        )
    )


@table.command(name="list")
@HOME
@JSON
@answers
def list_(home: Path, as_json: bool) -> None:
    """The tables, and the games that wait at them."""
    from pbem.service import halls

    with store(home) as (_, host_, database), database.read() as tx:
        found = halls.all_open(tx, host_)
    if as_json:
        tell_json([plain(one) for one in found])
        return
    for one in found:
        tell(
            say(
                "{table}  {ruleset}  {game}; free seats: {free} of {seats}",
                table=one.table,
                ruleset=one.ruleset,
                game=one.game,
                free=one.free,
                seats=one.seats,
            )
        )
    if not found:
        tell(say("There are no tables. Lay one with `pbem table new`."))


@table.command()
@HOME
@click.argument("name", metavar="TABLE")
@JSON
@answers
def clear(home: Path, name: str, as_json: bool) -> None:
    """No more games at TABLE. The one that waits there stays; `pbem game cancel` calls it off."""
    from pbem.service import halls

    with store(home) as (_, _, database), database.write() as tx:
        game = halls.clear(tx, name)
    if as_json:
        tell_json({"table": name, "game": game})
        return
    tell(say("Cleared. The game {game} may still be joined by whoever has an invitation.", game=game))
