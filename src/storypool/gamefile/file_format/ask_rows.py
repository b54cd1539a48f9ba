"""The questions of a game file: a row for each, of a move or of an action."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from storypool.gamefile.file_format.expressions import Expression, Other, constant
from storypool.gamefile.file_format.thing_rows import TraitRow, column

__all__ = ["AskRow"]


@dataclass(frozen=True, kw_only=True)
class AskRow:
    """A question of a move.

    It has one of `choices`, `entry`, `number`, `text`, `character`, `trait`, `card`, `rolled`.
    """

    name: str = column("the name by which its answer is used", '"n"')
    label: str = column("the question", '"How many?"')
    choices: Mapping[str, str] = column(
        "answers, and what each is called", '{ die = "A die more" }', {}
    )
    choose: tuple[Expression, ...] = column(
        "for choices: how many different ones are chosen, or the least and the most; an expression"
        " asks for one as in `when = \"'harm' in what\"`",
        "2",
        (),
    )
    entry: tuple[str, ...] = column(
        "groups of the sheet: the answer is one of their entries, and stands for its number",
        '"action"',
        (),
    )
    number: tuple[Expression, ...] = column(
        "the lowest and the highest number; a highest below the lowest is as low as that",
        '[1, "effort"]',
        (),
    )
    text: bool = column("whether it asks for words", "true", False)
    character: Literal["", "players", "gm", "any", "other"] = column(
        "which characters can be meant", '"any"', ""
    )
    trait: tuple[str, ...] = column("which kinds of statements can be meant", '"clock"', ())
    card: tuple[str, ...] = column(
        "decks: the answer is a card in the hand of the character who moves, and stands for its"
        " value; as a text it is its suit",
        '"street"',
        (),
    )
    rolled: bool = column(
        "whether it asks for one of the rolled dice, and stands for its number", "true", False
    )
    of: Literal["", "actor", "mover", "anybody"] = column(
        "whose statements can be meant; the mover's if it is left out, unless the move asks for a"
        " character",
        '"actor"',
        "",
    )
    held: bool = column("whether only those that the mover holds can be meant", "true", False)
    once: bool = column(
        "whether a side can mean each statement only once in an action", "true", False
    )
    default: Expression | None = column(
        "the usual answer: a number, which is kept within the bounds, or one of the choices",
        '"risky"',
        None,
    )
    needed: bool = column("whether it must be answered", "false", True)
    whose: Literal["", "gm", "both", "all"] = column(
        "`gm`: what a player answers is a suggestion, to which the GM agrees; `both`: the mover and"
        " the character whom the move means answer, `all`: each of the players' characters, all in"
        " secret; once all have, the answers are revealed, and what the move does follows",
        '"gm"',
        "",
    )
    when: Expression | None = column("when it is asked", "\"kind == 'attack'\"", None)

    @property
    def decides(self) -> Literal["", "gm"]:
        """The side that has the last word about a player's answer: `gm`, or "" for the player."""
        return "gm" if self.whose == "gm" else ""

    @property
    def secret(self) -> bool:
        """Whether several answer it in secret, at the same time."""
        return self.whose in ("both", "all")

    def reads_statement(self, read: Other, kinds: Mapping[str, TraitRow]) -> bool:
        """Whether this reads the rank or the kind of the statement that it means."""
        rows = [kinds[kind] for kind in self.trait if kind in kinds]
        if not rows or read.function:
            return False
        of_rank = read.name == "rank" and all(row.rank for row in rows)
        return of_rank or (read.name == "kind" and all(row.kinds for row in rows))

    def __post_init__(self) -> None:
        """Allow the default of a choice without further quotes."""
        if self.default is not None and self.default.text in self.choices:
            object.__setattr__(self, "default", constant(self.default.text))
