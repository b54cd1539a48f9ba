"""Decisions inside a roll match every choice on every face, for dice of no game."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storypool.engine.bag import Bag
from storypool.engine.dice import Axes, Die
from storypool.odds import Distribution, TooManyDice, UnknownAxis, allowing, odds
from storypool.odds import policy as policies
from storypool.odds.allowance import SURFACES
from storypool.odds.rerolls import (
    Goal,
    RolledDie,
    at_least,
    best,
    fewest,
    planned,
    weighted,
)
from tests.brute_force_rerolls import at_once, mean, singly, thrown, value_of
from tests.test_odds import ODD_AXES, ODD_DICE

AXES = Axes({"hit": Bag(hits=1), "snag": Bag(snags=1)}, {})
STEPS = Die("steps", (*(Bag(hit=2),) * 6, *(Bag(hit=1),) * 6, *(Bag(),) * 7, Bag(snag=1)))
"""Twenty faces: six of two hits, six of one, seven blank ones, and a snag."""


GOALS = st.one_of(
    st.dictionaries(
        st.sampled_from(ODD_AXES.names), st.integers(-1, 3), min_size=1, max_size=2
    ).map(lambda least: at_least(**least)),
    st.sampled_from(ODD_AXES.names).map(fewest),
    st.dictionaries(
        st.sampled_from(ODD_AXES.names),
        st.fractions(-3, 3, max_denominator=4),
        min_size=1,
        max_size=3,
    ).map(weighted),
    st.sampled_from(
        [
            Goal(("height", "width"), lambda height, width: height * width, "area"),
            Goal(("star",), lambda star: Fraction(1, 1 + abs(star)), "rare", lowest=True),
        ]
    ),
)


@given(st.lists(ODD_DICE, max_size=4), st.data(), GOALS, st.none() | st.integers(0, 3))
def test_rerolls_of_rolled_dice_are_optimal(
    dice: list[Die], data: st.DataObject, goal: Goal, most: int | None
) -> None:
    """For any dice, goal and limit the worth is the highest, with the fewest dice."""
    on_table = [
        RolledDie(die, data.draw(st.sampled_from(die.faces)), data.draw(st.booleans()))
        for die in dice
    ]
    value, sign = value_of(goal, ODD_AXES), -1 if goal.lowest else 1
    worth, n = at_once(on_table, value, len(on_table) if most is None else most)
    choice = best(on_table, ODD_AXES, goal, most=most)
    assert sign * value(sum((lie.face for lie in on_table), Bag())) == choice.before
    assert sign * worth == choice.after
    assert n == len(choice.again) == choice.joint.mean("rerolled")
    assert all(on_table[place].free for place in choice.again)
    # The joint odds are those of the named dice, rolled next to the dice that stay.
    names = choice.joint.axes[:-1]
    stay = ODD_AXES.net(
        sum((lie.face for place, lie in enumerate(on_table) if place not in choice.again), Bag())
    )
    rolled = odds([on_table[place].die for place in choice.again], ODD_AXES).on(*names)
    shifted = rolled.map(
        choice.joint.axes, lambda *row: (*(a + stay[b] for a, b in zip(row, names, strict=True)), n)
    )
    assert shifted == choice.joint


@given(st.lists(ODD_DICE, max_size=2), st.data(), GOALS, st.integers(0, 3))
def test_single_rerolls_are_optimal(
    dice: list[Die], data: st.DataObject, goal: Goal, most: int
) -> None:
    """Points in sequence are worth the most, with the fewest spent on average."""
    on_table = [
        RolledDie(die, data.draw(st.sampled_from(die.faces)), data.draw(st.booleans()))
        for die in dice
    ]
    worth, n = singly(on_table, value_of(goal, ODD_AXES), most)
    choice = best(on_table, ODD_AXES, goal, most=most, singly=True)
    assert (-worth if goal.lowest else worth) == choice.after
    assert n == choice.joint.mean("rerolled")
    assert len(choice.again) <= 1
    for place in choice.again:
        parts = []
        for face in on_table[place].die.faces:
            then = [*on_table[:place], on_table[place]._replace(face=face), *on_table[place + 1 :]]
            later = best(then, ODD_AXES, goal, most=most - 1, singly=True).joint
            parts.append((later.map(later.axes, lambda *row: (*row[:-1], row[-1] + 1)), 1))
        assert Distribution.mixture(parts) == choice.joint


@given(
    st.lists(ODD_DICE, max_size=2),
    st.lists(ODD_DICE, max_size=1),
    GOALS,
    st.integers(0, 2),
    st.booleans(),
)
def test_plan_matches_every_throw(
    free: list[Die], fixed: list[Die], goal: Goal, most: int, one_by_one: bool
) -> None:
    """Before the roll, worth and joint odds are those of choosing on each combination."""
    throws = thrown(free, fixed)
    tried = [
        (singly if one_by_one else at_once)(on_table, value_of(goal, ODD_AXES), most)[0]
        for on_table in throws
    ]
    plan = planned(free, ODD_AXES, goal, fixed=fixed, most=most, singly=one_by_one)
    assert (-1 if goal.lowest else 1) * mean(tried) == plan.after
    choices = [best(on_table, ODD_AXES, goal, most=most, singly=one_by_one) for on_table in throws]
    assert mean(choice.before for choice in choices) == plan.before
    assert Distribution.mixture((choice.joint, 1) for choice in choices) == plan.joint


def test_certain_or_hopeless_goal_rolls_nothing() -> None:
    """A reached or unreachable goal re-rolls no die."""
    on_table = [(STEPS, STEPS.face(1)), (STEPS, STEPS.face(15))]
    for wanted in (2, 5):
        assert () == best(on_table, AXES, at_least(hits=wanted)).again
        assert () == best(on_table, AXES, at_least(hits=wanted), most=3, singly=True).again
    assert () == best([], AXES, at_least(hits=1)).again


def test_equal_dice_use_the_lowest_rows_first() -> None:
    """A blank die precedes a snag if only hits count, and follows it if snags do."""
    on_table = [(STEPS, STEPS.face(20)), (STEPS, STEPS.face(15))]
    assert (1,) == best(on_table, AXES, at_least(hits=1), most=1).again

    def both(hits: int, snags: int) -> Fraction:
        return (hits >= 1) - Fraction(snags, 100)

    assert (0,) == best(on_table, AXES, both, most=1).again


def test_function_names_its_axes() -> None:
    """A plain function is a goal; its joint odds have its axes first, then the requested."""
    plan = planned({STEPS: 2}, AXES, lambda snags: -snags, on=["hits"])
    assert ("snags", "hits", "rerolled") == plan.joint.axes
    assert -plan.after == planned({STEPS: 2}, AXES, fewest("snags")).after


def test_equal_question_is_decided_once() -> None:
    """Dice of equal odds with an equal goal share their decisions."""
    calls = []

    def wanted(hits: int) -> int:
        calls.append(hits)
        return min(hits, 3)

    for _ in range(3):
        best([(STEPS, STEPS.face(15))] * 3, AXES, wanted, on=())
        best([(Die("twin", STEPS.faces), STEPS.face(20))] * 3, AXES, wanted, on=())
    # Each decision is described in full: the number of each row that comes up, and the face of each
    # die.
    assert set(range(7)) == set(calls)


def test_policy_cache_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is cleared between two questions once it is too large."""
    monkeypatch.setattr(policies, "MAX_KEPT", 3)
    goal = at_least(hits=2)
    expected = planned({STEPS: 3}, AXES, goal)
    assert expected == planned({STEPS: 3}, AXES, goal)
    assert best([(STEPS, STEPS.face(15))] * 2, AXES, goal).again == (0, 1)


def test_reroll_limits_are_refused_early() -> None:
    """Too many dice, points or steps are refused with the limit in the sentence."""

    def never(*row: int) -> int:
        raise AssertionError("asked for a number")

    goal = Goal(("height", "width"), never, "never")
    kinds = (
        ("up", "side", "leap"),
        ("down", "side"),
        ("star", "up", "down"),
        ("leap", "star", "side"),
    )
    dice = {
        Die(f"{n}", tuple(Bag({s: k}) for s in kind for k in (1, 2))): 5
        for n, kind in enumerate(kinds)
    }
    odd = next(iter(dice))
    with allowing(SURFACES):
        with pytest.raises(TooManyDice, match="1,000,000 steps"):
            planned(dice, ODD_AXES, goal)
        with pytest.raises(TooManyDice, match="1,000,000 steps"):
            planned(dice, ODD_AXES, goal, most=3, singly=True)
        with pytest.raises(TooManyDice, match="1,000,000 steps"):
            best([(die, face) for die in dice for face in die.faces], ODD_AXES, goal)
        with pytest.raises(TooManyDice, match="at most 100"):
            planned({odd: 10**12}, ODD_AXES, goal)
        with pytest.raises(TooManyDice, match="at most 100"):
            best([(odd, odd.faces[0])] * 101, ODD_AXES, goal)
        with pytest.raises(TooManyDice, match="at most 100"):
            planned({odd: 1}, ODD_AXES, goal, most=101, singly=True)
    assert planned({odd: 1}, ODD_AXES, at_least(height=1), most=101, singly=True).after > 0


def test_senseless_rerolls_are_refused() -> None:
    """Foreign faces, unknown axes, and no or negative re-rolls get a sentence each."""
    goal = at_least(hits=1)
    with pytest.raises(
        ValueError, match=r"No face of a steps die is \{'hope': 1\}; give one of its faces"
    ):
        best([(STEPS, Bag(hope=1))], AXES, goal)
    with pytest.raises(UnknownAxis, match="no axis 'luck' here; ask about hits"):
        best([(STEPS, STEPS.face(1))], AXES, at_least(luck=1))
    with pytest.raises(UnknownAxis, match="no axis 'luck'"):
        planned({STEPS: 1}, AXES, goal, on=["luck"])
    with pytest.raises(ValueError, match="Single re-rolls need a number"):
        planned({STEPS: 1}, AXES, goal, singly=True)
    with pytest.raises(ValueError, match="again -1 times"):
        planned({STEPS: 1}, AXES, goal, most=-1)
    with pytest.raises(ValueError, match="cannot hold -1 steps dice"):
        planned({STEPS: -1}, AXES, goal)
