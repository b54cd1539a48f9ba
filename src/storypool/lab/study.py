"""Many evenings of one kind, played on all cores, and their combined results."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from multiprocessing import get_context
from threading import current_thread, main_thread
from time import perf_counter, process_time
from typing import get_args

from storypool import systems
from storypool.engine.table import Side
from storypool.lab.course import opening
from storypool.lab.estimates import Estimate, at, estimate
from storypool.lab.evenings import Evening
from storypool.lab.flows import Flow, Kind, Pools
from storypool.lab.playing import Evenings, Played, Setting
from storypool.lab.policies import SeatPolicy, named
from storypool.lab.solutions import solution, solved

EVENINGS_AT_ONCE = 5
"""The number of evenings that a process plays per batch."""
BAND = (0.1, 0.5, 0.9)
"""The shares of evenings below the lower edge of a band, its middle and its upper edge."""
SIDES = ("players", "gm")


@dataclass(frozen=True, slots=True)
class Row:
    """One evening in numbers: its measures, and the balances before and after each action."""

    number: int
    measures: Mapping[str, float]
    flows: Mapping[Flow, int]
    balances: tuple[tuple[int, ...], ...]
    moves: int
    seconds: float


@dataclass
class Study:
    """Evenings played with one setting, by number, and their combined results.

    `wanted` is the intended number of evenings; a stopped study has fewer.
    """

    evening: Evening
    setting: Setting
    seed: int
    wanted: int
    rows: list[Row] = field(default_factory=list)
    seconds: float = 0.0

    @cached_property
    def pools(self) -> Mapping[str, str]:
        """The pools by name, and the side that spends each."""
        return Pools(systems.get(self.evening.system), self.evening.pools).sides

    def estimates(self) -> dict[str, Estimate]:
        """The mean of each measure, by name."""
        found = {name: estimate(self.values(name)) for name in self.measured()}
        return {name: one for name, one in found.items() if one is not None}

    def measured(self) -> list[str]:
        """The names of all measures of any of the evenings."""
        return list(dict.fromkeys(name for row in self.rows for name in row.measures))

    def values(self, name: str) -> list[float]:
        """The values of a measure, for each evening that has it."""
        return [row.measures[name] for row in self.rows if name in row.measures]

    def flows(self) -> dict[Flow, Estimate]:
        """The points that came and went in an evening, by pool, kind and move, most first."""
        known = dict[Flow, Estimate]()
        for flow in dict.fromkeys(flow for row in self.rows for flow in row.flows):
            one = estimate([row.flows.get(flow, 0) for row in self.rows])
            if one is not None:
                known[flow] = one
        return dict(
            sorted(known.items(), key=lambda item: (item[0].pool, item[0].kind, -item[1].mean))
        )

    def bands(self, pool: str) -> list[tuple[float, float, float]]:
        """Lower edge, middle and upper edge of a pool before the first action and after each."""
        which = list(self.pools).index(pool)
        bands = []
        for step in zip(*(row.balances for row in self.rows), strict=True):
            bands.append(_band([balances[which] for balances in step]))
        return bands

    @property
    def moves(self) -> int:
        """The number of decided moves."""
        return sum(row.moves for row in self.rows)

    def differences(self, other: Study) -> dict[str, Estimate]:
        """The differences between the other study's measures and these, evening by evening."""
        theirs = {row.number: row.measures for row in other.rows}
        pairs = [(row.measures, theirs[row.number]) for row in self.rows if row.number in theirs]
        found, known = dict[str, Estimate](), other.measured()
        for name in self.measured():
            both = [two[name] - one[name] for one, two in pairs if name in one and name in two]
            mean = estimate(both) if name in known else None
            if mean is not None:
                found[name] = mean
        return found


def _band(values: Sequence[float]) -> tuple[float, float, float]:
    low, middle, high = (at(values, share) for share in BAND)
    return low, middle, high


def measures(played: Played, sides: Mapping[str, str]) -> dict[str, float]:
    """The measures of one evening, by name; without shares of nothing."""
    found: dict[str, float] = {}
    made = [one for one in played.tried if not one.refused]
    for side in SIDES:
        results = [one.passed for one in made if one.side == side and one.passed is not None]
        if results:
            found[f"passed.{side}"] = sum(results) / len(results)
        if made:
            found[f"touched.{side}"] = sum(1 for one in made if one.paid[side]) / len(made)
        alone = []
        for one in made:
            if one.before is not None and one.paid[side] and one.paid.total() == one.paid[side]:
                alone.append(one)
        if alone:
            found[f"worth.{side}"] = float(sum(one.changed for one in alone)) / sum(
                one.paid[side] for one in alone
            )
        own = [i for i, of in enumerate(sides.values()) if of == side]
        if own:
            locked = []
            for balances in played.balances[:-1]:
                locked.append(not any(balances[i] for i in own))
            spells = _run_lengths(locked)
            found[f"locked.{side}"] = sum(locked) / len(locked)
            found[f"locks.{side}"] = float(len(spells))
            found[f"longest_lock.{side}"] = float(max(spells, default=0))
    weighed = [float(one.changed) for one in made if one.before is not None]
    if weighed:
        found["changed"] = sum(weighed) / len(weighed)
    for i, pool in enumerate(sides):
        found[f"mean.{pool}"] = sum(balances[i] for balances in played.balances) / len(
            played.balances
        )
        found[f"end.{pool}"] = float(played.balances[-1][i])
        for kind in get_args(Kind):
            found[f"{kind}.{pool}"] = float(played.flows.total(pool, kind))
        found[f"overflows.{pool}"] = float(played.flows.overflows[pool])
    found["refused"] = float(len(played.tried) - len(made))
    return found


def _run_lengths(locked: Sequence[bool]) -> list[int]:
    """The length of each run of True."""
    spells, n = [], 0
    for one in (*locked, False):
        if not one and n:
            spells.append(n)
        n = n + 1 if one else 0
    return spells


def prepare(which: Evening, setting: Setting, seed: int, keep: bool = False) -> Evenings:
    """Evenings of one kind under a setting, ready to be played; `keep` keeps their logs."""
    begins = opening(systems.get(which.system), which, setting.options)
    policies: dict[Side, SeatPolicy] = {
        "gm": named(setting.gm or which.gm.policy),
        "player": named(setting.players or which.players.policy),
    }
    if solved in policies.values():
        # Refuse or solve before the first evening, and once for all processes.
        _ = solution(which, setting.options).values
    return Evenings(begins, seed, policies, keep)


def row_of(evenings: Evenings, sides: Mapping[str, str], number: int) -> Row:
    """Play one evening and return it in numbers."""
    start = process_time()
    played = evenings.play(number)
    moves = sum(one.moves for one in played.tried)
    counted = measures(played, sides)
    return Row(
        number,
        counted,
        dict(played.flows.points),
        balances=tuple(played.balances),
        moves=moves,
        seconds=process_time() - start,
    )


def play(
    which: Evening,
    n: int,
    seed: int = 0,
    settings: Sequence[Setting] = (Setting(),),
    cores: int = 1,
    done: Callable[[int], None] = lambda n: None,
) -> list[Study]:
    """Play evenings numbered from 0 under each setting, and return a study of each.

    A seed always gives the same rows. `done` is called with the number of evenings played since the
    last call, over all settings. After a `KeyboardInterrupt`, the studies have the evenings that
    were played under every setting.
    """
    studies = [Study(which, setting, seed, n) for setting in settings]
    # Checked here, so that a wrong policy or option is refused before any process begins.
    for setting in settings:
        prepare(which, setting, seed)
    start = perf_counter()
    try:
        for rows in _pieces(which, n, seed, settings, cores):
            for study, one in zip(studies, rows, strict=True):
                study.rows += one
            done(sum(map(len, rows)))
    except KeyboardInterrupt:
        pass
    for study in studies:
        study.rows.sort(key=lambda row: row.number)
        study.seconds = perf_counter() - start
    return studies


def _pieces(
    which: Evening, n: int, seed: int, settings: Sequence[Setting], cores: int
) -> Iterator[Sequence[Sequence[Row]]]:
    """The rows of each batch of evenings, for every setting, as they are ready."""
    pieces = iter(
        [range(first, min(first + EVENINGS_AT_ONCE, n)) for first in range(0, n, EVENINGS_AT_ONCE)]
    )
    if cores == 1:
        _begin(which, seed, settings)
        yield from map(_piece, pieces)
        return
    given = systems.file_of(which.system), which, seed, settings
    pool = ProcessPoolExecutor(cores, get_context("spawn"), _begin_apart, given)
    under_way: set[Future[Sequence[Sequence[Row]]]] = set()
    try:
        while True:
            with _ignoring_interrupts():
                # Queue one batch ahead for each core: a submitted batch cannot be cancelled.
                under_way |= {
                    pool.submit(_piece, piece)
                    for piece in islice(pieces, 2 * cores - len(under_way))
                }
            if not under_way:
                return
            finished, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            for one in finished:
                yield one.result()
    finally:
        pool.shutdown(wait=not under_way, cancel_futures=True)


@contextmanager
def _ignoring_interrupts() -> Iterator[None]:
    """Ignore Ctrl-C for a moment: children inherit that, and only this process stops them."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


_ready: list[tuple[Evenings, Mapping[str, str]]] = []


def _begin_apart(file: str, which: Evening, seed: int, settings: Sequence[Setting]) -> None:
    """Prepare a child process, which does not know a single-file game yet."""
    if file:
        systems.added(file)
    _begin(which, seed, settings)


def _begin(which: Evening, seed: int, settings: Sequence[Setting]) -> None:
    sides = Pools(systems.get(which.system), which.pools).sides
    _ready[:] = [(prepare(which, setting, seed), sides) for setting in settings]


def _piece(numbers: range) -> Sequence[Sequence[Row]]:
    rows = []
    for evenings, sides in _ready:
        rows.append([row_of(evenings, sides, number) for number in numbers])
    return rows
