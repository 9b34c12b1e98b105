"""docs/format.md: its vectors are what the code makes, and a stranger's verifier gets the same from them."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from pbem.log.ledger import lines_of, verify
from pbem.log.order import MAY_COME
from pbem.log.record import KINDS
from tests.archive.minimal import check, verifier
from tests.archive.vectors import PAGE, block, on_page

Json = dict[str, Any]


@pytest.fixture(scope="module")
def vectors() -> Json:
    value: Json = json.loads(on_page())
    return value


@pytest.fixture(scope="module")
def stranger() -> Any:
    return verifier()


def test_the_page_has_the_vectors_that_the_code_makes() -> None:
    assert on_page() == block(), "write them anew: python -m tests.archive.vectors"


def test_the_page_names_every_kind_in_every_phase() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for kind in KINDS:
        assert f"| `{kind}` | " in text
    for phase, kinds in MAY_COME.items():
        row = next(line for line in text.splitlines() if line.startswith(f"| {phase} | "))
        named = {one.strip(" `") for one in row.split("|")[2].split(",")}
        assert named == {str(one.__struct_config__.tag) for one in kinds}


def test_a_stranger_gets_the_same_bytes(vectors: Json, stranger: Any) -> None:
    one = vectors["canonical"]
    assert stranger.canon(one["value"]) == one["bytes"].encode()
    assert stranger.sha(one["bytes"].encode()).hex() == one["sha256"]
    two = vectors["ctx"]
    parts = [bytes.fromhex(p["hex"]) if "hex" in p else p.get("int", p.get("text")) for p in two["parts"]]
    assert stranger.ctx(two["label"], *parts).hex() == two["hex"]


def test_a_stranger_accepts_the_seal_and_no_unsound_key(vectors: Json, stranger: Any) -> None:
    one = vectors["seal"]
    public = bytes.fromhex(one["public"])
    stranger.seal(public, one["kind"], json.loads(one["payload"]), one["sig"])
    Ed25519PublicKey.from_public_bytes(public).verify(
        base64.b64decode(one["sig"]["val"]), one["signed_bytes"].encode()
    )
    assert stranger.sound(public)
    assert not any(stranger.sound(bytes.fromhex(key)) for key in one["unsound_keys"])


def test_a_stranger_follows_the_chain(vectors: Json, stranger: Any) -> None:
    one = vectors["chain"]
    value = bytes.fromhex(one["links"]["4096"])
    for k in range(4095, -1, -1):
        value = stranger.sha(stranger.ctx("chain", one["game"], one["seat"], value))
        assert one["links"].get(str(k), value.hex()) == value.hex()


def test_a_stranger_rolls_the_same_dice(vectors: Json, stranger: Any) -> None:
    one, turn = vectors["dice"], vectors["dice"]["turn_1"]
    un, ctx, sha, lp = bytes.fromhex, stranger.ctx, stranger.sha, stranger.lp
    seats = sorted(one["seats"], key=lambda seat: un(seat["public_key"]))
    pairs = [un(seat[field]) for seat in seats for field in ("tip", "link_1")]
    setup = sha(ctx("setup", un(one["charter"]), un(one["host_links"][1]), *pairs))
    assert (setup.hex(), sha(ctx("acc0", setup)).hex()) == (one["setup"], one["acc_0"])
    reveals = b"".join(lp(i) + lp(un(reveal)) for i, reveal in enumerate(turn["reveals"]))
    acc = sha(ctx("acc", un(one["acc_0"]), 1, un(turn["host_link"])) + reveals)
    assert acc.hex() == turn["acc_1"]
    for draw in one["draws_of_turn_1"]:
        assert stranger.again(acc, ctx("public", one["game"], 1, draw["label"]), draw) == draw["values"]
    hidden = un(one["k_hidden"])
    assert sha(ctx("hidden-commit", one["game"], hidden)).hex() == one["hidden_commit"]
    for draw in one["hidden_draws_of_turn_1"]:
        assert stranger.again(hidden, ctx("hidden", one["game"], draw["label"], acc), draw) == draw["values"]


def test_both_verifiers_judge_the_log_and_its_faults(vectors: Json) -> None:
    log = "".join(line + "\n" for line in vectors["log"])
    assert check(log.encode(), secrets=True) == ("finished", 0)
    assert verify(lines_of(log.encode())).verdict == "finished"
    for fault in vectors["faults"]:
        data = log.replace(fault["replace"], fault["by"]).encode()
        report = verify(lines_of(data))
        assert report.fault is not None, fault
        assert report.fault.line == fault["line"], fault
        assert check(data, secrets=False) == ("fault", fault["line"]), fault
