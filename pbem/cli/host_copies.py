"""The host's commands for copies: make one, put one back, and bring on the games that wait after that."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from getpass import getpass
from pathlib import Path
from typing import TypeVar

import click

from engine import Refused, Say, plain, refuse, say, words
from pbem.cli import asked
from pbem.cli.host_home import HOME, JSON, mirror, opened, store
from pbem.cli.say import answers, is_asked, lang, tell, tell_json
from pbem.disk import INPUT, SETTINGS, read_file

R = TypeVar("R")
_MARK = "\ufeff"
_VARIABLE = "PBEM_PASSPHRASE"
FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
PASSPHRASE = click.option(
    "--passphrase-file",
    type=FILE,
    help="A file with the passphrase; else $PBEM_PASSPHRASE, else it is asked for.",
)


@click.command()
@HOME
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@PASSPHRASE
@JSON
@answers
def backup(home: Path, file: Path, passphrase_file: Path | None, as_json: bool) -> None:
    """Write a copy of everything, host key included, into FILE, under a passphrase. The service may run."""
    from pbem.service import vault
    from pbem.service.backup import backup as copied
    from pbem.service.clock import system_clock
    from pbem.service.copy_place import check_place

    found = opened(home)
    check_place(found, file, *([] if passphrase_file is None else [passphrase_file]))
    passphrase = _new_passphrase(passphrase_file)
    rows = copied(found, file, passphrase, asked.SYSTEM(vault.SALT + vault.PREFIX), system_clock())
    if as_json:
        tell_json({"file": str(file), "rows": rows})
        return
    tell(say("The copy is {file}. Rows in it: {rows}.", file=str(file), rows=rows))
    tell(say("Keep the passphrase somewhere else: without it the copy cannot be read."))


@click.command()
@HOME
@click.argument("file", type=FILE)
@PASSPHRASE
@click.option("--database", default="", metavar="URL", help="PostgreSQL, if not a SQLite file in the home.")
@JSON
@answers
def restore(home: Path, file: Path, passphrase_file: Path | None, database: str, as_json: bool) -> None:
    """Make a new home from the copy in FILE. Its games wait until their players have been heard."""
    from pbem.service.backup import restore as made
    from pbem.service.clock import instant, system_clock

    now = system_clock()
    done = _first_that_fits(_passphrases(passphrase_file), lambda one: made(home, file, one, now, database))
    if as_json:
        tell_json({"home": str(home), **plain(done)})
        return
    tell(
        say(
            "The home is {home}, as it was at {at}. Rows: {rows}.",
            home=str(home),
            at=instant(done.created),
            rows=done.rows,
        )
    )
    if done.held:
        tell(_waiting(done.held))


@click.command()
@HOME
@JSON
@answers
def holds(home: Path, as_json: bool) -> None:
    """Games that were put back from a copy and wait for their players; and which of them ran on after it."""
    from pbem.service import held

    with store(home) as (_, _, database), database.read() as tx:
        found = held.list_held(tx)
    if as_json:
        tell_json([plain(one) for one in found])
        return
    for one in found:
        if one.ran_on:
            tell(
                say(
                    "{game} ran on after the copy: {seats} can show newer lines. See `pbem host adopt`.",
                    game=one.game,
                    seats=", ".join(one.ran_on),
                )
            )
        if one.waits_for:
            tell(say("{game} waits for {seats}.", game=one.game, seats=", ".join(one.waits_for)))
    if not found:
        tell(say("No game is on hold."))


@click.command()
@HOME
@click.argument("game_id", metavar="GAME")
@answers
def resume(home: Path, game_id: str) -> None:
    """Let GAME go on without waiting. Only if you know that no player has newer lines: else it forks."""
    from pbem.service import held

    with store(home) as (_, _, database), database.write() as tx:
        held.resume(tx, game_id)
    tell(say("Game {game} goes on.", game=game_id))


@click.command()
@HOME
@click.argument("log", type=FILE)
@click.argument("files", type=FILE, nargs=-1)
@JSON
@answers
def adopt(home: Path, log: Path, files: tuple[Path, ...], as_json: bool) -> None:
    """Bring a game up to LOG, which a player holds. FILES are mails or move files with the envelopes in it."""
    from pbem.service.adopt import adopt as adopted
    from pbem.service.clock import system_clock
    from pbem.turn import pipeline

    claims: list[pipeline.Claims] = []
    for file in files:
        data = read_file(file, INPUT)
        one = pipeline.claim_file(data)
        claims.append(one if one.envelopes else pipeline.claim_mail(data))
    lines = read_file(log)
    with store(home) as (home_, host_, database):
        done = adopted(database, host_, lines, claims, system_clock())
        mirror(database, home_, done.game)
    if as_json:
        tell_json(plain(done))
        return
    tell(say("Game {game}: records made again: {records}.", game=done.game, records=done.records))
    if done.held:
        tell(_waiting((done.game,)))


def _waiting(games: Sequence[str]) -> Say:
    return say(
        "On hold until every player has sent his newest letter, for which he is asked: {games}. `pbem host holds`"
        " shows how far that is.",
        games=", ".join(games),
    )


def _new_passphrase(file: Path | None) -> str:
    """The passphrase for a copy. Refused `host/passphrase`, `host/passphrase-text`."""
    found, place = _given(file)
    if not found and file is None and is_asked():
        found = getpass(words(say("Passphrase: "), lang()))
        if found != getpass(words(say("The same once more: "), lang())):
            raise refuse("host/passphrase")
    found = found.removeprefix(_MARK) if file is not None else found
    if "\0" in found:
        # UTF-16 without a mark
        raise refuse("host/passphrase-text", place=place)
    return _checked(found, place)


def _passphrases(file: Path | None) -> tuple[str, ...]:
    """Those to be tried. An earlier release took a byte order mark of the file for a part of the passphrase."""
    found, place = _given(file)
    if not found and file is None and is_asked():
        found = getpass(words(say("Passphrase: "), lang()))
    _checked(found, place)
    plain = found.removeprefix(_MARK) if file is not None else found
    return tuple(dict.fromkeys(one for one in (plain, found) if one))


def _given(file: Path | None) -> tuple[str, str]:
    """What a file or the environment says; and where that is."""
    if file is None:
        return os.environ.get(_VARIABLE, ""), _VARIABLE
    try:
        return read_file(file, SETTINGS).decode("utf-8").rstrip("\r\n"), str(file)
    except UnicodeDecodeError:
        raise refuse("host/passphrase-text", place=str(file)) from None


def _checked(found: str, place: str) -> str:
    if not found:
        raise refuse("host/passphrase")
    try:
        found.encode("utf-8")
    except UnicodeEncodeError:
        raise refuse("host/passphrase-text", place=place) from None
    return found


def _first_that_fits(passphrases: Sequence[str], work: Callable[[str], R]) -> R:
    """What the work gives with the first passphrase that opens the copy. Refused `host/passphrase-wrong`, …"""
    for passphrase in passphrases[:-1]:
        try:
            return work(passphrase)
        except Refused as refused:
            if refused.refusal.code != "host/passphrase-wrong":
                raise
    return work(passphrases[-1])
