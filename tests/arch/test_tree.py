"""The tree: what lies at the top, and what must not lie anywhere."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from itertools import pairwise

from tests.arch.source import ROOT, calls, files, judge, text, tree, under

TOP = {
    ".ci",
    ".editorconfig",
    ".gitattributes",
    ".gitignore",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "bench",
    "docs",
    "engine",
    "fixtures",
    "pbem",
    "pyproject.toml",
    "schemas",
    "tests",
}
# These tests name what they forbid.
HERE = "tests/arch/"
MACHINE = re.compile(r"(?<![A-Za-z0-9_.])/(?:work|farm|root|Users)/[A-Za-z]|(?<![A-Za-z0-9_.])/home/[a-z]+/")
REGISTRY = re.compile(r"\b(?:pypi\.org|pythonhosted\.org|registry\.npmjs\.org|deb\.debian\.org)\b")
UNFINISHED = re.compile(r"\b(?:TODO|FIXME|XXX|HACK|NotImplementedError)\b|(?i:\bfor now\b|placeholder)")
ADDRESS = re.compile(r"(?<![A-Za-z0-9_.+-])[A-Za-z0-9_.+-]++@((?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,})")
EXAMPLE = re.compile(r"(?:^|\.)(?:example\.(?:org|com|net)|example|invalid|test)$", re.IGNORECASE)
ADR = re.compile(r"docs/adr/(\d{4})-[a-z0-9-]+\.md")


def lines_with(pattern: re.Pattern[str], names: list[str]) -> Iterator[tuple[str, str]]:
    for name in names:
        if name.startswith(HERE):
            continue
        for number, line in enumerate(text(name).splitlines(), 1):
            if match := pattern.search(line):
                yield name, f"line {number}: {match[0]!r}"


def test_the_top_level_is_what_was_agreed() -> None:
    judge("top-level", ((name, "not agreed") for name in {path.split("/")[0] for path in files()} - TOP))


def test_no_path_of_a_machine() -> None:
    judge("machine-path", lines_with(MACHINE, list(files())))


def test_no_host_of_a_registry() -> None:
    judge("registry-host", lines_with(REGISTRY, list(files())))


def test_nothing_is_unfinished() -> None:
    judge("unfinished", lines_with(UNFINISHED, under("engine", "pbem", "schemas", suffix="")))


def test_addresses_are_examples() -> None:
    real = (
        (name, f"{match[0]} is somebody's address")
        for name in files()
        for match in ADDRESS.finditer(text(name))
        if not EXAMPLE.search(match[1])
    )
    judge("real-address", real)


def swallowed(name: str) -> Iterator[tuple[str, str]]:
    """Handlers that say nothing: a bare `except:`, or one whose whole body is `pass` or `...`."""
    for node in ast.walk(tree(name)):
        if not isinstance(node, ast.ExceptHandler):
            continue
        silent = all(
            isinstance(step, ast.Pass)
            or (isinstance(step, ast.Expr) and isinstance(step.value, ast.Constant))
            for step in node.body
        )
        if silent or node.type is None:
            yield name, f"line {node.lineno} swallows an error"


def test_no_error_is_swallowed() -> None:
    judge("swallowed", (finding for name in under("engine", "pbem", "bench") for finding in swallowed(name)))


def test_skips_have_one_place() -> None:
    """What a machine lacks is said by `needs` in conftest.py; nothing else is skipped or expected to fail."""
    skips = (
        (name, f"line {call.lineno}: {kind}")
        for name in under("tests")
        if name != "tests/conftest.py"
        for kind, call in calls(name)
        if kind in {"skip", "skipif", "xfail", "importorskip"}
    )
    judge("skip", skips)


def test_every_json_file_is_json() -> None:
    for name in under("schemas", "engine", "pbem", suffix=".json"):
        json.loads(text(name))


def test_decisions_are_numbered_and_say_the_same_things() -> None:
    names = [name for name in files() if name.startswith("docs/adr/") and name != "docs/adr/README.md"]
    numbers = [int(match[1]) for name in names if (match := ADR.fullmatch(name))]
    assert len(numbers) == len(names), "docs/adr/NNNN-title.md"
    assert numbers[:1] == [1]
    assert all(after == before + 1 for before, after in pairwise(numbers)), numbers
    for name in names:
        headings = [line for line in text(name).splitlines() if line.startswith("## ")]
        assert headings == ["## Context", "## Decision", "## Consequences"], name
        assert len(text(name).splitlines()) <= 60, f"{name}: one page"


def test_ci_runs_what_the_readme_says() -> None:
    script = text(".ci/run")
    assert (ROOT / ".ci/run").stat().st_mode & 0o100
    assert "set -euo pipefail" in script
    assert re.findall(r"^make \w+$", script, re.MULTILINE) == ["make test", "make check"]
