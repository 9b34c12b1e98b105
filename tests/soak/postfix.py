"""A Postfix of our own, with the configuration that docs/hosting.md tells, and players whose mail it delivers.

What is added to the page's main.cf: other folders and ports, and the mailboxes of players at players.example.org.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.service.mailbox import Mailbox, Post
from tests.soak.installed import program, run

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "hosting.md").read_text(encoding="utf-8")


def block(name: str) -> str:
    """A file as the page has it."""
    (found,) = re.findall(rf"```{re.escape(name)}\n(.*?)```", PAGE, re.DOTALL)
    return str(found)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@dataclass
class Postfix:
    """A running instance."""

    folder: Path
    port: int

    @property
    def config(self) -> Path:
        return self.folder / "etc"

    @property
    def mail(self) -> Path:
        return self.folder / "mail"

    def maildir(self, name: str) -> Maildir:
        return Maildir(self.mail / "players.example.org" / name, f"{name}@players.example.org")

    def queue(self) -> str:
        """What lies in the queue."""
        return run("postqueue", "-c", str(self.config), "-p")

    def flush(self) -> None:
        run("postqueue", "-c", str(self.config), "-f")

    def log(self) -> str:
        path = self.folder / "postfix.log"
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""


@dataclass
class Maildir:
    """A player's mailbox."""

    path: Path
    address: str

    def posts(self) -> list[Post]:
        """What has arrived, oldest first."""
        files = [path for part in ("new", "cur") for path in (self.path / part).glob("*")]
        found: list[Post] = []
        for path in sorted(files, key=lambda path: (path.stat().st_mtime_ns, path.name)):
            raw = path.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
            raw = raw.replace(b"\r\n\t", b"\r\n ")
            sender = re.search(rb"^Return-Path: <([^>]*)>", raw, re.MULTILINE)
            found.append(Post(sender[1].decode() if sender else "", self.address, raw))
        return found


class Maildirs(Mailbox):
    """All mailboxes of players, as the players of other tests read theirs."""

    def __init__(self, *boxes: Maildir) -> None:
        super().__init__()
        self.boxes = {box.address: box for box in boxes}

    def to(self, address: str) -> list[Post]:
        return self.boxes[address].posts()


def wait_for(found: object, what: str, seconds: float = 60) -> None:
    """Waits until a function gives something true."""
    assert callable(found)
    until = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < until, what
        time.sleep(0.1)


@contextmanager
def open_postfix(lmtp_port: int, more: str = "", services: str = "") -> Generator[Postfix]:
    """Postfix in front of a service that takes LMTP; `more` goes into main.cf, `services` into master.cf."""
    folder = Path(tempfile.mkdtemp(prefix="pbem-postfix-"))
    folder.chmod(0o755)
    postfix = Postfix(folder, free_port())
    try:
        _write(postfix, lmtp_port, more, services)
        run("postfix", "-c", str(postfix.config), "start")
        try:
            wait_for(lambda: _answers(postfix.port), "Postfix does not start: " + postfix.log())
            yield postfix
        finally:
            run("postfix", "-c", str(postfix.config), "stop", ok=False)
            time.sleep(0.5)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), 2) as one:
            return one.recv(100).startswith(b"220")
    except OSError:
        return False


def _write(postfix: Postfix, lmtp_port: int, more: str, services: str) -> None:
    folder, config = postfix.folder, postfix.config
    for name in ("etc", "queue", "data", "mail"):
        (folder / name).mkdir()
    shutil.chown(folder / "data", "postfix")
    shutil.chown(folder / "mail", "nobody")
    (folder / "queue").chmod(0o755)
    for name in ("dynamicmaps.cf", "postfix-files"):
        if Path("/etc/postfix", name).exists():
            shutil.copy(Path("/etc/postfix", name), config)
    shutil.copytree("/etc/postfix/dynamicmaps.cf.d", config / "dynamicmaps.cf.d", dirs_exist_ok=True)
    for name in ("pbem-transport", "pbem-virtual", "pbem-recipients"):
        text = block(name).replace("8024", str(lmtp_port)).replace("you@localhost", "you@players.example.org")
        (config / name).write_text(text)
    (config / "players").write_text("@players.example.org dummy\n")
    mailboxes = "".join(f"{name}@players.example.org players.example.org/{name}/\n" for name in PLAYERS)
    (config / "players").write_text(mailboxes)
    ours = (block("main.cf") + more).replace("/etc/postfix", str(config))
    (config / "main.cf").write_text(_ground(folder) + ours)
    (config / "master.cf").write_text(_master(postfix.port) + services)
    os.chmod(config / "main.cf", 0o644)


PLAYERS = ("red", "blue", "you", "green")


def _ground(folder: Path) -> str:
    uid, gid = (int(run("id", flag, "nobody")) for flag in ("-u", "-g"))
    return f"""compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
daemon_directory = {Path(program("postfix")).parent.parent}/lib/postfix/sbin
command_directory = {Path(program("postconf")).parent}
maillog_file = {folder}/postfix.log
maillog_file_prefixes = {folder}
myhostname = mail.example.org
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
biff = no
alias_maps =
smtp_dns_support_level = disabled
smtpd_tls_security_level = none
address_verify_map =
minimal_backoff_time = 1s
maximal_backoff_time = 5s
queue_run_delay = 2s
virtual_mailbox_domains = players.example.org
virtual_mailbox_base = {folder}/mail
virtual_mailbox_maps = texthash:{folder}/etc/players
virtual_minimum_uid = 1
virtual_uid_maps = static:{uid}
virtual_gid_maps = static:{gid}
"""


def _master(port: int) -> str:
    """Debian's services without chroot; its port 25 is ours."""
    rows: list[str] = []
    for row in run("postconf", "-M").splitlines():
        fields = row.split(None, 7)
        if len(fields) == 8 and fields[0] == "smtp" and fields[1] == "inet":
            fields[0] = f"127.0.0.1:{port}"
        elif len(fields) < 8 or fields[1] == "inet" or fields[7].startswith("pipe"):
            continue
        fields[4] = "n"
        rows.append(" ".join(fields))
    return "\n".join(rows) + "\n"
