"""Write `web/static/js/ui/glyphs.js` from the drawings: `python3 tools/glyphs.py`.

A drawing is an SVG file in `web/static/glyphs/`, or in `systems/<game>/glyphs/` if only one game
needs it. Its file name is the glyph's id; `die-d8-hatching` is the outline of a die. The page may
not parse markup (Trusted Types), so it gets every drawing as data: a list of `[tag, attributes]`.
"""

import json
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent / "src" / "storypool"
TARGET = ROOT / "web" / "static" / "js" / "ui" / "glyphs.js"

SVG = "{http://www.w3.org/2000/svg}"
FRAME = {
    "viewBox": "0 0 24 24",
    "fill": "none",
    "stroke": "currentColor",
    "stroke-width": "2",
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
}
SHAPES = {"circle", "ellipse", "line", "path", "rect"}
ATTRIBUTES = {
    *("class", "cx", "cy", "d", "fill", "fill-rule", "height", "r", "rx", "ry", "stroke"),
    *("stroke-width", "transform", "width", "x", "x1", "x2", "y", "y1", "y2"),
}

Shape = tuple[str, dict[str, str]]

HEAD = """\
// Written by tools/glyphs.py from the drawings in static/glyphs and systems/*/glyphs: change those,
// then run it again. A glyph is a list of [tag, attributes], drawn inside an <svg> that has the
// attributes of `frame`. `outlines` are dice: by number of sides, then by pattern (plain: help,
// hatching: hindrance, dots: neither).
"""


def drawings(root: Path = ROOT) -> list[Path]:
    """Every drawing of the project, the page's own first, each folder sorted by name."""
    return [
        *sorted(root.glob("web/static/glyphs/*.svg")),
        *sorted(root.glob("systems/*/glyphs/*.svg")),
    ]


def shapes(drawing: Path) -> list[Shape]:
    """The shapes of one drawing, in the order of painting.

    Raises ValueError, naming the file, when the drawing is not XML, has a different frame from the
    others, or contains anything but the plain shapes and attributes above: no script, no link, no
    style, no text.
    """
    try:
        svg = ET.parse(drawing).getroot()
    except ET.ParseError as broken:
        raise ValueError(f"{drawing.name}: not well-formed ({broken}).") from broken
    if svg.tag != f"{SVG}svg" or svg.attrib != FRAME:
        raise ValueError(f"{drawing.name}: its <svg> must have exactly these attributes: {FRAME}.")
    found: list[Shape] = []
    for element in svg:
        tag = element.tag.removeprefix(SVG)
        if tag not in SHAPES or len(element):
            allowed = ", ".join(sorted(SHAPES))
            raise ValueError(
                f"{drawing.name}: <{tag}> is not one of {allowed}, or has something inside."
            )
        if strange := set(element.attrib) - ATTRIBUTES:
            raise ValueError(f"{drawing.name}: <{tag}> may not have {', '.join(sorted(strange))}.")
        found.append((tag, dict(element.attrib)))
    if not found:
        raise ValueError(f"{drawing.name}: nothing is drawn.")
    return found


def module(files: list[Path]) -> str:
    """The text of the ES module for these drawings.

    Raises ValueError when two files have the same name, when the name of an outline is wrong, and
    as `shapes` does.
    """
    glyphs: dict[str, list[Shape]] = {}
    outlines: dict[str, dict[str, list[Shape]]] = {}
    for drawing in files:
        name = drawing.stem
        if name in glyphs:
            raise ValueError(f"{drawing}: there is a glyph of this name already. Rename the file.")
        glyphs[name] = shapes(drawing)
    for name in [name for name in glyphs if name.startswith("die-")]:
        if not (parts := re.fullmatch(r"die-(d\d+)-(plain|dots|hatching)", name)):
            raise ValueError(
                f"{name}.svg: an outline is named like die-d6-plain, with plain, dots or hatching."
            )
        outlines.setdefault(parts[1], {})[parts[2]] = glyphs.pop(name)
    by_sides = sorted(outlines.items(), key=lambda item: int(item[0][1:]))

    def listed(drawn: dict[str, list[Shape]], indent: str) -> str:
        return "".join(
            f"{indent}{json.dumps(name)}: {json.dumps(drawn[name])},\n" for name in drawn
        )

    return (
        HEAD
        + f"\nexport const frame = {json.dumps(FRAME)};\n"
        + f"\nexport const glyphs = {{\n{listed(glyphs, '  ')}}};\n"
        + "\nexport const outlines = {\n"
        + "".join(
            f"  {json.dumps(sides)}: {{\n{listed(patterns, '    ')}  }},\n"
            for sides, patterns in by_sides
        )
        + "};\n"
    )


if __name__ == "__main__":
    try:
        text = module(drawings())
    except ValueError as wrong:
        sys.exit(str(wrong))
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(text, encoding="utf-8", newline="\n")
