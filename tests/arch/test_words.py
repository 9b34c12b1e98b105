"""Every sentence that a person reads is a message id with named arguments; no English is glued together."""

from __future__ import annotations

import ast
import json
import re
import string
from collections.abc import Iterable, Iterator
from typing import Any

from tests.arch.source import callee, calls, docstrings, files, judge, text, tree, under

OURS = ("engine", "pbem")
# Which arguments of a call are message ids.
IDS = {"say": (0,), "Say": (0, 2), "plural": (0, 1), "Code": (0, 1, 2, 3), "Counted": (1, 2)}
# What writes to a terminal, or ends as words on one.
SPEAKS = {"echo", "secho", "print", "confirm", "prompt", "ClickException", "UsageError", "BadParameter"}

GAMES = {name.split("/")[2] for name in files() if name.startswith("engine/games/") and name.count("/") > 2}
CREATURES = (
    "amazon colossus cyclops daimon ettin gorgon magus seraphim titan troll unicorn wyrm "
    "spectator referee prefect magister"
)


def data_names() -> set[str]:
    """Names that the games' own data give to zones and cards: single words, too long to be common."""
    found: set[str] = set()
    for name in under("engine/games", suffix=".json"):
        data: dict[str, Any] = json.loads(text(name))
        for kind in ("zones", "cards"):
            entries: list[dict[str, Any]] = data.get(kind, [])
            found.update(str(entry.get(key, "")).casefold() for entry in entries for key in ("id", "name"))
    return {name for name in found if name.isalpha() and len(name) > 4}


def literal(node: ast.expr) -> str | None:
    """The text of a string literal, else None."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def is_glued(node: ast.expr) -> bool:
    """Text put together in code: an f-string, `+`, `%`, `.format` or `.join`."""
    if isinstance(node, ast.Call):
        return callee(node) in {"format", "join", "format_map"}
    return isinstance(node, ast.JoinedStr | ast.BinOp)


def places(message: str) -> set[str]:
    """The named places of a message id. ValueError where it can't be read."""
    names = {name for _, name, _, _ in string.Formatter().parse(message) if name is not None}
    if wrong := [name for name in names if not name.isidentifier()]:
        raise ValueError(f"a place must be a plain name: {wrong}")
    return names


def given(call: ast.Call) -> set[str] | None:
    """The argument names of a call, or None where `**` hides them."""
    names = [keyword.arg for keyword in call.keywords]
    return None if None in names else {name for name in names if name is not None}


def arguments(call: ast.Call, kind: str) -> set[str] | None:
    """The sentence's argument names as the call gives them; None where they can't be seen."""
    if kind in {"say", "plural"}:
        return given(call)
    if len(call.args) < 2:
        return set() if not call.keywords else None
    if not isinstance(call.args[1], ast.Dict):
        return None
    keys = [literal(key) if key else None for key in call.args[1].keys]
    return None if None in keys else {key for key in keys if key is not None}


def mismatched(name: str) -> Iterator[tuple[str, str]]:
    for kind, call in calls(name):
        if kind not in {"say", "Say", "plural"} or not call.args:
            continue
        messages = [found for i in IDS[kind] if i < len(call.args) and (found := literal(call.args[i]))]
        named = arguments(call, kind)
        if not messages or named is None or any(isinstance(arg, ast.Starred) for arg in call.args):
            continue
        counted = {"n"} if kind == "plural" or len(messages) == 2 else set[str]()
        wanted = set[str]().union(*(places(message) for message in messages))
        if wanted - counted != named - counted:
            yield name, f"line {call.lineno}: places {sorted(wanted)}, arguments {sorted(named)}"


def test_message_ids_are_literal() -> None:
    glued = (
        (name, f"line {call.lineno}: {kind}(…) puts its sentence together in code")
        for name in under(*OURS)
        for kind, call in calls(name)
        for i in IDS.get(kind, ())
        if i < len(call.args) and is_glued(call.args[i])
    )
    judge("glued", glued)


def test_places_and_arguments_agree() -> None:
    judge("places", (finding for name in under(*OURS) for finding in mismatched(name)))


def codes() -> dict[str, set[str]]:
    """Every refusal code in a table, with the places of its three sentences."""
    table: dict[str, set[str]] = {}
    for name in under(*OURS):
        for kind, call in calls(name):
            parts = (*call.args, *(keyword.value for keyword in call.keywords))
            if kind == "Code" and len(parts) == 4 and (code := literal(parts[0])):
                table[code] = set[str]().union(*map(places, sentences_of(parts[1:])))
    return table


def sentences_of(parts: Iterable[ast.expr]) -> Iterator[str]:
    """The message ids of a code's three sentences, both forms of one that depends on a number."""
    for part in parts:
        yield from (one for node in ast.walk(part) if isinstance(node, ast.expr) and (one := literal(node)))


def raised() -> Iterator[tuple[str, ast.Call, str]]:
    """Every refusal made with a literal code: where, the call, the code."""
    for name in under(*OURS):
        for kind, call in calls(name):
            if kind in {"refuse", "Refusal"} and call.args and (code := literal(call.args[0])):
                yield name, call, code


def test_every_code_made_stands_in_a_table() -> None:
    table = codes()
    unknown = ((name, f"line {call.lineno}: {code}") for name, call, code in raised() if code not in table)
    judge("unknown-code", unknown)


def test_every_code_in_a_table_is_made_somewhere() -> None:
    counted = dict.fromkeys(codes(), 0)
    for name in under(*OURS):
        for node in ast.walk(tree(name)):
            if isinstance(node, ast.Constant) and node.value in counted:
                counted[str(node.value)] += 1
    assert counted, "no code in any table"
    judge("unused-code", ((code, "in a table, never made") for code, count in counted.items() if count < 2))


def test_every_refusal_gives_what_its_sentences_name() -> None:
    table = codes()
    short = (
        (name, f"line {call.lineno}: {code} lacks {sorted(table[code] - named)}")
        for name, call, code in raised()
        if code in table
        and (named := given(call) if callee(call) == "refuse" else arguments(call, "Say")) is not None
        and table[code] - named
    )
    judge("refusal-arguments", short)


COUNTED = re.compile(
    r"\{\w+\}(?: [a-z]+)? (?:archives|bytes|cards|characters|choices|days|entries|faults|files|games|letters|levels"
    r"|lines|mails|numbers|orders|parts|players|problems|records|rolls|rows|seats|sides|times|tokens|turns)\b"
)
"""A number before what it counts. "At least 1 cards" was told to a player."""


def uncounted(name: str) -> Iterator[tuple[str, str]]:
    """Message ids of a file that count things, and have one form only."""
    counting = [call for kind, call in calls(name) if kind in {"plural", "Counted"}]
    both = {id(arg) for call in counting for arg in call.args}
    for kind, call in calls(name):
        if kind in {"say", "Say", "Code"}:
            for node in ast.walk(call):
                if not isinstance(node, ast.expr) or id(node) in both:
                    continue
                one = literal(node)
                if one and COUNTED.search(one):
                    yield one, f"{name}, line {node.lineno}: a count that is not plural(…) or Counted(…)"


def test_what_is_counted_has_two_forms() -> None:
    judge("one-form", (finding for name in under(*OURS) for finding in uncounted(name)))


def english(node: ast.expr) -> bool:
    """Whether letters stand in an expression outside of the calls in it: words that nobody can translate."""
    match node:
        case ast.Constant(value=str(text)):
            return any(letter.isalpha() for letter in text)
        case ast.JoinedStr(values=parts):
            return any(isinstance(part, ast.Constant) and english(part) for part in parts)
        case ast.BinOp(left=left, right=right):
            return english(left) or english(right)
        case ast.IfExp(body=body, orelse=orelse):
            return english(body) or english(orelse)
        case ast.Call(func=ast.Attribute(value=owner)):
            return english(owner)
        case _:
            return False


def test_nothing_is_said_but_in_words() -> None:
    spoken = (
        (name, f"line {call.lineno}: {kind}(…) says a literal; use words(say(…))")
        for name in under("pbem")
        for kind, call in calls(name)
        if kind in SPEAKS and any(english(arg) for arg in call.args)
    )
    judge("literal-words", spoken)


def spoken_parts(name: str) -> Iterator[tuple[int, str]]:
    """Every identifier and every string of a file, cut into words, with its line."""
    for node in ast.walk(tree(name)):
        match node:
            case ast.Constant(value=str(text)) | ast.Name(id=text) | ast.Attribute(attr=text):
                pass
            case ast.arg(arg=text) | ast.keyword(arg=str(text)):
                pass
            case ast.FunctionDef(name=text) | ast.ClassDef(name=text):
                pass
            case _:
                continue
        cut = "".join(letter if letter.isalnum() else " " for letter in text.casefold())
        for word in cut.split():
            yield getattr(node, "lineno", 0), word


def naming(words: Iterable[str]) -> Iterator[tuple[str, str]]:
    banned = set(words)
    for name in under("pbem"):
        for line, word in spoken_parts(name):
            if word in banned:
                yield name, f"line {line} names {word!r}"


def test_pbem_names_no_zone_card_or_creature() -> None:
    judge("names", naming([*CREATURES.split(), *data_names()]))


def test_only_the_catalog_names_games() -> None:
    prose = {name: docstrings(name) for name in under("pbem")}
    named = (
        (name, f"line {node.lineno} names the game {node.value!r}")
        for name in under("pbem")
        for node in ast.walk(tree(name))
        if isinstance(node, ast.Constant) and node.value in GAMES and id(node) not in prose[name]
    )
    judge("game-names", named)


def test_the_checks_see_what_they_look_for() -> None:
    glued, plain, shown = (ast.parse(text, mode="eval").body for text in ('f"a {x}"', '"a {x}"', "words(s)"))
    assert is_glued(glued)
    assert not is_glued(plain)
    assert english(glued)
    assert english(plain)
    assert not english(shown)
    assert places("{seat} bets on {creature}") == {"seat", "creature"}
