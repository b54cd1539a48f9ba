"""The page's visual basis: readable colours, distinct drawings and matching files."""

import json
import re
import xml.etree.ElementTree as ET
from itertools import combinations
from pathlib import Path

import pytest

from storypool.gamefile.file_format.drawings import GROUND
from storypool.pictures import drawing
from tools.glyphs import FRAME, TARGET, drawings, module, shapes

STATIC = Path(__file__).parent.parent / "src" / "storypool" / "web" / "static"
TOKENS = (STATIC / "css" / "tokens.css").read_text(encoding="utf-8")
BASE = (STATIC / "css" / "base.css").read_text(encoding="utf-8")
DICE = re.findall(r'(?m)^\[data-colour="(\w+)"\]', TOKENS)
DRAWINGS = drawings()
MIRROR = "matrix(1 0 0 -1 0 24)"
CORNERS = {"d6": 4, "d8": 4, "d10": 5, "d12": 6, "d20": 8}
THEMES = ("dark", "light")
OF_PICTURES = {
    "ground": "--ground",
    "ink": "--text",
    "quiet": "--quiet",
    "line": "--edge",
    "first": "--move",
    "second": "--other",
}
"""The colours that pictures share with the page, each with its token."""


def without_comments(css: str) -> str:
    return re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)


def block(selector: str) -> dict[str, str]:
    """The custom properties of the first rule with exactly this selector; else a KeyError."""
    found = re.search(rf"(?m)^\s*{re.escape(selector)} \{{([^}}]*)\}}", without_comments(TOKENS))
    if found is None:
        raise KeyError(selector)
    return dict(re.findall(r"(--[\w-]+):\s*([^;]+);", found[1]))


def of_theme(theme: str) -> dict[str, str]:
    """The custom properties of one theme: one of the values of `light-dark(LIGHT, DARK)`.

    Those of each colour of dice have its name: `--die-sky-ink` is `--die-ink` where the colour is
    sky.
    """
    kept = {"light": r"\1", "dark": r"\2"}[theme]
    pairs = r"light-dark\((#\w+|rgb\([^()]*\)), (#\w+|rgb\([^()]*\))\)"
    found = block(":root") | {
        name.replace("--die", f"--die-{colour}"): value
        for colour in DICE
        for name, value in block(f'[data-colour="{colour}"]').items()
    }
    return {name: re.sub(pairs, kept, value) for name, value in found.items()}


COLOURS = {theme: of_theme(theme) for theme in THEMES}
DARK = COLOURS["dark"]


def declared(kind: str) -> list[tuple[str, str]]:
    """The pairs after `@text` or `@mark` in tokens.css, each a (foreground, background)."""
    lines = re.findall(rf"@{kind} ((?:--[\w*-]+ )+)on((?: --[\w*-]+)+)", TOKENS)
    pairs = [
        (front, back)
        for fronts, backs in lines
        for front in fronts.split()
        for back in backs.split()
    ]
    return [
        (front.replace("*", die), back.replace("*", die))
        for front, back in pairs
        for die in (DICE if "*" in front else [""])
    ]


def luminance(colour: str) -> float:
    """The relative luminance of `#RRGGBB`, 0 (black) to 1 (white), as WCAG 2.2 defines it."""
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 to 21, as WCAG 2.2 defines it."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def blended(front: str, back: str, opacity: float) -> str:
    """The colour `#RRGGBB` of `front` painted on `back` with this opacity, 0 to 1."""
    channels = ((int(front[i : i + 2], 16), int(back[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(
        f"{round(opacity * over + (1 - opacity) * under):02x}" for over, under in channels
    )


def too_faint(theme: str, kind: str, least: float) -> list[str]:
    colours = COLOURS[theme]
    ratios = {pair: contrast(colours[pair[0]], colours[pair[1]]) for pair in declared(kind)}
    return [
        f"{front} on {back}: {ratio:.2f}"
        for (front, back), ratio in ratios.items()
        if ratio < least
    ]


def test_contrast_matches_the_standard() -> None:
    """Black on white is 21:1, and the lightest passing grey on white is #767676."""
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#767676", "#FFFFFF") >= 4.5 > contrast("#777777", "#FFFFFF")


@pytest.mark.parametrize("theme", THEMES)
def test_text_is_readable(theme: str) -> None:
    """Text colours reach 4.5:1 on every declared background in both themes."""
    assert ("--quiet", "--ground") in declared("text")
    assert too_faint(theme, "text", 4.5) == []


@pytest.mark.parametrize("theme", THEMES)
def test_marks_are_visible(theme: str) -> None:
    """Meaningful glyphs and borders reach 3:1 on every declared background in both themes."""
    assert ("--edge", "--ground") in declared("mark")
    assert too_faint(theme, "mark", 3) == []


def test_die_pattern_is_visible() -> None:
    """Dots and hatching in thinned ink reach 3:1 on the face of every colour."""
    thinned = re.search(r"\.die \.die-mark \{[^}]*stroke-opacity: ([\d.]+);", BASE)
    assert thinned is not None
    for ink, face in [pair for pair in declared("text") if pair[0].endswith("-ink")]:
        assert contrast(blended(DARK[ink], DARK[face], float(thinned[1])), DARK[face]) >= 3, face


def test_every_colour_is_checked() -> None:
    """A colour token is in a declared pair, or declared decorative."""
    decoration = set(re.findall(r"--[\w-]+", next(iter(re.findall(r"@decor (.*)", TOKENS)))))
    checked = {name for kind in ("text", "mark") for pair in declared(kind) for name in pair}
    colours = {
        name
        for theme in COLOURS.values()
        for name, value in theme.items()
        if re.search(r"#|rgb", value)
    }
    assert colours == checked | decoration


def test_light_theme_needs_no_other_colours() -> None:
    """Colours have values for both themes; a choice sets only the scheme, like a preference."""
    assert all("light-dark" not in value for theme in COLOURS.values() for value in theme.values())
    assert len([name for name in DARK if COLOURS["light"][name] != DARK[name]]) > 20
    assert "color-scheme: dark light;" in TOKENS
    for theme in THEMES:
        assert f':root[data-theme="{theme}"] {{\n  color-scheme: {theme};\n}}' in TOKENS
    for path in STATIC.rglob("*.css"):
        rules = without_comments(path.read_text(encoding="utf-8"))
        assert "prefers-color-scheme" not in rules
        assert rules.count("data-theme") == (2 if path.name == "tokens.css" else 0)


@pytest.mark.parametrize(("theme", "palette"), [("dark", drawing.DARK), ("light", drawing.LIGHT)])
def test_pictures_have_the_pages_colours(theme: str, palette: dict[str, str]) -> None:
    """Their background, text, lines and bars match in both themes; only shades differ."""
    assert {name: COLOURS[theme][token] for name, token in OF_PICTURES.items()} == {
        name: colour for name, colour in palette.items() if not name.startswith("shade-")
    }
    assert palette["shade-0"] == palette["ground"]


@pytest.mark.parametrize("theme", THEMES)
def test_browser_bar_has_the_pages_background(theme: str) -> None:
    """It has the colour of the page's background in both themes."""
    shell = (STATIC / "index.html").read_text(encoding="utf-8")
    named = dict(
        re.findall(
            r'name="theme-color" media="\(prefers-color-scheme: (\w+)\)" content="([^"]*)"', shell
        )
    )
    assert COLOURS[theme]["--ground"] == named[theme]


def test_reduced_motion_is_one_short_fade() -> None:
    """By preference or choice nothing takes over 120 ms, travels, or repeats for ever."""
    off = block(':root[data-motion="off"]')
    reduced = re.search(r"prefers-reduced-motion: reduce\) \{\s*:root \{([^}]*)\}", TOKENS)
    assert reduced is not None
    assert dict(re.findall(r"(--[\w-]+):\s*([^;]+);", reduced[1])) == off
    assert off["--travel"] == off["--swings"] == "0"
    others = [
        path.read_text(encoding="utf-8")
        for path in (STATIC / "css").glob("*.css")
        if path.name != "tokens.css"
    ]
    assert not any("infinite" in rules for rules in others)
    durations = {
        name: int(value[:-2])
        for name, value in (DARK | off).items()
        if re.fullmatch(r"\d+ms", value)
    }
    assert max(durations.values()) == durations["--dice"] == 120


def test_colours_come_from_tokens() -> None:
    """base.css defines no colour, and every custom property it reads is defined."""
    rules = without_comments(BASE)
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b|rgba?\(|hsla?\(", rules) == []
    set_by_script = {"--part", "--part-next"}
    defined = DARK.keys() | set(re.findall(r"(--[\w-]+):", rules)) | set_by_script
    assert set(re.findall(r"var\((--[\w-]+)", rules)) <= defined


def test_die_colours_have_all_parts() -> None:
    """Each colour of dice has a face, the ink of its letter and a rim."""
    assert len({DARK[f"--die-{colour}"] for colour in DICE}) == 12
    for colour in DICE:
        assert DARK.keys() >= {f"--die-{colour}-ink", f"--die-{colour}-rim"}


@pytest.mark.parametrize("drawing", DRAWINGS, ids=lambda drawing: drawing.stem)
def test_glyph_is_only_a_drawing(drawing: Path) -> None:
    """It is well-formed without script, link, style or colours other than the text's."""
    assert shapes(drawing)
    for element in ET.parse(drawing).iter():
        assert not re.search("script|style|foreignObject|image|use$", element.tag)
        assert not any(re.search("href|style|^on", name) for name in element.attrib)
        assert {element.get("fill", "none"), element.get("stroke", "none")} <= {
            "none",
            "currentColor",
        }


def corners(tag: str, attributes: dict[str, str]) -> list[tuple[float, float]]:
    """The extreme points of a shape without its stroke: joints of a path or of a circle."""
    number = {
        name: float(value) for name, value in attributes.items() if re.fullmatch(r"-?[\d.]+", value)
    }
    points: list[tuple[float, float]] = []
    if tag == "circle":
        x, y, r = number["cx"], number["cy"], number["r"]
        points = [(x - r, y), (x + r, y), (x, y - r), (x, y + r)]
    elif tag == "path":
        x = y = 0.0
        for command, written in re.findall(r"([A-Za-z])([^A-Za-z]*)", attributes["d"]):
            values = [float(value) for value in re.findall(r"-?\d*\.?\d+", written)]
            match command:
                case "H":
                    x = values[-1]
                case "V":
                    y = values[-1]
                case "Z" | "h":
                    assert values in ([], [0.0]), "only a dot, h0, is drawn relative to a place"
                case "M" | "L" | "C" | "Q" | "A":
                    x, y = values[-2:]
                case _:
                    raise AssertionError(f"{command} is not a command this family uses")
            points.append((x, y))
    if matrix := re.fullmatch(r"matrix\((.*)\)", attributes.get("transform", "")):
        a, b, c, d, e, f = map(float, matrix[1].split())
        points = [(a * x + c * y + e, b * x + d * y + f) for x, y in points]
    return points


@pytest.mark.parametrize("drawing", DRAWINGS, ids=lambda drawing: drawing.stem)
def test_glyph_is_not_cut_off(drawing: Path) -> None:
    """With its stroke it stays inside its frame of 24 by 24."""
    for tag, attributes in shapes(drawing):
        stroked = attributes.get("stroke") != "none"
        reach = float(attributes.get("stroke-width", FRAME["stroke-width"])) / 2 if stroked else 0
        for x, y in corners(tag, attributes):
            assert reach <= x <= 24 - reach
            assert reach <= y <= 24 - reach


def test_glyphs_are_distinct() -> None:
    """Glyphs differ in shapes or in fills."""
    drawn = {drawing.stem: sorted(map(repr, shapes(drawing))) for drawing in DRAWINGS}
    assert [pair for pair in combinations(drawn, 2) if drawn[pair[0]] == drawn[pair[1]]] == []


def generic(name: str) -> list[tuple[str, dict[str, str]]]:
    return shapes(STATIC / "glyphs" / f"{name}.svg")


@pytest.mark.parametrize(("rising", "falling"), [("success", "failure"), ("hero", "villain")])
def test_mirrored_glyphs_differ_by_fill(rising: str, falling: str) -> None:
    """The second of the pair is the first upside down, with nothing filled."""
    [(tag, attributes)] = generic(rising)
    assert [(tag, {"d": attributes["d"], "transform": MIRROR})] == generic(falling)
    assert attributes["fill"] == "currentColor"


def test_threat_glyph_mirrors_advantage() -> None:
    """Threat is a sea from which the line of Advantage is cut upside down."""
    [(_, crest)] = generic("advantage")
    [(_, trough)] = generic("threat")
    assert trough["d"].startswith(crest["d"].removesuffix("Z"))
    flip = re.fullmatch(r"matrix\(1 0 0 (-[\d.]+) 0 [\d.]+\)", trough["transform"])
    assert flip is not None


def test_light_point_is_hollow() -> None:
    """A light point has a hole in its middle, a dark one a disc inside a thin rim."""
    [(_, moon)] = generic("light")
    rim, disc = (attributes for _, attributes in generic("dark"))
    assert moon["fill-rule"] == "evenodd"
    assert disc["fill"] == "currentColor"
    assert float(rim["r"]) > float(disc["r"])
    assert float(rim["stroke-width"]) < float(FRAME["stroke-width"])


@pytest.mark.parametrize("sides", CORNERS)
def test_die_outline_has_its_corners(sides: str) -> None:
    """A die has the corners of its shape, and the three patterns share one outline."""
    plain, dots, hatching = (
        generic(f"die-{sides}-{pattern}") for pattern in ("plain", "dots", "hatching")
    )
    assert CORNERS[sides] == plain[0][1]["d"].count("Q")
    assert plain == dots[:1] == hatching[:1]
    assert dots[1] != hatching[1]


def test_square_and_diamond_differ() -> None:
    """The two dice with four corners differ by 45 degrees: one has a flat top."""
    square, diamond = (generic(f"die-{sides}-plain")[0][1]["d"] for sides in ("d6", "d8"))
    tip = re.compile(r"Q12 \d")
    assert tip.search(diamond)
    assert not tip.search(square)


def test_glyph_module_is_current() -> None:
    """glyphs.js has exactly the project's drawings; if not, run tools/glyphs.py."""
    assert module(DRAWINGS) == TARGET.read_text(encoding="utf-8")


def framed(inside: str, more: str = "") -> str:
    frame = " ".join(f'{name}="{value}"' for name, value in FRAME.items())
    return f'<svg xmlns="http://www.w3.org/2000/svg" {frame}{more}>{inside}</svg>'


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (framed("<script>1</script>"), "<script> is not one of"),
        (framed('<path d="M0 0" style="fill:red"/>'), "may not have style"),
        (framed('<g><path d="M0 0"/></g>'), "<g> is not one of"),
        (framed('<path d="M0 0"><title>x</title></path>'), "has something inside"),
        (framed('<path d="M0 0"/>', ' onload="1"'), "exactly these attributes"),
        (framed(""), "nothing is drawn"),
        ("<svg>", "not well-formed"),
    ],
)
def test_active_drawing_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    """Markup that is not only a drawing is refused, with file name and reason."""
    drawing = tmp_path / "odd.svg"
    drawing.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=reason) as refused:
        shapes(drawing)
    assert str(refused.value).startswith("odd.svg: ")


def test_game_has_its_own_glyphs(tmp_path: Path) -> None:
    """A drawing next to a game's code joins the module by file name, and must be new."""
    own = tmp_path / "systems" / "anygame" / "glyphs"
    own.mkdir(parents=True)
    (own / "comet.svg").write_text(framed('<path d="M1 1L2 2"/>'), encoding="utf-8")
    assert [own / "comet.svg"] == drawings(tmp_path)
    text = module([*DRAWINGS, own / "comet.svg"])
    assert '"comet": [["path", {"d": "M1 1L2 2"}]]' in text
    assert "anygame" not in text
    (own / "success.svg").write_text(framed('<path d="M1 1L2 2"/>'), encoding="utf-8")
    with pytest.raises(ValueError, match="a glyph of this name already"):
        module([*DRAWINGS, own / "success.svg"])


def test_manifest_matches_the_page() -> None:
    """The installed page has the name, icons and background of the dark theme."""
    manifest = json.loads((STATIC / "manifest.webmanifest").read_text(encoding="utf-8"))
    assert manifest["name"] == "Storypool"
    assert manifest["background_color"] == manifest["theme_color"] == DARK["--ground"]
    assert {"any", "maskable"} == {icon["purpose"] for icon in manifest["icons"]}
    for icon in manifest["icons"]:
        drawn = ET.parse(STATIC / icon["src"])
        assert not any(
            re.search("script|style|href", f"{e.tag} {' '.join(e.attrib)}") for e in drawn.iter()
        )


def test_letters_are_readable_on_every_drawing() -> None:
    """The ground over a drawn die leaves little of marks in the colour of the letter."""
    for colours in COLOURS.values():
        for die in {*DICE} - {"teal"}:
            ink, body = colours[f"--die-{die}-ink"], colours[f"--die-{die}"]
            ground = blended(body, ink, float(GROUND[1]["opacity"]))
            assert contrast(ink, ground) >= 4.5, die
