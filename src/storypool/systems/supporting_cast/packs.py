"""Packs: NPCs and encounters of a table as a file, which another table of the same game takes.

A pack is JSON of our own: `storypool` is "pack", with its `version`, the key of its `game`,
`people` and `encounters`. Its people arrive hidden: as templates that wait out of sight.
"""

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from storypool.engine import rules as r
from storypool.systems.supporting_cast.bringing import MOST_OF_A_GROUP, Casting
from storypool.systems.supporting_cast.copying import belongings
from storypool.systems.supporting_cast.encounters import (
    KIND,
    LONGEST_WHERE,
    MOST_ENCOUNTERS,
    NPC,
    ROWS,
    Encounter,
    Encounters,
    prepared,
)

VERSION = 1
LONGEST_PACK = 40_000
"""The most characters of a pack."""
MOST_PEOPLE = 24
MOST_TRAITS = 24
"""The most people of a pack, and the most traits of one of them."""
MOST_ENTRIES = 80
MOST_TERMS = 20

NAME = r.TextAsk("name", "Name", most=r.LONGEST_NAME)
TEXT = r.TextAsk("text", "Text")
WHERE = r.TextAsk("where", "Where?", most=LONGEST_WHERE)
NUMBER = r.NumberAsk("n", "Number", low=-999, high=999)
OWN_NUMBER = r.NumberAsk("n", "Number")
ENTRY = r.SheetAsk("sheet", "Sheet")


# Writing.


def packed(turn: r.Turn, casting: Casting | None, chosen: Collection[str]) -> str:
    """The pack of the chosen NPCs and encounters of a table, with the NPCs that these name.

    That of a game without a casting is empty. `Refused` for one that no table would take.
    """
    table = turn.table
    encounters = [one for one in table.of_kind(KIND) if one.id in chosen]
    named = {who for one in encounters for who in Encounter.of(one).who}
    people = [
        one
        for one in table.characters.values()
        if r.here(one) and one.side == "gm" and (one.id in chosen or NPC + one.id in named)
    ]
    text = json.dumps(
        {
            "storypool": "pack",
            "version": VERSION,
            "game": turn.system.key,
            "title": table.title,
            "people": [_written(turn, casting, one) for one in people if casting][:MOST_PEOPLE],
            "encounters": [_written_encounter(one) for one in encounters],
        },
        ensure_ascii=False,
    )
    if len(text) > LONGEST_PACK:
        raise turn.refused("argument", "pack.long", "chosen", most=LONGEST_PACK)
    return text


def _written(turn: r.Turn, casting: Casting, one: r.Character) -> dict[str, Any]:
    traits = [trait for trait in belongings(turn, casting, one) if trait.kind in casting.kinds]
    return {
        "id": one.id,
        "name": one.name,
        "sheet": dict(one.sheet),
        "traits": [_written_trait(turn, trait) for trait in traits[:MOST_TRAITS]],
    }


def _written_trait(turn: r.Turn, trait: r.Trait) -> dict[str, Any]:
    """A trait as data; the zone of an asset is one of this table."""
    at = trait.at if trait.at in turn.system.by_entry else ""
    found: dict[str, Any] = {"kind": trait.kind, "text": trait.text}
    found |= {"rating": trait.rating, "goal": trait.goal, "at": at}
    return {**{key: value for key, value in found.items() if value}, "terms": dict(trait.terms)}


def _written_encounter(trait: r.Trait) -> dict[str, Any]:
    one = Encounter.of(trait)
    rows = [{"who": who, "n": n} for who, n in zip(one.who, one.count, strict=True)]
    return {"title": trait.text, "where": one.where, "hidden": one.hidden, "rows": rows}


# Reading.


class LeftOut(NamedTuple):
    """Something in a pack that is not taken, and why."""

    what: str
    why: str


@dataclass
class Person:
    """A person of a pack: its id there, the name, the sheet, and its traits without an id."""

    id: str
    name: str
    sheet: dict[str, r.Value]
    traits: list[r.Trait]


@dataclass
class Pack:
    """What a table takes from a pack, and what it leaves out."""

    people: list[Person] = field(default_factory=list)
    encounters: list[tuple[str, Encounter]] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)


def read_pack(turn: r.Turn, casting: Casting, text: str) -> Pack:
    """What a table takes from the text of a pack; `Refused` if it is none of this game."""
    return _Reader(turn, casting).read(text)


class _Reader:
    """Reads a pack that anybody may have written: nothing of it is trusted."""

    def __init__(self, turn: r.Turn, casting: Casting) -> None:
        self.turn, self.casting, self.pack = turn, casting, Pack()
        self.encounters = Encounters(casting)

    def read(self, text: str) -> Pack:
        """The pack; `Refused` with one sentence if it is none, or of another game."""
        turn = self.turn
        try:
            raw = json.loads(text)
        except (ValueError, RecursionError):
            raw = None
        if not isinstance(raw, dict) or raw.get("storypool") != "pack":
            raise turn.refused("argument", "pack.none", "pack")
        if raw.get("version") != VERSION:
            raise turn.refused("argument", "pack.version", "pack")
        if raw.get("game") != turn.system.key:
            raise turn.refused("argument", "pack.game", "pack", game=turn.system.name)
        room = MOST_ENCOUNTERS - len(turn.table.of_kind(KIND))
        for n, one in enumerate(self._listed(raw, "people", MOST_PEOPLE), 1):
            self._tried(turn.words.say("pack.person", n=n), "", partial(self._person, one))
        for n, one in enumerate(self._listed(raw, "encounters", room), 1):
            self._tried(turn.words.say("pack.encounter", n=n), "", partial(self._encounter, one))
        if not (self.pack.people or self.pack.encounters):
            raise turn.refused("argument", "pack.empty", "pack")
        return self.pack

    def _listed(self, raw: Mapping[str, Any], key: str, most: int) -> list[Any]:
        found = raw.get(key, [])
        if not isinstance(found, list):
            found = []
            self._leave(key, self._no("form"))
        if len(found) > most:
            self._leave(key, self._no("many", most=most))
        return found[: max(0, most)]

    def _no(self, why: str, **values: object) -> r.Refused:
        return self.turn.refused("argument", f"pack.left.{why}", "pack", **values)

    def _leave(self, what: str, why: r.Refused, who: str = "") -> None:
        if who:
            what = self.turn.words.say("pack.of", who=who, what=what[:40])
        self.pack.left_out.append(LeftOut(what, why.refusal.text))

    def _tried(self, what: str, who: str, read: Callable[[], None]) -> None:
        """Read a part; one that is not understood is left out, with the reason."""
        try:
            read()
        except r.Refused as refused:
            self._leave(what, refused, who)
        except (AttributeError, KeyError, TypeError, r.StateError):
            self._leave(what, self._no("form"), who)

    def _person(self, raw: Any) -> None:
        one = Person(TEXT.read(self.turn, raw["id"]), NAME.read(self.turn, raw["name"]), {}, [])
        if not one.name:
            raise self._no("form")
        entries, traits = list(raw.get("sheet", {}).items()), raw.get("traits", [])
        for key, value in entries[:MOST_ENTRIES]:
            self._tried(key, one.name, partial(self._entry, one, key, value))
        for trait in traits[:MOST_TRAITS]:
            what = self.turn.words["pack.trait"]
            self._tried(what, one.name, partial(self._trait, one, trait))
        self.pack.people.append(one)

    def _entry(self, one: Person, key: str, value: Any) -> None:
        """Add an entry of the sheet: one of the game, or a number of the table's own."""
        if type(value) not in (int, str):
            raise self._no("form")
        if value in self.casting.worded.get(key, ()):
            one.sheet[key] = value
            return
        if key in self.turn.system.by_entry:
            line = ENTRY.read(self.turn, {key: value})
            one.sheet[key] = json.loads(line.removeprefix(f"{key}="))
        else:
            one.sheet[NAME.read(self.turn, key)] = OWN_NUMBER.read(self.turn, value)

    def _trait(self, one: Person, raw: Any) -> None:
        state = self.casting.kinds.get(raw["kind"])
        if state is None:
            raise self._no("kind")
        rating, goal = (NUMBER.read(self.turn, raw.get(key, 0)) for key in ("rating", "goal"))
        trait = r.Trait("", raw["kind"], TEXT.read(self.turn, raw["text"]))
        terms = {key: self._value(term) for key, term in list(raw["terms"].items())[:MOST_TERMS]}
        trait = r.replace(trait, rating=rating, goal=goal, at=raw.get("at", ""), terms=terms)
        trait = r.replace(trait, terms=state.of(trait).terms)
        known = not trait.at or trait.at in self.turn.system.by_entry
        if not (trait.text and known and self.casting.fits(self.turn, trait)):
            raise self._no("fits")
        one.traits.append(trait)

    def _value(self, raw: Any) -> r.Value:
        """The value of a term: a text, a number, yes or no."""
        if isinstance(raw, bool):
            return raw
        return (TEXT if isinstance(raw, str) else NUMBER).read(self.turn, raw)

    def _encounter(self, raw: Any) -> None:
        title, where = NAME.read(self.turn, raw["title"]), WHERE.read(self.turn, raw["where"])
        rows = list[tuple[str, int]]()
        for row in raw["rows"][: len(ROWS)]:
            read = partial(self._row, rows, row["who"], row["n"])
            self._tried(str(row["who"]), title, read)
        if not (title and rows):
            raise self._no("form")
        who, count = zip(*rows, strict=True)
        one = Encounter(who, count, where, raw.get("hidden") is True)
        self.encounters.check_size(self.turn, one)
        self.pack.encounters.append((title, one))

    def _row(self, rows: list[tuple[str, int]], who: str, n: int) -> None:
        """Add a row of an encounter, about a person of the library or of the pack."""
        row = self.casting.rows.get(who)
        if row is None and who not in {NPC + one.id for one in self.pack.people}:
            raise self._no("nobody")
        is_group = row is not None and self.casting.size in row
        most = self.casting.most(row) if row is not None and is_group else MOST_OF_A_GROUP
        if type(n) is not int or not 1 <= n <= most:
            raise self._no("number", most=most)
        rows.append((who, n))


# Taking.


def taking(casting: Casting, rule: str = "") -> r.Move:
    """The move that takes a pack of this game to the table."""

    @r.gm_move(
        "pack.take",
        asks=[r.TextAsk("pack", "The text of the file", most=LONGEST_PACK, lines=True)],
        rule=rule,
    )
    def take(turn: r.Turn) -> Iterator[r.Event]:
        """Take a pack of people and encounters

        Everybody in it is hidden until you show or copy them, and a name that is taken gets a
        number. What this game does not understand is left out.
        """
        pack = read_pack(turn, casting, turn.text("pack"))
        turn.args = {"secret": True}
        ids = dict[str, str]()
        for one in pack.people:
            new = r.npc(turn, one.sheet, one.name)
            yield new
            ids[one.id] = new.character.id
            for trait in one.traits:
                text = _renamed(trait.text, one.name, new.character.name)
                made = turn.trait(trait.kind, text, new.character.id, terms=trait.terms).trait
                numbers = r.replace(made, rating=trait.rating, goal=trait.goal, at=trait.at)
                yield r.hidden_like(r.TraitSet(numbers), new.character)
        for title, encounter in pack.encounters:
            who = tuple(_there(one, ids) for one in encounter.who)
            yield prepared(turn, title, encounter.changed(who=who))

    return take


def _renamed(text: str, old: str, new: str) -> str:
    """A trait's text that begins with the name of its owner, with the new name."""
    return new + text.removeprefix(old) if text.startswith(f"{old} ") else text


def _there(who: str, ids: Mapping[str, str]) -> str:
    """Whom a row of a pack means at the table that took it."""
    return NPC + ids[who.removeprefix(NPC)] if who.startswith(NPC) else who
