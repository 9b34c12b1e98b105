"""The desk page in Chromium: from an invitation to a signed move, offline, and what it does with bad files."""

from __future__ import annotations

import pytest

from engine import GAMES
from pbem.log.canonical import canonical
from pbem.log.envelope import read_envelope, verify_envelope
from pbem.log.seal import PrivateKey, public_of, sign
from pbem.player import join_envelope, read_invitation, read_view, ready_envelope
from pbem.player.answers import move_envelope, take_envelope
from pbem.player.keys import key_file, read_key
from pbem.turn.desk import Offer
from pbem.turn.offer_letters import offer_file
from tests.browser.conftest import Desk
from tests.browser.desk import DeskPage
from tests.desk.test_keys import RAWS
from tests.player.host import Host, key_of

pytestmark = pytest.mark.needs("browser")

GAME = GAMES[0]
SEATS = ("red", "blue")
NO_ED25519 = """
const { importKey } = crypto.subtle;
crypto.subtle.importKey = function (format, key, algorithm, ...rest) {
  if (algorithm === "Ed25519") return Promise.reject(new DOMException("unknown", "NotSupportedError"));
  return importKey.call(this, format, key, algorithm, ...rest);
};
"""


@pytest.mark.parametrize("init", ["", NO_ED25519])
def test_from_an_invitation_to_a_move(desk: Desk, init: str) -> None:
    """A new player with nothing but his mails; what the page signs, the kit signs alike, and the host takes."""
    host = Host(GAME, SEATS)
    opened = desk(init)
    page = opened.page
    assert opened.give(("invitation.eml", host.invitation_mail("red"))) == [""]
    page.click("#make-key")
    name, data = opened.saved("#save-key")
    key = read_key(data, name)
    page.fill("#name", "Réka")
    page.click("#sign")
    joined = opened.signed()
    assert joined == join_envelope(key, read_invitation(host.invitation("red")), "Réka").text()
    assert host.take(joined) == ""
    assert host.take(join_envelope(key_of("blue"), read_invitation(host.invitation("blue")))) == ""
    # the receipt of his own join is skipped: its line is missed, and he may go on all the same
    assert set(opened.give(("confirm.eml", host.mail("red")))) == {"", "desk/later-lines"}
    page.click("#sign")
    ready = opened.signed()
    assert ready == ready_envelope(key, host.read("red"), {}).text()
    assert host.take(ready) == ""
    assert host.take(ready_envelope(key_of("blue"), host.read("blue"), {})) == ""
    letters = [(f"{i}.eml", letter.raw) for i, letter in enumerate(host.letters["red"])]
    assert set(opened.give(*letters)) == {""}
    checks = opened.text("#checks")
    assert "Signed by the host" in checks
    assert f"Agrees with your copy of the log, record {len(host.lines) - 1}." in checks
    assert opened.problems == []
    assert [url for url in opened.requests if not url.startswith("blob:")] == [page.url]


def test_the_key_file_is_the_kits(desk: Desk) -> None:
    """A key made by `pbem key` is read here, and saved here byte for byte as it was."""
    key = PrivateKey(bytes(range(32)))
    opened = desk()
    assert opened.give(("key.json", key_file(key))) == [""]
    name, data = opened.saved("#save-key")
    assert data == key_file(key)
    assert name.endswith(".json")
    assert verify_envelope(read_envelope(signed_by(opened)), public_of(key)).public_key == public_of(key)


def signed_by(opened: DeskPage) -> bytes:
    host = Host(GAME, SEATS)
    opened.give(("red.json", host.invitation("red")))
    opened.page.click("#sign")
    return opened.signed()


def test_a_move_by_hand_is_signed_with_the_link_that_is_owed(desk: Desk) -> None:
    host = Host(GAME, SEATS).begin()
    seat = host.asked()
    opened = desk()
    found = opened.give(
        ("key.json", key_file(key_of(seat))), ("log.pbem", host.log), ("v.json", host.view(seat))
    )
    assert set(found) == {""}
    checks = opened.text("#checks")
    assert "sound so far, and not finished" in checks
    assert "Agrees with your copy of the log" in checks
    assert "drawn again with the same result" in checks
    view = read_view(host.view(seat))
    assert move_envelope(key_of(seat), view, [{"do": "x"}]).payload["reveal"]
    assert opened.problems == []


def test_a_lost_key_is_replaced(desk: Desk) -> None:
    """The host's offer answers a lost key; the page makes a new one and takes the seat with it."""
    host = Host(GAME, SEATS).begin()
    offer = Offer("red@example.org", "token", "reset")
    file = offer_file(host.desk, "red", offer)
    opened = desk()
    found = opened.give(("log.pbem", host.log), ("v.json", host.view("red")), ("offer.json", file))
    assert set(found) == {""}
    page = opened.page
    page.click("#make-key")
    name, data = opened.saved("#save-key")
    page.click("#sign")
    taken = opened.signed()
    assert taken == take_envelope(read_key(data, name), read_invitation(file)).text()
    # the key that the seat has is no new one
    assert opened.give(("old.json", key_file(key_of("blue")))) == [""]
    page.click("#sign")
    assert opened.refused() == "kit/key-spent"


@pytest.mark.parametrize("init", ["", NO_ED25519])
def test_signatures_are_those_of_python(desk: Desk, init: str) -> None:
    """The vectors that Python and Node agree on (tests/desk/test_keys.py), in Chromium: by its Ed25519 and without it."""
    page = desk(init).page
    payloads = [
        {"kind": kind, "text": "ä\U0001f3b2", "n": 2**50 + n} for n, kind in enumerate(("move", "join"))
    ]
    pairs = [(raw, payload) for raw in RAWS for payload in payloads]
    found = page.evaluate(
        """async (rows) => {
          const { privateKey, seal } = module_pbem_desk_js_sign;
          const { unhex } = module_bytes;
          const made = [];
          for (const [raw, payload] of rows) made.push(await seal(await privateKey(unhex(raw)), payload));
          return made;
        }""",
        [(raw.hex(), payload) for raw, payload in pairs],
    )
    assert found == [sign(PrivateKey(raw), str(one["kind"]), canonical(one)) for raw, one in pairs]


def test_a_tampered_log_is_told_in_words(desk: Desk) -> None:
    """What is wrong, and in which line; nothing of it is kept, and nothing is signed on the strength of it."""
    host = Host(GAME, SEATS).begin()
    lines = host.log.splitlines(keepends=True)
    spoilt = lines[3].replace(b'"at":"2026', b'"at":"2027')
    assert spoilt != lines[3]
    opened = desk()
    opened.give(("i.json", host.invitation("red")))
    assert opened.give(("log.pbem", b"".join([*lines[:3], spoilt, *lines[4:]]))) == ["seal/wrong"]
    told = opened.text("#findings")
    assert "Not taken" in told
    assert "Line 4 of the log is the first with a fault." in told
    assert "Don't answer this file." in told
    assert "Lines that came later are not sound" in opened.text("#checks")
    assert opened.give(("log.pbem", host.log)) == [""], "the true one is taken all the same"
    assert "not sound" not in opened.text("#checks")
