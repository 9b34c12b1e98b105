"""The host's commands, as they are typed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from pbem.audit.audit import audit
from pbem.cli import main
from pbem.cli.codes import table
from pbem.service.codes import CODES

SEATS = ("--seat", "red=anna@example.org", "--seat", "blue=ben@example.org")


class Host:
    """A host at a terminal."""

    def __init__(self, home: Path) -> None:
        self.home = home

    def __call__(self, *args: str, code: int = 0) -> str:
        result = self.run(*args)
        assert result.exit_code == code, result.output
        return result.output

    def json(self, *args: str) -> Any:
        return json.loads(self(*args, "--json"))

    def run(self, *args: str) -> Result:
        return CliRunner(env={"PBEM_HOST": str(self.home), "PBEM_LANG": "en"}).invoke(main, args)

    def game(self, *more: str) -> str:
        game: str = self.json("game", "new", "--ruleset", "arena", *SEATS, *more)["game"]
        return game


@pytest.fixture
def host(tmp_path: Path) -> Host:
    found = Host(tmp_path / "home")
    found("host", "init", "--relay", "127.0.0.1:1")
    return found


def test_a_home_is_made(tmp_path: Path) -> None:
    host = Host(tmp_path / "home")
    assert "host.key" in host("host", "init", "--address", "g@pbem.example.org")
    told = host.json("host", "init", "--address", "g@pbem.example.org")
    assert (told["address"], told["listen"], len(told["key"])) == ("g@pbem.example.org", "127.0.0.1:8025", 16)
    assert "host/exists" in host("host", "init", code=2)
    assert sorted(path.name for path in host.home.iterdir()) == [
        "begun",
        "config.toml",
        "host.key",
        "pbem.sqlite",
    ]


def test_without_a_home_every_command_says_how_to_make_one(tmp_path: Path) -> None:
    host = Host(tmp_path / "none")
    for args in (
        ("game", "list"),
        ("game", "show", "x"),
        ("game", "new", "--ruleset", "arena", *SEATS),
        ("serve",),
        ("work", "--once"),
        ("export", "x"),
        ("status",),
    ):
        said = host(*args, code=2)
        assert "host/no-home" in said
        assert "pbem host init" in said
    assert not host.home.exists()


def test_a_game_is_begun_listed_and_shown(host: Host) -> None:
    assert "no games yet" in host("game", "list")
    game = host.game("--option", "reactions=ask")
    assert [one["game"] for one in host.json("game", "list")] == [game]
    shown = host.json("game", "show", game)
    assert (shown["phase"], shown["turn"], shown["records"]) == ("join", 0, 1)
    assert [(one["seat"], one["due"], one["unsent"]) for one in shown["seats"]] == [
        ("red", True, 1),
        ("blue", True, 1),
    ]
    numbers = host.json("status")
    players = numbers.pop("players")
    assert [(one["address"], one["how"], one["unsent"]) for one in players] == [
        ("ben@example.org", "good", 1),
        ("anna@example.org", "good", 1),
    ]
    assert numbers == {
        "deadlines": [],
        "games": {"join": 1, "ready": 0, "play": 0, "over": 0},
        "inbox": {"new": 0, "done": 0, "poison": 0},
        "outbox": {"new": 2, "sent": 0, "failed": 0},
    }
    for said in (host("game", "list"), host("game", "show", game)):
        assert game in said
    assert "anna@example.org: is invited, and the game waits for it" in host("game", "show", game)
    assert "2 waiting" in host("status")


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("--ruleset", "nosuch", *SEATS), "cli/ruleset"),
        (("--ruleset", "arena", "--seat", "red"), "cli/seat"),
        (("--ruleset", "arena", "--seat", "red=anna"), "cli/address"),
        (("--ruleset", "arena", *SEATS[:2]), "game/players"),
        (("--ruleset", "arena", *SEATS, "--option", "reactions"), "cli/option"),
        (("--ruleset", "arena", *SEATS, "--option", "colour=3"), "game/options"),
    ],
)
def test_a_game_that_cannot_be(host: Host, args: tuple[str, ...], code: str) -> None:
    assert code in host("game", "new", *args, code=2)
    assert host.json("game", "list") == []


def test_a_game_is_called_off_and_exported(host: Host, tmp_path: Path) -> None:
    game = host.game()
    assert "fresh/not-playing" in host("game", "timeout", game, "red", code=2)
    told = host.json("game", "cancel", game)
    assert (told["records"], told["letters"], told["over"]) == (1, 2, True)
    out = tmp_path / "game.pbem"
    host("export", game, "-o", str(out))
    assert audit(out.read_bytes()).verdict == "sound"
    assert (
        host("export", game).encode()
        == out.read_bytes()
        == (host.home / "logs" / f"{game}.pbem").read_bytes()
    )
    assert "over" in host("game", "list")


def test_an_unknown_game_is_said(host: Host) -> None:
    for args in (
        ("game", "show", "x"),
        ("game", "cancel", "x"),
        ("game", "timeout", "x", "red"),
        ("export", "x"),
    ):
        assert "host/no-such-game" in host(*args, code=2)


def test_a_database_that_is_gone_is_said(host: Host) -> None:
    config = host.home / "config.toml"
    config.write_text(config.read_text().replace('database = ""', 'database = "sqlite:////nosuch/folder/db"'))
    for args in (("game", "list"), ("status",), ("work", "--once"), ("serve",)):
        assert "host/store-gone" in host(*args, code=2)


def test_every_code_of_the_service_has_its_words() -> None:
    assert {code.code for code in CODES} <= set(table())
