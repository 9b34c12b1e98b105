"""The host's home: a folder with settings, the host key, the database file, the logs.

| file          | what it is                                                              |
| ------------- | ----------------------------------------------------------------------- |
| `config.toml` | settings, written once by `pbem host init`, then yours to edit          |
| `host.key`    | 64 hex digits, owner only; written once and never again                 |
| `pbem.sqlite` | the database, unless the settings name another                          |
| `logs/`       | each game's log as a file; made from the database, and made again if lost |

Decides what a home is and whether its settings make sense. No default of an environment is read here.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import msgspec

from engine import AnyGame, refuse
from pbem.disk import write_file
from pbem.log.seal import PrivateKey
from pbem.turn.desk import Post

CONFIG, KEY, DATABASE, LOGS = "config.toml", "host.key", "pbem.sqlite", "logs"
_ENDPOINT = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9.-]+)):([0-9]{1,5})")


class Endpoint(msgspec.Struct, frozen=True):
    """Where to listen, or whom to hand letters to."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`config.toml`. `database` is a SQLAlchemy URL, empty for the SQLite file of the home.

    `max_mail` is in bytes; `connections` counts those open at once; `timeout` (seconds) is for a silent peer and
    for one whole DATA alike.
    """

    address: str = "games@pbem.example.org"
    listen: str = "127.0.0.1:8025"
    relay: str = "127.0.0.1:25"
    database: str = ""
    max_mail: int = 262_144
    connections: int = 50
    timeout: int = 60


class Host(msgspec.Struct, frozen=True):
    """What every act of the host needs: its key, the address of the service, the games it can run."""

    key: PrivateKey
    post: Post
    games: tuple[AnyGame, ...]

    def __repr__(self) -> str:
        return f"Host({self.post.address})"


class Home(msgspec.Struct, frozen=True):
    """An opened home: checked settings and the key."""

    path: Path
    config: Config
    key: PrivateKey

    @property
    def url(self) -> str:
        """The database's URL; it may hold a password."""
        return self.config.database or f"sqlite:///{self.path / DATABASE}"

    @property
    def logs(self) -> Path:
        """The folder of log files."""
        return self.path / LOGS

    def host(self, games: tuple[AnyGame, ...]) -> Host:
        """The host who acts from this home."""
        return Host(self.key, Post(self.config.address, self.config.address.partition("@")[2]), games)


def init_home(path: Path, config: Config, key: bytes) -> Home:
    """Makes a home, or completes one that a crash left unfinished. Refused `host/exists` for other settings."""
    check_config(config, CONFIG)
    path.mkdir(parents=True, exist_ok=True, mode=0o700)
    settings = path / CONFIG
    if settings.exists() and _read_config(settings) != config:
        raise refuse("host/exists", file=str(settings))
    if not settings.exists():
        write_file(settings, config_text(config).encode("utf-8"), secret=True)
    if not (path / KEY).exists():
        _write_key(path / KEY, key)
    return open_home(path)


def open_home(path: Path) -> Home:
    """The home in a folder. Refused `host/no-home`, `host/config`, `host/key`."""
    settings = path / CONFIG
    if not settings.exists():
        raise refuse("host/no-home", folder=str(path))
    return Home(path, _read_config(settings), _read_key(path / KEY))


def check_config(config: Config, file: str) -> Config:
    """The settings, if they make sense. Refused `host/config`, `host/endpoint`, `host/long-address`."""
    endpoint(config.listen)
    endpoint(config.relay)
    local, at, domain = config.address.partition("@")
    if not (
        at and local and domain and config.address.isascii() and config.address == config.address.lower()
    ):
        raise refuse("host/config", file=file, problem=f"address = {json.dumps(config.address[:80])}")
    # GAME.SEAT.TOKEN takes 10 + 8 letters, two dots, a plus, and a seat's name
    if len(local) > 30:
        raise refuse("host/long-address", found=config.address[:80])
    for name in ("max_mail", "connections", "timeout"):
        if getattr(config, name) < 1:
            raise refuse("host/config", file=file, problem=f"{name} = {getattr(config, name)}")
    return config


def endpoint(text: str) -> Endpoint:
    """`HOST:PORT`. Refused `host/endpoint`."""
    match = _ENDPOINT.fullmatch(text)
    if match is None or int(match[3]) > 65_535:
        raise refuse("host/endpoint", found=text[:80].encode("ascii", "backslashreplace").decode("ascii"))
    return Endpoint(match[1] or match[2], int(match[3]))


def config_text(config: Config) -> str:
    """The settings as a TOML file. A JSON string of ASCII is a TOML string too."""
    values = msgspec.to_builtins(config)
    rows = [f"{name} = {json.dumps(value)}" for name, value in values.items()]
    return "\n".join(["# What each setting means: docs/hosting.md", *rows, ""])


def _read_config(path: Path) -> Config:
    try:
        config = msgspec.toml.decode(path.read_bytes(), type=Config)
    except (msgspec.MsgspecError, ValueError) as error:
        raise refuse("host/config", file=str(path), problem=str(error)) from None
    return check_config(config, str(path))


def _write_key(path: Path, key: bytes) -> None:
    """Never over another one: the file is made, or nothing is done."""
    handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as out:
        out.write(PrivateKey(key).raw.hex() + "\n")
        out.flush()
        os.fsync(out.fileno())


def _read_key(path: Path) -> PrivateKey:
    try:
        return PrivateKey(bytes.fromhex(path.read_text(encoding="ascii").strip()))
    except (OSError, ValueError):
        raise refuse("host/key", file=str(path)) from None
