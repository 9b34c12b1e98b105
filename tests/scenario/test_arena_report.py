"""The text a player reads of arena: narrow, plain, the same every time, and made of what he knows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine import Below, Charter, Dice, Held, Position, Stream, Table, find, play, random_turn, start
from pbem.scenario.model import scenario_of, steps_of
from pbem.scenario.moment import after, heard, opening, table_of
from pbem.scenario.script import Script

HERE = Path(__file__).resolve().parent
FOLDER = HERE.parents[1] / "fixtures" / "scenarios" / "arena"
ARENA = find("arena", 1)
WIDTH = 72


def _report(name: str, steps: int, seat: str | None) -> str:
    """The report after so many steps of a scenario, telling everything since its beginning."""
    scenario = scenario_of(json.loads((FOLDER / f"{name}.json").read_bytes()))
    table = table_of(scenario, [ARENA])
    script = Script(scenario.draws, scenario.seed)
    moment = opening(scenario, table, script)
    for step in steps_of(scenario)[:steps]:
        moment = after(table, moment, step, script)
    assert moment.position is not None
    view = ARENA.view(moment.position.state, seat)
    return ARENA.report(view, heard(table, moment.past, seat), "en")


def _game(seed: int, seats: tuple[str, ...]) -> Iterator[tuple[Table, Position[Any], tuple[Any, ...]]]:
    """A whole game of random turns: the table, the position, and the events of the move that led to it."""
    options = msgspec.convert({}, ARENA.options)
    table = Table(ARENA, Charter(seats, options))
    numbers = Stream(f"report/{seed}".encode())

    def source(label: str, *, hidden: bool) -> Below:
        return Stream(f"{seed}/{label}".encode()).below

    dice = Dice(source)
    outcome = start(table, {seat: msgspec.convert({}, ARENA.setup) for seat in seats}, (), dice)
    yield table, outcome.position, outcome.events
    while outcome.result is None:
        asked = ARENA.pending(outcome.position.state)[0].seat
        orders = random_turn(ARENA, ARENA.view(outcome.position.state, asked), asked, numbers.below)
        outcome = play(table, outcome.position, Held(asked, orders), dice)
        yield table, outcome.position, outcome.events


@pytest.mark.parametrize(("seed", "count"), [(1, 2), (2, 3), (3, 4), (4, 5), (5, 5)])
def test_every_report_of_a_game_fits_and_is_plain(seed: int, count: int) -> None:
    seats = ARENA.seats[:count]
    for table, position, events in _game(seed, seats):
        for seat in (*seats, None):
            view = ARENA.view(position.state, seat)
            told = heard(table, events, seat)
            text = ARENA.report(view, told, "en")
            assert text == ARENA.report(view, told, "en")
            assert max(map(len, text.split("\n"))) <= WIDTH
            assert text.isascii()
            assert not re.search(r"[{}]|\bNone\b|'id'| $|\t", re.sub(r'\{"do".*', "", text), re.MULTILINE)
            assert "\n\n\n" not in text
            assert text == text.strip()


def test_the_page_of_a_turn() -> None:
    golden = (HERE / "report_golden.txt").read_text()
    assert _report("report_page_of_a_turn", 3, "red") + "\n" == golden


def test_the_one_to_move_reads_what_he_may_do_and_others_whom_they_wait_for() -> None:
    mine, other, public = (_report("s01_backer", 1, seat) for seat in ("blue", "red", None))
    assert "WHAT YOU MAY DO" in mine
    assert "show your secret bet, Wyrm 5" in mine
    assert "WHOSE MOVE" in other
    assert "It is Blue's move." in other
    assert "YOUR HAND" not in public
    assert "It is Blue's move." in public


def test_a_lapse_is_told_to_its_author_with_its_reasons() -> None:
    mine, other = (_report("keep_list_exhausted", 1, seat) for seat in ("red", "blue"))
    assert "Your order 2 came to nothing: end turn" in mine
    assert "Needed: " in mine
    assert "came to nothing" not in other


def test_a_titan_shows_three_cards_to_two() -> None:
    red, blue, green = (_report("q42_titan_who_sees", 1, seat) for seat in ("red", "blue", "green"))
    assert "drew from Blue: Ettin 7, Magus 1" in red.replace("\n    ", " ")
    assert "drew from you: Ettin 7, Magus 1" in blue.replace("\n    ", " ")
    assert "drew three cards from Blue" in green.replace("\n    ", " ")
    assert "keep  one of Ettin 7, Magus 1 and Magus 2" in red


def test_what_a_gorgon_shows() -> None:
    red, green = (_report("power_gorgon_sees_the_hand", 1, seat) for seat in ("red", "green"))
    assert "Blue had none and showed you: Amazon 1 and spectator 3" in red.replace("\n    ", " ")
    assert "Blue had none and showed Red the hand" in green.replace("\n    ", " ")


def test_the_end() -> None:
    text = _report("s02_final_scoring", 1, "green")
    assert "The Titan falls: Titan 0 is the one lowest card. Round 5 is over." in text
    assert "Green had bet 5 gold on the Troll in secret, with Troll 3." in text
    assert "1.  Green (you), 15 gold" in text
    assert text.endswith("Green wins.")


def test_the_row_in_words() -> None:
    assert "Nobody can fall yet: 7 creatures have no card in row 1." in _report("power_cyclops", 1, "red")
    assert "Nobody can fall before the Seraphim has a card in row 1." in _report(
        "q56_last_card_is_the_eighth", 0, "red"
    )
    assert "nobody falls: Ettin and Seraphim share the lowest strength, 2." in _report(
        "q54_tied_lowest", 1, "red"
    ).replace("\n", " ")
    assert "the Seraphim falls: 3 is the one lowest strength." in _report(
        "q18_prefect_takes_from_the_current_row", 0, "red"
    ).replace("\n", " ")
