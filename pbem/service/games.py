"""What a host does with games beside waiting for mail: begin one, call one off, end a seat's patience, look.

Each act is judged at the desk like a mail, and written in one transaction; if a mail was faster, the act is
judged again at the desk that it left.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import sqlalchemy as sa

from engine import refuse
from pbem.log.ledger import member
from pbem.service import held, inbox, locks, outbox, pulse, store
from pbem.service.archive import file_of, names_line
from pbem.service.clock import Clock, instant
from pbem.service.config import Host
from pbem.service.database import Database
from pbem.service.people import MailHealth, mail_health
from pbem.service.store import Overtaken
from pbem.service.tables import FAILED, NEW, games
from pbem.service.worker import play_held, settle
from pbem.turn import host_time, pipeline
from pbem.turn.answers import invitation_letter
from pbem.turn.desk import Desk, Secrets
from pbem.turn.opening import Plan, open_game
from pbem.turn.pipeline import Verdict
from pbem.turn.spans import read_span
from pbem.turn.views import awaited, phase

TRIES = 5


class GameLine(msgspec.Struct, frozen=True):
    """A game in a list. `phase` is `join`, `ready`, `play` or `over`."""

    game: str
    ruleset: str
    phase: str
    turn: int
    created: str


class OpenGame(msgspec.Struct, frozen=True):
    """A game with seats that wait for somebody: nobody has joined them, or they are on offer to a successor."""

    game: str
    ruleset: str
    turn: int
    seats: tuple[str, ...]


class SeatState(msgspec.Struct, frozen=True):
    """A seat as the host sees it. `links` counts those it gave of its chain, `unsent` and `failed` its letters."""

    seat: str
    address: str
    name: str
    joined: bool
    ready: bool
    resigned: bool
    due: bool
    links: int
    unsent: int
    failed: int


class GameState(msgspec.Struct, frozen=True):
    """A game in full. `records` counts lines of the log, `head` is the digest of the newest."""

    game: str
    ruleset: str
    phase: str
    turn: int
    created: str
    records: int
    head: str
    seats: tuple[SeatState, ...]


class Running(msgspec.Struct, frozen=True):
    """A deadline that runs: for whom in which game, the instant, and the zone of the game's rule."""

    game: str
    seat: str
    kind: str
    at: str
    zone: str


class Status(msgspec.Struct, frozen=True):
    """The service in numbers: games by phase, mails and letters by state; and how each player's mail fares."""

    games: dict[str, int]
    inbox: dict[str, int]
    outbox: dict[str, int]
    players: tuple[MailHealth, ...] = ()
    deadlines: tuple[Running, ...] = ()


def new_game(database: Database, host: Host, plan: Plan, secrets: Secrets, now: int) -> Desk:
    """A new game whose invitations wait in the outbox. Refused `game/…`, `host/game-exists`."""
    desk, lines = open_game(plan, secrets, host.post, instant(now))
    letters = [invitation_letter(desk, seat) for seat in desk.charter.seats]
    with database.write() as tx:
        store.insert_game(tx, desk, lines, now)
        outbox.queue(tx, desk.game_id, letters, now)
    return desk


def silence(database: Database, host: Host, game_id: str, seat: str, clock: Clock) -> list[Verdict]:
    """A seat's time is up. Refused if nothing waits for it."""
    return _act(database, host, game_id, clock, lambda desk, _tx: pipeline.silence(desk, seat))


def pause(database: Database, host: Host, game_id: str, reason: str, clock: Clock) -> list[Verdict]:
    """Stops a game's clocks. Refused `time/…`."""
    return _act(database, host, game_id, clock, lambda desk, _tx: host_time.pause(desk, reason))


def go_on(database: Database, host: Host, game_id: str, reason: str, clock: Clock) -> list[Verdict]:
    """Lets a game's clocks run again. Refused `time/…`."""
    return _act(database, host, game_id, clock, lambda desk, _tx: host_time.resume(desk, reason))


class Longer(msgspec.Struct, frozen=True):
    """How a host moves deadlines: by a length of time, or to an instant `YYYY-MM-DDTHH:MM:SSZ`; and why."""

    by: str = ""
    until: str = ""
    reason: str = ""


def extend(database: Database, host: Host, game_id: str, longer: Longer, clock: Clock) -> list[Verdict]:
    """Moves the deadlines that run in a game. Refused `time/…`."""

    def moved(desk: Desk, _tx: sa.Connection) -> Verdict:
        if longer.until:
            return host_time.extend_to(desk, host_time.read_until(longer.until), longer.reason)
        return host_time.extend_by(desk, read_span(longer.by), longer.reason)

    return _act(database, host, game_id, clock, moved)


def cancel(database: Database, host: Host, game_id: str, clock: Clock, reason: str = "") -> list[Verdict]:
    """Calls off a game; what was said is opened. Refused `fresh/over`, `host/reason` for one under way without a reason."""

    def called_off(desk: Desk, tx: sa.Connection) -> Verdict:
        now = phase(desk.snapshot.ledger)
        if now == "over":
            raise refuse("fresh/over")
        if now == "play":
            if not reason.strip():
                raise refuse("host/reason", game=game_id)
            return pipeline.call_off(desk, reason.strip())
        return pipeline.finish(desk, store.load_kept(tx, game_id))

    return _act(database, host, game_id, clock, called_off)


def export(database: Database, host: Host, game_id: str, *, names: bool, now: int) -> bytes:
    """The log as a file; with `names`, that of a finished game ends with its players' names."""
    with database.read() as tx:
        desk = store.load_desk(tx, host, game_id, now).desk
        lines = store.load_lines(tx, game_id)
    last = names_line(desk) if names else None
    return file_of([*lines, last] if last else lines)


def list_games(database: Database) -> list[GameLine]:
    """All games, oldest first."""
    with database.read() as tx:
        rows = tx.execute(sa.select(games).order_by(games.c.created, games.c.id)).mappings()
        return [
            GameLine(
                row["id"],
                f"{row['ruleset']}/{row['version']}",
                row["phase"],
                row["turn"],
                instant(row["created"]),
            )
            for row in rows
        ]


def open_games(database: Database, host: Host) -> list[OpenGame]:
    """Games with seats that wait for somebody, oldest first."""
    found: list[OpenGame] = []
    with database.read() as tx:
        wanted = sa.select(games.c.id).where(games.c.phase != "over").order_by(games.c.created, games.c.id)
        for game_id in tx.execute(wanted).scalars().all():
            desk = store.load_desk(tx, host, game_id, 0).desk
            ledger, game = desk.snapshot.ledger, desk.table.game
            waiting_ = [
                entry.seat
                for entry in ledger.roster
                if not entry.public_key
                or (entry.seat in desk.offers and desk.offers[entry.seat].how == "taken")
            ]
            if waiting_:
                found.append(OpenGame(game_id, f"{game.id}/{game.version}", ledger.turn, tuple(waiting_)))
    return found


def show_game(database: Database, host: Host, game_id: str, now: int) -> GameState:
    """One game. Refused `host/no-such-game`."""
    with database.read() as tx:
        desk = store.load_desk(tx, host, game_id, now).desk
        letters = outbox.counts_by_seat(tx, game_id)
        created: int = tx.execute(sa.select(games.c.created).where(games.c.id == game_id)).scalar_one()
    ledger, game = desk.snapshot.ledger, desk.table.game
    due = awaited(desk)
    return GameState(
        game_id,
        f"{game.id}/{game.version}",
        phase(ledger),
        ledger.turn,
        instant(created),
        ledger.n + 1,
        ledger.head,
        tuple(_seat(desk, seat, due, letters) for seat in desk.charter.seats),
    )


def status(database: Database, host: Host | None = None) -> Status:
    """The service in numbers; with the host, also the deadlines that run, the nearest first."""
    with database.read() as tx:
        found: dict[str, int] = dict.fromkeys(("join", "ready", "play", "over"), 0)
        wanted = sa.select(games.c.phase, sa.func.count()).group_by(games.c.phase)
        found |= {row[0]: row[1] for row in tx.execute(wanted)}
        running = _running(tx, host) if host is not None else ()
        return Status(found, inbox.counts(tx), outbox.counts(tx), mail_health(tx), running)


def _running(tx: sa.Connection, host: Host) -> tuple[Running, ...]:
    found: list[Running] = []
    wanted = sa.select(games.c.id).where(games.c.phase != "over").order_by(games.c.id)
    for game_id in tx.execute(wanted).scalars().all():
        desk = store.load_desk(tx, host, game_id, 0).desk
        times = desk.snapshot.times
        if not times.due or times.paused:
            continue
        found += [
            Running(game_id, seat, due.kind, due.at, due.zone)
            for seat in awaited(desk)
            if (due := times.due.get(seat)) is not None
        ]
    return tuple(sorted(found, key=lambda one: (one.at, one.game, one.seat)))


def _act(
    database: Database,
    host: Host,
    game_id: str,
    clock: Clock,
    judge: Callable[[Desk, sa.Connection], Verdict],
) -> list[Verdict]:
    for _ in range(TRIES):
        try:
            with database.write() as tx:
                now = pulse.time_of(tx, clock)
                locks.lock_game(tx, game_id)
                loaded = store.load_desk(tx, host, game_id, now)
                if held.is_held(tx, game_id):
                    raise refuse("host/on-hold", game=game_id)
                loaded = play_held(tx, host, loaded, now)
                return settle(tx, loaded, judge(loaded.desk, tx), now)
        except Overtaken:
            continue
    raise refuse("host/busy", game=game_id)


def _seat(desk: Desk, seat: str, due: tuple[str, ...], letters: dict[tuple[str, str], int]) -> SeatState:
    entry, person = member(desk.snapshot.ledger, seat), desk.people[seat]
    return SeatState(
        seat,
        person.address,
        person.name,
        bool(entry.public_key),
        entry.ready,
        entry.resigned,
        seat in due,
        entry.links,
        letters.get((seat, NEW), 0),
        letters.get((seat, FAILED), 0),
    )
