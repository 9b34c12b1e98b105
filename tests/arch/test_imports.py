"""Imports run one way (docs/adr/0001), and what is heavy or forbidden is not imported at all."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.arch.source import ROOT, imported, judge, under

FORBIDDEN = ("smtplib", "aiosmtpd.handlers", "aiosmtpd.main")
HEAVY = ("sqlalchemy", "alembic", "aiosmtpd", "aiosmtplib", "rich", "jsonschema", "asyncio")
# Where a distribution has another name than its module.
DISTRIBUTION = {"jsonschema_rs": "jsonschema-rs"}


def loaded_after(statements: str) -> set[str]:
    """The modules of a fresh interpreter, started outside the checkout, after these statements."""
    code = f"{statements}\nimport sys\nprint('\\n'.join(sys.modules))"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def every_module_of(package: str) -> str:
    """Statements that import a package and all that is in it, programs (`__main__`) excepted."""
    return (
        f"import {package}, pkgutil, importlib\n"
        f"for m in pkgutil.walk_packages({package}.__path__, {package!r} + '.'):\n"
        f"    m.name.endswith('__main__') or importlib.import_module(m.name)"
    )


def test_import_contracts() -> None:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_nothing_of_ours_names_smtplib() -> None:
    mentions = (
        (name, f"line {line} imports {module}")
        for name in under("pbem", "engine", "bench", "tests", "fixtures")
        for module, line in imported(name)
        if module in FORBIDDEN or module.startswith(tuple(f"{banned}." for banned in FORBIDDEN))
    )
    judge("forbidden-import", mentions)


@pytest.mark.parametrize("package", ["engine", "pbem"])
def test_nothing_we_import_imports_smtplib(package: str) -> None:
    loaded = loaded_after(every_module_of(package))
    assert not loaded.intersection(FORBIDDEN)


def test_the_command_starts_without_what_is_heavy() -> None:
    assert not loaded_after("import pbem.cli").intersection(HEAVY)


def test_the_version_is_said_without_the_command_line() -> None:
    """Loading it takes longer than Python's own start; the answer is the same as the command line's."""
    begun = "import sys; sys.argv = ['pbem', '--version']; from pbem.begin import main; main()"
    assert not loaded_after(begun).intersection({"click", "msgspec", "engine", "pbem.cli"})
    programs = (
        ["-m", "pbem"],
        ["-c", "import sys; sys.argv[0] = 'pbem'; from pbem.cli import main; main()"],
    )
    said = {
        subprocess.run(
            [sys.executable, *program, "--version"], capture_output=True, cwd=ROOT, check=True
        ).stdout
        for program in programs
    }
    assert len(said) == 1


@pytest.mark.parametrize("package", ["pbem.audit", "pbem.scenario", "pbem.log", "engine"])
def test_checking_needs_nothing_heavy(package: str) -> None:
    assert not loaded_after(every_module_of(package)).intersection(HEAVY)


def test_an_audit_loads_no_service() -> None:
    loaded = loaded_after(every_module_of("pbem.audit"))
    assert not {name for name in loaded if name.startswith(("pbem.service", "pbem.player", "pbem.cli"))}


def test_every_import_is_a_declared_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    listed = project["dependencies"] + [line for name in extras if name != "dev" for line in extras[name]]
    declared = {match[0].lower() for line in listed if (match := re.match(r"[A-Za-z0-9_.-]+", line))}
    known = {"pbem", "engine", *sys.stdlib_module_names}
    undeclared = (
        (name, f"line {line} imports {module}")
        for name in under("pbem", "engine")
        for module, line in imported(name)
        if (top := module.partition(".")[0]) not in known
        and DISTRIBUTION.get(top, top).lower() not in declared
    )
    judge("undeclared-import", undeclared)
