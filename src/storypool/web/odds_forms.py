"""The odds of a pool as every interface gives them."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from storypool.web.forms import Gives


class OddsShown(Gives):
    """The odds of a pool; chances and means are exact fractions as texts, as "7/12".

    `axes` name the numbers of a row of `joint`, which has every possible result with its chance, and is not part of a
    brief answer. The first of `outcomes` is what the roll is about. `against` is the pool of the other side of a
    contest, `assumed` are terms that were not given and decide what passes.
    """

    system: str
    pool: dict[str, int]
    terms: dict[str, str]
    axes: list[str]
    outcomes: dict[str, str]
    mean: dict[str, str]
    against: dict[str, int] | UnsetType = UNSET
    assumed: dict[str, str] | UnsetType = UNSET
    joint: list[tuple[list[int], str]] | UnsetType = UNSET
