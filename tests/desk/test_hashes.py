"""The page's own hashes, for browsers that keep theirs: of every length around a block, as Python's."""

from __future__ import annotations

import hashlib
import hmac
import random

from tests.desk import HERE
from tests.pages.node import node


def test_hashes_are_right() -> None:
    chance = random.Random("hashes")
    rows = [
        chance.randbytes(size)
        for size in (*range(0, 260, 3), 55, 56, 63, 64, 111, 112, 127, 128, 1000, 70_000)
    ]
    for row, found in zip(rows, node(str(HERE / "hashes.mjs"), rows), strict=True):
        half = len(row) // 2
        mac = hmac.digest(row[:half], row[half:], "sha256").hex()
        assert found == [hashlib.sha256(row).hexdigest(), hashlib.sha512(row).hexdigest(), mac], len(row)
