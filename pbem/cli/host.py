"""The host's commands: a home, games in it, the service, an export. What they do is the service's; here it is said."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from engine import Say, plain, say
from pbem.cli import asked, host_time
from pbem.cli.export_file import Form, export_file, hand_over, is_file
from pbem.cli.export_file import check as check_form
from pbem.cli.export_file import options as form_options
from pbem.cli.host_copies import adopt, backup, holds, restore, resume
from pbem.cli.host_health import doctor
from pbem.cli.host_home import HOME, JSON, check_foreign, mirror, opened, store
from pbem.cli.host_people import observe, ratings, seat, substitutes
from pbem.cli.host_shown import tell_games, tell_open, tell_status, tell_verdicts
from pbem.cli.say import answers, tell, tell_json
from pbem.turn.opening import Plan
from pbem.turn.policy import plain_policy

if TYPE_CHECKING:
    from pbem.service.roles import Role


@click.group()
def host() -> None:
    """The home of a mail service."""


@host.command()
@HOME
@click.option("--address", default="", help="Where players mail to; games@pbem.example.org if left out.")
@click.option("--listen", default="", metavar="HOST:PORT", help="Where mail is taken; 127.0.0.1:8025.")
@click.option("--relay", default="", metavar="HOST:PORT", help="The mail server for letters; 127.0.0.1:25.")
@click.option("--database", default="", metavar="URL", help="PostgreSQL, if not the SQLite file of the home.")
@JSON
@answers
def init(home: Path, address: str, listen: str, relay: str, database: str, as_json: bool) -> None:
    """Make the home: settings, the host's key, the database."""
    from pbem.log.seal import key_id, public_of
    from pbem.service.config import Config, init_home
    from pbem.service.home_store import using_store

    default = Config()
    config = Config(
        address=asked.check_address(address or default.address),
        listen=listen or default.listen,
        relay=relay or default.relay,
        database=database or default.database,
    )
    made = init_home(home, config, asked.SYSTEM(32))
    with using_store(made):
        key = key_id(public_of(made.key))
    if as_json:
        tell_json({"home": str(home), "address": config.address, "listen": config.listen, "key": key})
        return
    tell(say("The home is {home}; its settings are in config.toml there.", home=str(home)))
    tell(
        say(
            "Players mail to {address}. Mail is taken at {listen}.",
            address=config.address,
            listen=config.listen,
        )
    )
    tell(say("The host's key is {key}. Keep a copy of host.key: games cannot go on without it.", key=key))


for command in (backup, restore, holds, resume, adopt, doctor, host_time.clock):
    host.add_command(command)


@click.group()
def game() -> None:
    """Games of this home."""


@game.command()
@HOME
@click.option("--ruleset", required=True, help="Which game, as ID or ID/VERSION.")
@click.option(
    "--seat", "seats", multiple=True, required=True, metavar="SEAT=ADDRESS", help="A seat and its player."
)
@asked.LANG
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the ruleset.")
@asked.BOARD
@asked.DECK
@asked.PRESS
@asked.ON_TIME
@click.option("--press-at-once", is_flag=True, help="Pass messages on at once, not with the next letter.")
@host_time.policy_options
@JSON
@answers
def new(
    home: Path,
    ruleset: str,
    seats: tuple[str, ...],
    langs: tuple[str, ...],
    options: tuple[str, ...],
    board: Path | None,
    deck: Path | None,
    press: str,
    press_at_once: bool,
    on_time: int,
    as_json: bool,
    **time: Any,
) -> None:
    """Begin a game: every seat is mailed its invitation."""
    from pbem.service import games
    from pbem.service.clock import system_clock
    from pbem.service.pulse import believed
    from pbem.service.ratings import check_entry

    entropy = asked.SYSTEM
    chosen = asked.ruleset(ruleset)
    people = asked.people(seats, entropy, langs)
    data = asked.board_and_deck(board, deck)
    policy = plain_policy(host_time.policy_from(**time))
    with store(home) as (home_, host_, database):
        check_foreign(home_, *(person.address for person in people.values()))
        if on_time:
            with database.read() as tx:
                check_entry(tx, (person.address for person in people.values()), on_time)
        terms = (
            {} if press == "none" else {"press": press, "press_when": "once" if press_at_once else "letter"}
        )
        plan = Plan(asked.word(entropy, 10), chosen, asked.options(options), people, data, policy, terms)
        secrets = asked.game_secrets(home_.key, entropy)
        desk = games.new_game(database, host_, plan, secrets, believed(database, system_clock)())
        mirror(database, home_, desk.game_id)
    if as_json:
        tell_json({"game": desk.game_id, "seats": list(desk.charter.seats)})
        return
    tell(say("Game {game} waits for its players; the invitations lie in the outbox.", game=desk.game_id))


for command in (host_time.pause, host_time.resume, host_time.extend, host_time.player):
    game.add_command(command)


@game.command(name="list")
@HOME
@click.option("--open", "open_", is_flag=True, help="Only games with seats that wait for somebody.")
@JSON
@answers
def list_(home: Path, open_: bool, as_json: bool) -> None:
    """All games."""
    from pbem.service import games

    with store(home) as (_, host_, database):
        if open_:
            tell_open(games.open_games(database, host_), as_json)
            return
        found = games.list_games(database)
    if as_json:
        tell_json([plain(one) for one in found])
        return
    tell_games(found)


@game.command()
@HOME
@click.argument("game_id", metavar="GAME")
@JSON
@answers
def show(home: Path, game_id: str, as_json: bool) -> None:
    """One game: its phase, its seats, whom it waits for, what became of the letters."""
    from pbem.cli.host_shown import tell_game
    from pbem.service import games
    from pbem.service.clock import system_clock

    with store(home) as (_, host_, database):
        found = games.show_game(database, host_, game_id, system_clock())
    if as_json:
        tell_json(plain(found))
        return
    tell_game(found)


@game.command()
@HOME
@click.argument("game_id", metavar="GAME")
@click.argument("seat")
@JSON
@answers
def timeout(home: Path, game_id: str, seat: str, as_json: bool) -> None:
    """Play the safe default for SEAT, whose time has run out."""
    from pbem.service import games
    from pbem.service.clock import system_clock

    with store(home) as (home_, host_, database):
        verdicts = games.silence(database, host_, game_id, seat, system_clock)
        mirror(database, home_, game_id)
    tell_verdicts(game_id, verdicts, as_json)


@game.command()
@HOME
@click.argument("game_id", metavar="GAME")
@click.argument("seat")
@click.argument("new_address", metavar="[ADDRESS]", default="")
@click.option("--second", default=None, metavar="ADDRESS", help="Where to say that the first takes no mail.")
@JSON
@answers
def address(home: Path, game_id: str, seat: str, new_address: str, second: str | None, as_json: bool) -> None:
    """Set where the letters to SEAT go; what did not arrive goes out again."""
    from pbem.service import people
    from pbem.service.clock import system_clock

    letters = 0
    with store(home) as (home_, _, database), database.write() as tx:
        check_foreign(home_, new_address, second or "")
        if second is not None:
            people.set_second(tx, game_id, seat, asked.check_address(second) if second else "")
        if new_address or second is None:
            now = system_clock()
            letters = people.set_address(tx, game_id, seat, asked.check_address(new_address), now)
    if as_json:
        tell_json({"game": game_id, "seat": seat, "letters": letters})
        return
    tell(say("Set. Letters that go out again: {letters}.", letters=letters))


@game.command()
@HOME
@click.argument("game_id", metavar="GAME")
@click.option("--reason", default="", help="Why, for all to read; needed for a game that is under way.")
@JSON
@answers
def cancel(home: Path, game_id: str, reason: str, as_json: bool) -> None:
    """Call off GAME. One that is under way has no result then, and everything of it is opened."""
    from pbem.service import games
    from pbem.service.clock import system_clock

    with store(home) as (home_, host_, database):
        verdicts = games.cancel(database, host_, game_id, system_clock, reason)
        mirror(database, home_, game_id)
    tell_verdicts(game_id, verdicts, as_json)


game.add_command(seat)
game.add_command(observe)
game.add_command(ratings)
game.add_command(substitutes)


@click.command()
@HOME
@click.option(
    "--role",
    "roles",
    multiple=True,
    type=click.Choice(("smtp", "worker", "sender")),
    help="Do only this of the work (may be said more than once); over PostgreSQL, other processes do the rest.",
)
@click.option("--imap", is_flag=True, help="Fetch mail from the mailbox of the settings, and open no door.")
@click.option("--metrics", default="", metavar="HOST:PORT", help="Show numbers for Prometheus there.")
@click.option("--http", default="", metavar="HOST:PORT", help="Show the desk page there, and nothing else.")
@answers
def serve(home: Path, roles: tuple[Role, ...], imap: bool, metrics: str, http: str) -> None:
    """Take mail, play it, send letters, until told to stop (SIGTERM or SIGINT)."""
    import asyncio

    from pbem.service import journal
    from pbem.service.app import Service, Setting
    from pbem.service.config import port_at
    from pbem.service.roles import ROLES

    window = port_at(metrics) if metrics else None
    chosen: tuple[Role, ...] = tuple(role for role in ROLES if role in roles or not roles)
    web = port_at(http) if http else None
    setting = Setting(roles=chosen, imap=imap, metrics=window, web=web)
    journal.listen()
    asyncio.run(Service(opened(home), setting).run())


@click.command()
@HOME
@click.option("--once", is_flag=True, required=True, help="Do what there is to do, and end. For cron.")
@JSON
@answers
def work(home: Path, once: bool, as_json: bool) -> None:
    """Play the mail that waits and send the letters that are due, without taking new mail."""
    import asyncio

    from pbem.service import journal
    from pbem.service.drain import drain

    journal.listen()
    mails, letters = asyncio.run(drain(opened(home)))
    if as_json:
        tell_json({"mails": mails, "letters": letters})
        return
    tell(_worked(mails, letters))


@click.command()
@HOME
@click.argument("game_id", metavar="GAME|FILE")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="A file; standard output if left out.")
@click.option("--no-names", is_flag=True, help="Leave out the players' names, at the end of a finished game.")
@click.option("--html", "as_html", is_flag=True, help="A page that shows the game and judges itself.")
@form_options
@answers
def export(
    home: Path, game_id: str, output: Path | None, no_names: bool, as_html: bool, **wanted: Any
) -> None:
    """Write the log of GAME; of a finished game, that is the archive which anyone can audit.

    With an archive FILE instead, write that: a layer of it, or its moves, events and draws in another form.
    """
    from pbem.disk import write_file

    form = Form(**wanted)
    check_form(form, output, as_html=as_html)
    if as_html:
        from pbem.cli.site import export_page

        made = partial(_exported, home, game_id, no_names, output)
        export_page(game_id, output, form, made, names=not no_names)
        return
    if is_file(game_id):
        export_file(Path(game_id), output, form, names=not no_names)
        return
    data = _exported(home, game_id, no_names, output)
    if form != Form():
        hand_over(data, output, form)
        return
    if output is None:
        click.echo(data, nl=False)
        return
    write_file(output, data)
    tell(say("The log of game {game} is in {file}.", game=game_id, file=str(output)))


@click.command()
@HOME
@click.option(
    "--zone", default="", metavar="ZONE", help="Tell deadlines in this zone; else in each game's own."
)
@JSON
@answers
def status(home: Path, zone: str, as_json: bool) -> None:
    """The service in numbers: games, mail that came, letters that go out; and the deadlines that run."""
    from pbem.service import games
    from pbem.turn import zones

    if zone:
        zones.zone(zone)
    with store(home) as (_, host_, database):
        found = games.status(database, host_)
    if as_json:
        tell_json(plain(found))
        return
    tell_status(found, zone)


def _exported(home: Path, game_id: str, no_names: bool, output: Path | None) -> bytes:
    """The log of a game of this home. Refused `host/backup-place` where it would be written over the home's own files."""
    from pbem.service import games
    from pbem.service.clock import system_clock
    from pbem.service.copy_place import check_not_own

    with store(home) as (home_, host_, database):
        if output is not None:
            check_not_own(home_, output)
        return games.export(database, host_, game_id, names=not no_names, now=system_clock())


def _worked(mails: int, letters: int) -> Say:
    return say("Mails handled: {mails}; letters tried: {letters}.", mails=mails, letters=letters)
