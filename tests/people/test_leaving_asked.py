"""Who leaves while he is asked in somebody else's turn: his default answers, and what it rolls stands in that record.

Such a mail once ended in a fault of ours: the log allowed no draws there, and nobody could leave.
"""

from __future__ import annotations

import msgspec

from engine import GAMES, find_bot, waiting
from fixtures.play import Chance, Match, begin, expect, move, open_match, resign, standing
from pbem.audit.audit import audit
from pbem.log.record import Resign, read_record
from pbem.turn import pipeline
from tests.archive.games import host_key
from tests.archive.minimal import check
from tests.archive.mutate import Source, rewritten
from tests.pages.test_judge import agree

CYBERTRON = next(game for game in GAMES if game.id == "cybertron")


def left_while_asked() -> Match:
    """Three play; the first who is asked how he defends leaves instead; the host ends the game."""
    match = open_match(CYBERTRON, CYBERTRON.seats[:3], "leaving", {"reactions": "ask"})
    begin(match)
    for seat in CYBERTRON.seats[:3]:
        expect(match.send(standing(match, seat, {"ask": ["defend"]})))
    below, bot = Chance("leaving").below("moves"), find_bot(CYBERTRON)
    while True:
        position = match.desk.position
        assert position is not None
        seat = waiting(match.desk.table, position)[0]
        if (
            seat not in match.desk.snapshot.ledger.due
            and CYBERTRON.pending(position.state)[0].kind == "defend"
        ):
            expect(match.send(resign(match, seat)))
            match.take(pipeline.call_off(match.desk, "enough"))
            return match
        view = match.view(seat)
        orders = bot(CYBERTRON, msgspec.convert(view["view"], CYBERTRON.view_type), seat, below)
        expect(match.send(move(match, view, orders)))


def test_he_may_leave_and_every_verifier_agrees() -> None:
    match = left_while_asked()
    (left,) = [record for line in match.lines if isinstance(record := read_record(line), Resign)]
    assert left.draws
    assert left.link is None
    assert {answer["decision"] for answer in left.auto if answer["seat"] == left.seat} == {"defend"}
    archive = match.archive()
    assert audit(archive).verdict == "sound"
    assert check(archive, secrets=True) == ("finished", 0)
    # a roll that no answer explains is what it was: somebody leaves to see it
    forged = rewritten(Source(archive, host_key(match)), left.n, lambda row: row.update(auto=[])).data
    assert audit(forged).code == "log/draws-out-of-turn"
    assert check(forged, secrets=False) == ("fault", left.n + 1)
    assert agree([archive, forged]) == {"sound": 1, "log/draws-out-of-turn": 1}
