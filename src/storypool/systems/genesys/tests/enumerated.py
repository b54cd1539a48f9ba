"""Rolled and asked as its family is."""

from __future__ import annotations

from storypool.systems.narrative.tests.enumerated import asked, rolled

__all__ = ["asked", "rolled"]
