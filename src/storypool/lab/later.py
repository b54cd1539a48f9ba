"""The later worth of points at a table, from cached solutions, so that no request waits.

A real table has no fixed number of actions to come, so half of the game's first evening is assumed.
"""

import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Lock

from storypool.engine.decisions import what_if
from storypool.engine.game.system import System
from storypool.engine.refusal import Refused
from storypool.engine.table import Points, Purse, Table
from storypool.lab import solution_cache
from storypool.lab.actions import State
from storypool.lab.evenings import Evening, evening
from storypool.lab.node_keys import in_hand
from storypool.lab.solution_cache import Kept
from storypool.lab.solutions import own_options
from storypool.odds.question import Worth


class Later:
    """The later worth of points, for many tables; a subprocess computes missing values."""

    def __init__(self) -> None:
        self._solved: dict[Path, Kept] = {}
        self._process: subprocess.Popen[bytes] | None = None
        self._tried: set[Path] = set()
        self._lock = Lock()

    def kept(self, system: System, table: Table, seat_id: str, row: Worth) -> float | None:
        """The later worth for this seat's side of the points that an offer costs, if kept.

        The unit is one action, as for gains. None if it is unknown or not computed yet: then the
        solution is computed in the background, for a later request. Points gained by spending are
        subtracted.
        """
        if not row.price:
            return None
        try:
            which = evening(system.key)
        except Refused:
            return None
        solved = self._known(system, which, table.options)
        if solved is None:
            return None
        worth = solved.values[(which.length + 1) // 2]
        try:
            then = what_if(system, table, seat_id, row.move, row.args)
        except Refused:
            # It follows the roll: only its price is known.
            then = replace(table, points=table.points - row.price)
        most = tuple(map(max, zip(*worth, strict=True)))
        ways = _ways(tuple(map(Purse.read, solved.pools)), row.price, table, then, most)
        lost = [worth[now] - worth[after] for now, after in ways if now in worth and after in worth]
        if not lost:
            return None
        gained = sum(lost) / len(lost)
        if table.seats[seat_id].side != "gm":
            return gained
        return -gained

    def _known(self, system: System, which: Evening, options: Mapping[str, str]) -> Kept | None:
        own = own_options(system, options)
        file = solution_cache.file_of(which, own)
        with self._lock:
            if file not in self._solved:
                found = solution_cache.read(file)
                if found is None:
                    self._solve(file, system.key, own)
                    return None
                self._solved[file] = found
            return self._solved[file]

    @property
    def busy(self) -> bool:
        """Whether a solution is being computed, so that the caller should ask again."""
        return self._process is not None and self._process.poll() is None

    def _solve(self, file: Path, key: str, options: Mapping[str, str]) -> None:
        """Solve an economy in a subprocess, one at a time; it writes the values to the cache.

        A failed solution is not tried again.
        """
        if self.busy or file in self._tried:
            return
        self._tried.add(file)
        options_given = [f"--set={option}={value}" for option, value in options.items()]
        command = [
            sys.executable,
            "-P",
            "-m",
            "storypool.cli",
            "lab",
            "solve",
            key,
            *options_given,
            "--json",
        ]
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def close(self) -> None:
        """Terminate the subprocess."""
        if self._process is not None and self.busy:
            self._process.terminate()
            self._process.wait()


def _ways(
    pools: Sequence[Purse], price: Points, table: Table, then: Table, most: State
) -> Iterator[tuple[State, State]]:
    """The pairs of states before and after a price.

    The characters of a table are not those of the evening. So the payer takes the place of each of
    those in turn, and the others have as many points, or the average of the table's characters if
    the table pays; but no more than the known states.
    """
    payer = next((purse for purse in price if purse.owner), Purse(""))

    def state(at: Table, pays: int) -> Iterator[int]:
        for i, purse in enumerate(pools):
            if i == pays:
                yield at.points[payer]
            elif purse.owner:
                yield min(most[i], _usual(table, purse.account, payer))
            else:
                yield _balance(at, purse)

    for pays in [
        i for i, purse in enumerate(pools) if purse.owner and purse.account == payer.account
    ] or [-1]:
        yield tuple(state(table, pays)), tuple(state(then, pays))


def _balance(table: Table, purse: Purse) -> int:
    """The balance of a purse of the table after the current action, with the points owed so far."""
    check = in_hand(table)
    return table.points[purse] + (check.owed[purse.account] if check else 0)


def _usual(table: Table, account: str, payer: Purse) -> int:
    """The points of the players' characters: those of the payer, or the average."""
    if payer.account == account:
        return table.points[payer]
    own = []
    for one in table.characters.values():
        if one.side == "players":
            own.append(table.points[Purse(account, one.id)])
    return round(sum(own) / len(own)) if own else 0
