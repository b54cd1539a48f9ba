"""The kit of a game: dice and symbols, points, options, sheet, words. All that a rule may look up, and no move."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from storypool.engine.dice import Axes, Die, Rolled
from storypool.engine.notation import Notation
from storypool.engine.table import Check, Outcome, Table
from storypool.words import Words

Roll = Callable[[Die], int]
"""Gives the printed face of one die. Chance is always an argument."""

Read = Callable[[Table, Check, tuple[Rolled, ...]], Outcome]
"""Gives what a roll comes to, with the sentence that says so."""


@dataclass(frozen=True, slots=True)
class Account:
    """A kind of points: a balance of the table or of each character, its bounds, and where what its cap refuses goes.

    `side` spends it. `overflow` names another account, or is "lost" or "refused". `cap` may depend on its owner.
    """

    name: str
    each: Literal["table", "character"] = "table"
    side: Literal["players", "gm", ""] = ""
    cap: int | Callable[[Table, str], int | None] | None = None
    overflow: str = "refused"

    def most(self, table: Table, owner: str) -> int | None:
        """The cap for this owner, or None where there is none."""
        return self.cap(table, owner) if callable(self.cap) else self.cap


@dataclass(frozen=True, slots=True)
class Option:
    """A house rule that a table may choose: its values, and the one it has unless the table says otherwise."""

    key: str
    values: tuple[str, ...]
    default: str
    system: bool = True


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry on a character's sheet: its key, its label, its group, and the range of its number."""

    key: str
    label: str
    group: str
    low: int = 0
    high: int = 99
    default: int = 0
    notes: Mapping[str, str] = field(default_factory=dict)


Outline = Literal["", "square", "diamond", "pentagon", "hexagon", "octagon"]
"""The outline of a die, which tells how many sides it has."""

Pattern = Literal["plain", "dots", "hatching"]
"""The pattern of a die, which tells help from hindrance."""

Colour = Literal[
    "", "help", "hinder", "black", "blue", "green", "orange", "purple", "red", "sand", "sky", "white", "yellow"
]
"""The colours that the page has for dice and symbols, each checked for contrast in both themes."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a die, a symbol or an account is shown: word, letter, outline, pattern, colour token and glyph.

    A glyph is named by its file: one of the page's own, or one beside the game. `docs/panels.md` lists the page's.
    `plural` names several of them, and stands with every number but one. A language that counts otherwise has `forms`
    besides, by CLDR's plural categories.
    """

    word: str
    plural: str = ""
    letter: str = ""
    outline: Outline = ""
    pattern: Pattern = "plain"
    colour: Colour = ""
    glyph: str = ""
    forms: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Note:
    """A page of the game's reference besides its moves: plain text, a table, or both; `head` names the columns."""

    title: str
    text: str = ""
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Kit:
    """What a game is played with: dice, axes, points, options, the entries of a sheet, looks and words.

    `reader` gives what reads rolls, in words. Where numbers on dice become symbols by the terms of a check, `bind`
    gives each single die of its pool, in printed order, with the symbols that its faces say in that check.
    """

    key: str
    name: str
    dice: tuple[Die, ...]
    axes: Axes
    notation: Notation
    reader: Callable[[Words], Read]
    words: Words
    about: str = ""
    accounts: tuple[Account, ...] = ()
    upgrades: Mapping[str, str] = field(default_factory=dict)
    options: tuple[Option, ...] = ()
    sheet: tuple[Entry, ...] = ()
    look: Mapping[str, Look] = field(default_factory=dict)
    bind: Callable[[Table, Check], tuple[Die, ...]] | None = None

    @cached_property
    def read(self) -> Read:
        """What a roll comes to, in the words of this game."""
        return self.reader(self.words)

    @cached_property
    def by_account(self) -> Mapping[str, Account]:
        """Every account by its name."""
        return {account.name: account for account in self.accounts}

    def title(self, key: str) -> str:
        """What a move is called on its button; empty where the game has no such move."""
        return self.words.get(f"title.{key}", "")

    def word(self, name: str, n: int = 1) -> str:
        """The word that goes with so many of a die, symbol or account; its own name where it has no look."""
        look = self.look.get(name)
        if look is None:
            return name
        category = self.words.category(n)
        return look.forms.get(category) or (look.word if category == "one" else self.plural(name))

    def plural(self, name: str) -> str:
        """What several of a die, symbol or account are called, without a number; its own name where it has no look."""
        look = self.look.get(name)
        return name if look is None else look.plural or f"{look.word}s"

    def choice(self, option: str, value: str) -> str:
        """The word for a value of an option, or for one that many options have; a number stands for itself."""
        return self.words.get(f"option.{option}.{value}") or self.words.get(f"value.{value}", value)

    def group(self, key: str) -> str:
        """The word for a group of entries on a sheet; its key where the catalogue has none."""
        return self.words.get(f"entries.{key}", key)

    def entry(self, key: str) -> str:
        """How an entry of the sheet is called; a name of the player's own stays as it is."""
        return next((entry.label for entry in self.sheet if entry.key == key), key)

    def option(self, table: Table, key: str) -> str:
        """What this table chose for an option, or its default."""
        return table.options.get(key) or next(o.default for o in self.options if o.key == key)
