"""A move that copies an NPC: what a table has changed is its own template from then on."""

from collections.abc import Iterator, Mapping

from storypool.engine import rules as r
from storypool.systems.supporting_cast.bringing import Casting


def _npcs(turn: r.Turn) -> r.Choices:
    return r.characters("gm")(turn)


def _name(turn: r.Turn) -> str | None:
    """The name of the chosen NPC with the next free number."""
    who = turn.character("who")
    return r.free_name(turn, who.name) if who else None


def _is_hidden(turn: r.Turn) -> bool:
    """Whether the chosen NPC is hidden, as its copy then is."""
    who = turn.character("who")
    return who is not None and who.hidden


def copying(casting: Casting, *, rule: str = "", place: r.Spot) -> r.Move:
    """The move `character.copy` of a game."""

    @r.gm_move(
        "character.copy",
        only_if=[r.requires(lambda turn: any(_npcs(turn)), "npc.copied", firm=True)],
        asks=[
            r.ChoiceAsk("who", "Whom?", _npcs),
            r.replace(r.NAME, label="Under which name?", default=_name, needed=False),
            r.SheetAsk("sheet", "Other numbers on the sheet", needed=False),
            r.replace(r.SECRET, default=_is_hidden),
        ],
        rule=rule,
        place=place,
    )
    def copy(turn: r.Turn) -> Iterator[r.Event]:
        """Copy an NPC

        Another with the same sheet, portrait and belongings, unharmed: an NPC that was changed is a
        template of the table's own. The copy of a hidden one is hidden.
        """
        source = turn.table.characters[turn.text("who")]
        if source.hidden and not turn.flag("secret"):
            raise turn.refused("argument", "npc.hidden", "secret", who=source.name)
        sheet = {**source.sheet, **r.sheet_of(turn.text("sheet"))}
        yield from copies(turn, casting, source, sheet)

    return copy


def copies(
    turn: r.Turn,
    casting: Casting,
    source: r.Character,
    sheet: Mapping[str, r.Value],
    name: str = "",
) -> Iterator[r.Event]:
    """Yield a copy of an NPC with this sheet, unharmed, and with what belongs to it.

    The id of a copy in the open says nothing of a hidden one.
    """
    shows = source.hidden and not turn.flag("secret")
    new = r.npc(turn, sheet, name, key=turn.fresh("npc") if shows else source.id)
    yield r.CharacterSet(r.replace(new.character, picture=source.picture))
    for trait in belongings(turn, casting, source):
        yield _copied(turn, trait, source, new.character)


def belongings(turn: r.Turn, casting: Casting, who: r.Character) -> list[r.Trait]:
    """The lasting traits of an NPC that a copy has too."""
    own = turn.table.of_kind(*turn.system.sheet_traits, *casting.kinds, about=who.id)
    return [
        trait
        for trait in own
        if not trait.until and (trait.kind in turn.system.sheet_traits or casting.belongs(trait))
    ]


def _copied(turn: r.Turn, trait: r.Trait, source: r.Character, who: r.Character) -> r.Event:
    """The event that gives a copy this trait; one that was hidden on its own stays hidden."""
    text = trait.text
    if text.startswith(f"{source.name} "):
        text = who.name + text.removeprefix(source.name)
    copy = turn.trait(trait.kind, text, who.id, terms=trait.terms).trait
    numbers = r.replace(copy, rating=trait.rating, goal=trait.goal, at=trait.at, mods=trait.mods)
    # What is hidden with its character is hidden with the copy.
    return r.TraitSet(numbers) if trait.shown_with else r.hidden_like(r.TraitSet(numbers), trait)
