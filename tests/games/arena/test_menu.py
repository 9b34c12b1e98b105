"""The menu is sound, complete and small; the one table of what fits is whole."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Any, get_args

import pytest

from engine import Menu, admits, encode, plain, sentences
from engine.games.arena import orders, standing
from engine.games.arena.agenda import FITS, tag
from engine.games.arena.cards import CREATURES, creature_of, names
from engine.games.arena.codes import CODES
from engine.games.arena.orders import Action
from engine.games.arena.state import State, Task, living
from engine.kernel.refusal import Refusal
from tests.games.arena.kit import (
    ARENA,
    FIRST_EIGHT,
    THREE,
    Json,
    charter,
    play,
    position,
    random_game,
    rows,
    use,
)


def powers_of(state: State, seat: str, name: str) -> Iterator[Json]:
    """Everything that might be written for a power, legal or not; of preference lists none."""
    others = [other for other in state.order if other != seat]
    cells = [(c, r) for c in state.creatures for r in range(1, 6)]
    tops = [cell.cards[-1] for col in state.columns.values() for cell in col.rows if cell.cards]
    fighters = [card for card in tops if creature_of(card)]
    match name:
        case "amazon" | "magus" | "ettin":
            yield use(name)
        case "colossus":
            yield from (use(name, token={"creature": c, "row": r}) for c, r in cells)
            yield use(name, token={"secret": True})
            yield from (use(name, token={"revealed": c}) for c in state.creatures)
        case "cyclops" | "titan":
            yield from (use(name, seat=other) for other in others)
        case "daimon":
            yield from (use(name, creature=c, row=r) for c, r in cells)
        case "gorgon":
            yield from (use(name, seat=o, creature=c) for o in others for c in state.creatures)
        case "seraphim":
            copied = (p for c in state.creatures if c != name for p in powers_of(state, seat, c))
            yield from (use(name, **{"as": power}) for power in copied)
        case "troll":
            yield use(name)
            yield from (use(name, take=card) for card in fighters)
        case "unicorn":
            own = [f"unicorn-{n}" for n in range(11)] + [f"seraphim-{n}" for n in range(11)]
            cards = [*fighters, *(c for c in own if c in names(state.creatures) and c not in fighters)]
            yield from (use(name, swap=list(pair)) for pair in permutations(cards, 2))
        case _:
            yield from (use(name, creature=c) for c in state.creatures)


def plays(state: State, seat: str) -> Iterator[Json]:
    tops = [cell.cards[-1] for col in state.columns.values() for cell in col.rows if cell.cards]
    for card in state.players[seat].hand:
        yield play(card)
        yield from (play(card, on=name) for name in state.creatures)
        yield from (play(card, take=there) for there in tops)
        if name := creature_of(card):
            yield from (play(card, power=power) for power in powers_of(state, seat, name))


def universe(state: State, seat: str) -> Iterator[Json]:
    """A great many orders, among them every legal one but for preference lists."""
    yield from ({"do": verb} for verb in ("reveal_bet", "show_hand", "end_turn"))
    yield from ({"do": "bet", "creature": name} for name in state.creatures)
    hand = state.players[seat].hand
    for verb in ("secret_bet", "keep", "give"):
        yield from ({"do": verb, "card": card} for card in sorted(names(state.creatures)))
    few = [*hand[:5], "all_dead"]
    for count in (1, 2, 3):
        yield from ({"do": "discard", "cards": list(some)} for some in combinations(few, count))
    yield from plays(state, seat)


def accepted(state: State, seat: str, order: Json) -> bool:
    import msgspec

    return ARENA.check(state, seat, msgspec.convert(order, ARENA.action)) is None


def compare(state: State, seat: str, menu: Menu) -> None:
    for order in universe(state, seat):
        assert accepted(state, seat, order) == admits(menu, order), order


@pytest.mark.parametrize("seed", range(5))
def test_the_menu_offers_exactly_what_check_accepts(seed: int) -> None:
    seen = 0

    def each(state: State, seat: str, order: Any) -> None:
        nonlocal seen
        menu = ARENA.menu(ARENA.view(state, seat))
        assert admits(menu, plain(order))
        seen += 1
        if seen % 12 == seed:
            compare(state, seat, menu)

    table = charter(FIRST_EIGHT if seed % 2 else (*FIRST_EIGHT[4:], *CREATURES[8:]), reactions="ask")
    random_game(seed, table, each)
    assert seen > 20


def rich(creatures: tuple[str, ...]) -> State:
    """Everything at once: red backs every living creature, in round 4, with tokens in stock."""
    dead = creatures[1:4]
    columns: dict[str, Any] = {}
    for name in creatures:
        tops = [[f"{name}-{n}", f"{name}-{n + 5}"] for n in range(4)]
        columns[name] = rows(*tops[: dead.index(name) + 1 if name in dead else 4])
    for number, name in enumerate(n for n in creatures if n not in dead):
        if number < 4:
            columns[name]["rows"][number]["token"] = "red"
        else:
            columns[name]["revealed"] = ["red"]
    hand = [f"{name}-9" for name in creatures] + ["prefect-1", "magister", "spectator-3", f"{creatures[4]}-4"]
    other = [[f"{name}-10" for name in creatures], ["spectator-1", "spectator-2"]]
    players: dict[str, Any] = {"red": {"hand": hand}, "green": {"hand": other[0]}, "blue": {"hand": other[1]}}
    return position(charter(creatures), columns=columns, players=players, dead=list(dead))


@pytest.mark.parametrize("creatures", [FIRST_EIGHT, (*FIRST_EIGHT[4:], *CREATURES[8:]), CREATURES[::-1][:8]])
def test_the_menu_is_complete_where_everything_is_possible(creatures: tuple[str, ...]) -> None:
    state = rich(creatures)
    menu = ARENA.menu(ARENA.view(state, "red"))
    backed = [name for name in living(state) if standing.backer(state.columns[name]) == "red"]
    assert len(backed) == 5
    compare(state, "red", menu)
    for card in (f"{name}-9" for name in creatures):
        if creature_of(card) == "ettin" and "ettin" in backed:
            after, _ = ARENA.apply(state, "red", orders.Play(card, power=orders.Ettin()), _no_dice())
            compare(after, "red", ARENA.menu(ARENA.view(after, "red")))


def _no_dice() -> Any:
    from engine import Dice
    from tests.games.arena.kit import in_order

    return Dice(in_order)


def test_the_menu_offers_an_ettins_second_cards_as_they_are_once_the_first_lies() -> None:
    creatures = (*FIRST_EIGHT[4:], *CREATURES[8:])
    columns = {name: rows("red", [f"{name}-5"]) for name in ("ettin", "unicorn", "wyrm", "troll")}
    hand = ["ettin-1", "unicorn-2", "wyrm-3", "prefect-1", "ettin-8"]
    state = position(charter(creatures), columns=columns, players={"red": {"hand": hand}}, dead=["magus"])
    menu = ARENA.menu(ARENA.view(state, "red"))
    after, _ = ARENA.apply(state, "red", orders.Play("ettin-1", power=orders.Ettin()), _no_dice())
    count = 0
    for second in plays(after, "red"):
        item = {key: value for key, value in second.items() if key != "do"}
        order = play("ettin-1", power=use("ettin", then=[item]))
        if accepted(after, "red", second):
            assert admits(menu, order), order
            count += 1
    assert count == 10
    assert admits(menu, play("ettin-1", power=use("ettin", then=[{"card": "prefect-1", "take": "ettin-1"}])))
    assert not admits(
        menu, play("ettin-1", power=use("ettin", then=[{"card": "prefect-1", "take": "ettin-5"}]))
    )


@pytest.mark.parametrize("creatures", [FIRST_EIGHT, (*FIRST_EIGHT[4:], *CREATURES[8:]), CREATURES[::-1][:8]])
def test_a_view_with_its_menu_stays_small(creatures: tuple[str, ...]) -> None:
    seen = ARENA.view(rich(creatures), "red")
    assert len(encode(seen)) < 4_000
    assert len(encode(seen)) + len(encode(ARENA.menu(seen))) < 16_384


def test_what_an_empty_answer_takes_settles_the_turn() -> None:
    """A Titan's list keeps the highest, discards are all dead cards: neither leaves a question open."""
    creatures = (*FIRST_EIGHT[4:], *CREATURES[8:])
    menu = ARENA.menu(ARENA.view(rich(creatures), "red"))
    usual = {field.name: field.default for form in menu.forms for field in form.fields if field.default}
    assert usual == {"keep": ["highest"]}
    hand = {"red": {"hand": ["titan-1", "troll-2"]}}
    later = position(charter(creatures), players=hand, agenda=[{"task": "discard", "seat": "red"}])
    after = ARENA.menu(ARENA.view(later, "red"))
    usual = {field.name: field.default for form in after.forms for field in form.fields if field.default}
    assert usual == {"cards": ["all_dead"]}
    assert accepted(later, "red", {"do": "discard", "cards": usual["cards"]})


def test_nobody_else_has_a_menu() -> None:
    state = position()
    assert ARENA.menu(ARENA.view(state, "green")).asked == ()
    assert ARENA.menu(ARENA.view(state, None)).asked == ()


def test_every_task_and_every_order_stand_in_the_table() -> None:
    assert set(FITS) == set(get_args(Task))
    fitting = {verb for verbs in FITS.values() for verb in verbs}
    assert fitting == set(get_args(Action))
    assert len({tag(verb) for verb in fitting}) == len(fitting)


@pytest.mark.parametrize("seed", range(3))
def test_the_sample_of_legal_orders_is_legal_and_knows_every_verb(seed: int) -> None:
    def each(state: State, seat: str, order: Any) -> None:
        asked = ARENA.pending(state)[0]
        sample = ARENA.legal(state, asked)
        assert sample
        assert all(ARENA.check(state, seat, legal) is None for legal in sample)
        menu = ARENA.menu(ARENA.view(state, seat))
        assert {act.do for ask in menu.asked for act in ask.acts} == {plain(legal)["do"] for legal in sample}
        assert ARENA.check(state, seat, ARENA.default(state, asked)) is None

    random_game(seed, charter(reactions="ask"), each)


def test_the_sample_knows_every_power() -> None:
    for creatures in (FIRST_EIGHT, (*FIRST_EIGHT[4:], *CREATURES[8:])):
        state = rich(creatures)
        sample = [plain(order) for order in ARENA.legal(state, ARENA.pending(state)[0])]
        used = {order["power"]["use"] for order in sample if "power" in order}
        possible = {n for n in living(state) if standing.backer(state.columns[n]) == "red"}
        assert used == possible
        assert len(sample) < 2_000


def test_every_code_stands_once_in_the_table_with_its_sentences() -> None:
    table = {code.code: code for code in CODES}
    assert len(table) == len(CODES)
    said = sentences(Refusal("moment/not-dead", {"card": "troll-3"}), table)
    assert said[1].args == {"card": "troll-3"}
    assert THREE == ("red", "green", "blue")


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=() if seed < 3 else pytest.mark.soak) for seed in range(8)]
)
def test_every_legal_second_card_is_on_the_menu_of_the_first(seed: int) -> None:
    as_itself = (use("ettin"), orders.Ettin())
    copied = (use("seraphim", **{"as": use("ettin")}), orders.Seraphim(as_=orders.Ettin()))

    def each(state: State, seat: str, order: Any) -> None:
        for card in state.players[seat].hand:
            for written, power in (as_itself, copied):
                if accepted(state, seat, play(card, power=written)):
                    after, _ = ARENA.apply(state, seat, orders.Play(card, power=power), _no_dice())
                    menu = ARENA.menu(ARENA.view(state, seat))
                    for second in plays(after, seat):
                        if accepted(after, seat, second):
                            item = {key: value for key, value in second.items() if key != "do"}
                            ettin = use("ettin", then=[item])
                            whole = ettin if power == as_itself[1] else use("seraphim", **{"as": ettin})
                            assert admits(menu, play(card, power=whole)), item

    random_game(seed, charter(("ettin", "seraphim", *CREATURES[8:], "magus", "daimon")), each)
