"""Dice put in order: the odds of the highest or lowest, and of any state over their faces.

The method. Dice that show the same face are alike, so the faces are visited in order, each with the
number of dice that show it, and a state holds the relevant facts about the earlier ones: the number
of dice kept so far, the largest set, the length of a run. For each state and each number of dice
left of each kind, the ways are counted, and packed into one integer with the sum of the dice taken,
as in `packing`. A final state is settled at once: the remaining dice then show anything.

Sources: R. Stanley, Enumerative Combinatorics 1 (1986), section 1.2, for counting multisets element
by element; A. J. Liu, Icepool: Efficient Computation of Dice Pool Probabilities (AIIDE 2022), for
states over the faces of dice.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import accumulate, product
from math import comb, prod
from operator import mul, sub
from typing import Generic, NamedTuple, TypeVar

from storypool.engine.dice import Misused, described
from storypool.odds.allowance import current, pay
from storypool.odds.packing import field_width, unpacked
from storypool.odds.polynomial import Polynomial, Row
from storypool.odds.pool import CHEAP, multiplied

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


class Ranked:
    """Dice by kind with their rows; `place` is the index of the axis that orders them."""

    place = 0

    def __init__(self, names: tuple[str, ...], dice: Mapping[Polynomial, int]) -> None:
        self.names, self.numbers, self.kinds = names, tuple(dice.values()), tuple(dice)
        self.number = sum(self.numbers)
        limits = current()
        limits.check_dice(self.number)
        # Each of the dice has a place of its own.
        limits.check_steps(100 * self.number)

    def kept(self, highest: int, lowest: int) -> dict[Row, int]:
        """The sums of the highest dice, the lowest, or both, with their counts."""
        if highest + lowest == 1:
            return self.one(bool(highest))
        last = self.number - lowest
        return self.taken([place < highest or place >= last for place in range(self.number)])

    def taken(self, wanted: Sequence[bool]) -> dict[Row, int]:
        """The sums of the dice at these places, the highest die first, with their counts."""
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

        found = count_states(self.kinds, self.numbers, self.in_order(shifts, descending), 0, step)
        packed = found.settled + sum(found.states.values())
        spans = [
            range(most * least, most * least + extent)
            for least, extent in zip(low, extents, strict=True)
        ]
        counts = unpacked(packed, width)
        return {row: n for row, n in zip(product(*spans), counts, strict=False) if n}

    def one(self, highest: bool) -> dict[Row, int]:
        """The counts of the highest or lowest die: the ways up to each face less the last ones."""
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
        return {row: n for row, n in zip(rows, map(sub, ways, (0, *ways)), strict=True) if n}

    def pay(self, bits: int) -> None:
        """Charge for sums of this length, if they take long."""
        if (cost := multiplied(bits)) > CHEAP:
            pay(cost, ", ".join(self.names))

    def in_order(self, rows: Iterable[Row], descending: bool) -> list[Row]:
        """The rows in the order that ranks dice."""
        if self.place == 0:  # a row begins with its first axis
            return sorted(rows, reverse=descending)
        return sorted(rows, key=lambda row: (row[self.place], row), reverse=descending)


def count_states(
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
                    raise no_state(following) from None
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
                raise no_state(following) from None
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


def no_state(given: object) -> Misused:
    return Misused(
        f"A state has a hash, as a number or a tuple has, not {described(given)}; write"
        " tuple(state)."
    )


def _last(wanted: Sequence[bool]) -> int:
    """The last place that is wanted."""
    return max((place for place, is_wanted in enumerate(wanted) if is_wanted), default=0)
