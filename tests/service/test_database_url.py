"""Where the database is: whatever is wrong with its address, nothing of it is shown, for it may hold a password."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from engine import Refused
from pbem.cli import main
from pbem.service.config import CONFIG, Config, config_text, init_home
from pbem.service.database import open_database
from pbem.service.database_url import file_of, read_url

SECRET = "qZ7xV"
COMMANDS = (
    ["serve"],
    ["host", "doctor"],
    ["host", "backup", "copy", "--passphrase-file", __file__],
    ["game", "list"],
    ["inbox", "list"],
)


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://u:{SECRET}@host:port/name",
        f"postgresql://u:{SECRET}/name",
        f"postgresql://u:a@{SECRET}@127.0.0.1/name",
        f"postgresql://u/{SECRET}@127.0.0.1/name",
        f"postgresql://u:{SECRET}@[::1/name",
        f"postgresql:/u:{SECRET}@host/name",
        f"mysql://u:{SECRET}@host/name",
        f"postgresql+asyncpg://u:{SECRET}@host/name",
        f"sqlite+{SECRET}:///file",
        f"sqlite://u:{SECRET}@host/file",
        f"host=127.0.0.1 password={SECRET}",
        SECRET,
        "nosuch:///x",
        "\0",
    ],
)
def test_pieces_of_a_password_in_the_address_of_a_database(tmp_path: Path, url: str) -> None:
    """A colon or a slash in a password ended in a traceback that quoted it; an @ made a piece of it the host's name."""
    made = CliRunner().invoke(main, ["host", "init", "--home", str(tmp_path / "new"), "--database", url])
    assert not (tmp_path / "new").exists()
    home = init_home(tmp_path / "home", Config(), b"k" * 32)
    settings = config_text(Config(database=url)).encode()
    (home.path / CONFIG).write_bytes(settings)
    tried = [CliRunner().invoke(main, [*words, "--home", str(home.path)]) for words in COMMANDS]
    for result in (made, *tried):
        assert "host/database-url" in result.output
        assert result.exit_code != 0
        assert isinstance(result.exception, SystemExit)
        assert SECRET not in result.output
    assert file_of(url) is None


@pytest.mark.parametrize("kind", ["postgres", "postgresql", "postgresql+psycopg"])
def test_postgresql_by_any_of_its_names(kind: str) -> None:
    read = read_url(f"{kind}://u:p%40%2F%3A@host:5433/name")
    assert (read.drivername, read.password, read.host, read.port) == (
        "postgresql+psycopg",
        "p@/:",
        "host",
        5433,
    )


def test_postgresql_without_its_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(Refused) as refused:
        open_database("postgresql://u@127.0.0.1:1/name")
    assert refused.value.refusal.code == "host/database-driver"
