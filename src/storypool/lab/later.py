"""What points would be worth later, at a table: from a solution that is known already, so nobody
waits for it.

A real table has no number of actions to come, so half of the game's first evening is taken for it.
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
    """The worth of points later, for many tables: values are read once, and solved by a process of
    their own.
    """

    def __init__(self) -> None:
        self._solved: dict[Path, Kept] = {}
        self._process: subprocess.Popen[bytes] | None = None
        self._tried: set[Path] = set()
        self._lock = Lock()

    def kept(self, system: System, table: Table, seat_id: str, row: Worth) -> float | None:
        """Return what the points that an offer costs would be worth to this seat's side, if they
        were kept.

        It is in parts of an action, as a gain is. None where it is not known, or not yet: the
        solution is made beside this program then, for the next request. What the points turn into
        by being spent is counted against them.
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
            then = what_if(system, table, seat_id, row.key, row.args)
        except Refused:
            # It comes after the roll: only its price is known.
            then = replace(table, points=table.points - row.price)
        most = tuple(map(max, zip(*worth, strict=True)))
        ways = _ways(tuple(map(Purse.read, solved.pools)), row.price, table, then, most)
        lost = [worth[now] - worth[after] for now, after in ways if now in worth and after in worth]
        if not lost:
            return None
        gained = sum(lost) / len(lost)
        return gained if table.seats[seat_id].side != "gm" else -gained

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
        """Whether a solution is being made, so that it may help to ask again."""
        return self._process is not None and self._process.poll() is None

    def _solve(self, file: Path, key: str, options: Mapping[str, str]) -> None:
        """Have an economy solved by another process, one at a time; it leaves the values in the
        cache.

        What could not be solved once is not tried again.
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
        """End what is still being solved."""
        if self._process is not None and self.busy:
            self._process.terminate()
            self._process.wait()


def _ways(
    pools: Sequence[Purse], price: Points, table: Table, then: Table, most: State
) -> Iterator[tuple[State, State]]:
    """Yield the states from which and to which a price leads.

    The characters of a table are not those of the evening. So the one that pays stands for each of
    those in turn, and the others have as much, or as the table's have on average if the table pays;
    but no more than is known.
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
    """Return what a purse of the table will have once the action in hand is over, as far as it owes
    any by now.
    """
    check = in_hand(table)
    return table.points[purse] + (check.owed[purse.account] if check else 0)


def _usual(table: Table, account: str, payer: Purse) -> int:
    """Return what the players' characters have of their own: as much as the one that pays, or on
    average.
    """
    if payer.account == account:
        return table.points[payer]
    own = [
        table.points[Purse(account, one.id)]
        for one in table.characters.values()
        if one.side == "players"
    ]
    return round(sum(own) / len(own)) if own else 0
