"""`python -m pbem.demo` (`make demo`): plays, shows progress, and says what to try next."""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from pathlib import Path

import click

from engine import GAMES, Say, bots_of, find_bot, plural, say, words
from pbem.audit.audit import headline
from pbem.cli.asked import ruleset as find_ruleset
from pbem.cli.say import answers, lang, tell, warn
from pbem.demo.conductor import Demo, Stuck, play


@click.command()
@click.option(
    "--ruleset", default="", help="Which game, as ID or ID/VERSION; the first there is, if left out."
)
@click.option("--players", type=int, default=0, help="How many; as many as four, if left out.")
@click.option(
    "--bots", default="", help="Who writes the orders, by seat, parted by commas; the best bot, if left out."
)
@click.option("--seed", default="demo", show_default=True, help="With the same seed the same game comes.")
@click.option("--keep", type=click.Path(path_type=Path), help="Keep everything in this new folder.")
@answers
def main(ruleset: str, players: int, bots: str, seed: str, keep: Path | None) -> None:
    """A whole game by real mail on this machine, from invitation to audited archive."""
    game = find_ruleset(ruleset) if ruleset else GAMES[0]
    fewest, most = game.players
    number = players or min(4, most)
    if not fewest <= number <= most:
        raise click.UsageError(_text(say("{fewest} to {most} players.", fewest=fewest, most=most)))
    folder = keep or Path(tempfile.mkdtemp(prefix="pbem-demo-"))
    if folder.exists() and any(folder.iterdir()):
        raise click.UsageError(_text(say("{folder} is not empty.", folder=str(folder))))
    names = tuple(bots.split(",")) if bots else (next(iter(bots_of(game))),)
    for name in names:
        find_bot(game, name)
    demo = Demo(game, number, seed, folder.resolve(), names)
    begun = time.monotonic()
    introduce(demo)
    try:
        asyncio.run(play(demo, Progress()))
    except Stuck as stuck:
        warn(say("The demo does not go on: no answer from {seat}.", seat=str(stuck)))
        sys.exit(1)
    conclude(demo, int(time.monotonic() - begun))
    sys.exit(demo.report.exit_code if demo.report else 1)


class Progress:
    """A line for each join and ready, and one that counts the moves."""

    def __init__(self) -> None:
        self.terminal = sys.stderr.isatty()
        self.moves = 0

    def __call__(self, seat: str, kind: str, mails: int) -> None:
        if kind != "move":
            tell(say("  mail {mails}: {seat} sends a {kind}", mails=mails, seat=seat, kind=kind))
            return
        self.moves += 1
        if self.terminal:
            click.echo("\r" + _text(say("  moves mailed: {moves}", moves=self.moves)), err=True, nl=False)
        elif self.moves % 20 == 0:
            tell(say("  moves mailed: {moves}", moves=self.moves))


def introduce(demo: Demo) -> None:
    """What is about to happen."""
    names = tuple(demo.game.seat_names[seat] for seat in demo.names)
    tell(say("A game of {title} by mail, for {names}.", title=demo.game.title, names=names))
    tell(say("One service and {n} players, each a process with a mailbox and a key.", n=len(names)))


def conclude(demo: Demo, seconds: int) -> None:
    """Result, archive, verdict, the mails, and three commands to try."""
    assert demo.report is not None
    tell(say("Played in {seconds}.", seconds=plural("one second", "{n} seconds", seconds)))
    for place in demo.report.result["places"] if demo.report.result else ():
        seat = demo.game.seat_names[place["seat"]]
        tell(say("  {place}. {seat}: {score}", place=place["place"], seat=seat, score=place["score"]))
    tell(say("Archive: {file}", file=str(demo.archive)))
    tell(say("Audit:   {verdict}", verdict=headline(demo.report)))
    tell(
        say(
            "Every player's own copy of the log, put together from letters, is the same: {names}.",
            names=tuple(demo.game.seat_names[seat] for seat in demo.copies),
        )
    )
    tell(say("Mails:   {folder}, one folder a player, as .eml and text", folder=str(demo.folder)))
    tell(say("To try next:"))
    first = demo.names[0]
    letters = sorted((demo.folder / first / "received").glob("*.eml"))
    for command in (
        say("  pbem audit {file}", file=str(demo.archive)),
        say("  pbem replay {file} --turn 5 --seat {seat}", file=str(demo.archive), seat=first),
        say("  pbem show {file}", file=str(letters[len(letters) // 2])),
    ):
        tell(command)


def _text(sentence: Say) -> str:
    return words(sentence, lang())


if __name__ == "__main__":
    main()
