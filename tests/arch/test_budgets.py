"""Small: files, functions, parameters, the kernel, a game (design.md section 2)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.arch.source import Function, checks_with_exceptions, files, functions, judge, text, tree, under

FILE_LINES = 400
FUNCTION_LINES = 60
PARAMETERS = 5
KERNEL_LINES = 900
GAME_LINES = 1_600


def python() -> list[str]:
    return [name for name in files() if name.endswith(".py")]


def code_lines(name: str) -> int:
    """Lines with code on them: no blank lines, comments or docstrings."""
    used: set[int] = set()
    for node in ast.walk(tree(name)):
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, ast.stmt) and not is_text:
            used.update(range(node.lineno, _head_end(node) + 1))
    return sum(1 for line in used if text(name).splitlines()[line - 1].strip())


def _head_end(node: ast.stmt) -> int:
    """The last line of a statement, of a compound one the last line before its body."""
    body: list[ast.stmt] = getattr(node, "body", [])
    return node.end_lineno or node.lineno if not body else max(node.lineno, body[0].lineno - 1)


def parameters(function: Function) -> int:
    named = function.args.posonlyargs + function.args.args
    if named and named[0].arg in {"self", "cls"}:
        named = named[1:]
    return len(named) + len(function.args.kwonlyargs)


def test_no_file_is_long() -> None:
    lengths = ((name, len(text(name).splitlines())) for name in python())
    judge("file-length", ((name, f"{n} lines > {FILE_LINES}") for name, n in lengths if n > FILE_LINES))


def long_functions() -> Iterator[tuple[str, str]]:
    for name in python():
        for dotted, function in functions(name):
            lines = (function.end_lineno or function.lineno) - function.lineno + 1
            if lines > FUNCTION_LINES:
                yield f"{name}:{dotted}", f"{lines} lines > {FUNCTION_LINES}"


def test_no_function_is_long() -> None:
    judge("function-length", long_functions())


def is_command(function: Function) -> bool:
    """A click command takes an argument for each of its options."""
    return any(
        isinstance(one, ast.Call) and ast.unparse(one.func).endswith(".command")
        for one in function.decorator_list
    )


def test_no_function_takes_many_parameters() -> None:
    wide = (
        (f"{name}:{dotted}", f"{parameters(function)} parameters > {PARAMETERS}")
        for name in python()
        for dotted, function in functions(name)
        if parameters(function) > PARAMETERS and not is_command(function)
    )
    judge("parameters", wide)


def test_the_kernel_stays_a_kernel() -> None:
    lines = sum(code_lines(name) for name in under("engine/kernel"))
    judge(
        "kernel-size", [("engine/kernel", f"{lines} lines of code > {KERNEL_LINES}")] * (lines > KERNEL_LINES)
    )


def test_a_game_fits_in_a_head() -> None:
    sizes: dict[str, int] = {}
    for name in under("engine/games"):
        parts = name.split("/")
        if len(parts) > 3 and parts[3] != "data":
            sizes[parts[2]] = sizes.get(parts[2], 0) + code_lines(name)
    over = ((f"engine/games/{game}", f"{n} lines of code > {GAME_LINES}") for game, n in sizes.items())
    judge("game-size", (finding for finding, n in zip(over, sizes.values(), strict=True) if n > GAME_LINES))


def test_every_exception_has_a_reason() -> None:
    for check, entries in checks_with_exceptions().items():
        for where, reason in entries.items():
            assert len(reason) > 20, f"[{check}] {where}: say why"


def test_code_lines_leave_out_what_is_not_code() -> None:
    counted = code_lines("tests/arch/source.py")
    assert 0 < counted < len(text("tests/arch/source.py").splitlines()) - 20
