"""`python -m pbem.cli.schemas FOLDER`: the published schemas, written anew from the Structs (`make schemas`)."""

from __future__ import annotations

import sys
from pathlib import Path

from pbem.audit import tables
from pbem.disk import write_file
from pbem.log.canonical import pretty
from pbem.scenario.schema import schema
from pbem.turn.schema import published


def files() -> dict[str, bytes]:
    """Every schema file by name: of envelopes and rulesets, of scenarios, of the rows of tables."""
    of_tables = {name: pretty(document) for name, document in tables.schemas().items()}
    return {**published(), "scenario.schema.json": pretty(schema()), **of_tables}


def main(folder: Path) -> None:
    """Writes every schema file, and removes those that no Struct stands behind any more."""
    made = files()
    for name, data in made.items():
        write_file(folder / name, data)
    for path in folder.glob("*.schema.json"):
        if path.name not in made:
            path.unlink()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
