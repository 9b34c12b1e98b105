"""A record fits in a log line: a move in which too much happens leaves the rest of its orders undone."""

from __future__ import annotations

import pytest

from engine.kernel import advance
from tests.kernel.bench import DONE, acting, lapses, sell, send, table

GEMS = {"ash": ("gem-1", "gem-2", "gem-3", "gem-4")}


def test_the_orders_after_it_lapse_and_the_turn_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    where = table()
    whole = send(where, acting(where, "ash", GEMS), "ash", sell("gem-1"), sell("gem-2"), DONE)
    assert whole.closed
    monkeypatch.setattr(advance, "ENOUGH", 0)
    cut = send(where, acting(where, "ash", GEMS), "ash", sell("gem-1"), sell("gem-2"), DONE)
    assert not cut.closed
    assert lapses(cut) == [("ash", 2, "moment/enough"), ("ash", 3, "moment/enough")]
    rest = send(where, cut.position, "ash", sell("gem-2"))
    assert lapses(rest) == []


def test_a_move_in_which_little_happens_is_carried_out_whole() -> None:
    where = table()
    outcome = send(where, acting(where, "ash", GEMS), "ash", *(sell(gem) for gem in GEMS["ash"]), DONE)
    assert lapses(outcome) == []
    assert outcome.closed
