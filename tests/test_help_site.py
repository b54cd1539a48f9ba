"""The help contains every page of the docs, served like other pages."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette

from storypool.web.app import interface
from storypool.web.help.contents import at, contents, located, pages, shown
from storypool.web.help.help_routes import Help
from storypool.web.help.help_site import WRITTEN, Site
from storypool.web.help.markdown_pages import ELSEWHERE, rendered
from storypool.web.server_settings import STATIC
from storypool.words import package_file, toml
from tests.browsers import WAIT, House, serving

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server."""
    with serving(tmp_path_factory.mktemp("help")) as house:
        yield house


@pytest.fixture(scope="module")
def site() -> Site:
    """The whole help, as files."""
    return Site(WRITTEN, interface)


def test_help_has_every_page_of_the_docs() -> None:
    """contents.toml lists each page once with a line about it."""
    listed = Counter(page.file for group in contents() for page in group.pages)
    assert {
        path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md")
    } <= listed.keys()
    made = {page.file for page in pages().values() if page.made}
    assert [] == [file for file in listed.keys() - made if not located(file).is_file()]
    assert {1} == set(listed.values())
    assert sum(listed.values()) == len(pages())
    assert [] == [page.name for page in pages().values() if not page.about.endswith(".")]


def test_headings_have_the_anchors_of_github() -> None:
    """Punctuation is dropped, spaces become dashes, and repeated headings are numbered."""
    text = "# One: `serve --x`\n\n## It's _so_\n\n### It's so\n\nThen [on](#its-so-1)."
    page = rendered(text, "docs/one.md", lambda file: "")
    assert [(1, "one-serve---x"), (2, "its-so"), (3, "its-so-1")] == [
        (mark.level, mark.anchor) for mark in page.marks
    ]
    assert '<h3 id="its-so-1">' in page.html
    assert '<a href="#its-so-1">on</a>' in page.html


def test_other_markup_is_text() -> None:
    """Comments are dropped, other HTML is shown as written, and no link runs anything."""
    page = rendered(
        "<!-- a -->\n\n<script>x</script>\n\nOn <b>e</b><!-- c --> [t](javascript:x)",
        "a.md",
        lambda file: "",
    )
    assert "<p>&lt;script&gt;x&lt;/script&gt;\n</p>" in page.html
    assert "<p>On &lt;b&gt;e&lt;/b&gt; [t](javascript:x)</p>" in page.html
    assert "<!--" not in page.html


def test_links_lead_within_the_help() -> None:
    """Links to pages and shown files are kept, and others become text."""
    names = {"docs/two.md": "two", "docs/a/b.py": "docs/a/b.py"}
    text = "[1](two.md#x) [2](a/b.py) [3](../vendor/c.md) [4](https://example.org/) ![5](a/b.py)"
    page = rendered(text, "docs/one.md", lambda file: names.get(file, ""))
    assert (
        '<p><a href="two#x">1</a> <a href="docs/a/b.py">2</a> <span>3</span> <a'
        ' href="https://example.org/" rel="noreferrer">4</a> <img src="docs/a/b.py" alt="5"'
        ' loading="lazy" /></p>\n' == page.html
    )


@pytest.mark.slow
def test_few_links_leave_the_help(site: Site) -> None:
    """Source and examples are shown; files of a checkout are only named."""
    links = {(key, link.file) for key in pages() for link in site.rendered(key).links}
    inside = {
        (key, file) for key, file in links if not ELSEWHERE.match(file) and file not in site.keys
    }
    assert {file for _, file in inside if shown(file)} <= site.named
    assert {
        ("security", "vendor/README.md"),
        ("security", "tools/faults.toml"),
        ("threats", "tools/faults.toml"),
    } == {(key, file) for key, file in inside if not shown(file)}


@pytest.mark.parametrize("key", ["", "hosting", "docs/example", "docs/example/lantern/game.py"])
def test_page_has_no_inline_script_or_style(key: str, site: Site) -> None:
    """Everything comes from files, as the server's policy demands."""
    text = site.content(key).decode()
    assert [] == re.findall(r"<style|<[^>]*\s(?:style=|on\w+=)", text)
    assert [""] == re.findall(r"<script[^>]*>(.*?)</script>", text, re.DOTALL)


def test_tables_keep_their_columns_without_styles(site: Site) -> None:
    """A column of numbers is right-aligned by its class."""
    assert 'class="right"' in site.rendered("tuning").html
    assert "style=" not in site.rendered("tuning").html


def test_server_sends_the_help(house: House) -> None:
    """List, page, file and picture are compressed where useful and cached by their hash."""
    ann = house.browser()
    for path, media in (
        ("", "text/html; charset=utf-8"),
        ("/fair-dice", "text/html; charset=utf-8"),
        ("/docs/games/nightshift.game.toml", "text/html; charset=utf-8"),
        ("/docs/tuning/momentum.svg", "image/svg+xml"),
    ):
        answer = ann.ask("GET", f"/help{path}")
        assert (200, media) == (answer.status_code, answer.headers["content-type"])
        again = {"If-None-Match": answer.headers["etag"]}
        assert 304 == ann.ask("GET", f"/help{path}", headers=again).status_code
    answer = ann.ask("GET", "/help", headers={"Accept-Encoding": "gzip"})
    assert "gzip" == answer.headers["content-encoding"]
    assert "<h1>Storypool help</h1>" in answer.text
    assert "/help" == ann.ask("GET", "/help/").headers["location"]


def test_page_waits_for_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """While a long page is rendered, an earlier requested one is sent at once."""
    help_ = Help(Site(WRITTEN, interface))
    began, go_on = threading.Event(), threading.Event()

    def content(key: str) -> bytes:
        if key == "long":
            began.set()
            assert go_on.wait(WAIT)
        return key.encode()

    monkeypatch.setattr(help_.site, "content", content)

    async def ask() -> list[str]:
        transport = httpx.ASGITransport(Starlette(routes=help_.routes()))
        async with httpx.AsyncClient(transport=transport, base_url="http://page") as client:
            first = await client.get("/help/short")
            long = asyncio.create_task(client.get("/help/long"))
            assert await asyncio.to_thread(began.wait, WAIT)
            again = await client.get("/help/short")
            go_on.set()
            return [first.text, again.text, (await long).text]

    assert ["short", "short", "long"] == asyncio.run(asyncio.wait_for(ask(), WAIT))


@pytest.mark.parametrize(
    "key", ["nothing", "../pyproject.toml", "docs/tuning.md", "src/storypool/cli/__init__.py"]
)
def test_server_shows_no_other_file(key: str, house: House) -> None:
    """A file that no page names is not found, wherever it is on this machine."""
    assert 404 == house.browser().ask("GET", f"/help/{key.replace('/', '%2F')}").status_code


def test_each_page_place_has_its_paragraph(site: Site, house: House) -> None:
    """A place at a table has a heading of the help, or else the list of pages."""
    for name in toml(package_file("storypool.web.help", "contents.toml"))["at"]:
        side, _, place = name.rpartition(".")
        for game in ("starwars", "genesys", "destinydice", "c2d10", "dune"):
            key, _, anchor = at(place, side, game).partition("#")
            assert anchor in {mark.anchor for mark in site.rendered(key).marks}, name
    ann = house.browser()
    for asked, to in {
        "rest": "players#try-something",
        "rest?side=gm&game=dune": "game-masters#dune-and-the-2d20-family",
        "rest?side=gm&game=of-a-file": "game-masters",
        "log?side=gm": "players#undo",
        "moon": "",
    }.items():
        assert f"/help/{to}" == ann.ask("GET", f"/help/at/{asked}").headers["location"]


def test_paragraph_is_sent_alone(site: Site, house: House) -> None:
    """It is rendered like the help, and its links keep their targets, even in its own page."""
    ann = house.browser()
    for asked, text in {
        "place=rolled": '<h2 id="read-a-roll">Read a roll</h2>',
        "place=rest&side=gm&game=c2d10": '<h2 id="c2d10">C2D10</h2>',
        # A game that the page does not name has how the page begins.
        "place=rest&side=gm&game=of-a-file": '<h1 id="a-first-evening">A first evening</h1>',
    }.items():
        answer = ann.ask("GET", f"/help/paragraph?{asked}")
        assert text in answer.text
        assert 1 == len(re.findall(r"<h\d", answer.text))
        assert '<link rel="stylesheet" href="/static/' in answer.text
    assert 404 == ann.ask("GET", "/help/paragraph?place=moon").status_code
    assert (
        '<a target="_blank" href="/game-masters.html#dune-and-the-2d20-family">Dune</a>'
        in site.content("game-masters#open-a-table").decode()
    )


def test_pages_named_by_scripts_exist() -> None:
    """The page's links are pages of the help, or the address of a fitting paragraph."""
    scripts = "".join(path.read_text(encoding="utf-8") for path in STATIC.rglob("js/**/*.js"))
    named = set(re.findall(r"[\"`]/help/([\w-]+)", scripts))
    assert {"at", "paragraph", "a-game-on-one-page", "game-file-keys"} == named
    assert named - {"at", "paragraph"} <= pages().keys()


@pytest.mark.slow
def test_search_index_has_every_paragraph(site: Site) -> None:
    """Each heading of a page is in it, with its text but no Markdown."""
    index = {
        page: dict(zip(("title", "parts"), rest, strict=True))
        for page, *rest in json.loads(site.content("search.json"))
    }
    assert {f"{name}.html" for name in pages()} == index.keys()
    lab = {anchor: text for anchor, _, text in index["lab.html"]["parts"]}
    assert {mark.anchor for mark in site.rendered("lab").marks} == lab.keys()
    assert lab["the-lab"].startswith("What does another cap do to an evening? Does hoarding pay?")
    assert (
        "The lab is an extra: without its folder (src/storypool/lab) the server" in lab["the-lab"]
    )


def test_other_groups_are_folded(site: Site) -> None:
    """Without scripts only the table's groups, and the menu's current group, are open."""
    groups = re.compile(r'<details class="group"( open="")?><summary><h2>([^<]+)</h2></summary>')

    def unfolded(text: str) -> list[str]:
        return [title for is_open, title in groups.findall(text) if is_open]

    texts = {key: site.content(key).decode() for key in ("", "players", "hosting")}
    menus = {key: unfolded(text.partition("</nav>")[0]) for key, text in texts.items()}
    everybody = ["At the table", "The games"]
    assert {"": everybody, "players": everybody, "hosting": [*everybody, "Hosting"]} == menus
    assert everybody == unfolded(texts[""].partition("<main")[2])


def test_menu_shows_the_pages_headings(site: Site) -> None:
    """The current page is marked, with its parts below; a written site's links are relative."""
    text = site.content("odds").decode()
    assert (
        '<a href="#" aria-current="page">The odds as a library</a><ul><li><a'
        ' href="#dice-of-your-own">' in text
    )
    assert '<a href="hosting.html">Hosting</a>' in text
    assert (
        '<a href="../../../hosting.html">Hosting</a>'
        in site.content("docs/example/lantern/game.py").decode()
    )


@pytest.mark.slow
def test_server_starts_without_markdown() -> None:
    """The Markdown reader is imported for the first help page, so the start does not wait."""
    code = (
        "import sys, storypool.web.serving.serve, storypool.web.help.help_site; print(*sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = set(run.stdout.split())
    assert "storypool.web.help.help_site" in modules
    assert set() == {name for name in modules if name.partition(".")[0] == "markdown_it"}
    assert find_spec("markdown_it") is not None
