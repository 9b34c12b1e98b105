"""One question to a name server over UDP: the few kinds of records that say whether mail to and from a name works.

Decides nothing. Written by hand because the standard library asks for addresses only. What a name server answers
is a stranger's bytes: whatever is wrong with them is `Unanswered`.
"""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

Kind = Literal["MX", "TXT"]
KINDS: dict[Kind, int] = {"MX": 15, "TXT": 16}
TIMEOUT = 3.0
_HEAD = struct.Struct("!6H")
_RECORD = struct.Struct("!HHIH")
_MOST_JUMPS = 20


class Unanswered(Exception):
    """Nobody answered, or what came is no answer."""


def resolver(path: Path = Path("/etc/resolv.conf")) -> str:
    """The address of the machine's name server; empty if none is set."""
    try:
        lines = path.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return ""
    return next(
        (words[1] for line in lines if len(words := line.split()) > 1 and words[0] == "nameserver"), ""
    )


def ask(server: tuple[str, int], name: str, kind: Kind, number: int) -> list[str]:
    """What the name server says: `10 mail.example.org` for MX, the joined strings of TXT; nothing if there is none.

    `number` (16 bits) tells the answer from others. Raises Unanswered.
    """
    try:
        labels = b"".join(bytes([len(part)]) + part for part in name.encode("ascii").split(b"."))
        question = (
            _HEAD.pack(number, 0x0100, 1, 0, 0, 0) + labels + b"\0" + struct.pack("!HH", KINDS[kind], 1)
        )
        family = socket.AF_INET6 if ":" in server[0] else socket.AF_INET
        with socket.socket(family, socket.SOCK_DGRAM) as line:
            line.settimeout(TIMEOUT)
            line.connect(server)
            line.send(question)
            return list(_answers(line.recv(4_096), number, kind))
    except (OSError, UnicodeError, ValueError, IndexError, struct.error) as error:
        raise Unanswered(type(error).__name__) from None


def _answers(data: bytes, number: int, kind: Kind) -> Iterator[str]:
    found, flags, questions, answers, _, _ = _HEAD.unpack_from(data)
    if found != number or not flags & 0x8000 or flags & 0x000F not in (0, 3):
        raise ValueError(flags)
    place = _HEAD.size
    for _ in range(questions):
        place = _name(data, place)[1] + 4
    for _ in range(answers):
        place = _name(data, place)[1]
        what, _, _, length = _RECORD.unpack_from(data, place)
        place += _RECORD.size
        if what == KINDS[kind]:
            yield _text(data, place, length, kind)
        place += length


def _text(data: bytes, place: int, length: int, kind: Kind) -> str:
    if kind == "MX":
        (preference,) = struct.unpack_from("!H", data, place)
        return f"{preference} {_name(data, place + 2)[0]}"
    parts, end = list[bytes](), place + length
    while place < end:
        parts.append(data[place + 1 : place + 1 + data[place]])
        place += 1 + data[place]
    return b"".join(parts).decode("ascii", "replace")


def _name(data: bytes, place: int) -> tuple[str, int]:
    """A name, and where what follows it begins. Names may point back at earlier ones."""
    labels: list[str] = []
    after = -1
    for _ in range(_MOST_JUMPS * 10):
        size = data[place]
        if size >= 0xC0:
            after = place + 2 if after < 0 else after
            place = (size & 0x3F) << 8 | data[place + 1]
        elif size == 0:
            return ".".join(labels), place + 1 if after < 0 else after
        else:
            labels.append(data[place + 1 : place + 1 + size].decode("ascii", "replace"))
            place += 1 + size
    raise ValueError("a name without an end")
