"""The kit of a game: dice, symbols, points, options, sheet and words. All but the moves."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from typing import Literal, Self, cast

from storypool.engine.bag import Bag
from storypool.engine.dice import Axes, Die, Mod, Rolled, derive
from storypool.engine.events import MoveMade
from storypool.engine.notation import Notation
from storypool.engine.table import Check, Outcome, Table, Trait
from storypool.words import Words

__all__ = ["Account", "Entry", "Look", "Note", "Option", "Read", "Roll", "notes_of", "reads"]

Roll = Callable[[Die], int]
"""Rolls one die and returns its printed face. Chance is always an argument."""

Read = Callable[[Table, Check, tuple[Rolled, ...]], Outcome]
"""Interprets a roll: returns its outcome, including the sentence for it."""

Draws = Callable[[Table, str, int], Sequence[int] | None]
"""The cards that a draw of this many from a deck can bring, by their numbers; None for a die."""

Reading = tuple[bool | None, Bag, str]
"""A roll as read: whether it passes (None if it cannot), its net symbols, its words."""


def reads(
    read: Callable[[Sequence[Rolled], Words], Reading], margin: str
) -> Callable[[Words], Read]:
    """The reader of a game whose dice alone decide; `margin`: the symbol of the margin."""

    def in_words(words: Words) -> Read:
        def outcome(table: Table, check: Check, rolled: tuple[Rolled, ...]) -> Outcome:
            passed, net, text = read(rolled, words)
            return Outcome(passed, net[margin], net, text)

        return outcome

    return in_words


@dataclass(frozen=True, slots=True)
class Account:
    """A kind of points, held by the table or by each character: its cap and its overflow.

    No balance falls below `floor`, which is below 0 where points can be a debt. `side` spends it.
    `overflow` is where points beyond the cap go: another account's name, "lost" or "refused". `cap`
    and `floor` may depend on the owner. Paying "raises" a track that fills up, such as stress: its
    price is paid with the room below the cap. One of `heroes` is only for the players' characters.
    """

    name: str
    each: Literal["table", "character"] = "table"
    side: Literal["players", "gm", ""] = ""
    _: KW_ONLY
    cap: int | Callable[[Table, str], int | None] | None = None
    overflow: str = "refused"
    paying: Literal["lowers", "raises"] = "lowers"
    floor: int | Callable[[Table, str], int] = 0
    heroes: bool = False

    def is_had(self, table: Table, owner: str) -> bool:
        """Whether this owner can have any; those of heroes, only a character of the players."""
        one = table.characters.get(owner)
        return not self.heroes or (one is not None and one.side == "players")

    def least(self, table: Table, owner: str) -> int:
        """The floor for this owner."""
        if not self.is_had(table, owner):
            return 0
        return self.floor(table, owner) if callable(self.floor) else self.floor

    def most(self, table: Table, owner: str) -> int | None:
        """The cap for this owner, or None if there is none."""
        if not self.is_had(table, owner):
            return 0
        return self.cap(table, owner) if callable(self.cap) else self.cap

    def room(self, table: Table, owner: str) -> int | None:
        """The most of a price that this owner can pay, or None if unlimited."""
        balance = table.balance(self.name, owner)
        if self.paying == "lowers":
            return max(0, balance - self.least(table, owner))
        most = self.most(table, owner)
        return None if most is None else max(0, most - balance)

    def paid(self, n: int) -> int:
        """The balance change that pays a price of `n`; given a change, the price that it pays.

        The change is n if paying raises the balance, else -n, so each undoes the other. A price
        below 0 is a gain.
        """
        return n if self.paying == "raises" else -n


@dataclass(frozen=True, slots=True)
class Option:
    """A house rule that a table may choose: its values and its default.

    `system` is False if every game has it.
    """

    key: str
    values: tuple[str, ...]
    default: str
    system: bool = True


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry on a character's sheet: its key, its label, its group, and the range of its number.

    Every new character has an entry that is `given`, at its `default` unless another number is
    chosen. An entry of words holds a text of at most `text` characters on this many `lines`; one of
    0 characters is a number.
    """

    key: str
    label: str
    group: str
    low: int = 0
    high: int = 99
    _: KW_ONLY
    default: int = 0
    notes: Mapping[str, str] = field(default_factory=dict)
    given: bool = False
    text: int = 0
    lines: int = 1

    def fits(self, value: object) -> bool:
        """Whether this entry can hold a value: a number in its range, or a text within bounds."""
        if self.text:
            is_text = isinstance(value, str) and len(value) <= self.text
            return is_text and str(value).count("\n") < self.lines
        return type(value) is int and self.low <= value <= self.high


Outline = Literal["", "square", "diamond", "pentagon", "hexagon", "octagon", "card"]
"""The outline of a die, which shows how many sides it has."""

Pattern = Literal["plain", "dots", "hatching"]
"""The pattern of a die, which distinguishes help from hindrance."""

Colour = Literal[
    "",
    "help",
    "hinder",
    "black",
    "blue",
    "green",
    "orange",
    "purple",
    "red",
    "sand",
    "sky",
    "white",
    "yellow",
]
"""The colours that the page has for dice and symbols, each checked for contrast in both themes."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a die, a symbol or an account is shown: word, letter, outline, pattern, colour, glyph.

    `glyph` is the name of a file, either one of the page's (listed at `/help/panels`) or one in the
    game's folder. `plural` is used with every number but one; for languages that count differently,
    `forms` holds the word for each of CLDR's plural categories. A `numbered` die shows its number
    as well as its symbols, because moves mention it. The `faces` of a deck are the words of its
    cards, and `marks` what is printed in their corners. A `drawing` of the game's own is the shapes
    of SVG under the name in `glyph`, or those of a die in place of its outline and pattern.
    """

    word: str
    plural: str = ""
    letter: str = ""
    outline: Outline = ""
    pattern: Pattern = "plain"
    _: KW_ONLY
    colour: Colour = ""
    glyph: str = ""
    forms: Mapping[str, str] = field(default_factory=dict)
    numbered: bool = False
    faces: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    drawing: tuple[tuple[str, Mapping[str, str]], ...] = ()


@dataclass(frozen=True, slots=True)
class Note:
    """A page of the game's reference beyond its moves: plain text, a table or both.

    `head` names the columns. A page that is not `printed` is read on the screen and left off paper,
    such as rulings that nobody looks up in play.
    """

    title: str
    text: str = ""
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    printed: bool = True


def notes_of(
    words: Words, data: Mapping[str, Mapping[str, object]], printed: bool = True, **values: object
) -> tuple[Note, ...]:
    """The notes of a game's `paper.toml`, in its words: the cells of a row are between bars.

    `values` fill the blanks in the cells.
    """

    def cells(id: str) -> tuple[str, ...]:
        return tuple(cell.strip() for cell in words.say(id, **values).split("|"))

    notes = []
    for key, note in data.items():
        title, text = words[f"paper.{key}.title"], words.get(f"paper.{key}.text", "").strip()
        head = cells(f"paper.{key}.head") if "head" in note else ()
        keys = cast(Mapping[str, str], note.get("rows", {}))
        rows = tuple(cells(f"paper.{key}.rows.{row}") for row in keys)
        notes.append(Note(title, text, head, rows, printed))
    return tuple(notes)


@dataclass(frozen=True, kw_only=True)
class Kit:
    """A game's equipment: dice, axes, points, options, the entries of a sheet, looks and words.

    `reader` takes the game's words and returns the function that interprets rolls. If the terms of
    a check decide which symbols the numbers on its dice stand for, `bind` returns each single die
    of the pool, in printed order, with the symbols that its faces have in that check.
    `describe_terms` returns what the log says of a declared action besides its title and pool, such
    as a difficulty with its parts, without a full stop; "" to say nothing. `outcomes` are the looks
    of outcomes of the odds; one that has none is shown as a symbol or a term of its name.
    `describe_move` returns sentences about a made move besides its title, such as a question that
    was asked; "" to say nothing. `describe_trait` returns what a trait is besides its text, such as
    a kind or a rank. Players read the `open_entries` of every sheet, of an NPC's too; its other
    numbers are the GM's until they are shown, and so are its traits of the kinds `sheet_traits`,
    such as weapons. `versions` returns the game of a table that plays another text of it; see
    `played_at`. `draws` says which dice are decks, and what is left of them at a table.
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
    open_entries: tuple[str, ...] = ()
    sheet_traits: tuple[str, ...] = ()
    look: Mapping[str, Look] = field(default_factory=dict)
    outcomes: Mapping[str, Look] = field(default_factory=dict)
    bind: Callable[[Table, Check], tuple[Die, ...]] | None = None
    describe_terms: Callable[[Words, Table, Check], str] | None = None
    describe_move: Callable[[Words, MoveMade], str] | None = None
    describe_trait: Callable[[Words, Trait], str] | None = None
    versions: Callable[[Table], object] | None = None
    has_gm: bool = True
    world: str = "parlour"
    hues: Mapping[str, int] = field(default_factory=dict)
    draws: Draws | None = None

    @cached_property
    def read(self) -> Read:
        """The function that interprets a roll in the words of this game."""
        return self.reader(self.words)

    def note(self, trait: Trait) -> str:
        """What a trait is besides its text, such as a kind or a rank; "" for nothing."""
        return self.describe_trait(self.words, trait) if self.describe_trait else ""

    @cached_property
    def pool_dice(self) -> tuple[Die, ...]:
        """The dice of pools, which have a notation; moves alone throw the others."""
        written = {*self.notation.helping, *self.notation.hindering}
        return tuple(die for die in self.dice if die.name in written)

    @cached_property
    def by_account(self) -> Mapping[str, Account]:
        """Every account, by name."""
        return {account.name: account for account in self.accounts}

    def paid(self, account: str, delta: int) -> int:
        """The price paid by a change of a balance, below 0 for a gain; 0 for an unknown account."""
        row = self.by_account.get(account)
        return row.paid(delta) if row else 0

    @cached_property
    def logged_terms(self) -> Mapping[str, str]:
        """The terms of an action that the log mentions, by sentence id, in catalogue order."""
        return {
            id: id.removeprefix("story.term.") for id in self.words if id.startswith("story.term.")
        }

    @cached_property
    def spent_by(self) -> Mapping[str, str]:
        """The account that each side spends, by the side."""
        return {account.side: account.name for account in self.accounts if account.side}

    @cached_property
    def by_entry(self) -> Mapping[str, Entry]:
        """Every entry of the sheet, by key."""
        return {entry.key: entry for entry in self.sheet}

    @cached_property
    def labels(self) -> frozenset[str]:
        """The words for the entries of the sheet."""
        return frozenset(entry.label for entry in self.sheet)

    def played_at(self, table: Table) -> Self:
        """The game as it is played at this table, by the text that the table keeps.

        A table can take over new rules; records of its past are read by the rules of their time.
        """
        if self.versions is None or table.system in ("", self.key):
            return self
        return cast(Self, self.versions(table))

    def pool(self, base: Bag, mods: Iterable[Mod]) -> Bag:
        """The dice of an action: base and mods combined, or those for an empty pool."""
        return self.notation.thrown(derive(base, mods, self.upgrades))

    def title(self, key: str) -> str:
        """The title of a move, as on its button; "" if the game has no such move."""
        return self.words.get(f"title.{key}", "")

    def word(self, name: str, n: int = 1) -> str:
        """The word for n of a die, symbol or account; its name if it has no look."""
        look = self.look.get(name)
        if look is None:
            return name
        category = self.words.category(n)
        return look.forms.get(category) or (look.word if category == "one" else self.plural(name))

    def plural(self, name: str) -> str:
        """The plural of a die, symbol or account, used without a number; else its name."""
        look = self.look.get(name)
        return name if look is None else look.plural or f"{look.word}s"

    def face_in_words(self, die: str, face: int) -> str:
        """The words of a card of a deck; "" where the faces of a die have none."""
        faces = self.look[die].faces if die in self.look else ()
        return faces[face - 1] if 0 < face <= len(faces) else ""

    def outcome(self, name: str) -> str:
        """The word for an outcome of the odds."""
        return self.outcomes[name].word if name in self.outcomes else self.word(name)

    def choice(self, option: str, value: str) -> str:
        """The word for a value of an option: its own, else one of all options, else the value."""
        return self.words.get(f"option.{option}.{value}") or self.words.get(f"value.{value}", value)

    def group(self, key: str) -> str:
        """The word for a group of entries on a sheet; its key if the catalogue has none."""
        return self.words.get(f"entries.{key}", key)

    def entry(self, key: str) -> str:
        """The label of an entry on the sheet; a name made up by a player stays unchanged."""
        entry = self.by_entry.get(key)
        return entry.label if entry else key

    def option(self, table: Table, key: str) -> str:
        """This table's value for an option, or the default."""
        return table.options.get(key) or next(o.default for o in self.options if o.key == key)
