"""Standing orders get a receipt and no more, whoever sends them and whenever."""

from __future__ import annotations

from engine import GAMES, waiting
from fixtures.play import begin, expect, join, open_match, ready, standing

ARENA = next(game for game in GAMES if game.id == "arena")


def test_of_the_seat_that_must_move() -> None:
    match = open_match(ARENA, ("red", "blue"), "standing", {})
    begin(match)
    position = match.desk.position
    assert position is not None
    seat = waiting(match.desk.table, position)[0]
    (letter,) = expect(match.send(standing(match, seat, {"gorgon": "highest"}))).letters
    assert letter.seat == seat
    assert "standing orders" in letter.subject
    assert [file.name.endswith(".log.pbem") for file in letter.files] == [True]
    assert "from the next turn that opens" in letter.text
    assert "The game now waits for" in letter.text


def test_before_the_start() -> None:
    match = open_match(ARENA, ("red", "blue"), "early", {})
    for seat in ("red", "blue"):
        expect(match.send(join(match, seat)))
    (letter,) = expect(match.send(standing(match, "red", {"gorgon": "lowest"}))).letters
    assert "Please confirm" not in letter.text
    for seat in ("red", "blue"):
        expect(match.send(ready(match, seat, {})))
    assert match.desk.position is not None
    assert match.desk.position.standing == ("red",)
