"""The actions of a game file by key, and the names that each of them has."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from storypool.gamefile.file_format.game_bounds import Found
from storypool.gamefile.file_format.readable_names import ACTION
from storypool.gamefile.file_format.schema import ActionRow, GameFile
from storypool.gamefile.file_rolls.roll_reading import RollReading
from storypool.words import Phrase

__all__ = ["KEY", "ActionNames", "CommonNames", "action_keys", "rolls"]

KEY = re.compile(r"[a-z][a-z0-9_]{0,29}")


class CommonNames(NamedTuple):
    """The names that several actions have: terms, all that a reading knows, and symbols spent."""

    terms: tuple[str, ...]
    reading: tuple[str, ...]
    spends: tuple[str, ...]


class ActionNames:
    """The names of the actions of a game."""

    def __init__(self, readings: Mapping[str, RollReading]) -> None:
        self.readings, self.keyed = readings, () if "" in readings else (ACTION,)
        self.owners: dict[str, list[str]] = {}
        """The keys of the actions that have each name."""
        for key, one in readings.items():
            for name in (*_terms(one), *one.figures, *one.game.action.counts):
                self.owners.setdefault(name, []).append(key)

    def common(self, keys: Collection[str]) -> CommonNames:
        """The names that all of these actions have; of all actions where none is named."""
        found = [one for key, one in self.readings.items() if key in keys]
        actions = found or list(self.readings.values())
        terms = _in_all([_terms(one) for one in actions])
        numbers = _in_all([one.numbers for one in actions])
        spends = _in_all([one.game.action.spends for one in actions])
        return CommonNames(terms, (*terms, *numbers, *self.keyed), spends)


def action_keys(game: GameFile) -> Found:
    """Missing actions, and missing or wrong keys of several."""
    if not game.actions and game.pool_dice:
        yield ("action",), Phrase("gamefile.action.none")
    seen = set[str]()
    for n, row in enumerate(game.actions):
        path = ("action", n, "key")
        if not row.key and len(game.actions) > 1:
            yield path, Phrase("gamefile.action.key")
        elif row.key and not KEY.fullmatch(row.key):
            yield path, Phrase("gamefile.key", got=row.key[:40])
        elif row.key in seen:
            yield path, Phrase("gamefile.twice", name=row.key)
        seen.add(row.key)


def rolls(row: ActionRow, die: str) -> bool:
    """Whether an action can roll this die before any move."""
    return die in row.pool or (row.empty is not None and die in row.empty.roll) or bool(row.sized)


def _terms(reading: RollReading) -> tuple[str, ...]:
    """The questions and terms of an action."""
    action = reading.game.action
    return (*(ask.name for ask in action.asks), *action.terms)


def _in_all(names: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The names that are in each of these, in the order of the first."""
    common = set(names[0]).intersection(*names[1:])
    return tuple(name for name in names[0] if name in common)
