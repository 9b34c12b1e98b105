"""The files that are made of a picture: SVG, PNG and tables, the same bytes every time."""

from __future__ import annotations

import hashlib
import struct
import subprocess
import sys
from typing import get_args
from xml.etree import ElementTree

import pytest

from engine import WIDTH, Group, Mark, Picture, Rect, Shade, Stroke, Text, say
from engine.kernel.shapes import Sign
from pbem.render import to_png, to_svg, to_tables
from pbem.render.fitting import fitted
from pbem.render.metrics import FAMILY, face, width
from pbem.render.signs import hatching

PALETTE = {
    "ground": Shade("#ffffff", "#000000"),
    "ink": Shade("#000000", "#ffffff"),
    "red": Shade("#cc0000", "#ff6666"),
}
NAME = say("<{who}> & co", who="Ő")


def picture() -> Picture:
    """One of each shape."""
    signs = tuple(
        Mark(60 * place + 40, 60, 20, sign, "red", "ink", dash="dashed")
        for place, sign in enumerate(get_args(Sign))
    )
    row = Group(NAME, (Text(360, 150, NAME, 300, 40, bold=True),), row=(NAME, say("two")))
    others = (
        Rect(20, 200, 200, 100, "red", "ink", 3, 10, hatch="ink"),
        Stroke(((300, 250), (400, 200), (500, 250)), "ink", wide=6, arrow=True, dash="dotted"),
        Stroke(((600, 200), (700, 200), (650, 300)), "ink", "red"),
    )
    table = Group(say("A table"), (row,), (say("who"), say("how many")))
    parts = (Group(say("signs"), signs), table, Group(say("others"), others))
    return Picture(say("Title"), say("What is seen"), 320, PALETTE, parts)


def test_svg_is_a_document_that_says_what_it_shows() -> None:
    root = ElementTree.fromstring(to_svg(picture()))
    space = "{http://www.w3.org/2000/svg}"
    assert root.tag == f"{space}svg"
    assert (root.get("role"), root.get("aria-label"), root.get("lang")) == ("img", "Title", "en")
    assert [child.tag.removeprefix(space) for child in root][:2] == ["title", "desc"]
    assert root.findtext(f"{space}desc") == "What is seen"
    assert "<Ő> & co" in [text.text for text in root.iter(f"{space}text")]
    assert f"'{FAMILY}'" in (root.get("font-family") or "")
    assert root.get("width") is None


def test_svg_needs_nothing_from_elsewhere() -> None:
    drawn = to_svg(picture()).decode()
    assert drawn.count("http") == 1, "the name of its own namespace"
    for word in ("href", "url(", "style", "script", "@import", "id="):
        assert word not in drawn


def test_svg_has_the_size_that_is_asked_for() -> None:
    root = ElementTree.fromstring(to_svg(picture(), wide=360))
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("360", "160", "0 0 720 320")


def test_dark_pictures_have_the_dark_colours() -> None:
    light, dark = to_svg(picture()).decode(), to_svg(picture(), dark=True).decode()
    assert "#cc0000" in light
    assert "#cc0000" not in dark
    assert "#ff6666" in dark


@pytest.mark.parametrize("wide", [360, 720, 961])
def test_png_is_a_picture_of_that_width(wide: int) -> None:
    data = to_png(picture(), wide=wide)
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack_from(">LL", data, 16) == (wide, pytest.approx(wide * 320 / WIDTH, abs=1))


def test_the_same_bytes_whatever_the_seed_of_hashes() -> None:
    code = (
        "import hashlib; from tests.render.test_files import picture; from pbem.render import *\n"
        "for make in (to_svg, to_png): print(hashlib.sha256(make(picture())).hexdigest())"
    )
    here = [hashlib.sha256(make(picture())).hexdigest() for make in (to_svg, to_png)]
    for seed in ("1", "2"):
        env = {"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path), "HOME": "/nonexistent"}
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, env=env, check=True
        )
        assert done.stdout.split() == here


def test_png_is_drawn_with_the_font_that_we_bring() -> None:
    """Words leave ink: without a font there would be none, and no other font is looked for."""
    bare = Picture(say("Title"), say("Words"), 320, PALETTE, ())
    assert len(to_png(picture())) > len(to_png(bare)) + 2_000
    words = Picture(
        say("Title"), say("Words"), 320, PALETTE, (Group(NAME, (Text(360, 150, NAME, 300, 40),)),)
    )
    assert len(to_png(words)) > len(to_png(bare)) + 500


def test_tables_say_the_same_without_colours() -> None:
    page = ElementTree.fromstring(f"<div>{to_tables(picture())}</div>")
    assert [text.strip() for text in page.itertext() if text.strip()] == [
        "What is seen",
        "A table",
        "who",
        "how many",
        "<Ő> & co",
        "two",
    ]
    assert "style" not in to_tables(picture())


def test_the_font_measures_itself() -> None:
    """Widths from the font's own tables: an em of 2048 units, every letter of four languages."""
    for bold in (False, True):
        measured = face(bold)
        assert measured.em == 2048
        assert all(
            ord(letter) in measured.advances for letter in "ABCxyz0123456789äöüßÄÖÜåÅáéíóőúűÁÉÍÓŐÚŰ–−×’…▶▼●★"
        )
    assert width("iii", 20) < width("mmm", 20) < width("mmm", 20, bold=True)
    assert width("ab", 20) == width("a", 20) + width("b", 20)


def test_long_words_are_made_smaller_and_never_cut() -> None:
    narrow = Text(0, 0, say("x"), 50, 20)
    lines, size = fitted(narrow, "Plasma Energy Chamber")
    assert lines == ("Plasma Energy Chamber",)
    assert width(lines[0], size) == pytest.approx(50)


def test_lines_are_broken_at_spaces() -> None:
    tall = Text(0, 0, say("x"), 110, 20, lines=2)
    assert fitted(tall, "Orbital Beta Pad") == (("Orbital Beta", "Pad"), 20)
    assert fitted(tall, "Short") == (("Short",), 20)
    crowded, size = fitted(tall, "One two three four five six seven")
    assert crowded == ("One two", "three four five six seven")
    assert size < 20


def test_hatching_stays_in_its_rectangle() -> None:
    rect = Rect(10, 20, 97, 41, hatch="ink")
    ends = [point for pair in hatching(rect) for point in pair]
    assert ends
    assert all(10 <= x <= 107 and 20 <= y <= 61 for x, y in ends)
