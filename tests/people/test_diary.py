"""Notes to oneself: sealed while the game goes on, the game's diary when it is over."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from engine import random_turn, waiting
from fixtures.play import Chance, Match, begin, expect, move, open_match, play_out
from tests.archive.run import pbem
from tests.people.keyed import ARENA


def noted(match: Match, text: str) -> str:
    """One move with a note; gives the seat that made it."""
    position = match.desk.position
    assert position is not None
    seat = waiting(match.desk.table, position)[0]
    view: dict[str, Any] = match.view(seat)
    shown = msgspec.convert(view["view"], ARENA.view_type)
    orders = random_turn(ARENA, shown, seat, Chance(text).below("note"))
    expect(match.send(move(match, view, orders, note=text)))
    return seat


def test_the_diary_opens_with_the_end(tmp_path: Path) -> None:
    match = open_match(ARENA, ("red", "blue"), "diary", {})
    begin(match)
    texts = ("Blue hides something.\nWatch the wyrm.", "I was wrong.")
    seats = [noted(match, text) for text in texts]
    running, over = tmp_path / "running.pbem", tmp_path / "over.pbem"
    running.write_bytes(match.archive())
    assert b"Blue hides" not in running.read_bytes()
    assert not any(b"Blue hides" in letter.raw for letter in match.letters)
    play_out(match, "diary")
    over.write_bytes(match.archive())
    # while it goes on there is nothing to read
    told = pbem("replay", running, "--notes")
    assert told.exit_code == 3
    assert "wrong" not in told.output
    told = pbem("replay", over, "--notes")
    assert told.exit_code == 0
    assert told.output.index("Blue hides something.\nWatch the wyrm.") < told.output.index("I was wrong.")
    rows = [json.loads(row) for row in pbem("replay", over, "--notes", "--json").output.splitlines()]
    assert [(row["seat"], row["text"]) for row in rows[:-1]] == list(zip(seats, texts, strict=True))
    one = [
        json.loads(row)
        for row in pbem("replay", over, "--notes", "--json", "--seat", seats[1]).output.splitlines()
    ]
    assert {row["seat"] for row in one[:-1]} == {seats[1]}
