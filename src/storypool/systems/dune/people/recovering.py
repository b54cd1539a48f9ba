"""Recovering a drive whose statement was struck. Source: seed 004, Recovering a Drive; dune.md 4.3."""

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.systems.dune.people import sheet


def _struck(turn: r.Turn, who: str) -> list[r.Trait]:
    """The struck statements of a character."""
    return [one for one in turn.table.of_kind("statement", about=who) if sheet.is_struck(one)]


def _whose(turn: r.Turn) -> Iterator[r.Choice]:
    return (choice for choice in r.written_by(turn) if _struck(turn, choice.value))


def struck_drives(turn: r.Turn) -> Iterator[r.Choice]:
    """The struck statements of the named character, or of all sheets the seat may change."""
    for choice in r.written_by(turn):
        for trait in _struck(turn, choice.value) if turn.text("who") in ("", choice.value) else ():
            yield r.Choice(trait.at, sheet.label(turn, trait.at), trait.text)


def _recovered(turn: r.Turn) -> tuple[dict[str, r.Value], str | None, list[str]]:
    """The sheet after recovering, the drive that rises, and those of 6 or more without a statement."""
    who, key = turn.character("who"), turn.text("drive")
    if who is None or not key:
        return {}, None, []
    before = r.rating(who, key) or sheet.LOWEST
    numbers, risen = dict(who.sheet), None
    if before > sheet.LOWEST:
        others = (other for other in sheet.DRIVES if other != key)
        risen = next((other for other in others if r.rating(who, other) == before - 1), None)
        numbers |= {key: before - 1} | ({risen: before} if risen else {})
    after = r.replace(who, sheet=numbers)
    least = sheet.STATEMENT_FROM
    high = [drive for drive in sheet.DRIVES if (r.rating(after, drive) or 0) >= least]
    wordless = [one for one in high if sheet.statement(turn.table, who.id, one) is None]
    return numbers, risen, wordless


def _other(drive: str) -> r.Ask:
    """The question for the statement of a drive that never had one and did not rise."""

    def asked(turn: r.Turn) -> bool:
        _, risen, wordless = _recovered(turn)
        return drive in wordless and drive != risen

    return r.TextAsk(
        f"{drive}_text", f"A statement for {sheet.DRIVES[drive]}", needed=False, shown=asked
    )


@r.move(
    "drive.recover",
    when=r.all_of(r.idle, r.any_of(struck_drives, "drive.whole")),
    asks=[
        r.ChoiceAsk("who", "Whose?", _whose),
        r.ChoiceAsk("drive", "Which drive?", struck_drives),
        r.TextAsk("text", "A statement for the drive that rises, if it needs one", needed=False),
        *map(_other, sheet.DRIVES),
    ],
    approval=r.proposes,
    rule="Recovering a Drive",
)
def recover(turn: r.Turn) -> Iterator[r.Event]:
    """Recover a drive

    Between adventures, or in a scene of coming to terms with it. The struck drive falls by 1 and
    counts again, the one that it now equals rises by 1, and a drive of 6 or more without a
    statement gets one that follows from what happened. At 4 nothing falls or rises.
    """
    who, key = turn.table.characters[turn.text("who")], turn.text("drive")
    found = sheet.statement(turn.table, who.id, key)
    assert found is not None
    numbers, risen, wordless = _recovered(turn)
    texts = {drive: "text" if drive == risen else f"{drive}_text" for drive in wordless}
    for drive, field in texts.items():
        if not turn.text(field):
            values = {"drive": sheet.label(turn, drive), "least": sheet.STATEMENT_FROM}
            raise turn.refused("argument", "statement.missing", field, **values)
    if numbers != dict(who.sheet):
        yield r.CharacterSet(r.replace(who, sheet=numbers))
    yield r.TraitSet(r.replace(found, text=sheet.Statement.of(found).text or found.text, terms={}))
    for drive, field in texts.items():
        yield turn.trait("statement", turn.text(field), who.id, at=drive)
