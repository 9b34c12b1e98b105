"""A letter gets its HTML and its pictures, after it was written and before it is sent for the first time.

Decides which letters get them (those that tell the board) and how much of it: the letter as a whole stays within `MOST`,
its HTML within what Gmail shows. Made of the letter alone, of its text and its view, so that it shows its reader
nothing new. The text and every file stay as they are, byte for byte; what comes is put between and behind them. The
same letter gives the same bytes, as far as picture and library are the same; sent is what was stored.

| part                    | what it is                                     |
| ----------------------- | ---------------------------------------------- |
| multipart/mixed         | as before: the letter and its files            |
| . multipart/alternative | the text as before, and                        |
| . . multipart/related   | the HTML, with the picture under a Content-ID  |
| . image/svg+xml         | last of the files: the picture in any size     |
"""

from __future__ import annotations

import base64
import hashlib
import quopri
import re
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from engine import AnyGame, Lapsed, Picture
from pbem.log.payloads import Pictures
from pbem.render import to_png, to_svg
from pbem.turn.eml import Attachment, attached
from pbem.turn.html import Told, mailable, to_html

Find = Callable[[str, int], AnyGame | None]
"""The rules of a game, by id and version."""

MOST, MOST_HTML = 150_000, 100_000
"""Bytes of a letter as it goes out, and of its HTML: Gmail cuts off what is beyond 102 kB."""
WIDEST, NARROW, NARROWEST = 640, 400, 300
"""Pixels. A picture is made less than NARROW only if there is no room for it and no drawing beside it either."""
COLOURS = 36
_GUESS = 190
"""Pixels of width for which a picture takes as many bytes, in base64, as its drawing."""
_EOL = b"\r\n"
_MIXED = re.compile(rb'\r\nContent-Type: multipart/mixed; boundary="([^"\r\n]+)"\Z')
_VIEW = re.compile(rb'filename="([A-Za-z0-9._-]+)\.view\.json"')
_ID = re.compile(rb"\r\nMessage-ID: <([!-;=?-~]+)>")


class _View(msgspec.Struct, frozen=True):
    """Of a view's payload, what a picture needs."""

    ruleset: dict[str, Any]
    view: dict[str, Any] = {}
    news: list[dict[str, Any]] = []


class _File(msgspec.Struct, frozen=True):
    payload: _View


class _Mail(msgspec.Struct, frozen=True):
    """A letter of ours cut up: its head, its boundary, its parts as they are, its Message-ID."""

    head: bytes
    boundary: bytes
    parts: tuple[bytes, ...]
    message_id: str

    @property
    def text(self) -> str:
        """What stands in its first part."""
        return _content(self.parts[0]).decode("utf-8").replace("\r\n", "\n")

    @property
    def view(self) -> tuple[str, bytes] | None:
        """The name of its view, without ending, and the view."""
        for part in self.parts[1:]:
            found = _VIEW.search(part.partition(_EOL * 2)[0])
            if found:
                return found[1].decode("ascii"), _content(part)
        return None


class _Scene(msgspec.Struct, frozen=True):
    """What a letter tells and shows, in the language that it is written in."""

    told: Told
    stem: str
    lang: str

    @property
    def picture(self) -> Picture:
        """The board as it is drawn."""
        return self.told.picture


def dress(raw: bytes, find: Find, lang: str, pictures: Pictures = "on") -> bytes:
    """The letter with HTML and pictures; as it was if it tells no board, or is not to have any."""
    mail = _cut(raw)
    scene = None if mail is None or pictures == "text" else _scene(mail, find, lang)
    if mail is None or scene is None:
        return raw
    plain = _with(mail, scene, b"", ())
    if len(plain) > MOST or len(to_html(scene.told, lang)) > MOST_HTML:
        return raw
    return plain if pictures == "off" else _fitted(mail, scene) or plain


def _cut(raw: bytes) -> _Mail | None:
    """A letter of ours with files; None for any other, and for one that is dressed."""
    head, _, body = raw.partition(_EOL * 2)
    mixed, name = _MIXED.search(head), _ID.search(head)
    if mixed is None or name is None:
        return None
    mark = b"--" + mixed[1]
    pieces = (_EOL + body).split(_EOL + mark)
    parts = tuple(piece.removeprefix(_EOL) for piece in pieces[1:-1])
    if not parts or not parts[0].startswith(b"Content-Type: text/plain;"):
        return None
    return _Mail(head, mixed[1], parts, name[1].decode("ascii"))


def _content(part: bytes) -> bytes:
    head, _, body = part.partition(_EOL * 2)
    if b"Content-Transfer-Encoding: base64" in head:
        return base64.b64decode(body)
    if b"Content-Transfer-Encoding: quoted-printable" in head:
        return quopri.decodestring(body)
    return body


def _scene(mail: _Mail, find: Find, lang: str) -> _Scene | None:
    """What the letter tells: None unless its text holds the report of its own view."""
    if mail.view is None:
        return None
    stem, data = mail.view
    file = msgspec.json.decode(data, type=_File)
    game = find(str(file.payload.ruleset["id"]), int(file.payload.ruleset["version"]))
    if game is None or not file.payload.view:
        return None
    seen = msgspec.convert(file.payload.view, game.view_type)
    news = msgspec.convert(file.payload.news, tuple[game.event | Lapsed, ...])  # type: ignore[name-defined]
    before, report, after = mail.text.partition(game.report(seen, news, lang).strip("\n"))
    if not report:
        return None
    around = report if game.around is None else game.around(seen, news, lang)
    return _Scene(Told(before, around, after, game.shapes(seen, news)), stem, lang)


def _fitted(mail: _Mail, scene: _Scene) -> bytes | None:
    """The letter with the largest picture that there is room for, and the SVG unless too little room would be left."""
    drawing = mailable(to_svg(scene.picture, scene.lang, alone=True).decode("utf-8")).encode("ascii")
    svg = Attachment(f"{scene.stem}.board.svg", "image/svg+xml", drawing)
    for files, least in (((svg,), NARROW), ((), NARROWEST)):
        room = MOST - len(_with(mail, scene, b"?", files))
        # a picture is about as large as its drawing is long, and grows as its width does
        wide = min(WIDEST, room * _GUESS // len(drawing))
        while wide >= least:
            png = to_png(scene.picture, scene.lang, wide=wide, colours=COLOURS)
            size = len(_base64(png))
            if size <= room:
                return _with(mail, scene, png, files)
            wide = min(wide * room // size, wide - 10)
    return None


def _with(mail: _Mail, scene: _Scene, png: bytes, files: Sequence[Attachment]) -> bytes:
    """The letter's bytes with HTML, and with these pictures."""
    image = f"board.{mail.message_id}" if png else ""
    html = to_html(msgspec.structs.replace(scene.told, image=image), scene.lang)
    page = _EOL.join(
        [
            b"Content-Type: text/html; charset=utf-8",
            b"Content-Transfer-Encoding: 7bit",
            b"",
            *html.encode("ascii").split(b"\n"),
        ]
    )
    if png:
        page = _multipart(mail, "related", (page, _inline(png, image, f"{scene.stem}.board.png")))
    both = _multipart(mail, "alternative", (mail.parts[0], page))
    parts = (both, *mail.parts[1:], *(_EOL.join(_ascii(attached(one))) for one in files))
    return mail.head + _EOL * 2 + _joined(mail.boundary, parts) + _EOL


def _multipart(mail: _Mail, kind: str, parts: Sequence[bytes]) -> bytes:
    """Parts under a boundary that follows from the letter's own."""
    boundary = b"=_" + hashlib.sha256(kind.encode() + mail.boundary).hexdigest()[:32].encode()
    more = b'; type="text/html"' if kind == "related" else b""
    head = b'Content-Type: multipart/%s; boundary="%s"%s' % (kind.encode(), boundary, more)
    return head + _EOL * 2 + _joined(boundary, parts)


def _joined(boundary: bytes, parts: Sequence[bytes]) -> bytes:
    lines = [line for part in parts for line in (b"--" + boundary, part)]
    return _EOL.join([*lines, b"--" + boundary + b"--"])


def _inline(png: bytes, image: str, name: str) -> bytes:
    head = (
        f'Content-Type: image/png; name="{name}"',
        f'Content-Disposition: inline; filename="{name}"',
        f"Content-ID: <{image}>",
        "Content-Transfer-Encoding: base64",
        "",
    )
    return _EOL.join([*_ascii(head), _base64(png)])


def _base64(data: bytes) -> bytes:
    coded = base64.b64encode(data)
    return _EOL.join(coded[i : i + 76] for i in range(0, len(coded), 76))


def _ascii(lines: Sequence[str]) -> list[bytes]:
    return [line.encode("ascii") for line in lines]
