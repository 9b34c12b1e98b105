"""What else lies in a mail beside a move: the one before it, quoted; letters of ours; files that nobody opens."""

from __future__ import annotations

import asyncio
import base64
import email
import re
import zlib
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from tests.service.house import House, Player, begin, open_house, stream

Build = Callable[[str, str], bytes]
"""From the text of the move that is due and of an older one to a mail's type and body."""


def quoted(text: str) -> str:
    return "\nOn Monday I wrote:\n" + "".join(f"> {line}\n" for line in text.splitlines())


def attached(words: str, data: bytes, kind: str, name: str, *more: bytes) -> bytes:
    file = b"".join(
        (
            f'Content-Type: {kind}; name="{name}"\n'.encode(),
            b"Content-Disposition: attachment\nContent-Transfer-Encoding: base64\n\n",
            base64.encodebytes(data),
        )
    )
    parts = (b"Content-Type: text/plain\n\n" + words.encode(), file, *more)
    body = b"".join(b"--=_b\n" + part + b"\n" for part in parts)
    return b'Content-Type: multipart/mixed; boundary="=_b"\n\n' + body + b"--=_b--\n"


def text(words: str) -> bytes:
    return b"Content-Type: text/plain; charset=utf-8\n\n" + words.encode()


class Round:
    """A game under way, in which somebody is asked who has moved before."""

    def __init__(self, house: House, me: Player, older: list[str]) -> None:
        self.house, self.me, self.older = house, me, older
        self.newer = self.text_of("newer")
        self.letter = me.posts[-1]

    def text_of(self, label: str) -> str:
        return self.me.move(stream(label)).text().decode()

    async def outcome(self, content: bytes, answered: bool = True) -> str:
        """What came of a mail with this content."""
        head = f"From: {self.me.address}\nTo: {self.me.invitation.address}\nSubject: Re: my move\n"
        name = f"Message-ID: <{self.house.clock.seconds}@example.org>\n"
        before = len(self.me.posts)
        await self.me.hand_in((head + name).encode() + content)
        assert (len(self.me.posts) > before) == answered
        self.house.clock.seconds += 90_000
        outcome: str = self.house.rows("inbox", "id, outcome")[-1].outcome
        return outcome


@asynccontextmanager
async def under_way(path: Path) -> AsyncGenerator[Round]:
    async with open_house(path) as house:
        players = await begin(house, await house.game())
        older: dict[str, list[str]] = {seat: [] for seat in players}
        below = stream("quoted")
        me = players["red"]
        while len(older[me.seat]) < 2 or not me.view.menu.asked:
            (asked,) = [one for one in players.values() if one.view.menu.asked]
            envelope = asked.move(below)
            older[asked.seat].append(envelope.text().decode())
            await asked.mail(envelope)
        yield Round(house, me, older[me.seat])


def test_a_new_move_above_the_last_one_which_was_recorded_is_taken(tmp_path: Path) -> None:
    """Who answered his own mail of the last turn heard that there were two moves in it."""

    async def said() -> None:
        async with under_way(tmp_path) as game:
            assert (
                await game.outcome(text(game.newer + quoted(game.older[-1] + quoted(game.older[0]))))
                == "taken"
            )

    asyncio.run(said())


def test_a_new_move_below_the_last_one_is_taken(tmp_path: Path) -> None:
    async def said() -> None:
        async with under_way(tmp_path) as game:
            assert await game.outcome(text(quoted(game.older[-1]) + "\n" + game.newer)) == "taken"

    asyncio.run(said())


def test_two_that_are_both_to_come_are_not_chosen_from(tmp_path: Path) -> None:
    async def said() -> None:
        async with under_way(tmp_path) as game:
            other = game.text_of("other")
            assert other != game.newer
            for older in ("", quoted(game.older[-1])):
                assert await game.outcome(text(game.newer + "\n" + other + older)) == "mail/two-moves"

    asyncio.run(said())


def test_a_torn_move_above_a_recorded_one_is_told(tmp_path: Path) -> None:
    """It was answered that the quoted move had been recorded, and its player believed that the new one was."""

    async def said() -> None:
        async with under_way(tmp_path) as game:
            new, old = game.newer, quoted(game.older[-1])
            torn = new[: new.index('"rev"')]
            for content in (
                text(torn + old),
                text(new.replace('"seat"', '"se') + old),
                text(quoted(torn) + old),
                attached(old, torn.encode(), "application/json", "move.json"),
            ):
                assert await game.outcome(content) == "mail/damaged"

    asyncio.run(said())


def test_a_torn_move_above_one_that_was_never_sent_is_told_if_it_shows_that_it_is_the_later(
    tmp_path: Path,
) -> None:
    """The older one was played: it is sound, and nobody had looked at what stood above it."""

    async def said() -> None:
        async with under_way(tmp_path) as game:
            first = game.newer
            rev = re.search(r'"rev": (\d+)', first)
            assert rev is not None
            second = first.replace(rev[0], f'"rev": {int(rev[1]) + 1}').replace('"seat"', '"se')
            assert await game.outcome(text(second + quoted(first))) == "mail/damaged"
            spoilt = first.replace('"seat"', '"se')
            assert await game.outcome(text(spoilt + quoted(first))) == "taken"

    asyncio.run(said())


def test_a_torn_copy_of_a_move_does_no_harm(tmp_path: Path) -> None:
    async def said() -> None:
        async with under_way(tmp_path) as game:
            new, old = game.newer, game.older[-1]
            # beside itself; an older one, which the quoting has spoilt; a view and a template of a later time
            view = next(
                one for one in game.letter.raw.decode("ascii").split("\r\n\r\n") if '"payload"' in one
            )
            for content in (
                text(old + "\n" + old[:400]),
                text(old + "\n" + quoted(game.older[0][:400])),
                text(old + "\n" + quoted(view[:600])),
            ):
                assert await game.outcome(content) == "again"
            assert await game.outcome(text(new[:400] + "\n" + new + quoted(old[:400]))) == "taken"
            assert await game.outcome(text(new + "\n" + new[:400])) == "again"

    asyncio.run(said())


def test_a_file_that_cannot_be_read_beside_a_recorded_move_is_told_to_who_is_asked(tmp_path: Path) -> None:
    """It was answered that the quoted move had been recorded already."""

    async def said() -> None:
        async with under_way(tmp_path) as game:
            packed = b"PK\x03\x04" + zlib.compress(game.newer.encode())
            with_zip = attached(quoted(game.older[-1]), packed, "application/zip", "move.zip")
            assert await game.outcome(with_zip) == "mail/zip"
            beside = attached(game.newer, packed, "application/zip", "move.zip")
            assert await game.outcome(beside) == "taken"
            # the same once more, as mail servers do; nobody waits for him
            assert not game.me.view.menu.asked
            assert await game.outcome(beside) == "again"

    asyncio.run(said())


def test_letters_of_ours_beside_a_file_are_not_what_is_told(tmp_path: Path) -> None:
    """Who forwarded his letter, files and all, with his move in a zip heard that a view is no move."""

    async def said() -> None:
        async with under_way(tmp_path) as game:
            files = [
                part.as_bytes()
                for part in email.message_from_bytes(game.letter.raw).walk()
                if not part.is_multipart()
            ]
            for data, kind, code in (
                (b"PK\x03\x04..", "application/zip", "mail/zip"),
                (b"%PDF-1.7..", "application/pdf", "mail/other-file"),
            ):
                assert await game.outcome(attached("My move.\n", data, kind, "move", *files)) == code
            assert (
                await game.outcome(attached("My move.\n", b"GIF89a", "image/gif", "a.gif", *files))
                == "seal/a-view"
            )
            assert (
                await game.outcome(attached(game.newer, b"%PDF-", "application/pdf", "a.pdf", *files))
                == "taken"
            )

    asyncio.run(said())


def test_who_mails_his_key_is_told_what_to_do(tmp_path: Path) -> None:
    """A key in place of a move was passed over: nothing like a move in the mail, it was said, and no more."""

    async def said() -> None:
        async with under_way(tmp_path) as game:
            key = (
                b'{\n "kind": "pbem-key",\n "private_key": "%s",\n "v": 1\n}\n'
                % game.me.key.raw.hex().encode()
            )
            for content in (text(key.decode()), attached("My move.\n", key, "application/json", "key.json")):
                assert await game.outcome(content) == "mail/key"
            answer = game.me.posts[-1].raw
            assert b"pbem key rotate" in answer
            assert game.me.key.raw.hex().encode() not in answer

    asyncio.run(said())


def test_an_invitation_that_is_sent_back_is_told_from_an_answer(tmp_path: Path) -> None:
    """Its kind was called unknown, and the player told to look for another version of the kit."""

    async def said() -> None:
        async with open_house(tmp_path) as house:
            red = (await house.players(await house.game()))["red"]
            (file,) = [
                bytes(part.get_payload(decode=True))
                for part in email.message_from_bytes(red.posts[0].raw).walk()
                if str(part.get_filename()).endswith(".invitation.json")
            ]
            head = f"From: {red.address}\nTo: {red.invitation.address}\nSubject: Yes, please\n".encode()
            await red.hand_in(head + attached("Yes!\n", file, "application/json", "a.invitation.json"))
            assert house.rows("inbox", "id, outcome")[-1].outcome == "seal/a-view"
            assert b"`pbem join`" in red.posts[-1].raw
            await red.mail(red.join())
            assert house.rows("inbox", "id, outcome")[-1].outcome == "taken"

    asyncio.run(said())
