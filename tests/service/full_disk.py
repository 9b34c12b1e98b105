"""A disk that fills up, at every size: run inside a mount namespace, on a small file system of its own.

`python -m tests.service.full_disk FOLDER STEP`: mounts a tmpfs there, and with 0, STEP, 2·STEP … free pages hands
a player's mail in. What must be true is asserted: 250 or 452, nothing half done, and once there is
room the same mail goes through.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import aiosmtplib

from pbem.audit.audit import audit
from pbem.service import app, games
from tests.service.house import House, begin, open_house, play_on, stream
from tests.service.mailbox import send, written

SIZE = 8 << 20
ENOUGH = 3
"""So many mails in a row that found room end the trial."""


def fill(folder: Path, free: int) -> None:
    """Leaves so many bytes free."""
    left = os.statvfs(folder)
    rest = left.f_bavail * left.f_frsize - free
    with (folder / "filler").open("wb") as out:
        out.write(b"\0" * max(rest, 0))


def rows(house: House) -> list[list[Any]]:
    return [house.rows(table) for table in ("games", "people", "records", "inbox", "outbox")]


async def put_off(sending: Awaitable[None]) -> set[int]:
    """The codes with which a mail is put off; none if it is taken."""
    try:
        await sending
    except aiosmtplib.SMTPRecipientsRefused as refused:
        return {one.code for one in refused.recipients}
    except aiosmtplib.SMTPResponseException as refused:
        return {refused.code}
    return set()


async def trial(folder: Path, step: int) -> tuple[int, int]:
    """Gives how many mails were put off, and how many were taken but could not be played at once."""
    app.PAUSE = 0.02
    async with open_house(folder, per_sender=0, per_game=0) as house:
        game = await house.game()
        players = await begin(house, game)
        await play_on(players, stream("full"), 2)
        refused = late = easy = pages = 0
        below = stream("fuller")
        while easy < ENOUGH:
            asked = next(one for one in players.values() if one.view.menu.asked)
            raw = written(asked.address, asked.invitation.address, asked.move(below).text())
            before, posts = rows(house), len(house.mailbox.posts)
            fill(folder, pages * 4_096)
            pages += step
            mail = (house.door, asked.address, [asked.invitation.address], raw)
            codes = await put_off(send(*mail))
            if codes:
                assert codes == {452}
                assert rows(house) == before
                refused, easy = refused + 1, 0
                (folder / "filler").unlink()
                await send(*mail)
            else:
                # taken is taken: it is played when there is room
                await asyncio.sleep(0.1)
                waits = len(house.rows("records")) == len(before[2])
                late, easy = late + waits, 0 if waits else easy + 1
                (folder / "filler").unlink()
            await house.service.wait_idle()
            assert [row.state for row in house.rows("inbox", "id, state")].count("done") == len(before[3]) + 1
            assert len(house.rows("records")) > len(before[2])
            assert len(house.mailbox.posts) > posts
        log = games.export(house.service.database, house.service.host, game, names=False, now=0)
        assert audit(log).verdict in ("unfinished", "sound")
        assert (house.service.home.logs / f"{game}.pbem").read_bytes() == log
        return refused, late


def main() -> None:
    folder, step = Path(sys.argv[1]), int(sys.argv[2])
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(folder)], check=True)
    refused, late = asyncio.run(trial(folder, step))
    sys.stdout.write(f"put off {refused}, played late {late}\n")


if __name__ == "__main__":
    main()
