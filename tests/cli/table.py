"""A game in a folder, its host at the command line, its players with the kit's functions and their letters."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from pbem.cli import main
from pbem.log.envelope import Envelope
from pbem.log.seal import PrivateKey
from pbem.player import (
    ViewFile,
    bot_orders,
    join_envelope,
    move_envelope,
    read_invitation,
    read_view,
    ready_envelope,
)

Json = dict[str, Any]
SEATS = ("red", "green")


def pbem(*args: str | Path) -> Result:
    """One command. Anything that ends but as an answer fails the test."""
    result = CliRunner().invoke(main, [str(arg) for arg in args])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert "Traceback" not in result.output
    return result


def code(result: Result) -> str:
    """The refusal code with which a command ended, told in full."""
    head, found, rest = result.stderr.rpartition("Code ")
    assert found, result.output
    for label in ("Expected:", "Found:", "What to do:"):
        assert label in rest, head
    return rest.split()[0]


def key_of(seat: str) -> PrivateKey:
    """A seat's key in these tests."""
    return PrivateKey(hashlib.sha256(f"key of {seat}".encode()).digest())


def said(result: Result) -> list[Json]:
    """The lines of JSON that a command answered."""
    return [json.loads(line) for line in result.stdout.splitlines()]


@dataclass
class Game:
    """A folder with a game in it. Each seat's newest letter is known by its path."""

    folder: Path
    letters: dict[str, Path] = field(default_factory=dict[str, Path])
    hours: int = 0
    over: bool = False

    def command(self, *args: str | Path) -> Result:
        """`pbem turn …`, an hour later than the last one, answered in JSON; letters are taken to their readers."""
        self.hours += 1
        now = f"2026-05-{self.hours // 24 + 1:02d}T{self.hours % 24:02d}:00:00Z"
        result = pbem("turn", *args, "--now", now, "--json")
        for answer in said(result) if result.exit_code == 0 else []:
            self.over = self.over or answer["over"]
            for letter in answer["letters"]:
                self.letters[Path(letter).stem] = Path(letter)
        return result

    def new(self, *more: str) -> Result:
        """A game for two."""
        seats = [arg for seat in SEATS for arg in ("--seat", f"{seat}={seat}@example.org")]
        return self.command("new", self.folder, "--ruleset", "arena", *seats, *more)

    def apply(self, envelope: Envelope | bytes, name: str = "move.json") -> Result:
        """An envelope, or other bytes, as a file given to `pbem turn apply`."""
        file = self.folder.with_name(name)
        file.write_bytes(envelope.text() if isinstance(envelope, Envelope) else envelope)
        return self.command("apply", self.folder, file)

    def view(self, seat: str) -> ViewFile:
        """The view in the newest letter of a seat."""
        return read_view(self.letters[seat].read_bytes())

    def move(self, seed: int = 0) -> Envelope:
        """A bot's move for the seat that is asked."""
        seat = next(seat for seat in SEATS if self.view(seat).menu.asked)
        view = self.view(seat)
        return move_envelope(key_of(seat), view, bot_orders(view, seed))

    def begin(self) -> Game:
        """Everybody joins and confirms."""
        assert self.new().exit_code == 0
        for seat in SEATS:
            invited = read_invitation(self.letters[seat].read_bytes())
            assert self.apply(join_envelope(key_of(seat), invited)).exit_code == 0
        for seat in SEATS:
            assert self.apply(ready_envelope(key_of(seat), self.view(seat), {})).exit_code == 0
        return self

    def log(self) -> Path:
        """The log's file."""
        (path,) = self.folder.glob("*.pbem")
        return path

    def files(self) -> dict[str, bytes]:
        """All that lies in the folder, but for the lock."""
        return {
            str(path.relative_to(self.folder)): path.read_bytes()
            for path in self.folder.rglob("*")
            if path.is_file() and path.name != ".lock"
        }
