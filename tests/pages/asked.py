"""Questions to a game's page and to its rules, and the first difference between their answers."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

from engine import AnyGame, Foresight, Menu, decode, encode, foresee, pages, plain
from tests.contract.shapes import as_list, as_object
from tests.pages.node import node

ROOT = Path(__file__).parents[2]
Json = dict[str, Any]
Orders = list[Any]


def page_of(game: AnyGame) -> Path | None:
    """The entry module of a game's page, where it has one."""
    path = next(ROOT / one for one in pages() if f"/{game.id}/" in one)
    return path if path.is_file() else None


class Sheet:
    """What is asked of one game, and what its rules say; each view is written once."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.asked: dict[bytes, list[Json | None]] = {}
        self.told: dict[bytes, list[Any]] = {}
        self.steps: Counter[str] = Counter()
        """How often each certainty came, and each code of a refusal."""
        self.verbs: Counter[str] = Counter()
        """How often an order of each kind was sure."""
        self.events: Counter[str] = Counter()
        """How often each event was foreseen."""

    def view(self, view: Any) -> Any:
        """A view as it comes out of a letter."""
        return decode(self.game.view_type, encode(view))

    def menu(self, view: Any) -> Menu:
        """Asks for the menu of a view."""
        menu = self.game.menu(view)
        self._add(view, None, menu)
        return menu

    def foresee(self, view: Any, seat: str, orders: Orders) -> Foresight:
        """Asks what orders lead to, as they are written in a letter, and for the menu that comes next."""
        orders = plain(orders)
        seen = foresee(self.game, view, seat, orders)
        menu = None if seen.view is None else self.game.menu(seen.view)
        self._add(view, {"seat": seat, "orders": orders}, {**plain(seen), "menu": plain(menu)})
        for step, order in zip(seen.steps, orders, strict=True):
            self.steps[step.refusal.code if step.refusal else step.certainty] += 1
            if step.certainty == "sure":
                self.verbs[order["do"]] += 1
        self.events.update(plain(event)["event"] for event in seen.events)
        return seen

    def judged(self, state: Any, seat: str, action: Any) -> None:
        """Asks of one typed action in a position."""
        self.foresee(self.view(self.game.view(state, seat)), seat, [plain(action)])

    def _add(self, view: Any, asked: Json | None, told: Any) -> None:
        name = encode(view)
        self.asked.setdefault(name, []).append(asked)
        self.told.setdefault(name, []).append(plain(told))

    def differ(self, page: Path | None = None) -> str:
        """The first answer of the page, or of that module, that is another than the rules'; empty if there is none."""
        page = page_of(self.game)
        rows = [encode({"page": str(page or page_of(self.game))})]
        rows += [encode({"view": msgspec.Raw(name), "asked": asked}) for name, asked in self.asked.items()]
        head, *answers = node("ahead.mjs", rows)
        assert head == {"id": self.game.id, "version": self.game.version}
        for (name, asked), told in zip(self.asked.items(), answers, strict=True):
            for question, said, rules in zip(asked, told, self.told[name], strict=True):
                if said != rules:
                    return f"{encode(question)!r}: {difference(rules, said)} of {name!r}"
        return ""


def difference(rules: Any, page: Any, path: str = "") -> str:
    """Where two JSON values part."""
    parts, others = as_object(rules), as_object(page)
    if parts is not None and others is not None:
        for key in {**parts, **others}:
            if (key in parts) != (key in others) or parts[key] != others[key]:
                return difference(parts.get(key), others.get(key), f"{path}.{key}")
    items, some = as_list(rules), as_list(page)
    if items is not None and some is not None and len(items) == len(some):
        for place, (one, other) in enumerate(zip(items, some, strict=True)):
            if one != other:
                return difference(one, other, f"{path}[{place}]")
    return f"at {path} the rules say {rules!r}, the page {page!r}"
