"""The pages of the library: lists, search, rulesets, players, problems and feeds, from a catalogue.

Decides which page says what. Gives each as a name and bytes, one after the other. Names of files never hold a
stranger's words. Without a script everything can be read; only the search needs one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import msgspec
from markupsafe import Markup

from pbem import __version__
from pbem.lab.balance import Balance, decimal
from pbem.lab.counting import Word
from pbem.lab.figures import Spread, spread, wilson
from pbem.log.canonical import digest
from pbem.site.bundle import bundle
from pbem.site.catalogue import Catalogue, Entry, Ruleset
from pbem.site.library_words import labels, put
from pbem.site.page import as_data, policy, read_file, templates
from pbem.site.summary import PAGELESS, UNREADABLE

PAGE = 200
NEWEST = 50
MOST_WORDS = 80


class Frame(msgspec.Struct, frozen=True):
    """How pages are written: language, whether games have pages of their own, where the site will stand."""

    lang: str = "en"
    pages: bool = True
    base_url: str = ""


class Tally(msgspec.Struct, frozen=True):
    """A ruleset with one number of players, ready to be shown."""

    players: int
    balance: Balance
    length: Spread
    chance: str
    edge: str


def shelves(catalogue: Catalogue, frame: Frame) -> Iterator[tuple[str, bytes]]:
    """Every page but the games' own."""
    newest = [catalogue.entries[i] for i in catalogue.newest()]
    rulesets = [catalogue.rulesets[name] for name in sorted(catalogue.rulesets)]
    write = partial(_page, frame)
    yield write(
        "index.html",
        "index.html",
        {
            "catalogue": catalogue,
            "entries": newest[:NEWEST],
            "rulesets": rulesets,
            "players": _players(catalogue),
        },
    )
    yield "feed.xml", _feed(frame, "", newest[:NEWEST], "")
    yield _search(frame, newest)
    pieces = list(batched_list(newest, PAGE)) or [[]]
    for number, entries in enumerate(pieces, 1):
        context = {"entries": entries, "number": number, "count": len(pieces)}
        yield write(f"list/{number}.html", "list.html", context)
    for ruleset in rulesets:
        yield from _ruleset(frame, ruleset, [one for one in newest if one.ruleset == ruleset.id][:NEWEST])
    for name, numbers in sorted(catalogue.players.items()):
        yield from _player(
            frame, name, sorted((catalogue.entries[i] for i in numbers), key=_age, reverse=True)
        )
    yield write("players.html", "players.html", {"players": _players(catalogue)})
    yield write(
        "problems.html",
        "problems.html",
        {"problems": catalogue.problems, "unreadable": UNREADABLE, "pageless": PAGELESS},
    )


def slug(name: str) -> str:
    """A file name for anybody's words."""
    return digest(name.encode("utf-8", "surrogatepass"))[:16]


def batched_list(entries: Sequence[Entry], size: int) -> Iterator[list[Entry]]:
    """Lists of at most so many."""
    for start in range(0, len(entries), size):
        yield list(entries[start : start + size])


def _age(entry: Entry) -> tuple[str, str]:
    return entry.at, entry.page


def _players(catalogue: Catalogue) -> list[tuple[str, int]]:
    """Names and numbers of games, most games first."""
    counts = [(name, len(numbers)) for name, numbers in catalogue.players.items()]
    return sorted(counts, key=lambda one: (-one[1], one[0]))


def _page(frame: Frame, name: str, template: str, context: dict[str, Any]) -> tuple[str, bytes]:
    style = read_file("css", "library.css")
    script = context.pop("script", "")
    text = (
        templates()
        .get_template(template)
        .render(
            **context,
            frame=frame,
            root="../" * name.count("/"),
            words=labels(frame.lang),
            put=partial(put, lang=frame.lang),
            slug=slug,
            decimal=decimal,
            version=__version__,
            style=Markup(style),  # noqa: S704 - ours
            script=Markup(script),  # noqa: S704 - ours
            policy=policy(style, script),
        )
    )
    return name, text.encode("utf-8")


def _search(frame: Frame, entries: Sequence[Entry]) -> tuple[str, bytes]:
    table = [
        (
            one.page,
            one.at,
            one.title,
            one.ruleset,
            one.game,
            one.players,
            one.winners,
            one.turns,
            one.state,
            one.how,
        )
        for one in entries
    ]
    shown = labels(frame.lang)
    said = {key: shown[key] for key in ("finished", "cancelled", "unfinished", "found")}
    context = {
        "script": "\n" + bundle("search"),
        "table": as_data({"games": table, "words": said, "pages": frame.pages}),
        "rulesets": sorted({one.ruleset for one in entries}),
        "hows": sorted({one.how for one in entries if one.how}),
    }
    return _page(frame, "search.html", "search.html", context)


def _ruleset(frame: Frame, ruleset: Ruleset, newest: Sequence[Entry]) -> Iterator[tuple[str, bytes]]:
    name, total = slug(ruleset.id), ruleset.total
    tallies = [_tally(players, ruleset.balances[players]) for players in sorted(ruleset.balances)]
    most = sorted(total.times, key=lambda word: (-total.times[word], word))[:MOST_WORDS]
    did = sorted(
        (word for word in total.did if word[1] not in ("", "seat")), key=lambda word: (-total.did[word], word)
    )[:MOST_WORDS]
    context = {
        "ruleset": ruleset,
        "tallies": tallies,
        "events": [
            (word, total.times[word], wilson(total.occurs[word], total.games)) for word in sorted(most)
        ],
        "uses": [(word, *_use(total, word)) for word in sorted(did)],
        "rolls": ruleset.rolls(),
        "entries": newest,
    }
    yield _page(frame, f"rulesets/{name}.html", "ruleset.html", context)
    yield f"rulesets/{name}.xml", _feed(frame, ruleset.title, newest, "../")


def _use(total: Balance, word: Word) -> tuple[int, Any]:
    return total.did[word], wilson(total.did_and_won[word], total.did[word])


def _tally(players: int, balance: Balance) -> Tally:
    chance = 1 / players
    first = wilson(balance.won["order"]["1"], balance.played["order"]["1"])
    return Tally(players, balance, spread(balance.turns), decimal(chance), f"{first.rate - chance:+.4f}")


def _player(frame: Frame, name: str, entries: Sequence[Entry]) -> Iterator[tuple[str, bytes]]:
    won = sum(name in entry.winners for entry in entries)
    finished = sum(entry.state == "finished" for entry in entries)
    context = {"name": name, "entries": entries, "share": wilson(won, finished)}
    yield _page(frame, f"players/{slug(name)}.html", "player.html", context)
    yield f"players/{slug(name)}.xml", _feed(frame, name, entries[:NEWEST], "../")


def _feed(frame: Frame, name: str, entries: Sequence[Entry], root: str) -> bytes:
    text = (
        templates()
        .get_template("feed.xml")
        .render(
            words=labels(frame.lang),
            put=partial(put, lang=frame.lang),
            frame=frame,
            name=name,
            id=slug(f"feed/{name}"),
            entries=entries,
            root=frame.base_url or root,
            updated=entries[0].at if entries else "1970-01-01T00:00:00Z",
        )
    )
    return text.encode("utf-8")
