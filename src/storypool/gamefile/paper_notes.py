"""The notes on the printed sheet of a game file: results, points, moves."""

from __future__ import annotations

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.gamefile.file_format.schema import MoveRow, PointsRow
from storypool.gamefile.prices import price_in_words
from storypool.gamefile.scope import Rules
from storypool.words import Words

__all__ = ["paper_notes"]


def paper_notes(rules: Rules, system: r.System) -> Iterator[r.Note]:
    """The notes of a game, in printed order."""
    game, words, gm = rules.game, system.words, system.words["wait.gm"]
    for one in rules.actions.values():
        action = one.game.action
        rungs = "\n".join(f"- {rung.words}" for rung in one.game.outcome)
        about = f"{action.about}\n\n{rungs}" if action.about else rungs
        yield r.Note(action.title, about)
    debts = any(row.floor is not None for row in game.points.values())
    if game.points:
        rows = []
        for name, row in game.points.items():
            word = row.plural or row.word or name
            rows.append((word, words.say(f"filed.paper.{row.of}", gm=gm), *_numbers(row, debts)))
        yield _table(words, "debts" if debts else "points", tuple(rows))
    if ladders := tuple(_ladders(rules)):
        yield _table(words, "steps", ladders)
    # Automatic moves of statements need no paper.
    moves = tuple(
        (_title(rules, one), price_in_words(rules, one), one.about)
        for one in game.move
        if one.about or one.price
    )
    if moves:
        yield _table(words, "moves", moves)


def _ladders(rules: Rules) -> Iterator[tuple[str, ...]]:
    """The dice of each ladder."""
    game, sized = rules.game, rules.reading.sized
    rows = [(row.title, row.steps) for row in game.sheet.values()]
    rows += [(row.plural or row.word or name, row.steps) for name, row in game.points.items()]
    rows += [(row.word, row.steps) for row in game.trait.values()]
    for word, steps in rows:
        dice = []
        for n in steps:
            die = game.dice.get(sized(n))
            more = n - die.sides if die is not None else 0
            dice.append(((die.word or sized(n)) if die else "–") + (f"+{more}" if more else ""))
        if steps:
            yield word, ", ".join(dice)


def _title(rules: Rules, row: MoveRow) -> str:
    """The title of a move, with those of its actions where it belongs to some alone."""
    actions = ", ".join(rules.actions[key].game.action.title for key in row.action)
    return f"{row.title} ({actions})" if rules.several and actions else row.title


def _numbers(row: PointsRow, debts: bool) -> tuple[str, ...]:
    """The first balance and the most points, and the least where some can be a debt."""
    start = row.start.text if row.start is not None else "0"
    cap = row.cap.text if row.cap is not None else ""
    floor = row.floor.text if row.floor is not None else "0"
    return (start, cap, floor) if debts else (start, cap)


def _table(words: Words, name: str, rows: tuple[tuple[str, ...], ...]) -> r.Note:
    head = tuple(cell.strip() for cell in words[f"filed.paper.{name}.head"].split("|"))
    return r.Note(words[f"filed.paper.{name}.title"], head=head, rows=rows)
