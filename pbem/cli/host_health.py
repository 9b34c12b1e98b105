"""`pbem host doctor`: what it finds, a line each; exit code 1 if something is bad."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from engine import Refused, Say, refuse, say, sentences, words
from pbem.cli import asked
from pbem.cli.codes import table
from pbem.cli.host_home import HOME, JSON, opened, store
from pbem.cli.say import FAULTS, answers, lang, tell, tell_json

if TYPE_CHECKING:
    from pbem.service.database import Database
    from pbem.service.doctor import Finding

HOWS = {"good": say("good"), "look": say("look"), "bad": say("BAD")}


@click.command()
@HOME
@click.option(
    "--trip/--no-trip", default=True, help="Send a mail to oneself and wait for it; the service must run."
)
@click.option("--net/--no-net", default=True, help="Look at the relay and at DNS.")
@click.option(
    "--wait",
    default=20,
    type=click.IntRange(0, 3_600),
    show_default=True,
    help="Seconds to wait for the mail to oneself.",
)
@JSON
@answers
def doctor(home: Path, trip: bool, net: bool, wait: int, as_json: bool) -> None:
    """Look at clock, disk, database, logs, queues, relay and DNS, and send a mail to oneself."""
    from pbem.service import dns
    from pbem.service import doctor as house_call
    from pbem.service.clock import system_clock
    from pbem.service.roundtrip import relay_finding, trip_finding
    from pbem.service.submission import submission_of

    found: list[Finding] = []
    home_ = opened(home)
    with ExitStack() as stack:
        database: Database | None = None
        try:
            _, _, database = stack.enter_context(store(home))
        except Refused as refused:
            found += house_call.examine_shut(home_, _shut(refused), system_clock)
        except OSError as error:
            # a folder of that name, or no right to open it
            problem = error.strerror or type(error).__name__
            gone = refuse("cli/file", file=str(error.filename or "?"), problem=problem)
            found += house_call.examine_shut(home_, _shut(gone), system_clock)
        else:
            found += house_call.examine(home_, database, system_clock)
        if net:
            try:
                submission = submission_of(home_.config, os.environ)
                relay = asyncio.run(relay_finding(home_, submission))
            except Refused as refused:
                submission, relay = None, house_call.Finding("relay", "bad", _why(refused))
            found.append(relay)
            server = dns.resolver()
            if server:
                found += house_call.dns_findings(home_.config, (server, 53), _number)
            if trip and submission is not None and relay.how != "bad" and database is not None:
                once = (asked.word(asked.SYSTEM, 16), system_clock(), float(wait))
                found.append(asyncio.run(trip_finding(home_, database, submission, once)))
    if as_json:
        tell_json([{"name": one.name, "how": one.how, "what": words(one.what)} for one in found])
    else:
        for one in found:
            tell(
                say(
                    "{how}  {name}: {what}",
                    how=f"{words(HOWS[one.how], lang()):<4}",
                    name=one.name,
                    what=one.what,
                )
            )
    if any(one.how == "bad" for one in found):
        sys.exit(FAULTS)


def _shut(refused: Refused) -> Finding:
    """Why the database does not open, and what to do."""
    from pbem.service.doctor import Finding, malformed

    refusal = refused.refusal
    if refusal.code == "host/database-damaged":
        return malformed(str(refusal.args["problem"]))
    return Finding("database", "bad", say("It does not open, {why}", why=_why(refused)))


def _why(refused: Refused) -> Say:
    refusal = refused.refusal
    _, problem, todo = sentences(refusal, table())
    return say("{code}: {problem} {todo}", code=refusal.code, problem=problem, todo=todo)


def _number() -> int:
    return int.from_bytes(asked.SYSTEM(2), "big")
