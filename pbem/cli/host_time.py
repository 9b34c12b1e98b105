"""The host's commands for time: what a game is given at its beginning, pauses, longer deadlines, players' zones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from engine import LANGUAGES, refuse, say
from pbem.cli.host_home import HOME, JSON, mirror, store
from pbem.cli.host_shown import tell_verdicts
from pbem.cli.say import answers, tell, tell_json
from pbem.turn.policy import ALL, SILENCES, TimePolicy, check_policy

if TYPE_CHECKING:
    from pbem.service.config import Host
    from pbem.service.database import Database
    from pbem.turn.pipeline import Verdict

F = TypeVar("F", bound=Callable[..., Any])
REASON = click.option("--reason", default="", help="Why; everybody can read it.")
_OPTIONS = (
    click.option(
        "--deadline",
        "deadlines",
        multiple=True,
        metavar="[KIND=]RULE",
        help="How long a decision may take, as 7d, '72h weekdays' or 'every Mon,Thu 20:00 Europe/Helsinki'.",
    ),
    click.option("--zone", default="UTC", show_default=True, help="The time zone of the deadlines."),
    click.option("--grace", default="", metavar="TIME", help="How long after it a move is still taken."),
    click.option("--hold", default="", metavar="TIME", help="How long a move can be changed, as 30m."),
    click.option("--vacation", type=int, default=0, metavar="DAYS", help="Days of vacation for each player."),
    click.option(
        "--silence",
        type=click.Choice(SILENCES),
        default="default",
        show_default=True,
        help="What happens when a player's time is up.",
    ),
    click.option(
        "--limit",
        type=int,
        default=0,
        metavar="N",
        help="After N silences in a row the seat is offered to others.",
    ),
)


def policy_options(command: F) -> F:
    """The options of `pbem game new` that make up its time policy; `policy_from` takes them."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def policy_from(deadlines: Sequence[str], **fields: Any) -> TimePolicy | None:
    """The policy that the options ask for; None without a deadline. Refused `time/…`."""
    rules: dict[str, str] = {}
    for text in deadlines:
        kind, equals, rule = text.partition("=")
        rules[kind.strip() if equals else ALL] = (rule if equals else text).strip()
    policy = TimePolicy(rules=rules, **fields)
    if not rules:
        if policy != TimePolicy(rules={}):
            raise refuse("time/no-policy")
        return None
    return check_policy(policy)


@click.command()
@HOME
@click.argument("game_id", metavar="GAME")
@REASON
@JSON
@answers
def pause(home: Path, game_id: str, reason: str, as_json: bool) -> None:
    """Stop the clocks of GAME: no time runs out; moves are still taken."""
    from pbem.service import games
    from pbem.service.clock import system_clock

    _act(home, game_id, as_json, lambda db, host: games.pause(db, host, game_id, reason, system_clock))


@click.command()
@HOME
@click.argument("game_id", metavar="GAME")
@REASON
@JSON
@answers
def resume(home: Path, game_id: str, reason: str, as_json: bool) -> None:
    """Let the clocks of GAME run again; every deadline is later by as long as they stood."""
    from pbem.service import games
    from pbem.service.clock import system_clock

    _act(home, game_id, as_json, lambda db, host: games.go_on(db, host, game_id, reason, system_clock))


@click.command()
@HOME
@click.argument("game_id", metavar="GAME")
@click.option("--by", default="", metavar="TIME", help="So much longer, as 48h or 3d.")
@click.option("--until", default="", metavar="INSTANT", help="Until then, as 2026-12-24T18:00:00Z.")
@REASON
@JSON
@answers
def extend(home: Path, game_id: str, by: str, until: str, reason: str, as_json: bool) -> None:
    """Move the deadlines that run in GAME."""
    from pbem.service import games
    from pbem.service.clock import system_clock

    longer = games.Longer(by, until, reason)
    _act(home, game_id, as_json, lambda db, host: games.extend(db, host, game_id, longer, system_clock))


@click.command()
@HOME
@click.argument("game_id", metavar="GAME")
@click.argument("seat")
@click.option("--zone", default=None, metavar="ZONE", help="The player's time zone; empty for the game's.")
@click.option(
    "--quiet", default=None, metavar="HOURS", help="No reminders then, as 22:00-08:00; empty for none."
)
@click.option("--lang", default=None, type=click.Choice(LANGUAGES), help="The language of his letters.")
@JSON
@answers
def player(
    home: Path,
    game_id: str,
    seat: str,
    zone: str | None,
    quiet: str | None,
    lang: str | None,
    as_json: bool,
) -> None:
    """Set the time zone, the quiet hours and the language of the player of SEAT."""
    from pbem.service import people

    with store(home) as (_, _, database), database.write() as tx:
        found = people.set_settings(tx, game_id, seat, people.Wanted(zone, quiet, lang))
    if as_json:
        tell_json(
            {"game": game_id, "seat": seat, "zone": found.zone, "quiet": found.quiet, "lang": found.lang}
        )
        return
    tell(
        say(
            "Zone: {zone}. Quiet hours: {quiet}. Language: {lang}.",
            zone=found.zone or say("that of the game"),
            quiet=found.quiet or say("none"),
            lang=found.lang,
        )
    )


@click.command()
@HOME
@click.option("--right", is_flag=True, help="The clock is right as it is now: let the games go on.")
@JSON
@answers
def clock(home: Path, right: bool, as_json: bool) -> None:
    """Whether the clock of the service can be believed; it is doubted when it has leapt."""
    from pbem.service import pulse
    from pbem.service.clock import instant, system_clock

    with store(home) as (_, _, database), database.write() as tx:
        believed = pulse.believe(tx, system_clock()) if right else False
        found = pulse.read(tx)
    ahead = found.ahead if found else 0
    if as_json:
        beat = instant(found.shown) if found else ""
        tell_json({"beat": beat, "ahead": ahead, "believed": believed})
        return
    if believed:
        tell(say("The clock is believed; the games go on as soon as the service looks at them."))
    elif ahead:
        tell(
            say(
                "The clock has leapt by {hours} hours. All games stand until it is set right, or until you say --right.",
                hours=ahead // 3600,
            )
        )
    else:
        tell(say("The clock is believed."))


def _act(home: Path, game_id: str, as_json: bool, work: Callable[[Database, Host], list[Verdict]]) -> None:

    with store(home) as (home_, host, database):
        verdicts = work(database, host)
        mirror(database, home_, game_id)
    tell_verdicts(game_id, verdicts, as_json)
