"""Remembered answers about a table: each is given again until something that it read has changed.

A rule gets a proxy of the table, which notes what is read of it. What an answer read is kept as a
path through a tree: each node names one thing to look up, and has a branch for each value that was
found there. A rule that finds the same values reads on in the same way, so if the values of the
present table lead along a path, the answer at its end holds. Nothing is ever declared out of date,
and no rule knows of it.

Source of the idea: verifying traces, in Mokhov, Mitchell and Peyton Jones, "Build Systems à la
Carte" (2018).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar, cast

from storypool.engine.recall.noting import Notes
from storypool.engine.recall.paths import Found, Name, Path, View
from storypool.engine.recall.plain_answers import plain
from storypool.engine.table import Seat, Table

T = TypeVar("T")

MAX_NAMES = 16_000
"""The most names in the paths of one table's answers; beyond that all answers are forgotten."""


class Memory:
    """The answers about one table, each with what it read.

    A `question` is what an answer depends on besides the view, such as the key of a move. Threads
    may share a memory: paths are replaced and never changed, and one that is lost costs no more
    than working the answer out again. In a `blank` memory, which is for checks, the ids that a rule
    reads hold no text of their own, so an answer that uses one without noting it comes out wrong.
    """

    def __init__(self, blank: bool = False) -> None:
        self.blank = blank
        self.table, self.seat = Name(), Name(own=True)
        self._tables: tuple[tuple[Table, Found], ...] = ()
        self._paths: dict[Hashable, Path] = {}
        self._size = 0

    def _found(self, table: Table) -> Found:
        """Return what has been found at this table: the same for all seats that see it alike."""
        for one, found in self._tables:
            if one is table:
                return found
        found = Found(self.table, table)
        # The game masters see another one where something is hidden.
        self._tables = ((table, found), *self._tables[:1])
        return found

    def view(self, table: Table, seat: Seat) -> View:
        """Return the view of this seat, for `answer`; `table` is what the seat sees."""
        return View(self._found(table), Found(self.seat, seat))

    def answer(self, question: Hashable, view: View, work: Callable[[Table, Seat], T]) -> T:
        """Return the remembered answer to a question if all that it read is as it was, else what
        `work` returns.

        `work` gets proxies of the table and of the seat. What it returns is remembered, unless a
        read failed.
        """
        path = self._paths.get(question)
        while path is not None and view.leads(path):
            if path.on is None:
                return cast(T, path.end)
            path = path.end.get(view.key(path.on))
        notes = Notes(view, self.blank)
        answer: T = plain(work(notes.proxy(Table, self.table), notes.proxy(Seat, self.seat)), notes)
        notes.close()
        if notes.is_whole:
            self._keep(question, tuple(notes.read), tuple(map(view.key, notes.read)), answer)
        return answer

    def forget(self) -> None:
        """Forget all answers; those that are being worked out still hold."""
        self._paths, self._size = {}, 0
        self.table.forget()
        self.seat.forget()
        self._tables = ()

    def _keep(
        self,
        question: Hashable,
        names: tuple[Name, ...],
        keys: tuple[Hashable, ...],
        answer: object,
    ) -> None:
        """Add a path: a new one, or a branch of an earlier one where both have read the same up to
        there.
        """
        if self._size + len(names) > MAX_NAMES:
            self.forget()
        paths, key = self._paths, question
        while (path := paths.get(key)) is not None:
            both = zip(path.names, path.keys, names, keys, strict=False)
            n = next(
                (n for n, (was, at, name, to) in enumerate(both) if was is not name or at != to),
                None,
            )
            if n is not None:
                if path.names[n] is names[n]:
                    rest = Path(path.names[n + 1 :], path.keys[n + 1 :], path.on, path.end)
                    parted = {
                        path.keys[n]: rest,
                        keys[n]: Path(names[n + 1 :], keys[n + 1 :], None, answer),
                    }
                    paths[key] = Path(names[:n], keys[:n], names[n], parted)
                    self._size += len(names) - n
                    return
                break
            n = len(path.names)
            if path.on is None or names[n : n + 1] != (path.on,):
                break
            paths, key, names, keys = path.end, keys[n], names[n + 1 :], keys[n + 1 :]
        paths[key] = Path(names, keys, None, answer)
        self._size += len(names)
