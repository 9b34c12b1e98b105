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
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec

from engine import AnyGame, Refused, refuse
from pbem.disk import SETTINGS, read_file, write_file
from pbem.log.payloads import Pictures
from pbem.log.seal import PrivateKey
from pbem.service.database_url import read_url
from pbem.turn.desk import Post

CONFIG, KEY, DATABASE, LOGS = "config.toml", "host.key", "pbem.sqlite", "logs"
LEAST_MAIL, MOST_MAIL = 4_096, 1 << 31
"""Bytes: no move fits into a mail that is smaller; a database takes no mail as large."""
LOOPBACK = ("127.0.0.1", "::1", "localhost", "")
_ENDPOINT = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9.-]+)):([0-9]{1,5})")


_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_WRITTEN = re.compile(
    r"(?=.{1,254}$)[a-z0-9!#$%&'*+/=?^_`{|}~-]{1,64}(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]{1,64})*"
    rf"@{_LABEL}(?:\.{_LABEL})*"
)
"""An address that other mail servers take: no blank, no brackets, no empty piece of a name."""
_APART = re.compile(r"[\s;]")
_MARK = b"\xef\xbb\xbf"
"""What some editors put before a text."""


class Endpoint(msgspec.Struct, frozen=True):
    """Where to listen, or whom to hand letters to; `path` is that of a Unix socket instead."""

    host: str
    port: int
    path: str = ""

    def __str__(self) -> str:
        if self.path:
            return f"unix:{self.path}"
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


Tls = Literal["none", "starttls", "tls"]
"""How a connection is made private: not at all, by STARTTLS before anything else is said, or from its first byte."""


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`config.toml`; docs/hosting.md explains each.

    `listen`, `lmtp` and `relay` are endpoints; empty: no such way in. `database` is a SQLAlchemy URL, empty for the
    SQLite file of the home. `max_mail` is in bytes; `connections` counts those open at once; `timeout` (seconds) is for
    a silent peer and for one whole DATA alike. `per_sender` and `per_game` count mails an hour, `pace` letters a
    minute. A service that was away for more than `outage` seconds moves all deadlines by as long; 0: never.
    With `judge_apart`, many moves at once are judged in a process of their own, if there is a second processor.
    `pictures` is what letters bring to players who have not said what they want. Settings named `…_password` are
    paths of files.
    """

    address: str = "games@pbem.example.org"
    operator: str = ""
    authserv: str = ""
    ratings: bool = False
    plus: bool = True
    bounces: str = ""
    listen: str = "127.0.0.1:8025"
    lmtp: str = ""
    relay: str = "127.0.0.1:25"
    relay_tls: Tls = "none"
    relay_user: str = ""
    relay_password: str = ""
    tls_ca: str = ""
    pace: int = 600
    imap: str = ""
    imap_tls: Tls = "tls"
    imap_user: str = ""
    imap_password: str = ""
    imap_folder: str = "INBOX"
    imap_done: str = "pbem-done"
    imap_seconds: int = 60
    database: str = ""
    max_mail: int = 262_144
    connections: int = 50
    timeout: int = 60
    per_sender: int = 300
    per_game: int = 2_000
    outage: int = 600
    judge_apart: bool = True
    pictures: Pictures = "on"

    @property
    def domain(self) -> str:
        """The part of the service's address after the @."""
        return self.address.partition("@")[2]

    @property
    def returns(self) -> str:
        """Where letters come back to that could not be delivered."""
        return self.bounces or (f"b@{self.domain}" if self.plus else self.address)


class Host(msgspec.Struct, frozen=True):
    """What every act of the host needs: its key, the address of the service, the games it can run.

    `authserv`: the name by which the receiving mail server says what it found out about senders, if it does.
    """

    key: PrivateKey
    post: Post
    games: tuple[AnyGame, ...]
    authserv: str = ""

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
        return self.config.database or url_of_file(self.path / DATABASE)

    @property
    def logs(self) -> Path:
        """The folder of log files."""
        return self.path / LOGS

    def host(self, games: tuple[AnyGame, ...]) -> Host:
        """The host who acts from this home."""
        post = Post(self.config.address, self.config.domain, self.config.plus)
        return Host(self.key, post, games, self.config.authserv)


def url_of_file(path: Path) -> str:
    """The URL of a SQLite file, whose path may hold signs that mean something in a URL."""
    return "sqlite:///" + str(path).replace("%", "%25").replace("?", "%3F")


def init_home(path: Path, config: Config, key: bytes) -> Home:
    """Makes a home, or completes one that a crash left unfinished. Refused `host/exists` for other settings."""
    check_written(config, CONFIG)
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
    try:
        if not settings.exists():
            raise refuse("host/no-home", folder=str(path))
        return Home(path, _read_config(settings), _read_key(path / KEY))
    except OSError as error:
        raise refuse("host/config", file=str(settings), problem=type(error).__name__) from None


def is_own(config: Config, address: str) -> bool:
    """Whether mail to an address comes to the service itself, which would write to itself then."""
    found = address.lower()
    for own in (config.address, config.returns):
        local, _, domain = own.partition("@")
        if found == own or (config.plus and found.startswith(f"{local}+") and found.endswith(f"@{domain}")):
            return True
    return False


def check_written(config: Config, file: str) -> Config:
    """`check_config`, and what only somebody who wrote it now can mend. Refused `host/config`, …"""
    check_config(config, file)
    for name in ("address", "bounces", "operator"):
        value: str = getattr(config, name)
        wrong = bool(value) and not _WRITTEN.fullmatch(value if name != "operator" else value.lower())
        # what stands behind a plus is ours to write
        wrong |= "+" in value.partition("@")[0] and (name == "bounces" or (name == "address" and config.plus))
        if wrong or (name == "operator" and is_own(config, value)):
            raise refuse("host/config", file=file, problem=f"{name} = {json.dumps(value[:80])}")
    for name in ("relay", "imap"):
        place = getattr(config, name)
        if place and not place.startswith("unix:") and endpoint(place).port == 0:
            raise refuse("host/endpoint", found=place)
    # a mail that is put away where it was found comes again
    if config.imap and config.imap_folder.lower() in ("", config.imap_done.lower()):
        raise refuse("host/config", file=file, problem=f"imap_folder = {json.dumps(config.imap_folder)}")
    if _APART.search(config.authserv):
        raise refuse("host/config", file=file, problem=f"authserv = {json.dumps(config.authserv)}")
    return config


def check_config(config: Config, file: str) -> Config:
    """The settings, if they make sense. Refused `host/config`, `host/endpoint`, `host/long-address`, `host/database-url`."""
    _check_endpoints(config)
    if config.database:
        read_url(config.database)
    for name in ("imap_folder", "imap_done", "imap_user", "authserv"):
        value: str = getattr(config, name)
        if not (value.isascii() and (value or "x").isprintable()):
            raise refuse("host/config", file=file, problem=f"{name} = {json.dumps(value)}")
    for name in ("address", "bounces"):
        _check_own_address(name, getattr(config, name), file)
    for name in ("max_mail", "connections", "timeout", "imap_seconds"):
        if getattr(config, name) < 1:
            raise refuse("host/config", file=file, problem=f"{name} = {getattr(config, name)}")
    if not LEAST_MAIL <= config.max_mail < MOST_MAIL:
        raise refuse("host/config", file=file, problem=f"max_mail = {config.max_mail}")
    for name in ("pace", "per_sender", "per_game", "outage"):
        if getattr(config, name) < 0:
            raise refuse("host/config", file=file, problem=f"{name} = {getattr(config, name)}")
    for name in ("relay", "imap"):
        _check_password(config, name, file)
    return config


def _check_endpoints(config: Config) -> None:
    """Only LMTP and the way to the relay may be a Unix socket."""
    for place in (config.listen, config.imap):
        if place:
            port_at(place)
    if config.lmtp:
        endpoint(config.lmtp)
    endpoint(config.relay)


def _check_own_address(name: str, address: str, file: str) -> None:
    local, at, domain = address.partition("@")
    if name == "bounces" and not address:
        return
    if not (at and local and domain and address.isascii() and address == address.lower()):
        raise refuse("host/config", file=file, problem=f"{name} = {json.dumps(address[:80])}")
    # GAME.SEAT.TOKEN takes 10 + 8 letters, two dots, a plus, and a seat's name
    if len(local) > 30:
        raise refuse("host/long-address", found=address[:80])


def _check_password(config: Config, name: str, file: str) -> None:
    """A password is not sent in the clear, but to this machine itself."""
    server, user, tls = (getattr(config, name + part) for part in ("", "_user", "_tls"))
    if server and user and tls == "none" and endpoint(server).host not in LOOPBACK:
        raise refuse("host/config", file=file, problem=f'{name}_tls = "none" with {name}_user')


def password(config: Config, name: str, environment: Mapping[str, str]) -> str:
    """The password for `relay` or `imap`: the file that the settings name, else PBEM_RELAY_PASSWORD or PBEM_IMAP_PASSWORD.

    Refused `host/password` if there is a user and no password.
    """
    user, path = getattr(config, f"{name}_user"), getattr(config, f"{name}_password")
    if not user:
        return ""
    found = environment.get(f"PBEM_{name.upper()}_PASSWORD", "")
    if path:
        try:
            found = read_file(Path(path), SETTINGS).decode("utf-8-sig").rstrip("\r\n")
        except (OSError, ValueError, Refused):
            found = ""
    if not found:
        raise refuse("host/password", name=name, variable=f"PBEM_{name.upper()}_PASSWORD")
    return found


def endpoint(text: str) -> Endpoint:
    """`HOST:PORT`, or `unix:PATH`. Refused `host/endpoint`."""
    if text.startswith("unix:/"):
        return Endpoint("", 0, text.removeprefix("unix:"))
    match = _ENDPOINT.fullmatch(text)
    if match is None or int(match[3]) > 65_535:
        raise refuse("host/endpoint", found=_shown(text))
    return Endpoint(match[1] or match[2], int(match[3]))


def _shown(text: str) -> str:
    """What was found instead of an endpoint, without what may be a user and his password."""
    _, at, place = text.rpartition("@")
    return f"{'...' if at else ''}{at}{place[:80]}".encode("ascii", "backslashreplace").decode("ascii")


def port_at(text: str) -> Endpoint:
    """`HOST:PORT`, and nothing else. Refused `host/endpoint`."""
    found = endpoint(text)
    if not found.host:
        raise refuse("host/endpoint", found=_shown(text))
    return found


def config_text(config: Config) -> str:
    """The settings as a TOML file. A JSON string of ASCII is a TOML string too."""
    values = msgspec.to_builtins(config)
    rows = [f"{name} = {json.dumps(value)}" for name, value in values.items()]
    return "\n".join(["# What each setting means: docs/hosting.md", *rows, ""])


def _read_config(path: Path) -> Config:
    try:
        data = read_file(path, SETTINGS).removeprefix(_MARK)
        config = msgspec.toml.decode(data, type=Config)
        if "address" not in msgspec.toml.decode(data):
            # what an editor leaves on a full disk; another address would send all mail back
            raise ValueError("Object missing required field `address`")
    except (msgspec.MsgspecError, ValueError) as error:
        raise refuse("host/config", file=str(path), problem=str(error)) from None
    return check_written(config, str(path))


def _write_key(path: Path, key: bytes) -> None:
    """Never over another one: the file is made, or nothing is done."""
    handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as out:
        out.write(PrivateKey(key).raw.hex() + "\n")
        out.flush()
        os.fsync(out.fileno())


def _read_key(path: Path) -> PrivateKey:
    try:
        return PrivateKey(bytes.fromhex(read_file(path, SETTINGS).decode("ascii").strip()))
    except (OSError, ValueError, Refused):
        raise refuse("host/key", file=str(path)) from None
