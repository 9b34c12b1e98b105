"""The replay page as a file: whole in itself, the same every time, valid whatever a log holds."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine import GAMES
from pbem.audit import audit, replay
from pbem.audit.replay import Reader
from pbem.log.ledger import lines_of
from pbem.site import page_of
from pbem.site.bundle import bundle, source
from pbem.site.phrases import PHRASES, code_sentences
from pbem.site.tale import Tale, tell
from tests.audit.make import Plan, make
from tests.pages.html import valid
from tests.pages.node import JS

FIXTURES = Path(__file__).parents[2] / "fixtures" / "games"
ARCHIVES = sorted(FIXTURES.glob("*/*.pbem"))
MOST_BYTES = 3_000_000
HOSTILE = "</script><script>alert(1)</script><!-- \u202e\x07\ufffe & \" ' {{ 7 * 7 }}"


@pytest.fixture(scope="module")
def log() -> bytes:
    return ARCHIVES[0].read_bytes()


@pytest.fixture(scope="module")
def page(log: bytes) -> str:
    return page_of(log).decode("utf-8")


def block(page: str, opening: str) -> str:
    """The text of the script element that begins so."""
    start = page.index(opening)
    return page[page.index(">", start) + 1 : page.index("</script>", start)]


SOME = ARCHIVES[::6]


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=() if path in SOME else pytest.mark.soak) for path in ARCHIVES],
    ids=lambda path: path.stem,
)
def test_a_page_is_valid_html_and_small_enough(path: Path) -> None:
    page = page_of(path.read_bytes())
    assert len(page) < MOST_BYTES
    valid(page)


def test_nothing_is_loaded_from_anywhere(page: str) -> None:
    places = re.findall(
        r"""(?:src|href|action|data|poster)\s*=\s*["']([^"']*)""", page.split("<script", 1)[0]
    )
    assert places == ["data:,"]
    addresses = set(re.findall(r"https?://[^\s\"'<>\\]+", page))
    assert addresses <= {"http://www.w3.org/2000/svg"}, "the name of a format, which nothing loads"
    assert "@import" not in page
    assert "url(" not in page


def test_the_policy_names_the_script_and_the_style(page: str) -> None:
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    said = policy[1].replace("&#39;", "'")
    assert said.startswith("default-src 'none'; ")
    for text in (
        block(page, '<script type="module"'),
        page.split("<style>")[1].split("</style>", maxsplit=1)[0],
    ):
        name = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{name}'" in said


def test_the_log_stands_in_the_page(page: str, log: bytes) -> None:
    assert base64.b64decode(block(page, '<script type="text/plain"')) == log


def test_the_page_is_the_same_in_another_process(log: bytes, page: str) -> None:
    code = (
        "import sys; from pbem.site import page_of; sys.stdout.buffer.write(page_of(sys.stdin.buffer.read()))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "1"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, input=log, capture_output=True, check=True, env=environment)
    assert done.stdout.decode() == page


def test_diaries_are_what_the_replay_tells(log: bytes) -> None:
    tale = tell(log).tale
    for place, seat in enumerate((None, *(seat.id for seat in tale.seats))):
        for moment, told in zip(tale.moments, replay(log, Reader(seat)).pages, strict=True):
            assert (moment.n, moment.turn) == (told.n, told.turn)
            assert text_of(tale, moment.eyes[place].diary) == told.text.splitlines()


def text_of(tale: Tale, runs: list[int]) -> list[str]:
    pairs = zip(runs[::2], runs[1::2], strict=True)
    return [line for start, count in pairs for line in tale.lines[start : start + count]]


def test_no_seat_is_shown_what_another_holds(log: bytes) -> None:
    """Each pair of eyes has its own picture wherever views differ; the public's is in none of the seats' places."""
    tale = tell(log).tale
    hands = {tuple(map(tuple, (seen.picture for seen in moment.eyes))) for moment in tale.moments}
    assert all(len(set(pictures)) == len(pictures) for pictures in hands)


@pytest.mark.parametrize("name", ["start", "middle", "fault", "nothing", "noise", "cancelled"])
def test_a_page_stands_whatever_the_log_is(name: str, log: bytes) -> None:
    lines = list(lines_of(log))
    spoilt = b"".join(lines[:20]) + lines[20].replace(b'"n":20', b'"n":21') + b"".join(lines[21:])
    data = {
        "start": lines[0],
        "middle": b"".join(lines[:30]),
        "fault": spoilt,
        "nothing": b"",
        "noise": bytes(range(256)) * 20,
        "cancelled": b"".join(make(Plan(GAMES[0], GAMES[0].seats[:2], cancelled=True))),
    }[name]
    page = page_of(data)
    valid(page)
    told = tell(data)
    assert told.report.verdict == audit(data).verdict
    assert not any(moment.eyes for moment in told.tale.moments)
    assert len(told.tale.moments) == sum(
        b'"events"' in line for line in lines[: len(told.collected.steps)] if name in {"middle", "fault"}
    )


def test_hostile_words_stay_words() -> None:
    """A host may write what he likes in an archive that level 1 does not object to."""

    def named(record: dict[str, Any]) -> None:
        if record["kind"] == "names":
            record["names"] = dict.fromkeys(record["names"], HOSTILE)

    seats = GAMES[0].seats[:2]
    log = b"".join(make(Plan(GAMES[0], seats, seed=4, cancelled=True, named=True, edit=named)))
    page = page_of(log)
    root = valid(page)
    assert len(root.findall(".//script")) == 4
    assert b"alert(1)</script>" not in page
    assert b"{{ 7" in page
    tale = msgspec.json.decode(block(page.decode(), '<script type="application/json" id="tale"'), type=Tale)
    assert [seat.player for seat in tale.seats] == [HOSTILE] * 2


def test_the_script_says_nothing_of_its_own() -> None:
    """Every key of a sentence has one, every sentence is used, and no element is given English."""
    text = bundle("page")
    said = set(re.findall(r'"([a-z]+\.[a-z]+)"', text)) - {"game.pbem"}
    kinds = {f"moment.{kind}" for kind in ("start", "move", "timeout", "resign")}
    assert said | kinds == set(PHRASES)
    glued = re.findall(r'(?:textContent = |element\("[a-z0-9]+", \{[^}]*\}, )"[^"]+"', text)
    assert not glued


def test_every_code_of_the_page_has_its_sentences() -> None:
    codes = set(re.findall(r'refuse\("((?:log|seal|file|audit)/[a-z-]+)"', bundle("page")))
    assert len(codes) > 50
    said = code_sentences("en")
    assert codes <= set(said)
    assert not [code for code in codes if "send it" in said[code][2]], (
        "advice for who wrote a file, not for a reader"
    )


def test_modules_are_short() -> None:
    names = sorted(path.stem for path in JS.glob("*.mjs"))
    assert len(names) > 12
    assert all(len(source(name).splitlines()) < 400 for name in names)
