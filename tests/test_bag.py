"""Bags: the algebra of multisets, with counts that may be negative and zeros that are never
kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storypool.engine.bag import Bag

NAMES = st.sampled_from(["a", "b", "c", "with space", "self", "counts", "ö"])
COUNTS = st.dictionaries(NAMES, st.integers(-5, 5))
BAGS = COUNTS.map(Bag)


@given(COUNTS)
def test_bag_keeps_no_zero(counts: dict[str, int]) -> None:
    """A bag holds exactly the names whose count is not zero, and answers 0 for every other."""
    bag = Bag(counts)
    assert {name: n for name, n in counts.items() if n} == dict(bag)
    assert 0 == bag["never heard of"]
    assert "never heard of" not in bag
    assert sum(counts.values()) == bag.total
    assert all(bag.values())


@given(BAGS, BAGS, BAGS)
def test_addition_is_a_commutative_group(a: Bag, b: Bag, c: Bag) -> None:
    """Adding is associative and commutative, the empty bag adds nothing, and what is taken away
    comes to nothing.
    """
    assert (a + b) + c == a + (b + c)
    assert a + b == b + a
    assert a == a + Bag()
    assert Bag() == a - a == a + -a
    assert a == a + b - b
    assert a - b == -(b - a)


@given(BAGS, BAGS, st.integers(-4, 4))
def test_multiplying_is_adding_again(a: Bag, b: Bag, n: int) -> None:
    """A bag n times is that bag added n times, it spreads over sums, and 0 times is nothing."""
    assert sum([a] * n, Bag()) == a * n if n >= 0 else -(a * -n) == a * n
    assert (a + b) * n == a * n + b * n
    assert Bag() == a * 0


@given(BAGS, BAGS, BAGS)
def test_comparing_is_a_partial_order(a: Bag, b: Bag, c: Bag) -> None:
    """At least is judged name by name over both bags: reflexive, transitive, and equal only when it
    holds both ways.
    """
    assert a >= a
    assert all(a[name] >= b[name] for name in {*a, *b}) == (a >= b)
    assert (a <= b) == (b >= a)
    assert not (a >= b and b >= c) or a >= c
    assert (a >= b and b >= a) == (a == b)


@given(COUNTS, COUNTS)
def test_equal_bags_hash_alike_whatever_was_done_on_the_way(
    counts: dict[str, int], other: dict[str, int]
) -> None:
    """Bags with the same contents are equal and have one hash, in whatever order and by whatever
    sums they came.
    """
    straight, crooked = Bag(counts), Bag(dict(reversed(counts.items()))) + Bag(other) - Bag(other)
    assert straight == crooked
    assert hash(straight) == hash(crooked)
    assert 1 == len({straight, crooked, Bag(straight)})


@given(st.lists(NAMES))
def test_bag_of_names_counts_them(names: list[str]) -> None:
    """A bag made of a list of names counts how often each stands in it."""
    assert dict(Counter(names)) == dict(Bag(names))


@given(BAGS, st.lists(NAMES), NAMES, st.integers(-3, 3))
def test_parts_and_single_counts(bag: Bag, names: list[str], name: str, n: int) -> None:
    """`only` keeps the named part and no more; `with_count` sets one count and leaves the rest
    alone.
    """
    part = bag.only(names)
    assert set(part) == set(names) & set(bag)
    assert bag == part + bag.only(set(bag) - set(names))
    assert n == bag.with_count(name, n)[name]
    assert bag == bag.with_count(name, n).with_count(name, bag[name])


def test_bag_takes_counts_and_keywords_together() -> None:
    """Counts given twice, once in a mapping and once by keyword, add up; no keyword is taken for an
    argument.
    """
    assert Bag(a=3, self=1, counts=2) == Bag({"a": 1, "self": 1}, a=2, counts=2)


def test_bag_works_with_any_mapping() -> None:
    """A plain mapping can be added, taken and compared, and a bag is a mapping itself, though never
    equal to a dict.
    """
    assert Bag(a=3) == Bag(a=1) + {"a": 2}
    assert Bag(a=1) == Bag(a=3) - {"a": 2}
    assert Bag(a=3) >= {"a": 3}
    assert isinstance(Bag(), Mapping)
    assert Bag(a=1) != {"a": 1}


def test_bag_cannot_be_changed() -> None:
    """Nothing can be set or taken in place: what was handed out stays as it is, and so does what it
    was made of.
    """
    counts = {"a": 1}
    bag = Bag(counts)
    counts["a"] = 9
    with pytest.raises(TypeError):
        bag["a"] = 2  # type: ignore[index]
    with pytest.raises(AttributeError):
        bag.anything = 2  # type: ignore[attr-defined]
    assert Bag(a=1) == bag


def test_bag_shows_how_to_make_it_again() -> None:
    """Its printed form is the call that makes it, with keywords where every name can be one."""
    for bag in (Bag(), Bag(a=1, b=-2), Bag({"with space": 1})):
        assert bag == eval(repr(bag), {"Bag": Bag})
    assert "Bag(a=1)" == repr(Bag(a=1))
