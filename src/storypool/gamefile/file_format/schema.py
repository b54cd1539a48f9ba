"""The format of a game file: a class for each kind of table, a field for each key.

The classes are the one definition: `file_text` reads files by them, the help's page and the JSON
Schema are made from them, and `compiled` makes a game of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from storypool.gamefile.file_format.ask_rows import AskRow
from storypool.gamefile.file_format.deck_rows import DeckRow
from storypool.gamefile.file_format.do_rows import VERBS, DoRow
from storypool.gamefile.file_format.expressions import Expression
from storypool.gamefile.file_format.figure_rows import EmptyRow, FigureRow
from storypool.gamefile.file_format.lab_rows import CheckRow, EveningRow
from storypool.gamefile.file_format.thing_rows import (
    CharacterRow,
    DieRow,
    EntriesRow,
    NpcRow,
    Occasion,
    OptionRow,
    OutcomeRow,
    PagePlace,
    PointsRow,
    SymbolRow,
    TogetherRow,
    TraitRow,
    TurnsRow,
    When,
    Who,
    WindowRow,
    WorldRow,
    column,
)
from storypool.gamefile.file_format.zone_rows import ZonesRow

__all__ = [
    "VERBS",
    "ActionRow",
    "AskRow",
    "CharacterRow",
    "DieRow",
    "DoRow",
    "EffectRow",
    "EmptyRow",
    "EntriesRow",
    "FigureRow",
    "GameFile",
    "MoveRow",
    "NpcRow",
    "OptionRow",
    "OutcomeRow",
    "PointsRow",
    "SymbolRow",
    "TraitRow",
    "TurnsRow",
    "WheneverRow",
    "WindowRow",
    "WorldRow",
]

FORMAT = 1
"""The version of the format."""


NO_WORLD = WorldRow()


@dataclass(frozen=True, kw_only=True)
class ActionRow:
    """An action: what it asks, what it rolls, and what it keeps."""

    key: str = column("its key, where a file has several", '"save"', "")
    title: str = column("what the button says", '"Take a risk"', "Try something")
    about: str = column("a sentence about it", '"Roll as many dice as the action says."', "")
    rule: str = column("the place in the rules", '"Taking a risk"', "")
    only: Expression | None = column(
        "a condition for declaring it, which reads the table and the character who would act",
        '"stress < 9"',
        None,
    )
    unless: str = column(
        "the sentence that says why not where `only` does not hold",
        '"You have no strength left."',
        "",
    )
    rolled: bool = column(
        "whether dice are rolled; without, and in a game without dice, its moves are made and it is"
        " closed, and its ladder is read by its answers and terms",
        "false",
        True,
    )
    asks: tuple[AskRow, ...] = column(
        "its questions; their answers are terms of the action", "[{ name = ... }]", ()
    )
    terms: Mapping[str, Expression] = column(
        "numbers that are worked out from the answers", '{ target = "skill + bonus" }', {}
    )
    pool: Mapping[str, Expression] = column(
        "how many of each die are rolled", '{ light = "with" }', {}
    )
    sized: tuple[str, ...] = column(
        "questions for a number of the sheet, terms, entries or points that are the size of a die,"
        " which joins the pool",
        '["skill"]',
        (),
    )
    empty: EmptyRow | None = column(
        "what is rolled when the pool has no dice", "{ roll = { light = 2 } }", None
    )
    most: int = column("the most dice in the pool", "10", 30)
    figures: Mapping[str, FigureRow] = column(
        "numbers that are read off the dice", "{ best = { highest = 1 } }", {}
    )
    places: Mapping[str, str] = column(
        "places at which a player can put rolled dice, and what each is called",
        '{ goal = "Goal", risk = "Risk" }',
        {},
    )
    counts: Mapping[str, Expression] = column(
        "numbers that follow from what the dice show", '{ margin = "hits - difficulty" }', {}
    )
    spends: tuple[str, ...] = column(
        "symbols that are spent after the roll, by the acting side", '["advantage"]', ()
    )
    shown: Mapping[str, str] = column(
        "what is always shown of an action, and what it is called: answers and terms, the first of"
        " them large, and numbers of which the odds give the mean",
        '{ difficulty = "Difficulty" }',
        {},
    )
    together: TogetherRow | None = column(
        "how other characters of the same side join it before its roll", "[action.together]", None
    )
    window: tuple[WindowRow, ...] = column(
        "who decides before the roll, in order", '{ who = "gm" }', ()
    )
    outcome: tuple[OutcomeRow, ...] = column(
        "its own ladder, in place of that of the file", "[[action.outcome]]", ()
    )

    @property
    def raised(self) -> tuple[str, ...]:
        """What a number for the next action can raise: its terms, its questions for a number."""
        return (*self.terms, *(ask.name for ask in self.asks if ask.number))


NO_ACTION = ActionRow(title="")
"""The action of a game without any."""


@dataclass(frozen=True, kw_only=True)
class EffectRow:
    """A row of a table of effects: it holds from its number on, up to the next row."""

    at: int = column("the lowest number for which it holds; the first row holds below it too", "7")
    words: str = column("what happens, in a sentence", '"You drop what you hold."')
    do: tuple[DoRow, ...] = column(
        "its effects; one may throw dice and consult a table, also this one again, up to five"
        " inside each other",
        '[{ gain = "stress" }]',
        (),
    )


@dataclass(frozen=True, kw_only=True)
class MoveRow:
    """A move: its seats, its time, its price, its questions and its effects."""

    key: str = column("its key; the engine calls it `move.KEY`", '"push"')
    title: str = column("what the button says", '"Push yourself"')
    about: str = column("a sentence about it", '"Two stress for one die more."', "")
    rule: str = column("the place in the rules", '"Pushing"', "")
    who: Who = column(
        "who makes it; a `helper` is a player who does not act, `joined` who joined the action",
        '"actor"',
        "anybody",
    )
    when: When = column("when", '"before the roll"', "between actions")
    action: tuple[str, ...] = column(
        "the actions that it belongs to, by their keys; all if it is left out", '["save"]', ()
    )
    only: Expression | None = column("a condition besides", '"best < 6"', None)
    unless: str = column(
        "the sentence that says why not where `only` does not hold", '"It is a six already."', ""
    )
    price: tuple[Mapping[str, Expression], ...] = column(
        "what it costs: points of the table or of the character, or symbols of the roll; several"
        " are a choice; points of the GM a player gives to the GM",
        "{ stress = 2 }",
        (),
    )
    limit: tuple[str, ...] = column(
        "how often: `once an action`, `once a scene`, ..., for each `seat` or `side` or for all",
        '"once an action"',
        (),
    )
    asks: tuple[AskRow, ...] = column("its questions", "[{ name = ... }]", ())
    consent: str = column(
        "who has to agree: `gm`, `actor`, in a game without a GM `others`, or a question whose"
        " character, or whose statement's, has to",
        '"actor"',
        "",
    )
    do: tuple[DoRow, ...] = column("what it does, in order", '[{ add = "light" }]', ())
    due: bool = column(
        "whether the action does not end before it is made, where it can be", "true", False
    )
    loss: bool = column(
        "whether it accepts something bad, such as a hit: the page never recommends it",
        "true",
        False,
    )
    place: PagePlace = column("where it is on the page", '"scene"', "")

    def __post_init__(self) -> None:
        """Read a move of an action without a roll as one before it."""
        if self.when == "in the action":
            object.__setattr__(self, "when", "before the roll")

    @property
    def secret(self) -> str:
        """The characters of its secret questions: `both` or `all`; "" without any."""
        return next((ask.whose for ask in self.asks if ask.secret), "")

    @property
    def asked(self) -> tuple[AskRow, ...]:
        """The questions of its mover, without the secret ones."""
        return tuple(ask for ask in self.asks if not ask.secret)

    @property
    def at_once(self) -> tuple[DoRow, ...]:
        """Its effects when it is made; those of a secret choice follow when it is revealed."""
        return () if self.secret else self.do


@dataclass(frozen=True, kw_only=True)
class WheneverRow:
    """The consequences of an event."""

    on: Occasion = column(
        "what happens; `points` is any change of points, `full` and `empty` that points,"
        " the segments of a clock or what has steps rise to their cap or fall to their floor,"
        " `lost` that they fall without being a price, `reaches` that they come to a number or"
        " past it; a turn is of its character, who is the mover, and `turn thrown` reads what was"
        " thrown for their place in the order, as in `thrown`. `rolled` is the first roll of an"
        " action: where dice are rolled again, the points, terms, symbols and dice of a row that"
        " brings nothing else are taken back and follow again; `closed` reads the last roll",
        '"rolled"',
    )
    action: tuple[str, ...] = column(
        "for `rolled` and `closed`: of which actions, by their keys; of all if it is left out",
        '["save"]',
        (),
    )
    points: str = column("for a change of points: which", '"stress"', "")
    trait: str = column(
        "for a change of segments: which kind of clocks; its character is the mover", '"clock"', ""
    )
    entry: str = column(
        "for a change of a number of the sheet: which; its character is the mover", '"luck"', ""
    )
    reaches: Expression | None = column("for `reaches`: the number", "5", None)
    direction: Literal["rises", "falls", "either"] = column(
        "for `points` and `reaches`: which way they move; a price that is paid moves them too",
        '"falls"',
        "rises",
    )
    when: Expression | None = column("when it follows", "\"outcome == 'bad'\"", None)
    do: tuple[DoRow, ...] = column("what is done", '[{ gain = "doom" }]')
    why: str = column("the reason that the log gives", '"The roll went badly"', "")


@dataclass(frozen=True, kw_only=True)
class GameFile:
    """A whole game."""

    format: int = column("the version of the format", "1")
    key: str = column("a short name for addresses and commands, in small letters", '"nightshift"')
    name: str = column("the name of the game", '"Nightshift"')
    about: str = column("the game in a sentence", '"A crew takes risks at night."')
    gm: bool = column(
        "whether there is a GM; without one all are players, who bring NPCs in and begin scenes"
        " themselves, and another player agrees where a GM would",
        "false",
        True,
    )
    world: WorldRow = column("how the page looks", "[world]", NO_WORLD)
    dice: Mapping[str, DieRow] = column("the dice; a game may have none", "[dice.light]", {})
    deck: Mapping[str, DeckRow] = column(
        "decks of cards, which stand wherever a die can be rolled", "[deck.street]", {}
    )
    symbols: Mapping[str, SymbolRow] = column("the symbols on dice", "[symbols.hit]", {})
    sheet: Mapping[str, EntriesRow] = column(
        "the numbers and words of a character, in groups", "[sheet.action]", {}
    )
    points: Mapping[str, PointsRow] = column("what is counted and spent", "[points.stress]", {})
    trait: Mapping[str, TraitRow] = column(
        "what can be true of a character or of the scene", "[trait.clock]", {}
    )
    option: Mapping[str, OptionRow] = column("house rules", "[option.kept]", {})
    turns: TurnsRow | None = column("turns and rounds", "[turns]", None)
    zones: ZonesRow | None = column("zones, and who is in which", "[zones]", None)
    actions: tuple[ActionRow, ...] = column(
        "the action; several are `[[action]]`, each with its key; without dice there may be none",
        "[action]",
        (),
        key="action",
    )
    outcome: tuple[OutcomeRow, ...] = column(
        "what a roll comes to, the first that holds, in each action without a ladder of its own",
        "[[outcome]]",
        (),
    )
    move: tuple[MoveRow, ...] = column("its moves", "[[move]]", ())
    effects: Mapping[str, tuple[EffectRow, ...]] = column(
        "tables of effects, which moves consult by a number", "[[effects.panic]]", {}
    )
    whenever: tuple[WheneverRow, ...] = column("automatic consequences", "[[whenever]]", ())
    character: tuple[CharacterRow, ...] = column(
        "characters ready to be played", "[[character]]", ()
    )
    npc: tuple[NpcRow, ...] = column("people whom the GM brings in", "[[npc]]", ())
    demo: str = column("a scene under way, as a play", '"""..."""', "")
    first_scene: str = column("a scene to begin with, as a play", '"""..."""', "")
    words: Mapping[str, Any] = column(
        "sentences that this game has in place of others", "[words]", {}
    )
    evening: Mapping[str, Any] = column(
        "evenings for the lab", "[evening.usual]", {}, taught=Mapping[str, EveningRow]
    )
    check: Mapping[str, Any] = column(
        "what the checks must know, as in check.toml", "[check.weights]", {}, taught=CheckRow
    )

    @property
    def action(self) -> ActionRow:
        """The first action; one without any content where there is none."""
        return self.actions[0] if self.actions else NO_ACTION

    def is_rolled(self, action: ActionRow) -> bool:
        """Whether dice are rolled in an action; else its moves are made, and it is closed."""
        return action.rolled and bool(self.pool_dice)

    @property
    def pool_dice(self) -> Mapping[str, DieRow | DeckRow]:
        """All that a pool can have: dice, and cards of decks."""
        return {**self.dice, **self.deck}

    def again(self, do: DoRow) -> tuple[str, ...]:
        """The dice or decks whose dice or cards a row rolls or draws again."""
        return do.dice or tuple(self.dice or self.deck)

    def of_action(self, row: ActionRow) -> GameFile:
        """The game of one action: its ladder, and the moves and consequences that it has."""
        return replace(
            self,
            actions=(row,),
            outcome=row.outcome or self.outcome,
            move=tuple(one for one in self.move if row.key in (one.action or (row.key,))),
            whenever=tuple(one for one in self.whenever if row.key in (one.action or (row.key,))),
        )
