"""A Chromium for the tests of pages: the system's own, driven by playwright, with no network but what a test gives."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

ARGUMENTS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
)
NAMES = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    program = next(found for name in NAMES if (found := shutil.which(name)))
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=program, args=list(ARGUMENTS))
        yield started
        started.close()


class Opened:
    """A page that was opened from a file, what it asked for, and what went wrong in it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.requests: list[str] = []
        self.problems: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("console", lambda message: self.problems.append(message.text))

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
