"""An envelope to send through the mail, made up but of the real shape, and what stands around it in mails."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

import msgspec

from engine import refuse
from pbem.turn.mime import Mail, envelope, open_mail

Json = dict[str, Any]


def hexes(*words: object) -> str:
    return hashlib.sha256(repr(words).encode()).hexdigest()


def make(turn: int = 7, note: str = "") -> Json:
    """A move: digests, a signature, numbers and words, orders, and a note with everything that JSON escapes."""
    value = base64.b64encode(bytes.fromhex(hexes("sig", turn) + hexes("nature", turn))).decode()
    return {
        "payload": {
            "base": hexes("base", turn),
            "game": "summer-cup",
            "kind": "move",
            "note": note
            or 'Grüße — "wait" for the troll, then strike {hard} \\o/ with well-known and over-the-top force. It\'s '
            "a long note that no mail program leaves on one line; 100% of them break it somewhere, or so I hear.",
            "orders": [
                {"creature": "troll", "do": "bet"},
                {"card": "spectator-6", "do": "play", "on": "troll", "power": {"take": True, "use": "troll"}},
                {"cards": ["troll-3", "wyrm-10", "magus-4"], "do": "discard"},
                {"do": "end_turn"},
            ],
            "rev": 123456789012,
            "reveal": hexes("reveal", turn),
            "seat": "red",
            "turn": turn,
            "v": 1,
        },
        "sig": {"alg": "ed25519", "key": hexes("key")[:16], "val": value},
    }


def pretty(envelope: Json) -> str:
    """As the kit writes it: two blanks a level, ASCII, one LF at the end."""
    return json.dumps(envelope, indent=2, sort_keys=True) + "\n"


MOVE = make()
TEXT = pretty(MOVE)
OTHER = make(turn=8)


class Read(msgspec.Struct, frozen=True):
    """What the reader of these tests makes of a candidate."""

    value: Json
    id: str
    payload_digest: str


def read(candidate: bytes) -> Read:
    """Any JSON object with payload and sig is an envelope."""
    try:
        value = json.loads(candidate)
    except ValueError:
        raise refuse("test/not-json") from None
    if not isinstance(value.get("payload"), dict) or not isinstance(value.get("sig"), dict):
        raise refuse("test/not-an-envelope")
    return Read(value, hexes(json.dumps(value)), hexes(json.dumps(value["payload"], sort_keys=True)))


def verify(claim: Read) -> None:
    """Stands for the signature: the two moves above are sound, nothing else is."""
    if claim.value not in (MOVE, OTHER):
        raise refuse("test/bad-signature")


def find(raw: bytes) -> Json:
    """The envelope found in a mail. Refused as the pipeline would."""
    return found_in(open_mail(raw))


def found_in(mail: Mail) -> Json:
    return envelope(mail, read, verify).value


HEADERS = (
    "From: Red Player <red@example.org>\n"
    "To: g+summer-cup.red.k7x@pbem.example.org\n"
    "Subject: Re: [pbem summer-cup] turn 7: your move\n"
    "Date: Sat, 01 Aug 2026 10:00:00 +0000\n"
    "Message-ID: <1234.5678@example.org>\n"
    "MIME-Version: 1.0\n"
)


def mail(body: str | bytes, kind: str = "text/plain; charset=utf-8", encoding: str = "8bit") -> bytes:
    """A mail of one part."""
    head = f"{HEADERS}Content-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n\n"
    return head.encode() + (body if isinstance(body, bytes) else body.encode())


def part(body: str | bytes, *fields: str) -> bytes:
    """One part of a multipart: header fields, an empty line, the body."""
    return (
        "".join(f"{field}\n" for field in fields).encode()
        + b"\n"
        + (body if isinstance(body, bytes) else body.encode())
    )


def multipart(
    *parts: bytes, kind: str = "multipart/mixed", boundary: str = "=_b1", head: str = HEADERS
) -> bytes:
    """A multipart mail; with `head=""` a multipart to nest in another."""
    top = f'{head}Content-Type: {kind};\n boundary="{boundary}"\n\nThis is a multi-part message.\n'
    inner = b"".join(b"--" + boundary.encode() + b"\n" + each.rstrip(b"\n") + b"\n" for each in parts)
    return top.encode() + inner + b"--" + boundary.encode() + b"--\n"


PLAIN = part("My move is attached.\n", "Content-Type: text/plain; charset=utf-8")

VIEW = make(turn=6)
VIEW["payload"]["kind"] = "view"


def report(size: int) -> str:
    """A quoted report of about `size` bytes: prose, a board, and the JSON of old views in it, all behind `> `."""
    line = 'red bets on {troll}; "what a round", says blue. | troll 3 | wyrm 10 | --- |\n' * 20
    out: list[str] = []
    length = 0
    while length < size:
        out += (line, pretty(VIEW), '{"hand": ["troll-3"], "payload_size": 7}\n', '{ "unfinished": "\n')
        length += sum(map(len, out[-4:]))
    return "".join(f"> {each}\n" for each in "".join(out).splitlines())
