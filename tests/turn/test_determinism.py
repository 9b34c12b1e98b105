"""The same envelopes give the same lines and letters, byte for byte, whatever the process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine import Refused
from fixtures.desks import claim, desk_at, known_at
from pbem.turn import pipeline
from pbem.turn.pipeline import Verdict
from tests.turn.digests import all_digests

ROOT = Path(__file__).resolve().parents[2]
MAILS = ROOT / "fixtures" / "mails"


def in_a_process(seed: str, zone: str) -> list[str]:
    surroundings = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": "C", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "tests.turn.digests"],
        cwd=ROOT,
        env=surroundings,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return done.stdout.splitlines()


def test_hash_seed_time_zone_and_locale_change_nothing() -> None:
    first, second = in_a_process("1", "UTC"), in_a_process("4242", "Asia/Kathmandu")
    assert len(first) > 300
    assert first == second == all_digests()


def judged(file: str) -> Verdict:
    return pipeline.judge(
        claim(file, (MAILS / file).read_bytes()), known_at("first-turn"), desk_at("first-turn")
    )


def test_judging_twice_gives_equal_verdicts() -> None:
    """And leaves the desk as it was: a verdict is a value, and nothing but a value."""
    before = desk_at("first-turn")
    for file in ("good/attached.eml", "bad/order-unknown-card.eml"):
        assert judged(file) == judged(file)
    assert desk_at("first-turn") == before


def test_a_refused_silence_and_a_refused_end_change_nothing() -> None:
    desk = desk_at("first-turn")
    with pytest.raises(Refused, match="moment/not-your-turn"):
        pipeline.silence(desk, "green")
    with pytest.raises(Refused, match="fresh/not-over"):
        pipeline.finish(desk, ())
    assert desk == desk_at("first-turn")
