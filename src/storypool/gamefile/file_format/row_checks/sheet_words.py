"""The words of a sheet, such as a class, gear or notes: their bounds, and uses of them as numbers.

People read them, and no rule does, so whatever asks for a number of the sheet refuses them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from storypool.gamefile.file_format.row_checks.row_paths import asked_rows, done_rows
from storypool.gamefile.file_format.schema import EntriesRow, GameFile
from storypool.gamefile.file_format.thing_rows import words_of
from storypool.words import Phrase

__all__ = ["misused_words", "wrong_words_of_sheet"]

MOST_TEXT, MOST_LINES = 2_000, 40
"""The most characters and lines of a text on a sheet."""
OF_NUMBERS, OF_WORDS = ("low", "high", "default"), ("most", "lines")
"""The keys of a group of numbers, and of a group of words."""

Path = tuple[str | int, ...]
Found = Iterator[tuple[Path, Phrase]]


def wrong_words_of_sheet(game: GameFile) -> Found:
    """Each group with a key or a bound that its kind does not have, and each wrong text."""
    groups = dict[str, EntriesRow]()
    for name, group in game.sheet.items():
        yield from _group(("sheet", name), group)
        groups |= dict.fromkeys(group.entries, group)
    people: list[tuple[Path, Mapping[str, int | str]]] = []
    people += [(("character", n, "sheet"), one.sheet) for n, one in enumerate(game.character)]
    people += [(("npc", n, "sheet"), one.sheet) for n, one in enumerate(game.npc)]
    for path, values in people:
        for entry, value in values.items():
            if entry in groups:
                yield from _value((*path, entry), value, groups[entry])


def misused_words(game: GameFile) -> Found:
    """Each question for an entry, and each row that improves one, where the entry is words."""
    for path, ask in asked_rows(game):
        for name in ask.entry:
            if name in game.sheet and game.sheet[name].text:
                yield (*path, "entry"), Phrase("gamefile.words.group", name=name)
    for path, row, _ in done_rows(game):
        if row.improve in words_of(game.sheet):
            yield (*path, "improve"), Phrase("gamefile.words.improve", name=row.improve)


def _group(path: Path, group: EntriesRow) -> Found:
    usual = EntriesRow(title="", entries={})
    for key in OF_NUMBERS if group.text else OF_WORDS:
        if getattr(group, key) != getattr(usual, key):
            of = "text = true" if group.text else "numbers"
            yield (*path, key), Phrase("gamefile.idle", key=key, of=of)
    if group.text:
        for key, most in (("most", MOST_TEXT), ("lines", MOST_LINES)):
            if not 1 <= (got := getattr(group, key)) <= most:
                what = Phrase("gamefile.bounds.between", got=got, low=1, high=most)
                yield (*path, key), what


def _value(path: Path, value: int | str, group: EntriesRow) -> Found:
    """A value of a character that is of the other kind, or a text that its entry cannot hold."""
    if not group.text:
        if isinstance(value, str):
            yield path, Phrase("gamefile.not.int", got=f'"{value[:40]}"')
    elif not isinstance(value, str):
        yield path, Phrase("gamefile.not.str", got=value)
    elif len(value) > group.most or value.count("\n") >= group.lines:
        yield path, Phrase("gamefile.words.long", most=group.most, lines=group.lines)
