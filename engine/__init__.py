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
from engine.kernel.bots import bots_of, find_bot, random_order, random_turn
from engine.kernel.codec import action as read_order
from engine.kernel.codec import decode, encode, plain, quote
from engine.kernel.dice import Below, Dice, Draw, Source, Stream, roll, shuffle
from engine.kernel.foresee import Foresight, Step, foresee
from engine.kernel.game import Answer, AnyGame, Bot, Charter, Decision, Game, Place, Result, Tried, Unseen
from engine.kernel.lines import break_lines
from engine.kernel.menu import Act, Asked, Chooser, Field, Form, Menu, Option, OptionSet, admits, every, fill
from engine.kernel.misfit import misfit_args, misfit_problem
from engine.kernel.prose import Arg, Say, listing, plural, say, words
from engine.kernel.refusal import Code, Counted, Refusal, Refused, refuse, sentences
from engine.kernel.shapes import WIDTH, Group, Mark, Part, Picture, Point, Rect, Shade, Stroke, Text

__all__ = [
    "CATALOG_CODES",
    "CODES",
    "GAMES",
    "WIDTH",
    "Act",
    "Answer",
    "AnyGame",
    "Arg",
    "Asked",
    "Auto",
    "Below",
    "Bot",
    "Charter",
    "Chooser",
    "Code",
    "Counted",
    "Decision",
    "Dice",
    "Draw",
    "Field",
    "Filed",
    "Foresight",
    "Form",
    "Game",
    "Group",
    "Held",
    "Lapsed",
    "Mark",
    "Menu",
    "Option",
    "OptionSet",
    "Outcome",
    "Part",
    "Picture",
    "Place",
    "Point",
    "Position",
    "Rect",
    "Refusal",
    "Refused",
    "Result",
    "Say",
    "Shade",
    "Source",
    "Step",
    "Stream",
    "Stroke",
    "Table",
    "Text",
    "Tried",
    "Unseen",
    "admits",
    "bots_of",
    "break_lines",
    "decode",
    "encode",
    "every",
    "file_standing",
    "fill",
    "find",
    "find_bot",
    "foresee",
    "listing",
    "misfit_args",
    "misfit_problem",
    "plain",
    "play",
    "plural",
    "quote",
    "random_order",
    "random_turn",
    "read_order",
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
