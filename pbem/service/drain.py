"""The service's work done once, for a host who lets cron do it: all mail that waits, and every letter that is due."""

from __future__ import annotations

import asyncio

from pbem.service.app import Setting
from pbem.service.archive import Mirror
from pbem.service.artist import Artist
from pbem.service.config import Home, endpoint
from pbem.service.home_store import using_store
from pbem.service.pulse import Steady
from pbem.service.roles import alone_if_need_be
from pbem.service.rounds import always, beat, notices_of, postmark, tell, with_lines
from pbem.service.sender import Sender
from pbem.service.ticks import Keeper, tick_some
from pbem.service.worker import handle_some

CRON = 26 * 3600
"""Seconds between two runs of `pbem work --once` that are no outage: cron may come once a day."""


async def drain(home: Home, setting: Setting | None = None) -> tuple[int, int]:
    """Handles all mail that waits and tries every letter that is due, once; gives how many of each.

    For a host who lets cron do the work. Refused `disk/in-use` beside a running service.
    """
    chosen = setting or Setting()
    host = home.host(chosen.games)
    route = chosen.route or always(endpoint(home.config.relay))
    with alone_if_need_be(home), using_store(home) as database:
        mirror = Mirror(database, home.logs)
        mirror.repair()
        clock = Steady(chosen.clock)
        # between two runs of cron nothing is amiss; a day is more than that
        patience = max(home.config.outage, CRON) if home.config.outage else 0
        clock.hear(await asyncio.to_thread(beat, database, notices_of(home), chosen.clock(), patience))
        keeper = Keeper(host, notices_of(home))
        artist = Artist(home.config.pictures)
        sender = Sender(database, postmark(home, artist), clock, asyncio.to_thread)
        mails = letters = 0
        while True:
            done = await asyncio.to_thread(handle_some, database, host, clock)
            for handled in done:
                tell(handled)
            mails += len(done)
            mirror.bring_up(*with_lines(done))
            if done:
                continue
            ticked = await asyncio.to_thread(tick_some, database, keeper, clock)
            mirror.bring_up(*(one.game for one in ticked))
            if not any(one.lines or one.letters for one in ticked):
                break
        while tried := await sender.send_due(route):
            letters += tried
        await sender.close()
        artist.close()
        return mails, letters
