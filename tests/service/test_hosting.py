"""docs/hosting.md, held to its word."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from pbem.cli import main
from pbem.service.config import Config
from tests.service.house import open_house

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "hosting.md").read_text(encoding="utf-8")


def test_the_first_commands_do_what_they_say(tmp_path: Path) -> None:
    block = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)[0]
    runner, game = CliRunner(env={"PBEM_HOST": str(tmp_path / "home"), "PBEM_LANG": "en"}), ""
    lines = block.splitlines()
    assert len(lines) == 5
    for line in lines:
        done = runner.invoke(main, line.replace("GAME", game).split()[1:])
        assert done.exit_code == 0, (line, done.output)
        game = (re.findall(r"Game (\w{10})", done.output) or [game])[0]
    assert game


def test_every_command_named_is_one() -> None:
    named = re.findall(r"`pbem ((?:host |game )?[a-z]+)((?: [A-Z]+| --[a-z-]+| -o| \S+)*)`", PAGE)
    assert len(named) > 8
    for command, rest in named:
        done = CliRunner().invoke(main, [*command.split(), "--help"])
        assert done.exit_code == 0, command
        for option in re.findall(r"--[a-z-]+", rest):
            assert option in done.output, (command, option)


def test_every_setting_is_explained_with_its_default() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| (`[^`]*`|\d+|empty[^|]*) \|", PAGE, re.MULTILINE))
    defaults = msgspec.to_builtins(Config())
    assert list(rows) == list(defaults)
    for name, value in defaults.items():
        said = str(value).lower() if isinstance(value, bool) else str(value)
        assert rows[name].strip("`") == said or (value == "" and rows[name].startswith("empty"))


def test_postfix_as_the_page_has_it_takes_the_largest_letters(tmp_path: Path) -> None:
    """From a fault: an invitation, with the desk page, was larger than the page's `message_size_limit`."""
    (settings,) = re.findall(r"```main.cf\n(.*?)```", PAGE, re.DOTALL)
    limit = re.search(r"message_size_limit = (\d+)", settings)

    async def largest() -> int:
        async with open_house(tmp_path) as house:
            await house.game()
            return max(len(row.raw) for row in house.rows("outbox", "raw"))

    # 10240000 is what Postfix has by itself
    assert asyncio.run(largest()) * 2 < int(limit[1] if limit else 10_240_000)


@pytest.mark.parametrize(("name", "kind"), [("pbem.service", "ini"), ("Containerfile", "Containerfile")])
def test_the_page_shows_the_files_as_they_are(name: str, kind: str) -> None:
    shown = re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)
    assert shown == [(DOCS / name).read_text(encoding="utf-8")]


@pytest.mark.needs("systemd")
def test_the_unit_is_one(tmp_path: Path) -> None:
    """With the program and the user that are here; systemd tells what it does not know on standard error."""
    unit = re.findall(r"```ini\n(.*?)```", PAGE, re.DOTALL)[0]
    assert unit.count("/opt/pbem/bin/pbem") == unit.count("User=pbem\n") == 1
    here = unit.replace("/opt/pbem/bin/pbem", sys.executable).replace("User=pbem\n", "User=root\n")
    assert _verified(tmp_path, here) == (0, "")
    # it would have said so
    assert "ProtectHouse" in _verified(tmp_path, here.replace("ProtectHome=", "ProtectHouse="))[1]
    assert _verified(tmp_path, here.replace("ExecStart=/", "ExecStart=/no/"))[0] != 0


def _verified(folder: Path, unit: str) -> tuple[int, str]:
    (folder / "pbem.service").write_text(unit)
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(folder / "pbem.service")],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_every_event_explained_is_told_somewhere() -> None:
    folder = Path(main.callback.__globals__["__file__"]).parents[1] / "service"  # type: ignore[union-attr]
    source = "".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py")))
    events = re.findall(r"^\| `([a-z]+(?:-[a-z]+)+)` \|", PAGE, re.MULTILINE)
    assert len(events) == 14
    for event in events:
        stem = event if event != "mail-poison" else '"poison"'
        assert stem in source, event
