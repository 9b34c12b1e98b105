"""Moves whose lines were cut or filled on the way, or that a label calls encoded: each test is named after its fault."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable

import pytest

from engine import Refused
from pbem.turn import mail_cut, mail_mend
from pbem.turn.mime import open_mail
from tests.turn.mime.sample import MOVE, OTHER, TEXT, Json, find, mail, make, multipart, part, pretty

OLD = pretty(OTHER).replace("summer-cup", "other-cup")
LABELS = ("quoted-printable", "base64")

# A label that lies


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize(
    "body", [TEXT, f"Hello,\n\n{TEXT}", re.sub("^", "> ", TEXT, flags=re.MULTILINE), OLD + TEXT]
)
def test_a_text_that_is_called_encoded_and_is_not(label: str, body: str) -> None:
    """Of `=="`, in which every signature ends, quoted-printable made `="`, and a wrong signature."""
    assert find(mail(body, encoding=label)) == MOVE


@pytest.mark.parametrize("label", LABELS)
def test_an_attachment_that_is_called_encoded_and_is_not(label: str) -> None:
    """Also beside an old file: what is tried only if nothing else is found is closed by it."""
    fields = ("Content-Type: application/json; name=move.json", f"Content-Transfer-Encoding: {label}")
    assert find(multipart(part(OLD), part(TEXT, *fields))) == MOVE


def test_a_page_that_is_called_quoted_printable_and_is_not() -> None:
    assert find(mail(_page(TEXT, 0), "text/html", "quoted-printable")) == MOVE


def test_what_is_altered_is_not_found_under_a_lying_label() -> None:
    with pytest.raises(Refused):
        find(mail(TEXT.replace('"turn": 7', '"turn": 8'), encoding="quoted-printable"))


# HTML with long lines


def _page(text: str, pad: int) -> str:
    shown = html.escape(text).replace("  ", "&nbsp; ").replace("\n", "<br>")
    return f"<p style='{'x' * pad}'></p><div>{shown}</div>"


CUTS = {"Postfix": ("\n ", 998), "others": ("\n", 998), "older ones": ("\n", 990), "sendmail": ("!\n ", 989)}


@pytest.mark.parametrize("server", CUTS)
def test_a_page_whose_long_lines_a_server_has_cut(server: str) -> None:
    """A cut in a tag or a reference shows no trace once the tags are gone; plain text was mended, HTML was not."""
    mark, width = CUTS[server]
    for pad in range(0, 998, 31):
        page = _page(TEXT, pad)
        cut = mark.join(page[at : at + width] for at in range(0, len(page), width))
        assert find(mail(cut, "text/html")) == MOVE, pad


def test_a_cut_through_the_midst_of_a_character() -> None:
    page = ("ü" * 700 + _page(TEXT, 1)).encode()
    cut = b"\n ".join(page[at : at + 997] for at in range(0, len(page), 997))
    assert find(mail(cut, "text/html; charset=utf-8")) == MOVE


def test_only_lines_of_the_length_of_a_cut_are_joined() -> None:
    short, long, longer = b"a" * 979, b"b" * 998, b"c" * 1_001
    assert mail_cut.uncut(b"\n".join((short, longer, short))) == ()
    assert mail_cut.uncut(long + b"\n") == ()
    assert mail_cut.uncut(b"\n".join((long, b" x", short))) == (
        long + b"x\n" + short,
        long + b" x\n" + short,
    )


# Two blanks after a sentence

NOTES = {
    "typed": "I will hold the troll back.  Blue seems to be out of cards.  If he bets again, strike at once.  Otherwise "
    "wait for the next round.  My last card is the wyrm.",
    "with quotes": 'He said "wait."  Then: (no!)  So what?  I will hold the troll back until blue has bet, e.g. on the '
    'wyrm.  That is "all."  Bye for now, and see you on Sunday, my dear friends of the table.  Cheers!',
    "only once": "I will hold the troll back until blue has bet on the wyrm, and strike.  Otherwise wait for a round.",
    "not after all": "I will hold the troll back. Blue seems to be out of cards.  If he bets again, strike at once. "
    "Otherwise wait for the next round.  My last card is the wyrm. So be it, then.",
    "never": "I will hold the troll back. Blue seems to be out of cards. If he bets again, strike at once. Otherwise "
    "wait for the next round. My last card is the wyrm. So be it, then.",
}


def _filled(text: str, width: int, end: Callable[[str], str], start: Callable[[str], str]) -> str:
    """Broken at the last blank within the width; what becomes of blanks at both sides is told by functions."""
    out: list[str] = []
    for each in text.split("\n"):
        line = each
        while (
            len(line) > width and (at := line.rfind(" ", len(line) - len(line.lstrip()) + 1, width + 1)) > 0
        ):
            out.append(end(line[: at + 1]))
            line = start(line[at + 1 :])
        out.append(line)
    return "\n".join(out)


def _as_it_is(line: str) -> str:
    return line


def _less_one(line: str) -> str:
    return line[:-1]


ENDS: dict[str, Callable[[str], str]] = {
    "all blanks kept": _as_it_is,
    "one blank taken": _less_one,
    "blanks dropped": str.rstrip,
}
STARTS: dict[str, Callable[[str], str]] = {
    "next line as it is": _as_it_is,
    "next line less its blanks": str.lstrip,
}


def _found(raw: bytes, made: Json) -> bool:
    return any(json.loads(candidate) == made for candidate in open_mail(raw).candidates)


@pytest.mark.parametrize("note", NOTES)
@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("end", ENDS)
def test_a_note_with_two_blanks_after_its_sentences_filled_at_any_width(
    note: str, start: str, end: str
) -> None:
    """No break was ever read as two blanks: at 72 to 75 columns the note of a move was not what was signed."""
    made = make(note=NOTES[note])
    filled = {width: _filled(pretty(made), width, ENDS[end], STARTS[start]) for width in range(60, 81)}
    assert [width for width, text in filled.items() if not _found(mail(text), made)] == []


def test_readings_with_two_blanks_stay_within_the_number_of_readings() -> None:
    text = '{"payload":"' + "One.\nTwo.  Three.\n" * 30 + '"}'
    readings = list(mail_mend.mended(text, lambda _: True))
    assert len(readings) == len(set(readings)) == mail_mend.READINGS


def test_readings_are_asked_for_before_they_are_made() -> None:
    text = '{"payload":"' + "One.\nTwo.  Three.\n" * 30 + '"}'
    asked: list[int] = []

    def spend(work: int) -> bool:
        asked.append(work)
        return sum(asked) <= 10 * len(text)

    assert 0 < len(list(mail_mend.mended(text, spend))) < 10
    assert sum(asked[:-1]) <= 10 * len(text)
