"""Permanent storage: names, versions, upcasts, and golden logs that are never edited."""

from __future__ import annotations

import json
import types
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from storypool.engine import table
from storypool.engine.bag import Bag
from storypool.engine.dice import Mod, Rolled
from storypool.engine.events import (
    CheckChanged,
    CheckOpened,
    DiceRolled,
    Event,
    PointsSet,
    ProposalSettled,
    Proposed,
    Record,
    Said,
    SeatTaken,
    TableOpened,
    TraitSet,
)
from storypool.engine.fold import fold
from storypool.engine.table import Check, Outcome, Points, Proposal, Purse, Trait, Use
from storypool.log import codec
from storypool.log.codec import (
    FORMS,
    UPCASTS,
    Codec,
    decode,
    encode,
    from_dict,
    from_json,
    from_row,
    record_json,
    to_json,
    to_row,
)
from storypool.log.export import export_lines, import_records, load
from storypool.log.kinds import form_of
from storypool.log.store import StoreDamaged, StoreError, StoreNewer
from tools.forms import PARTS, written_forms

LOGS = Path(__file__).parent / "logs"
GOLDEN = sorted(LOGS.glob("*.jsonl"))
"""Logs as the first format of exports had them, with what is stored of each event as its data."""
EXPORTED = sorted((LOGS / "format-2").glob("*.jsonl"))
"""The same logs in the second format, in which a record has one shape for every reader."""
EVENTS = get_args(Event)
ALL_FORMS = {made: form_of(made) for made in (*PARTS, *EVENTS)}
WRITTEN = written_forms()
"""The recorded forms of a release; additions are recorded with the next one."""
WHEN_AN_EVENT_CHANGED = (
    "What is stored changed, and not by a new event or a new field with a default: raise the"
    " version of every event that holds it in VERSIONS, add an upcast from the old version to"
    " UPCASTS, and add a new golden log to tests/logs. Golden logs that are there are never edited."
)

NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="./="))
"""Names of accounts, groups and scopes without the separators of the stored text."""

st.register_type_strategy(Bag, st.builds(Bag, st.dictionaries(st.text(), st.integers())))
st.register_type_strategy(
    Points, st.builds(Points, st.dictionaries(st.builds(Purse, NAMES, st.text()), st.integers()))
)
st.register_type_strategy(Use, st.builds(Use, NAMES, st.lists(st.tuples(NAMES, NAMES)).map(tuple)))


def golden_events(path: Path) -> list[dict[str, Any]]:
    """The events of a golden log as written, with their versions."""
    return [
        event
        for line in path.read_text("utf-8").splitlines()[1:]
        if (event := json.loads(line)["event"])
    ]


def back(event: Event) -> Event:
    """The event after a round trip through stored bytes."""
    name, v, data = encode(event)
    return decode(name, v, from_json(to_json(data)))


def test_every_event_has_a_name() -> None:
    """Every member of `table.Event` has exactly one permanent stored name."""
    assert set(EVENTS) == {form.made for _, form in FORMS.values()}
    assert len(EVENTS) == len(FORMS)


@pytest.mark.slow
@pytest.mark.parametrize("kind", EVENTS, ids=lambda kind: kind.__name__)
@given(st.data())
def test_any_event_survives_a_round_trip(kind: type, data: st.DataObject) -> None:
    """Whatever values of its types an event has, it is read back unchanged."""
    event: Event = data.draw(st.from_type(kind))
    assert event == back(event)


def test_round_trip_keeps_types() -> None:
    """Tuples and bags stay, an empty audience is not everybody, and true is not 1."""
    trait = Trait(
        "t",
        "k",
        "x",
        mods=(Mod("add", "boost"),),
        terms={"a": (), "b": ("x",), "c": (1, 2), "d": True, "e": 1},
    )
    check = Check(
        "c", "a", "gm", base=Bag(ability=-1), rolled=(Rolled("d6", 6, "hand"),),
        outcome=Outcome(None, 0, Bag()), seen_by=(),
        terms=types.MappingProxyType({"frozen": "yes"}),
    )  # fmt: skip
    for event in (TraitSet(trait), CheckOpened(check), Said("s", "x", None), Said("s", "x", ())):
        again = back(event)
        assert event == again
        assert repr(event).replace("mappingproxy({'frozen': 'yes'})", "{'frozen': 'yes'}") == repr(
            again
        )


def test_equal_events_have_equal_bytes() -> None:
    """Keys are in the order of their form and defaults are omitted."""
    row = to_row(Record(4, PointsSet("light", "", 1, -1, "upgrade"), "s2", 7, ("@gm",)))
    data = '{"account":"light","owner":"","balance":1,"delta":-1,"why":"upgrade"}'
    assert (4, 7, "s2", '["@gm"]', "points.set", 1, data) == row
    assert Record(4, PointsSet("light", "", 1, -1, "upgrade"), "s2", 7, ("@gm",)) == from_row(*row)


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        (PointsSet("light", "", 1.5, 1, ""), "balance: a whole number was expected, found 1.5"),  # type: ignore[arg-type]
        (PointsSet("light", "", True, 1, ""), "balance: a whole number"),
        (Said("s", "x", ["@gm"]), "seen_by: a tuple"),  # type: ignore[arg-type]
        (TableOpened("s", "t", {"a": None}), "options: a text"),  # type: ignore[dict-item]
        (
            TraitSet(Trait("t", "k", "x", terms={"a": ("x", 1)})),  # type: ignore[dict-item]
            "trait: terms: text, a whole number",
        ),
        (SeatTaken(table.Seat("s", "n", "boss")), "seat: side: one of gm, player, spectator"),  # type: ignore[arg-type]
        (CheckOpened(Check("c", "a", "gm", pool={"d6": 1})), "check: pool: a bag"),  # type: ignore[arg-type]
        (CheckOpened(Check("c", "a", "gm", spent=Bag(luck=1))), "check: spent: points"),  # type: ignore[arg-type]
        (
            CheckOpened(Check("c", "a", "gm", spent=Points({Purse("a.b"): 1}))),
            "check: spent: points",
        ),
        (
            Proposed(Proposal("p", "s", "m", {}, counts=(Use("a/b"),))),
            "proposal: counts: a use of a limit",
        ),
        (Proposed(Proposal("p", "s", "m", {}, counts=("a/",))), "proposal: counts: a use"),  # type: ignore[arg-type]
        (Rolled("d6", 1), "has no name in the log"),
    ],
)
def test_unreadable_value_is_refused(event: Any, reason: str) -> None:
    """A value of a wrong type is refused at its place on writing, not on reading."""
    with pytest.raises(StoreError) as refused:
        encode(event)
    assert reason in str(refused.value)


def test_purses_and_uses_are_stored_as_text() -> None:
    """The payers of a price and the counted uses of limits are stored as one text each."""
    price = Points({Purse("luck"): 1, Purse("nerve", "pash"): 2})
    uses = (Use("luck", (("check", "c5"), ("seat", "@gm"))), Use("free"))
    data = encode(Proposed(Proposal("p", "ann", "a.b", {}, price=price, counts=uses))).data[
        "proposal"
    ]
    assert {"luck": 1, "pash.nerve": 2} == data["price"]
    assert ["luck/check=c5/seat=@gm/", "free/"] == data["counts"]


@pytest.mark.parametrize("text", ["luck/check=c5", "luck/check=c5/", "luck", "", "/", "a//b=/"])
def test_uses_keep_their_text(text: str) -> None:
    """A use of a limit is written as read, with or without a final slash, for the same use."""
    settled = ProposalSettled("p1", False, "mona", freed=(Use.read(text),))
    assert [text] == encode(settled).data["freed"] == encode(back(settled)).data["freed"]
    assert (
        Use.read("luck/check=c5") == Use.read("luck/check=c5/") == Use("luck", (("check", "c5"),))
    )


def test_invalid_unicode_is_refused() -> None:
    """Half a surrogate pair cannot be stored, and the error says so."""
    with pytest.raises(StoreError, match="surrogates"):
        to_row(Record(1, Said("s", "\ud800"), "s", 0))


def test_future_events_fail_loudly() -> None:
    """An unknown name or version is not an event, and the sentence suggests a newer program."""
    with pytest.raises(
        StoreNewer, match=r"'dice\.sung', which this version does not know: install a newer"
    ):
        decode("dice.sung", 1, {})
    with pytest.raises(
        StoreNewer, match=r"words\.said of version 99, and this version reads them up to 1: install"
    ):
        decode("words.said", 99, {"seat": "s", "text": "x"})


@pytest.mark.parametrize(
    "data", [{"seat": "s"}, {"seat": "s", "text": "x", "mood": "grim"}, [1], None]
)
def test_invalid_data_fail_loudly(data: Any) -> None:
    """Data with missing or additional keys or another shape are not an event."""
    with pytest.raises(StoreDamaged, match=r"words\.said \(version 1\) that does not fit") as fault:
        decode("words.said", 1, data)
    assert "restore" not in str(fault.value)


def test_upcasts_run_in_order() -> None:
    """An old event passes every upcast up to today, and the stored data stay unchanged."""
    upcasts = {
        ("words.said", 1): lambda data: {"who": data["seat"], "text": data["text"]},
        ("words.said", 2): lambda data: {"seat": data["who"], "text": data["text"].upper()},
    }
    newer = Codec({"words.said": (3, form_of(Said))}, upcasts)
    first, second = {"seat": "s", "text": "x"}, {"who": "s", "text": "y"}
    assert Said("s", "X") == newer.decode("words.said", 1, first)
    assert Said("s", "Y") == newer.decode("words.said", 2, second)
    assert Said("s", "z") == newer.decode("words.said", 3, {"seat": "s", "text": "z"})
    assert {"seat": "s", "text": "x"} == first
    assert ("words.said", 3) == newer.encode(Said("s", "z"))[:2]
    with pytest.raises(StoreDamaged, match="which was never written: it comes from another prog"):
        newer.decode("words.said", 0, first)


def test_every_old_version_has_its_upcast() -> None:
    """Each written version leads to the current one."""
    assert {(name, old) for name, (v, _) in FORMS.items() for old in range(1, v)} == set(UPCASTS), (
        WHEN_AN_EVENT_CHANGED
    )


def test_golden_logs_have_every_version() -> None:
    """Each event in each recorded version is in a golden log."""
    golden = {(event["name"], event["v"]) for path in GOLDEN for event in golden_events(path)}
    for name, keys in WRITTEN["events"].items():
        now = int(keys.split()[0].removeprefix("v"))
        assert {(name, v) for v in range(1, now + 1)} <= golden, WHEN_AN_EVENT_CHANGED


def test_golden_logs_have_every_key() -> None:
    """Each recorded key is there, so none can be renamed unnoticed."""
    golden: dict[Any, set[str]] = {made: set() for made in ALL_FORMS}

    def note(value: Any) -> None:
        if type(value) in golden:
            golden[type(value)] |= ALL_FORMS[type(value)].write(value).keys()
            for key in ALL_FORMS[type(value)].keys:
                note(getattr(value, key))
        elif isinstance(value, tuple):
            for one in value:
                note(one)

    for path in GOLDEN:
        for record in import_records(path.read_bytes().splitlines(keepends=True)):
            note(record.event)
    for name, made in codec.EVENTS.items():
        assert set(WRITTEN["events"].get(name, "").split()[1:]) <= golden[made], (
            WHEN_AN_EVENT_CHANGED
        )
    for made in PARTS:
        assert set(WRITTEN["parts"].get(made.__name__, "").split()) <= golden[made], (
            WHEN_AN_EVENT_CHANGED
        )


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.name)
def test_golden_logs_are_written_the_same(path: Path) -> None:
    """Current versions are stored byte for byte as they were."""
    lines = path.read_bytes().splitlines(keepends=True)
    for then, record in zip(lines[1:], load(lines), strict=True):
        written = json.loads(then)
        event = written["event"]
        if event is not None and event["v"] == FORMS[event["name"]][0]:
            row = to_row(record)
            stored = (event["name"], event["v"], to_json(event["data"]))
            assert stored == (row.name, row.v, row.data), WHEN_AN_EVENT_CHANGED
            assert (written["seq"], written["at"], written["seat"]) == row[:3]
            audience = written.get("seen_by")
            assert record.seen_by == (None if audience is None else tuple(audience))


def within(then: Any, now: Any) -> bool:
    """Whether written data have all that was written before; fields may have been added."""
    if isinstance(then, dict):
        return isinstance(now, dict) and all(
            key in now and within(value, now[key]) for key, value in then.items()
        )
    if isinstance(then, list):
        return isinstance(now, list) and len(then) == len(now) and all(map(within, then, now))
    return type(then) is type(now) and bool(then == now)


def test_exports_are_written_the_same() -> None:
    """Each golden log is exported with all that it had, and either format gives its records."""
    assert [path.name for path in GOLDEN] == [path.name for path in EXPORTED]
    for older, path in zip(GOLDEN, EXPORTED, strict=True):
        records = load(path)
        assert records == load(older)
        written = [json.loads(line) for line in export_lines(records)][1:]
        lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()][1:]
        assert [] == [
            then for then, now in zip(lines, written, strict=True) if not within(then, now)
        ]


@given(st.data())
def test_any_event_survives_an_export(data: st.DataObject) -> None:
    """Whatever can be stored is exported with all fields of its event, and read back."""
    event: Event = data.draw(st.one_of(*map(st.from_type, EVENTS)))
    record = Record(1, event, "s1", 7, data.draw(st.from_type(tuple[str, ...]) | st.none()))
    try:
        to_row(record)
    except StoreError:
        reject()
    sent = from_json(record_json(record))
    assert record == from_dict(sent)
    assert {"type", "v"} | {field.name for field in fields(event)} == sent["event"].keys()


def test_golden_log_of_version_1_gives_its_table() -> None:
    """The first golden log folds into the table of its records."""
    records = import_records((LOGS / "events-v1.jsonl").read_bytes().splitlines(keepends=True))
    made = fold(records)
    assert (25, "starwars", "The Longer Haul", {"enforcement": "warn"}) == (
        made.seq,
        made.system,
        made.title,
        made.options,
    )
    assert [("s1", "gm", True), ("s2", "player", True), ("s3", "spectator", False)] == [
        (seat.id, seat.side, seat.here) for seat in made.seats.values()
    ]
    assert {
        "agility": 3, "career": "pilot", "force": False, "skills": ("cool", "piloting"),
        "ranks": (2, 1), "gear": (),
    } == made.characters["pash"].sheet  # fmt: skip
    assert ("gm", ("@gm",)) == (made.characters["spy"].side, made.characters["spy"].seen_by)
    assert (2, -1) == (made.balance("light"), made.balance("strain", "spy"))
    # The session that was ended at record 23 is running again: the rewind went back to record 22.
    assert (1, ("session",)) == (made.periods["session"], made.running)
    assert ["t2"] == list(made.traits)
    assert ({}, {}) == (made.checks, made.proposals)


def test_golden_log_of_version_1_has_its_values() -> None:
    """The first golden log has exactly these values, whatever today's class names are."""
    events = {
        record.seq: record.event
        for record in import_records((LOGS / "events-v1.jsonl").read_bytes().splitlines())
    }
    changed = events[20]
    assert isinstance(changed, CheckChanged)
    assert Bag(ability=1, difficulty=1) == changed.check.pool
    assert (Mod("downgrade", "challenge"), Mod("remove", "setback")) == changed.check.mods
    assert (
        Outcome(True, 1, Bag(success=1, advantage=-2), "It opens, loudly.") == changed.check.outcome
    )
    rolled = events[19]
    assert isinstance(rolled, DiceRolled)
    assert (Rolled("ability", 3, "server"), Rolled("difficulty", 8, "hand")) == rolled.rolled
    assert Said("s2", "“Ça va” – said quietly", ()) == events[21]
    assert events[24] is None
