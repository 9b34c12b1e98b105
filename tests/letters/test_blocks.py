"""A letter's text taken apart: nothing is lost, and what belongs together stays together."""

from __future__ import annotations

import pytest

from pbem.turn.blocks import Columns, Heading, Items, Pairs, Paragraph, blocks
from tests.letters.made import LONG, letters

TEXT = """\
Yellow has moved in turn 39.

WHAT HAS HAPPENED                                                turn 39
------------------------------------------------------------------------
Turn 37, Green: bet on the Magus, for 3 gold; played Ettin 4; discarded
    Seraphim 10; drew 2 cards.
  * The Colossus falls: Colossus 0 is the one lowest card. Round 2 is
    over.
Turn 38, Blue: played Wyrm 5; drew 1 card.

  bet       2 gold on: Cyclops, Ettin, Gorgon, Magus, Titan, Wyrm, and
            on others
  end turn  you fill your hand to 8

             row 1   row 2
   Amazon      9 B     5 Y

How to answer
-------------
2. Type `pbem fill` and its name. It asks for your orders and signs
them.
3. Mail the answer that it writes to
     games+a.b.c@pbem.example.org
"""


def test_each_line_finds_its_block() -> None:
    assert blocks(TEXT) == (
        Paragraph(("Yellow has moved in turn 39.",)),
        Heading("WHAT HAS HAPPENED", "turn 39"),
        Paragraph(
            (
                "Turn 37, Green: bet on the Magus, for 3 gold; played Ettin 4; discarded Seraphim 10; drew 2 cards.",
            )
        ),
        Items(("The Colossus falls: Colossus 0 is the one lowest card. Round 2 is over.",)),
        Paragraph(("Turn 38, Blue: played Wyrm 5; drew 1 card.",)),
        Pairs(
            (
                ("bet", "2 gold on: Cyclops, Ettin, Gorgon, Magus, Titan, Wyrm, and on others"),
                ("end turn", "you fill your hand to 8"),
            )
        ),
        Columns("             row 1   row 2\n   Amazon      9 B     5 Y"),
        Heading("How to answer"),
        Paragraph(
            (
                "2. Type `pbem fill` and its name. It asks for your orders and signs them.",
                "3. Mail the answer that it writes to",
            )
        ),
        Columns("games+a.b.c@pbem.example.org"),
    )


def words(text: str) -> list[str]:
    return [word for word in text.split() if set(word) - set("-*")]


@pytest.mark.parametrize("game", sorted(LONG))
def test_no_word_of_a_letter_is_lost(game: str) -> None:
    for letter in letters(game)[::5]:
        told: list[str] = []
        for block in blocks(letter.text):
            match block:
                case Heading(text, aside):
                    told += words(f"{text} {aside}")
                case Paragraph(lines) | Items(lines):
                    told += words(" ".join(lines))
                case Pairs(rows):
                    told += words(" ".join(" ".join(row) for row in rows))
                case Columns(text):
                    told += words(text)
        assert told == words(letter.text)
