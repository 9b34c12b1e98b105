"""The fixtures are what `python -m fixtures.make` makes, byte for byte, and nothing else lies beside them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import GAMES
from fixtures.make import HERE, PARTS, main
from fixtures.make_games import names, of_match

RECORDED = [(game, name) for game in GAMES for name in names(game)]
FOLDERS = {"games": ("games", "keys"), "letters": ("letters",), "mails": ("mails/bad", "mails/good")}


def there(part: str) -> set[str]:
    """What lies in the folders of a part."""
    found = {
        str(path.relative_to(HERE))
        for folder in FOLDERS[part]
        for path in (HERE / folder).rglob("*")
        if path.is_file()
    }
    return found | ({"mails/manifest.json"} if part == "mails" else set())


def same(files: Iterator[tuple[str, bytes]]) -> set[str]:
    """The names of files, each of which is what lies there."""
    made: set[str] = set()
    for name, data in files:
        assert (HERE / name).read_bytes() == data, f"{name} is another one now; see `make fixtures`"
        made.add(name)
    return made


@pytest.mark.parametrize(
    ("game", "name"),
    [
        pytest.param(game, name, marks=pytest.mark.soak if number % 2 else (), id=f"{game.id}-{name}")
        for number, (game, name) in enumerate(RECORDED)
    ],
)
def test_a_recorded_game_is_played_alike(game: object, name: str) -> None:
    found = next(one for one in GAMES if one is game)
    assert len(same(of_match(found, name))) == 3


@pytest.mark.parametrize("part", ["letters", "mails"])
def test_a_part_is_made_alike(part: str) -> None:
    assert same(PARTS[part]()) == there(part)


def test_no_game_lies_there_that_is_not_made() -> None:
    made = {f"games/{game.id}/{name}.{end}" for game, name in RECORDED for end in ("pbem", "txt")}
    made |= {f"keys/{game.id}-{name}.json" for game, name in RECORDED}
    assert there("games") == made


def test_every_part_is_looked_at() -> None:
    assert PARTS.keys() == FOLDERS.keys()


def test_the_script_writes_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(tmp_path, ("letters",))
    written = {str(path.relative_to(tmp_path)): path.read_bytes() for path in tmp_path.rglob("*.*")}
    assert written == {name: (HERE / name).read_bytes() for name in there("letters")}
    assert capsys.readouterr().out.startswith("letters: 2 files under ")
