"""A key on paper: 24 words, printed, written down, typed in again."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from mnemonic import Mnemonic

from engine import Refused, Say, words
from pbem.log.seal import PrivateKey
from pbem.player.keys import load_key
from pbem.player.paper import from_words, to_words
from tests.player.run import code, ok

KEY = PrivateKey(hashlib.sha256(b"paper").digest())
WORDS = list(to_words(KEY))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "kit"))
    monkeypatch.setenv("PBEM_LANG", "en")
    return tmp_path / "kit"


def test_the_words_of_bip_39() -> None:
    """A vector of the list's authors: 32 zero bytes."""
    assert " ".join(to_words(PrivateKey(bytes(32)))) == "abandon " * 23 + "art"


@pytest.mark.parametrize("seed", range(20))
def test_there_and_back(seed: int) -> None:
    key = PrivateKey(hashlib.sha256(f"{seed}".encode()).digest())
    assert from_words(" ".join(to_words(key))) == key


def test_numbered_shouted_and_shortened_words_are_read() -> None:
    assert from_words("\n".join(f"{n}. {word.upper()}" for n, word in enumerate(WORDS, 1))) == KEY
    assert from_words(" ".join(word[:4] for word in WORDS)) == KEY


@pytest.mark.parametrize(
    ("spoilt", "problem"),
    [
        (WORDS[:-1], "There"),
        ([*WORDS, WORDS[0]], "There"),
        ([], "There"),
        (["wyrm", *WORDS[1:]], "Word"),
        ([WORDS[1], WORDS[0], *WORDS[2:]], "The words do not belong together"),
        (["zoo", *WORDS[1:]], "The words do not belong together"),
    ],
)
def test_a_slip_of_the_pen_is_found(spoilt: list[str], problem: str) -> None:
    with pytest.raises(Refused) as refused:
        from_words(" ".join(spoilt))
    assert refused.value.refusal.code == "kit/words"
    said = refused.value.refusal.args["problem"]
    assert isinstance(said, Say)
    assert words(said).startswith(problem)


def test_the_command_prints_them_and_reads_them_back(home: Path) -> None:
    ok("key", "new")
    before = load_key(home / "key.json")
    printed = ok("key", "words")
    assert len([row for row in printed.splitlines() if row[:2].strip().isdigit()]) == 24
    (home / "key.json").rename(home / "lost.json")
    rows = [row for row in printed.splitlines() if row[:2].strip().isdigit()]
    assert "The key is in" in ok("key", "words", "--read", text="\n".join(rows))
    assert load_key(home / "key.json") == before
    assert code("key", "words", "--read", text="\n".join(rows)) == "kit/key-exists"
    assert code("key", "words", "--read", "--key", home / "other.json", text="one two") == "kit/words"
    assert not (home / "other.json").exists()


def test_every_word_is_known_by_four_letters() -> None:
    known = Mnemonic("english").wordlist
    assert len({word[:4] for word in known}) == len(known) == 2048
