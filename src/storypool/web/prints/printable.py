"""The printable reference of a game: one plain page, generated from the game's own data."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import groupby

from storypool.engine.dice import Die
from storypool.engine.game.kit import Look, Note
from storypool.engine.game.system import System
from storypool.words import Words
from storypool.words.languages import ENGLISH, Language

STYLES = ("fonts/fonts.css", "css/tokens.css", "css/print.css")

MOST_IN_A_COLUMN = 4
"""A table with more columns goes across the sheet."""


def printable_page(system: System, language: Language = ENGLISH) -> str:
    """Return a game's dice, face by face, its symbols and its notes as HTML, without scripts or inline styles."""
    said = language.program
    faced = [die for die in system.dice if any(die.faces)]
    order = f'<p class="screen">{escape(said["print.order"])}</p>'
    dice = (
        f'<section class="dice"><h2>{escape(said["print.dice"])}</h2>{order}'
        f"{''.join(_dice(system, faced, said))}{_symbols(system)}</section>"
    )
    body = (
        f"<h1>{escape(system.name)}</h1><p>{escape(system.about)}</p>"
        f'<div class="columns">{dice if faced else ""}{"".join(map(_note, system.notes))}</div>'
    )
    return document(said.say("print.title", game=system.name), body, said)


def document(title: str, body: str, said: Words) -> str:
    """Return a page to print with this content, which is HTML; `title` is plain text."""
    styles = "".join(f'<link rel="stylesheet" href="/static/{path}">' for path in STYLES)
    return (
        f'<!doctype html><html lang="{escape(said["language"])}" data-theme="light"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{escape(title)}</title>'
        f'<link rel="icon" href="/static/favicon.svg" type="image/svg+xml">{styles}</head>'
        f"<body><main>{body}</main></body></html>"
    )


def _look(system: System, name: str) -> Look:
    return system.look.get(name) or Look(name, name)


def _dice(system: System, dice: Sequence[Die], words: Words) -> Iterator[str]:
    """Yield the dice; paper has no room for one that shows what another does, or that has a single face."""
    drawn = set[str]()
    for die in dice:
        faces = _faces(system, die, words)
        yield _die(system, die, faces, screen=faces in drawn or len(die.faces) == 1)
        drawn.add(faces)


def _faces(system: System, die: Die, words: Words) -> str:
    return "".join(
        f'<li><span class="number">{_numbers(run)}</span> {_face(system, face, words)}</li>' for run, face in _runs(die)
    )


def _die(system: System, die: Die, faces: str, *, screen: bool) -> str:
    look = _look(system, die.name)
    colour = escape(look.colour or "grey")
    letter = escape(look.letter or look.word[:1].upper())
    where = " screen" if screen else ""
    return (
        f'<div class="one-die{where}"><h3><span class="letter" data-colour="{colour}">{letter}</span> '
        f"{escape(look.word)}</h3><ol>{faces}</ol></div>"
    )


def _runs(die: Die) -> Iterator[tuple[list[int], Mapping[str, int]]]:
    """Yield faces that follow each other and are the same once, with their numbers."""
    for face, numbered in groupby(enumerate(die.faces, die.first), key=lambda one: one[1]):
        yield [n for n, _ in numbered], face


def _numbers(run: list[int]) -> str:
    return str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}"


def _face(system: System, face: Mapping[str, int], words: Words) -> str:
    """Return the symbols of a face as drawings, with words for screen readers."""
    signs = [_sign(_look(system, name), alone=True) for name, n in face.items() for _ in range(n)]
    return "".join(signs) or f'<span class="blank">{escape(words["print.blank"])}</span>'


def _sign(look: Look, *, alone: bool) -> str:
    """Return a symbol as a drawing; with `alone` it has its word as a label, because no text is beside it."""
    if not look.glyph:
        return f"<span>{escape(look.word)}</span>" if alone else ""
    word = escape(look.word) if alone else ""
    return f'<img src="/static/glyphs/{escape(look.glyph)}.svg" alt="{word}" width="20" height="20">'


def _symbols(system: System) -> str:
    """Return a legend of the dice symbols that have a drawing."""
    names = (name for die in system.dice if len(die.faces) > 1 for face in die.faces for name in face)
    looks = {look.word: look for look in (_look(system, name) for name in names) if look.glyph}.values()
    items = "".join(f"<li>{_sign(look, alone=False)} {escape(look.word)}</li>" for look in looks)
    return f'<ul class="symbols">{items}</ul>' if items else ""


def _note(note: Note) -> str:
    where = "across" if len(note.head) > MOST_IN_A_COLUMN else ""
    content = f"{''.join(_text(note.text))}{_table(note)}"
    return f'<section class="{where if note.printed else "screen"}"><h2>{escape(note.title)}</h2>{content}</section>'


def _text(text: str) -> Iterator[str]:
    """Yield the paragraphs of a text, with lines that begin with a dash or with their number as a list."""
    for part in text.split("\n\n") if text else ():
        lines = part.split("\n")
        if all(line.startswith("- ") for line in lines):
            yield f"<ul>{''.join(f'<li>{_line(line[2:])}</li>' for line in lines)}</ul>"
        elif all(re.match(r"\d+\. ", line) for line in lines):
            yield f"<ol>{''.join(f'<li>{_line(_without_number(line))}</li>' for line in lines)}</ol>"
        else:
            yield f"<p>{_line(' '.join(lines))}</p>"


def _without_number(line: str) -> str:
    return line.partition(" ")[2]


def _line(text: str) -> str:
    """Return a line of a note as HTML; text between backticks becomes code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def _table(note: Note) -> str:
    if not note.rows:
        return ""
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in note.head)
    rows = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in note.rows)
    top = f"<thead><tr>{head}</tr></thead>" if head else ""
    return f'<div class="wide"><table>{top}<tbody>{rows}</tbody></table></div>'
