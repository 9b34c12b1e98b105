"""What the receiving mail server says of a sender is a hint to the host; nothing is decided by it (mail 4.5)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pbem.service.hints import hint_of
from pbem.service.journal import COUNTS
from tests.service.house import open_house

OURS = "Authentication-Results: mx.example.org"
FAILS = f"{OURS}; spf=pass smtp.mailfrom=x.example; dmarc=fail (p=none) header.from=example.org"


@pytest.mark.parametrize(
    ("head", "hint"),
    [
        (FAILS, "fail"),
        (f"{OURS} 1; dmarc=pass", "pass"),
        (FAILS.replace("mx.", "MX."), "fail"),
        (f"{OURS};\r\n\tdkim=fail;\r\n\tdmarc=FAIL", "fail"),
        (f"{OURS}; dmarc=none", "none"),
        (f"{OURS}; spf=fail; dkim=fail", "none"),
        (f"{OURS}; none", "none"),
        (f"{OURS}; x=y (; dmarc=fail)", "none"),
        ("Subject: ; dmarc=fail", "none"),
        # of another server, or below that of ours
        (FAILS.replace("mx.", "mx.evil."), "none"),
        (f"{OURS}; dmarc=pass\r\n{FAILS}", "pass"),
        (f"Authentication-Results: other.example; dmarc=pass\r\n{FAILS}", "none"),
    ],
)
def test_only_the_topmost_field_of_our_own_server_counts(head: str, hint: str) -> None:
    raw = f"{head}\r\nFrom: a@example.org\r\n\r\nhello\r\n".encode()
    assert hint_of(raw, "mx.example.org") == hint
    assert hint_of(raw, "") == "none"


def test_a_join_that_its_domain_disowns_counts_and_the_host_is_told(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path, authserv="mx.example.org") as house:
            players = await house.players(await house.game())
            before = COUNTS["join-doubtful"]
            await players["red"].mail(players["red"].join(), f"{OURS}; dmarc=pass")
            assert COUNTS["join-doubtful"] == before
            await players["blue"].mail(players["blue"].join(), FAILS)
            assert COUNTS["join-doubtful"] == before + 1
            # what is signed needs no vouching
            await players["blue"].mail(players["blue"].ready(), FAILS)
            assert COUNTS["join-doubtful"] == before + 1
            assert [row.outcome for row in house.rows("inbox", "id, outcome")] == ["taken"] * 3

    asyncio.run(said())
