"""Partial comparison of JSON values: the first difference, with its path.

The law. An object expects the members it names; a list expects a list of equal length, each item in part.
`{"contains": […]}` expects each of its items somewhere in a list, `{"length": n}` a number of items,
`{"exactly": …}` a value with nothing besides, `{"absent": true}` no value at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeGuard

import msgspec

from engine import Say, encode, say

LONGEST = 400


class _Missing:
    """No value here: what is absent is left out, as there is no null."""


MISSING = _Missing()


class Difference(msgspec.Struct, frozen=True):
    """Where a scenario and what happened part: a path such as `steps[1].expect.position.hands.red`."""

    path: str
    expected: str | Say
    found: str | Say

    @property
    def say(self) -> Say:
        """The difference as a sentence of three lines."""
        return say(
            "{path}:\n  expected {expected}\n  found    {found}",
            path=self.path,
            expected=self.expected,
            found=self.found,
        )


def is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    """Whether a JSON value is an object."""
    return isinstance(value, dict)


def is_list(value: Any) -> TypeGuard[list[Any]]:
    """Whether a JSON value is a list."""
    return isinstance(value, list)


def is_listed(value: Any) -> TypeGuard[Sequence[Any]]:
    """Whether typed data is written as a list."""
    return isinstance(value, (list, tuple))


def full(value: Any) -> Any:
    """Typed data as plain JSON values, defaults written out and what is None left out."""
    if isinstance(value, msgspec.Struct):
        kind = type(value)
        config = kind.__struct_config__
        names = zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True)
        pairs = {written: full(getattr(value, name)) for name, written in names}
        tag = {str(config.tag_field): config.tag} if config.tag is not None else {}
        return {
            **tag,
            **{name: item for name, item in pairs.items() if item is not None and item is not msgspec.UNSET},
        }
    if is_object(value):
        return {str(key): full(item) for key, item in value.items()}
    if is_listed(value):
        return [full(item) for item in value]
    return value if value is msgspec.UNSET else msgspec.to_builtins(value)


def differ(path: str, expected: Any, found: Any) -> Difference | None:
    """The first difference, depth first in the order in which the expectation is written."""
    if is_object(expected):
        return _differ_object(path, expected, found)
    if is_list(expected) and is_list(found):
        if len(expected) != len(found):
            return Difference(path, _short(expected), _short(found))
        pairs = zip(expected, found, strict=True)
        return _first(differ(f"{path}[{i}]", one, other) for i, (one, other) in enumerate(pairs))
    if type(expected) is type(found) and expected == found:
        return None
    return Difference(path, _short(expected), _short(found))


def _differ_object(path: str, expected: dict[str, Any], found: Any) -> Difference | None:
    if expected == {"absent": True}:
        return None if found is MISSING else Difference(path, "no value", _short(found))
    if list(expected) == ["exactly"]:
        return _differ_exactly(path, expected["exactly"], found)
    if is_list(found):
        return _differ_list(path, expected, found)
    if not is_object(found):
        return Difference(path, _short(expected), _short(found))
    return _first(differ(f"{path}.{key}", item, found.get(key, MISSING)) for key, item in expected.items())


def _differ_list(path: str, expected: dict[str, Any], found: list[Any]) -> Difference | None:
    known = {"contains", "length", "lacks"}
    if not expected or set(expected) - known:
        return Difference(path, _short(expected), _short(found))
    for wanted in expected.get("contains", ()):
        if not any(differ("", wanted, item) is None for item in found):
            return Difference(f"{path}.contains", _short(wanted), _short(found))
    for unwanted in expected.get("lacks", ()):
        if any(differ("", unwanted, item) is None for item in found):
            return Difference(f"{path}.lacks", f"no {_short(unwanted)}", _short(found))
    if "length" in expected and expected["length"] != len(found):
        return Difference(f"{path}.length", _short(expected["length"]), f"{len(found)}: {_short(found)}")
    return None


def _differ_exactly(path: str, expected: Any, found: Any) -> Difference | None:
    if found is not MISSING and encode(expected) == encode(found):
        return None
    return differ(path, expected, found) or Difference(path, f"exactly {_short(expected)}", _short(found))


def differ_in_order(path: str, expected: Sequence[Any], found: Sequence[Any]) -> Difference | None:
    """Each expected item, in part, after the one before; others may stand between."""
    start = 0
    for index, wanted in enumerate(expected):
        at = next((i for i in range(start, len(found)) if differ("", wanted, found[i]) is None), None)
        if at is None:
            return Difference(f"{path}[{index}]", _short(wanted), _short(list(found[start:])))
        start = at + 1
    return None


def _first(differences: Any) -> Difference | None:
    return next((one for one in differences if one is not None), None)


def _short(value: Any) -> str:
    if value is MISSING:
        return "no value"
    text = encode(value).decode()
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
