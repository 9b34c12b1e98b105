"""What the page signs is byte for byte what `pbem` signs: joins, confirmations, moves with their links, all others.

Ed25519 signs without chance, so the files must be the same; a difference in one byte is a difference in what is meant.
"""

from __future__ import annotations

import os
from typing import Any
from unittest import mock
from urllib.parse import parse_qs, unquote, urlsplit

import msgspec
import pytest

from engine import GAMES, Refused
from pbem.log.envelope import Envelope, read_envelope
from pbem.log.seal import PrivateKey
from pbem.player import (
    answers,
    join_envelope,
    move_envelope,
    read_invitation,
    read_view,
    ready_envelope,
)
from pbem.player.mail import file_name, mail_text
from tests.desk import HERE
from tests.pages.node import node
from tests.player.host import Host, key_of

Json = dict[str, Any]
SCRIPT = str(HERE / "envelopes.mjs")
ADDRESS = "games@pbem.example.org"
SEATS = ("red", "blue")
NOTE = "Ä plan: \U0001f3b2 and \x7f, “quoted”, <b>"


def told(rows: list[Json]) -> list[Any]:
    return node(SCRIPT, [msgspec.json.encode(row) for row in rows])


@pytest.fixture(scope="module")
def host() -> Host:
    return Host(GAMES[0], SEATS, name="g1").begin()


def hexed(*seats: str) -> list[str]:
    return [key_of(seat).raw.hex() for seat in seats]


def test_a_join_is_the_same(host: Host) -> None:
    made = Host(GAMES[0], SEATS, name="odd~na.me")
    for lang, name in (("en", ""), ("hu", "Ödön")):
        file = made.invitation("red")
        row: Json = {
            "do": "join",
            "keys": hexed("red"),
            "invitation": file.decode(),
            "aside": {"name": name, "lang": lang},
        }
        expected = join_envelope(key_of("red"), read_invitation(file), name, lang)
        (found,) = told([row])
        assert found["text"].encode() == expected.text()
        assert read_envelope(found["text"].encode()) == expected


def test_a_confirmation_is_the_same() -> None:
    host = Host(GAMES[0], SEATS)
    for seat in SEATS:
        assert host.take(join_envelope(key_of(seat), read_invitation(host.invitation(seat)))) == ""
    view = host.read("red")
    row: Json = {
        "do": "ready",
        "keys": hexed("red"),
        "view": host.view("red").decode(),
        "setup": {"a": [1, {"b": "ö"}]},
    }
    (found,) = told([row])
    assert found["text"].encode() == ready_envelope(key_of("red"), view, row["setup"]).text()


def rows_of(host: Host, seat: str) -> list[tuple[Json, Envelope]]:
    """What a seat may send in a position, as the page is asked for it and as the kit makes it."""
    key, view, file = key_of(seat), host.read(seat), host.view(seat).decode()
    orders: list[Json] = [{"do": "play", "card": "x", "list": [1, [], {}]}]
    base = {"keys": hexed(seat), "view": file}
    return [
        ({"do": "move", "orders": orders, **base}, move_envelope(key, view, orders)),
        (
            {"do": "move", "orders": orders, "more": {"onLapse": "stop", "note": NOTE}, **base},
            move_envelope(key, view, orders, "stop", NOTE),
        ),
        ({"do": "standing", "policy": {"x": {}}, **base}, answers.standing_envelope(key, view, {"x": {}})),
        ({"do": "press", "to": "all", "text": NOTE, **base}, answers.press_envelope(key, view, "all", NOTE)),
        (
            {"do": "press", "to": ["blue"], "text": "x", **base},
            answers.press_envelope(key, view, ["blue"], "x"),
        ),
        ({"do": "resign", **base}, answers.resign_envelope(key, view)),
    ]


@pytest.mark.parametrize("native", [True, False])
def test_whatever_is_sent_in_a_game_is_the_same(host: Host, native: bool) -> None:
    """Also where the browser has no Ed25519 of its own."""
    asked = host.asked()
    other = next(seat for seat in SEATS if seat != asked)
    pairs = rows_of(host, asked) + rows_of(host, other)
    surroundings = {} if native else {"NO_ED25519": "1"}
    with mock.patch.dict(os.environ, surroundings):
        found = told([row for row, _ in pairs])
    for one, (_, envelope) in zip(found, pairs, strict=True):
        assert one["text"].encode() == envelope.text()
        assert one["mail"] == mail_text(envelope, ADDRESS)
    assert "reveal" in pairs[0][1].payload
    assert "reveal" not in pairs[len(pairs) // 2][1].payload


def by_the_kit(row: Json) -> Envelope:
    key, view = PrivateKey(bytes.fromhex(row["keys"][0])), read_view(str(row["view"]).encode())
    return ready_envelope(key, view, {}) if row["do"] == "ready" else move_envelope(key, view, row["orders"])


def test_what_the_kit_refuses_the_page_refuses(host: Host) -> None:
    seat = host.asked()
    view = host.view(seat).decode()
    forged = [
        host.forge(seat, link=3).decode(),
        host.forge(seat, link=4097).decode(),
        host.forge(seat, link=0).decode(),
        host.forge(seat, given="0" * 64).decode(),
        host.forge(seat, phase="over").decode(),
    ]
    orders = [{"do": "play"}]
    rows: list[Json] = [{"do": "move", "keys": hexed(seat), "view": one, "orders": orders} for one in forged]
    rows += [
        {"do": "move", "keys": hexed("somebody"), "view": view, "orders": orders},
        {"do": "move", "keys": hexed(seat), "view": view, "orders": []},
        {"do": "move", "keys": hexed(seat), "view": view, "orders": [{"do": "x" * 40_000}]},
        {"do": "move", "keys": hexed(seat), "view": view, "orders": [{"do": "x", "y": 1.5}]},
        {"do": "ready", "keys": hexed(seat), "view": view, "setup": {}},
    ]
    for row, found in zip(rows, told(rows), strict=True):
        with pytest.raises(Refused) as refused:
            by_the_kit(row)
        assert found == {"code": refused.value.refusal.code}, row


def test_with_several_keys_the_one_whose_chain_it_is_gives_the_link(host: Host) -> None:
    seat = host.asked()
    orders = [{"do": "play"}]
    row: Json = {"do": "move", "keys": hexed("new", seat), "view": host.view(seat).decode(), "orders": orders}
    (found,) = told([row])
    payload = msgspec.json.decode(found["text"])["payload"]
    assert payload["reveal"] == move_envelope(key_of(seat), host.read(seat), orders).payload["reveal"]


def test_a_mail_address_holds_the_whole_answer_or_none_of_it(host: Host) -> None:
    seat = host.asked()
    base = {"do": "move", "keys": hexed(seat), "view": host.view(seat).decode()}
    short, long = told(
        [{**base, "orders": [{"do": "play"}]}, {**base, "orders": [{"do": "play", "x": "y" * 3000}]}]
    )
    assert short["mailto"]["whole"]
    assert not long["mailto"]["whole"]
    for one in (short, long):
        parts = urlsplit(str(one["mailto"]["href"]))
        assert (parts.scheme, unquote(parts.path)) == ("mailto", "games+g1@pbem.example.org")
        assert parse_qs(parts.query)["subject"] == [
            f"[pbem g1] turn {host.read(seat).head.turn}: move of {seat}"
        ]
        assert len(one["mailto"]["href"]) <= 2000
        assert "+" not in parts.query
    body = parse_qs(urlsplit(str(short["mailto"]["href"])).query)["body"][0]
    assert host.take(body.encode()) in ("", "schema/missing")
    assert read_envelope(body.encode()) == read_envelope(short["text"].encode())


def test_file_names_are_harmless() -> None:
    made = Host(GAMES[0], SEATS, name="x.y~z")
    row: Json = {
        "do": "join",
        "keys": hexed("red"),
        "invitation": made.invitation("red").decode(),
        "aside": {},
    }
    (found,) = told([row])
    assert found["name"] == file_name("x.y~z", "red")
