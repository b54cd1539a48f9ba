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
from storypool.systems.destinydice.pool import contested, defends, known, parties
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
            said = words.say("result.means", said=said, ways=either(words, _results(check, outcome)))
        return replace(outcome, words=said)

    return read


def either(words: Words, ways: tuple[Result, ...]) -> str:
    """How an action can end, in words."""
    return f"{words['result.or']} ".join(words[f"ends.{way.id}"] for way in ways)


def _all_paid(turn: Turn) -> Refusal | None:
    """What the roll came to is carried out, the hit taken, and the other side has spent what it can."""
    check = turn.check
    if check is None or check.phase != "rolled":
        return None
    if _due(check):
        return turn.no("outcome.due")
    hit = next(iter(turn.table.of_kind("hit", at=check.id)), None)
    if hit is not None:
        return turn.no("hit.due", who=turn.table.characters[hit.about].name, n=hit.rating)
    others = others_symbols(turn, check)
    return turn.no("symbols", left=priced(turn, others)) if others else None


@move("check.close", when=rolled, window=_all_paid, only_if=[yours], rule="Using Special Symbols")
def close(turn: Turn) -> Iterator[Event]:
    """The action is done

    No one is required to spend symbols; those that are left are lost.
    """
    yield CheckClosed(turn.here.id, "done")


def _open_results(turn: Turn) -> tuple[Result, ...]:
    check = turn.check
    return _results(check, check.outcome) if check and check.phase == "rolled" else ()


def _ways(turn: Turn) -> Iterator[Choice]:
    return (Choice(way.key, turn.words[f"ends.{way.id}"]) for way in _open_results(turn))


def _chosen(turn: Turn) -> Result | None:
    ways = _open_results(turn)
    return next((way for way in ways if way.key == turn.text("how")), ways[0] if ways else None)


def _names_it(turn: Turn) -> bool:
    way = _chosen(turn)
    return way is not None and way.effect in ("aspect", "cost")


def _gives_boost(turn: Turn) -> bool:
    way = _chosen(turn)
    return way is not None and (way.effect == "boost" or way.trade > 0 or _warded_off(turn.here))


def _people(turn: Turn) -> Iterator[Choice]:
    return (Choice(one.id, one.name) for one in known(turn))


@move(
    "outcome.take",
    when=rolled,
    only_if=[of_check(_due, "outcome", firm=True), yours],
    asks=[
        ChoiceAsk("how", "How does it end?", _ways, default=first_of(_ways)),
        TextAsk("name", "What is it, in a few words?", shown=_names_it),
        ChoiceAsk("about", "About whom, if not the scene?", _people, needed=False, shown=_names_it),
        TextAsk("boost", "What is the boost called?", needed=False, shown=_gives_boost),
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
    yield turn.amend(check.with_terms(taken=way.key), words.say("outcome.taken", text=words[f"ends.{way.id}"]))
    match way.effect:
        case "aspect":
            yield new_aspect(turn, "aspect", turn.text("name"), about, other if way.theirs else trying, way.n)
        case "free":
            aspect = turn.table.traits.get(check.text("aspect"))
            if aspect is not None:
                yield free_invokes(turn, aspect, trying, way.n)
        case "hit":
            # Everybody sees it, because whoever is hit has to answer it. No seat is named as its author.
            shifts, whom = _tried(check, check.outcome) - way.trade, check.actor if defends(check) else check.against
            text, terms = words.say("hit.text", n=shifts), {"by": trying}
            yield TraitSet(Trait(turn.fresh("t"), "hit", text, whom, shifts, at=check.id, until="scene", terms=terms))
        case "cost":
            whom = about or check.actor
            text = words.say("outcome.cost", text=turn.text("name"))
            yield turn.trait("effect", text, whom, until="scene", seen_by=hidden_with(turn, whom))
    named = turn.text("boost") or words["outcome.boost"]
    if way.effect == "boost" or way.trade:
        yield new_aspect(turn, "boost", named, "", trying, 1)
    if _warded_off(check):
        yield new_aspect(turn, "boost", named, "", other, 1)
