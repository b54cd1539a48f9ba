"""Game files of strangers: damaged or hostile ones of the docs, and some made from the schema."""

from __future__ import annotations

import datetime
import json
import random
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from storypool.gamefile.file_format.expressions import Expression
from storypool.gamefile.file_format.file_text import hints
from storypool.gamefile.file_format.schema import GameFile
from storypool.gamefile.file_format.thing_rows import written_key

__all__ = ["EVIL", "game_text"]

GAMES = sorted((Path(__file__).parents[2] / "docs" / "games").glob("*.game.toml"))

EVIL = (
    "<script>window.ran=1;fetch('https://evil.example/')</script>",
    "<img src=https://evil.example/x onerror=window.ran=1>",
    "\"'><svg onload=window.ran=1><use href='https://evil.example/#x'/>",
    "javascript:window.ran=1",
    "[a](javascript:window.ran=1) ![b](https://evil.example/y)",
    "</style><style>@import url(https://evil.example/z);*{background:url(//evil.example/w)}",
    "</title></script><iframe srcdoc='<script>parent.ran=1</script>'>",
    "&lt;script&gt; &#x3c;b&#x3e; <!-- ]]> --> <![CDATA[",
    "{n} {who} {title} {text}",
    "{title.__class__.__mro__[1].__subclasses__}",
    "{n:>99999999} {title:>99999999} {price!r:>99999999}",
    "{",
    "}{0}{}",
    "%s %(x)s ${x} `x` $(id)",
    "\u202eesrever\u202c \u200b\u2066\ufeff",
    "Z\u0351\u036b\u0343a\u030b\u0301" + "\u0300" * 300,
    "👩‍👩‍👧‍👦" * 60,
    "\x1b[31mred\x07",
    "x" * 3900,
    "a b" * 1300,
    "\n\n\r\n- a\n# b\n",
    "' OR 1=1; --",
    "../../../../etc/passwd",
    '=HYPERLINK("https://evil.example")',
)
"""Hostile sentences: markup, scripts, addresses, blanks of sentences, tricks of Unicode."""
NAMES = (
    *("__class__", "__proto__", "constructor", "prototype", "toString", "self", "None", "x" * 31),
    *("Ä", "a-b", "", " ", "pass", "success", "promise", "aspect", "check", "as", "title"),
    *("secret", "pay", "players", "gm", "stress", "true", "nan", "min", "dice", "face", "outcome"),
    *("side", "n", "table", "seat", "words", "list", "look"),
)
NUMBERS = (
    *(0, 1, -1, 2, 7, 99, 100, 101, 400, 401, 999_999, 1_000_000, -1_000_000, 10**7, 2**63),
    *(10**30, 16**5000),
)
DEEP = (
    "(" * 60 + "1" + ")" * 60,
    "-" * 290 + "1",
    "not " * 60 + "1",
    "1" + "+1" * 149,
    "1" + "*1000000" * 30,
    "max(" + ",".join("9" * 9 for _ in range(28)) + ")",
    " or ".join(["1 == 2"] * 30),
    "1 if 1 else " * 20 + "1",
    "'" + "9" * 290 + "'",
    "9" * 299,
    "a.b",
    "a[0]",
    "lambda: 1",
    "(x := 1)",
    "__import__('os').system('id')",
    "f'{1}'",
    "2**99999",
    "1 << 99999",
    "1/0 + 1%0",
    "dice(dice)",
    "\x00",
    "𝟙+𝟚",
)

Data = dict[str, Any]


LONGEST = 1_000_000
"""The most characters of a text, five times the limit."""


def game_text(chance: random.Random) -> str:
    """The text of a game file: damaged, hostile in meaning, or made from the schema."""
    return _text(chance)[:LONGEST]


def _text(chance: random.Random) -> str:
    kind = chance.randrange(10)
    if kind < 2:
        return spoiled(chance)
    if kind < 3:
        return (
            chance.choice(RAW)(chance) if chance.random() < 0.5 else toml(row(chance, GameFile, 0))
        )
    data: Data = tomllib.loads(chance.choice(texts()))
    if kind < 6:
        sentences(chance, data)
        return toml(data)
    # First the changes that rely on the shape of the game, then those that break it.
    for harm in sorted(chance.choices(range(len(HARM)), k=chance.choice((1, 1, 2, 3, 5)))):
        HARM[harm](chance, data)
    return toml(data)


@cache
def texts() -> tuple[str, ...]:
    """The texts of the games of the docs."""
    return tuple(one.read_text(encoding="utf-8") for one in GAMES)


@cache
def _words() -> tuple[str, ...]:
    return tuple(sorted({word for text in texts() for word in re.findall(r"[\w.]+", text)}))


def spoiled(chance: random.Random) -> str:
    """A game of the docs with some words and lines changed, moved, doubled, or removed."""
    lines = chance.choice(texts()).split("\n")
    words = _words()
    odd = (
        *(*NAMES, *map(str, NUMBERS[:-1]), *EVIL[:14], "={", "'''", '"""', "[[", "1979-05-27"),
        *("inf", "0xff", "{}", "[]", "", "'", '"', "true", "nan", "é", "\\u0000", "x" * 5000),
        *("dice(", "face", "(" * 60, "1/0", "'a' * 9", "2**99", "format"),
    )
    for _ in range(chance.randint(1, 4)):
        n = chance.randrange(len(lines))
        match chance.randrange(6):
            case 0:
                del lines[n]
            case 1:
                lines.insert(chance.randrange(len(lines)), lines[n])
            case 2:
                lines[n] = re.sub(r"[\w.]+", lambda _: chance.choice(words), lines[n], count=1)
            case 3:
                found = list(re.finditer(r"[\w.]+", lines[n]))
                if found:
                    one = chance.choice(found)
                    lines[n] = (
                        lines[n][: one.start()]
                        + chance.choice((*words, *odd))
                        + lines[n][one.end() :]
                    )
            case 4:
                key, equals, _ = lines[n].partition(" = ")
                lines[n] = f"{key} = {chance.choice(odd)}" if equals else lines[n]
            case _:
                key, equals, value = lines[n].partition(" = ")
                other = chance.choice(lines).partition(" = ")[2]
                lines[n] = f"{key} = {other or value}" if equals else lines[n]
        lines = lines or [""]
    return "\n".join(lines)


# Texts that are hard to read, whatever they say.

RAW: tuple[Callable[[random.Random], str], ...] = (
    lambda chance: "".join(
        map(chr, chance.choices(range(1, 0x2000), k=chance.choice((0, 10, 5000))))
    ),
    lambda chance: "format = 1\n" + ".".join("a" * chance.choice((30, 3000, 99_000))) + " = 1",
    lambda chance: "format = 1\n[" + ".".join("a" * chance.choice((30, 3000, 99_000))) + "]",
    lambda chance: "format = 1\n" + ("a = " + "[" * chance.choice((30, 900, 90_000))),
    lambda chance: "format = 1\nname = " + "{a=" * chance.choice((30, 900, 60_000)),
    lambda chance: "format = 1\n" + "\n".join(f"[x{n}.y{n}]" for n in range(14_000)),
    lambda chance: "format = 1\n" + "[[move]]\n" * 20_000,
    lambda chance: (
        "format = 1\n[[move]]\nkey = 'k'\n" + "title = 't'\n[[move]]\nkye = 'k'\n" * 5_000
    ),
    lambda chance: "format = 1\na = [\n[" + " " * chance.choice((300, 3000, 190_000)) + "1 ]]",
    lambda chance: "format = 1\nkey = " + "9" * chance.choice((30, 5000, 190_000)),
    lambda chance: "format = 1\nkey = 0x" + "f" * chance.choice((30, 5000, 190_000)),
    lambda chance: "format = 1\nkey = '" + "x" * 199_000 + "'",
    lambda chance: 'format = 1\nkey = """' + "\n" * 190_000 + '"""',
    lambda chance: "format = 1\n" + "".join(f"k{n} = 1\n" for n in range(20_000)),
    lambda chance: (
        chance.choice(texts())
        + "\n[words."
        + ".".join("a" * chance.choice((30, 50, 3000)))
        + "]\nb = 1"
    ),
    lambda chance: (
        chance.choice(texts())
        + "\n"
        + "[words"
        + "".join(".a" * 30 + "]\n[words" for _ in range(2000))
        + "]"
    ),
    lambda chance: "#" * 199_000,
    lambda chance: "\n" * 199_000,
    lambda chance: chance.choice(texts()) + "\n# " + "x" * 200_000,
    lambda chance: chance.choice(texts()) + '\n[words]\n"no.sight" = "' + "{title}" * 9000 + '"\n',
    lambda chance: (
        chance.choice(texts()).replace("\n", "\r\n").replace("format", "\ufeffformat", 1)
    ),
)


# Hostile content in files that may be valid.


def sentences(chance: random.Random, data: Data) -> None:
    """Write hostile texts where the file has sentences."""
    evil = chance.sample(EVIL, 3)
    plain = [one for one in evil if "{" not in one and "}" not in one] or ["x"]
    for one in _dicts(data):
        for key in SENTENCES:
            # A question is used by its name, and results are filled in between braces.
            if isinstance(one.get(key), str) and not (key == "name" and "label" in one):
                one[key] = chance.choice(
                    plain if key == "words" and chance.random() < 0.9 else evil
                )
    for table in ("entries", "choices", "values"):
        for one in _tables(data, table):
            one.update({key: chance.choice(evil) for key in one})


SENTENCES = (
    *("name", "about", "word", "plural", "title", "label", "words", "rule", "unless", "why"),
    *("text", "letter", "glyph"),
)


def renamed(chance: random.Random, data: Data) -> None:
    """Rename something in the file, wherever it is named."""
    keys = [
        key
        for table in ("dice", "symbols", "points", "trait", "sheet", "option")
        for key in data.get(table, {})
    ]
    rows = (*data.get("move", []), *_actions(data))
    keys += [row["key"] for row in rows if "key" in row]
    if not keys:
        return
    old, new = chance.choice(keys), chance.choice(NAMES)
    pattern = re.compile(rf"(?<!\w){re.escape(old)}(?!\w)")

    def change(one: Any) -> Any:
        if isinstance(one, dict):
            return {pattern.sub(new, key): change(value) for key, value in one.items()}
        if isinstance(one, list):
            return [change(each) for each in one]
        return pattern.sub(new, one) if isinstance(one, str) else one

    changed = change(data)
    data.clear()
    data.update(changed)


def numbers(chance: random.Random, data: Data) -> None:
    """Write an extreme number or a deep expression where the file has a number or an expression."""
    for _ in range(chance.choice((1, 3))):
        holder, key = chance.choice(
            [(one, key) for one in _dicts(data) for key in one] or [(data, "format")]
        )
        if isinstance(holder[key], int | str) and key not in ("format",):
            holder[key] = chance.choice((*NUMBERS, *DEEP, *map(str, NUMBERS[:8])))


def swapped(chance: random.Random, data: Data) -> None:
    """Put a value of one place into another, or one of another kind."""
    holders = [(one, key) for one in _dicts(data) for key in one if key != "format"]
    if len(holders) < 2:
        return
    (here, key), (there, other) = chance.sample(holders, 2)
    odd: tuple[Any, ...] = (
        [],
        {},
        True,
        0.5,
        float("inf"),
        float("nan"),
        datetime.date(1979, 5, 27),
        [[]],
        [{}],
    )
    value = chance.choice((there[other], there[other], chance.choice(odd)))
    here[key] = (
        json.loads(json.dumps(value, default=str)) if isinstance(value, dict | list) else value
    )


def many(chance: random.Random, data: Data) -> None:
    """Add hundreds of one thing."""
    n = chance.choice((20, 23, 90, 99, 101, 400))
    holders = [
        (one, key)
        for one in _dicts(data)
        for key in one
        if isinstance(one[key], list | dict) and one[key]
    ]
    if not holders:
        return
    holder, key = chance.choice(holders)
    found = holder[key]
    if isinstance(found, list):
        rows = []
        for i in range(n):
            copy = json.loads(json.dumps(found[i % len(found)], default=str))
            if isinstance(copy, dict):
                copy |= {
                    name: f"{copy[name]}{i}"
                    for name in ("key", "name")
                    if isinstance(copy.get(name), str) and i
                }
            rows.append(copy)
        holder[key] = rows
    else:
        first = next(iter(found))
        more: Data = {
            f"{first}{i}": json.loads(json.dumps(found[first], default=str)) for i in range(n)
        }
        holder[key] = {**found, **more}


def huge_dice(chance: random.Random, data: Data) -> None:
    """Use the largest dice, many of them, in the largest pool."""
    dice = data.setdefault("dice", {})
    for i in range(chance.choice((1, 10, 23))):
        if chance.random() < 0.5:
            shows = {
                f"s{k}": chance.choice(("face", "face * 9999", "face % 7 == 3", "1000000"))
                for k in range(5)
            }
            dice[f"huge{i}"] = {"sides": chance.choice((100, 99, 20)), "shows": shows}
        else:
            dice[f"huge{i}"] = {
                "faces": [" ".join([f"s{k % 5}"] * chance.choice((1, 9, 300))) for k in range(100)]
            }
    action = chance.choice(_actions(data))
    action["most"] = chance.choice((10, 30, 1000, 1_000_000))
    action["pool"] = {name: chance.choice((0, 5, 1_000_000)) for name in dice}
    kinds = ("highest", "lowest", "next", "left")
    action["figures"] = {
        f"f{k}": {chance.choice(kinds): chance.choice((1, 2, 20, 1000))} for k in range(30)
    }
    action["counts"] = {
        f"c{k}": chance.choice(("f1 + f2", "s1 * s2", "f3 > 4"))
        for k in range(chance.choice((1, 40)))
    }


def long_ladder(chance: random.Random, data: Data) -> None:
    """Add a ladder of hundreds of rungs, each with a long condition."""
    action = chance.choice(_actions(data))
    names = [*data.get("symbols", {}), *action.get("figures", {})] or ["x"]
    rungs = [
        {"key": f"r{i}", "when": " + ".join([chance.choice(names)] * 30) + f" == {-i - 1}"}
        for i in range(399)
    ]
    (action if chance.random() < 0.3 else data)["outcome"] = [
        *({**rung, "words": "It is {" + names[0] + "}."} for rung in rungs),
        {"key": "e", "words": "No."},
    ]


def many_actions(chance: random.Random, data: Data) -> None:
    """Copy the actions of a file, with keys of their own, and let its moves belong to some."""
    own, keys = _actions(data), list[str]()
    data["action"] = [dict(chance.choice(own)) for _ in range(chance.choice((1, 2, 5, 24, 25)))]
    for n, action in enumerate(data["action"]):
        action["key"] = chance.choice((f"a{n}", f"a{n}", f"a{n}", chance.choice(NAMES)))
        keys.append(action["key"])
        if chance.random() < 0.3:
            action["outcome"] = data.get("outcome", [])
    for row in (*data.get("move", []), *data.get("whenever", [])):
        if chance.random() < 0.5:
            row["action"] = chance.choices(keys, k=chance.choice((0, 1, 2)))


def _actions(data: Data) -> list[Data]:
    """The actions of a file, which gets one if it has none."""
    found = data.setdefault("action", {})
    return (found if isinstance(found, list) else [found]) or [{}]


def cascade(chance: random.Random, data: Data) -> None:
    """Add points that raise others, each several times, and those others; sometimes in a circle."""
    n, each = chance.choice(((4, 50), (10, 10), (20, 19), (100, 3)))
    points = data.setdefault("points", {})
    points |= {
        f"p{i}": {"of": chance.choice(("table", "gm", "players", "character"))} for i in range(n)
    }
    more = [
        {"on": "points", "points": f"p{i}", "do": [{"gain": f"p{i + 1}"}] * each}
        for i in range(n - 1)
    ]
    if chance.random() < 0.3:
        more.append({"on": "full", "points": f"p{n - 1}", "do": [{"gain": "p0"}]})
    if chance.random() < 0.3:
        points["p1"]["overflow"] = "p0"
    data["whenever"] = [*data.get("whenever", []), *more][:400]
    row = {"key": "fall", "title": "Fall", "when": "any time", "do": [{"gain": "p0", "n": 3}]}
    data["move"] = [row, *data.get("move", [])]


def own_price(chance: random.Random, data: Data) -> None:
    """Add moves whose prices pay for themselves, with huge rolls and gains."""
    name = next(iter(data.get("points", {})), "p")
    die = next(iter(data.get("dice", {})), "d")
    do: list[Data] = [
        {"gain": name, "n": chance.choice((1, 1_000_000))},
        {"lose": name, "n": -1_000_000},
        {"add": die, "n": chance.choice((1, 50, 1_000_000))},
        {"throw": {die: 1_000_000}},
        *({"make": kind, "text": chance.choice(EVIL)} for kind in data.get("trait", {})),
    ]
    when = chance.choice(("before the roll", "after the roll", "any time", "between actions"))
    row = {
        "key": "own",
        "title": "Own",
        "when": when,
        "price": [{name: chance.choice((-1, 0, 1, name, 10**6))}],
    }
    row["do"] = chance.sample(do, min(len(do), 3)) * chance.choice((1, 1, 100))
    data["move"] = [row, *data.get("move", [])]


def many_choices(chance: random.Random, data: Data) -> None:
    """Add questions with a great many answers to each move."""
    data["sheet"] = {
        **data.get("sheet", {}),
        "all": {"title": "All", "entries": {f"e{i}": "E" for i in range(400)}},
    }
    asks = [
        {"name": f"q{i}", "label": "Q", "entry": ["all"] * chance.choice((1, 5))}
        for i in range(100)
    ]
    data["move"] = [
        {"key": f"m{i}", "title": "M", "when": "any time", "asks": asks} for i in range(25)
    ]


def scripted(chance: random.Random, data: Data) -> None:
    """Add scenes that are long, wrong, or about other tables."""
    line = chance.choice(
        (
            *("gm table.say text=x", "ann x", "table starwars", "# read", "gm session.begin"),
            *("\x00", "seat a side=b"),
        )
    )
    data[chance.choice(("demo", "first_scene"))] = "\n".join([line] * chance.choice((1, 30, 8000)))


def replaced_words(chance: random.Random, data: Data) -> None:
    """Replace sentences of the house."""
    ids = (
        *("no.sight", "no.check", "list.comma", "wait.filed.roll", "side.player", "story.said"),
        *("offer.against", "no.limit.push", "mod.add", "filed.term", "points.refund", "wait.gm"),
        *("title.check.roll", "a.other", "x.y"),
    )
    data["words"] = {chance.choice(ids): chance.choice(EVIL) for _ in range(5)}
    if chance.random() < 0.2:
        deep: Data = data["words"]
        for _ in range(chance.choice((5, 100))):
            deep["a"] = {}
            deep = deep["a"]


def odd_tables(chance: random.Random, data: Data) -> None:
    """Put anything into the tables that the schema leaves open."""
    odd: tuple[Any, ...] = (
        {"a": 1},
        [1],
        "x",
        {"usual": {"games": 10**9}},
        {"weights": {"move.x": 10**30}},
    )
    data[chance.choice(("evening", "check", "words"))] = chance.choice(odd)


HARM: tuple[Callable[[random.Random, Data], None], ...] = (
    *(
        many_actions,
        huge_dice,
        long_ladder,
        cascade,
        own_price,
        many_choices,
        scripted,
        replaced_words,
        many,
    ),
    *(many, sentences, sentences, sentences, odd_tables, renamed, renamed, numbers),
    *(numbers, swapped),
)


def _dicts(data: Any) -> Iterator[Data]:
    if isinstance(data, dict):
        yield data
        for one in data.values():
            yield from _dicts(one)
    elif isinstance(data, list):
        for one in data:
            yield from _dicts(one)


def _tables(data: Data, name: str) -> Iterator[Data]:
    return (one[name] for one in _dicts(data) if isinstance(one.get(name), dict))


# Files of the schema alone.


def row(chance: random.Random, kind: type, depth: int) -> Data:
    """A row with keys of this class, and values of their types."""
    found: Data = {}
    for one in fields(kind):
        needed = one.default is MISSING and one.default_factory is MISSING
        if needed or chance.random() < (0.5 if depth == 0 else 0.2):
            found[written_key(one)] = value(chance, hints(kind)[one.name], depth + 1)
    if kind is GameFile:
        found |= {"format": 1, "key": chance.choice(("game", *NAMES))}
    return found


def value(chance: random.Random, hint: Any, depth: int) -> Any:
    """A value of this type."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return value(chance, next(one for one in inner if one is not NoneType), depth)
    if origin is Literal:
        return chance.choice(inner)
    if origin is tuple:
        n = chance.choice((0, 1, 2, 4) if depth < 6 else (0,))
        return [value(chance, inner[0], depth) for _ in range(n)]
    if origin is not None and issubclass(origin, Mapping):
        n = chance.choice((0, 1, 2, 4)) if depth < 6 else 0
        return {
            chance.choice((*"abcdefgh", *NAMES)): value(chance, inner[1], depth) for _ in range(n)
        }
    if hint is Expression:
        return chance.choice(
            (
                *(*"abcdefgh", *NUMBERS[:12], *DEEP, "a + b", "c == 'x'", "dice(a)"),
                *("traits(b)", "face > 3"),
            )
        )
    if is_dataclass(hint) and isinstance(hint, type):
        return row(chance, hint, depth)
    if hint is bool:
        return chance.random() < 0.5
    if hint is int:
        return chance.choice(NUMBERS)
    if hint is str:
        return chance.choice((*"abcdefgh", *EVIL, *NAMES))
    return chance.choice((1, "x", {}, [], {"a": {"b": [1, {}]}}))


# Data as text.


def toml(data: Data) -> str:
    """Data as a file: a key on each line, and a table for each that is one."""
    plain = {
        key: one for key, one in data.items() if not isinstance(one, dict) and not _is_rows(one)
    }
    lines = [f"{_key(key)} = {_written(one)}" for key, one in plain.items()]
    for key, one in data.items():
        if isinstance(one, dict):
            lines += [
                f"\n[{_key(key)}]",
                *(f"{_key(name)} = {_written(each)}" for name, each in one.items()),
            ]
        elif key not in plain:
            for each in one:
                lines += [
                    f"\n[[{_key(key)}]]",
                    *(f"{_key(name)} = {_written(value)}" for name, value in each.items()),
                ]
    return "\n".join(lines) + "\n"


def _is_rows(one: Any) -> bool:
    return isinstance(one, list) and bool(one) and all(isinstance(each, dict) for each in one)


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _written(key)


def _written(one: Any) -> str:
    if isinstance(one, bool):
        return str(one).lower()
    if isinstance(one, str):
        text = json.dumps(one, ensure_ascii=False)
        return re.sub(r"[\x7f\ud800-\udfff]", lambda c: f"\\u{ord(c[0]):04x}", text)
    if isinstance(one, int):
        return str(one) if abs(one) < 10**4000 else hex(one)
    if isinstance(one, list):
        return f"[{', '.join(map(_written, one))}]"
    if isinstance(one, dict):
        return (
            "{" + ", ".join(f"{_key(key)} = {_written(value)}" for key, value in one.items()) + "}"
        )
    return str(one)
