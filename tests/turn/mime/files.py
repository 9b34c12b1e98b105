"""Files of all kinds that come in place of a move file: the code that is told of each, and the kind that it names."""

from __future__ import annotations

import base64
import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
import zlib

from tests.turn.mime.sample import TEXT, multipart, part

PACKED = zlib.compress(TEXT.encode())
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 504
OFFICE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
OCTETS = "application/octet-stream"


def zipped(name: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, TEXT)
    return out.getvalue()


def tarred() -> bytes:
    out = io.BytesIO()
    with tarfile.TarFile(fileobj=out, mode="w") as archive:
        entry = tarfile.TarInfo("move.json")
        entry.size = len(TEXT)
        archive.addfile(entry, io.BytesIO(TEXT.encode()))
    return out.getvalue()


def with_file(data: bytes, kind: str, name: str) -> bytes:
    """A mail with a few words and one file."""
    fields = (f'Content-Type: {kind}; name="{name}"', f'Content-Disposition: attachment; filename="{name}"')
    file = part(base64.encodebytes(data), *fields, "Content-Transfer-Encoding: base64")
    return multipart(part("My move.\n", "Content-Type: text/plain"), file)


FILES: dict[str, tuple[bytes, str, str]] = {
    "zip": (with_file(zipped("move.json"), "application/zip", "move.zip"), "mail/zip", "zip"),
    "zip called json": (with_file(zipped("move.json"), "application/json", "move.json"), "mail/zip", "zip"),
    "zip of a type of Windows": (with_file(PACKED, "application/x-zip-compressed", "m"), "mail/zip", "zip"),
    "gzip": (with_file(gzip.compress(TEXT.encode()), OCTETS, "move"), "mail/zip", "gzip"),
    "tar, compressed": (
        with_file(gzip.compress(tarred()), "application/gzip", "move.tar.gz"),
        "mail/zip",
        "gzip",
    ),
    "tar": (with_file(tarred(), OCTETS, "move"), "mail/zip", "tar"),
    "bzip2": (with_file(bz2.compress(TEXT.encode()), "application/x-bzip2", "move.bz2"), "mail/zip", "bzip2"),
    "bzip2 called nothing": (with_file(bz2.compress(TEXT.encode()), OCTETS, "move"), "mail/zip", "bzip2"),
    "xz": (with_file(lzma.compress(TEXT.encode()), OCTETS, "move"), "mail/zip", "xz"),
    "zstd": (
        with_file(b"\x28\xb5\x2f\xfd\x04\0" + PACKED, "application/zstd", "move.zst"),
        "mail/zip",
        "zstd",
    ),
    "7z": (with_file(b"7z\xbc\xaf\x27\x1c" + PACKED, OCTETS, "move"), "mail/zip", "7z"),
    "rar": (with_file(b"Rar!\x1a\x07\x01\0" + PACKED, OCTETS, "move"), "mail/zip", "rar"),
    "cab": (with_file(b"MSCF\0\0\0\0" + PACKED, OCTETS, "move"), "mail/zip", "cab"),
    "PDF": (with_file(b"%PDF-1.7\n" + PACKED, "application/pdf", "move.pdf"), "mail/other-file", "PDF"),
    "PDF called octets": (with_file(b"%PDF-1.7\n" + PACKED, OCTETS, "move"), "mail/other-file", "PDF"),
    "docx": (
        with_file(zipped("word/document.xml"), OFFICE, "move.docx"),
        "mail/other-file",
        "Microsoft Office",
    ),
    "docx called octets": (
        with_file(zipped("word/document.xml"), OCTETS, "Move.DOCX"),
        "mail/other-file",
        "Microsoft Office",
    ),
    "doc": (with_file(OLE, "application/msword", "move.doc"), "mail/other-file", "Microsoft Office"),
    "odt": (
        with_file(zipped("content.xml"), "application/vnd.oasis.opendocument.text", "move.odt"),
        "mail/other-file",
        "OpenDocument",
    ),
    "msg": (with_file(OLE, "application/vnd.ms-outlook", "move.msg"), "mail/other-file", "Outlook .msg"),
    "msg called octets": (with_file(OLE, OCTETS, "move.msg"), "mail/other-file", "Outlook .msg"),
    "rtf": (
        with_file(b'{\\rtf1\\ansi \\{\\par "payload": \\{\\par\n}}', "application/rtf", "move.rtf"),
        "mail/other-file",
        "RTF",
    ),
    "Pages": (with_file(zipped("Index.zip"), OCTETS, "move.pages"), "mail/other-file", "Apple Pages"),
    "webarchive": (with_file(b"bplist00" + PACKED, OCTETS, "move"), "mail/other-file", "webarchive"),
    "OpenPGP": (with_file(b"\x85\1\x0c\3" + PACKED, OCTETS, "move.json.gpg"), "mail/encrypted", ""),
    "a key": (
        with_file(b'{"kind":"pbem-key","private_key":"00"}', "application/json", "key.json"),
        "mail/key",
        "",
    ),
    "a key with a passphrase": (
        with_file(b'{"kind":"pbem-key","locked":{"v":1}}', "text/plain", "key.txt"),
        "mail/key",
        "",
    ),
    "a key beside a zip": (
        multipart(
            part('{"kind": "pbem-key", "private_key": "00"}', "Content-Type: application/json"),
            part(zipped("move.json"), "Content-Type: application/zip"),
        ),
        "mail/key",
        "",
    ),
    # nobody's try at a move
    "a picture": (with_file(b"\x89PNG\r\n\x1a\n" + PACKED, "image/png", "shot.png"), "mail/no-move", ""),
    "a photo": (with_file(b"\0\0\0\x18ftypheic" + PACKED, "image/heic", "1.HEIC"), "mail/no-move", ""),
    "a signature": (
        with_file(b"0\x80" + PACKED, "application/pkcs7-signature", "smime.p7s"),
        "mail/no-move",
        "",
    ),
    "a public key": (with_file(PACKED, "application/pgp-keys", "key.asc"), "mail/no-move", ""),
    "a calendar": (with_file(b"BEGIN:VCALENDAR\r\n", "text/calendar", "a.ics"), "mail/no-move", ""),
    "an empty file": (with_file(b"", "application/json", "move.json"), "mail/no-move", ""),
}
