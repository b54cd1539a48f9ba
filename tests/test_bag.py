"""Bags: multisets with negative counts and without zeros."""

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
    """A bag has only names with nonzero counts, and gives 0 for all others."""
    bag = Bag(counts)
    assert {name: n for name, n in counts.items() if n} == dict(bag)
    assert 0 == bag["never heard of"]
    assert "never heard of" not in bag
    assert sum(counts.values()) == bag.total
    assert all(bag.values())


@given(BAGS, BAGS, BAGS)
def test_addition_is_a_commutative_group(a: Bag, b: Bag, c: Bag) -> None:
    """Addition is associative and commutative, with the empty bag as zero and inverses."""
    assert (a + b) + c == a + (b + c)
    assert a + b == b + a
    assert a == a + Bag()
    assert Bag() == a - a == a + -a
    assert a == a + b - b
    assert a - b == -(b - a)


@given(BAGS, BAGS, st.integers(-4, 4))
def test_multiplication_repeats_addition(a: Bag, b: Bag, n: int) -> None:
    """A bag times n is its n-fold sum, distributes over sums, and times 0 is empty."""
    assert sum([a] * n, Bag()) == a * n if n >= 0 else -(a * -n) == a * n
    assert (a + b) * n == a * n + b * n
    assert Bag() == a * 0


@given(BAGS, BAGS, BAGS)
def test_comparison_is_a_partial_order(a: Bag, b: Bag, c: Bag) -> None:
    """At least, by all names of both bags, is reflexive, transitive and antisymmetric."""
    assert a >= a
    assert all(a[name] >= b[name] for name in {*a, *b}) == (a >= b)
    assert (a <= b) == (b >= a)
    assert not (a >= b and b >= c) or a >= c
    assert (a >= b and b >= a) == (a == b)


@given(COUNTS, COUNTS)
def test_equal_bags_hash_alike(counts: dict[str, int], other: dict[str, int]) -> None:
    """Equal bags have one hash, whatever order or sums made them."""
    straight, crooked = Bag(counts), Bag(dict(reversed(counts.items()))) + Bag(other) - Bag(other)
    assert straight == crooked
    assert hash(straight) == hash(crooked)
    assert 1 == len({straight, crooked, Bag(straight)})


@given(st.lists(NAMES))
def test_bag_of_names_counts_them(names: list[str]) -> None:
    """A bag of a list of names has the count of each name."""
    assert dict(Counter(names)) == dict(Bag(names))


@given(BAGS, st.lists(NAMES), NAMES, st.integers(-3, 3))
def test_parts_and_single_counts(bag: Bag, names: list[str], name: str, n: int) -> None:
    """`only` keeps the named part, and `with_count` sets one count and no other."""
    part = bag.only(names)
    assert set(part) == set(names) & set(bag)
    assert bag == part + bag.only(set(bag) - set(names))
    assert n == bag.with_count(name, n)[name]
    assert bag == bag.with_count(name, n).with_count(name, bag[name])


def test_bag_takes_counts_and_keywords_together() -> None:
    """Counts from a mapping and from keywords add up, and no keyword is an argument."""
    assert Bag(a=3, self=1, counts=2) == Bag({"a": 1, "self": 1}, a=2, counts=2)


def test_bag_works_with_any_mapping() -> None:
    """Mappings can be added, subtracted and compared; a bag is one, but not equal to a dict."""
    assert Bag(a=3) == Bag(a=1) + {"a": 2}
    assert Bag(a=1) == Bag(a=3) - {"a": 2}
    assert Bag(a=3) >= {"a": 3}
    assert isinstance(Bag(), Mapping)
    assert Bag(a=1) != {"a": 1}


def test_bag_is_immutable() -> None:
    """Nothing can be set or removed in place, neither in the bag nor through its source."""
    counts = {"a": 1}
    bag = Bag(counts)
    counts["a"] = 9
    with pytest.raises(TypeError):
        bag["a"] = 2  # type: ignore[index]
    with pytest.raises(AttributeError):
        bag.anything = 2  # type: ignore[attr-defined]
    assert Bag(a=1) == bag


def test_bag_repr_is_its_constructor_call() -> None:
    """Its text is the call that makes it, with keywords where names allow it."""
    for bag in (Bag(), Bag(a=1, b=-2), Bag({"with space": 1})):
        assert bag == eval(repr(bag), {"Bag": Bag})
    assert "Bag(a=1)" == repr(Bag(a=1))
