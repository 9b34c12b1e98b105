"""Deadline rules as a host writes them, and the instants that they give; over both changes of the clock."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Refused
from pbem.log.payloads import Period
from pbem.turn.clocks import time_up
from pbem.turn.policy import TimePolicy, check_policy, plain_policy, policy_of
from pbem.turn.spans import due, read_rule
from pbem.turn.zones import instant_of, local, seconds_of, stamp, zone

HELSINKI, BERLIN = "Europe/Helsinki", "Europe/Berlin"


@pytest.mark.parametrize(
    ("rule", "name", "start", "ends"),
    [
        ("90m", "UTC", "2026-07-01T12:00:00Z", "2026-07-01T13:30:00Z"),
        ("72h", BERLIN, "2026-10-23T18:00:00Z", "2026-10-26T18:00:00Z"),
        # 20:00 in Berlin three days on, over the night of 25 October, is 20:00 again
        ("3d", BERLIN, "2026-10-23T18:00:00Z", "2026-10-26T19:00:00Z"),
        ("7d", HELSINKI, "2026-10-23T17:00:00Z", "2026-10-30T18:00:00Z"),
        ("2w", "UTC", "2026-02-20T00:00:00Z", "2026-03-06T00:00:00Z"),
        # spring: 02:30 on 29 March does not exist in Berlin, so it is 03:30
        ("1d", BERLIN, "2026-03-28T01:30:00Z", "2026-03-29T01:30:00Z"),
        ("every Sun 02:30", BERLIN, "2026-03-28T12:00:00Z", "2026-03-29T01:30:00Z"),
        # autumn: 02:30 on 25 October comes twice, and the second counts
        ("every Sun 02:30", BERLIN, "2026-10-24T12:00:00Z", "2026-10-25T01:30:00Z"),
        ("1d", BERLIN, "2026-10-24T00:30:00Z", "2026-10-25T01:30:00Z"),
        # what opens between the two readings of 02:30 ends at the second of them
        ("every Sun 02:30", BERLIN, "2026-10-25T00:45:00Z", "2026-10-25T01:30:00Z"),
        ("every Sun 02:30", BERLIN, "2026-10-25T01:30:00Z", "2026-11-01T01:30:00Z"),
        ("every Mon,Thu 20:00 Europe/Helsinki", "UTC", "2026-12-07T17:59:59Z", "2026-12-07T18:00:00Z"),
        ("every Mon,Thu 20:00 Europe/Helsinki", "UTC", "2026-12-07T18:00:00Z", "2026-12-10T18:00:00Z"),
        (
            "every Mon,Thu 20:00 notice 24h Europe/Helsinki",
            "UTC",
            "2026-12-07T17:00:00Z",
            "2026-12-10T18:00:00Z",
        ),
        ("every day 9:15", "Asia/Kolkata", "2026-12-07T00:00:00Z", "2026-12-07T03:45:00Z"),
        ("every sunday 0:00", "Pacific/Apia", "2026-12-07T00:00:00Z", "2026-12-12T11:00:00Z"),
        # Friday noon: twelve hours of Friday, then Monday, Tuesday, and half of Wednesday
        ("72h weekdays", "UTC", "2026-12-04T12:00:00Z", "2026-12-09T12:00:00Z"),
        ("72h weekdays", "UTC", "2026-12-05T12:00:00Z", "2026-12-10T00:00:00Z"),
        ("1h weekdays", "UTC", "2026-12-04T23:30:00Z", "2026-12-07T00:30:00Z"),
        ("3d weekdays", HELSINKI, "2026-12-03T18:00:00Z", "2026-12-08T18:00:00Z"),
        ("1d weekdays", HELSINKI, "2026-12-06T10:00:00Z", "2026-12-07T22:00:00Z"),
    ],
)
def test_when_the_time_is_up(rule: str, name: str, start: str, ends: str) -> None:
    found = due(read_rule(rule), seconds_of(start), name)
    assert found is not None
    assert stamp(found) == ends


def test_never() -> None:
    assert due(read_rule("none"), 0, "UTC") is None


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "time/rule"),
        ("7", "time/rule"),
        ("7 days", "time/rule"),
        ("0d", "time/rule"),
        ("367d", "time/rule"),
        ("-1d", "time/rule"),
        ("every Mon 24:00", "time/rule"),
        ("every Mon,Mon 20:00", "time/rule"),
        ("every Mon, Thu 20:00", "time/rule"),
        ("every Someday 20:00", "time/rule"),
        ("every 20:00", "time/rule"),
        ("7d Europe/Atlantis", "time/zone"),
        ("every Mon 20:00 ../../etc/passwd", "time/rule"),
        ("7d Etc/../../passwd", "time/zone"),
        ("7d __init__/x", "time/rule"),
        ("7d zoneinfo", "time/zone"),
        ("٧d", "time/rule"),
    ],
)
def test_rules_that_are_none(text: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        read_rule(text)
    assert refused.value.refusal.code == code


@pytest.mark.parametrize(
    "name", ["UTC", HELSINKI, "America/Argentina/Ushuaia", "Etc/GMT+5", "Asia/Kathmandu"]
)
def test_zones_come_from_the_package(name: str) -> None:
    assert zone(name).key == name


ZONES = st.sampled_from(
    [BERLIN, HELSINKI, "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC"]
)
RULES = st.sampled_from(
    [
        "7d",
        "1d",
        "72h",
        "5m",
        "72h weekdays",
        "2d weekdays",
        "every Mon,Thu 20:00",
        "every day 02:30",
        "every Sun 03:00",
    ]
)


@given(RULES, ZONES, st.integers(1_700_000_000, 1_900_000_000))
def test_a_deadline_is_always_later_and_at_the_time_that_the_rule_says(
    rule: str, name: str, start: int
) -> None:
    read = read_rule(rule)
    ends = due(read, start, name)
    assert ends is not None
    assert start < ends < start + 40 * 86_400
    wall = local(ends, name)
    if read.kind == "every":
        wanted = wall.replace(hour=read.hour, minute=read.minute, second=0)
        # the very time of day, or the later one where the night has left it out
        assert ends == instant_of(wanted, name) or wall > wanted
        assert wall.weekday() in read.days
    if read.week:
        assert wall.weekday() < 5 or (
            wall.weekday() == 5 and (wall.hour, wall.minute, wall.second) == (0, 0, 0)
        )


def test_policies() -> None:
    policy = TimePolicy({"move": "7d", "answer": "24h"}, zone=HELSINKI, grace="12h", silence="bot", limit=3)
    assert policy_of(plain_policy(check_policy(policy))) == policy
    assert policy.rule(("bet", "move"))[0] == "7d"
    assert policy.rule(("keep", "answer"))[0] == "24h"
    assert policy.rule(("join",))[0] == "none"
    assert plain_policy(None) == "none"
    others: list[Any] = ["none", "P3D", {"rules": {"all": "7x"}}, {"rules": {}, "more": 1}, {}, 7, ["7d"]]
    for older in others:
        assert policy_of(older) is None


@pytest.mark.parametrize(
    ("rule", "start", "ends"),
    [
        # away before it begins: it begins afterwards
        ("7d", "2026-07-05T12:00:00Z", "2026-07-18T21:00:00Z"),
        # away in between: as many days later, at the same time of day
        ("7d", "2026-07-02T12:00:00Z", "2026-07-16T12:00:00Z"),
        # back before it began, or gone after it ended: nothing
        ("7d", "2026-07-20T12:00:00Z", "2026-07-27T12:00:00Z"),
        ("1d", "2026-07-01T12:00:00Z", "2026-07-02T12:00:00Z"),
        ("every Mon,Thu 20:00", "2026-07-02T17:30:00Z", "2026-07-13T17:00:00Z"),
    ],
)
def test_vacations_do_not_count(rule: str, start: str, ends: str) -> None:
    policy = TimePolicy({"all": rule}, zone=HELSINKI)
    away = (Period("2026-07-05", "2026-07-11"),)
    found = time_up(read_rule(rule), seconds_of(start), policy, away)
    assert found is not None
    assert stamp(found) == ends
