"""What the doctor finds in a damaged database, and settings and numbers that nothing can be done with."""

from __future__ import annotations

import asyncio
import json
import socket
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from engine import Refused, words
from pbem.cli.asked import SYSTEM
from pbem.service import doctor, vault
from pbem.service.app import Service, Setting
from pbem.service.backup import backup, restore
from pbem.service.clock import system_clock
from pbem.service.config import Config, Endpoint, Home, check_config, init_home, open_home
from pbem.service.database import open_database
from pbem.service.roundtrip import trip_finding
from pbem.service.submission import Submission
from tests.service.house import NOW
from tests.service.mailbox import Mailbox, open_mailbox
from tests.service.test_commands import Host
from tests.service.test_passphrases import spoil


@pytest.fixture
def host(tmp_path: Path) -> Host:
    found = Host(tmp_path / "home")
    found("host", "init", "--relay", "127.0.0.1:1")
    found.game()
    return found


def looked(host: Host) -> dict[str, list[tuple[str, str]]]:
    told: dict[str, list[tuple[str, str]]] = {}
    for one in json.loads(host("host", "doctor", "--no-trip", "--json", code=1)):
        told.setdefault(one["name"], []).append((one["how"], one["what"]))
    return told


@pytest.mark.parametrize(
    ("table", "unseen"),
    [
        ("people", set[str]()),
        ("records", {"records"}),
        ("outbox", {"queues"}),
        ("inbox", {"queues"}),
        ("games", {"records", "logs"}),
        ("holds", {"queues"}),
    ],
)
def test_the_doctor_goes_on_where_a_table_is_damaged(host: Host, table: str, unseen: set[str]) -> None:
    """All that it said was `host/database`, and the rest was not looked at."""
    spoil(host.home / "pbem.sqlite", table)
    told = looked(host)
    assert {"clock", "disk", "database", "relay"} <= told.keys()
    ((how, what),) = told["database"]
    assert (how, "malformed" in what, "pbem host restore" in what) == ("bad", True, True)
    assert told["disk"][0][0] != "bad"
    if "queues" in told:
        bad = [what for how, what in told["queues"] if how == "bad"]
        assert any("cannot be looked at" in what for what in bad) == ("queues" in unseen)
    if "records" in unseen and "records" in told:
        assert told["records"][0][0] == "bad"


def test_the_doctor_goes_on_where_nothing_can_be_opened(host: Host) -> None:
    whole = (host.home / "pbem.sqlite").read_bytes()
    spoil(host.home / "pbem.sqlite", "games", first=True)
    told = looked(host)
    assert list(told)[:4] == ["clock", "disk", "database", "relay"]
    assert "malformed" in told["database"][0][1]
    (host.home / "pbem.sqlite").unlink()
    told = looked(host)
    assert "host/store-gone" in told["database"][0][1]
    assert "relay" in told
    (host.home / "pbem.sqlite").write_bytes(whole)
    assert host.json("host", "doctor", "--no-net")[2]["how"] == "good"


def test_a_look_that_damage_stops_says_so_of_itself(host: Host) -> None:
    """Each in its own line, however it is called: none of them raises."""
    home = open_home(host.home)
    for table in ("people", "records", "outbox", "inbox", "games", "holds", "probes"):
        whole = (host.home / "pbem.sqlite").read_bytes()
        with closing(open_database(home.url)) as database:
            spoil(host.home / "pbem.sqlite", table)
            found = list(doctor.examine(home, database, system_clock))
            names = list(dict.fromkeys(one.name for one in found))
            assert names == ["clock", "disk", "database", "records", "logs", "queues"], table
            assert "malformed" in next(words(one.what) for one in found if one.name == "database"), table
            if table == "games":
                assert "no record can be looked at" in words(found[0].what)
        (host.home / "pbem.sqlite").write_bytes(whole)


def test_a_mail_to_oneself_where_it_cannot_be_seen(host: Host) -> None:
    async def said() -> None:
        async with open_mailbox(Mailbox()) as relay:
            home = open_home(host.home)
            home = Home(home.path, msgspec.structs.replace(home.config, relay=str(relay)), home.key)
            with closing(open_database(home.url)) as database:
                spoil(host.home / "pbem.sqlite", "probes")
                found = await trip_finding(home, database, Submission("x.example.org"), ("abc", NOW, 0.2))
                assert (found.name, found.how) == ("roundtrip", "bad")
                assert "cannot be looked at" in words(found.what)

    asyncio.run(said())


@pytest.mark.parametrize("number", [1 << 63, 99999999999999999999, 0])
def test_a_mail_with_a_number_that_no_database_takes(host: Host, number: int) -> None:
    """It was a traceback, OverflowError."""
    for verb in ("show", "retry", "drop"):
        assert "host/no-such-mail" in host("inbox", verb, str(number), code=2)


@pytest.mark.parametrize("size", [1, 4_095, 1 << 31, 1 << 40])
def test_a_size_of_mails_that_takes_nothing_or_anything(size: int) -> None:
    with pytest.raises(Refused, match="host/config"):
        check_config(Config(max_mail=size), "x")
    for good in (4_096, (1 << 31) - 1):
        assert check_config(Config(max_mail=good), "x").max_mail == good


def test_a_copy_with_a_size_that_is_refused_now_is_put_back(host: Host, tmp_path: Path) -> None:
    home = open_home(host.home)
    odd = Home(home.path, msgspec.structs.replace(home.config, max_mail=100), home.key)
    backup(odd, tmp_path / "copy", "horse", SYSTEM(vault.SALT + vault.PREFIX), NOW)
    restore(tmp_path / "new", tmp_path / "copy", "horse", NOW)
    assert open_home(tmp_path / "new").config.max_mail == 4_096


def test_a_unix_socket_where_there_can_be_none(host: Host) -> None:
    """A TCP port was opened instead, of any number, on every interface."""
    for option in ("--metrics", "--http"):
        assert "host/endpoint" in host("serve", option, "unix:/tmp/x.sock", code=2)
    for setting in ("listen", "imap"):
        with pytest.raises(Refused, match="host/endpoint"):
            check_config(msgspec.structs.replace(Config(), **{setting: "unix:/tmp/x.sock"}), "x")


@pytest.mark.parametrize("setting", ["--metrics", "--http", "listen", "lmtp"])
def test_a_port_in_use_is_told_by_the_option_that_named_it(tmp_path: Path, setting: str) -> None:
    """Whatever it was, `listen` was to be changed."""

    async def said() -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            at = Endpoint("127.0.0.1", taken.getsockname()[1])
            ways = {"listen": "127.0.0.1:0", "lmtp": "", **({setting: str(at)} if "-" not in setting else {})}
            home = init_home(tmp_path / "home", Config(**ways), b"k" * 32)  # type: ignore[arg-type]
            windows = {"--metrics": Setting(metrics=at), "--http": Setting(web=at)}
            with pytest.raises(Refused, match="host/listen") as refused:
                await Service(home, windows.get(setting)).start()
            assert refused.value.refusal.args["setting"] == setting

    asyncio.run(said())
