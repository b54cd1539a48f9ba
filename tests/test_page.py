"""The page as files: a shell of links, no game by name, each sentence in the catalogue and used."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from storypool import systems
from storypool.contract.material import material
from storypool.engine.game.panels import KINDS, MovesPanel, Panel
from storypool.web.app import ENDPOINTS
from storypool.web.help.panels_reference import panels_page
from storypool.web.interface.openapi import document_of
from storypool.words import house_words
from storypool.words.plurals import CATEGORIES
from tools import wire_types

ROOT = Path(__file__).resolve().parent.parent / "src" / "storypool"
STATIC = ROOT / "web" / "static"
MODULES = sorted(path for path in (STATIC / "js").rglob("*.js") if path.name != "glyphs.js")
SHEETS = sorted((STATIC / "css").glob("*.css"))
IN_PAGES = sorted((Path(__file__).parent / "browser" / "scripts").glob("*.js"))
"""The scripts that tests run in a page."""
SHELL = (STATIC / "index.html").read_text(encoding="utf-8")
PAGE = house_words().plus(ROOT.joinpath("words", "page.toml"))
FORMS = {id.removeprefix("page.") for id in PAGE if id.startswith("page.")}
IDS = {id.rpartition(".")[0] if id.rpartition(".")[2] in CATEGORIES else id for id in FORMS}
"""The sentences of the page, each once: one that counts has several forms."""
LONGEST_MODULE = 500
MAX_MODULES = 20
FOLDERS = (
    "state",
    "ui",
    "sounds",
    "moments",
    "odds",
    "dice",
    "falling",
    "log",
    "sessions",
    "forms",
    "characters",
    "screens",
    "table",
    "workshop",
    "help",
)
"""The folders of the page in order: each may import those before it."""


def code(path: Path) -> str:
    """A module without its comments."""
    return re.sub(
        r"/\*.*?\*/|(?<![:<])//[^\n]*", "", path.read_text(encoding="utf-8"), flags=re.DOTALL
    )


def first_arguments(text: str, function: str) -> list[str]:
    """The source of the first argument of every call of a function."""
    found = []
    for call in re.finditer(rf"(?<![\w.]){function}\(", text):
        depth, end = 1, call.end()
        while depth and (depth > 1 or text[end] != ","):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        found.append(text[call.end() : end if text[end] == "," else end - 1])
    return found


def literals(written: str) -> set[str]:
    """The quoted texts that an expression can give, without those that it only compares."""
    return set(re.findall(r'(?<!== )(?<!=== )"([\w.]+)"', written))


ALL = "\n".join(code(path) for path in MODULES if path.name != "words.js")
WORDS = code(STATIC / "js" / "state" / "words.js")
SHOWN = {id for written in first_arguments(ALL, "say") for id in literals(written)}
SHOWN |= {id for written in first_arguments(WORDS, "say") for id in literals(written) if "." in id}
FAMILIES = {family for written in first_arguments(ALL, "oneOf") for family in literals(written)}


def test_page_catalogue_has_only_its_sentences() -> None:
    """The page's file has no others, and none is empty."""
    tree = tomllib.loads((ROOT / "words" / "page.toml").read_text(encoding="utf-8"))
    assert ["page"] == list(tree)
    assert len(IDS) > 200
    assert [] == [id for id in FORMS if not PAGE[f"page.{id}"].strip()]


def test_every_sentence_of_the_page_exists() -> None:
    """Each id in the code is in the catalogue, and each family has members there."""
    assert len(SHOWN) > 150
    assert set() == SHOWN - IDS
    assert set() == {
        family for family in FAMILIES if not any(id.startswith(f"{family}.") for id in IDS)
    }


def test_no_sentence_is_unused() -> None:
    """Each id of the catalogue is used, alone or as one of a family."""
    own = IDS - SHOWN
    assert set() == {id for id in own if id.rpartition(".")[0] not in FAMILIES}


def test_page_uses_sentence_ids_literally() -> None:
    """Ids are not composed, except for members of families, so tests can read all."""
    assert [] == [written for written in first_arguments(ALL, "say") if not literals(written)]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_no_sentence_is_written_in_code(path: Path) -> None:
    """No readable text is between the tags of a template."""
    templates = re.sub(r"\$\{[^{}]*\}", "", re.sub(r"\$\{[^{}]*\}", "", code(path)))
    written = re.findall(r">([^<>${}`=;()]*[A-Za-z]{3,}[^<>${}`=;()]*)</", templates)
    assert [] == written


def test_shell_has_no_inline_script_or_style() -> None:
    """Scripts and styles are files, and no element has a handler or style."""
    assert [] == re.findall(r"<style|\sstyle=|\son\w+=|javascript:", SHELL)
    scripts = re.findall(r"<script[^>]*>(.*?)</script>", SHELL, flags=re.DOTALL)
    assert [""] == scripts
    for address in re.findall(r'(?:src|href)="([^"]+)"', SHELL):
        assert address.startswith("/static/")
        assert (STATIC / address.removeprefix("/static/")).is_file(), address


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_module_parses_no_markup_and_no_code(path: Path) -> None:
    """No module parses text, puts a style into markup, or needs a secure context."""
    markup = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|style=\""
    forbidden = markup + r"|\beval\(|new Function|randomUUID|serviceWorker|crypto\.subtle"
    assert [] == re.findall(forbidden, code(path))


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", [*MODULES, *SHEETS, ROOT / "words" / "page.toml"], ids=lambda path: path.name
)
def test_page_names_no_game(path: Path) -> None:
    """Games, dice, symbols and accounts come as data, not by name."""
    text = path.read_text(encoding="utf-8").lower()
    named = {name for key in systems.names() for name in [key, *systems.get(key).by_account]}
    for key in systems.names():
        named |= {die.name for die in systems.get(key).dice} | set(systems.get(key).axes.moves)
    # Words of the page itself that a game happens to use: light and dark are the page's themes and
    # its two sides, a skill is what any sheet may hold, and d10 a shape of die, whichever game
    # rolls it.
    named -= {name for key in systems.names() for name in material(key).words.get("shared", ())}
    named |= {name for key in systems.names() for name in material(key).words.get("own", ())}
    assert len(named) > 20
    assert set() == {
        name for name in named if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)
    }
    assert [] == [key for key in systems.names() if key in text]


@pytest.mark.slow
@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_module_is_short_and_described(path: Path) -> None:
    """It begins with a sentence about itself, and stays short enough to read at once."""
    text = path.read_text(encoding="utf-8")
    assert re.match(r"/\*\*\s", text)
    assert text.count("\n") <= LONGEST_MODULE
    for exported in re.finditer(r"(?m)^export (?:async )?(?:function|class|const) (\w+)", text):
        before = text[: exported.start()].rstrip()
        own = before.endswith("*/") or re.search(
            r"export const \w+ = [^\n]*$", before.splitlines()[-1]
        )
        assert own, exported[1]


@pytest.mark.slow
@pytest.mark.parametrize("path", [*MODULES, *SHEETS, *IN_PAGES], ids=lambda path: path.name)
def test_page_lines_are_short(path: Path) -> None:
    """No line of a script or style is over 100 columns; the formatter breaks code, not words."""
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    assert [] == [n for n, line in lines if len(line) > 100]


def test_scripts_of_tests_are_used() -> None:
    """Each script that tests run in a page is run by a test, or imported by another script."""
    tests = (path.read_text(encoding="utf-8") for path in IN_PAGES[0].parent.parent.glob("*.py"))
    used = {name for text in tests for name in re.findall(r'script\("([\w-]+)"\)', text)}
    for path in IN_PAGES:
        used.update(re.findall(r'from "\./([\w-]+)\.js"', path.read_text(encoding="utf-8")))
    assert {path.stem for path in IN_PAGES} == used


def test_imported_names_are_exported() -> None:
    """Each name imported from another module is exported there."""
    given = r"export (?:async )?(?:function|class|const) (\w+)"
    exported = {path.name: set(re.findall(given, code(path))) for path in MODULES}
    exported["glyphs.js"] = {"frame", "glyphs", "outlines"}
    for path in MODULES:
        for names, module in re.findall(r'import \{([^}]*)\} from "(\.[^"]*)"', code(path)):
            imported = (path.parent / module).resolve()
            assert imported.is_file(), (path.name, module)
            if imported.parent != STATIC / "vendor":
                asked = {
                    name.strip().partition(" as ")[0] for name in names.split(",") if name.strip()
                }
                assert asked <= exported[imported.name], (path.name, module)


def test_page_folders_are_small() -> None:
    """A folder has at most twenty modules, which belong together."""
    beside = Counter(path.parent.name for path in MODULES)
    assert [] == [folder for folder, count in beside.items() if count > MAX_MODULES]


@pytest.mark.parametrize(
    "path", [path for path in MODULES if path.name != "app.js"], ids=lambda path: path.name
)
def test_page_folder_imports_earlier_ones(path: Path) -> None:
    """A module imports its folder and earlier ones, so folders have no cycle."""
    own = path.parent.name
    drawn = {
        (path.parent / module).resolve().parent
        for module in re.findall(r'from "(\.[^"]*)"', code(path))
    }
    folders = {folder.name for folder in drawn if folder != STATIC / "vendor"}
    assert folders <= {*FOLDERS[: FOLDERS.index(own) + 1]}


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.name)
def test_colours_are_tokens(path: Path) -> None:
    """Only tokens define colours, and every used custom property is defined."""
    rules = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    if path.name != "tokens.css":
        assert [] == re.findall(r"#[0-9a-fA-F]{3,8}\b|rgba?\(|hsla?\(", rules)
    defined = set(
        re.findall(r"(--[\w-]+):", "\n".join(sheet.read_text(encoding="utf-8") for sheet in SHEETS))
    )
    assert set(re.findall(r"var\((--[\w-]+)", rules)) <= defined | {"--part", "--part-next"}


def test_panels_page_has_every_kind() -> None:
    """The help's page has a heading for each kind, in the order of `KINDS`."""
    headings = re.findall(r"^## (\w+Panel)$", panels_page(), re.MULTILINE)
    assert [kind.__name__ for kind in KINDS] == headings
    assert {*Panel.__subclasses__(), *MovesPanel.__subclasses__()} - {MovesPanel} == set(KINDS)


def test_every_interface_form_is_a_type() -> None:
    """Scripts are checked against the schemas of the interface, with their optional fields."""
    named = document_of(ENDPOINTS)["components"]["schemas"]
    declared = wire_types.declarations()
    assert {*named} == {*re.findall(r"^interface (\w+) \{$", declared, re.MULTILINE)}
    assert "  closed: RefusalShown | null;\n" in declared
    assert "  override?: boolean;\n" in declared
    assert "  args: Record<string, Value>;\n" in declared
    assert "  rolled: Array<Rolled>;\n" in declared
