"""The rolls of a sheet: the target numbers of skills and drives, the uses of assets and traits."""

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.systems.dune.people import sheet


def sheet_rolls(turn: r.Turn, who: r.Character) -> Iterator[r.SheetRoll]:
    """The target number of each skill with the highest drive, and of each drive with its skill."""
    usable = [one.value for one in sheet.drive_choices(turn, who) if not one.closed]
    for question, own, others in (
        ("skill", sheet.SKILLS, usable),
        ("drive", usable, sheet.SKILLS),
    ):
        best = max(others, key=lambda key: who.rating(key) or 0, default="")
        for key in own:
            if best and who.rating(key) and who.rating(best):
                n = (who.rating(key) or 0) + (who.rating(best) or 0)
                yield r.SheetRoll(
                    key,
                    text=turn.words.say("sheet.target", n=n, best=sheet.label(turn, best)),
                    move="check.declare",
                    given={"as": who.id, question: key},
                )
    for asset in turn.table.of_kind("asset", about=who.id):
        yield r.SheetRoll(asset.id, move="asset.use", given={"as": who.id, "asset": asset.id})
    for trait in turn.table.of_kind("trait", about=who.id):
        yield r.SheetRoll(trait.id, move="check.trait", given={"trait": trait.text})
