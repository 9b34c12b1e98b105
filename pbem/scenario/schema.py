"""The JSON Schema of a scenario file, made from its types. Strict: no object takes an unknown field."""

from __future__ import annotations

from typing import Any

import msgspec

from pbem.scenario.match import is_list, is_object
from pbem.scenario.model import STEPS, Expect, Scenario

IDENTIFIER = "https://pbem.example.org/schemas/scenario.schema.json"


def schema() -> dict[str, Any]:
    """JSON Schema 2020-12. What a ruleset itself decides (orders, parts of a position) is left open here."""
    kinds = (Scenario, Expect, *STEPS.values())
    _roots, components = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    top = components.pop("Scenario")
    steps = [{"$ref": f"#/$defs/{kind.__name__}"} for kind in STEPS.values()]
    properties = {**top["properties"], "steps": {"type": "array", "items": {"oneOf": steps}}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": IDENTIFIER,
        **_tidy({**top, "properties": properties, "title": "Scenario"}),
        "$defs": {name: _tidy(components[name]) for name in sorted(components)},
    }


def _tidy(node: Any) -> Any:
    """No null: what is absent is left out, in a file and so in its schema."""
    if is_list(node):
        return [_tidy(item) for item in node if item != {"type": "null"}]
    if not is_object(node):
        return node
    tidied = {key: _tidy(item) for key, item in node.items() if key != "default"}
    choices = tidied.get("anyOf")
    if is_list(choices) and len(choices) == 1:
        rest = {key: item for key, item in tidied.items() if key != "anyOf"}
        return {**rest, **choices[0]}
    return tidied
