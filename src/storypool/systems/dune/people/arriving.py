"""Ready-made characters: what they bring besides their numbers. They are in ready.toml beside this."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from storypool.engine import rules as r
from storypool.systems.dune.people.sheet import Asset

READY = r.rows("storypool.systems.dune", "ready")["character"]
INTANGIBLE = ("contact", "knowledge", "favour")
"""The kinds of assets that nobody can touch."""


def _brought(one: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[str, str, str]]:
    """Yield what a character brings: the kind of a trait, its skill, drive or kind of asset, and its text."""
    yield from (("statement", drive, text) for drive, text in one["statements"].items())
    yield from (("focus", skill, text) for skill, texts in one["focuses"].items() for text in texts)
    yield from (("talent", "", text) for text in one["talents"])
    yield from (("trait", "", text) for text in one["traits"])
    yield from (("asset", kind, text) for kind, text in one["assets"].items())


def brought_words() -> dict[str, str]:
    """What the ready-made characters bring, as sentences of the catalogue."""
    listed = ((one["key"], n, text) for one in READY for n, (_, _, text) in enumerate(_brought(one), 1))
    return {f"brings.{key}.{n}": text for key, n, text in listed}


@r.whenever(r.CharacterSet)
def arrived(turn: r.Turn, event: r.CharacterSet) -> Iterator[r.Event]:
    """Whenever a ready-made character joins the story, their statements, focuses, talents, traits and assets do.

    They are known by their numbers, because a name may be changed or translated.
    """
    who = event.character
    known = next((one for one in READY if one["sheet"] == who.sheet), None)
    if turn.key != "character.add" or known is None:
        return
    for n, (kind, of, _) in enumerate(_brought(known), 1):
        text = turn.words[f"brings.{known['key']}.{n}"]
        if kind == "asset":
            asset = Asset(kind=of, defensive=of == "protection", tangible=of not in INTANGIBLE)
            yield turn.trait(kind, text, who.id, terms=asset.terms)
        else:
            yield turn.trait(kind, text, who.id, at=of)
