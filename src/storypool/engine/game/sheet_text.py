"""A sheet as people write it: entries by key or label, in any case, each before its value."""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping

from storypool.engine.game.kit import Entry
from storypool.engine.refusal import nearest
from storypool.words.folding import alike, folded, half_width, plain

WRITTEN = re.compile(r"([^=:,;\n]*?) ?[=: ] ?([+-]?\d{1,9})(?=[ ,;\n]|$)")
"""An entry with its number: `Brawn=2`, `brawn: 2`, `Brawn 2`."""
UNREAD = re.compile(r"([^=:,;\n]*?) ?[=:] ?([^ ,;\n]*)|([^,;\n]+)")
"""An entry with an invalid number or without one."""
BETWEEN = re.compile(r"[ ,;\n]*")
WORDS = re.compile(r"""([^=:,;\n]*?) ?[=:] ?("(?:[^"\\]|\\.)*"|'[^']*'|[^;\n]*)""")
"""An entry of words: between quotes, or up to a semicolon or the end of the line."""
ENTRY = re.compile(r'(.+?)=(-?\d+|"(?:[^"\\]|\\.)*")(?: |$)')
"""An entry as a sheet in one line has it, a text in JSON."""


def _never(name: str) -> bool:
    return False


def written_entries(
    text: str, groups: Iterable[str] = (), in_words: Callable[[str], bool] = _never
) -> Iterator[tuple[str, str | None]]:
    """Yield the entries of a text with what is written as their values; None where nothing is.

    Commas, semicolons, new lines or spaces separate them. The name of a group is passed over as a
    heading. The value of an entry `in_words` may hold them too.

    >>> list(written_entries("Brawn 3, Ranged (light): 2; soak=x", ()))
    [('Brawn', '3'), ('Ranged (light)', '2'), ('soak', 'x')]
    >>> list(written_entries("gear='a rope, 2 lamps' soak=1", (), lambda key: key == "gear"))
    [('gear', 'a rope, 2 lamps'), ('soak', '1')]
    """
    text, at = re.sub(r"[^\S\n]+", " ", half_width(text)), 0
    while (at := BETWEEN.match(text, at).end()) < len(text):  # type: ignore[union-attr]
        if (words := WORDS.match(text, at)) is not None and in_words(words[1].strip()):
            yield words[1].strip(), _unquoted(words[2])
            at = words.end()
            continue
        found = WRITTEN.match(text, at) or UNREAD.match(text, at)
        assert found is not None
        name, number, *other = found.groups()
        if any(other):
            yield other[0].strip(), None
        elif _is_group(name, groups) and not number.isdecimal():
            at = found.start(2)
            continue
        else:
            yield name.strip(), number.removeprefix("+")
        at = max(found.end(), at + 1)


def _unquoted(text: str) -> str:
    """The text between quotes; double ones may hold escapes, as in JSON."""
    if text[:1] == '"':
        try:
            return str(json.loads(text))
        except ValueError:
            return text[1:-1]
    return text[1:-1] if text[:1] == "'" and len(text) > 1 else text.strip()


def lines_of(raw: str) -> str:
    """The text of an entry as it is stored: plain lines, without empty ones around it.

    >>> lines_of("  A rope\\n\\ttwo  lamps\\n")
    'A rope\\ntwo lamps'
    """
    return "\n".join(map(plain, raw.splitlines())).strip("\n")


def written_entry(key: str, value: int | str) -> str:
    """An entry of a sheet in one line.

    >>> written_entry("brawn", 3), written_entry("gear", "a “rope”")
    ('brawn=3', 'gear="a “rope”"')
    """
    return f"{key}={json.dumps(value, ensure_ascii=False)}"


def read_sheet(text: str) -> dict[str, int | str]:
    """Parse a sheet given as one line, `key=number key="text"`.

    >>> read_sheet('brawn=3 gear="a rope" soak=1')
    {'brawn': 3, 'gear': 'a rope', 'soak': 1}
    """
    return {key: json.loads(value) for key, value in ENTRY.findall(text)}


class SheetKeys:
    """The keys of a sheet, found by key or label in any case, with any separators."""

    def __init__(self, entries: Iterable[Entry], further: Iterable[str] = ()) -> None:
        self.entries = {entry.key: entry for entry in entries}
        self.groups = frozenset(entry.group for entry in self.entries.values())
        labelled = {_bare(entry.label): entry.key for entry in self.entries.values()}
        self._keys: Mapping[str, str] = labelled | {
            _bare(key): key for key in (*further, *self.entries)
        }
        self._further = frozenset(further)

    def find(self, name: str) -> str | None:
        """The key with this name, or None; `Skill Stealth` is Stealth."""
        if name in self.entries or name in self._further:
            return name
        first, _, rest = name.partition(" ")
        found = self._keys.get(_bare(name))
        return found or (self.find(rest) if rest and _is_group(first, self.groups) else None)

    def in_words(self, name: str) -> bool:
        """Whether a name is that of an entry of words."""
        key = self.find(name)
        return key in self.entries and self.entries[key].text > 0

    def bounds(self, key: str) -> tuple[int, int]:
        """The least and the largest number of a key; an added key may have any."""
        entry = self.entries.get(key)
        return (entry.low, entry.high) if entry else (0, 99)

    def pair(self, name: str) -> tuple[Entry, Entry] | None:
        """The two entries of a name such as `Lightsaber (Agility)`, or None."""
        words = re.fullmatch(r"(.+?) ?\((.+)\)", name)
        keys = map(self.find, words.groups()) if words else ()
        found = [self.entries[key] for key in keys if key in self.entries]
        return (found[0], found[1]) if len(found) == 2 else None

    def near(self, name: str) -> list[str]:
        """The keys that are spelt most like this name, or whose labels are."""
        keys = nearest(name, self.entries)
        by_label = {entry.label: entry.key for entry in self.entries.values()}
        return list(
            dict.fromkeys([*keys, *(by_label[label] for label in nearest(name, by_label))])
        )[:3]


def _is_group(word: str, groups: Iterable[str]) -> bool:
    return alike(word).removesuffix("s") in groups


def _bare(name: str) -> str:
    """The letters and digits of a name, folded; those of a picture are the picture."""
    return "".join(c for c in folded(name) if unicodedata.category(c)[0] in "LMN") or alike(name)
