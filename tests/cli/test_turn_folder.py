"""`pbem turn` on folders that are not as they should be: crashes, locks, damage, other people's files."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbem.disk import write_file
from tests.cli.table import SEATS, Game, code, pbem, said


class Crash(Exception):
    """The machine stops."""


@contextmanager
def crash_before(monkeypatch: pytest.MonkeyPatch, suffix: str) -> Generator[None]:
    """The machine stops before a file of this kind is written."""

    def stop(path: Path, data: bytes, *, secret: bool = False) -> None:
        if path.name.endswith(suffix):
            raise Crash(path.name)
        write_file(path, data, secret=secret)

    with monkeypatch.context() as patch:
        patch.setattr("pbem.cli.folder.write_file", stop)
        yield


@pytest.mark.parametrize("suffix", [".pbem", ".state.json", "people.json", "sealed.jsonl", ".txt", ".eml"])
def test_a_crash_before_the_log_is_written_is_as_if_nothing_had_been_sent(
    suffix: str, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    move = game.move()
    before = game.log().read_bytes()
    with crash_before(monkeypatch, suffix), pytest.raises(Crash):
        game.apply(move)
    assert game.log().read_bytes() == before
    result = game.apply(move)
    assert result.exit_code == 0, result.output
    assert said(result)[0]["records"] == [6, 6]
    for _ in range(4):
        assert game.apply(game.move()).exit_code == 0
    assert pbem("audit", game.log()).exit_code == 3


def test_after_a_crash_another_move_may_come_first(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was sealed for a record that was never written must not be opened at the end as if it had been."""
    lost, other = game.move(seed=1), game.move(seed=2)
    assert lost.payload_digest != other.payload_digest
    with crash_before(monkeypatch, ".pbem"), pytest.raises(Crash):
        game.apply(lost)
    assert game.apply(other).exit_code == 0
    while not game.over:
        assert game.apply(game.move()).exit_code == 0
    assert pbem("audit", game.log()).exit_code == 0


def test_two_at_once_is_one_too_many(game: Game) -> None:
    move = game.move()
    before = game.files()
    handle = os.open(game.folder / ".lock", os.O_RDWR)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        result = game.apply(move)
    finally:
        os.close(handle)
    assert result.exit_code == 2
    assert code(result) == "disk/in-use"
    assert game.files() == before
    assert game.apply(move).exit_code == 0


def cut_state(game: Game) -> None:
    state = newest_state(game)
    state.write_bytes(state.read_bytes()[:-50])


def lose_state(game: Game) -> None:
    newest_state(game).unlink()


def older_state(game: Game) -> None:
    states = sorted((game.folder / "states").iterdir())
    shutil.copy(states[-2], states[-1])


def lose_host(game: Game) -> None:
    (game.folder / "host.json").unlink()


def break_people(game: Game) -> None:
    (game.folder / "people.json").write_text("[]")


def copy_log(game: Game) -> None:
    shutil.copy(game.log(), game.folder / "copy.pbem")


def lose_log(game: Game) -> None:
    game.log().unlink()


def cut_log(game: Game) -> None:
    lines = game.log().read_bytes().splitlines(keepends=True)
    game.log().write_bytes(b"".join(lines[1:]))


def empty_log(game: Game) -> None:
    game.log().write_bytes(b"")


def change_log(game: Game) -> None:
    log = game.log()
    log.write_bytes(log.read_bytes()[:-2] + b" }\n")


def scramble_log(game: Game) -> None:
    game.log().write_bytes(b"\xff" + game.log().read_bytes())


def break_keys(game: Game) -> None:
    path = game.folder / "host.json"
    path.write_text(path.read_text().replace('"seed": "', '"seed": "zz'))


def break_sealed(game: Game) -> None:
    (game.folder / "sealed.jsonl").write_text("{\n")


def newest_state(game: Game) -> Path:
    return sorted((game.folder / "states").iterdir())[-1]


@pytest.mark.parametrize(
    ("damage", "expected"),
    [
        (cut_state, "folder/damaged"),
        (lose_state, "folder/missing"),
        (older_state, "folder/state"),
        (lose_host, "folder/missing"),
        (break_people, "folder/damaged"),
        (break_keys, "folder/damaged"),
        (break_sealed, "folder/damaged"),
        (copy_log, "folder/log"),
        (lose_log, "folder/log"),
        (cut_log, "folder/charter"),
        (empty_log, "folder/charter"),
        (scramble_log, "folder/charter"),
        (change_log, "folder/state"),
    ],
)
def test_damage_is_named_and_nothing_is_written(
    damage: Callable[[Game], None], expected: str, game: Game
) -> None:
    move = game.move()
    damage(game)
    before = game.files()
    result = game.apply(move)
    assert result.exit_code == 2
    assert code(result) == expected
    assert game.files() == before


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    file = tmp_path / "move.json"
    file.write_text("{}")
    for args in (("apply", tmp_path / "nowhere", file), ("timeout", tmp_path / "nowhere", "red")):
        result = pbem("turn", *args)
        assert result.exit_code == 2
        assert code(result) == "folder/missing"
    empty = tmp_path / "empty"
    empty.mkdir()
    assert code(pbem("turn", "cancel", empty)) == "folder/missing"


def test_a_move_file_that_is_none(game: Game) -> None:
    result = pbem("turn", "apply", game.folder, game.folder / "nothing.json")
    assert result.exit_code == 2
    assert code(result) == "cli/file"
    assert code(pbem("turn", "apply", game.folder, game.folder)) == "cli/file"
    assert game.apply(b"\xff\xfe nothing").exit_code == 1
    assert game.apply(b"").exit_code == 1


def test_new_overwrites_nothing(game: Game) -> None:
    before = game.files()
    result = game.new()
    assert result.exit_code == 2
    assert code(result) == "folder/exists"
    assert game.files() == before


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (("--seat", "red"), "cli/seat"),
        (("--seat", "red=red@example.org", "--seat", "red=me@example.org"), "cli/seat"),
        (("--seat", "red=nobody"), "cli/address"),
        (("--seat", "red=red@example.org"), "game/players"),
        (("--seat", "red=red@example.org", "--seat", "purple=p@example.org"), "game/seats"),
        ((*(f"--seat={seat}={seat}@example.org" for seat in SEATS), "--option", "reactions"), "cli/option"),
        (
            (*(f"--seat={seat}={seat}@example.org" for seat in SEATS), "--option", "reactions=9"),
            "game/options",
        ),
        ((*(f"--seat={seat}={seat}@example.org" for seat in SEATS), "--option", "wind=1"), "game/options"),
        (
            (*(f"--seat={seat}={seat}@example.org" for seat in SEATS), "--option", 'creatures=["wyrm"]'),
            "game/creatures",
        ),
        ((*(f"--seat={seat}={seat}@example.org" for seat in SEATS), "--now", "today"), "cli/instant"),
        ((*(f"--seat={seat}={seat}@example.org" for seat in SEATS), "--address", "a b@c"), "cli/address"),
    ],
)
def test_what_new_does_not_take(args: tuple[str, ...], expected: str, tmp_path: Path) -> None:
    result = pbem("turn", "new", tmp_path / "friday", "--ruleset", "arena", *args)
    assert result.exit_code == 2
    assert code(result) == expected
    assert not (tmp_path / "friday").exists()


def test_a_ruleset_nobody_knows(tmp_path: Path) -> None:
    for name in ("chess", "arena/99", "arena/x"):
        result = pbem("turn", "new", tmp_path / "friday", "--ruleset", name, "--seat", "red=red@example.org")
        assert code(result) == "cli/ruleset"
    assert not (tmp_path / "friday").exists()
