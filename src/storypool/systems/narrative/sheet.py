"""The sheet of a narrative character, with strain and wounds as plain tracks."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from storypool.engine import rules as r
from storypool.systems.narrative.fight.slots import ORDER
from storypool.systems.narrative.symbol_dice import HELPING, skilled, strength

NARRATIVE = "storypool.systems.narrative"
NOTES = ("with", "kind", "opposed", "helps", "bare")
"""The notes of a skill."""


def sheet(game: str) -> tuple[r.Entry, ...]:
    """The entries of a sheet: characteristics, skills of the family and the game, and others."""
    family, own = r.rows(NARRATIVE, "skills"), r.rows(game, "skills")
    return (
        *(
            r.Entry(key, label, "characteristic", low=1, high=10, default=2)
            for key, label in family["characteristics"].items()
        ),
        *(_skill(key, row) for key, row in {**family["skills"], **own["skills"]}.items()),
        *(
            r.Entry(key, group=group, **row)
            for group, of in family["further"].items()
            for key, row in of.items()
        ),
    )


def _skill(key: str, row: Mapping[str, str]) -> r.Entry:
    notes = {note: row.get(note, "") for note in NOTES}
    return r.Entry(key, row["label"], "skill", low=0, high=10, default=0, notes=notes)


HELPING_SKILLS = tuple(
    key for key, row in r.rows(NARRATIVE, "skills")["skills"].items() if row.get("helps")
)
"""The skills whose checks are for their target."""

characteristics = r.entries("characteristic")


def skills(whose: str) -> Callable[[r.Turn], Iterator[r.Choice]]:
    """The choice of skills, trained ones first, each with the dice of this character.

    It has the skills of the game, and those that only this sheet has. In a fight combat skills
    come first for the actor.
    """

    def choices(turn: r.Turn) -> Iterator[r.Choice]:
        who = turn.character(whose)
        for key in _best_first(turn, who, whose == "as" and _fighting(turn)):
            dice = skill_dice(turn, who, key)
            note = turn.system.entry(note_of(turn, key, "with"))
            if dice:
                note = turn.words.say("skill.dice", note=note, dice=turn.show(dice))
            yield r.Choice(key, turn.system.entry(key), note)

    return choices


def _best_first(turn: r.Turn, who: r.Character | None, fights: bool) -> list[str]:
    """The skills of the game and of a sheet, best first; if the actor `fights`, combat first."""

    def place(key: str) -> tuple[bool, bool, tuple[int, ...]]:
        # A group keeps its skills, even when only one member is left.
        rank = r.rating(who, key) or 0
        # A skill that only this sheet has goes by its rank, as its characteristic is unknown.
        dice = skill_dice(turn, who, key) or skilled(0, rank)
        # Outside a fight the untrained skills keep the order of the sheet, where they are found.
        weakness = tuple(-n for n in strength(dice)) if rank or fights else ()
        return fights and not is_combat(turn, key), not rank, weakness

    return sorted(all_skills(turn, who), key=place)


def all_skills(turn: r.Turn, who: r.Character | None) -> list[str]:
    """The skills of the game, and those that only this sheet has."""
    of_the_game = [entry.key for entry in turn.system.sheet if entry.group == "skill"]
    own = who.sheet if who else ()
    return [*of_the_game, *(key for key in own if key not in turn.system.by_entry)]


def best_skill(turn: r.Turn) -> str | None:
    """The default skill: in a fight the first of the list, else the best outside combat."""
    who, fights = turn.character("as"), _fighting(turn)
    listed = _best_first(turn, who, fights)
    if fights:
        return next(iter(listed), None)
    peaceful = next((skill for skill in listed if not is_combat(turn, skill)), "")
    if peaceful and rank_of(turn, who, peaceful):
        return peaceful
    return None


def _fighting(turn: r.Turn) -> bool:
    """Whether turns are taken in the order of a fight."""
    return ORDER.present(turn.table) is not None


def skill_dice(turn: r.Turn, who: r.Character | None, skill: str) -> r.Bag:
    """The dice of a skill with its usual characteristic; none if the sheet has no such number."""
    value = r.rating(who, note_of(turn, skill, "with"))
    return skilled(value, rank_of(turn, who, skill) or 0) if value else r.Bag()


def note_of(turn: r.Turn, skill: str, note: str) -> str:
    """A note of a skill, such as its usual characteristic; empty for one only on a sheet."""
    entry = turn.system.by_entry.get(skill)
    return entry.notes.get(note, "") if entry else ""


def is_combat(turn: r.Turn, skill: str) -> bool:
    """Whether a skill is one of combat."""
    return note_of(turn, skill, "kind") == "combat"


def ready_dice(turn: r.Turn, character: r.Character | None, skill: str = "") -> r.Bag:
    """The dice of a sheet without characteristics, for any skill.

    A group's dice are upgraded once for each member standing after the first, in the skills of
    the group: those on its sheet, else combat skills, and anything that is not a skill.
    """
    dice = r.Bag({die: r.rating(character, die) or 0 for die in HELPING[:2]})
    named = set()
    for entry in turn.system.sheet:
        if entry.group == "skill" and r.rating(character, entry.key):
            named.add(entry.key)
    of_group = not skill or (skill in named if named else is_combat(turn, skill))
    ranks = max(0, standing_of(turn, character) - 1) if of_group else 0
    if ranks and dice["ability"] and not dice["proficiency"]:
        return skilled(dice["ability"], ranks)
    return dice


def rank_of(turn: r.Turn, character: r.Character | None, skill: str) -> int | None:
    """The ranks in a skill; a group has one less than its members, in each skill of its sheet."""
    rank = r.rating(character, skill)
    if rank and r.rating(character, MINIONS):
        return max(0, standing_of(turn, character) - 1)
    return rank


def missing_value(
    key: Callable[[r.Turn], str], asked: Callable[[r.Turn], bool] = lambda turn: True
) -> r.NumberAsk:
    """The question for the characteristic that `key` names, if the actor's sheet lacks it."""

    def how_high(turn: r.Turn) -> str:
        if key(turn):
            return turn.words.say("missing.number", what=turn.system.entry(key(turn)))
        return ""

    ask = r.missing_number("value", "How high is that characteristic?", key, "as", asked, low=1)
    return r.replace(ask, shown_as=how_high)


def remember(who: r.Character, numbers: Mapping[str, int]) -> Iterator[r.Event]:
    """Write numbers that a sheet lacked on it, except zeros."""
    new = {key: n for key, n in numbers.items() if key and n and who.rating(key) is None}
    if new:
        yield r.CharacterSet(r.replace(who, sheet={**who.sheet, **new}))


# A group of minions is one character: its sheet has their number, its wounds count the fallen.

MINIONS = "minions"


def standing_of(turn: r.Turn, character: r.Character | None) -> int:
    """The members of a group who still stand; 0 for a single character.

    One falls each time the group's wounds exceed another share of its threshold. This count is
    a house reading of a minion group: no source has it.
    """
    group, most = r.rating(character, MINIONS) or 0, r.rating(character, FULL["wounds"]) or 0
    if character is None or not group or not most:
        return group
    wounds, each = turn.table.balance("wounds", character.id), max(1, most // group)
    # The last of them falls as the whole group passes its threshold.
    if wounds <= most:
        return max(1, group - max(0, wounds - 1) // each)
    return 0


def until_one_more_falls(turn: r.Turn, character: r.Character) -> int:
    """The wounds that take out one more of a group; 0 if none stands, or without a group."""
    standing, most = standing_of(turn, character), r.rating(character, FULL["wounds"])
    if not standing or not most:
        return 0
    group = r.rating(character, MINIONS) or 0
    share = (group - standing + 1) * max(1, most // group)
    if standing == 1:
        share = max(share, most)
    return share + 1 - turn.table.balance("wounds", character.id)


# Strain and wounds have no cap: the GM says what happens beyond a threshold.
TRACKS = (r.Account("strain", "character"), r.Account("wounds", "character"))

FULL = {"strain": "strain-threshold", "wounds": "wound-threshold"}
"""The entry of the sheet that is the threshold of a track."""


@r.whenever(r.PointsSet, r.CharacterSet)
def mark_thresholds(turn: r.Turn, event: r.PointsSet | r.CharacterSet) -> Iterator[r.Event]:
    """Mark tracks past their threshold, and the number of a group that stands."""
    if isinstance(event, r.PointsSet):
        id, changed = event.owner, [track for track in FULL if track == event.account]
    else:
        id, changed = event.character.id, list(FULL)
    who = turn.table.characters.get(id)
    if who is None:
        return
    for track in changed:
        if track == "wounds":
            yield from _mark_group(turn, who)
        yield from _mark_threshold(turn, who, track)


def _mark_threshold(turn: r.Turn, who: r.Character, track: str) -> Iterator[r.Event]:
    """Set the mark of a track past its threshold, or remove it below."""
    most, n = r.rating(who, FULL[track]), turn.table.balance(track, who.id)
    marks = [mark for mark in turn.table.of_kind("beyond", about=who.id) if mark.at == track]
    if most is None or n <= most:
        for mark in marks:
            yield r.TraitRemoved(mark.id)
    elif not marks:
        text = turn.words.say(f"beyond.{track}", who=who.name, n=n, most=most)
        # No seat is its author.
        yield r.TraitSet(r.Trait(turn.fresh("t"), "beyond", text, who.id, at=track))


def _mark_group(turn: r.Turn, who: r.Character) -> Iterator[r.Event]:
    """Set the mark with the number of a group that stands, once some have fallen."""
    n, most = standing_of(turn, who), r.rating(who, MINIONS) or 0
    marks = turn.table.of_kind("group", about=who.id)
    if not most:
        for mark in marks:
            yield r.TraitRemoved(mark.id)
        return
    text = turn.words.say("beyond.group", who=who.name, n=n, most=most)
    if text != (
        marks[0].text if marks else turn.words.say("beyond.group", who=who.name, n=most, most=most)
    ):
        id = marks[0].id if marks else turn.fresh("t")
        yield r.TraitSet(r.Trait(id, "group", text, who.id, n))


@dataclass(frozen=True)
class Beyond(r.State):
    """The mark of a passed threshold; `settled` once the GM has decided the character's fate."""

    settled: bool = False


def unsettled(table: r.Table, who: str) -> list[r.Trait]:
    """The thresholds that a character has passed and whose effect is undecided."""
    return [mark for mark in table.of_kind("beyond", about=who) if not Beyond.of(mark).settled]


_TRACKS = r.answers("track", "strain", "wounds")


@r.move(
    "track.suffer",
    only_if=[r.has_a_sheet],
    asks=r.track_asks(r.WHO, _TRACKS, most=50),
    rule="Strain and wounds",
    loss=True,
)
def suffer(turn: r.Turn) -> Iterator[r.Event]:
    """Suffer strain or wounds"""
    return r.track_changed(turn, 1)


@r.move(
    "track.recover",
    only_if=[r.has_a_sheet, r.something_on(_TRACKS)],
    asks=r.track_asks(r.WHO, _TRACKS, most=50, lowers=True),
    rule="Strain and wounds",
)
def recover(turn: r.Turn) -> Iterator[r.Event]:
    """Recover strain or wounds"""
    return r.track_changed(turn, -1)
