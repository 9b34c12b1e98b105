"""The library's search in Chromium, opened from a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Opened
from tests.pages.archives import library

pytestmark = pytest.mark.needs("browser")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return library(tmp_path_factory) / "site"


def test_games_are_chosen(browser: Browser, site: Path) -> None:
    page = browser.new_page()
    opened = Opened(page)
    page.goto((site / "search.html").as_uri())
    rows = page.locator("#rows tr")
    expect(rows).to_have_count(8)
    for name, value, count in (
        ("text", "cORa", 4),
        ("text", "dénes", 2),
        ("text", "nobody", 0),
        ("seats_from", "3", 4),
        ("seats_to", "2", 4),
        ("turns_from", "1", 7),
        ("turns_to", "0", 1),
        ("date_from", "2026-03-01", 8),
        ("date_to", "2026-02-28", 0),
    ):
        page.fill(f"[name={name}]", value)
        expect(rows).to_have_count(count)
        expect(page.locator("#count")).to_contain_text(str(count))
        page.fill(f"[name={name}]", "")
    for value, count in (("state:finished", 6), ("state:cancelled", 1), ("state:unfinished", 1)):
        page.select_option("[name=result]", value)
        expect(rows).to_have_count(count)
    page.select_option("[name=result]", "")
    page.select_option("[name=ruleset]", index=1)
    expect(rows).to_have_count(8)
    rows.first.locator("a").click()
    page.wait_for_selector('#verdict:not([data-verdict="none"])')
    assert all(url.startswith("file:") for url in opened.requests)
    assert opened.problems == []
    page.close()


@pytest.mark.parametrize("width", [360, 1280])
def test_shelves_fit_the_screen(browser: Browser, site: Path, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800})
    shelves = [path for path in site.rglob("*.html") if path.parent.name != "games"]
    assert len(shelves) > 8
    for path in shelves:
        page.goto(path.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path.name
    page.close()
