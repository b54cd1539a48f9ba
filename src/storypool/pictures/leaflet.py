"""Numbers and pictures on one leaflet: text, Markdown, or a self-contained page without scripts."""

from collections.abc import Sequence
from dataclasses import dataclass

from storypool.pictures.drawing import DARK, LIGHT
from storypool.pictures.markup import Markup, element, fragment, page
from storypool.pictures.rows import in_columns
from storypool.words.markdown import plain_markdown


@dataclass(frozen=True, slots=True)
class Leaf:
    """A part of a leaflet: a title, sentences, and a table of texts; each may be empty."""

    title: str
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Leaflet:
    """A title, an introduction, parts, and pictures as SVG text."""

    title: str
    lines: tuple[str, ...]
    leaves: tuple[Leaf, ...]
    pictures: tuple[str, ...] = ()
    language: str = "en"

    def text(self) -> str:
        """The leaflet as lines in columns."""
        parts = [self.title, *self.lines]
        for leaf in self.leaves:
            parts += [
                "",
                leaf.title,
                *leaf.lines,
                *(in_columns([leaf.head, *leaf.rows]) if leaf.rows else ()),
            ]
        return "\n".join(parts) + "\n"

    def markdown(self) -> str:
        """The leaflet as Markdown, without the pictures.

        >>> who = Leaf("Who", ("name", "n"), (("A|B", "2"),))
        >>> print(Leaflet("Evening", ("3 scenes.",), (who,)).markdown())
        # Evening
        <BLANKLINE>
        3 scenes.
        <BLANKLINE>
        ## Who
        <BLANKLINE>
        | name | n |
        |---|--:|
        | A\\|B | 2 |
        <BLANKLINE>
        """
        parts = [f"# {plain_markdown(self.title)}", *(plain_markdown(line) for line in self.lines)]
        for leaf in self.leaves:
            parts += [
                f"## {plain_markdown(leaf.title)}",
                *(plain_markdown(line) for line in leaf.lines),
            ]
            if leaf.rows:
                aligned = ["---", *(["--:"] * (len(leaf.head) - 1))]
                rows = [leaf.head, *leaf.rows]
                lines = [f"| {' | '.join(map(plain_markdown, row))} |" for row in rows]
                parts.append("\n".join([lines[0], f"|{'|'.join(aligned)}|", *lines[1:]]))
        return "\n\n".join(parts) + "\n"

    def html(self) -> str:
        """The leaflet as one page."""
        head = [
            element("meta", charset="utf-8"),
            element("meta", name="viewport", content="width=device-width"),
            element("title", self.title),
            element("style", Markup(STYLE)),
        ]
        body = [element("h1", self.title), _paragraphs(self.lines)]
        if self.pictures:
            body.append(element("div", map(Markup, self.pictures), class_="pictures"))
        return page(self.language, head, [*body, map(_html, self.leaves)]) + "\n"


def _paragraphs(lines: Sequence[str]) -> Markup:
    return fragment(element("p", line) for line in lines)


def _html(leaf: Leaf) -> Markup:
    table = element("table", _rows("thead", "th", [leaf.head]), _rows("tbody", "td", leaf.rows))
    below = element("div", table, class_="wide") if leaf.rows else ()
    return element("section", element("h2", leaf.title), _paragraphs(leaf.lines), below)


def _rows(part: str, cell: str, rows: Sequence[Sequence[str]]) -> Markup:
    return element(part, (_row(cell, row) for row in rows))


def _row(cell: str, texts: Sequence[str]) -> Markup:
    return element("tr", (element(cell, text) for text in texts))


_COLOURS = "".join(
    f";--{name}:light-dark({LIGHT[name]},{DARK[name]})" for name in ("ground", "ink", "line")
)
STYLE = (
    f":root{{color-scheme:dark light{_COLOURS}}}"
    "body{margin:2rem auto;max-width:60rem;padding:0"
    " 1rem;background:var(--ground);color:var(--ink);"
    "font:1rem/1.5 system-ui,sans-serif}h2{font-size:1rem;margin:2rem 0 .5rem}"
    ".pictures{display:flex;flex-wrap:wrap;gap:1rem}.wide{overflow-x:auto}table{border-collapse:collapse}"
    "th,td{padding:.25rem .75rem;border-bottom:1px solid var(--line);text-align:right;"
    "font-variant-numeric:tabular-nums}th:first-child,td:first-child{text-align:left}"
)
