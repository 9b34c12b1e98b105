"""What a letter offers is what the rules accept: the section "What you may do", read back word by word.

A letter offered to show the hand under an open Ettin, and listed the power that was being used. So every offer
of every letter is held against `check` here, and every kind of order that is legal must be offered.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import Any

import pytest

from engine import Charter, Dice, Refused, plain
from engine.games.arena.cards import creature_of, pack
from engine.games.arena.orders import Options
from engine.games.arena.setup import SEATS
from engine.games.arena.state import State, ToDiscard
from tests.games.arena.kit import (
    ARENA,
    Json,
    action,
    in_order,
    play,
    position,
    random_game,
    refusal,
    use,
)

VERBS = {
    "bet": "bet",
    "secret bet": "secret_bet",
    "reveal bet": "reveal_bet",
    "play": "play",
    "show hand": "show_hand",
    "discard": "discard",
    "end turn": "end_turn",
    "keep": "keep",
    "give": "give",
    "accept": "accept",
    "object": "object",
    "stalemate": "declare_stalemate",
}
ASIDES = {"powers", "no power", "asleep", "Ettin"}
LATER = {"discard", "end turn"}
"""Offered for the whole turn: they come after a card."""


def offers(state: State, seat: str) -> dict[str, str]:
    """The rows of the letter's last section: what is offered, and the words beside it."""
    text = ARENA.report(ARENA.view(state, seat), (), "en")
    _, found, section = text.partition("WHAT YOU MAY DO\n")
    rows: dict[str, str] = {}
    label = ""
    for line in section.split("\n")[1:] if found else []:
        row = re.fullmatch(r"  (\S.*?)  +(\S.*)", line)
        if row:
            label = row[1]
            rows[label] = row[2]
        else:
            rows[label] += f" {line.strip()}"
    return rows


def cards_of(text: str) -> set[str]:
    """The cards that a row names: `Troll 0, 3; spectator 6 on any living creature; Prefect 1`."""
    found: set[str] = set()
    text = text.replace(" on any living creature", "").replace(" and ", "; ")
    for group in re.split(r"; |, (?=[A-Z])", text):
        name, _, numbers = group.strip().partition(" ")
        found |= {f"{name.lower()}-{number}" for number in numbers.split(", ")} if numbers else {name.lower()}
    return found


def creatures_of(text: str) -> set[str]:
    return {name.strip().lower() for name in text.rpartition(":")[2].split(",")}


def accepted(state: State, seat: str, order: Json) -> bool:
    return ARENA.check(state, seat, action(order)) is None


def after_a_card(state: State, seat: str) -> State:
    """The position once the seat has played the safe card, if a card is to be played."""
    asked = next(one for one in ARENA.pending(state) if one.seat == seat)
    if asked.kind not in {"bet", "play"}:
        return state
    after: State = ARENA.apply(state, seat, ARENA.default(state, asked), Dice(in_order))[0]
    return after


def hold_the_words(state: State, seat: str, rows: dict[str, str], sample: list[Json]) -> None:
    """The creatures and cards that the rows name are those with which the rules accept the order."""
    player = state.players[seat]
    by: dict[str, list[Json]] = {}
    for order in sample:
        by.setdefault(str(order["do"]), []).append(order)
    if "bet" in rows:
        free = {name for name in state.creatures if accepted(state, seat, {"do": "bet", "creature": name})}
        assert creatures_of(rows["bet"]) == free
    if "play" in rows:
        named = cards_of(rows["play"])
        assert named == {str(order["card"]) for order in by["play"]}
        able = {creature_of(str(order["card"])) for order in by["play"] if "power" in order}
        assert (creatures_of(rows["powers"]) if "powers" in rows else set()) == able
    if "discard" in rows:
        magus = any(isinstance(task, ToDiscard) and task.magus for task in state.agenda)
        fallen = {card for card in player.hand if creature_of(card) in state.dead}
        fighters = {card for card in player.hand if creature_of(card)}
        listed = cards_of(rows["discard"].removeprefix("up to three of "))
        assert listed == (fighters if magus else fallen)
        later = after_a_card(state, seat)
        if ARENA.result(later) is None:
            assert all(accepted(later, seat, {"do": "discard", "cards": [card]}) for card in listed)
    if "keep" in rows:
        kept = cards_of(rows["keep"].removeprefix("one of ").partition("; ")[0])
        assert kept == {str(order["card"]) for order in by["keep"]}
    if "give" in rows:
        assert cards_of(rows["give"].partition(" one of ")[2]) == {str(order["card"]) for order in by["give"]}


def hold(state: State, seat: str) -> Counter[str]:
    """One letter against the rules, both ways; what it offered is counted."""
    rows = offers(state, seat)
    asked = [one for one in ARENA.pending(state) if one.seat == seat]
    if not asked:
        assert not rows
        return Counter()
    sample = [plain(order) for order in ARENA.legal(state, asked[0])]
    assert all(accepted(state, seat, order) for order in sample)
    legal = {str(order["do"]) for order in sample}
    assert set(rows) <= set(VERBS) | ASIDES
    offered = {VERBS[label] for label in rows if label in VERBS}
    if not any(order["do"] == "discard" and order["cards"] != ["all_dead"] for order in sample):
        legal -= {"discard"}
    assert legal <= offered, "a legal order is not offered"
    now = {VERBS[label] for label in rows if label in VERBS and label not in LATER}
    assert now <= legal, "what is offered is refused"
    later = after_a_card(state, seat)
    if "end turn" in rows and ARENA.result(later) is None:
        assert accepted(later, seat, {"do": "end_turn"})
    if asked[0].kind in {"bet", "play", "ettin", "discard", "end"}:
        assert "end turn" in rows
    hold_the_words(state, seat, rows, sample)
    return Counter(rows.keys())


@pytest.mark.parametrize(
    "seed", [pytest.param(n, marks=() if n < 8 else pytest.mark.soak) for n in range(16)]
)
def test_what_the_letters_of_a_game_offer_is_accepted_and_all_is_offered(seed: int) -> None:
    seen: Counter[str] = Counter()

    def each(state: State, seat: str, order: Any) -> None:
        for one in state.order:
            seen.update(hold(state, one))

    options = Options(reactions="ask" if seed % 4 > 1 else "standing", stalemate=seed % 2 == 1)
    random_game(seed, Charter(SEATS[: 2 + seed % 4], options), each)
    assert seen["play"] > 20
    assert seen["end turn"] > 40


def scattered(seed: int) -> tuple[State, str]:
    """Any position: few cards in hand, many bets, most creatures dead; corners to which play seldom leads."""
    lot = random.Random(seed)
    seats = SEATS[: lot.choice((2, 3, 4))]
    table = Charter(seats, Options(stalemate=seed % 2 == 1, reactions="ask"))
    creatures = tuple(lot.sample([*ALL_TWELVE], 8))
    dead = creatures[: lot.randrange(5)]
    cards = list(pack(creatures))
    lot.shuffle(cards)
    stock: dict[str, int] = dict.fromkeys(seats, 5)
    columns: Json = {}
    for name in creatures:
        length = dead.index(name) + 1 if name in dead else len(dead) + 1
        columns[name] = {"rows": [column_cell(lot, name, cards, stock) for _ in range(length)]}
    players = {seat: {"hand": [cards.pop() for _ in range(lot.choice((0, 1, 2, 4)))]} for seat in seats}
    mine = "red"
    given: Json = {"creatures": list(creatures), "dead": list(dead), "columns": columns, "players": players}
    tasks = lot.choice(TASKS)
    given["agenda"] = [*tasks, {"task": "discard", "seat": mine, "magus": not tasks and lot.random() < 0.4}]
    if lot.random() < 0.2:
        given["agenda"] = [{"task": "end", "seat": mine}]
    if table.options.stalemate:
        given["stalemate"] = {"began": lot.choice(seats), "declared": lot.choice(("", "", seats[-1]))}
        given["deck"] = [] if lot.random() < 0.7 else ["rest"]
    return position(table, **given), mine


ALL_TWELVE = (
    *("amazon", "colossus", "cyclops", "daimon", "ettin", "gorgon"),
    *("magus", "seraphim", "titan", "troll", "unicorn", "wyrm"),
)
TASKS: tuple[list[Json], ...] = (
    [{"task": "bet", "seat": "red"}, {"task": "play", "seat": "red"}],
    [{"task": "play", "seat": "red"}],
    [{"task": "ettin", "seat": "red"}],
    [{"task": "ettin", "seat": "red"}],
    [],
)


def column_cell(lot: random.Random, name: str, cards: list[str], stock: dict[str, int]) -> Json:
    """A cell with a card or two of its creature or a spectator, and perhaps a token, red's most of the time."""
    fit = [card for card in cards if creature_of(card) == name or card.startswith("spectator")]
    taken = fit[: lot.choice((0, 1, 1, 2))]
    for card in taken:
        cards.remove(card)
    seat = lot.choice(["red", "red", *stock])
    cell: Json = {"cards": taken}
    if stock[seat] and lot.random() < 0.6:
        stock[seat] -= 1
        cell["token"] = seat
    return cell


@pytest.mark.parametrize("part", [pytest.param(n, marks=() if n < 4 else pytest.mark.soak) for n in range(8)])
def test_what_the_letters_of_any_position_offer_is_accepted_and_all_is_offered(part: int) -> None:
    seen: Counter[str] = Counter()
    count = 0
    for seed in range(part * 400, part * 400 + 400):
        try:
            state, _ = scattered(seed)
        except Refused:
            continue
        count += 1
        for seat in state.order:
            seen.update(hold(state, seat))
    assert count > 200
    assert not ASIDES - set(seen)
    assert not {"bet", "play", "show hand", "discard", "end turn", "stalemate"} - set(seen)


def test_under_an_open_ettin_nothing_is_shown_and_its_power_is_not_on_offer() -> None:
    """HU p.11, #25: a second card is declined without showing anything; the power is for once a turn."""
    columns = {"ettin": {"rows": [{"cards": ["ettin-5"], "token": "red"}, {}]}}
    given: Json = {"columns": columns, "dead": ["wyrm"]}
    open_ettin = [{"task": "ettin", "seat": "red"}, {"task": "discard", "seat": "red"}]
    stuck = position(**given, players={"red": {"hand": ["wyrm-3", "wyrm-4"]}}, agenda=open_ettin)
    assert set(offers(stuck, "red")) == {"Ettin", "discard", "end turn"}
    assert not accepted(stuck, "red", {"do": "show_hand"})
    able = position(**given, players={"red": {"hand": ["ettin-3", "wyrm-4"]}}, agenda=open_ettin)
    told = offers(able, "red")
    assert "powers" not in told
    assert told["no power"] == "cannot be used now: Ettin"
    assert refusal(able, "red", play("ettin-3", power=use("ettin"))) == "moment/ettin-used"
