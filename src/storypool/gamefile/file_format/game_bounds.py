"""Limits of a game file: more than people at a table can use, or a server should compute."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from string import Formatter

from storypool.gamefile.file_format.row_checks.effect_tables import MOST_NESTED
from storypool.gamefile.file_format.schema import AskRow, DoRow, GameFile, WheneverRow
from storypool.words import Phrase, Words

__all__ = ["MOST_DICE", "Found", "Move", "Path", "beyond_bounds", "moves_of", "wrong_words"]

MOST_DICE = 100
"""The most dice rolled at once."""
MOST_ACTIONS = 24
"""The most actions."""
MOST_SYMBOLS, MOST_ENTRIES, MOST_CHOICES, MOST_FOLLOWS = 40, 200, 4_000, 100
SCENE_LINES = 200
"""The most lines of a scene."""

Path = tuple[str | int, ...]
Found = Iterator[tuple[Path, Phrase]]
Move = tuple[str, str]
"""A way in which points or a number of the sheet move: their name, and `rises` or `falls`."""


def moves_of(row: WheneverRow) -> tuple[Move, ...]:
    """The moves of points, or of a number of the sheet, that a row follows."""
    name = row.points or row.entry
    if row.on == "full":
        return ((name, "rises"),)
    if row.on in ("empty", "lost"):
        return ((name, "falls"),)
    if row.on not in ("points", "reaches"):
        return ()
    ways = ("rises", "falls") if row.direction == "either" else (row.direction,)
    return tuple((name, way) for way in ways)


def beyond_bounds(game: GameFile, symbols: int) -> Found:
    """Each place where a game exceeds a limit; `symbols` counts the symbols of its dice."""

    def over(path: Path, what: str, n: int, most: int) -> Found:
        if n > most:
            yield path, Phrase(f"gamefile.most.{what}", n=n, most=most)

    yield from over(("action",), "actions", len(game.actions), MOST_ACTIONS)
    for n, action in enumerate(game.actions):
        path: Path = ("action", n)
        yield from over((*path, "most"), "dice", action.most, MOST_DICE)
        if action.empty is not None:
            yield from over((*path, "empty"), "dice", sum(action.empty.roll.values()), MOST_DICE)
    yield from over(("symbols",), "symbols", symbols, MOST_SYMBOLS)
    yield from over(
        ("sheet",), "entries", sum(len(one.entries) for one in game.sheet.values()), MOST_ENTRIES
    )
    asks = [ask for action in game.actions for ask in action.asks]
    asks += [ask for row in game.move for ask in row.asks]
    yield from over(("move",), "choices", sum(_choices(game, ask) for ask in asks), MOST_CHOICES)
    for name in ("demo", "first_scene"):
        yield from over((name,), "lines", getattr(game, name).count("\n"), SCENE_LINES)
    follows = _ConsequenceCounter(game)
    for n, row in enumerate(game.whenever):
        yield from over(("whenever", n), "follows", follows.of_event(row), MOST_FOLLOWS)


def _choices(game: GameFile, ask: AskRow) -> int:
    entries = sum(len(game.sheet[group].entries) for group in ask.entry if group in game.sheet)
    return len(ask.choices) + entries


class _ConsequenceCounter:
    """Counts the consequences of one event; a circle of points counts once."""

    def __init__(self, game: GameFile) -> None:
        self.game = game
        self._known: dict[Move, int] = {}
        self._tables: dict[tuple[str, int], int] = {}

    def of_event(self, row: WheneverRow) -> int:
        """The number of consequences of the event of a row, including theirs."""
        if moves := moves_of(row):
            return max(map(self.of_points, moves))
        return sum(self._of_rows(one.do) for one in self.game.whenever if one.on == row.on)

    def of_points(self, move: Move) -> int:
        """The number of consequences when these points rise or fall."""
        if move not in self._known:
            self._known[move] = 0
            name, way = move
            over = ""
            if name in self.game.points and way == "rises":
                over = self.game.points[name].overflow
            found = self.of_points((over, way)) + 1 if over in self.game.points else 0
            rows = [row for row in self.game.whenever if move in moves_of(row)]
            self._known[move] = found + sum(self._of_rows(row.do) for row in rows)
        return self._known[move]

    def _of_table(self, name: str, nested: int) -> int:
        """The most consequences of a table of effects, with the tables that it consults."""
        if nested > MOST_NESTED or name not in self.game.effects:
            return 0
        if (key := (name, nested)) not in self._tables:
            rows = self.game.effects[name]
            self._tables[key] = max((self._of_rows(one.do, nested) for one in rows), default=0)
        return self._tables[key]

    def _of_rows(self, rows: tuple[DoRow, ...], nested: int = 0) -> int:
        found = 0
        for row in rows:
            found += 1 + self._of_table(row.consult, nested + 1)
            if row.gain:
                found += self.of_points((row.gain, "rises"))
            if row.lose:
                found += self.of_points((row.lose, "falls"))
            if changed := row.step or row.improve:
                found += max(self.of_points((changed, way)) for way in ("rises", "falls"))
        return found


def wrong_words(own: Mapping[str, object], house: Words) -> Found:
    """Each sentence of a game with a blank that nothing fills."""
    for path, text in _texts(own, ("words",)):
        if path[1] == "outcome" or str(path[1]).startswith("outcome."):
            continue  # filled in by what was read of the dice, and by nothing else
        known = _blanks(house.get(".".join(map(str, path[1:])), ""))
        found = _blanks(text)
        if found is None or not found <= (known or frozenset()):
            names = ", ".join(f"{{{name}}}" for name in sorted(known or ())) or "-"
            yield path, Phrase("gamefile.blanks", known=names)


def _blanks(text: str) -> frozenset[str] | None:
    """The names of the blanks of a sentence; None where its braces are not plain names."""
    try:
        fields = [field[1:] for field in Formatter().parse(text) if field[1] is not None]
    except ValueError:
        return None
    if any(
        spec or conversion or not (name or "").isidentifier() for name, spec, conversion in fields
    ):
        return None
    return frozenset(str(name) for name, _, _ in fields)


def _texts(tree: Mapping[str, object], path: Path) -> Iterator[tuple[Path, str]]:
    for key, value in tree.items():
        if isinstance(value, Mapping):
            yield from _texts(value, (*path, key))
        else:
            yield (*path, key), str(value)
