"""State that nests: parts and lists of parts are stored as plain terms, as in all logs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from storypool.engine.game.state import State, StateError
from storypool.engine.table import Check, Value


@dataclass(frozen=True)
class Helper(State):
    """A character who helps."""

    renamed: ClassVar = {"who": "helpers", "target": "helper_targets"}

    who: str = ""
    target: int = 0


@dataclass(frozen=True)
class Contest(State):
    """The terms of an opponent."""

    renamed: ClassVar = {"rival": "rival-momentum"}

    opposed: bool = False
    rival: int | None = None


@dataclass(frozen=True)
class Test(State):
    """The terms of a game's test."""

    __test__ = False

    skill: str = ""
    helpers: tuple[Helper, ...] = ()
    contest: Contest = Contest()


def check(**terms: Value) -> Check:
    """An action with these terms."""
    return Check("c1", "pash", "players", "ann", "Slip past", terms=terms)


STORED: dict[str, Value] = {
    "skill": "stealth",
    "helpers": ("oska", "lio"),
    "helper_targets": (12, 9),
    "opposed": True,
    "rival-momentum": 2,
    "of another": 1,
}
READ = Test("stealth", (Helper("oska", 12), Helper("lio", 9)), Contest(True, 2))


def test_parts_are_read_from_plain_terms() -> None:
    """Terms of a log are fields of its parts, and lists of the same length a list of parts."""
    assert READ == Test.of(check(**STORED))
    assert Test() == Test.of(check())


def test_parts_are_stored_as_plain_terms() -> None:
    """Read parts are written back with other terms; defaults and None are omitted."""
    assert STORED == READ.into(check(**{"of another": 1})).terms
    assert STORED == Test.of(check(**STORED)).into(check(**STORED)).terms
    assert {} == Test().into(check()).terms == Test().terms


def test_part_is_changed_alone() -> None:
    """A part is read and changed in its own terms, and as a field of the whole."""
    stored = check(**STORED)
    assert Contest(True, 2) == Contest.of(stored)
    alone = Contest.put(stored, rival=None)
    assert {"rival-momentum"} == stored.terms.keys() - alone.terms.keys()
    assert alone == Test.put(stored, contest=Contest(True))
    assert stored is Test.put(stored, skill="stealth", contest=Contest(True, 2))


def test_lists_of_parts_grow() -> None:
    """More parts are added to a list in each of its terms; an emptied list stays written."""
    more = Test.add(check(**STORED), helpers=(Helper("pash", 7),))
    assert (("oska", "lio", "pash"), (12, 9, 7)) == (
        more.terms["helpers"],
        more.terms["helper_targets"],
    )
    assert () == Test.put(more, helpers=()).terms["helpers"]


@pytest.mark.parametrize(
    "terms",
    [
        {"helpers": ("oska",)},
        {"helpers": ("oska", "lio"), "helper_targets": (12,)},
        {"helpers": "oska", "helper_targets": (1, 2, 3, 4)},
        {"helpers": ("oska",), "helper_targets": ("twelve",)},
        {"rival-momentum": "two"},
    ],
)
def test_unfitting_terms_are_refused(terms: dict[str, Value]) -> None:
    """Unequal lists and invalid parts name their owner."""
    with pytest.raises(StateError, match="c1"):
        Test.of(check(**terms))


def test_unfitting_changes_are_refused() -> None:
    """A part has its class, and a list of parts is a tuple of them."""
    changes: list[dict[str, Any]] = [
        {"contest": READ},
        {"helpers": Helper()},
        {"helpers": ("oska",)},
    ]
    for change in changes:
        with pytest.raises(StateError, match="that may be"):
            Test.put(check(), **change)
