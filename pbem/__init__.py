"""Play-by-email games: signed moves, fair dice, archives that anyone can verify."""

__version__ = "0.1.0"
