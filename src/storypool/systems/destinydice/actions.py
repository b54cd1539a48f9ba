"""The four actions and their outcomes: what a roll comes to, and carrying it out.

Source: seed 002, Roll and Interpret; destinydice.md 3.5 (the rows are in actions.toml beside this).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from storypool.engine.rules import (
    Check,
    Choice,
    ChoiceAsk,
    Event,
    Move,
    Outcome,
    Refusal,
    TextAsk,
    Trait,
    TraitSet,
    Turn,
    characters,
    move,
    rolled,
)
from storypool.systems.destinydice import reading
from storypool.systems.destinydice.aspects import free_invokes, made_aspect
from storypool.systems.destinydice.promises import concealed
from storypool.systems.destinydice.sheet import first_of
from storypool.systems.destinydice.sides import contested, parties, yours

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


@dataclass(frozen=True, slots=True)
class Action:
    """An action: its name, its results by outcome, and whether holding against it by three gives a boost."""

    name: str
    results: Mapping[str, tuple[Result, ...]]
    defended: bool = False


@cache
def rows() -> Mapping[str, Action]:
    """Every action by its key."""
    data = tomllib.loads(files("storypool.systems.destinydice").joinpath("actions.toml").read_text(encoding="utf-8"))
    return {
        key: Action(
            row["name"],
            {grade: tuple(Result(f"{key}.{grade}.{one['key']}", **one) for one in row[grade]) for grade in GRADES},
            row.get("defended", False),
        )
        for key, row in data.items()
    }


def row_of(turn: Turn) -> str:
    """The row of the action that is being declared; who defends stands on the row of what they defend against."""
    action = turn.text("action")
    if action == "create":
        return ADVANTAGES[turn.text("known")]
    return turn.text("versus") if action == "defend" else action


def tried(check: Check, outcome: Outcome | None) -> int:
    """The margin of whoever tries something: where that is the opponent, what is a failure here is their success.

    Source: seed 002, Roll and Interpret.
    """
    margin = outcome.margin if outcome else 0
    return -margin if check.terms.get("action") == "defend" else margin


def results(check: Check, outcome: Outcome | None) -> tuple[Result, ...]:
    """How the action can end, given its roll."""
    return rows()[str(check.terms.get("row", "overcome"))].results[reading.grade(tried(check, outcome))]


def warded_off(check: Check) -> bool:
    """Whether the opponent held by three or more, and so has a boost."""
    opposed = contested(check) or check.terms.get("action") == "defend"
    row = rows()[str(check.terms.get("row", "overcome"))]
    return opposed and row.defended and tried(check, check.outcome) <= -reading.STYLE


def due(check: Check) -> bool:
    """Whether something follows from the roll that has not been carried out."""
    if check.phase != "rolled" or check.terms.get("taken"):
        return False
    ways = results(check, check.outcome)
    return len(ways) > 1 or any(way.effect for way in ways) or warded_off(check)


# Carrying it out.


def _ways(turn: Turn) -> Iterator[Choice]:
    check = turn.check
    for way in results(check, check.outcome) if check and check.phase == "rolled" else ():
        yield Choice(way.key, turn.system.words[f"ends.{way.id}"])


def _chosen(turn: Turn) -> Result | None:
    check = turn.check
    if check is None or check.phase != "rolled":
        return None
    ways = results(check, check.outcome)
    return next((way for way in ways if way.key == turn.text("how")), ways[0])


def _names_it(turn: Turn) -> bool:
    way = _chosen(turn)
    return way is not None and way.effect in ("aspect", "cost")


def _gives_boost(turn: Turn) -> bool:
    way, check = _chosen(turn), turn.check
    return way is not None and check is not None and (way.effect == "boost" or way.trade > 0 or warded_off(check))


def _nothing_due(turn: Turn) -> Refusal | None:
    check = turn.check
    return None if check is None or due(check) else turn.firm("outcome")


def _people(turn: Turn) -> Iterator[Choice]:
    """Whom an aspect can be about, of those whom all who see the action may see."""
    check = turn.check
    for choice in characters()(turn):
        if check and (check.seen_by or turn.table.characters[choice.value].seen_by is None):
            yield choice


@move(
    "outcome.take",
    when=rolled,
    only_if=[_nothing_due, yours],
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
    words = turn.system.words
    yield turn.amend(
        check, words.say("outcome.taken", text=words[f"ends.{way.id}"]), terms={**check.terms, "taken": way.key}
    )
    match way.effect:
        case "aspect":
            owner = other if way.theirs else trying
            yield made_aspect(turn, "aspect", turn.text("name"), turn.text("about"), owner, way.n)
        case "free":
            aspect = turn.table.traits.get(str(check.terms.get("aspect", "")))
            if aspect is not None:
                yield free_invokes(turn, aspect, trying, way.n)
        case "hit":
            yield _hit(turn, check, tried(check, check.outcome) - way.trade, trying)
        case "cost":
            text = words.say("outcome.cost", text=turn.text("name"))
            about = turn.text("about") or check.actor
            cost = Trait(turn.fresh("t"), "effect", text, about, by=turn.seat.id, until="scene")
            yield TraitSet(replace(cost, seen_by=concealed(turn, about)))
    named = turn.text("boost") or words["outcome.boost"]
    if way.effect == "boost" or way.trade:
        yield made_aspect(turn, "boost", named, "", trying, 1)
    if warded_off(check):
        yield made_aspect(turn, "boost", named, "", other, 1)


def _hit(turn: Turn, check: Check, shifts: int, by: str) -> Event:
    """Harm that waits to be taken: everybody sees it, because whoever is hit has to answer it."""
    whom = check.actor if check.terms.get("action") == "defend" else check.against
    text = turn.system.words.say("hit.text", n=shifts)
    terms = {"by": by}
    return TraitSet(Trait(turn.fresh("t"), "hit", text, whom, shifts, at=check.id, until="scene", terms=terms))


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
