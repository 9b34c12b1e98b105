"""What the page finds in files, and what it says of them: good mails in every dress, and bad ones of every kind."""

from __future__ import annotations

import base64
import email.message
import email.policy
import quopri
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine import GAMES
from pbem.cli.codes import table
from pbem.desk.page import codes_of
from pbem.log.seal import PrivateKey
from pbem.player import bot_orders, key_file, verify_log
from pbem.player.answers import join_envelope, move_envelope
from pbem.player.invitation import read_invitation
from pbem.player.opening import open_file
from tests.desk import HERE
from tests.pages.node import node
from tests.player.host import Host, key_of

Json = dict[str, Any]
SCRIPT = str(HERE / "letters.mjs")
MAILS = Path(__file__).parents[2] / "fixtures"
SEATS = ("red", "blue")
SOURCES = "".join(path.read_text() for path in (Path(__file__).parents[2] / "pbem").rglob("*.mjs"))
CODES = {
    code: texts
    for code, texts in codes_of(SOURCES, table().values()).items()
    if not code.startswith("order/")
}


@pytest.fixture(scope="module")
def host() -> Host:
    """A game with three moves made."""
    made = Host(GAMES[0], SEATS).begin()
    for _ in range(3):
        seat = made.asked()
        view = made.read(seat)
        assert made.take(move_envelope(key_of(seat), view, bot_orders(view, 1))) == ""
    return made


Visits = list[list[tuple[str, bytes]]]


def visit(*visits: list[tuple[str, bytes]]) -> Json:
    """What the page says to files that are given to it one after the other."""
    return visit_all([list(visits)])[0]


def visit_all(pages: list[Visits]) -> list[Json]:
    """The same for several pages, each of which knows nothing of the others."""
    rows: list[bytes] = []
    for page in pages:
        named = [
            [{"name": name, "data": base64.b64encode(data).decode()} for name, data in one] for one in page
        ]
        rows.append(msgspec.json.encode({"visits": named, "codes": CODES}))
    return node(SCRIPT, rows)


def codes(found: Json) -> list[list[str]]:
    return [[one.get("code", "") for one in visit_] for visit_ in found["findings"]]


def opened(mail: bytes) -> Json:
    (found,) = node(SCRIPT, [msgspec.json.encode({"mail": base64.b64encode(mail).decode()})])
    return dict(found)


def test_letters_of_a_whole_game_are_read_and_checked(host: Host) -> None:
    mails = [("0.eml", host.invitation_mail("red"))]
    mails += [(f"{n}.eml", letter.raw) for n, letter in enumerate(host.letters["red"], 1)]
    found = visit([("key.json", key_file(key_of("red"))), *reversed(mails)])
    assert not any(code for one in codes(found) for code in one)
    game = found["games"]["g1"]
    assert game["lines"] == len(host.lines)
    assert "sound so far, and not finished" in game["history"][0]["says"][0]
    assert any("drawn again with the same result" in one["says"][0] for one in game["history"])
    assert [one["tone"] for one in game["views"]["red"]["trust"]] == ["good", "good"]
    assert game["views"]["red"]["ring"] == found["keys"]


def test_every_finding_says_what_was_expected_what_was_found_and_what_to_do(host: Host) -> None:
    found = visit([("x.txt", b"nothing of this")])
    (one,) = found["findings"][0]
    assert (one["code"], one["tone"], one["file"]) == ("desk/unknown-file", "bad", "x.txt")
    assert len(one["why"]) == 3
    assert "x.txt holds none of these." in one["why"]


def spoil(line: bytes, old: bytes, new: bytes) -> bytes:
    assert old in line
    return line.replace(old, new, 1)


def test_a_tampered_log_is_told_with_its_line(host: Host) -> None:
    """A die, a signature, a line left out: the code and the line are those of `pbem verify`."""
    lines = [line + b"\n" for line in host.lines]
    start = next(n for n, line in enumerate(lines) if b'"kind":"start"' in line)
    spoilt = [
        [*lines[:5], spoil(lines[5], b'"val":"', b'"val":"A')[:-3] + b"\n", *lines[6:]],
        [
            *lines[:start],
            spoil(lines[start], b'"sides":', b'"sides":1')
            if b'"sides":' in lines[start]
            else spoil(lines[start], b'"items":["', b'"items":["x'),
            *lines[start + 1 :],
        ],
        [*lines[:3], *lines[4:]],
        [*lines[:4], lines[4].replace(b'"n":4', b'"n": 4'), *lines[5:]],
    ]
    pages = visit_all([[[("log.pbem", b"".join(one))]] for one in spoilt])
    for one, found in zip(spoilt, pages, strict=True):
        fault = verify_log(one).fault
        assert fault is not None
        bad = [finding for finding in found["findings"][0] if finding["tone"] == "bad"]
        assert [(finding["code"], finding["line"]) for finding in bad] == [(fault.refusal.code, fault.line)]
        assert found["games"]["g1"]["fault"] == fault.line
        assert found["games"]["g1"]["lines"] == 1, "of a spoilt log nothing but the charter is kept"


def test_another_history_is_told(host: Host) -> None:
    """The same host tells two players two things: each has a sound log, and the two do not fit."""
    twin = Host(GAMES[0], SEATS)
    for seat in reversed(SEATS):
        assert twin.take(join_envelope(key_of(seat), read_invitation(twin.invitation(seat)))) == ""
    assert twin.lines[0] == host.lines[0]
    log = [("a.pbem", host.log)]
    by_log, by_view = visit_all([[log, [("b.pbem", twin.log)]], [log, [("view.json", twin.view("red"))]]])
    assert codes(by_log)[1] == codes(by_view)[1] == ["kit/fork"]
    assert by_log["games"]["g1"]["lines"] == len(host.lines)
    assert by_view["games"]["g1"]["views"] == {}


def test_another_game_another_key_an_older_letter(host: Host) -> None:
    stranger = Host(GAMES[0], SEATS, name="g1")
    stranger.desk = msgspec.structs.replace(
        stranger.desk, secrets=msgspec.structs.replace(stranger.desk.secrets, key=PrivateKey(bytes(32)))
    )
    log = ("log.pbem", host.log)
    old = next(one.raw for one in host.letters["red"] if any("view" in file.name for file in one.files))
    view, forged = ("v.json", host.view("red")), host.view("red").replace(b'"turn": ', b'"turn": 1')
    elsewhere = Host(GAMES[0], SEATS, name="g2").begin().letters["blue"][-1].raw
    pages = [
        [[log], [("v.json", stranger.view("red"))]],
        [[log], [("v.json", forged)]],
        [[("v.json", forged)], [log]],
        [[log, view], [("old.eml", old)]],
        [[log, view, ("key.json", key_file(key_of("blue")))]],
        [[log, view]],
        [[log, view], [("other.eml", elsewhere)]],
    ]
    strange, false, later, older, wrong, keyless, other = visit_all(pages)
    assert codes(strange)[1] == ["seal/other-key"]
    assert codes(false)[1] == ["seal/wrong"]
    assert codes(later)[1][-1] == "seal/wrong", "it is judged when the log comes"
    assert later["games"]["g1"]["views"] == {}
    assert "desk/older-view" in codes(older)[1]
    assert older["games"]["g1"]["views"]["red"]["n"] == len(host.lines) - 1
    assert wrong["games"]["g1"]["views"]["red"]["ring"] == "desk/other-seat"
    assert keyless["games"]["g1"]["views"]["red"]["ring"] == "desk/no-key"
    assert sorted(other["games"]) == ["g1", "g2"]
    assert other["games"]["g2"]["views"]["blue"]["trust"][0]["tone"] == "note", "nothing is known of its host"


def test_lines_that_are_missing_are_named_and_come_later(host: Host) -> None:
    invitation = ("i.eml", host.invitation_mail("red"))
    last = ("last.eml", host.letters["red"][-1].raw)
    middle = [(f"{n}.eml", one.raw) for n, one in enumerate(host.letters["red"][:-1])]
    found = visit([invitation], [last], middle)
    assert "desk/later-lines" in codes(found)[1]
    assert found["games"]["g1"]["lines"] == len(host.lines)
    found = visit([last], [invitation])
    assert "desk/no-beginning" in codes(found)[0]
    assert "desk/later-lines" in codes(found)[1], "what came before its beginning is not forgotten"


def dressed(host: Host) -> list[tuple[str, bytes]]:
    """A view in every dress that a mail program may give it."""
    view = host.view("red")
    text = view.decode("ascii")
    plain = b"From: x@example.org\nSubject: =?utf-8?q?=C3=A4_letter?=\n"
    coded = base64.encodebytes(view)
    quoted = quopri.encodestring(view)
    both = email.message.EmailMessage(policy=email.policy.SMTP)
    both.set_content("The letter itself, with ä and €.", charset="iso-8859-15")
    both.add_alternative("<p>The letter</p>", subtype="html")
    both.add_attachment(view, maintype="application", subtype="json", filename="g1.view.json")
    outer = email.message.EmailMessage(policy=email.policy.default)
    outer.set_content("look")
    outer.add_attachment(both)
    head = plain + b"Content-Type: application/json\nContent-Transfer-Encoding: "
    return [
        ("bare", view),
        ("base64", head + b"base64\n\n" + coded),
        ("quoted-printable", head + b"quoted-printable\n\n" + quoted),
        ("crlf", (head + b"base64\n\n" + coded).replace(b"\n", b"\r\n")),
        ("mbox", b"From x Thu Jan  1\n" + head + b"8bit\n\n" + view),
        (
            "utf-16",
            plain
            + b"Content-Type: text/plain; charset=utf-16\nContent-Transfer-Encoding: base64\n\n"
            + base64.encodebytes(text.encode("utf-16")),
        ),
        ("multipart", bytes(both)),
        ("forwarded", bytes(outer)),
        ("not closed", bytes(both).rpartition(b"--==")[0]),
        ("pasted", plain + b"\nHello, here it is:\n\n" + view + b"\nBye"),
        ("quoted by an answer", plain + b"\n" + b"".join(b"> " + row + b"\n" for row in view.splitlines())),
        ("indented", b"".join(b"    " + row + b"\r\n" for row in view.splitlines())),
        ("old charset", plain + b"Content-Type: text/plain; charset=windows-1250\n\nJ\xf3 \xfatat!\n" + view),
        ("no headers", b"Here:\n\n" + view),
    ]


def test_a_view_is_found_in_every_dress(host: Host) -> None:
    log = ("log.pbem", host.log)
    mails = dressed(host)
    for (name, mail), found in zip(mails, visit_all([[[log, mail]] for mail in mails]), strict=True):
        assert mail
        assert not any(codes(found)[0]), name
        assert found["games"]["g1"]["views"]["red"]["n"] == len(host.lines) - 1, name


def test_what_the_kit_opens_the_page_opens() -> None:
    """Of every letter and mail among the fixtures that has an attachment: the same texts and pieces of logs."""
    files = sorted(MAILS.glob("letters/*.eml")) + sorted(MAILS.glob("mails/good/*.eml"))[::2]
    rows = [msgspec.json.encode({"mail": base64.b64encode(file.read_bytes()).decode()}) for file in files]
    compared = 0
    for file, found in zip(files, node(SCRIPT, rows), strict=True):
        kit = open_file(file.read_bytes())
        texts = [base64.b64decode(text) for text in found.get("texts", [])]
        assert [base64.b64decode(one) for one in found.get("logs", [])] == list(kit.logs), file.name
        for text in kit.texts[:1]:
            if text.startswith(b"{\n"):
                compared += 1
                assert text in texts, file.name
    assert compared > 3


def test_no_file_is_too_bad(host: Host) -> None:
    """Whatever is dropped, there is an answer with a code, and nothing is known afterwards that was not before."""
    view = host.view("red")
    bad = [
        b"",
        b"\0" * 1000,
        b"{" * 100_000,
        b'{"payload": {"kind": "view"}, "sig": {}}',
        b'{"payload": {"kind": "view", "v": 1}, "sig": 1, "aside": null}',
        view.replace(b'"n": ', b'"n": 1.'),
        view.replace(b'"game"', b'"game": 1, "game"'),
        view[:-30],
        view.replace(b'"address": "', b'"address": "x\\r\\nBcc: '),
        b'{"kind": "pbem-key"}',
        b'{"n": 3, "prev": ""}\n',
        b'{"n": 0, "prev": "", "kind": "charter"}\n{}',
        b"From: a\nContent-Type: multipart/mixed; boundary=x\n\n" + b"--x\n" * 500,
        b"Content-Type: multipart/mixed; boundary=x\n\n--x\n" * 30,
        b"Content-Type: text/plain; charset=nonsense\n\n\xff\xfe{",
        b'[{"payload": 1}]',
        b"PK\x03\x04" + bytes(range(256)) * 10,
    ]
    for number, found in enumerate(visit_all([[[("x", data)]] for data in bad])):
        told = [one for one in found["findings"][0] if one.get("code")]
        assert told, number
        assert all(len(one["why"]) == 3 for one in told), (number, told)
        assert found["games"] == {}, number
