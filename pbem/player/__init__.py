"""The player's own kit: a key file, the games it knows, and signed answers to the letters of a host.

Decides nothing about rules and nothing about other players. What it makes is a function of key, file and
choices: no clock, no chance, no network. Only `keys` and `folder` touch the disk.
"""

from __future__ import annotations

from pbem.player.answers import (
    join_envelope,
    move_envelope,
    ready_envelope,
    resign_envelope,
    sign_move,
    standing_envelope,
)
from pbem.player.chain import ChainPlace, next_link
from pbem.player.check import Checked, bot_orders, check_move, fit
from pbem.player.invitation import Invitation, KnownGame, read_charter, read_invitation
from pbem.player.keys import key_file, load_key, new_key, read_key, save_key
from pbem.player.mail import Heading, answer_eml, file_name, mail_text
from pbem.player.opening import OpenedFile, Reply, open_file
from pbem.player.pieces import Summary, stitch, verify_log
from pbem.player.view import ViewFile, read_view

__all__ = [
    "ChainPlace",
    "Checked",
    "Heading",
    "Invitation",
    "KnownGame",
    "OpenedFile",
    "Reply",
    "Summary",
    "ViewFile",
    "answer_eml",
    "bot_orders",
    "check_move",
    "file_name",
    "fit",
    "join_envelope",
    "key_file",
    "load_key",
    "mail_text",
    "move_envelope",
    "new_key",
    "next_link",
    "open_file",
    "read_charter",
    "read_invitation",
    "read_key",
    "read_view",
    "ready_envelope",
    "resign_envelope",
    "save_key",
    "sign_move",
    "standing_envelope",
    "stitch",
    "verify_log",
]
