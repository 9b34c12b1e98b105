"""Standing orders (section 8.4; section 7.1): who defends, which cards are played, and what a policy would have done."""

from __future__ import annotations

import pytest

from engine.games.cybertron import CYBERTRON, events, policy
from engine.games.cybertron.orders import CardLine, Policy
from engine.kernel.game import Charter
from engine.kernel.prose import words
from tests.games.cybertron.kit import PAIR, Parts, Rolls, of, phase, play, position, zones

ALWAYS, LAST = Policy(), Policy(leader="only_last")


@pytest.mark.parametrize(
    ("wanted", "there", "most", "expected"),
    [
        (ALWAYS, (4, False), 2, (2, False)),
        (ALWAYS, (4, True), 2, (2, True)),
        (ALWAYS, (4, True), 1, (1, False)),  # never alone while robots stay behind
        (ALWAYS, (1, True), 2, (2, True)),
        (ALWAYS, (0, True), 2, (1, True)),
        (LAST, (1, True), 2, (1, False)),
        (LAST, (4, True), 2, (2, False)),
        (LAST, (0, True), 2, (1, True)),
        (Policy(defend=1), (4, True), 2, (1, False)),
        (Policy(one_in=("vos",)), (4, False), 2, (1, False)),
        (Policy(one_in=("iacon",)), (4, False), 2, (2, False)),
        (Policy(leader=("vos",)), (4, True), 2, (2, True)),
        (Policy(leader=("iacon",)), (4, True), 2, (2, False)),
    ],
)
def test_who_defends_vos(
    wanted: Policy, there: tuple[int, bool], most: int, expected: tuple[int, bool]
) -> None:
    """Section 7.1: `always` never sends the leader alone while robots stay behind; alone he must fight."""
    assert policy.defenders(wanted, "vos", there, most) == expected


def _attacked(*lines: Parts, hand: tuple[str, ...]) -> list[str]:
    """The cards that Megatron plays when three attack his Launch Pad twice."""
    parts: Parts = {
        "zones": zones(hexima=("optimus_prime", 9), launch_pad=("megatron", 5)),
        "players": {"megatron": {"hand": list(hand), "policy": {"cards": list(lines)}}},
        "agenda": phase("attack", "optimus_prime"),
    }
    rolls = Rolls(attack_d6=[6] * 6, defence_d6=[1] * 4)
    _, happened = play(
        position(**parts), rolls, do="attack", from_="hexima", to="launch_pad", dice=3, until=2
    )
    return [event.card for event in of(happened, events.CardPlayed)]


def test_a_line_plays_its_card_once_an_attack() -> None:
    """Section 8.4: at most once per attack, by lines from the top; an upgrade means any card that carries it."""
    shields = ("card_iacon", "card_uraya")
    assert _attacked({"card": "energon_shield"}, hand=shields) == ["card_iacon"]
    assert _attacked({"card": "card_uraya"}, hand=shields) == ["card_uraya"]
    twice = ({"card": "energon_shield"}, {"card": "energon_shield"})
    assert _attacked(*twice, hand=shields) == ["card_iacon", "card_uraya"]
    assert _attacked({"card": "energon_shield"}, hand=()) == []


def test_lines_of_one_kind_are_used_each_by_itself() -> None:
    """Section 8.4, found by reading: lines that meant the same card were counted together.

    A card's own line used up the line of its kind, and a line that did not fit lent its turn to one that did.
    """
    shields = ("card_iacon", "card_uraya")
    own_first = ({"card": "card_iacon"}, {"card": "energon_shield"})
    assert _attacked(*own_first, hand=shields) == ["card_iacon", "card_uraya"]
    elsewhere = ({"card": "energon_shield", "zones": ["vos"]}, {"card": "energon_shield"})
    assert _attacked(*elsewhere, hand=shields) == ["card_iacon"]
    too_many = ({"card": "energon_shield", "pieces": 1}, {"card": "energon_shield"})
    assert _attacked(*too_many, hand=shields) == ["card_iacon"]


@pytest.mark.parametrize(
    ("line", "played"),
    [
        ({"zones": ["launch_pad"]}, True),
        ({"zones": ["vos"]}, False),
        ({"dice": 3}, True),
        ({"pieces": 5}, True),
        ({"pieces": 2}, False),
    ],
)
def test_a_line_has_its_conditions(line: Parts, played: bool) -> None:
    """Section 8.4: in these zones, by at least so many dice, with at most so many pieces of one's own."""
    cards = _attacked({"card": "energon_shield", **line}, hand=("card_iacon",))
    assert cards == (["card_iacon"] if played else [])


def test_a_trial_tells_past_attacks_and_typical_ones() -> None:
    """Section 8.4: what a policy would have answered, without sending it."""
    state = position(
        zones=zones(hexima=("optimus_prime", 9), launch_pad=("megatron", 2)),
        players={"megatron": {"leader": "launch_pad", "hand": ["card_iacon"]}},
        agenda=phase("attack", "optimus_prime"),
    )
    rolls = Rolls(attack_d6=[1, 1, 1], defence_d6=[6], defence_d8=[8])
    state, happened = play(state, rolls, do="attack", from_="hexima", to="launch_pad", dice=3, until=1)
    heard = tuple(CYBERTRON.hear(event, None) for event in happened)
    assert CYBERTRON.trial is not None
    wanted = Policy(leader="only_last", cards=(CardLine("energon_shield"),))
    cases = CYBERTRON.trial(CYBERTRON.view(state, "megatron"), heard, wanted)
    (past,) = [one for one in cases if one.past]
    assert words(past.answer) == "You defend with 2 pieces, and play Energon Shield (Iacon)."
    assert [one for one in cases if not one.past]
    assert CYBERTRON.trial(CYBERTRON.view(state, None), heard, wanted) == ()


def test_policies_are_judged_by_names_and_numbers() -> None:
    """Section 8.4: a card of a policy is one that is played in defence."""
    charter = Charter(PAIR, CYBERTRON.options())

    def code(wanted: Policy) -> str:
        found = CYBERTRON.vet_policy(charter, "megatron", wanted)
        return found.code if found else ""

    line = CardLine
    assert code(Policy(cards=(line("energon_shield"), line("card_iacon")))) == ""
    assert code(Policy(cards=(line("fusion_cannons"),))) == "order/unknown-upgrade"
    assert code(Policy(cards=(line("energon_shield", dice=4),))) == "order/number"
    assert code(Policy(one_in=("nowhere",))) == "order/unknown-zone"
    assert code(Policy(ask=("defend", "defend"))) == "order/twice"
