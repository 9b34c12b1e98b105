"""A Postfix of our own for the bench, in a temporary folder: takes mail, queues it durably, delivers nothing."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from pbem.service.config import Endpoint

_MAIN = """compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
myhostname = bench.example.org
mydestination =
relay_domains = pbem.example.org
default_transport = smtp
relay_transport = smtp:[127.0.0.1]:1
defer_transports = smtp
mynetworks = 127.0.0.0/8
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_recipient_restrictions = permit_mynetworks, reject
alias_maps =
alias_database =
maillog_file = {folder}/log
maillog_file_prefixes = {folder}
biff = no
smtp_dns_support_level = disabled
smtpd_client_connection_rate_limit = 0
smtpd_client_connection_count_limit = 0
"""
_MASTER = """127.0.0.1:{port} inet n - n - 20 smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
smtp unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
proxymap unix - - n - - proxymap
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
showq unix n - n - - showq
postlog unix-dgram n - n - 1 postlogd
"""


def is_here() -> bool:
    """Whether there is one that we may start: it wants root."""
    return shutil.which("postfix", path="/usr/sbin:/usr/bin") is not None and os.geteuid() == 0


@contextmanager
def running() -> Generator[Endpoint]:
    """Gives where it takes mail."""
    folder = Path(tempfile.mkdtemp(prefix="pbem-postfix-"))
    try:
        folder.chmod(0o755)
        port = _free_port()
        (folder / "etc").mkdir()
        (folder / "queue").mkdir()
        (folder / "data").mkdir()
        shutil.chown(folder / "data", "postfix")
        (folder / "queue").chmod(0o755)
        for name in ("dynamicmaps.cf", "postfix-files"):
            if Path("/etc/postfix", name).exists():
                shutil.copy(Path("/etc/postfix", name), folder / "etc")
        (folder / "etc" / "main.cf").write_text(_MAIN.format(folder=folder))
        (folder / "etc" / "master.cf").write_text(_MASTER.format(port=port))
        _control(folder, "start")
        try:
            _wait(port)
            yield Endpoint("127.0.0.1", port)
        finally:
            _control(folder, "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _control(folder: Path, word: str) -> None:
    command = ["/usr/sbin/postfix", "-c", str(folder / "etc"), word]
    subprocess.run(command, check=True, capture_output=True)


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def _wait(port: int) -> None:
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError("Postfix does not start")
