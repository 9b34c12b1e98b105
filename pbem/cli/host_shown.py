"""How games and the service look in a terminal: rows of what the service found, every word a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine import Say, plain, say, verbatim
from pbem.cli.say import tell, tell_json
from pbem.turn import zones

if TYPE_CHECKING:
    from pbem.service.games import GameLine, GameState, OpenGame, SeatState, Status
    from pbem.service.people import MailHealth
    from pbem.turn.pipeline import Verdict

PHASES = {
    "join": say("players are joining"),
    "ready": say("players are confirming"),
    "play": say("being played"),
    "over": say("over"),
}


def tell_games(found: Sequence[GameLine]) -> None:
    """A line for each game."""
    for one in found:
        row = say(
            "{game}  {ruleset}  since {created}  turn {turn}: {phase}",
            game=one.game,
            ruleset=one.ruleset,
            created=one.created,
            turn=one.turn,
            phase=PHASES[one.phase],
        )
        tell(row)
    if not found:
        tell(say("There are no games yet. Begin one with `pbem game new`."))


def tell_open(found: Sequence[OpenGame], as_json: bool) -> None:
    """A line for each game with seats that wait for somebody."""
    if as_json:
        tell_json([plain(one) for one in found])
        return
    for one in found:
        seats = tuple(verbatim(seat) for seat in one.seats)
        row = say(
            "{game}  {ruleset}  turn {turn}: {seats}",
            game=one.game,
            ruleset=one.ruleset,
            turn=one.turn,
            seats=seats,
        )
        tell(row)
    if not found:
        tell(say("No seat waits for anybody."))


def tell_game(found: GameState) -> None:
    """A game in full."""
    head = say(
        "Game {game} ({ruleset}), turn {turn}: {phase}. Records: {records}, the newest with digest {head}.",
        game=found.game,
        ruleset=found.ruleset,
        turn=found.turn,
        phase=PHASES[found.phase],
        records=found.records,
        head=found.head,
    )
    tell(head)
    for seat in found.seats:
        row = say(
            "  {seat}: {address}: {state}. Links given: {links}; letters unsent: {unsent}, failed: {failed}.",
            seat=seat.seat,
            address=seat.address,
            state=_due(seat) if seat.due else _state(seat),
            links=seat.links,
            unsent=seat.unsent,
            failed=seat.failed,
        )
        tell(row)


def _due(seat: SeatState) -> Say:
    return say("{state}, and the game waits for it", state=_state(seat))


def _state(seat: SeatState) -> Say:
    if seat.resigned:
        return say("has resigned")
    if seat.ready:
        return say("is in the game")
    return say("has joined") if seat.joined else say("is invited")


def tell_status(found: Status, zone: str = "") -> None:
    """The numbers, and the deadlines in a zone (empty: in that of each game)."""
    games, inbox, outbox = found.games, found.inbox, found.outbox
    tell(
        say(
            "Games: {joining} joining, {confirming} confirming, {played} being played, {over} over.",
            joining=games["join"],
            confirming=games["ready"],
            played=games["play"],
            over=games["over"],
        )
    )
    tell(
        say(
            "Mail in: {new} waiting, {done} done, {poison} put aside because of a fault of ours.",
            new=inbox["new"],
            done=inbox["done"],
            poison=inbox["poison"],
        )
    )
    tell(
        say(
            "Letters: {new} waiting, {sent} sent, {failed} given up.",
            new=outbox["new"],
            sent=outbox["sent"],
            failed=outbox["failed"],
        )
    )
    tell_players(found.players)
    for one in found.deadlines:
        tell(
            say(
                "  {game} {seat}: time until {at}.",
                game=one.game,
                seat=one.seat,
                at=zones.spoken(zones.seconds_of(one.at), zone or one.zone),
            )
        )


HEALTH = {
    "good": say("mail arrives, as far as is known"),
    "waiting": say("letters wait to be taken"),
    "bouncing": say("letters have come back"),
    "bad": say("takes no mail"),
}


def tell_players(players: Sequence[MailHealth]) -> None:
    """A line for each player: where his mail goes, and whether it gets there."""
    for one in players:
        row = say(
            "  {game} {seat}: {address}: {how}. Came back: {bounced}, unsent: {unsent}, failed: {failed}.",
            game=one.game,
            seat=one.seat,
            address=one.address,
            how=HEALTH[one.how],
            bounced=one.bounced,
            unsent=one.unsent,
            failed=one.failed,
        )
        tell(row)


def tell_verdicts(game_id: str, verdicts: Sequence[Verdict], as_json: bool) -> None:
    """What an act of the host has recorded."""
    records = sum(len(one.lines) for one in verdicts)
    letters = sum(len(one.letters) for one in verdicts)
    over = verdicts[-1].snapshot.ledger.phase == "ended"
    if as_json:
        tell_json({"game": game_id, "records": records, "letters": letters, "over": over})
        return
    tell(
        say(
            "Game {game}: new records: {records}, letters: {letters}.",
            game=game_id,
            records=records,
            letters=letters,
        )
    )
    if over:
        tell(say("The game is over. Its archive: pbem export {game}", game=game_id))
