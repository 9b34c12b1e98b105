"""What players say to each other: to whom it goes, when, and what of it stays behind."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pbem.audit.audit import audit
from pbem.cli.asked import game_secrets, word
from pbem.player.answers import press_envelope
from pbem.service import games
from pbem.turn.desk import Person
from pbem.turn.opening import Plan
from pbem.turn.press import MOST_A_DAY, own_words
from tests.archive.minimal import check
from tests.people.desk import Desk, hosted
from tests.people.test_mail_commands import body
from tests.service.house import ARENA, House, Player, begin, open_house, play_on, stream

SEATS = ("red", "blue", "green")


async def table(house: House, terms: Mapping[str, Any]) -> dict[str, Player]:
    """Three players, and the house rules of their game."""
    people = {seat: Person(f"{seat}@example.org", word(house.chance, 16)) for seat in SEATS}
    plan = Plan(word(house.chance, 10), ARENA, {}, people, terms=terms)
    game = await house.service.create_game(plan, game_secrets(house.service.home.key, house.chance))
    await house.service.wait_idle()
    return await begin(house, game, SEATS)


def said(player: Player) -> list[str]:
    """The messages that he was mailed."""
    return [
        body(post)
        for post in player.posts
        if ".press." in post.message_id and "your message" not in post.subject
    ]


def log_of(house: House, game: str) -> bytes:
    return games.export(house.service.database, house.service.host, game, names=False, now=0)


def test_open_press_to_all_goes_out_at_once_and_leaves_a_record(tmp_path: Path) -> None:
    async def run() -> None:
        async with open_house(tmp_path) as house:
            players = await table(house, {"press": "open", "press_when": "once"})
            red, game = players["red"], players["red"].game
            envelope = press_envelope(red.key, red.view, "all", "Leave the wyrm alone!")
            await red.mail(envelope)
            for seat in ("blue", "green"):
                (text,) = said(players[seat])
                assert "Red wrote to all" in text
                assert "  | Leave the wyrm alone!" in text
            assert not said(red)
            assert "Record" in body(red.posts[-1])
            log = log_of(house, game)
            assert log.count(b'"kind":"press"') == 1
            assert b"wyrm alone" not in log
            # the very same again is a receipt, and no second message
            await red.mail(envelope)
            assert "already recorded" in red.posts[-1].subject
            assert len(said(players["blue"])) == 1
            await play_on(players, stream("press"), 3)
            await hosted(house, "game", "cancel", game, "--reason", "shown")
            archive = log_of(house, game)
            assert (audit(archive).verdict, audit(archive).code) == ("sound", "")
            assert check(archive, secrets=True) == ("finished", 0)
            assert b"wyrm alone" not in archive

    asyncio.run(run())


def test_private_press_waits_for_the_next_letter_and_leaves_nothing(tmp_path: Path) -> None:
    async def run() -> None:
        async with open_house(tmp_path) as house:
            players = await table(house, {"press": "open"})
            due = next(one for one in players.values() if one.view.menu.asked)
            author = next(one for one in players.values() if one is not due)
            before = log_of(house, due.game)
            await author.mail(press_envelope(author.key, author.view, [due.seat], "You and me?"))
            assert log_of(house, due.game) == before
            assert not said(due)
            await due.mail(due.move(stream("private")))
            (text,) = said(due)
            assert f"{author.seat.title()} wrote to you" in text
            others = [one for one in players.values() if one not in (due, author)]
            assert not any(said(one) for one in others)
            # not twice
            await play_on(players, stream("later"), 3)
            assert len(said(due)) == 1

    asyncio.run(run())


def test_in_an_anonymous_game_nobody_learns_who_wrote(tmp_path: Path) -> None:
    async def run() -> None:
        async with open_house(tmp_path) as house:
            players = await table(house, {"press": "anonymous", "press_when": "once"})
            red = players["red"]
            before = log_of(house, red.game)
            await red.mail(press_envelope(red.key, red.view, "all", "I know what you hold."))
            assert log_of(house, red.game) == before
            (text,) = said(players["blue"])
            assert "Somebody at the table wrote to all" in text
            assert "Red" not in text.partition("Somebody")[2]
            assert "red" not in text.partition("Subject:")[2].partition("\n")[0]

    asyncio.run(run())


def test_a_game_without_terms_has_no_press(tmp_path: Path) -> None:
    async def run() -> None:
        async with open_house(tmp_path) as house:
            players = await begin(house, await house.game())
            red = players["red"]
            await red.mail(press_envelope(red.key, red.view, "all", "Hello?"))
            assert "not accepted: fresh/no-press" in red.posts[-1].subject
            assert not said(players["blue"])

    asyncio.run(run())


@pytest.mark.parametrize(
    ("to", "text", "code"),
    [
        (["pink"], "x", "press/to"),
        (["red"], "x", "press/to"),
        ("all", "> only quoted\n>> twice", "press/empty"),
    ],
)
def test_what_is_not_passed_on(tmp_path: Path, to: list[str] | str, text: str, code: str) -> None:
    async def run() -> None:
        async with open_house(tmp_path) as house:
            players = await table(house, {"press": "open", "press_when": "once"})
            red = players["red"]
            await red.mail(press_envelope(red.key, red.view, to, text))
            assert f"not accepted: {code}" in red.posts[-1].subject
            assert not said(players["blue"])

    asyncio.run(run())


def test_nobody_talks_without_end(tmp_path: Path) -> None:
    async def run() -> None:
        async with open_house(tmp_path) as house:
            players = await table(house, {"press": "open", "press_when": "once"})
            red = players["red"]
            view = red.view
            for number in range(MOST_A_DAY + 2):
                revs = {**view.head.revs, "press": number}
                again = _with_revs(view, revs)
                await red.mail(press_envelope(red.key, again, ["blue"], f"Message {number}"))
            assert len(said(players["blue"])) == MOST_A_DAY
            assert "press/too-many" in red.posts[-1].subject
            house.clock.seconds += 86_400
            await red.mail(press_envelope(red.key, _with_revs(view, {"press": 99}), ["blue"], "A new day"))
            assert len(said(players["blue"])) == MOST_A_DAY + 1

    asyncio.run(run())


def _with_revs(view: Any, revs: dict[str, int]) -> Any:
    import msgspec

    return msgspec.structs.replace(view, head=msgspec.structs.replace(view.head, revs=revs))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Yes.\n\nOn Monday Blue wrote:\n> Shall we?\n", "Yes."),
        ("> Shall we?\nYes.\n", "Yes."),
        ("Am 3. schrieb Blau:\n>> a\n> b\nJa.\n-- \nRot\nTel. 1", "Ja."),
        ("one\n\ntwo\n-----Original Message-----\nsecret", "one\n\ntwo"),
        ("bell\x07 and \u202eevil", "bell  and  evil"),
        ("a > b is no quotation", "a > b is no quotation"),
    ],
)
def test_what_somebody_else_said_is_left_out(text: str, wanted: str) -> None:
    assert own_words(text) == wanted


def test_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`pbem game new --press`, `pbem press`: as typed."""

    async def run() -> None:
        async with open_house(tmp_path / "host") as house:
            told = await hosted(
                house,
                *("game", "new", "--ruleset", "arena", "--seat", "red=ann@example.org"),
                *("--seat", "blue=ben@example.org", "--press", "open", "--press-at-once"),
            )
            assert told["seats"] == ["red", "blue"]
            ann, ben = (Desk(house, f"{n}@example.org", tmp_path / n, monkeypatch) for n in ("ann", "ben"))
            for one in (ann, ben):
                await one.mail(one.type("join", one.saved()))
            for one in (ann, ben):
                await one.mail(one.type("ready", one.newest("please confirm")))
            await ann.mail(
                ann.type("press", ann.newest("begins", "your move"), "--to", "blue", text="Good luck!\n")
            )
            assert "  | Good luck!" in body(ben.posts[-1])

    asyncio.run(run())
