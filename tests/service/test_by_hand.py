"""Mail by hand: `pbem deliver` and its exit codes, `pbem inbox`, `pbem game address`."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from pbem.cli import main
from pbem.service.deliver import recipients_of, sender_of

PBEM = Path(sys.executable).with_name("pbem")
SEATS = ("--seat", "red=red@example.org", "--seat", "blue=blue@example.org")


class Host:
    """A host at a terminal, or his mail server."""

    def __init__(self, home: Path) -> None:
        self.home = home

    def run(self, *args: str, data: bytes = b"", **environment: str) -> Result:
        env = {"PBEM_HOST": str(self.home), "PBEM_LANG": "en", **environment}
        return CliRunner(env=env).invoke(main, args, input=data)

    def __call__(self, *args: str, code: int = 0) -> str:
        done = self.run(*args)
        assert done.exit_code == code, done.output
        return done.output

    def json(self, *args: str) -> Any:
        return json.loads(self(*args, "--json"))

    def rows(self, query: str) -> list[Any]:
        with sqlite3.connect(self.home / "pbem.sqlite") as connection:
            return connection.execute(query).fetchall()


@pytest.fixture
def host(tmp_path: Path) -> Host:
    found = Host(tmp_path / "home")
    found("host", "init", "--relay", "127.0.0.1:1")
    return found


@pytest.fixture
def address(host: Host) -> str:
    """Red's address in a new game."""
    host("game", "new", "--ruleset", "arena", *SEATS)
    (raw,) = host.rows("SELECT raw FROM outbox WHERE seat = 'red'")[0]
    rows: list[bytes] = raw.split(b"\r\n")
    return next(row.removeprefix(b"Reply-To: ").decode() for row in rows if row.startswith(b"Reply-To"))


def test_a_mail_on_standard_input_is_in_when_it_says_so(host: Host, address: str) -> None:
    raw = b"From pipe@localhost Thu Jan  1 12:00:00 2026\nFrom: red@example.org\n\nhello\n"
    command = [str(PBEM), "deliver", "--sender", "red@example.org", "--", address.upper()]
    environment = {**os.environ, "PBEM_HOST": str(host.home)}
    done = subprocess.run(command, input=raw, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert host.rows("SELECT sender, raw, state FROM inbox") == [("red@example.org", raw, "new")]


@pytest.mark.parametrize(
    ("args", "data", "wanted"),
    [
        (("ADDRESS",), b"Subject: x\n\nhello\n", (0, "")),
        (("ADDRESS", "nobody@example.org"), b"Subject: x\n\nhello\n", (0, "")),
        (("--sender", "<>", "ADDRESS"), b"Subject: x\n\nhello\n", (0, "")),
        (("nobody@example.org",), b"Subject: x\n\nhello\n", (67, "no such address")),
        (("jörg",), b"Subject: x\n\nhello\n", (67, "no such address")),
        ((), b"Subject: x\n\nhello\n", (65, "names no game")),
        (("ADDRESS",), b"x" * 262_145, (65, "too large")),
        (("--sender", "a b", "ADDRESS"), b"Subject: x\n\nhello\n", (65, "sender")),
        # a mail server would send the player's mail back for what the host has mistyped
        (("--colour", "ADDRESS"), b"Subject: x\n\nhello\n", (75, "No such option")),
        (("--sender",), b"Subject: x\n\nhello\n", (75, "requires an argument")),
        (("--home", "/dev/null", "ADDRESS"), b"Subject: x\n\nhello\n", (75, "handed over again")),
    ],
)
def test_exit_codes(
    host: Host, address: str, args: tuple[str, ...], data: bytes, wanted: tuple[int, str]
) -> None:
    code, said = wanted
    done = host.run("deliver", *(address if arg == "ADDRESS" else arg for arg in args), data=data)
    assert done.exit_code == code, done.output
    assert said in done.output
    assert len(host.rows("SELECT id FROM inbox")) == (code == 0)


STRANGER = b"From: who@example.net\nSubject: x\n\nhello\n"
RED = b"From: red@example.org\nSubject: x\n\nhello\n"


@pytest.mark.parametrize(
    ("args", "data", "mails"),
    [
        (("ADDRESS",), STRANGER, 1),
        (("nobody@example.org",), STRANGER, 0),
        (("jörg",), STRANGER, 0),
        ((), STRANGER, 0),
        (("--sender", "a b"), STRANGER, 0),
        (("--sender", "x" * 400 + "@example.org", "ADDRESS"), STRANGER, 1),
        ((), STRANGER + b"x" * 1_000_000, 0),
        (("ADDRESS",), STRANGER + b"x" * 1_000_000, 1),
        # a player, who must hear of it
        (("--sender", "red@example.org", "games+typo@pbem.example.org"), RED, 1),
        (("--sender", "red@example.org"), RED, 1),
        (("--sender", "red@example.org"), RED + b"x" * 1_000_000, 1),
        (("--sender", ""), RED, 0),
    ],
)
def test_mail_that_was_accepted_is_not_sent_back(
    host: Host, address: str, args: tuple[str, ...], data: bytes, mails: int
) -> None:
    """With 65 or 67 the mail server in front wrote to whoever stood in the envelope."""
    named = (address if arg == "ADDRESS" else arg for arg in args)
    done = host.run("deliver", "--accepted", *named, data=data)
    assert done.exit_code == 0, done.output
    assert ("Dropped" in done.output) == (not mails)
    assert [len(raw) for (raw,) in host.rows("SELECT raw FROM inbox")] == [min(len(data), 262_145)] * mails


def test_accepted_mail_waits_for_what_is_wrong_with_us(host: Host, address: str) -> None:
    config = host.home / "config.toml"
    text = config.read_text()
    config.write_text(text.replace("per_sender = 300", "per_sender = 1"))
    for code in (0, 75):
        done = host.run("deliver", "--accepted", "--sender", "red@example.org", address, data=RED)
        assert done.exit_code == code
    config.write_text(text.replace('database = ""', 'database = "sqlite:////nosuch/folder/x"'))
    assert host.run("deliver", "--accepted", address, data=RED).exit_code == 75


def test_whatever_is_wrong_with_us_is_later(host: Host, address: str, tmp_path: Path) -> None:
    assert Host(tmp_path / "none").run("deliver", address, data=b"x").exit_code == 75
    config = host.home / "config.toml"
    text = config.read_text()
    config.write_text(text.replace('database = ""', 'database = "sqlite:////nosuch/folder/x"'))
    assert host.run("deliver", address, data=b"x").exit_code == 75
    config.write_text("nonsense")
    done = host.run("deliver", address, data=b"x")
    assert (done.exit_code, "Traceback" in done.output) == (75, False)
    config.write_text(text.replace("per_sender = 300", "per_sender = 1"))
    for code in (0, 75):
        done = host.run("deliver", "--sender", "red@example.org", address, data=b"Subject: x\n\ny\n")
        assert done.exit_code == code
    assert "more is taken after" in done.output


def test_a_clock_that_has_leapt_counts_against_no_sender(
    host: Host, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = host.home / "config.toml"
    config.write_text(config.read_text().replace("per_sender = 300", "per_sender = 2"))
    host("work", "--once")
    now, leap = int(time.time()), [100 * 86_400]
    monkeypatch.setattr("pbem.service.clock.system_clock", lambda: now + leap[0])
    for number in range(2):
        assert host.run("deliver", "--sender", "r@example.org", address, data=b"%d" % number).exit_code == 0
    assert host.run("deliver", "--sender", "r@example.org", address, data=b"too many").exit_code == 75
    leap[0] = 2 * 3600
    assert host.run("deliver", "--sender", "r@example.org", address, data=b"later").exit_code == 0


def test_a_home_that_may_not_be_read_is_later(
    host: Host, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a fault: with the wrong user in a mail server's pipe every mail was sent back as a wrong use of the command."""

    def refused(_: Path, *_more: Any, **_named: Any) -> bool:
        raise PermissionError(13, "Permission denied")

    def not_allowed(_: Any, _mode: int, **_more: Any) -> bool:
        return False

    monkeypatch.setattr(os, "access", not_allowed)
    monkeypatch.setattr(Path, "exists", refused)
    done = host.run("deliver", "--home", str(host.home), address, data=b"x")
    assert done.exit_code == 75
    assert "host/config" in done.output
    assert "PermissionError" in done.output


def test_a_user_without_a_home_hears_what_is_missing(
    host: Host, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", nowhere)
    done = host.run("deliver", address, data=b"x", PBEM_HOST="")
    assert (done.exit_code, "host/no-home" in done.output) == (75, True)
    assert host.run("status", PBEM_HOST="").exit_code == 2


@pytest.mark.parametrize(
    "recipient", ["games+nosuch.red.aaaaaaaa@pbem.example.org", "games@elsewhere.example.org"]
)
def test_where_nothing_can_be_said_the_mail_is_not_sent_back(host: Host, recipient: str) -> None:
    """A log file on a full disk behind the command."""
    environment = {**os.environ, "PBEM_HOST": str(host.home)}
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [str(PBEM), "deliver", "--", recipient], input=b"x", env=environment, stderr=full, check=False
        )
    assert done.returncode == 75


def test_a_fault_of_ours_is_later_and_tells_no_secret(
    host: Host, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> None:
        raise LookupError("a secret of ours")

    monkeypatch.setattr("pbem.service.deliver.deliver", broken)
    done = host.run("deliver", address, data=b"x")
    assert done.exit_code == 75
    assert "secret" not in done.output


def test_who_it_is_for_is_said_or_stands_in_the_environment() -> None:
    both = {"ORIGINAL_RECIPIENT": "a@x", "RECIPIENT": "b@x", "SENDER": "c@x"}
    assert recipients_of(["d@x"], both, "s@x") == ("d@x",)
    assert recipients_of([], both, "s@x") == ("a@x",)
    assert recipients_of([], {"RECIPIENT": "b@x"}, "s@x") == ("b@x",)
    assert recipients_of([], {}, "s@x") == ("s@x",)
    assert sender_of(None, both) == "c@x"
    assert sender_of("d@x", both) == "d@x"
    assert [sender_of(word, both) for word in ("", "<>", "MAILER-DAEMON")] == ["", "", ""]


def test_poison_is_listed_shown_tried_again_and_dropped(host: Host, address: str) -> None:
    for word in (b"one", b"two"):
        assert (
            host.run(
                "deliver", "--sender", "red@example.org", address, data=b"Subject: x\n\n" + word
            ).exit_code
            == 0
        )
    assert host.json("inbox", "list") == []
    assert [one["id"] for one in host.json("inbox", "list", "--state", "new")] == [1, 2]
    with sqlite3.connect(host.home / "pbem.sqlite") as connection:
        connection.execute("UPDATE inbox SET state = 'poison', attempts = 3, error = 'Traceback: boom'")
    assert [one["attempts"] for one in host.json("inbox", "list")] == [3, 3]
    shown = host("inbox", "show", "1")
    assert "Traceback: boom" in shown
    assert "red@example.org" in shown
    assert host.run("inbox", "show", "1", "--raw").stdout_bytes == b"Subject: x\n\none"
    host("inbox", "retry", "1")
    host("inbox", "drop", "2")
    assert host.rows("SELECT state, attempts FROM inbox ORDER BY id") == [("new", 0), ("dropped", 0)]
    assert host.json("status")["inbox"] == {"new": 1, "done": 0, "poison": 0}
    for args, code in (
        (("inbox", "retry", "2"), "host/not-poison"),
        (("inbox", "drop", "1"), "host/not-poison"),
        (("inbox", "show", "9"), "host/no-such-mail"),
        (("inbox", "retry", "9"), "host/no-such-mail"),
    ):
        assert code in host(*args, code=2)
    assert "There are none" in host("inbox", "list")


def test_an_address_is_set(host: Host, address: str) -> None:
    game = address.partition("+")[2].partition(".")[0]
    told = host.json("game", "address", game, "red", "anna@example.net", "--second", "anna2@example.net")
    assert told["letters"] == 1
    assert host.rows("SELECT address, second FROM people WHERE seat = 'red'") == [
        ("anna@example.net", "anna2@example.net")
    ]
    assert host.rows("SELECT recipient FROM outbox WHERE seat = 'red'") == [("anna@example.net",)]
    host("game", "address", game, "red", "--second", "")
    assert host.rows("SELECT address, second FROM people WHERE seat = 'red'") == [("anna@example.net", "")]
    for args, code in (
        ((game, "green", "a@example.org"), "host/no-such-seat"),
        (("nosuch", "red", "a@example.org"), "host/no-such-game"),
        ((game, "red", "nonsense"), "cli/address"),
        ((game, "red"), "cli/address"),
    ):
        assert code in host("game", "address", *args, code=2)
