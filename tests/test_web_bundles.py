"""The page's modules as one script, and its styles as one sheet."""

from __future__ import annotations

import asyncio
import gzip
import re
from pathlib import Path, PurePath

import httpx
import pytest
from starlette.applications import Starlette

from storypool import systems
from storypool.web.endpoints.game_endpoints import game_shown, words_of
from storypool.web.page.bundles import EXPORT, bundled, scripts, sheet_of
from storypool.web.page.pages import SHELLS, TYPES, Pages, of_the_workshop
from storypool.web.wire import encode
from storypool.words import english
from storypool.words.languages import ENGLISH

APART = ("js/help/", "js/sessions/story-page.js", "js/falling/story-dice.js")
"""The scripts of pages that are not drawn by the page's own."""
MAX_FIRST_VISIT = 194_000
"""Bytes over the wire, without headers and small answers of the table."""
STATIC = Path(__file__).resolve().parents[1] / "src" / "storypool" / "web" / "static"
APP = (
    b'import { one as first } from "./a/one.js";\nimport { html } from'
    b' "./vendor/pre.js";\nfirst(html);\n'
)
ONE = b"export const one = (text) => text;\nexport async function two() {}\nexport class Three {}\n"


def files() -> dict[str, bytes]:
    """The page's own files."""
    found = {
        path.relative_to(STATIC).as_posix(): path.read_bytes()
        for path in STATIC.rglob("*")
        if path.is_file()
    }
    return found | {"workshop.html": of_the_workshop(found["index.html"])}


def test_imports_precede_their_importers() -> None:
    """They run first, once and by their names there; the vendored module is separate."""
    beside = b'import { effect } from "./vendor/pre.js";\nimport "./a/one.js";\n'
    made = scripts(
        {"app.js": APP + b'import "./b.js";\n', "a/one.js": ONE, "b.js": beside}, "app.js"
    )
    assert ["app.js"] == list(made)
    text = made["app.js"]
    lines = text.decode().replace(";", ";\n").splitlines()
    assert 'import { effect, html } from "./vendor/pre.js";' == lines[0]
    assert ["$1", "$2", "$0"] == re.findall(r"const (\S+)=\(\(\)=>\{", text.decode())
    assert "const{one:first}=$1;" in text.decode()
    assert "return{one,two,Three};" in text.decode()
    assert "export { $1 as one, $2 as b, $0 as app };" == lines[-1]


def test_comments_and_types_are_not_sent() -> None:
    """A type before an expression is left out without the code up to the next comment."""
    typed = b"const a = [\n  /** @type {string} */ (b),\n];\n/** The end: 2 * 3. **/\nlog(a);\n"
    text = scripts({"app.js": typed}, "app.js")["app.js"].decode()
    assert "const a=[(b)];log(a);" in text.replace("\n", "")
    assert "*" not in text


@pytest.mark.parametrize(
    ("app", "message"),
    [
        (b'import one from "./one.js";', "import one"),
        (b'import * as one from "./one.js";', r"import \* as one"),
        (b"export let n = 1;", "export let n"),
        (b"const n = 1; // One.", "// One"),
        (b"const a = 1;\nexport { a };", "export { a }"),
        (b'first(import("./one.js"));', "import"),
        (b'import { x } from "./gone.js";', "gone.js is imported and is not there"),
        (b'import { x } from "./round.js";', "make no circles"),
        (b'import { x } from "./other/app.js";', "one name"),
    ],
)
def test_unsupported_syntax_is_named(app: bytes, message: str) -> None:
    """An unknown form is refused instead of giving a different page."""
    beside = {
        "round.js": b'import { y } from "./app.js";\n',
        "other/app.js": b"export const x = 1;\n",
    }
    with pytest.raises(ValueError, match=message):
        scripts({"app.js": app + b"\n", **beside}, "app.js")


def test_lazy_module_is_a_separate_script() -> None:
    """It contains only what the page's script lacks, and has the module's exports."""
    app = APP + b"first(() => import(`./a/later.js${again}`));\n"
    later = (
        b'import { two } from "./one.js";\nimport { own } from "./own.js";\nexport const shown ='
        b" two(own);\n"
    )
    own = b'import { html } from "../vendor/pre.js";\nexport const own = html;\n'
    made = scripts({"app.js": app, "a/one.js": ONE, "a/later.js": later, "a/own.js": own}, "app.js")
    assert ["app.js", "app.later.js"] == list(made)
    assert b"first(()=>import(`./app.later.js${again}`))" in made["app.js"]
    assert b"shown" not in made["app.js"]
    text = made["app.later.js"].decode()
    assert 'import { one as $one } from "./app.js";' in text
    assert 'import { html } from "./vendor/pre.js";' in text
    assert "const{two}=$one;" in text
    assert "const{own}=$1;" in text
    assert text.endswith("export const { shown } = $0;")


def test_lazy_module_is_in_no_other_script() -> None:
    """A module that a script has is not loaded later too: there would be no script to load."""
    app = b"first(import(`./a.js${again}`));\nfirst(import(`./b.js${again}`));\n"
    beside = {"a.js": b'import { x } from "./b.js";\n', "b.js": b"export const x = 1;\n"}
    with pytest.raises(ValueError, match=r"a\.js has b\.js already"):
        scripts({"app.js": app, **beside}, "app.js")


def test_lazy_module_is_loaded_once() -> None:
    """A module in two scripts is refused, as its state would be duplicated."""
    beside = {"a.js": b'import { x } from "./c.js";\n', "b.js": b'import { x } from "./c.js";\n'}
    app = b"first(import(`./a.js${again}`));\nfirst(import(`./b.js${again}`));\n"
    with pytest.raises(
        ValueError, match=r"b\.js and a\.js are loaded later, and both import c\.js"
    ):
        scripts({"app.js": app, "c.js": b"export const x = 1;\n", **beside}, "app.js")


def test_static_types_are_fixed() -> None:
    """Each file extension has its type here, independent of the machine's list."""
    assert {""} == {PurePath(name).suffix for name in files()} - TYPES.keys()


@pytest.mark.parametrize("shell", sorted({*SHELLS.values()}))
def test_page_is_few_files(shell: str) -> None:
    """A shell names its fonts, a sheet with all styles, and a script."""
    found = files()
    made = bundled(found, shell)
    sheet = made[sheet_of(shell)]
    assert ["fonts/fonts.css", sheet_of(shell)] == [
        part.partition('"')[0]
        for part in made[shell].decode().split('rel="stylesheet" href="/static/')[1:]
    ]
    named = re.findall(rb'href="/static/(css/[^"]*)"', found[shell])
    assert len(named) > 5
    for path in named:
        for rule in re.findall(rb"^[^\s/*][^\n]*\{$", found[path.decode()], re.MULTILINE):
            assert rule in sheet
    assert not any(
        re.search(rb"^\s*(//|/\*)", made[name], re.MULTILINE) for name in made if name != shell
    )
    assert {} == bundled({}, shell)


@pytest.mark.slow
def test_every_module_is_in_a_page() -> None:
    """Each is joined in a page's script, except the separate files of help and recap pages."""
    found = files()
    joined = b"".join(
        data
        for shell in SHELLS.values()
        for name, data in bundled(found, shell).items()
        if name.endswith(".js")
    ).decode()
    for path, data in found.items():
        if path.startswith("js/") and not path.startswith(APART):
            exported = ",".join(EXPORT.findall(data.decode()))
            assert f"return{{{exported}}};" in joined, path


def test_first_visit_is_small() -> None:
    """A phone loads the page, its Latin fonts, its sentences and a game before a table."""
    pages = Pages.read(STATIC, english())
    shell = pages.files["index.html"].data.decode()
    named = ["index.html", *re.findall(r'/static/\w+/([^"]+)"', shell)]
    fonts = [name for name in pages.files if name.endswith("latin.woff2")]
    assert 2 == len(fonts)
    sent = (
        gzip.compress(file.data) if file.squeezes else file.data
        for file in map(pages.files.__getitem__, [*named, *fonts])
    )
    files = sum(map(len, sent))
    words = words_of(ENGLISH, "page")
    games = (encode(game_shown(systems.get(key))) for key in systems.playable())
    answers = len(gzip.compress(encode(words))) + max(len(gzip.compress(game)) for game in games)
    assert files + answers < MAX_FIRST_VISIT


def test_file_is_compressed_on_first_request(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compressed at the start, and simultaneous requests compress once."""
    done: list[int] = []

    def compress(data: bytes, mtime: float | None = None) -> bytes:
        done.append(len(data))
        return compressed(data, mtime=mtime)

    compressed = gzip.compress
    monkeypatch.setattr(gzip, "compress", compress)
    pages = Pages.read(STATIC, english())
    assert [] == done

    async def ask(headers: dict[str, str], times: int) -> list[httpx.Response]:
        transport = httpx.ASGITransport(Starlette(routes=pages.routes()))
        async with httpx.AsyncClient(
            transport=transport, base_url="http://page", headers=headers
        ) as client:
            return await asyncio.gather(*(client.get("/static/js/app.js") for _ in range(times)))

    page = pages.files["js/app.js"].data
    plain = asyncio.run(ask({"Accept-Encoding": "identity"}, 1))
    assert [page] == [answer.content for answer in plain]
    assert [] == done
    squeezed = asyncio.run(ask({"Accept-Encoding": "gzip"}, 5)) + asyncio.run(
        ask({"Accept-Encoding": "gzip"}, 1)
    )
    assert [(page, "gzip")] * 6 == [
        (answer.content, answer.headers["content-encoding"]) for answer in squeezed
    ]
    assert [len(page)] == done
