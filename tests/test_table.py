"""The table and its log: folding, rewinds and audiences."""

from __future__ import annotations

import inspect
import re
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storypool.engine.bag import Bag, Multiset
from storypool.engine.copies import replace as copied
from storypool.engine.events import (
    CharacterSet,
    CheckChanged,
    CheckClosed,
    CheckOpened,
    DiceBound,
    DiceRolled,
    Event,
    MoveMade,
    OptionsSet,
    PeriodBegan,
    PeriodEnded,
    PointsSet,
    ProposalSettled,
    Proposed,
    Record,
    Rewound,
    RulesChanged,
    Said,
    SeatTaken,
    TableOpened,
    TraitRemoved,
    TraitSet,
)
from storypool.engine.fold import evolve, fold, fold_on
from storypool.engine.sight import may_see, records_of, seen, shown, view
from storypool.engine.table import (
    GM_ONLY,
    Binding,
    Character,
    Check,
    Points,
    Proposal,
    Purse,
    Seat,
    Table,
    Trait,
    Use,
)
from storypool.systems import get

MONA, ANN, BO = Seat("mona", "Mona", "gm"), Seat("ann", "Ann", "player"), Seat("bo", "Bo", "player")
AUDIENCES = st.sampled_from([None, GM_ONLY, ("ann",), ("@gm", "bo"), ("@player",), ()])


def log(*events: Event) -> list[Record]:
    """These events as a log from its first record."""
    return records_of(events, "mona", 0, 0)


OPENED = TableOpened("tiny", "A table", {})
SEATED = (SeatTaken(MONA), SeatTaken(ANN), SeatTaken(BO))


@pytest.mark.parametrize(
    ("event", "change"),
    [
        (OPENED, {"system": "tiny", "title": "A table"}),
        (OptionsSet({"a": "b"}, "New"), {"options": {"a": "b"}, "title": "New"}),
        (
            RulesChanged("k", "text", {"a": "b"}, ("So.",)),
            {"system": "k", "game": "text", "options": {"a": "b"}},
        ),
        (SeatTaken(ANN), {"seats": {"ann": ANN}}),
        (CharacterSet(Character("p", "P")), {"characters": {"p": Character("p", "P")}}),
        (
            PeriodBegan("scene", 3, "x"),
            {
                "periods": Bag(scene=3),
                "running": ("scene",),
                "titles": {"scene": "x"},
                "began": Bag(scene=1),
            },
        ),
        (PeriodEnded("scene", 3), {}),
        (
            MoveMade("a.b", "ann", {}, (Use("x"),)),
            {"uses": Multiset([Use("x")]), "last_move": "a.b", "last_seat": "ann", "undo_to": 0},
        ),
        (
            MoveMade("a.b", "mona", {}, seen_by=GM_ONLY),
            {"last_move": "a.b", "last_seat": "mona"},
        ),
        (
            Proposed(Proposal("p1", "ann", "a.b", {})),
            {"proposals": {"p1": Proposal("p1", "ann", "a.b", {})}},
        ),
        (PointsSet("luck", "", 2, 2, "why"), {"points": Points({Purse("luck"): 2})}),
        (PointsSet("nerve", "p", 2, 2, "why"), {"points": Points({Purse("nerve", "p"): 2})}),
        (CheckOpened(Check("c1", "p", "gm")), {"checks": {"c1": Check("c1", "p", "gm")}}),
        (CheckChanged(Check("c1", "p", "gm")), {"checks": {"c1": Check("c1", "p", "gm")}}),
        (TraitSet(Trait("t1", "fact", "so")), {"traits": {"t1": Trait("t1", "fact", "so")}}),
        (DiceRolled("", "ann", ()), {"dice_at": 1}),
        (DiceRolled("", "mona", (), seen_by=GM_ONLY), {"dice_at": 0}),
        (Said("ann", "hello"), {}),
    ],
)
def test_event_changes_only_its_subject(event: Event, change: dict[str, object]) -> None:
    """Each event changes what it names and nothing else."""
    assert replace(Table(), seq=1, **change) == evolve(Table(), event)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("before", "event", "gone"),
    [
        (Table(traits={"t1": Trait("t1", "fact", "so")}), TraitRemoved("t1"), "traits"),
        (Table(checks={"c1": Check("c1", "p", "gm")}), CheckClosed("c1", "done"), "checks"),
        (
            Table(proposals={"p1": Proposal("p1", "a", "b", {})}),
            ProposalSettled("p1", True, "mona"),
            "proposals",
        ),
        (Table(running=("session",)), PeriodEnded("session", 1), "running"),
    ],
)
def test_ending_event_removes_one_thing(before: Table, event: Event, gone: str) -> None:
    """An ended thing leaves the table; ending an unknown one changes only the count."""
    after = evolve(before, event)
    assert not getattr(after, gone)
    assert replace(after, seq=2) == evolve(after, event)


def test_evolve_knows_every_kind_of_event() -> None:
    """No kind is skipped: each except a rewind makes the next table."""
    known = re.findall(r"events\.(\w+)\(", inspect.getsource(evolve))
    assert {kind.__name__ for kind in get_args(Event)} == set(known)
    with pytest.raises(ValueError, match="needs the log before it"):
        evolve(Table(), Rewound(1))


def test_binding_of_the_next_roll_is_not_rewound() -> None:
    """Each binding record replaces its predecessor, and an undo does not restore it."""
    first = Record(2, DiceBound("t.e", 0, "aa", ("ann=11",)), "", 0)
    then = Record(
        3, DiceBound("t.e", 1, "bb", sealed=("bo=22",), seed="cc", numbers=("dd",)), "", 0
    )
    back = Record(4, Rewound(1), "gm", 0)
    made = fold([Record(1, OPENED, "", 0), first, then, back])
    assert Binding("t.e", 2, "bb", ("bo=22",), frozenset({"ann", "bo"})) == made.binding
    again = evolve(made, DiceBound("t.f", 0, "ee", ()))
    assert Binding("t.f", 1, "ee", ()) == again.binding


def test_closing_a_check_forgets_its_limits() -> None:
    """Uses within an action go with it; others' and the session's stay."""
    ann = ("seat", "ann")
    used = (
        Use("point", (("check", "c1"), ann)),
        Use("point", (("check", "c12"), ann)),
        Use("roll", (("session", "1"),)),
    )
    before = evolve(Table(checks={"c1": Check("c1", "p", "gm")}), MoveMade("a.b", "ann", {}, used))
    assert Multiset(used[1:]) == evolve(before, CheckClosed("c1", "done")).uses


def test_freed_limit_is_never_negative() -> None:
    """A declined proposal frees its use, unless it went with its action."""
    waits = Table(proposals={"p1": Proposal("p1", "ann", "a.b", {})}, uses=Multiset([Use("x")]))
    settled = ProposalSettled("p1", False, "mona", freed=(Use("x"), Use("y", (("check", "c1"),))))
    assert Multiset() == evolve(waits, settled).uses


# Rewinding.


def test_rewind_restores_the_table() -> None:
    """Everything is as before, except the number of records and the seats."""
    records = log(
        OPENED, SeatTaken(MONA), PointsSet("luck", "", 2, 2, ""), SeatTaken(ANN), Rewound(2)
    )
    table = fold(records)
    assert (0, 5) == (table.balance("luck"), table.seq)
    assert {"mona": MONA, "ann": ANN} == table.seats


def test_rewind_crosses_rewinds() -> None:
    """It may go before, between or after earlier ones, to the table of that record."""
    points = [PointsSet("luck", "", n, 1, "") for n in range(1, 4)]
    records = log(OPENED, *points, Rewound(2), Rewound(4), Rewound(5), Rewound(1))
    assert [0, 1, 2, 3, 1, 3, 1, 0] == [fold(records[: n + 1]).balance("luck") for n in range(8)]


def test_many_rewinds_are_folded_once_each() -> None:
    """A log of only rewinds is folded in one pass, with each table computed once."""
    records = log(OPENED, *(Rewound(n) for n in range(1, 400)))
    assert 400 == fold(records).seq


@pytest.mark.parametrize("to", [2, 3, 99, -1])
def test_invalid_rewind_is_an_error(to: int) -> None:
    """A log that rewinds to itself or later reports it instead of looping."""
    with pytest.raises(ValueError, match="not there yet"):
        fold(log(OPENED, Rewound(to)))


def test_folding_in_parts_is_folding() -> None:
    """Folding a log in two parts gives the same table as folding it whole."""
    records = log(
        OPENED,
        *SEATED,
        PointsSet("luck", "", 1, 1, ""),
        Rewound(3),
        PointsSet("luck", "", 2, 2, ""),
    )
    for cut in range(len(records)):
        kept = fold(records[:cut])
        assert fold(records) == fold_on(kept, records[cut:], lambda seq: fold(records[:seq]))


# Audiences.


@given(AUDIENCES)
def test_audiences(audience: tuple[str, ...] | None) -> None:
    """A seat sees records that are public or for its id or side; nobody sees only public ones."""
    for seat in (MONA, ANN, BO):
        named = audience is not None and {seat.id, f"@{seat.side}"} & set(audience)
        assert (audience is None or bool(named)) == may_see(seat, audience)
    assert (audience is None) == may_see(None, audience)


@given(st.lists(AUDIENCES, max_size=12))
def test_view_keeps_length_and_numbers(audiences: list[tuple[str, ...] | None]) -> None:
    """It has each record's number and time, whole or empty."""
    records = [
        Record(n, Said("bo", f"word {n}"), "bo", n * 7, one) for n, one in enumerate(audiences, 1)
    ]
    for seat in (MONA, ANN, BO, None):
        own = view(records, seat)
        assert [(r.seq, r.at) for r in records] == [(r.seq, r.at) for r in own]
        for record, mine in zip(records, own, strict=True):
            if may_see(seat, record.seen_by):
                assert (record.event, record.seat) == (mine.event, mine.seat)
            else:
                assert (None, "") == (mine.event, mine.seat)
            assert mine.seen_by is None


def test_second_view_shows_no_more() -> None:
    """Viewing a view as another seat reveals nothing, since the hidden is not in it."""
    record = Record(4, Said("mona", "hush"), "mona", 9, GM_ONLY)
    assert shown(shown(record, ANN), MONA) == shown(record, ANN)


def test_seen_table_folds_the_seats_log() -> None:
    """A seat sees the table that its own log gives."""
    hidden, known = Character("h", "H", "gm", seen_by=GM_ONLY), Character("k", "K", "gm")
    records = log(
        OPENED,
        *SEATED,
        CharacterSet(hidden),
        CharacterSet(known),
        PointsSet("nerve", "h", 2, 2, "", seen_by=GM_ONLY),
        PointsSet("nerve", "k", 1, 1, ""),
        TraitSet(Trait("t1", "fact", "so", seen_by=GM_ONLY)),
        CheckOpened(Check("c1", "h", "gm", seen_by=GM_ONLY)),
        Proposed(Proposal("p1", "ann", "a.b", {}, seen_by=("@gm", "ann"))),
    )
    whole = fold(records)
    for seat in (MONA, ANN, BO):
        assert seen(whole, seat) == replace(fold(view(records, seat)), undo_to=whole.undo_to)
    assert {"k.nerve": 1} == seen(whole, ANN).points.written()
    assert {"h.nerve": 2, "k.nerve": 1} == seen(whole, MONA).points.written()


def test_records_have_their_events_audience() -> None:
    """Events become consecutive records with the audience set by the rules."""
    events = (
        Said("bo", "a"),
        Said("bo", "b", GM_ONLY),
        CharacterSet(Character("h", "H", seen_by=GM_ONLY)),
    )
    records = records_of(events, "bo", 10, 77)
    assert [(11, None), (12, GM_ONLY), (13, GM_ONLY)] == [(r.seq, r.seen_by) for r in records]
    assert {("bo", 77)} == {(r.seat, r.at) for r in records}


def test_balance_of_table_and_of_character() -> None:
    """A balance is found by account, or owner and account, and is 0 if missing."""
    table = Table(points=Points({Purse("luck"): 2, Purse("luck", "pash"): 3}))
    assert (2, 3, 0) == (
        table.balance("luck"),
        table.balance("luck", "pash"),
        table.balance("luck", "oska"),
    )


def test_cached_values_are_not_copied() -> None:
    """A changed game would otherwise keep the earlier moves by key."""
    with pytest.raises(TypeError, match="System keeps what it has worked out"):
        copied(get("tiny"), name="Another")
