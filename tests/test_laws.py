"""The first five laws of docs/architecture.md, each with tests named after it."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import get_args

import pytest

import storypool
from storypool.engine import rules, table
from storypool.engine.decisions import decide
from storypool.engine.dice import Die
from storypool.engine.events import CheckOpened, Event, MoveMade, PointsSet, Record
from storypool.engine.fold import evolve, fold
from storypool.engine.offers import offer, offers
from storypool.engine.refusal import Refused
from storypool.engine.sight import audience, shown, view
from storypool.engine.table import GM_ONLY, Points, Purse, Seat, Table, Use
from tests.games.tiny import game as tiny
from tests.sample_table import SEATS, Evening

ROOT = Path(storypool.__file__).parent
ENGINE = ROOT / "engine"
DECIDING = sorted(str(file.relative_to(ENGINE)) for file in ENGINE.rglob("*.py"))


def _first(die: Die) -> int:
    return die.first


# 1. Every possible move is offered.


@pytest.mark.parametrize("seat", ["mona", "ann", "vera"])
@pytest.mark.parametrize("level", ["strict", "warn", "log"])
def test_law_1_every_move_is_offered(seat: str, level: str) -> None:
    """Each move of a seat's side is open or closed with the reason of its refusal."""
    evening = Evening(enforcement=level)
    evening.make("ann", "check.declare", {"as": "pash", "pool": "2 coin"})
    listed = {one.key: one for one in offers(evening.system, evening.table, seat)}
    assert {
        move.key for move in evening.system.moves if evening.table.seats[seat].side in move.by
    } == set(listed)
    for key, one in listed.items():
        if one.closed is not None:
            with pytest.raises(Refused) as no:
                decide(evening.system, evening.table, seat, key, {}, roll=_first)
            assert one.closed.text == no.value.refusal.text
    for move in evening.system.moves:
        if move.key not in listed:
            with pytest.raises(Refused) as no:
                decide(evening.system, evening.table, seat, move.key, {}, roll=_first)
            assert "identity" == no.value.refusal.code


def test_law_1_other_modules_read_offers() -> None:
    """No module above the rules reads a move's row for permissions: only offers and refusals."""
    looks = []
    for room in ("web", "cli", "live", "play"):
        for file in sorted((ROOT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Attribute) and node.attr in ("only_if", "window", "body"):
                    looks.append(f"{file.relative_to(ROOT)}: {node.attr}")
    # The reference prints the rows; a request to the server has a body of its own.
    assert [] == [
        one
        for one in looks
        if "reference" not in one and not (one.startswith("web") and "body" in one)
    ]


# 2. Rules run once.


def _functions(module: object) -> Iterator[ast.FunctionDef]:
    file = getattr(module, "__file__", None)
    assert isinstance(file, str)
    yield from (
        node
        for node in ast.walk(ast.parse(Path(file).read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
    )


def test_law_2_rules_run_once() -> None:
    """A log gives its table without its game: changed rules keep the past."""
    evening = Evening()
    evening.make("ann", "check.declare", {"as": "pash", "pool": "2 coin"})
    evening.make("ann", "luck.spend")
    evening.make("ann", "check.roll", faces=[1, 1, 2])
    evening.make("ann", "check.close")
    before = evening.table

    def nobody(*_: object) -> Iterator[Event]:
        raise AssertionError("a rule ran again")

    gone = [
        replace(move, body=nobody, when=nobody, only_if=(nobody,))  # type: ignore[arg-type]
        for move in evening.system.moves
    ]
    rows = {"moves": tuple(gone), "reactions": ((PointsSet, nobody),), "reader": lambda _: nobody}
    evening.system = replace(evening.system, **rows)  # type: ignore[arg-type]
    assert before == fold(evening.records)
    assert (2, 1) == (before.balance("luck"), before.balance("doom"))


def test_law_2_evolve_knows_no_rule() -> None:
    """Folding knows table and events, but no rules, words or games, so it cannot run one."""
    imported: set[str] = set()
    for name in ("table", "events", "fold"):
        tree = ast.parse((ENGINE / f"{name}.py").read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module == "storypool.engine":
                imported |= {f"{node.module}.{alias.name}" for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add(str(node.module))
    standard = {"__future__", "collections.abc", "dataclasses", "enum", "typing"}
    known = {f"storypool.engine.{name}" for name in ("bag", "copies", "dice", "table", "events")}
    assert known == imported - standard


def test_law_2_body_runs_once_for_a_move() -> None:
    """Deciding a move runs its body once, and offering or viewing it never."""
    ran = []

    @rules.move("bell.ring")
    def ring(turn: rules.Turn) -> Iterator[Event]:
        """Ring the bell"""
        ran.append(turn.table.seq)
        yield PointsSet("doom", "", 1, 1, "the bell")

    evening = Evening(replace(tiny.SYSTEM, moves=(*tiny.SYSTEM.moves, ring)))
    offers(evening.system, evening.table, "ann")
    offer(evening.system, evening.table, "ann", "bell.ring", {})
    assert [] == ran
    evening.make("ann", "bell.ring")
    fold(evening.records)
    assert 1 == len(ran)


# 3. Nothing is sent out before it is stored: tests/test_live_*.py hold it. What it rests on is held
#    here.


@pytest.mark.parametrize("name", DECIDING)
def test_law_3_deciding_has_no_effects(name: str) -> None:
    """Folding and deciding have no clock, chance, store or wire."""
    tree = ast.parse((ENGINE / name).read_text(encoding="utf-8"))
    imported: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(str(node.module))
    reaching = (
        "time",
        "random",
        "secrets",
        "os",
        "io",
        "asyncio",
        "threading",
        "socket",
        "apsw",
        "logging",
        "pathlib",
    )
    assert set() == imported & set(reaching)
    assert [] == [
        one
        for one in imported
        if one.startswith(("storypool.log", "storypool.live", "storypool.web"))
    ]
    called = {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert set() == called & {"open", "print", "input", "exec", "eval", "__import__"}
    clocks = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert set() == clocks & {"now", "utcnow", "today", "monotonic", "perf_counter", "time_ns"}


def test_law_3_deciding_changes_no_table() -> None:
    """A decided move changes nothing until its events are kept."""
    evening = Evening()
    evening.make("ann", "check.declare", {"as": "pash", "pool": "2 coin"})
    given = evening.table
    before = repr(given)
    events = decide(evening.system, given, "ann", "luck.spend", {}, roll=_first)
    assert len(events) > 2
    assert before == repr(given)


def test_law_3_chance_is_an_argument() -> None:
    """Equal table, move and dice give equal events; without given dice nothing is rolled."""
    evening = Evening()
    evening.make("ann", "check.declare", {"as": "pash", "pool": "2 coin weight"})
    faces: Mapping[str, int] = {"coin": 1, "weight": 3}

    def rigged(die: Die) -> int:
        return faces[die.name]

    first = decide(evening.system, evening.table, "ann", "check.roll", {}, roll=rigged)
    assert first == decide(evening.system, evening.table, "ann", "check.roll", {}, roll=rigged)
    with pytest.raises(Refused, match="No dice are rolled here"):
        decide(evening.system, evening.table, "ann", "check.roll", {}, roll=None)


# 4. Nobody gets what they may not see.


def test_law_4_hidden_records_stay_hidden() -> None:
    """A hidden record is whole for its seats, and a number and time for others."""
    evening = Evening()
    evening.make("mona", "trait.set", text="The butler did it", secret=True)
    for name, side in SEATS:
        seat = Seat(name.lower(), name, side)
        own = view(evening.records, seat)
        assert len(evening.records) == len(own)
        assert (side == "gm") == ("butler" in repr(own))
        assert ("butler" in repr(own)) == any(trait.text for trait in fold(own).traits.values())
    hidden = next(record for record in evening.records if record.seen_by)
    assert Record(hidden.seq, None, "", hidden.at, None) == shown(
        hidden, evening.table.seats["ann"]
    )
    assert [None] == [record.event for record in view([hidden], None)]


def test_law_4_shown_record_hides_its_audience() -> None:
    """A permitted seat sees the whole event, but not the list of seats."""
    evening = Evening()
    evening.make("ann", "table.say", text="I have the map", secret=True)
    record = evening.records[-1]
    assert ("@gm", "ann") == record.seen_by
    assert record.event == shown(record, evening.table.seats["ann"]).event
    assert shown(record, evening.table.seats["ann"]).seen_by is None
    assert shown(record, evening.table.seats["bo"]).event is None


def test_law_4_every_kind_of_event_has_an_audience() -> None:
    """Each kind of event has its audience, from the rules or from its subject."""
    kinds = get_args(Event)
    assert len(kinds) > 20
    for kind in kinds:
        names = {one.name for one in fields(kind)}
        if "seen_by" in names:
            made = kind(**{n: GM_ONLY if n == "seen_by" else "" for n in names})
            assert GM_ONLY == audience(made)
        subject = (
            names & {"character", "trait", "paper", "proposal", "check"}
            if "seen_by" not in names
            else set()
        )
        for name in subject:
            assert GM_ONLY == audience(kind(**{name: Seen()}))
        if "seen_by" not in names and not subject:
            assert audience(kind(**dict.fromkeys(names, ""))) is None


class Seen:
    """Something that only game masters may see."""

    seen_by = read_by = GM_ONLY


def test_law_4_requests_set_no_audience() -> None:
    """Moves refuse an argument of that name, and the rules decide about the record."""
    evening = Evening()
    assert "argument" == evening.refused("ann", "table.say", text="hush", seen_by=["ann"]).code
    evening.make("ann", "table.say", text="hush", secret="yes")
    assert [("@gm", "ann")] * 2 == [record.seen_by for record in evening.records[-2:]]


def test_law_4_hidden_subjects_hide_their_moves() -> None:
    """A move on something hidden is hidden with its arguments and effects."""
    evening = Evening()
    evening.make("mona", "character.add", name="Lurker", secret=True)
    start = len(evening.records)
    evening.make("mona", "points.correct", account="lurker.nerve", to=2, why="it waits")
    evening.make("mona", "trait.set", text="It is hungry", about="lurker")
    evening.make("mona", "nerve.lose", who="lurker")
    evening.make("mona", "check.declare", {"as": "lurker", "pool": "coin"})
    assert {GM_ONLY} == {record.seen_by for record in evening.records[start:]}
    assert "lurker" not in repr(view(evening.records, evening.table.seats["ann"])).lower()


def test_law_4_answers_reveal_nothing_hidden() -> None:
    """A player who names something hidden gets the words for something unknown."""
    evening = Evening()
    evening.make("mona", "character.add", name="Lurker", secret=True)
    evening.make("mona", "check.declare", {"as": "lurker", "pool": "coin"})
    check = next(iter(evening.table.checks))
    there, absent = (
        evening.refused("ann", "nerve.lose", who=name).text for name in ("lurker", "nobody")
    )
    assert absent == there.replace("lurker", "nobody")
    assert evening.refused("ann", "check.roll", check="c999") == evening.refused(
        "ann", "check.roll", check=check
    )
    assert "lurker" not in repr(offers(evening.system, evening.table, "ann")).lower()


def test_law_4_open_actions_name_nobody_hidden() -> None:
    """The GM must reveal a character before a public action against it."""

    @rules.move("ambush.set", by=["gm"])
    def ambush(turn: rules.Turn) -> Iterator[Event]:
        """Set an ambush"""
        yield CheckOpened(table.Check(turn.own_check, "oska", "players", against="lurker"))

    evening = Evening(replace(tiny.SYSTEM, moves=(*tiny.SYSTEM.moves, ambush)))
    evening.make("mona", "character.add", name="Lurker", secret=True)
    assert "Lurker is hidden" in evening.refused("mona", "ambush.set", override=True).text


# 5. Where the book prints a table, it is data.


@pytest.mark.slow
def test_law_5_tables_are_data() -> None:
    """Printed tables of a book are TOML next to the code, not written in Python."""
    from storypool import systems

    for key, game in systems.find().items():
        tables = {
            file.name for file in systems.folder(key).iterdir() if file.name.endswith(".toml")
        }
        wanted = {"ready.toml", "words.toml"} | ({"skills.toml"} if len(game.sheet) > 9 else set())
        assert wanted <= tables, key
    long = []
    for file in sorted((ROOT / "systems").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Dict | ast.List | ast.Tuple):
                entries = node.values if isinstance(node, ast.Dict) else node.elts
                rows = [e for e in entries if isinstance(e, ast.Dict) and len(e.keys) > 2]
                if len(rows) > 3:
                    long.append(f"{file.relative_to(ROOT)}:{node.lineno}")
    assert [] == long


def test_law_5_move_is_a_row_and_a_body() -> None:
    """A row has actor, condition, price, limit and questions; the body generates events."""
    import inspect

    for move in tiny.SYSTEM.moves:
        assert inspect.isgeneratorfunction(move.body)
        assert move.title == (move.body.__doc__ or "").strip().partition("\n")[0].rstrip(".")
    with pytest.raises(ValueError, match="needs a docstring"):
        rules.move("no.title")(lambda turn: [])


def test_record_is_plain_json() -> None:
    """A log in JSON, sent or stored, has only objects, lists, texts, integers and booleans."""
    from storypool.log import codec

    evening = Evening()
    evening.make("ann", "check.declare", {"as": "pash", "pool": "2 coin"})
    for record in evening.records:
        data = json.loads(codec.record_json(record))
        assert codec.record_json(record) == codec.to_json(data).encode()
        assert record == codec.from_dict(data)
        assert record == codec.from_row(*codec.to_row(record))


def test_evolve_sets_and_counts() -> None:
    """An event changes only what it names, and each record, hidden or not, counts as one."""
    start = Table(points=Points({Purse("luck"): 2}))
    after = evolve(start, PointsSet("luck", "", 5, 3, "found"))
    assert replace(start, points=Points({Purse("luck"): 5}), seq=1) == after
    assert replace(after, seq=2) == evolve(after, None)
    counted = evolve(after, MoveMade("a.b", "ann", {}, (Use("x"), Use("x"))))
    assert 2 == counted.uses[Use("x")]
