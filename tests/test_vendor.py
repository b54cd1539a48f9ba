"""Vendored files: unchanged, licensed, and working under the page's strict policy."""

import hashlib
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright

import dev

ROOT = Path(__file__).resolve().parent.parent
STATIC = ROOT / "src" / "storypool" / "web" / "static"
MODULE = STATIC / "vendor" / "preact.js"
FONTS = STATIC / "fonts"
DRAWN = STATIC.parent / "fonts"
FOLDERS = {
    "page": STATIC / "vendor",
    "fonts": FONTS,
    "pictures": DRAWN,
    "tests": ROOT / "tests" / "vendor",
}

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self';"
    " img-src 'self' data:; manifest-src 'self'; base-uri 'none'; form-action 'self';"
    " frame-ancestors 'none'; require-trusted-types-for 'script'"
)
PAGE = """<!doctype html><html lang="en"><title>vendored</title>
<link rel="stylesheet" href="/fonts.css">
<body><main></main><script type="module" src="/page.js"></script></body></html>"""
# Each thing that the page takes from the module is used once, and says in the document what came of
# it.
SCRIPT = """
import * as all from "/preact.js";
const { h, html, render, Fragment, createContext } = all;
const { signal, computed, effect, batch, untracked } = all;
const { useSignal, useComputed, useSignalEffect } = all;
const { useState, useEffect, useRef, useContext, useMemo, useId } = all;
const light = signal(1), dark = signal(1), told = [];
const total = computed(() => light.value + dark.value);
effect(() => { told.push(total.value); });
const Side = createContext("nobody");
function Points({ name }) {
  const side = useContext(Side), ref = useRef(null), id = useId();
  const twice = useMemo(() => `${name}${name}`, [name]);
  const taps = useSignal(0), double = useComputed(() => taps.value * 2);
  const [mounted, mount] = useState(false);
  useEffect(() => mount(true), []);
  useSignalEffect(() => { document.body.dataset.taps = taps.value; });
  const tap = () => { taps.value += 1; };
  return html`<${Fragment}>
    <button ref=${ref} id=${id} onClick=${tap} style=${{ "--n": 1 }}>${name}</button>
    <p id="taps">${double}</p>
    <p id="side">${side} ${twice} ${String(mounted)} ${ref.current?.tagName ?? ""}</p>
  <//>`;
}
const inner = html`<p id="total">${total}</p><${Points} name="p" />`;
const page = html`<${Side.Provider} value="gm">${inner}<//>`;
render(page, document.querySelector("main"));
batch(() => { light.value = 2; dark.value = 3; });
document.body.dataset.told = told.join(" ");
document.body.dataset.peek = untracked(() => total.value);
document.body.dataset.exports = Object.keys(all).sort().join(" ");
document.body.dataset.made = h("i").type;
await Promise.all([
  document.fonts.load('400 16px "Source Sans 3"'), document.fonts.load('700 16px Fraunces'),
  document.fonts.load('400 16px "Source Sans 3"', "ł"),
  document.fonts.load('400 16px Fraunces', "ł"),
]);
document.body.dataset.fonts = [...document.fonts].filter((font) => font.status === "loaded").length;
"""


def recipe() -> dict[str, str]:
    """The exact version of each package in the recipe."""
    package = json.loads((ROOT / "vendor" / "package.json").read_text(encoding="utf-8"))
    return {**package["dependencies"], **package["devDependencies"]}


@contextmanager
def served(files: dict[str, tuple[str, bytes]]) -> Iterator[tuple[str, list[str]]]:
    """An address with these files under the page's policy, and the missing requests."""
    absent: list[str] = []

    class Strict(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            kind, body = files.get(self.path, ("", b""))
            if not kind:
                absent.append(self.path)
            self.send_response(200 if kind else 404)
            self.send_header("Content-Type", kind or "text/plain")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Content-Security-Policy", POLICY)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Strict) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", absent
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def browser_page() -> Iterator[Page]:
    """An empty page of the installed browser."""
    quiet = [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
    ]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=dev.find_browser(), args=quiet)
        try:
            yield browser.new_page()
        finally:
            browser.close()


@pytest.mark.parametrize("place", FOLDERS)
def test_vendored_files_match_their_sums(place: str) -> None:
    """Every file has its sum next to it, and no sum is outdated."""
    folder = FOLDERS[place]
    lines = (folder / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    stated = {name: sha for sha, name in (line.split("  ") for line in lines)}
    others = {"SHA256SUMS", "fonts.css"}
    actual = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.iterdir()
        if path.name not in others
    }
    assert stated == actual
    assert len(stated) > 1


@pytest.mark.parametrize(
    "package", ["preact", "@preact/signals", "@preact/signals-core", "htm", "ogl"]
)
def test_module_has_each_parts_licence(package: str) -> None:
    """Each package in the page's modules has the recipe's version and its licence."""
    text = (STATIC / "vendor" / "LICENSES.txt").read_text(encoding="utf-8")
    assert f"======== {package} {recipe()[package]} ========" in text


def test_every_recipe_version_is_exact() -> None:
    """The recipe gives the same bytes next year, without version ranges."""
    assert {} == {
        name: version
        for name, version in recipe().items()
        if not re.fullmatch(r"\d+\.\d+\.\d+", version)
    }


def test_axe_matches_the_recipe() -> None:
    """The accessibility tests run the recipe's version of axe."""
    assert (
        f"axe v{recipe()['axe-core']}"
        in (ROOT / "tests" / "vendor" / "axe.min.js").read_text(encoding="utf-8")[:200]
    )


def test_fonts_are_few_and_free() -> None:
    """Two Open Font License families under 300 kB, all named in the style sheet."""
    files = sorted(FONTS.glob("*.woff2"))
    style = (FONTS / "fonts.css").read_text(encoding="utf-8")
    assert {path.name for path in files} == set(re.findall(r'url\("([^"]+)"\)', style))
    assert 300_000 > sum(path.stat().st_size for path in files)
    assert {b"wOF2"} == {path.read_bytes()[:4] for path in files}
    for family in ("fraunces", "source-sans-3"):
        licence = (FONTS / f"LICENSE-{family}.txt").read_text(encoding="utf-8")
        assert "SIL OPEN FONT LICENSE Version 1.1" in licence
        assert any(path.name.startswith(family) for path in files)


def test_modules_make_no_code_from_text() -> None:
    """There is no `eval`, `Function`, `document.write` or map to missing sources."""
    code = r"\beval\b|\bFunction\(|insertAdjacentHTML|outerHTML|document\.write|sourceMappingURL"
    for path in MODULE.parent.glob("*.js"):
        assert [] == re.findall(code, path.read_text(encoding="utf-8")), path.name
    assert "innerHTML" not in (MODULE.parent / "ogl.js").read_text(encoding="utf-8")
    text = MODULE.read_text(encoding="utf-8")
    # Preact's one way to set markup from a string, for a property that this project does not use.
    assert ["__html"] == re.findall(r"innerHTML=\w+\.(\w+)", text)
    assert 1 == len(re.findall(r"innerHTML=(?!=)", text))


def test_page_sets_no_markup_from_text() -> None:
    """The page's scripts never use the property that the strict policy blocks."""
    own = [path for path in STATIC.rglob("*.js") if path.parent != MODULE.parent]
    assert [] == [
        path.name for path in own if "dangerouslySetInnerHTML" in path.read_text(encoding="utf-8")
    ]


@pytest.mark.browser
def test_vendored_files_obey_the_strict_policy() -> None:
    """In a real browser every export works, fonts load, and nothing violates the policy."""
    kinds = {".js": "text/javascript", ".css": "text/css", ".woff2": "font/woff2"}
    files = {
        f"/{path.name}": (kinds[path.suffix], path.read_bytes())
        for path in [MODULE, *FONTS.glob("*.*2"), FONTS / "fonts.css"]
    }
    files["/"] = ("text/html", PAGE.encode())
    files["/page.js"] = ("text/javascript", SCRIPT.encode())
    files["/favicon.ico"] = ("image/x-icon", b"")
    faults: list[str] = []
    with served(files) as (address, absent), browser_page() as page:
        page.on("console", lambda message: faults.append(message.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(address)
        page.wait_for_selector("body[data-fonts]")
        page.click("button")
        page.wait_for_selector("body[data-taps='1']")
        found = page.evaluate("({...document.body.dataset})")
        texts = {name: page.inner_text(f"#{name}") for name in ("total", "taps", "side")}
    assert [] == faults
    assert [] == absent
    assert {"total": "5", "taps": "2", "side": "gm pp true BUTTON"} == texts
    assert ("2 5", "5", "i", "4") == (found["told"], found["peek"], found["made"], found["fonts"])
    exported = re.findall(
        r"[\w$]+",
        " ".join(re.findall(r"export \{(.*?)\}", (ROOT / "vendor" / "entry.js").read_text(), re.S)),
    )
    assert " ".join(sorted(exported)) == found["exports"]


@pytest.mark.browser
def test_strict_policy_is_effective() -> None:
    """The same set-up reports markup from a string, so that a violation is noticed."""
    script = b"document.querySelector('main').innerHTML = '<b>x</b>';"
    files = {
        "/": ("text/html", PAGE.encode()),
        "/page.js": ("text/javascript", script),
        "/fonts.css": ("text/css", b""),
    }
    with served(files) as (address, _), browser_page() as page:
        with page.expect_event("pageerror") as fault:
            page.goto(address)
        found = str(fault.value)
    assert "TrustedHTML" in found
