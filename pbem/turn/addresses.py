"""Another address of a player's: wished with his signature, confirmed with his signature and a word mailed there.

Law: an address is written down only when somebody who reads its mail and holds the seat's key has said so. It is never
in the log; the others are told that the letters of this seat go elsewhere now, and not where. The mail to an address
that nobody has confirmed says nothing of the game: a stranger may read it.
"""

from __future__ import annotations

import hmac
import re

import msgspec

from engine import Say, refuse, say, words
from pbem.log.canonical import digest
from pbem.log.payloads import Settings
from pbem.turn import wording, zones
from pbem.turn.desk import Desk, Person, name_of
from pbem.turn.posting import Draft, Letter, render_letter
from pbem.turn.views import token
from pbem.turn.wording import paragraph

replace = msgspec.structs.replace
PAUSE = 600
"""Seconds after which another address may be wished: a player must not mail strangers all day long."""
_ADDRESS = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9._-]{1,190}|\[[A-Za-z0-9.:]{1,60}\])"
)


def is_address(text: str) -> bool:
    """True for an address that can stand in a command, a row and a header: ASCII, one `@`, no quotes."""
    return len(text) <= 254 and _ADDRESS.fullmatch(text) is not None


def apply(desk: Desk, payload: Settings) -> tuple[Desk, tuple[Letter, ...]]:
    """What a player says about his addresses, and who is told. Refused `settings/…`."""
    if payload.confirm is not None:
        return _confirmed(desk, payload.seat, payload.confirm)
    if payload.second == "":
        return _with(desk, payload.seat, second="", wanted=""), ()
    if payload.address is None and payload.second is None:
        return desk, ()
    which = "address" if payload.address is not None else "second"
    return _wished(desk, payload.seat, which, payload.address or payload.second or "")


def _wished(desk: Desk, seat: str, which: str, wanted: str) -> tuple[Desk, tuple[Letter, ...]]:
    if not is_address(wanted):
        raise refuse(
            "settings/address", found=wanted[:60].encode("ascii", "backslashreplace").decode("ascii")
        )
    _, _, at = _wish(desk.people[seat])
    if at and zones.seconds_of(desk.now) < zones.seconds_of(at) + PAUSE:
        raise refuse("settings/too-soon", minutes=PAUSE // 60)
    after = _with(desk, seat, wanted=f"{which} {wanted} {desk.now}")
    return after, (_ask_letter(after, seat, which, wanted),)


def _wish(person: Person) -> tuple[str, str, str]:
    """Which address is wished, the address, and since when; empty words for none."""
    which, _, rest = person.wanted.partition(" ")
    wanted, _, at = rest.partition(" ")
    return which, wanted, at


def _confirmed(desk: Desk, seat: str, said: str) -> tuple[Desk, tuple[Letter, ...]]:
    which, wanted, _ = _wish(desk.people[seat])
    if not wanted or not hmac.compare_digest(said.encode(), word_for(desk, seat).encode()):
        raise refuse("settings/confirm")
    before = desk.people[seat].address
    after = _with(desk, seat, **{which: wanted}, wanted="")
    if which == "second":
        return after, ()
    return after, (_farewell_letter(after, seat, before), *_told_letters(after, seat))


def word_for(desk: Desk, seat: str) -> str:
    """The word that is mailed to the address which a seat's player wishes, and which he says to confirm it."""
    wish = desk.people[seat].wanted
    return "".join(token(desk.secrets.mail, "address", desk.game_id, seat, wish, part) for part in "12")


def _with(desk: Desk, seat: str, **changes: str) -> Desk:
    person = replace(desk.people[seat], **changes)
    return replace(desk, people={**desk.people, seat: person})


def _ask_letter(desk: Desk, seat: str, which: str, to: str) -> Letter:
    """To the new address: the word, and nothing about the game."""
    lang, word = desk.lang(seat), word_for(desk, seat)
    rows = (
        say(
            "Somebody who plays in a game by mail here, {game}, wishes its letters at this address.",
            game=desk.game_id,
        )
        if which == "address"
        else say(
            "Somebody who plays in a game by mail here, {game}, names this as another address of his.",
            game=desk.game_id,
        ),
        say("If that is you, save the view of your newest letter, and type"),
    )
    command = f"     pbem settings VIEW --confirm {word}"
    last = (
        say("and mail the file that it writes to the address that it names. Nothing changes before that."),
        say("If it is not you, do nothing: you will not hear of this again."),
    )
    text = "\n".join(
        [*(paragraph(one, lang) for one in rows), command, *(paragraph(one, lang) for one in last)]
    )
    return _letter(
        desk, seat, "wished", (say("[pbem {game}] is this your address?", game=desk.game_id), text, to)
    )


def _farewell_letter(desk: Desk, seat: str, to: str) -> Letter:
    """To the old address, the last letter that goes there."""
    lang = desk.lang(seat)
    rows = (
        say(
            "Your letters of game {game} go to another address from now on, as you have wished and confirmed.",
            game=desk.game_id,
        ),
        say("If that was not you, tell the host at once: somebody else has your key."),
    )
    text = "\n".join(paragraph(one, lang) for one in rows)
    subject = say("[pbem {game}] your letters go elsewhere now", game=desk.game_id)
    return _letter(desk, seat, "left", (subject, text, to))


def _told_letters(desk: Desk, seat: str) -> tuple[Letter, ...]:
    """To the others: the fact, and no address."""
    found: list[Letter] = []
    for other in desk.charter.seats:
        if other == seat or not desk.people[other].address:
            continue
        lang = desk.lang(other)
        text = paragraph(
            say(
                "The letters to {who} go to another address from now on. The key of the seat is the same.",
                who=name_of(desk, seat),
            ),
            lang,
        )
        subject = say("[pbem {game}] {who} has another address", game=desk.game_id, who=seat)
        mark = digest(f"{seat} {desk.now}".encode())[:16]
        name = f"{desk.game_id}.moved.{other}.{mark}@{desk.post.domain}"
        found.append(render_letter(desk, other, Draft(name, words(subject, lang), f"{text}\n")))
    return tuple(found)


def _letter(desk: Desk, seat: str, what: str, said: tuple[Say, str, str]) -> Letter:
    subject, text, to = said
    mark = digest(f"{what} {seat} {to} {desk.now}".encode())[:16]
    name = f"{desk.game_id}.{what}.{seat}.{mark}@{desk.post.domain}"
    draft = Draft(name, words(subject, desk.lang(seat)), wording.letter_text([text]), to=to)
    # it is none of the seat's letters: it must not be sent after its player, nor count for his address
    return replace(render_letter(desk, seat, draft), seat="")
