"""Whole games in which keys change, in memory: each way of a key's end, at every moment where it may come."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any

import msgspec

from engine import GAMES, random_turn, waiting
from fixtures.play import Chance, Match, expect, join, link, move, open_match, ready, resign
from pbem.log.chain import follows, seat_seed, tip
from pbem.log.envelope import Envelope, make_envelope
from pbem.log.ledger import member
from pbem.log.seal import PrivateKey, public_of
from pbem.turn.desk import Offer
from pbem.turn.pipeline import Verdict
from pbem.turn.views import view_payload

ARENA = next(game for game in GAMES if game.id == "arena")
replace = msgspec.structs.replace


def new_key(label: str) -> PrivateKey:
    return PrivateKey(hashlib.sha256(label.encode()).digest())


def body(match: Match, seat: str, kind: str, key: PrivateKey) -> dict[str, Any]:
    """A payload with a new key and the tip of its chain."""
    game, charter = match.desk.game_id, match.desk.charter_digest
    return {
        "v": 1,
        "kind": kind,
        "game": game,
        "seat": seat,
        "base": match.desk.snapshot.ledger.head,
        "public_key": public_of(key).hex(),
        "tip": tip(seat_seed(key, game, seat, bytes.fromhex(charter)), game, seat).hex(),
    }


def rekey(match: Match, seat: str, key: PrivateKey, by: PrivateKey | None = None) -> Envelope:
    return make_envelope(by or match.keys[seat], body(match, seat, "rekey", key))


def take(match: Match, seat: str, key: PrivateKey, token: str) -> Envelope:
    return make_envelope(
        key, {**body(match, seat, "take", key), "token": token}, {"name": "Eve", "lang": "en"}
    )


class Keyring:
    """A match whose players know their old keys: links come from the chain that the view shows."""

    def __init__(self, seats: tuple[str, ...], seed: str) -> None:
        self.match = open_match(ARENA, seats, seed, {})
        self.chains = {seat: [key] for seat, key in self.match.keys.items()}
        self.match.keys = dict(self.match.keys)

    def change(self, seat: str, how: str, label: str) -> Verdict:
        """One change of a key; gives what came of it."""
        match, key = self.match, new_key(label)
        if how == "rotated":
            verdict = expect(match.send(rekey(match, seat, key)))
        else:
            offer = Offer(f"new-{seat}@example.org", f"token-{label}", how)  # type: ignore[arg-type]
            match.desk = replace(match.desk, offers={seat: offer})
            verdict = expect(match.send(take(match, seat, key, offer.token)))
            match.desk = replace(match.desk, offers={})
        match.keys = {**match.keys, seat: key}
        self.chains[seat].append(key)
        return verdict

    def move(self, below: Any) -> str:
        """One move of a seat that is waited for."""
        match = self.match
        position = match.desk.position
        assert position is not None
        seat = waiting(match.desk.table, position)[0]
        view = newest_view(match, seat)
        orders = random_turn(ARENA, msgspec.convert(view["view"], ARENA.view_type), seat, below)
        more: dict[str, Any] = {}
        if view["owes"]:
            more["reveal"] = self.link_of(seat, view)
        expect(match.send(move(match, {**view, "owes": False}, orders, **more)))
        return seat

    def link_of(self, seat: str, view: dict[str, Any]) -> str:
        signs = self.match.keys[seat]
        for key in self.chains[seat]:
            self.match.keys = {**self.match.keys, seat: key}
            found = link(self.match, view)
            self.match.keys = {**self.match.keys, seat: signs}
            if follows_on(self.match, seat, found):
                return found
        raise LookupError(seat)

    def play_on(self, below: Any, moves: int) -> None:
        for _ in range(moves):
            if self.match.over:
                return
            self.move(below)


def follows_on(match: Match, seat: str, found: str) -> bool:
    entry = member(match.desk.snapshot.ledger, seat)
    return follows(match.desk.game_id, seat, bytes.fromhex(found), bytes.fromhex(entry.link))


def newest_view(match: Match, seat: str) -> dict[str, Any]:
    """The view of the seat as the host would mail it now."""
    return view_payload(match.desk, match.desk.position, seat)


SEATS = ("red", "blue", "green")


@cache
def changing_match(
    seats: tuple[str, ...] = SEATS, seed: str = "keys", every: int = 4, most: int = 48
) -> Match:
    """A game in which keys change before the start and then after each so many moves, in every way.

    It is played to its end, or for `most` moves, after which all but one give up.
    """
    ring = Keyring(seats, seed)
    match = ring.match
    for seat in seats:
        expect(match.send(join(match, seat)))
    ring.change(seats[0], "rotated", "early")
    ring.change(seats[1], "taken", "early taken")
    for seat in seats:
        expect(match.send(ready(match, seat, {})))
    below = Chance(seed).below("moves")
    changes = 0
    for number in range(most):
        if match.over:
            break
        if number % every == 1:
            ring.change(
                seats[changes % len(seats)],
                ("rotated", "reset", "taken")[changes % 7 % 3],
                f"{seed}-{number}",
            )
            changes += 1
        ring.play_on(below, 1)
    for seat in seats[1:]:
        if not match.over:
            expect(match.send(resign(match, seat)))
    assert match.over
    return match


@cache
def changing(seats: tuple[str, ...] = SEATS, seed: str = "keys", every: int = 4, most: int = 48) -> bytes:
    """Its archive."""
    return changing_match(seats, seed, every, most).archive()
