"""The pictures that a page draws: the same as Python's, in every field and in every byte of their SVG."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, TypeVar

import msgspec
import pytest

from engine import Group, Mark, Part, Picture, Rect, Say, Shade, Stroke, Text, encode, plain, say, words
from engine.kernel.shapes import Dash, Sign
from pbem.render import to_svg
from tests.board import written
from tests.board.positions import MANY, Seen, cases, many_cases, seen, spread
from tests.contract.playing import Case, chance
from tests.pages.node import node

T = TypeVar("T")
DRAW = "../board/picture.mjs"


def draw(rows: list[dict[str, Any]]) -> list[Any]:
    return node(DRAW, (encode(row) for row in rows))


@pytest.mark.parametrize("path_text", list(written.files()), ids=lambda one: one[0].name)
def test_what_is_written_from_data_is_in_step(path_text: tuple[Any, str]) -> None:
    path, text = path_text
    assert path.read_text(encoding="utf-8") == text, "python -m tests.board.written"


def alike(views: Iterable[Seen]) -> None:
    """Each view drawn by its page, and by Python; every third as SVG, too, in light or dark."""
    views = list(views)
    looks: list[list[dict[str, Any]]] = [[{}], [], [], [{"dark": True}], [], []]
    rows = [
        {
            "game": one.game.id,
            "view": plain(one.view),
            "news": plain(one.news),
            "looks": looks[place % len(looks)],
        }
        for place, one in enumerate(views)
    ]
    for place, (one, answer) in enumerate(zip(views, draw(rows), strict=True)):
        wanted = one.game.shapes(one.view, one.news)
        assert msgspec.convert(answer["picture"], Picture) == wanted, one.name
        shown = [to_svg(wanted, **look).decode() for look in looks[place % len(looks)]]
        assert answer["svg"] == shown, one.name


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_a_page_draws_what_python_draws(case: Case) -> None:
    """For every seat and the public, with the news."""
    alike(seen(case))


@pytest.mark.soak
@pytest.mark.parametrize("case", many_cases(), ids=lambda case: case.name)
def test_a_page_draws_many_positions_as_python_does(case: Case) -> None:
    alike(spread(case, MANY))


@pytest.mark.parametrize("case", cases()[1::2], ids=lambda case: case.name)
def test_blanks_are_drawn_alike(case: Case) -> None:
    """What a seat imagines of another's view is full of cards that it does not hold."""
    imagined: list[Seen] = []
    for one in seen(case)[::3]:
        if one.seat is not None:
            other = next(seat for seat in one.view.order if seat != one.seat)
            view = one.game.view(one.game.imagine(one.view), other)
            imagined.append(Seen(one.name, one.game, other, view, ()))
    alike(imagined)


def test_wide_and_in_another_language() -> None:
    """Words come through the same catalog; numbers choose their form."""
    one = seen(cases()[0])[0]
    picture = one.game.shapes(one.view, one.news)
    looks: list[dict[str, Any]] = [{"wide": 360}, {"dark": True, "wide": 1001}]
    turned = {words(picture.title): "Ütközet", "{n} gold": ["{n} arany & kő", "{n} <arany>"], "hand": '"kéz"'}
    plain_row = {"picture": plain(picture), "looks": looks}
    row = {**plain_row, "lang": "hu", "catalog": turned}
    in_english, in_hungarian = draw([plain_row, row])
    assert in_english["svg"] == [to_svg(picture, "en", **look).decode() for look in looks]
    for text in in_hungarian["svg"]:
        assert "Ütközet" in text
        assert "&lt;arany&gt;" in text
        assert "1 arany &amp; kő" in text
        assert 'lang="hu"' in text


def any_picture(number: int) -> Picture:
    """Shapes by chance: numbers that end in a half, words with quotes and signs, what no game draws."""
    below = chance("any picture", number)

    def one(*some: T) -> T:
        return some[below(len(some))]

    def length() -> float:
        return one(1 + below(400), (1 + below(3200)) / 8, (1 + below(400_000)) / 997)

    def place() -> float:
        return one(1, -1) * (length() - 1)

    def told() -> Say:
        letters = "ab c \"'&<>–é→\u2028\U0001f600\n\t"
        return say("{text}", text="".join(letters[below(len(letters))] for _ in range(below(24))))

    def role() -> str:
        return one("", "ink", "card")

    def points() -> tuple[tuple[float, float], ...]:
        return tuple((place(), place()) for _ in range(2 + below(3)))

    def part(depth: int) -> Part:
        dash: Dash = one("", "dashed", "dotted")
        match below(5 if depth else 4):
            case 0:
                return Rect(
                    place(), place(), length(), length(), role(), role(), length(), one(0, 7), role(), dash
                )
            case 1:
                sign: Sign = one("disc", "square", "diamond", "hexagon", "house", "triangle", "star")
                return Mark(place(), place(), length(), sign, role(), role(), length(), dash)
            case 2:
                return Stroke(points(), "ink", role(), length(), one(True, False), dash)
            case 3:
                anchor: Literal["start", "middle", "end"] = one("start", "middle", "end")
                return Text(
                    place(),
                    place(),
                    told(),
                    length(),
                    length(),
                    1 + below(3),
                    one(True, False),
                    anchor,
                    "ink",
                )
            case _:
                return Group(told(), tuple(part(depth - 1) for _ in range(below(4))))

    colours = {
        "ground": Shade("#fff", "#000"),
        "ink": Shade("#111", "#eee"),
        "card": Shade("#222", "#ddd"),
    }
    groups = tuple(Group(told(), tuple(part(2) for _ in range(1 + below(4)))) for _ in range(3))
    return Picture(told(), told(), length(), colours, groups)


def test_any_picture_is_written_alike() -> None:
    some = [any_picture(number) for number in range(150)]
    answers = draw([{"picture": plain(one), "looks": [{}, {"dark": True}]} for one in some])
    for picture, answer in zip(some, answers, strict=True):
        assert answer["svg"] == [to_svg(picture).decode(), to_svg(picture, dark=True).decode()]
