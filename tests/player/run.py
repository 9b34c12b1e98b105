"""The commands as a player types them."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from pbem.cli import main
from pbem.player.keys import key_file
from tests.player.host import key_of


def pbem(*args: str | Path, text: str | None = None) -> Result:
    """One command, with what is typed into it; anything but an answer fails the test."""
    result = CliRunner().invoke(main, [str(arg) for arg in args], input=text)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert "Traceback" not in result.output
    return result


def ok(*args: str | Path, text: str | None = None) -> str:
    """The output of a command that succeeds."""
    result = pbem(*args, text=text)
    assert result.exit_code == 0, result.output
    return result.output


def code(*args: str | Path, text: str | None = None) -> str:
    """The refusal code with which a command ends."""
    result = pbem(*args, text=text)
    assert result.exit_code in (1, 2), result.output
    head, found, rest = result.output.rpartition("Code ")
    assert found, result.output
    assert "Expected: " in rest, result.output
    assert "What to do: " in rest, head
    return rest.split()[0]


def use_key(home: Path, seat: str) -> None:
    """The seat's key becomes the player's."""
    home.mkdir(exist_ok=True)
    (home / "key.json").write_bytes(key_file(key_of(seat)))
    (home / "key.json").chmod(0o600)


def put(name: str, data: bytes) -> Path:
    """A file on the desk."""
    path = Path(name)
    path.write_bytes(data)
    return path
