"""Answers that are given again: for as long as all that they read is the same, no matter who asks,
and no longer.
"""

from __future__ import annotations

import copy
import gc
import pickle
from collections.abc import Callable
from dataclasses import dataclass, fields
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from storypool.engine.bag import Bag, Multiset
from storypool.engine.copies import replace
from storypool.engine.game.moves import Limit
from storypool.engine.game.state import State, StateError
from storypool.engine.game.turn import Turn
from storypool.engine.recall import Memory, judged, question, recalling
from storypool.engine.recall.ids import Id
from storypool.engine.sight import check_in_sight, known_to, seen
from storypool.engine.table import (
    GM_ONLY,
    Binding,
    Character,
    Check,
    Outcome,
    Points,
    Purse,
    Seat,
    Table,
    Trait,
    Use,
)
from tests.games.tiny import game as tiny

ANN, BO, GM = Seat("ann", "Ann", "player"), Seat("bo", "Bo", "player"), Seat("gm", "Mira", "gm")
CHECK = Check("c5", "pash", "players", "ann", "Slip past", terms={"skill": "stealth"})
PASH = Character("pash", "Pash", seat="ann", sheet={"agility": 3})
RAIN, TRAP = Trait("t1", "fact", "It rains"), Trait("t2", "boost", "High ground", about="pash")
TABLE = Table(
    "tiny",
    "The long night",
    {"trust": "gm_agrees"},
    seats={one.id: one for one in (ANN, BO, GM)},
    characters={"pash": PASH},
    points=Points.of_the_table({"luck": 2, "doom": 1}),
    traits={"t1": RAIN, "t2": TRAP},
    checks={"c5": CHECK},
    seq=7,
)
IN_TURN = [("c5", "pash"), ("c6", "oska"), ("c7", "pash")]
OTHER: dict[type, dict[str, Any]] = {
    Table: {
        "system": "lantern",
        "game": "format = 1",
        "title": "Dawn",
        "options": {"trust": "players_set"},
        "seats": {"ann": ANN},
        "characters": {},
        "points": Points(),
        "traits": {},
        "checks": {},
        "proposals": {"p1": object()},
        "uses": Multiset([Use("luck")]),
        "periods": Bag(scene=1),
        "running": ("scene",),
        "titles": {"scene": "The docks"},
        "began": Bag(scene=3),
        "undo_to": 1,
        "redo_to": 1,
        "undo_seen_by": GM_ONLY,
        "redo_seen_by": GM_ONLY,
        "open_undo_to": 1,
        "last_move": "check.roll",
        "last_seat": "bo",
        "ended_after": "spend.buy",
        "dice_at": 2,
        "binding": Binding("row", 1, "next", ()),
        "seq": 8,
    },
    Check: {
        "id": "c9",
        "actor": "oska",
        "side": "gm",
        "by": "bo",
        "title": "Run",
        "against": "vey",
        "base": Bag(ability=1),
        "mods": (object(),),
        "pool": Bag(ability=1),
        "terms": {"skill": "cool"},
        "phase": "rolled",
        "windows": ("gm",),
        "rolled": (object(),),
        "outcome": Outcome(True, 1, Bag()),
        "left": Bag(advantage=1),
        "owed": Bag(luck=1),
        "spent": Points.of_the_table({"luck": 1}),
        "suggested": {"difficulty": "Hard"},
        "seen_by": GM_ONLY,
    },
    Seat: {"id": "bo", "name": "Bo", "side": "gm", "here": False},
}
"""Another value for each field of what is read."""


class Asked:
    """A question about a table, with how often it was worked out."""

    def __init__(self, work: Callable[[Table, Seat], Any], blank: bool = False) -> None:
        self.work, self.memory, self.times = work, Memory(blank), 0

    def __call__(self, table: Table = TABLE, seat: Seat = ANN) -> Any:
        """Return the answer for this seat, and see that it is what the rules answer."""

        def count(table: Table, seat: Seat) -> Any:
            self.times += 1
            return self.work(table, seat)

        found = self.memory.answer("question", self.memory.view(table, seat), count)
        assert repr(self.work(table, seat)) == repr(found)
        return found


@pytest.mark.parametrize("name", [one.name for one in fields(Table)])
def test_an_answer_holds_until_the_part_of_the_table_changes_that_it_read(name: str) -> None:
    """For each field of a table: after another one has changed the answer is given again, after
    this one made again.
    """
    assert set(OTHER[Table]) == {one.name for one in fields(Table)}
    asked = Asked(lambda table, _: repr(getattr(table, name)))
    asked()
    for other, value in OTHER[Table].items():
        if other != name:
            asked(replace(TABLE, **{other: value}))
    assert 1 == asked.times
    asked(replace(TABLE, **{name: OTHER[Table][name]}))
    assert 2 == asked.times


@pytest.mark.parametrize("name", [one.name for one in fields(Check)])
def test_an_answer_holds_until_the_part_of_the_action_changes_that_it_read(name: str) -> None:
    """For each field of an action, by its id and as the one that a seat means."""
    assert set(OTHER[Check]) == {one.name for one in fields(Check)}
    for find in (
        lambda table, seat: table.checks["c5"],
        lambda table, seat: check_in_sight(table, seat),
    ):
        asked = Asked(lambda table, seat, find=find: getattr(find(table, seat), name))  # type: ignore[misc]
        asked(seat=GM)
        for other, value in OTHER[Check].items():
            changed = replace(TABLE, checks={"c5": replace(CHECK, **{other: value})})
            times = asked.times
            asked(changed, GM)
            assert times + (other == name) == asked.times, other


@pytest.mark.parametrize("name", [one.name for one in fields(Seat)])
def test_seats_share_an_answer_that_read_no_difference(name: str) -> None:
    """An answer is another seat's too, unless it read what is another of that seat."""
    asked = Asked(lambda _, seat: getattr(seat, name))
    asked()
    for other, value in OTHER[Seat].items():
        times = asked.times
        asked(seat=replace(ANN, **{other: value}))
        assert times + (other == name) == asked.times, other


def test_balances_differ_by_their_purses() -> None:
    """An answer that looked into one purse holds while the others change, and one about all of them
    does not.
    """
    one, every = (
        Asked(lambda table, _: table.balance("luck")),
        Asked(lambda table, _: list(table.points.items())),
    )
    fewer, other = (
        replace(TABLE, points=TABLE.points.with_count(Purse(name), 9)) for name in ("luck", "doom")
    )
    for asked, times in ((one, [1, 1, 2]), (every, [1, 2, 3])):
        counted = []
        for table in (TABLE, other, fewer):
            asked(table)
            counted.append(asked.times)
        assert times == counted
    # In another order they are another text.
    turned = Points(dict(reversed(list(TABLE.points.items()))))
    assert [name.account for name, _ in every(replace(TABLE, points=turned))] == ["doom", "luck"]


def test_things_differ_by_what_was_looked_for() -> None:
    """An answer about a kind of traits, one character or one trait holds while others come and
    go.
    """
    kind = Asked(lambda table, _: [one.text for one in table.of_kind("fact")])
    about = Asked(
        lambda table, _: [one.text for one in table.of_kind("fact", "boost", about="pash")]
    )
    one = Asked(lambda table, _: table.traits["t1"].text if "t1" in table.traits else "")
    who = Asked(lambda table, _: table.characters.get("vey"))
    for asked in (kind, about, one, who):
        asked()
    more = replace(
        TABLE, traits={**TABLE.traits, "t3": Trait("t3", "advantage", "Fog")}, characters={}
    )
    for asked in (kind, about, one, who):
        asked(more)
        assert 1 == asked.times
    drier = replace(TABLE, traits={"t2": TRAP}, characters={"vey": replace(PASH, id="vey")})
    for asked, times in ((kind, 2), (about, 1), (one, 2), (who, 2)):
        asked(drier)
        assert times == asked.times


def test_what_there_is_of_a_kind_is_noted() -> None:
    """An answer about all characters, traits or actions is another one once there are others, or
    none.
    """
    none = replace(TABLE, characters={}, traits={}, checks={})
    for count in (
        lambda table, _: sum(1 for _ in table.characters),
        lambda table, _: sum(1 for _ in table.traits.values()),
        lambda table, _: sum(1 for _ in table.checks),
        lambda table, seat: int(check_in_sight(table, seat) is not None),
    ):
        asked = Asked(count)
        assert [0, True, 0] == [asked(none), asked() > 0, asked(none)]


def test_what_is_hidden_is_no_part_of_what_all_see() -> None:
    """What everybody knows of a table is the same however much the GM hides, and for all who read
    it.
    """
    asked = Asked(lambda table, _: [*known_to(table, None).traits])
    asked(seat=GM)
    hidden = replace(
        TABLE, traits={**TABLE.traits, "t3": Trait("t3", "fact", "A spy", seen_by=GM_ONLY)}
    )
    assert ["t1", "t2"] == asked(seen(hidden, GM), GM)


def test_a_question_is_answered_once_for_a_table() -> None:
    """What rules ask of the same table again is known, and at another table it is asked again."""
    times = []

    @question
    def balance(table: Table, name: str) -> int:
        times.append(name)
        return table.balance(name)

    poorer = replace(TABLE, points=Points())
    asked = [balance(table, name) for table in (TABLE, poorer) for name in ("luck", "doom", "luck")]
    assert [2, 1, 2, 0, 0, 0] == asked
    assert ["luck", "doom"] * 2 == times


def test_yes_is_not_one() -> None:
    """What is equal without being alike is kept apart."""
    asked = Asked(lambda table, _: table.checks["c5"].terms["x"])
    for value in (True, 1, False, 0):
        found = asked(replace(TABLE, checks={"c5": replace(CHECK, terms={"x": value})}))
        assert value is found


def test_a_copy_of_what_is_noted_is_a_plain_one() -> None:
    """A rule may ask what would be with another pool: the copy notes nothing, and is compared as
    what it copies.
    """

    def would_be(table: Table, _: Seat) -> Any:
        check = table.checks["c5"]
        assert check == CHECK
        assert CHECK == check
        return type(replace(check, title="Run")), replace(check, title="Run").title

    assert (Check, "Run") == Asked(would_be)()


OSKA = Character("oska", "Oska", seat="bo", sheet={"agility": 3})
PEOPLE = replace(TABLE, characters={"pash": PASH, "oska": OSKA}, traits={"t1": RAIN})
BY_OSKA = replace(PEOPLE, checks={"c9": replace(CHECK, id="c9", actor="oska", by="bo")})
"""The table where another seat does the same: another action, another hero, another seat."""

LOOKED_UP: tuple[Callable[[Table, Seat], Any], ...] = (
    lambda table, _: table.characters[only(table).actor].side,
    lambda table, _: table.characters[table.characters[only(table).actor].id].sheet["agility"],
    lambda table, _: only(table).actor in table.characters,
    lambda table, _: getattr(table.characters.get(only(table).against), "name", "Nobody"),
    lambda table, _: table.seats[table.characters[only(table).actor].seat].here,
    lambda table, _: (
        table.seats[only(table).by] == table.seats[table.characters[only(table).actor].seat]
    ),
    lambda table, _: (
        table.seats["ann"].has_id("ann")
        and only(table).by == table.characters[only(table).actor].seat
    ),
    lambda table, _: table.checks[only(table).id].title,
    lambda table, _: [check.phase for id, check in table.checks.items() if id in table.checks],
    lambda table, seat: getattr(check_in_sight(table, seat, only(table).id), "title", ""),
    lambda table, _: table.balance("wounds", only(table).actor),
    lambda table, _: table.of_kind("boost", about=only(table).actor),
    lambda table, _: (only(table).actor == "vey", only(table).actor != "", "gm" == only(table).by),
    lambda table, _: "Nobody" if not only(table).actor else "Somebody",
)


def only(table: Table) -> Check:
    """The open action."""
    return next(iter(table.checks.values()))


@pytest.mark.parametrize("blank", [False, True])
@pytest.mark.parametrize("n", range(len(LOOKED_UP)))
def test_what_is_looked_up_by_an_id_holds_for_another_id(n: int, blank: bool) -> None:
    """An answer that needs an id to look something up, or asks whether it is another, is given for
    others too.
    """
    asked = Asked(LOOKED_UP[n], blank)
    assert asked(PEOPLE) == asked(BY_OSKA)
    assert 1 == asked.times


def test_an_action_is_itself_however_it_was_found() -> None:
    """A rule that leaves one action out of all finds it among them, whether it is the latest or an
    older one.
    """
    table = replace(TABLE, checks={id: replace(CHECK, id=id, actor=actor) for id, actor in IN_TURN})

    def others(id: str) -> list[str]:
        asked = Asked(
            lambda table, _: [
                one.id for one in table.checks.values() if one is not table.checks.get(id)
            ]
        )
        found: list[str] = asked(table)
        return found

    assert [["c6", "c7"], ["c5", "c7"], ["c5", "c6"]] == [others(id) for id, _ in IN_TURN]


def test_who_an_id_leads_to_is_noted() -> None:
    """The one who acts is the other's: players of neither share an answer, and each of theirs gets
    its own.
    """
    asked = Asked(lambda table, seat: seat.has_id(table.characters[only(table).actor].seat))
    assert [True, False, False] == [asked(PEOPLE, seat) for seat in (ANN, BO, GM)]
    assert [False, True, False] == [asked(BY_OSKA, seat) for seat in (ANN, BO, GM)]
    assert 2 == asked.times


@dataclass(frozen=True, slots=True)
class Card:
    """A small part of an answer."""

    who: str
    price: Points | None = None


class Line(NamedTuple):
    """Another."""

    who: str
    n: int = 1


USED: dict[str, Callable[[str], Any]] = {
    "text": str,
    "sentence": "{} acts".format,
    "f-string": lambda id: f"{id} acts",
    "percent": lambda id: "%s acts" % id,  # noqa: UP031
    "sum": lambda id: "by " + id,
    "sum before": lambda id: id + " acts",
    "two": lambda id: id + id,
    "representation": repr,
    "length": len,
    "letters": list,
    "first": lambda id: id[0],
    "key": lambda id: {"pash": 1, "oska": 2}.get(id),
    "set": lambda id: id in {"pash"},
    "equal": lambda id: id == "pash",
    "equal, turned": lambda id: "pash" == id,
    "other": lambda id: id != "pash",
    "one of": lambda id: id in ("vey", "pash"),
    "order": lambda id: sorted(["pa", "p", id]),
    "larger": lambda id: max("oz", id),
    "part": lambda id: "sk" in id,
    "start": lambda id: id.startswith("p"),
    "itself": lambda id: id.casefold() + id.removeprefix(id[:1]),
    "pickled": lambda id: pickle.loads(pickle.dumps(id)),
    "copied": copy.deepcopy,
    "answer": lambda id: id,
    "list": lambda id: [id],
    "tuple": lambda id: ((id, 1), 2),
    "named tuple": Line,
    "dictionary": lambda id: {"who": id},
    "keys": lambda id: {id: 1},
    "card": Card,
    "price": lambda id: Card("", Points({Purse("strain", id): 1})),
    "deep": lambda id: {"x": (Card(id),)},
}
"""What may be done with an id so that it matters which one it is."""


@pytest.mark.parametrize("blank", [False, True])
@pytest.mark.parametrize("use", USED)
def test_an_id_is_noted_whole_where_its_text_matters(use: str, blank: bool) -> None:
    """However the text of an id is used, or where in an answer it is, another id is another
    answer.
    """
    work = USED[use]
    asked = Asked(lambda table, _: work(only(table).actor), blank)
    for _ in range(2):
        for table, id in ((PEOPLE, "pash"), (BY_OSKA, "oska")):
            assert repr(work(id)) == repr(asked(table))
    assert 2 == asked.times


def test_no_answer_holds_what_notes() -> None:
    """What is kept is plain: an id in it is a text, and what notes is what it stood for."""
    asked = Asked(
        lambda table, _: (
            only(table).actor,
            [table.characters[only(table).actor]],
            only(table).terms,
        )
    )
    id, (one,), terms = asked()
    assert (str, Character, dict) == (type(id), type(one), type(terms))


def test_an_answer_that_nobody_can_look_into_rests_on_everything() -> None:
    """Where an answer may hold an id out of sight, it is given again at the very same table
    alone.
    """
    asked = Asked(lambda table, _: SimpleNamespace(who=only(table).actor))
    assert ["pash", "oska"] == [asked(table).who for table in (PEOPLE, BY_OSKA)]
    asked(BY_OSKA)
    assert 2 == asked.times
    asked(replace(BY_OSKA))
    assert 3 == asked.times


def test_every_method_of_a_text_is_one_of_an_id() -> None:
    """No method of a text reads an id unnoticed."""
    plain = {"__new__", "__getattribute__", "__sizeof__", "maketrans"}
    assert (
        set()
        == {name for name, one in vars(str).items() if callable(one)} - plain - vars(Id).keys()
    )


@dataclass(frozen=True)
class Duel(State):
    """What a game might keep in the terms of an action."""

    skill: str = ""
    rounds: int = 0

    @property
    def is_long(self) -> bool:
        """Whether it has gone on for some rounds."""
        return self.rounds > 2


def with_terms(**terms: Any) -> Table:
    """The table with these terms of its action."""
    return replace(TABLE, checks={"c5": replace(CHECK, terms=terms)})


def test_terms_are_noted_one_by_one() -> None:
    """An answer that read one term of an action holds while others change, and while it is what it
    was.
    """
    for read in (
        lambda c: c.terms.get("skill"),
        lambda c: Duel.of(c).skill,
        lambda c: Duel.of(replace(c)).skill,
    ):
        asked = Asked(lambda table, _, read=read: read(only(table)))  # type: ignore[misc]
        asked(with_terms(skill="cool", rounds=1))
        asked(with_terms(skill="cool", rounds=2, drive="duty"))
        assert 1 == asked.times
        asked(with_terms(skill="stealth", rounds=2))
        asked(with_terms())
        assert 3 == asked.times
    asked = Asked(
        lambda table, _: (
            Duel.of(only(table)).is_long,
            Duel.of(only(table)).changed(rounds=0).skill,
        )
    )
    assert [(False, "cool"), (True, "")] == [
        asked(with_terms(rounds=1, skill="cool")),
        asked(with_terms(rounds=3)),
    ]


def test_a_test_of_an_action_is_noted_by_whether_it_holds() -> None:
    """What a test looked at of an action may change as long as it holds, or does not."""
    holds = lambda check: Duel.of(check).rounds > 2  # noqa: E731
    asked = Asked(lambda table, _: judged(holds, only(table)))
    found = [asked(with_terms(rounds=n)) for n in (0, 1, 2, 3, 4)]
    assert ([False] * 3 + [True] * 2, 2) == (found, asked.times)


def test_an_answer_that_read_what_cannot_be_read_is_not_kept() -> None:
    """Where something raised an error that the rule took care of, the answer is worked out again
    each time.
    """

    def work(table: Table, _: Seat) -> str:
        try:
            return Duel.of(only(table)).skill
        except StateError:
            return "none"

    asked = Asked(work)
    found = [
        asked(with_terms(**terms))
        for terms in ({"rounds": "x"}, {"skill": "cool"}, {"rounds": "x"}, {"skill": "cool"})
    ]
    assert ["none", "cool", "none", "cool"] == found


def test_limits_are_noted_by_how_often_they_were_used() -> None:
    """A limit of one seat in one action rests on its own uses, whichever action and seat they are
    of.
    """

    def used(table: Table, seat: Seat) -> int:
        return Limit("point", ("check", "seat")).used(Turn(tiny.SYSTEM, table, seat, ""))

    asked, other = Asked(used), [Use("point", (("check", "c5"), ("seat", "bo"))), Use("talent")]
    assert [0, 0, 0] == [
        asked(TABLE),
        asked(replace(TABLE, uses=Multiset(other))),
        asked(BY_OSKA, BO),
    ]
    assert 1 == asked.times
    own = replace(TABLE, uses=Multiset([Use("point", (("check", "c5"), ("seat", "ann")))] * 2))
    assert [2, 0] == [asked(own), asked(own, BO)]


def alive(*modules: str) -> int:
    """How many things of these modules of what remembers answers have not been freed."""
    names = {f"{recalling.__package__}.{one}" for one in modules}
    return sum(1 for one in gc.get_objects() if type(one).__module__ in names)


def test_nothing_is_left_to_collect() -> None:
    """What noted does not hold on to itself once the answer is there, and forgotten names do not
    either.
    """
    asked = [Asked(work) for work in LOOKED_UP]
    gc.collect()
    # What is frozen is not looked through: all that the tests before have left.
    gc.freeze()
    gc.disable()
    try:
        noting, names = alive("noting", "proxies", "ids"), alive("paths")
        for one in asked:
            one.memory.answer("question", one.memory.view(TABLE, ANN), one.work)
        assert noting == alive("noting", "proxies", "ids")
        assert names < alive("paths")
        for one in asked:
            one.memory.forget()
            assert one.memory._size == 0
        assert names == alive("paths")
    finally:
        gc.enable()


def test_a_seat_that_is_not_meant_shares_an_answer() -> None:
    """A rule that asks whether a seat is a certain one gives all other seats one answer, and that
    seat its own.
    """
    for mine in (
        lambda table, seat: seat.has_id("ann"),
        lambda table, seat: seat == ANN,
        lambda _, seat: seat != ANN,
    ):
        asked, others = Asked(mine), [replace(BO, id=f"bo{n}") for n in range(5)]
        same = asked(seat=ANN)
        assert [not same] * 5 == [asked(seat=one) for one in others]
        assert [same, 2] == [asked(seat=ANN), asked.times]


def test_paths_part_wherever_what_was_read_differs() -> None:
    """Of many answers that read the same names, each is found again, in whichever of them its table
    differs.
    """
    values: list[dict[str, Any]] = [
        {},
        {"seq": 8},
        {"title": "Dawn"},
        {"title": "Dawn", "seq": 8},
        {"system": "lantern"},
    ]
    asked = Asked(lambda table, _: (table.system, table.title, table.seq))
    tables = [replace(TABLE, **changes) for changes in values]
    for table in tables * 2:
        assert (table.system, table.title, table.seq) == asked(table)
    assert len(tables) == asked.times


def test_a_rule_that_reads_in_another_order_is_never_given_a_wrong_answer() -> None:
    """Where a rule reads on in another way than before, though it found the same, the later way
    counts.
    """

    def title_alone(table: Table, _: Seat) -> tuple[str, ...]:
        return (table.title,)

    def title_first(table: Table, _: Seat) -> tuple[str, ...]:
        return table.title, table.system

    def system_first(table: Table, _: Seat) -> tuple[str, ...]:
        system = table.system
        return table.title, system

    for tries in (
        [("a", "b", title_first), ("b", "a", system_first), ("a", "b", title_first)],
        [("a", "b", title_alone), ("c", "x", system_first), ("z", "a", title_alone)],
    ):
        memory = Memory()
        for title, system, way in tries:
            table = replace(TABLE, title=title, system=system)
            assert way(table, ANN) == memory.answer("question", memory.view(table, ANN), way)


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the bound all answers are worked out again, and those that are being read still
    hold.
    """
    monkeypatch.setattr(recalling, "MAX_NAMES", 20)
    asked = Asked(lambda table, _: (table.title, table.seq))
    views = [asked.memory.view(replace(TABLE, seq=n), ANN) for n in range(50)]
    for n, view in enumerate(views + views):
        assert ("The long night", n % 50) == asked.memory.answer("question", view, asked.work)
        assert asked.memory._size <= 20
