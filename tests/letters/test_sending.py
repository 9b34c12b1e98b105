"""Pictures are made by the sender, once: stored before a letter is sent, and sent again as they were stored."""

from __future__ import annotations

import asyncio
import multiprocessing
import threading
from multiprocessing import Pipe
from pathlib import Path

import pytest

from pbem.log.payloads import Pictures
from pbem.player.time_answers import settings_envelope
from pbem.service import artist, tables
from pbem.service.artist import Artist, answer_all, wanted
from pbem.turn.dress import dress
from tests.letters.made import asking, find, parts
from tests.service.house import begin, open_house


def test_a_letter_is_drawn_once_stored_and_resent_as_it_was(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path, pictures="on") as house:
            players = await begin(house, await house.game())
            red = players["red"]
            rows = house.rows("outbox", "id, message_id, raw, look")
            assert all(row.look == "" for row in rows), "nothing is left to be drawn"
            raws = {f"<{row.message_id}>": row.raw for row in rows}
            assert all(post.raw == raws[post.message_id] for post in house.mailbox.posts)
            last = red.posts[-1]
            assert {"text/html", "text/plain"} <= set(parts(last.raw))
            assert sum(name.endswith((".png", ".svg")) for name in parts(last.raw)) == 2
            drawn = [post for post in house.mailbox.posts if b"image/png" in post.raw]
            assert len(drawn) == 2, "the game begins for two; joins and confirmations show no board"
            # the mail server had it, and the service died before that was written down
            with house.service.database.write() as tx:
                tx.execute(tables.outbox.update().values(state="new"))
            house.service._outbox_bell.ring()
            await house.service.wait_idle()
            assert red.posts[-1].raw == last.raw
            assert red.posts[-1] is not last

    asyncio.run(said())


@pytest.mark.parametrize("pictures", ["off", "text"])
def test_each_player_says_what_he_wants(tmp_path: Path, pictures: str) -> None:
    async def said() -> None:
        async with open_house(tmp_path, pictures="off" if pictures == "text" else "text") as house:
            players = await begin(house, await house.game())
            red = players["red"]
            await red.mail(settings_envelope(red.key, red.view, pictures=pictures))
            assert b"pictures" in red.posts[-1].raw or b"text alone" in red.posts[-1].raw
            (asked,) = [one for one in players.values() if one.view.head.asked]
            await asked.mail(asked.move(lambda _: 0))
            html = {seat: "text/html" in parts(one.posts[-1].raw) for seat, one in players.items()}
            assert html == {"red": pictures == "off", "blue": pictures == "text"}
            assert all(b"image/png" not in one.posts[-1].raw for one in players.values())

    asyncio.run(said())


@pytest.mark.parametrize(
    ("look", "usual", "got"),
    [(":fi", "on", ("fi", "on")), ("off:en", "on", ("en", "off")), ("on:hu", "text", ("hu", "on"))],
)
def test_what_is_wanted_is_the_players_word_or_what_is_usual(
    look: str, usual: Pictures, got: tuple[str, Pictures]
) -> None:
    assert wanted(look, usual) == got


def test_the_process_draws_what_the_function_draws_and_is_started_anew_when_it_has_gone() -> None:
    letter = asking("arena")
    drawing = Artist()
    others = set(multiprocessing.active_children())
    try:
        expected = dress(letter.raw, find, "en", "off")
        assert drawing(letter.raw, "off:en") == expected
        (process,) = set(multiprocessing.active_children()) - others
        process.kill()
        process.join()
        assert drawing(letter.raw, "off:en") in (letter.raw, expected)
        assert drawing(letter.raw, "off:en") == expected
        assert drawing(letter.raw, "text:en") == letter.raw
    finally:
        drawing.close()


def test_what_cannot_be_drawn_is_sent_as_it_was_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the operator is told what kind of fault it was."""
    told: list[tuple[str, dict[str, object]]] = []

    def warn(event: str, **fields: object) -> None:
        told.append((event, fields))

    monkeypatch.setattr(artist, "warn", warn)
    damaged = asking("arena").raw.replace(b'"ruleset"', b'"rulesets"')
    drawing = Artist()
    try:
        assert drawing(damaged, ":en") == damaged
    finally:
        drawing.close()
    assert told == [("drawing-failed", {"error": "ValidationError"})]


def test_the_process_ends_when_nobody_asks_any_more() -> None:
    ours, theirs = Pipe()
    running = threading.Thread(target=answer_all, args=(theirs,), daemon=True)
    ours.close()
    running.start()
    running.join(30)
    assert not running.is_alive()
