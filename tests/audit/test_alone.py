"""The audit needs none of the service, and nothing that is slow to load."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from engine import GAMES
from tests.audit.make import Plan, make

HEAVY = (
    "sqlalchemy",
    "asyncio",
    "jsonschema",
    "rich",
    "aiosmtpd",
    "aiosmtplib",
    "smtplib",
    "jinja2",
    "click",
)
ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import sys
from engine import words
from pbem.audit import audit, headline, replay
with open(sys.argv[1], "rb") as log:
    report = audit(log)
with open(sys.argv[1], "rb") as log:
    pages = replay(log).pages
print(words(headline(report)), len(pages))
print(*sys.modules, sep="\\n")
"""


def test_an_audit_runs_without_the_service(tmp_path: Path) -> None:
    game = GAMES[0]
    archive = tmp_path / "game.pbem"
    archive.write_bytes(b"".join(make(Plan(game, game.seats[:2]))))
    command = [sys.executable, "-c", PROGRAM, str(archive)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    first, *loaded = done.stdout.splitlines()
    assert first.startswith("sound: ")
    assert not [name for name in loaded if name.partition(".")[0] in HEAVY]
    assert not [name for name in loaded if name.startswith(("pbem.service", "pbem.player", "pbem.cli"))]
