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
    files = {name: schema._document(name, shape) for name, shape in parts.items()}
    published = schema._load

    def load(file: str) -> bytes:
        return files[file] if file in files else published(file)

    monkeypatch.setattr(schema, "_load", load)


@pytest.fixture(scope="session")
def auditor() -> Auditor:
    return Auditor((GAME,))
