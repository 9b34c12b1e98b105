"""Seals, keys that are too weak to register, envelopes and payloads (protocol.md sections 3 and 4)."""

from __future__ import annotations

import base64
import json
import random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Refused
from pbem.log import curve
from pbem.log.canonical import VIEW, canonical, digest
from pbem.log.envelope import Envelope, Sealed, make_envelope, read_envelope, sealed_text, verify_envelope
from pbem.log.payloads import Join, Move, Ready, Resign, Standing, read_payload
from pbem.log.seal import (
    PrivateKey,
    check_public_key,
    key_id,
    pae,
    public_of,
    sign,
    verify,
)
from tests.log import edwards

ANN, BOB = PrivateKey(b"\x01" * 32), PrivateKey(b"\x02" * 32)
PUBLIC = public_of(ANN)
BASE = "ab" * 32
HEAD: dict[str, Any] = {"v": 1, "game": "g1", "seat": "red", "base": BASE}
MOVE = {**HEAD, "kind": "move", "turn": 3, "orders": [{"do": "end_turn"}], "rev": 2}


def code_of(caught: pytest.ExceptionInfo[Refused]) -> str:
    return caught.value.refusal.code


def test_pae_is_dsse_v1() -> None:
    assert pae("move", b"{}") == b"DSSEv1 30 application/vnd.pbem.move+json 2 {}"


def test_rfc_8032_key() -> None:
    private = PrivateKey(bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"))
    public = public_of(private)
    assert public.hex() == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    assert key_id(public) == digest(public)[:16]


def test_a_seal_holds_for_its_key_kind_and_payload_only() -> None:
    sig = sign(ANN, "move", b"{}")
    verify(PUBLIC, "move", b"{}", sig)
    for key, kind, payload, code in (
        (PUBLIC, "move", b"{} ", "seal/wrong"),
        (PUBLIC, "ready", b"{}", "seal/wrong"),
        (public_of(BOB), "move", b"{}", "seal/other-key"),
    ):
        with pytest.raises(Refused) as caught:
            verify(key, kind, payload, sig)
        assert code_of(caught) == code


def _other_padding(value: str) -> str:
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    return value[:85] + alphabet[alphabet.index(value[85]) + 1] + "=="


SIG = sign(ANN, "move", b"{}")
VALUE = SIG["val"]
SPELT: list[tuple[dict[str, Any], str]] = [
    ({**SIG, "alg": "ed25519 "}, "seal/shape"),
    ({**SIG, "alg": "none"}, "seal/shape"),
    ({**SIG, "more": "x"}, "seal/shape"),
    ({"alg": "ed25519", "val": VALUE}, "seal/shape"),
    ({**SIG, "val": 1}, "seal/shape"),
    ({**SIG, "val": VALUE + "\n"}, "seal/shape"),
    ({**SIG, "val": VALUE[:-2]}, "seal/shape"),
    ({**SIG, "val": _other_padding(VALUE)}, "seal/value"),
    ({**SIG, "val": "\n" + VALUE[:-1]}, "seal/value"),
    ({**SIG, "val": "é" + VALUE[1:]}, "seal/value"),
    ({**SIG, "val": "-" + VALUE[1:]}, "seal/value"),
    ({**SIG, "val": base64.b64encode(bytes(64)).decode()}, "seal/wrong"),
    ({**SIG, "key": SIG["key"].upper()}, "seal/other-key"),
    ({**SIG, "key": "é" * 16}, "seal/other-key"),
]


@pytest.mark.parametrize(("sig", "code"), SPELT, ids=range(len(SPELT)))
def test_a_seal_has_one_spelling(sig: dict[str, Any], code: str) -> None:
    with pytest.raises(Refused) as caught:
        verify(PUBLIC, "move", b"{}", sig)
    assert code_of(caught) == code


SMALL_ORDER = [
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
]
NOT_CANONICAL = [
    "0100000000000000000000000000000000000000000000000000000000000080",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "f0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "ff" * 32,
]


@pytest.mark.parametrize("key", SMALL_ORDER)
def test_points_of_small_order_are_points_but_no_keys(key: str) -> None:
    point = edwards.point_of(bytes.fromhex(key))
    assert point is not None
    assert edwards.encode(edwards.times(8, point)) == bytes.fromhex(SMALL_ORDER[0])
    with pytest.raises(Refused, match="weak-key"):
        check_public_key(bytes.fromhex(key))


@pytest.mark.parametrize("key", [*NOT_CANONICAL, "02" + "00" * 31, "00" * 31, "00" * 33, ""])
def test_what_is_no_canonical_point_is_no_key(key: str) -> None:
    assert curve.decode(bytes.fromhex(key)) is None
    with pytest.raises(Refused, match="weak-key"):
        check_public_key(bytes.fromhex(key))


@pytest.mark.parametrize("torsion", SMALL_ORDER[1:])
def test_a_key_with_a_part_of_small_order_is_mixed(torsion: str) -> None:
    good, part = edwards.point_of(PUBLIC), edwards.point_of(bytes.fromhex(torsion))
    assert good is not None
    assert part is not None
    mixed = edwards.encode(edwards.add(good, part))
    assert curve.decode(mixed) is not None
    with pytest.raises(Refused, match="weak-key"):
        check_public_key(mixed)


def test_soundness_is_what_its_definition_says() -> None:
    """Points of any order, and strings that are none: the short way by X25519 against ℓ additions by the book."""
    chance = random.Random(25519)
    keys = [bytes.fromhex(key) for key in (*SMALL_ORDER, *NOT_CANONICAL)]
    keys += [chance.randbytes(31) + bytes([chance.randrange(128)]) for _ in range(60)]
    for torsion in SMALL_ORDER:
        good, part = edwards.point_of(public_of(PrivateKey(chance.randbytes(32)))), bytes.fromhex(torsion)
        small = edwards.point_of(part)
        assert good is not None
        assert small is not None
        keys.append(edwards.encode(edwards.add(good, small)))
    said = {key: curve.is_sound(key) for key in keys}
    assert said == {key: edwards.has_prime_order(key) for key in keys}
    assert 4 <= sum(said.values()) <= 20


def test_the_trap_that_this_is_for() -> None:
    """Under the identity one fixed signature verifies every message, and the library takes it."""
    identity = bytes.fromhex(SMALL_ORDER[0])
    fixed = {
        "alg": "ed25519",
        "key": key_id(identity),
        "val": base64.b64encode(identity + bytes(32)).decode(),
    }
    verify(identity, "move", b"one", fixed)
    verify(identity, "move", b"two", fixed)


@settings(max_examples=25)
@given(st.binary(min_size=32, max_size=32))
def test_real_keys_pass(raw: bytes) -> None:
    public = public_of(PrivateKey(raw))
    check_public_key(public)
    point = edwards.point_of(public)
    assert point is not None
    assert edwards.encode(point) == public


def test_a_private_key_shows_nothing() -> None:
    for text in (repr(ANN), str(ANN), f"{ANN}", repr([ANN]), repr(ANN.__rich_repr__())):
        assert "01" not in text
        assert "x01" not in text
    with pytest.raises(ValueError, match="32 bytes"):
        PrivateKey(b"short")


def test_claim_and_fact_are_two_types() -> None:
    claim = make_envelope(ANN, MOVE, {"name": "Ann"})
    assert type(claim) is Envelope
    fact = verify_envelope(claim, PUBLIC)
    assert type(fact) is Sealed
    assert not isinstance(claim, Sealed)
    assert not isinstance(fact, Envelope)
    assert (fact.kind, fact.game, fact.seat, fact.public_key) == ("move", "g1", "red", PUBLIC)
    assert fact.payload_digest == digest(canonical(MOVE))
    assert (
        fact.id == claim.id == digest(canonical({"payload": MOVE, "sig": sign(ANN, "move", canonical(MOVE))}))
    )


MORE: list[dict[str, Any]] = [
    {},
    {"note": "Zoë—Σ😀", "list": [{}, [], [True, False, -1, 9007199254740991]]},
    {"note": 'a "quoted" \\ word', "text": '":"', "key": '","kind":'},
    {"n": 1234567890123456},
]


@pytest.mark.parametrize("more", MORE)
def test_a_text_without_its_envelope_is_the_same_text(more: dict[str, Any]) -> None:
    payload = {"v": 1, "kind": "view", "game": "g1", "seat": "red", "turn": 7, **more}
    assert sealed_text(BOB, "view", canonical(payload)) == make_envelope(BOB, payload).text()


def test_a_text_that_is_too_long_is_refused() -> None:
    payload = {"v": 1, "kind": "view", "game": "g1", "seat": "red", "turn": 7, "long": "x" * VIEW.size}
    with pytest.raises(Refused) as caught:
        sealed_text(BOB, "view", canonical(payload))
    assert code_of(caught) == "file/too-long"


def test_aside_is_no_part_of_it() -> None:
    plain, named = make_envelope(ANN, MOVE), make_envelope(ANN, MOVE, {"name": "Ann", "lang": "fi"})
    assert (plain.id, plain.payload_digest) == (named.id, named.payload_digest)
    assert named.aside == {"name": "Ann", "lang": "fi"}


def test_mail_may_wrap_indent_and_escape() -> None:
    claim = make_envelope(ANN, {**MOVE, "note": "Zoë—Σ😀"}, {"name": "Zoë"})
    for text in (
        claim.text(),
        claim.text().replace(b"\n", b"\r\n"),
        json.dumps(json.loads(claim.text()), ensure_ascii=False, indent=8).encode(),
    ):
        again = read_envelope(text)
        assert again == claim
        assert verify_envelope(again, PUBLIC).id == claim.id
    assert claim.text().isascii()


def envelope(**changes: Any) -> bytes:
    whole = {"payload": MOVE, "sig": SIG} | changes
    return canonical({key: value for key, value in whole.items() if value != "absent"})


BROKEN: list[tuple[bytes, str]] = [
    (b"[]", "file/not-an-envelope"),
    (envelope(sig="absent"), "file/not-an-envelope"),
    (envelope(payload="absent"), "file/not-an-envelope"),
    (envelope(more=1), "file/not-an-envelope"),
    (envelope(payload=[]), "file/not-an-envelope"),
    (envelope(aside="Ann"), "file/not-an-envelope"),
    (envelope(sig=[]), "seal/shape"),
    (envelope(payload={**MOVE, "v": 2}), "file/version"),
    (envelope(payload={**MOVE, "v": True}), "file/version"),
    (envelope(payload={"kind": "move"}), "file/version"),
    (envelope(payload={**MOVE, "kind": "gossip"}), "file/unknown-kind"),
    (envelope(payload={**MOVE, "kind": ["move"]}), "file/unknown-kind"),
    (envelope(payload={**MOVE, "game": ""}), "file/shape"),
    (envelope(payload={**MOVE, "seat": 1}), "file/shape"),
    (envelope(payload={**MOVE, "base": "AB" * 32}), "file/shape"),
    (envelope(payload={**MOVE, "base": BASE + "\n"}), "file/shape"),
    (envelope(payload={**MOVE, "note": "x" * 33000}), "file/too-long"),
]


@pytest.mark.parametrize(("data", "code"), BROKEN, ids=[f"{code}-{n}" for n, (_, code) in enumerate(BROKEN)])
def test_broken_envelopes(data: bytes, code: str) -> None:
    with pytest.raises(Refused) as caught:
        read_envelope(data)
    assert code_of(caught) == code


def test_a_view_is_an_envelope_of_the_hosts() -> None:
    view = make_envelope(BOB, {"v": 1, "kind": "view", "game": "g1", "seat": "red", "turn": 7})
    assert verify_envelope(read_envelope(view.text()), public_of(BOB)).kind == "view"


def test_no_float_can_be_signed() -> None:
    with pytest.raises(Refused, match="float"):
        make_envelope(ANN, {**MOVE, "note": 1.5})


PAYLOADS: list[Any] = [
    Join(**HEAD, token="t" * 32, public_key=PUBLIC.hex(), tip=BASE),
    Ready(**HEAD, reveal=BASE, setup={"creatures": "random"}, rev=1),
    Move(**HEAD, turn=1, orders=[{"do": "bet", "creature": "troll"}], rev=1, reveal=BASE),
    Move(**HEAD, turn=1, orders=[], rev=1, on_lapse="stop", note="remember"),
    Standing(**HEAD, policy={"gorgon": "lowest"}, rev=1),
    Resign(**HEAD),
]


@pytest.mark.parametrize("payload", PAYLOADS, ids=lambda payload: type(payload).__name__)
def test_payloads_come_back_as_they_were_signed(payload: Any) -> None:
    sealed = verify_envelope(read_envelope(make_envelope(ANN, payload).text()), PUBLIC)
    assert read_payload(sealed) == payload


def test_the_default_of_on_lapse_is_left_out() -> None:
    assert b"on_lapse" not in canonical(Move(**HEAD, turn=1, orders=[], rev=1))
    given = verify_envelope(make_envelope(ANN, {**MOVE, "on_lapse": "go_on"}), PUBLIC)
    assert read_payload(given) == msgspec.convert(MOVE, Move)


UNFIT: list[tuple[dict[str, Any], str]] = [
    ({"turn": "3"}, "$.turn"),
    ({"turn": -1}, "$.turn"),
    ({"turn": True}, "$.turn"),
    ({"orders": ["bet"]}, "$.orders[0]"),
    ({"orders": {}}, "$.orders"),
    ({"on_lapse": "maybe"}, "$.on_lapse"),
    ({"note": "x" * 2001}, "$.note"),
    ({"reveal": "ab" * 32 + "\n"}, "$.reveal"),
    ({"reveal": "ab" * 31 + "a\n"}, "$.reveal"),
    ({"reveal": "AB" * 32}, "$.reveal"),
    ({"extra": 1}, "$"),
]


@pytest.mark.parametrize(
    ("change", "where"), UNFIT, ids=[f"{where}-{n}" for n, (_, where) in enumerate(UNFIT)]
)
def test_a_payload_that_does_not_fit_names_the_place(change: dict[str, Any], where: str) -> None:
    sealed = verify_envelope(make_envelope(ANN, {**MOVE, **change}), PUBLIC)
    with pytest.raises(Refused) as caught:
        read_payload(sealed)
    assert code_of(caught) == "file/shape"
    assert caught.value.refusal.args == {"where": where}
