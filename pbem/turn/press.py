"""Press: what players say to each other. Who may say how much to whom, and what of it is passed on.

Law: a game's terms say whether there is press (`press`: `open`, `anonymous` or `none`) and when it goes out (`press_when`:
with the reader's next `letter`, or at `once`). What is said is signed by its author and never opened; the host
passes it on without what it quotes. Only open press to all leaves a record, and that says no more than who spoke.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from engine import Say, break_lines, refuse, say, words
from pbem.log.canonical import digest
from pbem.log.ledger import member
from pbem.log.payloads import Press
from pbem.turn import wording
from pbem.turn.desk import Desk, Journal, Message, name_of
from pbem.turn.posting import Draft, Letter, render_letter
from pbem.turn.wording import paragraph

replace = msgspec.structs.replace
MOST_A_DAY = 20
_SAID_BY = re.compile(
    r".{0,200}(?:wrote|writes|schrieb|a \u00e9crit|escribi\u00f3|skrev|schreef|ha scritto|kirjoitti|\u00edrta)\b.{0,80}:",
    re.IGNORECASE,
)
_CUT = re.compile(
    r"-- ?|-{3,} ?(?:original message|urspr\u00fcngliche nachricht|forwarded message).*", re.IGNORECASE
)


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a charter's `terms` may say."""

    press: Literal["open", "anonymous", "none"] = "none"
    press_when: Literal["letter", "once"] = "letter"


def vetted(terms: Mapping[str, Any]) -> dict[str, Any]:
    """Terms for a charter. Refused `game/terms`."""
    try:
        msgspec.convert(dict(terms), Terms)
    except msgspec.ValidationError as misfit:
        raise refuse("game/terms", problem=str(misfit)) from None
    return dict(terms)


def terms_of(desk: Desk) -> Terms:
    """The terms of a game; without any there is no press."""
    said = desk.charter.terms
    return Terms() if said is msgspec.UNSET else msgspec.convert(said, Terms)


def check(desk: Desk, payload: Press) -> tuple[Message, tuple[str, ...]]:
    """The message as it is passed on, and the seats that get it. Refused `fresh/no-press`, `press/…`."""
    terms, journal = terms_of(desk), desk.snapshot.journals[payload.seat]
    if terms.press == "none":
        raise refuse("fresh/no-press")
    # 1. to seats of this game, others than one's own
    others = tuple(seat for seat in desk.charter.seats if seat != payload.seat)
    wanted = others if payload.to == "all" else tuple(dict.fromkeys(payload.to))
    unknown = [seat for seat in wanted if seat not in others]
    if unknown:
        raise refuse("press/to", seats=", ".join(others))
    # 2. something of one's own
    text = own_words(payload.text)
    if not text:
        raise refuse("press/empty")
    # 3. not too much
    if journal.said_on == desk.now[:10] and journal.pressed >= MOST_A_DAY:
        raise refuse("press/too-many", most=MOST_A_DAY)
    seat = "" if terms.press == "anonymous" else payload.seat
    living = tuple(one for one in wanted if not member(desk.snapshot.ledger, one).resigned)
    return Message(seat, payload.to == "all", text, desk.now), living


def own_words(text: str) -> str:
    """A text without what it quotes, without a signature, without control characters."""
    kept: list[str] = []
    for line in text.replace("\r\n", "\n").split("\n"):
        row = "".join(char if char.isprintable() else " " for char in line).rstrip()
        if _CUT.fullmatch(row):
            break
        if row.lstrip().startswith(">"):
            while kept and (not kept[-1] or _SAID_BY.fullmatch(kept[-1])):
                kept.pop()
            continue
        kept.append(row)
    return "\n".join(kept).strip()


def counted(journal: Journal, now: str) -> Journal:
    """The journal of a seat that has spoken."""
    today = now[:10]
    return replace(journal, said_on=today, pressed=journal.pressed + 1 if journal.said_on == today else 1)


def message_letter(desk: Desk, seat: str, messages: tuple[Message, ...], mark: str) -> Letter:
    """Messages to a seat, as one letter. `mark` tells it from others."""
    lang = desk.lang(seat)
    parts = ["\n".join([paragraph(_head(desk, one), lang), *_quoted(one.text)]) for one in messages]
    parts.append(
        paragraph(
            say("To answer: save the view of your newest letter, and type `pbem press` and its name."), lang
        )
    )
    if len(messages) == 1 and messages[0].seat:
        subject = say("[pbem {game}] {who} writes", game=desk.game_id, who=messages[0].seat)
    else:
        subject = say("[pbem {game}] messages from the table", game=desk.game_id)
    return _letter(desk, seat, words(subject, lang), parts, mark)


def receipt_letter(desk: Desk, seat: str, to: tuple[str, ...], record: int) -> Letter:
    """What the author is told: who gets it, and when."""
    lang, terms = desk.lang(seat), terms_of(desk)
    names = tuple(name_of(desk, one) for one in to)
    now = say("Your message goes out to {names} now.", names=names)
    later = say("Your message goes to {names} with their next letters.", names=names)
    sentences = [now if terms.press_when == "once" else later]
    if terms.press == "anonymous":
        sentences.append(say("Nobody is told that it is yours."))
    if record:
        sentences.append(
            say("Record {record} of the log says that you spoke to all, and not what.", record=record)
        )
    subject = words(say("[pbem {game}] your message", game=desk.game_id), lang)
    return _letter(
        desk, seat, subject, ["\n".join(paragraph(one, lang) for one in sentences)], f"receipt {record}"
    )


def _head(desk: Desk, message: Message) -> Say:
    who = name_of(desk, message.seat) if message.seat else say("Somebody at the table")
    if message.to_all:
        return say("{who} wrote to all on {at}:", who=who, at=message.at)
    return say("{who} wrote to you on {at}:", who=who, at=message.at)


def _quoted(text: str) -> list[str]:
    rows: list[str] = []
    for line in text.split("\n"):
        rows += break_lines(line, wording.WIDTH, "  | ", "  | ") if line else ["  |"]
    return rows


def _letter(desk: Desk, seat: str, subject: str, parts: list[str], mark: str) -> Letter:
    text = wording.letter_text(parts)
    name = digest(f"{seat} {desk.now} {mark} {text}".encode())[:16]
    return render_letter(
        desk, seat, Draft(f"{desk.game_id}.press.{seat}.{name}@{desk.post.domain}", subject, text)
    )
