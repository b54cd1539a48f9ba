"""Exact odds of four pools, of all small ones, and of single dice, compared with other libraries.

Every figure is the median of alternating runs, so that a busy machine slows all equally, in seconds
of processor time. Cold means that nothing is cached from another pool; everything derived from the
dice alone is made before, and has its own lines. Decoded means every count as a whole number, with
the first row of its slice; rows means every count under its tuple, sorted.
"""

from __future__ import annotations

import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial, reduce
from importlib import import_module, util
from importlib.metadata import version
from itertools import product
from operator import add, mul
from statistics import median
from time import process_time
from typing import Any

from benchmarks import brief
from benchmarks._verbs import compare_verbs
from storypool.engine.bag import Bag
from storypool.engine.dice import Axes, Die
from storypool.odds import Distribution, ge, odds
from storypool.odds import rollable as module
from storypool.odds.packing import DENSE_MULTIPLY_BITS, MAX_LAYOUTS, Packed, packing
from storypool.systems.narrative.symbol_dice import AXES, DICE

SMALLER = {
    "P1": Bag(ability=2, proficiency=1, difficulty=2),
    "P2": Bag(proficiency=3, ability=2, boost=2, challenge=2, difficulty=2, setback=2),
}
LARGER = {
    "P3": Bag(proficiency=5, ability=3, boost=4, challenge=4, difficulty=3, setback=4),
    "P4": Bag(proficiency=10, boost=10, challenge=10, setback=10),
}
POOLS = brief({**SMALLER, **LARGER}, SMALLER)
BY_NAME = {die.name: die for die in DICE}
LONGEST = brief(1.0, 0.001)
"""Seconds for one run; a slower contender is not tried on larger pools."""

TURN = brief(0.02, 0.001)
"""Seconds of one turn, so that a short run does not suffer from caches evicted by a long one."""

PLACES = (1, 1 << 8, 1 << 16, 1 << 24)
"""The number that a step on each axis adds to a row packed into one integer."""

Row = tuple[int, ...]
Run = Callable[[], object]
Dice = Sequence[tuple[Die, int]]
Counting = Callable[[Dice], object]
Contest = Callable[[Any, Mapping[str, int]], Run]
"""Makes a run for a library and a pool. The dice are made before; the run adds them up."""


def steps(die: Die) -> Counter[Row]:
    """The rows of a die's faces."""
    found = Counter[Row]()
    for face in map(AXES.net, die.faces):
        found[tuple(face[axis] for axis in AXES.names)] += 1
    return found


def own(pool: Mapping[str, int]) -> Dice:
    """The dice of a pool, as `odds` takes them."""
    return [(BY_NAME[name], n) for name, n in pool.items()]


def cold(dice: Dice) -> Distribution:
    """A distribution without anything cached from other pools."""
    module._pools.clear()
    return odds(dice, AXES)


def packed(dice: Dice) -> Packed:
    """The joint odds as packed integers, for a pool whose dice share axes."""
    pool = cold(dice)._pool
    assert pool is not None
    return packing(len(pool.axes), frozenset(pool.dice)).pack(pool.dice)


def decoded(dice: Dice) -> list[tuple[Row, list[int]]]:
    """Every count of the joint odds, in slices."""
    return list(packed(dice).slices())


class Tuple(tuple[int, ...]):
    """A row that is added by axis, for libraries that add outcomes."""

    __slots__ = ()

    def __add__(self, other: Any) -> Any:
        return Tuple(map(add, self, other)) if other else self

    __radd__ = __add__


def dice_of(
    pool: Mapping[str, int], make: Callable[[Mapping[Any, int]], Any], outcome: Callable[[Row], Any]
) -> Any:
    """Each die of a pool as made by a library, with its count."""
    library_dice = []
    for name, n in pool.items():
        weights: Counter[Any] = Counter()
        for row, count in steps(BY_NAME[name]).items():
            weights[outcome(row)] += count
        library_dice.append((make(dict(weights)), n))
    return library_dice


def first(row: Row) -> int:
    """The first axis alone: net success."""
    return row[0]


def summed(dice: Iterable[tuple[Any, int]]) -> Any:
    """The sum of the dice, for libraries that write it as `n @ die`."""
    return reduce(add, (n @ die for die, n in dice))


def icepool_joint(icepool: Any, pool: Mapping[str, int]) -> Run:
    """As its documentation does it: a die of vectors."""
    dice = dice_of(pool, icepool.Die, icepool.Vector)
    return lambda: dict(summed(dice))


def icepool_one(icepool: Any, pool: Mapping[str, int]) -> Run:
    """A die of numbers, and its own question."""
    dice = dice_of(pool, icepool.Die, first)
    return lambda: summed(dice).probability(">=", 1)


def dyce_joint(dyce: Any, pool: Mapping[str, int]) -> Run:
    """A histogram of a small tuple class."""
    dice = dice_of(pool, dyce.H, Tuple)
    return lambda: dict(summed(dice))


def dyce_one(dyce: Any, pool: Mapping[str, int]) -> Run:
    """A histogram of numbers, and the sum of its counts."""
    dice = dice_of(pool, dyce.H, first)

    def run() -> Fraction:
        counts = dict(summed(dice))
        return Fraction(
            sum(n for success, n in counts.items() if success >= 1), sum(counts.values())
        )

    return run


def _combined(dicetables: Any, dice: Iterable[tuple[Any, int]], way: str) -> dict[int, int]:
    table = dicetables.AdditiveEvents({0: 1})
    for die, n in dice:
        table = getattr(table, way)(die, n)
    counts: dict[int, int] = table.get_dict()
    return counts


def dicetables_joint(dicetables: Any, pool: Mapping[str, int]) -> Run:
    """A row packed into one number, which is what makes it quick."""
    dice = dice_of(pool, dicetables.AdditiveEvents, lambda row: sum(map(mul, row, PLACES)))
    return lambda: _combined(dicetables, dice, "combine_by_dictionary")


def dicetables_one(dicetables: Any, pool: Mapping[str, int]) -> Run:
    """Numbers in whatever way it finds the fastest, and the sum of the counts."""
    dice = dice_of(pool, dicetables.AdditiveEvents, first)

    def run() -> Fraction:
        counts = _combined(dicetables, dice, "combine")
        return Fraction(
            sum(n for success, n in counts.items() if success >= 1), sum(counts.values())
        )

    return run


JOINT: dict[str, Contest] = {
    "icepool": icepool_joint,
    "dyce": dyce_joint,
    "dicetables": dicetables_joint,
}
SITS_OUT = {"P3": "icepool", "P4": "dyce"}
"""From which pool on the memory of a library is not measured: it takes minutes, and more."""

ONE: dict[str, Contest] = {"icepool": icepool_one, "dyce": dyce_one, "dicetables": dicetables_one}


def installed() -> dict[str, Any]:
    """The installed libraries; prints which are missing."""
    found = {}
    for name in ONE:
        try:
            found[name] = import_module(name)
        except ImportError:
            print(f"{name}: not installed")
        else:
            print(f"{name} {version(name)}")
    if util.find_spec("beartype"):
        print("beartype is installed, which slows dyce down; uninstall it for a fair run")
    return found


def alternated(runs: Mapping[str, Run], seconds: float = 3.0) -> dict[str, float]:
    """The median seconds of each run. They take turns of at least `TURN` until the time is up.

    Very short runs are timed several at once, so that reading the clock does not count; one longer
    than `LONGEST` is timed once.
    """
    first = {name: timed(run) for name, run in runs.items()}
    slow = {name: took for name, took in first.items() if took > LONGEST}
    runs = {name: run for name, run in runs.items() if name not in slow}
    taken: dict[str, list[float]] = {name: [] for name in runs}
    together = {name: 10 if first[name] < TURN / 100 else 1 for name in runs}
    until = process_time() + brief(seconds, 0.0)
    while process_time() < until or not all(taken.values()):
        for name, run in runs.items():
            turn = process_time() + TURN
            while process_time() < turn:
                taken[name].append(timed(run, together[name]))
    return {name: slow.get(name) or median(taken[name]) for name in first}


def timed(run: Run, times: int = 1) -> float:
    """The mean seconds of this many runs."""
    start = process_time()
    for _ in range(times):
        run()
    return (process_time() - start) / times


def compare(
    title: str,
    ours: Mapping[str, Counting],
    peers: Mapping[str, Contest],
    libraries: Mapping[str, Any],
) -> None:
    """Print the times of all libraries on each pool, and our relative speed."""
    print(f"\n{title}")
    running = {name: library for name, library in libraries.items() if name in peers}
    for label, pool in POOLS.items():
        runs: dict[str, Run] = {name: partial(way, own(pool)) for name, way in ours.items()}
        runs |= {name: peers[name](library, pool) for name, library in running.items()}
        times = alternated(runs)
        print(
            f"  {label}  {', '.join(f'{name} {in_units(taken)}' for name, taken in times.items())}"
        )
        for name in running:
            print(
                f"      times as fast as {name}:"
                f" {', '.join(f'{way} {times[name] / times[way]:.1f}' for way in ours)}"
            )
        for name in [name for name in running if times[name] > LONGEST]:
            del running[name]
            print(f"      {name} sits out what is larger")


def memory(libraries: Mapping[str, Any]) -> None:
    """Print the peak memory of the joint odds of all pools but the smallest, fully decoded."""
    print("\nMost memory on the way to every count")
    running = {name: library for name, library in libraries.items() if name in JOINT}
    for label in list(POOLS)[1:]:
        running.pop(SITS_OUT.get(label, ""), None)
        runs: dict[str, Run] = {"decoded": partial(decoded, own(POOLS[label]))}
        runs |= {name: JOINT[name](library, POOLS[label]) for name, library in running.items()}
        most = {name: most_memory(run) for name, run in runs.items()}
        print(
            f"  {label} "
            f" {', '.join(f'{name} {taken / 1e6:.1f} MB' for name, taken in most.items())}"
        )
        for name in running:
            print(f"      of what {name} takes: {most['decoded'] / most[name]:.2f}")


def most_memory(run: Run) -> int:
    """The peak memory of one run, in bytes."""
    tracemalloc.start()
    try:
        run()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def all_small_pools() -> None:
    """Print the time for the chance of success of every pool of 0 to 5 dice of six kinds."""
    start, pools = process_time(), 0
    for numbers in product(range(brief(6, 2)), repeat=len(DICE)):
        odds(zip(DICE, numbers, strict=True), AXES).p(success=ge(1))
        pools += 1
    print(
        f"\nAll {pools:,} pools of 0 to {brief(5, 1)} dice of each kind, success:"
        f" {in_units(process_time() - start)}"
    )


def five_d20() -> None:
    """Print the time for the joint odds of five d20 (target 12, critical range 6)."""
    axes = Axes({"success": Bag(successes=1), "complication": Bag(complications=1)}, {})
    faces = [Bag(success=int(n <= 6) + int(n <= 12), complication=n == 20) for n in range(1, 21)]
    die = Die("d20", tuple(faces))

    def run() -> Mapping[Row, int]:
        module._pools.clear()
        return odds({die: 5}, axes).counts

    print(
        f"\nThe joint odds of 5d20, every row: {in_units(alternated({'rows': run}, 0.2)['rows'])}"
    )


def compiled() -> None:
    """Print the time to derive everything from the dice alone, for the kinds of dice of all pools.

    Small pools multiply by whole dice, written as integers in a layout for each length of a field
    and of a row. As many as the cache holds are made here, for the kinds of the smallest pool;
    otherwise the first pool that needs one makes it.
    """
    module._readings.clear()
    module._pools.clear()
    packing.cache_clear()
    start = process_time()
    for pool in POOLS.values():
        kinds = own(Bag(pool.keys()))
        packed(kinds)
        success(kinds)
    print(
        f"\nReading the dice and laying out their kinds, once: {in_units(process_time() - start)}"
    )
    whole = packed(own(POOLS["P1"])).packing
    start = process_time()
    widths = ((width, DENSE_MULTIPLY_BITS // width) for width in (8, 16, 32, 64))
    layouts = [(width, width * n) for width, most in widths for n in range(1, most + 1)][
        :MAX_LAYOUTS
    ]
    size = sum(die.bit_length() for strides in layouts for die in whole.laid_out(strides)) / 8
    taken = in_units(process_time() - start)
    print(
        f"The dice of P1 in {len(layouts)} layouts of small pools, once: {taken},"
        f" {size / 1e3:.0f} kB"
    )


def not_laid_out(dice: Dice) -> Packed:
    """The joint odds as packed integers, when no pool of this size was seen before."""
    pool = cold(dice)._pool
    assert pool is not None
    kinds = packing(len(pool.axes), frozenset(pool.dice))
    kinds._layouts.clear()
    return kinds.pack(pool.dice)


def success(dice: Dice) -> Fraction:
    """The chance of at least one net success, for a new pool."""
    return cold(dice).p(success=ge(1))


def asked_before(dice: Dice) -> Fraction:
    """The same chance for a pool that was just asked about."""
    return odds(dice, AXES).p(success=ge(1))


def main() -> None:
    """Print the figures."""
    libraries = installed()
    compiled()
    joint: dict[str, Counting] = {
        "packed": packed,
        "not laid out": not_laid_out,
        "decoded": decoded,
        "rows": lambda dice: cold(dice).row_counts,
    }
    compare("The joint odds, cold", joint, JOINT, libraries)
    compare("At least one net success", {"cold": success, "warm": asked_before}, ONE, libraries)
    compare_verbs(libraries, alternated)
    five_d20()
    all_small_pools()
    memory(libraries)


def in_units(seconds: float) -> str:
    """A time with a readable unit."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.1f} us"
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.1f} s"
