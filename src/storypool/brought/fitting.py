"""What a brought character is in a game: its sheet, the moves that write its texts, and a note."""

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from difflib import SequenceMatcher
from typing import Any, Literal

from storypool import systems
from storypool.brought.characters import (
    LONGEST_NOTE,
    BroughtCharacter,
    BroughtText,
    NoCharacter,
)
from storypool.engine.game.sheet_text import SheetKeys
from storypool.engine.game.steps import TextMove
from storypool.engine.game.system import System
from storypool.engine.refusal import nearest
from storypool.engine.table import Value
from storypool.words import Phrase, Words
from storypool.words.folding import folded

DATA = "brought"
"""The file of a game with the names that formats have for what is on its sheet."""
ALIKE = 0.84
"""How similar a name must be to be taken for another one; a less similar one is only suggested."""

MOST_COMPARED = 200
"""The most unknown names of a file that are compared with those of a sheet."""
NUMBERED = ("damage", "critical", "range", "quality")
"""The numbers of texts that a template has columns for."""

How = Literal["", "near", "highest", "text"]


@dataclass(frozen=True, slots=True)
class Understood:
    """Something of a file that the character has.

    `how` says more than that its name was known: `near`, it was read as a similar one; `highest`,
    it is the highest of several numbers for one entry; `text`, it is written by a move.
    """

    name: str
    value: Value
    label: str
    how: How = ""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something of a file that the character has only in its note, or not at all, and why."""

    what: str
    why: Phrase


@dataclass(slots=True)
class Fitted:
    """A character of a game as it can be added, what was understood of the file, and what not."""

    name: str
    is_npc: bool = False
    sheet: dict[str, Value] = field(default_factory=dict)
    written: list[TextMove] = field(default_factory=list)
    understood: list[Understood] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    note: str = ""


def games_of(format: str) -> list[str]:
    """The games that take the characters of a format."""
    return [key for key in systems.playable() if format in _formats(key)]


def _formats(game: str) -> Iterable[str]:
    return (*systems.data(game, DATA).get("formats", ()), "csv", "storypool")


def fit(system: System, found: Iterable[BroughtCharacter]) -> list[Fitted]:
    """What the characters of a file are in a game; `NoCharacter` if they are of another one."""
    names, formats, fitted = _Names(system), _formats(system.key), list[Fitted]()
    for one in found:
        if one.format not in formats or one.game not in ("", system.key):
            raise NoCharacter("game", game=system.name)
        fitted.append(_Fitting(names, one).fitted())
    return fitted


def guessed_game(found: list[BroughtCharacter]) -> str:
    """The game whose sheet understands most of these characters; `NoCharacter` if several do."""
    named = {one.game for one in found if one.game}
    if len(named) == 1 and (key := named.pop()) in systems.playable():
        return key
    games = [key for key in games_of(found[0].format) if systems.is_known(key)]
    counts = {key: _known(systems.get(key), found) for key in games}
    best = [key for key in games if counts[key] and counts[key] == max(counts.values())]
    if len(best) != 1:
        raise NoCharacter("which", games=", ".join(best or games))
    return best[0]


def _known(system: System, found: list[BroughtCharacter]) -> int:
    names = {name for one in found[:5] for name in one.numbers}
    keys = _Names(system)
    return sum(keys.find(name) is not None for name in names)


class _Names:
    """The entries of a sheet by the names of formats, of the game, and by similar ones."""

    def __init__(self, system: System) -> None:
        self.data: Mapping[str, Any] = systems.data(system.key, DATA)
        self.keys, self.system = SheetKeys(system.sheet), system
        self._own = {folded(name): key for name, key in self.data.get("entries", {}).items()}
        self._near = dict[str, tuple[str, list[str]]]()

    def find(self, name: str) -> str | None:
        """The key of the entry with this name; "" for a name that the game passes over."""
        own = self._own.get(folded(name))
        return own if own is not None else self.keys.find(name)

    def near(self, name: str) -> tuple[str, list[str]]:
        """The entry that a misspelt name means, or ""; and the labels of similar ones.

        Each name is compared once, and no more than `MOST_COMPARED` of a file.
        """
        if name not in self._near:
            if len(self._near) >= MOST_COMPARED:
                return "", []
            self._near[name] = self._compared(name)
        return self._near[name]

    def _compared(self, name: str) -> tuple[str, list[str]]:
        labels = {entry.label: entry.key for entry in self.system.sheet}
        close = nearest(name, labels)
        for label in close:
            for known in (label, labels[label]):
                if SequenceMatcher(None, folded(name), folded(known)).ratio() >= ALIKE:
                    return labels[label], close
        return "", close


class _Fitting:
    """Fits one character, part by part; whatever has no place goes into its note."""

    def __init__(self, names: _Names, one: BroughtCharacter) -> None:
        self.system, self.one, self.names = names.system, one, names
        self.rows: Mapping[str, Any] = self.names.data.get("text", {})
        self.result = Fitted(one.name, one.is_npc)
        self.lines = list[str]()

    def fitted(self) -> Fitted:
        """The character with its sheet, its moves and its note."""
        for name, value in self.one.numbers.items():
            self._number(name, value)
        for text in self.one.texts:
            self._text(text)
        for title, words in self.one.rest:
            self.lines.append(f"{title}: {words}" if title else words)
        self._note()
        return self.result

    def _leave(self, what: str, why: str, **values: object) -> None:
        self.result.left_out.append(LeftOut(what, Phrase(f"imported.left.{why}", **values)))

    def _number(self, name: str, value: int) -> None:
        """Put a number on the sheet, in the entry with this name or a similar one."""
        if (key := self.names.find(name)) is not None:
            if key:
                self._entry(name, key, value, "")
            return
        key, close = self.names.near(name)
        if key:
            self._entry(name, key, value, "near")
            return
        self.lines.append(f"{name}: {value}")
        self._leave(f"{name} {value}", "near" if close else "number", near=" · ".join(close))

    def _entry(self, name: str, key: str, value: int, how: How) -> None:
        entry = self.system.by_entry[key]
        if not entry.fits(value):
            # A number that is simply not there, such as a skill without a rank, is no news.
            if value:
                self.lines.append(f"{name}: {value}")
                self._leave(f"{name} {value}", "range", low=entry.low, high=entry.high)
            return
        before = self.result.sheet.get(key)
        if before is not None and isinstance(before, int):
            if before == value:
                return
            how, value = "highest", max(before, value)
        self.result.sheet[key] = value
        kept = [one for one in self.result.understood if one.label != entry.label]
        self.result.understood = [*kept, Understood(name, value, entry.label, how)]

    def _text(self, text: BroughtText) -> None:
        """Write a text by a move of the game, on its sheet, or in the note."""
        if self._is_rank(text):
            return
        key = self.names.find(text.kind)
        if key and (entry := self.system.by_entry[key]).text and entry.fits(text.text):
            self.result.sheet[key] = text.text
            self._understand(text, entry.label)
            return
        row = self.rows.get(folded(text.kind).removesuffix("s")) or self.rows.get(text.kind)
        if row is None or row["move"] not in self.system.by_key:
            self._unwritten(text, "text")
            return
        if len(text.text) > row.get("most", len(text.text)):
            self._unwritten(text, "long", most=row["most"])
        elif (args := self._answers(text, row)) is not None:
            self.result.written.append(TextMove(row["move"], row.get("who", "who"), args))
            self._understand(text, self.system.title(row["move"]))

    def _understand(self, text: BroughtText, label: str) -> None:
        self.result.understood.append(Understood(text.kind, text.text, label, "text"))

    def _unwritten(self, text: BroughtText, why: str, **values: object) -> None:
        numbers = ", ".join(f"{name} {value}" for name, value in text.numbers.items() if value != 1)
        self.lines.append(f"{text.kind.capitalize()}: {text.text}{numbers and f' ({numbers})'}")
        self._leave(f"{text.kind}: {text.text}"[:80], why, **values)

    def _answers(self, text: BroughtText, row: Mapping[str, Any]) -> dict[str, Value] | None:
        """The answers of a move; None where the file lacks one that it needs."""
        args: dict[str, Value] = {**row.get("given", {}), row.get("ask", "text"): text.text}
        if "of" in row:
            key = self.names.find(text.of) or self.names.near(text.of)[0] if text.of else ""
            if not key:
                self._unwritten(text, "of")
                return None
            args[row["of"]] = key
        for name, question in row.get("numbers", {}).items():
            if (value := text.numbers.get(name)) is not None:
                known = row.get("choices", {}).get(question)
                answer = known.get(folded(str(value))) if known else value
                if answer is not None and (known or isinstance(answer, int)):
                    args[question] = answer
        if missing := [name for name in row.get("needs", ()) if not args.get(name)]:
            self._unwritten(text, "needs", what=", ".join(missing))
            return None
        floor, n = row.get("from", 0), self.result.sheet.get(str(args.get(row.get("of", ""))), 0)
        if isinstance(n, int) and n < floor:
            self._unwritten(text, "low", least=floor)
            return None
        return args

    def _is_rank(self, text: BroughtText) -> bool:
        """Whether a text is a talent whose rank is an entry of the sheet; its rank is counted."""
        ranked = self.names.data.get("ranked", {})
        name, _, number = text.text.partition(":")[0].rpartition(" ")
        words = name if number.isdecimal() else text.text.partition(":")[0]
        key = next((key for known, key in ranked.items() if folded(known) == folded(words)), "")
        rank = int(number) if number.isascii() and number.isdecimal() else text.numbers.get("rank")
        if not (key and isinstance(rank, int)):
            return False
        self._entry(words, key, rank, "")
        return True

    def _note(self) -> None:
        if not self.lines:
            return
        self.result.note = "\n".join(dict.fromkeys(self.lines))[:LONGEST_NOTE].rstrip()
        if "paper.write" in self.system.by_key:
            title = str(Phrase("imported.note"))
            args: dict[str, Value] = {"title": title, "text": self.result.note}
            self.result.written.append(TextMove("paper.write", "about", args))


def as_data(one: Fitted, words: Words) -> dict[str, Any]:
    """A fitted character as data, with the reasons in these words."""
    left = [{"what": part.what, "why": part.why.localize(words)} for part in one.left_out]
    return {**asdict(one), "left_out": left}


def template(system: System) -> str:
    """A spreadsheet as CSV to fill in: a column for each entry and each kind of text of a game."""
    names = _Names(system)
    rows: Mapping[str, Any] = names.data.get("text", {})
    headings = ["Name", *(entry.label for entry in system.sheet)]
    for kind, row in rows.items():
        headings.append(kind.capitalize())
        if "of" in row:
            headings.append(f"{kind} skill")
        headings.extend(f"{kind} {name}" for name in row.get("numbers", {}) if name in NUMBERED)
    output = io.StringIO()
    csv.writer(output, lineterminator="\n").writerow([*headings, "Notes", "NPC"])
    return output.getvalue()
