"""Why an order does not have its shape, in a player's words: what belongs there, and what was found.

It reads the sentences of msgspec's ValidationError, which are few; one that it does not know is quoted.
"""

from __future__ import annotations

import re

from engine.kernel.prose import Arg, Say, plural, say

_AT = re.compile(r"^(?P<what>.*?)(?: - at `\$(?P<at>.*)`)?$", re.DOTALL)
_MISSING = re.compile(r"^Object missing required field `(.*)`$", re.DOTALL)
_UNKNOWN = re.compile(r"^Object contains unknown field `(.*)`$", re.DOTALL)
_VALUE = re.compile(r"^Invalid (?:enum )?value (.*)$", re.DOTALL)
_LENGTH = re.compile(r"^Expected `array` of length (\d+), got (\d+)$")
_BOUND = re.compile(r"^Expected `(array|str|int)` (of length )?([<>]=?) (-?\d+)$")
_TYPE = re.compile(r"^Expected `([^`]*)`, got `([^`]*)`$")
_INDEX = re.compile(r"\[(\d+)\]")

_JSON = {
    "str": say("A text in quotes"),
    "int": say("A whole number"),
    "float": say("A number with a fraction"),
    "bool": say("True or false"),
    "array": say("A list in square brackets"),
    "object": say("An object in braces"),
    "null": say("The word null"),
}
# of a word that chooses a record, msgspec says what Python calls it
_TYPES = {**_JSON, "list": _JSON["array"], "dict": _JSON["object"], "NoneType": _JSON["null"]}


def told(misfit: str, *, first: int = 1, inside: str = "") -> tuple[Say, Say]:
    """What was expected and what was found, from the text of a ValidationError; neither ends in a full stop.

    `first` is the number of a list's first entry in a path, `inside` the path of the whole value.
    """
    parts = _AT.match(misfit)
    assert parts is not None
    what, path = parts["what"], _path(parts["at"] or "", first, inside)
    place: Say = say("under {place}", place=path) if path else say("at the top")
    if found := _MISSING.match(what):
        return say("The field {field} {place}", field=found[1], place=place), say("It is not there")
    if found := _UNKNOWN.match(what):
        fields = say("Only the fields that belong {place}", place=place)
        return fields, say("The field {field} as well", field=found[1])
    if found := _VALUE.match(what):
        return say("One of the words that are known {place}", place=place), say("{word}", word=found[1])
    if found := _LENGTH.match(what):
        wanted = plural(
            "A list of {n} entry {place}", "A list of {n} entries {place}", int(found[1]), place=place
        )
        return wanted, plural("{n} entry", "{n} entries", int(found[2]))
    if found := _BOUND.match(what):
        return say("{limit} {place}", limit=_limit(found), place=place), say("Another")
    if found := _TYPE.match(what):
        return say("{type} {place}", type=_types(found[1]), place=place), _types(found[2])
    return say("A value of the right shape {place}", place=place), say("{problem}", problem=what)


def _limit(found: re.Match[str]) -> Say:
    """A bound of a number, or of the length of a list or text."""
    number = int(found[4]) + {">": 1, "<": -1}.get(found[3], 0)
    least = found[3].startswith(">")
    if not found[2]:
        return say("A number from {n} up", n=number) if least else say("A number up to {n}", n=number)
    match found[1], least:
        case "array", True:
            return plural("A list of {n} entry or more", "A list of {n} entries or more", number)
        case "array", False:
            return plural("A list of at most {n} entry", "A list of at most {n} entries", number)
        case _, True:
            return plural("A text of {n} character or more", "A text of {n} characters or more", number)
        case _:
            return plural("A text of at most {n} character", "A text of at most {n} characters", number)


def _path(at: str, first: int, inside: str) -> str:
    """`.power.swap[0]` as `power.swap[1]`, if entries are counted from 1."""
    return (inside + _INDEX.sub(lambda index: f"[{int(index[1]) + first}]", at)).removeprefix(".")


def _types(names: str) -> Say:
    known: list[Say] = [_TYPES.get(name, say("{name}", name=name)) for name in names.split(" | ")]
    joined = known[0]
    for other in known[1:]:
        joined = say("{first} or {second}", first=joined, second=other)
    return joined


def misfit_args(misfit: Exception) -> dict[str, Arg]:
    """The arguments of a refusal `order/shape`, which counts entries from 1."""
    expected, found = told(str(misfit))
    return {"expected": expected, "found": found}


def misfit_problem(misfit: Exception, inside: str = "") -> Say:
    """Both in one sentence, without a full stop; entries are counted from 0, as in a file's paths."""
    expected, found = told(str(misfit), first=0, inside=inside)
    return say("Wanted: {expected}. There is: {found}", expected=expected, found=found)
