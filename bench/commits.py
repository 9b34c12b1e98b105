"""`pbem audit` of one archive ÷ `git verify-commit` of as many commits signed by SSH keys as it has signatures.

Both are programs on this machine, from start to end: one process of ours, and git, which starts ssh-keygen
for every commit. Left out, and said so, where git or ssh-keygen is missing.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.games import archives, envelopes, records
from bench.measure import Figure, figure, ratio

BOUND, REPEATS = 0.6, 3


def figures() -> list[Figure]:
    """One figure, or none."""
    if missing := [name for name in ("git", "ssh-keygen") if shutil.which(name) is None]:
        print(f"left out, because this machine lacks {' and '.join(missing)}: audit ÷ git verify-commit")
        return []
    log = records()[0]
    game = envelopes()[0]["payload"]["game"]
    signatures = len(log) + sum(one["payload"]["game"] == game for one in envelopes())
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        (home / "game.pbem").write_bytes(archives()[0])
        commits = _repository(home, signatures)
        ours = [str(Path(sys.executable).with_name("pbem")), "audit", str(home / "game.pbem")]
        theirs = ["git", "-C", str(home / "repository"), "verify-commit", *commits]
        value = ratio(lambda: _run(ours, home), lambda: _run(theirs, home), REPEATS, time.perf_counter)
    return [figure(f"audit of an archive ÷ git verify-commit of {signatures} commits", value, BOUND)]


def _repository(home: Path, count: int) -> list[str]:
    """A repository of so many empty commits, all signed; their names."""
    key = home / "key"
    _run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], home)
    public = key.with_suffix(".pub").read_text().split()[:2]
    (home / "signers").write_text(f"host@example.org {' '.join(public)}\n")
    repository = home / "repository"
    _run(["git", "init", "-q", str(repository)], home)
    settings = {
        "user.name": "host",
        "user.email": "host@example.org",
        "gpg.format": "ssh",
        "user.signingkey": str(key),
        "gpg.ssh.allowedSignersFile": str(home / "signers"),
    }
    for name, value in settings.items():
        _run(["git", "-C", str(repository), "config", name, value], home)
    for number in range(count):
        text = f"record {number}"
        _run(["git", "-C", str(repository), "commit", "-q", "-S", "--allow-empty", "-m", text], home)
    listed = subprocess.run(
        ["git", "-C", str(repository), "rev-list", "HEAD"], check=True, capture_output=True, text=True
    )
    return listed.stdout.split()


def _run(command: list[str], home: Path) -> None:
    """A program, in a home of its own: nobody's settings of git are used."""
    environment = {**os.environ, "HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(command, check=True, capture_output=True, env=environment)
