"""The panels of the page: what a game shows, bound to asks, traits and balances by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from storypool.engine.table import Value


@dataclass(frozen=True, slots=True)
class Panel:
    """A generic panel of the page, bound to asks, traits or balances by name.

    Its title is in the catalogue by its name, which only panels of one kind need: otherwise the kind will do. `words`
    are what it calls the things that it binds, by their names.
    """

    kind: str
    title: str
    binds: Mapping[str, Value] = field(default_factory=dict)
    name: str = ""
    words: Mapping[str, str] = field(default_factory=dict)
