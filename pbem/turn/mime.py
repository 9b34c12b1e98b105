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
5. objects in these texts (`mail_candidates`), and moves that begin in them and are none of these (`mail_begun`);
6. what else may hide a move (`mail_kinds`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Protocol, TypeVar

import msgspec

from engine import Refusal, Refused, refuse
from pbem.log.envelope import HOST_KINDS
from pbem.turn import mail_heads, mail_kinds, mail_parts, mail_text
from pbem.turn.mail_begun import Begun, begins, torn
from pbem.turn.mail_candidates import LEAST_WORK, budget_for, candidates
from pbem.turn.mail_cut import uncut
from pbem.turn.mail_parts import Container, Fields, Part
from pbem.turn.mail_unlabelled import undone
from pbem.turn.unquote import readings

PAYLOAD = "payload"
_OF_THE_HOST = tuple(f'"kind":"{kind}"'.encode() for kind in HOST_KINDS)


class Contents(msgspec.Struct, frozen=True):
    """What the parts of a mail hold: as in Mail."""

    candidates: tuple[bytes, ...] = ()
    trouble: Refusal | None = None
    torn: tuple[Begun, ...] = ()


class Mail(msgspec.Struct, frozen=True):
    """What a mail holds.

    `message_id`: `<…@…>`, safe to stand in a header of ours, or "". `subject`: decoded, one line, at most 200
    characters. `sender`: the address of From, else of Reply-To, or ""; anyone can write anything there.
    `auto`: no person wrote this, so it must not be answered. `received`: number of Received fields.
    `candidates`: JSON texts without blanks, each a balanced object with a key "payload", likeliest first.
    `trouble`: why a move, if there is one, may not have been seen; None if nothing stood in the way.
    `torn`: what begins in the mail and is none of the candidates.
    """

    message_id: str
    subject: str
    sender: str
    auto: bool
    received: int
    candidates: tuple[bytes, ...]
    trouble: Refusal | None
    torn: tuple[Begun, ...] = ()


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
        return _opened(mail_parts.top(raw), Contents(trouble=refused.refusal))
    return _opened(fields, _guarded(lambda: _contents(fields, body)))


def _opened(fields: Fields, contents: Contents) -> Mail:
    sender = mail_heads.sender_of(fields)
    return Mail(
        message_id=mail_heads.message_id(fields),
        subject=mail_text.header(mail_parts.first(fields, "subject")),
        sender=sender,
        auto=mail_heads.is_automatic(fields, sender),
        received=sum(name == "received" for name, _ in fields),
        candidates=contents.candidates,
        trouble=contents.trouble,
        torn=contents.torn,
    )


def attached_mails(raw: bytes) -> tuple[bytes, ...]:
    """The mails that are attached to a mail. `open_mail` does not look into them, for old mails hold old moves."""
    try:
        mail_parts.check_size(raw)
        pieces = mail_parts.pieces(*mail_parts.opened(raw))
    except Refused:
        return ()
    return tuple(
        piece.body
        for piece in pieces
        if isinstance(piece, Container) and piece.kind in ("message/rfc822", "message/global")
    )


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
        return Contents(trouble=reason.refusal)
    except Exception:  # noqa: BLE001 - a fault of ours in reading one mail must not become a fault of the service
        return Contents(trouble=Refusal("mail/malformed"))


def _contents(fields: Fields, body: bytes) -> Contents:
    pieces = mail_parts.pieces(fields, body)
    worst = mail_kinds.worst(pieces)
    told = [worst] if worst is not None else []
    texts: list[Ranked] = []
    for piece in pieces:
        if isinstance(piece, Part):
            ranked, failed = _guarded_texts(piece)
            texts += ranked
            told += failed
    texts.sort(key=lambda ranked: ranked[0])
    tried = [reading for _, reading in texts]
    budget = budget_for(len(body))
    found = candidates(tried, budget)
    if not found and not any(isinstance(piece, Container) for piece in pieces):
        budget.left = max(budget.left, LEAST_WORK)
        found = candidates(_mislabelled(body, {text for each in tried for text in each}), budget)
    if any(map(_is_players, found)):
        return Contents(
            found, told[0] if told else None, torn((text for each in tried for text in each), found)
        )
    if any(begins(text, beside=bool(found)) for each in tried for text in each):
        told.append(Refusal("mail/damaged"))
    return Contents(found, told[0] if told else None)


def _is_players(candidate: bytes) -> bool:
    """Whether it is signed, and not by the host: a view that a player sends back is no move."""
    return b'"sig"' in candidate and not any(kind in candidate for kind in _OF_THE_HOST)


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
