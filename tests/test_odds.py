"""Exact odds: agreement with counting every roll, what holds for every pool, and what is
refused.
"""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import random
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from itertools import product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

import storypool.odds
from storypool.engine.bag import Bag
from storypool.engine.dice import Axes, Die
from storypool.odds import (
    MAX_DICE,
    MAX_FACES,
    MAX_RESULTS,
    Distribution,
    TooManyDice,
    UnknownAxis,
    allowing,
    between,
    eq,
    ge,
    le,
    odds,
)
from storypool.odds.packing import Packed, Packing, field_width, unpacked
from storypool.odds.polynomial import Polynomial
from storypool.odds.pool import Line, Pool
from storypool.odds.rollable import Reading
from storypool.systems.starwars.dice import AXES, DICE

BY_NAME = {die.name: die for die in DICE}

# Opposites, a symbol that counts on two axes, one that owns its axis, one that moves by more than
# one, and a blank.
ODD_AXES = Axes(
    {
        "up": Bag(height=1),
        "down": Bag(height=-1),
        "side": Bag(width=1),
        "leap": Bag(height=2, width=-3),
        "star": Bag(height=1, star=1),
        "moon": Bag(moon=2),
        "none": Bag(),
    },
    {},
)
FACES = st.dictionaries(st.sampled_from(sorted(ODD_AXES.moves)), st.integers(1, 2), max_size=2).map(
    Bag
)
ODD_DICE = st.builds(Die, st.just("odd"), st.lists(FACES, min_size=1, max_size=5).map(tuple))
POOLS = st.lists(ODD_DICE, max_size=3).flatmap(
    lambda kinds: st.tuples(
        st.just(kinds), st.lists(st.integers(0, 2), min_size=len(kinds), max_size=len(kinds))
    )
)


def counted(dice: list[Die], axes: Axes) -> dict[tuple[int, ...], Fraction]:
    """The odds of each row by rolling every combination of faces once."""
    tally: Counter[tuple[int, ...]] = Counter()
    for faces in product(*(die.faces for die in dice)):
        net = axes.net(sum(faces, Bag()))
        tally[tuple(net[axis] for axis in axes.names)] += 1
    return {row: Fraction(n, tally.total()) for row, n in sorted(tally.items())}


def _always(place: int, n: int) -> int:
    return place


def narrative(**pool: int) -> Distribution:
    """The odds of a pool of the game's dice, by their names."""
    return odds({BY_NAME[name]: n for name, n in pool.items()}, AXES)


@pytest.mark.parametrize(
    "name", ["", *(module.name for module in pkgutil.iter_modules(storypool.odds.__path__))]
)
def test_the_examples_in_the_docstrings_are_true(name: str) -> None:
    """Every example in the documentation of the package gives what it says."""
    module = importlib.import_module(".".join(filter(None, ("storypool.odds", name))))
    assert doctest.testmod(module).failed == 0


@given(POOLS)
def test_any_dice_agree_with_counting_every_roll(pool: tuple[list[Die], list[int]]) -> None:
    """Whatever the faces and the axes, the joint odds are those found by rolling every
    combination.
    """
    dice = [die for die, n in zip(*pool, strict=True) for _ in range(n)]
    assert counted(dice, ODD_AXES) == dict(odds(dice, ODD_AXES).joint())


@pytest.mark.parametrize("seed", range(150))
def test_pools_of_the_game_agree_with_counting_every_roll(seed: int) -> None:
    """Pools of all seven dice, Force dice among the others too, have the odds found by rolling
    every combination.
    """
    dice = random.Random(seed).choices(DICE, k=seed % 4)
    joint = odds(dice, AXES)
    assert counted(dice, AXES) == dict(joint.joint())


@given(POOLS, st.permutations(ODD_AXES.names), st.integers(0, 4), st.data())
def test_some_axes_are_seen_as_the_whole_has_them(
    pool: tuple[list[Die], list[int]], names: list[str], n: int, data: st.DataObject
) -> None:
    """Odds on some axes are the sums over the others, though they are counted without those."""
    d = odds(list(zip(*pool, strict=True)), ODD_AXES)
    whole = Distribution.from_outcomes(d.axes, d.counts)
    chosen = names[:n]
    assert whole.on(*chosen) == d.on(*chosen)
    for axis in chosen:
        edge = data.draw(st.integers(-9, 9))
        for condition in (
            ge(edge),
            le(edge),
            eq(edge),
            between(edge, edge + 2),
            between(edge + 1, edge),
        ):
            expected = sum(
                share for (value,), share in whole.on(axis).joint() if condition.holds(value)
            )
            assert expected == d.p(**{axis: condition})
            assert expected * d.total == d.count(**{axis: condition})


@given(st.lists(st.sampled_from(DICE), max_size=12), st.randoms(use_true_random=False))
def test_the_order_and_the_form_of_a_pool_do_not_matter(
    dice: list[Die], randoms: random.Random
) -> None:
    """A pool is the same object however it is listed: one by one in any order, in pairs, or
    counted.
    """
    d = odds(dice, AXES)
    shuffled = randoms.sample(dice, k=len(dice))
    assert d is odds(shuffled, AXES)
    assert d is odds(Counter(shuffled), AXES)
    assert d is odds([(die, 1) for die in shuffled], AXES)


@given(st.lists(st.sampled_from(DICE), max_size=4), st.lists(st.sampled_from(DICE), max_size=4))
def test_two_pools_rolled_together_add(mine: list[Die], theirs: list[Die]) -> None:
    """Means and variances of a pool are the sums of those of its parts, and the parts add up to the
    pool.
    """
    both, first, second = (odds(dice, AXES) for dice in (mine + theirs, mine, theirs))
    assert both == first + second
    for axis in AXES.names:
        assert first.mean(axis) + second.mean(axis) == both.mean(axis)
        assert first.variance(axis) + second.variance(axis) == both.variance(axis)


def test_adding_counted_rows_is_adding_dice() -> None:
    """Distributions without dice add to the same odds as the pools they were counted from."""
    mine, theirs = narrative(ability=2, proficiency=1), narrative(challenge=1)
    added = Distribution.from_outcomes(mine.axes, mine.counts) + Distribution.from_outcomes(
        theirs.axes, theirs.counts
    )
    assert narrative(ability=2, proficiency=1, challenge=1) == added


def test_equal_faces_are_one_kind_of_die() -> None:
    """Dice with other names and the same faces give the same distribution, and dice differ by what
    they show only.
    """
    twin = Die("twin", BY_NAME["ability"].faces)
    assert narrative(ability=2) is odds([twin, BY_NAME["ability"]], AXES)
    assert narrative(ability=2) != narrative(ability=1)
    assert hash(narrative(ability=2)) == hash(
        Distribution.from_outcomes(AXES.names, narrative(ability=2).counts)
    )


def test_equality_is_about_odds_and_not_about_how_many_ways_they_are_counted_in() -> None:
    """A coin with one head in two faces equals one with two in four, and a share is as good as a
    count.
    """
    coin = Distribution.from_outcomes(["heads"], {(0,): 2, (1,): 2})
    assert coin == Distribution.from_outcomes(
        ["heads"], {(0,): Fraction(1, 2), (1,): Fraction(1, 2), (2,): 0}
    )
    assert coin != Distribution.from_outcomes(["tails"], coin.counts)
    assert coin != coin.counts


def test_the_empty_pool_shows_nothing_for_sure() -> None:
    """No dice leave every axis at zero, with certainty; so do dice that are all blank."""
    nothing = odds([], AXES)
    assert {(0,) * 6: 1} == nothing.counts
    assert nothing == odds({Die("blank", (Bag(),) * 4): 3}, AXES)


@pytest.mark.slow
def test_a_large_pool_is_exact() -> None:
    """Fields above 64 bits, many slices and weights: the joint of forty dice adds up, and agrees
    with its marginals.
    """
    d = narrative(proficiency=10, boost=10, challenge=10, setback=10)
    tally: Counter[int] = Counter()
    for (success, _, _, _, _, _), count in d.counts.items():
        tally[success] += count
    assert d.total == tally.total()
    assert {(n,): Fraction(count, d.total) for n, count in sorted(tally.items())} == dict(
        d.on("success").joint()
    )
    assert d.p(triumph=10, despair=10) == Fraction(1, 12**20)


def test_fields_of_every_width_are_read_back() -> None:
    """What is packed into fields of a width comes out again, words of a machine and several of them
    alike.
    """
    for most in (1, 2**8 - 1, 2**8, 2**16, 2**32, 2**64 - 1, 2**64, 2**200):
        width = field_width(most)
        numbers = [most, 0, 1, most // 2 + 1]
        assert most < 2**width
        assert numbers == unpacked(
            sum(n << place * width for place, n in enumerate(numbers)), width
        )


@pytest.mark.parametrize("seed", range(40))
def test_multiplying_by_dice_and_by_their_terms_is_the_same(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pools on both sides of the limit between the two ways have the same rows either way."""
    numbers = random.Random(seed).choices(range(4), k=len(DICE))
    kinds = Reading(AXES)
    dice = {
        kinds.read(die)[0]: n
        for die, n in zip(DICE, numbers, strict=True)
        if n and die.name != "force"
    }
    if dice:
        layout = Packing(len(AXES.names), frozenset(dice))
        found = []
        for limit in (0, 10**9):
            monkeypatch.setattr("storypool.odds.packing.DENSE_MULTIPLY_BITS", limit)
            found.append(sorted(layout.pack(dice).rows()))
        assert found[0] == found[1]
        assert prod(kind.total**n for kind, n in dice.items()) == sum(
            count for _, count in found[0]
        )


def test_layouts_that_are_kept_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many lengths of a row small pools have, only so many layouts are kept, and the odds
    stay right.
    """
    monkeypatch.setattr("storypool.odds.packing.MAX_LAYOUTS", 2)
    kinds = Reading(AXES)
    boost, setback = (kinds.read(BY_NAME[name])[0] for name in ("boost", "setback"))
    layout = Packing(len(AXES.names), frozenset([boost, setback]))
    for n in (1, 2, 3, 4, 1):
        assert narrative(boost=n, setback=n).counts == dict(
            sorted(layout.pack({boost: n, setback: n}).rows())
        )
        assert 1 <= layout.layouts <= 2


def test_what_is_asked_of_several_axes_is_the_same_in_every_form() -> None:
    """A question as conditions, as a function, and as a mixture of both has one answer; counts are
    over the total.
    """
    d = narrative(ability=2, proficiency=1, difficulty=2)
    wanted = d.p(success=ge(1), advantage=ge(1))
    assert wanted == d.p(lambda success, advantage: success >= 1 and advantage >= 1)
    assert wanted == d.p(lambda advantage: advantage > 0, success=lambda n: n > 0)
    assert wanted * d.total == d.count(success=ge(1), advantage=ge(1))
    assert d.given(success=ge(1)).p(advantage=ge(1)) == wanted / d.p(success=ge(1))


def test_the_curve_and_the_quantiles_follow_the_odds() -> None:
    """`at_least` gives the odds of each number or more, and a quantile is the first number that
    reaches the share.
    """
    d = narrative(ability=2, difficulty=1)
    curve = d.at_least("success")
    assert {n: d.p(success=ge(n)) for n in range(-2, 5)} == curve
    assert d.quantile("success", d.p(success=le(0))) == 0
    assert d.quantile("success", d.p(success=le(0)) + Fraction(1, 10**9)) == 1
    assert d.quantile("success", 1) == 4
    with pytest.raises(ValueError, match="above 0 and at most 1, not 0"):
        d.quantile("success", 0)


def test_two_rolls_are_compared_as_independent() -> None:
    """Less, equal and greater are those of every pair of rolls, and add up to 1."""
    mine, theirs = narrative(ability=2), narrative(ability=1)
    pairs = list(product(mine.on("success").joint(), theirs.on("success").joint()))
    compared = mine.compare(theirs, "success")
    assert sum(p * q for (a, p), (b, q) in pairs if a > b) == compared.greater
    assert sum(p * q for (a, p), (b, q) in pairs if a == b) == compared.equal
    assert sum(compared) == 1


def test_what_follows_a_result_is_weighted_by_its_odds() -> None:
    """A die that is rolled once more when it shows a blank has the odds of both rolls put
    together.
    """
    once = narrative(boost=1).on("success", "advantage")
    sure = {row: Distribution.from_outcomes(once.axes, {row: 1}) for row in once.counts}
    again = once.then(lambda *row: once if row == (0, 0) else sure[row])
    assert once.p(success=1) * (1 + once.p(success=0, advantage=0)) == again.p(success=1)


def test_a_sample_has_the_odds_of_the_distribution() -> None:
    """Going through every number that `randbelow` may give draws each row as often as its count."""
    d = narrative(ability=1, setback=1)
    drawn = Counter(d.sample(partial(_always, place)) for place in range(d.total))
    assert d.counts == drawn
    with pytest.raises(ValueError, match="not below"):
        d.sample(lambda n: n)


def test_a_question_about_an_axis_that_is_not_there_names_those_that_are() -> None:
    """Every way of asking refuses an unknown axis with the axes there are."""
    d = narrative(ability=1).on("success", "advantage")
    for ask in (
        lambda: d.p(succes=ge(1)),
        lambda: d.p(lambda threat: threat > 0),
        lambda: d.given(threat=0),
        lambda: d.mean("threat"),
        lambda: d.mean(lambda threat: threat),
        lambda: d.variance("threat"),
        lambda: d.quantile("threat", 0.5),
        lambda: d.at_least("threat"),
        lambda: d.on("success", "threat"),
        lambda: d.compare(d, "threat"),
        lambda: d.map(["x"], lambda threat: (threat,)),
        lambda: d.then(lambda threat: d),
    ):
        with pytest.raises(
            UnknownAxis, match=r"There is no axis '.*' here; ask about success, advantage"
        ):
            ask()


def test_what_cannot_be_a_distribution_is_refused() -> None:
    """Rows that do not fit, weights below zero, nothing at all, other axes, and impossible
    conditions are refused.
    """
    coin = Distribution.from_outcomes(["heads"], {(0,): 1, (1,): 1})
    with pytest.raises(ValueError, match="give 1 number"):
        Distribution.from_outcomes(["heads"], {(0, 1): 1})
    with pytest.raises(ValueError, match="weight of 0 or more"):
        Distribution.from_outcomes(["heads"], {(0,): -1})
    with pytest.raises(ValueError, match="Nothing can come up"):
        Distribution.from_outcomes(["heads"], {(0,): 0})
    with pytest.raises(ValueError, match="Nothing can come up"):
        Distribution.mixture([])
    with pytest.raises(ValueError, match="same axes"):
        Distribution.mixture([(coin, 1), (narrative(ability=1), 1)])
    with pytest.raises(ValueError, match="same axes add"):
        coin + narrative(ability=1)
    with pytest.raises(ValueError, match="never comes up"):
        coin.given(heads=2)


def test_dice_that_cannot_be_read_are_refused() -> None:
    """A symbol on no axis, a die without faces or with too many, and a number below zero each give
    one sentence.
    """
    with pytest.raises(
        ValueError, match="A bad die shows 'hope', which moves no axis; known are success"
    ):
        odds([Die("bad", (Bag(hope=1),))], AXES)
    with pytest.raises(ValueError, match=f"give it 1 to {MAX_FACES}"):
        odds([Die("bad", ())], AXES)
    with pytest.raises(ValueError, match=f"give it 1 to {MAX_FACES}"):
        odds([Die("bad", (Bag(),) * (MAX_FACES + 1))], AXES)
    with pytest.raises(ValueError, match="cannot hold -1 boost dice"):
        narrative(boost=-1)


def test_a_pool_beyond_the_limits_is_refused_with_the_limit() -> None:
    """Too many dice are refused at once; too many results when they are asked for, and fewer axes
    can still be.
    """
    with pytest.raises(TooManyDice, match=f"at most {MAX_DICE}"):
        narrative(boost=10**12)
    large = narrative(proficiency=25, boost=25, challenge=25, setback=25)
    with pytest.raises(TooManyDice, match=f"{MAX_RESULTS:,}"):
        large.joint()
    assert large.p(triumph=0) == Fraction(11, 12) ** 25
    assert 0 < large.p(success=ge(1)) < 1


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """What is multiplied from here on: how often dice are packed, and how often they are put on one
    axis.
    """
    done: Counter[str] = Counter()

    def counted_pack(packing: Packing, dice: Mapping[Polynomial, int]) -> Packed:
        done["pack"] += 1
        return pack(packing, dice)

    def counted_along(pool: Pool, axis: int) -> Line:
        done["along"] += 1
        return along(pool, axis)

    pack, along = Packing.pack, Pool.along
    monkeypatch.setattr(Packing, "pack", counted_pack)
    monkeypatch.setattr(Pool, "along", counted_along)
    return done


@pytest.mark.parametrize(
    "n", [MAX_DICE + 1, 10**9, 10**12, 10**5000], ids=["101", "10**9", "10**12", "10**5000"]
)
def test_too_many_dice_are_refused_before_anything_is_multiplied(
    n: int, work: Counter[str]
) -> None:
    """However large the number, nothing is computed for it, and the sentence has the limit and can
    be read.
    """
    with pytest.raises(TooManyDice, match=f"at most {MAX_DICE}") as refused:
        narrative(boost=n)
    with pytest.raises(ValueError, match="give 0 or more") as negative:
        narrative(boost=-n)
    assert not work
    assert len(str(refused.value)) < 100
    assert len(str(negative.value)) < 100


@pytest.mark.slow
def test_thousands_of_kinds_are_refused_before_anything_is_multiplied(work: Counter[str]) -> None:
    """A pool with one die each of more kinds than it may have dice is refused as too many dice, and
    no more is done.
    """
    kinds = [Die(f"d{n}", (Bag(), Bag(success=n))) for n in range(1, 5001)]
    with pytest.raises(
        TooManyDice, match=f"5000 dice are too many for exact odds; take at most {MAX_DICE}"
    ):
        odds(kinds, AXES)
    assert not work


def test_too_many_results_are_refused_before_anything_is_multiplied(work: Counter[str]) -> None:
    """How many results there may be is found from the dice alone."""
    large = narrative(proficiency=25, boost=25, challenge=24, setback=25)
    for ask in (lambda: large.counts, large.joint, lambda: large.p(lambda *row: sum(row) > 3)):
        with pytest.raises(TooManyDice, match=f"at most {MAX_RESULTS:,}"):
            ask()
    assert not work


def test_what_costs_more_than_is_allowed_is_refused_before_anything_is_multiplied(
    work: Counter[str],
) -> None:
    """An allowance is spent by what each count costs; what it is too little for is not started."""
    one, other = (
        narrative(ability=3, challenge=2, boost=1),
        narrative(ability=2, challenge=3, boost=1),
    )
    with allowing(one.cost + other.cost - 1):
        assert one.counts
        with pytest.raises(TooManyDice, match=r"and at most 0\.00 are left for them"):
            other.joint()
        assert work == {"pack": 1}
        assert one.joint()
        assert other.on("success").counts
    with allowing(0), pytest.raises(TooManyDice):
        other.p(lambda success, triumph: success > triumph)
    assert work["pack"] == 1
    assert other.counts


def test_an_allowance_ends_where_it_was_given() -> None:
    """One within another is apart from it, and behind both everything is counted again."""
    dice = narrative(ability=1, challenge=4, boost=1)
    with allowing(0):
        with allowing(dice.cost):
            assert dice.on("success", "triumph").counts
        with pytest.raises(TooManyDice):
            dice.joint()
    assert dice.joint()


def test_what_a_question_costs_is_known_before_anything_is_multiplied(work: Counter[str]) -> None:
    """The cost grows with the pool, is less on fewer axes, and is nothing once the rows are
    counted.
    """
    # Pools that no other test asks about: the odds of a pool are kept with all that was worked out
    # of them.
    sizes = [narrative(ability=n, proficiency=n, challenge=n, boost=17) for n in range(1, 5)]
    costs = [d.cost for d in sizes]
    assert sorted(set(costs)) == costs
    assert all(0 < d.on("success").cost < d.on("success", "advantage").cost < d.cost for d in sizes)
    assert not work
    assert sizes[0].counts
    assert sizes[0].cost == 0
    assert work == {"pack": 1}
