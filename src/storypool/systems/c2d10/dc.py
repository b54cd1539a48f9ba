"""The DC of a test: its base, circumstances, traits in play, and its text.

Source: c2d10.md 2.1 and 2.5.
"""

from storypool.engine import rules as r
from storypool.systems.c2d10.conflicts import Circumstance, Conflict, side_of, signed_change
from storypool.systems.c2d10.test import Test
from storypool.words import Words

HIGHEST = 10


def with_target(table: r.Table, check: r.Check) -> r.Check:
    """The check with its current DC: the base, changed by traits in play and circumstances."""
    test = Test.of(check)
    if test.dc is None:
        return check
    moved = test.dc + test.shift + sum(one.rating for one in _circumstances(table, check))
    return Test.put(check, target=max(0, min(HIGHEST, moved)), why=_changes_in_words(table, check))


def _changes_in_words(table: r.Table, check: r.Check) -> tuple[str, ...]:
    """The changes of the DC with their signs: circumstances, then traits in play."""
    circumstances = (one for one in _circumstances(table, check) if one.rating)
    return (
        *(signed_change(one.rating, Circumstance.of(one).name) for one in circumstances),
        *Test.of(check).moved,
    )


def _circumstances(table: r.Table, check: r.Check) -> list[r.Trait]:
    """The circumstances that apply to the actor."""
    whose = ("", side_of(table, table.actor(check)))
    found = []
    for one in table.of_kind("circumstance", at=Test.of(check).conflict):
        if one.about in whose:
            found.append(one)
    return found


def dc_of(words: Words, table: r.Table, check: r.Check) -> str:
    """The DC in words, with its parts if there are several: DC 4: 3 from the Keeper, +1 Darkness.

    Empty for a DC that is not set, or only suggested.
    """
    test = Test.of(check)
    if "dc" in check.suggested and test.dc == test.target:
        return ""
    return _in_words(words, table, check, "dc.alone", "dc.parts")


def dc_now(turn: r.Turn, check: r.Check) -> str:
    """The DC from now on, in words."""
    return _in_words(turn.words, turn.table, check, "dc.now", "dc.moved")


def _in_words(words: Words, table: r.Table, check: r.Check, alone: str, with_parts: str) -> str:
    test = Test.of(check)
    if test.target is None:
        return ""
    parts = [words.say(f"dc.{_origin(table, check)}", n=test.dc), *_changes_in_words(table, check)]
    id = alone if len(parts) == 1 else with_parts
    return words.say(id, n=test.target, parts=", ".join(parts))


def _origin(table: r.Table, check: r.Check) -> str:
    """The source of a test's DC: a player, the conflict, or the Keeper."""
    conflict = table.traits.get(Test.of(check).conflict)
    if "dc" in check.suggested:
        return "suggested"
    if conflict is not None and Conflict.of(conflict).dc == Test.of(check).dc:
        return "usual"
    return "set"
