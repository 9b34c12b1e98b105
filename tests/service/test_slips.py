"""What a host mistypes in settings and addresses is refused before anything is done with it; what root makes is not lost."""

from __future__ import annotations

import os
import pwd
import re
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from pbem.cli.asked import SYSTEM
from pbem.service import vault
from pbem.service.backup import backup, restore
from pbem.service.config import open_home
from tests.service.house import NOW
from tests.service.test_commands import Host


@pytest.fixture
def host(tmp_path: Path) -> Host:
    found = Host(tmp_path / "home")
    found("host", "init", "--relay", "127.0.0.1:1", "--listen", "127.0.0.1:0")
    return found


def write(host: Host, **settings: str) -> None:
    """As an editor would; values as TOML."""
    path = host.home / "config.toml"
    rows = path.read_text().splitlines()
    for name, value in settings.items():
        (place,) = (number for number, row in enumerate(rows) if row.startswith(f"{name} = "))
        rows[place] = f"{name} = {value}"
    path.write_text("\n".join([*rows, ""]))


OWN = (
    "games@pbem.example.org",
    "GAMES@pbem.example.org",
    "b@pbem.example.org",
    "b+1.aaaaaaaa@pbem.example.org",
    "games+x.red.aaaaaaaa@pbem.example.org",
)


@pytest.mark.parametrize("address", OWN)
def test_the_service_is_not_its_own_player(host: Host, address: str) -> None:
    """It mailed itself, and what came in was told to itself again."""
    game = host.game()
    for args in (
        ("game", "new", "--ruleset", "arena", "--seat", f"red={address}", "--seat", "blue=b@example.org"),
        ("game", "address", game, "red", address),
        ("game", "address", game, "red", "--second", address),
        ("game", "observe", game, address),
        ("game", "seat", game, "red", "--offer", address),
        ("game", "substitutes", "--add", address),
    ):
        assert "cli/own-address" in host(*args, code=2), args
    assert [one["game"] for one in host.json("game", "list")] == [game]
    # whoever was written down before this was looked at can be taken off
    assert "Nobody" in host("game", "observe", game, address, "--stop")
    host("game", "address", game, "red", "--second", "")
    write(host, operator=f'"{address}"')
    assert "host/config" in host("status", code=2)


def test_somebody_in_the_same_domain_may_play(host: Host) -> None:
    host.game("--seat", "green=anna@pbem.example.org")
    write(host, plus="false")
    # without plus-addressing another's mailbox may have such a name
    host.game("--seat", "green=games+anna@pbem.example.org")


WRONG = ("x@-.", "x@.", ".x@", "x.@", "x..y@")
"""What stands before `example.org`."""


@pytest.mark.parametrize("address", [*(f"{one}example.org" for one in WRONG), "x@example.org."])
def test_an_address_that_no_mail_server_takes_is_told_at_once(host: Host, address: str) -> None:
    seats = ("--seat", f"red={address}", "--seat", "blue=b@example.org")
    assert "cli/address" in host("game", "new", "--ruleset", "arena", *seats, code=2)


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"operator": '"nonsense"'}, "host/config"),
        ({"operator": '"a@b c"'}, "host/config"),
        ({"operator": r'"you@example.org\r\nBcc: x@example.org"'}, "host/config"),
        ({"operator": '"You <you@example.org>"'}, "host/config"),
        ({"address": '"games+x@pbem.example.org"'}, "host/config"),
        ({"address": '"games@pbem.example.org "'}, "host/config"),
        ({"address": '"ga mes@pbem.example.org"'}, "host/config"),
        ({"address": '"games@@pbem.example.org"'}, "host/config"),
        ({"address": '"games@pb_em.example.org"'}, "host/config"),
        ({"address": '"games@pbem..example.org"'}, "host/config"),
        ({"address": '"games@-.example.org"'}, "host/config"),
        ({"address": '"games@pbem.example.org/x"'}, "host/config"),
        ({"address": '"g<a>@pbem.example.org"'}, "host/config"),
        ({"address": '"g,a@pbem.example.org"'}, "host/config"),
        ({"address": f'"games@{"a" * 64}.example.org"'}, "host/config"),
        ({"address": f'"games@{"a." * 130}example.org"'}, "host/config"),
        ({"bounces": '"b+x@pbem.example.org"'}, "host/config"),
        ({"bounces": '"b c@pbem.example.org"'}, "host/config"),
        ({"relay": '"127.0.0.1:0"'}, "host/endpoint"),
        ({"imap": '"127.0.0.1:0"'}, "host/endpoint"),
        ({"imap": '"mail.example.org:993"', "imap_folder": '""'}, "host/config"),
        # a mail that is put away where it was found is found again, and answered again, every minute
        ({"imap": '"mail.example.org:993"', "imap_done": '"inbox"'}, "host/config"),
        ({"authserv": '"mx.example.org; x"'}, "host/config"),
        ({"authserv": '"mx example"'}, "host/config"),
    ],
)
def test_settings_with_which_nothing_would_work(host: Host, settings: dict[str, str], code: str) -> None:
    write(host, **settings)
    assert code in host("status", code=2)
    assert code in host("serve", code=2)
    assert host.run("deliver").exit_code == 75


def test_settings_that_are_odd_and_work(host: Host) -> None:
    write(host, operator='"You+pbem@Example.org"', address='"me+games@provider.example.org"', plus="false")
    host("status")
    settings = host.home / "config.toml"
    settings.write_bytes(b"\xef\xbb\xbf" + settings.read_bytes().replace(b"\n", b"\r\n"))
    host("status")


@pytest.mark.parametrize("file", ["/nosuch", "/etc/hostname", "/dev/zero", "/tmp"])
def test_a_certificate_that_is_none_is_told_at_the_start(host: Host, file: str) -> None:
    """Letters waited for five days, and the journal said that the relay was away."""
    write(host, tls_ca=f'"{file}"')
    told = host("work", "--once", code=2)
    assert "host/certificate" in told or "archive/not-a-file" in told
    assert re.search("host/certificate|archive/not-a-file", host("serve", code=2))
    # the doctor goes on
    done = host.run("host", "doctor", "--no-trip")
    assert done.exit_code == 1
    assert "BAD   relay: " in done.output
    assert "good  database" in done.output


def test_the_doctor_goes_on_without_a_password(host: Host) -> None:
    write(host, relay_user='"me"')
    done = host.run("host", "doctor", "--no-trip")
    assert (done.exit_code, "host/password" in done.output, "good  clock" in done.output) == (1, True, True)
    assert host.run("host", "doctor", "--no-net", "--wait", "-1").exit_code == 2


def test_an_older_copy_with_such_settings_is_put_back(host: Host, tmp_path: Path) -> None:
    """It is told when the home is used, and can be mended there."""
    host.game()
    home = open_home(host.home)
    odd = replace(home, config=replace(home.config, operator="You <you@example.org>"))
    backup(odd, tmp_path / "copy", "words", SYSTEM(vault.SALT + vault.PREFIX), NOW)
    assert restore(tmp_path / "old", tmp_path / "copy", "words", NOW).held
    again = Host(tmp_path / "old")
    assert "host/config" in again("status", code=2)
    write(again, operator='""')
    assert again.json("game", "list")


@pytest.mark.needs("root")
def test_what_root_makes_in_a_home_is_its_owner_s(host: Host) -> None:
    """A game that root began before the service ran: the service could write no log, and did not start any more."""
    nobody = pwd.getpwnam("nobody").pw_uid
    (host.home / "begun").unlink()
    for path in (host.home, *host.home.iterdir()):
        os.chown(path, nobody, -1)
    host.game()
    host("work", "--once")
    assert (host.home / "logs" / ".lock").exists()
    assert {
        path.name: path.stat().st_uid for path in host.home.rglob("*") if path.stat().st_uid != nobody
    } == {}


def test_a_log_file_that_cannot_be_written_undoes_nothing(host: Host) -> None:
    """The game had begun, and its host was told that it had not."""
    (host.home / "logs").write_text("in the way")
    done = host.run(
        "game", "new", "--ruleset", "arena", "--seat", "red=r@example.org", "--seat", "blue=b@example.org"
    )
    (game,) = (one["game"] for one in host.json("game", "list"))
    assert (done.exit_code, "It is done, but the log file" in done.output, game in done.output) == (
        0,
        True,
        True,
    )
    assert host.run("game", "cancel", game).exit_code == 0
    (host.home / "logs").unlink()
    host("work", "--once")
    assert (host.home / "logs" / f"{game}.pbem").exists()


def test_the_doctor_goes_on_where_the_database_is_a_folder(host: Host) -> None:
    (host.home / "pbem.sqlite").unlink()
    (host.home / "pbem.sqlite").mkdir()
    done = host.run("host", "doctor", "--no-net")
    assert (done.exit_code, "cli/file" in done.output, "good  disk" in done.output) == (1, True, True)


def test_a_closed_standard_input_is_nobody_who_can_be_asked(host: Host, tmp_path: Path) -> None:
    command = f'"{sys.executable}" -m pbem host backup "{tmp_path}/copy" <&-'
    environment = {**os.environ, "PBEM_HOST": str(host.home), "PBEM_LANG": "en", "PBEM_PASSPHRASE": ""}
    done = subprocess.run(
        ["/bin/sh", "-c", command], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, "host/passphrase" in done.stderr) == (2, True)


def test_a_home_without_a_name_is_a_variable_that_is_not_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = Host(tmp_path).run("host", "init", "--home", "")
    assert (done.exit_code, "its name is empty" in done.output) == (2, True)
    assert not list(tmp_path.iterdir())
