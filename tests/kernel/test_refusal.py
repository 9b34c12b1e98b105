"""Refusals: a code, its words, and the one exception that carries it."""

from __future__ import annotations

import pytest

from engine import (
    CODES,
    GAMES,
    Code,
    Counted,
    Refusal,
    Refused,
    decode,
    encode,
    refuse,
    say,
    sentences,
    words,
)

TABLE = {
    "moment/purse": Code("moment/purse", "0 to {purse} coins", "{coins}", "Write a number that {who} holds."),
}


def test_a_refusal_has_three_sentences_that_share_its_arguments() -> None:
    refusal = Refusal("moment/purse", {"purse": 4, "coins": 9, "who": say("Ash")})
    assert [words(one) for one in sentences(refusal, TABLE)] == [
        "0 to 4 coins",
        "9",
        "Write a number that Ash holds.",
    ]


def test_a_sentence_may_depend_on_a_number() -> None:
    """ "At least 1 cards" was told to a player."""
    coins = Counted("coins", "One coin of {who}.", "{coins} coins of {who}.")
    table = {"moment/purse": Code("moment/purse", coins, coins, "Pay.")}
    told = [
        words(sentences(Refusal("moment/purse", {"coins": coin, "who": "Ash"}), table)[0])
        for coin in (0, 1, 2)
    ]
    assert told == ["0 coins of Ash.", "One coin of Ash.", "2 coins of Ash."]
    left_open = sentences(Refusal("moment/purse", {"coins": "{coins}", "who": "{who}"}), table)[1]
    assert words(left_open) == "{coins} coins of {who}." == table["moment/purse"].texts[1]


def test_a_code_without_an_entry_is_our_fault() -> None:
    with pytest.raises(KeyError, match="moment/other"):
        sentences(Refusal("moment/other"), TABLE)


def test_the_area_is_what_stands_before_the_slash() -> None:
    assert Refusal("moment/purse").area == "moment"
    assert Refusal("order/shape").area == "order"


def test_refuse_makes_what_is_raised() -> None:
    refused = refuse("file/too-long", size=9, limit=8)
    assert isinstance(refused, Refused)
    assert refused.refusal == Refusal("file/too-long", {"size": 9, "limit": 8})
    assert "file/too-long" in str(refused)


def test_a_refusal_survives_the_wire() -> None:
    refusal = Refusal("moment/purse", {"who": (say("Ash"), say("{n}", n=3))}, 2, '{"do":"bid"}')
    assert decode(Refusal, encode(refusal)) == refusal
    assert encode(Refusal("moment/game-over")) == b'{"code":"moment/game-over"}'


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.code)
def test_the_kernels_codes_are_well_formed(code: Code) -> None:
    area, slash, name = code.code.partition("/")
    assert area in {"order", "moment"}
    assert slash
    assert name == name.lower()
    assert all(code.texts)


def test_two_games_that_share_a_code_share_its_words() -> None:
    """Letters and commands find the words by the code alone, whichever game it comes from."""
    first: dict[str, Code] = {}
    for game in GAMES:
        for code in game.codes:
            assert first.setdefault(code.code, code) == code, (
                f"{game.id}: {code.code} has other words elsewhere"
            )
