"""What the schemas cost an audit, and whether the fast verdict is the published schemas' own.

The corpus: every opened payload as it is, and each several times spoilt in one place: a field dropped,
added, doubled under another name, of another type, out of range; in the payload or in one of its orders.
Each is judged by the Structs (`schema.fits`) and by jsonschema against the published files.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
from jsonschema import Draft202012Validator

from bench.audit_floor import forget
from bench.games import archives, matches, records
from bench.measure import Figure, figure, ratio
from engine import GAMES, AnyGame
from pbem.audit import audit
from pbem.audit.level2 import Auditor
from pbem.log.record import Opened
from pbem.turn import schema

COST, REPEATS, SPOILS = 1.25, 15, 6
Json = dict[str, Any]
OTHERS: tuple[Any, ...] = (
    True,
    0,
    -1,
    1 << 40,
    "",
    "nothing",
    "ab" * 32,
    [],
    ["magic"],
    {},
    {"do": "nothing"},
)


def figures() -> list[Figure]:
    """What they cost, and on how many payloads of the corpus the two verdicts differ."""
    cost = ratio(lambda: _audit(schemas=True), lambda: _audit(schemas=False), REPEATS)
    differ = sum(_fast(game, payload) != _slow(game, payload) for game, payload in corpus())
    return [
        figure("audit with schemas ÷ without", cost, COST),
        figure("schema verdicts that differ from jsonschema's", float(differ), 0.0),
    ]


def _audit(*, schemas: bool) -> None:
    for archive in archives():
        forget()
        audit(archive, Auditor(GAMES, schemas))


def corpus() -> Iterator[tuple[AnyGame, Json]]:
    """Payloads, good and spoilt, the same every time."""
    chance = random.Random("corpus")
    for match, log in zip(matches(), records(), strict=True):
        for entry in log:
            if isinstance(entry, Opened):
                payload: Json = entry.payload_and_sig["payload"]
                yield match.desk.table.game, payload
                for _ in range(SPOILS):
                    yield match.desk.table.game, spoilt(payload, chance)


def spoilt(payload: Json, chance: random.Random) -> Json:
    """The payload with one place changed; its kind stays, so that it is still known by which schema it is judged."""
    fresh = copy.deepcopy(payload)
    places = list(_places(fresh))
    inside, key = places[chance.randrange(len(places))]
    match chance.randrange(4):
        case 0:
            del inside[key]
        case 1 if _is(dict, inside):
            inside["more"] = inside[key]
        case _:
            inside[key] = copy.deepcopy(chance.choice(OTHERS))
    return fresh


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every member of every object and list, by its container and key; but not the kind of the whole."""
    keys: list[Any] = list(value) if _is(dict, value) else list(range(len(value)))
    for key in keys:
        if key != "kind":
            yield value, key
        if _is(dict, value[key]) or _is(list, value[key]):
            yield from _places(value[key])


def _is(kind: type, value: Any) -> bool:
    return isinstance(value, kind)


def _fast(game: AnyGame, payload: Json) -> bool:
    return schema.fits(payload, game)


def _slow(game: AnyGame, payload: Json) -> bool:
    """By the published files alone: the payload's, then the ruleset's for the part that is the ruleset's."""
    kind = str(payload["kind"])
    if not _valid(f"{kind}.schema.json", payload):
        return False
    stem = f"{game.id}-{game.version}"
    match kind:
        case "move":
            return all(_valid(f"{stem}.orders.schema.json", order) for order in payload["orders"])
        case "ready":
            return _valid(f"{stem}.setup.schema.json", payload["setup"])
        case "standing":
            return _valid(f"{stem}.policy.schema.json", payload["policy"])
        case _:
            return True


def _valid(file: str, value: Any) -> bool:
    return bool(_validator(file).is_valid(value))


@cache
def _validator(file: str) -> Any:
    return Draft202012Validator(msgspec.json.decode(schema.published()[file]))
