"""`python -m pbem.cli.schemas FOLDER`: the published schemas, written anew from the Structs (`make schemas`)."""

from __future__ import annotations

import sys
from pathlib import Path

from pbem.disk import write_file
from pbem.log.canonical import pretty
from pbem.scenario.schema import schema
from pbem.turn.schema import published


def main(folder: Path) -> None:
    """Writes every schema file, and removes those that no Struct stands behind any more."""
    files = {**published(), "scenario.schema.json": pretty(schema())}
    for name, data in files.items():
        write_file(folder / name, data)
    for path in folder.glob("*.schema.json"):
        if path.name not in files:
            path.unlink()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
