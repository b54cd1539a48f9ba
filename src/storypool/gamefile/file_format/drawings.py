"""Drawings that a game file brings as SVG, cleaned to plain shapes in the colour of the text.

Only shapes and their numbers are kept: no script, link, style, text, picture or colour can pass, so
a page may draw them. A drawing of any size is scaled to the 24 units of the page's own.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping

from storypool.words import BadValue, Phrase

__all__ = ["Shape", "die_of", "shapes_of"]

Shape = tuple[str, Mapping[str, str]]
"""A shape of SVG: its tag, and its attributes."""
FRAME, MOST_SHAPES, MOST_NESTED = 24, 60, 12
"""The width and height of the page's drawings, and the most shapes and groups inside each other."""
SVG = "{http://www.w3.org/2000/svg}"
NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
NUMBERS = rf"\s*{NUMBER}(?:[\s,]+{NUMBER}|(?=[+-]){NUMBER})*\s*"
STEP = rf"(?:matrix|translate|scale|rotate|skewX|skewY)\({NUMBERS}\)"
PLAIN = {
    "path": ("d",),
    "circle": ("cx", "cy", "r"),
    "ellipse": ("cx", "cy", "rx", "ry"),
    "rect": ("x", "y", "width", "height", "rx", "ry"),
    "line": ("x1", "y1", "x2", "y2"),
    "polyline": ("points",),
    "polygon": ("points",),
}
FORMS = {
    "d": r"[MmZzLlHhVvCcSsQqTtAaeE\d\s,.+-]+",
    "points": NUMBERS,
    "transform": rf"\s*(?:{STEP}[\s,]*)+",
    "fill-rule": "nonzero|evenodd",
    "stroke-linecap": "butt|round|square",
    "stroke-linejoin": "miter|round|bevel",
}
"""The form of each attribute that is not one number."""
INHERITED = ("fill", "stroke", "stroke-width", "fill-rule", "stroke-linecap", "stroke-linejoin")
USUAL = {"fill": "currentColor", "stroke": "none"}
Style = Mapping[str, str]
GROUND: Shape = (
    "circle",
    {"cx": "12", "cy": "12", "r": "8", "class": "die-body", "stroke-width": "0", "opacity": "0.85"},
)
"""The ground in the middle of a die: letters and symbols can be read there on any drawing."""
RIM = 1.5
"""The width of the rim of a die in the page's frame."""


def shapes_of(text: str) -> tuple[Shape, ...]:
    """The shapes of an SVG drawing, in the order of painting, for a frame of 24 by 24.

    Raises `BadValue` for a text that is not a drawing, with declarations or entities, without a
    `viewBox`, without a shape, or with too many.
    """
    if re.search("<[!?]|&", re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)):
        raise BadValue(Phrase("gamefile.drawing.declared"))
    try:
        root = ET.fromstring(text)
    except ET.ParseError:
        raise BadValue(Phrase("gamefile.drawing")) from None
    box = re.findall(NUMBER, root.get("viewBox", ""))
    x, y, width, height = map(float, box) if len(box) == 4 else (0.0, 0.0, 0.0, 0.0)
    side = max(width, height)
    if _tag(root) != "svg" or not 1 <= side <= 10_000 or min(width, height) <= 0:
        raise BadValue(Phrase("gamefile.drawing"))
    fitted = ""
    if (x, y, side) != (0, 0, FRAME):
        left, top = x - (side - width) / 2, y - (side - height) / 2
        fitted = f"scale({FRAME / side:.6g}) translate({0 - left:.6g} {0 - top:.6g})"
    shapes = tuple(_inside(root, {**USUAL, **_style(root)}, fitted, 0))
    if not 1 <= len(shapes) <= MOST_SHAPES:
        raise BadValue(Phrase("gamefile.drawing.shapes", most=MOST_SHAPES))
    return shapes


def die_of(text: str) -> tuple[Shape, ...]:
    """The shapes of a drawn die: its body, marks on it, and a ground in the middle.

    Raises `BadValue` like `shapes_of`, and for a first shape that is not filled.
    """
    (tag, body), *marks = shapes_of(text)
    if body["fill"] == "none":
        raise BadValue(Phrase("gamefile.drawing.body"))
    scale = re.match(r"scale\((\S+)\)", body.get("transform", ""))
    rim = RIM / float(scale[1] if scale else 1)
    outline = {name: value for name, value in body.items() if name not in INHERITED}
    return (
        (tag, {**outline, "class": "die-body", "stroke-width": f"{rim:.6g}"}),
        *((mark, {**of, "class": "die-mark"}) for mark, of in marks),
        GROUND,
    )


def _inside(group: ET.Element, style: Style, moved: str, depth: int) -> Iterator[Shape]:
    """The shapes of a group, each with the style and the transform that it inherits."""
    for element in group:
        tag, own = _tag(element), {**style, **_style(element)}
        whole = f"{moved} {_fitting(element, 'transform')}".strip()
        if tag in ("g", "a", "switch") and depth < MOST_NESTED:
            yield from _inside(element, own, whole, depth + 1)
        elif tag in PLAIN and (own["fill"], own["stroke"]) != ("none", "none"):
            kept = {name: _fitting(element, name) for name in PLAIN[tag]}
            kept |= {"transform": whole, **own}
            yield tag, {name: value for name, value in kept.items() if value}


def _tag(element: ET.Element) -> str:
    return element.tag.removeprefix(SVG)


def _style(element: ET.Element) -> dict[str, str]:
    """What a shape takes from this element: any colour is that of the text, and none stays none."""
    written = dict(re.findall(r"([\w-]+)\s*:\s*([^;]+)", element.get("style", "")))
    found = {}
    for name in INHERITED:
        value = str(written.get(name, element.get(name, ""))).strip()
        if name in USUAL and value:
            found[name] = "none" if value in ("none", "transparent") else "currentColor"
        elif re.fullmatch(FORMS.get(name, NUMBER), value):
            found[name] = value
    return found


def _fitting(element: ET.Element, name: str) -> str:
    """An attribute that has its form; "" for none or another."""
    value = element.get(name, "").strip()
    return value if re.fullmatch(FORMS.get(name, NUMBER), value) else ""
