"""Markdown as a page of the help: GitHub's anchors, scrolling tables, links within the help."""

import posixpath
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import NamedTuple
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from storypool.pictures.markup import element
from storypool.web.help.contents import anchor_of

ELSEWHERE = re.compile(r"[a-z][a-z+.-]*:", re.IGNORECASE)
COMMENT = re.compile(r"\s*(<!--.*?-->\s*)+", re.DOTALL)


class Mark(NamedTuple):
    """A heading: its level, its anchor and its text."""

    level: int
    anchor: str
    text: str


class Passage(NamedTuple):
    """The content under a heading: as plain text for the search, and with its heading as HTML."""

    anchor: str
    title: str
    text: str
    html: str


class Reference(NamedTuple):
    """A link or a picture: its file from the root of the checkout, and the anchor there.

    For another site the file is the whole address.
    """

    file: str
    anchor: str


@dataclass(slots=True)
class Rendered:
    """A page as HTML, with its parts."""

    marks: list[Mark] = field(default_factory=list)
    passages: list[Passage] = field(default_factory=list)
    links: list[Reference] = field(default_factory=list)
    pictures: list[Reference] = field(default_factory=list)

    @property
    def html(self) -> str:
        """The whole page."""
        return "".join(one.html for one in self.passages)


class _Writer(RendererHTML):
    """Renders Markdown without comments, and other HTML as text."""

    def html_block(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        text = tokens[idx].content
        return "" if COMMENT.fullmatch(text) else element("p", text)

    def html_inline(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        text = tokens[idx].content
        return "" if COMMENT.fullmatch(text) else escape(text)

    def fence(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        # A box that scrolls is reached with the tab key.
        return element("pre", element("code", tokens[idx].content), tabindex=0) + "\n"

    def table_open(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        return (
            '<div class="wide" role="region" tabindex="0"'
            f' aria-label="{escape(tokens[idx].info)}"><table>\n'
        )

    def table_close(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        return "</table></div>\n"


MARKDOWN = MarkdownIt("commonmark", renderer_cls=_Writer).enable("table")


def rendered(text: str, path: str, address: Callable[[str], str]) -> Rendered:
    """Markdown as HTML.

    `path` is its place, and `address` gives that of another file, or "" for one that is not shown:
    such a link becomes its text.
    """
    page, tokens = Rendered(), MARKDOWN.parse(text)
    taken, title, parts = set[str](), "", list[str]()
    anchor, start = "", 0

    def add(end: int) -> None:
        html = MARKDOWN.renderer.render(tokens[start:end], MARKDOWN.options, {})
        if anchor or html:
            page.passages.append(Passage(anchor, title, " ".join(parts), html))

    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            add(at)
            title = plain(tokens[at + 1])
            anchor = anchor_of(title, taken)
            parts, start = [], at
            token.attrSet("id", anchor)
            page.marks.append(Mark(int(token.tag[1]), anchor, title))
        elif token.type == "table_open":
            token.info = title
        elif token.type in ("th_open", "td_open"):
            # A style would be against the server's policy, and a heading without words says
            # nothing.
            if style := str(token.attrs.pop("style", "")):
                token.attrSet("class", style.rpartition(":")[2])
            if not tokens[at + 1].content:
                token.tag = tokens[at + 2].tag = "td"
        elif token.type == "inline":
            _resolve(token.children or [], path, address, page)
            if tokens[at - 1].type != "heading_open":
                parts.append(plain(token))
        elif token.type in ("fence", "code_block"):
            parts.append(token.content)
    add(len(tokens))
    return page


def plain(token: Token) -> str:
    """The text of a line, without its marks."""
    return "".join(_texts(token.children or []))


def _texts(children: Sequence[Token]) -> Iterator[str]:
    for child in children:
        if child.type in ("text", "code_inline", "image"):
            yield child.content
        elif child.type in ("softbreak", "hardbreak"):
            yield " "


def _resolve(
    children: Sequence[Token], path: str, address: Callable[[str], str], page: Rendered
) -> None:
    """Give the links and pictures of a line their addresses in the site."""
    dropped = False
    for child in children:
        if child.type == "link_open":
            target, dropped = reference(str(child.attrs["href"]), path), False
            page.links.append(target)
            if ELSEWHERE.match(target.file):
                child.attrSet("rel", "noreferrer")
                continue
            to = "" if target.file == path else address(target.file)
            dropped = not to and target.file != path
            if dropped:
                child.tag, child.attrs = "span", {}
            else:
                child.attrSet("href", f"{to}#{target.anchor}" if target.anchor else to)
        elif child.type == "link_close" and dropped:
            child.tag, dropped = "span", False
        elif child.type == "image":
            target = reference(str(child.attrs["src"]), path)
            page.pictures.append(target)
            child.attrSet("src", address(target.file))
            child.attrSet("loading", "lazy")


def reference(href: str, path: str) -> Reference:
    """The target of a link in a file."""
    if ELSEWHERE.match(href):
        return Reference(href, "")
    file, _, anchor = unquote(href).partition("#")
    if not file:
        return Reference(path, anchor)
    return Reference(posixpath.normpath(posixpath.join(posixpath.dirname(path), file)), anchor)
