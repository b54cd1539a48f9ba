"""A game file as its author writes it: what is wrong with it, or the game that it makes."""

from typing import Annotated

from msgspec import Meta

from storypool.gamefile.file_text import LARGEST
from storypool.web.interface.forms import Body, Gives, Text
from storypool.web.interface.game_forms import GameShown
from storypool.web.interface.odds_forms import OddsShown


class WorkshopBody(Body):
    """The text of a game file, and a pool of its dice, with `key=value` terms behind it; a usual one without."""

    text: Annotated[str, Meta(max_length=LARGEST)]
    pool: Text = ""


class MistakeShown(Gives):
    """What is wrong with a line, counted from 1: the reason and the remedy in a sentence."""

    line: int
    text: str


class MoveShown(Gives):
    """A move in words: who makes it, what it costs, how often, and why it can be refused."""

    key: str
    title: str
    about: str
    who: str
    price: str
    limit: str
    refused: list[str]


class WorkshopShown(Gives):
    """The mistakes of a file, in the order of its lines; or, where it has none, its game.

    `odds` are those of `pool`; where there are none, `no_odds` says why. `moves` are those of the file.
    """

    mistakes: list[MistakeShown]
    game: GameShown | None
    moves: list[MoveShown]
    outcomes: dict[str, str]
    pool: str
    odds: OddsShown | None
    no_odds: str
