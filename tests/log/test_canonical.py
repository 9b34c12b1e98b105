"""The one reader, and its equality with RFC 8785 inside the subset (protocol.md section 2)."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from engine import Refused
from pbem.log.canonical import ENVELOPE, LINE, MAX_INTEGER, Limits, canonical, digest, pretty, read

KEYS = st.from_regex(r"[a-z][a-z0-9_]{0,12}", fullmatch=True)
SCALARS = st.one_of(
    st.booleans(),
    st.integers(-MAX_INTEGER, MAX_INTEGER),
    st.text(max_size=30),
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(KEYS, inner, max_size=5)
)


@given(VALUES)
def test_canonical_bytes_equal_rfc_8785(value: Any) -> None:
    assert canonical(value) == rfc8785.dumps(value)


@given(VALUES)
def test_what_is_written_is_read(value: Any) -> None:
    for spelling in (canonical(value), pretty(value), json.dumps(value, indent="\t").encode()):
        assert read(spelling, ENVELOPE) == value


@given(VALUES)
def test_pretty_is_ascii_and_ends_in_a_line_feed(value: Any) -> None:
    text = pretty(value)
    assert text.isascii()
    assert text.endswith(b"\n")
    assert b"\r" not in text


REFUSED = object()


def read_or_refuse(data: bytes) -> object:
    """The value, or REFUSED if that is what the reader did; any other exception is a failure."""
    try:
        return read(data, ENVELOPE)
    except Refused:
        return REFUSED


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    value = read_or_refuse(data)
    assert value is REFUSED or read(canonical(value), ENVELOPE) == value


@given(st.text('[]{}",:\\0123456789.eE+-truefalsn /u\ud800é \n', max_size=60))
def test_any_json_like_text_is_read_or_refused(text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    value = read_or_refuse(data)
    assert value is REFUSED or json.loads(data) == value


TRAPS: list[tuple[bytes, str]] = [
    (b'{"a":1,"a":1}', "file/key-twice"),
    (b'{"a":1,"a":2}', "file/key-twice"),
    (b'{"a":1,"\\u0061":2}', "file/key-twice"),
    (b'{"b":[{"c":{"a":1,"a":1}}]}', "file/key-twice"),
    (b"1.0", "file/float"),
    (b'{"a":1e2}', "file/float"),
    (b"-0.0", "file/float"),
    (b"NaN", "file/not-json"),
    (b"[Infinity]", "file/not-json"),
    (b'{"a":-Infinity}', "file/not-json"),
    (b"null", "file/null"),
    (b'{"a":null}', "file/null"),
    (b"[[null]]", "file/null"),
    (b"9007199254740992", "file/integer"),
    (b"-9007199254740992", "file/integer"),
    (b"[18446744073709551616]", "file/integer"),
    (b"9" * 5000, "file/integer"),
    (b"[" + b"9" * 30000 + b"]", "file/integer"),
    (b'"\\ud800"', "file/surrogate"),
    (b'["\\udc00x"]', "file/surrogate"),
    (b'"\xed\xa0\x80"', "file/encoding"),
    (b'"\xff"', "file/encoding"),
    (b"\xef\xbb\xbf{}", "file/encoding"),
    (b'{"A":1}', "file/bad-key"),
    (b'{"":1}', "file/bad-key"),
    (b'{"a-b":1}', "file/bad-key"),
    (b'{"_a":1}', "file/bad-key"),
    (b'{"a\\n":1}', "file/bad-key"),
    (b'{"a":{"1":1}}', "file/bad-key"),
    ('{"é":1}'.encode(), "file/bad-key"),
    (b'{"\\ud800":1}', "file/bad-key"),
    (b"{}{}", "file/not-json"),
    (b"{} x", "file/not-json"),
    (b"1 2", "file/not-json"),
    (b"", "file/not-json"),
    (b" ", "file/not-json"),
    (b"[1,]", "file/not-json"),
    (b"01", "file/not-json"),
    (b"+1", "file/not-json"),
    (b"'a'", "file/not-json"),
    (b'"a\nb"', "file/not-json"),
    (b'"\x00"', "file/not-json"),
    (b'{"a":1', "file/not-json"),
    (b"\x00", "file/not-json"),
    ("１".encode(), "file/not-json"),
    (b"[" * 25 + b"]" * 25, "file/too-deep"),
    (b'{"a":' * 25 + b"1" + b"}" * 25, "file/too-deep"),
    (b" " + b"[" * 100_000, "file/too-deep"),
    (b'{"a":' * 20_000, "file/too-deep"),
    (b'"' + b"x" * 32767 + b'"', "file/too-long"),
    (b" " * 131073, "file/too-long"),
]


@pytest.mark.parametrize(("data", "code"), TRAPS, ids=[f"{code}-{n}" for n, (_, code) in enumerate(TRAPS)])
def test_traps(data: bytes, code: str) -> None:
    with pytest.raises(Refused) as caught:
        read(data, ENVELOPE)
    assert caught.value.refusal.code == code


SOUND: list[tuple[bytes, Any]] = [
    (b"9007199254740991", MAX_INTEGER),
    (b"-9007199254740991", -MAX_INTEGER),
    (b' {"a" : [ true , false ] }\r\n', {"a": [True, False]}),
    (b'"\\ud83d\\ude00"', "😀"),
    (b'"\\/"', "/"),
    (b'"[[[[[[[[[[[[[[[[[[[[[[[[[[["', "[[[[[[[[[[[[[[[[[[[[[[[[[[["),
    (b' "\\"[[[[[[[[[[[[[[[[[[[[[[[[[[["', '"[[[[[[[[[[[[[[[[[[[[[[[[[[['),
    (b"[" * 24 + b"]" * 24, json.loads("[" * 24 + "]" * 24)),
    (b'"' + b"x" * 32766 + b'"', "x" * 32766),
    (b" " * 100_000 + b"1", 1),
]


@pytest.mark.parametrize(("data", "value"), SOUND, ids=range(len(SOUND)))
def test_at_the_edge_of_the_subset(data: bytes, value: Any) -> None:
    assert read(data, ENVELOPE) == value


def test_the_canonical_size_counts_and_not_the_text() -> None:
    escaped = ('"' + "\\u00e9" * 20000 + '"').encode()
    assert read(escaped, LINE) == "é" * 20000
    with pytest.raises(Refused) as caught:
        read(escaped, ENVELOPE)
    assert caught.value.refusal.args == {"size": 40002, "limit": 32768}


def test_depth_is_the_number_of_nested_lists_and_objects() -> None:
    assert read(b"1", Limits(10, 0)) == 1
    assert read(b"{}", Limits(10, 1)) == {}
    for data in (b"{}", b"[]", b" []"):
        with pytest.raises(Refused, match="too-deep"):
            read(data, Limits(10, 0))


def test_booleans_are_no_integers() -> None:
    assert read(b"[true,1]", LINE)[0] is True


def test_a_struct_is_written_like_its_object() -> None:
    class Pair(msgspec.Struct, tag_field="kind", tag="pair", omit_defaults=True):
        z: int
        a: str
        left: int | None = None

    assert canonical(Pair(1, "b")) == b'{"a":"b","kind":"pair","z":1}'


def test_digest_is_sha_256() -> None:
    assert digest(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_what_is_no_json_value_is_our_fault() -> None:
    from pbem.log.canonical import walk

    with pytest.raises(TypeError, match="bytes"):
        walk([b"x"], 3)
