"""The report of cybertron: the war told in 72 columns, made of what its reader may know and of nothing else."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from engine import Lapsed, Refusal
from engine.games.cybertron import events as ev
from engine.games.cybertron.report_names import codes
from engine.games.cybertron.state import Compared
from tests.games.cybertron.reading import (
    CYBERTRON,
    FOUR,
    TWO,
    WAR,
    after_the_war,
    game,
    hears,
    long_report,
    position,
    prose,
    report,
    section,
)

GOLDEN = Path(__file__).with_name("report_golden.txt")
WIDTH = 72


def faults(text: str) -> list[str]:
    """What is wrong with a report's shape."""
    bare = re.sub(r'\{"do".*', "", text)
    found = [f"{len(line)} columns: {line}" for line in text.split("\n") if len(line) > WIDTH]
    found += [] if text.isascii() else ["not ASCII"]
    found += re.findall(r"[{}]|\bNone\b|\bUNSET\b|'id'| $|\t|\n\n\n", bare, re.MULTILINE)
    return found + ([] if text == text.strip() else ["blanks around it"])


@pytest.mark.parametrize(
    ("seed", "seats", "options"),
    [
        (1, TWO, {}),
        (2, ("bumblebee", "megatron", "barricade"), {"reactions": "ask"}),
        (3, FOUR, {}),
        (4, ("bumblebee", "barricade"), {"setup": "live"}),
        (5, FOUR, {"setup": "dealt", "reactions": "ask"}),
    ],
)
def test_every_report_of_a_game_fits_and_is_plain(
    seed: int, seats: tuple[str, ...], options: dict[str, Any]
) -> None:
    for number, (state, news) in enumerate(game(seed, seats, **options)):
        if number % 3 and not state.ended:
            continue
        for seat in (*seats, None):
            short, long = report(state, seat, *news), long_report(state, seat, *news)
            assert faults(short) == []
            assert faults(long) == []
            assert short == report(state, seat, *news)


def test_the_page_of_a_turn() -> None:
    assert report(after_the_war(), "megatron", *WAR) + "\n" == GOLDEN.read_text()


def test_a_report_of_another_board_and_its_names_fits_too() -> None:
    """Names of zones come from the board, however long they are."""
    board = CYBERTRON.view(position(), None).atlas.board
    longest = "The Great and Terrible Pit of Kolkular beneath Kaon's Second Wall"
    zones = tuple(replace(zone, name=longest) if zone.id == "kaon" else zone for zone in board.zones)
    view = replace(CYBERTRON.view(after_the_war(), "megatron"), board=replace(board, zones=zones))
    text = CYBERTRON.report(view, hears("megatron", WAR), "en")
    assert faults(text) == []
    assert "kao The Great and Terribl.. " in text


# The war diary.


def test_a_battle_is_a_line_with_its_dice() -> None:
    """FI p.12-13: dice highest first; FI p.14-15: what was added to a die stands beside it."""
    told = prose(section(report(after_the_war(), "megatron", *WAR), "War diary"))
    assert (
        "Launch Pad > Hexima (you, with Fusion Cannons, against Energon Shield): "
        "8*-5-2 v 6-5, 6*-5 v 5; taken, 2 moved in; lost 1, destroyed 2"
    ) in told
    assert "Mithril Sea > Ibex (you): 4-4-2 v 6*-4+1; broken off; lost 2, destroyed none" in told
    assert "Primus > Uraya (Optimus Prime): 6-5-2 v 3*; taken, 3 moved in; lost none, destroyed 1" in told
    assert "An asterisk is a die with eight faces." in told


def test_the_longer_form_has_a_line_for_each_roll() -> None:
    lines = long_report(after_the_war(), "megatron", *WAR).split("\n")
    assert "      1. 8*-5-2 v 6-5: Optimus Prime loses 1 robot and you lose 1 robot" in lines
    assert "      2. 6*-5 v 5: you lose 1 robot" in lines
    assert "      1. 6-5-2 v 3*: Optimus Prime is hit" in lines


def test_what_was_done_before_and_after_the_battles() -> None:
    told = prose(section(report(after_the_war(), "megatron", *WAR), "War diary"))
    assert told.startswith(
        "Turn 3, Optimus Prime: got 8 robots (6 for 20 zones, 2 from the Decagon factory); "
        "played Mass Production for 3 robots more; placed 6 on Launch Pad, 5 on Mithril Sea; "
        "turned the leader into a vehicle; opened Praxus with Rapid Redeploy."
    )
    assert "Then moved 3 robots and the leader from Simfur to Perihex; drew a card." in told
    assert "Turn 4, you: got 9 robots (7 for 21 zones, 2 for Yellow); placed 9 on Primus." in told
    assert "* Optimus Prime was destroyed in Uraya." in told
    assert "Then drew Fusion Cannons. * Day 2 ends. The AllSpark gives you 3 robots in Kalis." in told


def test_others_read_of_the_same_war_in_the_third_person() -> None:
    told = prose(report(after_the_war(), None, *WAR))
    assert "Turn 4, Megatron: got" in told
    assert "Mithril Sea > Ibex (Megatron):" in told
    assert "The AllSpark gives Megatron 3 robots in Kalis." in told
    assert not re.search(r"\byou\b|\byour\b", told, re.IGNORECASE)


def test_who_drew_which_card_is_read_by_its_owner_alone() -> None:
    """FI p.17: it is secret until it is used."""
    news = (
        ev.TurnBegan("megatron", 4, 2, ev.Income(21, 7, (), 0, {}, 7)),
        ev.CardDrawn("megatron", "card_kaon"),
    )
    assert "drew Fusion Cannons" in prose(report(after_the_war(), "megatron", *news))
    assert "drew a card" in prose(report(after_the_war(), "optimus_prime", *news))
    assert "Fusion Cannons" not in section(report(after_the_war(), "optimus_prime", *news), "War diary")


def test_a_battle_may_begin_in_one_letter_and_end_in_another() -> None:
    """In a game that asks, a turn pauses in the middle of an attack."""
    began, rest = WAR[6:7], WAR[7:12]
    first = prose(section(report(after_the_war(), "megatron", *began), "War diary"))
    assert first == "Turn 5, Optimus Prime: Launch Pad > Hexima (you): the battle goes on"
    second = prose(section(report(after_the_war(), "megatron", *rest), "War diary"))
    assert "Launch Pad > Hexima (you, with Fusion Cannons, against Energon Shield): 8*-5-2" in second


def test_a_long_battle_is_cut_short_in_its_line_and_told_whole_on_request() -> None:
    rolls = tuple(
        ev.Rolled(1, number, ((6, 6), (1, 6)), ((6, 6),), (Compared("attacker"),)) for number in range(1, 13)
    )
    news = (
        ev.AttackBegan("optimus_prime", 1, "launch_pad", "hexima", "megatron", 2, 20, 3),
        *rolls,
        ev.AttackEnded("optimus_prime", 1, "launch_pad", "hexima", "megatron", "limit", 12, 12, 0),
    )
    short = prose(section(report(after_the_war(), None, *news), "War diary"))
    assert "6-1 v 6, 6-1 v 6, 6-1 v 6, 7 rolls, 6-1 v 6, 6-1 v 6; broken off" in short
    long = section(long_report(after_the_war(), None, *news), "War diary")
    assert re.findall(r"^ +(\d+)\. 6-1 v 6: Optimus Prime loses 1 robot$", long, re.MULTILINE) == [
        str(number) for number in range(1, 13)
    ]


def test_a_lapse_is_told_to_its_author_with_its_reasons() -> None:
    lapse = Lapsed("megatron", 2, '{"do":"flip_leader"}', Refusal("moment/turn-over"))
    mine = prose(report(after_the_war(), "megatron", lapse))
    assert "Your order 2 came to nothing: flip leader" in mine
    assert "Needed: " in mine
    assert "came to nothing" not in report(after_the_war(), "optimus_prime", lapse)


SAMPLES: dict[type[Any], Any] = {
    ev.SeatsOrdered: ev.SeatsOrdered(TWO),
    ev.ZonesClaimed: ev.ZonesClaimed("megatron", ("kaon", "tarn")),
    ev.SparesPlaced: ev.SparesPlaced("megatron", {"kaon": 3}),
    ev.TurnBegan: WAR[0],
    ev.CardPlayed: WAR[1],
    ev.LeaderRecalled: ev.LeaderRecalled("megatron", "kaon", "vehicle", 3),
    ev.RobotsPlaced: WAR[2],
    ev.LeaderFlipped: WAR[4],
    ev.ZoneMorphed: WAR[5],
    ev.FactoryClosed: ev.FactoryClosed("optimus_prime", "decagon_factory", 3, leader=True),
    ev.AttackBegan: WAR[6],
    ev.Rolled: WAR[9],
    ev.LeaderDestroyed: ev.LeaderDestroyed("optimus_prime", "uraya"),
    ev.LeaderFled: ev.LeaderFled("optimus_prime", "uraya", "kaon"),
    ev.AttackEnded: WAR[11],
    ev.SeatEliminated: ev.SeatEliminated("megatron", "optimus_prime", 2),
    ev.BackUpMoved: WAR[15],
    ev.LeaderJumped: ev.LeaderJumped("optimus_prime", "simfur", "perihex"),
    ev.ZoneGiven: ev.ZoneGiven("optimus_prime", "megatron", "kaon", 3, leader=True),
    ev.CardDrawn: WAR[16],
    ev.AllSparkTurned: ev.AllSparkTurned(2, "card_kalis", "kalis", "megatron", 3),
    ev.SeatResigned: ev.SeatResigned("megatron", 2),
    ev.GameEnded: ev.GameEnded("launch_pad"),
    ev.Scored: ev.Scored("megatron", 21, 1),
}
SAID_ELSEWHERE = {ev.Scored}
"""The final table says it."""


def test_there_is_a_sample_of_every_event() -> None:
    assert set(SAMPLES) == set(get_args(ev.Event))


@pytest.mark.parametrize("kind", SAMPLES, ids=lambda kind: kind.__name__)
def test_every_event_is_told(kind: type[Any]) -> None:
    state = after_the_war()
    for seat in (*TWO, None):
        for write in (report, long_report):
            silent, told = write(state, seat), write(state, seat, SAMPLES[kind])
            assert (told == silent) == (kind in SAID_ELSEWHERE)
            assert faults(told) == []


@pytest.mark.parametrize("how", get_args(ev.GameEnded.__annotations__["how"]) or ("days", "shared"))
def test_every_end_is_said(how: Any) -> None:
    assert "The game is over: " in report(after_the_war(), None, ev.GameEnded(how))


@pytest.mark.parametrize("how", ["captured", "failed", "until", "keep", "limit", "resigned"])
def test_every_outcome_of_an_attack_is_said(how: Any) -> None:
    ended = ev.AttackEnded("megatron", 1, "primus", "uraya", "optimus_prime", how, 1, 1, 0, 2)
    line = prose(section(report(after_the_war(), None, ended), "War diary"))
    outcome = {
        "captured": "taken, 2 moved in",
        "failed": "beaten off",
        "resigned": "ended by the resignation",
    }
    assert line.endswith(f"(Optimus Prime): {outcome.get(how, 'broken off')}; lost 1, destroyed none")


# Gained and lost, standing orders.


def test_gains_and_losses_are_what_changed_in_the_end() -> None:
    """A zone that was taken and taken back is not told as either."""
    back = ev.AttackEnded("megatron", 1, "tyrest", "hexima", "optimus_prime", "captured", 1, 0, 1, 2)
    told = section(report(after_the_war(), "megatron", *WAR), "Gained and lost")
    assert "Optimus Prime   gained" not in told
    assert "Megatron (you) gained Uraya from Optimus Prime; lost Hexima to Optimus Prime" in prose(told)
    told = section(report(after_the_war(), "megatron", *WAR, back), "Gained and lost")
    assert "Hexima" not in told
    assert "Uraya" in told
    assert section(report(after_the_war(), "megatron", back, WAR[11]), "Gained and lost") == ""


def test_a_factory_is_gained_when_it_opens_and_lost_when_it_closes() -> None:
    opened = ev.ZoneMorphed("megatron", "card_perihex", "decagon", opened=True, factory="decagon_factory")
    closed = ev.FactoryClosed("optimus_prime", "decagon_factory", 3)
    assert "gained Decagon factory" in section(report(after_the_war(), None, opened), "Gained and lost")
    assert "lost Decagon factory" in section(report(after_the_war(), None, closed), "Gained and lost")


def test_what_standing_orders_did_is_what_the_table_saw() -> None:
    told = prose(section(report(after_the_war(), "megatron", *WAR), "What standing orders did"))
    assert "Optimus Prime defended in 1 roll with 1 die, the leader taking part" in told
    assert (
        "Megatron (you) defended in 3 rolls, with 2 dice in 2 of them, the leader in 1 of them, "
        "played Energon Shield, used the +1 once"
    ) in told
    asked = report(replace(after_the_war(), ask=True), "megatron", *WAR)
    assert section(asked, "What standing orders did") == ""
    assert "Megatron (you) defended" in prose(section(asked, "How everybody answered attacks"))


# The board.


def test_every_zone_has_a_code_of_its_own_and_stands_on_the_map_and_in_the_table() -> None:
    state = after_the_war()
    view = CYBERTRON.view(state, "megatron")
    short = codes(view.atlas)
    assert len(set(short.values())) == len(view.atlas.ids)
    assert all(len(code) == 3 for code in short.values())
    text = report(state, "megatron")
    drawn, listed = section(text, "Cybertron"), section(text, "The zones")
    for name, here in view.zones.items():
        holding = f"{'O' if here.seat == 'optimus_prime' else 'M'}{here.robots}"
        assert re.search(rf"\b{short[name]} {holding}(r|v|\b)", drawn), name
        assert re.search(rf"\b{short[name]} .*? {holding}(r|v|\b)", listed), name


def test_leaders_spinners_and_factories_are_on_the_map() -> None:
    drawn = section(report(after_the_war(), "megatron"), "Cybertron")
    assert "ibe M8r" in drawn
    assert "[pio " in drawn
    assert "[pra " not in drawn
    assert "fde O3" in drawn
    assert "fmo" not in drawn
    assert "A secret war factory lies closed beneath Moon Alpha." in prose(drawn)


def test_changed_zones_are_marked_in_the_table() -> None:
    listed = section(report(after_the_war(), "megatron", *WAR), "The zones")
    assert set(re.findall(r"!(\w{3})", listed)) == {"ura", "hex"}
    assert "!" not in section(report(after_the_war(), "megatron"), "The zones")


def test_the_table_counts_sectors_and_says_who_holds_one_whole() -> None:
    """FI p.7: a sector held whole gives its bonus; an open factory is one of its zones."""
    listed = section(report(after_the_war(), "megatron"), "The zones")
    assert "Yellow +2: held whole by Megatron" in listed
    (purple,) = (line for line in listed.split("\n") if line.startswith("Purple"))
    assert sum(map(int, re.findall(r" (\d+)\b", purple))) == 8


def test_the_players_and_who_holds_the_launch_pad() -> None:
    told = section(report(after_the_war(), "megatron"), "The players")
    assert re.search(r"^>  Megatron \(you\) +\d+ +\d+ +3 +\d+$", told, re.MULTILINE)
    assert "Leaders: Optimus Prime in the scrapheap, Megatron in Ibex (robot)." in told
    assert "Optimus Prime holds the Launch Pad, which decides a tie." in prose(told)


def test_teams_are_counted_together() -> None:
    """FI p.18: four players are two teams."""
    told = prose(section(report(position(FOUR), "barricade"), "The players"))
    assert re.search(r"Zones by team: Autobots (\d+), Decepticons (\d+)\.", told)


def test_the_end_is_a_table_of_places() -> None:
    *_, (state, news) = game(1, TWO)
    assert state.ended
    text = report(state, "megatron", *news)
    assert re.search(r"^  1\.  .* zones?$", section(text, "The result"), re.MULTILINE)
    assert text.rstrip().endswith(("wins.", "win."))
    assert section(text, "Your cards") == section(text, "What you may do") == ""
