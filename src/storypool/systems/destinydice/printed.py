"""The page to print: the faces of the six dice and the quick reference, made of the data that the game plays by."""

from __future__ import annotations

from collections.abc import Mapping

from storypool.engine.rules import Bag, Note, System
from storypool.systems.destinydice import actions, spends
from storypool.systems.destinydice.actions import GRADES
from storypool.systems.destinydice.dice import DICE
from storypool.systems.destinydice.ladder import rungs
from storypool.systems.destinydice.look import LOOK
from storypool.systems.destinydice.sheet import severities
from storypool.words import Words

RULINGS = (
    *("colours", "hope", "invoke", "tie", "box", "helpers", "ladder", "who"),
    *("again", "waiting", "contested", "paying"),
)
"""Where the seed is silent, or its text is damaged: the ids of what was decided, in the order in which they print."""


def row_words() -> dict[str, str]:
    """What the rows of the tables are called and say, as sentences of the catalogue."""
    done = actions.rows()
    ways = (way for row in done.values() for grade in GRADES for way in row.results[grade])
    return {
        **{f"rung.{rung.key}": rung.name for rung in rungs().values()},
        **{f"row.{key}": row.name for key, row in done.items()},
        **{f"ends.{way.id}": way.text for way in ways},
        **{f"buys.{row.key}": row.text for row in spends.rows().values()},
        **{f"severity.{key}": str(row["name"]) for key, row in severities().items()},
        **{f"severity.{key}.over": str(row["over"]) for key, row in severities().items()},
    }


def notes(system: System) -> tuple[Note, ...]:
    """Every page of the reference besides the moves, the printed one first and the credits last."""
    words = system.words
    return (
        Note(words["printed.dice"], words["printed.dice_about"], *_dice(system)),
        Note(words["printed.faces"], words["printed.faces_about"], *_faces(system)),
        Note(words["printed.symbols"], "", *_symbols(system)),
        Note(words["printed.ladder"], words["printed.ladder_about"], *_ladder(system)),
        Note(words["printed.actions"], words["printed.actions_about"], *_actions(words)),
        Note(words["printed.spends"], words["printed.spends_about"], *_spends(words)),
        Note(words["printed.harm"], words["printed.harm_about"], *_harm(words)),
        Note(words["printed.rulings"], "\n".join(f"- {words[f'ruling.{key}']}" for key in RULINGS)),
        Note(words["printed.credits"], words["credits"]),
    )


Grid = tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]
"""The names of the columns, and the rows."""


def signs(face: Mapping[str, int]) -> str:
    """A face as it is drawn on the die: one sign for each symbol.

    >>> signs(Bag(success=1, advantage=1)), signs(Bag(disadvantage=2)), signs(Bag())
    ('+ ○', '⊗ ⊗', '')
    """
    return " ".join(LOOK[symbol].letter for symbol, n in face.items() for _ in range(n))


def _column(words: Words, *keys: str) -> tuple[str, ...]:
    return tuple(words[f"printed.column.{key}"] for key in keys)


def _dice(system: System) -> Grid:
    words, look = system.words, system.look
    rows = (
        (look[die.name].word, look[die.name].letter, words[f"colour.{look[die.name].colour}"], words[f"die.{die.name}"])
        for die in DICE
    )
    return _column(words, "die", "letter", "colour", "meaning"), tuple(rows)


def _faces(system: System) -> Grid:
    words, look = system.words, system.look
    head = ("#", *(f"{look[die.name].word} ({words[f'colour.{look[die.name].colour}']})" for die in DICE))
    blank = words["story.blank"]
    return head, tuple((str(n), *(signs(die.face(n)) or blank for die in DICE)) for n in range(1, 7))


def _symbols(system: System) -> Grid:
    words = system.words
    symbols = dict.fromkeys(symbol for die in DICE for face in die.faces for symbol in face)
    order = sorted(symbols, key=list(LOOK).index)
    return _column(words, "sign", "symbol", "meaning"), tuple(
        (LOOK[symbol].letter, system.word(symbol), words[f"symbol.{symbol}"]) for symbol in order
    )


def _counted(system: System, pool: Bag) -> str:
    return ", ".join(f"{n} {system.word(die)}" for die, n in pool.items())


def _ladder(system: System) -> Grid:
    words = system.words
    rows = (
        (rung.title(words), _counted(system, rung.pool), str(rung.difficulty) if rung.rating >= 0 else "")
        for rung in reversed(list(rungs().values()))
    )
    return _column(words, "rating", "pool", "difficulty"), tuple(rows)


def _actions(words: Words) -> Grid:
    rows = (
        (words[f"row.{key}"], *(_either(words, row.results[grade]) for grade in GRADES))
        for key, row in actions.rows().items()
    )
    return _column(words, "action", *GRADES), tuple(rows)


def _either(words: Words, ways: tuple[actions.Result, ...]) -> str:
    return f"{words['result.or']} ".join(words[f"ends.{way.id}"] for way in ways)


def _spends(words: Words) -> Grid:
    def price(cost: Bag) -> str:
        return signs(cost).replace(" ", "")

    rows = (
        (
            " / ".join(map(price, row.costs)),
            words["printed.ours" if _helps(row) else "printed.theirs"],
            words[f"buys.{row.key}"],
        )
        for row in spends.rows().values()
    )
    return _column(words, "symbols", "who", "effect"), tuple(rows)


def _helps(row: spends.Row) -> bool:
    return set(row.costs[0]) <= set(spends.HELPING)


def _harm(words: Words) -> Grid:
    rows = (
        (words[f"severity.{key}"], str(row["shifts"]), words[f"severity.{key}.over"])
        for key, row in severities().items()
    )
    return _column(words, "consequence", "shifts", "over"), tuple(rows)
