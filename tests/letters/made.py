"""Letters of games that bots have played a good way into, as they were written: nothing is drawn of them yet."""

from __future__ import annotations

import email
from email.message import Message
from functools import cache

from engine import GAMES, AnyGame
from fixtures.play import begin, open_match, play_out
from pbem.turn.posting import Letter

LONG = {"arena": (5, 40), "cybertron": (4, 20)}
"""Of each game the most seats, and a turn late in it: the longest letters."""


def find(game: str, version: int) -> AnyGame | None:
    return next((one for one in GAMES if (one.id, one.version) == (game, version)), None)


@cache
def letters(game_id: str) -> tuple[Letter, ...]:
    """All letters of a game up to that turn."""
    game = next(one for one in GAMES if one.id == game_id)
    seats, turn = LONG[game_id]
    match = open_match(game, game.seats[:seats], "pictures", {})
    begin(match)
    play_out(match, "pictures", until=turn)
    return tuple(match.letters)


def has_view(letter: Letter) -> bool:
    return any(file.name.endswith(".view.json") for file in letter.files)


@cache
def asking(game_id: str) -> Letter:
    """The longest letter that asks for a move."""
    asked = [one for one in letters(game_id) if any(file.name.endswith(".move.json") for file in one.files)]
    return max(asked, key=lambda one: len(one.raw))


def parts(raw: bytes) -> dict[str, Message]:
    """The leaves of a mail by their names; its text and its HTML by their types."""
    mail = email.message_from_bytes(raw)
    return {
        str(part.get_filename() or part.get_content_type()): part
        for part in mail.walk()
        if not part.is_multipart()
    }


def content(part: Message) -> bytes:
    data = part.get_payload(decode=True)
    assert isinstance(data, bytes)
    return data
