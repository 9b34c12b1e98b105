"""The rules: what may be done, and what then happens. They see states whole, and placeholders never.

A turn is a bid by all, then the winner's acts up to `done`; a guard is a task before the act it interrupts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

import msgspec

from engine.kernel.dice import Dice
from engine.kernel.game import Answer, Charter, Decision, Place, Result, Unseen
from engine.kernel.refusal import Refusal
from tests.toy import events as e
from tests.toy.state import (
    BANK,
    MOST_GEMS,
    MOST_STRIKES,
    PURSE,
    UNKNOWN,
    UNSEEN,
    Action,
    Bid,
    Bold,
    Done,
    Guard,
    Look,
    Offer,
    Options,
    Player,
    Policy,
    Sell,
    Setup,
    Sly,
    State,
    Strike,
    Task,
    all_gems,
    player,
    with_player,
)

Step = tuple[State, tuple[e.Any, ...]]
replace = msgspec.structs.replace

KINDS = {Bid: "bid", Strike: "act", Sell: "act", Look: "act", Done: "act", Guard: "guard"}
"""Which task an action answers."""


def worth(gem: str) -> int:
    """What a gem counts, 1 … 12. Unseen for a placeholder."""
    if gem == UNSEEN:
        raise Unseen("hidden")
    return int(gem.removeprefix("gem-"))


def vet(seats: tuple[str, ...], options: Any, data: Mapping[str, Any]) -> Refusal | None:
    """Every choice of seats and options can be played; there is no custom data."""
    if data:
        return Refusal("setup/no-data", {"names": ", ".join(sorted(data))})
    return None


def vet_setup(charter: Charter, seat: str, setup: Setup) -> Refusal | None:
    """Every charm may be chosen."""
    return None


def vet_policy(charter: Charter, seat: str, policy: Policy) -> Refusal | None:
    """`ask` only where the game lets seats be asked."""
    if policy.guard == "ask" and charter.options.reactions != "ask":
        return Refusal("policy/nobody-asks")
    return None


def new(charter: Charter, setups: Mapping[str, Setup], dice: Dice) -> Step:
    """Purses filled, deck shuffled, bids open."""
    options: Options = charter.options
    players = tuple(
        Player(seat, PURSE + (setups[seat].charm == "coin"), charm=setups[seat].charm)
        for seat in charter.seats
    )
    deck = dice.shuffle("deck/0", all_gems(options.gems), hidden=True)
    state = State(turn=0, players=players, deck=deck, bank=BANK, reactions=options.reactions)
    return _open(state)


def order(state: State) -> tuple[str, ...]:
    """Charter order."""
    return tuple(one.seat for one in state.players)


def active(state: State) -> tuple[str, ...]:
    """The seats that still play."""
    return tuple(one.seat for one in state.players if not one.out)


def pending(state: State) -> tuple[Decision, ...]:
    """All bids at the head of the agenda, else its first task."""
    bids = tuple(Decision(task.seat, "bid") for task in state.agenda if task.kind == "bid")
    return bids or tuple(Decision(task.seat, task.kind) for task in state.agenda[:1])


def check(state: State, seat: str, action: Action) -> Refusal | None:
    """The authority: first what is wrong in itself, then what is wrong now."""
    known = all_gems(MOST_GEMS)
    named = action.gems if isinstance(action, Sell) else (action.gem,) if isinstance(action, Guard) else ()
    for gem in named:
        if (gem and gem not in known) or (not gem and isinstance(action, Sell)):
            return Refusal("order/no-such-gem", {"gem": gem})
    if len(set(named)) < len(named):
        return Refusal("order/gem-twice")
    if isinstance(action, Strike) and (action.seat not in order(state) or action.seat == seat):
        return Refusal("order/whom", {"seat": action.seat})
    asked = [one.kind for one in pending(state) if one.seat == seat]
    if KINDS[type(action)] not in asked:
        return Refusal("moment/not-asked")
    return _check_now(state, player(state, seat), action)


def _check_now(state: State, mine: Player, action: Action) -> Refusal | None:
    match action:
        case Bid(coins=coins):
            return _afford(mine, coins)
        case Strike(seat=seat, ruse=ruse):
            if state.strikes == MOST_STRIKES:
                return Refusal("moment/tired", {"most": MOST_STRIKES})
            if player(state, seat).out:
                return Refusal("moment/left", {"seat": seat})
            return _afford(mine, ruse.stake) if isinstance(ruse, Bold) else None
        case Sell(gems=gems):
            return next((_missing(gem) for gem in gems if gem not in mine.hand), None)
        case Guard(gem=gem):
            return _missing(gem) if gem and gem not in mine.hand else None
        case Look():
            return Refusal("moment/no-gems") if not state.deck else None
        case Done():
            return None
        case _:
            assert_never(action)


def _afford(mine: Player, coins: int) -> Refusal | None:
    if 0 <= coins <= mine.coins:
        return None
    return Refusal("moment/purse", {"coins": coins, "purse": mine.coins})


def _missing(gem: str) -> Refusal:
    return Refusal("moment/not-yours", {"gem": gem})


def legal(state: State, decision: Decision) -> tuple[Action, ...]:
    """A sample: every kind of action that is possible."""
    mine = player(state, decision.seat)
    sample: list[Action] = []
    match decision.kind:
        case "bid":
            sample += [Bid(coins) for coins in range(mine.coins + 1)]
        case "guard":
            sample += [Guard(), *(Guard(gem) for gem in mine.hand)]
        case _:
            sample += [Done(), Look(), *(Sell((gem,)) for gem in mine.hand)]
            others = [seat for seat in active(state) if seat != decision.seat]
            sample += [Strike(seat, ruse) for seat in others for ruse in (None, Sly(), Bold(1))]
    return tuple(action for action in sample if check(state, decision.seat, action) is None)


def default(state: State, decision: Decision) -> Action:
    """Silence: bid nothing, end the turn, guard with empty hands."""
    match decision.kind:
        case "bid":
            return Bid(0)
        case "guard":
            return Guard()
        case _:
            return Done()


def answer(state: State, decision: Decision) -> Answer | None:
    """A guard by habit; None where the seat is to be asked, whatever it holds."""
    if decision.kind != "guard":
        return None
    mine = player(state, decision.seat)
    habit = mine.habit or ("ask" if state.reactions == "ask" else "lowest")
    if habit == "ask":
        return None
    ranked = sorted(mine.hand, key=worth)
    if habit == "never" or not ranked:
        return Answer(Guard(), shown=True)
    return Answer(Guard(ranked[-1 if habit == "highest" else 0]), shown=True)


def instruct(state: State, seat: str, policy: Policy) -> State:
    """A habit comes into force."""
    return with_player(state, replace(player(state, seat), habit=policy.guard))


def apply(state: State, seat: str, action: Action, dice: Dice) -> Step:
    """What an action does."""
    mine = player(state, seat)
    match action:
        case Bid(coins=coins):
            rest = tuple(task for task in state.agenda if (task.seat, task.kind) != (seat, "bid"))
            state = replace(state, agenda=rest, offers=(*state.offers, Offer(seat, coins)))
            return _auction(state, dice) if not rest else (state, ())
        case Look():
            knows = tuple(one for one in order(state) if one in {*state.knows, seat})
            if state.deck[0] == UNSEEN:
                raise Unseen("hidden")
            return replace(state, knows=knows), (e.Looked(seat, state.deck[0]),)
        case Sell(gems=gems):
            return _sell(state, mine, gems)
        case Strike(seat=on, ruse=ruse):
            stake = ruse.stake if isinstance(ruse, Bold) else 0
            state = with_player(state, replace(mine, coins=mine.coins - stake))
            agenda = (Task(on, "guard", seat, ruse), *state.agenda)
            state = replace(state, bank=state.bank + stake, agenda=agenda, strikes=state.strikes + 1)
            return state, (e.Struck(seat, on, stake),)
        case Guard(gem=gem):
            return _duel(state, mine, gem, dice)
        case Done():
            return _open(state)
        case _:
            assert_never(action)


def _open(state: State) -> Step:
    """The next turn, or the end."""
    state = replace(state, turn=state.turn + 1, offers=(), strikes=0, agenda=())
    if not state.deck:
        return _end(state, "deck")
    bids = tuple(Task(seat, "bid") for seat in active(state))
    return replace(state, agenda=bids), (e.Opened(state.turn),)


def _end(state: State, how: str) -> Step:
    """Hands are laid open, which no seat can foresee."""
    if any(gem == UNSEEN for one in state.players for gem in one.hand):
        raise Unseen("hidden")
    shown = tuple(e.Shown(one.seat, one.hand) for one in state.players if one.hand)
    return replace(state, over=how), (e.Ended(how), *shown)


def _auction(state: State, dice: Dice) -> Step:
    """The highest bid takes the top gem and the turn; a die for each settles equal ones."""
    if any(offer.coins == UNKNOWN for offer in state.offers):
        raise Unseen("hidden")
    offers = sorted(state.offers, key=lambda offer: order(state).index(offer.seat))
    happened: list[e.Any] = [e.Offered(offer.seat, offer.coins) for offer in offers]
    most = max(offer.coins for offer in offers)
    tied = tuple(offer.seat for offer in offers if offer.coins == most)
    winner = tied[0]
    if len(tied) > 1:
        rolls = dice.roll(f"auction/{state.turn}", 6, len(tied))
        happened.append(e.Rolled(tied, rolls))
        winner = tied[rolls.index(max(rolls))]
    mine = player(state, winner)
    gem = state.deck[0]
    state = with_player(state, replace(mine, coins=mine.coins - most, hand=(*mine.hand, gem)))
    happened.append(e.Won(winner, most, "" if gem == UNSEEN else gem))
    agenda = (Task(winner, "act"),)
    return (
        replace(state, deck=state.deck[1:], bank=state.bank + most, agenda=agenda, offers=(), knows=()),
        tuple(happened),
    )


def _sell(state: State, mine: Player, gems: tuple[str, ...]) -> Step:
    happened: list[e.Any] = []
    for gem in gems:
        coins = min(worth(gem), state.bank)
        mine = replace(
            mine, coins=mine.coins + coins, hand=tuple(other for other in mine.hand if other != gem)
        )
        state = replace(state, bank=state.bank - coins, spent=(*state.spent, gem))
        happened.append(e.Sold(mine.seat, gem, coins))
    return with_player(state, mine), tuple(happened)


def _duel(state: State, mine: Player, gem: str, dice: Dice) -> Step:
    """Die and stake against die, gem and shield; the striker takes a gem at random, or a coin."""
    task, rest = state.agenda[0], state.agenda[1:]
    state = replace(state, agenda=rest, duels=state.duels + 1)
    happened: list[e.Any] = [e.Guarded(mine.seat, gem)]
    if gem:
        mine = replace(mine, hand=tuple(other for other in mine.hand if other != gem))
        state = replace(with_player(state, mine), spent=(*state.spent, gem))
    rolls = dice.roll(f"duel/{state.duels}", 6, 2)
    stake = task.ruse.stake if isinstance(task.ruse, Bold) else 0
    edge = rolls[0] + stake - rolls[1] - (worth(gem) if gem else 0) - (mine.charm == "shield")
    won = edge > 0 or (edge == 0 and isinstance(task.ruse, Sly))
    happened.append(e.Duelled(task.by, mine.seat, rolls, won))
    if not won:
        return state, tuple(happened)
    state, loot = _loot(state, player(state, task.by), mine, dice)
    return state, (*happened, loot)


def _loot(state: State, by: Player, mine: Player, dice: Dice) -> tuple[State, e.Any]:
    if not mine.hand:
        coin = min(1, mine.coins)
        state = with_player(state, replace(mine, coins=mine.coins - coin))
        return with_player(state, replace(by, coins=by.coins + coin)), e.Looted(by.seat, mine.seat, coin=True)
    gem = dice.shuffle(f"loot/{state.duels}", mine.hand, hidden=True)[0]
    state = with_player(state, replace(mine, hand=tuple(other for other in mine.hand if other != gem)))
    return with_player(state, replace(by, hand=(*by.hand, gem))), e.Looted(by.seat, mine.seat, gem=gem)


def resign(state: State, seat: str, dice: Dice) -> Step:
    """Gems are laid open, coins stay unused. Its own turn ends; a duel against it is called off."""
    mine = player(state, seat)
    state = replace(with_player(state, replace(mine, hand=(), out=True)), spent=(*state.spent, *mine.hand))
    left: tuple[e.Any, ...] = (e.Left(seat, mine.hand),)
    acting = any(task.kind == "act" and task.seat == seat for task in state.agenda)
    agenda = tuple(task for task in state.agenda if task.seat != seat)
    offers = tuple(offer for offer in state.offers if offer.seat != seat)
    state = replace(state, agenda=agenda, offers=offers, knows=tuple(s for s in state.knows if s != seat))
    if state.over:
        return state, left
    if len(active(state)) == 1:
        state, happened = _end(replace(state, agenda=(), offers=()), "resigned")
        return state, (*left, *happened)
    if acting:
        state, happened = _open(state)
        return state, (*left, *happened)
    if not agenda and state.offers:
        state, happened = _auction(state, dice)
        return state, (*left, *happened)
    return state, left


def result(state: State) -> Result | None:
    """Coins and worth of gems; who has resigned comes last."""
    if not state.over:
        return None
    scores = {one.seat: -1 if one.out else one.coins + sum(map(worth, one.hand)) for one in state.players}
    places = tuple(
        Place(seat, 1 + sum(other > score for other in scores.values()), max(score, 0))
        for seat, score in scores.items()
    )
    return Result(state.over, tuple(sorted(places, key=lambda one: one.place)))


def tally(state: State) -> Mapping[str, int]:
    """Gems and coins."""
    hands = sum(len(one.hand) for one in state.players)
    return {
        "coins": state.bank + sum(one.coins for one in state.players),
        "gems": hands + len(state.deck) + len(state.spent),
    }
