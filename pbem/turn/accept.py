"""What an accepted envelope does: setups kept, orders played, records written. No letter is thought of here.

Each function takes the desk and gives a `Step`: the book with its new lines, and the desk as it is after
them. Refused leaves everything as it was.
"""

from __future__ import annotations

from typing import Any, Literal, assert_never

import msgspec

from engine import LANGUAGES, Filed, Position, Refused, file_standing, refuse
from pbem.log.chain import HOST
from pbem.log.envelope import Sealed
from pbem.log.ledger import member, note_rev
from pbem.log.payloads import (
    Advance,
    Extend,
    Join,
    Move,
    Payload,
    Press,
    Ready,
    Rekey,
    Resign,
    Settings,
    Standing,
    Take,
    Time,
    Undo,
    Withdraw,
)
from pbem.turn import play, press
from pbem.turn.desk import Desk, Estate, Kept, Message, Offer, Person, write_position
from pbem.turn.play import Played
from pbem.turn.policy import policy_of
from pbem.turn.sealing import guest_of
from pbem.turn.times import check_wish
from pbem.turn.writer import Book, Change, host_link, keep, signed, write, write_change, write_start

replace = msgspec.structs.replace

What = Literal[
    "join",
    "ready",
    "start",
    "move",
    "sealed",
    "timeout",
    "resign",
    "standing",
    "rotated",
    "reset",
    "taken",
    "ruling",
    "press",
    "time",
    "undo",
    "undone",
]


class Step(msgspec.Struct, frozen=True):
    """What happened: by whom, the book with the lines it took, whole engine events, the desk after it.

    `turn` is the turn it happened in. `position` is absent before the start. `enveloped` is False where no
    player's mail asked for it; `by` then says who played for the seat: a bot, or nobody (`skip`). `estate` is for
    who has taken the seat over, `message` for the seats that are its `readers`.
    """

    what: What
    seat: str
    turn: int
    book: Book
    desk: Desk
    events: tuple[Any, ...] = ()
    position: Position[Any] | None = None
    enveloped: bool = True
    estate: Estate = Estate()
    message: Message | None = None
    readers: tuple[str, ...] = ()
    by: Literal["bot", "skip"] | None = None


def open_book(desk: Desk) -> Book:
    """The log as it stands, ready for the next line."""
    return Book(desk.secrets, desk.snapshot.ledger, desk.now)


def accept(desk: Desk, sealed: Sealed, payload: Payload) -> Step:
    """The step for an envelope that has passed all checks but the engine's. Refused `order/…`, `moment/…`, `setup/…`."""
    match payload:
        case Join():
            return _join(desk, sealed, payload)
        case Ready():
            return _ready(desk, sealed, payload)
        case Move() | Advance():
            return _move(desk, sealed, payload)
        case Standing():
            return _standing(desk, sealed, payload)
        case Resign():
            return _resign(desk, sealed, payload)
        case Rekey() | Take():
            return _key(desk, sealed, payload)
        case Press():
            return _press(desk, sealed, payload)
        case Time():
            return _time(desk, sealed, payload)
        case Withdraw() | Settings() | Undo():
            raise RuntimeError("what is not for this function came to it")
        case _:
            assert_never(payload)


def _join(desk: Desk, sealed: Sealed, payload: Join) -> Step:
    book = open_book(desk)
    fields = {**signed(sealed), "public_key": payload.public_key, "tip": payload.tip}
    book = write(book, "join", fields, keep(book, sealed))
    person = _sitting(desk, payload)
    aside = {name: value for name, value in sealed.aside.items() if isinstance(value, str)}
    known = replace(
        person, name=_clean(aside.get("name", "")), lang=_language(aside.get("lang", person.lang))
    )
    return _step("join", desk, book, payload.seat, people={**desk.people, payload.seat: known})


def _sitting(desk: Desk, payload: Join) -> Person:
    """Who has joined: whom the seat was kept for, or a guest of the table."""
    person = desk.people[payload.seat]
    guest = guest_of(desk, payload.token) if not person.address else None
    return replace(person, address=guest.address, token=guest.token, lang=guest.lang) if guest else person


def _language(tag: str) -> str:
    """The language of a tag such as `fi` or `de-AT`, English for one without a catalog: strangers write it."""
    lang = tag.partition("-")[0]
    return lang if lang in LANGUAGES else "en"


def _clean(name: str) -> str:
    """A display name on one line, without control characters, at most 64 characters long."""
    return "".join(char for char in name if char.isprintable())[:64].strip()


def _ready(desk: Desk, sealed: Sealed, payload: Ready) -> Step:
    table = desk.table
    setup = msgspec.convert(payload.setup, table.game.setup)
    refusal = table.game.vet_setup(table.charter, payload.seat, setup)
    if refusal is not None:
        raise Refused(refusal)
    book = open_book(desk)
    fields = {**signed(sealed), "reveal": payload.reveal, "rev": payload.rev}
    book = write(book, "ready", fields, keep(book, sealed))
    setups = {**desk.snapshot.setups, payload.seat: payload.setup}
    if not all(entry.ready for entry in book.ledger.roster):
        return _step("ready", desk, book, payload.seat, setups=setups)
    dice = play.start_source(book.ledger, host_link(book, 1), desk.secrets.k_hidden)
    ordered = {seat: setups[seat] for seat in desk.charter.seats}
    played = play.begin(table, ordered, desk.snapshot.filed, dice)
    book = write_start(book, table, played)
    return _played("start", desk, book, payload.seat, played)


def _move(desk: Desk, sealed: Sealed, payload: Move | Advance) -> Step:
    position = _position(desk)
    book = open_book(desk)
    coming = {payload.seat: bytes.fromhex(payload.reveal)} if payload.reveal else {}
    dice = play.turn_source(book.ledger, host_link(book, book.ledger.turn + 1), coming, desk.secrets.k_hidden)
    played = play.move(desk.table, position, payload, dice)
    fields = signed(sealed) | ({"reveal": payload.reveal} if payload.reveal else {})
    book = write_change(book, desk.table, "move", fields, Change(played, sealed))
    rev = max(payload.rev, member(book.ledger, payload.seat).revs.get("move", -1))
    book = replace(book, ledger=note_rev(book.ledger, payload.seat, "move", rev))
    what: What = "sealed" if played.outcome.position.sealed else "move"
    return _played(what, desk, book, payload.seat, played)


def _standing(desk: Desk, sealed: Sealed, payload: Standing) -> Step:
    book = open_book(desk)
    position = desk.position
    if position is None:
        empty: Position[Any] = Position(state=None, due=(), filed=desk.snapshot.filed)
        filed: tuple[Filed, ...] = file_standing(desk.table, empty, payload.seat, payload.policy).filed
    else:
        position = file_standing(desk.table, position, payload.seat, payload.policy)
        filed = ()
    book = write(book, "standing", signed(sealed), keep(book, sealed))
    book = replace(book, ledger=note_rev(book.ledger, payload.seat, "standing", payload.rev))
    if position is None:
        return _step("standing", desk, book, payload.seat, filed=filed)
    step = _step("standing", desk, book, payload.seat, position=write_position(position))
    return replace(step, position=position)


def _key(desk: Desk, sealed: Sealed, payload: Rekey | Take) -> Step:
    """A new key and chain, by the old key or by an offer."""
    seat, book = payload.seat, open_book(desk)
    offer = desk.offers.get(seat) if isinstance(payload, Take) else None
    how = offer.how if offer else "rotated"
    fields = {**signed(sealed), "public_key": payload.public_key, "tip": payload.tip, "how": how}
    book = write(book, "key", fields, keep(book, sealed))
    step = _step(how, desk, book, seat, people={**desk.people, **_successor(desk, sealed, offer)})
    return replace(step, position=desk.position)


def _press(desk: Desk, sealed: Sealed, payload: Press) -> Step:
    """A message; a record of it only if it is open, and to all."""
    message, readers = press.check(desk, payload)
    book = open_book(desk)
    if message.to_all and message.seat:
        book = write(book, "press", signed(sealed), Kept(book.ledger.n + 1, sealed.payload_digest))
    book = replace(book, ledger=note_rev(book.ledger, payload.seat, "press", payload.rev))
    step = _step("press", desk, book, payload.seat)
    return replace(step, position=desk.position, message=message, readers=readers)


def _successor(desk: Desk, sealed: Sealed, offer: Offer | None) -> dict[str, Person]:
    """Who sits there from now on, if that is somebody else."""
    if offer is None or offer.how != "taken":
        return {}
    said = {name: value for name, value in sealed.aside.items() if isinstance(value, str)}
    lang = _language(said.get("lang", offer.lang))
    return {sealed.seat: Person(offer.address, offer.token, _clean(said.get("name", "")), lang)}


def call_off(desk: Desk, reason: str) -> Step:
    """The host ends a game that is under way: the turn closes, and nobody is next."""
    book = open_book(desk)
    turn = book.ledger.turn
    fields: dict[str, Any] = {
        "turn": turn,
        "reason": reason,
        "link": host_link(book, turn + 1).hex(),
        "next": [],
    }
    step = _step("ruling", desk, write(book, "ruling", fields), HOST)
    return replace(step, position=desk.position, enveloped=False)


def _time(desk: Desk, sealed: Sealed, payload: Time) -> Step:
    """A word about time; whether it may be said, the facts about time decide when the record is noted."""
    if policy_of(desk.charter.deadline) is None:
        raise refuse("time/no-policy")
    if isinstance(payload.ask, Extend):
        check_wish(desk.snapshot.times, payload.ask, (desk.snapshot.ledger.turn, desk.now))
    book = open_book(desk)
    fields = {**signed(sealed), "ask": msgspec.to_builtins(payload.ask)}
    book = write(book, "time", fields, keep(book, sealed))
    book = replace(book, ledger=note_rev(book.ledger, payload.seat, "time", payload.rev))
    return replace(_step("time", desk, book, payload.seat), position=desk.position)


def _resign(desk: Desk, sealed: Sealed, payload: Resign) -> Step:
    book = open_book(desk)
    played = play.resign(desk.table, _position(desk), payload.seat, _next_dice(desk, book))
    book = write_change(book, desk.table, "resign", signed(sealed), Change(played, sealed))
    step = _played("resign", desk, book, payload.seat, played)
    return _excuse_the_rest(step)


def silence(desk: Desk, seat: str, by: Literal["bot", "skip"] | None = None) -> Step:
    """A seat's time has run out: its safe default is played. Refused `moment/…` if nothing waits for it.

    `by`: a bot plays for it instead, or it is skipped.
    """
    book, position = open_book(desk), _position(desk)
    unspoken = play.Unspoken(seat, by, desk.game_id, book.ledger.n + 1, desk.secrets.k_hidden)
    said = play.silence_by(desk.table, position, unspoken)
    played = play.timeout(desk.table, position, seat, _next_dice(desk, book), said)
    fields = {"seat": seat, "by": by} if by else {"seat": seat}
    book = write_change(book, desk.table, "timeout", fields, Change(played))
    step = _played("timeout", desk, book, seat, played)
    return replace(_excuse_the_rest(step), enveloped=False, by=by)


def _excuse_the_rest(step: Step) -> Step:
    """A game that is decided while seats are still due: they are excused, so that the turn can close."""
    while (
        step.position is not None and step.position.due and step.desk.table.game.result(step.position.state)
    ):
        more = silence(replace(step.desk, now=step.book.now), step.position.due[0])
        book = replace(
            more.book, lines=(*step.book.lines, *more.book.lines), kept=(*step.book.kept, *more.book.kept)
        )
        step = replace(
            step, book=book, desk=more.desk, events=(*step.events, *more.events), position=more.position
        )
    return step


def _next_dice(desk: Desk, book: Book) -> Any:
    return play.turn_source(book.ledger, host_link(book, book.ledger.turn + 1), {}, desk.secrets.k_hidden)


def _position(desk: Desk) -> Position[Any]:
    position = desk.position
    if position is None:
        raise RuntimeError("a move before the start passed the checks")
    return position


def _played(what: What, desk: Desk, book: Book, seat: str, played: Played) -> Step:
    position = played.outcome.position
    filed: tuple[Filed, ...] = ()
    step = _step(what, desk, book, seat, position=write_position(position), setups={}, filed=filed)
    return replace(step, events=played.outcome.events, position=position)


def _step(what: What, desk: Desk, book: Book, seat: str, **changes: Any) -> Step:
    people = changes.pop("people", desk.people)
    snapshot = replace(desk.snapshot, ledger=book.ledger, **changes)
    return Step(what, seat, desk.snapshot.ledger.turn, book, replace(desk, snapshot=snapshot, people=people))
