"""What a roll comes to: passed or not, by how much, what goes wrong, and the result in words.

All that a roll needs besides the dice: nothing here needs a table. Source: c2d10.md 2.1, 2.2 and 2.5.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from storypool.engine.bag import Bag
from storypool.engine.dice import in_order
from storypool.engine.folder import with_words
from storypool.systems.c2d10.dice import ACTIVE, DICE, PARTS, RIVAL, Part, net
from storypool.words import Words
from storypool.words.languages import ENGLISH, Language

if TYPE_CHECKING:
    from storypool.engine.dice import Die, Rolled
    from storypool.engine.table import Check, Outcome, Table


def is_contest(check: Check) -> bool:
    """Whether two sides roll against each other."""
    return check.terms.get("kind") == "contest"


def reader(words: Words) -> Callable[[Table, Check, tuple[Rolled, ...]], Outcome]:
    """Give the outcome of a roll, told in these words.

    A test passes with as many successes as its DC; a contest is won with more than the other side's; without either
    there is only a count. Successes that were bought after the roll are counted in.
    """
    from storypool.engine.table import Outcome

    def read(table: Table, check: Check, lies: tuple[Rolled, ...]) -> Outcome:
        total = net(lies)
        for part in PARTS:
            total += Bag({f"{part.axis}successes": check.number(f"{part.mark}added")})
        if is_contest(check) or check.pool.only(RIVAL.dice):
            margin = total["successes"] - total["rival_successes"]
            tie = table.options.get("contest_tie", "draw")
            names = [one.name for id in (check.actor, check.against) if (one := table.characters.get(id))]
            return Outcome(margin > 0, margin, total, contested(words, total, tie, names))
        if "target" not in check.terms:
            return Outcome(None, total["successes"], total, counted(words, total))
        dc = check.number("target")
        margin = total["successes"] - dc
        return Outcome(margin >= 0, margin, total, tested(words, total, dc))

    return read


def winner(table: Table, check: Check) -> Part | None:
    """The side whose roll succeeded, or None: a failed test, or a contest that is a draw."""
    outcome = check.outcome
    if outcome is None or not (outcome.passed or is_contest(check)):
        return None
    if outcome.passed:
        return ACTIVE
    return RIVAL if outcome.margin or table.options.get("contest_tie") == "defender" else None


def trouble(table: Table, check: Check) -> Bag:
    """The trouble that this roll brings to both sides, to be taken or ignored.

    A regular 0 is a setback where the roll fails, a 0 on a crisis die a complication either way, a 9 on a crisis die a
    mess where the roll succeeds. In a draw whoever acts has failed, and the other side has not.
    """
    outcome, won, found = check.outcome, winner(table, check), Bag()
    for part in PARTS if check.against else (ACTIVE,):
        fails = won is not part and (part is ACTIVE or won is ACTIVE)
        comes = {
            "setback": ("zeros", fails),
            "complication": ("crisis_zeros", True),
            "mess": ("messes", won is part),
        }
        for symbol, (axis, so) in comes.items():
            if outcome is not None and so:
                found += Bag({f"{part.mark}{symbol}": outcome.net[f"{part.axis}{axis}"]})
    return found


def counted(words: Words, net: Bag) -> str:
    """A roll without a DC in words: its successes, and what its zeros and nines may mean."""
    text = words.say("result.successes", n=net["successes"])
    return _with(words, "counted", text, net.only(("zeros", "crisis_zeros", "messes")))


def tested(words: Words, net: Bag, dc: int) -> str:
    """A test against a DC in words."""
    n, over = net["successes"], net["successes"] - dc
    key = "result.passed_over" if over > 0 else "result.passed" if over == 0 else "result.failed"
    text = words.say(key, n=words.say("result.successes", n=n), dc=dc, over=over)
    return _with(words, "with", text, _brought(net, over >= 0))


def contested(words: Words, net: Bag, tie: str = "draw", names: Sequence[str] = ()) -> str:
    """A contest of two sides in words, by their names where both are known."""
    mine, theirs = net["successes"], net["rival_successes"]
    key = "won" if mine > theirs else "lost" if mine < theirs else f"equal.{tie}"
    if len(names) == 2:
        text = words.say(f"result.named.{key}", one=names[0], other=names[1], n=mine, m=theirs)
    else:
        text = words.say(f"result.{key}", n=words.say("result.successes", n=mine), m=theirs)
    return _with(words, "with", text, _brought(net, mine > theirs))


def _brought(net: Bag, passed: bool) -> Bag:
    """What else a roll brings whoever acts: a mess where it passes, a setback where it fails."""
    first = {"mess": net["messes"]} if passed else {"setback": net["zeros"]}
    return Bag({**first, "complication": net["crisis_zeros"]})


def _with(words: Words, key: str, text: str, brought: Bag) -> str:
    """The result as a sentence, with what else the roll brings."""
    some = [words.say(f"result.{name}", n=n) for name, n in brought.items()]
    sides = ", ".join(some[:-1]) + (words["result.and"] if len(some) > 1 else "") + "".join(some[-1:])
    return words.say(f"result.{key}", text=text, head=text, sides=sides) if some else text + "."


def under(
    pool: Bag, terms: Mapping[str, str], language: Language = ENGLISH
) -> tuple[tuple[Die, ...], Callable[[Sequence[Rolled]], tuple[bool | None, Bag, str]]]:
    """Each die that a pool rolls under these terms, and what reads the roll: a test against `dc`, or a contest.

    `Refused` for a term that is not known, and for one that odds alone depend on.
    """
    from storypool.odds.question import no_odds  # only where there are terms
    from storypool.systems.c2d10 import odds

    for key in terms:
        if key in ("rerolls", "gains"):
            raise no_odds("later", key, key=key)
    asked = odds.terms_of_roll(terms, contest=bool(pool.only(RIVAL.dice)))
    rolled = odds.with_crisis(pool.only(ACTIVE.dice), asked.crisis) + pool.only(RIVAL.dice)
    words = _words(language)

    def judge(lies: Sequence[Rolled]) -> tuple[bool | None, Bag, str]:
        total = net(lies)
        if asked.dc is not None:
            return total["successes"] >= asked.dc, total, tested(words, total, asked.dc)
        if rolled.only(RIVAL.dice):
            return total["successes"] > total["rival_successes"], total, contested(words, total, asked.tie)
        return None, total, counted(words, total)

    return in_order(rolled, DICE), judge


def _words(language: Language) -> Words:
    return with_words(Words({}), "storypool.systems.c2d10").under(language.game("c2d10"))


def result(
    pool: Mapping[str, int], lies: Sequence[Rolled], language: Language = ENGLISH
) -> tuple[bool | None, Bag, str]:
    """What these dice came to, and that in words; whether they succeed is known only in a contest of two."""
    total = net(lies)
    words = _words(language)
    if not any(pool.get(name, 0) for name in RIVAL.dice):
        return None, total, counted(words, total)
    return total["successes"] > total["rival_successes"], total, contested(words, total)
