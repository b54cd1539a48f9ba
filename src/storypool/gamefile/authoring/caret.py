"""The place of the caret in the text of a game file, which may be half written."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from storypool.gamefile.file_format.file_text import Path, names_of, numbered

__all__ = ["Caret", "caret_at"]

Kind = Literal["header", "key", "value", "nothing"]

CLOSERS = {"[": "]", "{": "}"}
_WORD = re.compile(r"[\w-]*$")
_KEY = re.compile(
    r"""\s*((?:"[^"\n]*"|'[^'\n]*'|[\w-]+)(?:[ \t]*\.[ \t]*(?:"[^"\n]*"|'[^'\n]*'"""
    r"""|[\w-]+))*)[ \t]*=[ \t]*"""
)
_HEADER = re.compile(r"[ \t]*(\[\[?)([^\]\n]*)(\]\]?|(?=\n)|$)[^\n]*")
_NEXT = re.compile(r"\n[ \t]*(?:\[\[?[a-z_][\w. -]*\]\]?[ \t]*(?:\n|$)|[\w.-]+[ \t]*=)")
"""A new line that cannot continue a list: a header, or a key."""
_PLAIN = re.compile(r"[^\s,\[\]{}\"'#=]+")


@dataclass(frozen=True)
class Caret:
    """Where the caret is: in a header, at a key, in a value, or where nothing is completed.

    `path` leads to the table of a header or of a key, or to the value, with the number of each row.
    `written` is the beginning of the word or of the quoted text that begins at `start`; `quote` is
    its quote. The statement begins at `begin`, and `closers` close its open brackets.
    """

    kind: Kind
    path: Path = ()
    written: str = ""
    start: int = 0
    quote: str = ""
    begin: int = 0
    closers: str = ""


@dataclass
class _Open:
    """An open list or inline table, with the path of what is in it now."""

    sign: str
    path: Path
    n: int = 0
    key: Path | None = field(default=None)

    def inside(self) -> Path:
        """The path of the value that comes now."""
        return (*self.path, self.n) if self.sign == "[" else (*self.path, *(self.key or ()))


def caret_at(before: str) -> Caret:
    """The place at the end of the text `before` the caret.

    >>> caret_at('[[move]]\\nkey = "a"\\n[[move]]\\nwho = "ac').path
    ('move', 1, 'who')
    >>> caret_at("do = [{ add = 'risk' }, { ga").closers
    '}]'
    """
    return _Scanner(before).scan()


class _Scanner:
    """Reads a text up to its end, statement after statement."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.table: Path = ()
        self.counts: dict[Path, int] = {}

    def scan(self) -> Caret:
        """The place at the end."""
        text = self.text
        while True:
            while self.at < len(text) and text[self.at] in " \t\n":
                self.at += 1
            begin = self.at
            if begin >= len(text):
                return Caret("key", self.table, "", begin, begin=begin)
            if text[begin] == "#":
                if (end := text.find("\n", begin)) < 0:
                    return Caret("nothing")
                self.at = end
            elif text[begin] == "[":
                if found := self._header(begin):
                    return found
            elif found := self._statement(begin):
                return found

    def _header(self, begin: int) -> Caret | None:
        header = _HEADER.match(self.text, begin)
        assert header is not None
        if header.end() == len(self.text) and not header[3]:
            return Caret("header", (), header[0], begin, begin=begin)
        self.at = header.end()
        names: Path = tuple(names_of(header[2]))
        if header[1] == "[[" and names:
            rows = (*numbered(names[:-1], self.counts), *names[-1:])
            self.counts[rows] = self.counts.get(rows, -1) + 1
        self.table = numbered(names, self.counts)
        return Caret("nothing") if self.at == len(self.text) else None

    def _statement(self, begin: int) -> Caret | None:
        """The place in a key and its value, if the text ends there."""
        text = self.text
        key = _KEY.match(text, begin)
        if key is None:
            end = text.find("\n", begin)
            if end >= 0:
                self.at = end
                return None
            return self._at_key(self.table, begin, begin, "")
        self.at = key.end()
        path, opened = (*self.table, *names_of(key[1])), list[_Open]()
        while self.at < len(text):
            sign, top = text[self.at], opened[-1] if opened else None
            if sign == "\n":
                if top is None or top.sign == "{" or _NEXT.match(text, self.at):
                    return None
                self.at += 1
            elif sign in " \t":
                self.at += 1
            elif sign == "#":
                if (end := text.find("\n", self.at)) < 0:
                    return Caret("nothing")
                self.at = end
            elif top is not None and top.sign == "{" and top.key is None and sign not in "},":
                if not (inner := _KEY.match(text, self.at)):
                    break
                top.key, self.at = tuple(names_of(inner[1])), inner.end()
            elif sign in "[{":
                opened.append(_Open(sign, top.inside() if top else path))
                self.at += 1
            elif sign in "]}":
                if opened:
                    opened.pop()
                self.at += 1
            elif sign == ",":
                if top is not None:
                    top.n, top.key = top.n + 1, None
                self.at += 1
            elif sign in "\"'":
                inside = opened[-1].inside() if opened else path
                if found := self._quoted(sign, inside, begin, opened):
                    return found
            else:
                found_plain = _PLAIN.match(text, self.at)
                if found_plain is None:
                    self.at += 1
                elif found_plain.end() == len(text):
                    break
                else:
                    self.at = found_plain.end()
        return self._at_end(path, begin, opened)

    def _at_end(self, path: Path, begin: int, opened: list[_Open]) -> Caret:
        """The place at the end of an open value, outside of quotes."""
        closers = _closing(opened)
        top = opened[-1] if opened else None
        if top is not None and top.sign == "{" and top.key is None:
            return self._at_key(top.path, begin, self.at, closers)
        inside = top.inside() if top else path
        word = _WORD.search(self.text)
        assert word is not None
        start = max(word.start(), begin)
        before = self.text[:start].rstrip(" \t")
        if before[-1:] not in ("=", "[", ",", "\n"):
            return Caret("nothing")
        return Caret("value", inside, self.text[start:], start, begin=begin, closers=closers)

    def _at_key(self, path: Path, begin: int, start: int, closers: str) -> Caret:
        """The place in the name of a key, after its dotted parts."""
        *parts, word = self.text[start:].split(".")
        if any(not re.fullmatch(r"\s*[\w-]*\s*", part) for part in (*parts, word)):
            return Caret("nothing")
        written = word.lstrip()
        inside = (*path, *(part.strip() for part in parts))
        start = len(self.text) - len(written)
        return Caret("key", inside, written, start, begin=begin, closers=closers)

    def _quoted(self, sign: str, path: Path, begin: int, opened: list[_Open]) -> Caret | None:
        """The place in a text between quotes, if the caret is there."""
        text, start = self.text, self.at
        if text.startswith(sign * 3, start):
            end = text.find(sign * 3, start + 3)
            if end < 0:
                return Caret("nothing")
            self.at = end + 3
            return None
        at = start + 1
        while at < len(text) and text[at] != sign and text[at] != "\n":
            at += 2 if text[at] == "\\" and sign == '"' else 1
        if at >= len(text):
            written, closers = text[start + 1 :], _closing(opened)
            return Caret("value", path, written, start, quote=sign, begin=begin, closers=closers)
        self.at = at + (text[at] == sign)
        return None


def _closing(opened: list[_Open]) -> str:
    return "".join(CLOSERS[one.sign] for one in reversed(opened))
