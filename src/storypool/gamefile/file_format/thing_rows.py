"""The things of a game in its file: dice, symbols, sheets, points, statements, windows, people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, field
from typing import Any, Literal

from storypool.gamefile.file_format.expressions import Expression

__all__ = [
    "MOST_JOINED",
    "CharacterRow",
    "DieRow",
    "EntriesRow",
    "NpcRow",
    "OptionRow",
    "OutcomeRow",
    "PagePlace",
    "PointsRow",
    "SymbolRow",
    "TogetherRow",
    "TraitRow",
    "TurnsRow",
    "Until",
    "When",
    "Who",
    "WindowRow",
    "WorldRow",
    "column",
    "words_of",
    "written_key",
]

MOST_JOINED = 9
"""The most characters who join one action."""
PagePlace = Literal["", "actions", "scene", "table"]
Until = Literal["action", "round", "scene", "session", ""]
When = Literal[
    "before the roll",
    "in the action",
    "after the roll",
    "between actions",
    "on your turn",
    "in a conflict",
    "any time",
]
Who = Literal["actor", "helper", "joined", "player", "gm", "anybody"]
Occasion = Literal[
    "rolled",
    "closed",
    "session begins",
    "session ends",
    "scene begins",
    "scene ends",
    "round begins",
    "turn begins",
    "turn ends",
    "turn thrown",
    "points",
    "full",
    "empty",
    "lost",
    "reaches",
]
"""What a row of consequences follows."""


def column(
    about: str,
    example: str,
    default: Any = MISSING,
    *,
    key: str = "",
    taught: Any = None,
    **more: Any,
) -> Any:
    """A field of a table: its meaning, an example as written, its default, and another key.

    A field that others read, and that is any plain data here, is `taught` by this type.
    """
    held = {"about": about, "example": example, "key": key, "taught": taught}
    if isinstance(default, dict):
        return field(default_factory=dict, metadata=held)
    if default is not MISSING:
        return field(default=default, metadata=held, **more)
    return field(metadata=held)


def written_key(one: Field[Any]) -> str:
    """The key of a field in a file: its name, unless it has another."""
    return one.metadata["key"] or one.name


@dataclass(frozen=True, kw_only=True)
class WorldRow:
    """How the page looks at a table of the game; a GM may choose another look."""

    like: Literal["tide", "noir", "realms", "neon", "folk", "desert", "parlour"] = column(
        "the look that has its felt, headings and sign", '"desert"', "parlour"
    )
    ground: int | None = column("the hue of what lies behind by night, 0 to 359", "155", None)
    paper: int | None = column("the hue of what lies behind by day", "82", None)
    yours: int | None = column("the hue of what is your move", "65", None)
    others: int | None = column("the hue of what is the other side's", "185", None)
    depth: int | None = column("how deep the colours behind are, in percent, 0 to 160", "120", None)


@dataclass(frozen=True, kw_only=True)
class DieRow:
    """A die: numbered, with what its numbers show, or with symbols on its faces."""

    sides: int = column("how many sides a numbered die has", "6", 0)
    faces: tuple[str, ...] = column(
        "the symbols on each face, with a space between", '["", "hit", "hit hit"]', ()
    )
    shows: Mapping[str, Expression] = column(
        "symbols that a numbered die shows, each with when or how many; `face` is the number, and"
        " terms of the action may be named",
        '{ hit = "face >= 5" }',
        {},
    )
    explodes: tuple[int, ...] = column(
        "the faces that are rolled again at once, up to 8 rolls in all: the symbols of every roll"
        " count, and as a number the die is their sum. Dice that are rolled again roll whole, and"
        " their `face` is that of the first roll. Of real dice the further faces are typed after"
        " the first ones, in the order of their rolls; where none are typed, the program rolls on",
        "[6]",
        (),
    )
    word: str = column("what one is called", '"action die"', "")
    plural: str = column("what several are called", '"action dice"', "")
    letter: str = column("the letter that people type for it", '"A"', "")
    hinders: bool = column("whether it is rolled against the actor", "true", False)
    becomes: str = column("the die that an upgrade makes of it", '"strong"', "")
    colour: Literal[
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
    ] = column("its colour on the page", '"sky"', "")
    pattern: Literal["plain", "dots", "hatching"] = column(
        "its pattern, which tells dice of one outline apart", '"dots"', "plain"
    )
    drawing: str = column(
        "its side as SVG with a `viewBox`, in place of the outline and the pattern: the first shape"
        " has the colour of the die, and further ones are drawn on it",
        '\'<svg viewBox="0 0 24 24"><path d="M12 1L23 9L19 22H5L1 9Z"/></svg>\'',
        "",
    )


@dataclass(frozen=True, kw_only=True)
class SymbolRow:
    """A symbol that dice show."""

    word: str = column("what one is called", '"hit"', "")
    plural: str = column("what several are called", '"hits"', "")
    opposite: str = column("the symbol that cancels it, one for one", '"miss"', "")
    glyph: str = column("the drawing of the page that it has", '"success"', "")
    drawing: str = column(
        "a drawing of its own, as SVG with a `viewBox`: its shapes are kept, in the colour of the"
        " text",
        '\'<svg viewBox="0 0 24 24"><path d="M4 20L12 4L20 20Z"/></svg>\'',
        "",
    )
    colour: Literal["", "help", "hinder"] = column("whether it helps or hinders", '"help"', "")


@dataclass(frozen=True, kw_only=True)
class EntriesRow:
    """A group of numbers, or of texts, on the sheet of a character."""

    title: str = column("what the group is called", '"Actions"')
    entries: Mapping[str, str] = column(
        "its numbers or texts: their keys, and what they are called", '{ sneak = "Sneak" }'
    )
    text: bool = column(
        "whether they are words, such as a class, gear or notes, which people read and no rule",
        "true",
        False,
    )
    most: int = column("for words: the most characters of each, up to 2,000", "400", 100)
    lines: int = column("for words: how many lines each can have, up to 40", "8", 1)
    low: int = column("the lowest number", "0", 0)
    high: int = column("the highest number", "4", 99)
    default: int = column("the number of a new character", "1", 0)
    steps: tuple[int, ...] = column(
        "the sizes of a die that its numbers can be, from the least, in place of low and high; 0 is"
        " no die",
        "[4, 6, 8, 10, 12]",
        (),
    )

    @property
    def numbers(self) -> Mapping[str, str]:
        """The entries that are numbers."""
        return {} if self.text else self.entries


def words_of(sheet: Mapping[str, EntriesRow]) -> frozenset[str]:
    """The keys of the entries of a sheet that are words."""
    texts = (group for group in sheet.values() if group.text)
    return frozenset(key for group in texts for key in group.entries)


@dataclass(frozen=True, kw_only=True)
class PointsRow:
    """Points that are kept, gained and spent."""

    of: Literal["players", "gm", "table", "character", "hero"] = column(
        "whose they are; a `hero` is a character of the players: no NPC has them", '"character"'
    )
    word: str = column("what one is called", '"stress"', "")
    plural: str = column("what several are called; its word if it is left out", '"stress"', "")
    start: Expression | None = column("how many there are at first", "2", None)
    floor: Expression | None = column(
        "the least there can be, which may be a debt: 0 if it is left out; entries of the sheet may"
        " be named",
        '"-6"',
        None,
    )
    cap: Expression | None = column(
        "the most there can be; entries of the sheet may be named", '"4 + grit"', None
    )
    overflow: str = column(
        "where points above the cap go: `lost`, `refused`, or other points", '"doom"', "lost"
    )
    rises: bool = column(
        "whether one pays with them by letting them rise, as with stress", "true", False
    )
    steps: tuple[int, ...] = column(
        "the sizes of a die that they can be, from the least, in place of floor and cap: they only"
        " step along it; 0 is no die",
        "[0, 4, 6, 8, 10, 12]",
        (),
    )
    turns: str = column("what a spent point becomes once its action is over", '"dark"', "")
    glyph: str = column("the drawing of the page that they have", '"dark"', "")
    drawing: str = column(
        "a drawing of their own, as SVG with a `viewBox`",
        '\'<svg viewBox="0 0 24 24"><circle cx="12" cy="12" r="9"/></svg>\'',
        "",
    )

    @property
    def is_own(self) -> bool:
        """Whether characters have them, and not the table or a side."""
        return self.of in ("character", "hero")


@dataclass(frozen=True, kw_only=True)
class TraitRow:
    """A statement about a character or the scene: an aspect, a harm, a condition, a clock."""

    word: str = column("what it is called", '"Clock"')
    of: Literal["character", "scene"] = column("what it is about", '"character"', "scene")
    by: Literal["gm", "anybody", "player", "rules"] = column(
        "who adds and ends it; a player asks the GM; `rules`: only moves do", '"gm"', "gm"
    )
    goal: tuple[int, ...] = column("for a clock: how many segments it can have", "[4, 6, 8]", ())
    steps: tuple[int, ...] = column(
        "the sizes of a die that its number can be, from the least; a new one is the last of them"
        " unless `n` says otherwise, and at 0 it ends",
        "[0, 4, 6, 8]",
        (),
    )
    kinds: Mapping[str, str] = column(
        "the kinds of it, each with what it is called: a question reads that of a statement as in"
        " `which.kind == 'ally'`",
        '{ ally = "Ally", gear = "Gear" }',
        {},
    )
    rank: tuple[Expression, ...] = column(
        "its lowest and its highest rank, which moves change and `which.rank` reads; entries of the"
        " sheet may be named",
        '[1, "1 + grit"]',
        (),
    )
    until: Until = column("how long it lasts", '"scene"', "")
    hidden: bool = column("whether only the GM knows of it until it is revealed", "true", False)
    sheet: bool = column(
        "whether it is on its character's sheet, as a weapon is: players read that of an NPC once"
        " the GM shows it, and moves use it all the same",
        "true",
        False,
    )
    single: bool = column(
        "whether the same words about the same character are made once", "true", False
    )
    held: bool = column(
        "whether a character holds it on another; one more of the same two is added to the one"
        " there is",
        "true",
        False,
    )
    answers: tuple[str, ...] = column(
        "the moves by which the player of its character answers it: the table waits for one of"
        " them",
        '["accept", "refuse"]',
        (),
    )

    @property
    def lower_word(self) -> str:
        """Its name within a sentence."""
        return self.word[:1].lower() + self.word[1:]


@dataclass(frozen=True, kw_only=True)
class OptionRow:
    """A house rule that a table chooses."""

    title: str = column("what is chosen", '"How many dice are kept?"')
    values: Mapping[str, str] = column(
        "its values, the usual one first, and what each is called", '{ two = "Two" }'
    )


@dataclass(frozen=True, kw_only=True)
class TurnsRow:
    """The order of turns in a conflict. Each character acts once a round."""

    order: Literal["highest first", "sides in turn", "handed over"] = column(
        "who is next: whose number is the highest, with players first in a tie; the other side; or"
        " whom the one who has just acted names",
        '"handed over"',
        "highest first",
    )
    by: Expression | None = column(
        "for the highest: the number of a character; `thrown` is the sum of the dice thrown for it,"
        " `thrown_SYMBOL` a symbol on them",
        '"watch"',
        None,
    )
    throw: Mapping[str, Expression] = column(
        "for the highest: dice that each character throws, or cards that are drawn for them",
        "{ d10 = 1 }",
        {},
    )
    each_round: bool = column("whether it is thrown again for each round", "true", False)
    slots: Literal["character", "side"] = column(
        "whose a turn is: a character's, or their side's, of which anybody takes it who has not"
        " acted yet; where sides go in turn, it is always the side's",
        '"side"',
        "character",
    )
    begins: Literal["conflict", "scene"] = column(
        "whether the GM starts and ends it, or it begins and ends with each scene",
        '"scene"',
        "conflict",
    )
    actions: int = column(
        "how many actions a turn has before the next begins; 0: it ends when its player says so",
        "2",
        1,
    )
    out: tuple[str, ...] = column(
        "kinds of statements that take their character out of the turns", '"taken_out"', ()
    )
    word: str = column("what it is called", '"Fight"', "Conflict")

    @property
    def by_side(self) -> bool:
        """Whether turns belong to a side, whose members may all take them."""
        return self.slots == "side" or self.order == "sides in turn"

    @property
    def ranked(self) -> bool:
        """Whether a number of each character decides the order."""
        return self.order == "highest first"

    @property
    def lower_word(self) -> str:
        """Its name within a sentence."""
        return self.word[:1].lower() + self.word[1:]


@dataclass(frozen=True, kw_only=True)
class OutcomeRow:
    """A rung of the ladder: the first whose `when` holds is what the roll comes to."""

    key: str = column("its key", '"partial"')
    when: Expression | None = column("when it holds; the last needs none", '"best >= 4"', None)
    words: str = column(
        "what it is, in a sentence; a number or a term is filled in between braces",
        '"You do it, with {best}."',
    )
    passed: bool | None = column("whether the action succeeds", "true", None)


@dataclass(frozen=True, kw_only=True)
class TogetherRow:
    """How others join an action, so that all of them act in one roll.

    `joined` is how many have joined; `best(sneak)`, `lowest(sneak)` and `sum(sneak)` read a number
    of all who act.
    """

    title: str = column("what the button says", '"Come along"', "Join")
    about: str = column("a sentence about it", '"One roll for all who sneak."', "")
    rule: str = column("the place in the rules", '"Group actions"', "")
    only: Expression | None = column(
        "who may join: a condition on the character who joins", '"sneak > 0"', None
    )
    unless: str = column(
        "the sentence that says why not where `only` does not hold", '"You cannot sneak."', ""
    )
    price: tuple[Mapping[str, Expression], ...] = column(
        "what it costs; it comes back to those who leave again", "{ stress = 1 }", ()
    )
    add: str = column(
        "a die that each one who joins adds, or a name whose number is its size", '"light"', ""
    )
    most: int = column("the most who join", "3", MOST_JOINED)


@dataclass(frozen=True, kw_only=True)
class WindowRow:
    """A window before the roll: a side that decides before the dice may be rolled."""

    who: Literal["gm", "actor", "other side"] = column("who decides", '"gm"')
    moves: tuple[str, ...] = column(
        "moves of which one has to be made; if they are left out, that side lets the dice roll",
        '["oppose"]',
        (),
    )
    when: Expression | None = column("whether there is anything to decide", '"dread > 0"', None)


@dataclass(frozen=True, kw_only=True)
class CharacterRow:
    """A ready-made character."""

    name: str = column("the name", '"Ilse Brandt"')
    about: str = column("a line about them", '"Opens what is locked."', "")
    sheet: Mapping[str, int | str] = column(
        "numbers and words of the sheet", '{ sneak = 2, gear = "A lamp" }', {}
    )


@dataclass(frozen=True, kw_only=True)
class NpcRow:
    """An NPC that the GM can bring in."""

    key: str = column("a key", '"guard"')
    name: str = column("what they are called", '"A guard"')
    sheet: Mapping[str, int | str] = column(
        "numbers and words of the sheet", '{ sneak = 1, notes = "Sleeps" }', {}
    )
