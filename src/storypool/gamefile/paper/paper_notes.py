"""The notes on the reference and the printed sheet of a game file: what it says, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from storypool.engine import rules as r
from storypool.gamefile.file_format.expressions import Expression, constant
from storypool.gamefile.file_format.schema import (
    ActionRow,
    EffectRow,
    MoveRow,
    PointsRow,
    WheneverRow,
)
from storypool.gamefile.file_rules import Rules
from storypool.gamefile.looks import standard_keys
from storypool.gamefile.paper.rows_in_words import RowsInWords, titled
from storypool.gamefile.prices import price_in_words
from storypool.gamefile.together.joined import joining_rows
from storypool.words import Words

__all__ = ["paper_notes"]


def paper_notes(rules: Rules, system: r.System) -> Iterator[r.Note]:
    """The notes of a game, in printed order."""
    game, words, gm = rules.game, system.words, system.words["wait.gm"]
    for one in rules.actions.values():
        yield from _action(one, words)
    spelt, debts = RowsInWords(rules), any(row.floor is not None for row in game.points.values())
    if game.points:
        rows = []
        for name, row in game.points.items():
            whose = words.say(f"filed.paper.{row.of}", gm=gm)
            rows.append((rules.plural(name), whose, *_numbers(spelt, row, debts)))
        yield _table(words, "debts" if debts else "points", rows)
    if ladders := tuple(_ladders(rules)):
        yield _table(words, "steps", ladders)
    # Automatic moves of statements need no paper.
    own = [row for row in game.move if row.key not in standard_keys(game)]
    own += joining_rows(game)
    if own:
        yield _table(words, "moves", (_move(rules, row) for row in own))
    for name, effects in game.effects.items():
        head = words["filed.paper.effects.head"]
        yield r.Note(titled(name), head=_cells(head), rows=tuple(_effects(spelt, effects)))
    if game.whenever:
        yield _table(words, "whenever", (_follows(rules, row) for row in game.whenever))


def _action(rules: Rules, words: Words) -> Iterator[r.Note]:
    """What an action asks, rolls and reads, and its ladder."""
    action, spelt = rules.game.action, RowsInWords(rules)
    if not action.title:
        return
    text = "\n".join(f"- {line}" for line in _rolled(action, spelt, words))
    about = "\n\n".join(filter(None, (action.about, text)))
    rows = tuple((spelt.filled(rung.words), _rung(rung.when, spelt)) for rung in rules.game.outcome)
    yield r.Note(action.title, about, head=_cells(words["filed.paper.ladder.head"]), rows=rows)


def _rung(when: Expression | None, spelt: RowsInWords) -> str:
    return spelt.condition(when) if when is not None else ""


def _rolled(action: ActionRow, spelt: RowsInWords, words: Words) -> Iterator[str]:
    if action.only is not None:
        yield words.say("filed.paper.only", condition=spelt.condition(action.only))
    for ask in action.asks:
        yield words.say("filed.paper.asks", ask=spelt.ask(ask))
    if action.pool:
        yield words.say("filed.paper.rolls", dice=spelt.pool(action.pool))
    for name in action.sized:
        yield words.say("filed.paper.sized", what=spelt.name(name))
    if action.empty is not None:
        dice = {die: constant(n) for die, n in action.empty.roll.items()}
        read = [
            f"{spelt.name(name)}: {spelt.figure(row)}" for name, row in action.empty.figures.items()
        ]
        yield words.say("filed.paper.empty", dice="; ".join([spelt.pool(dice), *read]))
    for name, row in action.figures.items():
        yield words.say("filed.paper.reads", name=spelt.name(name), value=spelt.figure(row))
    numbers = {**action.terms, **action.counts}
    for name in (name for name, n in numbers.items() if n.fixed is None):
        value = spelt.value(numbers[name])
        yield words.say("filed.paper.reads", name=spelt.name(name), value=value)


def _move(rules: Rules, row: MoveRow) -> tuple[str, ...]:
    """The cells of a move: with its actions, where it belongs to some alone."""
    spelt = RowsInWords.of_row(rules, row)
    actions = ", ".join(rules.actions[key].game.action.title for key in row.action)
    title = f"{row.title} ({actions})" if rules.several and actions else row.title
    return title, spelt.made(row), price_in_words(rules, row), row.about or spelt.does(row.do)


def _follows(rules: Rules, row: WheneverRow) -> tuple[str, ...]:
    spelt = RowsInWords.of_row(rules, row)
    return spelt.event(row), spelt.does(row.do)


def _ladders(rules: Rules) -> Iterator[tuple[str, ...]]:
    """The dice of each ladder."""
    game, sized = rules.game, rules.reading.sized
    rows = [(row.title, row.steps) for row in game.sheet.values()]
    rows += [(rules.plural(name), row.steps) for name, row in game.points.items()]
    rows += [(row.word, row.steps) for row in game.trait.values()]
    for word, steps in rows:
        dice = []
        for n in steps:
            die = game.dice.get(sized(n))
            more = n - die.sides if die is not None else 0
            dice.append(((die.word or sized(n)) if die else "–") + (f"+{more}" if more else ""))
        if steps:
            yield word, ", ".join(dice)


def _effects(spelt: RowsInWords, rows: tuple[EffectRow, ...]) -> Iterator[tuple[str, ...]]:
    """The cells of a table of effects: the numbers of a row, and what happens."""
    for n, row in enumerate(rows):
        last = rows[n + 1].at - 1 if n + 1 < len(rows) else None
        numbers = f"{row.at}–{last}" if last is not None and last > row.at else str(row.at)
        if n == 0 and last is not None:
            numbers = f"≤ {last}"
        elif last is None:
            numbers = f"{row.at}+"
        yield numbers, " ".join(filter(None, (row.words, spelt.does(row.do))))


def _numbers(spelt: RowsInWords, row: PointsRow, debts: bool) -> tuple[str, ...]:
    """The first balance and the most points, and the least where some can be a debt."""
    start = spelt.value(row.start) if row.start is not None else "0"
    cap = spelt.value(row.cap) if row.cap is not None else ""
    floor = spelt.value(row.floor) if row.floor is not None else "0"
    return (start, cap, floor) if debts else (start, cap)


def _table(words: Words, name: str, rows: Iterable[tuple[str, ...]]) -> r.Note:
    head = _cells(words[f"filed.paper.{name}.head"])
    return r.Note(words[f"filed.paper.{name}.title"], head=head, rows=tuple(rows))


def _cells(head: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in head.split("|"))
