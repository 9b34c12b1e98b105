"""The host's commands about people: a seat that changes hands, a key that is reset."""

from __future__ import annotations

from pathlib import Path

import click

from engine import LANGUAGES, plain, plural, refuse, say
from pbem.cli import asked
from pbem.cli import player_page as page
from pbem.cli.host_home import HOME, JSON, check_foreign, store
from pbem.cli.say import answers, tell, tell_json


@click.command()
@HOME
@click.argument("game_id", metavar="GAME")
@click.argument("seat")
@click.option("--offer", "to", default="", metavar="ADDRESS", help="Offer the seat to somebody at ADDRESS.")
@click.option("--reset", is_flag=True, help="Let its player set a new key, for he has lost his.")
@click.option("--withdraw", is_flag=True, help="Take back what was offered.")
@click.option(
    "--lang",
    "lang",
    type=click.Choice(LANGUAGES),
    default="en",
    show_default=True,
    help="The language of the offer.",
)
@JSON
@answers
def seat(
    home: Path, game_id: str, seat: str, to: str, reset: bool, withdraw: bool, lang: str, as_json: bool
) -> None:
    """Offer SEAT of GAME to a substitute, or to its own player for a new key.

    Nothing changes until the answer comes: it is signed with the new key, and all players are told.
    """
    from pbem.service import pulse, seats
    from pbem.service.clock import system_clock
    from pbem.turn.desk import Offer

    if [bool(to), reset, withdraw].count(True) != 1:
        raise refuse("cli/one-of", options="--offer, --reset, --withdraw")
    token = asked.word(asked.SYSTEM, 16)
    with store(home) as (home_, host, database), database.write() as tx:
        check_foreign(home_, to)
        now = pulse.time_of(tx, system_clock)
        if withdraw:
            done = "withdrawn" if seats.withdraw(tx, game_id, seat) else "nothing"
        elif reset:
            done = seats.reset(tx, host, seats.Chair(game_id, seat), token, now)
        else:
            wanted = Offer(asked.check_address(to), token, "taken", lang)
            done = seats.offer(tx, host, seats.Chair(game_id, seat), wanted, now)
    if as_json:
        tell_json({"game": game_id, "seat": seat, "done": done})
        return
    tell(SAID[done])


@click.command()
@HOME
@click.argument("game_id", metavar="GAME")
@click.argument("address")
@click.option(
    "--delay", default=0, type=click.IntRange(0, 24 * 365), metavar="HOURS", help="Tell him so much later."
)
@click.option("--stop", is_flag=True, help="Tell him no more.")
@click.option(
    "--lang",
    "lang",
    type=click.Choice(LANGUAGES),
    default="en",
    show_default=True,
    help="The language of his letters.",
)
@JSON
@answers
def observe(home: Path, game_id: str, address: str, delay: int, stop: bool, lang: str, as_json: bool) -> None:
    """Let somebody at ADDRESS watch GAME: he is mailed what everybody may see, and nothing else."""
    from pbem.service import observers, pulse
    from pbem.service.clock import system_clock
    from pbem.turn.observer_letters import Observer

    where = asked.check_address(address)
    with store(home) as (home_, host, database), database.write() as tx:
        if stop:
            done = "stopped" if observers.stop(tx, game_id, where) else "nobody"
        else:
            check_foreign(home_, where)
            now = pulse.time_of(tx, system_clock)
            observers.watch(tx, host, game_id, Observer(where, lang, delay * 3600), now)
            done = "watching"
    if as_json:
        tell_json({"game": game_id, "address": where, "done": done})
        return
    tell(WATCHED[done])


WATCHED = {
    "watching": say("Noted. What has happened so far lies in the outbox for him."),
    "stopped": say("He is told no more."),
    "nobody": say("Nobody with this address watches the game."),
}


@click.command()
@HOME
@click.argument("game_id", metavar="[GAME]", default="")
@click.option("--add", "new", default="", metavar="ADDRESS", help="Put somebody at the end of the list.")
@click.option("--drop", "old", default="", metavar="ADDRESS", help="Take somebody off the list.")
@click.option("--lang", "lang", default="en", show_default=True, help="The language in which he is asked.")
@JSON
@answers
def substitutes(home: Path, game_id: str, new: str, old: str, lang: str, as_json: bool) -> None:
    """Who is asked, in this order, to take over a seat of GAME that is silent too often; without GAME, of any game.

    Each has three days to answer before the next is asked. A player who moves again keeps his seat.
    """
    from pbem.service import substitutes as lists

    with store(home) as (home_, _, database), database.write() as tx:
        check_foreign(home_, new)
        if new:
            lists.add(tx, lists.Substitute(game_id, asked.check_address(new), lang))
        if old and not lists.drop(tx, game_id, old):
            raise refuse(
                "host/no-such-player", found=old[:60].encode("ascii", "backslashreplace").decode("ascii")
            )
        found = lists.listed(tx, game_id)
    if as_json:
        tell_json([plain(one) for one in found])
        return
    for number, one in enumerate(found, 1):
        tell(say("{number}. {address}", number=number, address=one.address))
    if not found:
        tell(say("Nobody is on the list; a silent seat is offered by hand: pbem game seat."))


@click.command()
@HOME
@JSON
@answers
def ratings(home: Path, as_json: bool) -> None:
    """Ratings of finished games by ruleset, and who is in time; if the settings allow it."""
    from pbem.service import ratings as rated

    with store(home) as (home_, _, database):
        if not home_.config.ratings:
            raise refuse("host/no-ratings")
        with database.read() as tx:
            best, in_time = rated.ratings(tx), rated.punctuality(tx)
    if as_json:
        tell_json({"ratings": [plain(one) for one in best], "in_time": [plain(one) for one in in_time]})
        return
    for one in best:
        tell(
            say(
                "{ruleset}  {rating}  {address} {name}: {games}",
                ruleset=one.ruleset,
                rating=f"{one.rating / 100:6.2f}",
                address=one.address,
                name=one.name,
                games=plural("one game", "{n} games", one.games),
            )
        )
    if not best:
        tell(say("No game has been finished yet."))
    for late in in_time:
        tell(
            say(
                "in time {percent} of 100  {address}: {moved} of {all}",
                percent=late.percent,
                address=late.address,
                moved=late.moved,
                all=late.moved + late.silent,
            )
        )


@click.group()
def player() -> None:
    """The people who play here."""


@player.command(name="forget")
@HOME
@click.argument("name")
@click.option(
    "--archives",
    "places",
    multiple=True,
    type=click.Path(path_type=Path, exists=True),
    help="Archives, or folders of them, that were exported before: the name goes from these too.",
)
@click.option("--yes", is_flag=True, help="Do not ask whether you mean it.")
@JSON
@answers
def forget_(home: Path, name: str, places: tuple[Path, ...], yes: bool, as_json: bool) -> None:
    """Forget the player NAME: a display name, or an address. The logs of all games stay as they are."""
    from pbem.service import forget

    if not yes:
        tell(say("This takes the name and the addresses of {name} away for good.", name=name))
        tell(say("Type the name once more if you mean it:"))
        if page.read_line() != name:
            raise refuse("kit/not-confirmed")
    with store(home) as (home_, _, database):
        with database.write() as tx:
            done = forget.forget(tx, name)
        forget.scrub(database)
        files = forget.forget_in_archives(places, done.seats, home_.key)
    if as_json:
        tell_json({**plain(done), "archives": [str(file) for file in files]})
        return
    tell(
        say(
            "Forgotten: seats {seats}, letters {letters}, mails {mails}, archives {archives}.",
            seats=len(done.seats),
            letters=done.letters,
            mails=done.mails,
            archives=len(files),
        )
    )
    for game, seat in done.running:
        tell(
            say(
                "Nobody is written to for {seat} of {game} now: pbem game seat {game} {seat} --offer ADDRESS",
                game=game,
                seat=seat,
            )
        )
    tell(
        say(
            "Copies made before (`pbem host backup`) still hold them, and so does what your mail server keeps."
        )
    )


SAID = {
    "offered": say(
        "The offer lies in the outbox. The seat changes hands when it is answered, and all are told then."
    ),
    "invited": say(
        "Nobody had joined the seat: a new invitation lies in the outbox, and the old one is void."
    ),
    "withdrawn": say("The offer has been taken back: an answer to it will be refused."),
    "nothing": say("Nothing was on offer."),
}
