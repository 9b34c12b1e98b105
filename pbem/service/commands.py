"""Mail commands at the service: who asks, and what he is answered. Unsigned mail can only ask.

Law: only an address on the roster of the game is answered, at that address; a mail with a player's envelope in it is
never a command. Nothing but letters comes of it.
"""

from __future__ import annotations

import msgspec
import sqlalchemy as sa

from pbem.log.envelope import PLAYER_KINDS
from pbem.log.ledger import member
from pbem.service import halls, store
from pbem.service.addresses import Place
from pbem.service.config import Host
from pbem.service.inbox import Waiting
from pbem.service.tables import games, people
from pbem.turn import asked_letters
from pbem.turn.asked_letters import Playing, Question
from pbem.turn.commands import Command, read_subject
from pbem.turn.desk import Desk, name_of
from pbem.turn.pipeline import Claims, Verdict, seats_of
from pbem.turn.posting import Letter
from pbem.turn.views import awaited

ANY = "*"
"""Stands for the seat of a mail that named no game: its sender's, in whichever game."""
MOST_GAMES = 200


def command_of(claims: Claims) -> Command | None:
    """The command that a mail is; None for anything else."""
    command = read_subject(claims.subject)
    if command is None or any(one.kind in PLAYER_KINDS for one in claims.envelopes):
        return None
    if claims.is_torn:
        # there is a move in it, whatever letter of ours it answers
        return None
    no_try = claims.trouble is None or claims.trouble.code == "mail/no-move"
    return command if command.asks or no_try else None


def answer(
    tx: sa.Connection, host: Host, desk: Desk, mail: Waiting, claims: Claims
) -> tuple[Command, Verdict] | None:
    """The answer to a mail that is a command of somebody on the roster; None for any other mail."""
    command = command_of(claims)
    seats = seats_of(desk, claims.sender)
    if command is not None and command.word in ("tables", "sit"):
        told = halls.answer(tx, host, mail, (claims, command))
        return (command, told) if told is not None else None
    if command is None or not seats:
        return None
    # one that names another game of the same player is about that one
    if command.game and command.game != desk.game_id:
        mine = [game for game, *_ in _games_of(tx, claims.sender)]
        if command.game in mine:
            desk = store.load_desk(tx, host, command.game, 0).desk
            seats = seats_of(desk, claims.sender)
        elif command.asks:
            mail = msgspec.structs.replace(mail, seat=ANY)
    seat = mail.seat if mail.seat in seats else seats[0]
    question = Question(seat, _own(desk, seat, claims.sender), claims.message_id, f"{mail.id}")
    letter = _letter(tx, host, desk, question, (mail, command))
    return command, Verdict(desk.snapshot, desk.people, letters=(letter,))


def place_of_sender(tx: sa.Connection, sender: str, address: str) -> Place | None:
    """Where a command that names no game is answered: the newest game of its sender that is not over, or the newest."""
    rows = _games_of(tx, sender)
    if not rows:
        return None
    running = [game for game, _, phase, _ in rows if phase != "over"]
    return Place(running[-1] if running else rows[-1][0], ANY, address)


def place_of_stranger(tx: sa.Connection, command: Command, address: str) -> Place | None:
    """Where somebody is answered who plays nowhere and asks for a table; None if there are no tables."""
    game = halls.place_for(tx, command)
    return Place(game, ANY, address) if game else None


def _letter(
    tx: sa.Connection, host: Host, desk: Desk, question: Question, asked: tuple[Waiting, Command]
) -> Letter:
    mail, command = asked
    if not command.asks:
        return asked_letters.needs_signature_letter(desk, question, command.word)
    if command.word == "help":
        return asked_letters.help_letter(desk, question)
    mine = _games_of(tx, question.to)
    running = [row for row in mine if row[2] != "over"]
    unclear = mail.seat == ANY and (len(running) > 1 or command.game not in ("", desk.game_id))
    if command.word == "games" or unclear:
        shown = [_playing(tx, host, desk, row) for row in (running or mine)[-MOST_GAMES:]]
        return asked_letters.games_letter(desk, question, shown, command.word if unclear else "")
    return _about_one(tx, desk, question, command)


def _about_one(tx: sa.Connection, desk: Desk, question: Question, command: Command) -> Letter:
    if command.word == "status":
        return asked_letters.status_letter(desk, question)
    if command.word == "log":
        return asked_letters.log_letter(desk, question, store.load_lines(tx, desk.game_id))
    first = member(desk.snapshot.ledger, question.seat).moved
    return asked_letters.resent_letter(desk, question, store.load_lines(tx, desk.game_id, first), first)


def _games_of(tx: sa.Connection, address: str) -> list[tuple[str, str, str, int]]:
    """Game, seat, phase and turn of all seats of an address, the oldest first."""
    wanted = (
        sa.select(games.c.id, people.c.seat, games.c.phase, games.c.turn)
        .join(people, people.c.game == games.c.id)
        .where(
            sa.or_(
                sa.func.lower(people.c.address) == address.lower(),
                sa.func.lower(people.c.second) == address.lower(),
            )
        )
        .order_by(games.c.created, games.c.id, people.c.seat)
    )
    return [(row.id, row.seat, row.phase, row.turn) for row in tx.execute(wanted)] if address else []


def _playing(tx: sa.Connection, host: Host, desk: Desk, row: tuple[str, str, str, int]) -> Playing:
    game_id, seat, phase, turn = row
    other = desk if game_id == desk.game_id else store.load_desk(tx, host, game_id, 0).desk
    missing = awaited(other)
    return Playing(
        game_id,
        other.table.game.title,
        name_of(other, seat),
        phase,
        turn,
        seat in missing,
        asked_letters.times_of(other, seat, missing),
    )


def _own(desk: Desk, seat: str, sender: str) -> str:
    """The address of the roster that the mail came from, as the roster spells it."""
    person = desk.people[seat]
    return person.address if person.address.casefold() == sender.casefold() else person.second
