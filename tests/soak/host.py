"""A host who types the commands of docs/hosting.md, with `pbem serve` as a process of its own."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from pbem.log.envelope import Envelope
from pbem.service.config import Config, Endpoint, config_text
from tests.service.house import House, Player
from tests.soak.postfix import Maildirs, wait_for

PBEM = str(Path(sys.executable).with_name("pbem"))


@dataclass
class Host:
    """Commands, and a home that they work on."""

    home: Path

    def __call__(self, *args: str, data: bytes = b"", code: int = 0, **environment: str) -> str:
        done = subprocess.run(
            [PBEM, *args],
            input=data,
            capture_output=True,
            check=False,
            timeout=60,
            env={**os.environ, "PBEM_HOST": str(self.home), "PBEM_LANG": "en", **environment},
        )
        said = (done.stdout + done.stderr).decode()
        assert done.returncode == code, said
        return said

    def json(self, *args: str) -> Any:
        return json.loads(self(*args, "--json"))

    def settle(self, **settings: Any) -> None:
        """Writes the settings as an editor would."""
        path = self.home / "config.toml"
        config = msgspec.toml.decode(path.read_bytes(), type=Config)
        path.write_text(config_text(msgspec.structs.replace(config, **settings)))

    def game(self, **seats: str) -> str:
        named = [word for seat, address in seats.items() for word in ("--seat", f"{seat}={address}")]
        return str(self.json("game", "new", "--ruleset", "arena", *named)["game"])

    @contextmanager
    def serving(self, *args: str, **environment: str) -> Generator[Path]:
        """While the service runs; gives the file of what it tells."""
        told = self.home.parent / "told"
        with told.open("ab") as out:
            process = subprocess.Popen(
                [PBEM, "serve", *args],
                stderr=out,
                env={**os.environ, "PBEM_HOST": str(self.home), **environment},
            )
            try:
                wait_for(lambda: '"started"' in told.read_text() or process.poll(), "no start")
                yield told
            finally:
                process.send_signal(signal.SIGTERM)
                assert process.wait(30) == 0


@dataclass
class FarPlayer(Player):
    """A player somewhere else, whose mail program sends and whose mailbox is a Maildir."""

    where: str = "players.example.org"

    @property
    def address(self) -> str:
        return f"{self.seat}@{self.where}"

    def wait(self, subject: str) -> None:
        """Until a letter with these words in its subject is there."""
        wait_for(lambda: any(subject in post.subject for post in self.posts), f"{self.seat}: {subject}")


def players(boxes: Maildirs, game: str, *seats: str) -> dict[str, FarPlayer]:
    house = House(None, boxes, Endpoint("", 0), None)  # type: ignore[arg-type]
    return {seat: FarPlayer(house, game, seat) for seat in seats}


def saved(folder: Path, envelope: Envelope) -> Path:
    """The move file on a player's disk."""
    path = folder / f"{envelope.seat}-{envelope.kind}-{envelope.id[:8]}.json"
    path.write_bytes(envelope.text())
    return path


def events(told: Path, name: str) -> list[dict[str, Any]]:
    """What the service told of one kind."""
    rows = [json.loads(row) for row in told.read_text().splitlines() if re.match(r"\{", row)]
    return [row for row in rows if row["event"] == name]
