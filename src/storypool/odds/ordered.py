"""Odds that depend on the single dice of a roll, found by visiting the faces in order.

How is in `ranked`.

>>> from storypool.odds import d, ge
>>> keep(4 @ d(6), highest=3).p(ge(16))
Fraction(169, 1296)
>>> drop(4 @ d(6), lowest=1) == keep(4 @ d(6), highest=3)
True
>>> sets(5 @ d(6)).p(size=ge(3)), runs(5 @ d(6)).p(length=5)
(Fraction(23, 108), Fraction(5, 162))
>>> pairs = by_face(5 @ d(6), ["pairs"], 0, lambda pairs, face, n: pairs + (n >= 2))
>>> pairs.p(pairs=2)
Fraction(175, 648)
"""

from collections.abc import Callable, Hashable, Iterable, Mapping

from storypool.engine.dice import Axes, Misused, described
from storypool.odds.allowance import Allowance, within
from storypool.odds.distribution import Distribution, UnknownAxis
from storypool.odds.polynomial import Polynomial, Row
from storypool.odds.ranked import Ranked, State, count_states, no_state
from storypool.odds.rollable import Dice, kinds
from storypool.odds.row_arguments import names_of, row_of
from storypool.words import BadValue


def keep(
    dice: Dice,
    axes: Axes | None = None,
    *,
    highest: int = 0,
    lowest: int = 0,
    by: str | None = None,
    allowance: Allowance | None = None,
) -> Distribution:
    """The odds of the sum of the highest dice, the lowest, or both; of all if there are no more.

    Dice and axes are given as to `odds`: `keep([a, b], highest=1)` is the higher of two rolls,
    `lowest=1` the lower. `by` is the axis that ranks the dice, needed where there are several; of
    dice that are equal on it, the one with the higher row ranks higher. `TooManyDice` for more
    dice, faces, results or steps than are allowed, see `Allowance`; `UnknownAxis` for an axis that
    is not there; `ValueError` for a number below 0, and as for `odds`; `Misused` for a lone
    `Distribution`, which knows its sum and not its dice.

    >>> from storypool.odds import d
    >>> keep(2 @ d(20), highest=1).mean(), keep(2 @ d(20), lowest=1).mean()
    (Fraction(553, 40), Fraction(287, 40))
    """
    wanted = {"highest": highest, "lowest": lowest}
    with within(allowance):
        roll, high, low = _checked_arguments("keep", _Roll(dice, axes, by), wanted)
        return Distribution(roll.names, roll.kept(high, low))


def drop(
    dice: Dice,
    axes: Axes | None = None,
    *,
    highest: int = 0,
    lowest: int = 0,
    by: str | None = None,
    allowance: Allowance | None = None,
) -> Distribution:
    """The odds of the sum of the dice left after dropping the highest, the lowest or both.

    Arguments as for `keep`.

    >>> from storypool.odds import d
    >>> drop(3 @ d(6), highest=1, lowest=1).p(3)
    Fraction(13, 54)
    """
    wanted = {"highest": highest, "lowest": lowest}
    with within(allowance):
        roll, high, low = _checked_arguments("drop", _Roll(dice, axes, by), wanted)
        wanted_places = [high <= place < roll.number - low for place in range(roll.number)]
        return Distribution(roll.names, roll.taken(wanted_places))


def sets(
    dice: Dice,
    axes: Axes | None = None,
    *,
    by: str | None = None,
    allowance: Allowance | None = None,
) -> Distribution:
    """The odds of the largest set of equal dice: its `size`, and the number the dice show.

    Of sets of one size it is the one with the highest number. Asked like `keep`; without dice both
    are 0.

    >>> from storypool.odds import d, ge
    >>> sets(2 @ d(6)).p(size=2, pips=ge(5))
    Fraction(1, 18)
    """

    def step(largest: tuple[int, int], face: int, n: int) -> tuple[int, int]:
        return max(largest, (n, face)) if n else largest

    with within(allowance):
        roll = _Roll(dice, axes, by)
        return roll.fold(["size", roll.axis], (0, 0), step, None)


def runs(
    dice: Dice,
    axes: Axes | None = None,
    *,
    by: str | None = None,
    allowance: Allowance | None = None,
) -> Distribution:
    """The odds of the longest run of consecutive numbers: its `length`, and its highest number.

    Of runs of one length it is the highest one. Asked like `keep`; without dice both are 0.

    >>> from storypool.odds import d
    >>> runs(3 @ d(6)).p(length=3)
    Fraction(1, 9)
    """

    def step(state: tuple[int, int, int, int], face: int, n: int) -> tuple[int, int, int, int]:
        length, last, longest, highest = state
        if not n:
            return 0, 0, longest, highest
        length = length + 1 if length and face == last + 1 else 1
        return length, face, *max((longest, highest), (length, face))

    with within(allowance):
        roll = _Roll(dice, axes, by)
        return roll.fold(["length", roll.axis], (0, 0, 0, 0), step, lambda state: state[2:])


def by_face(
    dice: Dice,
    names: Iterable[str],
    start: State,
    step: Callable[[State, int, int], State],
    axes: Axes | None = None,
    *,
    by: str | None = None,
    end: Callable[[State], Row | int] | None = None,
    descending: bool = False,
    allowance: Allowance | None = None,
) -> Distribution:
    """The odds of a fold over the faces in order, with the number of dice that show each.

    `step(state, face, n)` returns the next state, from `start` on; faces are the numbers on the one
    axis of the dice, or on `by`, from the lowest to the highest, and a face that no die shows comes
    with 0. The last state, or what `end` makes of it, is the row on the axes `names`: a tuple of
    whole numbers, or one number. Other errors as for `keep`.

    >>> from storypool.odds import d
    >>> different = by_face(5 @ d(6), ["different"], 0, lambda so_far, face, n: so_far + (n > 0))
    >>> different.mean()
    Fraction(4651, 1296)
    """
    if not isinstance(start, Hashable):
        raise no_state(start)
    for given in (step, end or step):
        if not callable(given):
            raise Misused(
                "A step is a function, lambda state, face, n: state + (n > 1), not"
                f" {described(given)}."
            )
    with within(allowance):
        return _Roll(dice, axes, by).fold(names_of(names), start, step, end, descending)


class _Roll(Ranked):
    """Dice in any accepted form, put in order by the only axis or by the axis `by`."""

    def __init__(self, dice: Dice, axes: Axes | None, by: str | None) -> None:
        if isinstance(dice, Distribution):
            raise Misused(
                "The odds of a roll know only its sum, not its single dice; give the dice, as in"
                " keep(4 @ d(6), highest=3), or several rolls, as in keep([a, b], highest=1); the"
                " best three of one roll made four times are d6.highest(4, 3)."
            )
        super().__init__(*kinds(dice, axes))
        if len(self.names) != 1 if by is None else by not in self.names:
            known = ", ".join(self.names) or "none, for there are no dice"
            if by is None:
                raise UnknownAxis(
                    "Say by which axis the dice are put in order, as in by='hit'; there are"
                    f" {known}."
                )
            raise UnknownAxis(
                f"There is no axis {described(by)} to put the dice in order by; there are {known}."
            )
        self.place = 0 if by is None else self.names.index(by)
        self.axis = self.names[self.place]

    def fold(
        self,
        names: Iterable[str],
        start: State,
        step: Callable[[State, int, int], State],
        end: Callable[[State], Row | int] | None,
        descending: bool = False,
    ) -> Distribution:
        """The odds of the rows made from the last states."""
        names = names_of(names)
        seen: dict[Polynomial, int] = {}
        for kind, n in zip(self.kinds, self.numbers, strict=True):
            shown = kind.onto((self.place,))
            seen[shown] = seen.get(shown, 0) + n
        rows = sorted({row for kind in seen for row, _ in kind.terms}, reverse=descending)

        def stepped(state: State, row: Row, n: int) -> tuple[State, int]:
            return step(state, row[0], n), 0

        weights: dict[Row, int] = {}
        found = count_states(tuple(seen), tuple(seen.values()), rows, start, stepped)
        for state, ways in found.states.items():
            row = row_of(state if end is None else end(state), len(names))
            weights[row] = weights.get(row, 0) + ways
        return Distribution.from_outcomes(names, weights)


def _checked_arguments(verb: str, roll: _Roll, wanted: Mapping[str, int]) -> tuple[_Roll, int, int]:
    """The dice, and the numbers of highest and lowest dice, at most all."""
    for which, n in wanted.items():
        if type(n) is not int:
            raise Misused(
                f"{verb} takes whole numbers of dice, as in {verb}(dice, {which}=2), not"
                f" {described(n)}."
            )
        if n < 0:
            raise BadValue(f"{verb} takes 0 or more of the {which} dice, not {described(n)}.")
    highest, lowest = wanted.values()
    if not (highest or lowest):
        raise Misused(
            f"Say which dice to {verb}, as in {verb}(dice, highest=1) or {verb}(dice, lowest=1)."
        )
    return roll, min(highest, roll.number), min(lowest, roll.number)
