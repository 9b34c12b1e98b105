"""Real mail software for the long tests: installed with apt where that can be done, else said and skipped."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache

import pytest

PACKAGES = ("postfix", "dovecot-imapd", "swaks", "mutt", "openssl")
PROGRAMS = ("postfix", "dovecot", "swaks", "mutt", "openssl")
PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"


def program(name: str) -> str:
    """The path of a program, those for administrators included; "" if it is not there."""
    return shutil.which(name, path=PATH) or ""


@cache
def problem() -> str:
    """Why there is no real mail software here; "" if there is."""
    if all(program(name) for name in PROGRAMS):
        return "" if os.geteuid() == 0 else "root rights, without which Postfix does not start"
    if os.geteuid() != 0 or not program("apt-get"):
        return "Postfix, Dovecot, swaks and mutt, and root rights and apt to install them"
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "-y", "--no-install-recommends", *PACKAGES]):
        done = subprocess.run(
            [program("apt-get"), "-qq", *command], env=quiet, capture_output=True, check=False, timeout=600
        )
        if done.returncode != 0:
            return "Postfix, Dovecot, swaks and mutt; apt-get could not install them"
    return "" if all(program(name) for name in PROGRAMS) else "Postfix, Dovecot, swaks and mutt"


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
