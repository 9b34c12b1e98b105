"""A mail opened: who says he sent it, whether a person did, and which texts in it may be a move.

Law: decides what in the mail is looked at, and in which order; knows nothing of envelopes but that their text
is a JSON object with a "payload". What is an envelope, and whose, is told by callbacks: the signature judges,
not the label of the part, its file name, its place in the mail or the repairs it took. Nothing but Refused
leaves this module.

Steps of `open_mail`, each within a budget that is checked before it:
1. size of the whole and of its header block (`mail_parts`); of a mail beyond them only the top is looked at;
2. header fields that matter for answering, cleaned: nothing from them can break a line of a mail of ours;
3. leaves of the MIME tree; attached mails and encrypted parts are not entered;
4. text of each leaf (`mail_text`), with line damage undone in several ways (`unquote`);
5. objects in these texts: first those that are whole (`mail_scan`), then those with broken strings
(`mail_mend`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Protocol, TypeVar

import msgspec

from engine import Refusal, Refused, refuse
from pbem.turn import mail_parts, mail_text
from pbem.turn.mail_cut import uncut
from pbem.turn.mail_mend import mended
from pbem.turn.mail_parts import Broken, Container, Fields, Part, Piece
from pbem.turn.mail_scan import Spend, broken, compact, whole
from pbem.turn.mail_unlabelled import undone
from pbem.turn.unquote import readings

CANDIDATES, WHOLE_CANDIDATES = 40, 24  # the rest is kept for objects that need mending
CANDIDATE_BYTES = 512 * 1024  # all candidates of a mail together
# Characters of all objects that are tried, those included that are none: in any mail, in a mail of any size, and for
# each of its characters; a quote sign is a few, for strings are looked at one by one.
LEAST_WORK, CANDIDATE_WORK, WORK, QUOTE = 192 * 1024, 2 * 1024 * 1024, 7, 2

PAYLOAD = "payload"
_MEMBERS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_BEGUN = re.compile(r'"payload"\s*+:')
_MESSAGE_ID = re.compile(r"<([A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,120}@[A-Za-z0-9.:-]{1,120})>")
_ADDRESS = re.compile(
    r"[^\s<>@,;:\"()\[\]\\\x00-\x20\x7f-\xa0]{1,64}@[^\s<>@,;:\"()\\\x00-\x20\x7f-\xa0]{1,255}"
)
_ROBOT_FIELDS = ("list-id", "list-post", "x-autoreply", "x-autorespond", "x-failed-recipients")
_ROBOT_PRECEDENCE = ("bulk", "list", "junk", "auto_reply")
_ROBOT_SENDERS = ("mailer-daemon", "postmaster")

_PACKED = (
    "zip",
    "x-zip",
    "x-zip-compressed",
    "gzip",
    "x-gzip",
    "x-7z-compressed",
    "x-rar",
    "vnd.rar",
    "x-tar",
)
_PACKED_MARKS = (b"PK\x03\x04", b"\x1f\x8b", b"7z\xbc\xaf", b"Rar!")
_TNEF_KINDS, _TNEF_MARK = ("application/ms-tnef", "application/vnd.ms-tnef"), b"\x78\x9f\x3e\x22"
_SEALED = ("application/pkcs7-mime", "application/x-pkcs7-mime", "application/pgp-encrypted")
_SEALED_TEXT = b"-----BEGIN PGP MESSAGE-----"
# Of several troubles the one that a sender can do most about is told.
_TROUBLES = (
    "mail/winmail",
    "mail/zip",
    "mail/encrypted",
    "mail/attached-message",
    "mail/bounce",
    "mail/malformed",
)


Contents = tuple[tuple[bytes, ...], Refusal | None]


class Mail(msgspec.Struct, frozen=True):
    """What a mail holds.

    `message_id`: `<…@…>`, safe to stand in a header of ours, or "". `subject`: decoded, one line, at most 200
    characters. `sender`: the address of From, else of Reply-To, or ""; anyone can write anything there.
    `auto`: no person wrote this, so it must not be answered. `received`: number of Received fields.
    `candidates`: JSON texts without blanks, each a balanced object with a key "payload", likeliest first.
    `trouble`: why a move, if there is one, may not have been seen; None if nothing stood in the way.
    """

    message_id: str
    subject: str
    sender: str
    auto: bool
    received: int
    candidates: tuple[bytes, ...]
    trouble: Refusal | None


class Claim(Protocol):
    """An envelope as read: its public id, and the digest that makes two envelopes the same."""

    @property
    def id(self) -> str: ...
    @property
    def payload_digest(self) -> str: ...


E = TypeVar("E", bound=Claim)


def open_mail(raw: bytes) -> Mail:
    """The mail opened; whatever is amiss is its `trouble`. One that is too long is known by the top of its header."""
    try:
        mail_parts.check_size(raw)
        fields, body = mail_parts.opened(raw)
    except Refused as refused:
        return _opened(mail_parts.top(raw), ((), refused.refusal))
    return _opened(fields, _guarded(lambda: _contents(fields, body)))


def _opened(fields: Fields, contents: Contents) -> Mail:
    candidates, trouble = contents
    sender = sender_of(fields)
    return Mail(
        message_id=_message_id(mail_parts.first(fields, "message-id")),
        subject=mail_text.header(mail_parts.first(fields, "subject")),
        sender=sender,
        auto=_auto(fields, sender),
        received=sum(name == "received" for name, _ in fields),
        candidates=candidates,
        trouble=trouble,
    )


def sender_of(fields: Fields) -> str:
    """The address of From, else of Reply-To, or ""."""
    return _address(mail_parts.first(fields, "from")) or _address(mail_parts.first(fields, "reply-to"))


def claims(mail: Mail, read: Callable[[bytes], E]) -> tuple[E, ...]:
    """The candidates that are envelopes, by the word of `read`, which raises Refused for others.

    Refused if there is none: the trouble of the mail, or what is wrong with the likeliest candidate, or
    `mail/no-move`.
    """
    found: list[E] = []
    reasons = [] if mail.trouble is None else [Refused(mail.trouble)]
    for candidate in mail.candidates:
        try:
            found.append(read(candidate))
        except Refused as reason:
            reasons.append(reason)
    if not found:
        raise reasons[0] if reasons else refuse("mail/no-move")
    return tuple(found)


def choose(found: Sequence[E], verify: Callable[[E], object]) -> E:
    """The one envelope that is signed and sound; `verify` raises Refused for any other. `found` is not empty.

    Steps: 1. those that verify; if none does, what is wrong with the first.
    2. The same payload several times is one envelope.
    3. Two that differ: `mail/two-moves`, with both ids; neither is taken, whatever their order in the mail.
    """
    sound: dict[str, E] = {}
    reasons: list[Refused] = []
    for one in found:
        try:
            verify(one)
        except Refused as reason:
            reasons.append(reason)
        else:
            sound.setdefault(one.payload_digest, one)
    if not sound:
        raise reasons[0] if reasons else refuse("mail/no-move")
    first, *others = sound.values()
    if others:
        raise refuse("mail/two-moves", first=first.id, second=others[0].id)
    return first


def envelope(mail: Mail, read: Callable[[bytes], E], verify: Callable[[E], object]) -> E:
    """The envelope of the mail, `claims` and `choose` in one."""
    return choose(claims(mail, read), verify)


Ranked = tuple[int, tuple[str, ...]]


def _guarded(work: Callable[[], Contents]) -> Contents:
    """Nothing a stranger sends may stop the mail behind it: what none of us foresaw is a malformed mail."""
    try:
        return work()
    except Refused as reason:
        return (), reason.refusal
    except Exception:  # noqa: BLE001 - a fault of ours in reading one mail must not become a fault of the service
        return (), Refusal("mail/malformed")


def _contents(fields: Fields, body: bytes) -> Contents:
    """Candidates and trouble of a mail."""
    pieces = mail_parts.pieces(fields, body)
    troubles = {trouble for piece in pieces if (trouble := _trouble(piece))}
    told = [Refusal(code) for code in _TROUBLES if code in troubles]
    texts: list[Ranked] = []
    for piece in pieces:
        if isinstance(piece, Part):
            ranked, failed = _guarded_texts(piece)
            texts += ranked
            told += failed
    texts.sort(key=lambda ranked: ranked[0])
    tried = [reading for _, reading in texts]
    budget = _budget(len(body))
    found = _candidates(tried, budget)
    if not found and not any(isinstance(piece, Container) for piece in pieces):
        budget.left = max(budget.left, LEAST_WORK)
        found = _candidates(_mislabelled(body, {text for each in tried for text in each}), budget)
    if not any(map(_is_players, found)) and any(
        _begins(text, torn=bool(found)) for _, each in texts for text in each
    ):
        told.append(Refusal("mail/damaged"))
    return found, told[0] if told else None


def _is_players(candidate: bytes) -> bool:
    """Whether it is signed, and not by the host: a view that a player sends back is no move."""
    return b'"sig"' in candidate and b'"kind":"view"' not in candidate


def _begins(text: str, *, torn: bool) -> bool:
    """Whether a move begins in the text; `torn`: one that does not end, beside objects that do."""
    begun = len(_BEGUN.findall(text))
    return begun > (sum(len(_BEGUN.findall(one)) for one in whole(text)) if torn else 0)


def _guarded_texts(part: Part) -> tuple[list[Ranked], list[Refusal]]:
    """The readings of a part with its rank; a part that cannot be read takes no other part with it."""
    try:
        return _texts(part), []
    except Exception:  # noqa: BLE001 - as above, for one part
        return [], [Refusal("mail/malformed")]


def _texts(part: Part) -> list[Ranked]:
    """The readings of a part with their rank: 0 begins with a brace, whatever its type; 1 text; 2 other; 3 HTML; 4
    what is encoded once more than its labels tell, or less.
    """
    found = _read(part, part.body)
    if b"payload" in part.raw:
        found += [(4, each) for _, each in _read(part, part.raw, encoded=False)]
    return found


def _read(part: Part, body: bytes, *, encoded: bool = True) -> list[Ranked]:
    """The readings of a body with the rank that the type of its part gives; and of what may be `encoded` in it."""
    charset = part.params.get("charset", "")
    text = mail_text.text(body, charset)
    is_html = part.kind in ("text/html", "application/xhtml+xml")
    shown = mail_text.from_html(text) if is_html else text
    inner = undone(shown, charset) if encoded else ()
    hidden = [(4, readings(each)) for each in inner if PAYLOAD in each]
    if not is_html and not part.kind.startswith("text/") and PAYLOAD not in text:
        return hidden
    flowed = part.params.get("format", "").lower() == "flowed"
    found = readings(text, flowed, flowed and part.params.get("delsp", "").lower() == "yes")
    if is_html:
        # a cut line must be made whole before its tags are taken away, which may have been cut, too
        whole_lines = (mail_text.from_html(mail_text.text(each, charset)) for each in uncut(body))
        found = (*(one for each in whole_lines for one in readings(each)), *readings(shown), *found)
    rank = 3 if is_html else 1 if part.kind.startswith("text/") else 2
    return [(0 if text.lstrip().startswith("{") else rank, found), *hidden]


def _mislabelled(body: bytes, tried: Collection[str] = ()) -> list[tuple[str, ...]]:
    """The whole body as text, for labels that lie: plain text called base64, quoted-printable not called so. What has
    been `tried` is not tried again.
    """
    texts = dict.fromkeys(mail_text.text(each) for each in dict.fromkeys((body, mail_parts.printable(body))))
    # a text that was read before was read in every way, too, unless as HTML
    return [tuple(one for one in readings(text) if one not in tried) for text in texts if text not in tried]


def _trouble(piece: Piece) -> str:
    """The code of why a piece may hide a move, or ""."""
    match piece:
        case Broken():
            return "mail/malformed"
        case Container(kind="message/rfc822" | "message/global"):
            return "mail/attached-message"
        case Container(kind="multipart/encrypted"):
            return "mail/encrypted"
        case Container(kind="multipart/report"):
            return "mail/bounce"
        case Container():
            return "mail/malformed"
        case Part(kind=kind, name=name, body=body):
            if kind in _TNEF_KINDS or name.lower() == "winmail.dat" or body.startswith(_TNEF_MARK):
                return "mail/winmail"
            if kind.removeprefix("application/") in _PACKED or body.startswith(_PACKED_MARKS):
                return "mail/zip"
            return "mail/encrypted" if kind in _SEALED or _SEALED_TEXT in body else ""


class Budget:
    """Characters that may still be worked on for the candidates of a mail."""

    def __init__(self, left: int) -> None:
        self.left = left

    def spend(self, work: int) -> bool:
        self.left -= work
        return self.left >= 0


def _budget(size: int) -> Budget:
    """For a mail whose body has so many bytes, however many texts are read in it."""
    return Budget(min(CANDIDATE_WORK, LEAST_WORK + WORK * size))


def _candidates(texts: Sequence[tuple[str, ...]], budget: Budget) -> tuple[bytes, ...]:
    """Objects of all texts, signed ones first, none twice, within CANDIDATES, CANDIDATE_BYTES and a budget of work."""
    found: dict[bytes, None] = {}
    size = 0
    for limit, source in (
        (WHOLE_CANDIDATES, _whole(texts, budget.spend)),
        (CANDIDATES, _mended(texts, budget.spend)),
    ):
        for text in source:
            candidate = text.encode("utf-8", "replace")
            if candidate not in found and _is_object(candidate):
                found[candidate] = None
                size += len(candidate)
            if len(found) >= limit or size > CANDIDATE_BYTES:
                break
    return tuple(sorted(found, key=lambda candidate: b'"sig"' not in candidate))


def _is_object(candidate: bytes) -> bool:
    """Whether it is JSON at all, with a "payload"; only keys are looked at, so depth and size do no harm."""
    try:
        return "payload" in _MEMBERS.decode(candidate)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return False


def _whole(texts: Sequence[tuple[str, ...]], spend: Spend) -> Iterator[str]:
    for each in texts:
        for text in each:
            for one in whole(text):
                if not spend(len(one) + QUOTE * one.count('"')):
                    return
                yield compact(one)


def _mended(texts: Sequence[tuple[str, ...]], spend: Spend) -> Iterator[str]:
    """Objects with broken strings: the likeliest reading of each, then the second of each, and so on."""
    objects = dict.fromkeys(one for each in texts for text in each for one in broken(text, spend))
    turns = [mended(one, spend) for one in objects]
    while turns:
        for turn in tuple(turns):
            reading = next(turn, None)
            if reading is None:
                turns.remove(turn)
            else:
                yield reading


def _message_id(value: bytes) -> str:
    found = _MESSAGE_ID.search(value[:1_000].decode("latin-1"))
    return found[0] if found else ""


def _address(value: bytes) -> str:
    """The address in angle brackets, else the first thing that looks like one."""
    text = mail_text.text(value[:1_000])
    found = _ADDRESS.search(text, text.rfind("<") + 1) or _ADDRESS.search(text)
    return found[0] if found else ""


def _auto(fields: Fields, sender: str) -> bool:
    """Whether a machine wrote the mail. X-Auto-Response-Suppress is no sign of that: Exchange puts it on
    people's mail.
    """
    submitted = mail_parts.first(fields, "auto-submitted").partition(b";")[0].strip().lower()
    null_sender = any(name == "return-path" and value.strip() == b"<>" for name, value in fields)
    precedence = mail_parts.first(fields, "precedence").strip().lower().decode("latin-1")
    return (
        submitted not in (b"", b"no")
        or null_sender
        or precedence in _ROBOT_PRECEDENCE
        or any(name in _ROBOT_FIELDS for name, _ in fields)
        or sender.partition("@")[0].lower() in _ROBOT_SENDERS
        or mail_parts.kind_of(fields) == "multipart/report"
    )
