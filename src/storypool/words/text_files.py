"""Text files as editors write them: with various marks, line ends and encodings.

>>> text_of(b"\\xef\\xbb\\xbfone\\r\\ntwo\\rthree")
'one\\ntwo\\nthree'
>>> text_of(b"caf\\xe9")  # doctest: +ELLIPSIS
Traceback (most recent call last):
...
storypool.words.text_files.NotText: This is not UTF-8 text (line 1). Save it again in ...
"""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from storypool.words import Phrase, StorypoolError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["NotText", "lines_of", "plain", "text_in", "text_of", "visible"]

WIDE = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""The byte order marks of UTF-32 and UTF-16; the longer ones first, as they share a prefix."""
KINDS = {
    b"PK\x03\x04": "archive",
    b"\x1f\x8b": "archive",
    b"7z\xbc\xaf": "archive",
    b"%PDF-": "pdf",
    b"\x89PNG": "picture",
    b"\xff\xd8\xff": "picture",
    b"GIF89a": "picture",
    b"SQLite format 3\x00": "database",
}
"""The first bytes of files that are often chosen by mistake."""


class NotText(StorypoolError, ValueError):
    """A file that is not text, or is in an unsupported encoding; `line` is the first bad line.

    `file` is its name, where the reader knows it.
    """

    file = ""

    def __init__(self, key: str, line: int = 1) -> None:
        super().__init__(Phrase(f"brought.{key}", line=line))
        self.line = line


def text_in(file: str | Path) -> str:
    """The text of a file; `NotText` if it is not text, `OSError` if it cannot be read."""
    with open(file, "rb") as opened:
        return text_of(opened.read())


def text_of(data: bytes) -> str:
    """The text of these bytes, with plain line ends and no mark; `NotText` if it is not text."""
    for begin, kind in KINDS.items():
        if data.startswith(begin):
            raise NotText(kind)
    encoding = next((name for mark, name in WIDE.items() if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as wrong:
        line = 1 if encoding != "utf-8" else plain(data[: wrong.start].decode()).count("\n") + 1
        raise NotText("wide" if b"\0" in data else "encoding", line) from None
    if "\0" in text:
        wide = text.count("\0") > len(text) / 4
        raise NotText("wide" if wide else "nul", plain(text.partition("\0")[0]).count("\n") + 1)
    return plain(text)


def plain(text: str) -> str:
    """A text with plain line ends, without a byte order mark."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def lines_of(data: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, with their numbers, stripped of white space.

    The data is read lazily unless it is UTF-16 or UTF-32; `NotText` as for `text_of`.
    """
    given = iter(data)
    first = next(given, b"")
    if first.startswith((*WIDE, *KINDS)):
        given = iter(text_of(first + b"".join(given)).encode().splitlines())
    else:
        given = chain([first.removeprefix(codecs.BOM_UTF8)], given)
    pieces = (piece for line in given for piece in line.rstrip(b"\r\n").split(b"\r"))
    for number, piece in enumerate(pieces, 1):
        if line := piece.strip():
            yield number, line


def visible(text: str) -> str:
    """A text for an error message: each invisible character is replaced by its name.

    >>> visible("\\ufeffa\\u00a0b")
    '[zero width no-break space]a[no-break space]b'
    """
    if text.isascii() and text.isprintable():
        return text
    import unicodedata  # Imported late: only an error needs it.

    def shown(sign: str) -> str:
        if sign in " \t\n" or unicodedata.category(sign) not in (
            "Cc",
            "Cf",
            "Co",
            "Cn",
            "Zs",
            "Zl",
            "Zp",
        ):
            return sign
        return f"[{unicodedata.name(sign, f'U+{ord(sign):04X}').lower()}]"

    return "".join(map(shown, text))
