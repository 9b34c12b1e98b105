"""Passphrases as editors write them, and copies that a disk or a damaged database does not let be made."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine import Refused
from pbem.cli.asked import SYSTEM
from pbem.service import vault
from pbem.service.backup import backup
from pbem.service.config import Config, open_home, password
from pbem.service.database import Database, open_database
from tests.service.house import NOW
from tests.service.test_commands import Host

MARK = b"\xef\xbb\xbf"


@pytest.fixture
def host(tmp_path: Path) -> Host:
    found = Host(tmp_path / "home")
    found("host", "init", "--relay", "127.0.0.1:1")
    return found


def spoil(file: Path, table: str, *, first: bool = False) -> None:
    """Garbage where a table and its indexes begin, or the file itself."""
    with closing(Database(f"sqlite:///{file}")) as database, database.read() as tx:
        found = sa.text("SELECT rootpage FROM sqlite_master WHERE tbl_name = :name")
        pages = [1] if first else tx.execute(found, {"name": table}).scalars().all()
        size = tx.execute(sa.text("PRAGMA page_size")).scalar_one()
    with file.open("r+b") as out:
        for page in pages:
            out.seek((page - 1) * size)
            out.write(b"\xa5" * size)


def test_a_mark_before_a_passphrase_is_no_part_of_it(host: Host, tmp_path: Path) -> None:
    """An editor that wrote it made a copy that the same words, typed, did not open."""
    marked, plain = tmp_path / "marked", tmp_path / "plain"
    marked.write_bytes(MARK + b"correct horse\r\n")
    plain.write_bytes(b"correct horse\n")
    host("host", "backup", str(tmp_path / "copy"), "--passphrase-file", str(marked))
    for number, file in enumerate((plain, marked)):
        Host(tmp_path / str(number))(
            "host", "restore", str(tmp_path / "copy"), "--passphrase-file", str(file)
        )
    # a copy that an earlier release made with that file
    entropy = SYSTEM(vault.SALT + vault.PREFIX)
    backup(open_home(host.home), tmp_path / "older", "\ufeffcorrect horse", entropy, NOW)
    Host(tmp_path / "3")("host", "restore", str(tmp_path / "older"), "--passphrase-file", str(marked))
    told = Host(tmp_path / "4")(
        "host", "restore", str(tmp_path / "older"), "--passphrase-file", str(plain), code=2
    )
    assert "host/passphrase-wrong" in told
    marked.write_bytes(MARK + b"\n")
    told = host("host", "backup", str(tmp_path / "no"), "--passphrase-file", str(marked), code=2)
    assert "host/passphrase\n" in told + "\n"


def test_a_mark_before_a_password_is_no_part_of_it(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(MARK + b"hunter2\r\n")
    config = Config(relay_user="pbem", relay_password=str(tmp_path / "secret"))
    assert password(config, "relay", {}) == "hunter2"


@pytest.mark.parametrize(
    "data", [b"caf\xe9\n", "correct horse\n".encode("utf-16"), "correct horse\n".encode("utf-16-le")]
)
def test_a_passphrase_file_that_is_no_utf_8(host: Host, tmp_path: Path, data: bytes) -> None:
    """It was a traceback, UnicodeDecodeError."""
    (tmp_path / "words").write_bytes(data)
    given = (str(tmp_path / "copy"), "--passphrase-file", str(tmp_path / "words"))
    assert "host/passphrase-text" in host("host", "backup", *given, code=2)
    assert not (tmp_path / "copy").exists()
    if b"\0" not in data:
        (tmp_path / "copy").write_bytes(vault.MAGIC)
        assert "host/passphrase-text" in Host(tmp_path / "new")("host", "restore", *given, code=2)


def test_a_passphrase_in_the_environment_that_is_no_text(host: Host, tmp_path: Path) -> None:
    """It was a traceback, UnicodeEncodeError."""
    environment: dict[bytes, bytes] = {**os.environb, b"PBEM_PASSPHRASE": b"caf\xe9", b"PBEM_LANG": b"en"}
    (tmp_path / "copy").write_bytes(vault.MAGIC)
    for verb, home in (("backup", host.home), ("restore", tmp_path / "new")):
        command = [sys.executable, "-m", "pbem", "host", verb, tmp_path / "copy", "--home", home]
        done = subprocess.run(command, env=environment, capture_output=True, check=False, timeout=60)  # type: ignore[arg-type]
        assert (done.returncode, b"host/passphrase-text" in done.stderr) == (2, True), done.stderr


def test_a_copy_of_a_damaged_database_is_refused(host: Host, tmp_path: Path) -> None:
    """It was a traceback, DatabaseError."""
    host.game()
    (tmp_path / "words").write_text("correct horse")
    whole = (host.home / "pbem.sqlite").read_bytes()
    for table in ("people", "records", "outbox", "sqlite_master"):
        (host.home / "pbem.sqlite").write_bytes(whole)
        spoil(
            host.home / "pbem.sqlite",
            table if table != "sqlite_master" else "games",
            first=table == "sqlite_master",
        )
        told = host(
            "host", "backup", str(tmp_path / "copy"), "--passphrase-file", str(tmp_path / "words"), code=2
        )
        assert "host/database-damaged" in told, table
        assert sorted(one.name for one in tmp_path.iterdir()) == ["home", "words"]


def test_a_disk_that_is_full_while_a_copy_is_made(
    host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite's own error came through as it was. So many pages, and no more, find room for its copy."""
    from pbem.service import database as module

    game = host.game()
    before = module._on_connect

    def small(connection: object, record: object) -> None:
        before(connection, record)
        connection.execute("PRAGMA max_page_count = 3")  # type: ignore[attr-defined]

    home = open_home(host.home)
    real = module._engine

    def engine(url: sa.URL) -> sa.Engine:
        with monkeypatch.context() as patch:
            if "copy.sqlite" in str(url):
                patch.setattr(module, "_on_connect", small)
            return real(url)

    monkeypatch.setattr(module, "_engine", engine)
    with pytest.raises(OSError, match="No space left") as full:
        backup(home, tmp_path / "copy", "correct horse", SYSTEM(vault.SALT + vault.PREFIX), NOW)
    assert full.value.filename == str(tmp_path / "copy")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["home"]
    words = tmp_path / "words"
    words.write_text("correct horse")
    told = host("host", "backup", str(tmp_path / "copy"), "--passphrase-file", str(words), code=2)
    assert "cli/file" in told
    assert "that the disk has room" in " ".join(told.split())
    monkeypatch.undo()
    with closing(open_database(home.url)):
        assert [one["game"] for one in host.json("game", "list")] == [game]


@pytest.mark.parametrize("word", ["0000", "0004", "9999", "f00", "0010_tables"])
def test_a_revision_that_nobody_knows(host: Host, word: str) -> None:
    """`0000` was a traceback of every command."""
    with closing(open_database(open_home(host.home).url)) as database, database.write() as tx:
        tx.execute(sa.text("UPDATE alembic_version SET version_num = :word"), {"word": word})
    assert "host/newer-database" in host("game", "list", code=2)
    with pytest.raises(Refused, match="host/newer-database"):
        open_database(open_home(host.home).url)
