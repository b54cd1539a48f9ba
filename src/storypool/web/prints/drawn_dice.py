"""Rolled dice drawn by the server: the page's own outlines and glyphs as SVG."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

from storypool.engine.dice import Die
from storypool.engine.game.kit import Kit, Look
from storypool.pictures.markup import Markup, element
from storypool.web.server_settings import STATIC
from storypool.words import Words

Shape = tuple[str, Mapping[str, str]]

SIDES = {"card": "d2", "square": "d6", "diamond": "d8", "pentagon": "d10"}
SIDES |= {"hexagon": "d12", "octagon": "d20"}
"""The outline of each shape of die, as in the names of the drawings."""
PLACES = {
    1: ((0.0, 0.0, 0.44),),
    2: ((-0.19, 0.0, 0.34), (0.19, 0.0, 0.34)),
    3: ((-0.2, 0.12, 0.28), (0.2, 0.12, 0.28), (0.0, -0.2, 0.28)),
}
"""Where the symbols of a face are, from its middle, and their size: parts of the die."""
UNIT = 24
"""The width and height of a drawing."""
FRAME = {
    "fill": "none",
    "stroke": "currentColor",
    "stroke-width": "2",
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
}


@dataclass(frozen=True, slots=True)
class Face:
    """What a die shows: a number if it counts, symbols, and both in words."""

    number: str
    symbols: tuple[str, ...]
    words: str


def look_of(system: Kit, name: str) -> Look:
    """The look of a die or a symbol; a plain one if the game has none for it."""
    return system.look.get(name) or Look(name, letter=name[:1].upper())


def face_of(system: Kit, die: Die, face: int, words: Words) -> Face:
    """The upper face of a die, as the page shows it."""
    look, at = look_of(system, die.name), face - die.first
    inside = 0 <= at < len(die.faces)
    bag = die.faces[at] if inside else {}
    symbols = tuple(name for name, n in bag.items() for _ in range(n))
    own = next((one for one in system.dice if one.name == die.name), die)
    numbered = look.numbered or not any(own.faces)
    number = str(face) if numbered else ""
    if inside and at < len(look.marks):
        number = look.marks[at]
    text = ", ".join(filter(None, [number, *(system.word(name, 1) for name in symbols)]))
    if inside and at < len(look.faces):
        text = look.faces[at]
    return Face(number, symbols, text or words["print.blank"])


@cache
def glyph(name: str) -> tuple[Shape, ...]:
    """The shapes of one of the page's drawings; empty if there is none."""
    path = STATIC / "glyphs" / f"{name}.svg"
    if not re.fullmatch(r"[\w-]+", name) or not path.is_file():
        return ()
    root = ElementTree.fromstring(path.read_text(encoding="utf-8"))
    return tuple((part.tag.rpartition("}")[2], part.attrib) for part in root)


def _sign(system: Kit, name: str) -> Sequence[Shape]:
    look = look_of(system, name)
    return look.drawing or glyph(look.glyph)


def drawn_die(system: Kit, die: Die, face: Face | None) -> Markup:
    """A die in a square of 24, in `currentColor`; without a face it shows its letter."""
    look = look_of(system, die.name)
    outline = f"die-{SIDES.get(look.outline, 'd6')}"
    shapes = glyph(f"{outline}-{look.pattern}") or glyph(f"{outline}-plain")
    parts = [_shapes(shapes)]
    letter = look.letter or look.word[:1].upper()
    if face is None:
        parts.append(_text(letter, 12, 15.6, 10))
    elif face.number:
        parts.append(_text(face.number, 12, 15.4, 9 if len(face.number) < 3 else 6))
    else:
        parts += _signs(system, face.symbols)
        # Its rim in the colour of the die keeps the letter readable on a pattern.
        parts.append(_text(letter, 12, 21, 3.6, class_="die-print", paint_order="stroke"))
    return element("g", parts, **FRAME)


def _signs(system: Kit, symbols: Sequence[str]) -> Iterator[Markup]:
    shown = symbols[:3]
    for name, (x, y, size) in zip(shown, PLACES.get(len(shown), ()), strict=True):
        left, top = UNIT * (0.5 + x - size / 2), UNIT * (0.5 + y - size / 2)
        move = f"translate({left:.2f} {top:.2f}) scale({size})"
        shapes = _sign(system, name)
        if shapes:
            yield element("g", _shapes(shapes), transform=move)
        else:
            word = look_of(system, name).word[:6]
            yield _text(word, UNIT * (0.5 + x), UNIT * (0.5 + y) + 1.4, 4)


def _text(text: str, x: float, y: float, size: float, **more: str) -> Markup:
    return element(
        "text",
        text,
        **more,
        x=f"{x:.2f}",
        y=f"{y:.2f}",
        font_size=f"{size}",
        font_weight="700",
        text_anchor="middle",
        fill="currentColor",
        stroke="none",
    )


def _shapes(shapes: Iterable[Shape]) -> Markup:
    return Markup("".join(element(tag, **attributes) for tag, attributes in shapes))


BODY = re.compile(r'<(\w+)([^<>]*) class="die-body"')
MARK = re.compile(r' class="die-mark"')
PRINT = re.compile(r' class="die-print"([^<>]*) stroke="none"')


def in_colours(drawing: str, body: str, rim: str, ink: str) -> str:
    """A drawing of a die with its colours as attributes, for programs that read no style sheet."""
    drawing = BODY.sub(rf'<\1\2 fill="{body}" stroke="{rim}"', drawing)
    drawing = PRINT.sub(rf'\1 stroke="{body}"', drawing)
    drawing = MARK.sub(' stroke-opacity="0.5"', drawing)
    return drawing.replace("currentColor", ink)


@cache
def die_colours(static: Path) -> Mapping[str, tuple[str, str, str]]:
    """The body, ink and rim of each colour of a die, as the style sheet has them in the dark."""
    text = (static / "css" / "tokens.css").read_text(encoding="utf-8")
    rule = re.compile(
        r'\[data-colour="(\w+)"\] \{\s*--die: (#\w+);\s*--die-ink: (#\w+);'
        r"\s*--die-rim: light-dark\(#\w+, (#\w+)\);"
    )
    return {name: (body, ink, rim) for name, body, ink, rim in rule.findall(text)}


def coloured_die(system: Kit, die: Die, face: Face | None) -> str:
    """A die as a drawing in its own colours, for a picture."""
    colours = die_colours(STATIC)
    body, ink, rim = colours.get(look_of(system, die.name).colour) or colours["grey"]
    return in_colours(drawn_die(system, die, face), body=body, rim=rim, ink=ink)
