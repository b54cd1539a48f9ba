"""The verbs of the rows of a game file, one a row, and the keys that say of what and how much."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from storypool.gamefile.file_format.expressions import Expression, constant
from storypool.gamefile.file_format.figure_rows import FigureRow
from storypool.gamefile.file_format.thing_rows import column

__all__ = ["VERBS", "DoRow"]

VERBS = (
    *("add", "remove", "upgrade", "downgrade", "set", "shift", "put"),
    *("again", "symbol", "gain", "lose", "make", "fill", "end", "reveal", "promise", "throw"),
    *("forward", "consult", "improve", "rank", "step", "next"),
    *("draw", "play", "discard", "give", "shuffle"),
)


@dataclass(frozen=True, kw_only=True)
class DoRow:
    """One thing that a move does. It has one verb."""

    add: str = column(
        "a die that joins the pool, or a name whose number is its size: a question, an entry of the"
        " sheet, points",
        '"light"',
        "",
    )
    remove: str = column("a die that leaves the pool", '"light"', "")
    upgrade: str = column("a die that becomes a better one", '"light"', "")
    downgrade: str = column("a die that becomes a lesser one", '"strong"', "")
    set: str = column("a term of the action that becomes `to`", '"difficulty"', "")
    shift: str = column(
        "a term of the action that goes up or down by `n`, a choice along its list",
        '"position"',
        "",
    )
    put: str = column(
        "the question for a rolled die that is put `at` a place, and no longer at another",
        '"which"',
        "",
    )
    at: str = column("the place of a die that is put", '"goal"', "")
    again: Expression | None = column(
        "which dice are rolled again; `face` is what one shows. Of cards it is the value: those are"
        " replaced by cards from the deck, and stay with the discarded ones, where the new ones"
        " follow them",
        '"face < 6"',
        None,
    )
    dice: tuple[str, ...] = column(
        "which kinds are rolled again, dice or decks; all dice if it is left out, and in a game"
        " without dice all cards",
        '["light"]',
        (),
    )
    symbol: str = column("a symbol that is added to the roll", '"hit"', "")
    gain: str = column("points that are gained", '"doom"', "")
    lose: str = column(
        "points that are lost, as many as there are above their floor", '"dread"', ""
    )
    make: str = column("a statement that becomes true", '"harm"', "")
    fill: str = column(
        "the question, also of the action, for what rises by `n`: a clock, or a rating, which ends"
        " at 0",
        '"clock"',
        "",
    )
    end: str = column(
        "the question, also of the action, for what ends, or the kind of which all end",
        '"harm"',
        "",
    )
    reveal: str = column("the question that says what everybody knows from now on", '"which"', "")
    promise: str = column("a die that joins the next action of a character", '"shade"', "")
    forward: str = column(
        "a term of an action, or its question for a number, that rises by `n` in the next action of"
        " a character, which takes the number when it is declared and uses it up with its roll; one"
        " that is called off, or does not ask the question, leaves it",
        '"bonus"',
        "",
    )
    throw: Mapping[str, Expression] = column(
        "dice that are thrown besides the action, or names whose numbers are their sizes; its odds"
        " count those of a row on `rolled` that changes the roll and reads nothing but the action,"
        " and leave out the others",
        '{ light = "nerve" }',
        {},
    )
    next: str = column(
        "the question that says which character takes the next turn; in an order of numbers besides"
        " their own",
        '"who"',
        "",
    )
    consult: str = column(
        "a table of effects, of which the row for the number `n` happens", '"panic"', ""
    )
    improve: str = column(
        "what rises on the sheet by `n`: an entry, or a question for one or for a statement that"
        " names one",
        '"skill"',
        "",
    )
    draw: str = column(
        "a deck of which `n` cards come to the hand of a character, at most as many as it can hold",
        '"street"',
        "",
    )
    play: str = column(
        "the question that says which card of the hand lies open from now on", '"what"', ""
    )
    discard: str = column(
        "the question that says which card of the hand is discarded, or a deck, of which all open"
        " cards are",
        '"street"',
        "",
    )
    give: str = column(
        "the question that says which card of the hand passes to the hand of `of`, whose player and"
        " the GM alone see it",
        '"what"',
        "",
    )
    shuffle: str = column("a deck whose discarded cards go back into it", '"street"', "")
    step: str = column(
        "what becomes the die that is `n` steps on along its `steps`, or back below 0: an entry,"
        " points, or a question for an entry or a statement",
        '"torch"',
        "",
    )
    rank: str = column(
        "the question, also of the action, for what changes its rank by `n`, or `to` a number",
        '"which"',
        "",
    )
    when: Expression | None = column("when it is done", "\"what == 'die'\"", None)
    n: Expression | None = column("how many", '"n"', None)
    to: Expression | None = column("what a term or a rank becomes", '"3"', None)
    kind: str = column(
        "the kind of a new statement: one of its `kinds`, or a question for one; the first if it is"
        " left out",
        '"ally"',
        "",
    )
    of: str = column(
        "whose points, statement or hand: `actor`, `mover`, `each` of the players' characters, or a"
        " question of the move or its action for a character, or for a statement about one",
        '"mover"',
        "",
    )
    action: tuple[str, ...] = column(
        "for `forward`: of which actions, by their keys; of the next one, whichever it is, if it is"
        " left out",
        '"save"',
        (),
    )
    text: str = column(
        "the words of the statement: a question of the move or of the action, or the words"
        " themselves",
        '"text"',
        "",
    )
    goal: Expression | None = column("how many segments a new clock has", '"size"', None)
    figures: Mapping[str, FigureRow] = column(
        "what is read off thrown dice, for what is done after", "{ nerve = { highest = 1 } }", {}
    )

    @cached_property
    def verb(self) -> str:
        """The key of what is done; "" without one."""
        return next((verb for verb in VERBS if getattr(self, verb)), "")

    @cached_property
    def thrown(self) -> Mapping[str, Expression]:
        """How many of each die it throws, and of each deck it draws."""
        return {self.draw: self.n or constant(1)} if self.draw else self.throw
