"""Which language a command speaks, and in which one letters come: the host chooses for an invitation, then the player."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.cli.say import chosen_lang, lang
from tests.cli.table import Game, code, pbem


def text_of(game: Game, seat: str) -> str:
    from email import message_from_bytes, policy

    body = message_from_bytes(game.letters[seat].read_bytes(), policy=policy.default).get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def test_a_host_chooses_the_language_of_an_invitation(tmp_path: Path) -> None:
    game = Game(tmp_path / "friday")
    assert game.new("--lang", "fi", "--lang", "green=hu").exit_code == 0
    assert "Paikat:" in text_of(game, "red")
    assert "Helyek:" in text_of(game, "green")


@pytest.mark.parametrize(("wanted", "refused"), [("blue=fi", "cli/lang"), ("xx", "settings/lang")])
def test_a_language_for_nobody_and_one_that_is_none(tmp_path: Path, wanted: str, refused: str) -> None:
    result = Game(tmp_path / "friday").new("--lang", wanted)
    assert result.exit_code == 2
    assert code(result) == refused


def joined(game: Game, tmp_path: Path, *more: str) -> dict[str, str]:
    """The aside of a join that the kit has signed."""
    key = tmp_path / "key.json"
    assert pbem("key", "new", "--key", key).exit_code == 0
    answer = tmp_path / "join.json"
    result = pbem("join", game.letters["red"], "--key", key, "-o", answer, *more)
    assert result.exit_code == 0, result.output
    aside: dict[str, str] = json.loads(answer.read_text()).get("aside", {})
    return aside


def test_who_joins_says_the_language_of_his_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(tmp_path / "friday")
    game.new()
    monkeypatch.setenv("PBEM_LANG", "de")
    assert joined(game, tmp_path) == {"lang": "de"}


def test_a_terminal_without_a_language_leaves_the_invitations(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Game(tmp_path / "friday")
    game.new("--lang", "hu")
    for name in ("PBEM_LANG", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    assert joined(game, tmp_path).get("lang", "") == ""
    assert game.apply((tmp_path / "join.json").read_bytes()).exit_code == 0
    assert "bejegyzés" in text_of(game, "red")
    people = json.loads((game.folder / "people.json").read_text())
    assert people["red"]["lang"] == "hu"


@pytest.mark.parametrize(
    ("environment", "spoken"),
    [
        ({"PBEM_LANG": "fi", "LANG": "de_DE.UTF-8"}, "fi"),
        ({"LC_ALL": "hu_HU.UTF-8", "LANG": "de_DE.UTF-8"}, "hu"),
        ({"LC_MESSAGES": "de_AT", "LANG": "fi_FI"}, "de"),
        ({"LANG": "fi_FI.UTF-8"}, "fi"),
        ({"LANG": "en_GB.UTF-8"}, "en"),
        ({"LANG": "sv_SE.UTF-8"}, ""),
        ({"LANG": "C"}, ""),
        ({}, ""),
    ],
)
def test_the_terminals_language(
    environment: dict[str, str], spoken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PBEM_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert (chosen_lang(), lang()) == (spoken, spoken or "en")


def test_a_command_refuses_in_the_readers_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_LANG", "fi")
    result = pbem("audit", tmp_path / "nothing.pbem")
    assert result.exit_code == 2
    assert "ei voi lukea" in result.stderr
