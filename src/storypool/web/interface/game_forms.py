"""A game as the page and other programs get it."""

from dataclasses import dataclass
from typing import Literal

from storypool.engine.bag import Bag
from storypool.engine.dice import Axes
from storypool.engine.game.kit import Entry, Look
from storypool.engine.game.system import System
from storypool.engine.table import Value
from storypool.web.interface.forms import ResponsePart


class DieShown(ResponsePart):
    """A die: the symbols of each face from the first, and the number printed on the first."""

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
    """A kind of points.

    `most` is the cap; null if there is none, or if it depends on the owner.
    """

    name: str
    each: Literal["table", "character"]
    side: Literal["players", "gm", ""]
    most: int | None


@dataclass(frozen=True, init=False)
class AxesShown(Axes):
    """The cancelling of symbols: the step of each on the axes, and the names of negative axes."""


class NotationShown(ResponsePart):
    """The notation of pools: helping and hindering dice, letters by scheme, and upgrades."""

    helping: list[str]
    hindering: list[str]
    schemes: dict[str, dict[str, str]]
    upgrades: dict[str, str]


Own = Literal["", "copy", "own"]
"""Whose a game is: this server's, a changed copy of it, or the table's own."""


MOST_LOOKS = 6
"""The most dice and points that show the look of a game in a list."""


class GameListed(ResponsePart):
    """A game in a list, with the looks of some of its dice and points.

    Without `has_gm` all seats are players.
    """

    key: str
    name: str
    about: str
    look: dict[str, Look]
    has_gm: bool


def listed(system: System) -> GameListed:
    """A game as it is listed."""
    names = (*(die.name for die in system.dice), *system.by_account)
    looks = {name: system.look[name] for name in names if name in system.look}
    some = dict(list(looks.items())[:MOST_LOOKS])
    return GameListed(
        key=system.key, name=system.name, about=system.about, look=some, has_gm=system.has_gm
    )


class GameShown(ResponsePart):
    """A game: dice, looks, panels, moves, sheet, options, accounts, notation, ready characters.

    `outcomes` are the looks of outcomes of the odds that are not in `look`, `master` has the game's
    words for its game master, `terms` those for the terms of an action. Without `has_gm` all seats
    are players. `world` is its look among the values of the option `look`, `hues` the numbers of
    that look that are its own. Each of `ready` has a name, a line about them, and the numbers of
    their sheet, with further data of the game. `own` compares a table's game with this server's: ""
    for the same, "copy" for another text, "own" for a game that the server lacks.
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
    has_gm: bool
    world: str
    hues: dict[str, int]
    first_scene: bool
    own: Own
