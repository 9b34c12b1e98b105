"""Orders and audits beside well-known programs: python-chess, and catanatron, a fast engine for Catan.

An order without dice is one that draws nothing: `check` and `apply` of a typed action, as a move of chess is
`is_legal` and `push`, and a step of catanatron the choice of a random player and its `execute`. A signed audit
is divided by the orders in it, the replay of a PGN file by its plies. Both programs are in the extra `bench`;
where they are not installed, these figures are left out, and a line says so.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import msgspec

from bench.audit_floor import forget, signatures
from bench.games import archives, envelopes
from bench.measure import Figure, figure, timed
from engine import GAMES, AnyGame, Below, Charter, Dice, Source, Stream, Table, random_turn, start
from engine.kernel import codec
from pbem.audit import audit

CHESS, CATAN, REPLAY = 4.0, 1 / 2, 1.0
REPEATS, ROUNDS = 9, 4
PLAYS = 3
"""Games by chance from which orders are taken."""
PGN = """
1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5
11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0

1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 5. Bxb5 Nf6 6. Nf3 Qh6 7. d3 Nh5 8. Nh4 Qg5 9. Nf5 c6 10. g4 Nf6
11. Rg1 cxb5 12. h4 Qg6 13. h5 Qg5 14. Qf3 Ng8 15. Bxf4 Qf6 16. Nc3 Bc5 17. Nd5 Qxb2 18. Bd6 Bxg1 19. e5 Qxa1+
20. Ke2 Na6 21. Nxg7+ Kd8 22. Qf6+ Nxf6 23. Be7# 1-0
"""
"""Two games that everybody knows: Morphy's at the opera, and Anderssen's immortal one."""

Order = tuple[Any, str, Any]
"""A state, the seat, and a typed action that is legal there and draws nothing."""


class Drawn(Exception):
    """An order that draws."""


def figures() -> list[Figure]:
    """Three figures for each ruleset that has a place in them, and what the last can't fall below."""
    if find_spec("chess") is None or find_spec("catanatron") is None:
        print("python-chess or catanatron is not installed: pip install -e '.[bench]'")
        return []
    found: list[Figure] = []
    for game in GAMES:
        orders = without_dice(game)
        ours, push, step = measured((orders_work(game, orders), chess_work(), catan_work()))
        name = f"{game.id}: an order without dice"
        found.append(figure(f"{name} ÷ chess move", ours / push, CHESS))
        found.append(figure(f"{name} ÷ catanatron step", ours / step, CATAN))
    replay, whole, least = measured((pgn_work(), audit_work(), floor_work()))
    found.append(figure("signed audit an order ÷ PGN replay a ply", whole / replay, REPLAY))
    found.append(figure("its signatures alone ÷ PGN replay a ply", least / replay, REPLAY))
    return found


Work = tuple[Callable[[], object], int]
"""Something to do, and how many orders, moves or steps that is."""


def measured(works: tuple[Work, ...]) -> list[float]:
    """Seconds for one order, move or step of each, run in turns; the median of several rounds."""
    rounds = [[timed(work) / count for work, count in works] for _ in range(REPEATS + 1)][1:]
    return [sorted(column)[REPEATS // 2] for column in zip(*rounds, strict=True)]


def without_dice(game: AnyGame) -> list[Order]:
    """Orders of some games by chance, as they came, less those that draw."""
    found: list[Order] = []
    for number in range(PLAYS):
        seats = game.seats[: game.players[1] - number % 2]
        table = Table(game, Charter(seats, msgspec.convert({}, game.options)))
        below = Stream(hashlib.sha256(f"rivals/{game.id}/{number}".encode()).digest()).below
        dice = Dice(_source(below))
        state = start(
            table, {seat: msgspec.convert({}, game.setup) for seat in seats}, (), dice
        ).position.state
        while game.result(state) is None:
            decision = game.pending(state)[0]
            orders = random_turn(game, game.view(state, decision.seat), decision.seat, below, 1)
            action = codec.action(game, orders[0], 1)
            if game.check(state, decision.seat, action) is None and draws_nothing(
                game, (state, decision.seat, action)
            ):
                found.append((state, decision.seat, action))
            state, _ = game.apply(state, decision.seat, action, dice)
    return found


def _source(below: Below) -> Source:
    def source(label: str, *, hidden: bool) -> Below:
        return below

    return source


def draws_nothing(game: AnyGame, order: Order) -> bool:
    """Whether an order is carried out without a draw."""
    try:
        game.apply(*order, Dice(_no_draw))
    except Drawn:
        return False
    return True


def _no_draw(label: str, *, hidden: bool) -> Below:
    raise Drawn


def orders_work(game: AnyGame, orders: list[Order]) -> Work:
    """Every order checked and carried out, each in its own state."""

    def work() -> None:
        dice = Dice(_no_draw)
        for state, seat, action in orders:
            if game.check(state, seat, action) is not None:
                raise AssertionError(action)
            game.apply(state, seat, action, dice)

    return work, len(orders)


def chess_work() -> Work:
    """Every move of the two games, tested and made."""
    chess = import_module("chess")
    games = [list(game.mainline_moves()) for game in _pgn()]

    def work() -> None:
        for _ in range(ROUNDS):
            for moves in games:
                board = chess.Board()
                for move in moves:
                    if not board.is_legal(move):
                        raise AssertionError(move)
                    board.push(move)

    return work, ROUNDS * sum(map(len, games))


def _pgn() -> list[Any]:
    pgn = import_module("chess.pgn")
    file = io.StringIO(PGN)
    games: list[Any] = []
    while (game := pgn.read_game(file)) is not None:
        if game.errors:
            raise AssertionError(game.errors)
        games.append(game)
    return games


def pgn_work() -> Work:
    """Both games read from their text, which makes every move."""
    plies = sum(len(list(game.mainline_moves())) for game in _pgn())

    def work() -> None:
        for _ in range(ROUNDS):
            _pgn()

    return work, ROUNDS * plies


def catan_work() -> Work:
    """The first steps of a game of random players."""
    catan = import_module("catanatron")
    colors = (catan.Color.RED, catan.Color.BLUE, catan.Color.WHITE, catan.Color.ORANGE)
    steps = 400

    def work() -> None:
        game = catan.Game([catan.RandomPlayer(color) for color in colors], seed=1)
        for _ in range(steps):
            game.play_tick()

    return work, steps


def audit_work() -> Work:
    """The audit of all games of the bench, from cold."""

    def work() -> None:
        for archive in archives():
            forget()
            if audit(archive).verdict != "sound":
                raise AssertionError(archive)

    return work, orders_signed()


def floor_work() -> Work:
    """Every signature in them checked, and nothing else."""
    checks = [check for log in range(len(archives())) for check in signatures(log)]

    def work() -> None:
        for key, value, message in checks:
            key.verify(value, message)

    return work, orders_signed()


def orders_signed() -> int:
    """Orders in all games of the bench."""
    return sum(len(envelope["payload"].get("orders", ())) for envelope in envelopes())
