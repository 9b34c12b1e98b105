"""Forms and option sets of a menu under construction: equal ones are kept once, under one name."""

from __future__ import annotations

import msgspec

from engine.kernel.menu import Asked, Field, Form, Kind, Menu, Option, OptionSet
from engine.kernel.prose import Say


def choice(name: str, ask: Say, values: tuple[str, ...], kind: Kind = "choice") -> Field:
    """A field with plain values."""
    return Field(name, kind, ask, options=tuple(Option(value) for value in values))


class Pool:
    """Owns the named parts of one menu; a second part of the same name and other content gets a number."""

    def __init__(self) -> None:
        self._forms: dict[bytes, Form] = {}
        self._sets: dict[bytes, OptionSet] = {}
        self._taken: dict[str, int] = {}

    def form(self, name: str, fields: tuple[Field, ...]) -> str:
        """The name of a form with these fields; empty for none."""
        if not fields:
            return ""
        key = msgspec.msgpack.encode(fields)
        if key not in self._forms:
            self._forms[key] = Form(self._fresh(name), fields)
        return self._forms[key].name

    def set(self, name: str, options: tuple[Option, ...]) -> str:
        """The name of an option set with these options."""
        key = msgspec.msgpack.encode(options)
        if key not in self._sets:
            self._sets[key] = OptionSet(self._fresh(name), options)
        return self._sets[key].name

    def names(self, name: str, values: tuple[str, ...]) -> str:
        """The name of an option set with plain values."""
        return self.set(name, tuple(Option(value) for value in values))

    def menu(self, asked: tuple[Asked, ...]) -> Menu:
        """The finished menu."""
        return Menu(asked, tuple(self._forms.values()), tuple(self._sets.values()))

    def _fresh(self, name: str) -> str:
        count = self._taken[name] = self._taken.get(name, 0) + 1
        return name if count == 1 else f"{name}/{count}"
