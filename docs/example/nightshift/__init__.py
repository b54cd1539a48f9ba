"""Nightshift, the game of a file, with a move that a file cannot say."""

from __future__ import annotations

from storypool.gamefile.compiled import base

ENGINE = 1
BASE = base("nightshift", "nightshift")
