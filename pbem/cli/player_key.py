"""`pbem key` and `pbem join`: how a player comes into a game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from engine import LANGUAGES, say
from pbem.cli import player_page as page
from pbem.cli.player import (
    Delivery,
    delivery_options,
    hand_over,
    home,
    json_option,
    key_at,
    key_option,
    make_key,
    new_key_for,
    open_letter,
    own_key,
    own_ring,
    read_file,
    stem_of,
    tell_worries,
    view_argument,
    write_key,
)
from pbem.cli.say import answers, chosen_lang, lang, tell, tell_json
from pbem.log.seal import PrivateKey, key_id, public_of
from pbem.player import folder
from pbem.player.answers import join_envelope, rekey_envelope, take_envelope
from pbem.player.invitation import Invitation, read_invitation
from pbem.player.keys import save_key
from pbem.player.mail import file_name
from pbem.player.paper import from_words, to_words
from pbem.turn.wording import hex_groups


@click.group()
def key() -> None:
    """Your key: the small file that makes you the player of your games."""


@key.command()
@click.option("--passphrase", "locked", is_flag=True, help="Lock it with a passphrase, which is asked for.")
@key_option
@answers
def new(locked: bool, key_path: Path | None) -> None:
    """Make a key. One that is there is never overwritten."""
    make_key(key_path, locked=locked)


@key.command()
@click.argument("output", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--passphrase", "locked", is_flag=True, help="Lock the copy with a passphrase.")
@key_option
@answers
def copy(output: Path, locked: bool, key_path: Path | None) -> None:
    """Copy your key to a new FILE: with a passphrase, or without one."""
    own = own_key(key_path)
    write_key(output, own, locked=locked)
    tell(say("The key is in {file}. Its name is {id}.", file=str(output), id=key_id(public_of(own))))


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


@key.command(name="words")
@click.option(
    "--read", "reading", is_flag=True, help="Read the words from standard input, and write the key file."
)
@key_option
@answers
def words_(reading: bool, key_path: Path | None) -> None:
    """Show your key as 24 words to write down on paper, or read them back (--read)."""
    if reading:
        restored = from_words(page.read_input())
        where = key_at(key_path)
        save_key(where, restored, lang())
        tell(say("The key is in {file}. Its name is {id}.", file=str(where), id=key_id(public_of(restored))))
        return
    own = own_key(key_path)
    for number, word in enumerate(to_words(own), 1):
        click.echo(f"{number:2}. {word}")
    tell(say("These words are your key {id}: whoever has them can play as you.", id=key_id(public_of(own))))
    tell(say("To have the key back from them: pbem key words --read"))


@key.command()
@view_argument
@click.option(
    "--new", "new_path", type=click.Path(path_type=Path), help="Where the new key is, or is to be made."
)
@key_option
@delivery_options
@answers
def rotate(view_path: Path, new_path: Path | None, key_path: Path | None, **where: Any) -> None:
    """Give your seat in the game of VIEW a new key, signed with the one it has. All players are told."""
    letter = open_letter(view_path)
    tell_worries(letter)
    head = letter.view.head
    own = own_ring(key_path, letter.view)
    file = new_path or new_key_for(head.game, head.seat)
    new_one = own_key(file) if file.exists() else make_key(file)
    envelope = rekey_envelope(own, new_one, letter.view)
    hand_over(envelope, head.address, stem_of(letter.view, envelope.kind), Delivery(**where), letter.reply)
    tell(say("Keep both keys: the old one signs until the host has recorded the new one."))


def _key_for(invited: Invitation, path: Path | None) -> PrivateKey:
    """The key that takes the seat: the one named, or the usual one; a new one where the game knows that already."""
    used = invited.offer.used if invited.offer else ()
    if path is None and key_at(None).exists() and public_of(own_key(None)).hex() in used:
        return make_key(new_key_for(invited.game, invited.seat))
    return own_key(path) if key_at(path).exists() else make_key(path)


@click.command()
@click.argument("invitation", type=click.Path(path_type=Path))
@click.option("--name", default="", help="What the others may call you; in no log, and only if you like.")
@click.option(
    "--lang",
    "wanted",
    type=click.Choice(LANGUAGES),
    help="The language of your letters.  [default: the terminal's, else the invitation's]",
)
@key_option
@delivery_options
@answers
def join(invitation: Path, name: str, wanted: str | None, key_path: Path | None, **where: Any) -> None:
    """Take the seat that INVITATION offers: its file, or the whole mail saved as .eml. Also an offer to take one over."""
    data = read_file(invitation)
    invited = read_invitation(data)
    own = _key_for(invited, key_path)
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
    told = (name, wanted or chosen_lang())
    envelope = take_envelope(own, invited, *told) if invited.offer else join_envelope(own, invited, *told)
    stem = f"{file_name(invited.game, invited.seat)}.{envelope.kind}"
    hand_over(envelope, invited.address, stem, Delivery(**where), None)
