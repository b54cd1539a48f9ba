"""Custom dice, and their odds as text, in a notebook, as data and in a plot."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import storypool.odds as room
from storypool.engine.bag import Bag
from storypool.odds import Axes, Die, Distribution, d, ge, gt, keep, le, lt, odds, sampling
from storypool.systems import get

DOCS = Path(__file__).parent.parent / "docs"
SWORD = Die("sword", [{}, {"hit": 1}, {"hit": 2}, ["hit", "star"]])


def test_die_accepts_dicts_and_lists() -> None:
    """However its faces are given, the die and its odds equal one of bags and axes."""
    bags = Die("sword", (Bag(), Bag(hit=1), Bag(hit=2), Bag(hit=1, star=1)))
    assert bags == SWORD
    assert hash(bags) == hash(SWORD)
    assert Axes({"hit": Bag(hit=1), "star": Bag(star=1)}, {}) == Axes(["hit", "star"])
    assert odds([bags], Axes({"hit": Bag(hit=1), "star": Bag(star=1)}, {})) == odds(SWORD)
    assert Axes({"miss": Bag(hit=-1)}, {}) == Axes({"miss": {"hit": -1}})


def test_symbols_get_their_own_axes() -> None:
    """Their order is that of the faces over all dice; the same dice are the same pool."""
    shield = Die("shield", [{"miss": 1}, {"star": 1}])
    assert odds([SWORD, shield]).axes == ("hit", "star", "miss")
    assert odds({SWORD: 2, shield: 1}) is odds([SWORD, (shield, 1), SWORD])
    assert odds(2 @ SWORD + shield) is odds({SWORD: 2, shield: 1})
    assert odds(2 @ SWORD + shield) == odds(2 @ SWORD + shield, Axes(["hit", "star", "miss"]))


def test_numbered_die_has_its_numbers() -> None:
    """Its sides count from 1 or another number, and sums have the known odds."""
    assert [
        die.face(n)["pips"]
        for die in (d(6), d(10, first=0))
        for n in range(die.first, die.last + 1)
    ] == [
        *range(1, 7),
        *range(10),
    ]
    assert d(6) is d(6)
    assert Fraction(1, 2) == odds(3 @ d(6)).p(ge(11))
    assert Fraction(1, 8) == odds(d(6) + d(8)).p(7)
    assert Counter({2: 1, 3: 2, 4: 1}) == odds(2 @ d(2)).counts


def test_numbers_are_rows_on_one_axis() -> None:
    """Outcomes and function results may be numbers there."""
    rows = Distribution.from_outcomes(["pips"], {(n,): 1 for n in range(1, 7)})
    assert rows == Distribution.from_outcomes(["pips"], dict.fromkeys(range(1, 7), 1)) == odds(d(6))
    assert odds(d(6)).map(["odd"], lambda pips: pips % 2) == odds(d(6)).map(
        ["odd"], lambda pips: (pips % 2,)
    )


def test_handful_counts_its_dice() -> None:
    """Dice and handfuls add in any order."""
    assert (
        {d(6): 3, d(8): 1}
        == dict(3 @ d(6) + d(8))
        == dict(d(8) + 3 @ d(6))
        == dict(d(6) + (2 @ d(6) + d(8)))
    )
    assert "2 @ d6 + 1 @ d8" == repr(2 @ d(6) + d(8))
    assert "no dice" == repr(0 @ d(6))


def test_single_axis_needs_no_name() -> None:
    """Means, curves and conditions without a name use the only axis."""
    roll = odds(3 @ d(6))
    assert (
        roll.p(pips=ge(11))
        == roll.p(ge(11))
        == roll.p(gt(10))
        == 1 - roll.p(lt(11))
        == 1 - roll.p(le(10))
    )
    assert (roll.count(18), roll.count(pips=18)) == (1, 1)
    assert roll.given(ge(17)).p(18) == Fraction(1, 4)
    assert (
        (roll.mean(), roll.variance())
        == (roll.mean("pips"), roll.variance("pips"))
        == (Fraction(21, 2), Fraction(35, 4))
    )
    assert roll.sd() == roll.standard_deviation() == pytest.approx(8.75**0.5)
    assert (10, 11) == roll.mode() == roll.mode("pips")
    assert roll.at_least() == roll.at_least("pips")
    assert Fraction(21, 2) == roll.median() == roll.median("pips")
    assert 14 == roll.quantile(0.9) == roll.quantile("pips", 0.9) == roll.quantile(0.9, "pips")
    assert roll.compare(odds(d(20))) == roll.compare(odds(d(20)), "pips")


def test_distribution_iterates_over_rows() -> None:
    """Each outcome has its probability: a number on one axis, a row on several."""
    roll = odds(2 @ d(2))
    assert [(2, Fraction(1, 4)), (3, Fraction(1, 2)), (4, Fraction(1, 4))] == list(roll)
    assert len(roll) == 3
    assert {2: 1, 3: 2, 4: 1} == roll.counts
    assert {(2,): 1, (3,): 2, (4,): 1} == roll.row_counts
    assert roll.counts[3] == roll.counts[3,] == 2
    for missing in (5, (5,), (3, 3), "3"):
        with pytest.raises(KeyError):
            roll.counts[missing]
    assert dict(odds(SWORD)) == dict(odds(SWORD).joint())
    assert odds(SWORD).counts == odds(SWORD).row_counts


def test_outcomes_are_drawn_by_a_generator() -> None:
    """One or several, from a `Random` or a function; every place gives its outcome."""
    roll = odds(2 @ d(2))
    places = iter(range(4))
    assert [2, 3, 3, 4] == roll.sample(lambda n: next(places) % n, 4)
    assert roll.sample(Random(7), 50) == roll.sample(Random(7).randrange, 50)
    assert [roll.sample(Random(7))] == roll.sample(Random(7), 1)
    assert {2, 3, 4} == set(roll.sample(Random(7), 50))
    assert [] == roll.sample(Random(7), 0)
    assert set(odds(SWORD).sample(Random(7), 50)) == set(odds(SWORD).row_counts)


def test_game_reads_its_notation() -> None:
    """A pool as text or by dice names has the odds of its dice."""
    game = get("starwars")
    die = {one.name: one for one in game.dice}
    expected = odds({die["ability"]: 2, die["proficiency"]: 1, die["difficulty"]: 2}, game.axes)
    found = game.odds("2A1P/2D")
    assert (
        expected.on(*found.axes)
        == found
        == game.odds({"ability": 2, "proficiency": 1, "difficulty": 2})
    )
    assert Fraction(3, 5) == get("dune").odds("2d20", target=12, focus=6).p(successes=ge(2))


def test_distribution_has_a_useful_repr() -> None:
    """It has each axis's span and mean, without counting a large pool's rows."""
    assert "<Distribution of pips 3 to 18, mean 10.50>" == repr(odds(3 @ d(6)))
    assert "<Distribution of hit 0 to 2, mean 1; star 0 to 1, mean 0.25>" == repr(odds(SWORD))
    assert "<Distribution of pips 4>" == repr(odds(d(4)).given(4))
    assert "<Distribution of nothing>" == repr(odds([]))
    large = odds(100 @ Die("many", [dict.fromkeys("abcdef", n) for n in (0, 1)]))
    assert "a 0 to 100, mean 50; b" in repr(large)


def test_distribution_is_a_table_in_a_terminal() -> None:
    """Each row has odds and a bar; `print` shows single axes, `table` several."""
    lines = str(odds(SWORD)).splitlines()
    assert ["hit", "", "star"] == [lines[0].strip(), lines[4], lines[5].strip()]
    assert "   1   50.00 %  " + "█" * 40 == lines[2]
    assert "   2   25.00 %  " + "█" * 20 == lines[3]
    joint = odds(SWORD).table("star", "hit").splitlines()
    assert ["star   hit", "   0     0   25.00 %  " + "█" * 40] == [
        line.rstrip() for line in joint[:2]
    ]
    assert "   1     1   25.00 %  " + "█" * 40 == joint[-1]
    assert "<Distribution of nothing>" == str(odds([]))
    assert "< 0.01 %" in str(odds(6 @ d(10)))
    assert "100.00 %" in str(odds(d(4)).given(4))


def test_long_table_has_the_likeliest_rows() -> None:
    """A limited number is listed in order, and the rest counted."""
    lines = odds(20 @ d(20)).table().splitlines()
    numbers = [int(line.split()[0]) for line in lines[1:-1]]
    assert list(range(181, 241)) == sorted(numbers) == numbers or list(range(180, 240)) == numbers
    assert lines[-1].startswith("and 321 rows more, together ")


@pytest.mark.slow
def test_notebook_shows_tables_and_pictures() -> None:
    """HTML and SVG are valid, have every number, and escape axis names."""
    roll = Distribution.from_outcomes(["<b>&"], {(1,): 1, (2,): 3})
    page = ElementTree.fromstring(f"<div>{roll._repr_html_()}</div>")
    assert ["<b>&", "probability", "1", "2"] == [cell.text for cell in page.iter("th") if cell.text]
    assert ["25.00 %", "75.00 %"] == [cell.text for cell in page.iter("td") if cell.text]
    picture = ElementTree.fromstring(roll._repr_svg_())
    tag = "{http://www.w3.org/2000/svg}"
    assert ["1: 25.00 %", "2: 75.00 %"] == [title.text for title in picture.iter(f"{tag}title")]
    assert ["40.0", "120.0"] == [bar.get("height") for bar in picture.iter(f"{tag}rect")]
    assert 200 <= int(picture.get("width", "0")) < 400
    wide = ElementTree.fromstring(odds(100 @ d(100))._repr_svg_())
    assert int(wide.get("width", "0")) < 2000
    assert ElementTree.fromstring(odds([])._repr_svg_()) is not None
    assert "likeliest" in odds(20 @ d(20))._repr_html_()


def test_rows_are_data_for_any_frame() -> None:
    """A list of dicts and numpy columns have the same numbers."""
    rows = odds(SWORD).rows()
    assert {"hit": 1, "star": 1, "probability": 0.25} == rows[2]
    assert [{"star": 0, "probability": 0.75}, {"star": 1, "probability": 0.25}] == odds(SWORD).rows(
        "star"
    )
    numbers, chances = sampling.arrays(odds(SWORD))
    assert [[row["hit"], row["star"]] for row in rows] == numbers.tolist()
    assert [row["probability"] for row in rows] == chances.tolist()
    assert (numbers.dtype, chances.dtype) == (np.int16, np.float64)
    with pytest.raises(ValueError, match="another name"):
        Distribution.from_outcomes(["probability"], {(1,): 1}).rows()


def test_plot_uses_any_bar_method() -> None:
    """A `bar` like pyplot's gets places, heights and a label; its answer is returned."""
    drawn: list[Any] = []

    class Canvas:
        def bar(self, x: Sequence[int], height: Sequence[float], /, *, label: str) -> str:
            drawn.append((x, height, label))
            return "bars"

    assert "bars" == odds(2 @ d(2)).plot(Canvas())
    assert "bars" == odds(SWORD).plot(Canvas(), "star")
    assert [([2, 3, 4], [0.25, 0.5, 0.25], "pips"), ([0, 1], [0.75, 0.25], "star")] == drawn


def test_every_public_name_has_an_example() -> None:
    """Each name and distribution method is in running code of its two pages."""
    pages = [(DOCS / name).read_text(encoding="utf-8") for name in ("odds.md", "odds-cookbook.md")]
    code = "".join(re.findall(r"```python\n(.*?)```", "".join(pages), re.DOTALL))
    methods = {name for name in dir(Distribution) if not name.startswith("_")} - {"kind", "holding"}
    assert [] == [name for name in room.__all__ if not re.search(rf"\b{name}\b", code)]
    assert [] == [name for name in sorted(methods) if not re.search(rf"\.{name}\b", code)]


def test_odds_import_no_picture_code() -> None:
    """Odds need neither numpy nor a parser of XML."""
    code = (
        "import sys, storypool.odds; print(sorted({'numpy', 'xml', 'html', 'matplotlib', 'rich'} &"
        " set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "[]\n" == done.stdout


def test_kept_symbol_die_keeps_all_symbols() -> None:
    """The die with more hits is kept, with its star."""
    best = keep(2 @ SWORD, highest=1, by="hit")
    assert {(0, 0): 1, (1, 0): 3, (1, 1): 5, (2, 0): 7} == dict(best.counts)
