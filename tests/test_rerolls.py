"""Decisions inside a roll: agreement with trying every choice on every face, and with the fixed ways of the games."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storypool.engine.bag import Bag
from storypool.engine.dice import Axes, Die
from storypool.odds import MOST_DICE, Distribution, TooManyDice, UnknownAxis, ge, odds
from storypool.odds import policy as policies
from storypool.odds.rerolls import (
    MOST_SINGLY,
    MOST_STEPS,
    Goal,
    Lying,
    at_least,
    best,
    fewest,
    planned,
    weighted,
)
from storypool.systems.c2d10 import odds as c2d10
from storypool.systems.c2d10.dice import ACTIVE
from storypool.systems.narrative.dice import ABILITY, BOOST, CHALLENGE, DIFFICULTY, PROFICIENCY
from storypool.systems.narrative.dice import AXES as NARRATIVE
from storypool.systems.twod20.dice import AXES as TWOD20
from storypool.systems.twod20.dice import bound
from storypool.systems.twod20.odds import Numbers, of_test
from tests.test_odds import ODD_AXES, ODD_DICE
from tests.tries import tries

D10 = c2d10.BY_NAME[ACTIVE.regular]
CRISIS = c2d10.BY_NAME[ACTIVE.crisis]
D20 = bound("d20", 12, 6)

Value = Callable[[Bag], int | Fraction]


def value_of(goal: Goal, axes: Axes) -> Value:
    """What a bag of symbols is worth to a goal, the higher the better."""
    sign = -1 if goal.lowest else 1

    def value(symbols: Bag) -> int | Fraction:
        net = axes.net(symbols)
        return sign * goal.number(*[net[axis] for axis in goal.axes])

    return value


def mean(values: Iterable[int | Fraction]) -> Fraction:
    """The mean of equally likely numbers."""
    every = list(values)
    return Fraction(sum(every)) / len(every)


def at_once(lies: list[Lying], value: Value, most: int) -> tuple[Fraction, int]:
    """The best mean of every choice of dice, each tried with every face, and the fewest dice that reach it."""
    free = [place for place, lie in enumerate(lies) if lie.free]
    found = []
    for n in range(min(most, len(free)) + 1):
        for again in combinations(free, n):
            kept = sum((lie.face for place, lie in enumerate(lies) if place not in again), Bag())
            faces = product(*(lies[place].die.faces for place in again))
            found.append((mean(value(sum(faces_up, kept)) for faces_up in faces), -n))
    worth, n = max(found)
    return worth, -n


def singly(lies: list[Lying], value: Value, left: int) -> tuple[Fraction, Fraction]:
    """The best mean of single re-rolls, each tried on every die with every face, and the fewest in the mean."""
    found = [(Fraction(value(sum((lie.face for lie in lies), Bag()))), Fraction(0))]
    for place, lie in enumerate(lies if left else []):
        if lie.free:
            after = [
                singly([*lies[:place], lie._replace(face=face), *lies[place + 1 :]], value, left - 1)
                for face in lie.die.faces
            ]
            found.append((mean(worth for worth, _ in after), -1 - mean(n for _, n in after)))
    worth, n = max(found)
    return worth, -n


def thrown(free: list[Die], fixed: list[Die]) -> list[list[Lying]]:
    """Every way in which these dice can lie, those of `fixed` never rolled again."""
    sides = [[Lying(die, face, place < len(free)) for face in die.faces] for place, die in enumerate([*free, *fixed])]
    return [list(lies) for lies in product(*sides)]


GOALS = st.one_of(
    st.dictionaries(st.sampled_from(ODD_AXES.names), st.integers(-1, 3), min_size=1, max_size=2).map(
        lambda least: at_least(**least)
    ),
    st.sampled_from(ODD_AXES.names).map(fewest),
    st.dictionaries(
        st.sampled_from(ODD_AXES.names), st.fractions(-3, 3, max_denominator=4), min_size=1, max_size=3
    ).map(weighted),
    st.sampled_from(
        [
            Goal(("height", "width"), lambda height, width: height * width, "area"),
            Goal(("star",), lambda star: Fraction(1, 1 + abs(star)), "rare", lowest=True),
        ]
    ),
)


@settings(max_examples=tries(150), deadline=None)
@given(st.lists(ODD_DICE, max_size=4), st.data(), GOALS, st.none() | st.integers(0, 3))
def test_the_best_of_dice_that_lie_is_that_of_every_choice_tried(
    dice: list[Die], data: st.DataObject, goal: Goal, most: int | None
) -> None:
    """Whatever the dice, the goal and the limit: the worth is the highest there is, reached with the fewest dice."""
    lies = [Lying(die, data.draw(st.sampled_from(die.faces)), data.draw(st.booleans())) for die in dice]
    value, sign = value_of(goal, ODD_AXES), -1 if goal.lowest else 1
    worth, n = at_once(lies, value, len(lies) if most is None else most)
    choice = best(lies, ODD_AXES, goal, most=most)
    assert sign * value(sum((lie.face for lie in lies), Bag())) == choice.before
    assert sign * worth == choice.after
    assert n == len(choice.again) == choice.joint.mean("rerolled")
    assert all(lies[place].free for place in choice.again)
    # The joint odds are those of the dice named, rolled beside those that stay.
    names = choice.joint.axes[:-1]
    stay = ODD_AXES.net(sum((lie.face for place, lie in enumerate(lies) if place not in choice.again), Bag()))
    rolled = odds([lies[place].die for place in choice.again], ODD_AXES).on(*names)
    shifted = rolled.map(choice.joint.axes, lambda *row: (*(a + stay[b] for a, b in zip(row, names, strict=True)), n))
    assert shifted == choice.joint


@settings(max_examples=tries(80), deadline=None)
@given(st.lists(ODD_DICE, max_size=2), st.data(), GOALS, st.integers(0, 3))
def test_the_best_single_re_rolls_are_those_of_every_choice_tried(
    dice: list[Die], data: st.DataObject, goal: Goal, most: int
) -> None:
    """Points spent one by one are worth the most there is, with the fewest spent in the mean, and follow each other."""
    lies = [Lying(die, data.draw(st.sampled_from(die.faces)), data.draw(st.booleans())) for die in dice]
    worth, n = singly(lies, value_of(goal, ODD_AXES), most)
    choice = best(lies, ODD_AXES, goal, most=most, singly=True)
    assert (-worth if goal.lowest else worth) == choice.after
    assert n == choice.joint.mean("rerolled")
    assert len(choice.again) <= 1
    for place in choice.again:
        parts = []
        for face in lies[place].die.faces:
            then = [*lies[:place], lies[place]._replace(face=face), *lies[place + 1 :]]
            later = best(then, ODD_AXES, goal, most=most - 1, singly=True).joint
            parts.append((later.map(later.axes, lambda *row: (*row[:-1], row[-1] + 1)), 1))
        assert Distribution.mixture(parts) == choice.joint


@settings(max_examples=tries(60), deadline=None)
@given(st.lists(ODD_DICE, max_size=2), st.lists(ODD_DICE, max_size=1), GOALS, st.integers(0, 2), st.booleans())
def test_a_plan_is_the_best_choice_on_every_throw(
    free: list[Die], fixed: list[Die], goal: Goal, most: int, one_by_one: bool
) -> None:
    """Before the roll, worth and joint odds are those of choosing on each of the ways in which the dice can lie."""
    throws = thrown(free, fixed)
    tried = [(singly if one_by_one else at_once)(lies, value_of(goal, ODD_AXES), most)[0] for lies in throws]
    plan = planned(free, ODD_AXES, goal, fixed=fixed, most=most, singly=one_by_one)
    assert (-1 if goal.lowest else 1) * mean(tried) == plan.after
    choices = [best(lies, ODD_AXES, goal, most=most, singly=one_by_one) for lies in throws]
    assert mean(choice.before for choice in choices) == plan.before
    assert Distribution.mixture((choice.joint, 1) for choice in choices) == plan.joint


@pytest.mark.slow
@pytest.mark.parametrize("goal", [at_least(success=1), at_least(success=1, advantage=1), fewest("despair")])
def test_symbol_dice_agree_with_every_choice_tried(goal: Goal) -> None:
    """A check against difficulty: any of the roller's own dice again, whatever the other dice show."""
    free, fixed = [ABILITY, PROFICIENCY], [DIFFICULTY]
    for most in (1, 2):
        tried = [at_once(lies, value_of(goal, NARRATIVE), most)[0] for lies in thrown(free, fixed)]
        assert abs(mean(tried)) == planned(free, NARRATIVE, goal, fixed=fixed, most=most).after


def test_five_d20_agree_with_every_choice_tried() -> None:
    """A rolled 5d20: each of the 32 choices on each of up to 3.2 million combinations of faces."""
    steps = [TWOD20.net(face)["successes"] for face in D20.faces]
    chance = random.Random(5)
    for wanted in (4, 6):
        shown = [chance.choice(range(20)) for _ in range(5)]
        found = []
        for n in range(6):
            for again in combinations(range(5), n):
                sums = [sum(steps[face] for place, face in enumerate(shown) if place not in again)]
                for _ in again:
                    sums = [so_far + step for so_far in sums for step in steps]
                found.append((Fraction(sum(so_far >= wanted for so_far in sums), len(sums)), -n))
        choice = best([(D20, D20.faces[face]) for face in shown], TWOD20, at_least(successes=wanted))
        assert max(found) == (choice.after, -len(choice.again))


@pytest.mark.parametrize("goal", [at_least(successes=3), fewest("complications"), at_least(successes=2)])
def test_d20_before_the_roll_agree_with_every_choice_tried(goal: Goal) -> None:
    """Two d20 bound to a target, one or both of them again after each of the 400 throws."""
    tally = Counter(D20.faces)
    value = value_of(goal, TWOD20)
    for most in (1, 2):
        tried = Fraction(0)
        for (first, ways), (second, others) in product(tally.items(), repeat=2):
            tried += ways * others * at_once([Lying(D20, first), Lying(D20, second)], value, most)[0]
        assert abs(tried / 400) == planned({D20: 2}, TWOD20, goal, most=most).after


@pytest.mark.parametrize("crisis", [0, 1])
def test_points_one_by_one_agree_with_every_choice_tried(crisis: int) -> None:
    """Two ten-sided dice and up to two points, each spent once the last die lies."""
    free, fixed = [D10] * (2 - crisis), [CRISIS] * crisis
    value = value_of(at_least(successes=2), c2d10.AXES)
    for points in (1, 2):
        tried = [singly(lies, value, points)[0] for lies in thrown(free, fixed)]
        plan = planned(free, c2d10.AXES, at_least(successes=2), fixed=fixed, most=points, singly=True)
        assert mean(tried) == plan.after


@pytest.mark.parametrize("dc", range(1, 7))
@pytest.mark.parametrize("points", [1, 3])
@pytest.mark.parametrize("n", range(1, 6))
def test_points_on_dice_without_success_are_best_while_there_are_such_dice(n: int, points: int, dc: int) -> None:
    """The fixed way of the game, points on dice with no success, is the best as long as one die for each is rolled.

    With fewer dice than successes wanted it can be beaten: a die that shows one success may have to show two.
    """
    fixed_way = c2d10.rolled_again(Bag(d10=n), dc, points)
    plan = planned({D10: n}, c2d10.AXES, at_least(successes=dc), most=points, singly=True)
    assert c2d10.distribution(Bag(d10=n)).p(successes=ge(dc)) == plan.before
    assert fixed_way.p(successes=ge(dc)) <= plan.after
    if n >= dc:
        assert fixed_way.p(successes=ge(dc)) == plan.after
        assert plan.joint.mean("rerolled") <= fixed_way.mean("spent")
    elif dc <= 2 * n:
        assert fixed_way.p(successes=ge(dc)) < plan.after


@pytest.mark.parametrize("dice", range(1, 6))
def test_failed_dice_again_are_best_where_one_success_is_enough(dice: int) -> None:
    """The fixed way of a failed test, all dice without a success again, is the best at difficulty 1, odds and all."""
    fixed_way = of_test(Numbers(dice, 12, 6), 1, again=True)
    plan = planned({D20: dice}, TWOD20, at_least(successes=1), on=["complications"])
    assert fixed_way == plan.joint.on("successes", "complications")


def test_failed_dice_again_are_not_always_best() -> None:
    """At difficulty 2 with a wide focus, a lone success is better rolled again too: it may come to two."""
    wide = bound("d20", 10, 9)
    lies = [(wide, wide.face(10)), (wide, wide.face(15))]
    choice = best(lies, TWOD20, at_least(successes=2))
    assert ((0, 1), Fraction(7, 10)) == (choice.again, choice.after)
    assert Fraction(1, 2) == odds({wide: 1}, TWOD20).p(successes=ge(1))
    fixed_way = of_test(Numbers(2, 10, 9), 2, again=True).p(successes=ge(2))
    assert fixed_way < planned({wide: 2}, TWOD20, at_least(successes=2)).after


def test_what_is_certain_or_hopeless_is_left_alone() -> None:
    """No die is rolled again for a goal that is reached, or that cannot be."""
    lies = [(D20, D20.face(1)), (D20, D20.face(15))]
    for wanted in (2, 5):
        assert () == best(lies, TWOD20, at_least(successes=wanted)).again
        assert () == best(lies, TWOD20, at_least(successes=wanted), most=3, singly=True).again
    assert () == best([], TWOD20, at_least(successes=1)).again


def test_dice_alike_to_the_goal_are_taken_lowest_rows_first() -> None:
    """A blank die goes before a complication when only successes count, and after it where complications do."""
    lies = [(D20, D20.face(20)), (D20, D20.face(15))]
    assert (1,) == best(lies, TWOD20, at_least(successes=1), most=1).again

    def both(successes: int, complications: int) -> Fraction:
        return (successes >= 1) - Fraction(complications, 100)

    assert (0,) == best(lies, TWOD20, both, most=1).again


def test_a_function_names_the_axes_that_it_looks_at() -> None:
    """A plain function is a goal; its joint odds are on its axes first, then on those asked for."""
    plan = planned({D20: 2}, TWOD20, lambda complications: -complications, on=["successes"])
    assert ("complications", "successes", "rerolled") == plan.joint.axes
    assert -plan.after == planned({D20: 2}, TWOD20, fewest("complications")).after


def test_the_same_question_is_decided_once() -> None:
    """Dice of equal odds and an equal goal share what was decided about them."""
    calls = []

    def wanted(successes: int) -> int:
        calls.append(successes)
        return min(successes, 3)

    for _ in range(3):
        best([(D20, D20.face(15))] * 3, TWOD20, wanted, on=())
        best([(bound("twin", 12, 6), D20.face(20))] * 3, TWOD20, wanted, on=())
    # Each decision is told in full, which asks for the number of each row that comes up, and of where the dice lie.
    assert set(range(7)) == set(calls)


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a policy keeps is dropped between two questions once it is too much."""
    monkeypatch.setattr(policies, "MOST_KEPT", 3)
    goal = at_least(successes=2)
    expected = planned({D20: 3}, TWOD20, goal)
    assert expected == planned({D20: 3}, TWOD20, goal)
    assert best([(D20, D20.face(15))] * 2, TWOD20, goal).again == (0, 1)


def test_too_much_is_refused_before_any_of_it() -> None:
    """Too many dice, too many points and too many steps are refused with the limit in the sentence."""

    def never(*row: int) -> int:
        raise AssertionError("asked for a number")

    goal = Goal(("success", "advantage"), never, "never")
    dice = {ABILITY: 5, PROFICIENCY: 5, BOOST: 5, CHALLENGE: 5}
    with pytest.raises(TooManyDice, match=f"{MOST_STEPS:,} steps"):
        planned(dice, NARRATIVE, goal)
    with pytest.raises(TooManyDice, match=f"{MOST_STEPS:,} steps"):
        planned(dice, NARRATIVE, goal, most=3, singly=True)
    with pytest.raises(TooManyDice, match=f"{MOST_STEPS:,} steps"):
        best([(die, face) for die in dice for face in die.faces], NARRATIVE, goal)
    with pytest.raises(TooManyDice, match=f"at most {MOST_DICE}"):
        planned({ABILITY: 10**12}, NARRATIVE, goal)
    with pytest.raises(TooManyDice, match=f"at most {MOST_DICE}"):
        best([(ABILITY, Bag())] * (MOST_DICE + 1), NARRATIVE, goal)
    with pytest.raises(TooManyDice, match=f"at most {MOST_SINGLY}"):
        planned({ABILITY: 1}, NARRATIVE, goal, most=MOST_SINGLY + 1, singly=True)


def test_what_makes_no_sense_is_refused() -> None:
    """A face from another die, an axis that is not there, no or negative numbers of re-rolls: one sentence each."""
    goal = at_least(successes=1)
    with pytest.raises(ValueError, match=r"No face of a d20 die is \{'hope': 1\}; give one of its faces"):
        best([(D20, Bag(hope=1))], TWOD20, goal)
    with pytest.raises(UnknownAxis, match="no axis 'luck' here; ask about successes"):
        best([(D20, D20.face(1))], TWOD20, at_least(luck=1))
    with pytest.raises(UnknownAxis, match="no axis 'luck'"):
        planned({D20: 1}, TWOD20, goal, on=["luck"])
    with pytest.raises(ValueError, match="Single re-rolls need a number"):
        planned({D20: 1}, TWOD20, goal, singly=True)
    with pytest.raises(ValueError, match="again -1 times"):
        planned({D20: 1}, TWOD20, goal, most=-1)
    with pytest.raises(ValueError, match="cannot hold -1 d20 dice"):
        planned({D20: -1}, TWOD20, goal)
