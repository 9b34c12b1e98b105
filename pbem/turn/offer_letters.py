"""Offers of a seat: to a successor, or to its own player who has lost his key. What they say is public.

An offer is a file signed by the host, like an invitation, with a token of its own; who takes it up, whoever he is,
proves that this mail reached him. Nothing changes until then.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine import Say, say, words
from pbem.log.canonical import digest, pretty
from pbem.log.ledger import member
from pbem.log.seal import sign
from pbem.turn import wording
from pbem.turn.catching_up import lines_file
from pbem.turn.desk import Desk, Offer, name_of
from pbem.turn.desk_file import desk_file
from pbem.turn.eml import Attachment
from pbem.turn.posting import Draft, Letter, render_letter
from pbem.turn.views import address, awaited
from pbem.turn.wording import paragraph


def offer_letter(desk: Desk, seat: str, lines: Sequence[bytes]) -> Letter:
    """The letter to whom the seat is offered on this desk; `lines` are the whole log."""
    offer = desk.offers[seat]
    lang, game = offer.lang, desk.table.game
    file = f"{desk.game_id}-{seat}.offer.json"
    files = [Attachment(file, "application/json", offer_file(desk, seat, offer)), desk_file()]
    files.append(lines_file(desk, lines, 0))
    parts = [
        "\n".join(paragraph(one, lang) for one in _sentences(desk, seat, offer)),
        _report(desk, lang) if offer.how == "taken" else "",
        wording.how_to_join(file, address(desk, seat), lang),
        paragraph(_otherwise(offer), lang),
    ]
    who = game.seat_names[seat]
    subject = say("[pbem {game}] will you take over {seat}?", game=desk.game_id, seat=who)
    if offer.how == "reset":
        subject = say("[pbem {game}] a new key for {seat}", game=desk.game_id, seat=who)
    mark = digest(f"{offer.token} {desk.now}".encode())[:16]
    name = f"{desk.game_id}.offer.{seat}.{mark}@{desk.post.domain}"
    draft = Draft(name, words(subject, lang), wording.letter_text(parts), tuple(files), to=offer.address)
    # it belongs to no seat yet: it must not be sent after its player, nor count as one of his letters
    return msgspec.structs.replace(render_letter(desk, seat, draft), seat="")


def offer_file(desk: Desk, seat: str, offer: Offer) -> bytes:
    """What `pbem join` needs: as an invitation, and the newest line, the keys that are used up, how it is offered."""
    ledger = desk.snapshot.ledger
    payload = {
        "v": 1,
        "kind": "offer",
        "game": desk.game_id,
        "seat": seat,
        "how": offer.how,
        "token": offer.token,
        "address": address(desk, seat),
        "base": ledger.head,
        "used": [*ledger.ended_keys, *(entry.public_key for entry in ledger.roster if entry.public_key)],
        "charter_line": desk.charter_line.decode("utf-8"),
    }
    return pretty(
        {
            "payload": payload,
            "sig": sign(desk.secrets.key, "offer", msgspec.json.encode(payload, order="sorted")),
        }
    )


def _sentences(desk: Desk, seat: str, offer: Offer) -> list[Say]:
    game, ledger = desk.table.game, desk.snapshot.ledger
    who = game.seat_names[seat]
    if offer.how == "reset":
        return [
            say(
                "The host has been told that you have lost your key for {seat} in game {game}. With the attached file you"
                " set a new one. All players will be told of it.",
                seat=who,
                game=desk.game_id,
            )
        ]
    others = tuple(name_of(desk, other) for other in desk.charter.seats if other != seat)
    sentences = [
        say(
            "You are asked to take over {seat} in a game of {title}, played by mail. It stands in turn {turn}; the others"
            " are {others}.",
            seat=who,
            title=game.title,
            turn=ledger.turn,
            others=others,
        ),
        say(
            "If you accept, you get everything that the seat has: its view, the log, its standing orders and its notes."
            " The attached log is what everybody has; `pbem verify` checks it."
        ),
    ]
    if seat in awaited(desk):
        sentences.append(say("The game waits for this seat."))
    if not member(ledger, seat).public_key:
        sentences.append(say("Nobody has played it so far."))
    return sentences


def _otherwise(offer: Offer) -> Say:
    if offer.how == "reset":
        return say(
            "If you have not lost your key, do nothing and tell the host: nothing changes without your answer."
        )
    return say("If you do not want it, do nothing: no answer is an answer too.")


def _report(desk: Desk, lang: str) -> str:
    """What everybody may see of the board."""
    game, position = desk.table.game, desk.position
    return game.report(game.view(position.state, None), (), lang) if position is not None else ""
