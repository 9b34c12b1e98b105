"""A picture as PNG: the SVG drawn by resvg with the bundled font and no other, so that it is the same everywhere.

The file is then made small enough for a letter: a palette instead of four bytes a pixel.
"""

from __future__ import annotations

from contextlib import ExitStack
from importlib import resources

import resvg_py

from engine import WIDTH, Picture
from pbem.render.indexed import MOST_COLOURS, indexed
from pbem.render.metrics import FAMILY, FILES
from pbem.render.svg import to_svg


def to_png(
    picture: Picture, lang: str = "en", *, dark: bool = False, wide: int = WIDTH, colours: int = MOST_COLOURS
) -> bytes:
    """The picture as a PNG file, `wide` pixels wide; it takes about half a second for each million pixels."""
    document = to_svg(picture, lang, dark=dark).decode("utf-8")
    fonts = resources.files("pbem.render").joinpath("fonts")
    with ExitStack() as stack:
        paths = [str(stack.enter_context(resources.as_file(fonts.joinpath(name)))) for name in FILES]
        drawn = resvg_py.svg_to_bytes(
            svg_string=document,
            width=wide,
            skip_system_fonts=True,
            font_files=paths,
            font_family=FAMILY,
            sans_serif_family=FAMILY,
        )
    shades = [shade.dark if dark else shade.light for shade in picture.palette.values()]
    return indexed(drawn, colours, shades)
