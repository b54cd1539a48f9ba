"""The characters of OggDude's Character Generator, which are XML files.

`Character` has its name in `Description/CharName`; characteristics, skills and attributes are lists
of a `Key` and a `Rank` whose parts add up. `NonCareerRanks` is a price and counts in none. Weapons
and gear are named by a key; their numbers are in the generator's own data and not in the file.
"""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from storypool.brought.characters import BroughtCharacter, NoCharacter, whole

FORMAT = "oggdude"
NO_RANKS = frozenset({"NonCareerRanks"})
"""Parts of a rank that add nothing."""
LISTS = {
    "Characteristics": "CharCharacteristic",
    "Skills": "CharSkill",
}
ATTRIBUTES = ("WoundThreshold", "StrainThreshold", "SoakValue", "DefenseRanged", "DefenseMelee")
CARRIED = {"Weapons": "CharWeapon", "Armor": "CharArmor", "Gear": "CharGear"}
LOOKS = ("Gender", "Age", "Height", "Build", "Hair", "Eyes", "OtherFeatures")


def read(root: Element) -> Iterator[BroughtCharacter]:
    """Yield the characters of a document, which may hold one or several."""
    found = [root] if root.tag == "Character" else root.findall(".//Character")
    if not found:
        raise NoCharacter("xml.other", tag=root.tag[:40])
    for one in found:
        yield _character(one)


def _character(root: Element) -> BroughtCharacter:
    one = BroughtCharacter(FORMAT, _text(root, "Description/CharName"))
    for place, tag in LISTS.items():
        for node in root.findall(f"{place}/{tag}"):
            one.count(_text(node, "Key") or _text(node, "Name"), _ranks(node.find("Rank")))
    for key in (*ATTRIBUTES, "ForceRating"):
        # An attribute that nothing was counted for is left to the sheet.
        one.count(key, _ranks(root.find(f"Attributes/{key}")), least=1)
    _talents(one, root)
    for place, tag in CARRIED.items():
        found = (_carried(node) for node in root.findall(f"{place}/{tag}"))
        one.note(place, ", ".join(filter(None, found)))
    _life(one, root)
    return one


def _ranks(node: Element | None) -> int:
    """The sum of the parts of a rank, or the number itself where it has no parts."""
    if node is None:
        return 0
    if not len(node):
        return whole(node.text or "") or 0
    parts = (whole(part.text or "") for part in node if part.tag not in NO_RANKS)
    return sum(filter(None, parts))


def _talents(one: BroughtCharacter, root: Element) -> None:
    """Add the talents that were bought, each with the times that it was."""
    bought = dict[str, int]()
    for node in root.findall("Specializations/CharSpecialization/Talents/CharTalent"):
        if _is_true(node, "Purchased") and (name := _text(node, "Name") or _text(node, "Key")):
            bought[name] = bought.get(name, 0) + 1
    for name, ranks in bought.items():
        one.write("talent", name, rank=ranks)
    for node in root.findall("ForcePowers/CharForcePower"):
        abilities = node.findall("ForceAbilities/CharForceAbility")
        if any(_is_true(ability, "Purchased") for ability in abilities):
            one.write("power", _text(node, "Name") or _text(node, "Key"))


def _life(one: BroughtCharacter, root: Element) -> None:
    one.note("Species", _text(root, "Species/SpeciesKey"))
    one.note("Career", _text(root, "Career/CareerName") or _text(root, "Career/CareerKey"))
    learned = root.findall("Specializations/CharSpecialization")
    names = (_text(node, "Name") or _text(node, "Key") for node in learned)
    one.note("Specializations", ", ".join(filter(None, names)))
    for place, tag, size in (
        ("Obligations", "CharObligation", "Size"),
        ("Duties", "CharDuty", "Size"),
    ):
        sizes = (
            f"{_text(node, 'Name') or _text(node, 'ObKey') or _text(node, 'DutyKey')}"
            f" {_text(node, size)}"
            for node in root.findall(f"{place}/{tag}")
        )
        one.note(place, ", ".join(filter(None, map(str.strip, sizes))))
    one.note("Morality", _text(root, "Morality/MoralityValue"))
    one.note("Credits", _text(root, "Credits"))
    for key in LOOKS:
        one.note(key, _text(root, f"Description/{key}"))
    one.note("Story", _text(root, "Story"))


def _carried(node: Element) -> str:
    """A thing that is carried, with its number where there are several."""
    name = _text(node, "Name") or _text(node, "ItemKey") or _text(node, "Key")
    count = whole(_text(node, "Count")) or 1
    return f"{count} {name}" if name and count > 1 else name


def _text(node: Element, path: str) -> str:
    return (node.findtext(path) or "").strip()


def _is_true(node: Element, tag: str) -> bool:
    return _text(node, tag).lower() == "true"
