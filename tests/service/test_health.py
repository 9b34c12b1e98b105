"""What a host is told of his service: the doctor's findings, numbers for Prometheus, lines of the journal."""

from __future__ import annotations

import asyncio
import json
import shutil
import socket
import sqlite3
import struct
import threading
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from engine import words
from pbem.service import dns, doctor, held, metrics, probes
from pbem.service.app import Service, Setting
from pbem.service.config import Config, Endpoint
from pbem.service.database import open_database
from pbem.service.doctor import Finding
from pbem.service.roundtrip import relay_finding, trip_finding
from pbem.service.submission import Submission
from tests.service.house import NOW, House, begin, home_in, open_house, play_on, stream
from tests.service.mailbox import Mailbox, open_mailbox, send, written

SUBMISSION = Submission("pbem.example.org")


def found(house: House) -> dict[str, list[tuple[str, str]]]:
    """What the doctor says now, by name."""
    told: dict[str, list[tuple[str, str]]] = {}
    for one in doctor.examine(house.service.home, house.service.database, house.clock):
        told.setdefault(one.name, []).append((one.how, words(one.what)))
    return told


async def played(house: House) -> str:
    game = await house.game()
    await play_on(await begin(house, game), stream("health"), 3)
    return game


def test_a_sound_house(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            await played(house)
            told = found(house)
            assert list(told) == ["clock", "disk", "database", "records", "logs", "queues"]
            assert {how for findings in told.values() for how, _ in findings} <= {"good", "look"}
            assert [how for how, _ in told["records"]] == ["good"]

    asyncio.run(said())


def test_a_clock_that_is_behind_its_records(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            await played(house)
            house.clock.seconds = NOW - 3_600
            ((how, what),) = found(house)["clock"]
            assert (how, "2026-01-01T12:00:00Z" in what) == ("bad", True)

    asyncio.run(said())


def test_rows_that_are_no_log(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            game = await played(house)
            service = house.service
            line = house.rows("records", "n, line")[3].line

            def damage(statement: str, **values: Any) -> list[tuple[str, str]]:
                with service.database.write() as tx:
                    tx.execute(sa.text(statement), values)
                return found(house)["records"]

            changed = damage(
                "UPDATE records SET line = :line WHERE n = 3", line=line.replace(b'"n":3', b'"n":4')
            )
            assert [how for how, _ in changed] == ["bad"]
            assert f"{game}: line 4" in changed[0][1]
            assert [how for how, _ in damage("UPDATE records SET line = :line WHERE n = 3", line=line)] == [
                "good"
            ]
            last = house.rows("records", "n")[-1].n
            gone = damage("DELETE FROM records WHERE n = :n", n=last)
            assert gone == [("bad", f"{game}: the position is not that of the newest record")]
            # this ended in a traceback, and nothing else was told
            unread = damage("UPDATE games SET snapshot = :bytes", bytes=b'{"ledger": 7')
            assert unread == [("bad", f"{game}: the position cannot be read")]

    asyncio.run(said())


def test_files_that_are_not_their_logs(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            game = await played(house)
            file = house.service.home.logs / f"{game}.pbem"
            whole = file.read_bytes()
            for data, how in (
                (whole, "good"),
                (b"".join(whole.splitlines(keepends=True)[:3]), "look"),
                (whole[:-9], "bad"),
                (whole.replace(b'"n":2', b'"n":7'), "bad"),
                (whole + b"x", "bad"),
            ):
                file.write_bytes(data)
                assert [one for one, _ in found(house)["logs"]] == [how]
            file.unlink()
            assert [one for one, _ in found(house)["logs"]] == ["look"]

    asyncio.run(said())


def test_a_disk_that_is_full_or_read_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = shutil.disk_usage(tmp_path)
    for free, how in ((5 << 30, "good"), (500 << 20, "look"), (5 << 20, "bad")):
        usage = sizes._replace(free=free)

        def told(_: object, usage: object = usage) -> object:
            return usage

        monkeypatch.setattr(shutil, "disk_usage", told)
        assert [one.how for one in doctor.disk_findings(tmp_path)] == [how]
    assert [one.how for one in doctor.disk_findings(Path("/proc"))] == ["bad"]


def test_a_database_that_is_damaged(tmp_path: Path) -> None:
    file = tmp_path / "db"
    with closing(open_database(f"sqlite:///{file}")) as database:
        assert [one.how for one in doctor.database_findings(database)] == ["good"]
        with database.write() as tx:
            tx.execute(sa.text("UPDATE alembic_version SET version_num = '0001'"))
        assert "0001" in words(next(iter(doctor.database_findings(database))).what)
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("INSERT INTO holds VALUES ('nosuch', 'red', 0, 'asked', '')")
            connection.commit()
        assert [one.how for one in doctor.database_findings(database)] == ["bad"]


def test_what_has_waited_too_long(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            game = await played(house)
            database = house.service.database
            with database.write() as tx:
                tx.execute(sa.text("UPDATE outbox SET state = 'failed' WHERE id = 1"))
                tx.execute(sa.text("UPDATE outbox SET state = 'new', next_try = 9999999999 WHERE id = 2"))
                tx.execute(sa.text("UPDATE inbox SET state = 'poison' WHERE id = 1"))
                held.hold(tx, house.service.host, game, NOW)
            now = NOW + 3 * 3_600
            told = [(one.how, words(one.what)) for one in doctor.queue_findings(database, now)]
            assert [how for how, _ in told] == ["bad", "look", "look", "look"]
            assert "waited for 3 h" in told[0][1]

    asyncio.run(said())


class _Echo(Mailbox):
    """A mail server that hands over to the service itself, as it would be behind Postfix."""

    door: Endpoint

    async def handle_DATA(self, server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        await send(self.door, envelope.mail_from, envelope.rcpt_tos, envelope.content)
        return "250 OK"


def test_a_mail_to_oneself_comes_back(tmp_path: Path) -> None:
    async def said() -> None:
        echo = _Echo()
        async with open_mailbox(echo) as relay:
            service = Service(home_in(tmp_path, relay), Setting(lambda: NOW))
            echo.door = await service.start()
            home = service.home
            assert (await relay_finding(home, SUBMISSION)).how == "good"
            trip = await trip_finding(home, service.database, SUBMISSION, ("abc234", NOW, 5.0))
            assert trip == Finding("roundtrip", "good", trip.what)
            # it is nobody's mail, and is not kept for ever
            with service.database.write() as tx:
                assert not tx.execute(sa.text("SELECT * FROM inbox")).all()
                assert [row.nonce for row in tx.execute(sa.text("SELECT * FROM probes"))] == ["abc234"]
            address = probes.probe_address(home.key, service.host.post, "abc235")
            with pytest.raises(Exception, match="550"):
                await send(echo.door, "a@example.org", [address.replace("abc235", "abc236")], b"x\r\n")
            await service.stop()
            # nobody is at the door
            trip = await trip_finding(home, service.database, SUBMISSION, ("abc237", NOW, 0.3))
            assert trip.how == "bad"
        assert (await relay_finding(home, SUBMISSION)).how == "bad"

    asyncio.run(said())


def test_a_mail_to_oneself_beside_a_mail_to_a_seat(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            red = (await house.players(await house.game()))["red"]
            service = house.service
            address = probes.probe_address(service.home.key, service.host.post, "both22")
            raw = written(red.address, red.invitation.address, red.join().text())
            await send(house.door, red.address, [address, red.invitation.address], raw)
            await service.wait_idle()
            assert [row.state for row in house.rows("inbox", "state")] == ["done"]
            assert len(house.rows("probes")) == 1

    asyncio.run(said())


@contextmanager
def name_server(zone: dict[tuple[str, int], list[bytes]], flags: int = 0x8180) -> Generator[tuple[str, int]]:
    """Answers over UDP on loopback; a name that is not in the zone does not exist."""
    line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    line.bind(("127.0.0.1", 0))

    def answer() -> None:
        while True:
            asked, peer = line.recvfrom(512)
            if asked == b"stop":
                return
            labels: list[str] = []
            place = 12
            while asked[place]:
                labels.append(asked[place + 1 : place + 1 + asked[place]].decode())
                place += 1 + asked[place]
            (kind,) = struct.unpack("!H", asked[place + 1 : place + 3])
            datas = zone.get((".".join(labels), kind), [])
            head = asked[:2] + struct.pack("!5H", flags if datas else flags | 3, 1, len(datas), 0, 0)
            rows = b"".join(
                b"\xc0\x0c" + struct.pack("!HHIH", kind, 1, 60, len(data)) + data for data in datas
            )
            line.sendto(head + asked[12 : place + 5] + rows, peer)

    thread = threading.Thread(target=answer)
    thread.start()
    try:
        yield line.getsockname()
    finally:
        line.sendto(b"stop", line.getsockname())
        thread.join()
        line.close()


def _string(text: bytes) -> bytes:
    return bytes([len(text)]) + text


def test_what_the_name_server_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    config = Config()
    zone = {
        ("pbem.example.org", 15): [b"\x00\x0a\x04mail\xc0\x0c"],
        ("pbem.example.org", 16): [_string(b"other"), _string(b"v=spf1 ") + _string(b"mx -all")],
        ("_dmarc.pbem.example.org", 16): [_string(b"v=DMARC1; p=none")],
    }
    with name_server(zone) as server:
        assert dns.ask(server, "pbem.example.org", "MX", 7) == ["10 mail.pbem.example.org"]
        assert dns.ask(server, "pbem.example.org", "TXT", 7) == ["other", "v=spf1 mx -all"]
        assert dns.ask(server, "nobody.example.org", "TXT", 7) == []
        assert [one.how for one in doctor.dns_findings(config, server, lambda: 9)] == ["good"]
    del zone["_dmarc.pbem.example.org", 16], zone["pbem.example.org", 15]
    with name_server(zone) as server:
        told = [words(one.what) for one in doctor.dns_findings(config, server, lambda: 9)]
        assert ["MX" in told[0], "DMARC" in told[1], len(told)] == [True, True, 2]
    monkeypatch.setattr(dns, "TIMEOUT", 0.2)
    good, cut = [b"\x00\x0a\x04mail\x00"], [b"\xc0\x1d"]
    for datas, flags in ((cut, 0x8180), (good, 0x0100), (good, 0x8182)):
        with name_server({("pbem.example.org", 15): datas}, flags) as server, pytest.raises(dns.Unanswered):
            dns.ask(server, "pbem.example.org", "MX", 7)
    with pytest.raises(dns.Unanswered):
        dns.ask(("127.0.0.1", 1), "pbem.example.org", "MX", 7)
    told = [words(one.what) for one in doctor.dns_findings(config, ("127.0.0.1", 1), lambda: 9)]
    assert ["does not answer" in one for one in told] == [True]


def test_the_machine_s_name_server(tmp_path: Path) -> None:
    file = tmp_path / "resolv.conf"
    assert dns.resolver(file) == ""
    file.write_text("# nameserver 10.0.0.1\nsearch example.org\nnameserver 192.0.2.7\nnameserver 192.0.2.8\n")
    assert dns.resolver(file) == "192.0.2.7"


async def _get(at: Endpoint, line: bytes) -> bytes:
    reader, writer = await asyncio.open_connection(at.host, at.port)
    writer.write(line + b"\r\nHost: x\r\n\r\n")
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    return answer


def test_numbers_for_prometheus(tmp_path: Path) -> None:
    async def said() -> None:
        mailbox = Mailbox()
        async with open_mailbox(mailbox) as relay:
            service = Service(
                home_in(tmp_path, relay), Setting(lambda: NOW, metrics=Endpoint("127.0.0.1", 0))
            )
            door = await service.start()
            house = House(service, mailbox, door, lambda: NOW)  # type: ignore[arg-type]
            game = await played(house)
            server = service._window._server
            assert server is not None
            window = Endpoint("127.0.0.1", server.sockets[0].getsockname()[1])
            head, _, body = (await _get(window, b"GET /metrics HTTP/1.1")).partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200 OK")
            assert f"Content-Length: {len(body)}".encode() in head
            _well_formed(body.decode())
            assert b'pbem_games{phase="play"} 1\n' in body
            assert b'pbem_inbox_mails{state="done"} 7\n' in body
            assert b'pbem_events_total{event="mail-taken"}' in body
            for secret in (game.encode(), b"@", b"red"):
                assert secret not in body
            assert (await _get(window, b"GET / HTTP/1.1")).startswith(b"HTTP/1.1 404")
            assert (await _get(window, b"POST /metrics HTTP/1.1")).startswith(b"HTTP/1.1 404")
            service.database.close()
            service.database.engine = sa.create_engine("sqlite:////nosuch/folder/db")
            assert (await _get(window, b"GET /metrics HTTP/1.1")).startswith(b"HTTP/1.1 503")
            service.database.engine.dispose()
            await service.stop()

    asyncio.run(said())


def _well_formed(text: str) -> None:
    """Each metric with its help and type before its samples, no sample twice."""
    lines = text.splitlines()
    samples = [line.rpartition(" ")[0] for line in lines if not line.startswith("#")]
    assert len(set(samples)) == len(samples)
    known: set[str] = set()
    for line in lines:
        if line.startswith("# TYPE"):
            known.add(line.split()[2])
        elif not line.startswith("#"):
            assert line.partition("{")[0].partition(" ")[0] in known
            float(line.rpartition(" ")[2])


def test_words_in_numbers_are_escaped() -> None:
    assert metrics._metric("m", "gauge", "t", [({"a": 'x"\\\n'}, 1)]).endswith('m{a="x\\"\\\\\\n"} 1\n')


def test_a_copy_and_the_doctor_tell_nothing_that_is_secret(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The journal's lines, of all that this half of the service does."""
    from pbem.cli.asked import SYSTEM
    from pbem.service import vault
    from pbem.service.backup import backup, restore
    from pbem.service.store import load_desk

    caplog.set_level("DEBUG")

    async def said() -> list[str]:
        async with open_house(tmp_path) as house:
            game = await played(house)
            service = house.service
            backup(service.home, tmp_path / "copy", "horse", SYSTEM(vault.SALT + vault.PREFIX), NOW)
            restore(tmp_path / "again", tmp_path / "copy", "horse", NOW)
            with service.database.write() as tx:
                held.hold(tx, service.host, game, NOW)
            players = await house.players(game)
            await service.wait_idle()
            for player in players.values():
                await player.mail(player.move(stream("held")) if player.view.menu.asked else player.join())
            found(house)
            with service.database.read() as tx:
                secrets = load_desk(tx, service.host, game, 0).desk.secrets
            return [one.hex() for one in (secrets.seed, secrets.k_hidden, secrets.mail, secrets.key.raw)]

    hidden = asyncio.run(said())
    ours = [record for record in caplog.records if record.name in ("pbem.service", "mail.log")]
    told = json.dumps([str(record.__dict__) for record in ours])
    assert "mail-held" in told
    for word in ("@", "horse", *hidden):
        assert word not in told
