"""Sheets of characters.

Source: seed 004, Skills, Drives, Recovering a Drive, Creating Non-player Characters; dune.md 4.1
and 4.3.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import ClassVar

from storypool.engine import rules as r

LOWEST, HIGHEST, STATEMENT_FROM, MOST_POTENT = 4, 8, 6, 5
"""The bounds of a number; the least drive with a statement; the highest Potency of an asset."""
MINOR, NOTABLE, MAJOR = 1, 2, 3

_ROWS = r.rows("storypool.systems.dune", "skills")
SKILLS: dict[str, str] = {key: row["label"] for key, row in _ROWS["skills"].items()}
DRIVES: dict[str, str] = {key: row["label"] for key, row in _ROWS["drives"].items()}
QUALITY = "quality"
"""What a minor character adds instead of a drive."""
ADVANCES = "skill-advances"


def _entries(group: str) -> Iterator[r.Entry]:
    for key, row in _ROWS[f"{group}s"].items():
        notes = {"about": row["about"]}
        yield r.Entry(key, row["label"], group, LOWEST, HIGHEST, default=LOWEST, notes=notes)


SHEET = (
    *_entries("skill"),
    *_entries("drive"),
    r.Entry(QUALITY, "Quality", "rank", LOWEST, HIGHEST, default=LOWEST),
    r.Entry("rank", "Rank: 1 minor, 2 notable, 3 major", "rank", MINOR, MAJOR, default=MAJOR),
    r.Entry(ADVANCES, "Skill advances so far", "advancement", 0, 99, default=0),
)

skills = r.entries("skill", "about")


def drives(turn: r.Turn) -> r.Choices:
    for row in turn.system.sheet:
        if row.key in DRIVES:
            yield r.Choice(row.key, row.label, row.notes["about"])


def rank(character: r.Character | None) -> int:
    """Minor, notable or major: as written; else a player's is major, an NPC without drives minor.

    >>> guard = Character("guard", "Guard", "gm", sheet={"quality": 5})
    >>> rank(Character("paul", "Paul")), rank(guard)
    (3, 1)
    """
    if (written := r.rating(character, "rank")) is not None:
        return written
    if character is None or (character.team is r.Team.PLAYERS and r.here(character)):
        return MAJOR
    return NOTABLE if any(r.rating(character, drive) for drive in DRIVES) else MINOR


def drives_of(character: r.Character | None) -> tuple[str, ...]:
    """What this character can add to a skill: the five drives, or the Quality of a minor one."""
    if rank(character) > MINOR:
        return tuple(DRIVES)
    return (QUALITY, *[drive for drive in DRIVES if r.rating(character, drive)])


def best_skill(who: r.Character | None) -> str | None:
    return max(SKILLS, key=lambda key: r.rating(who, key) or 0) if who else None


def label(turn: r.Turn, key: str) -> str:
    return turn.words["drive.quality"] if key == QUALITY else turn.system.entry(key)


@dataclass(frozen=True)
class Statement(r.State):
    """The statement of a drive: whether a line was put through it, and its text before that."""

    renamed: ClassVar[Mapping[str, str]] = {"text": "said"}

    struck: bool = False
    text: str = ""


@dataclass(frozen=True)
class Asset(r.State):
    """An asset of a kind: whether it defends its zone, can be touched, and is set aside."""

    kind: str = ""
    defensive: bool = False
    tangible: bool = False
    aside: bool = False


@dataclass(frozen=True)
class Defeat(r.State):
    """A defeat: how it came, and what has come of it."""

    how: str = ""
    asked: bool = False
    accepted: bool = False
    learned: bool = False
    lasting: bool = False


def is_defeated(table: r.Table, who: str) -> bool:
    return f"defeated-{who}" in table.traits


def so_far(track: r.Trait) -> dict[str, int]:
    """How far a track has come, as values of a sentence: never beyond its goal."""
    return {"n": min(track.rating, track.goal), "goal": track.goal}


def statement(table: r.Table, who: str, drive: str) -> r.Trait | None:
    """The statement of a drive, struck or not, or None where nothing is written down."""
    return next(iter(table.of_kind("statement", about=who, at=drive or None)), None)


def whole_statement(table: r.Table, who: str, drive: str) -> r.Trait | None:
    """The statement of a drive that is named, where one is written down and not struck."""
    found = statement(table, who, drive) if drive else None
    return None if is_struck(found) else found


def is_struck(trait: r.Trait | None) -> bool:
    return trait is not None and Statement.of(trait).struck


def strike(turn: r.Turn, who: str, drive: str) -> r.Event:
    """A line through the statement of a drive; a missing statement is added, and struck."""
    words = turn.words.say("drive.unwritten", drive=label(turn, drive))
    new = r.Trait(turn.fresh("t"), "statement", words, who, at=drive)
    trait = statement(turn.table, who, drive) or new
    text = turn.words.say("drive.struck", text=trait.text)
    struck = Statement(struck=True, text=trait.text)
    return r.TraitSet(r.replace(trait, text=text, terms=struck.terms))


def drive_choices(turn: r.Turn, actor: r.Character | None) -> r.Choices:
    """The drives of a character with their statements; closed if struck."""
    for key in drives_of(actor):
        found, name = statement(turn.table, actor.id, key) if actor else None, label(turn, key)
        struck = turn.firm("drive.struck", drive=name) if is_struck(found) else None
        yield r.Choice(key, name, found.text if found else "").unless(struck)


RATED = {"skill_rating": "skill", "drive_rating": "drive"}
"""What the questions for a number are about, as `r.remember` takes it."""


def ratings(whose: str | Callable[[r.Turn], r.Character | None]) -> tuple[r.Ask, r.Ask]:
    """The questions for the numbers behind a skill and a drive, asked where the sheet has none."""

    def rated(key: str) -> r.Ask:
        label = f"How high is the {key}?"
        return r.missing_number(
            f"{key}_rating", label, key, whose, low=LOWEST, high=HIGHEST, default=5
        )

    return rated("skill"), rated("drive")


WRITTEN = ("statement", "focus", "talent", "trait")


def _skills_or_drives(turn: r.Turn) -> r.Choices:
    keys = DRIVES if turn.text("kind") == "statement" else SKILLS
    return (r.Choice(key, label(turn, key)) for key in keys)


def _written(turn: r.Turn) -> r.Choices:
    """The focuses, talents or traits of a character that another text can replace."""
    if turn.text("kind") != "statement":
        for one in turn.table.of_kind(turn.text("kind"), about=turn.text("who")):
            yield r.Choice(one.id, one.text)


@r.move(
    "sheet.write",
    when=r.any_of(r.written_by, "character.none"),
    asks=[
        r.ChoiceAsk("who", "Whose?", r.written_by, default=r.first_own),
        r.ChoiceAsk("kind", "What is it?", r.answers("sheet", *WRITTEN)),
        r.ChoiceAsk(
            "at",
            "Of which skill or drive?",
            _skills_or_drives,
            shown=r.answered("kind", "statement", "focus"),
        ),
        r.TextAsk("text", "In words"),
        r.ChoiceAsk(
            "change",
            "In place of which?",
            _written,
            needed=False,
            shown=r.answered("kind", "focus", "talent", "trait"),
        ),
    ],
    rule="Skills, Drives and Traits",
)
def write(turn: r.Turn) -> r.Events:
    """Write on a sheet

    A drive's statement, a focus of a skill, a talent, a trait: a new one, or in place of another. A
    struck drive counts again with a new statement.
    """
    who, kind, at = turn.table.characters[turn.text("who")], turn.text("kind"), turn.text("at")
    old = statement(turn.table, who.id, at) if kind == "statement" else None
    low = (r.rating(who, at) or STATEMENT_FROM) < STATEMENT_FROM
    if kind == "statement" and old is None and low:
        values = {"drive": label(turn, at), "least": STATEMENT_FROM}
        raise turn.refused("argument", "statement.low", "at", **values)
    id = old.id if old else turn.text("change") or turn.fresh("t")
    yield r.TraitSet(r.Trait(id, kind, turn.text("text"), who.id, at=at, by=turn.seat.id))


def _struck(turn: r.Turn, who: str) -> list[r.Trait]:
    return [one for one in turn.table.of_kind("statement", about=who) if is_struck(one)]


def _whose(turn: r.Turn) -> r.Choices:
    return (choice for choice in r.written_by(turn) if _struck(turn, choice.value))


def struck_drives(turn: r.Turn) -> r.Choices:
    """The struck statements of the named character, or of all sheets the seat may change."""
    for choice in r.written_by(turn):
        for trait in _struck(turn, choice.value) if turn.text("who") in ("", choice.value) else ():
            yield r.Choice(trait.at, label(turn, trait.at), trait.text)


def _recovered(turn: r.Turn) -> tuple[dict[str, r.Value], str | None, list[str]]:
    """The sheet after recovery, the raised drive, and those of 6 or more without a statement."""
    who, key = turn.character("who"), turn.text("drive")
    if who is None or not key:
        return {}, None, []
    before = r.rating(who, key) or LOWEST
    numbers, risen = dict(who.sheet), None
    if before > LOWEST:
        others = (other for other in DRIVES if other != key)
        risen = next((other for other in others if r.rating(who, other) == before - 1), None)
        numbers |= {key: before - 1} | ({risen: before} if risen else {})
    after = r.replace(who, sheet=numbers)
    least = STATEMENT_FROM
    high = [drive for drive in DRIVES if (r.rating(after, drive) or 0) >= least]
    wordless = [one for one in high if statement(turn.table, who.id, one) is None]
    return numbers, risen, wordless


def _other(drive: str) -> r.Ask:
    """The question for the statement of a drive that never had one and did not rise."""

    def asked(turn: r.Turn) -> bool:
        _, risen, wordless = _recovered(turn)
        return drive in wordless and drive != risen

    return r.TextAsk(f"{drive}_text", f"A statement for {DRIVES[drive]}", needed=False, shown=asked)


@r.move(
    "drive.recover",
    when=r.all_of(r.idle, r.any_of(struck_drives, "drive.whole")),
    asks=[
        r.ChoiceAsk("who", "Whose?", _whose),
        r.ChoiceAsk("drive", "Which drive?", struck_drives),
        r.TextAsk("text", "A statement for the drive that rises, if it needs one", needed=False),
        *map(_other, DRIVES),
    ],
    approval=r.proposes,
    rule="Recovering a Drive",
    place=r.at("words"),
)
def recover(turn: r.Turn) -> r.Events:
    """Recover a drive

    Between adventures, or in a scene of coming to terms with it. The struck drive falls by 1 and
    counts again, the one that it now equals rises by 1, and a drive of 6 or more without a
    statement gets one that follows from what happened. At 4 nothing falls or rises.
    """
    who, key = turn.table.characters[turn.text("who")], turn.text("drive")
    found = statement(turn.table, who.id, key)
    assert found is not None
    numbers, risen, wordless = _recovered(turn)
    texts = {drive: f"{drive}_text" for drive in wordless}
    if risen in texts:
        texts[risen] = "text"
    for drive, field in texts.items():
        if not turn.text(field):
            values = {"drive": label(turn, drive), "least": STATEMENT_FROM}
            raise turn.refused("argument", "statement.missing", field, **values)
    if numbers != dict(who.sheet):
        yield r.CharacterSet(r.replace(who, sheet=numbers))
    yield r.TraitSet(r.replace(found, text=Statement.of(found).text or found.text, terms={}))
    for drive, field in texts.items():
        yield turn.trait("statement", turn.text(field), who.id, at=drive)


READY = r.rows("storypool.systems.dune", "ready")["character"]


def _brought(one: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[str, str, str]]:
    """The traits of a character: kind, skill, drive or kind of asset, and text."""
    yield from (("statement", drive, text) for drive, text in one["statements"].items())
    for skill, texts in one["focuses"].items():
        yield from (("focus", skill, text) for text in texts)
    yield from (("talent", "", text) for text in one["talents"])
    yield from (("trait", "", text) for text in one["traits"])
    yield from (("asset", kind, text) for kind, text in one["assets"].items())


BROUGHT = {one["key"]: list(map(itemgetter(2), _brought(one))) for one in READY}
"""The texts of what each of them brings, which the catalogue has in the same order."""


@r.whenever(r.CharacterSet)
def bring_belongings(turn: r.Turn, event: r.CharacterSet) -> r.Events:
    """Whenever a ready-made character joins, known by their numbers, what they have comes along."""
    who = event.character
    known = [one for one in READY if turn.key == "character.add" and one["sheet"] == who.sheet]
    for n, (kind, of, _) in enumerate(_brought(known[0]) if known else (), 1):
        text = turn.words[f"brings.{known[0]['key']}.{n}"]
        if kind == "asset":
            yield asset(turn, who.id, of, text)
        else:
            yield turn.trait(kind, text, who.id, at=of)


def asset(turn: r.Turn, who: str, kind: str, text: str, potency: int = 0) -> r.Event:
    """The event that gives a character an asset of this kind, as such a thing usually is."""
    tangible = kind not in ("contact", "knowledge", "favour")
    usual = Asset(kind, defensive=kind == "protection", tangible=tangible)
    return turn.trait("asset", text, who, rating=potency, terms=usual.terms)
