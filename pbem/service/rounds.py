"""What every round of the service's work needs: who is told what, and how a beat of the pulse is taken."""

from __future__ import annotations

import os
from collections.abc import Iterable

from pbem.service import pulse, silent
from pbem.service.addresses import returns_of
from pbem.service.artist import Dress
from pbem.service.config import Endpoint, Home
from pbem.service.database import Database
from pbem.service.journal import note, warn
from pbem.service.notices import Notices
from pbem.service.sender import Postmark, Route
from pbem.service.submission import submission_of
from pbem.service.ticks import Ticked
from pbem.service.worker import Handled


def with_lines(done: Iterable[Handled]) -> list[str]:
    """The games whose logs have grown, each once."""
    return list(dict.fromkeys(handled.game for handled in done if handled.lines))


def tell(handled: Handled) -> None:
    """One line of what came of a mail."""
    told = warn if handled.what == "poison" else note
    told(
        f"mail-{handled.what}",
        game=handled.game,
        mail=handled.mail,
        code=handled.code,
        records=handled.lines,
        letters=handled.letters,
    )


def tell_ticked(ticked: Ticked) -> None:
    """One line of what the clock has done, if it has done anything."""
    if ticked.lines or ticked.letters:
        note("clock", game=ticked.game, records=ticked.lines, letters=ticked.letters)


def notices_of(home: Home) -> Notices:
    """How the host of a home is told."""
    return Notices(home.host(()).post, home.config.operator)


def beat(database: Database, told: Notices, raw: int, outage: int) -> pulse.Pulse:
    """One beat; the host is told if his clock has leapt."""
    with database.write() as tx:
        found = pulse.beat(tx, raw, outage)
        if found.what in ("leap", "back"):
            now = found.pulse.shown
            silent.clock_leapt(tx, told, found.what, raw - now, now)
        return found.pulse


def postmark(home: Home, dress: Dress | None = None) -> Postmark:
    """What the sender of a home's letters needs to know; `dress` gives letters their look. Refused `host/password`."""
    told = Notices(home.host(()).post, home.config.operator)
    submission = submission_of(home.config, os.environ)
    return Postmark(returns_of(home), told, submission, home.config.pace, dress)


def always(server: Endpoint) -> Route:
    """One mail server for all recipients."""
    return lambda _recipient: server
