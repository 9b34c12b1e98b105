"""What stands on the pages of the library beside the games' own words."""

from __future__ import annotations

from engine import Say, say, words

LABELS: dict[str, Say] = {
    "library": say("The library"),
    "newest": say("Newest games"),
    "all": say("All games"),
    "search": say("Search"),
    "rulesets": say("Rulesets"),
    "players": say("Players"),
    "player": say("Player"),
    "problems": say("Problems"),
    "feed": say("Feed"),
    "parts": say("Parts of the library"),
    "skip": say("To the content"),
    "date": say("Date"),
    "game": say("Game"),
    "ruleset": say("Ruleset"),
    "result": say("Result"),
    "winner": say("Winner"),
    "turns": say("Turns"),
    "games": say("Games"),
    "wins": say("Wins"),
    "rate": say("Rate"),
    "interval": say("95 percent interval"),
    "score": say("Mean score"),
    "seat": say("Seat"),
    "place": say("Place in the turn order"),
    "length": say("Length"),
    "finished": say("finished"),
    "cancelled": say("cancelled"),
    "unfinished": say("not finished"),
    "file": say("File"),
    "line": say("Line"),
    "fault": say("Fault"),
    "double": say("another archive of a game that is listed"),
    "unreadable": say("could not be read"),
    "no_problems": say("None: every archive is listed."),
    "no_games": say("There are no games here yet."),
    "page": say("Page"),
    "from": say("from"),
    "to": say("to"),
    "any": say("any"),
    "text": say("Player or game"),
    "seats": say("Number of players"),
    "filter": say("Choose games"),
    "more": say("Show more"),
    "needs_script": say(
        "Choosing needs a script, which this browser does not run. All games are listed under"
    ),
    "by_seat": say("Wins by seat"),
    "by_order": say("Wins by place in the turn order"),
    "chance": say("An even chance would be {rate}.", rate="{rate}"),
    "edge": say("Edge of the first to move: {edge}.", edge="{edge}"),
    "shared": say("A first place that is shared counts as a win of each who shares it."),
    "counts": say("What happened, in public events"),
    "with": say("Games with it"),
    "times": say("Times"),
    "event": say("Event"),
    "field": say("Field"),
    "word": say("Word"),
    "did": say("Seats that did it"),
    "won": say("Won"),
    "use": say("Wins of those who did it"),
    "rolls": say("Rolls"),
    "kind": say("Kind"),
    "dice": say("dice with {size} sides", size="{size}"),
    "shuffle": say("top of {size} shuffled", size="{size}"),
    "drawn": say("Drawn"),
    "spread": say("How often each came"),
    "chi": say("Chi-square"),
    "p": say("p"),
    "p_note": say(
        "p is the chance that fair rolls look at least as uneven. Over many tables some small p are to be expected."
    ),
    "length_text": say(
        "Games: {count}. Turns: from {least} to {most}, {mean} on average, in half of the games up to {median}.",
        count="{count}",
        least="{least}",
        most="{most}",
        mean="{mean}",
        median="{median}",
    ),
    "with_players": say("With {count} players", count="{count}"),
    "summary": say(
        "Archives: {files}. Games: {games}. Problems: {problems}.",
        files="{files}",
        games="{games}",
        problems="{problems}",
    ),
    "found": say("games: {count}", count="{count}"),
    "won_by": say("Won by {names}.", names="{names}"),
    "played_by": say("Played by {names}.", names="{names}"),
    "made": say("Made by pbem {version} from archives that anyone can verify.", version="{version}"),
    "games_of": say("Games of {name}", name="{name}"),
    "names_note": say("Players are told apart by their display names, which anybody may choose."),
}
"""Sentences with open places are filled where they stand, by `put`."""


def labels(lang: str) -> dict[str, str]:
    """All of them in one language."""
    return {key: words(sentence, lang) for key, sentence in LABELS.items()}


def put(key: str, *, lang: str, **args: str | int) -> str:
    """A sentence with its places filled."""
    return words(LABELS[key].of(**args), lang)
