"""Every mail of fixtures/mails through the door of a running service: nothing stops the mail that comes after it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from pathlib import Path

import aiosmtplib

from tests.service.house import open_house

MAILS = Path(__file__).resolve().parents[2] / "fixtures" / "mails"


def batched(mails: Iterable[tuple[int, Path]]) -> Iterator[list[tuple[int, Path]]]:
    """As many as the door takes from one connection, and fewer."""
    left = list(mails)
    while left:
        yield left[:100]
        left = left[100:]


def test_no_mail_stops_the_next(tmp_path: Path) -> None:
    files = sorted(MAILS.rglob("*.eml"))
    assert len(files) > 150

    async def said() -> None:
        async with open_house(tmp_path, per_sender=0) as house:
            red = (await house.players(await house.game()))["red"]
            refused: list[int] = []
            for some in batched(enumerate(files)):
                client = aiosmtplib.SMTP(
                    hostname=house.door.host, port=house.door.port, start_tls=False, timeout=20
                )
                async with client:
                    for number, path in some:
                        to = red.invitation.address if number % 2 else "games@pbem.example.org"
                        try:
                            await client.sendmail(red.address, [to], path.read_bytes())
                        except aiosmtplib.SMTPResponseException as error:
                            refused.append(error.code)
            await house.service.wait_idle()
            rows = house.rows("inbox", "id, state, outcome")
            assert {row.state for row in rows} == {"done"}
            assert len(rows) + len(refused) >= len(files) - 10
            # too long, or to the service itself and of a game that is not here
            assert set(refused) <= {500, 550, 552}
            assert len({row.outcome for row in rows}) > 8
            await red.mail(red.join())
            assert house.rows("inbox", "id, outcome")[-1].outcome == "taken"
            # whatever was sent, few letters came of it
            assert len(red.posts) <= 30

    asyncio.run(said())
