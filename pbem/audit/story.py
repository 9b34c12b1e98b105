"""An archive made again from what its players wrote: its records byte for byte, and the game in words (`make gate`).

Rulesets stay: a release that plays a recorded game otherwise, or tells it otherwise, has changed a ruleset
that it must not change. Shows where; what the audit says of the archive is the audit's business.
"""

from __future__ import annotations

import msgspec

from engine import GAMES, Draw
from pbem.audit.audit import Report, look
from pbem.audit.course import Course, by_rules
from pbem.audit.level2 import Auditor
from pbem.audit.replay import Reader, replay
from pbem.log.ledger import Step
from pbem.log.record import Changed, Start, body
from pbem.turn.play import Played
from pbem.turn.record import told


class Remade(msgspec.Struct, frozen=True):
    """The verdict on an archive, how many of its records were made again, and the lines in which these differ."""

    report: Report
    records: int
    differ: tuple[int, ...]


def remake(archive: bytes) -> Remade:
    """Plays an archive again and writes every record that changed the position anew, to compare the bytes.

    Only what the players sent, the links and the times are taken over; events, draws, answers, who is next,
    the turn order and both digests are the rules' own.
    """
    made: list[tuple[Step, Course, Played]] = []

    def watch(step: Step, course: Course, played: Played) -> None:
        made.append((step, course, played))

    report, collected = look(archive, Auditor(GAMES), watch)
    if collected.end is None:
        return Remade(report, 0, ())
    k_hidden = bytes.fromhex(collected.end.k_hidden)
    differ = [step.record.n + 1 for step, course, played in made if not _same(step, course, played, k_hidden)]
    return Remade(report, len(made), tuple(differ))


def story(archive: bytes) -> bytes:
    """The game in words, as everybody saw it: the golden playthrough that lies beside an archive as .txt."""
    pages = replay(archive, Reader()).pages
    parts = [
        f"== record {page.n}, turn {page.turn}: {page.kind} {page.seat}\n\n{page.text}" for page in pages
    ]
    return "\n".join(parts).encode("utf-8")


def _same(step: Step, course: Course, played: Played, k_hidden: bytes) -> bool:
    entry = step.record
    if not isinstance(entry, Changed) or step.before is None:
        raise ValueError("a change that is none")
    says = told(course.table, step.before.game, played, entry.n, k_hidden)
    fields = {
        "events": says.events,
        "draws": tuple(msgspec.convert(draw, Draw) for draw in says.draws),
        "public": says.public,
        "state": says.state,
        "next": says.next,
    }
    if isinstance(entry, Start):
        game, state = course.table.game, played.outcome.position.state
        fields["order"] = tuple(by_rules(lambda: game.order(state)))
    else:
        fields["auto"] = says.auto
    return body(msgspec.structs.replace(entry, **fields)) == body(entry)
