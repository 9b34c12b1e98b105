"""Where the command `pbem` begins. Its version is said at once; for all else the command line is loaded.

The command line's library takes four times as long to load as Python itself.
"""

from __future__ import annotations

import sys

from pbem import __version__


def main() -> None:
    """The command's entry point."""
    if sys.argv[1:] == ["--version"]:
        sys.stdout.write(f"pbem, version {__version__}\n")
        return
    from pbem.cli import main as command

    command()
