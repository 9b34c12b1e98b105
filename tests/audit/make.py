"""Whole signed games of any ruleset, played by bots, and the means to falsify them while they are written.

`edit` sees every record just before the host seals it and may change it; when it returns False the record is
left out. `pen` sees every payload just before its player signs it. What follows builds on the falsified
line, so level 1 finds nothing and the one thing that is wrong is wrong at level 2. The writer of the
service's own turn does the rest, and nobody checks what the players send.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from engine import (
    AnyGame,
    Charter,
    Filed,
    Position,
    Refused,
    Stream,
    Table,
    file_standing,
    plain,
    random_turn,
)
from pbem.log.canonical import canonical
from pbem.log.chain import HOST, chain_link, seat_seed, tip
from pbem.log.draws import hidden_commit
from pbem.log.envelope import Sealed, make_envelope, verify_envelope
from pbem.log.ledger import Ledger, append, member, owes_reveal, waiting
from pbem.log.payloads import Move
from pbem.log.record import line_digest, read_record
from pbem.log.seal import PrivateKey, public_of, sign
from pbem.turn import play, schema
from pbem.turn.desk import Kept, Secrets
from pbem.turn.play import Played
from pbem.turn.writer import (
    Book,
    Change,
    host_link,
    keep,
    signed,
    write,
    write_change,
    write_end,
    write_start,
)

Json = dict[str, Any]
Edit = Callable[[Json], object]
NOW = "2026-03-01T12:00:00Z"


def keep_as_is(_value: Json) -> None:
    """The edit and the pen of an honest game."""


@dataclass(frozen=True)
class Plan:
    """Which game, by whom, with which chance; how often out of `odds` turns a seat is silent (0: never)."""

    game: AnyGame
    seats: tuple[str, ...]
    seed: int = 1
    options: Json = field(default_factory=dict[str, Any])
    setup: Json = field(default_factory=dict[str, Any])
    silence: int = 12
    stop_after: int = 10_000
    cancelled: bool = False
    named: bool = False
    edit: Edit = keep_as_is
    pen: Edit = keep_as_is


def make(plan: Plan) -> list[bytes]:
    """The lines of a finished game, each with its LF."""
    return [line + b"\n" for line in _Maker(plan).whole()]


def secret(plan: Plan, name: str) -> bytes:
    """32 bytes that belong to a name in this game."""
    return hashlib.sha256(f"{plan.seed}/{name}".encode()).digest()


class _Maker:
    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.game_id = f"01{plan.game.id}{plan.seed}"
        self.keys = {name: PrivateKey(secret(plan, name)) for name in (HOST, *plan.seats)}
        self.secrets = Secrets(
            self.keys[HOST], secret(plan, "chain"), secret(plan, "hidden"), secret(plan, "mail")
        )
        self.below = Stream(secret(plan, "bots")).below
        self.lines: list[bytes] = []
        self.kept: list[Kept] = []
        self.filed: tuple[Filed, ...] = ()
        self.revs = 0
        options = msgspec.convert(plan.options, plan.game.options)
        self.table = Table(plan.game, Charter(plan.seats, options))
        self.ledger = self._charter()
        self.seeds = {
            seat: seat_seed(self.keys[seat], self.game_id, seat, bytes.fromhex(self.ledger.charter))
            for seat in plan.seats
        }
        self.position: Position[Any] | None = None

    def whole(self) -> list[bytes]:
        """Charter to names."""
        for seat in self.plan.seats:
            public, first = public_of(self.keys[seat]).hex(), self._link(seat, 0)
            fields = {"public_key": public, "tip": first}
            self._enveloped("join", seat, {**fields, "token": f"token-{seat}"}, fields)
        self._stand(self.plan.seats[-1])
        if self.plan.cancelled:
            self._finish({"how": "cancelled", "places": []})
            return self.lines
        for seat in self.plan.seats:
            self.revs += 1
            given: Json = {"reveal": self._link(seat, 1), "rev": self.revs}
            self._enveloped("ready", seat, {**given, "setup": self.plan.setup}, given)
        self._start()
        while self.ledger.phase == "playing" and len(self.lines) < self.plan.stop_after:
            self._turn()
        if self.position is not None and self.ledger.phase == "over":
            self._finish(plain(self.plan.game.result(self.position.state)))
        return self.lines

    def _charter(self) -> Ledger:
        record: Json = {
            "kind": "charter",
            "n": 0,
            "at": NOW,
            "prev": "0" * 64,
            "game": self.game_id,
            "ruleset": {"id": self.plan.game.id, "version": self.plan.game.version},
            "options": self.plan.options,
            "seats": list(self.plan.seats),
            "host_key": public_of(self.keys[HOST]).hex(),
            "tip": tip(self.secrets.seed, self.game_id, HOST).hex(),
            "hidden": hidden_commit(self.game_id, self.secrets.k_hidden).hex(),
            "schemas": schema.digests(self.plan.game),
            "deadline": "P3D",
        }
        return self._seal(None, msgspec.json.decode(canonical(record)))

    def _seal(self, ledger: Ledger | None, record: Json) -> Ledger:
        """Edited, sealed by the host, appended."""
        self.plan.edit(record)
        line = canonical({**record, "sig": sign(self.keys[HOST], "record", canonical(record))})
        self.lines.append(line)
        return append(ledger, read_record(line), line_digest(line))

    def _book(self) -> Book:
        return Book(self.secrets, self.ledger, NOW)

    def _take(self, book: Book) -> None:
        """The writer's new lines, edited."""
        self.kept += book.kept
        if self.plan.edit is keep_as_is:
            self.lines += book.lines
            self.ledger = book.ledger
            return
        for line in book.lines:
            record: Json = msgspec.json.decode(line)
            del record["sig"]
            record |= {"n": self.ledger.n + 1, "prev": self.ledger.head}
            trial = dict(record)
            if self.plan.edit(trial) is False:
                continue
            unedited, self.plan = self.plan, _honest(self.plan)
            self.ledger = self._seal(self.ledger, trial)
            self.plan = unedited

    def _link(self, seat: str, k: int) -> str:
        return chain_link(self.seeds[seat], self.game_id, seat, k).hex()

    def _payload(self, kind: str, seat: str, fields: Json) -> Json:
        base = self.ledger.charter if kind == "join" else self.ledger.head
        head: Json = {"v": 1, "kind": kind, "game": self.game_id, "seat": seat, "base": base}
        return {**head, **fields}

    def _sealed(self, kind: str, seat: str, fields: Json) -> Sealed:
        payload = self._payload(kind, seat, fields)
        self.plan.pen(payload)
        claim = make_envelope(self.keys[seat], payload)
        return verify_envelope(claim, public_of(self.keys[seat]))

    def _enveloped(self, kind: str, seat: str, fields: Json, recorded: Json) -> None:
        sealed = self._sealed(kind, seat, fields)
        book = self._book()
        self._take(write(book, kind, {**signed(sealed), **recorded}, keep(book, sealed)))

    def _stand(self, seat: str) -> None:
        """Standing orders: the ruleset's default ones."""
        self.revs += 1
        policy = plain(self.plan.game.policy())
        before = self.position or Position(state=None, due=(), filed=self.filed)
        after = file_standing(self.table, before, seat, policy)
        if self.position is None:
            self.filed = after.filed
        else:
            self.position = after
        self._enveloped("standing", seat, {"policy": policy, "rev": self.revs}, {})

    def _start(self) -> None:
        book = self._book()
        dice = play.start_source(self.ledger, host_link(book, 1), self.secrets.k_hidden)
        setups = dict.fromkeys(self.plan.seats, self.plan.setup)
        played = play.begin(self.table, setups, self.filed, dice)
        self.position = played.outcome.position
        self._take(write_start(book, self.table, played))

    def _turn(self) -> None:
        """Whoever is to decide moves, or is silent; now and then somebody sends standing orders."""
        position, game = self.position, self.plan.game
        assert position is not None
        asked = {decision.seat for decision in game.pending(position.state)}
        seat = (waiting(self.ledger) or [one for one in self.plan.seats if one in asked])[0]
        if self.below(20) == 0:
            self._stand(seat)
        silent = bool(self.plan.silence) and self.below(self.plan.silence) == 0
        if silent or game.result(position.state) is not None or not self._move(seat):
            self._change("timeout", {"seat": seat}, self._silent(seat), None)

    def _dice(self, coming: dict[str, bytes]) -> Any:
        number = self.ledger.turn + 1
        return play.turn_source(self.ledger, host_link(self._book(), number), coming, self.secrets.k_hidden)

    def _silent(self, seat: str) -> Played:
        assert self.position is not None
        return play.timeout(self.table, self.position, seat, self._dice({}))

    def _move(self, seat: str) -> bool:
        """False if the bot has nothing to say. The host plays what was written before the pen changed it."""
        position, game = self.position, self.plan.game
        assert position is not None
        orders = random_turn(game, game.view(position.state, seat), seat, self.below)
        reveal = {"reveal": self._link(seat, member(self.ledger, seat).links + 1)}
        reveal = reveal if owes_reveal(self.ledger, seat) else {}
        self.revs += 1
        fields: Json = {"turn": self.ledger.turn, "orders": list(orders), "rev": self.revs, **reveal}
        honest = msgspec.convert(self._payload("move", seat, fields), Move)
        try:
            dice = self._dice({seat: bytes.fromhex(reveal["reveal"])} if reveal else {})
            played = play.move(self.table, position, honest, dice)
        except Refused:
            return False
        sealed = self._sealed("move", seat, fields)
        self._change("move", signed(sealed) | reveal, played, sealed)
        return True

    def _change(self, kind: str, fields: Json, played: Played, sealed: Sealed | None) -> None:
        self.position = played.outcome.position
        self._take(write_change(self._book(), self.table, kind, fields, Change(played, sealed)))

    def _finish(self, result: Json) -> None:
        book = write_end(self._book(), result, self.kept)
        self.kept = []
        if self.plan.named:
            book = write(book, "names", {"names": {seat: seat.title() for seat in self.plan.seats}})
        self._take(book)


def _honest(plan: Plan) -> Plan:
    return Plan(plan.game, plan.seats, plan.seed)
