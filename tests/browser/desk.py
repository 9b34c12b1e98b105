"""The desk page in Chromium, as a player has it: opened from a file or an address, and used by what he sees."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, cast

import msgspec
from playwright.sync_api import expect

from engine import AnyGame
from pbem.player.grammar import grammar_of
from pbem.player.order_lines import order_line
from tests.browser.watched import Watched

Json = dict[str, Any]

KEPT = """() => new Promise((resolve) => {
  const asked = indexedDB.open("pbem-desk");
  asked.onsuccess = () => {
    const all = asked.result.transaction("kept").objectStore("kept");
    const [names, values] = [all.getAllKeys(), all.getAll()];
    all.transaction.oncomplete = () => {
      asked.result.close();
      resolve(names.result.map((name, i) => [name, values.result[i]]));
    };
  };
})"""


class DeskPage(Watched):
    """A page and what a player does in it. `requests` are all that it asked for, `problems` all that went wrong."""

    def open(self, url: str) -> DeskPage:
        self.page.goto(url)
        self.page.wait_for_selector("#files", state="attached")
        return self

    def give(self, *files: tuple[str, bytes]) -> list[str]:
        """Gives files to the page; the codes of what it found."""
        self.page.evaluate("document.getElementById('live').textContent = ''")
        payloads = [{"name": name, "mimeType": "", "buffer": data} for name, data in files]
        self.page.set_input_files("#files", payloads)  # type: ignore[arg-type]
        expect(self.page.locator("#live")).not_to_be_empty()
        found = self.page.locator("#findings li")
        return [found.nth(i).get_attribute("data-code") or "" for i in range(found.count())]

    def signed(self) -> bytes:
        """What was signed, as the page shows it."""
        expect(self.page.locator("#sent-head")).to_be_focused()
        return self.page.input_value("#signed").encode("ascii")

    def refused(self) -> str:
        """The code of what the page does not sign."""
        alert = self.page.locator("[role=alert]")
        alert.wait_for()
        return str(alert.get_attribute("data-code"))

    def saved(self, button: str) -> tuple[str, bytes]:
        """A file that the page hands over: its name, and what is in it."""
        with self.page.expect_download() as download:
            self.page.click(button)
        return download.value.suggested_filename, download.value.path().read_bytes()

    def orders(self, game: AnyGame, orders: Sequence[Json]) -> None:
        """A turn typed: as lines of text where the page has the game's grammar, else as JSON."""
        if self.page.locator("#orders").count():
            self.page.fill("#orders", json.dumps(orders))
            return
        grammar = grammar_of(game)
        lines = [order_line(order, grammar) for order in orders]
        if not self.page.locator("#typed").is_visible():
            self.page.click("details.typed > summary")
        self.page.fill("#typed", "\n".join(lines))
        self.page.click("#take-lines")
        expect(self.page.locator("details.typed .outcome p")).to_have_count(1)
        assert self.page.locator(".faults li").count() == 0, self.text(".faults")

    def kept(self) -> dict[str, Any]:
        """What lies in the browser's own store, by name."""
        found: list[list[Any]] = self.page.evaluate(KEPT)
        return {str(name): value for name, value in found}

    def wait_for_kept(self, name: str, value: object = None) -> None:
        """Until this lies in the store; any value, if none is said."""
        while name not in (kept := self.kept()) or (value is not None and kept[name] != value):
            self.page.wait_for_timeout(20)

    def text(self, where: str) -> str:
        return re.sub(r"\s+", " ", self.page.inner_text(where))


def payload_of(text: bytes) -> Json:
    return cast(Json, msgspec.json.decode(text)["payload"])
