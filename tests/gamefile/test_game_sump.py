"""The odds of Sump before and after pushing, against an enumeration by its written rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from storypool import systems
from storypool.engine.bag import Bag
from storypool.odds.question import Question
from storypool.play import perform, read
from storypool.systems import game_stakes

Add = Callable[[str | Path], str]
SIX = range(1, 7)


def rung(sixes: int) -> str:
    """The result of this many sixes."""
    return "more" if sixes >= 3 else "done" if sixes >= 1 else "failed"


def pushed(face: int) -> Iterator[int]:
    """The face of a die after pushing, in six cases: sixes and ones stay, others re-roll."""
    yield from (face,) * 6 if face in (1, 6) else SIX


@pytest.mark.parametrize(("own", "stress"), [(1, 0), (3, 0), (2, 2), (1, 3), (4, 1), (0, 2)])
def test_sixes_ones_and_panic(own: int, stress: int, added: Add) -> None:
    """A six on any die counts, a one costs on own dice and causes panic on stress dice."""
    found = systems.odds(added("sump")).reckon(Question(Bag(base=own, fear=stress)))
    rows: Counter[tuple[int, ...]] = Counter()
    rungs: Counter[str] = Counter()
    for faces in product(SIX, repeat=own + stress):
        sixes = faces.count(6)
        row = {"six": sixes, "one": faces[:own].count(1), "panic": faces[own:].count(1)}
        rows[tuple(row[name] for name in found.distribution.axes)] += 1
        rungs[rung(sixes)] += 1
    all_of = 6 ** (own + stress)
    assert dict(found.distribution.joint()) == {row: Fraction(n, all_of) for row, n in rows.items()}
    for name in ("more", "done", "failed"):
        assert found.outcomes[name] == Fraction(rungs[name], all_of)
    assert found.outcomes["pass"] == Fraction(rungs["more"] + rungs["done"], all_of)


SCENE = """
table sump
seat gm side=gm
seat ann vera: body={body} climb={climb}
points vera.stress={stress}
ann check.declare as=vera attribute=body skill=climb
gm check.agree
"""


@pytest.mark.parametrize(("own", "stress"), [(1, 0), (2, 1), (3, 0)])
def test_worth_of_pushing(own: int, stress: int, added: Add) -> None:
    """Before the roll the table shows the odds of the whole pushed pool."""
    key = added("sump")
    table = perform(read(SCENE.format(body=1, climb=own - 1, stress=stress))).table
    [check] = table.checks.values()
    assert check.pool == Bag(base=own, fear=stress)
    [worth] = game_stakes.further(key, table, check)
    n, passed = 36 ** (own + stress), 0
    for faces in product(SIX, repeat=own + stress):
        passed += sum(6 in after for after in product(*map(pushed, faces)))
    assert worth.move == "move.push"
    assert worth.after["pass"] == Fraction(passed, n)
