"""Real mail software for the long tests: installed with apt where that can be done, else said and skipped."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import pytest

PACKAGES = ("postfix", "dovecot-imapd", "swaks", "mutt", "openssl")
PROGRAMS = ("postfix", "dovecot", "swaks", "mutt", "openssl")
PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin:/usr/lib/dovecot"


def program(name: str) -> str:
    """The path of a program, those for administrators included; "" if it is not there."""
    return shutil.which(name, path=PATH) or ""


@cache
def problem() -> str:
    """Why there is no real mail software here; "" if there is."""
    if _complete():
        return "" if os.geteuid() == 0 else "root rights, without which Postfix does not start"
    if os.geteuid() != 0 or not program("apt-get"):
        return "Postfix, Dovecot, swaks and mutt, and root rights and apt to install them"
    # each process of the tests comes by here, and one that finds apt at work would do without
    with Path(tempfile.gettempdir(), "pbem-install.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not _complete() and (said := _install()):
            return f"Postfix, Dovecot, swaks and mutt; apt-get could not install them: {said}"
    return "" if _complete() else "Postfix, Dovecot, swaks and mutt"


def _complete() -> bool:
    """Whether all of it is here: a Dovecot without IMAP has a program of the same name."""
    return all(program(name) for name in PROGRAMS) and bool(program("imap-login"))


def _install() -> str:
    """With apt; gives the last line of what went wrong."""
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "-y", "--no-install-recommends", *PACKAGES]):
        apt = [program("apt-get"), "-qq", "-o", "DPkg::Lock::Timeout=300", *command]
        done = subprocess.run(apt, env=quiet, capture_output=True, check=False, timeout=900)
        if done.returncode != 0:
            return (done.stderr.decode("utf-8", "replace").strip().splitlines() or ["?"])[-1]
    return ""


def need_mail_software() -> None:
    """Skips the test where there is none."""
    if problem():
        pytest.skip("this machine lacks " + problem())


def run(*command: str, data: bytes = b"", ok: bool = True, env: dict[str, str] | None = None) -> str:
    """What a command says; it must end well, unless that is what is looked at."""
    done = subprocess.run(
        [program(command[0]) or command[0], *command[1:]],
        input=data,
        capture_output=True,
        check=False,
        timeout=120,
        env={**os.environ, "PATH": PATH, **(env or {})},
    )
    said = (done.stdout + done.stderr).decode("utf-8", "replace")
    assert done.returncode == 0 or not ok, said
    return said
