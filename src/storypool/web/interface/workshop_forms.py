"""A game file as its author writes it: its mistakes, or its game."""

from typing import Annotated, Any, Literal

from msgspec import Meta, field

from storypool.engine.game.asks import AskView
from storypool.gamefile import LARGEST
from storypool.odds.question import OddsShown
from storypool.web.interface.forms import Args, Body, Id, Name, ResponsePart, Text
from storypool.web.interface.game_forms import GameListed, GameShown

MOST_ACTIONS = 8
"""The most kinds of rolls of a first draft."""


class WorkshopBody(Body):
    """The text of a game file, and a pool of its dice with `key=value` terms.

    Without a pool it is that of an `action`, by the key of its move, with these `answers`.
    """

    text: Annotated[str, Meta(max_length=LARGEST)]
    pool: Text = ""
    action: Id = ""
    answers: Args = field(default_factory=dict)


class CompletionBody(Body):
    """The text of a game file before and after the caret."""

    before: Annotated[str, Meta(max_length=LARGEST)]
    after: Annotated[str, Meta(max_length=LARGEST)] = ""


class KeyShown(ResponsePart):
    """A key of the format with its meaning and an example."""

    name: str
    about: str
    example: str


class KnownShown(ResponsePart):
    """A completion: its name, the text to write, and its meaning."""

    name: str
    written: str
    about: str


class CompletionShown(ResponsePart):
    """Completions at the caret; each replaces this many UTF-16 units before it: `replaced`.

    `key` is the key at the caret, if there is one.
    """

    replaced: int
    known: list[KnownShown]
    key: KeyShown | None = None


class MistakeShown(ResponsePart):
    """A mistake in a line, counted from 1: the reason and the remedy in a sentence."""

    line: int
    text: str


class MoveShown(ResponsePart):
    """A move in words: its actors, its price, its limit, and its refusals."""

    key: str
    title: str
    about: str
    who: str
    price: str
    limit: str
    refused: list[str]


class ActionShown(ResponsePart):
    """One of several actions: its move, its title, and the typed pool of a new character."""

    key: str
    title: str
    pool: str


class WorkshopShown(ResponsePart):
    """The mistakes of a file, in the order of its lines; or, where it has none, its game.

    `odds` are those of `pool`, with the sentences of its `outcomes`; where there are none,
    `no_odds` says why. `moves` are those of the file, `actions` its actions if it has several.
    `asks` are the questions of the chosen `action`, `answers` those from which the pool follows.
    """

    mistakes: list[MistakeShown] = field(default_factory=list)
    game: GameShown | None = None
    moves: list[MoveShown] = field(default_factory=list)
    actions: list[ActionShown] = field(default_factory=list)
    outcomes: dict[str, str] = field(default_factory=dict)
    action: str = ""
    asks: list[AskView] = field(default_factory=list)
    answers: dict[str, Any] = field(default_factory=dict)
    pool: str = ""
    odds: OddsShown | None = None
    no_odds: str = ""


class EveningsBody(Body):
    """The text of a game file."""

    text: Annotated[str, Meta(max_length=LARGEST)]


class MeanShown(ResponsePart):
    """A mean of evenings; the true one is within `margin` of it in 95 cases of 100."""

    mean: float
    margin: float | None


class FlowShown(MeanShown):
    """Points of an evening on average: what became of them, and by which move."""

    what: str
    by: str


class PoolShown(ResponsePart):
    """Points over the evening, at first and after each action: lower edge, middle, upper edge.

    Eight evenings of ten are between the edges. `end` is the mean number at the end.
    """

    account: str
    bands: list[tuple[float, float, float]]
    end: MeanShown
    flows: list[FlowShown]


class UnspentShown(ResponsePart):
    """A spend that nobody made: how often it was open, and its most frequent refusal `why`.

    `moments` counts the decisions of its side, `often` those with that refusal.
    """

    title: str
    moments: int
    open: int
    why: str
    often: int


class EveningsShown(ResponsePart):
    """The effect of evenings on points; there are fewer than `wanted` if time ran out."""

    title: str
    actions: int
    evenings: int
    wanted: int
    pools: list[PoolShown]
    unspent: list[UnspentShown]


class WrittenGame(GameListed):
    """A game of one page that comes with the program, to begin from."""

    text: str


class SceneStep(ResponsePart):
    """A sentence of a scene, and the dice that it is about, each with its face."""

    text: str
    dice: list[tuple[str, int]]


class GalleryGame(GameListed):
    """A game of one page with a scene of it."""

    scene: list[SceneStep]


class DraftBody(Body):
    """Six answers that make a small game.

    `reading`: the highest die counts, those from some number on are counted, or the dice are added
    up. `actions`: the titles of its kinds of rolls; without any there is one.
    """

    name: Name
    sides: Literal[4, 6, 8, 10, 12, 20]
    reading: Literal["highest", "count", "sum"]
    points: Name
    move: Name
    character: Name
    actions: Annotated[tuple[Name, ...], Meta(max_length=MOST_ACTIONS)] = ()


class DraftShown(ResponsePart):
    """The text of a game file."""

    text: str
