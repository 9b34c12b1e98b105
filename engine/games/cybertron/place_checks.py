"""Whether the parts of a position can stand together: `position/…`."""

from __future__ import annotations

from engine.games.cybertron import standing
from engine.games.cybertron.state import (
    DAYS,
    MOST_ATTACKERS,
    MOST_DEFENDERS,
    Roll,
    State,
    Task,
    ToAttack,
    ToBackUp,
    ToBonus,
    ToClaim,
    ToDefend,
    ToFlee,
    ToMorph,
    ToMuster,
    ToSpare,
    map_of,
)
from engine.kernel.refusal import refuse

PHASES: tuple[type[Task], ...] = (ToMuster, ToMorph, ToAttack, ToBackUp)
QUESTIONS = (ToDefend, ToBonus, ToFlee)


def check(state: State) -> None:
    """Refused `position/…` for the first thing that can't be."""
    check_zones(state)
    _check_order(state)
    _check_fates(state)
    _check_numbers(state)
    _check_captured(state)
    _check_agenda(state)
    _check_battle(state)


def check_zones(state: State) -> None:
    """A piece in every zone, none in a closed factory; leaders where they can stand."""
    where = map_of(state)
    opened = {where.factory_of[zone] for zone in state.opened if zone in where.factory_of}
    for seat, player in state.players.items():
        if player.leader and (
            player.leader not in where.place or state.owner[where.place[player.leader]] != seat
        ):
            raise refuse("position/leader", seat=seat, zone=player.leader)
    for number, zone in enumerate(where.ids):
        owner, robots = state.owner[number], state.robots[number]
        if owner and owner not in state.order:
            raise refuse("position/seat", seat=owner, place=zone)
        may_be_empty = number not in opened if number >= where.normal else not state.day
        may_be_held = number < where.normal or number in opened
        here = standing.pieces(state, number) if owner else robots
        if robots < 0 or (here > 0) != bool(owner) or not (may_be_held if owner else may_be_empty):
            raise refuse("position/empty-zone", zone=zone, seat=owner, robots=robots)


def _check_order(state: State) -> None:
    if standing.is_allied(state):
        leaders = map_of(state).leaders
        factions = [leaders[seat].faction for seat in state.order]
        if factions[0] != factions[2]:
            raise refuse("position/seating", found=", ".join(state.order))
    player = state.players[state.seat]
    if not state.ended and (player.out or player.resigned):
        raise refuse("position/seat", seat=state.seat, place="seat")


def _check_fates(state: State) -> None:
    for seat, player in state.players.items():
        holds = bool(state.owner.count(seat))
        if player.out == holds or (player.out and (player.hand or not state.day)):
            raise refuse("position/fate", seat=seat)
    if not state.ended and len(standing.sides_left(state)) < 2:
        raise refuse("position/fate", seat=state.seat)


def _check_numbers(state: State) -> None:
    numbers = [
        ("turn", state.turn, state.turn >= 1),
        ("day", state.day, 0 <= state.day <= DAYS),
        ("battles", state.battles, state.battles >= 0),
        ("boost", state.boost.each, min(state.boost.each, state.boost.one) >= 0),
    ]
    for seat, player in state.players.items():
        held = sum(n for n, owner in zip(state.robots, state.owner, strict=True) if owner == seat)
        fits = player.destroyed >= 0 and player.placed == held + player.destroyed
        numbers.append((f"players.{seat}.placed", player.placed, fits))
        spare = player.spare >= 0 and (not state.day or not player.spare)
        numbers.append((f"players.{seat}.spare", player.spare, spare))
    for field, found, fits in numbers:
        if not fits:
            raise refuse("position/count", field=field, found=found)


def _check_captured(state: State) -> None:
    where = map_of(state)
    for number, zone in enumerate(state.captured):
        known = zone in where.place and zone not in state.captured[:number]
        if not known or state.owner[where.place[zone]] not in standing.side(state, state.seat):
            raise refuse("position/captured", zone=zone)


def _check_agenda(state: State) -> None:
    kinds = tuple(type(task) for task in state.agenda)
    questions = kinds[:1] if kinds and kinds[0] in QUESTIONS else ()
    phases = kinds[len(questions) :]
    if state.ended:
        fits = not kinds
    elif not state.day:
        fits = kinds in ((ToClaim,), (ToSpare,)) and _setup_goes_on(state)
    else:
        fits = bool(phases) and phases == PHASES[len(PHASES) - len(phases) :]
        fits = fits and (not questions or phases == (ToAttack, ToBackUp))
    mine = all(task.seat == state.seat for task in state.agenda[len(questions) :])
    sound = all(_is_sound(task) for task in state.agenda)
    if not (fits and mine and sound):
        expected = ", ".join(_tag(kind) for kind in PHASES)
        raise refuse("position/phases", expected=expected, found=", ".join(_tag(kind) for kind in kinds))


def _tag(kind: type[Task]) -> str:
    return str(kind.__struct_config__.tag)


def _is_sound(task: Task) -> bool:
    if isinstance(task, ToMuster):
        return task.left >= 1 and task.bonus >= 0
    return not isinstance(task, ToBonus) or task.most >= 1


def _setup_goes_on(state: State) -> bool:
    """A zone to claim for who has a robot to spare, or, once all are claimed, one to reinforce."""
    empty = "" in state.owner[: map_of(state).normal]
    claims = isinstance(state.agenda[0], ToClaim)
    empties = state.owner[: map_of(state).normal].count("")
    spare = sum(player.spare for player in state.players.values())
    return claims == empty and state.players[state.seat].spare > 0 and spare >= empties


def _check_battle(state: State) -> None:
    battle = state.battle
    question = state.agenda[0] if state.agenda else None
    asks = isinstance(question, QUESTIONS)
    if battle is None:
        if asks:
            raise refuse("position/battle", zone="", to="")
        return
    where = map_of(state)
    fits = asks and battle.origin in where.place and battle.target in where.place
    fits = fits and battle.number == state.battles >= 1 and battle.rolls >= 0
    if fits:
        origin, target = where.place[battle.origin], where.place[battle.target]
        fits = state.owner[origin] == state.seat and state.owner[target] == battle.defender
        fits = fits and standing.is_enemy(state, state.seat, battle.defender)
        fits = fits and battle.far == (target not in where.links(state.opened)[origin])
        most = min(MOST_ATTACKERS, standing.pieces(state, origin) - 1) + (battle.roll is not None) * 3
        fits = fits and 1 <= battle.dice <= most and battle.plan.dice >= 1
        fits = fits and (not battle.leader or battle.roll is not None or standing.has_leader(state, origin))
    if not (fits and _question_fits(state)):
        raise refuse("position/battle", zone=battle.origin, to=battle.target)


def _question_fits(state: State) -> bool:
    battle, question = state.battle, state.agenda[0]
    assert battle is not None
    if isinstance(question, ToDefend):
        return battle.roll is None and question.seat == battle.defender
    roll = battle.roll
    if roll is None or not _roll_fits(roll):
        return False
    done = len(roll.compared) == min(len(roll.attack), len(roll.defence))
    if isinstance(question, ToFlee):
        return done and question.seat in (state.seat, battle.defender) and len(question.zones) > 1
    asked = state.seat if roll.added < 0 else battle.defender
    left = roll.plus if roll.added < 0 else roll.parry
    return not done and question.seat == asked and isinstance(question, ToBonus) and question.most == left


def _roll_fits(roll: Roll) -> bool:
    """Dice as they can lie, and no more compared than there are."""
    sizes = 1 <= len(roll.attack) <= MOST_ATTACKERS and 1 <= len(roll.defence) <= MOST_DEFENDERS
    ordered = all(list(dice) == sorted(dice, reverse=True) for dice in (roll.attack, roll.defence))
    counted = 0 <= roll.attackers <= len(roll.attack) and 0 <= roll.defenders <= len(roll.defence)
    compared = len(roll.compared) <= min(len(roll.attack), len(roll.defence))
    return sizes and ordered and counted and compared and roll.plus >= 0 and roll.parry >= 0
