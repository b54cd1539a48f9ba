"""The printable reference of a game: one plain page, generated from the game's own data."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape

from storypool.engine.dice import Die
from storypool.engine.kit import Look, Note
from storypool.engine.system import System
from storypool.words import Words
from storypool.words.languages import ENGLISH, Language

STYLES = ("fonts/fonts.css", "css/tokens.css", "css/print.css")


def printable_page(system: System, language: Language = ENGLISH) -> str:
    """Return a game's dice, face by face, its symbols and its notes as HTML, without scripts or inline styles."""
    said = language.program
    title = escape(said.say("print.title", game=system.name))
    styles = "".join(f'<link rel="stylesheet" href="/static/{path}">' for path in STYLES)
    return (
        f'<!doctype html><html lang="{escape(said["language"])}" data-theme="light"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}</title>'
        f'<link rel="icon" href="/static/favicon.svg" type="image/svg+xml">{styles}</head>'
        f"<body><main><h1>{escape(system.name)}</h1><p>{escape(system.about)}</p>"
        f"<section><h2>{escape(said['print.dice'])}</h2><p>{escape(said['print.order'])}</p>"
        f"{''.join(_die(system, die, said) for die in system.dice)}{_symbols(system)}</section>"
        f"{''.join(map(_note, system.notes))}</main></body></html>"
    )


def _look(system: System, name: str) -> Look:
    return system.look.get(name) or Look(name, name)


def _die(system: System, die: Die, words: Words) -> str:
    look = _look(system, die.name)
    colour = escape(look.colour or "grey")
    letter = escape(look.letter or look.word[:1].upper())
    faces = "".join(
        f'<li><span class="number">{n}</span> {_face(system, face, words)}</li>'
        for n, face in enumerate(die.faces, die.first)
    )
    return (
        f'<div class="one-die"><h3><span class="letter" data-colour="{colour}">{letter}</span> '
        f"{escape(look.word)}</h3><ol>{faces}</ol></div>"
    )


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
    names = dict.fromkeys(name for die in system.dice for face in die.faces for name in face)
    looks = [look for look in (_look(system, name) for name in names) if look.glyph]
    items = "".join(f"<li>{_sign(look, alone=False)} {escape(look.word)}</li>" for look in looks)
    return f'<ul class="symbols">{items}</ul>' if items else ""


def _note(note: Note) -> str:
    return f"<section><h2>{escape(note.title)}</h2>{''.join(_text(note.text))}{_table(note)}</section>"


def _text(text: str) -> Iterator[str]:
    """Yield the paragraphs of a text, with lines that begin with a dash as a list."""
    for part in text.split("\n\n") if text else ():
        lines = part.split("\n")
        if all(line.startswith("- ") for line in lines):
            yield f"<ul>{''.join(f'<li>{_line(line[2:])}</li>' for line in lines)}</ul>"
        else:
            yield f"<p>{_line(' '.join(lines))}</p>"


def _line(text: str) -> str:
    """Return a line of a note as HTML; text between backticks becomes code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def _table(note: Note) -> str:
    if not note.head:
        return ""
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in note.head)
    rows = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in note.rows)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'
