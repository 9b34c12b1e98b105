"""The sentences of letters: subjects, heads, how to answer, how to check. Nothing here knows a position.

A letter's game part is the game's own report; these are the words around it, the same for every game.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine import Say, break_lines, newest, say, words

WIDTH = 72
PAGE = "desk.html"
"""The page that comes with an invitation."""


def paragraph(sentence: Say, lang: str, indent: str = "") -> str:
    """A sentence wrapped to the width of a letter."""
    return _wrapped(sentence, lang, indent, indent)


def _wrapped(sentence: Say, lang: str, first: str, rest: str) -> str:
    if sentence.args:
        return "\n".join(break_lines(words(sentence, lang), WIDTH, first, rest))
    # a sentence that is the same in every letter is wrapped once; there are as many as there are message ids
    place = sentence.id, lang, first, rest
    known = _WRAPPED.get(place)
    if known is None:
        known = _WRAPPED[place] = "\n".join(break_lines(words(sentence, lang), WIDTH, first, rest))
    return known


_WRAPPED: dict[tuple[str, str, str, str], str] = {}


def heading(sentence: Say, lang: str) -> str:
    """A heading, underlined."""
    text = words(sentence, lang)
    return f"{text}\n{'-' * len(text)}"


def letter_text(parts: Sequence[str]) -> str:
    """Parts of a letter, one blank line between them; empty ones left out."""
    return "\n\n".join(part.strip("\n") for part in parts if part.strip()) + "\n"


def hex_groups(digest: str, indent: str = "  ") -> str:
    """A digest in groups of four hex digits, eight groups a line, to be read aloud or compared by eye."""
    groups = [digest[i : i + 4] for i in range(0, len(digest), 4)]
    return "\n".join(indent + " ".join(groups[i : i + 8]) for i in range(0, len(groups), 8))


# Subjects: short, and the game's id first.
def your_move(game: str, turn: int) -> Say:
    """The subject of a letter that asks for a move."""
    return say("[pbem {game}] turn {turn}: your move", game=game, turn=turn)


def your_answer(game: str, turn: int) -> Say:
    """The subject of a letter that asks for an answer in somebody else's turn."""
    return say("[pbem {game}] turn {turn}: your answer is needed", game=game, turn=turn)


def subject_of(what: str, game: str, turn: int, who: str) -> Say:
    """The subject of news of something that happened; `who` is the seat, as everywhere in the files."""
    match what:
        case "join":
            return say("[pbem {game}] {who} is in", game=game, who=who)
        case "ready":
            return say("[pbem {game}] {who} is ready", game=game, who=who)
        case "start":
            return say("[pbem {game}] the game begins", game=game)
        case "timeout":
            return say("[pbem {game}] turn {turn}: {who} ran out of time", game=game, turn=turn, who=who)
        case "resign":
            return say("[pbem {game}] turn {turn}: {who} has resigned", game=game, turn=turn, who=who)
        case "time":
            return say("[pbem {game}] turn {turn}: deadlines", game=game, turn=turn)
        case "undone":
            return say("[pbem {game}] turn {turn}: all have gone back", game=game, turn=turn)
        case "standing":
            return say("[pbem {game}] standing orders of {who} recorded", game=game, who=who)
        case _:
            return say("[pbem {game}] turn {turn}: {who} has moved", game=game, turn=turn, who=who)


def receipt_of(what: str, record: int) -> Say:
    """What a player is told of his own envelope."""
    match what:
        case "join":
            return say("Your seat is yours: record {record} of the log says so.", record=record)
        case "ready":
            return say("You have confirmed: record {record} of the log.", record=record)
        case "start":
            return say("You were the last to confirm, and the game has begun.")
        case "sealed":
            return say(
                "Your move is in: record {record} of the log. It stays sealed until the others are in too.",
                record=record,
            )
        case "resign":
            return say("You have left the game: record {record} of the log.", record=record)
        case "time":
            return say("Your word is record {record} of the log.", record=record)
        case "standing":
            return say(
                "Your standing orders are recorded as record {record} of the log. They count from the next"
                " turn that opens.",
                record=record,
            )
        case _:
            return say("Your move is in: record {record} of the log.", record=record)


def news_of(what: str, who: Say, turn: int) -> Say:
    """What the others are told."""
    match what:
        case "join":
            return say("{who} has taken a seat.", who=who)
        case "ready":
            return say("{who} has confirmed.", who=who)
        case "start":
            return say("Everybody has confirmed. The game begins.")
        case "timeout":
            return say(
                "{who} ran out of time in turn {turn}; the safe default was played.", who=who, turn=turn
            )
        case "resign":
            return say("{who} has left the game.", who=who)
        case "time":
            return say("This is about the deadlines of the game; nobody has moved.")
        case _:
            return say("{who} has moved in turn {turn}.", who=who, turn=turn)


def silent_of(turn: int, by: str | None = None) -> Say:
    """What a player is told whose time ran out; `by` is who played for him."""
    match by:
        case "bot":
            return say("Your time ran out in turn {turn}; a bot has played for you.", turn=turn)
        case "skip":
            return say("Your time ran out in turn {turn}; you were skipped.", turn=turn)
        case _:
            return say("Your time ran out in turn {turn}; the safe default was played for you.", turn=turn)


def silence_of(who: Say, turn: int, by: str | None) -> Say:
    """What the others are told of it."""
    match by:
        case "bot":
            return say("{who} ran out of time in turn {turn}; a bot has played instead.", who=who, turn=turn)
        case "skip":
            return say("{who} ran out of time in turn {turn} and was skipped.", who=who, turn=turn)
        case _:
            return news_of("timeout", who, turn)


def how_to_move(view: str, move: str, address: str, lang: str) -> str:
    """Three lines: fill in, look, answer."""
    steps = (
        say("1. Save the file {view}.", view=view),
        say("2. Type `pbem fill` and its name. It asks for your orders and signs them."),
        say("3. Mail the answer that it writes to"),
    )
    by_hand = say("By hand: fill in {move}, then type `pbem sign` and its name.", move=move)
    asked = _steps(say("How to answer"), steps, address, lang)
    return "\n".join((asked, paragraph(by_hand, lang), in_a_browser(lang)))


def how_to_answer_reminder(view: str, address: str, lang: str) -> str:
    """The same for a reminder, which brings the view alone."""
    steps = (
        say("1. Save the file {view}.", view=view),
        say("2. Type `pbem fill` and its name. It asks for your orders and signs them."),
        say("3. Mail the answer that it writes to"),
    )
    return _steps(say("How to answer"), steps, address, lang) + "\n" + in_a_browser(lang)


def how_to_confirm(view: str, address: str, lang: str, game: str = "", choices: tuple[str, ...] = ()) -> str:
    """Please confirm: one command, one mail; `choices` are the names of what the ruleset `game` lets a player choose."""
    steps = (
        say("1. Save the file {view}.", view=view),
        say("2. Type `pbem ready` and its name."),
        say("3. Mail the answer that it writes to"),
    )
    asked = _steps(say("Please confirm"), steps, address, lang) + "\n" + in_a_browser(lang)
    if not choices:
        return asked
    more = say(
        "If this game takes them, choices of your own go with it: {names}. Write them into a file, as"
        " `pbem ready VIEW --setup FILE`; the page docs/{game}.md says what may stand in it.",
        game=game,
        names=tuple(say("{name}", name=name) for name in choices),
    )
    return f"{asked}\n{paragraph(more, lang)}"


def how_to_join(invitation: str, address: str, lang: str) -> str:
    """An invitation taken up: in a browser with the page that is attached, or by a command; then one mail."""
    in_browser = (
        say("1. Save this mail as a file, and the attached page {page} beside it.", page=PAGE),
        say(
            "2. Open {page} in your browser. It needs no network, and what you give to it stays with you. Drop the saved"
            " mail on it, or the attached file {invitation}.",
            page=PAGE,
            invitation=invitation,
        ),
        say("3. Make a key there, join, and mail the answer to"),
    )
    steps = (
        say("1. Save the attached file {invitation}.", invitation=invitation),
        say("2. Type `pbem join` and its name. It makes you a key if you have none."),
        say("3. Mail the answer that it writes to"),
    )
    browser = _steps(say("How to join, in your browser"), in_browser, address, lang)
    return browser + "\n\n" + _steps(say("How to join, with the program pbem"), steps, address, lang)


def in_a_browser(lang: str) -> str:
    """A reminder in every letter that asks for an answer: the page of the invitation answers it too."""
    return paragraph(
        say(
            "Or in your browser: open {page}, which came with your invitation, and drop this mail on it.",
            page=PAGE,
        ),
        lang,
    )


def _steps(title: Say, steps: Sequence[Say], address: str, lang: str) -> str:
    """Numbered steps under a heading; the address has a line of its own, so that it can be copied whole."""
    lines = [_wrapped(step, lang, "", "   ") for step in steps]
    return "\n".join([heading(title, lang), *lines, f"     {address}"])


@newest  # mostly the same for all readers of a turn
def how_to_check(head: str, record: int, log: str, lang: str) -> str:
    """The foot: the head of the log, and how rolls are checked."""
    sentences = (
        say("Everybody's log must end alike. After record {record} its head is", record=record),
        say(
            "{log} holds the lines that are new to you. Add them to your copy and type"
            " `pbem verify` with its name: it checks every signature, and every roll of every turn"
            " that has closed.",
            log=log,
        ),
    )
    return "\n".join(
        [
            heading(say("How to check"), lang),
            paragraph(sentences[0], lang),
            hex_groups(head),
            paragraph(sentences[1], lang),
        ]
    )
