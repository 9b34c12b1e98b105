"""A Chromium for the tests of pages: the system's own, driven by playwright, with no network but what a test gives."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from pbem.turn.desk_file import desk_file
from tests.browser.desk import DeskPage
from tests.browser.watched import Watched

ARGUMENTS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
)
expect.set_options(timeout=30_000)
LOOPS: list[asyncio.AbstractEventLoop | None] = []
NAMES = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    program = next(found for name in NAMES if (found := shutil.which(name)))
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=program, args=list(ARGUMENTS))
        loop = asyncio._get_running_loop()
        LOOPS.append(loop)
        yield started
        asyncio._set_running_loop(loop)
        started.close()


@pytest.fixture(autouse=True)
def aside(request: pytest.FixtureRequest) -> Iterator[None]:
    """Playwright's loop goes on between its calls, and no other may run in its thread: it is set aside after each test."""
    if "browser" in request.fixturenames:
        request.getfixturevalue("browser")
        asyncio._set_running_loop(LOOPS[-1])
    yield
    asyncio._set_running_loop(None)


class Opened(Watched):
    """A page that was opened from a file, what it asked for, and what went wrong in it."""

    def judged(self) -> str:
        """The verdict, once it is there."""
        self.page.wait_for_selector('#verdict:not([data-verdict="none"])', timeout=30_000)
        return str(self.page.get_attribute("#verdict", "data-verdict"))


Open = Callable[..., Opened]


@pytest.fixture
def open_page(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Opens HTML from a file, at `where` in it; other arguments are playwright's for a new page."""
    pages: list[Page] = []

    def opened(data: bytes, where: str = "", init: str = "", **how: object) -> Opened:
        file = tmp_path / f"{len(pages)}.html"
        file.write_bytes(data)
        page = browser.new_page(**{"viewport": {"width": 1280, "height": 900}, **how})  # type: ignore[arg-type]
        pages.append(page)
        if init:
            page.add_init_script(init)
        found = Opened(page)
        page.goto(f"{file.as_uri()}{where}")
        return found

    yield opened
    for page in pages:
        page.close()


Desk = Callable[..., DeskPage]


@pytest.fixture(scope="session")
def desk_html(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("desk") / "desk.html"
    file.write_bytes(desk_file().data)
    return file


@pytest.fixture
def desk(browser: Browser, desk_html: Path) -> Iterator[Desk]:
    """Opens the page from a file, in a window 360 pixels wide."""
    pages: list[Page] = []

    def opened(init: str = "", url: str = "", **how: object) -> DeskPage:
        page = browser.new_page(**{"viewport": {"width": 360, "height": 800}, **how})  # type: ignore[arg-type]
        pages.append(page)
        if init:
            page.add_init_script(init)
        return DeskPage(page).open(url or desk_html.as_uri())

    yield opened
    for page in pages:
        page.close()
