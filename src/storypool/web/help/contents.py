"""The contents of the help: its pages in groups, and the places of their files."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from storypool.words import package_file, toml

PACKAGE = Path(__file__).resolve().parents[2]
HOME = PACKAGE if (PACKAGE / "docs").is_dir() else PACKAGE.parents[1]
"""Where docs/ is: in the installed package, or in the checkout around it."""
OF_PACKAGE = "src/storypool/"


@dataclass(frozen=True, slots=True)
class HelpPage:
    """A page of the help: its name in addresses, its file in the checkout, and a line about it.

    A page `made` from the code has a title, and as its file the key of what writes it.
    """

    name: str
    file: str
    about: str
    made: str = ""

    @property
    def title(self) -> str:
        """The first heading, as plain text."""
        return self.made or _title(self.file)


@dataclass(frozen=True, slots=True)
class HelpGroup:
    """Pages for the same readers, under a title. `first` groups are for everybody at a table."""

    title: str
    pages: tuple[HelpPage, ...]
    first: bool = False


@cache
def _title(file: str) -> str:
    found = re.search(r"^# (.+)$", located(file).read_text(encoding="utf-8"), re.MULTILINE)
    return found[1].replace("`", "") if found else file


def at(place: str, side: str, game: str) -> str:
    """The page and anchor for a place in front of a seat, or the list of pages."""
    known: dict[str, str] = toml(package_file("storypool.web.help", "contents.toml"))["at"]
    target = known.get(f"{side}.{place}", known.get(place, ""))
    heading = anchor_of(pages()[game].title, set()) if game in pages() else ""
    return target.format(game=heading).removesuffix("#")


def anchor_of(title: str, taken: set[str]) -> str:
    """The anchor of a heading as GitHub spells it; it is added to `taken`.

    >>> anchor_of("`serve --processes N`: what for?", set())
    'serve---processes-n-what-for'
    """
    first = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
    anchor, n = first, 0
    while anchor in taken:
        n += 1
        anchor = f"{first}-{n}"
    taken.add(anchor)
    return anchor


@cache
def contents() -> tuple[HelpGroup, ...]:
    """The groups of contents.toml; a page without a name has that of its file."""
    rows = toml(package_file("storypool.web.help", "contents.toml"))["group"]
    return tuple(
        HelpGroup(row["title"], tuple(map(_page, row["pages"])), row.get("first", False))
        for row in rows
    )


def _page(row: dict[str, str]) -> HelpPage:
    return HelpPage(
        row.get("name") or Path(row["file"]).stem.lower(),
        row["file"],
        row["about"],
        row.get("made", ""),
    )


@cache
def pages() -> dict[str, HelpPage]:
    """Every page by its name."""
    return {page.name: page for group in contents() for page in group.pages}


def located(path: str) -> Path:
    """The path of a file or folder named from the root of the checkout; it need not exist."""
    return PACKAGE / path.removeprefix(OF_PACKAGE) if path.startswith(OF_PACKAGE) else HOME / path


def shown(path: str) -> bool:
    """Whether the help can show a file or folder: it is among the docs or in the package."""
    return path.startswith(("docs/", OF_PACKAGE)) and located(path).exists()
