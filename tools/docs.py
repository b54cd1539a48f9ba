"""Write the documentation as files that any static host can serve: `python3 dev.py docs`.

Faults of pages are listed, and make the exit code 1: a dead link, anchor or picture, a page in no
group, a repeated heading. `--links` asks the network whether links to other sites work.
"""

from __future__ import annotations

import argparse
import posixpath
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import unquote
from urllib.request import Request, urlopen

from storypool.web.app import interface
from storypool.web.help.contents import HelpGroup, HelpPage, contents, located, pages
from storypool.web.help.help_site import SCRIPT, WRITTEN, Site
from storypool.web.help.markdown_pages import ELSEWHERE, Mark, rendered
from storypool.web.server_settings import STATIC
from tools import faults, names

ROOT = Path(__file__).resolve().parent.parent
STATIC_FILES = (
    *(
        *("favicon.svg", "fonts/*.css", "fonts/*.woff2", "css/tokens.css", "css/base.css"),
        *("css/prose.css", "css/help.css"),
    ),
    *(f"{posixpath.dirname(SCRIPT)}/*.js", "js/state/browser-storage.js", "js/state/folding.js"),
)
FROM_CODE = HelpGroup(
    "Made from the code",
    (
        HelpPage("names", "names", "What later versions keep.", "The stable names"),
        HelpPage(
            "names-rules", "names-rules", "What rules are written with.", "The names for rules"
        ),
        HelpPage("faults", "faults", "Promises, and the tests that hold them.", "Planted faults"),
    ),
)
"""The references that no server needs."""
PATIENCE_S = 20
"""Seconds that another site may take to answer."""


def whole_site() -> Site:
    """The help as files, with the references that no server needs."""
    made = {
        "names": names.stable_page,
        "names-rules": names.rules_page,
        "faults": lambda: faults.page(faults.faults()),
    }
    return Site(WRITTEN, interface, (*contents(), FROM_CODE), made)


def files(site: Site) -> dict[str, bytes]:
    """The whole site: every page, picture, script and style by its place in the folder."""
    static = (path for pattern in STATIC_FILES for path in STATIC.glob(pattern))
    made = {f"static/{path.relative_to(STATIC).as_posix()}": path.read_bytes() for path in static}
    return made | {site.addresses.of(key): site.content(key) for key in site.every_key()}


class Places(HTMLParser):
    """The links, pictures and anchors of a page, and its pictures without a description."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links, self.anchors, self.wordless = list[str](), {""}, list[str]()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        given = dict(attrs)
        self.links += [text for name in ("href", "src", "data-index") if (text := given.get(name))]
        self.anchors.add(given.get("id") or "")
        if tag == "img" and not given.get("alt"):
            self.wordless.append(given.get("src") or "")


def problems(made: Mapping[str, bytes]) -> list[str]:
    """Each dead link and anchor of a site, and each picture without a description, as sentences."""
    places = {
        path: Places(content.decode()) for path, content in made.items() if path.endswith(".html")
    }
    found = list[str]()
    for path, place in places.items():
        found += [
            f"{path} shows {picture}, and no words stand for it." for picture in place.wordless
        ]
        for link in place.links:
            if ELSEWHERE.match(link):
                continue
            file, _, anchor = unquote(link).partition("#")
            to = posixpath.normpath(posixpath.join(posixpath.dirname(path), file)) if file else path
            if to not in made:
                found.append(f"{path} leads to {link}, and nothing is there.")
            elif anchor not in (places[to].anchors if to in places else {""}):
                found.append(f"{path} leads to {link}, and no heading there has this anchor.")
    return found


def misplaced() -> Iterator[str]:
    """Faults in the texts of pages, with links of the README and to files outside the site."""
    listed = {page.file for page in pages().values()}
    for file in sorted({f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")} - listed):
        yield f"{file} is in no group: add it to src/storypool/web/help/contents.toml."
    for file in [*sorted(page.file for page in pages().values() if not page.made), "README.md"]:
        if not located(file).is_file():
            yield f"{file} is in contents.toml and is not there."
            continue
        page = rendered(located(file).read_text(encoding="utf-8"), file, lambda path: path)
        for link in {one.file for one in (*page.links, *page.pictures)}:
            if not ELSEWHERE.match(link) and not (ROOT / link).exists():
                yield f"{file} leads to {link}, and nothing is there."
        if 1 != (titles := sum(mark.level == 1 for mark in page.marks)):
            yield f"{file} has {titles} titles, and needs one."
        for outline, times in Counter(_outlined(page.marks)).items():
            if times > 1:
                yield f"{file} has the heading {' / '.join(outline)} {times} times."


def _outlined(marks: Iterable[Mark]) -> Iterator[tuple[str, ...]]:
    """Each heading with those above it."""
    above = dict[int, str]()
    for mark in marks:
        above = {level: text for level, text in above.items() if level < mark.level} | {
            mark.level: mark.text
        }
        yield tuple(above.values())


def outside(made: Mapping[str, bytes]) -> list[str]:
    """Every address of another site in the pages."""
    links = {
        link
        for path, text in made.items()
        if path.endswith(".html")
        for link in Places(text.decode()).links
    }
    return sorted(link for link in links if re.match(r"https?://", link))


def unanswered(links: Iterable[str]) -> list[str]:
    """The dead links to other sites; raises `ConnectionError` where no site can be reached."""
    with ThreadPoolExecutor(8) as pool:
        found = dict(zip(links, pool.map(_answer, links), strict=True))
    if found and all(
        isinstance(answer, URLError) and not isinstance(answer, HTTPError)
        for answer in found.values()
    ):
        raise ConnectionError(
            "No other site can be reached from here, so no link to one was looked at"
        )
    return [f"{link} does not answer: {answer}." for link, answer in found.items() if answer]


def _answer(link: str) -> Exception | None:
    # Some sites answer programs with 403 or 429: the page exists.
    try:
        with urlopen(Request(link, headers={"User-Agent": "Mozilla/5.0"}), timeout=PATIENCE_S):
            return None
    except HTTPError as error:
        error.close()
        return None if error.code in (403, 429) else error
    except (URLError, OSError) as error:
        return error if isinstance(error, URLError) else URLError(error)


def write(made: Mapping[str, bytes], folder: Path) -> None:
    """Replace a written site; raises `FileExistsError` for a folder with anything else in it."""
    if folder.exists() and any(folder.iterdir()) and not (folder / "search.json").exists():
        raise FileExistsError(f"{folder} has something else in it than a site of this command")
    shutil.rmtree(folder, ignore_errors=True)
    for path, content in made.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)


def main(arguments: list[str] | None = None) -> int:
    """Write the site and list its faults; the exit code is 1 if there are any."""
    parser = argparse.ArgumentParser(
        prog="dev.py docs", description="Write the documentation as files."
    )
    parser.add_argument(
        "--to", type=Path, default=ROOT / "build" / "docs", help="the folder; build/docs by default"
    )
    parser.add_argument(
        "--links", action="store_true", help="ask whether the links to other sites lead somewhere"
    )
    asked = parser.parse_args(arguments)
    wrong = [*misplaced()]
    try:
        made = files(whole_site())
        wrong += problems(made)
        wrong += unanswered(outside(made)) if asked.links else []
        write(made, asked.to)
        wrong or print(f"{len(made)} files are in {asked.to}.")
    except OSError as error:
        wrong.append(f"{error}.")
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
