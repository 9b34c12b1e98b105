"""`pbem host backup, restore, holds, resume, adopt, doctor` and `pbem serve --role`, as they are typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.cli import main
from tests.service.test_commands import Host


@pytest.fixture
def host(tmp_path: Path) -> Host:
    found = Host(tmp_path / "home")
    found("host", "init", "--relay", "127.0.0.1:1")
    return found


@pytest.fixture
def words(tmp_path: Path) -> str:
    (tmp_path / "words").write_text("correct horse\n")
    return str(tmp_path / "words")


def test_a_copy_is_made_and_put_back(host: Host, words: str, tmp_path: Path) -> None:
    game = host.game()
    copy = str(tmp_path / "copy")
    assert "Keep the passphrase" in host("host", "backup", copy, "--passphrase-file", words)
    assert host.json("host", "backup", copy, "--passphrase-file", words)["rows"] == 6
    again = Host(tmp_path / "again")
    told = again.json("host", "restore", copy, "--passphrase-file", words)
    assert (told["held"], told["rows"]) == ([game], 6)
    assert [one["game"] for one in again.json("game", "list")] == [game]
    assert again.json("host", "holds") == [{"game": game, "waits_for": ["blue", "red"], "ran_on": []}]
    assert f"{game} waits for blue, red." in again("host", "holds")
    assert "host/on-hold" in again("game", "cancel", game, code=2)
    assert "goes on" in again("host", "resume", game)
    assert "No game is on hold" in again("host", "holds")
    assert "host/not-held" in again("host", "resume", game, code=2)
    assert "host/not-empty" in again("host", "restore", copy, "--passphrase-file", words, code=2)
    assert "On hold until" in Host(tmp_path / "third")("host", "restore", copy, "--passphrase-file", words)


def test_without_its_passphrase_a_copy_stays_shut(host: Host, words: str, tmp_path: Path) -> None:
    copy = str(tmp_path / "copy")
    assert "host/passphrase" in host("host", "backup", copy, code=2)
    assert not Path(copy).exists()
    (tmp_path / "none").write_text("\n")
    assert "host/passphrase" in host(
        "host", "backup", copy, "--passphrase-file", str(tmp_path / "none"), code=2
    )
    host("host", "backup", copy, "--passphrase-file", words)
    (tmp_path / "other").write_text("battery staple")
    again = Host(tmp_path / "again")
    other = ("--passphrase-file", str(tmp_path / "other"))
    assert "host/passphrase-wrong" in again("host", "restore", copy, *other, code=2)
    assert "host/no-backup" in again("host", "restore", words, "--passphrase-file", words, code=2)
    env = {"PBEM_HOST": str(again.home), "PBEM_LANG": "en", "PBEM_PASSPHRASE": "correct horse"}
    done = CliRunner(env=env).invoke(main, ["host", "restore", copy])
    assert done.exit_code == 0, done.output


def test_a_log_with_nothing_new_is_adopted_as_it_is(host: Host, tmp_path: Path) -> None:
    game = host.game()
    log = host.home / "logs" / f"{game}.pbem"
    assert host.json("host", "adopt", str(log)) == {"game": game, "records": 0, "held": False}
    (tmp_path / "junk").write_text("{}\n")
    assert "host/adopt-log" in host("host", "adopt", str(tmp_path / "junk"), code=2)


def test_the_doctor_says_what_is_bad_and_ends_with_1(host: Host) -> None:
    told = host.json("host", "doctor", "--no-net")
    assert [one["name"] for one in told] == ["clock", "disk", "database", "records", "logs", "queues"]
    assert "good  database: Sound" in host("host", "doctor", "--no-net")
    result = host.run("host", "doctor", "--no-trip", "--json")
    assert result.exit_code == 1
    relay = next(one for one in json.loads(result.output) if one["name"] == "relay")
    assert relay["how"] == "bad"
    assert "BAD   relay: 127.0.0.1:1 does not answer" in host("host", "doctor", code=1)


def test_some_roles_of_a_sqlite_home_are_refused(host: Host) -> None:
    assert "host/roles" in host("serve", "--role", "worker", code=2)
    assert "host/endpoint" in host("serve", "--metrics", "nonsense", code=2)
