"""Ready-made people of Destiny Dice, from people.toml: mooks, named characters and main ones."""

from collections.abc import Iterator, Mapping

from storypool.engine import rules as r
from storypool.systems.destinydice.arriving import listed, traits_of
from storypool.systems.destinydice.sheet import ABILITIES, HERE, KNACKS, knack, mook_sheet
from storypool.systems.destinydice.state import Aspect, Named, Stunt
from storypool.systems.supporting_cast.bringing import Casting, Row
from storypool.systems.supporting_cast.whole import cast_moves

RANKS = ("mook", "named", "main")


def _sheet(turn: r.Turn, row: Row) -> Mapping[str, r.Value]:
    """The numbers of a row: the boxes of mooks, or all ratings of a character with a name."""
    if "members" in row:
        return mook_sheet(turn.number("members", 1), row["stress"])
    approaches = dict(zip(ABILITIES["approaches"], row["approaches"], strict=True))
    numbers = {key: row[key] for key in ("stress", "consequences")}
    return {**approaches, **row["skills"], **numbers}


def _best(turn: r.Turn, key: str, row: Row) -> str:
    """The first strength of mooks, or the best approach, or skill where the table rates those."""
    if "members" in row:
        return next(listed(turn, f"people.{key}.skilled"))
    rated = row["skills"]
    if turn.option("ratings") == "approaches":
        rated = dict(zip(ABILITIES["approaches"], row["approaches"], strict=True))
    return turn.system.entry(max(rated, key=rated.__getitem__))


def _gives(turn: r.Turn, who: r.Character, row: Row) -> Iterator[r.Event]:
    """Yield the strengths and weaknesses of mooks, or aspects and stunts."""
    prefix = f"people.{turn.text('person')}"
    for kind in KNACKS:
        for name in listed(turn, f"{prefix}.{kind}"):
            yield knack(turn, who.id, kind, name)
    yield from traits_of(turn, prefix, who.id)


def _fits(turn: r.Turn, trait: r.Trait) -> bool:
    """Whether a strength or a weakness has the rating of one; free invokes do not come along."""
    if trait.kind == "knack":
        return trait.rating in KNACKS.values() and Named.of(trait).name != ""
    return not trait.rating


CASTING = Casting(
    package=HERE,
    ranks=RANKS,
    sheet=_sheet,
    best=_best,
    gives=_gives,
    size="members",
    # An aspect with free invokes was made in play, and the copy was not there.
    belongs=lambda trait: trait.kind == "aspect" and not trait.rating,
    kinds={"aspect": Aspect, "stunt": Stunt, "knack": Named},
    fits=_fits,
)
MEMBERS = r.NumberAsk(
    "members",
    "How many are they?",
    default=lambda t: CASTING.chosen(t).get("members"),
    low=1,
    high=12,
    needed=False,
    shown=lambda t: "members" in CASTING.chosen(t),
)
MOVES = cast_moves(CASTING, MEMBERS, rule="Bad Guys", place=r.at("scene", 59))
"""The moves that bring in these people, alone or in an encounter, and copy NPCs."""
