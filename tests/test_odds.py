"""Exact odds: agreement with an enumeration, invariants of pools, and refusals."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import random
from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from itertools import product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

import storypool
from storypool.engine.bag import Bag
from storypool.engine.dice import Axes, Die
from storypool.odds import (
    Allowance,
    Distribution,
    Misused,
    TooManyDice,
    UnknownAxis,
    allowing,
    between,
    d,
    eq,
    ge,
    keep,
    le,
    odds,
    sets,
)
from storypool.odds.allowance import SURFACES
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
    """The odds of each row by one count of every combination of faces."""
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
    "name",
    ["", *(module.name for module in pkgutil.iter_modules([f"{storypool.__path__[0]}/odds"]))],
)
def test_docstring_examples_are_true(name: str) -> None:
    """Every example in the package's documentation gives its result."""
    module = importlib.import_module(".".join(filter(None, ("storypool.odds", name))))
    assert doctest.testmod(module).failed == 0


@given(POOLS)
def test_any_dice_match_the_enumeration(pool: tuple[list[Die], list[int]]) -> None:
    """For any faces and axes the joint odds match all combinations."""
    dice = [die for die, n in zip(*pool, strict=True) for _ in range(n)]
    assert counted(dice, ODD_AXES) == dict(odds(dice, ODD_AXES).joint())


@pytest.mark.parametrize("seed", range(150))
def test_game_pools_match_the_enumeration(seed: int) -> None:
    """Pools of all seven dice, including Force dice, match all combinations."""
    dice = random.Random(seed).choices(DICE, k=seed % 4)
    joint = odds(dice, AXES)
    assert counted(dice, AXES) == dict(joint.joint())


@given(POOLS, st.permutations(ODD_AXES.names), st.integers(0, 4), st.data())
def test_axes_are_marginals_of_the_whole(
    pool: tuple[list[Die], list[int]], names: list[str], n: int, data: st.DataObject
) -> None:
    """Odds on some axes are sums over the others, although counted without them."""
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
def test_pool_order_and_form_do_not_matter(dice: list[Die], randoms: random.Random) -> None:
    """A pool is the same object from single dice in any order, pairs or counts."""
    d = odds(dice, AXES)
    shuffled = randoms.sample(dice, k=len(dice))
    assert d is odds(shuffled, AXES)
    assert d is odds(Counter(shuffled), AXES)
    assert d is odds([(die, 1) for die in shuffled], AXES)


@given(st.lists(st.sampled_from(DICE), max_size=4), st.lists(st.sampled_from(DICE), max_size=4))
def test_two_pools_rolled_together_add(mine: list[Die], theirs: list[Die]) -> None:
    """Means and variances are sums over the parts, and the parts add up to the pool."""
    both, first, second = (odds(dice, AXES) for dice in (mine + theirs, mine, theirs))
    assert both == first + second
    for axis in AXES.names:
        assert first.mean(axis) + second.mean(axis) == both.mean(axis)
        assert first.variance(axis) + second.variance(axis) == both.variance(axis)


def test_rows_add_like_dice() -> None:
    """Distributions without dice add to the odds of their pools."""
    mine, theirs = narrative(ability=2, proficiency=1), narrative(challenge=1)
    added = Distribution.from_outcomes(mine.axes, mine.counts) + Distribution.from_outcomes(
        theirs.axes, theirs.counts
    )
    assert narrative(ability=2, proficiency=1, challenge=1) == added


def test_equal_faces_are_one_kind_of_die() -> None:
    """Equal faces with other names give one distribution: only results distinguish dice."""
    twin = Die("twin", BY_NAME["ability"].faces)
    assert narrative(ability=2) is odds([twin, BY_NAME["ability"]], AXES)
    assert narrative(ability=2) != narrative(ability=1)
    assert hash(narrative(ability=2)) == hash(
        Distribution.from_outcomes(AXES.names, narrative(ability=2).counts)
    )


def test_equality_compares_odds() -> None:
    """One head in two faces equals two in four, and a share is as good as a count."""
    coin = Distribution.from_outcomes(["heads"], {(0,): 2, (1,): 2})
    assert coin == Distribution.from_outcomes(
        ["heads"], {(0,): Fraction(1, 2), (1,): Fraction(1, 2), (2,): 0}
    )
    assert coin != Distribution.from_outcomes(["tails"], coin.counts)
    assert coin != coin.counts


def test_empty_pool_is_certainly_nothing() -> None:
    """No dice, or only blank ones, leave every axis at zero."""
    nothing = odds([], AXES)
    assert {(0,) * 6: 1} == nothing.counts
    assert nothing == odds({Die("blank", (Bag(),) * 4): 3}, AXES)


@pytest.mark.slow
def test_large_pool_is_exact() -> None:
    """A joint of forty dice with fields above 64 bits sums up and matches its marginals."""
    d = narrative(proficiency=10, boost=10, challenge=10, setback=10)
    tally: Counter[int] = Counter()
    for (success, _, _, _, _, _), count in d.counts.items():
        tally[success] += count
    assert d.total == tally.total()
    assert {(n,): Fraction(count, d.total) for n, count in sorted(tally.items())} == dict(
        d.on("success").joint()
    )
    assert d.p(triumph=10, despair=10) == Fraction(1, 12**20)


def test_packed_fields_are_read_back() -> None:
    """Fields of any width survive packing, in one machine word or several."""
    for most in (1, 2**8 - 1, 2**8, 2**16, 2**32, 2**64 - 1, 2**64, 2**200):
        width = field_width(most)
        numbers = [most, 0, 1, most // 2 + 1]
        assert most < 2**width
        assert numbers == unpacked(
            sum(n << place * width for place, n in enumerate(numbers)), width
        )


@pytest.mark.parametrize("seed", range(40))
def test_both_multiplications_agree(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pools around the limit between dice and term multiplication have equal rows."""
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


def test_layout_cache_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many row lengths occur, kept layouts are limited and odds stay right."""
    monkeypatch.setattr("storypool.odds.packing.MAX_LAYOUTS", 2)
    kinds = Reading(AXES)
    boost, setback = (kinds.read(BY_NAME[name])[0] for name in ("boost", "setback"))
    layout = Packing(len(AXES.names), frozenset([boost, setback]))
    for n in (1, 2, 3, 4, 1):
        assert narrative(boost=n, setback=n).counts == dict(
            sorted(layout.pack({boost: n, setback: n}).rows())
        )
        assert 1 <= layout.layouts <= 2


def test_question_forms_agree() -> None:
    """Conditions, a function or both have one answer; counts are relative to the total."""
    d = narrative(ability=2, proficiency=1, difficulty=2)
    wanted = d.p(success=ge(1), advantage=ge(1))
    assert wanted == d.p(lambda success, advantage: success >= 1 and advantage >= 1)
    assert wanted == d.p(lambda advantage: advantage > 0, success=lambda n: n > 0)
    assert wanted * d.total == d.count(success=ge(1), advantage=ge(1))
    assert d.given(success=ge(1)).p(advantage=ge(1)) == wanted / d.p(success=ge(1))


def test_curve_and_quantiles_match_the_odds() -> None:
    """`at_least` is each upper tail, and a quantile the first number to reach its share."""
    d = narrative(ability=2, difficulty=1)
    curve = d.at_least("success")
    assert {n: d.p(success=ge(n)) for n in range(-2, 5)} == curve
    assert d.quantile("success", d.p(success=le(0))) == 0
    assert d.quantile("success", d.p(success=le(0)) + Fraction(1, 10**9)) == 1
    assert d.quantile("success", 1) == 4
    with pytest.raises(ValueError, match="above 0 and at most 1, not 0"):
        d.quantile("success", 0)


def test_two_rolls_are_compared_as_independent() -> None:
    """Less, equal and greater count every pair of rolls, and sum to 1."""
    mine, theirs = narrative(ability=2), narrative(ability=1)
    pairs = list(product(mine.on("success").joint(), theirs.on("success").joint()))
    compared = mine.compare(theirs, "success")
    assert sum(p * q for (a, p), (b, q) in pairs if a > b) == compared.greater
    assert sum(p * q for (a, p), (b, q) in pairs if a == b) == compared.equal
    assert sum(compared) == 1


def test_following_roll_is_weighted() -> None:
    """A die re-rolled once on a blank has the combined odds."""
    once = narrative(boost=1).on("success", "advantage")
    sure = {row: Distribution.from_outcomes(once.axes, {row: 1}) for row in once.counts}
    again = once.then(lambda *row: once if row == (0, 0) else sure[row])
    assert once.p(success=1) * (1 + once.p(success=0, advantage=0)) == again.p(success=1)


def test_sample_has_the_odds() -> None:
    """All numbers of `randbelow` draw each row as often as its count."""
    d = narrative(ability=1, setback=1)
    drawn = Counter(d.sample(partial(_always, place)) for place in range(d.total))
    assert d.counts == drawn
    with pytest.raises(ValueError, match="not below"):
        d.sample(lambda n: n)


def test_unknown_axis_names_the_known_ones() -> None:
    """Every kind of question refuses it with the known axes."""
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


def test_invalid_distribution_is_refused() -> None:
    """Unfitting rows, negative weights, nothing, other axes and impossible conditions."""
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


def test_invalid_dice_are_refused() -> None:
    """Symbols without axis, dice with too few or many faces, negative counts: a sentence each."""
    with pytest.raises(
        ValueError, match="A bad die shows 'hope', which moves no axis; known are success"
    ):
        odds([Die("bad", (Bag(hope=1),))], AXES)
    with pytest.raises(ValueError, match="at least one face"):
        Die("bad", ())
    large = Die("bad", (Bag(),) * 101)
    assert odds([large], AXES).p(success=0) == 1
    for _ in range(2):
        with allowing(SURFACES), pytest.raises(ValueError, match=r"101 faces .* give it 1 to 100"):
            odds([large], AXES)
    with pytest.raises(ValueError, match="cannot hold -1 boost dice"):
        narrative(boost=-1)


def test_pool_limits_are_refused() -> None:
    """Too many dice are refused at once, and too many results on demand, perhaps on fewer axes."""
    large = narrative(proficiency=25, boost=25, challenge=25, setback=25)
    with allowing(SURFACES):
        with pytest.raises(TooManyDice, match=f"at most {SURFACES.dice}"):
            narrative(boost=10**12)
        with pytest.raises(TooManyDice, match=f"{SURFACES.results:,}"):
            large.joint()
    assert large.p(triumph=0) == Fraction(11, 12) ** 25
    assert 0 < large.p(success=ge(1)) < 1


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """The multiplications from here on: packings of dice, and placements on one axis."""
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
    "n", [101, 10**9, 10**12, 10**5000], ids=["101", "10**9", "10**12", "10**5000"]
)
def test_too_many_dice_are_refused_early(n: int, work: Counter[str]) -> None:
    """Nothing is computed for any large number, and the sentence has a readable limit."""
    narrative(boost=n)
    with allowing(SURFACES), pytest.raises(TooManyDice, match="at most 100") as refused:
        narrative(boost=n)
    with pytest.raises(ValueError, match="give 0 or more") as negative:
        narrative(boost=-n)
    assert not work
    assert len(str(refused.value)) < 100
    assert len(str(negative.value)) < 100


@pytest.mark.slow
def test_too_many_kinds_are_refused_early(work: Counter[str]) -> None:
    """More kinds than the dice limit are refused as too many dice, without further work."""
    kinds = [Die(f"d{n}", (Bag(), Bag(success=n))) for n in range(1, 5001)]
    many = "5000 dice are too many for exact odds; take at most 100"
    with allowing(SURFACES), pytest.raises(TooManyDice, match=many):
        odds(kinds, AXES)
    with pytest.raises(TooManyDice, match=many):
        odds(kinds, AXES, allowance=SURFACES)
    assert not work


def test_too_many_results_are_refused_early(work: Counter[str]) -> None:
    """The possible number of results follows from the dice alone."""
    dice = {"proficiency": 25, "boost": 25, "challenge": 24, "setback": 25}
    large = narrative(**dice)
    for ask in (lambda: large.counts, large.joint, lambda: large.p(lambda *row: sum(row) > 3)):
        with allowing(SURFACES), pytest.raises(TooManyDice, match="at most 1,000,000 are"):
            ask()
        with pytest.raises(TooManyDice, match="at most 3,000,000 are"):
            ask()
    assert not work


def test_costly_odds_are_refused_early(
    work: Counter[str],
) -> None:
    """An allowance pays for each count, and nothing starts that exceeds it."""
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


def test_library_has_no_walls() -> None:
    """Without an allowance dice may be many and large, and what takes hours is refused at once."""
    assert odds(300 @ d(6)).mean() == 1050
    assert odds(300 @ d(6)).p(300) == Fraction(1, 6**300)
    assert odds(d(1000)).p(ge(1000)) == keep(2 @ d(1000), highest=1).p(1) * 1000
    assert keep(200 @ d(6), highest=1).p(1) == Fraction(1, 6**200)
    endless = odds(10**12 @ d(6))
    asked: list[Callable[[], object]] = [
        lambda: endless.p(ge(3)),
        lambda: endless.total,
        lambda: endless.counts,
        lambda: endless.median(),
        lambda: keep(10**12 @ d(6), highest=2),
        lambda: sets(10**12 @ d(6)),
    ]
    for ask in asked:
        with pytest.raises(TooManyDice, match="take fewer dice"):
            ask()


def test_dice_have_their_own_allowance() -> None:
    """An allowance given with dice is kept with all that is made of them, in any context."""
    dice = {"ability": 4, "challenge": 4, "boost": 3}
    few = Allowance(dice=30, results=100, microseconds=10**9)
    limited = narrative_odds(dice, few)
    assert narrative_odds(dice, None) == limited
    with allowing(Allowance(results=10**9)):
        for made in (limited, limited.on("success", "advantage", "triumph"), -limited, 2 @ limited):
            with pytest.raises(TooManyDice, match="at most 100 are"):
                made.joint()
        assert narrative_odds(dice, None).joint()
    with pytest.raises(TooManyDice, match=r"44 dice .* at most 30"):
        4 @ limited
    with pytest.raises(TooManyDice, match="at most 30"):
        limited + narrative_odds({"boost": 30}, None)
    for wrong in (100, "few", {"dice": 3}):
        with pytest.raises(Misused, match="Allowance"):
            odds(d(6), allowance=wrong)  # type: ignore[arg-type]


def narrative_odds(dice: Mapping[str, int], allowance: Allowance | None) -> Distribution:
    """The odds of narrative dice with limits of their own."""
    named = {die.name: die for die in DICE}
    pool = {named[name]: n for name, n in dice.items()}
    return odds(pool, AXES, allowance=allowance)


def test_allowance_ends_with_its_block() -> None:
    """A nested one is separate, and afterwards everything is counted again."""
    dice = narrative(ability=1, challenge=4, boost=1)
    with allowing(0):
        with allowing(dice.cost):
            assert dice.on("success", "triumph").counts
        with pytest.raises(TooManyDice):
            dice.joint()
    assert dice.joint()


def test_question_cost_is_known_early(work: Counter[str]) -> None:
    """It grows with the pool, is less on fewer axes, and nothing for counted rows."""
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


def test_roll_is_made_as_often_as_another_shows() -> None:
    """`a @ b` is b for each pip of a, on the axes of b; 0 where a shows 0."""
    one = odds(d(3))
    damage = Distribution.from_outcomes(["wounds"], {2: 1, 5: 1})
    assert one.then(lambda pips: pips @ one) == one @ one
    assert {0: 2, 2: 1, 5: 1} == ((odds(d(4)) >= 3) @ damage).counts
    assert damage is 1 @ damage
