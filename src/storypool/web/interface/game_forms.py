"""A game as the page and other programs get it."""

from dataclasses import dataclass
from typing import Literal

from storypool.engine.bag import Bag
from storypool.engine.dice import Axes
from storypool.engine.game.kit import Entry, Look
from storypool.engine.table import Value
from storypool.web.interface.forms import ResponsePart


class DieShown(ResponsePart):
    """A die: its faces from the first, each a count of its symbols, and the number printed on the
    first.
    """

    name: str
    first: int
    faces: list[Bag]


class PanelShown(ResponsePart):
    """A place of the page: its kind, and the names of the things of the game that it shows."""

    kind: str
    title: str
    binds: dict[str, Value]
    name: str
    words: dict[str, str]


class OptionShown(ResponsePart):
    """A house rule: its values, each with its words, and the sentence that asks for it."""

    key: str
    values: list[str]
    default: str
    sentence: str
    words: dict[str, str]


class AccountShown(ResponsePart):
    """A kind of points; `most` is the cap, null where there is none or where it depends on whose
    they are.
    """

    name: str
    each: Literal["table", "character"]
    side: Literal["players", "gm", ""]
    most: int | None


@dataclass(frozen=True, init=False)
class AxesShown(Axes):
    """How symbols cancel: the step of each on the axes, and the name of an axis where it is
    negative.
    """


class NotationShown(ResponsePart):
    """How pools are written: dice that help or hinder, letters of each scheme, and what a die is
    upgraded to.
    """

    helping: list[str]
    hindering: list[str]
    schemes: dict[str, dict[str, str]]
    upgrades: dict[str, str]


Own = Literal["", "copy", "own"]
"""Whose a game is: this server's, a changed copy of it, or the table's own."""


class GameShown(ResponsePart):
    """A game: dice, looks, panels, moves by title, sheet, house rules, accounts, notation,
    ready-made characters.

    `outcomes` are looks of outcomes of the odds that are not in `look`, `master` is what the game
    calls its game master, `terms` what it calls the terms of an action. Each of `ready` has a name,
    a line about them, and the numbers of their sheet, with whatever else the game gives them. `own`
    says whose the game is that a table keeps: "" for this server's, "copy" where the server's text
    is another, "own" where it has none of this key.
    """

    key: str
    name: str
    about: str
    dice: list[DieShown]
    look: dict[str, Look]
    outcomes: dict[str, Look]
    panels: list[PanelShown]
    titles: dict[str, str]
    sheet: list[Entry]
    groups: dict[str, str]
    terms: dict[str, str]
    options: list[OptionShown]
    accounts: list[AccountShown]
    axes: AxesShown
    notation: NotationShown
    ready: list[dict[str, object]]
    master: dict[str, str]
    first_scene: bool
    own: Own
