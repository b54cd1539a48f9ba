"""Pictures of odds: well-formed, readable without colours and on phones, with exact numbers."""

from __future__ import annotations

import doctest
import importlib
import random
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import get_args
from xml.etree import ElementTree

import pytest

from storypool import systems
from storypool.engine.bag import Bag
from storypool.engine.refusal import Refused
from storypool.odds import Distribution, UnknownAxis, eq, ge, le
from storypool.odds.display import bar, carries
from storypool.odds.question import Question, Reckoned
from storypool.pictures import Theme, drawing
from storypool.pictures.charts import Picture, bars, curves
from storypool.pictures.drawing import DARK, LETTER, LIGHT, SHADES
from storypool.pictures.maps import ACROSS, DOWN, grid, heat
from storypool.pictures.rows import DataTable, bare, percent
from storypool.worth.showing import KINDS, picture
from tests.games_with_odds import TELLING, odds_of_check
from tests.test_page_colours import contrast

THEMES: tuple[Theme, ...] = get_args(Theme)
EXAMPLES = {key: odds_of_check(key, "example") for key in TELLING}
ASKED = {key: (example["pool"], example.get("terms", {})) for key, example in EXAMPLES.items()}
"""The drawn pool of each game, and its terms."""
BAD = '<b onload="x">&\'\x00\ud800 €'


def reckon(key: str, pool: str | Bag, terms: Mapping[str, str] = {}) -> Reckoned:
    """The odds of a game's pool."""
    found = systems.dice(key).NOTATION.parse(pool) if isinstance(pool, str) else pool
    return systems.odds(key).reckon(Question(found, dict(terms)))


def every(key: str) -> dict[str, Picture]:
    """Each kind of picture for a pool of this game."""
    of = reckon(key, *ASKED[key])
    try:
        other = reckon(key, of.question.pool + of.question.pool, of.question.terms)
    except Refused:
        other = of
    return {
        **{kind: picture(of, other if kind == "compare" else None, kind) for kind in KINDS},
        "curves": picture(of, other, "compare", of.distribution.axes[:1]),
    }


PICTURES = {(key, kind): found for key in TELLING for kind, found in every(key).items()}
PICTURES["odds-table", "grid"] = grid(
    "A", ["1", "2"], ["a long name", "x"], [[Fraction(1, 3), Fraction(0)]] * 2
)


def parts(of: Picture, theme: Theme = "dark") -> list[ElementTree.Element]:
    """Every element of a picture, by its own names."""
    found = list(ElementTree.fromstring(of.svg(theme)).iter())
    for part in found:
        part.tag = part.tag.removeprefix("{http://www.w3.org/2000/svg}")
    return found


def texts(of: Picture) -> list[str]:
    """The texts of a picture in order."""
    return [part.text or "" for part in parts(of) if part.tag == "text"]


def hints(of: Picture) -> list[str]:
    """The titles of its shapes in order."""
    return [child.text or "" for part in parts(of)[1:] for child in part if child.tag == "title"]


def written_in(of: Picture) -> list[tuple[str, list[str]]]:
    """Each cell of a map with its title, and every text inside it."""
    found = []
    for cell in (p for p in parts(of) if p.tag == "rect" and len(p)):
        x, y, wide, high = (float(cell.attrib[key]) for key in ("x", "y", "width", "height"))
        inside = [
            p.text or ""
            for p in parts(of)
            if p.tag == "text"
            and x < float(p.attrib["x"]) < x + wide
            and y < float(p.attrib["y"]) < y + high
        ]
        found.append((cell[0].text or "", inside))
    return found


@pytest.mark.parametrize("module", ["", ".rows", ".drawing"])
def test_docstring_examples_are_true(module: str) -> None:
    """The examples in the docstrings give their results."""
    found = doctest.testmod(importlib.import_module(f"storypool.pictures{module}"))
    assert found.attempted > 0
    assert found.failed == 0


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", PICTURES, ids="-".join)
def test_picture_is_one_described_image(name: tuple[str, str], theme: Theme) -> None:
    """Each is XML with an image role, a title, and its numbers in words."""
    of = PICTURES[name]
    root, *rest = parts(of, theme)
    assert ("svg", "img") == (root.tag, root.get("role"))
    spoken = [(part.tag, part.get("id"), part.text) for part in rest[:2]]
    assert [("title", "picture-title", of.title), ("desc", "picture-about", of.about)] == spoken
    assert "picture-title picture-about" == root.get("aria-labelledby")
    assert re.search(r"\d %", of.about)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", PICTURES, ids="-".join)
def test_picture_runs_and_fetches_nothing(name: tuple[str, str], theme: Theme) -> None:
    """It has no script, handler, link or address except the format's names."""
    for part in parts(PICTURES[name], theme):
        assert part.tag in {
            "svg",
            "title",
            "desc",
            "style",
            "rect",
            "circle",
            "path",
            "text",
            "pattern",
        }
        assert [] == [
            key for key in part.attrib if key.startswith("on") or key in ("href", "style")
        ]
        assert "url(" not in (part.text or "")
        assert {"url(#hatching)"} >= {value for value in part.attrib.values() if "url(" in value}


@pytest.mark.parametrize("name", PICTURES, ids="-".join)
def test_picture_is_readable_on_a_phone(name: tuple[str, str]) -> None:
    """At 360 px no letter is below 12 px or outside, by the widths of wide letters."""
    root, *rest = parts(PICTURES[name])
    wide, high = int(root.attrib["width"]), int(root.attrib["height"])
    assert wide == 360
    for part in rest:
        if part.tag == "text":
            size, x, y = (float(part.attrib[key]) for key in ("font-size", "x", "y"))
            length = len(part.text or "") * size * LETTER
            start = x - length * {"start": 0, "middle": 0.5, "end": 1}[part.attrib["text-anchor"]]
            assert size >= 12
            assert 0 <= start, part.text
            assert start + length <= wide, part.text
            assert size <= y <= high


def test_wide_grid_keeps_its_cell_size() -> None:
    """A grid with too many columns for a phone grows sideways."""
    of = grid("A", ["1"], [str(n) for n in range(20)], [[Fraction(1, 2)] * 20])
    cells = [float(p.attrib["width"]) for p in parts(of) if p.tag == "rect" and len(p)]
    assert 20 == len(cells)
    assert min(cells) >= 35
    assert int(parts(of)[0].attrib["width"]) > 360


@pytest.mark.parametrize("palette", [DARK, LIGHT], ids=["dark", "light"])
def test_picture_text_has_contrast(palette: Mapping[str, str]) -> None:
    """Text reaches 4.5:1 on background and shades, bars and lines 3:1; shades darken."""
    assert DARK.keys() == LIGHT.keys()
    for ink in ("ink", "quiet"):
        assert contrast(palette[ink], palette["ground"]) >= 4.5
    shades = [palette[f"shade-{n}"] for n in range(SHADES + 1)]
    for shade in shades:
        assert contrast(palette["ink"], shade) >= 4.5, shade
    for mark in ("first", "second", "line"):
        assert contrast(palette[mark], palette["ground"]) >= 3, mark
    away = [contrast(shade, palette["ground"]) for shade in shades]
    assert sorted(set(away)) == away


@pytest.mark.parametrize("name", PICTURES, ids="-".join)
def test_themes_have_their_colours(name: tuple[str, str]) -> None:
    """Dark and light have only their colours; the third is dark with a style for light."""
    of = PICTURES[name]
    colours = {theme: set(re.findall(r"#[0-9A-F]{6}", of.svg(theme))) for theme in THEMES}
    assert colours["dark"] <= set(DARK.values())
    assert colours["light"] <= set(LIGHT.values())
    assert "class=" not in of.svg("dark") + of.svg("light")
    style = next(part.text or "" for part in parts(of, "auto") if part.tag == "style")
    assert style.startswith("@media(prefers-color-scheme:light){")
    for part in parts(of, "auto"):
        for mark in part.get("class", "").split():
            kind, colour = mark.split("-", 1)
            attribute = {"f": "fill", "s": "stroke"}[kind]
            assert DARK[colour] == part.get(attribute)
            assert f".{mark}{{{attribute}:{LIGHT[colour]}}}" in style


@pytest.mark.parametrize("key", TELLING)
def test_bars_show_the_outcomes(key: str) -> None:
    """Each bar is as long as its odds and says so, and the table has the exact number."""
    of = reckon(key, *ASKED[key])
    found = bars("A", {"": of.outcomes})
    assert list(of.outcomes.items()) == [tuple(row) for row in found.table.rows]
    written = texts(found)[1:]
    assert [x for name, share in of.outcomes.items() for x in (name, percent(share))] == written
    likely = {
        f"{name} {percent(share)}": float(share) for name, share in of.outcomes.items() if share
    }
    drawn = {
        p[0].text: float(p.attrib["width"]) / 328
        for p in parts(found)
        if p.tag == "rect" and len(p)
    }
    assert likely == pytest.approx(drawn, abs=0.004)


def test_two_pools_differ_without_colours() -> None:
    """The second pool has hatched outlined bars, a dashed curve and square points."""
    one, two = (reckon("starwars", text) for text in ("2A/2D", "2P/2D"))
    found = parts(picture(one, two))
    by_fill = {
        fill: sum(p.get("fill") == fill and len(p) > 0 for p in found)
        for fill in ("url(#hatching)", "#F2C14E")
    }
    legend = 1
    assert {"url(#hatching)": legend + 5, "#F2C14E": legend + 4} == by_fill
    found = parts(picture(one, two, axes=["success"]))
    lines = [
        p.attrib["stroke-dasharray"]
        for p in found
        if p.tag == "path" and "stroke-dasharray" in p.attrib
    ]
    assert ["none", "5 4"] == lines
    assert {"circle", "rect"} == {
        p.tag for p in found if len(p) and "at least" in (p[0].text or "")
    }


@pytest.mark.parametrize("key", TELLING)
def test_curve_shows_cumulative_odds(key: str) -> None:
    """Each point has the height of its odds, and the table every exact number."""
    of = reckon(key, *ASKED[key]).distribution
    for axis in of.axes:
        found = curves("A", axis, {"": of})
        assert [(n, of.p(**{axis: ge(n)})) for n in of.at_least(axis)] == [
            tuple(row) for row in found.table.rows
        ]
        points = [p for p in parts(found) if p.tag == "circle" and len(p)]
        bottom = max(
            float(p.attrib["d"].split()[1].split("H")[0])
            for p in parts(found)
            if "H" in p.get("d", "")
        )
        for point in points:
            match = re.fullmatch(rf"{axis} at least (−?\d+): (.*)", point[0].text or "")
            assert match
            share = of.p(**{axis: ge(int(match[1].replace("−", "-")))})
            assert percent(share) == match[2]
            assert (bottom - float(point.attrib["cy"])) / 168 == pytest.approx(
                float(share), abs=0.002
            )
        assert points


def test_two_curves_share_one_field() -> None:
    """Beyond its range a pool's curve continues at 100 % and at 0."""
    low, high = (Distribution.from_outcomes(["n"], {(n,): 1, (n + 1,): 1}) for n in (0, 5))
    rows = curves("A", "n", {"low": low, "high": high}).table.rows
    half, one, none = Fraction(1, 2), Fraction(1), Fraction(0)
    assert [(0, one, one), (1, half, one), (2, none, one), (5, none, one), (6, none, half)] == [
        row for row in rows if row[0] not in (3, 4)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("key", TELLING)
def test_map_shows_every_pair(key: str) -> None:
    """Each cell has its odds, edge cells all beyond them, and the sum is everything."""
    of = reckon(key, *ASKED[key]).distribution
    axes = of.axes[0], of.axes[1]
    found = heat("A", of, axes)
    assert list(of.on(*axes).joint()) == [((a, b), share) for a, b, share in found.table.rows]
    cells = [hint for hint in hints(found) if ": " in hint]
    shares = []
    for cell in cells:
        match = re.fullmatch(rf"{axes[0]} (≤|≥|)(−?\d+), {axes[1]} (≤|≥|)(−?\d+): (.*)", cell)
        assert match, cell
        sides = {"≤": le, "≥": ge, "": eq}
        asked = {
            axis: sides[match[i]](int(match[i + 1].replace("−", "-")))
            for axis, i in zip(axes, (1, 3), strict=True)
        }
        shares.append(of.p(**asked))
        assert percent(shares[-1]) == match[5]
    assert 1 == sum(shares)
    assert len(cells) <= ACROSS * DOWN
    assert [[bare(share)] for share in shares] == [written for _, written in written_in(found)]


def test_map_keeps_likely_cells() -> None:
    """A large pool shows the rows and columns with most of its odds."""
    of = reckon("genesys", "5P3A4B/4C3D4S").distribution
    found = heat("A", of, ("success", "advantage"))
    heads = [text for text in texts(found) if re.fullmatch(r"[≤≥]−?\d+", text)]
    assert 4 == len(heads)
    assert len(found.table.rows) > ACROSS * DOWN * 5


def test_cell_text_is_inside_its_cell() -> None:
    """The number is in its rectangle, in the order of rows and columns."""
    odds = [[Fraction(i * 3 + j, 10) for j in range(3)] for i in range(3)]
    found = grid("A", ["a", "b", "c"], ["x", "y", "z"], odds, ("down", "across"))
    expected = [
        (f"down {row}, across {col}: {percent(share)}", [bare(share)])
        for row, line in zip("abc", odds, strict=True)
        for col, share in zip("xyz", line, strict=True)
    ]
    assert expected == written_in(found)


@pytest.mark.slow
def test_random_pools_can_be_drawn() -> None:
    """Small, large, lopsided and empty pools of each game give well-formed pictures."""
    chance = random.Random(7)
    for key in TELLING:
        notation = systems.dice(key).NOTATION
        example, terms = ASKED[key]
        names = [*notation.helping, *notation.hindering]
        for n in range(12):
            # Dice of every kind without a term, and those of the example under its terms.
            pool = Bag(
                {
                    name: chance.randrange(4)
                    for name in (names if n % 2 else notation.parse(example))
                }
            )
            try:
                of = reckon(key, pool, {} if n % 2 else terms)
            except Refused:
                continue
            for kind in KINDS:
                found = picture(of, of if kind == "compare" else None, kind)
                for theme in THEMES:
                    assert "svg" == parts(found, theme)[0].tag


def test_name_is_never_markup() -> None:
    """Names of pools, outcomes and axes are text, without characters that XML cannot hold."""
    spoken = drawing.clean(BAD)
    assert '<b onload="x">&\'\ufffd\ufffd €' == spoken
    of = Distribution.from_outcomes([BAD, "b"], {(0, 0): 1, (1, 1): 1})
    found = [
        bars(BAD, {BAD: {BAD: Fraction(1, 2)}, "b": {BAD: Fraction(1)}}),
        curves(BAD, BAD, {BAD: of}),
        heat(BAD, of, (BAD, "b")),
        grid(BAD, [BAD], [BAD], [[Fraction(1)]], (BAD, BAD)),
    ]
    for one in found:
        for theme in THEMES:
            assert {"b", "script"}.isdisjoint(part.tag for part in parts(one, theme))
        assert spoken == parts(one)[1].text
        assert spoken in "\n".join(texts(one) + hints(one))


def test_impossible_picture_is_refused() -> None:
    """No pool, three pools, an unknown axis and a map of one axis get a sentence."""
    of = Distribution.from_outcomes(["n"], {(0,): 1})
    for pools in ({}, dict.fromkeys("abc", of)):
        with pytest.raises(ValueError, match="one pool, or two"):
            curves("A", "n", pools)
    with pytest.raises(UnknownAxis):
        curves("A", "m", {"": of})
    with pytest.raises(ValueError, match="twice"):
        heat("A", of, ("n", "n"))


@pytest.mark.parametrize(
    ("kind", "axes", "two", "field"),
    [
        ("map", ["success", "luck"], False, "axis"),
        ("curve", ["success", "advantage"], False, "axis"),
        ("bar", ["success"], False, "axis"),
        ("map", ["success", "success"], False, "axis"),
        ("compare", [], False, "picture"),
        ("bar", [], True, "picture"),
        ("map", [], True, "picture"),
    ],
)
def test_invalid_picture_names_its_field(kind: str, axes: list[str], two: bool, field: str) -> None:
    """A picture that these odds cannot give is refused with its field."""
    of = reckon("starwars", "2A/2D")
    with pytest.raises(Refused) as no:
        picture(of, of if two else None, kind, axes)  # type: ignore[arg-type]
    assert ("argument", field) == (no.value.refusal.code, no.value.refusal.field)


def test_map_needs_a_second_axis() -> None:
    """A map of a single axis is refused with a remedy."""
    of = Reckoned(
        "starwars", Question(Bag(boost=1)), Distribution.from_outcomes(["n"], {(0,): 1}), {}
    )
    with pytest.raises(Refused, match="two axes"):
        picture(of, kind="map")


def test_pool_can_be_compared_with_itself() -> None:
    """The same pool twice has two names, so that neither is lost."""
    of = reckon("starwars", "2A/2D")
    assert 3 == len(picture(of, of).table.head)


def test_percent_is_exact_at_its_ends() -> None:
    """Only impossible odds are 0 %, only certain ones 100 %; halves round as fractions."""
    assert ["0 %", "<0.1 %", "0.1 %", "50.0 %", "99.9 %", ">99.9 %", "100 %"] == [
        percent(Fraction(n, 100_000)) for n in (0, 1, 99, 50_000, 99_900, 99_999, 100_000)
    ]
    assert ">99.9 %" == percent(1 - Fraction(1, 10**40))
    assert "<0.01 %" == percent(Fraction(1, 10**40), 2)


def test_picture_table_is_rows_of_text() -> None:
    """Its lines have shares in percent and signed numbers."""
    table = DataTable(("n", "odds"), ((-2, Fraction(1, 8)), (10, Fraction(7, 8))))
    assert ["n      odds", "−2  12.50 %", "10  87.50 %"] == table.text().splitlines()
    assert "n" in curves("A", "n", {"": Distribution.from_outcomes(["n"], {(0,): 1})}).table.text()


def test_text_bars_are_exact_to_an_eighth() -> None:
    """A bar has its share in eighths, all at 1, and at least one for any chance."""
    for n in range(241):
        drawn = bar(Fraction(n, 240), 30)
        assert n == sum(" ▏▎▍▌▋▊▉█".index(letter) for letter in drawn)
    assert ("▏", "#", "") == (
        bar(Fraction(1, 10**9), 30),
        bar(Fraction(1, 10**9), 30, False),
        bar(Fraction(0), 30),
    )
    assert "#" * 15 == bar(Fraction(1, 2), 30, blocks=False)
    assert [True, False, False] == [carries(name) for name in ("utf-8", "latin-1", "no such thing")]
