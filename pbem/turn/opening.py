"""A new game: its charter, its data records, its first desk, its invitations.

All that is random comes in: the game's id, the host's seed, the hidden key, the tokens. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from engine import AnyGame, Refused, misfit_problem, refuse
from pbem.log.canonical import LINE, canonical, read
from pbem.log.chain import HOST, tip
from pbem.log.draws import hidden_commit
from pbem.log.ledger import NO_PREVIOUS, append
from pbem.log.record import Charter, line_digest, read_record, seal_record
from pbem.log.seal import public_of
from pbem.turn import clocks, press, schema
from pbem.turn.desk import Desk, Journal, Person, Post, Secrets, Snapshot, table_of
from pbem.turn.policy import policy_of
from pbem.turn.times import OPENED, Times
from pbem.turn.writer import Book, write
from pbem.turn.zones import seconds_of

DATA_ROOM = LINE.size - 4 * 1024
"""What a board or a deck may take, so that its record fits in a line of the log."""


class Plan(msgspec.Struct, frozen=True):
    """What a host asks for: `options` and `data` are plain JSON; `people` by seat, in charter order."""

    game_id: str
    game: AnyGame
    options: Mapping[str, Any]
    people: Mapping[str, Person]
    data: Mapping[str, Any] = {}
    deadline: Any = "none"
    terms: Mapping[str, Any] = {}


def open_game(plan: Plan, secrets: Secrets, post: Post, now: str) -> tuple[Desk, tuple[bytes, ...]]:
    """The first desk of a game and the first lines of its log. Refused if no such game can be played."""
    game, seats = plan.game, tuple(plan.people)
    _vet(plan, seats)
    fields = {
        "kind": "charter",
        "n": 0,
        "at": now,
        "prev": NO_PREVIOUS,
        "game": plan.game_id,
        "ruleset": {"id": game.id, "version": game.version},
        "options": read(canonical(plan.options), LINE),
        "seats": list(seats),
        "host_key": public_of(secrets.key).hex(),
        "tip": tip(secrets.seed, plan.game_id, HOST).hex(),
        "hidden": hidden_commit(plan.game_id, secrets.k_hidden).hex(),
        "schemas": schema.digests(game),
        "deadline": plan.deadline,
        **({"terms": press.vetted(plan.terms)} if plan.terms else {}),
    }
    line = seal_record(secrets.key, fields)
    charter = read_record(line)
    assert isinstance(charter, Charter)
    book = Book(secrets, append(None, charter, line_digest(line)), now, (line,))
    for name, value in plan.data.items():
        book = write(book, "data", {"name": name, "value": value})
    book, times = _first_deadlines(book, plan)
    desk = Desk(
        table=table_of(game, charter, plan.data),
        charter=charter,
        charter_line=line,
        secrets=secrets,
        people=plan.people,
        post=post,
        snapshot=Snapshot(
            ledger=book.ledger,
            journals={seat: Journal() for seat in seats},
            tail_from=0,
            tail=tuple(one.decode("utf-8") for one in book.lines),
            times=times,
        ),
        now=now,
    )
    return desk, book.lines


def _first_deadlines(book: Book, plan: Plan) -> tuple[Book, Times]:
    """Until when the seats are to join, where the policy says so."""
    times, policy = Times(), policy_of(plan.deadline)
    if policy is None:
        return book, times
    opened = dict.fromkeys(plan.people, ("join",))
    for one in clocks.first_deadlines(times, policy, opened, (0, seconds_of(book.now))):
        book, times = clocks.put(book, times, policy, one, (HOST, OPENED))
    return book, times


def _vet(plan: Plan, seats: tuple[str, ...]) -> None:
    game = plan.game
    try:
        options = msgspec.convert(dict(plan.options), game.options)
    except msgspec.ValidationError as misfit:
        raise refuse("game/options", problem=misfit_problem(misfit), ruleset=game.id) from None
    fewest, most = game.players
    if not fewest <= len(seats) <= most:
        raise refuse("game/players", fewest=fewest, most=most, found=len(seats))
    unknown = [seat for seat in seats if seat not in game.seats]
    if unknown:
        raise refuse("game/seats", seats=", ".join(game.seats), found=", ".join(unknown))
    for name, value in sorted(plan.data.items()):
        size = len(canonical(value))
        if size > DATA_ROOM:
            raise refuse("game/data-size", name=name, size=size, limit=DATA_ROOM)
    refusal = game.vet(seats, options, plan.data)
    if refusal is not None:
        raise Refused(refusal)
