"""The audit needs none of the service, and nothing that is slow to load."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HEAVY = ("sqlalchemy", "asyncio", "jsonschema", "rich", "aiosmtpd", "aiosmtplib", "smtplib", "jinja2")
ROOT = Path(__file__).resolve().parents[2]


def test_an_audit_runs_without_the_service(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "from pbem.audit import audit, headline\n"
        "from engine import words\n"
        "report = audit(b'')\n"
        "print(report.code, words(headline(report)))\n"
        "print(*sys.modules, sep='\\n')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT, env={}
    )
    first, *loaded = done.stdout.splitlines()
    assert first == "log/empty fault in line 1: log/empty"
    assert not [name for name in loaded if name.partition(".")[0] in HEAVY]
    assert not [name for name in loaded if name.startswith(("pbem.service", "pbem.player", "pbem.cli"))]
