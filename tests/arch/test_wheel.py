"""What is shipped: the wheel works away from the checkout, and carries what it must and no tests."""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.arch.source import ROOT, files

pytestmark = pytest.mark.xdist_group("wheel")


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the source archive, built from a copy of what is under version control."""
    copy = tmp_path_factory.mktemp("copy")
    for name in files():
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_bytes((ROOT / name).read_bytes())
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(out)]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return out


@pytest.fixture(scope="module")
def installed(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel unpacked into an empty folder, as an installer lays it."""
    site = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(next(dist.glob("*.whl"))) as wheel:
        wheel.extractall(site)
    return site


def run(installed: Path, code: str, *args: str) -> str:
    """The output of a program that sees the installed wheel and the dependencies, not the checkout."""
    # -S leaves out the .pth file by which the checkout is installed; the dependencies come by PYTHONPATH.
    path = f"{installed}:{sysconfig.get_paths()['purelib']}"
    done = subprocess.run(
        [sys.executable, "-S", "-P", "-c", code, *args],
        cwd=installed.parent,
        env={"PYTHONPATH": path, "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_has_both_packages_and_nothing_else(installed: Path) -> None:
    tops = {path.name for path in installed.iterdir() if not path.name.endswith(".dist-info")}
    assert tops == {"pbem", "engine"}
    inside = {str(path.relative_to(installed)) for path in installed.rglob("*") if path.is_file()}
    assert not {
        name for name in inside if "test" in Path(name).name or "fixture" in name or "conftest" in name
    }


def test_the_wheel_has_every_file_of_both_packages(installed: Path) -> None:
    for name in files():
        if name.startswith(("pbem/", "engine/")):
            assert (installed / name).read_bytes() == (ROOT / name).read_bytes(), name


def test_the_schemas_are_in_the_wheel(installed: Path) -> None:
    ours = {name.removeprefix("schemas/") for name in files() if name.startswith("schemas/")}
    code = (
        "import json\n"
        "from importlib.resources import files\n"
        "def walk(node, prefix=''):\n"
        "    for child in node.iterdir():\n"
        "        if child.is_dir(): yield from walk(child, prefix + child.name + '/')\n"
        "        else: yield prefix + child.name, child.read_text('utf-8')\n"
        "shipped = walk(files('pbem') / '_schemas')\n"
        "print(json.dumps({name: isinstance(json.loads(text), dict) for name, text in shipped}))"
    )
    shipped: dict[str, bool] = json.loads(run(installed, code))
    assert {name for name in ours if name.endswith(".json")} == set(shipped)
    assert shipped
    assert all(shipped.values())


def test_the_code_runs_from_the_wheel(installed: Path) -> None:
    where = run(installed, "import pbem, engine; print(pbem.__file__); print(engine.__file__)").split()
    assert all(Path(path).is_relative_to(installed) for path in where), where


def test_the_command_runs_from_the_wheel(installed: Path) -> None:
    script = "import sys; sys.argv[0] = 'pbem'; from pbem.cli import main; sys.exit(main())"
    version = run(installed, "from importlib.metadata import version; print(version('pbem'))").strip()
    assert version in run(installed, script, "--version")
    assert "audit" in run(installed, script, "--help")


def test_an_archive_is_audited_from_the_wheel(installed: Path) -> None:
    archives = [name for name in files() if name.startswith("fixtures/games/") and name.endswith(".pbem")]
    assert archives, "no archive among the fixtures"
    script = "import sys; sys.argv[0] = 'pbem'; from pbem.cli import main; sys.exit(main())"
    assert run(installed, script, "audit", str(ROOT / archives[0])).strip()


def test_the_source_archive_has_no_tests(dist: Path) -> None:
    with tarfile.open(next(dist.glob("*.tar.gz"))) as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
    assert "pyproject.toml" in names
    assert not [name for name in names if name.startswith(("tests", "fixtures", "bench", ".ci"))]
