"""A full disk and an fsync that fails: mail is put off, none is lost, and no process goes on over a broken disk."""

from __future__ import annotations

import asyncio
import re
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import aiosmtplib
import pytest

from pbem.service import games
from pbem.service.app import Service
from pbem.service.database import open_database
from pbem.service.driver import BROKEN
from tests.service.fleet import FleetPlayer, new_games, serve, settled
from tests.service.house import Clock, House, home_in
from tests.service.mailbox import Mailbox, open_mailbox, send, written

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.needs("namespaces")
def test_a_full_disk_puts_mail_off_and_loses_none(tmp_path: Path) -> None:
    _full_disk(tmp_path, step=8)


@pytest.mark.soak
@pytest.mark.needs("namespaces")
def test_a_disk_full_at_every_size(tmp_path: Path) -> None:
    _full_disk(tmp_path, step=1)


def _full_disk(folder: Path, step: int) -> None:
    own = ["unshare", "--map-root-user", "--mount"]
    done = subprocess.run(
        [*own, sys.executable, "-m", "tests.service.full_disk", str(folder), str(step)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=1_200,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    refused, late = map(int, re.findall(r"\d+", done.stdout))
    assert refused > 0, done.stdout
    assert late > 0 or step > 1, done.stdout


SHIM = """
#include <errno.h>
#include <unistd.h>
#include <stdlib.h>
#include <sys/syscall.h>
static int fails(void) { char *file = getenv("FSYNC_FAILS"); return file && access(file, F_OK) == 0; }
int fsync(int fd) { if (fails()) { errno = EIO; return -1; } return syscall(SYS_fsync, fd); }
int fdatasync(int fd) { if (fails()) { errno = EIO; return -1; } return syscall(SYS_fdatasync, fd); }
"""


@pytest.mark.needs("compiler")
def test_an_fsync_that_failed_ends_the_process_and_the_next_one_starts_from_the_disk(tmp_path: Path) -> None:
    (tmp_path / "shim.c").write_text(SHIM)
    shim = str(tmp_path / "shim.so")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", shim, str(tmp_path / "shim.c")], check=True)
    fails = tmp_path / "now"
    unsafe = {"LD_PRELOAD": shim, "FSYNC_FAILS": str(fails)}

    async def said() -> None:
        mailbox = Mailbox()
        async with open_mailbox(mailbox) as relay:
            home = home_in(tmp_path, relay)
            new_games(home, ["broken"])
            process = await serve(home.path, environment=unsafe)
            while len(mailbox.posts) < 2:
                await asyncio.sleep(0.01)
            # the letters are marked as sent
            await asyncio.sleep(0.3)
            house = House(Service(home), mailbox, process.door, Clock())
            player = FleetPlayer(house, "broken", "red")
            raw = written(player.address, player.invitation.address, player.join().text())
            fails.touch()
            with pytest.raises((aiosmtplib.SMTPException, OSError)):
                await send(process.door, player.address, [player.invitation.address], raw)
            assert await asyncio.wait_for(process.process.wait(), 20) == BROKEN
            await process.end(signal.SIGKILL)
            assert process.events[-1]["event"] == "disk-broken"
            fails.unlink()
            again = await serve(home.path)
            await send(again.door, player.address, [player.invitation.address], raw)
            await settled(home.path)
            assert await again.end(signal.SIGTERM) == 0
            with closing(open_database(home.url)) as database:
                log = games.export(database, Service(home).host, "broken", names=False, now=0)
            assert [line.count(b'"kind":"join"') for line in log.splitlines()] == [0, 1]

    asyncio.run(said())
