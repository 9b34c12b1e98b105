"""The project's own source as data: files, syntax trees, and the exceptions that are allowed."""

from __future__ import annotations

import ast
import subprocess
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXCEPTIONS = Path(__file__).with_name("exceptions.toml")
# Pure packages: the same bytes in give the same bytes out.
PURE = ("engine", "pbem/turn", "pbem/log", "pbem/audit", "pbem/scenario", "pbem/render")

Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def files() -> tuple[str, ...]:
    """Paths of every file that is tracked, or would be if it were added; sorted, relative to the root."""
    command = [
        "git",
        "-c",
        "safe.directory=*",
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode()
    return tuple(sorted({name for name in listed.split("\0") if name and (ROOT / name).is_file()}))


def under(*folders: str, suffix: str = ".py") -> list[str]:
    """The files in these folders."""
    heads = tuple(folder + "/" for folder in folders)
    return [name for name in files() if name.startswith(heads) and name.endswith(suffix)]


@cache
def text(name: str) -> str:
    """A file as text; bytes that are not UTF-8 are replaced, for such files are only searched."""
    return (ROOT / name).read_text(encoding="utf-8", errors="replace")


@cache
def tree(name: str) -> ast.Module:
    """A Python file's syntax tree."""
    return ast.parse(text(name), name)


@cache
def functions(name: str) -> tuple[tuple[str, Function], ...]:
    """Every function of a file with its dotted name, methods and inner functions included."""
    return tuple(_functions(tree(name), ""))


def _functions(node: ast.AST, prefix: str) -> Iterator[tuple[str, Function]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function | ast.ClassDef):
            dotted = f"{prefix}{child.name}"
            if not isinstance(child, ast.ClassDef):
                yield dotted, child
            yield from _functions(child, dotted + ".")
        else:
            yield from _functions(child, prefix)


@cache
def calls(name: str) -> tuple[tuple[str, ast.Call], ...]:
    """Every call of a file with the last part of the callee's name: `echo` for `click.echo(…)`."""
    return tuple((callee(node), node) for node in ast.walk(tree(name)) if isinstance(node, ast.Call))


def callee(call: ast.Call) -> str:
    """The last part of the name of what is called."""
    match call.func:
        case ast.Name(id=last) | ast.Attribute(attr=last):
            return last
        case _:
            return ""


def imported(name: str) -> Iterator[tuple[str, int]]:
    """Every module a file imports, in full, with the line: `from a import b` gives `a` and `a.b`."""
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module, node.lineno
            yield from ((f"{node.module}.{alias.name}", node.lineno) for alias in node.names)


def docstrings(name: str) -> set[int]:
    """The ids of the syntax nodes of a file that are docstrings."""
    owners = [n for n in ast.walk(tree(name)) if isinstance(n, Function | ast.ClassDef | ast.Module)]
    return {
        id(owner.body[0].value)
        for owner in owners
        if owner.body
        and isinstance(owner.body[0], ast.Expr)
        and isinstance(owner.body[0].value, ast.Constant)
    }


@cache
def _exceptions() -> dict[str, dict[str, str]]:
    table: dict[str, dict[str, str]] = tomllib.loads(EXCEPTIONS.read_text(encoding="utf-8"))
    return table


def judge(check: str, found: Iterable[tuple[str, str]]) -> None:
    """Fail with every finding that has no exception, and with every exception that is not needed any more.

    A finding is where (`path` or `path:function`; no line number, which would move) and what is wrong.
    """
    allowed = _exceptions().get(check, {})
    findings = sorted(set(found))
    places = {where for where, _ in findings}
    faults = [f"{where}: {what}" for where, what in findings if where not in allowed]
    stale = [f"{EXCEPTIONS.name} [{check}] {where}: not needed" for where in allowed if where not in places]
    assert not faults + stale, "\n" + "\n".join(faults + stale)


def checks_with_exceptions() -> dict[str, dict[str, str]]:
    """The whole table, for the test that every exception has a reason."""
    return _exceptions()
