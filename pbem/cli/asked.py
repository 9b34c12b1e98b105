"""What the commands that make a game ask for, defined once: seats, options, addresses, the clock, chance."""

from __future__ import annotations

import base64
import re
import secrets
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import msgspec

from engine import GAMES, AnyGame, find, refuse
from pbem.disk import INPUT, read_file
from pbem.log.canonical import LINE, Limits, read
from pbem.log.ledger import is_time
from pbem.log.seal import PrivateKey
from pbem.turn.desk import Person, Secrets
from pbem.turn.settings import check_language

BOARD = click.option(
    "--board",
    type=click.Path(path_type=Path),
    help="A board to play on instead of the game's own: a JSON file of the same form.",
)
DECK = click.option(
    "--deck",
    type=click.Path(path_type=Path),
    help="A deck to play with instead of the game's own.",
)

LANG = click.option(
    "--lang",
    "langs",
    multiple=True,
    metavar="[SEAT=]LANGUAGE",
    help="The language of the invitations (de, en, fi, hu), for all or for one seat.",
)

PRESS = click.option(
    "--press",
    type=click.Choice(("open", "anonymous", "none")),
    default="none",
    show_default=True,
    help="Whether players may write to each other through the service.",
)
ON_TIME = click.option(
    "--on-time", default=0, type=click.IntRange(0, 100), metavar="PERCENT", help="Only whom you know to be."
)

Entropy = Callable[[int], bytes]
"""Gives so many random bytes; the system's own, but where a demonstration is to be repeated."""

DATA = Limits(256 * 1024, LINE.depth - 2)
"""What is read of a board or a deck; what of it is too long for the log is said by the rules of a new game."""

_PIECE = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_WORD = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]"
_ADDRESS = re.compile(rf"(?=.{{1,64}}@)(?=[^@]+@.{{1,190}}$){_WORD}+(?:\.{_WORD}+)*@{_PIECE}(?:\.{_PIECE})*")


def now() -> str:
    """This instant, as a record has it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def instant(text: str) -> str:
    """An instant given by hand. Refused `cli/instant`."""
    if not is_time(text):
        raise refuse("cli/instant", found=text[:40])
    return text


def ruleset(name: str) -> AnyGame:
    """A game by `id` or `id/version`, the newest version if none is said. Refused `cli/ruleset`."""
    wanted, _, version = name.partition("/")
    versions = [game.version for game in GAMES if game.id == wanted]
    if not versions or (version and version not in map(str, versions)):
        raise refuse(
            "cli/ruleset", found=name, known=", ".join(f"{game.id}/{game.version}" for game in GAMES)
        )
    return find(wanted, int(version) if version else max(versions))


def people(seats: Sequence[str], entropy: Entropy, langs: Sequence[str] = ()) -> dict[str, Person]:
    """`SEAT=ADDRESS` each, in the order of the seats, with a fresh join token; `langs` as `LANG` for all or `SEAT=LANG`.

    Refused `cli/seat`, `cli/address`, `cli/lang`, `settings/lang`.
    """
    spoken = dict(_language(entry) for entry in langs)
    found: dict[str, Person] = {}
    for entry in seats:
        seat, equals, address = entry.partition("=")
        if not equals or seat in found:
            raise refuse("cli/seat", found=entry)
        lang = spoken.get(seat) or spoken.get("") or "en"
        found[seat] = Person(check_address(address), word(entropy, 16), lang=lang)
    if unknown := sorted(spoken.keys() - found.keys() - {""}):
        raise refuse("cli/lang", found=", ".join(unknown), seats=", ".join(found))
    return found


def _language(entry: str) -> tuple[str, str]:
    seat, _, lang = entry.rpartition("=")
    return seat, check_language(lang)


def check_address(address: str) -> str:
    """A mail address that can stand in a header. Refused `cli/address`."""
    if not _ADDRESS.fullmatch(address):
        raise refuse("cli/address", found=address[:80].encode("ascii", "backslashreplace").decode("ascii"))
    return address


def options(entries: Sequence[str]) -> dict[str, Any]:
    """`NAME=VALUE` each; a value is JSON if it reads as JSON, else a word. Refused `cli/option`."""
    found: dict[str, Any] = {}
    for entry in entries:
        name, equals, value = entry.partition("=")
        if not equals:
            raise refuse("cli/option", found=entry)
        try:
            found[name] = msgspec.json.decode(value)
        except msgspec.DecodeError:
            found[name] = value
    return found


def board_and_deck(board: Path | None, deck: Path | None) -> dict[str, Any]:
    """What a game is to be played with instead of its own: JSON files by name. Refused `file/…`, `cli/data`; OSError."""
    found: dict[str, Any] = {}
    for name, file in (("board", board), ("deck", deck)):
        if file is not None:
            value = read(read_file(file, INPUT), DATA)
            if not isinstance(value, dict):
                raise refuse("cli/data", file=str(file))
            found[name] = value
    return found


def game_secrets(key: PrivateKey, entropy: Entropy) -> Secrets:
    """Fresh secrets for one game under the host's key."""
    return Secrets(key, entropy(32), entropy(32), entropy(32))


def word(entropy: Entropy, letters: int) -> str:
    """Random lower-case base32, for ids and tokens; mail programs lower addresses anyway."""
    return base64.b32encode(entropy(letters)).decode("ascii").lower()[:letters]


SYSTEM: Entropy = secrets.token_bytes
