"""The page's modules as one script, and its styles as one sheet."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from storypool.web.page.bundles import SHEET, bundled, script

STATIC = Path(__file__).resolve().parents[1] / "src" / "storypool" / "web" / "static"
APP = b'import { one as first } from "./a/one.js";\nimport { html } from "./vendor/pre.js";\nfirst(html);\n'
ONE = b"export const one = (text) => text;\nexport async function two() {}\nexport class Three {}\n"


def files() -> dict[str, bytes]:
    """The page's own files."""
    return {path.relative_to(STATIC).as_posix(): path.read_bytes() for path in STATIC.rglob("*") if path.is_file()}


def test_a_module_comes_before_whoever_imports_it() -> None:
    """What is imported runs first and once, under the names that it has there; the vendored module stays apart."""
    text = script({"app.js": APP + b'import "./b.js";\n', "a/one.js": ONE, "b.js": b'import "./a/one.js";\n'}, "app.js")
    lines = text.decode().splitlines()
    assert 'import * as $pre from "./vendor/pre.js";' == lines[0]
    assert ["const $one = {};", "const $app = {};"] == [
        line for line in lines if line in ("const $one = {};", "const $app = {};")
    ]
    assert "const { one: first } = $one;" in lines
    assert "const { html } = $pre;" in lines
    assert "Object.assign($one, { one, two, Three });" in lines
    assert "export { $one as one, $b as b, $app as app };" == lines[-1]


@pytest.mark.parametrize(
    ("app", "told"),
    [
        (b'import one from "./one.js";', "import one"),
        (b'import * as one from "./one.js";', r"import \* as one"),
        (b"export let n = 1;", "export let n"),
        (b"const a = 1;\nexport { a };", "export { a }"),
        (b'import { x } from "./gone.js";', "gone.js is imported and is not there"),
        (b'import { x } from "./round.js";', "make no circles"),
        (b'import { x } from "./other/app.js";', "one name"),
    ],
)
def test_what_cannot_be_joined_is_named(app: bytes, told: str) -> None:
    """A form that joining does not know is refused, and no page is made that does something else."""
    beside = {"round.js": b'import { y } from "./app.js";\n', "other/app.js": b"export const x = 1;\n"}
    with pytest.raises(ValueError, match=told):
        script({"app.js": app + b"\n", **beside}, "app.js")


def test_the_page_is_few_files() -> None:
    """The shell names its fonts, one sheet and one script; every module and every style of the page is in them."""
    found = files()
    made = bundled(found, "index.html")
    shell, page, sheet = made["index.html"].decode(), made["js/app.js"].decode(), made[SHEET]
    assert ["fonts/fonts.css", SHEET] == [
        part.partition('"')[0] for part in shell.split('rel="stylesheet" href="/static/')[1:]
    ]
    for path in found:
        if path.startswith("js/"):
            assert f"const ${Path(path).stem.replace('-', '_')} = {{}};" in page
    named = re.findall(rb'href="/static/(css/[^"]*)"', found["index.html"])
    assert len(named) > 5
    assert b"".join(found[path.decode()] for path in named) == sheet
    assert {} == bundled({}, "index.html")
