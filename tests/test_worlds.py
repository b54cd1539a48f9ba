"""The looks of the page for each world: readable at every hue, with own drawings, and named."""

import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from itertools import product
from typing import get_args, get_type_hints

import pytest

from storypool import systems
from storypool.engine.house.settings import OPTIONS, WORLDS
from storypool.gamefile.file_format.thing_rows import WorldRow
from tests.test_page_colours import (
    DICE,
    STATIC,
    THEMES,
    TOKENS,
    declared,
    of_theme,
    without_comments,
)
from tools.worn import FOLDER, SIZES, name_of

STYLES = (STATIC / "css" / "worlds.css").read_text(encoding="utf-8")
HUES = ("ground-hue", "paper-hue", "move-hue", "other-hue")
DEEPEST = 1.6
"""The greatest `--depth` at which every pair of colours is readable at every hue."""


def rule(selector: str) -> dict[str, str]:
    """The custom properties of a rule, each on one line."""
    found = re.search(rf"(?m)^{re.escape(selector)} \{{([^}}]*)\}}", without_comments(STYLES))
    assert found, selector
    properties = re.findall(r"(--[\w-]+):\s*([^;]+);", found[1])
    return {name: re.sub(r"\s+", " ", value).replace("( ", "(") for name, value in properties}


EVERY = rule(":root[data-world]")


def of_one_theme(value: str, theme: str) -> str:
    """One of the two values of `light-dark(LIGHT, DARK)`; another value as it is."""
    if not value.startswith("light-dark("):
        return value
    light, dark = re.split(r"(?<=\)), ", value.removeprefix("light-dark(")[:-1], maxsplit=1)
    return {"light": light, "dark": dark}[theme].strip()


def channels(lightness: float, chroma: float, hue: float) -> tuple[float, float, float]:
    """The linear red, green and blue of an Oklch colour, as CSS Color 4 defines it, clipped."""
    a, b = (chroma * turn(math.radians(hue)) for turn in (math.cos, math.sin))
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    red = 4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short
    green = -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short
    blue = -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short
    red, green, blue = (min(1.0, max(0.0, channel)) for channel in (red, green, blue))
    return red, green, blue


def luminance(colour: str, numbers: Mapping[str, float]) -> float:
    """The relative luminance, 0 to 1, of `#RRGGBB` or of `oklch(...)` with these variables."""
    if colour.startswith("#"):
        parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
        linear = tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    else:
        for name, number in numbers.items():
            colour = colour.replace(f"var(--{name})", str(number))
        found = re.fullmatch(
            r"oklch\(([\d.]+) (?:calc\(([\d.]+) \* ([\d.]+)\)|([\d.]+)) ([\d.]+)\)", colour
        )
        assert found, colour
        chroma = float(found[4] or 0) or float(found[2] or 0) * float(found[3] or 0)
        linear = channels(float(found[1]), chroma, float(found[5]))
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def pairs() -> Iterator[tuple[str, str, float]]:
    """Colours and their grounds, of the page and of a felt, each with the least contrast."""
    for kind, least in (("text", 4.5), ("mark", 3.0)):
        yield from ((front, back, least) for front, back in declared(kind))
        on_felt = re.findall(rf"@{kind} ((?:--[\w*-]+ )+)on --felt", STYLES)
        for front, die in product(" ".join(on_felt).split(), DICE):
            yield front.replace("*", die), "--felt", least


PAIRS = tuple(dict.fromkeys(pairs()))


def too_faint(theme: str, numbers: Mapping[str, float]) -> list[str]:
    """The pairs whose contrast is too low in a world with these hues and this depth."""
    colours = of_theme(theme) | {name: of_one_theme(value, theme) for name, value in EVERY.items()}
    light = {
        name: luminance(colours[name], numbers)
        for name in {name for front, back, _ in PAIRS for name in (front, back)}
    }
    return [
        f"{front} on {back}"
        for front, back, least in PAIRS
        if (max(light[front], light[back]) + 0.05) / (min(light[front], light[back]) + 0.05) < least
    ]


def numbers_of(world: str) -> dict[str, float]:
    found = rule(f':root[data-world="{world}"]')
    return {name: float(found[f"--{name}"]) for name in (*HUES, "depth")}


@pytest.mark.parametrize("theme", THEMES)
def test_every_hue_is_readable(theme: str) -> None:
    """Text reaches 4.5:1 and marks 3:1 for all hues, so no choice of a designer can break it."""
    assert ("--quiet", "--felt", 4.5) in PAIRS
    for ground, shift, depth in product(range(0, 360, 15), (0, 120, 240), (0, 0.8, DEEPEST)):
        own = (ground + shift) % 360
        hues = dict(zip(HUES, (ground, ground, own, own), strict=True))
        assert too_faint(theme, hues | {"depth": depth}) == [], (ground, own, depth)
    fainter = dict.fromkeys(HUES, 90) | {"depth": 0}
    assert luminance("oklch(0.6 0 0)", fainter) == pytest.approx(0.216, abs=0.001)


@pytest.mark.parametrize("world", WORLDS[1:])
def test_world_is_whole(world: str) -> None:
    """Each has its hues, at a depth that is readable, its own felt and its own sign."""
    numbers = numbers_of(world)
    assert numbers["depth"] <= DEEPEST
    assert [] == [faint for theme in THEMES for faint in too_faint(theme, numbers)]
    found = rule(f':root[data-world="{world}"]')
    for part in ("--felt-drawing", "--sign"):
        name = re.fullmatch(r'url\("\.\./worlds/([\w-]+\.svg)"\)', found[part])
        assert name, part
        drawing = (STATIC / "worlds" / name[1]).read_text(encoding="utf-8")
        assert STYLES.count(name[0]) == 1
        for element in ET.fromstring(drawing).iter():
            assert re.sub("{.*}", "", element.tag) in {"svg", "g", "path", "circle", "rect"}
            assert not any(re.search("href|style|^on", name) for name in element.attrib)


def test_worlds_have_sentences_and_styles() -> None:
    """A table chooses among the worlds that have styles; each game begins with one of them."""
    option = next(option for option in OPTIONS if option.key == "look")
    assert option.values == ("game", *WORLDS)
    assert {"tide", *re.findall(r'data-world="(\w+)"\]', STYLES)} == set(WORLDS)
    built_in = {key: systems.get(key).world for key in systems.names()}
    assert set(built_in.values()) <= set(WORLDS[1:])
    assert len({built_in[key] for key in ("starwars", "genesys", "c2d10", "dune")}) == 4
    assert get_args(get_type_hints(WorldRow)["like"]) == WORLDS
    for value in option.values:
        assert systems.get("dune").choice("look", value) != value


def test_each_world_has_a_timbre() -> None:
    """The sounds know how dice of each material sound."""
    text = (STATIC / "js" / "sounds" / "timbres.js").read_text(encoding="utf-8")
    known = set(re.findall(r"(?m)^  (\w+): \{", text.partition("TIMBRES = {")[2]))
    assert known == {rule(f':root[data-world="{world}"]')["--timbre"] for world in WORLDS[1:]}


def test_pages_without_a_world_have_none_of_it() -> None:
    """The styles of worlds are in no sheet of a first visit."""
    shell = (STATIC / "index.html").read_text(encoding="utf-8")
    assert "worlds" not in shell
    assert "data-world" not in TOKENS


def test_page_about_looks_shows_each() -> None:
    """By night and by day, on a phone and a laptop: `python -m tools.shots --looks`."""
    page = FOLDER.parents[1] / "looks.md"
    named = set(
        re.findall(r"!\[[^]]+\]\(pictures/looks/([^)]+)\)", page.read_text(encoding="utf-8"))
    )
    assert {path.name for path in FOLDER.iterdir()} == named
    assert named == {
        name_of(world, theme, size) for world in WORLDS[1:] for theme in THEMES for size in SIZES
    }
    assert [] == [path.name for path in FOLDER.iterdir() if path.stat().st_size > 96 * 1024]
