"""The command, run in this process, and files laid out for it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from pbem.cli import main


def pbem(*arguments: str | Path) -> Result:
    """`pbem ARGUMENTS`; an exception that is no exit is a failure of the test."""
    result = CliRunner().invoke(main, [str(one) for one in arguments], catch_exceptions=False)
    assert "Traceback" not in result.output
    return result


def ok(*arguments: str | Path) -> str:
    """The output of a command that ends well."""
    result = pbem(*arguments)
    assert result.exit_code == 0, result.output
    return result.output


def json_lines(text: str | bytes) -> list[dict[str, Any]]:
    """Each line as JSON."""
    return [json.loads(line) for line in text.splitlines()]
