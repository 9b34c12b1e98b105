"""What somebody needs to go on from where the game stands: report, view, move file, lines of the log.

Decides nothing and changes nothing. For whoever has lost a letter, or comes into a game that is under way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from engine import Lapsed, Position, say, waiting
from pbem.log.ledger import member
from pbem.turn import wording
from pbem.turn.desk import Desk, name_of
from pbem.turn.eml import Attachment
from pbem.turn.posting import joined
from pbem.turn.views import address, awaited, blank_move, phase, view_envelope
from pbem.turn.wording import paragraph


def needed(
    desk: Desk, seat: str, lines: Sequence[bytes], first: int
) -> tuple[list[str], tuple[Attachment, ...]]:
    """Report, how to answer, how to check; and the files: the signed view, the move file if one is wanted, lines."""
    lang, ledger, position = desk.lang(seat), desk.snapshot.ledger, desk.position
    journal = desk.snapshot.journals[seat]
    news = joined(journal.held, journal.news)
    stem = f"{desk.game_id}-{ledger.n:04d}-{seat}"
    view = view_envelope(desk, position, seat, news)
    files = [Attachment(f"{stem}.view.json", "application/json", view.text())]
    how, now = "", phase(ledger)
    if now == "ready" and not member(ledger, seat).ready:
        choices = desk.table.game.setup.__struct_fields__
        how = wording.how_to_confirm(files[0].name, address(desk, seat), lang, desk.table.game.id, choices)
    if position is not None and now == "play" and seat in waiting(desk.table, position):
        files.append(Attachment(f"{stem}.move.json", "application/json", blank_move(view.payload)))
        how = wording.how_to_move(files[0].name, files[1].name, address(desk, seat), lang)
    elif missing := awaited(desk):
        names = tuple(name_of(desk, other) for other in missing)
        how = how or paragraph(say("The game now waits for {names}.", names=names), lang)
    files.append(lines_file(desk, lines, first))
    check = wording.how_to_check(ledger.head, ledger.n, files[-1].name, lang)
    return [_report(desk, position, seat, news), how, check], tuple(files)


def _report(desk: Desk, position: Position[Any] | None, seat: str, news: tuple[Any, ...]) -> str:
    if position is None:
        return ""
    game = desk.table.game
    events = msgspec.convert(news, tuple[game.event | Lapsed, ...])  # type: ignore[name-defined]
    return game.report(game.view(position.state, seat), events, desk.lang(seat))


def lines_file(desk: Desk, lines: Sequence[bytes], first: int) -> Attachment:
    """Lines of the log from number `first` to the newest, as a file."""
    name = f"{desk.game_id}-{first:04d}-{desk.snapshot.ledger.n:04d}.log.pbem"
    return Attachment(name, "application/x-ndjson", b"".join(line + b"\n" for line in lines))
