"""What points would be worth later, at a table: from a solution that is known already, so that nobody waits for it.

A real table has no number of actions to come, so half of the game's first evening is taken for it.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from threading import Lock

from storypool.engine.decisions import what_if
from storypool.engine.refusal import Refused
from storypool.engine.system import System
from storypool.engine.table import Points, Table
from storypool.lab import solution_cache
from storypool.lab.actions import State, in_hand
from storypool.lab.evenings import Evening, evening
from storypool.lab.flows import Pools
from storypool.lab.solution_cache import Values
from storypool.lab.solutions import own_options, solvable
from storypool.odds.question import Worth


def may_know_later(table: Table, seat_id: str) -> bool:
    """Whether this seat may know what points would be worth later: nobody, unless the table has said so."""
    seat, told = table.seats.get(seat_id), table.options.get("later", "nobody")
    return seat is not None and (told == "everybody" or (told == "gm" and seat.side == "gm"))


class Later:
    """The worth of points later, for many tables: values are read once, and solved by a process of their own."""

    def __init__(self) -> None:
        self._values: dict[Path, Values] = {}
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = Lock()

    def kept(self, system: System, table: Table, seat_id: str, row: Worth) -> float | None:
        """Return what the points that an offer costs would be worth to this seat's side, if they were kept.

        It is in parts of an action, as a gain is. None where it is not known, or not yet: the solution is made beside
        this program then, for whoever asks again. What the points turn into by being spent is counted against them.
        """
        if not row.price:
            return None
        try:
            which = evening(system.key)
        except Refused:
            return None
        values = self._known(system, which, table.options) if solvable(which) else None
        if values is None:
            return None
        worth, pools = values[(which.length + 1) // 2], Pools(system, which.pools)
        try:
            then = what_if(system, table, seat_id, row.key, row.args)
        except Refused:
            # It comes after the roll: only its price is known.
            then = None
        now, spent = _state(pools, table), _state(pools, then) if then else _less(pools, table, row.price)
        if now not in worth or spent not in worth:
            return None
        gained = worth[now] - worth[spent]
        return gained if table.seats[seat_id].side != "gm" else -gained

    def _known(self, system: System, which: Evening, options: Mapping[str, str]) -> Values | None:
        own = own_options(system, options)
        file = solution_cache.file_of(which, own)
        with self._lock:
            if file not in self._values:
                found = solution_cache.read(file)
                if found is None:
                    self._solve(system.key, own)
                    return None
                self._values[file] = found
            return self._values[file]

    def _solve(self, key: str, options: Mapping[str, str]) -> None:
        """Have an economy solved by another process, one at a time; it leaves the values in the cache."""
        if self._process is not None and self._process.poll() is None:
            return
        told = [f"--set={option}={value}" for option, value in options.items()]
        command = [sys.executable, "-P", "-m", "storypool.cli", "lab", "solve", key, *told, "--json"]
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def close(self) -> None:
        """End what is still being solved."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait()


def _state(pools: Pools, table: Table) -> State:
    """Return what the pools will have once the action in hand is over, as far as it owes anything by now."""
    check = in_hand(table)
    owed = check.owed if check else {}
    return tuple(n + owed.get(name, 0) for name, n in zip(pools.names, pools.of(table), strict=True))


def _less(pools: Pools, table: Table, price: Points) -> State:
    """Return what the pools will have, but for a price."""
    paid = price.written()
    return tuple(n - paid.get(name, 0) for name, n in zip(pools.names, _state(pools, table), strict=True))
