"""The differences of a newer text of a game, in sentences for its players."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from storypool.gamefile.cards.piles import COUNT, DISCARD, HAND, OPEN, kind_of
from storypool.gamefile.file_format.row_checks.zone_checks import ZONE_KINDS
from storypool.gamefile.file_format.schema import (
    ActionRow,
    EntriesRow,
    GameFile,
    MoveRow,
    OutcomeRow,
    PointsRow,
)
from storypool.gamefile.file_rules import Rules
from storypool.gamefile.prices import price_in_words
from storypool.gamefile.secret.secret_choices import SECRET_KINDS
from storypool.gamefile.turns.turn_order import TURN_KINDS
from storypool.words import Words

__all__ = ["gone_kinds", "rule_changes"]

MAX_SENTENCES = 60
"""The most sentences; one more counts the rest."""

T = TypeVar("T")
Changed = Callable[[T, T], Iterator[str]]
"""Yields the differences between a row and its previous version."""

DIE = ("sides", "faces", "shows", "explodes", "hinders", "becomes")
CARDS = ("suits", "ranks", "values", "card")
DECK = (*CARDS, "hands", "most", "empty")
STATED = ("of", "by", "goal", "kinds", "rank", "until")
TRAIT = (*STATED, "hidden", "sheet", "single", "held", "answers", "steps")
OUTCOME = ("when", "words", "passed")
"""The keys of rows that are rules."""

MADE = ("who", "when", "action", "only", "unless", "due")
"""The keys of a move about who makes it, and when."""
ROLLED = ("rolled", "pool", "sized", "empty", "most")
READ = ("terms", "figures", "counts", "spends", "places")
ASKED = ("asks", "window")
CHANGED = {
    "declared": ("only", "unless"),
    "rolled": ROLLED,
    "read": READ,
    "asked": ASKED,
    "joined": ("together",),
}
"""The keys of the action about its time, its dice, their reading, its questions, who joins it."""


def rule_changes(old: GameFile, new: GameFile, words: Words) -> tuple[str, ...]:
    """The differences in whole sentences of these words: additions, removals, changes.

    Explanations, looks and places on the page are not rules.
    """
    found = list(_Compared(old, new, words).all()) or [words["filed.changed.nothing"]]
    more = len(found) - MAX_SENTENCES
    if more <= 0:
        return tuple(found)
    return (*found[:MAX_SENTENCES], words.say("filed.changed.more", n=more))


def gone_kinds(old: GameFile, new: GameFile) -> frozenset[str]:
    """The kinds of statements that the newer text lacks, or has about something else.

    Where its turns work differently, an order of turns under way is one; where its secret choices
    do, so is one that is open. The cards of a deck that has others by now all go back into it.
    """
    kept = set()
    for kind, row in new.trait.items():
        if kind in old.trait and old.trait[kind].of == row.of:
            kept.add(kind)
    gone = old.trait.keys() - kept
    if old.turns != new.turns:
        gone |= TURN_KINDS
    if old.zones is not None and new.zones is None:
        gone |= {*ZONE_KINDS}
    if any(row not in new.move for row in old.move if row.secret):
        gone |= SECRET_KINDS
    for name, cards in old.deck.items():
        if name not in new.deck or _differs(cards, new.deck[name], (*CARDS, "hands")):
            gone |= {kind_of(pile, name) for pile in (HAND, COUNT, OPEN, DISCARD)}
    return frozenset(gone)


@dataclass(frozen=True, slots=True)
class _Compared:
    old: GameFile
    new: GameFile
    words: Words

    def all(self) -> Iterator[str]:
        """Every difference, in the order of a file."""
        old, new = self.old, self.new
        if old.name != new.name:
            yield self._say("name", what=new.name)
        if old.gm is not new.gm:
            yield self._say("gm.new" if new.gm else "gm.gone")
        yield from self._rows(
            "die", old.dice, new.dice, lambda key, one: one.plural or one.word or key, DIE
        )
        yield from self._rows(
            "deck", old.deck, new.deck, lambda key, one: one.plural or one.word or key, DECK
        )
        symbols = old.symbols, new.symbols
        yield from self._rows(
            "symbol", *symbols, lambda key, one: one.plural or one.word or key, ("opposite",)
        )
        yield from self._rows(
            "entry", _entries(old), _entries(new), lambda key, one: one[0], self._entry
        )
        yield from self._rows("points", old.points, new.points, _points, self._points)
        yield from self._rows("trait", old.trait, new.trait, lambda key, one: one.word, TRAIT)
        yield from self._rows(
            "option", old.option, new.option, lambda key, one: one.title, ("values",)
        )
        was, now = _actions(old), _actions(new)
        yield from self._rows("action", was, now, lambda key, one: one.title, self._action)
        yield from self._ladder(old.outcome, new.outcome)
        yield from self._rows(
            "move", _moves(old, new), _moves(new, old), lambda key, one: one.title, self._move
        )
        for name in ("turns", "zones", "effects", "whenever", "character", "npc"):
            if getattr(old, name) != getattr(new, name):
                yield self._say(name)

    def _say(self, id: str, **values: object) -> str:
        return self.words.say(f"filed.changed.{id}", **values)

    def _rows(
        self,
        kind: str,
        old: Mapping[str, T],
        new: Mapping[str, T],
        called: Callable[[str, T], str],
        changed: Changed[T] | Sequence[str],
    ) -> Iterator[str]:
        """The rows added and removed, and the differences in the others."""
        for key, row in new.items():
            if key not in old:
                yield self._say(f"{kind}.new", what=called(key, row))
        for key, row in old.items():
            if key not in new:
                yield self._say(f"{kind}.gone", what=called(key, row))
        for key, row in new.items():
            if key in old and row != old[key]:
                if callable(changed):
                    yield from changed(old[key], row)
                elif _differs(old[key], row, changed):
                    yield self._say(f"{kind}.other", what=called(key, row))

    def _action(self, was: ActionRow, row: ActionRow) -> Iterator[str]:
        several = len(self.new.actions) > 1
        for name, keys in CHANGED.items():
            if _differs(was, row, keys):
                yield self._say(f"action.{name}" if several else name, what=row.title)
        yield from self._ladder(was.outcome, row.outcome)

    def _ladder(self, was: tuple[OutcomeRow, ...], now: tuple[OutcomeRow, ...]) -> Iterator[str]:
        before = {row.key: row for row in was}
        after = {row.key: row for row in now}
        yield from self._rows(
            "outcome", before, after, lambda key, one: _with_marks(one.words), OUTCOME
        )

    def _move(self, was: MoveRow, row: MoveRow) -> Iterator[str]:
        if was.title != row.title:
            yield self._say("move.title", old=was.title, what=row.title)
        # Different prices may have the same words.
        old, price = price_in_words(Rules(self.old), was), price_in_words(Rules(self.new), row)
        if was.price != row.price:
            nothing = self.words["nothing"]
            old, price = old or nothing, price or nothing
            yield self._say("move.price", what=row.title, old=old, price=price)
        if was.limit != row.limit:
            often = self.words["list.comma"].join(row.limit)
            id = "move.limit" if often else "move.unlimited"
            yield self._say(id, what=row.title, often=often)
        for name, keys in (
            ("made", MADE),
            ("asks", ("asks",)),
            ("consent", ("consent",)),
            ("does", ("do",)),
        ):
            if _differs(was, row, keys):
                yield self._say(f"move.{name}", what=row.title)

    def _points(self, was: PointsRow, row: PointsRow) -> Iterator[str]:
        what = _points("", row) or _points("", was)
        if was.cap != row.cap:
            id = "points.cap" if row.cap else "points.uncapped"
            yield self._say(id, what=what, n=row.cap and row.cap.text)
        if was.start != row.start:
            start = row.start.text if row.start else "0"
            yield self._say("points.start", what=what, n=start)
        if _differs(was, row, ("of", "overflow", "rises", "turns", "floor", "steps")):
            yield self._say("points.other", what=what)

    def _entry(self, was: tuple[str, EntriesRow], row: tuple[str, EntriesRow]) -> Iterator[str]:
        if was[1].text != row[1].text:
            yield self._say("entry.words" if row[1].text else "entry.number", what=row[0])
        elif _differs(was[1], row[1], ("low", "high", "default", "steps")):
            yield self._say("entry.other", what=row[0])
        elif _differs(was[1], row[1], ("most", "lines")):
            yield self._say("entry.length", what=row[0])


def _actions(game: GameFile) -> Mapping[str, ActionRow]:
    """The actions by key; the first is the same action, whatever its key is."""
    return {"": game.action, **{row.key: row for row in game.actions[1:]}}


def _entries(game: GameFile) -> Mapping[str, tuple[str, EntriesRow]]:
    """The label and the group of each entry of the sheet, by key."""
    return {
        key: (label, group) for group in game.sheet.values() for key, label in group.entries.items()
    }


def _moves(of: GameFile, other: GameFile) -> Mapping[str, MoveRow]:
    """The moves of a text by key, without those for kinds of statements that the other lacks."""
    alone = of.trait.keys() - other.trait.keys()
    return {row.key: row for row in of.move if row.key.rpartition("_")[0] not in alone}


def _points(key: str, row: PointsRow) -> str:
    return row.plural or row.word or key


def _with_marks(words: str) -> str:
    """A sentence of an outcome with a mark for each number that is filled in."""
    return re.sub(r"\{\w+\}", "…", words)


def _differs(one: object, other: object, keys: Sequence[str]) -> bool:
    return any(getattr(one, key) != getattr(other, key) for key in keys)
