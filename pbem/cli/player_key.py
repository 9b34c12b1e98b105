"""`pbem key` and `pbem join`: how a player comes into a game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from engine import say
from pbem.cli.player import (
    Delivery,
    delivery_options,
    hand_over,
    home,
    json_option,
    key_at,
    key_option,
    make_key,
    own_key,
    read_file,
)
from pbem.cli.say import answers, lang, tell, tell_json
from pbem.log.seal import key_id, public_of
from pbem.player import folder
from pbem.player.answers import join_envelope
from pbem.player.invitation import read_invitation
from pbem.player.mail import file_name
from pbem.turn.wording import hex_groups


@click.group()
def key() -> None:
    """Your key: the small file that makes you the player of your games."""


@key.command()
@key_option
@answers
def new(key_path: Path | None) -> None:
    """Make a key. One that is there is never overwritten."""
    make_key(key_path)


@key.command()
@key_option
@json_option
@answers
def show(key_path: Path | None, as_json: bool) -> None:
    """Show the public part of your key, which everybody may see."""
    public = public_of(own_key(key_path))
    if as_json:
        tell_json({"file": str(key_at(key_path)), "id": key_id(public), "public_key": public.hex()})
        return
    tell(say("Key file: {file}", file=str(key_at(key_path))))
    tell(say("Name of the key: {id}", id=key_id(public)))
    tell(say("Public key, for everybody to see:"))
    click.echo(hex_groups(public.hex()))


@click.command()
@click.argument("invitation", type=click.Path(path_type=Path))
@click.option("--name", default="", help="What the others may call you; in no log, and only if you like.")
@click.option("--lang", "wanted", default="", help="The language of your letters.  [default: the terminal's]")
@key_option
@delivery_options
@answers
def join(invitation: Path, name: str, wanted: str, key_path: Path | None, **where: Any) -> None:
    """Take the seat that INVITATION offers: its file, or the whole mail saved as .eml."""
    data = read_file(invitation)
    invited = read_invitation(data)
    own = own_key(key_path) if key_at(key_path).exists() else make_key(key_path)
    folder.remember(home(), invited.known)
    charter = invited.known.charter
    tell(
        say(
            "Invitation to the game {game} ({ruleset}, version {version}) as {seat}: it is signed by the host.",
            game=invited.game,
            ruleset=charter.ruleset.id,
            version=charter.ruleset.version,
            seat=invited.seat,
        )
    )
    envelope = join_envelope(own, invited, name, wanted or lang())
    stem = f"{file_name(invited.game, invited.seat)}.join"
    hand_over(envelope, invited.address, stem, Delivery(**where), None)
