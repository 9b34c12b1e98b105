"""The board as a map and as a table by sector, and the players: what everybody can see.

Made from a View alone. On the map a zone is three letters, its holder's letter and the robots there, with `r` or `v`
where the holder's leader stands in robot or vehicle form; a closed spinner is in brackets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from engine.games.cybertron.board import Atlas, Factory, Zone
from engine.games.cybertron.orders import Form
from engine.games.cybertron.report_chart import Link, Spot, chart
from engine.games.cybertron.report_names import (
    FORM_LETTERS,
    FORMS,
    LETTERS,
    TEAMS,
    codes,
    seat,
    sector,
    series,
    title,
    upgrade,
    zone,
    zone_called,
)
from engine.games.cybertron.standing import ALLIED
from engine.games.cybertron.state import DAYS
from engine.games.cybertron.view import View, ZoneView
from engine.kernel.newest import newest
from engine.kernel.prose import Say, plural, say, words
from engine.kernel.report import WIDTH, heading, pairs, paragraph, table

_ROWS = 34
_MARK_TURN = ">"
_MARK_NEW = "!"


def pieces(view: View, name: str) -> int:
    """Robots in a zone, and the leader if he stands there (FI p.6)."""
    return view.zones[name].robots + has_leader(view, name)


def has_leader(view: View, name: str) -> bool:
    """Whether the holder's leader stands in a zone."""
    holder = view.zones[name].seat
    return bool(holder) and view.seats[holder].leader == name


def board(view: View, fresh: frozenset[str], lang: str) -> str:
    """The map and the table. `fresh`: zones that have changed hands since the last report."""
    when = say("set-up") if not view.day else say("day {day} of {days}", day=view.day, days=DAYS)
    if view.ended:
        when = say("after the war")
    shown = _map(view.atlas, view.opened, view.zones, _stands(view), lang)
    parts = [heading(words(say("Cybertron"), lang), words(when, lang)), shown, ""]
    parts.append(_legend_called(view.atlas, view.opened, view.order, lang))
    parts += ["", heading(words(say("The zones"), lang), _marks(fresh, lang)), _sectors(view, fresh, lang)]
    return "\n".join(parts)


Stands = tuple[tuple[str, str, Form], ...]
"""For each seat whose leader is on the board: the seat, where he stands, in which form."""


def _stands(view: View) -> Stands:
    return tuple((name, one.leader, one.form) for name, one in view.seats.items() if one.leader)


@newest  # the letters of a turn show one map
def _map(
    atlas: Atlas, opened: tuple[str, ...], zones: Mapping[str, ZoneView], stands: Stands, lang: str
) -> str:
    short, told = codes(atlas), _holdings(zones, stands, lang)
    shut = {spinner.zone for spinner in atlas.board.spinners if spinner.zone not in opened}
    spots: list[Spot] = []
    places: tuple[Zone | Factory, ...] = (*atlas.board.zones, *atlas.board.factories)
    for one in places:
        if one.id in zones:
            label = f"{short[one.id]} {told[one.id]}"
            spots.append(Spot(one.id, one.x, one.y, f"[{label}]" if one.id in shut else label))
    factories = tuple(one.id for one in atlas.board.factories if one.id in zones)
    return chart(spots, _links(atlas, opened, factories), WIDTH, _ROWS)


@lru_cache(maxsize=64)
def _links(atlas: Atlas, opened: tuple[str, ...], factories: tuple[str, ...]) -> tuple[Link, ...]:
    links = [
        Link(edge.a, edge.b, edge.type == "hyperlink")
        for edge in atlas.board.edges
        if not edge.wraps_board_edge and (not edge.gate or edge.gate in opened)
    ]
    return (*links, *(Link(one.slider, one.id) for one in atlas.board.factories if one.id in factories))


@newest  # they stand on the map and in the table
def _holdings(zones: Mapping[str, ZoneView], stands: Stands, lang: str) -> Mapping[str, str]:
    """What `holding` says of each zone, in words."""
    leaders = {(name, where): form for name, where, form in stands}
    return {
        name: _holding_called(here.seat, here.robots, leaders.get((here.seat, name)), lang)
        for name, here in zones.items()
    }


@lru_cache(maxsize=1024)
def _holding_called(owner: str, robots: int, form: Form | None, lang: str) -> str:
    return words(holding_of(owner, robots, form), lang)


def holding(view: View, name: str) -> Say:
    """`M12r`: the holder's letter, his robots, his leader."""
    here = view.zones[name]
    return holding_of(here.seat, here.robots, view.seats[here.seat].form if has_leader(view, name) else None)


def holding_of(owner: str, robots: int, form: Form | None) -> Say:
    """The same of a zone's holder, his robots, and his leader's form if he stands there."""
    if not owner:
        return say("-")
    if form is not None:
        return say("{letter}{n}{form}", letter=LETTERS[owner], n=robots, form=FORM_LETTERS[form])
    return say("{letter}{n}", letter=LETTERS[owner], n=robots)


@lru_cache(maxsize=64)
def _legend_called(atlas: Atlas, opened: tuple[str, ...], order: tuple[str, ...], lang: str) -> str:
    return "\n".join([paragraph(words(one, lang)) for one in _legend(atlas, opened, order)])


def _legend(atlas: Atlas, opened: tuple[str, ...], order: tuple[str, ...]) -> Iterator[Say]:
    holders = tuple(say("{letter} {seat}", letter=LETTERS[name], seat=seat(name)) for name in order)
    yield say(
        "{holders}, with the robots there; r, v the leader as robot or vehicle.", holders=series(holders)
    )
    closed = [one.zone for one in atlas.board.spinners if one.zone not in opened]
    if closed:
        shut = tuple(zone(atlas, name) for name in closed)
        yield plural(
            "In brackets a closed spinner: {zones}.",
            "In brackets closed spinners: {zones}.",
            len(closed),
            zones=shut,
        )
    around = [edge for edge in atlas.board.edges if edge.wraps_board_edge]
    if around:
        ways = tuple(
            say("{one}\u00a0-\u00a0{other}", one=zone(atlas, edge.a), other=zone(atlas, edge.b))
            for edge in around
        )
        yield say("Dots are hyperlinks; around the edge: {ways}.", ways=series(ways))
    yield from _factories(atlas, opened)


def _factories(atlas: Atlas, opened: tuple[str, ...]) -> Iterator[Say]:
    shut = [one for one in atlas.board.factories if one.slider not in opened]
    if shut:
        under = tuple(zone(atlas, one.slider) for one in shut)
        yield plural(
            "A secret war factory lies closed beneath {zones}.",
            "Secret war factories lie closed beneath {zones}.",
            len(shut),
            zones=under,
        )


def _marks(fresh: frozenset[str], lang: str) -> str:
    return words(say("! has changed hands"), lang) if fresh else ""


def _sectors(view: View, fresh: frozenset[str], lang: str) -> str:
    return _table(view.atlas, fresh, view.zones, (_stands(view), view.order), lang)


@newest  # for readers to whom the same is new, it is one table
def _table(
    atlas: Atlas,
    fresh: frozenset[str],
    zones: Mapping[str, ZoneView],
    seats: tuple[Stands, tuple[str, ...]],
    lang: str,
) -> str:
    stands, order = seats
    short, told = codes(atlas), _holdings(zones, stands, lang)
    names = [name for name in atlas.ids if name in zones]
    called = {name: zone_called(atlas, name, lang) for name in names}
    widest = min(max(map(len, called.values())), 23)
    cells = {name: _cell((short[name], called[name], widest, name in fresh), told[name]) for name in names}
    across = max(1, WIDTH // (max(map(len, cells.values())) + 2))
    lines: list[str] = []
    for one in atlas.board.sectors:
        own = [cells[atlas.ids[place]] for place in atlas.sectors[one.id] if atlas.ids[place] in cells]
        counts = _counted(atlas, zones, order, one.id)
        lines.append(_sector_called(atlas, one.id, tuple(counts.items()), lang))
        lines += _columns(own, across)
    return "\n".join(lines)


def _columns(cells: Sequence[str], across: int) -> Iterator[str]:
    wide = max(map(len, cells), default=0)
    down = -(-len(cells) // across)
    for row in range(down):
        yield ("  " + "  ".join(f"{cell:<{wide}}" for cell in cells[row::down])).rstrip()


def _cell(look: tuple[str, str, int, bool], holding: str) -> str:
    code, called, wide, is_new = look
    if len(called) > wide:
        called = f"{called[: wide - 2]}.."
    return f"{_MARK_NEW if is_new else ' '}{code} {called:<{wide}} {holding:<5}"


@lru_cache(maxsize=1024)
def _sector_called(atlas: Atlas, name: str, counts: tuple[tuple[str, int], ...], lang: str) -> str:
    return paragraph(words(_sector(atlas, name, dict(counts)), lang))


def _sector(atlas: Atlas, name: str, counts: Mapping[str, int]) -> Say:
    """A sector: what holding it whole gives, and how many zones each seat holds."""
    one = next(one for one in atlas.board.sectors if one.id == name)
    head = say("{sector} +{bonus}", sector=sector(atlas, name), bonus=one.bonus)
    if len(counts) == 1:
        (owner,) = counts
        return say("{sector}: held whole by {seat}", sector=head, seat=seat(owner)) if owner else head
    parts = (say("{seat} {n}", seat=seat(owner), n=n) for owner, n in counts.items() if owner)
    return say("{sector}: {holders}", sector=head, holders=series(parts)) if counts else head


def holders(view: View, name: str) -> Mapping[str, int]:
    """How many zones of a sector each seat holds, most first; an open factory is one (FI p.7)."""
    return _counted(view.atlas, view.zones, view.order, name)


def _counted(
    atlas: Atlas, zones: Mapping[str, ZoneView], order: tuple[str, ...], name: str
) -> Mapping[str, int]:
    own = [zones[atlas.ids[at]].seat for at in atlas.sectors[name] if atlas.ids[at] in zones]
    counts = {owner: own.count(owner) for owner in ("", *order) if owner in own}
    return dict(sorted(counts.items(), key=lambda item: -item[1]))


def players(view: View, lang: str) -> str:
    """The players in turn order, with what everybody knows of them; at the end their places."""
    if view.ended:
        return _places(view, lang)
    head = (say("zones"), say("robots"), say("cards"), say("next income"))
    rows = [["", "", *(words(one, lang) for one in head), ""]]
    rows += [[_MARK_TURN if name == view.seat else "", *_player(view, name, lang)] for name in view.order]
    aside = words(say("> whose turn it is"), lang)
    parts = [heading(words(say("The players"), lang), aside), table(rows, "<<>>>><"), ""]
    leaders = [_leader(view, name) for name in view.order if not view.seats[name].out]
    parts.append(paragraph(words(say("Leaders: {leaders}.", leaders=series(leaders)), lang)))
    parts.append(paragraph(" ".join(words(one, lang) for one in _state_of_the_war(view))))
    return "\n".join(parts)


def _player(view: View, name: str, lang: str) -> list[str]:
    known = view.seats[name]
    called = words(title(name, view.me), lang)
    figures = [str(known.zones), str(known.robots)]
    if known.out:
        return [called, *figures, "-", "-", words(say("out of the game"), lang)]
    if known.resigned:
        return [called, *figures, "-", "-", words(say("resigned"), lang)]
    return [called, *figures, str(known.hand), str(known.income.total), ""]


def _leader(view: View, name: str) -> Say:
    """Where a leader is: `Megatron in Primus (robot)`."""
    known = view.seats[name]
    if not known.leader:
        return say("{seat} in the scrapheap", seat=seat(name))
    where = zone(view.atlas, known.leader)
    return say("{seat} in {zone} ({form})", seat=seat(name), zone=where, form=FORMS[known.form])


def sides(view: View) -> Mapping[str, tuple[str, ...]]:
    """With four players the two teams by faction (FI p.4); else nothing."""
    if len(view.order) != ALLIED:
        return {}
    leaders = view.atlas.leaders
    return {
        faction: tuple(name for name in view.order if leaders[name].faction == faction) for faction in TEAMS
    }


def mates(view: View, name: str) -> tuple[str, ...]:
    """The seats that a seat may not attack: itself, and its team-mate."""
    return next((team for team in sides(view).values() if name in team), (name,))


def _state_of_the_war(view: View) -> Iterator[Say]:
    teams = sides(view)
    if teams:
        counted = tuple(
            say("{team} {n}", team=TEAMS[faction], n=sum(view.seats[name].zones for name in team))
            for faction, team in teams.items()
        )
        yield say("Zones by team: {teams}.", teams=series(counted))
    pad = view.zones[view.atlas.board.launch_pad].seat
    if pad:
        where = zone(view.atlas, view.atlas.board.launch_pad)
        if pad == view.me:
            yield say("You hold the {zone}, which decides a tie.", zone=where)
        else:
            yield say("{seat} holds the {zone}, which decides a tie.", seat=seat(pad), zone=where)
    pile = plural("{n} card in the pile", "{n} cards in the pile", view.pile)
    if view.discards:
        yield plural(
            "{pile}, {n} discard ({card}).",
            "{pile}, {n} discards ({card} on top).",
            len(view.discards),
            pile=pile,
            card=upgrade(view, view.discards[-1]),
        )
    else:
        yield say("{pile}, no discards.", pile=pile)


def _places(view: View, lang: str) -> str:
    """The final table."""
    ranked = sorted(view.order, key=lambda name: view.seats[name].place)
    rows: list[tuple[str, str]] = []
    for name in ranked:
        known = view.seats[name]
        told = plural("{seat}, {n} zone", "{seat}, {n} zones", known.score, seat=title(name, view.me))
        rows.append((f"{known.place}.", words(told, lang)))
    winners = tuple(seat(name) for name in ranked if view.seats[name].place == 1)
    won = plural("{winners} wins.", "{winners} win.", len(winners), winners=winners)
    return "\n".join([heading(words(say("The result"), lang)), pairs(rows), "", words(won, lang)])
