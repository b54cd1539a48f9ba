"""Dice in the order of a seed, so that no test of the page passes or fails by chance."""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any
from unittest.mock import patch

from storypool.live.bindings import Bindings, BoundDice


class SeededDice:
    """The dice of the tables of one process: those of a seed, or without one the server's own.

    With a seed the next roll is bound as usual, and pages seal and open their numbers, but the
    faces do not follow from them.
    """

    def __init__(self, seed: str | None = None) -> None:
        self.seed, self._random, self.given = seed, Random(seed), deque[int]()
        self._below, self._drawing = secrets.randbelow, Bindings.drawing

    def begin(self, seed: str | None) -> None:
        """Start the order of this seed, or restore the server's own dice."""
        self.seed, self._random = seed, Random(seed)
        self.given.clear()

    def give(self, places: Iterable[int]) -> None:
        """Set the next faces, each by its place on its die from 0, and then go on as before."""
        self.given.extend(places)

    @contextmanager
    def used(self) -> Iterator[None]:
        """Roll these dice at the tables of a server that is set up meanwhile."""

        def randbelow(n: int) -> int:
            if self.given:
                return self.given.popleft()
            return self._below(n) if self.seed is None else self._random.randrange(n)

        def drawing(*arguments: Any) -> BoundDice | None:
            return self._drawing(*arguments) if self.seed is None else None

        with (
            patch.object(secrets, "randbelow", randbelow),
            patch.object(Bindings, "drawing", drawing),
        ):
            yield
