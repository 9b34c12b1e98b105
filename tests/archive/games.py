"""Whole archives to damage, made once a run: a small one, a long one, one cut in mid-game, and its keys."""

from __future__ import annotations

from functools import cache

import msgspec

from engine import GAMES, waiting
from fixtures.play import Match, begin, expect, join, open_match, play_out, resign, standing
from pbem.log.record import seal_record
from pbem.log.seal import PrivateKey
from pbem.turn import pipeline

POLICY = {"gorgon": "highest"}


@cache
def small_match() -> Match:
    """Two seats: standing orders, a few moves, a silence, a farewell; everything opened, and names."""
    game = GAMES[0]
    match = open_match(game, game.seats[:2], "small", {})
    begin(match)
    expect(match.send(standing(match, game.seats[0], POLICY)))
    play_out(match, "small", until=4)
    position = match.desk.position
    assert position is not None
    match.silence(waiting(match.desk.table, position)[0])
    expect(match.send(resign(match, game.seats[1])))
    assert match.over
    return match


@cache
def long_match() -> Match:
    """Three seats, played to the end."""
    game = GAMES[0]
    match = open_match(game, game.seats[:3], "long", {})
    begin(match)
    play_out(match, "long")
    return match


def host_key(match: Match) -> PrivateKey:
    """The key of the match's host."""
    return match.desk.secrets.key


@cache
def small() -> bytes:
    """The small archive, with its line of names."""
    match = small_match()
    ledger = match.desk.snapshot.ledger
    head = {"kind": "names", "n": ledger.n + 1, "at": ledger.at, "prev": ledger.head}
    names = {seat: seat.title() for seat in ledger.seats}
    line = seal_record(host_key(match), {**head, "names": names})
    return match.archive() + line + b"\n"


def long() -> bytes:
    """The long archive."""
    return long_match().archive()


def lines(archive: bytes) -> list[bytes]:
    """Its lines, each with its LF."""
    return archive.splitlines(keepends=True)


def kind(line: bytes) -> str:
    """The kind of a line."""
    return str(msgspec.json.decode(line)["kind"])


@cache
def tiny_match() -> Match:
    """A game called off after one of two has joined: the shortest archive that has an envelope in it."""
    game = GAMES[0]
    match = open_match(game, game.seats[:2], "tiny", {})
    expect(match.send(join(match, game.seats[0])))
    match.take(pipeline.finish(match.desk, match.kept))
    return match


def tiny() -> bytes:
    """The tiny archive."""
    return tiny_match().archive()
