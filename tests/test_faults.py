"""The list of faults: valid replacements, existing tests, and counts of caught and missed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.performed_plays import PLAYS
from tools.faults import ROOT, Fault, copied, faults, noticed, page

FAULTS = faults()
NOTATION = next(fault for fault in FAULTS if fault.file.endswith("notation.py"))
TEST = re.compile(r"(?P<file>[\w/]+\.py)(::(?P<name>\w+)(\[(?P<case>[\w/.-]+)\])?)?$")


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_fault_matches_the_source(fault: Fault) -> None:
    """Its text is unique in its file, and its tests are in the fixed set."""
    assert fault.planted(ROOT)
    for test in fault.caught:
        named = TEST.match(test)
        assert named, test
        start = f"def {named['name']}(" if named["name"] else "def test_"
        text = (ROOT / named["file"]).read_text(encoding="utf-8")
        assert start in text, test
        decorators = text.partition(start)[0].rpartition("\n\n")[2].splitlines()
        assert not named["name"] or "@pytest.mark.exhaustive" not in decorators, test
        played = named["name"] == "test_play" and tuple(named["case"].split("/"))
        assert not played or (played[0], f"{played[1]}.play") in PLAYS, test


def test_page_lists_the_faults() -> None:
    """Every promise is a row of the page of `dev.py docs`."""
    assert [] == [
        fault.name for fault in FAULTS if f"| {fault.promise} | {fault.name} |" not in page(FAULTS)
    ]


@pytest.fixture(scope="module")
def copy() -> Iterator[Path]:
    """A copy for the planted faults of this module."""
    with copied() as folder:
        yield folder


@pytest.mark.slow
def test_fault_is_caught_and_mended(copy: Path) -> None:
    """The catching test is named, and the copy is restored."""
    test = "tests/test_notation.py::test_mistakes_name_their_place_and_a_remedy"
    assert noticed(replace(NOTATION, caught=(test,)), copy).startswith(f"{test}[")
    assert (ROOT / NOTATION.file).read_text() == (copy / NOTATION.file).read_text()


@pytest.mark.slow
def test_unnoticed_fault_is_reported(copy: Path) -> None:
    """A harmless change is caught by nothing."""
    harmless = replace(
        NOTATION, becomes=f"{NOTATION.was.rstrip()}  # changed\n", caught=("tests/test_bag.py",)
    )
    assert "" == noticed(harmless, copy)


@pytest.mark.slow
def test_broken_tests_catch_nothing(copy: Path) -> None:
    """Tests that cannot run have not caught a fault."""
    with pytest.raises(RuntimeError, match="did not run"):
        noticed(replace(NOTATION, becomes="        if (:\n"), copy)
