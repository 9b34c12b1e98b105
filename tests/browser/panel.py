"""The turn panel in Chromium on a page of its own, put before any position of a game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page

from engine import AnyGame, plain
from pbem.desk.bundle import bundle, name_of
from pbem.desk.page import codes_of
from pbem.turn.refusals import TABLE

ROOT = Path(__file__).parents[2]
PANEL = "pbem/desk/js/turn/panel.mjs"
SHOWN = "pbem/desk/js/shown.mjs"
CODES = "pbem/desk/js/codes.mjs"
DOM = "pbem/desk/js/dom.mjs"
Json = dict[str, Any]


def harness(games: tuple[AnyGame, ...]) -> str:
    """A page with the panel's script and the desk's styles; `begin(scene)` puts a panel into it."""
    pages = {game.id: f"engine/games/{game.id}/page/index.mjs" for game in games}
    modules = bundle(*pages.values(), PANEL, SHOWN, CODES, DOM)
    css = "".join((ROOT / "pbem" / "desk" / "css" / name).read_text() for name in ("desk.css", "turn.css"))
    table = ", ".join(f"{id}: {name_of(path)}" for id, path in pages.items())
    codes = json.dumps(codes_of(modules, TABLE.values())).replace("<", "\\u003c")
    return f"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>panel</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>{css}</style></head>
<body><main id="place"></main><script>
{modules}
{name_of(CODES)}.useCodes({codes});
window.games = {{ {table} }};
window.changes = 0;
window.begin = (scene) => {{
  {name_of(DOM)}.speak(scene.lang);
  window.panel = {name_of(PANEL)}.turnPanel({{ ...scene, game: window.games[scene.game] }});
  window.panel.element.addEventListener("change", () => {{ window.changes += 1; }});
  document.getElementById("place").replaceChildren(window.panel.element);
}};
window.draw = (picture, lang) => document.getElementById("place").replaceChildren({name_of(SHOWN)}.draw(picture, lang));
</script></body></html>"""


class PanelPage:
    """A panel and what a player does in it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.problems: list[str] = []
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("console", lambda message: self.problems.append(message.text))

    def begin(self, game: AnyGame, seat: str, view: Any, **more: Any) -> PanelPage:
        """Puts a seat before its view."""
        scene: Json = {
            "game": game.id,
            "seat": seat,
            "view": plain(view),
            "menu": plain(game.menu(view)),
            "news": [],
            "lang": "en",
            **more,
        }
        self.page.evaluate("scene => window.begin(scene)", scene)
        return self

    @property
    def orders(self) -> list[Json]:
        """The orders so far."""
        found: list[Json] = self.page.evaluate("window.panel.orders()")
        return found

    @property
    def draft(self) -> str:
        return str(self.page.evaluate("window.panel.text()"))

    def choose(self, word: str) -> None:
        """Presses the choice that has this word."""
        self.page.click(f'.asking .choice[data-word="{word}"]')

    def pick(self, of: str) -> Locator:
        """The place on the board that stands for something."""
        return self.page.locator(f'.pick[data-of="{of}"]').first

    def words(self) -> list[str]:
        """The words of what may be chosen now."""
        return [str(one.get_attribute("data-word")) for one in self.page.locator(".asking .choice").all()]
