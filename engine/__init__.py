"""The engine's only door: the games, and how a position advances. It knows no mail, file, clock, signature or seed."""

from __future__ import annotations

from engine.catalog import CODES as CATALOG_CODES
from engine.catalog import GAMES, find
from engine.kernel.advance import (
    CODES,
    Auto,
    Filed,
    Held,
    Lapsed,
    Outcome,
    Position,
    Table,
    file_standing,
    play,
    resign,
    start,
    timeout,
    waiting,
)
from engine.kernel.bots import random_order, random_turn
from engine.kernel.codec import decode, encode, plain, quote
from engine.kernel.dice import Below, Dice, Draw, Source, Stream, roll, shuffle
from engine.kernel.foresee import Foresight, Step, foresee
from engine.kernel.game import Answer, AnyGame, Charter, Decision, Game, Place, Result, Unseen
from engine.kernel.menu import Act, Asked, Chooser, Field, Form, Menu, Option, OptionSet, admits, every, fill
from engine.kernel.prose import Arg, Say, listing, plural, say, words
from engine.kernel.refusal import Code, Refusal, Refused, refuse, sentences

__all__ = [
    "CATALOG_CODES",
    "CODES",
    "GAMES",
    "Act",
    "Answer",
    "AnyGame",
    "Arg",
    "Asked",
    "Auto",
    "Below",
    "Charter",
    "Chooser",
    "Code",
    "Decision",
    "Dice",
    "Draw",
    "Field",
    "Filed",
    "Foresight",
    "Form",
    "Game",
    "Held",
    "Lapsed",
    "Menu",
    "Option",
    "OptionSet",
    "Outcome",
    "Place",
    "Position",
    "Refusal",
    "Refused",
    "Result",
    "Say",
    "Source",
    "Step",
    "Stream",
    "Table",
    "Unseen",
    "admits",
    "decode",
    "encode",
    "every",
    "file_standing",
    "fill",
    "find",
    "foresee",
    "listing",
    "plain",
    "play",
    "plural",
    "quote",
    "random_order",
    "random_turn",
    "refuse",
    "resign",
    "roll",
    "say",
    "sentences",
    "shuffle",
    "start",
    "timeout",
    "waiting",
    "words",
]
