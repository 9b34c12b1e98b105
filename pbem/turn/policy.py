"""The time policy of a game: what stands in its charter under `deadline`.

Decides which policies there can be, and which rule a decision goes by. A charter says `none`, or an object with the
fields of `TimePolicy`; anything else is read as no policy, for older charters say other things there.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal, cast

import msgspec

from engine import Refused, refuse
from pbem.log.canonical import canonical
from pbem.turn import zones
from pbem.turn.spans import Rule, Span, read_rule, read_span

ALL = "all"
Silence = Literal["default", "bot", "skip", "pause", "substitute"]
SILENCES: tuple[Silence, ...] = ("default", "bot", "skip", "pause", "substitute")
MOST_VACATION, MOST_LIMIT = 366, 100


class TimePolicy(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """`rules`: a rule by what is decided: `join`, `ready`, `move` (a seat of `next`), `answer` (a question in another's
    turn), a decision's own name in the ruleset, and `all` for what is not named.

    `grace` and `hold` are lengths of time (`12h`), empty for none; `vacation` is in days a game and player; `limit` is
    how many silences in a row make a seat free for others, 0 for never.
    """

    rules: dict[str, str]
    zone: str = "UTC"
    grace: str = ""
    hold: str = ""
    vacation: int = 0
    silence: Silence = "default"
    limit: int = 0

    def rule(self, kinds: tuple[str, ...]) -> tuple[str, Rule]:
        """The rule of the first of these names that has one, as text and as read."""
        text = next((self.rules[kind] for kind in (*kinds, ALL) if kind in self.rules), "none")
        return text, _rule(text)

    @property
    def grace_span(self) -> Span:
        """How long after the deadline a move is still taken."""
        return read_span(self.grace) if self.grace else Span()

    @property
    def hold_span(self) -> Span | None:
        """How long a move can still be changed; None if it is played at once."""
        return read_span(self.hold) if self.hold else None


def policy_of(deadline: object) -> TimePolicy | None:
    """The policy in a charter's `deadline`; None if there is none."""
    return _policy(canonical(cast("Any", deadline))) if isinstance(deadline, dict) else None


@lru_cache(maxsize=256)
def _policy(data: bytes) -> TimePolicy | None:
    try:
        return check_policy(msgspec.json.decode(data, type=TimePolicy))
    except (msgspec.ValidationError, Refused):
        return None


def check_policy(policy: TimePolicy) -> TimePolicy:
    """The policy, if every part of it can be read. Refused `time/…`."""
    zones.zone(policy.zone)
    for text in policy.rules.values():
        read_rule(text)
    for text in (policy.grace, policy.hold):
        if text:
            read_span(text)
    if not 0 <= policy.vacation <= MOST_VACATION:
        raise refuse("time/number", what="vacation", most=MOST_VACATION, found=str(policy.vacation))
    if not 0 <= policy.limit <= MOST_LIMIT:
        raise refuse("time/number", what="limit", most=MOST_LIMIT, found=str(policy.limit))
    return policy


def plain_policy(policy: TimePolicy | None) -> Any:
    """What a charter says of it."""
    return "none" if policy is None else msgspec.to_builtins(policy)


@lru_cache(maxsize=256)
def _rule(text: str) -> Rule:
    return read_rule(text)
