"""`python -m pbem`: the command, where it is not on the path."""

from __future__ import annotations

from pbem.begin import main

if __name__ == "__main__":
    main()
