"""Whole games of every ruleset through the page, at 360 pixels, against a real service by mail: from the invitation to
the archive, by what the page's player sees and nothing else.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from engine import GAMES, AnyGame
from pbem.audit.audit import audit
from pbem.turn.desk_file import desk_file
from tests.browser.desk import DeskPage
from tests.browser.table import Table, open_table

pytestmark = pytest.mark.needs("browser")

SEATS = {game.id: (game.seats[0], game.seats[1]) for game in GAMES}
SHORT = 3
"""Moves in the page, after which the other player leaves; `make soak` plays to the end."""


def play(table: Table, opened: DeskPage, most: int) -> int:
    """Plays through the page until the game is over, or `most` moves are made and the other leaves; the moves made."""
    page, mine = opened.page, table.mine

    def give() -> None:
        letters = table.new_letters()
        assert letters
        for code in opened.give(*letters):
            assert code == "", code

    def answer() -> None:
        page.click("#sign")
        table.mail(mine, page.inner_text("#address"), opened.signed())

    # 1. a new player, with a mail and nothing else
    give()
    page.click("#make-key")
    answer()
    table.other_joins()
    give()
    answer()
    table.other_confirms()
    # 2. letters in, moves out
    made = 0
    while table.view(mine).head.phase == "play":
        if made == most:
            table.other_leaves()
        elif not table.asked(mine):
            assert table.other_moves(), "somebody is waited for"
        else:
            give()
            opened.orders(table.game, table.turn())
            answer()
            made += 1
    # 3. the end
    give()
    return made


def whole(browser: Browser, path: Path, game: AnyGame, most: int) -> None:
    file = path / "desk.html"
    file.write_bytes(desk_file().data)
    page = browser.new_page(viewport={"width": 360, "height": 800})
    try:
        with open_table(path, game, SEATS[game.id]) as table:
            opened = DeskPage(page).open(file.as_uri())
            made = play(table, opened, most)
            assert made > 0
            log = table.archive()
            report = audit(log)
            assert report.exit_code == 0, report
            checks = opened.text("#checks")
            assert "sound and finished" in checks
            assert "drawn again with the same result" in checks
            page.click("#part-check details > summary")
            _, kept = opened.saved("#save-log")
            assert kept == log, "the page has the whole log, out of letters alone"
            assert opened.text("#waiting") == "Nothing; the game is over."
            assert opened.problems == []
            assert [url for url in opened.requests if not url.startswith(("blob:", "data:"))] == [page.url]
    finally:
        page.close()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_short_game_through_the_page(browser: Browser, tmp_path: Path, game: AnyGame) -> None:
    whole(browser, tmp_path, game, SHORT)


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_whole_game_through_the_page(browser: Browser, tmp_path: Path, game: AnyGame) -> None:
    whole(browser, tmp_path, game, 10_000)
