"""Ready-made characters: what they bring besides their numbers. They are in ready.toml beside
this.
"""

from collections.abc import Iterator, Mapping

from storypool.engine import rules as r
from storypool.systems.destinydice.sheet import HERE
from storypool.systems.destinydice.state import Aspect, Stunt

READY = r.rows(HERE, "ready")["character"]
BRINGS = {"aspects": "aspect", "stunts": "stunt", "exceptions": "stunt"}
"""What a ready-made character brings, and the kind of traits that it becomes."""


def brought_words() -> Mapping[str, str]:
    """What the ready-made characters bring, as sentences of the catalogue."""
    listed = ((f"brings.{one['key']}.{what}", one[what]) for one in READY for what in BRINGS)
    return {f"{id}.{n}": text for id, texts in listed for n, text in enumerate(texts, 1)}


@r.whenever(r.CharacterSet)
def arrived(turn: r.Turn, event: r.CharacterSet) -> Iterator[r.Event]:
    """Whenever a ready-made character joins the story, their aspects and stunts come with them.

    They are known by their numbers, because a name may be changed or translated.
    """
    known = next((one for one in READY if one["sheet"] == event.character.sheet), None)
    if turn.key != "character.add" or known is None:
        return
    for what, kind in BRINGS.items():
        prefix = f"brings.{known['key']}.{what}."
        for text in (turn.words[id] for id in turn.words if id.startswith(prefix)):
            state = Aspect(text) if kind == "aspect" else Stunt(what == "stunts")
            yield turn.trait(kind, text, event.character.id, terms=state.terms)
