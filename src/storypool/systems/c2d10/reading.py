"""What a roll comes to: passed or not, by how much, what goes wrong, and the result in words.

Source: c2d10.md 2.1, 2.2 and 2.5.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from typing import TYPE_CHECKING

from storypool.engine.bag import Bag
from storypool.systems.c2d10.dice import ACTIVE, PARTS, RIVAL, Part, net
from storypool.words import Words
from storypool.words.languages import Language

if TYPE_CHECKING:
    from storypool.engine.dice import Rolled
    from storypool.engine.table import Check, Outcome, Table


def own_words(language: Language) -> Words:
    """The sentences of this game: enough to tell a result without a table."""
    return Words({}).plus(files("storypool.systems.c2d10").joinpath("words.toml")).under(language.game("c2d10"))


def beats(net: Bag) -> bool:
    """Whether whoever acts wins a contest that came to this: with more successes; as many are not enough."""
    return net["successes"] > net["rival_successes"]


def number(check: Check, key: str) -> int:
    """A number among the terms of a check, 0 where there is none."""
    value = check.terms.get(key, 0)
    return value if isinstance(value, int) else 0


def is_contest(check: Check) -> bool:
    """Whether two sides roll against each other."""
    return check.terms.get("kind") == "contest"


def reader(words: Words) -> Callable[[Table, Check, tuple[Rolled, ...]], Outcome]:
    """A reader of rolls that speaks in these words.

    A test passes with as many successes as its DC; a contest is won with more than the other side's; without either
    there is only a count. Successes that were bought after the roll are counted in.
    """
    from storypool.engine.table import Outcome

    def read(table: Table, check: Check, lies: tuple[Rolled, ...]) -> Outcome:
        came_to = net(lies)
        for part in PARTS:
            came_to += Bag({f"{part.axis}successes": number(check, f"{part.mark}added")})
        if is_contest(check) or any(check.pool[name] for name in (RIVAL.regular, RIVAL.crisis)):
            margin = came_to["successes"] - came_to["rival_successes"]
            tie = table.options.get("contest_tie", "draw")
            return Outcome(margin > 0, margin, came_to, contested(words, came_to, tie))
        if "target" not in check.terms:
            return Outcome(None, came_to["successes"], came_to, counted(words, came_to))
        dc = number(check, "target")
        passed = came_to["successes"] >= dc
        return Outcome(passed, came_to["successes"] - dc, came_to, tested(words, came_to, dc))

    return read


def winner(table: Table, check: Check) -> Part | None:
    """The side whose roll succeeded, or None: a failed test, or a contest that is a draw."""
    outcome = check.outcome
    if outcome is None:
        return None
    if outcome.passed:
        return ACTIVE
    if not is_contest(check):
        return None
    equal = outcome.margin == 0
    return RIVAL if not equal or table.options.get("contest_tie") == "defender" else None


def trouble(table: Table, check: Check) -> Bag:
    """What this roll brings that has to be taken or ignored, for both sides.

    A regular 0 is a setback where the roll fails, a 0 on a crisis die a complication either way, a 9 on a crisis die a
    mess where the roll succeeds. In a draw whoever acts has failed, and the other side has not.
    """
    outcome, won = check.outcome, winner(table, check)
    if outcome is None:
        return Bag()
    found = Bag()
    for part in PARTS if check.against else (ACTIVE,):
        fails = won is not part and (part is ACTIVE or won is ACTIVE)
        found += Bag(
            {
                f"{part.mark}setback": outcome.net[f"{part.axis}zeros"] if fails else 0,
                f"{part.mark}complication": outcome.net[f"{part.axis}crisis_zeros"],
                f"{part.mark}mess": outcome.net[f"{part.axis}messes"] if won is part else 0,
            }
        )
    return found


# In words.


def counted(words: Words, net: Bag) -> str:
    """A roll without a DC: its successes, and what its zeros and nines may mean."""
    text = words.say("result.successes", n=net["successes"])
    sides = [words.say(f"result.{axis}", n=net[axis]) for axis in ("zeros", "crisis_zeros", "messes") if net[axis]]
    return words.say("result.counted", text=text, sides=_listed(words, sides)) if sides else text + "."


def tested(words: Words, net: Bag, dc: int) -> str:
    """A test against a DC."""
    passed = net["successes"] >= dc
    n, over = net["successes"], net["successes"] - dc
    key = "result.passed_over" if passed and over else "result.passed" if passed else "result.failed"
    head = words.say(key, n=words.say("result.successes", n=n), dc=dc, over=over)
    return _with(words, head, net, passed, not passed)


def contested(words: Words, net: Bag, tie: str = "draw") -> str:
    """A contest of two sides."""
    mine, theirs = net["successes"], net["rival_successes"]
    key = "result.won" if mine > theirs else "result.lost" if mine < theirs else f"result.equal.{tie}"
    head = words.say(key, n=words.say("result.successes", n=mine), m=theirs)
    return _with(words, head, net, mine > theirs, mine <= theirs)


def _with(words: Words, head: str, net: Bag, passed: bool, failed: bool) -> str:
    """The result of whoever acted with what else it brings; of a pass with a mess the mess is said first."""
    sides = []
    if passed and net["messes"]:
        sides.append(words.say("result.mess", n=net["messes"]))
    if failed and net["zeros"]:
        sides.append(words.say("result.setback", n=net["zeros"]))
    if net["crisis_zeros"]:
        sides.append(words.say("result.complication", n=net["crisis_zeros"]))
    return words.say("result.with", head=head, sides=_listed(words, sides)) if sides else head + "."


def _listed(words: Words, sides: list[str]) -> str:
    return ", ".join(sides[:-1]) + (words["result.and"] if len(sides) > 1 else "") + sides[-1]
