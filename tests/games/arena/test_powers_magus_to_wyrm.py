"""HU p.11-12: the powers from the Magus to the Wyrm, and their limits."""

from __future__ import annotations

import pytest

from tests.games.arena.kit import (
    ARENA,
    END,
    LAST_EIGHT,
    Json,
    do,
    hands,
    named,
    play,
    position,
    refusal,
    rows,
    tops,
    use,
)


def test_p11_the_magus_lets_living_cards_be_discarded_as_a_stack() -> None:
    """49 and 50: combat cards only, still three, the last listed on top."""
    players = hands(red="magus-1 troll-1 troll-5 wyrm-3 ettin-2 spectator-1")
    state = position(columns={"magus": rows("red")}, players=players)
    state, _ = do(state, "red", play("magus-1", power=use("magus")))
    assert refusal(state, "red", {"do": "discard", "cards": ["spectator-1"]}) == "order/combat-card"
    state, events = do(state, "red", {"do": "discard", "cards": ["wyrm-3", "troll-5", "troll-1"]})
    assert state.discards == ("wyrm-3", "troll-5", "troll-1")
    assert events[0]["stack"]
    state, _ = do(state, "red", END)
    assert refusal(state, "green", {"do": "discard", "cards": ["ettin-2"]}) == "moment/not-now"


@pytest.mark.parametrize(
    ("copied", "code"),
    [
        (use("troll", take="seraphim-9"), ""),
        (use("troll", take="troll-4"), "moment/not-visible"),  # 27
        (use("wyrm", creature="magus"), "moment/creature-alive"),
        (use("seraphim", **{"as": use("magus")}), "order/copies-itself"),
        (use("amazon"), "order/unknown-creature"),  # not the four set aside
        (use("titan", seat="green"), "moment/few-cards"),
        (use("unicorn", swap=["seraphim-9", "seraphim-4"]), ""),  # 34
    ],
)
def test_p11_the_seraphim_copies_a_dead_creature(copied: Json, code: str) -> None:
    columns = {"seraphim": rows((["seraphim-9"], "red")), "troll": rows(["troll-4"])}
    state = position(columns=columns, dead=["troll", "titan", "unicorn"], players=hands(red="seraphim-4"))
    assert refusal(state, "red", play("seraphim-4", power=use("seraphim", **{"as": copied}))) == code


def test_27_the_seraphim_as_troll_takes_a_seraphim_card() -> None:
    """Micro-scenario 15."""
    columns = {"seraphim": rows("red", ["seraphim-9"])}
    state = position(columns=columns, dead=["troll", "titan"], players=hands(red="seraphim-4"))
    power = use("seraphim", **{"as": use("troll", take="seraphim-9")})
    state, events = do(state, "red", play("seraphim-4", power=power))
    assert state.players["red"].hand == ("seraphim-9",)
    assert named(events, "power_used") == [
        {"event": "power_used", "seat": "red", "power": "seraphim", "copied": "troll"}
    ]
    without = position(columns={"seraphim": rows("red")}, dead=["troll"], players=hands(red="seraphim-4"))
    assert refusal(without, "red", play("seraphim-4", power=use("seraphim", **{"as": use("troll")}))) == ""


def test_28_the_seraphim_as_wyrm_chooses_other_than_the_seraphim() -> None:
    columns = {"seraphim": rows("red"), "troll": rows([], ["troll-2"])}
    state = position(columns=columns, dead=["wyrm"], players=hands(red="seraphim-4"))
    itself = use("seraphim", **{"as": use("wyrm", creature="seraphim")})
    assert refusal(state, "red", play("seraphim-4", power=itself)) == "moment/same-creature"
    state, _ = do(
        state, "red", play("seraphim-4", power=use("seraphim", **{"as": use("wyrm", creature="troll")}))
    )
    assert state.discards == ("troll-2",)


def test_29_the_seraphim_on_a_spectator_has_no_power() -> None:
    columns = {"seraphim": rows("red", ["spectator-2"])}
    state = position(columns=columns, dead=["magus"], players=hands(red="seraphim-4"))
    order = play("seraphim-4", power=use("seraphim", **{"as": use("magus")}))
    assert refusal(state, "red", order) == "moment/on-spectator"


def test_30_the_seraphim_as_magus_works_in_phase_3() -> None:
    players = hands(red="seraphim-4 troll-2")
    state = position(columns={"seraphim": rows("red")}, dead=["magus"], players=players)
    state, _ = do(state, "red", play("seraphim-4", power=use("seraphim", **{"as": use("magus")})))
    assert refusal(state, "red", {"do": "discard", "cards": ["troll-2"]}) == ""


@pytest.mark.parametrize(
    ("keep", "kept"),
    [
        (["magus-10", "spectator>=8", "referee", "highest"], "prefect-1"),
        (["spectator>=3"], "spectator-5"),
        (["troll-2"], "troll-2"),
        (["highest"], "spectator-5"),
        (["lowest"], "troll-2"),
        (["highest_backed"], ""),
        ([], ""),
    ],
)
def test_p12_the_titan_keeps_the_first_that_fits(keep: list[str], kept: str) -> None:
    players = hands(red="titan-1", green="troll-2 spectator-5 prefect-1")
    state = position(columns={"titan": rows("red")}, players=players)
    state, events = do(state, "red", play("titan-1", power=use("titan", seat="green", keep=keep)))
    if kept:
        assert state.players["red"].hand == (kept,)
        assert len(state.players["green"].hand) == 2
        return
    asked = ARENA.pending(state)[0]
    assert (asked.seat, asked.kind) == ("red", "titan")
    assert len(state.players["green"].hand) == 3
    assert refusal(state, "red", {"do": "keep", "card": "troll-3"}) == "moment/not-drawn"
    assert refusal(state, "red", END) == "moment/not-now"
    state, events = do(state, "red", {"do": "keep", "card": "prefect-1"})
    assert events == [{"event": "card_kept", "seat": "red", "victim": "green", "card": "prefect-1"}]
    assert ARENA.pending(state)[0].kind == "discard"


def test_p12_the_highest_card_of_a_creature_that_one_backs() -> None:
    players = hands(red="titan-1", green="troll-9 wyrm-2 wyrm-4")
    state = position(columns={"titan": rows("red"), "wyrm": rows("red")}, players=players)
    state, _ = do(state, "red", play("titan-1", power=use("titan", seat="green", keep=["highest_backed"])))
    assert state.players["red"].hand == ("wyrm-4",)


@pytest.mark.parametrize(
    ("power", "code"),
    [
        (use("titan", seat="blue"), "moment/few-cards"),  # 41
        (use("titan", seat="green"), ""),
        (use("titan", seat="green", keep=["best"]), "order/preference"),
        (use("titan", seat="green", keep=["spectator>=11"]), "order/preference"),
        (use("titan", seat="green", keep=["highest", "highest"]), "order/twice"),
        (use("titan", seat="green", keep=[f"troll-{n}" for n in range(11)] * 2), "order/too-long"),
    ],
)
def test_p12_whom_the_titan_may_choose(power: Json, code: str) -> None:
    players = {
        "red": {"hand": ["titan-1"]},
        "green": {"hand": ["troll-1", "troll-2", "troll-3"]},
        "blue": {"hand": ["wyrm-1", "wyrm-2"], "frozen": ["wyrm-3"]},
    }
    state = position(columns={"titan": rows("red")}, players=players)
    assert refusal(state, "red", play("titan-1", power=power)) == code


@pytest.mark.parametrize(
    ("take", "code"),
    [
        ("troll-10", ""),
        ("troll-2", "moment/not-visible"),  # covered
        ("troll-5", "moment/not-visible"),  # the current row
        ("wyrm-4", "moment/not-visible"),
        ("", "moment/must-take"),
    ],
)
def test_p12_the_troll_takes_a_visible_troll_card_of_an_earlier_row(take: str, code: str) -> None:
    columns = {"troll": rows((["troll-2", "troll-10"], "red"), ["troll-5"]), "wyrm": rows(["wyrm-4"])}
    state = position(columns=columns, dead=["magus"], players=hands(red="troll-7"))
    power = use("troll", take=take) if take else use("troll")
    assert refusal(state, "red", play("troll-7", power=power)) == code


def test_a_troll_without_a_card_to_take_is_activated_without_effect() -> None:
    state = position(columns={"troll": rows("red")}, players=hands(red="troll-7"))
    state, events = do(state, "red", play("troll-7", power=use("troll")))
    assert [event["event"] for event in events] == ["card_played", "power_used"]


def test_p12_the_unicorn_swaps_two_visible_cards_of_one_creature() -> None:
    """Micro-scenario 4, and 31: across rows, and no power fires."""
    columns = {
        "wyrm": rows((["wyrm-1"], "red"), ["wyrm-2", "wyrm-8"], [], ["wyrm-4"]),
        "unicorn": rows("red"),
    }
    dead = ["ettin", "gorgon", "magus"]
    state = position(columns=columns, dead=dead, players=hands(red="unicorn-3"))
    state, events = do(state, "red", play("unicorn-3", power=use("unicorn", swap=["wyrm-4", "wyrm-8"])))
    assert tops(state, "wyrm") == ["wyrm-1", "wyrm-4", "", "wyrm-8"]
    assert state.columns["wyrm"].rows[1].cards == ("wyrm-2", "wyrm-4")
    assert named(events, "cards_swapped")[0]["rows"] == [4, 2]
    assert len(named(events, "power_used")) == 1


@pytest.mark.parametrize(
    ("swap", "code"),
    [
        (["wyrm-8", "wyrm-1"], ""),  # 33: neither in the current row
        (["unicorn-3", "unicorn-5"], ""),  # 34: the card just laid
        (["magus-1", "magus-2"], ""),  # 19: a dead creature's column
        (["wyrm-8", "wyrm-2"], "moment/not-visible"),
        (["troll-1", "troll-4"], "moment/not-visible"),  # 32: beneath a spectator
        (["wyrm-8", "troll-4"], "order/swap"),
        (["wyrm-8", "wyrm-8"], "order/swap"),
        (["spectator-1", "spectator-2"], "order/combat-card"),
        (["unicorn-3", "unicorn-6"], "moment/not-visible"),  # covered by the card just laid
    ],
)
def test_p12_what_the_unicorn_may_swap(swap: list[str], code: str) -> None:
    columns = {
        "wyrm": rows(["wyrm-1"], ["wyrm-2", "wyrm-8"]),
        "troll": rows(["troll-1"], ["troll-4", "spectator-1"]),
        "magus": rows(["magus-1"], ["magus-2"]),
        "unicorn": rows((["unicorn-5"], "red"), [], ["unicorn-6"]),
    }
    state = position(columns=columns, dead=["ettin", "magus"], players=hands(red="unicorn-3"))
    assert refusal(state, "red", play("unicorn-3", power=use("unicorn", swap=swap))) == code


@pytest.mark.parametrize(
    ("creature", "code"),
    [
        ("troll", ""),
        ("wyrm", "moment/same-creature"),
        ("magus", "moment/creature-dead"),  # 36
        ("ettin", "moment/empty-cell"),
    ],
)
def test_p12_whom_the_wyrm_may_strike(creature: str, code: str) -> None:
    columns = {"wyrm": rows("red"), "troll": rows([], ["troll-1"]), "magus": rows(["magus-4"])}
    state = position(columns=columns, dead=["magus"], players=hands(red="wyrm-3"))
    assert refusal(state, "red", play("wyrm-3", power=use("wyrm", creature=creature))) == code


def test_p12_the_wyrm_discards_a_top_card_and_uncovers_the_next() -> None:
    """Micro-scenario 10, and 35."""
    columns = {"wyrm": rows("red"), "troll": rows((["troll-2", "spectator-9"], "green"))}
    players = hands(red="wyrm-3 wyrm-4", green="troll-5")
    state = position(columns=columns, players=players)
    state, events = do(state, "red", play("wyrm-3", power=use("wyrm", creature="troll")), END)
    assert state.discards == ("spectator-9",)
    assert named(events, "card_uncovered")[0]["card"] == "troll-2"
    assert refusal(state, "green", play("troll-5", power=use("troll"))) == ""
    others = {name: rows([f"{name}-5"]) for name in LAST_EIGHT if name not in {"wyrm", "troll"}}
    emptied = position(columns={**others, "wyrm": rows("red"), "troll": rows(["troll-2"])}, players=players)
    emptied, events = do(emptied, "red", play("wyrm-3", power=use("wyrm", creature="troll")), END)
    assert tops(emptied, "troll") == [""]
    assert not named(events, "creature_died")
