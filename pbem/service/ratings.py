"""Ratings from finished games, by ruleset, and who is in time: worked out from the logs whenever somebody asks.

Law: nothing is stored, and nothing is shown unless the settings say so (`ratings`). A person is an address; a seat
counts for who sits there at the end. Games that were called off do not count. Weng and Lin's method (the `openskill`
package, Plackett and Luce's model), each game once, in the order of their ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from engine import refuse
from pbem.log.record import End, Move, Timeout, read_record
from pbem.service import store
from pbem.service.tables import games, people

ENOUGH = 10
"""So many turns must be known before anybody is turned away for being late."""


class Rated(msgspec.Struct, frozen=True):
    """A person's standing in one ruleset: `rating` is mu - 3 sigma, in hundredths; `name` a display name, or empty."""

    ruleset: str
    address: str
    name: str
    games: int
    rating: int
    mu: int
    sigma: int


class Punctual(msgspec.Struct, frozen=True):
    """How many turns somebody has moved in, and how many he let go by."""

    address: str
    moved: int
    silent: int

    @property
    def percent(self) -> int:
        """Turns in time out of a hundred; 100 for whom nothing is known."""
        known = self.moved + self.silent
        return 100 * self.moved // known if known else 100


class _Ended(msgspec.Struct, frozen=True):
    at: str
    ruleset: str
    places: tuple[tuple[str, int], ...]


def ratings(tx: sa.Connection) -> list[Rated]:
    """Everybody who has finished a game, by ruleset, the best first."""
    from openskill.models import PlackettLuce  # noqa: PLC0415 - needed for this command alone

    model = PlackettLuce()
    names = {row.address.lower(): row.name for row in tx.execute(sa.select(people.c.address, people.c.name))}
    known: dict[tuple[str, str], Any] = {}
    counts: dict[tuple[str, str], int] = {}
    for ended in sorted(_finished(tx), key=lambda one: one.at):
        keys = [(ended.ruleset, address) for address, _ in ended.places]
        teams = [[known.get(key) or model.rating()] for key in keys]
        after = model.rate(teams, ranks=[float(place) for _, place in ended.places])
        for key, (one,) in zip(keys, after, strict=True):
            known[key] = one
            counts[key] = counts.get(key, 0) + 1
    found = [
        Rated(
            ruleset,
            address,
            names.get(address, ""),
            counts[ruleset, address],
            round(100 * one.ordinal()),
            round(100 * one.mu),
            round(100 * one.sigma),
        )
        for (ruleset, address), one in known.items()
        if address
    ]
    return sorted(found, key=lambda one: (one.ruleset, -one.rating, one.address))


def punctuality(tx: sa.Connection) -> list[Punctual]:
    """Everybody who has been waited for, by address. What was before a seat changed hands is nobody's."""
    moved: dict[str, set[tuple[str, int]]] = {}
    silent: dict[str, set[tuple[str, int]]] = {}
    sitting = {(row.game, row.seat): row.address.lower() for row in tx.execute(sa.select(people))}
    for game in tx.execute(sa.select(games.c.id)).scalars().all():
        for seat, turn, in_time in _turns(store.load_lines(tx, game)):
            if address := sitting.get((game, seat), ""):
                (moved if in_time else silent).setdefault(address, set()).add((game, turn))
    everybody = sorted({*moved, *silent})
    return [Punctual(one, len(moved.get(one, ())), len(silent.get(one, ()))) for one in everybody]


def check_entry(tx: sa.Connection, addresses: Iterable[str], percent: int) -> None:
    """Refused `host/too-late` if one of them is known to be in time less often than that."""
    known = {one.address: one for one in punctuality(tx)}
    for address in addresses:
        one = known.get(address.lower())
        if one is not None and one.moved + one.silent >= ENOUGH and one.percent < percent:
            raise refuse("host/too-late", address=address, percent=one.percent, least=percent)


def _turns(lines: Sequence[bytes]) -> Iterator[tuple[str, int, bool]]:
    """Seat, turn, and whether it moved, since the last change of hands of each seat."""
    found: dict[str, list[tuple[int, bool]]] = {}
    for line in lines:
        record = read_record(line)
        if isinstance(record, Move | Timeout):
            found.setdefault(record.seat, []).append((record.turn, isinstance(record, Move)))
        elif getattr(record, "how", "") == "taken":
            found.pop(getattr(record, "seat", ""), None)
    for seat, turns in found.items():
        for turn, in_time in turns:
            yield seat, turn, in_time


def _finished(tx: sa.Connection) -> Iterator[_Ended]:
    wanted = sa.select(games.c.id, games.c.ruleset).where(games.c.phase == "over").order_by(games.c.id)
    for game in tx.execute(wanted).all():
        sitting = {
            row.seat: row.address
            for row in tx.execute(sa.select(people.c.seat, people.c.address).where(people.c.game == game.id))
        }
        for line in store.load_lines(tx, game.id):
            if b'"kind":"end"' in line:
                record = read_record(line)
                if isinstance(record, End) and (places := record.result.get("places")):
                    ranked = tuple((sitting[one["seat"]].lower(), int(one["place"])) for one in places)
                    yield _Ended(record.at, game.ruleset, ranked)
