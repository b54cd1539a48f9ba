"""What logs hold of a test: its parts are stored as the terms that they have always been."""

from __future__ import annotations

import json
from pathlib import Path

from storypool.engine.table import Check
from storypool.systems.dune import skill_test_terms as dune

STORED = json.loads(Path(__file__).with_name("stored_terms.json").read_text(encoding="utf-8"))
"""Terms of tests as plays stored them before a test had parts; never edited."""


def stored(terms: dict[str, object]) -> Check:
    """A test with these terms, lists as a log that was read holds them."""
    plain = {name: tuple(one) if isinstance(one, list) else one for name, one in terms.items()}
    return Check("c1", "ruhan", "players", "ann", "Across", terms=plain)  # type: ignore[arg-type]


def test_terms_of_old_logs_stay_as_they_are() -> None:
    """Read and written again they are the same, but for what is as it is by default."""
    for terms in map(stored, STORED):
        written = dune.SkillTest.of(terms).terms
        gone = {name: terms.terms[name] for name in terms.terms.keys() - written.keys()}
        assert {*gone.values()} <= {"", (), False}
        assert written == {name: terms.terms[name] for name in written}
        assert terms is dune.SkillTest.of(terms).into(terms)


def test_terms_of_old_logs_are_parts_of_a_test() -> None:
    """Helpers, shifts, points that are gone, a contest and a deed are what their terms say."""
    tests = [dune.SkillTest.of(stored(terms)) for terms in STORED]
    assert {dune.Helper, dune.Shift, dune.Gone} == {
        type(one) for test in tests for one in (*test.helpers, *test.shifts, *test.gone)
    }
    assert any(test.contest != dune.Contest() for test in tests)
    assert any(test.deed != dune.Deed() for test in tests)
    for terms, test in zip(STORED, tests, strict=True):
        assert terms.get("helper_targets", []) == [one.target for one in test.helpers]
        assert terms.get("reasons", []) == [one.why for one in test.shifts]
        assert terms.get("gone_n", []) == [one.n for one in test.gone]
        assert terms.get("opposes", "") == test.contest.opposes
        assert terms.get("whom", "") == test.deed.whom


def test_a_move_lists_its_zone_before_its_style() -> None:
    """Terms are shown in the order in which they are stored: where to, then how."""
    deed = dune.Deed(asset="t1", to="z1", style="boldly")
    listed = [name for name in dune.SkillTest(deed=deed).terms if name in ("asset", "to", "style")]
    assert ["asset", "to", "style"] == listed
