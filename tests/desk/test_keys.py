"""Keys, their files, their words and their signatures: the page's and the kit's are the same."""

from __future__ import annotations

import hashlib
import json
import random
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from engine import Refused
from pbem.log.canonical import canonical
from pbem.log.seal import PrivateKey, public_of, sign
from pbem.player.keys import key_file, locked_file, read_key
from pbem.player.paper import from_words, to_words
from tests.desk import HERE
from tests.pages.node import node

SCRIPT = str(HERE / "keys.mjs")
RAWS = [bytes(32), bytes(range(32)), b"\xff" * 32, *(hashlib.sha256(b"%d" % n).digest() for n in range(5))]
KEY = PrivateKey(RAWS[-1])
CHANCE = hashlib.sha256(b"chance").digest()[:28]


def told(*rows: Any) -> list[Any]:
    return node(SCRIPT, [msgspec.json.encode(row) for row in rows])


def test_key_files_are_the_same() -> None:
    assert told(*({"do": "file", "raw": raw.hex()} for raw in RAWS)) == [
        key_file(PrivateKey(raw)).decode() for raw in RAWS
    ]


def test_locked_files_are_the_same_and_open_in_both() -> None:
    for passphrase in ("x", " Tanév “é” \U0001f511"):
        file = locked_file(KEY, passphrase, CHANCE).decode()
        row = {"do": "lock", "raw": KEY.raw.hex(), "passphrase": passphrase, "chance": CHANCE.hex()}
        opened = {"do": "read", "file": file, "passphrase": passphrase}
        assert told(row, opened) == [file, KEY.raw.hex()]
        assert read_key(file.encode(), "k", passphrase) == KEY


def test_the_same_files_are_refused() -> None:
    plain, locked = json.loads(key_file(KEY)), json.loads(locked_file(KEY, "x", CHANCE))
    changed = [
        ({**plain, "check": "0" * 16}, ""),
        ({**plain, "public_key": public_of(PrivateKey(RAWS[0])).hex()}, ""),
        ({**plain, "more": 1}, ""),
        ({**plain, "v": 2}, ""),
        ({**plain, "private_key": plain["private_key"][2:]}, ""),
        ({**plain, "kind": "view"}, ""),
        ({**locked, "public_key": public_of(PrivateKey(RAWS[0])).hex()}, "x"),
        ({**locked, "locked": {**locked["locked"], "rounds": 600_001}}, "x"),
        ({**locked, "locked": {**locked["locked"], "rounds": 10**9}}, "x"),
        ({**locked, "locked": {**locked["locked"], "salt": ""}}, "x"),
        (locked, ""),
        (locked, "X"),
        ([1], ""),
    ]
    rows = [{"do": "read", "file": json.dumps(value), "passphrase": word} for value, word in changed]
    for found, (value, word) in zip(told(*rows), changed, strict=True):
        with pytest.raises(Refused) as refused:
            read_key(json.dumps(value).encode(), "k", word)
        assert found == {"code": refused.value.refusal.code}, value


def test_words_are_the_same_and_read_back() -> None:
    assert told(*({"do": "words", "raw": raw.hex()} for raw in RAWS)) == [
        list(to_words(PrivateKey(raw))) for raw in RAWS
    ]
    spelt = [" ".join(f"{n}. {word[:4].upper()}" for n, word in enumerate(to_words(KEY), 1))]
    spelt.append(",".join(to_words(KEY)))
    assert told(*({"do": "spell", "words": one} for one in spelt)) == [KEY.raw.hex()] * 2
    swapped = [*to_words(KEY)]
    swapped[3], swapped[7] = swapped[7], swapped[3]
    for wrong in ("abandon " * 24, "abandon", " ".join(swapped), " ".join(["qqqq", *to_words(KEY)[1:]])):
        assert told({"do": "spell", "words": wrong}) == [{"code": "kit/words"}]
        with pytest.raises(Refused, match="kit/words"):
            from_words(wrong)


def test_signatures_are_the_same() -> None:
    """By Python, by Node's Ed25519, and by the page's own arithmetic; RFC 8032 leaves nothing to chance."""
    chance = random.Random("signatures")
    for raw in RAWS:
        payload = {
            "kind": chance.choice(["move", "join"]),
            "text": "ä\U0001f3b2",
            "n": chance.randrange(2**50),
        }
        (found,) = told({"do": "sign", "raw": raw.hex(), "payload": payload})
        expected = sign(PrivateKey(raw), payload["kind"], canonical(payload))  # type: ignore[arg-type]
        public = Ed25519PrivateKey.from_private_bytes(raw).public_key().public_bytes_raw().hex()
        assert found == {
            "public": public,
            "sig": expected,
            "slow": {"public": public, "val": expected["val"]},
        }
