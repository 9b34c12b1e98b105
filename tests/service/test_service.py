"""The service as a process: one a home, an orderly end, and no end that loses anything."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiosmtplib
import pytest

from engine import Refused
from pbem.audit.audit import audit
from pbem.log.envelope import Envelope
from pbem.player.opening import open_file
from pbem.service import games
from pbem.service.app import Service, Setting
from pbem.service.config import Config, Endpoint, init_home, open_home
from pbem.service.drain import drain
from tests.service.house import Clock, House, Player, begin, home_in, open_house, play_on, stream
from tests.service.mailbox import Mailbox, Post, open_mailbox, send, written

PBEM = str(Path(sys.executable).with_name("pbem"))


def test_a_second_service_on_one_home_refuses(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            second = Service(house.service.home)
            with pytest.raises(Refused) as refused:
                await second.start()
            assert refused.value.refusal.code == "disk/in-use"
            with pytest.raises(Refused):
                await drain(house.service.home)
            # the first is none the worse for it
            await house.game()
            assert len(house.mailbox.posts) == 2

    asyncio.run(said())


def test_a_port_that_is_taken_is_said_and_leaves_nothing_open(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_mailbox(Mailbox()) as taken:
            home = init_home(tmp_path / "home", Config(listen=str(taken)), b"k" * 32)
            for _ in range(2):
                with pytest.raises(Refused) as refused:
                    await Service(home).start()
                assert refused.value.refusal.code == "host/listen"

    asyncio.run(said())


def test_what_came_in_while_nobody_worked_is_done_by_the_next(tmp_path: Path) -> None:
    """`pbem work --once`: mail that waits is played, letters that are due are sent."""

    async def said() -> None:
        async with open_house(tmp_path) as house:
            game = await house.game()
            red = (await house.players(game))["red"]
            service = house.service
            service._stopping = True
            service._inbox_bell.ring()
            service._outbox_bell.ring()
            await asyncio.gather(*service._tasks)
            raw = written(red.address, red.invitation.address, red.join().text())
            await send(house.door, red.address, [red.invitation.address], raw)
            assert [row.state for row in house.rows("inbox", "state")] == ["new"]
            await service.stop()
            assert await drain(service.home, Setting(house.clock)) == (1, 1)
            assert len(red.posts) == 2
            log = (service.home.logs / f"{game}.pbem").read_bytes()
            assert log.count(b"\n") == 2
            await service.start()

    asyncio.run(said())


def test_a_stopped_service_starts_again_where_it_was(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            players = await begin(house, await house.game())
            below = stream("again")
            for _ in range(3):
                await play_on(players, below, 2)
                await house.service.stop()
                house.door = await house.service.start()
            game = players["red"].game
            log = games.export(house.service.database, house.service.host, game, names=False, now=0)
            assert audit(log).verdict == "unfinished"
            assert log.count(b"\n") > 10
            assert (house.service.home.logs / f"{game}.pbem").read_bytes() == log

    asyncio.run(said())


def test_the_log_tells_no_address_secret_or_word_of_a_player(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def said() -> list[bytes]:
        async with open_house(tmp_path) as house:
            game = await house.game()
            players = await begin(house, game)
            await play_on(players, stream("quiet"), 4)
            red = players["red"]
            await red.hand_in(written(red.address, red.invitation.address, b"a private word\n"))
            await send(house.door, "stranger@example.org", [red.invitation.address], b"Subject: hush\r\n\r\n")
            await house.service.wait_idle()
            with house.service.database.read() as tx:
                from pbem.service.store import load_desk

                secrets = load_desk(tx, house.service.host, game, 0).desk.secrets
            return [secrets.seed, secrets.k_hidden, secrets.mail, secrets.key.raw]

    caplog.set_level("DEBUG")
    secrets = asyncio.run(said())
    ours = [record for record in caplog.records if record.name in ("pbem.service", "mail.log")]
    told = "\n".join(str(record.__dict__) for record in ours)
    assert "letter-sent" in told
    assert "mail-refused" in told
    for word in ("@", "private", "hush", *(secret.hex() for secret in secrets)):
        assert word not in told


@dataclass
class Process:
    """`pbem serve` as a host starts it."""

    process: asyncio.subprocess.Process
    door: Endpoint
    events: list[dict[str, Any]]

    async def end(self, number: int) -> int:
        if self.process.returncode is None:
            self.process.send_signal(number)
        code = await self.process.wait()
        assert self.process.stderr is not None
        self.events += [json.loads(line) for line in (await self.process.stderr.read()).splitlines()]
        return code


async def serve(home: Path) -> Process:
    process = await asyncio.create_subprocess_exec(
        PBEM, "serve", "--home", str(home), stderr=asyncio.subprocess.PIPE
    )
    assert process.stderr is not None
    first = await asyncio.wait_for(process.stderr.readline(), 30)
    assert b'"event":"started"' in first, first + await process.stderr.read()
    started = json.loads(first)
    host, _, port = started["listen"].rpartition(":")
    return Process(process, Endpoint(host, int(port)), [started])


async def command(home: Path, *args: str) -> tuple[int, str, str]:
    process = await asyncio.create_subprocess_exec(
        *(PBEM, *args),
        env={**os.environ, "PBEM_HOST": str(home)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    return process.returncode or 0, out.decode(), err.decode()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_service_in_order(tmp_path: Path, number: int) -> None:
    async def said() -> None:
        async with open_mailbox(Mailbox()) as relay:
            home = home_in(tmp_path, relay)
            process = await serve(home.path)
            code, _, err = await command(home.path, "serve")
            assert (code, "disk/in-use" in err) == (2, True)
            assert await process.end(number) == 0
            assert process.events[-1]["event"] == "stopped"

    asyncio.run(said())


def test_killed_at_any_moment_it_loses_and_doubles_nothing(tmp_path: Path, seed: str) -> None:
    """kill -9 while mails come in and letters go out; the players send again what was not acknowledged."""
    asyncio.run(_killed(tmp_path, f"suite {seed}", kills=3))


@pytest.mark.soak
@pytest.mark.parametrize("part", "abcd")
def test_killed_fifty_times(tmp_path: Path, seed: str, part: str) -> None:
    asyncio.run(_killed(tmp_path, f"{seed} {part}", kills=50))


async def _killed(path: Path, seed: str, kills: int) -> None:
    below, moments = stream(f"killed {seed}"), stream(f"moments {seed}")
    async with _killing(path) as (home, mailbox, restart):
        began = time.monotonic()
        house = House(Service(open_home(home)), mailbox, await restart(signal.SIGKILL), Clock())
        # a mail is handled in a tenth of what a start takes, however slow the machine is
        handled = (time.monotonic() - began) / 10
        _, out, _ = await command(
            home,
            *("game", "new", "--ruleset", "arena", "--json"),
            *("--seat", "red=red@example.org", "--seat", "blue=blue@example.org"),
        )
        game = json.loads(out)["game"]
        players = {seat: Player(house, game, seat) for seat in ("red", "blue")}
        await _until(lambda: all(player.posts for player in players.values()), "invitations")
        sent: list[Envelope] = []
        for player in players.values():
            sent.append(await _insist(house, player, player.join(), restart))
        for player in players.values():
            sent.append(await _insist(house, player, player.ready(), restart))
        for _ in range(kills):
            await _until(lambda: len({one.view.head.n for one in players.values()}) == 1, "news for all")
            asked = next(one for one in players.values() if one.view.menu.asked)
            delay = handled * moments(1_000) / 1_000
            sent.append(await _insist(house, asked, asked.move(below), restart, delay))
        await restart(signal.SIGTERM)
        await asyncio.sleep(0.3)
        await restart(signal.SIGTERM)
        code, out, err = await command(home, "export", game, "--no-names")
        assert code == 0, err
        _sound(home, game, out.encode(), sent, mailbox)


def _sound(home: Path, game: str, log: bytes, sent: list[Envelope], mailbox: Mailbox) -> None:
    """The invariants: a sound chain, each envelope in one record, each letter there, one text a Message-ID."""
    assert audit(log).verdict in ("unfinished", "sound")
    recorded = [json.loads(line).get("envelope") for line in log.splitlines()]
    for envelope in sent:
        assert recorded.count(envelope.id) == 1
    assert (home / "logs" / f"{game}.pbem").read_bytes() == log
    service = Service(open_home(home))
    texts: dict[str, set[bytes]] = {}
    for post in mailbox.posts:
        texts.setdefault(post.message_id, set()).add(post.raw)
    assert all(len(found) == 1 for name, found in texts.items() if ".again." not in name)
    from contextlib import closing

    from pbem.service.database import open_database
    from pbem.service.tables import inbox, outbox

    with closing(open_database(service.home.url)) as database, database.read() as tx:
        letters = tx.execute(outbox.select()).all()
        assert {f"<{row.message_id}>" for row in letters} == set(texts)
        assert {row.state for row in letters} == {"sent"}
        assert {row.state for row in tx.execute(inbox.select())} == {"done"}


@asynccontextmanager
async def _killing(path: Path) -> AsyncGenerator[tuple[Path, Mailbox, Any]]:
    mailbox = Mailbox()
    async with open_mailbox(mailbox) as relay:
        home = home_in(path, relay).path
        running: list[Process] = []

        async def restart(number: int) -> Endpoint:
            if running:
                await running.pop().end(number)
            running.append(await serve(home))
            return running[0].door

        try:
            yield home, mailbox, restart
        finally:
            for process in running:
                await process.end(signal.SIGKILL)


async def _insist(
    house: House, player: Player, envelope: Envelope, restart: Any, delay: float | None = None
) -> Envelope:
    """Sends until it was acknowledged, and waits for an answer; somewhere in between the service is killed."""
    raw = written(player.address, player.invitation.address, envelope.text())
    before = len(player.posts)

    async def killer() -> None:
        if delay is not None:
            await asyncio.sleep(delay)
            house.door = await restart(signal.SIGKILL)

    killing = asyncio.create_task(killer())
    # as long as a new process may take to open its door on a busy machine
    for _ in range(1_200):
        try:
            await send(house.door, player.address, [player.invitation.address], raw)
            break
        except (aiosmtplib.SMTPException, OSError):
            await asyncio.sleep(0.05)
    else:
        raise AssertionError("the door stays shut")
    await killing
    await _until(lambda: any(_answers(post, envelope) for post in player.posts[before:]), "an answer")
    return envelope


def _answers(post: Post, envelope: Envelope) -> bool:
    """Whether a letter is the receipt of an envelope: the new lines of the log have its record."""
    return any(envelope.id.encode() in log for log in open_file(post.raw).logs)


async def _until(true: Any, what: str) -> None:
    for _ in range(3_000):
        if true():
            return
        await asyncio.sleep(0.02)
    raise AssertionError(f"never came: {what}")
