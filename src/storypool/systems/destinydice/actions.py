"""The roll, what it comes to by the action, carrying that out, and the end of the action.

Source: seed 002, Roll and Interpret; destinydice.md 3.5 (the rows are in actions.toml beside this).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from storypool.engine.rules import (
    Check,
    CheckClosed,
    Choice,
    ChoiceAsk,
    DiceRolled,
    Event,
    FacesAsk,
    Outcome,
    Refusal,
    Rolled,
    Table,
    TextAsk,
    Trait,
    TraitSet,
    Turn,
    building,
    first_of,
    hidden_with,
    kept_promises,
    move,
    of_check,
    priced,
    rolled,
    rows,
    yours,
)
from storypool.systems.destinydice import result
from storypool.systems.destinydice.aspects import free_invokes, new_aspect, read_dice, used_up
from storypool.systems.destinydice.harm import takes_up
from storypool.systems.destinydice.pool import contested, defends, is_gm, known, parties
from storypool.systems.destinydice.sheet import HERE
from storypool.systems.destinydice.spends import others_symbols
from storypool.words import Words

GRADES = ("fail", "tie", "succeed", "style")
FOUR = ("overcome", "create", "attack", "defend")
ADVANTAGES = {"new": "create", "unknown": "discover", "known": "exploit"}
"""The row for creating an advantage, by what the aspect is: new, there but unknown, or known to all."""


@dataclass(frozen=True, slots=True)
class Result:
    """One way that an action can end, by its id. The fields are explained at the head of actions.toml."""

    id: str
    key: str
    text: str
    effect: str = ""
    n: int = 0
    theirs: bool = False
    trade: int = 0


PRINTED = rows(HERE, "actions")
ROWS = {
    key: {grade: tuple(Result(f"{key}.{grade}.{way['key']}", **way) for way in row[grade]) for grade in GRADES}
    for key, row in PRINTED.items()
}
"""How each action can end, by its key and the outcome."""


def _row(check: Check) -> str:
    return check.text("row") or "overcome"


def _tried(check: Check, outcome: Outcome | None) -> int:
    """The margin of whoever tries something: where that is the opponent, what is a failure here is their success.

    Source: seed 002, Roll and Interpret.
    """
    margin = outcome.margin if outcome else 0
    return -margin if defends(check) else margin


def _results(check: Check, outcome: Outcome | None) -> tuple[Result, ...]:
    """How the action can end, given its roll."""
    return ROWS[_row(check)][result.grade(_tried(check, outcome))]


def _warded_off(check: Check) -> bool:
    """Whether the opponent held by three or more, and so has a boost."""
    opposed = (contested(check) or defends(check)) and PRINTED[_row(check)].get("defended")
    return bool(opposed) and _tried(check, check.outcome) <= -result.STYLE


def _due(check: Check) -> bool:
    """Whether something follows from the roll that has not been carried out."""
    if check.phase != "rolled" or check.terms.get("taken"):
        return False
    ways = _results(check, check.outcome)
    return len(ways) > 1 or any(way.effect for way in ways) or _warded_off(check)


@move(
    "check.roll",
    when=building,
    only_if=[yours, of_check(lambda check: check.terms.get("difficulty"), "difficulty")],
    asks=[FacesAsk("faces", "Faces of real dice, one for each die", needed=False)],
    rule="Roll and Interpret",
)
def roll(turn: Turn) -> Iterator[Event]:
    """Roll the dice

    The entire pool at once, the opposition's dice among them. Or type in the faces of real dice, in the order in
    which the pool is written.
    """
    check = turn.here
    lies = turn.cast(check.pool, turn.numbers("faces"))
    yield DiceRolled(check.id, turn.seat.id, lies)
    yield from kept_promises(turn, check)
    yield from used_up(turn, check)
    yield read_dice(turn, lies)


def reader(words: Words) -> Callable[[Table, Check, tuple[Rolled, ...]], Outcome]:
    """A reader of rolls that speaks in these words."""

    def read(table: Table, check: Check, lies: tuple[Rolled, ...]) -> Outcome:
        net = result.net(lies, table.options.get("hope_success_uncancellable") == "yes")
        outcome = Outcome(result.passed(net["margin"]), net["margin"], net)
        said = result.sentence(words, net, contested(check))
        if "row" in check.terms:
            shifts = _tried(check, outcome)
            said = words.say("result.means", said=said, ways=either(words, _results(check, outcome), shifts))
        return replace(outcome, words=said)

    return read


def either(words: Words, ways: tuple[Result, ...], shifts: int = 0) -> str:
    """How an action can end, in words; with the shifts of a hit where the roll is known."""
    return f"{words['result.or']} ".join(_ends(words, way, shifts) for way in ways)


def _ends(words: Words, way: Result, shifts: int) -> str:
    if way.effect == "hit" and shifts:
        return words.say(f"ends.{way.key}", n=shifts - way.trade)
    return words[f"ends.{way.id}"]


def _all_paid(turn: Turn) -> Refusal | None:
    """What the roll came to is carried out, the hit taken, and the other side has spent what it can."""
    check = turn.check
    if check is None or check.phase != "rolled":
        return None
    if _due(check):
        return turn.no("outcome.due", who=_name(turn, _tries(check)))
    if waits := _hit_waits(turn):
        return waits
    others = others_symbols(turn, check)
    return turn.no("symbols", left=priced(turn, others)) if others else None


@move("check.close", when=rolled, window=_all_paid, only_if=[yours], rule="Using Special Symbols")
def close(turn: Turn) -> Iterator[Event]:
    """The action is done

    No one is required to spend symbols; those that are left are lost.
    """
    yield CheckClosed(turn.here.id, "done")


def _hit_waits(turn: Turn) -> Refusal | None:
    """Somebody still has to take the hit of the open action."""
    hit = next(iter(turn.table.of_kind("hit", at=turn.here.id)), None)
    if hit is None:
        return None
    waits = turn.no("hit.due", who=_name(turn, hit.about), n=hit.rating)
    return replace(waits, remedy=turn.words.say("hit.takes", what=takes_up(turn, hit.about, hit.rating)))


def _tries(check: Check) -> str:
    """The id of whoever tries something; of the opponent where somebody defends."""
    return check.against if defends(check) else check.actor


def _name(turn: Turn, who: str) -> str:
    character = turn.table.characters.get(who)
    return character.name if character else turn.words["outcome.opposition"]


def _something_due(turn: Turn) -> Refusal | None:
    """Something follows from the roll that has not been carried out."""
    check = turn.check
    if check is None or _due(check):
        return None
    waits = _hit_waits(turn)
    return replace(waits, firm=True) if waits else turn.firm("outcome")


def _falls_to(turn: Turn) -> Refusal | None:
    """The outcome is this seat's to take: it tried something; or it has a boost, or nothing to choose, as it held."""
    check = turn.check
    if check is None or is_gm(turn):
        return None
    tries, other = (turn.table.characters.get(who) for who in (_tries(check), _held(check)))
    mine, held = (one is not None and one.seat == turn.seat.id for one in (tries, other))
    if mine or (held and (_warded_off(check) or (defends(check) and len(_results(check, check.outcome)) == 1))):
        return None
    return turn.no("outcome.theirs", who=_name(turn, _tries(check)))


def _held(check: Check) -> str:
    return check.actor if defends(check) else check.against


def _open_results(turn: Turn) -> tuple[Result, ...]:
    check = turn.check
    return _results(check, check.outcome) if check and check.phase == "rolled" else ()


def _ways(turn: Turn) -> Iterator[Choice]:
    for way in _open_results(turn):
        check = turn.here
        hit = turn.table.characters.get(_held(check)) if way.effect == "hit" else None
        unseen = check.seen_by is not None and hit is not None and hit.side == "players"
        closed = turn.words.say("no.hit.hidden", who=hit.name) if hit and unseen else ""
        yield Choice(way.key, _ends(turn.words, way, _tried(check, check.outcome)), closed=closed)


def _chosen(turn: Turn) -> Result | None:
    ways = _open_results(turn)
    return next((way for way in ways if way.key == turn.text("how")), ways[0] if ways else None)


def _names_it(turn: Turn) -> bool:
    way = _chosen(turn)
    return way is not None and way.effect in ("aspect", "cost")


def _gives_boost(turn: Turn) -> bool:
    way = _chosen(turn)
    return way is not None and (way.effect == "boost" or way.trade > 0 or _warded_off(turn.here))


def _usual_boost(turn: Turn) -> str:
    """A boost is called after whoever has it, unless they say otherwise."""
    who = _held(turn.here) if _warded_off(turn.here) else _tries(turn.here)
    return turn.words.say("outcome.boost", who=_name(turn, who))


def _people(turn: Turn) -> Iterator[Choice]:
    return (Choice(one.id, one.name) for one in known(turn))


@move(
    "outcome.take",
    when=rolled,
    only_if=[_something_due, _falls_to],
    asks=[
        ChoiceAsk("how", "How does it end?", _ways, default=first_of(_ways)),
        TextAsk("name", "What is it, in a few words?", shown=_names_it),
        ChoiceAsk("about", "About whom, if not the scene?", _people, needed=False, shown=_names_it),
        TextAsk("boost", "What is the boost called?", default=_usual_boost, needed=False, shown=_gives_boost),
    ],
    rule="Roll and Interpret",
)
def take(turn: Turn) -> Iterator[Event]:
    """Carry out what the roll came to

    The outcome of the action by its margin: an aspect with its free invokes, a boost, a hit, a cost.
    """
    check, way = turn.here, _chosen(turn)
    assert way is not None
    trying, other = parties(check, turn)
    about, words = turn.text("about"), turn.words
    shifts = _tried(check, check.outcome)
    yield turn.amend(check.with_terms(taken=way.key), words.say("outcome.taken", text=_ends(words, way, shifts)))
    match way.effect:
        case "aspect":
            yield new_aspect(turn, "aspect", turn.text("name"), about, other if way.theirs else trying, way.n)
        case "free":
            aspect = turn.table.traits.get(check.text("aspect"))
            if aspect is not None:
                yield free_invokes(turn, aspect, trying, way.n)
        case "hit":
            # Who sees the action sees the hit, because whoever is hit has to answer it. It names no seat as its author.
            n, whom = shifts - way.trade, _held(check)
            text, terms = words.say("hit.text", n=n, what=takes_up(turn, whom, n)), {"by": trying}
            hit = Trait(turn.fresh("t"), "hit", text, whom, n, at=check.id, until="scene", terms=terms)
            yield TraitSet(replace(hit, seen_by=check.seen_by))
        case "cost":
            whom = about or check.actor
            text = words.say("outcome.cost", text=turn.text("name"))
            yield turn.trait("effect", text, whom, until="scene", seen_by=hidden_with(turn, whom))
    named = turn.text("boost") or _usual_boost(turn)
    if way.effect == "boost" or way.trade:
        yield new_aspect(turn, "boost", named, "", trying, 1)
    if _warded_off(check):
        yield new_aspect(turn, "boost", named, "", other, 1)
