"""Actors of Foundry, as its “Export Data” writes them: Star Wars FFG, Genesys, Dune 2d20 and Fate.

What an actor is made of is in `system`, or `data` before Foundry 10. Its game is in
`_stats.systemId` or `flags.exportSource.system`; a file without either is known by its shape.
"""

from collections.abc import Callable, Iterator
from typing import Any

from storypool.brought.characters import BroughtCharacter, NoCharacter, plain, whole
from storypool.brought.json_files import at, objects, text_at

Actor = dict[str, Any]
NO_CHARACTERS = frozenset({"vehicle", "homestead", "house", "thing"})
"""Kinds of actors that are no people."""


def is_actor(data: object) -> bool:
    """Whether this is an actor, or says that it is one."""
    return isinstance(data, dict) and isinstance(data.get("system", data.get("data")), dict)


def read(actor: Actor) -> BroughtCharacter:
    """The character that an actor describes; `NoCharacter` for a vehicle, or an unknown system."""
    kind = text_at(actor, "type")
    if kind.lower() in NO_CHARACTERS:
        raise NoCharacter("actor.kind", kind=kind)
    inner: Actor = actor.get("system", actor.get("data")) or {}
    system = _system(actor, inner)
    if system not in READERS:
        raise NoCharacter("actor.system", system=system[:40] or "?")
    one = BroughtCharacter(f"foundry-{system}", text_at(actor, "name"))
    # Fate has one type for everybody.
    one.is_npc = kind.lower() in ("minion", "rival", "nemesis", "adversary", "npc")
    READERS[system](one, inner, [*_items(actor)])
    return one


def _system(actor: Actor, inner: Actor) -> str:
    for path in (
        ("_stats", "systemId"),
        ("flags", "exportSource", "system"),
        ("exportSource", "system"),
    ):
        if named := text_at(actor, *path):
            return ALIASES.get(named, named)
    if at(inner, "characteristics", "Brawn") is not None:
        return "starwarsffg"
    if at(inner, "characteristics", "brawn") is not None:
        return "genesys"
    if at(inner, "drives") is not None:
        return "dune2d20"
    return "fate" if "aspects" in inner or "fatepoints" in inner else ""


ALIASES = {
    "fate-core-official": "fate",
    "fatex": "fate",
    "dune": "dune2d20",
    "dune-2d20": "dune2d20",
}


def _items(actor: Actor) -> Iterator[tuple[str, str, Actor]]:
    """Yield the items: the kind, the name, and what it is made of."""
    for _, item in objects(actor.get("items")):
        inner = item.get("system", item.get("data"))
        yield text_at(item, "type"), text_at(item, "name"), inner if isinstance(inner, dict) else {}


Items = list[tuple[str, str, Actor]]


def _value(data: object, *path: str) -> Any:
    """What is at a path, or its `value` if it has one."""
    found = at(data, *path)
    return found.get("value") if isinstance(found, dict) else found


def _star_wars(one: BroughtCharacter, inner: Actor, items: Items) -> None:
    for name, row in objects(inner.get("characteristics")):
        one.count(name, row.get("value"))
    for name, row in objects(inner.get("skills")):
        # A group of minions has a skill or has it not: its ranks follow from its number.
        rank = row.get("rank") or int(row.get("groupskill") is True)
        one.count(text_at(row, "label") if name.startswith("custom") else name, rank)
    stats = inner.get("stats")
    one.count("Wounds", at(stats, "wounds", "max"), least=1)
    one.count("Wounds", _value(inner, "unit_wounds"), least=1)
    if _value(inner, "unit_wounds"):
        one.numbers["Wounds"] = whole(_value(inner, "unit_wounds")) or 1
        one.count("Group", at(inner, "quantity", "max") or _value(inner, "quantity"), least=1)
    one.count("Strain", at(stats, "strain", "max"), least=1)
    one.count("Soak", at(stats, "soak", "value"), least=1)
    one.count("Defence (melee)", at(stats, "defence", "melee"), least=1)
    one.count("Defence (ranged)", at(stats, "defence", "ranged"), least=1)
    one.count("Force rating", at(stats, "forcePool", "max"), least=1)
    for kind, name, item in items:
        if kind in ("weapon", "shipweapon"):
            _weapon(one, name, item, ("damage", "crit", "range"), _value(item, "skill"))
        elif kind == "talent":
            one.write("talent", name, rank=at(item, "ranks", "current") or 1)
        elif kind == "specialization":
            for _, talent in objects(item.get("talents")):
                if talent.get("islearned") is True:
                    one.write("talent", text_at(talent, "name"), rank=talent.get("rank") or 1)
        elif kind == "ability":
            one.write("talent", _with_words(name, item))
    _carried(one, items, ("armour", "gear", "forcepower", "criticalinjury", "specialization"))
    for key in ("species", "career"):
        one.note(key.capitalize(), _value(inner, key))
    one.note("Story", inner.get("biography"))


def _genesys(one: BroughtCharacter, inner: Actor, items: Items) -> None:
    for key, value in (inner.get("characteristics") or {}).items():
        one.count(key, value)
    worn = [item for kind, _, item in items if kind == "armor" and item.get("state") == "equipped"]
    soak, melee, ranged = (
        whole(at(inner, *path)) or 0
        for path in (("soak",), ("defense", "melee"), ("defense", "ranged"))
    )
    if not (one.is_npc and "soak" in inner):
        # A player's soak is what comes on top of Brawn and of armour.
        soak += whole(at(inner, "characteristics", "brawn")) or 0
        soak += sum(whole(item.get("soak")) or 0 for item in worn)
    guard = sum(whole(item.get("defense")) or 0 for item in worn)
    one.count("Soak", soak, least=1)
    one.count("Defence (melee)", melee + guard, least=1)
    one.count("Defence (ranged)", ranged + guard, least=1)
    wounds = at(inner, "wounds", "max") or at(inner, "wounds", "threshold")
    one.count("Wounds", wounds, least=1)
    one.count("Strain", at(inner, "strain", "max") or at(inner, "strain", "threshold"), least=1)
    one.count("Group", inner.get("groupSize"), least=1)
    for kind, name, item in items:
        if kind == "skill":
            one.count(name, item.get("rank"))
        elif kind == "weapon":
            skills = item.get("skills")
            skill = skills[0] if isinstance(skills, list) and skills else ""
            _weapon(one, name, item, ("baseDamage", "critical", "range"), skill)
        elif kind == "talent":
            one.write("talent", name, rank=item.get("rank") or 1)
        elif kind == "ability":
            one.write("talent", _with_words(name, item))
    _carried(one, items, ("armor", "gear", "consumable", "archetype", "career", "injury"))
    for key, row in objects(inner.get("motivations")):
        about = ": ".join(filter(None, (text_at(row, "name"), plain(row.get("description")))))
        one.note(key.capitalize(), about)
    one.note("Notes", inner.get("notes") or inner.get("description"))


def _dune(one: BroughtCharacter, inner: Actor, items: Items) -> None:
    for group in ("skills", "drives"):
        for name, row in objects(inner.get(group)):
            one.count(name, row.get("value"))
            one.write("statement", row.get("statement"), name)
            for focus in _listed(row.get("focuses")):
                one.write("focus", focus, name)
    for kind, name, item in items:
        if kind == "Focus":
            one.write("focus", name, text_at(item, "skill"))
        elif kind == "Asset":
            one.write("asset", name, potency=item.get("quality"))
        elif kind in ("Talent", "Trait"):
            one.write(kind.lower(), name)
    for key in ("house", "role", "faction", "ambition", "description", "biography"):
        one.note(key.capitalize(), inner.get(key))


def _fate(one: BroughtCharacter, inner: Actor, items: Items) -> None:
    one.count("Refresh", at(inner, "details", "fatePoints", "refresh"), least=1)
    one.count("Refresh", at(inner, "fatepoints", "refresh"), least=1)
    for _, row in objects(inner.get("skills")):
        one.count(text_at(row, "name"), row.get("rank"), least=-9)
    for _, row in objects(inner.get("aspects")):
        one.write("aspect", row.get("value") or row.get("name"))
    for _, row in objects(inner.get("stunts")):
        one.write("stunt", _with_words(text_at(row, "name"), row))
    for _, row in objects(inner.get("tracks")):
        if row.get("enabled") is not False:
            one.count(text_at(row, "name"), row.get("boxes"), least=1)
    for kind, name, item in items:
        if kind == "skill":
            one.count(name, item.get("rank"), least=-9)
        elif kind == "aspect":
            one.write("aspect", item.get("value") or name)
        elif kind == "stunt":
            one.write("stunt", _with_words(name, item))
        elif kind == "stress":
            one.count(name, item.get("size"), least=1)
    _carried(one, items, ("Extra", "extra"))
    for place in (("description",), ("biography",), ("notes",), ("pronouns",)):
        one.note(place[0].capitalize(), _value(inner, "details", *place))
        one.note(place[0].capitalize(), _value(inner, *place))


READERS: dict[str, Callable[[BroughtCharacter, Actor, Items], None]] = {
    "starwarsffg": _star_wars,
    "genesys": _genesys,
    "dune2d20": _dune,
    "fate": _fate,
}
"""The systems of Foundry whose actors are read."""


def _weapon(
    one: BroughtCharacter, name: str, item: Actor, keys: tuple[str, str, str], skill: object
) -> None:
    damage, critical, reach = (_value(item, key) for key in keys)
    of = skill if isinstance(skill, str) else ""
    one.write("weapon", name, of, damage=damage, critical=critical, range=reach)


def _with_words(name: str, item: Actor) -> str:
    """A name with what it means, on one line."""
    about = " ".join(plain(item.get("description")).split())
    return f"{name}: {about}" if about else name


def _listed(value: object) -> list[str]:
    """Names in a list, or in a text between commas."""
    if isinstance(value, str):
        return value.split(",")
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _carried(one: BroughtCharacter, items: Items, kinds: tuple[str, ...]) -> None:
    """Note the things of these kinds, each kind on a line."""
    for kind in kinds:
        one.note(kind.capitalize(), ", ".join(name for found, name, _ in items if found == kind))
