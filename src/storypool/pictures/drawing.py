"""Drawings as SVG text, without scripts, in dark and light themes."""

import re
from collections.abc import Iterable, Mapping
from textwrap import wrap
from typing import Literal
from xml.etree import ElementTree

from storypool.pictures import Theme

DARK = {
    "ground": "#0E1726",
    "ink": "#E8EEF7",
    "quiet": "#9FB0C8",
    "line": "#6B80A3",
    "first": "#F2C14E",
    "second": "#7FB4FF",
    "shade-0": "#0E1726",
    "shade-1": "#182A47",
    "shade-2": "#1E3A66",
    "shade-3": "#264B84",
    "shade-4": "#2D5CA2",
    "shade-5": "#3468B8",
}
LIGHT = {
    "ground": "#F7F5F0",
    "ink": "#16202E",
    "quiet": "#4C5A6E",
    "line": "#6F7C90",
    "first": "#7A5200",
    "second": "#1B549F",
    "shade-0": "#F7F5F0",
    "shade-1": "#E2E9F2",
    "shade-2": "#CBDAED",
    "shade-3": "#B2CAE7",
    "shade-4": "#97B9E0",
    "shade-5": "#7BA7D9",
}
"""The page's colours by name, for each theme; text is `ink` or `quiet`, on ground or shade."""

PAINTS = {"none": "none", "hatching": "url(#hatching)"}
"""Fills other than colours: none, or lines in the second colour."""

SHADES = 5
"""The number of shades, besides none."""

WIDTH = 360
"""The width of a picture in pixels: that of a small phone."""
EDGE = 16
TITLE, LABEL, NUMBER = 15, 13, 12
"""Font sizes in pixels."""
LETTER = 0.6
"""The width of a character relative to its size; above that of most fonts, to be safe."""

_FAMILY = "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Drawing:
    """Shapes and texts from the top down; text is escaped, and invalid XML characters replaced."""

    def __init__(self, width: int = WIDTH) -> None:
        self.width = width
        self.y: float = EDGE
        self._parts: list[ElementTree.Element] = []

    def put(
        self,
        tag: str,
        fill: str = "",
        stroke: str = "",
        title: str = "",
        text: str = "",
        **attributes: str | float,
    ) -> None:
        """Add a shape; `fill` is a colour or of `PAINTS`, `stroke` a colour, `title` a tooltip."""
        found = {name.replace("_", "-"): _plain(value) for name, value in attributes.items()}
        part = ElementTree.Element(tag, found | ({"fill": PAINTS[fill]} if fill in PAINTS else {}))
        marks = [f"{kind}-{name}" for kind, name in (("f", fill), ("s", stroke)) if name in DARK]
        if marks:
            part.set("class", " ".join(marks))
        if title:
            ElementTree.SubElement(part, "title").text = clean(title)
        if text:
            part.text = clean(text)
        self._parts.append(part)

    def write(
        self,
        x: float,
        y: float,
        text: str,
        size: int = LABEL,
        fill: str = "ink",
        anchor: Literal["start", "middle", "end"] = "start",
        bold: bool = False,
    ) -> None:
        """Write one line of text with its baseline at y."""
        weight = "600" if bold else "400"
        self.put(
            "text",
            fill,
            text=text,
            x=x,
            y=y,
            font_size=size,
            font_weight=weight,
            text_anchor=anchor,
        )

    def paragraph(
        self, text: str, size: int = LABEL, fill: str = "ink", indent: int = 0, bold: bool = False
    ) -> None:
        """Write text from the left edge in as many lines as needed, and move down below it."""
        room = int((self.width - 2 * EDGE - indent) / (size * LETTER))
        for line in wrap(text, room) or [""]:
            self.y += round(size * 1.35)
            self.write(EDGE + indent, self.y - round(size * 0.3), line, size, fill, bold=bold)

    def svg(self, title: str, about: str, theme: Theme = "auto") -> str:
        """The SVG text, as high as the drawing."""
        height = round(self.y + EDGE)
        size = {
            "width": str(self.width),
            "height": str(height),
            "viewBox": f"0 0 {self.width} {height}",
        }
        root = ElementTree.Element(
            "svg",
            {
                "xmlns": "http://www.w3.org/2000/svg",
                **size,
                "role": "img",
                "aria-labelledby": "picture-title picture-about",
                "font-family": _FAMILY,
            },
        )
        ElementTree.SubElement(root, "title", {"id": "picture-title"}).text = clean(title)
        ElementTree.SubElement(root, "desc", {"id": "picture-about"}).text = clean(about)
        if theme == "auto":
            ElementTree.SubElement(root, "style").text = _style()
        ground = {"width": str(self.width), "height": str(height), "rx": "12", "class": "f-ground"}
        root.append(ElementTree.Element("rect", ground))
        root.append(_hatching())
        root.extend(self._parts)
        # Colours are attributes of the shapes, so that they show where styles are ignored.
        return ElementTree.tostring(_coloured(root, theme), encoding="unicode") + "\n"


def clean(text: str) -> str:
    """The text with each character that XML cannot hold replaced by U+FFFD.

    >>> clean("a\\x00b")
    'a\ufffdb'
    """
    return _NOT_XML.sub("\ufffd", text)


def clipped(text: str, most: int) -> str:
    """The text, cut to `most` characters with an ellipsis if it is longer.

    >>> clipped("complication", 12), clipped("complications", 12)
    ('complication', 'complicatio…')
    """
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _hatching() -> ElementTree.Element:
    """Slanted lines in the second colour, distinct from the first without colour vision."""
    pattern = ElementTree.Element(
        "pattern",
        {
            "id": "hatching",
            "width": "5",
            "height": "5",
            "patternUnits": "userSpaceOnUse",
            "patternTransform": "rotate(45)",
        },
    )
    ElementTree.SubElement(pattern, "rect", {"width": "2.5", "height": "5", "class": "f-second"})
    return pattern


def _style() -> str:
    rules = [
        *(f".f-{name}{{fill:{colour}}}" for name, colour in LIGHT.items()),
        *(f".s-{name}{{stroke:{colour}}}" for name, colour in LIGHT.items()),
    ]
    return f"@media(prefers-color-scheme:light){{{''.join(rules)}}}"


def _coloured(root: ElementTree.Element, theme: Theme) -> ElementTree.Element:
    """A copy of the picture in the colours of a theme."""
    colours: Mapping[str, str] = LIGHT if theme == "light" else DARK

    def copied(part: ElementTree.Element) -> ElementTree.Element:
        copy = ElementTree.Element(part.tag, dict(part.attrib))
        copy.text = part.text
        for kind, name in _marks(part):
            copy.set({"f": "fill", "s": "stroke"}[kind], colours[name])
        if theme != "auto":
            copy.attrib.pop("class", None)
        copy.extend(copied(child) for child in part)
        return copy

    return copied(root)


def _marks(part: ElementTree.Element) -> Iterable[tuple[str, str]]:
    for mark in part.get("class", "").split():
        kind, _, name = mark.partition("-")
        yield kind, name


def _plain(value: str | float) -> str:
    """A number to a tenth of a pixel, as short as possible; a text unchanged."""
    return value if isinstance(value, str) else f"{value:.1f}".rstrip("0").rstrip(".")
