"""The games that tell odds, found by looking; a game may leave them out."""

from __future__ import annotations

from storypool import systems

TELLING = tuple(key for key in systems.names() if systems.folder(key).joinpath("odds.py").is_file())
