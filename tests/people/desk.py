"""A person with nothing but a folder, a home for the kit and the mails that reach him; and the host at his terminal."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from pbem.service.addresses import is_address
from pbem.service.clock import system_clock
from tests.player.run import code, ok
from tests.service.house import House
from tests.service.mailbox import Post, send, written


def host(house: House, *args: str) -> Any:
    """A command of the host, answered in JSON."""
    told: Any = json.loads(ok(*args, "--home", house.service.home.path, "--json"))
    return told


async def hosted(house: House, *args: str) -> Any:
    """The same; returns when all that it brought has gone out."""
    told = host(house, *args)
    # the command has the machine's clock, the service one that stands until it is set
    house.clock.seconds = max(house.clock.seconds, system_clock() + 1)
    house.service._outbox_bell.ring()
    await house.service.wait_idle()
    return told


def host_refused(house: House, *args: str) -> str:
    """The code with which a command of the host ends."""
    return code(*args, "--home", house.service.home.path)


@dataclass
class Desk:
    """Somebody who reads his mails one by one and types what they say."""

    house: House
    address: str
    folder: Path
    monkeypatch: pytest.MonkeyPatch
    read: int = 0
    files: dict[int, Path] = field(default_factory=dict[int, Path])

    @property
    def posts(self) -> list[Post]:
        return self.house.mailbox.to(self.address)

    def sit(self) -> None:
        """His folder and his kit are at hand from now on."""
        (self.folder / "work").mkdir(parents=True, exist_ok=True)
        self.monkeypatch.setenv("PBEM_HOME", str(self.folder / "kit"))
        self.monkeypatch.setenv("PBEM_LANG", "en")
        self.monkeypatch.chdir(self.folder / "work")

    def saved(self, number: int = -1) -> Path:
        """One of his mails, saved as his mail program does."""
        self.sit()
        posts = self.posts
        index = number % len(posts)
        path = self.folder / "work" / f"mail-{index:03d}.eml"
        path.write_bytes(posts[index].raw)
        return path

    def newest(self, *words: str) -> Path:
        """His newest mail whose subject has one of these words in it."""
        found = [n for n, post in enumerate(self.posts) if any(word in post.subject for word in words)]
        assert found, [post.subject for post in self.posts]
        return self.saved(found[-1])

    def type(self, *args: str | Path, text: str | None = None) -> str:
        """A command that ends well; gives what it says."""
        self.sit()
        return ok(*args, text=text)

    def refused(self, *args: str | Path) -> str:
        """The code with which a command ends."""
        self.sit()
        return code(*args)

    async def mail(self, told: str) -> None:
        """Does what a command has said: sends the file that it wrote to the address that it named."""
        rows = told.splitlines()
        signed = next(row.partition(": ")[2] for row in rows if row.startswith("Signed: "))
        to = next(row.partition(": ")[2] for row in rows if row.startswith("Send it to: "))
        assert is_address(to)
        raw = written(self.address, to, (self.folder / "work" / signed).read_bytes())
        await send(self.house.door, self.address, [to], raw)
        await self.house.service.wait_idle()
