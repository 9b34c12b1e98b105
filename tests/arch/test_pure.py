"""Pure code reads no clock, no file and no terminal: the part of the law that imports alone don't show."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.arch.source import PURE, callee, imported, judge, tree, under

CLOCK = {
    ("datetime", "now"),
    ("datetime", "today"),
    ("datetime", "utcnow"),
    ("date", "today"),
    ("time", "time"),
}
MODULES = {
    "pathlib",
    "io",
    "tempfile",
    "shutil",
    "glob",
    "sys",
    "socketserver",
    "threading",
    "http",
    "urllib",
}
BUILTINS = {"open", "print", "input", "eval", "exec", "breakpoint", "id", "hash"}
METHODS = {"read_text", "read_bytes", "write_text", "write_bytes", "iterdir", "mkdir", "unlink", "touch"}
PACKAGED = "importlib.resources"


def clock_reads(name: str) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree(name)):
        match node:
            case ast.Attribute(value=ast.Name(id=owner) | ast.Attribute(attr=owner), attr=read):
                if (owner, read) in CLOCK:
                    yield name, f"line {node.lineno} reads the clock: {owner}.{read}"
            case _:
                pass


def file_reads(name: str) -> Iterator[tuple[str, str]]:
    """Files, terminals and process facts. Data of the package comes by importlib.resources, and only so."""
    modules = list(imported(name))
    packaged = any(module.startswith(PACKAGED) for module, _ in modules)
    for module, line in modules:
        if module.partition(".")[0] in MODULES:
            yield name, f"line {line} imports {module}"
    for node in ast.walk(tree(name)):
        if not isinstance(node, ast.Call):
            continue
        called = callee(node)
        if isinstance(node.func, ast.Name) and called in BUILTINS:
            yield name, f"line {node.lineno} calls {called}()"
        from_package = packaged and called.startswith("read_")
        if isinstance(node.func, ast.Attribute) and called in METHODS and not from_package:
            yield name, f"line {node.lineno} calls .{called}()"


def test_pure_code_reads_no_clock() -> None:
    judge("clock", (finding for name in under(*PURE) for finding in clock_reads(name)))


def test_pure_code_opens_no_file() -> None:
    judge("file-io", (finding for name in under(*PURE) for finding in file_reads(name)))
