"""Pictures of views: a game's shapes as SVG, as PNG, and as HTML tables for whoever does not see them.

The law. Pure: the same picture, language and size give the same bytes. It knows no rule and no game; it draws
what `shapes` gives, with the font that it brings along.
"""

from __future__ import annotations

from pbem.render.png import to_png
from pbem.render.svg import to_svg
from pbem.render.tables import Table, tables_of, to_tables

__all__ = ["Table", "tables_of", "to_png", "to_svg", "to_tables"]
