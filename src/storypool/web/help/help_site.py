"""The help as a site: each page in its frame, with addresses for a server or for files.

The Markdown renderer is imported for the first page: a server starts without it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urljoin

from storypool.pictures.markup import Content, Markup, element, page
from storypool.web.help.contents import HelpGroup, HelpPage, contents, located, shown
from storypool.web.wire import encode
from storypool.words.languages import ENGLISH

if TYPE_CHECKING:
    from storypool.web.help.markdown_pages import Passage, Rendered

WORDS = ENGLISH.program
"""The pages are English, and so is their frame."""
PICTURES = (".png", ".svg")
SEARCH = "search.json"
"""The key of the search index."""
PROSE = "css/prose.css"
"""The style sheet of rendered Markdown."""
STYLES = ("fonts/fonts.css", "css/tokens.css", "css/base.css", PROSE, "css/help.css")
SCRIPT = "js/help/help.js"
ADDRESS = re.compile(r'(?<= )(href|src)="([^"]*)"')
LINK = re.compile(r"\]\(([^)\s]+)\)")
INDEX = ""
"""The key of the list of all pages."""


def _game_file_page() -> str:
    from storypool.web.help.game_file_reference import game_file_page

    return game_file_page()


def _panels_page() -> str:
    from storypool.web.help.panels_reference import panels_page

    return panels_page()


MADE: dict[str, Callable[[], str]] = {"game-file-keys": _game_file_page, "panels": _panels_page}
"""The writers of the pages that are made from the code, as Markdown."""


class Addresses(NamedTuple):
    """The address of the list of pages, what stands around the name of a page, and the styles."""

    front: str
    before: str
    ending: str
    static: str

    def of(self, key: str) -> str:
        """The address of a page or a picture."""
        if key == INDEX:
            return self.front
        address = f"{self.before}{key}"
        is_file = key.endswith(PICTURES) or key == SEARCH
        return address if is_file else f"{address}{self.ending}"

    def between(self, key: str, other: str) -> str:
        """The address of one place of the site as a link in another."""
        return posixpath.relpath(self.of(other), posixpath.dirname(self.of(key)))

    def file(self, key: str, name: str) -> str:
        """The address of a script, a style or an icon as a link in a place."""
        return posixpath.relpath(f"{self.static}/{name}", posixpath.dirname(self.of(key)))


WRITTEN = Addresses("index.html", "", ".html", "static")
"""The site as files in a folder."""


def served(static: str) -> Addresses:
    """The site at a server, whose scripts and styles are below this path."""
    return Addresses("help", "help/", "", static)


class Site:
    """Every page of the help by its key: its name, or the path of a file that pages name.

    `made` writes the pages that are made from the code, as Markdown. The groups are those of
    contents.toml, unless others are given.
    """

    def __init__(
        self,
        addresses: Addresses,
        interface: Callable[[], str],
        groups: tuple[HelpGroup, ...] = (),
        made: Mapping[str, Callable[[], str]] | None = None,
    ) -> None:
        self.addresses, self.groups = addresses, groups or contents()
        self.made = {**MADE, "interface": interface, **(made or {})}
        self.pages = {page.name: page for group in self.groups for page in group.pages}
        self.keys = {one.file: one.name for one in self.pages.values()}
        self._rendered: dict[str, Rendered] = {}

    def every_key(self) -> list[str]:
        """Every key of the site."""
        return [INDEX, SEARCH, *self.pages, *sorted(self.named)]

    def content(self, key: str) -> bytes:
        """The content at a key; raises `LookupError` for an unknown one.

        With an anchor behind the name of a page it is the passage under that heading, with its
        style and without a frame: the first passage where the anchor is empty.
        """
        name, mark, anchor = key.partition("#")
        if mark and name in self.pages:
            for passage in self.rendered(name).passages:
                if anchor in ("", passage.anchor):
                    return self._alone(name, passage)
        if key == INDEX:
            return self._framed(key, WORDS["help.title"], self._list()).encode()
        if key in self.pages:
            one = self.rendered(key)
            return self._framed(key, self.pages[key].title, Markup(one.html)).encode()
        if key == SEARCH:
            return encode(
                [[self.addresses.between(key, one), *self._passages(one)] for one in self.pages]
            )
        if key not in self.named:
            raise LookupError(key)
        if key.endswith(PICTURES):
            return located(key).read_bytes()
        return self._framed(key, key, self._file(key)).encode()

    def _alone(self, key: str, passage: Passage) -> bytes:
        """A passage for another page: links have whole paths and open a new tab."""
        here = f"/{self.addresses.of(key)}"
        style = element(
            "link", rel="stylesheet", href=urljoin(here, self.addresses.file(key, PROSE))
        )
        body = ADDRESS.sub(lambda found: f'{found[1]}="{urljoin(here, found[2])}"', passage.html)
        return page(
            "en",
            [element("title", passage.title), style],
            Markup(body.replace("<a ", '<a target="_blank" ')),
        ).encode()

    def rendered(self, key: str) -> Rendered:
        """A page as HTML, rendered once."""
        if key not in self._rendered:
            from storypool.web.help.markdown_pages import rendered

            one = self.pages[key]
            self._rendered[key] = rendered(
                self.text(one), one.file, lambda file: self._address(key, file)
            )
        return self._rendered[key]

    def text(self, one: HelpPage) -> str:
        """A page as Markdown."""
        if one.made:
            return self.made[one.file]()
        return located(one.file).read_text(encoding="utf-8")

    def _passages(self, key: str) -> tuple[str, list[tuple[str, str, str]]]:
        """The title of a page, and the text under each heading, for the search."""
        return self.pages[key].title, [
            (one.anchor, one.title, " ".join(one.text.split()))
            for one in self.rendered(key).passages
        ]

    @cached_property
    def named(self) -> frozenset[str]:
        """The files that pages name, with everything in folders that they name.

        They are read from the texts, since rendering all pages takes seconds.
        """
        from storypool.web.help.markdown_pages import reference

        texts = {one.file: self.text(one) for one in self.pages.values() if not one.made}
        files = {
            reference(href, file).file
            for file, text in texts.items()
            for href in LINK.findall(text)
        }
        return frozenset(
            inside for file in files - self.keys.keys() for inside in _with_files(file)
        )

    def _address(self, key: str, file: str) -> str:
        """The address of a file as a link in a place, or "" if it is not shown."""
        other = self.keys.get(file) or (file if shown(file) else "")
        return self.addresses.between(key, other) if other else ""

    def _link(self, key: str, other: str, text: str) -> Markup:
        return element("a", text, href=self.addresses.between(key, other))

    def _file(self, key: str) -> Content:
        """The text of a file, or a list of a folder."""
        if located(key).is_dir():
            links = (element("li", self._link(key, one, one)) for one in _with_files(key)[1:])
            return element("h1", key), element("ul", links)
        return element("h1", key), element(
            "pre", element("code", located(key).read_text("utf-8")), tabindex=0
        )

    def _list(self) -> Content:
        """All pages in their groups, each with its line."""

        def row(one: HelpPage) -> Markup:
            return element(
                "li",
                self._link(INDEX, one.name, one.title),
                element("p", one.about, class_="quiet"),
            )

        groups = (
            _folded(one, element("ul", map(row, one.pages), class_="pages")) for one in self.groups
        )
        return element("h1", WORDS["help.title"]), *groups

    def _menu(self, key: str) -> Markup:
        """The list at the side: every page, and the headings of the present one."""

        def row(one: HelpPage) -> Markup:
            if one.name != key:
                return element("li", self._link(key, one.name, one.title))
            marks = [mark for mark in self.rendered(key).marks if mark.level == 2]
            below = (
                element("li", element("a", mark.text, href=f"#{mark.anchor}")) for mark in marks
            )
            here = element("a", one.title, href="#", aria_current="page")
            return element("li", here, element("ul", below) if marks else ())

        groups = (_folded(one, element("ul", map(row, one.pages)), key) for one in self.groups)
        menu = WORDS["help.menu"]
        return element(
            "details",
            element("summary", menu),
            element("nav", groups, aria_label=menu),
            class_="menu",
        )

    def _search(self, key: str) -> Markup:
        """The search field, which the script shows."""
        search = WORDS["help.search"]
        field = element(
            "input",
            type="search",
            class_="input",
            aria_label=search,
            placeholder=search,
            autocomplete="off",
            enterkeyhint="go",
        )
        found = element(
            "div",
            element("p", role="status", class_="small quiet"),
            element("ol"),
            class_="found card",
            hidden="",
        )
        texts = {f"data_{name}": WORDS[f"help.{name}"] for name in ("found", "none", "failed")}
        return element(
            "form",
            field,
            found,
            role="search",
            hidden="",
            data_index=self.addresses.between(key, SEARCH),
            **texts,
        )

    def _framed(self, key: str, title: str, body: Content) -> Markup:
        here, whole_title = self.addresses, title
        if key != INDEX:
            whole_title = f"{title} · {WORDS['help.title']}"
        head = [
            element("meta", charset="utf-8"),
            element("title", whole_title),
            element("meta", name="viewport", content="width=device-width, initial-scale=1"),
            element("meta", name="color-scheme", content="dark light"),
            element("link", rel="icon", href=here.file(key, "favicon.svg"), type="image/svg+xml"),
            [element("link", rel="stylesheet", href=here.file(key, name)) for name in STYLES],
            element("script", type="module", src=here.file(key, SCRIPT), blocking="render"),
        ]
        top = element(
            "header",
            self._link(key, INDEX, WORDS["help.title"]),
            self._search(key),
            class_="cluster between",
        )
        skip = element("a", WORDS["help.skip"], href="#main", class_="skip-link")
        return page(
            "en",
            head,
            [
                skip,
                top,
                self._menu(key),
                element("main", body, id="main", class_="prose", tabindex=-1),
            ],
        )


def _folded(group: HelpGroup, pages: Markup, key: str = "") -> Markup:
    """A group under its title, folded unless it is `first` or has the page `key`."""
    is_open = group.first or any(one.name == key for one in group.pages)
    summary = element("summary", element("h2", group.title))
    opened = {"open": ""} if is_open else {}
    return element("details", summary, pages, class_="group", **opened)


def _with_files(path: str) -> list[str]:
    """A path that the help can show, and all files below it."""
    if not shown(path):
        return []
    place = located(path)
    below = (one for one in place.rglob("*") if one.is_file() and "__pycache__" not in one.parts)
    return [path, *sorted(f"{path}/{one.relative_to(place).as_posix()}" for one in below)]
