"""Special abilities of NPCs.

Source: seed 004, Non-player Character Special Abilities; rulings.md.
"""

from collections.abc import Mapping

from storypool.engine import rules as r
from storypool.systems.dune import skill_test_terms as terms
from storypool.systems.dune.conditions import untouched
from storypool.systems.dune.payment import threat
from storypool.systems.dune.people import sheet
from storypool.systems.dune.skill_test_rolls import place_of_helper, places, roll_again
from storypool.systems.dune.skill_test_terms import SkillTest
from storypool.systems.twod20.dice import D20, HELPER

ABILITIES: Mapping[str, str] = r.rows("storypool.systems.dune", "npcs")["abilities"]
"""The phase of a test in which each ability is used."""
REROLLS = {"threatening": D20.name, "guidance": HELPER.name}
"""Abilities that re-roll one die, and which."""


def _abilities(turn: r.Turn) -> r.Choices:
    for key in ABILITIES:
        yield r.Choice(key, turn.words[f"ability.{key}"], turn.words[f"ability.{key}.does"])


_uses_threat = r.answered("ability", "threat")
ABILITY = r.ChoiceAsk("ability", "Which special ability?", _abilities)
_SKILL = r.ChoiceAsk("ability_skill", "Of which skill?", sheet.skills, default="battle")
OF_ABILITY = (
    r.replace(_SKILL, shown=lambda t: "ability" in t.args),
    r.TextAsk("benefit", "What does the Threat bring?", needed=False, shown=_uses_threat),
    r.NumberAsk("price", "For how much Threat?", needed=False, low=1, high=10, shown=_uses_threat),
)


def give(turn: r.Turn, who: r.Character) -> r.Event:
    """The event that writes the ability of the answers on the sheet of an NPC."""
    event = given(turn, who, turn.text("ability"), turn.text("ability_skill"))
    ability = r.replace(terms.Ability.of(event.trait), price=turn.number("price"))
    text = turn.text("benefit") or event.trait.text
    return r.TraitSet(r.replace(event.trait, text=text, terms=ability.terms))


def given(turn: r.Turn, who: r.Character, key: str, at: str) -> r.TraitSet:
    """The event that writes this ability, of this skill, on the sheet of an NPC."""
    name, does = turn.words[f"ability.{key}"], turn.words[f"ability.{key}.does"]
    text = turn.words.say("npc.ability", name=name, at=sheet.label(turn, at), text=does)
    return turn.trait("ability", text, who.id, at=at, terms=terms.Ability(ability=key).terms)


_majors = r.characters("gm", only=lambda turn, one: sheet.rank(one) == sheet.MAJOR)


@r.gm_move(
    "npc.ability",
    when=r.any_of(_majors, "ability.major"),
    asks=[r.ChoiceAsk("who", "Whose?", _majors), ABILITY, *OF_ABILITY],
    rule="Non-player Character Special Abilities",
    place=r.at("generators", 62),
)
def give_ability(turn: r.Turn) -> r.Events:
    """Give an NPC a special ability

    A major NPC has two to four talents, or abilities in their place.
    """
    yield give(turn, turn.table.characters[turn.text("who")])


def usable(turn: r.Turn) -> r.Choices:
    """The abilities that can be used now; uses of Threat at any time."""
    check, words = turn.check, turn.words
    applies = {trait.id for trait in terms.applying(turn.table, check)} if check else set()
    for trait in turn.table.of_kind("ability"):
        key, n = terms.Ability.of(trait).ability, terms.Ability.of(trait).price
        who = turn.table.characters.get(trait.about)
        if key == "threat" and not trait.hidden and who is not None and who.team is r.Team.GM:
            note = words.say("npc.ability.price", n=n) if n else ""
            yield r.Choice(trait.id, trait.text, note)
        elif key != "threat" and check is not None and _is_of(check, trait, key):
            note = words["ability.applies"] if trait.id in applies else ""
            yield r.Choice(trait.id, trait.text, note)


def _is_of(check: r.Check, trait: r.Trait, key: str) -> bool:
    """Whether an ability can be used in this test as it is now, by who acts or helps."""
    test, now = SkillTest.of(check), ABILITIES.get(key) == check.phase
    if not now or trait.id in test.abilities.used or not check.knows(trait):
        return False
    if key == "guidance":
        there = place_of_helper(check, trait.about) in places(check, HELPER.name)
        return there and trait.about in test.helping
    # These go with one skill, as far as the test names one.
    of_a_skill = key in ("proficiency", "threatening", "familiarity")
    return trait.about == check.actor and not (of_a_skill and test.skill not in ("", trait.at))


def _chosen(turn: r.Turn) -> terms.Ability:
    trait = turn.table.traits.get(turn.text("ability"))
    return terms.Ability.of(trait) if trait else terms.Ability()


def _costs(turn: r.Turn) -> int:
    return (_chosen(turn).price or turn.number("n", 1)) if _chosen(turn).ability == "threat" else 0


_HOW_MUCH = r.NumberAsk("n", "How much Threat?", default=1, low=1, high=10)


@r.gm_move(
    "ability.use",
    when=r.in_session,
    price=threat("Threat, where the ability says so", _costs),
    only_if=[r.any_of(usable, "ability.none")],
    asks=[
        r.ChoiceAsk("ability", "Which ability?", usable),
        r.replace(_HOW_MUCH, shown=lambda t: _costs(t) > 0 and not _chosen(t).price),
        r.TextAsk("text", "What does it bring?", needed=False, shown=lambda t: _costs(t) > 0),
        r.faces_of(lambda t: {die: 1 for key, die in REROLLS.items() if key == _chosen(t).ability}),
    ],
    rule="Non-player Character Special Abilities",
    place=r.at("test"),
)
def use_ability(turn: r.Turn) -> r.Events:
    """Use an NPC's special ability

    Each once in a test. Those that change a price or the Difficulty apply themselves; this takes
    back one that was left aside. A use of Threat needs no test, and is bought as often as it can be
    paid.
    """
    trait = turn.table.traits[turn.text("ability")]
    key = terms.Ability.of(trait).ability
    if key == "threat":
        if turn.check is not None and turn.check.hidden:
            raise turn.refused("argument", "points.secret", "ability")
        text = turn.text("text") or trait.text
        yield turn.trait("effect", text, trait.about, until="scene")
        return
    abilities = terms.Abilities.of(turn.here)
    aside = tuple(id for id in abilities.aside if id != trait.id)
    check = terms.Abilities.put(turn.here, aside=aside, used=(*abilities.used, trait.id))
    if key == "substitution":
        changed = terms.with_target(turn.table, SkillTest.put(check, skill=trait.at, focus=""))
    else:
        changed = terms.with_abilities(turn.table, check)
    eased = terms.difficulty_in_words(turn, changed) if key == "familiarity" else ""
    yield turn.amend(changed, f"{trait.text}. {eased}".strip())
    if key in REROLLS:
        yield from _again(turn, key, trait.about)


def _again(turn: r.Turn, key: str, who: str) -> r.Events:
    """Re-roll one d20: the worst of an NPC who acts, or the helper's."""
    check = turn.here
    if key == "threatening" and not (SkillTest.of(check).bought and check.team is r.Team.GM):
        raise turn.refused("argument", "ability.bought", "ability")
    if refusal := untouched(turn):
        raise r.Refused(r.replace(refusal, code="argument", field="ability"))
    if key == "threatening":
        free = sorted(places(check), key=lambda i: -check.rolled[i - 1].face)[:1]
    else:
        free = [i for i in places(check, HELPER.name) if i == place_of_helper(check, who)]
    if not free:
        raise turn.refused("argument", "reroll.none", "ability")
    yield from roll_again(turn, free, REROLLS[key])


def _applied(turn: r.Turn) -> r.Choices:
    for trait in terms.applying(turn.table, turn.here) if turn.here.phase == "build" else ():
        yield r.Choice(trait.id, trait.text)


@r.gm_move(
    "ability.leave",
    when=r.acting,
    only_if=[r.any_of(_applied, "ability.aside")],
    asks=[r.ChoiceAsk("ability", "Which ability?", _applied)],
    rule="Non-player Character Special Abilities",
    place=r.at("test"),
)
def leave_ability(turn: r.Turn) -> r.Events:
    """Leave an ability aside

    Before the roll, where it does not fit what is done.
    """
    abilities, trait = terms.Abilities.of(turn.here), turn.table.traits[turn.text("ability")]
    used = tuple(id for id in abilities.used if id != trait.id)
    changed = terms.Abilities.put(turn.here, used=used, aside=(*abilities.aside, trait.id))
    changed = terms.with_abilities(turn.table, changed)
    what = turn.words.say("ability.left", name=trait.text.partition(":")[0])
    eased = (
        terms.difficulty_in_words(turn, changed)
        if terms.Ability.of(trait).ability == "familiarity"
        else ""
    )
    yield turn.amend(changed, f"{what} {eased}".strip())
