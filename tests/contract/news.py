"""Checks of data and words: encodings, views, placed positions, reports, what news may show."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

from engine import (
    Menu,
    Position,
    Refused,
    Table,
    decode,
    encode,
    plain,
)
from tests.contract import shapes
from tests.contract.playing import POSITIONS, Play, heard

COLUMNS = 72
REPORTS = 80
"""About how many records of a play have their reports looked at."""


MOST_BYTES = 32 * 1024


KEY = re.compile(r"[a-z][a-z0-9_]*")


EXPOSED: dict[str, dict[str, str]] = tomllib.loads(
    (Path(__file__).parent / "exposed.toml").read_text(encoding="utf-8")
)


def data_survives_the_wire(play: Play) -> None:
    """State, views, menus, events and actions come back from their bytes as they were, in the JSON subset."""
    game = play.table.game
    for name, position in play.positions(POSITIONS):
        _round(name, game.state, position.state)
        _round(name, Position[game.state], position)  # type: ignore[name-defined]
        for seat in (*play.table.charter.seats, None):
            view = game.view(position.state, seat)
            _round(f"{name}, view of {seat}", game.view_type, view)
            _round(f"{name}, menu of {seat}", Menu, game.menu(view))
        for decision in game.pending(position.state):
            for action in game.legal(position.state, decision)[:8]:
                _round(name, game.action, action)
    for number, outcome in enumerate(play.outcomes()):
        for event in outcome.events:
            if type(event) in shapes.structs(game.event):
                _round(f"{play.case.name}, record {number}", game.event, event)
            else:
                assert type(event).__name__ == "Lapsed", f"{play.case.name}: {event} is no event of the game"


def _round(name: str, kind: Any, value: Any) -> None:
    data = encode(value)
    back = decode(kind, data)
    assert back == value, f"{name}: {value} came back as {back}"
    assert encode(back) == data, f"{name}: {kind} has two encodings"
    in_subset(name, plain(value))


def in_subset(name: str, value: Any) -> None:
    """protocol.md section 2: what may stand in JSON."""
    for key, item in (shapes.as_object(value) or {}).items():
        assert KEY.fullmatch(key), f"{name}: the key {key!r}"
        in_subset(f"{name}.{key}", item)
    for item in shapes.as_list(value) or ():
        in_subset(f"{name}[]", item)
    assert isinstance(value, dict | list | tuple | str | int), (
        f"{name}: {value!r} is outside of the JSON subset"
    )
    assert not isinstance(value, int) or abs(value) < 1 << 53, f"{name}: the number {value}"


def views_can_be_imagined(play: Play) -> None:
    """A state made from a view looks just like the view; and a view with its menu stays small."""
    game = play.table.game
    for name, position in play.positions(4 * POSITIONS):
        for seat in (*play.table.charter.seats, None):
            view = game.view(position.state, seat)
            again = game.view(game.imagine(view), seat)
            assert again == view, f"{name}: imagined from the view of {seat}, {view} looks like {again}"
            size = len(encode(view)) + len(encode(game.menu(view)))
            assert size < MOST_BYTES, f"{name}: view and menu of {seat} take {size} bytes"


def positions_can_be_placed(play: Play) -> None:
    """A scenario can give every field: the parts of any position, placed, are that position."""
    game, charter = play.table.game, play.table.charter
    for name, position in play.positions(POSITIONS):
        try:
            placed = game.place(charter, plain(position.state))
        except Refused as refused:
            raise AssertionError(f"{name}: place refuses it: {refused.refusal}") from refused
        assert placed == position.state, f"{name}: place made another of it: {placed}"


def reports_are_fit_to_mail(play: Play) -> None:
    """At most 72 columns, the same every time, and nothing in them that their reader can't know.

    Of a long play, records at even distances.
    """
    table = play.table
    outcomes = list(enumerate(play.outcomes()))
    for number, outcome in outcomes[:: max(1, len(outcomes) // REPORTS)]:
        state = outcome.position.state
        ids = {leaf for leaf in shapes.names(plain(state)) if len(leaf) > 2}
        for seat in table.charter.seats:
            name = f"{play.case.name}, record {number}, report of {seat}"
            view, news = table.game.view(state, seat), heard(table, outcome.events, seat)
            text = table.game.report(view, news, "en")
            if number % 16 == 0:
                read = decode(table.game.view_type, encode(view))
                assert text == table.game.report(read, news, "en"), (
                    f"{name}: another one from the view's file"
                )
            assert text.strip(), f"{name}: empty"
            for line in text.splitlines():
                assert len(line) <= COLUMNS, f"{name}: {len(line)} columns: {line!r}"
            open_to_it = encode([view, news]).decode()
            told = _spoken(text, ids)
            hidden = told - _spoken(open_to_it, told)
            assert not hidden, f"{name}: speaks of {hidden}, which {seat} can't know:\n{text}"


def _spoken(text: str, names: set[str]) -> set[str]:
    """The names that occur in a text as whole words."""
    words = set(re.findall(r"[\w-]+", text))
    return {name for name in names if name in words or (name in text and _speaks(text, name))}


def _speaks(text: str, name: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None


def news_shows_no_more_than_it_should(play: Play) -> None:
    """What a seat hears of hidden things, its view shows too, before or after; but for what exposed.toml allows.

    Only people know what a rule means to show. So the events that show more stand in a list, with the reason.
    """
    table = play.table
    allowed = EXPOSED.get(table.game.id, {})
    seats = (*table.charter.seats, None)
    shown = _shown(table, play.opening.position.state, seats)
    for one in play.taken:
        secrets = things(one.before.state)
        earlier, shown = shown, _shown(table, one.outcome.position.state, seats)
        for seat in seats:
            hidden = secrets - earlier[seat] - shown[seat]
            for event in heard(table, one.outcome.events, seat):
                told = hidden.intersection(shapes.names(plain(event)))
                assert not told or event.__struct_config__.tag in allowed, (
                    f"{play.case.name}, record {one.number}: {seat} hears {event}; no view of it shows "
                    f"{', '.join(sorted(told))}. If the rules show it, say so in tests/contract/exposed.toml"
                )


def _shown(table: Table, state: Any, seats: tuple[str | None, ...]) -> dict[str | None, set[str]]:
    """What strings the view of each seat shows, and the public's."""
    return {seat: set(shapes.names(plain(table.game.view(state, seat)))) for seat in seats}


def things(state: Any) -> set[str]:
    """The strings that stand in a position exactly once: what can be hidden, like a card."""
    found = Counter(shapes.names(plain(state)))
    return {leaf for leaf, count in found.items() if count == 1 and leaf}
