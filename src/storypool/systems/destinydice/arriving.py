"""The aspects and stunts of ready-made characters, from ready.toml."""

from collections.abc import Iterator, Mapping
from itertools import count

from storypool.engine import rules as r
from storypool.systems.destinydice.sheet import HERE
from storypool.systems.destinydice.state import Aspect, Stunt

READY = r.rows(HERE, "ready")["character"]
BRINGS = {"aspects": "aspect", "stunts": "stunt", "exceptions": "stunt"}
"""The lists of a ready-made character, each with its kind of trait."""


def brought_words() -> Mapping[str, str]:
    """The aspects and stunts of ready-made characters, as sentences of the catalogue."""
    listed = ((f"brings.{one['key']}.{what}", one[what]) for one in READY for what in BRINGS)
    return {f"{id}.{n}": text for id, texts in listed for n, text in enumerate(texts, 1)}


@r.whenever(r.CharacterSet)
def add_brought_traits(turn: r.Turn, event: r.CharacterSet) -> Iterator[r.Event]:
    """Add the aspects and stunts of a ready-made character that joins the story.

    It is recognised by its sheet, because a name may be changed or translated.
    """
    known = next((one for one in READY if one["sheet"] == event.character.sheet), None)
    if turn.key != "character.add" or known is None:
        return
    yield from traits_of(turn, f"brings.{known['key']}", event.character.id)


def traits_of(turn: r.Turn, prefix: str, who: str) -> Iterator[r.Event]:
    """Yield the aspects and stunts that the sentences under this prefix give a character."""
    for what, kind in BRINGS.items():
        for text in listed(turn, f"{prefix}.{what}"):
            terms = Aspect(text).terms
            if kind == "stunt":
                terms = Stunt(what == "stunts").terms
            yield turn.trait(kind, text, who, terms=terms)


def listed(turn: r.Turn, id: str) -> Iterator[str]:
    """Yield the sentences of a list, which are numbered from 1."""
    for n in count(1):
        if (text := turn.words.get(f"{id}.{n}")) is None:
            return
        yield text
