"""A PostgreSQL cluster of our own, in a temporary folder, reachable by a socket there and by nothing else."""

from __future__ import annotations

import hashlib
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa


def binaries() -> Path:
    """The folder of initdb and pg_ctl."""
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    found = installed[-1] if installed else shutil.which("initdb")
    assert found is not None
    return Path(found).resolve().parent


@dataclass
class Server:
    """A running server. `url` has the word DATABASE in it."""

    folder: Path
    user: str
    fsync: str = "off"

    @property
    def url(self) -> str:
        return f"postgresql+psycopg://pbem@/DATABASE?host={self.folder}"

    def start(self) -> None:
        options = f"-c listen_addresses='' -c unix_socket_directories={self.folder} -c fsync={self.fsync}"
        self._control("-o", options, "-l", str(self.folder / "log"), "start")

    def stop(self) -> None:
        """As if the power had gone."""
        self._control("-m", "immediate", "stop")

    def _control(self, *args: str) -> None:
        _run(self.user, "pg_ctl", "-D", str(self.folder / "data"), "-w", *args)


@contextmanager
def open_server(*, fsync: bool = False) -> Generator[Server]:
    """A server of our own. It refuses root: then it runs as nobody."""
    user = pwd.getpwnam("nobody").pw_name if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
    folder = Path(tempfile.mkdtemp(prefix="pbem-pg-"))
    try:
        folder.chmod(0o755)
        data = folder / "data"
        data.mkdir()
        shutil.chown(data, user)
        shutil.chown(folder, user)
        _run(user, "initdb", "-D", str(data), "-U", "pbem", "-A", "trust", "-E", "UTF8", "--no-locale", "-N")
        server = Server(folder, user, "on" if fsync else "off")
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder)


@contextmanager
def open_cluster() -> Generator[str]:
    """Gives a SQLAlchemy URL with the word DATABASE in it."""
    with open_server() as server:
        yield server.url


def new_database(cluster: str, name: str) -> str:
    """The URL of a new, empty database; `name` is any text that no other test has."""
    word = "t" + hashlib.sha256(name.encode()).hexdigest()[:16]
    engine = sa.create_engine(cluster.replace("DATABASE", "postgres"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(sa.text(f"DROP DATABASE IF EXISTS {word}"))
        connection.execute(sa.text(f"CREATE DATABASE {word}"))
    engine.dispose()
    return cluster.replace("DATABASE", word)


def _run(user: str, program: str, *args: str) -> None:
    command = [str(binaries() / program), *args]
    entry = pwd.getpwnam(user) if os.geteuid() == 0 else None
    # the server that pg_ctl starts keeps the output open, so nobody may wait for its end
    with tempfile.TemporaryFile() as out:
        done = subprocess.run(
            command,
            cwd="/",
            stdout=out,
            stderr=out,
            check=False,
            user=entry.pw_uid if entry else None,
            group=entry.pw_gid if entry else None,
        )
        out.seek(0)
        assert done.returncode == 0, out.read().decode()
