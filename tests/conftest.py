"""What every test shares: how the machine is asked what it lacks, and how much hypothesis tries.

A test that needs something a plain machine may not have says `@pytest.mark.needs("postgres")`. Where the
thing is missing the test is skipped, and the end of the run says so in one line for each thing.
"""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The suite gives the same verdict every time it runs on the same code; `make soak` is for looking further.
settings.register_profile("suite", deadline=None, derandomize=True, max_examples=60)
settings.register_profile(
    "soak",
    deadline=None,
    max_examples=2_000,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("suite")


def _on_path(*names: str) -> bool:
    return any(shutil.which(name) for name in names)


def _postgres() -> bool:
    return _on_path("initdb") or any(Path("/usr/lib/postgresql").glob("*/bin/initdb"))


def _namespaces() -> bool:
    command = ["unshare", "--map-root-user", "--net", "true"]
    return _on_path("unshare") and subprocess.run(command, capture_output=True, check=False).returncode == 0


# thing → (is it here?, what it is in words)
LACKS: dict[str, tuple[Callable[[], bool], str]] = {
    "compiler": (lambda: _on_path("cc"), "a C compiler (cc)"),
    "browser": (lambda: _on_path("chromium", "chromium-browser", "google-chrome"), "a browser (chromium)"),
    "cluster": (lambda: find_spec("distributed") is not None, "Dask (pbem[cluster])"),
    "git": (lambda: _on_path("git"), "git"),
    "namespaces": (_namespaces, "network namespaces (unshare)"),
    "openssl": (lambda: _on_path("openssl"), "openssl"),
    "postgres": (_postgres, "PostgreSQL (initdb)"),
    "root": (lambda: os.geteuid() == 0, "root rights"),
    "systemd": (lambda: _on_path("systemd-analyze"), "systemd (systemd-analyze)"),
    "ssh-keygen": (lambda: _on_path("ssh-keygen"), "ssh-keygen"),
}
LINE = "this machine lacks "


@cache
def _has(thing: str) -> bool:
    return LACKS[thing][0]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="run the long tests, and only those")
    parser.addoption(
        "--seed", default="another year", help="of tests that play by chance: faults, half-years"
    )


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> str:
    """What a test that plays by chance draws from: `--seed WORD` tries what no run before it has tried."""
    return str(request.config.getoption("--seed"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Long tests run alone, on request; what the machine lacks is skipped with its name."""
    soak = bool(config.getoption("--soak"))
    chosen = [item for item in items if (item.get_closest_marker("soak") is not None) == soak]
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = chosen
    for item in items:
        for marker in item.iter_markers("needs"):
            for thing in marker.args:
                if not _has(thing):
                    item.add_marker(pytest.mark.skip(reason=LINE + LACKS[thing][1]))


def pytest_collection_finish() -> None:
    """What is there now stays to the end: the collector need not look through it again and again."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line for each thing that the machine lacks and a test would have needed."""
    counts: Counter[str] = Counter()
    for report in terminalreporter.stats.get("skipped", []):
        _, found, thing = str(report.longrepr).removesuffix("')").partition(LINE)
        counts[thing] += bool(found)
    del counts[""]
    for thing, count in sorted(counts.items()):
        terminalreporter.write_line(f"skipped: {LINE}{thing}; tests that need it: {count}")
