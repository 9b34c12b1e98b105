"""The toy game stands in for a released ruleset: its schemas are made on the spot."""

from __future__ import annotations

import pytest

from pbem.audit.level2 import Auditor
from pbem.turn import schema
from tests.toy import GAME


@pytest.fixture(autouse=True)
def toy_schemas(monkeypatch: pytest.MonkeyPatch) -> None:
    """What `schemas/` would hold if the toy game were published."""
    parts = {schema._file(GAME, part): shape for part, shape in schema._parts(GAME).items()}
    parts |= {f"{kind}.schema.json": shape for kind, shape in schema._PAYLOADS.items()}
    files = {name: schema._document(name, shape) for name, shape in parts.items()}
    monkeypatch.setattr(schema, "_load", files.__getitem__)


@pytest.fixture(scope="session")
def auditor() -> Auditor:
    return Auditor((GAME,))
