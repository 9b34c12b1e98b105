"""Key files: made once, whole, and for their owner only."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Refused
from pbem.cli.player import passphrase_of
from pbem.log.seal import PrivateKey, key_id, public_of
from pbem.player.keys import is_locked, key_file, locked_file, read_key, save_key
from tests.player.host import key_of
from tests.player.run import code, ok, put, use_key


def test_a_new_key_is_private_and_never_overwritten(home: Path) -> None:
    ok("key", "new")
    path = home / "key.json"
    before = path.read_bytes()
    assert path.stat().st_mode & 0o777 == 0o600
    assert home.stat().st_mode & 0o777 == 0o700
    assert code("key", "new") == "kit/key-exists"
    assert path.read_bytes() == before
    assert [file.name for file in home.iterdir()] == ["key.json"]


def test_two_new_keys_differ() -> None:
    ok("key", "new", "--key", "a.json")
    ok("key", "new", "--key", "b.json")
    first, second = (read_key(Path(name).read_bytes(), name) for name in ("a.json", "b.json"))
    assert first.raw != second.raw


def test_a_name_that_a_dangling_link_has_is_taken() -> None:
    Path("key.json").symlink_to("nowhere.json")
    assert code("key", "new", "--key", "key.json") == "kit/key-exists"
    assert not Path("nowhere.json").exists()


def test_without_hard_links_a_key_is_written_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse_links(_old: str, _new: Path) -> None:
        raise PermissionError("no hard links here")

    monkeypatch.setattr(os, "link", refuse_links)
    save_key(Path("k.json"), key_of("ash"))
    assert read_key(Path("k.json").read_bytes(), "k.json").raw == key_of("ash").raw
    with pytest.raises(Refused, match="kit/key-exists"):
        save_key(Path("k.json"), key_of("oak"))
    assert os.listdir() == ["k.json"]


def test_key_show_gives_the_public_half_only(home: Path) -> None:
    use_key(home, "ash")
    public = public_of(key_of("ash"))
    text = ok("key", "show")
    shown = json.loads(ok("key", "show", "--json"))
    assert shown == {"file": str(home / "key.json"), "id": key_id(public), "public_key": public.hex()}
    assert public.hex()[:4] + " " + public.hex()[4:8] in text
    assert key_of("ash").raw.hex() not in text.replace(" ", "") + str(shown)


def test_a_key_that_others_can_read_is_warned_of(home: Path) -> None:
    use_key(home, "ash")
    (home / "key.json").chmod(0o644)
    assert "chmod 600" in ok("key", "show")


def test_no_key_and_no_key_file() -> None:
    assert code("key", "show") == "kit/no-key"
    for junk in (b"", b"[1, 2]", b"\x00\xff\xfe", b'{"kind": "view"}', b"{" * 4000):
        assert code("key", "show", "--key", put("k.json", junk)) == "kit/not-a-key"
    Path("folder").mkdir()
    assert code("key", "show", "--key", "folder") == "cli/file"


@given(st.binary(min_size=32, max_size=32))
def test_a_key_file_reads_back(raw: bytes) -> None:
    assert read_key(key_file(PrivateKey(raw)), "k").raw == raw


@given(st.data())
def test_a_changed_digit_in_a_key_file_is_found(data: st.DataObject) -> None:
    file = key_file(key_of("ash")).decode()
    start = file.index('"private_key": "') + len('"private_key": "')
    place = data.draw(st.integers(start, start + 63))
    digit = data.draw(st.sampled_from([one for one in "0123456789abcdef" if one != file[place]]))
    with pytest.raises(Refused, match="kit/key-damaged"):
        read_key((file[:place] + digit + file[place + 1 :]).encode(), "k")


def test_a_key_prints_as_nothing() -> None:
    assert key_of("ash").raw.hex() not in repr(key_of("ash"))


def test_a_locked_key_opens_with_its_passphrase_only() -> None:
    """However a keyboard spells it: é may be one letter or two."""
    file = locked_file(key_of("ash"), "Tanév é", bytes(range(28)))
    assert key_of("ash").raw.hex().encode() not in file
    assert is_locked(file)
    assert read_key(file, "k", "Tanév e\u0301") == key_of("ash")
    for passphrase, refused in (("", "kit/key-locked"), ("tanév é", "kit/passphrase")):
        with pytest.raises(Refused, match=refused):
            read_key(file, "k", passphrase)


def test_a_locked_key_is_bound_to_its_public_half() -> None:
    file = json.loads(locked_file(key_of("ash"), "x", bytes(28)))
    other = {**file, "public_key": public_of(key_of("oak")).hex()}
    with pytest.raises(Refused, match="kit/passphrase"):
        read_key(json.dumps(other).encode(), "k", "x")
    for lock in ({"rounds": 0}, {"rounds": 10**9}, {"salt": "00"}, {"cipher": "none"}, {"data": "zz"}):
        with pytest.raises(Refused, match="kit/key-damaged"):
            read_key(json.dumps({**file, "locked": {**file["locked"], **lock}}).encode(), "k", "x")


def test_keys_with_a_passphrase_at_the_terminal(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_PASSPHRASE", "as above, so below")
    ok("key", "new", "--passphrase")
    assert is_locked((home / "key.json").read_bytes())
    public = json.loads(ok("key", "show", "--json"))["public_key"]
    ok("key", "copy", "plain.json")
    assert public_of(read_key(Path("plain.json").read_bytes(), "plain")).hex() == public
    assert code("key", "copy", "plain.json", "--passphrase") == "kit/key-exists"
    passphrase_of.cache_clear()
    monkeypatch.delenv("PBEM_PASSPHRASE")
    assert code("key", "show") == "kit/key-locked"
    passphrase_of.cache_clear()
    monkeypatch.setenv("PBEM_PASSPHRASE", "another")
    assert code("key", "show") == "kit/passphrase"
