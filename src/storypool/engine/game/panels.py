"""The panels of the page: a class for each kind, with its moves, questions, traits and balances.

The page draws kinds and knows no game. The help makes the page `panels` from this file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Annotated, ClassVar, Literal, NamedTuple, get_type_hints

from storypool.engine.table import Trait, Value

__all__ = ["ActionsPanel", "BoardPanel", "BoxesPanel", "CardsPanel", "DrawerPanel", "FigurePanel"]
__all__ += [
    "GaugePanel",
    "GoalsPanel",
    "ListPanel",
    "MenuPanel",
    "OddsPanel",
    "Panel",
]
__all__ += ["PrimaryPanel", "RowsPanel", "SetupPanel", "SheetPanel", "SidesPanel"]
__all__ += ["SlotsPanel", "TermsPanel", "TrackPanel", "TracksPanel", "TrayDie", "TrayPanel"]
__all__ += ["TraysPanel", "WordsPanel"]

Names = tuple[str, ...]
Tone = Literal["good", "bad"]

KINDS: list[type[Panel]] = []
"""Every kind of panel, in the order of the page about panels."""


@dataclass(frozen=True)
class Panel:
    """A place of the page under its title, bound to a game by name.

    Its title is in the catalogue by its `name`, which only panels of one kind need: otherwise the
    kind will do. `words` are what it calls the things that it binds, by their names.
    """

    kind: ClassVar[str]
    takes: ClassVar[str] = ""
    """The names of its words, for the page about panels."""

    title: str
    _: KW_ONLY
    name: str = ""
    words: Mapping[str, str] = field(default_factory=dict)

    def __init_subclass__(cls, is_kind: bool = True) -> None:
        """Name the kind after its class, and add it to those that there are."""
        cls.kind = cls.__name__.removesuffix("Panel").lower()
        if is_kind:
            KINDS.append(cls)

    @property
    def binds(self) -> Mapping[str, Value]:
        """The bound values by name, without those left out."""
        own = {name: getattr(self, name) for name in binds_of(type(self))}
        return {name: value for name, value in own.items() if value}


def binds_of(kind: type[Panel]) -> Mapping[str, str]:
    """The binds of a kind of panel by name, each with its description."""
    found: dict[str, str] = {}
    for name, hint in get_type_hints(kind, include_extras=True).items():
        for about in getattr(hint, "__metadata__", ()):
            found[name] = about
    return found


@dataclass(frozen=True, kw_only=True)
class TraysPanel(Panel):
    """The points of the table as tokens, one side facing the other."""

    accounts: Annotated[Names, "the accounts, the players' first"]
    turns: Annotated[
        bool,
        "whether spent points turn over: what an open action moves leans in the tray of the side"
        ' that spent it; elsewhere the points that it will bring are beside the balance, as "+2"',
    ] = False


@dataclass(frozen=True, kw_only=True)
class MovesPanel(Panel, is_kind=False):
    """A place for moves: those that name it as theirs (`at`), and those that it lists."""

    moves: Annotated[Names, "the moves, in their order"] = ()


@dataclass(frozen=True)
class SetupPanel(MovesPanel):
    """Moves that come before the first scene."""


@dataclass(frozen=True, kw_only=True)
class PrimaryPanel(MovesPanel):
    """The one main button at the thumb: the first of these moves that is open."""

    moves: Annotated[Names, "the moves, in the order of a turn"] = ()
    real: Annotated[
        str,
        "the move that the actor makes before a roll of real dice that waits for others: the"
        " button for real dice makes it, and the faces are asked for when the dice may be rolled",
    ] = ""
    beside: Annotated[
        Names, "moves that all stand in the dock while one of them is the main button"
    ] = ()


@dataclass(frozen=True, kw_only=True)
class ActionsPanel(MovesPanel):
    """Offers next to the action, with price and effect."""

    first: Annotated[
        Names, "moves that stand above the roll in the dock while they have a price"
    ] = ()
    narrated: Annotated[
        Names,
        "moves whose effects stand below the dice or the result that they belong to: other dice"
        " that they roll, and the sentences of the log",
    ] = ()


class TrayDie(NamedTuple):
    """A die of a tray: the move that adds it, and the question that it answers, or ""."""

    move: str
    die: str
    ask: str = ""


@dataclass(frozen=True, kw_only=True)
class TrayPanel(MovesPanel):
    """Dice next to the pool of an open action: a tap adds one on top of the others.

    A tap makes the move with the answers that its form begins with; where the move is a proposal,
    it is proposed. Each button has its price and the odds after it. "More choices" opens the forms
    of the moves in the tray.

    >>> TrayPanel("", dice=("pool.add d6 die",)).taps
    (TrayDie(move='pool.add', die='d6', ask='die'),)
    """

    dice: Annotated[
        Names,
        "the dice, each as `MOVE DIE QUESTION`, or as `MOVE DIE` where the move adds no other dice",
    ]

    @property
    def taps(self) -> tuple[TrayDie, ...]:
        """The dice of the tray."""
        return tuple(TrayDie(*text.split(maxsplit=2)) for text in self.dice)


@dataclass(frozen=True, kw_only=True)
class MenuPanel(MovesPanel):
    """The purchases of a roll: a move's first question as rows, each with price and worth."""

    takes = "`left`, for what is left of a roll where that is not something to spend"

    rows: Annotated[
        Names,
        "those of them that are rows of the book's menu: closed, they stay there with price and"
        " reason",
    ] = ()


@dataclass(frozen=True)
class DrawerPanel(MovesPanel):
    """A group in the game master's drawer."""


@dataclass(frozen=True, kw_only=True)
class OddsPanel(Panel):
    """Notes next to the chance of the visible action; a title says what the odds leave out."""

    means: Annotated[Names, "axes shown by their mean"] = ()
    gm: Annotated[Names, "what each of these becomes in an action of the GM's"] = ()
    chances: Annotated[Names, "outcomes shown by their chance"] = ()


@dataclass(frozen=True, kw_only=True)
class FigurePanel(Panel):
    """A number that is always in sight while an action is open; in a form, its prospect."""

    takes = (
        "for each term in `beside`, and as `TERM.VALUE` for a value that is not shown as it is or"
        " by its word"
    )

    term: Annotated[str, "the term of the action that is shown large, under the panel's title"]
    beside: Annotated[Names, "terms that are shown small"] = ()
    why: Annotated[str, "a term of sentences that say what moves the number"] = ""
    action: Annotated[
        str, "the value of the term `action` where the panel is about actions with that one alone"
    ] = ""


@dataclass(frozen=True, kw_only=True)
class TermsPanel(Panel):
    """The terms of an action below its title; without this panel, each term that is a word.

    >>> dict(TermsPanel("", terms=("position", "effect")).binds)
    {'terms': ('position', 'effect')}
    """

    terms: Annotated[Names, "the terms of the action, in their order"]
    placed: Annotated[
        str, "a term with a label for each rolled die that a player put somewhere, shown at the die"
    ] = ""


@dataclass(frozen=True, kw_only=True)
class SidesPanel(Panel):
    """The terms of an action against another character, each side's under its name."""

    own: Annotated[Names, "terms of the action that belong to its actor"]
    theirs: Annotated[Names, "terms that belong to its target"]
    facing: Annotated[
        str, "a term of a roll of the target's that names the action that it faces"
    ] = ""
    helps: Annotated[
        Names, "terms of an action for its target instead of against it, as `TERM VALUE`"
    ] = ()


@dataclass(frozen=True, kw_only=True)
class RowsPanel(Panel):
    """Questions of a form as rows of large buttons, each with the number on the sheet."""

    asks: Annotated[Names, "the questions"]
    of: Annotated[Names, "questions that name whose sheet it is; else it is the actor's"] = ()


@dataclass(frozen=True, kw_only=True)
class BoardPanel(Panel):
    """Places as lists of the people and things there; those without a place are listed last.

    A tap on a place, a person or a thing opens the moves that can begin with it: moves written as
    `"move question"`, where the question has it among its answers; the form opens with that
    answered.
    """

    takes = "`rating`, each flag and each band"

    place: Annotated[str, "the kind of traits that are each a place"]
    beside: Annotated[str, "the term of a place that lists the places next to it"]
    people: Annotated[
        str, "the kind of traits about a character whose `at` is the place of that character"
    ]
    things: Annotated[str, "the kind of traits that are at a place by their `at`"] = ""
    state: Annotated[
        str, "the kind of traits that hold the state of the conflict: the order of turns shows it"
    ] = ""
    bands: Annotated[Names, "the range of a place, by its steps from the one it is seen from"] = ()
    flags: Annotated[Names, "terms of things that are worth a word"] = ()
    own: Annotated[Names, "what begins with something of one's own"] = ()
    any: Annotated[Names, "what begins with anything"] = ()
    here: Annotated[Names, "what begins with a place"] = ()
    puts: Annotated[
        Names,
        "what puts a person or thing that is nowhere yet at a place, each as `MOVE QUESTION"
        " PLACE-QUESTION`: the first that is open is made where it is dropped; `MOVE` puts all",
    ] = ()
    drags: Annotated[Names, "what moves one to another place, in the same form"] = ()


@dataclass(frozen=True, kw_only=True)
class GoalsPanel(Panel):
    """Tracks towards a goal, and marks of those who reached it: next to the table, and on cards."""

    takes = "for each kind whose tracks are in the line of their character"

    traits: Annotated[Names, "the kinds of traits that have a rating and a goal"]
    marks: Annotated[Names, "the kinds of traits that mark a character"] = ()
    drawn: Annotated[
        Literal["", "clock", "boxes"],
        "how a track is drawn: `clock` with a segment for each step, `boxes`, or a bar",
    ] = ""


@dataclass(frozen=True, kw_only=True)
class WordsPanel(MovesPanel):
    """Text on a character's card by kind, each under the entry of the sheet it belongs to.

    A text about nobody is true in the scene, and listed there between actions. The moves are on the
    open card of a character; their forms begin with it as `who`.
    """

    takes = (
        "for each kind; `TRAIT.KIND` for the term `kind` of a trait, `TRAIT.rank` for its rating"
    )

    traits: Annotated[Names, "the kinds of traits"]
    struck: Annotated[str, "the term that is true once it is struck through"] = ""
    write: Annotated[
        str,
        "the move that writes one while the sheet is edited; it asks `who`, its `kind`, `text`,"
        " maybe the entry that it is `at`, and which one it replaces as `change`",
    ] = ""
    least: Annotated[
        Names, "the least number of an entry that a new text is `at`, as `KIND NUMBER`"
    ] = ()


@dataclass(frozen=True, kw_only=True)
class TracksPanel(Panel):
    """Balances of a character, with a step either way."""

    accounts: Annotated[Names, "the accounts"]
    full: Annotated[Names, "the entries of the sheet that say how much is full"] = ()
    up: Annotated[str, "the move of a step up"] = ""
    down: Annotated[str, "the move of a step down"] = ""
    tone: Annotated[Literal["", "bad"], "`bad` where it is an alarm to have more than is full"] = ""
    drawn: Annotated[
        Literal["", "boxes"], "`boxes` where a track is drawn as a box for each point that fills it"
    ] = ""


@dataclass(frozen=True, kw_only=True)
class SheetPanel(Panel):
    """The numbers of a character, each with its roll; groups that no bind names are rows.

    A tap on a number begins what the game's `sheet_rolls` have for it. A rank has words in place of
    its number: `ENTRY.VALUE` for one value, and `ENTRY` with the blank `n` for the others.
    """

    takes = "for each `ENTRY` of `rank` and each `ENTRY.VALUE`"

    rank: Annotated[Names, "entries that are the rank of a GM's character, below its name"] = ()
    beside: Annotated[Names, "groups that are drawn small, next to each other"] = ()
    folded: Annotated[Names, "groups whose entries without a number are folded"] = ()
    only: Annotated[
        Names, "groups of one house rule alone, as `GROUP OPTION VALUE`; others leave them out"
    ] = ()

    def ranks(self, sheet: Mapping[str, Value]) -> Iterator[tuple[str, str]]:
        """Yield the entries of this sheet that are a rank, each with its words.

        >>> panel = SheetPanel("", rank=("rank",), words={"rank": "Rank {n}", "rank.3": "Major"})
        >>> [*panel.ranks({"rank": 3})], [*panel.ranks({"rank": 2, "wits": 1})]
        ([('rank', 'Major')], [('rank', 'Rank 2')])
        """
        for key in self.rank:
            words = self.words.get(f"{key}.{sheet.get(key)}", self.words.get(key, ""))
            if words and sheet.get(key):
                yield key, words.replace("{n}", str(sheet[key]))


@dataclass(frozen=True, kw_only=True)
class BoxesPanel(Panel):
    """A row of boxes on a character; the strip and the order of turns count the checked ones."""

    trait: Annotated[
        str, "the kind of traits that are checked boxes, its rating the number of the box"
    ]
    count: Annotated[str, "the entry of the sheet with the number of boxes"]
    moves: Annotated[Names, "the move that checks a box or frees it"]


@dataclass(frozen=True, kw_only=True)
class SlotsPanel(MovesPanel):
    """An order of turns, with the one whose turn it is, and who has acted."""

    trait: Annotated[str, "the kind of traits that are the turns, the present one at `now`"]
    acted: Annotated[str, "the term of a turn that is true once it has been taken"] = "acted"
    of: Annotated[
        str, "the kind of traits that say what the order is of: its heading, in place of the title"
    ] = ""
    notes: Annotated[
        Names, "kinds of traits that say more of the order, such as who was handed the next turn"
    ] = ()
    out: Annotated[Names, "kinds of traits about characters who take no turns any more"] = ()
    moves: Annotated[Names, "the moves beside the order"] = ()


@dataclass(frozen=True, kw_only=True)
class GaugePanel(Panel):
    """The session's pools over time, the causes of changes, and the next fading.

    A button between the trays opens it; while no action is open its chart is on the table. It draws
    the balances as steps, a mark for each change and a dotted line where a scene began; names what
    fades next; lists gains and losses by cause, each with a link to its latest line in the log; and
    has the same numbers as a table. All of it comes from `GET /api/tables/{id}/economy`. A change
    of these points that is not the price of a move is announced below the trays, with its reason,
    until the next tap or for eight seconds.

    A cause is named by the title of its move, unless the catalogue has a better name for it under
    `source.MOVE`.
    """

    accounts: Annotated[
        Names, "the accounts of the table that are drawn, each with a stroke and a mark of its own"
    ]
    fades: Annotated[str, "the account that loses points at the end of a period"] = ""
    by: Annotated[int, "how many it loses; the page shows no more than there are"] = 0
    at: Annotated[
        str,
        "the option whose value is that period, or the period itself: `scene`, `session` or `day`",
    ] = ""


@dataclass(frozen=True, kw_only=True)
class TrackPanel(Panel):
    """A track towards a goal, under what it belongs to."""

    takes = "for each term"

    trait: Annotated[str, "the kind of traits that have a `goal`"]
    of: Annotated[str, "the kind of traits that it belongs to by its `at`"] = ""
    terms: Annotated[Names, "terms of what it belongs to"] = ()
    beside: Annotated[Names, "the kinds of traits that are listed there instead of in a list"] = ()


@dataclass(frozen=True, kw_only=True)
class CardsPanel(Panel):
    """The cards of decks next to the action: hands, open cards, and how many are left.

    Hands that a seat does not see are counted. A tap on a card of one's own begins a move.

    >>> dict(CardsPanel("Cards", decks=("street",)).binds)
    {'decks': ('street',)}
    """

    decks: Annotated[Names, "the decks"]
    any: Annotated[Names, "what begins with a card of one's hand, as on a board"] = ()


@dataclass(frozen=True, kw_only=True)
class ListPanel(Panel):
    """Public traits next to the action, with rating and owner, and on their character's strip.

    A tap on one opens the form of a move that can begin with it.
    """

    takes = "`rating`; `TRAIT.KIND` for the term `kind` of a trait, `TRAIT.rank` for its rating"

    traits: Annotated[Names, "the kinds of traits"]
    passing: Annotated[
        bool, "whether those that last and have no rating are left to the character's card"
    ] = False
    hurts: Annotated[
        Names,
        "what of them is harm, which the end of a session names: a kind, or as `KIND PLACE` those"
        " at a place",
    ] = ()
    any: Annotated[Names, "what begins with one of them, as on a board"] = ()
    recap: Annotated[Names, "the kinds that the recap of a session names, besides facts"] = ()

    def is_harm(self, trait: Trait) -> bool:
        """Whether a trait is harm that a character has beyond the scene."""
        return not trait.until and bool({trait.kind, f"{trait.kind} {trait.at}"} & set(self.hurts))
