"""The aspects and stunts of ready-made characters, from ready.toml."""

from collections.abc import Iterator, Mapping

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
    for what, kind in BRINGS.items():
        prefix = f"brings.{known['key']}.{what}."
        for text in (turn.words[id] for id in turn.words if id.startswith(prefix)):
            terms = Aspect(text).terms
            if kind == "stunt":
                terms = Stunt(what == "stunts").terms
            yield turn.trait(kind, text, event.character.id, terms=terms)
