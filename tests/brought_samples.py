"""Characters in the formats of other programs, made by hand from what is known of these formats.

Each format has five contents, each with the sheet that comes of it, and each content is written in
four ways: twenty files of each format. No text of a publisher or of another program is in them.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

Sheet = dict[str, Any]


class Sample(NamedTuple):
    """A file, the game that takes it, and what comes of it: the name, the sheet, the moves."""

    title: str
    game: str
    data: bytes
    name: str = ""
    sheet: Mapping[str, Any] = {}
    moves: tuple[str, ...] = ()


Content = tuple[str, Any, Sheet, tuple[str, ...]]
"""A name, what the file holds, the sheet, and the moves that write the texts."""

PAPER = "paper.write"

BYTES: dict[str, Callable[[str], bytes]] = {
    "plain": lambda text: text.encode(),
    "mark and carriage returns": lambda text: b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode(),
    "UTF-16": lambda text: text.encode("utf-16"),
    "lines around it": lambda text: f"\n\n{text}\n\n".encode(),
}
"""The ways in which a text becomes a file."""


# OggDude.


def ranks(place: str, tag: str, **values: Mapping[str, int]) -> str:
    """A list of OggDude's: keys with the parts of their ranks."""
    rows = (
        f"<{tag}><Key>{key}</Key><Rank>"
        + "".join(f"<{part}>{n}</{part}>" for part, n in parts.items())
        + f"</Rank></{tag}>"
        for key, parts in values.items()
    )
    return f"<{place}>{''.join(rows)}</{place}>"


def oggdude(name: str, *parts: str, head: str = '<?xml version="1.0" encoding="utf-8"?>') -> str:
    """A file of OggDude's generator."""
    about = f"<Description><PlayerName>Ann</PlayerName><CharName>{name}</CharName></Description>"
    return f"{head}\n<Character>\n{about}\n" + "\n".join(parts) + "\n</Character>"


BRAWNY = ranks(
    "Characteristics",
    "CharCharacteristic",
    BR={"SpeciesRanks": 2, "PurchasedRanks": 1},
    AG={"SpeciesRanks": 2, "TalentRanks": 1},
    INT={"SpeciesRanks": 2},
)
SKILLED = ranks(
    "Skills",
    "CharSkill",
    RANGLT={"CareerRanks": 1, "PurchasedRanks": 1, "NonCareerRanks": 1},
    CORE={"PurchasedRanks": 1},
    STEAL={"PurchasedRanks": 0},
)
TOUGH = (
    "<Attributes><WoundThreshold><StartingRanks>10</StartingRanks><SpeciesRanks>3</SpeciesRanks>"
    "</WoundThreshold><SoakValue><StartingRanks>3</StartingRanks><PurchasedRanks>1</PurchasedRanks>"
    "</SoakValue><DefenseRanged><PurchasedRanks>1</PurchasedRanks></DefenseRanged>"
    "<DefenseMelee/><ForceRating><StartingRanks>0</StartingRanks></ForceRating></Attributes>"
)
TREE = (
    "<Specializations><CharSpecialization><Key>PILOT</Key><Name>Pilot</Name><Talents>"
    "<CharTalent><Key>GRIT</Key><Purchased>true</Purchased></CharTalent>"
    "<CharTalent><Key>UNBOUGHT</Key><Purchased>false</Purchased></CharTalent>"
    "</Talents></CharSpecialization></Specializations>"
)
GEAR = (
    "<Weapons><CharWeapon><ItemKey>BLASTHVY</ItemKey><Count>1</Count></CharWeapon></Weapons>"
    "<Gear><CharGear><ItemKey>STIM</ItemKey><Count>3</Count></CharGear></Gear>"
    "<Portrait>QUJDREVGRw==</Portrait>"
)
BODY = {"brawn": 3, "agility": 3, "intellect": 2}
OGGDUDE: list[Content] = [
    (
        "Pash Verro",
        oggdude("Pash Verro", BRAWNY, SKILLED, TOUGH, TREE, GEAR, "<Story>Left home.</Story>"),
        {
            **BODY,
            "ranged-light": 2,
            "core-worlds": 1,
            "stealth": 0,
            "wound-threshold": 13,
            "soak": 4,
            "defence": 1,
        },
        (PAPER,),
    ),
    ("Žofie Ŵynn", oggdude("Žofie Ŵynn", BRAWNY, head=""), BODY, ()),
    (
        "Tal & Co",
        "<Characters>" + oggdude("Tal &amp; Co", BRAWNY, head="") + "</Characters>",
        BODY,
        (),
    ),
    (
        "Old Export",
        oggdude("Old Export", BRAWNY, ranks("Skills", "CharSkill", SWIM={"PurchasedRanks": 2})),
        BODY,
        (PAPER,),
    ),
    (
        "Plain Ranks",
        oggdude(
            "Plain Ranks",
            "<Characteristics><CharCharacteristic><Name>Brawn</Name><Rank>4</Rank>"
            "</CharCharacteristic></Characteristics><Skills/>",
            "<Species><SpeciesKey>HUMAN</SpeciesKey></Species><Career/><Weapons/>",
        ),
        {"brawn": 4},
        (PAPER,),
    ),
]


# Foundry.


def actor(name: str, kind: str, system: Sheet, *items: Sheet, **more: object) -> Sheet:
    """An actor as Foundry exports it."""
    head = {"name": name, "type": kind, "img": "icons/svg/mystery-man.svg"}
    return {**head, "system": system, "items": [*items], "effects": [], "folder": None, **more}


def item(kind: str, name: str, **system: object) -> Sheet:
    """Something that an actor has."""
    return {"name": name, "type": kind, "system": system, "effects": []}


def valued(**values: object) -> Sheet:
    """Values as the Star Wars system keeps them."""
    return {key: {"value": value, "label": key} for key, value in values.items()}


def older(one: Sheet) -> Sheet:
    """An actor as Foundry wrote it before its tenth version."""
    inner = {("data" if key == "system" else key): value for key, value in one.items()}
    return {**inner, "items": [older(each) for each in one.get("items", [])]}


STARWARS = {
    "characteristics": valued(Brawn=2, Agility=4, Intellect=2, Cunning=3, Willpower=2, Presence=2),
    "skills": {
        "Ranged: Light": {"rank": 2, "characteristic": "Agility"},
        "Knowledge: Outer Rim": {"rank": 1},
        "Piloting: Space": {"rank": 0},
    },
    "stats": {
        "wounds": {"value": 1, "max": 12},
        "strain": {"value": 0, "max": 11},
        "soak": {"value": 3},
        "defence": {"ranged": 1, "melee": 0},
        "forcePool": {"value": 0, "max": 0},
        "credits": {"value": 500},
    },
    "biography": "<p>Born on a <em>barge</em> &amp; proud.</p>",
}
FLYER = {
    "brawn": 2,
    "agility": 4,
    "intellect": 2,
    "cunning": 3,
    "willpower": 2,
    "presence": 2,
    "ranged-light": 2,
    "outer-rim": 1,
    "piloting-space": 0,
    "wound-threshold": 12,
    "strain-threshold": 11,
    "soak": 3,
    "defence": 1,
}
PISTOL = item(
    "weapon",
    "Long pistol",
    damage={"value": 6},
    crit={"value": 3},
    range={"value": "Medium"},
    skill={"value": "Ranged: Light"},
)
ADVERSARY = item("talent", "Adversary", ranks={"ranked": True, "current": 2})
FFG: list[Content] = [
    (
        "Ondo",
        actor("Ondo", "character", STARWARS, PISTOL, item("gear", "Rope")),
        FLYER,
        ("weapon.add", PAPER),
    ),
    (
        "Ondo",
        older(actor("Ondo", "character", STARWARS, PISTOL)),
        FLYER,
        ("weapon.add", PAPER),
    ),
    (
        "Rafters",
        actor(
            "Rafters",
            "minion",
            {
                "characteristics": valued(Brawn=3),
                "skills": {"Brawl": {"rank": 0, "groupskill": True}},
                "unit_wounds": {"value": 5},
                "quantity": {"value": 3, "max": 4},
                "stats": {"wounds": {"max": 20}},
            },
        ),
        {"brawn": 3, "brawl": 1, "wound-threshold": 5, "minions": 4},
        (),
    ),
    (
        "Vekk",
        actor(
            "Vekk",
            "nemesis",
            {"characteristics": valued(Cunning="4"), "skills": {"Skuldugery": {"rank": 3}}},
            ADVERSARY,
            item("talent", "Never surprised"),
            _stats={"systemId": "starwarsffg", "systemVersion": "1.9"},
        ),
        {"cunning": 4, "skulduggery": 3, "adversary": 2},
        (PAPER,),
    ),
    (
        "Sela",
        actor(
            "Sela",
            "rival",
            {"characteristics": valued(Presence=3), "stats": {"wounds": None}},
            item("weapon", "Odd horn", skill={"value": "Trumpet"}, damage={"value": 2}),
            item("specialization", "Singer", talents={"talent0": {"name": "x", "islearned": True}}),
            flags={"exportSource": {"system": "starwarsffg", "world": "w"}},
        ),
        {"presence": 3},
        (PAPER,),
    ),
]

TRAITS = {
    "brawn": 3,
    "agility": 2,
    "intellect": 2,
    "cunning": 2,
    "willpower": 3,
    "presence": 1,
}
SWORD = item("weapon", "Sabre", baseDamage=6, critical=2, range="engaged", skills=["Melee (Light)"])
GENESYS: list[Content] = [
    (
        "Maren",
        actor(
            "Maren",
            "character",
            {
                "characteristics": TRAITS,
                "soak": 0,
                "wounds": {"value": 0, "max": 13},
                "strain": {"value": 2, "max": 12},
                "defense": {"melee": 0, "ranged": 0},
                "motivations": {"fear": {"name": "Deep water", "description": "<p>Since.</p>"}},
            },
            item("skill", "Melee (Light)", rank=2, characteristic="brawn"),
            item("skill", "Cool", rank=0),
            item("armor", "Coat", soak=1, defense=1, state="equipped"),
            item("armor", "Old coat", soak=2, defense=0, state="carried"),
            SWORD,
        ),
        TRAITS
        | {"soak": 4, "defence": 1, "wound-threshold": 13, "strain-threshold": 12}
        | {"melee": 2, "cool": 0},
        ("weapon.add", PAPER),
    ),
    (
        "Wolves",
        actor(
            "Wolves",
            "minion",
            {
                "characteristics": TRAITS,
                "soak": 3,
                "wounds": {"value": 0, "threshold": 4},
                "groupSize": 3,
            },
            item("skill", "Brawl", rank=1),
        ),
        TRAITS | {"soak": 3, "wound-threshold": 4, "minions": 3, "brawl": 1},
        (),
    ),
    (
        "Judge",
        older(
            actor(
                "Judge",
                "rival",
                {"characteristics": TRAITS, "soak": 5},
                item("skill", "Negotiaton", rank=2),
            )
        ),
        TRAITS | {"soak": 5, "negotiation": 2},
        (),
    ),
    (
        "Chief",
        actor(
            "Chief",
            "nemesis",
            {"characteristics": TRAITS, "soak": 4},
            item("talent", "Adversary", rank=1),
            item("ability", "Howl", description="<p>All hear it.</p>"),
            _stats={"systemId": "genesys"},
        ),
        TRAITS | {"soak": 4, "adversary": 1},
        (PAPER,),
    ),
    (
        "Two blades",
        actor(
            "Two blades",
            "character",
            {"characteristics": TRAITS},
            item("skill", "Melee (Light)", rank=1),
            item("skill", "Melee (Heavy)", rank=3),
        ),
        TRAITS | {"soak": 3, "melee": 3},
        (),
    ),
]

SKILLS = {"battle": 5, "communicate": 7, "discipline": 6, "move": 4, "understand": 8}
DRIVES = {"duty": 7, "faith": 5, "justice": 4, "power": 8, "truth": 6}


def dune(**more: object) -> Sheet:
    """What an actor of the Dune system is made of."""
    skills: Sheet = {key: {"value": n, "focuses": None} for key, n in SKILLS.items()}
    drives: Sheet = {key: {"value": n, "statement": ""} for key, n in DRIVES.items()}
    drives["duty"]["statement"] = "I hold the door"
    return {"skills": skills, "drives": drives, **more}


DUNE: list[Content] = [
    (
        "Lady Ilse",
        actor(
            "Lady Ilse",
            "PC",
            dune(house="Velar", ambition="A seat"),
            item("Focus", "Etiquette", skill="communicate"),
            item("Talent", "Cool head"),
            item("Trait", "Heir"),
            item("Asset", "Kindjal", quality=1),
        ),
        SKILLS | DRIVES,
        ("sheet.write", "sheet.write", "sheet.write", "sheet.write", "asset.add", PAPER),
    ),
    ("Guard", actor("Guard", "SC", dune()), SKILLS | DRIVES, ("sheet.write",)),
    (
        "Spy",
        older(actor("Spy", "NPC", dune(), item("Trait", "Unseen"))),
        SKILLS | DRIVES,
        ("sheet.write", "sheet.write"),
    ),
    (
        "Half",
        actor(
            "Half", "NPC", {"skills": {"battle": {"value": 3}}, "drives": {"duty": {"value": 5}}}
        ),
        {"duty": 5},
        (PAPER,),
    ),
    (
        "Marked",
        actor(
            "Marked",
            "PC",
            {
                "skills": {"move": {"value": 6, "focuses": "Climbing, Swimming"}},
                "drives": {"faith": {"value": 4, "statement": "Too low to have one"}},
            },
            _stats={"systemId": "dune2d20"},
        ),
        {"move": 6, "faith": 4},
        ("sheet.write", "sheet.write", PAPER),
    ),
]


def fate(**more: object) -> Sheet:
    """What an actor of Fate Core is made of."""
    return {
        "details": {"fatePoints": {"current": 2, "refresh": 3}, "notes": {"value": "<p>n</p>"}},
        "skills": {
            "QQ": {"name": "Careful", "rank": 3},
            "Qg": {"name": "Flashy", "rank": 0},
        },
        "aspects": {
            "SA": {"name": "High Concept", "value": "Mapmaker of moving streets"},
            "SB": {"name": "Trouble", "value": ""},
        },
        "stunts": {"U": {"name": "Quick exit", "description": "<p>Once gone</p>"}},
        "tracks": {"T": {"name": "Stress", "boxes": 3, "enabled": True}},
        **more,
    }


FATE: list[Content] = [
    (
        "Tomas",
        actor("Tomas", "fate-core-official", fate()),
        {"careful": 3, "flashy": 0, "refresh": 3, "stress": 3},
        ("aspect.add", "aspect.add", "stunt.add", PAPER),
    ),
    (
        "Old Tomas",
        older(actor("Old Tomas", "fate-core-official", fate())),
        {"careful": 3, "flashy": 0, "refresh": 3, "stress": 3},
        ("aspect.add", "aspect.add", "stunt.add", PAPER),
    ),
    (
        "Core",
        actor(
            "Core",
            "fate-core-official",
            {"skills": {"a": {"name": "Craft", "rank": 2}, "b": {"name": "Stelth", "rank": 1}}},
            _stats={"systemId": "fate-core-official"},
        ),
        {"crafts": 2, "stealth": 1},
        (),
    ),
    (
        "Items",
        actor(
            "Items",
            "character",
            {"fatepoints": {"current": 1, "refresh": 2}, "biography": {"value": "b"}},
            item("skill", "Will", rank=4),
            item("aspect", "High Concept", value="Last of the ferrymen"),
            item("stunt", "Strong arms"),
            flags={"exportSource": {"system": "fatex"}},
        ),
        {"refresh": 2, "will": 4},
        ("aspect.add", "stunt.add", PAPER),
    ),
    (
        "Mob",
        actor("Mob", "fate-core-official", fate(skills={"x": {"name": "Juggling", "rank": 2}})),
        {"refresh": 3, "stress": 3},
        ("aspect.add", "aspect.add", "stunt.add", PAPER),
    ),
]


# Spreadsheets, and our own.


def sheet(*rows: tuple[object, ...], separator: str = ",") -> str:
    """Rows as CSV."""
    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator="\n").writerows(rows)
    return text.getvalue().strip()


CSV: list[Content] = [
    (
        "Zoe",
        sheet(("Name", "Brawn", "Ranged (light)", "soak"), ("Zoe", 3, 2, "")),
        {"brawn": 3, "ranged-light": 2},
        (),
    ),
    (
        "Zoe",
        sheet(("NAME", "BRAWN", "Notes"), ("Zoe", "3", "Two\nlines; both"), separator=";"),
        {"brawn": 3},
        (PAPER,),
    ),
    (
        "Zoe",
        sheet(
            ("Weapon", "weapon skill", "weapon damage", "weapon critical", "Name", "Brawn", "Age"),
            ("Carbine", "Ranged (heavy)", 9, 3, "Zoe", "4.0", 30),
            separator="\t",
        ),
        {"brawn": 4},
        ("weapon.add", PAPER),
    ),
    (
        "Zoe",
        sheet(("Brawn", 5), ("Name", "Zoe"), ("Wounds", 12)),
        {"brawn": 5, "wound-threshold": 12},
        (),
    ),
    (
        "Zoe",
        sheet(("Name", "Agilty", "Talents", "Brawn"), ("Zoe", 4, "Swift; Silent", 99)),
        {"agility": 4},
        (PAPER,),
    ),
]
OWN: list[Content] = [
    ("Ruhan", {"name": "Ruhan", "sheet": {"battle": 6, "duty": 7}}, {"battle": 6, "duty": 7}, ()),
    ("Ruhan", {"name": "Ruhan", "battle": 6}, {"battle": 6}, ()),
    (
        "Ruhan",
        {
            "storypool": "character",
            "version": 1,
            "game": "dune",
            "name": "Ruhan",
            "sheet": {"battle": 6},
            "texts": [{"kind": "focus", "text": "Knives", "of": "battle"}],
            "notes": "Owes money.",
        },
        {"battle": 6},
        ("sheet.write", PAPER),
    ),
    (
        "Ruhan",
        {"storypool": "character", "characters": [{"name": "Ruhan", "sheet": {"move": 5}}]},
        {"move": 5},
        (),
    ),
    (
        "Ruhan",
        {"name": "Ruhan", "sheet": {"Batle": 7, "luck": 3, "duty": 2}},
        {"battle": 7},
        (PAPER,),
    ),
]

FORMATS: dict[str, tuple[str, list[Content]]] = {
    "oggdude": ("starwars", OGGDUDE),
    "foundry-starwarsffg": ("starwars", FFG),
    "foundry-genesys": ("genesys", GENESYS),
    "foundry-dune2d20": ("dune", DUNE),
    "foundry-fate": ("destinydice", FATE),
    "csv": ("starwars", CSV),
    "storypool": ("dune", OWN),
}


def samples() -> Iterator[Sample]:
    """Yield twenty files of each format."""
    for format, (game, contents) in FORMATS.items():
        for n, (name, content, sheet_of, moves) in enumerate(contents):
            for way, (title, to_bytes) in enumerate(BYTES.items()):
                text = content
                if not isinstance(text, str):
                    text = json.dumps(content, indent=way or None, ensure_ascii=way % 2 == 0)
                made = Sample(f"{format} {n} {title}", game, to_bytes(text))
                yield made._replace(name=name, sheet=sheet_of, moves=moves)
