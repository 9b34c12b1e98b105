"""Letters with pictures: what they hold, what stays of them in a mail program, and that nothing of the letter changes."""

from __future__ import annotations

import email
import re
from functools import cache
from html.parser import HTMLParser

import nh3
import pytest

from pbem.player.view import read_view
from pbem.render.indexed import SIGNATURE
from pbem.turn import dress as dressing
from pbem.turn.dress import MOST, MOST_HTML, dress
from tests.letters.made import LONG, asking, content, find, has_view, letters, parts

GAMES = sorted(LONG)
COMMON = {"*": {"style", "lang", "dir", "align", "valign", "width"}}
"""What Gmail leaves of attributes on any tag; ids and classes without a style sheet do nothing."""
SAFE_STYLES = {
    "border", "border-collapse", "border-radius", "border-top", "color-scheme", "display", "font-family", "font-size",
    "font-weight", "height", "line-height", "list-style", "margin", "max-width", "overflow-x", "overflow-wrap",
    "padding", "padding-left", "text-align", "vertical-align", "white-space", "width", "word-wrap",
}  # fmt: skip
"""Properties that Gmail keeps in a style attribute, of those that a letter may use."""


@cache
def dressed(game: str) -> bytes:
    return dress(asking(game).raw, find, "en")


def page(raw: bytes) -> str:
    return content(parts(raw)["text/html"]).decode("ascii")


@pytest.mark.parametrize("game", GAMES)
def test_text_first_then_html_with_the_board_then_the_files_as_they_were(game: str) -> None:
    plain, raw = asking(game), dressed(game)
    kinds = [part.get_content_type() for part in email.message_from_bytes(raw).walk()]
    assert kinds[:3] == ["multipart/mixed", "multipart/alternative", "text/plain"]
    assert kinds[3:8] == [
        "multipart/related",
        "text/html",
        "image/png",
        "application/json",
        "application/json",
    ]
    before, after = parts(plain.raw), parts(raw)
    assert content(after["text/plain"]) == content(before["text/plain"])
    for file in plain.files:
        assert content(after[file.name]) == content(before[file.name])
    assert raw.split(b"\r\n\r\n", 1)[0] == plain.raw.split(b"\r\n\r\n", 1)[0], "the head of the mail"
    assert raw.isascii()
    assert max(map(len, raw.split(b"\r\n"))) <= 998
    assert read_view(raw).envelope == read_view(plain.raw).envelope


@pytest.mark.parametrize("game", GAMES)
def test_it_stays_within_what_mail_programs_show(game: str) -> None:
    """Gmail clips a message beyond 102 kB of HTML; a letter as a whole stays within 150 kB."""
    raw = dressed(game)
    assert len(raw) <= MOST == 150_000
    assert len(page(raw)) <= MOST_HTML < 102 * 1024


@pytest.mark.parametrize("game", GAMES)
def test_names_follow_from_the_letter_and_the_bytes_from_it_too(game: str) -> None:
    letter, raw = asking(game), dressed(game)
    stem = next(file.name for file in letter.files if file.name.endswith(".view.json")).removesuffix(
        ".view.json"
    )
    found = parts(raw)
    assert found[f"{stem}.board.png"]["Content-ID"] == f"<board.{letter.message_id}>"
    assert f'src="cid:board.{letter.message_id}"' in page(raw)
    assert (f"{stem}.board.svg" in found) == (len(letter.raw) < 60_000)
    assert content(found[f"{stem}.board.png"]).startswith(SIGNATURE)
    assert dress(letter.raw, find, "en") == raw
    assert dress(raw, find, "en") == raw, "a dressed letter stays as it is"


def nothing(*_: object, **__: object) -> bytes:
    """Stands for a picture."""
    return SIGNATURE


def test_every_letter_of_a_game_that_tells_the_board_gets_html(monkeypatch: pytest.MonkeyPatch) -> None:
    """And no other: receipts and lines of the log alone need no picture."""
    monkeypatch.setattr(dressing, "to_png", nothing)
    for game in GAMES:
        for letter in letters(game)[:: 3 if game == "arena" else 2]:
            raw = dress(letter.raw, find, "en")
            tells = has_view(letter) and ("WHAT YOU MAY DO" in letter.text or "WHOSE MOVE" in letter.text)
            assert (raw != letter.raw) == tells, letter.subject
            assert len(raw) <= MOST


class Reader(HTMLParser):
    """The words of a page, and the addresses that it names."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.addresses: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.addresses += [
            str(value) for name, value in attrs if name in ("src", "href", "background", "action")
        ]

    def handle_data(self, data: str) -> None:
        self.words += data.split()


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    return reader


@pytest.mark.parametrize("game", GAMES)
def test_nothing_comes_from_elsewhere_and_nothing_runs(game: str) -> None:
    reader = read(page(dressed(game)))
    assert [one.partition(":")[0] for one in reader.addresses] == ["cid"]
    assert not reader.tags & {"script", "style", "link", "iframe", "object", "form", "svg", "base"}
    assert "url(" not in page(dressed(game))
    assert not re.search(r"\son[a-z]+=", page(dressed(game)))


@pytest.mark.parametrize("game", GAMES)
def test_a_cautious_mail_program_leaves_all_of_it(game: str) -> None:
    """Gmail and its like keep tags and styles from a list, and drop everything else."""
    body = page(dressed(game)).partition("<body")[2].partition(">")[2].partition("</body>")[0]
    cleaned = nh3.clean(
        body,
        attributes={
            **COMMON,
            "img": {"src", "alt", "width", "style"},
            "th": {"scope", "align", "style"},
            "table": {"cellpadding", "role", "style"},
        },
        url_schemes={"cid", "mailto", "https"},
        filter_style_properties=SAFE_STYLES,
        link_rel=None,
    )
    before, after = read(body), read(cleaned)
    assert after.words == before.words
    assert after.addresses == before.addresses
    # a body of no table has its rows put into one by the parser; nothing else is new, and nothing is gone
    assert after.tags - before.tags <= {"tbody"}
    assert before.tags <= after.tags
    assert cleaned.count("style=") == body.count("style=")
    for style in re.findall(r'style="([^"]*)"', body):
        for one in style.split(";"):
            assert one.partition(":")[0] in SAFE_STYLES


@pytest.mark.parametrize("game", GAMES)
def test_whoever_sees_no_picture_has_it_in_words(game: str) -> None:
    """An alternative text, and a table for everything that is drawn: the board, the players, the hand."""
    letter, html = asking(game), page(dressed(game))
    view = read_view(letter.raw)
    alt = re.search(r'alt="([^"]+)"', html)
    assert alt is not None
    assert len(alt[1]) > 40
    rows = html.count('<th scope="row">')
    assert rows >= len(view.head.seats) + 8
    assert "Your cards" in html or not view.seen.own.hand
    told = " ".join(read(html).words)
    assert all(" ".join(line.split()) in told for line in letter.text.splitlines()[:1])
    assert "How to answer" in told


@pytest.mark.parametrize("game", GAMES)
def test_pictures_can_be_switched_off(game: str) -> None:
    letter = asking(game)
    assert dress(letter.raw, find, "en", "text") == letter.raw
    off = dress(letter.raw, find, "en", "off")
    assert set(parts(off)) == {*parts(letter.raw), "text/html"}
    assert "<img" not in page(off)
    assert read(page(off)).words[-20:] == read(page(dressed(game))).words[-20:]


def test_colours_leave_dark_screens_alone() -> None:
    """No ground and no ink is set, so that words are as light on dark as the reader's program makes them."""
    for game in GAMES:
        html = page(dressed(game))
        assert '<meta name="color-scheme" content="light dark">' in html
        assert not re.search(r"[;\"](background|color)[^-\w]", html)


def test_what_is_too_long_for_gmail_goes_out_as_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dressing, "MOST_HTML", 5_000)
    assert dress(asking("arena").raw, find, "en") == asking("arena").raw


def test_where_there_is_little_room_the_picture_gets_smaller_and_the_drawing_goes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The picture has the room that words and files leave; the drawing is the first to give way."""
    letter = asking("arena")

    def rough(*_: object, wide: int, **__: object) -> bytes:
        return SIGNATURE + b"x" * (wide * 60)

    monkeypatch.setattr(dressing, "to_png", rough)
    for room, svg, png in ((99_000, True, True), (82_000, False, True), (50_000, False, False)):
        monkeypatch.setattr(dressing, "MOST", room)  # 38 kB are words and files, 17 the drawing
        raw = dress(letter.raw, find, "en")
        names = " ".join(parts(raw))
        assert (".svg" in names, ".png" in names) == (svg, png)
        assert len(raw) <= room


def test_other_mails_are_left_alone() -> None:
    for raw in (
        b"",
        b"Subject: x\r\n\r\nx\r\n",
        b'Content-Type: multipart/mixed; boundary="a"\r\n\r\n--a--\r\n',
    ):
        assert dress(raw, find, "en") == raw
