"""Check the words of the code: `python -m tools.glossary`.

English and the field have a word for most things; one that nobody else uses makes a reader stop.
`WORDS` lists such words with their replacements. They are looked for in names, docstrings and
comments, in Python and in the page's JavaScript, and in the sentences that players read.
`PATTERNS` lists syntax that a native engineer does not write, with replacements. It is looked for
in the docstrings and comments of the folders in `CLEAN`.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent

FOLDERS = ("src/storypool", "benchmarks", "docs", "tests", "tools")
"""The folders of Python that keep the glossary; `dev.py` keeps it too."""
SCRIPTS = "src/storypool/web/static/js"
"""The folder of the page's own JavaScript, which keeps it too."""
SENTENCES = "src/storypool"
"""The folder of the sentences that players read: each text in a TOML file."""
OTHER_TEXTS = frozenset({"ready.toml", "seeds.toml"})
"""Files below it with other texts: what ready characters say, and rules to be tested."""

WORDS: Mapping[str, str] = {
    "told": "described, sentences, notified, reported: what it is",
    "tells": "describes, shows, reports: what it does",
    "said": "text, given, declared: what it is",
    "untold": "not shown, not reported",
    "unsaid": "missing",
    "whoever": "the role: player, GM, owner, client, caller, seat",
    "somebody": "the role: player, GM, owner, client, caller, seat",
    "anew": "again; or a verb such as rewrite",
    "lies": "is; of dice, rolled",
    "lying": "rolled, open",
    "begun": "began, started",
    "testified": "a noun: commit_line",
}
"""Words banned from names, docstrings and comments, with a better word."""

NAMES: Mapping[str, str] = {
    "let_in": "accept",
    "Doors": "ConnectionLimit",
    "SOMEBODIES": "MAX_CLIENTS",
    "NEARBY": "PROXY_ADDRESSES",
    "REST": "RETRY_PAUSE_S",
    "PIECE": "IMPORT_BATCH",
    "Lead": "Edge",
    "Way": "Choice",
    "Fall": "Outcome",
}
"""Names of functions, classes and constants that are banned, with better examples."""

ALLOWED: Mapping[str, frozenset[str]] = {
    "src/storypool/engine/events.py": frozenset(
        {"said"}
    ),  # the event `Said`, whose name is in every log
    "src/storypool/log/verified.py": frozenset({"anew"}),  # a verdict that clients read
    "src/storypool/systems/c2d10/conflicts.py": frozenset({"begun"}),  # a term in logs
    "tools/glossary.py": frozenset(WORDS),
    "tools/torture/power.py": frozenset({"lies"}),  # a disk that lies about its syncs
}
"""The words that a file may use anyway."""
SPOKEN = frozenset({"begun"})
"""Words that only code avoids: a sentence may say that something has begun."""
PHRASES = (
    "said aloud",
    "has just said no",
    "They said it isn't you",
    "What was said",
    "Somebody noticed",
    "somebody in the crowd",
)
"""Everyday phrases with one of the words."""


class Pattern(NamedTuple):
    """Foreign syntax: a regular expression, the replacement, and an example that it matches."""

    expression: str
    write: str
    example: str


PATTERNS = (
    Pattern(
        r"^(?:Return|Yield|Give) (?:what|who|how|which|when|where)\b",
        "the noun: The open offers.",
        "Return what the seat may do.",
    ),
    Pattern(
        r"(?:^|(?<=[.:;] ))(?:[Ww]hat|[Ww]ho|[Ww]hich) "
        r"(?:is|are|was|were|has|have|may|can|does|\w+s)\b(?![^.]*\?)",
        "a noun: the question, the actor",
        "What is asked is in the form.",
    ),
    Pattern(r"\bwho \w+ (?:is|are|was)\b", "a noun: the actor", "It shows who acts is alone."),
    Pattern(r"\b(?:that|those) which\b", "what it is", "It is that which is rolled."),
    Pattern(
        r"\b(?:so many|so much)\b(?! (?:as|that)\b)",
        "this many, with the unit",
        "For so many seconds.",
    ),
    Pattern(r"\bbeside\b", "next to, in addition to", "It is beside the file."),
    Pattern(
        r"\bof (?:which|whom)\b|\bin which none\b", "two sentences", "A list of which one is open."
    ),
    Pattern(r"\bno need (?:of|for)\b", "does not need", "It has no need of a lock."),
    Pattern(
        r"\b(?:is|are) for (?:\w+ )?\w+ to (?:say|decide|tell)\b",
        "decides",
        "It is for the GM to say.",
    ),
    Pattern(r"\b(?:come|comes|came) to (?:stand|lie)\b", "appears", "It comes to stand there."),
    Pattern(r"\bby (?:itself|themselves|oneself)\b", "automatically, alone", "It ends by itself."),
    Pattern(r"\b(?:at|in) hand\b", "available, current", "The action at hand."),
    Pattern(r"\bas (?:it is|they are) then\b", "current", "The table as it is then."),
    Pattern(
        r"(?<![Tt]here )\b(?:is|are) no\b(?! (?:longer|more|one|other)\b)",
        "is not a",
        "A refusal is no error.",
    ),
)
"""Syntax that is in no docstring or comment of `CLEAN`."""
CLEAN = (
    "src/storypool/engine",
    "src/storypool/log",
    "src/storypool/words",
    "src/storypool/odds",
    "src/storypool/pictures",
    "src/storypool/worth",
    "src/storypool/play",
    "src/storypool/contract",
    "src/storypool/lab",
    "src/storypool/cli",
    "src/storypool/live",
    "src/storypool/gamefile",
    "src/storypool/systems/__init__.py",
    "src/storypool/systems/c2d10",
    "src/storypool/systems/destinydice",
    "src/storypool/systems/game_files.py",
    "src/storypool/systems/game_parts.py",
    "src/storypool/systems/game_stakes.py",
    "src/storypool/systems/genesys",
    "src/storypool/systems/narrative",
    "src/storypool/systems/newer_rules.py",
    "src/storypool/systems/odds_system.py",
    "src/storypool/systems/starwars",
    "src/storypool/systems/twod20",
    "src/storypool/web",
    "benchmarks",
    "tests",
    "tools",
    "dev.py",
)
"""The folders and files that keep to `PATTERNS`. Add each one once it has been rewritten."""
UNREAD = ("src/storypool/web/static",)
"""Folders in them that have not been rewritten yet."""

_ANY = re.compile(
    rf"(?<![a-z])(?i:{'|'.join(WORDS)})(?![a-z])|(?:{'|'.join(map(str.title, WORDS))})(?![a-z])"
    rf"|\b(?:{'|'.join(NAMES)})\b"
)
"""A quick search for any finding: most files have none, and are not parsed."""
_SCRIPT = re.compile(
    r"(?P<comment>(?<!:)//[^\n]*|/\*.*?\*/)|\"[^\"\n]*\"|'[^'\n]*'"
    r"|(?<![.\w$-])(?P<name>[A-Za-z_$][\w$]*)(?![\w-]*: )",
    re.DOTALL,
)
"""The comments and the names of a script, and the texts in quotes between them."""
_TEXT_OR_COMMENT = re.compile(
    r'''("""|\'\'\')(?:\\.|.)*?\1|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#[^\n]*''', re.DOTALL
)
"""The texts and comments of a module: faster than `tokenize`, and a sign in a text is none."""
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def findings(path: Path) -> list[str]:
    """A sentence for each banned word or name in a file, with its line or key."""
    text = path.read_text(encoding="utf-8")
    file = str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else path.name
    return [*_words(path, file, text), *_syntax(path, file, text)]


def _syntax(path: Path, file: str, text: str) -> Iterator[str]:
    """The findings of `PATTERNS` in a clean file."""
    if path.suffix == ".toml" or not _is_in(file, CLEAN) or _is_in(file, UNREAD):
        return
    proses = _script(text)[0] if path.suffix == ".js" else _prose(text, ast.parse(text))
    own = (one for one in proses if not _is_for_players(one[1]))
    for line, prose in _paragraphs(own):
        for found, pattern in matches(prose):
            yield f"{file}:{line}: {found}; write {pattern.write}"


def _is_for_players(prose: str) -> bool:
    """Whether a docstring is the text of a move: its first line is a title without a full stop."""
    first = prose.strip().partition("\n")[0]
    return not first.startswith(("#", "/")) and first[-1:].isalnum() and "\n\n" in prose


def _is_in(file: str, places: Iterable[str]) -> bool:
    return any(file == one or file.startswith(f"{one}/") for one in places)


def matches(prose: str) -> Iterator[tuple[str, Pattern]]:
    """The foreign syntax in a docstring or comment, which is one line here."""
    plain = re.sub(r"`[^`]*`|\"[^\"]*\"", "_", prose)
    for pattern in PATTERNS:
        if found := re.search(pattern.expression, plain):
            yield found[0].strip(), pattern


def _paragraphs(proses: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Each docstring, and each block of comment lines, on one line without comment signs."""
    block, first, last = list[str](), 0, -1
    for line, prose in proses:
        if prose.startswith("#") and line == last + 1:
            block.append(prose)
        else:
            yield first, _on_one_line(block)
            block, first = [prose], line
        last = line if prose.startswith("#") else -1
    yield first, _on_one_line(block)


def _on_one_line(block: list[str]) -> str:
    rows = (row for prose in block for row in prose.splitlines())
    return " ".join(filter(None, (row.strip(" \t#/*") for row in rows)))


def _words(path: Path, file: str, text: str) -> list[str]:
    """The findings of `WORDS` and `NAMES`."""
    if not _ANY.search(text):
        return []
    if path.suffix == ".toml":
        return [
            f"{file}: {key}: {word}; write {WORDS[word]}"
            for key, word in _foreign(tomllib.loads(text))
        ]
    allowed = ALLOWED.get(file, frozenset())
    found = {
        (line, word): f"{file}:{line}: {word}; write {better}"
        for line, word, better in _found(text, path.suffix)
        if word.lower() not in allowed
    }
    return [found[key] for key in sorted(found)]


def _found(text: str, suffix: str) -> Iterator[tuple[int, str, str]]:
    """The line, the word and its replacement for each banned word of a module."""
    if suffix == ".js":
        proses, names = _script(text)
    else:
        tree = ast.parse(text)
        proses, names = [*_prose(text, tree)], [*_names(tree)]
    for line, prose in proses:
        for offset, row in enumerate(prose.splitlines()):
            for word in re.findall(r"[a-z]+", re.sub(r"`[^`]*`|\"[^\"]*\"", "", row).lower()):
                if word in WORDS:
                    yield line + offset, word, WORDS[word]
    for line, name in names:
        if name in NAMES:
            yield line, name, NAMES[name]
        for word in map(str.lower, _PARTS.findall(name)):
            if word in WORDS:
                yield line, word, WORDS[word]


def _foreign(value: object, key: str = "") -> Iterator[tuple[str, str]]:
    """The key and the word for each banned word in the texts of a TOML file."""
    match value:
        case dict():
            for name, inner in value.items():
                yield from _foreign(inner, f"{key}.{name}" if key else name)
        case list():
            for inner in value:
                yield from _foreign(inner, key)
        case str() if value.lower() not in WORDS:  # A word alone stands for a name that is missing.
            prose = re.sub(
                "|".join([r"\{[^{}]*\}", r"`[^`]*`", *map(re.escape, PHRASES)]), "", value
            )
            yield from (
                (key, word)
                for word in re.findall(r"[a-z]+", prose.lower())
                if word in WORDS and word not in SPOKEN
            )


def _prose(text: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Each docstring, each text under a constant, and each comment, with its first line."""
    for node in _statements(tree):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            yield node.lineno, re.sub(r"(?m)^ *(>>>|\.\.\.) .*$", "", node.value.value)
    line, end = 1, 0
    for found in _TEXT_OR_COMMENT.finditer(text):
        if found[0].startswith("#"):
            line, end = line + text.count("\n", end, found.start()), found.start()
            yield line, found[0]


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Each statement under a node; expressions, most of a tree, are not visited."""
    for node in ast.iter_child_nodes(tree):
        if not isinstance(node, ast.expr):
            yield node
            yield from _statements(node)


def _names(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Each name that a module defines, with its line: functions, classes, arguments, variables."""
    for node in ast.walk(tree):
        match node:
            case (
                ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
                | ast.ClassDef(name=name)
            ):
                yield node.lineno, name
            case (
                ast.arg(arg=name)
                | ast.Name(id=name, ctx=ast.Store())
                | ast.Attribute(attr=name, ctx=ast.Store())
            ):
                yield node.lineno, name


def _script(text: str) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    """The comments of a script and its own names, each with its line."""
    comments, names = list[tuple[int, str]](), list[tuple[int, str]]()
    for found in _SCRIPT.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        if found["comment"]:
            comments.append((line, found["comment"]))
        elif found["name"]:
            names.append((line, found["name"]))
    return comments, names


def files() -> list[Path]:
    """The files that keep the glossary, in order."""
    found = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
    sentences = (
        path for path in (ROOT / SENTENCES).rglob("*.toml") if path.name not in OTHER_TEXTS
    )
    return sorted([ROOT / "dev.py", *found, *(ROOT / SCRIPTS).rglob("*.js"), *sentences])


def main() -> int:
    """Print every finding; the exit code is 1 if there is one."""
    found = [one for path in files() for one in findings(path)]
    print("\n".join(found) or f"{len(files())} files, and no foreign word.")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
