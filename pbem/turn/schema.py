"""Published schemas: made from the Structs, committed, named by digest in the charter.

Decides whether a payload fits its schema, in two ways that give the same verdict. The Structs that the
schemas were made from do it fast. What does not fit them is checked by jsonschema against the published
file, each order against the sub-schema of its own verb, so that the refusal names the exact place.
Knows no rule: an order that fits may still be illegal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any, cast

import msgspec

from engine import GAMES, AnyGame, Refusal, Refused, Say, decode, encode, find, plural, quote, refuse, say
from pbem.log import payloads
from pbem.log.canonical import digest, pretty

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_BOUND: dict[str, type] = {
    "join": payloads.Join,
    "ready": payloads.Ready,
    "move": payloads.Move,
    "standing": payloads.Standing,
    "resign": payloads.Resign,
}
"""Kinds that a charter binds by digest. That list never grows: old archives name no more."""
_LATER: dict[str, type] = {
    "rekey": payloads.Rekey,
    "take": payloads.Take,
    "press": payloads.Press,
    "advance": payloads.Advance,
    "time": payloads.Time,
    "withdraw": payloads.Withdraw,
    "settings": payloads.Settings,
    "undo": payloads.Undo,
}
"""Kinds that are published, and bound by the protocol alone: they came when games were under way."""


def published() -> dict[str, bytes]:
    """Every schema file by name, as it is to stand in `schemas/`."""
    files = {
        f"{kind}.schema.json": _document(f"pbem {kind}", shape) for kind, shape in (_BOUND | _LATER).items()
    }
    for game in GAMES:
        for part, shape in {**_parts(game), "guard": game.guard}.items():
            files[_file(game, part)] = _document(f"{game.id} {game.version} {part}", shape)
    return files


def digests(game: AnyGame) -> dict[str, str]:
    """What a charter says under `schemas`: the name of each schema and the SHA-256 of its file."""
    names = {kind: f"{kind}.schema.json" for kind in _BOUND}
    names |= {part: _file(game, part) for part in _parts(game)}
    return {name: digest(_load(file)) for name, file in names.items()}


def check(payload: Mapping[str, Any], ruleset: tuple[str, int]) -> payloads.Payload:
    """The payload as its Struct. Refused `schema/…` at the first misfit, with its place; for a move, with the order."""
    game = find(*ruleset)
    if (typed := fitted(payload, game)) is not None:
        return typed
    _explain(payload, game)
    raise RuntimeError(f"the Structs and the published schemas disagree on a {payload['kind']}")


def _explain(payload: Mapping[str, Any], game: AnyGame) -> None:
    """The verdict of jsonschema on what does not fit."""
    kind = "advance" if payload["kind"] == "move" and "advance" in payload else str(payload["kind"])
    _fit(payload, _validator(f"{kind}.schema.json"), "")
    if kind == "advance":
        _fit(payload.get("when", {}), _validator(_file(game, "guard")), "when")
    if kind in ("move", "advance"):
        for number, order in enumerate(payload["orders"], 1):
            _check_order(game, order, number)
    elif kind == "ready":
        _fit(payload["setup"], _validator(_file(game, "setup")), "setup")
    elif kind == "standing":
        _fit(payload["policy"], _validator(_file(game, "policy")), "policy")


def fits(payload: Mapping[str, Any], game: AnyGame) -> bool:
    """The same verdict from the Structs, fast."""
    return fitted(payload, game) is not None


def fitted(payload: Mapping[str, Any], game: AnyGame) -> payloads.Payload | None:
    """The payload as its Struct if it fits its schema, else None."""
    try:
        typed = payloads.shape_payload(dict(payload))
        match typed:
            case payloads.Advance():
                msgspec.convert(typed.when, game.guard)
                msgspec.convert(typed.orders, list[game.action])  # type: ignore[name-defined]
            case payloads.Move():
                decode(list[game.action], encode(typed.orders))  # type: ignore[name-defined]
            case payloads.Ready():
                msgspec.convert(typed.setup, game.setup)
            case payloads.Standing():
                msgspec.convert(typed.policy, game.policy)
            case _:
                return typed
    except (msgspec.ValidationError, Refused):
        return None
    return typed


def _parts(game: AnyGame) -> dict[str, Any]:
    return {"orders": game.action, "setup": game.setup, "policy": game.policy, "options": game.options}


def _file(game: AnyGame, part: str) -> str:
    return f"{game.id}-{game.version}.{part}.schema.json"


def _document(title: str, shape: Any) -> bytes:
    (root,), defs = msgspec.json.schema_components([shape], ref_template="#/$defs/{name}")
    document = {"$schema": _DIALECT, "title": title, **root, "$defs": defs}
    return pretty(_bare(document))


def _bare(value: Any) -> Any:
    """Without descriptions: they come from docstrings, and a better word must not change a digest."""
    if isinstance(value, dict):
        named = cast("dict[str, Any]", value).items()
        return {name: _bare(part) for name, part in named if name != "description" or isinstance(part, dict)}
    return [_bare(part) for part in _listed(value)] if isinstance(value, list) else value


def _listed(value: Any) -> list[Any]:
    items: list[Any] = value
    return items


@cache
def _load(file: str) -> bytes:
    shipped = resources.files("pbem") / "_schemas" / file
    if shipped.is_file():
        return shipped.read_bytes()
    return (resources.files("pbem") / ".." / "schemas" / file).read_bytes()


@cache
def _validator(file: str) -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(msgspec.json.decode(_load(file)))


@cache
def _verbs(file: str) -> dict[str, Any]:
    """For each verb of a game, a validator of that verb's sub-schema alone."""
    from jsonschema import Draft202012Validator

    document = msgspec.json.decode(_load(file))
    defs = document["$defs"]
    mapping = document.get("discriminator", {}).get("mapping", {})
    names = {verb: ref.rpartition("/")[2] for verb, ref in mapping.items()}
    return {verb: Draft202012Validator({**defs[name], "$defs": defs}) for verb, name in names.items()}


def _check_order(game: AnyGame, order: Mapping[str, Any], number: int) -> None:
    verbs = _verbs(_file(game, "orders"))
    verb = order.get("do")
    try:
        if not isinstance(verb, str) or verb not in verbs:
            raise refuse("schema/verb", found=quote(verb) if verb is not None else "", verbs=", ".join(verbs))
        _fit(order, verbs[verb], f"orders[{number}]")
    except Refused as refused:
        named = msgspec.structs.replace(refused.refusal, order=number, quote=quote(order))
        raise Refused(named) from None


def _fit(value: Any, validator: Any, where: str) -> None:
    error = next(iter(_deepest(validator.iter_errors(value))), None)
    if error is not None:
        raise Refused(_refusal(error, where))


def _deepest(errors: Any) -> Iterator[Any]:
    """The errors that say most, first: of the ways that a union offers, the one that got furthest."""
    leaves: list[Any] = []
    for error in errors:
        ways = list(error.context or [])
        leaves += list(_deepest(_relevant(error, ways))) if ways else [error]
    return iter(sorted(leaves, key=lambda error: (-len(error.absolute_path), str(list(error.absolute_path)))))


def _relevant(error: Any, ways: list[Any]) -> list[Any]:
    """Of a tagged union's branches, the one whose tag is the value's own; else all."""
    branches: dict[Any, list[Any]] = {}
    for way in ways:
        branches.setdefault(way.schema_path[0], []).append(way)
    tagged = [
        some
        for some in branches.values()
        if not any(way.validator in ("const", "enum", "type") for way in some)
    ]
    return tagged[0] if len(tagged) == 1 else ways


def _refusal(error: Any, where: str) -> Refusal:
    path = where + "".join(
        f"[{step + 1}]" if isinstance(step, int) else f".{step}" for step in error.absolute_path
    )
    place = path.lstrip(".") or "$"
    found = quote(error.instance)
    match error.validator:
        case "required":
            missing = next(name for name in error.validator_value if name not in error.instance)
            return Refusal("schema/missing", {"place": place, "field": missing})
        case "additionalProperties":
            extra = sorted(set(error.instance) - set(error.schema.get("properties", {})))
            return Refusal("schema/unknown", {"place": place, "field": ", ".join(extra)})
        case "enum" | "const":
            allowed = error.validator_value if error.validator == "enum" else [error.validator_value]
            return Refusal("schema/value", {"place": place, "found": found, "allowed": _list(allowed)})
        case "type":
            return Refusal(
                "schema/type", {"place": place, "found": found, "type": _type(error.validator_value)}
            )
        case keyword:
            limit = _limit(keyword, error.validator_value)
            return Refusal("schema/limit", {"place": place, "found": found, "limit": limit})


def _limit(keyword: str, value: Any) -> Say:
    """A limit of the schema's in words."""
    match keyword:
        case "minimum":
            return say("a number from {least} up", least=value)
        case "maximum":
            return say("a number up to {most}", most=value)
        case "minItems":
            return plural("a list of {n} entry or more", "a list of {n} entries or more", value)
        case "maxItems":
            return plural("a list of at most {n} entry", "a list of at most {n} entries", value)
        case "minLength":
            return plural("a text of {n} character or more", "a text of {n} characters or more", value)
        case "maxLength":
            return plural("a text of at most {n} character", "a text of at most {n} characters", value)
        case "pattern":
            return say("a text of the form {pattern}", pattern=quote(value))
        case _:
            return say("a value within {limit}", limit=f"{keyword} {quote(value)}")


def _list(allowed: list[Any]) -> str:
    return ", ".join(value if isinstance(value, str) else quote(value) for value in allowed)


def _type(name: Any) -> Say:
    names = {
        "string": say("a string"),
        "integer": say("a whole number"),
        "boolean": say("true or false"),
        "array": say("a list"),
        "object": say("an object with named fields"),
    }
    return names.get(str(name), say("another kind of value"))
