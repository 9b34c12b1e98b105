"""Where a copy may be written, and what is left of a home that could not be made from one."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from engine import Refused
from pbem.cli.asked import SYSTEM
from pbem.service import backup as copies
from pbem.service import vault
from pbem.service.backup import backup, restore
from pbem.service.config import CONFIG, Home, open_home
from pbem.service.database import Database, open_database, revision
from pbem.service.making import MARK
from tests.service.house import NOW
from tests.service.test_commands import Host

WORDS = "correct horse"


@pytest.fixture
def host(tmp_path: Path) -> Host:
    found = Host(tmp_path / "home")
    found("host", "init", "--relay", "127.0.0.1:1")
    found.game()
    (tmp_path / "words").write_text(WORDS + "\n")
    return found


@pytest.fixture
def copy(host: Host, tmp_path: Path) -> Path:
    backup(open_home(host.home), tmp_path / "copy", WORDS, SYSTEM(vault.SALT + vault.PREFIX), NOW)
    return tmp_path / "copy"


def contents(folder: Path) -> dict[str, bytes]:
    return {str(one): one.read_bytes() for one in sorted(folder.rglob("*")) if one.is_file()}


def test_a_copy_is_never_written_over_what_it_is_a_copy_of(host: Host, tmp_path: Path) -> None:
    """It was written over the live database, the key, the settings, its own passphrase."""
    words, home = tmp_path / "words", host.home
    os.link(home / "pbem.sqlite", tmp_path / "linked")
    (tmp_path / "way").symlink_to(home / "host.key")
    (tmp_path / "door").symlink_to(home)
    (log,) = (home / "logs").glob("*.pbem")
    (home / "notes").write_text("mine")
    before = contents(tmp_path)
    names = ("pbem.sqlite", "pbem.sqlite-journal", "host.key", "config.toml", "notes", "logs/new.pbem")
    wrong = [home / name for name in names]
    wrong += [tmp_path / "linked", tmp_path / "way", tmp_path / "door" / "host.key", log, words]
    wrong += [home / ".." / "home" / "config.toml"]
    for file in wrong:
        told = host("host", "backup", str(file), "--passphrase-file", str(words), code=2)
        assert "host/backup-place" in told, file
        assert contents(tmp_path) == before
    # but into the home, and over an older copy
    for _ in range(2):
        host("host", "backup", str(home / "copy"), "--passphrase-file", str(words))


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/null", "/dev/full", "pipe", "notes", "way", ""])
def test_a_copy_is_a_file_of_its_own(host: Host, tmp_path: Path, name: str) -> None:
    """It took the place of /dev/stdout, and of whatever else was named by mistake."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "notes").write_text("mine")
    (tmp_path / "way").symlink_to(tmp_path / "notes")
    seen = sorted(os.listdir("/dev")), sorted(os.listdir(tmp_path))
    file = name if name.startswith("/") or not name else str(tmp_path / name)
    told = host("host", "backup", file, "--passphrase-file", str(tmp_path / "words"), code=2)
    assert "host/backup-target" in told
    assert (sorted(os.listdir("/dev")), sorted(os.listdir(tmp_path))) == seen
    assert Path("/dev/stdout").is_symlink()
    assert (tmp_path / "notes").read_text() == "mine"


def test_a_copy_takes_an_empty_name_and_a_folder_that_is_there(host: Host, tmp_path: Path) -> None:
    (tmp_path / "new").touch()
    words = ("--passphrase-file", str(tmp_path / "words"))
    host("host", "backup", str(tmp_path / "new"), *words)
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o600
    told = host("host", "backup", str(tmp_path / "none" / "copy"), *words, code=2)
    assert "none/copy" in told
    assert not (tmp_path / "none").exists()


MAKING = """
import os, sys, time
from pathlib import Path
from pbem.service import backup, vault
from pbem.service.config import open_home
def wait(tx):
    print("in it", flush=True)
    time.sleep(60)
    yield
backup._frames = wait
backup.backup(open_home(Path(sys.argv[1])), Path(sys.argv[2]), "x", bytes(vault.SALT + vault.PREFIX), 1)
"""


def rooms(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob(".pbem-copy-*"))


@pytest.mark.parametrize("way", [signal.SIGKILL, signal.SIGTERM])
def test_what_a_killed_copy_has_left_goes_with_the_next(
    host: Host, tmp_path: Path, way: signal.Signals
) -> None:
    copy, words = tmp_path / "copy", ("--passphrase-file", str(tmp_path / "words"))
    command = [sys.executable, "-c", MAKING, str(host.home), str(copy)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"in it\n"
        (room,) = rooms(tmp_path)
        # one that is being made is left alone
        host("host", "backup", str(copy), *words)
        assert rooms(tmp_path) == [room]
        process.send_signal(way)
        process.wait()
    assert rooms(tmp_path) == [room]
    host("host", "backup", str(copy), *words)
    assert rooms(tmp_path) == []


def test_what_is_not_surely_ours_is_left(host: Host, tmp_path: Path) -> None:
    words, day = ("--passphrase-file", str(tmp_path / "words")), 86_400
    old, fresh, theirs = (tmp_path / f".pbem-copy-{name}" for name in ("old", "fresh", "theirs"))
    for room in (old, fresh, theirs):
        room.mkdir()
        (room / "copy.sqlite").write_text("x")
    (theirs / "notes").write_text("mine")
    (theirs / "lock").touch()
    (tmp_path / ".pbem-copy-way").symlink_to(old)
    os.utime(old, (NOW - 2 * day, NOW - 2 * day))
    os.utime(theirs, (NOW - 2 * day, NOW - 2 * day))
    host("host", "backup", str(tmp_path / "copy"), *words)
    assert rooms(tmp_path) == [".pbem-copy-fresh", ".pbem-copy-theirs", ".pbem-copy-way"]
    assert (theirs / "notes").read_text() == "mine"


@pytest.mark.parametrize("name", ["a?b", "a%41b", "a%3Fb#c", "a b;&@:"])
def test_a_home_with_any_name_holds_its_database(tmp_path: Path, name: str) -> None:
    """With `?` in it the database lay beside the home, and a copy of it was written onto itself without end."""
    host, again = Host(tmp_path / name / "home"), Host(tmp_path / name / "again")
    (tmp_path / "words").write_text(WORDS)
    host("host", "init")
    game, words = host.game(), ("--passphrase-file", str(tmp_path / "words"))
    assert (host.home / "pbem.sqlite").stat().st_size
    told = host("host", "backup", str(host.home / "pbem.sqlite"), *words, code=2)
    assert "host/backup-place" in told
    host("host", "backup", str(tmp_path / name / "copy"), *words)
    again("host", "restore", str(tmp_path / name / "copy"), *words)
    assert [one["game"] for one in again.json("game", "list")] == [game]
    assert sorted(os.listdir(tmp_path / name)) == ["again", "copy", "home"]
    assert sorted(os.listdir(tmp_path)) == sorted([name, "words"])


def test_a_database_elsewhere_is_of_the_home_too(host: Host, tmp_path: Path) -> None:
    place = tmp_path / "elsewhere.sqlite"
    shutil.move(host.home / "pbem.sqlite", place)
    settings = host.home / CONFIG
    for url in (f"sqlite:///{place}", f"sqlite:///file:{place}?mode=rwc&uri=true"):
        text = [line for line in settings.read_text().splitlines() if not line.startswith("database")]
        settings.write_text("\n".join([*text, f'database = "{url}"', ""]))
        before = place.read_bytes()
        with pytest.raises(Refused, match="host/backup-place"):
            backup(open_home(host.home), place, WORDS, SYSTEM(vault.SALT + vault.PREFIX), NOW)
        assert place.read_bytes() == before


def test_an_export_is_not_written_over_the_home_either(host: Host, tmp_path: Path) -> None:
    (log,) = (host.home / "logs").glob("*.pbem")
    before = contents(tmp_path)
    for form in ((), ("--html",)):
        told = host("export", log.stem, "-o", str(host.home / "pbem.sqlite"), *form, code=2)
        assert "host/backup-place" in told
        assert contents(tmp_path) == before


def test_of_a_restore_that_fails_nothing_is_left(host: Host, copy: Path, tmp_path: Path) -> None:
    """An empty database was left, and then the good copy could not be put there."""
    cut, there = tmp_path / "cut", tmp_path / "new" / "place"
    cut.write_bytes(copy.read_bytes()[:-1])
    (tmp_path / "old").mkdir()
    for place in (there, tmp_path / "old"):
        again = Host(place)
        told = again("host", "restore", str(cut), "--passphrase-file", str(tmp_path / "words"), code=2)
        assert "host/backup-damaged" in told
    assert not there.parent.exists()
    assert not list((tmp_path / "old").iterdir())
    restore(tmp_path / "old", copy, WORDS, NOW)
    assert Host(tmp_path / "old").json("game", "list")


@pytest.mark.parametrize("step", ["_insert", "_continue_numbers", "Mirror", "write_file"])
def test_nothing_is_left_wherever_the_disk_is_full(
    copy: Path, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """Of a database elsewhere too: what was committed is dropped, as the next restore wants it empty."""

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device", "x")

    for database in (url, ""):
        with monkeypatch.context() as patch:
            patch.setattr(copies, step, full)
            with pytest.raises(OSError, match="No space left"):
                restore(tmp_path / "new", copy, WORDS, NOW, database)
        assert not (tmp_path / "new").exists()
        with closing(Database(url)) as found:
            assert (revision(found) is None) or not database
        restore(tmp_path / "new", copy, WORDS, NOW, database)
        assert open_home(tmp_path / "new").key == open_home(tmp_path / "home").key
        shutil.rmtree(tmp_path / "new")


def test_nobody_else_s_tables_are_dropped(copy: Path, tmp_path: Path) -> None:
    place = tmp_path / "theirs.sqlite"
    with closing(open_database(f"sqlite:///{place}")) as database, database.write() as tx:
        tx.exec_driver_sql("DROP TABLE alembic_version")
    before = place.read_bytes()
    with pytest.raises(Refused, match="host/database"):
        restore(tmp_path / "new", copy, WORDS, NOW, f"sqlite:///{place}")
    assert place.read_bytes() == before


KILLED = """
import os, sys
from pathlib import Path
from pbem.service import backup
def die(*_, **__):
    os.kill(os.getpid(), 9)
setattr(backup, sys.argv[1], die)
backup.restore(Path(sys.argv[2]), Path(sys.argv[3]), "correct horse", 1)
"""


@pytest.mark.parametrize("step", ["_continue_numbers", "Mirror"])
def test_a_restore_that_was_killed_stops_no_other(copy: Path, tmp_path: Path, step: str) -> None:
    new = tmp_path / "new"
    done = subprocess.run([sys.executable, "-c", KILLED, step, new, copy], check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL
    assert (new / MARK).exists()
    assert not (new / CONFIG).exists()
    # what is not of a restore is not touched
    (new / "mine").write_text("x")
    before = contents(new)
    with pytest.raises(Refused, match="host/not-empty"):
        restore(new, copy, WORDS, NOW)
    assert contents(new) == before
    (new / "mine").unlink()
    restore(new, copy, WORDS, NOW)
    assert not (new / MARK).exists()
    assert Host(new).json("game", "list")


def test_a_home_whose_settings_are_lost_is_no_failed_restore(copy: Path, tmp_path: Path) -> None:
    restore(tmp_path / "new", copy, WORDS, NOW)
    (tmp_path / "new" / CONFIG).unlink()
    before = contents(tmp_path / "new")
    with pytest.raises(Refused, match="host/not-empty"):
        restore(tmp_path / "new", copy, WORDS, NOW)
    assert contents(tmp_path / "new") == before


def test_what_an_earlier_release_left_stops_no_restore(copy: Path, tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "pbem.sqlite").touch()
    assert restore(tmp_path / "new", copy, WORDS, NOW).held


def test_two_restores_into_one_place(copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new, filled = tmp_path / "new", copies._fill

    def beside(home: Home, *args: object) -> object:
        with pytest.raises(Refused, match="disk/in-use"):
            restore(new, copy, WORDS, NOW)
        return filled(home, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(copies, "_fill", beside)
    assert restore(new, copy, WORDS, NOW).held
