"""Genesys enumerations, with the functions of the narrative family."""

from __future__ import annotations

from storypool.systems.narrative.tests.enumerated import asked, rolled

__all__ = ["asked", "rolled"]
