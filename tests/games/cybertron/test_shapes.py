"""The picture of cybertron: who holds what by sign and colour, what is open, who fought; all of it readable."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from engine import WIDTH, Group, Mark, Picture, Rect, Stroke, Text, words
from engine.games.cybertron.shapes_map import AREA, chart_of
from engine.games.cybertron.shapes_parts import PALETTE, SIGNS
from engine.games.cybertron.shapes_place import Area, Box, placed
from engine.games.cybertron.state import State
from pbem.render import to_png
from tests.games.cybertron.reading import CYBERTRON, FOUR, TWO, WAR, after_the_war, game, hears, position
from tests.render.looking import contrast, faults, flat, groups, lines


def drawn(state: State, seat: str | None = None, news: tuple[Any, ...] = ()) -> Picture:
    picture = CYBERTRON.shapes(CYBERTRON.view(state, seat), hears(seat, news))
    assert faults(picture) == []
    return picture


def said(picture: Picture) -> list[str]:
    return [line.words for line in lines(picture)]


def zone_of(picture: Picture, name: str) -> Group:
    return next(one for one in groups(picture.groups) if words(one.title) == name and one.row)


def marks(group: Group) -> list[Mark]:
    return [part for part in flat(group.parts) if isinstance(part, Mark)]


def row(picture: Picture, name: str) -> list[str]:
    return [words(cell) for cell in zone_of(picture, name).row]


@pytest.mark.parametrize("seats", [TWO, ("bumblebee", "megatron", "barricade"), FOUR])
def test_pictures_of_a_whole_game_can_be_read(seats: tuple[str, ...]) -> None:
    for number, (state, news) in enumerate(game(11, seats)):
        if number % 11 == 0 or state.ended:
            for seat in (seats[0], None):
                drawn(state, seat, news)


def test_holders_are_told_apart_without_colours() -> None:
    """A sign of its own for each, and ink on it that stands out in light and dark."""
    assert len(set(SIGNS.values())) == len(SIGNS) == 4
    for seat in SIGNS:
        ink = PALETTE["black_letter" if seat == "bumblebee" else "white_letter"]
        assert contrast(ink.light, PALETTE[seat].light) > 4.5
        assert contrast(ink.dark, PALETTE[seat].dark) > 4.5


def test_a_zone_shows_its_holder_and_his_robots() -> None:
    picture = drawn(after_the_war(), "megatron")
    rust = zone_of(picture, "Rust Sea")
    assert [mark.sign for mark in marks(rust) if mark.fill == "megatron"] == [SIGNS["megatron"]]
    assert "12" in [words(part.text) for part in flat(rust.parts) if isinstance(part, Text)]
    assert row(picture, "Rust Sea") == ["Rust Sea", "Green", "Megatron", "12", "-"]


@pytest.mark.parametrize(("form", "sign"), [("robot", "star"), ("vehicle", "triangle")])
def test_a_leader_is_a_star_or_a_triangle(form: str, sign: str) -> None:
    for robots in (0, 7):
        players = {"megatron": {"leader": "kaon", "form": form}}
        zones = {"kaon": {"seat": "megatron", "robots": robots}}
        picture = drawn(position(players=players, zones=zones), "optimus_prime")
        assert [mark.sign for mark in marks(zone_of(picture, "Kaon")) if mark.fill == "gold"] == [sign]
        assert row(picture, "Kaon") == ["Kaon", "Green", "Megatron", str(robots), form]


def test_spinners_are_open_or_closed() -> None:
    """FI p.9-10: a closed spinner has no neighbours."""
    opened, closed = drawn(position(opened=["praxus"])), drawn(position())
    for picture, dash, called in ((opened, "dashed", "Praxus, open"), (closed, "", "Praxus, closed")):
        ring = next(mark for mark in marks(zone_of(picture, "Praxus")) if mark.fill == "card")
        assert ring.dash == dash
        assert row(picture, "Praxus")[0] == called
    assert _ways(opened) - _ways(closed) == 2


def _ways(picture: Picture) -> int:
    """Lines of borders and hyperlinks on the map."""
    strokes = [part for part in flat(picture.groups[1].parts) if isinstance(part, Stroke)]
    return len([one for one in strokes if one.line == "route" and len(one.points) == 2])


def test_factories_are_open_or_closed() -> None:
    """FI p.9: a factory is a zone while its slider is open."""
    picture = drawn(after_the_war())
    assert row(picture, "Decagon factory") == ["Decagon factory", "Purple", "Optimus Prime", "3", "-"]
    assert row(picture, "Moon Alpha factory") == ["Moon Alpha factory, closed", "Orange", "-", "-", "-"]
    houses = {
        name: next(mark for mark in marks(zone_of(picture, name)) if mark.sign == "house")
        for name in ("Decagon factory", "Moon Alpha factory")
    }
    assert houses["Decagon factory"].dash == ""
    assert houses["Moon Alpha factory"].dash == "dashed"


def test_battles_are_arrows_whole_where_the_zone_was_taken() -> None:
    picture = drawn(after_the_war(), "megatron", WAR)
    shafts = [
        part
        for part in flat(picture.groups[1].parts)
        if isinstance(part, Stroke) and part.line == "battle" and not part.arrow
    ]
    heads = [part for part in flat(picture.groups[1].parts) if isinstance(part, Stroke) and part.arrow]
    assert [one.dash for one in shafts] == ["", "dashed", ""]
    assert len(heads) == 3
    assert {"attack: the zone was taken", "attack: the zone held"} <= set(said(picture))
    assert "attack: the zone held" not in said(drawn(after_the_war(), "megatron"))


def test_no_arrow_lies_on_the_names_of_its_zones() -> None:
    """Names stay readable where an attack comes from below."""
    news = WAR[12:15]
    picture = drawn(after_the_war(), "megatron", news)
    (head,) = [part for part in flat(picture.groups[1].parts) if isinstance(part, Stroke) and part.arrow]
    x, y = head.points[-1]
    for name in ("Ibex", "Mithril Sea"):
        for part in flat(zone_of(picture, name).parts):
            if isinstance(part, Rect):
                assert not (part.x < x < part.x + part.w and part.y < y < part.y + part.h)


def test_what_changed_hands_has_a_frame() -> None:
    picture = drawn(after_the_war(), "megatron", WAR)
    framed = {
        words(one.title)
        for one in groups(picture.groups)
        if one.row and any(mark.fill == "new" for mark in marks(one))
    }
    assert framed == {"Hexima", "Uraya"}
    assert "has changed hands" in said(picture)
    assert "has changed hands" not in said(drawn(after_the_war(), "megatron"))


def test_ways_around_the_edge_have_a_letter_at_both_ends() -> None:
    """FI p.10: Autobase - Kalis and Protihex - Neutral Territories."""
    told = said(drawn(position()))
    assert (told.count("A"), told.count("B")) == (2, 2)
    assert "A: hyperlink around the edge, Autobase to Kalis" in told
    assert "B: hyperlink around the edge, Protihex to Neutral Territories" in told


def test_sectors_are_named_with_what_they_are_worth() -> None:
    assert {"Red +3", "Yellow +2", "Green +7", "Blue +5", "Purple +5", "Orange +2"} <= set(
        said(drawn(position()))
    )


def test_every_zone_has_room_for_its_sign_and_name() -> None:
    """No two zones lie over each other, and all lie in the map."""
    picture = drawn(position(FOUR, opened=["praxus", "pion_tower", "decagon", "moon_alpha"]))
    boxes: dict[str, tuple[float, float, float, float]] = {}
    for one in groups(picture.groups):
        if len(one.row) == 5 and one.parts and "factory" not in words(one.title):
            sides = [_bounds(part) for part in flat(one.parts) if isinstance(part, Rect | Mark)]
            xs, ys, us, vs = zip(*sides, strict=True)
            boxes[words(one.title)] = (min(xs), min(ys), max(us), max(vs))
    assert len(boxes) == 42
    for (name, box), (other_name, other) in combinations(boxes.items(), 2):
        apart = box[2] <= other[0] or other[2] <= box[0] or box[3] <= other[1] or other[3] <= box[1]
        assert apart, (name, other_name)
    assert all(x >= 0 and u <= WIDTH and y >= 0 and v <= AREA.bottom for x, y, u, v in boxes.values())


def _bounds(part: Rect | Mark) -> tuple[float, float, float, float]:
    if isinstance(part, Rect):
        return part.x, part.y, part.x + part.w, part.y + part.h
    return part.x - part.r, part.y - part.r, part.x + part.r, part.y + part.r


def test_zones_lie_as_on_the_board() -> None:
    """What is far to the west or north of another zone on the board is so in the picture."""
    atlas = CYBERTRON.view(position(), None).atlas
    chart = chart_of(atlas)
    for one, other in combinations(atlas.board.zones, 2):
        (x, y), (u, v) = chart.centre(one.id), chart.centre(other.id)
        if abs(other.x - one.x) > 150:
            assert (x < u) == (one.x < other.x), (one.id, other.id)
        if abs(other.y - one.y) > 110:
            assert (y < v) == (one.y < other.y), (one.id, other.id)


def test_boxes_in_one_spot_are_moved_apart() -> None:
    boxes = tuple(Box(str(number), 50, 50, 60, 40) for number in range(9))
    spots = placed(boxes, Area(0, 0, 400, 400))
    for one, other in combinations(spots.values(), 2):
        assert abs(one[0] - other[0]) > 55 or abs(one[1] - other[1]) > 35


def test_whose_turn_it_is_and_who_has_won() -> None:
    assert "turn 5: Megatron" in said(drawn(after_the_war(), "megatron"))
    *_, (state, _) = game(1, TWO)
    told = said(drawn(state))
    assert "Game over" in told
    assert any(words.endswith(("wins", "win")) for words in told)


def test_players_who_are_out_or_have_left_say_so() -> None:
    state = position(FOUR, players={"megatron": {"resigned": True}})
    assert "resigned" in said(drawn(state))
    assert "leader in the scrapheap" in said(drawn(state))


def test_it_can_be_drawn_at_half_its_size() -> None:
    picture = drawn(after_the_war(), "megatron", WAR)
    small, large = to_png(picture, wide=360), to_png(picture)
    assert small[:8] == large[:8] == b"\x89PNG\r\n\x1a\n"
    assert len(small) < len(large) < 400_000
