"""Views: the signed file in which a host tells one seat all that it may know (protocol.md section 8, Views).

Decides whether a file is a view of a known game, signed by its host; gives it typed. Knows no rule: the game's
own functions turn it into a report and a menu.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from engine import AnyGame, Lapsed, Menu, Refused, refuse
from pbem.log.envelope import Envelope, read_envelope, verify_envelope
from pbem.log.payloads import Count, Hex, Name, place
from pbem.log.record import Ruleset
from pbem.player.chain import ChainPlace
from pbem.player.invitation import KnownGame, find_game
from pbem.player.opening import is_address, open_file

Phase = Literal["join", "ready", "play", "over"]
_Link = Annotated[str, msgspec.Meta(max_length=64)]


class Undoing(msgspec.Struct, frozen=True):
    """Records of the open turn that the game can be put back to, and which seats wish which."""

    places: tuple[Count, ...] = ()
    wishes: dict[str, Count] = {}


class ViewHead(msgspec.Struct, frozen=True):
    """What a view says beside the game's own part; later versions may say more.

    `key` is the id of the seat's key, where it is no longer the one that it joined with.
    """

    v: Literal[1]
    kind: Literal["view"]
    game: Name
    seat: Name
    base: Hex
    n: Count
    at: str
    phase: Phase
    turn: Count
    ruleset: Ruleset
    seats: tuple[Name, ...]
    charter: Hex
    link: Count
    given: _Link
    owes: bool
    revs: dict[str, Count]
    address: str
    key: str = ""
    asked: bool = False
    data: tuple[Name, ...] = ()
    deadlines: dict[str, str] = {}
    undo: Undoing = Undoing()
    view: dict[str, Any] | None = None
    news: list[dict[str, Any]] = []


class ViewFile(msgspec.Struct, frozen=True):
    """A view that was read. `seen` is the game's own view, None before the start; `news` what was heard since.

    `checked`: the host's signature was held against the charter's key, and is right.
    """

    head: ViewHead
    envelope: Envelope
    game: AnyGame
    seen: Any
    news: tuple[Any, ...]
    checked: bool

    @property
    def seat(self) -> str:
        """The seat that the view is for."""
        return self.head.seat

    @property
    def place(self) -> ChainPlace:
        """Where in its chain the seat stands, as the view has it."""
        head = self.head
        return ChainPlace(head.game, head.seat, head.charter, head.link, head.given)

    @property
    def menu(self) -> Menu:
        """What the seat may do now; nothing before the start, after the end, and while others are waited for."""
        return self.game.menu(self.seen) if self.seen is not None and self.head.asked else Menu()

    def report(self, lang: str, *, long: bool = False) -> str:
        """The game's own report of the view and the news, or its longer form; nothing before the start."""
        if self.seen is None:
            return ""
        write = self.game.long_report if long and self.game.long_report is not None else self.game.report
        return write(self.seen, self.news, lang)

    def rev(self, kind: str) -> int:
        """The next revision number for an envelope of this kind."""
        return self.head.revs.get(kind, -1) + 1


def find_view(data: bytes) -> Envelope:
    """The view in a file or a saved mail: a claim. Refused: `kit/not-a-view`, `kit/several-views`, `file/…`."""
    opened = open_file(data)
    if opened.reply is None and opened.texts:
        return _of_kind_view(opened.texts[0])
    found: dict[str, Envelope] = {}
    for text in opened.texts:
        try:
            one = _of_kind_view(text)
        except Refused:
            continue
        found.setdefault(one.payload_digest, one)
    if not found:
        raise refuse("kit/not-a-view")
    first, *others = found.values()
    if others:
        raise refuse("kit/several-views")
    return first


def read_view(data: bytes, known: KnownGame | None = None) -> ViewFile:
    """The view in a file or a saved mail; with `known`, the charter it must be signed under.

    Refused: `kit/…`, `file/…`, `seal/…` for another signature, `kit/other-charter`.
    """
    return trust_view(find_view(data), known)


def trust_view(claim: Envelope, known: KnownGame | None) -> ViewFile:
    """A claim typed, and held against the charter if it is known."""
    # 1. the shape
    try:
        head = msgspec.convert(claim.payload, ViewHead)
    except msgspec.ValidationError as misfit:
        raise refuse("file/shape", where=place(misfit)) from None
    # 2. the game that we know under this name, and its host's signature
    if known is not None:
        if head.game != known.charter.game or head.charter != known.digest:
            raise refuse(
                "kit/other-charter", game=head.game, known=known.digest[:16], found=head.charter[:16]
            )
        verify_envelope(claim, known.host_key)
    # 3. the game's own part, of the types of its ruleset
    game = find_game(head.ruleset.id, head.ruleset.version)
    try:
        seen = msgspec.convert(head.view, game.view_type) if head.view is not None else None
        news = msgspec.convert(head.news, tuple[game.event | Lapsed, ...])  # type: ignore[name-defined]
    except msgspec.ValidationError as misfit:
        raise refuse("file/shape", where=place(misfit)) from None
    # 4. an address that an answer can go to
    if not is_address(head.address):
        raise refuse("kit/address")
    return ViewFile(head, claim, game, seen, news, known is not None)


def _of_kind_view(text: bytes) -> Envelope:
    claim = read_envelope(text)
    if claim.kind != "view":
        raise refuse("kit/not-a-view")
    return claim
