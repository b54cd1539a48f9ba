"""Named weapons of a character, in addition to the one whose numbers are on the sheet.

Damage and the price of a critical injury are the weapon's (starwars.md 1.5). What a weapon is
called, and at which range it is usually used, is a house's own row: no source has it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from storypool.engine import rules as r
from storypool.systems.narrative.fight.slots import ORDER
from storypool.systems.narrative.sheet import is_combat, note_of, skill_dice
from storypool.systems.narrative.symbol_dice import strength

KIND = "weapon"
"""The kind of a weapon's trait, about who has it."""
DAMAGE, CRITICAL = "damage", "critical"
"""The entries of a sheet for the numbers of its weapon without a name."""
RANGES = ("close", "medium", "long", "extreme")
ENGAGED = "engaged"
"""The range of a weapon that is used with Brawn."""


@dataclass(frozen=True)
class Weapon(r.State):
    """A weapon: its name, its skill, its numbers, and the range at which it is usually used."""

    name: str = ""
    skill: str = ""
    damage: int = 0
    critical: int = 0
    range: str = ""


def carried(turn: r.Turn, who: r.Character | None) -> list[r.Trait]:
    """The named weapons of a character."""
    return turn.table.of_kind(KIND, about=who.id) if who else []


def wielded(turn: r.Turn, who: r.Character | None, skill: str, chosen: str) -> r.Trait | None:
    """The weapon of an attack: the chosen one, else the first for this skill; or None."""
    if not is_combat(turn, skill):
        return None
    for trait in carried(turn, who):
        if chosen in ("", trait.id) and (chosen or Weapon.of(trait).skill == skill):
            return trait
    return None


def weapon_of(turn: r.Turn, id: str) -> Weapon | None:
    """The weapon with this id, or None."""
    trait = turn.table.traits.get(id)
    return Weapon.of(trait) if trait and trait.kind == KIND else None


# The choice in a declared check.


def _choices(turn: r.Turn) -> Iterator[r.Choice]:
    """The actor's weapons, those with the best dice first."""
    who = turn.character("as")

    def place(trait: r.Trait) -> tuple[int, ...]:
        return tuple(-n for n in strength(skill_dice(turn, who, Weapon.of(trait).skill)))

    for trait in sorted(carried(turn, who), key=place):
        weapon = Weapon.of(trait)
        yield r.Choice(trait.id, weapon.name, _note(turn, weapon))


def _note(turn: r.Turn, weapon: Weapon) -> str:
    """The numbers of a weapon in words."""
    parts = [
        turn.words.say("weapon.damage", n=weapon.damage),
        turn.words.say("weapon.critical", n=weapon.critical),
        turn.system.entry(weapon.skill),
    ]
    if weapon.range in RANGES:
        parts.append(turn.words[f"range.{weapon.range}"])
    return turn.words["list.comma"].join(parts)


def best_weapon(turn: r.Turn) -> str | None:
    """The weapon that a form begins with: in a fight the one with the best dice."""
    if ORDER.present(turn.table) is None:
        return None
    return next((choice.value for choice in _choices(turn)), None)


def chosen_weapon(turn: r.Turn) -> Weapon | None:
    """The weapon that is chosen in a form, or that it begins with; or None."""
    return weapon_of(turn, turn.text("weapon"))


def usual_skill(turn: r.Turn) -> str | None:
    """The default skill: that of the chosen weapon."""
    weapon = chosen_weapon(turn)
    return weapon.skill if weapon else None


WEAPON_ASK = r.ChoiceAsk(
    "weapon",
    "Weapon",
    _choices,
    needed=False,
    preset=best_weapon,
    # Outside a fight a form asks for no weapon; a tap on one chooses it.
    shown=lambda t: bool(t.text("weapon") or best_weapon(t)),
)


# The weapons of a sheet.


def _combat_skills(turn: r.Turn) -> Iterator[r.Choice]:
    """The combat skills, the owner's best first."""
    who = turn.character("who")

    def place(entry: r.Entry) -> tuple[int, ...]:
        return tuple(-n for n in strength(skill_dice(turn, who, entry.key)))

    skills = [entry for entry in turn.system.sheet if is_combat(turn, entry.key)]
    for entry in sorted(skills, key=place):
        yield r.Choice(entry.key, entry.label)


def _sheet_number(key: str, label: str, high: int) -> r.NumberAsk:
    """The question for a number of the weapon, by default that of the sheet, else the usual one."""

    def default(turn: r.Turn) -> int:
        return r.rating(turn.character("who"), key) or turn.system.by_entry[key].default

    return r.NumberAsk(key, label, default=default, low=1, high=high, needed=False)


def usual_range(turn: r.Turn, skill: str, chosen: str = "") -> str:
    """The range of a weapon: the chosen one, but attacks that go with Brawn are made engaged."""
    return ENGAGED if note_of(turn, skill, "with") == "brawn" else chosen


RANGE = r.ChoiceAsk(
    "range",
    "Usual range",
    r.answers("weapon.range", *RANGES),
    needed=False,
    shown=lambda t: usual_range(t, t.text("skill")) != ENGAGED,
)


@r.move(
    "weapon.add",
    when=r.idle,
    only_if=[r.has_a_sheet],
    asks=[
        r.first_choice("who", "Whose weapon is it?", r.written_by),
        r.TextAsk("name", "What is it called?", most=r.LONGEST_NAME),
        r.first_choice("skill", "Skill", _combat_skills),
        _sheet_number(DAMAGE, "Damage", 40),
        _sheet_number(CRITICAL, "Advantages for a critical injury", 6),
        RANGE,
    ],
    rule="Strain and wounds",
    place=r.at("words"),
)
def add_weapon(turn: r.Turn) -> Iterator[r.Event]:
    """Add a weapon

    A tap on it on the sheet begins an attack with its skill, damage and price of a critical injury.
    Its usual range suggests the difficulty.
    """
    who = turn.table.characters[turn.text("who")]
    yield set_weapon(turn, who, answered_weapon(turn, turn.text("name")))


def answered_weapon(turn: r.Turn, name: str) -> Weapon:
    """A weapon with this name and the numbers of a form."""
    return Weapon(
        name,
        turn.text("skill"),
        turn.number(DAMAGE),
        turn.number(CRITICAL, turn.system.by_entry[CRITICAL].default),
        usual_range(turn, turn.text("skill"), turn.text("range")),
    )


def set_weapon(turn: r.Turn, who: r.Character, weapon: Weapon) -> r.Event:
    """The event that gives a character a weapon."""
    text = turn.words.say("weapon.told", name=weapon.name, note=_note(turn, weapon))
    return turn.trait(KIND, text, who.id, terms=weapon.terms)


def _own_weapons(turn: r.Turn) -> Iterator[r.Choice]:
    """The weapons on the sheets that this seat may change."""
    for owner in r.written_by(turn):
        if turn.text("who") not in ("", owner.value):
            continue
        for trait in turn.table.of_kind(KIND, about=owner.value):
            yield r.Choice(trait.id, Weapon.of(trait).name, owner.label)


@r.move(
    "weapon.remove",
    by=["player"],
    when=r.all_of(r.idle, r.any_of(_own_weapons, "weapon.none")),
    asks=[
        r.ChoiceAsk("who", "Whose weapon is it?", r.written_by, needed=False, quiet=True),
        r.first_choice("weapon", "Which weapon?", _own_weapons),
    ],
    rule="Strain and wounds",
    place=r.at("words"),
)
def remove_weapon(turn: r.Turn) -> Iterator[r.Event]:
    """Remove a weapon

    Of one's own; the GM removes it like a fact.
    """
    yield r.TraitRemoved(turn.text("weapon"))
