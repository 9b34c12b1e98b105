"""Custom data that games are also played with: one folder a world under `fixtures/data/<game>/`, one file a datum."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "data"


@cache
def worlds(game: str) -> Mapping[str, Mapping[str, Any]]:
    """By name, the data of each world of a game; none for most games."""
    folders = sorted(path for path in (FOLDER / game).glob("*") if path.is_dir())
    return {path.name: {file.stem: read(file) for file in sorted(path.glob("*.json"))} for path in folders}


def read(file: Path) -> Any:
    """What a file says."""
    return msgspec.json.decode(file.read_bytes())
