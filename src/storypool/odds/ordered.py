"""Odds that depend on the single dice of a roll, found by visiting the faces in order.

The method. Dice that show the same face are alike, so the faces are visited in order, each with the
number of dice that show it, and a state holds the relevant facts about the earlier ones: the number
of dice kept so far, the largest set, the length of a run. For each state and each number of dice
left of each kind, the ways are counted, and packed into one integer with the sum of the dice taken,
as in `packing`. A final state is settled at once: the remaining dice then show anything.

Sources: R. Stanley, Enumerative Combinatorics 1 (1986), section 1.2, for counting multisets element
by element; A. J. Liu, Icepool: Efficient Computation of Dice Pool Probabilities (AIIDE 2022), for
states over the faces of dice.

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

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import accumulate, product
from math import comb, prod
from operator import mul, sub
from typing import Generic, NamedTuple, TypeVar

from storypool.engine.dice import Axes, Misused, described
from storypool.odds.allowance import Allowance, current, pay, within
from storypool.odds.distribution import Distribution, UnknownAxis
from storypool.odds.packing import field_width, unpacked
from storypool.odds.polynomial import Polynomial, Row
from storypool.odds.pool import CHEAP, multiplied
from storypool.odds.rollable import Dice, kinds
from storypool.odds.row_arguments import names_of, row_of
from storypool.words import BadValue

MAX_UNPAID = 100_000
"""Dice times faces up to which the highest or lowest die costs nothing worth counting."""

STEP_BITS_LOG2 = 13
"""A step counts as one more for every 2**STEP_BITS_LOG2 bits of its numbers."""

State = TypeVar("State", bound=Hashable)
Left = tuple[int, ...]
"""The number of dice of each kind that are left."""

Step = Callable[[State, Row, int], tuple[State | None, int]]
"""Takes a state, a face and the number of dice showing it.

Returns the next state and the number taken. The state is None when the other faces change nothing;
then more dice of this face change nothing either.
"""


class Counted(NamedTuple, Generic[State]):
    """The ways to each last state, and to those settled earlier; packed where dice are taken."""

    states: dict[State, int]
    settled: int


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
        if high + low == 1:
            return roll.one(bool(high))
        last = roll.number - low
        return roll.taken([place < high or place >= last for place in range(roll.number)])


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
        return roll.taken([high <= place < roll.number - low for place in range(roll.number)])


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
        raise _no_state(start)
    for given in (step, end or step):
        if not callable(given):
            raise Misused(
                "A step is a function, lambda state, face, n: state + (n > 1), not"
                f" {described(given)}."
            )
    with within(allowance):
        return _Roll(dice, axes, by).fold(names_of(names), start, step, end, descending)


class _Roll:
    """Dice by kind with their rows; `place` is the index of the axis that orders them."""

    def __init__(self, dice: Dice, axes: Axes | None, by: str | None) -> None:
        if isinstance(dice, Distribution):
            raise Misused(
                "The odds of a roll know only its sum, not its single dice; give the dice, as in"
                " keep(4 @ d(6), highest=3), or several rolls, as in keep([a, b], highest=1)."
            )
        self.names, found = kinds(dice, axes)
        self.numbers, self.kinds = tuple(found.values()), tuple(found)
        self.number = sum(self.numbers)
        limits = current()
        limits.check_dice(self.number)
        # Each of the dice has a place of its own.
        limits.check_steps(100 * self.number)
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

    def taken(self, wanted: Sequence[bool]) -> Distribution:
        """The odds of the sum of the dice at these places, the highest die first."""
        # Start at the end where the last of them is found sooner.
        descending = _last(wanted) <= _last(wanted[::-1])
        number_of = [0, *accumulate(wanted if descending else wanted[::-1])]
        most = number_of[-1]
        nothing = (0,) * len(self.names)
        lows = [kind.low for kind in self.kinds] or [nothing]
        highs = [kind.high for kind in self.kinds] or [nothing]
        low = tuple(map(min, zip(*lows, strict=True)))
        high = tuple(map(max, zip(*highs, strict=True)))
        extents = [most * (end - start) + 1 for start, end in zip(low, high, strict=True)]
        current().check_results(self.names, prod(extents))
        width = field_width(
            prod(kind.total**n for kind, n in zip(self.kinds, self.numbers, strict=True))
        )
        self.pay(prod(extents) * width)
        strides = [width * prod(extents[axis + 1 :]) for axis in range(len(extents))]
        shifts = {}
        for kind in self.kinds:
            for row, _ in kind.terms:
                shifts[row] = sum(map(mul, map(sub, row, low), strides))

        def step(so_far: int, row: Row, n: int) -> tuple[int | None, int]:
            after = so_far + n
            if after >= len(number_of):
                return None, shifts[row] * (most - number_of[so_far])
            some = number_of[after]
            return after if some < most else None, shifts[row] * (some - number_of[so_far])

        counted = _counted(self.kinds, self.numbers, self.in_order(shifts, descending), 0, step)
        packed = counted.settled + sum(counted.states.values())
        spans = [
            range(most * least, most * least + extent)
            for least, extent in zip(low, extents, strict=True)
        ]
        found = unpacked(packed, width)
        return Distribution(
            self.names, {row: n for row, n in zip(product(*spans), found, strict=False) if n}
        )

    def one(self, highest: bool) -> Distribution:
        """The odds of the highest or lowest die: the ways up to each face less the last ones."""
        sides = sum(len(kind.terms) for kind in self.kinds)
        if self.number * sides > MAX_UNPAID:
            pairs = zip(self.kinds, self.numbers, strict=True)
            self.pay(sides * sum(n * kind.total.bit_length() for kind, n in pairs))
        columns: list[Sequence[int]]
        if len(self.kinds) == 1 and self.place == 0:  # its terms are in order
            rows, column = zip(*self.kinds[0].terms[:: 1 if highest else -1], strict=True)
            columns = [column]
        else:
            rows = tuple(
                self.in_order({row for kind in self.kinds for row, _ in kind.terms}, not highest)
            )
            columns = []
            for kind in self.kinds:
                weights = dict(kind.terms)
                columns.append([weights.get(row, 0) for row in rows])
        powers = []
        for each, n in zip(columns, self.numbers, strict=True):
            powers.append([up_to**n for up_to in accumulate(each)])
        ways = powers[0] if len(powers) == 1 else list(map(prod, zip(*powers, strict=True)))
        found = {row: n for row, n in zip(rows, map(sub, ways, (0, *ways)), strict=True) if n}
        return Distribution(self.names, found)

    def pay(self, bits: int) -> None:
        """Charge for sums of this length, if they take long."""
        if (cost := multiplied(bits)) > CHEAP:
            pay(cost, ", ".join(self.names))

    def in_order(self, rows: Iterable[Row], descending: bool) -> list[Row]:
        """The rows in the order that ranks dice."""
        if self.place == 0:  # a row begins with its first axis
            return sorted(rows, reverse=descending)
        return sorted(rows, key=lambda row: (row[self.place], row), reverse=descending)

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
        found = _counted(tuple(seen), tuple(seen.values()), rows, start, stepped)
        for state, ways in found.states.items():
            row = row_of(state if end is None else end(state), len(names))
            weights[row] = weights.get(row, 0) + ways
        return Distribution.from_outcomes(names, weights)


def _counted(
    kinds: Sequence[Polynomial], numbers: Left, rows: Sequence[Row], start: State, step: Step[State]
) -> Counted[State]:
    """The ways to each last state; dice taken by `step` are bits by which the ways are shifted."""
    weights = [dict(kind.terms) for kind in kinds]
    below: Left = tuple(kind.total for kind in kinds)
    states: dict[State, dict[Left, int]] = {start: {numbers: 1}}
    settled, steps, limits = 0, 0, current()
    for row in rows[:-1]:
        own = tuple([weight.get(row, 0) for weight in weights])
        here, below = below, tuple(map(sub, below, own))
        known: dict[tuple[Left, int], list[tuple[int, Left, int]]] = {}
        after: dict[State, dict[Left, int]] = {}
        before = steps
        for state, ways_of in states.items():
            most = max(map(sum, ways_of))
            moves: list[tuple[dict[Left, int], int]] = []
            shift_last = None
            for n in range(most + 1):
                following, shift = step(state, row, n)
                if following is None:
                    shift_last = shift
                    break
                try:
                    moves.append((after.setdefault(following, {}), shift))
                except TypeError:
                    raise _no_state(following) from None
            farthest = shift_last or (moves[-1][1] if moves else 0)  # more dice, more taken
            fewer = len(moves)
            for left, packed in ways_of.items():
                key = left, min(fewer, 1 + sum(left))
                found = known.get(key)
                if found is None:
                    limits.check_steps(steps + min(1 + sum(left), fewer))
                    found = known[key] = _shared(left, own, below, fewer)
                steps += len(found) * (1 + (packed.bit_length() + farthest >> STEP_BITS_LOG2))
                if shift_last is not None:
                    ways = prod(map(pow, here, left)) - sum(
                        ways * prod(map(pow, below, rest)) for _, rest, ways in found
                    )
                    settled += packed * ways << shift_last
                for n, rest, ways in found:
                    target, shift = moves[n]
                    more = packed * ways << shift if shift else packed * ways
                    target[rest] = target[rest] + more if rest in target else more
            limits.check_steps(steps)
        states = {state: ways_of for state, ways_of in after.items() if ways_of}
        pay(steps - before, "state")
    if not rows:
        return Counted({start: 1}, 0)
    last: dict[State, int] = {}
    for state, ways_of in states.items():
        for left, packed in ways_of.items():  # all dice that are left show the last face
            following, shift = step(state, rows[-1], sum(left))
            packed = packed * prod(map(pow, below, left)) << shift
            if following is None:
                settled += packed
                continue
            try:
                last[following] = last.get(following, 0) + packed
            except TypeError:
                raise _no_state(following) from None
    return Counted(last, settled)


def _shared(left: Left, own: Left, below: Left, fewer: int) -> list[tuple[int, Left, int]]:
    """For each number of dice below a limit that show a face: (dice, left of each kind, ways).

    `own` are the weights of the face on each kind, `below` those of all later faces.
    """
    if len(left) == 1 and own == (1,) and below[0]:
        (n,) = left
        return [(shown, (n - shown,), comb(n, shown)) for shown in range(min(n + 1, fewer))]
    found = []
    spans: list[Sequence[int]] = []
    for n, weight, rest in zip(left, own, below, strict=True):
        if weight and rest:
            spans.append(range(min(n, fewer - 1) + 1))
        else:
            spans.append((n,) if weight else (0,))
    for shown in product(*spans):
        if (n := sum(shown)) < fewer:
            ways = prod(map(mul, map(comb, left, shown), map(pow, own, shown)))
            found.append((n, tuple(map(sub, left, shown)), ways))
    return found


def _no_state(given: object) -> Misused:
    return Misused(
        f"A state has a hash, as a number or a tuple has, not {described(given)}; write"
        " tuple(state)."
    )


def _last(wanted: Sequence[bool]) -> int:
    """The last place that is wanted."""
    return max((place for place, is_wanted in enumerate(wanted) if is_wanted), default=0)


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
