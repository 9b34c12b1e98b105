"""Turns of cybertron that chance seldom writes: ends, live setups, and battles whose dice lie."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from tests.contract.shapes import as_list, as_object
from tests.pages.moment import END, Json, Moment

PHASES = ("muster", "morph", "attack", "back_up")
OPTIMUS, MEGATRON, BUMBLEBEE, BARRICADE = "optimus_prime", "megatron", "bumblebee", "barricade"


def _mine(position: Json, *orders: Json, seats: tuple[str, ...] = (OPTIMUS, MEGATRON)) -> Moment:
    return Moment(seats, position, orders, OPTIMUS)


def _war(phase: str, player: Json | None = None, **more: Any) -> Json:
    agenda = [{"task": word, "seat": OPTIMUS} for word in PHASES[PHASES.index(phase) :]]
    zones = {"hexima": 5, "autobase": 3, "decagon": 2}
    held = {zone: {"seat": OPTIMUS, "robots": robots} for zone, robots in zones.items()}
    given = {} if phase == "muster" else {"agenda": agenda}
    zones_of_others = more.pop("zones", {})
    start = {"seat": OPTIMUS, "zones": held | zones_of_others, "rest": MEGATRON}
    return {**start, "players": {OPTIMUS: player or {}}, **given, **more}


def cybertron() -> Iterator[Moment]:
    hand = ["card_vos", "card_arena", "card_hexima", "card_iacon", "card_kaon", "card_autobase", "card_kalis"]
    # FI p.8-9, p.14, p.16: a whole turn without an attack
    yield _mine(
        _war("muster", {"hand": hand, "leader": "hexima"}, zones={"launch_pad": {"seat": OPTIMUS}}),
        {"do": "place", "zone": "hexima", "robots": 1},
        {"do": "place", "zone": "decagon"},
        {"do": "flip_leader"},
        {"do": "jump", "to": "decagon"},
        {"do": "back_up", "from": "hexima", "to": "decagon", "robots": 1},
        END,
    )
    # FI p.8: a card brings the leader back, in the form that is not said; he goes with the back-up
    yield _mine(
        _war("muster", {"hand": ["card_helex"]}, zones={"launch_pad": {"seat": OPTIMUS}}),
        {"do": "play_card", "card": "card_helex", "zone": "hexima"},
        {"do": "place", "zone": "hexima"},
        {"do": "back_up", "from": "hexima", "to": "launch_pad", "robots": 2, "leader": True},
        END,
    )
    # FI p.9: a slider opened and closed again over one's own robot
    yield _mine(
        _war("morph", {"hand": hand}),
        {"do": "morph", "card": "card_vos", "zone": "decagon"},
        {"do": "morph", "card": "card_arena", "zone": "decagon"},
        END,
    )
    # FI p.9, p.13: a factory closed over an enemy's last robot
    over: Json = {"opened": ["decagon"], "rest": OPTIMUS, "zones": {"decagon_factory": {"seat": MEGATRON}}}
    yield _mine(_war("morph", {"hand": hand}, **over), {"do": "morph", "card": "card_vos", "zone": "decagon"})
    yield from _ends()
    yield from _live()
    yield from _battles()


def _ends() -> Iterator[Moment]:
    # FI p.17-18: a card drawn that nobody has seen; the end of a day by an empty pile; the sixth day
    yield _mine(_war("attack", captured=["hexima"]), END)
    night: Json = {"order": [MEGATRON, OPTIMUS], "discards": ["rest"]}
    yield _mine(_war("attack", **night), END)
    yield _mine(_war("attack", day=6, **night), END)
    yield _mine(_war("attack", day=6, order=[MEGATRON, OPTIMUS]), END)
    three = (OPTIMUS, MEGATRON, BUMBLEBEE)
    third: Json = {"kalis": {"seat": BUMBLEBEE}}
    final: Json = {**night, "order": [MEGATRON, BUMBLEBEE, OPTIMUS], "day": 6, "zones": third}
    yield _mine(_war("attack", **final), END, seats=three)
    # FI p.18: equal zones, where the Launch Pad decides, and where nobody holds it who still plays
    even: Json = {**night, "day": 6, "seat": OPTIMUS, "agenda": [{"task": "back_up", "seat": OPTIMUS}]}
    yield _mine(even, END)
    gone: Json = {"players": {BUMBLEBEE: {"resigned": True}}}
    for order in (
        [MEGATRON, OPTIMUS, BUMBLEBEE],
        [BUMBLEBEE, MEGATRON, OPTIMUS],
        [MEGATRON, BUMBLEBEE, OPTIMUS],
    ):
        yield _mine({**even, **gone, "order": order}, END, seats=three)
    # section 7.1: who has left gives his cards back when the turn ends
    left = {"players": {MEGATRON: {"resigned": True, "hand": ["card_vos", "card_kaon"]}}}
    yield _mine(_war("attack", zones=third, **left), END, seats=three)
    # FI p.16: a zone with the leader in it for the team-mate
    four = (OPTIMUS, MEGATRON, BUMBLEBEE, BARRICADE)
    team = _war("back_up", {"leader": "decagon"}, zones={**third, "iacon": {"seat": BARRICADE}})
    yield _mine(team, {"do": "give", "zone": "decagon"}, END, seats=four)


def _live() -> Iterator[Moment]:
    # FI p.5: a live setup, the last claim and the last robot
    claims: Json = {
        "day": 0,
        "zones": {"hexima": {"seat": "", "robots": 0}},
        "rest": MEGATRON,
        "players": {OPTIMUS: {"spare": 2}, MEGATRON: {"spare": 1}},
    }
    claims["zones"]["autobase"] = {"seat": OPTIMUS}
    yield _mine(claims | {"agenda": [{"task": "claim", "seat": OPTIMUS}]}, {"do": "claim", "zone": "hexima"})
    # section 7.1: claims and robots of who has left are laid for him
    left = {OPTIMUS: {"spare": 2}, MEGATRON: {"spare": 3, "resigned": True}, BUMBLEBEE: {"spare": 2}}
    empty = {zone: {"seat": "", "robots": 0} for zone in ("hexima", "iacon", "kalis")}
    others = {"autobase": {"seat": OPTIMUS}, "arena": {"seat": BUMBLEBEE}}
    claiming = {
        **claims,
        "zones": empty | others,
        "players": left,
        "agenda": [{"task": "claim", "seat": OPTIMUS}],
    }
    yield _mine(claiming, {"do": "claim", "zone": "hexima"}, seats=(OPTIMUS, MEGATRON, BUMBLEBEE))
    sparing = {**claiming, "zones": others, "agenda": [{"task": "spare", "seat": OPTIMUS}]}
    yield _mine(sparing, {"do": "spare", "zone": "autobase"}, seats=(OPTIMUS, MEGATRON, BUMBLEBEE))
    last = {**claims, "zones": {"autobase": {"seat": OPTIMUS}}, "players": {OPTIMUS: {"spare": 1}}}
    yield _mine(last | {"agenda": [{"task": "spare", "seat": OPTIMUS}]}, {"do": "spare", "zone": "autobase"})


def _battle(battle: Json, roll: Json, *orders: Json, **more: Any) -> Moment:
    """Optimus Prime attacks the Launch Pad from Hexima, and adds to the die that is compared next."""
    plan = {"dice": 2, **battle.pop("plan", {})}
    fight = {
        "number": 1,
        "origin": "hexima",
        "target": "launch_pad",
        "defender": MEGATRON,
        "dice": 2,
        "rolls": 1,
        **battle,
        "plan": plan,
    }
    rolled = {
        "attack": [[4, 6], [3, 6]],
        "defence": [[4, 6]],
        "attackers": 2,
        "defenders": 1,
        "plus": 1,
        **roll,
    }
    position = _war("attack", battles=1, battle=fight | {"roll": rolled}, **more)
    position["agenda"] = [{"task": "bonus", "seat": OPTIMUS, "most": rolled["plus"]}, *position["agenda"]]
    return _mine(position, *orders)


def _swapped(position: Json) -> Json:
    """The same with Megatron as the one who attacks, from Hexima to Kalis."""
    names = {OPTIMUS: MEGATRON, MEGATRON: OPTIMUS, "launch_pad": "kalis"}
    swapped = _renamed(position, names)
    return {**swapped, "players": {MEGATRON: {"leader": "hexima", "form": "vehicle"}}}


def _renamed(value: Any, names: dict[str, str]) -> Any:
    entries, items = as_object(value), as_list(value)
    if entries is not None:
        return {names.get(key, key): _renamed(entry, names) for key, entry in entries.items()}
    if items is not None:
        return [_renamed(item, names) for item in items]
    return names.get(value, value)


def _battles() -> Iterator[Moment]:
    adds, keeps = {"do": "bonus", "plus": 1}, {"do": "bonus", "plus": 0}
    for move_in in ("least", "all", 4, 2, 50):
        yield _battle({"plan": {"move_in": move_in}}, {}, adds, END)
    yield _battle({}, {}, adds, players={OPTIMUS: {"leader": "hexima"}})
    leading = {"leader": True, "plan": {"leader": True, "move_in": "all"}}
    yield _battle(leading, {"attacking_leader": True}, adds, END, players={OPTIMUS: {"leader": "hexima"}})
    # FI p.12-13: an attack that goes on, and every way in which it stops
    yield _battle({}, {}, keeps)
    yield _battle({"plan": {"until": 1}}, {}, keeps, END)
    yield _battle({"plan": {"keep": 4}}, {}, keeps, END)
    yield _battle({"rolls": 30}, {}, keeps, END)
    two = {"hexima": {"seat": OPTIMUS, "robots": 2}}
    one: Json = {"attack": [[4, 6]], "attackers": 1}
    yield _battle({"dice": 1, "plan": {"dice": 1}}, one, keeps, END, zones=two)
    leader: Json = {"leader": True, "dice": 1, "plan": {"dice": 1, "leader": True}}
    his = {"attack": [[4, 8]], "attackers": 1, "attacking_leader": True}
    yield _battle(leader, his, keeps, END, players={OPTIMUS: {"leader": "hexima"}})
    # FI p.14: a space fighter far from home, who wins and is followed by nobody, or is lost
    for order in (adds, keeps):
        far = _battle({**leader, "far": True}, his, order, END)
        yield msgspec.structs.replace(far, position=_swapped(far.position), seat=MEGATRON)
    # two comparisons, of which the second is decided by what the first has left
    pair = {"defence": [[4, 6], [3, 6]], "defenders": 2, "plus": 2}
    yield _battle({}, pair, adds, adds)
    yield _battle({}, pair | {"parry": 1}, adds)
    # FI p.13: with three players who loses his last zone is out, and the others play on
    third: Json = {"launch_pad": {"seat": BUMBLEBEE}}
    out = _battle({"defender": BUMBLEBEE}, {}, adds, END, zones=third)
    yield msgspec.structs.replace(out, seats=(OPTIMUS, MEGATRON, BUMBLEBEE))
    yield from _defences()


FIGHT: Json = {
    "number": 1,
    "origin": "hexima",
    "target": "launch_pad",
    "defender": BUMBLEBEE,
    "dice": 2,
    "rolls": 1,
}
HIT: Json = {
    "attack": [[5, 6], [2, 6]],
    "defence": [[4, 8]],
    "attackers": 2,
    "defenders": 1,
    "defending_leader": True,
    "parry": 1,
    "added": 0,
}
NEAR = ("tagan_heights", "decagon", "mithril_sea")


def _attacked(zones: tuple[str, ...], leader: str, question: Json, **battle: Any) -> Json:
    """Megatron attacks Bumblebee on the Launch Pad, who holds these zones besides."""
    held: Json = {"hexima": {"seat": MEGATRON, "robots": 5}}
    held |= {"launch_pad": {"seat": BUMBLEBEE, "robots": int(leader != "launch_pad")}}
    held |= {zone: {"seat": BUMBLEBEE} for zone in (*zones, "kalis")}
    later = [{"task": word, "seat": MEGATRON} for word in PHASES[2:]]
    return {
        "seat": MEGATRON,
        "zones": held,
        "rest": MEGATRON,
        "agenda": [{"seat": BUMBLEBEE, **question}, *later],
        "battles": 1,
        "battle": {**FIGHT, **battle},
        "players": {BUMBLEBEE: {"leader": leader, "form": "vehicle"}},
    }


def _defences() -> Iterator[Moment]:
    """Bumblebee may add to his die, or loses his leader, who flees if he can (FI p.14)."""
    two = (MEGATRON, BUMBLEBEE)
    question: Json = {"task": "bonus", "most": 1}
    for count in range(3):
        plan = {"dice": 2, "move_in": "all"}
        position = _attacked(NEAR[:count], "launch_pad", question, roll=HIT, plan=plan)
        orders = ({"do": "bonus", "plus": 0}, {"do": "flee", "zone": NEAR[0]})[: 2 if count > 1 else 1]
        yield Moment(two, position, orders, BUMBLEBEE)
        yield Moment(two, position, ({"do": "bonus", "plus": 1},), BUMBLEBEE)
    asked = _attacked((), "kalis", {"task": "defend"})
    defend = {"do": "defend", "dice": 1}
    yield Moment(two, asked, (defend, defend), BUMBLEBEE)
    alone = "moment/leader-elsewhere"
    yield Moment(two, asked, ({**defend, "leader": True},), BUMBLEBEE, refused=alone)
