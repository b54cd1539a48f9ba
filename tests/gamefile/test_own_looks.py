"""The look of a game file's own: numbers of a world, and drawings that are cleaned."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storypool.gamefile.compiled import compiled
from storypool.gamefile.file_format.drawings import (
    FORMS,
    GROUND,
    INHERITED,
    NUMBER,
    PLAIN,
    shapes_of,
)
from storypool.web.endpoints.game_endpoints import game_shown
from tests.gamefile.conftest import mistakes
from tests.gamefile.small_game import HARBOUR

DOC = Path(__file__).parents[2] / "docs" / "looks.md"
LANTERNS = DOC.read_text(encoding="utf-8").partition("```toml\n")[2].partition("```")[0]
"""The game of the page with a die of its own."""
WAVE = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 24" fill="#f00">
<style>path { fill: url(https://example.org) }</style><script>alert(1)</script>
<g transform="translate(2 3)" onclick="alert(1)" style="stroke: red; stroke-width: 3">
<path d="M0 0H9L4 9Z" class="big" href="https://example.org"/></g>
<image href="https://example.org/a.png"/><circle cx="4" cy="5" r="6" fill="none" stroke="blue"/>
<rect width="url(#x)" height="4" fill="none"/></svg>"""
COIN, DIE = 'word = "coin"', "sides = 6"
FRAMED = '<svg viewBox="0 0 24 24">{}</svg>'


def test_drawing_is_cleaned_and_fitted() -> None:
    """Shapes keep numbers, transforms and strokes; colours become the text's, the rest goes."""
    fitted = "scale(0.5) translate(0 12)"
    assert shapes_of(WAVE) == (
        (
            "path",
            {
                "d": "M0 0H9L4 9Z",
                "transform": f"{fitted} translate(2 3)",
                "fill": "currentColor",
                "stroke": "currentColor",
                "stroke-width": "3",
            },
        ),
        (
            "circle",
            {
                "cx": "4",
                "cy": "5",
                "r": "6",
                "transform": fitted,
                "fill": "none",
                "stroke": "currentColor",
            },
        ),
    )


@given(
    st.sampled_from([*PLAIN, "script", "use", "image", "style", "text", "foreignObject", "a"]),
    st.dictionaries(
        st.sampled_from(
            ["d", "r", "style", "fill", "href", "onload", "transform", "class", "points"]
        ),
        st.text("M0 9-,.e()urlnojavscipt:#;<'", max_size=20),
    ),
)
def test_no_drawing_brings_more_than_shapes(tag: str, attributes: dict[str, str]) -> None:
    """All that is kept of any element is a shape whose attributes have their form."""
    written = "".join(f' {name}="{text.replace("<", "")}"' for name, text in attributes.items())
    both = f'<{tag}{written}><path d="M1 1H2"{written.replace(" d=", " data-d=")}/></{tag}>'
    for name, kept in shapes_of(FRAMED.format(f'<path d="M0 0H9"/>{both}')):
        assert name in PLAIN
        for key, value in kept.items():
            if key in ("fill", "stroke"):
                assert value in ("none", "currentColor")
            else:
                assert key in (*PLAIN[name], *INHERITED, "transform")
                assert re.fullmatch(FORMS.get(key, NUMBER), value)


def game(*more: str) -> str:
    return HARBOUR + "".join(f"\n{one}\n" for one in more)


def test_page_gets_the_look_of_the_file() -> None:
    """The numbers of its world, and its drawings below names that no other game has."""
    text = game("[world]\nlike = 'folk'\nground = 200\ndepth = 120").replace(
        'word = "coin"', 'word = "coin"\ndrawing = \'' + FRAMED.format('<path d="M0 0H9"/>') + "'"
    )
    system = compiled(text).system
    shown = game_shown(system, first_scene=False)
    assert (shown.world, shown.hues) == ("folk", {"ground": 200, "paper": 200, "depth": 120})
    coin = shown.look["coin"]
    assert coin.glyph == "harbour.coin"
    assert coin.drawing == (("path", {"d": "M0 0H9", "fill": "currentColor", "stroke": "none"}),)
    plain = game_shown(compiled(HARBOUR).system, first_scene=False)
    assert (plain.world, plain.hues, plain.look["coin"].drawing) == ("parlour", {}, ())


def test_die_has_the_side_that_is_drawn() -> None:
    """The page's example: a rim that fits its scale, marks, and a ground below the letter."""
    look = compiled(LANTERNS).system.look["lamp"]
    assert ("L", "square", "yellow") == (look.letter, look.outline, look.colour)
    body, spokes, ring, ground = look.drawing
    fitted = {"transform": "scale(0.5) translate(0 0)"}
    hexagon = {"d": "M24 2L44 14V38L24 46L4 38V14Z", "class": "die-body", "stroke-width": "3"}
    assert ("path", {**hexagon, **fitted}) == body
    assert ["die-mark"] * 2 == [spokes[1]["class"], ring[1]["class"]]
    assert ("none", "currentColor") == (ring[1]["fill"], ring[1]["stroke"])
    assert GROUND == ground


@pytest.mark.parametrize(
    ("old", "new", "line", "why"),
    [
        ("", "[world]\nground = 360", "ground", "0 to 359, not 360"),
        ("", "[world]\ndepth = 161", "depth", "0 to 160, not 161"),
        ("", "[world]\nlike = 'mars'", "like", "mars"),
        (COIN, "<svg/>", "drawing", "Write an SVG"),
        (COIN, "<svg viewBox='0 0 24 24'/>", "drawing", "1 to 60 shapes"),
        (COIN, FRAMED.format("<path d='M0 0H9'/>" * 61), "drawing", "1 to 60 shapes"),
        (COIN, FRAMED.format("<path d='M0 0H9'>"), "drawing", "Write an SVG"),
        (COIN, "<!DOCTYPE svg [<!ENTITY a 'b'>]>" + FRAMED.format("&a;"), "drawing", "no declar"),
        (DIE, FRAMED.format("<path d='M0 0H9' fill='none'/>"), "drawing", "1 to 60 shapes"),
        (DIE, FRAMED.format("<path d='M0 0H9' fill='none' stroke='red'/>"), "drawing", "no fill"),
        (DIE, "<svg/>", "drawing", "Write an SVG"),
        (f'{DIE}\npattern = "dots"', FRAMED.format("<path d='M0 0H9'/>"), "pattern", "take out"),
    ],
)
def test_wrong_looks_are_refused_at_their_line(old: str, new: str, line: str, why: str) -> None:
    """Each mistake has the line of its key and says what may stand there."""
    drawing = f'{old}\ndrawing = """{new}"""'
    text = HARBOUR.replace(old.partition("\n")[0], drawing) if old else f"{HARBOUR}\n{new}\n"
    [mistake] = mistakes(text)
    assert why in str(mistake.what)
    assert text.splitlines()[mistake.line - 1].startswith(line)
