"""The page to print: the faces of the six dice and the quick reference, made of the data that the game plays by."""

from __future__ import annotations

from collections.abc import Mapping

from storypool.bag import Bag
from storypool.system import Note
from storypool.systems.destinydice import actions, spends
from storypool.systems.destinydice.dice import DICE
from storypool.systems.destinydice.ladder import rungs
from storypool.systems.destinydice.look import LOOK
from storypool.systems.destinydice.sheet import severities
from storypool.words import Words

GRADES = ("fail", "tie", "succeed", "style")
RULINGS = (
    *("colours", "hope", "invoke", "tie", "box", "helpers", "ladder", "who"),
    *("again", "waiting", "contested", "paying"),
)
"""Where the seed is silent, or its text is damaged: the ids of what was decided, in the order in which they print."""


def notes(words: Words) -> tuple[Note, ...]:
    """Every page of the reference besides the moves, the printed one first and the credits last."""
    return (
        Note(words["printed.dice"], words["printed.dice_about"], *_dice(words)),
        Note(words["printed.faces"], words["printed.faces_about"], *_faces(words)),
        Note(words["printed.symbols"], "", *_symbols(words)),
        Note(words["printed.ladder"], words["printed.ladder_about"], *_ladder(words)),
        Note(words["printed.actions"], words["printed.actions_about"], *_actions(words)),
        Note(words["printed.spends"], words["printed.spends_about"], *_spends(words)),
        Note(words["printed.harm"], words["printed.harm_about"], *_harm(words)),
        Note(words["printed.rulings"], "\n".join(f"- {words[f'ruling.{key}']}" for key in RULINGS)),
        Note(words["printed.credits"], words["credits"]),
    )


Grid = tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]
"""The names of the columns, and the rows."""


def signs(face: Mapping[str, int]) -> str:
    """A face as it is drawn on the die: one sign for each symbol, or nothing.

    >>> signs(Bag(success=1, advantage=1)), signs(Bag(disadvantage=2)), signs(Bag())
    ('+ ○', '⊗ ⊗', 'blank')
    """
    return " ".join(LOOK[symbol].letter for symbol, n in face.items() for _ in range(n)) or "blank"


def _column(words: Words, *keys: str) -> tuple[str, ...]:
    return tuple(words[f"printed.column.{key}"] for key in keys)


def _dice(words: Words) -> Grid:
    rows = (
        (LOOK[die.name].word, LOOK[die.name].letter, words[f"colour.{LOOK[die.name].colour}"], words[f"die.{die.name}"])
        for die in DICE
    )
    return _column(words, "die", "letter", "colour", "meaning"), tuple(rows)


def _faces(words: Words) -> Grid:
    head = ("#", *(f"{LOOK[die.name].word} ({words[f'colour.{LOOK[die.name].colour}']})" for die in DICE))
    return head, tuple((str(n), *(signs(die.face(n)) for die in DICE)) for n in range(1, 7))


def _symbols(words: Words) -> Grid:
    symbols = dict.fromkeys(symbol for die in DICE for face in die.faces for symbol in face)
    order = sorted(symbols, key=list(LOOK).index)
    return _column(words, "sign", "symbol", "meaning"), tuple(
        (LOOK[symbol].letter, LOOK[symbol].word, words[f"symbol.{symbol}"]) for symbol in order
    )


def _counted(pool: Bag) -> str:
    return ", ".join(f"{n} {LOOK[die].word}" for die, n in pool.items())


def _ladder(words: Words) -> Grid:
    rows = (
        (rung.title, _counted(rung.pool), str(rung.difficulty) if rung.rating >= 0 else "")
        for rung in reversed(list(rungs().values()))
    )
    return _column(words, "rating", "pool", "difficulty"), tuple(rows)


def _actions(words: Words) -> Grid:
    rows = (
        (row.name, *(f"{words['result.or']} ".join(way.text for way in row.results[grade]) for grade in GRADES))
        for row in actions.rows().values()
    )
    return _column(words, "action", *GRADES), tuple(rows)


def _spends(words: Words) -> Grid:
    def price(cost: Bag) -> str:
        return signs(cost).replace(" ", "")

    rows = (
        (" / ".join(map(price, row.costs)), words["printed.ours" if _helps(row) else "printed.theirs"], row.text)
        for row in spends.rows().values()
    )
    return _column(words, "symbols", "who", "effect"), tuple(rows)


def _helps(row: spends.Row) -> bool:
    return set(row.costs[0]) <= set(spends.HELPING)


def _harm(words: Words) -> Grid:
    rows = ((str(row["name"]), str(row["shifts"]), str(row["over"])) for row in severities().values())
    return _column(words, "consequence", "shifts", "over"), tuple(rows)
