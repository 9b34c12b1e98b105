"""A map in plain text: places in their order, none over another, lines between those that are linked."""

from __future__ import annotations

import pytest

from engine import Stream
from engine.games.cybertron.board import STANDARD
from engine.games.cybertron.report_chart import Link, Spot, chart
from tests.games.cybertron.reading import after_the_war, report, section


def test_places_keep_their_order() -> None:
    spots = [Spot("a", 0, 0, "left"), Spot("b", 100, 0, "right"), Spot("c", 50, 100, "below")]
    lines = chart(spots, (), 40, 5).split("\n")
    assert lines[0].index("left") < lines[0].index("right")
    assert [line for line in lines if line] == [lines[0], lines[-1]]
    assert "below" in lines[-1]


@pytest.mark.parametrize(
    ("end", "sign"), [((100, 0), "-"), ((0, 100), "|"), ((100, 100), "\\"), ((-100, 100), "/")]
)
def test_a_line_has_the_sign_of_its_slope(end: tuple[int, int], sign: str) -> None:
    spots = [Spot("a", 0, 0, "a"), Spot("b", *end, "b")]
    drawn = chart(spots, [Link("a", "b")], 21, 11).replace("\n", "")
    assert set(drawn) - set(" ab") == {sign}


def test_a_faint_line_is_dots_and_a_link_to_nowhere_is_none() -> None:
    spots = [Spot("a", 0, 0, "a"), Spot("b", 9, 0, "b")]
    assert chart(spots, [Link("a", "b", faint=True), Link("a", "c")], 9, 3) == "a ..... b"


def test_labels_that_would_meet_lie_in_rows_of_their_own() -> None:
    numbers = Stream(b"chart")
    spots = [Spot(f"z{n}", numbers.below(30), numbers.below(30), f"zone {n:03}") for n in range(60)]
    drawn = chart(spots, [Link("z0", spot.name) for spot in spots], 72, 20)
    assert max(map(len, drawn.split("\n"))) <= 72
    assert all(drawn.count(spot.label) == 1 for spot in spots)
    assert drawn == chart(spots, [Link("z0", spot.name) for spot in spots], 72, 20)


def test_one_place_is_a_map_too() -> None:
    assert chart([Spot("a", 5, 5, "here")], [], 20, 5) == "here"


def test_the_standard_board_lies_as_in_its_file() -> None:
    """West of another zone in the file by more than a label: west of it on the map."""
    drawn = section(report(after_the_war(), None), "Cybertron").split("\n\n")[0].split("\n")
    where = {
        zone.id: next(
            (line.index(zone.id[:3] + " "), row)
            for row, line in enumerate(drawn)
            if zone.id[:3] + " " in line
        )
        for zone in STANDARD.board.zones
    }
    for one in STANDARD.board.zones:
        for other in STANDARD.board.zones:
            if other.x - one.x > 150:
                assert where[one.id][0] < where[other.id][0], (one.id, other.id)
            if other.y - one.y > 40:
                assert where[one.id][1] < where[other.id][1], (one.id, other.id)
