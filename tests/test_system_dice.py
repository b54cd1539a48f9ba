"""Real dice: the operating system's generator, without bias."""

from __future__ import annotations

import ast
import os
import random
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

from storypool.cli import roll_answer
from storypool.engine.bag import Bag
from storypool.engine.dice import Die
from storypool.live.tables import Tables
from storypool.log.memory import MemoryStore

ROOT = Path(__file__).parent.parent / "src" / "storypool"
SIDES = (1, 2, 3, 4, 6, 8, 10, 12, 20, 100)


class Feed:
    """Known bytes in place of the operating system's; it fails when they run out."""

    def __init__(self, parts: Iterable[bytes]) -> None:
        self.parts = list(parts)

    def __call__(self, n: int) -> bytes:
        """The next n bytes."""
        part = self.parts.pop(0)
        assert n == len(part)
        return part


@pytest.mark.slow
@pytest.mark.parametrize("sides", SIDES)
def test_table_dice_have_equal_byte_counts(sides: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all 256 bytes each face has equally many, and excess ones are drawn again."""
    feed = Feed(bytes([byte]) for byte in range(256))
    monkeypatch.setattr(random, "_urandom", feed)
    die, throw = Die("real", (Bag(),) * sides), Tables(MemoryStore())._roll
    bits = sides.bit_length()
    faces = Counter(throw(die) for _ in range(sides << 8 - bits))
    assert dict.fromkeys(range(1, sides + 1), 1 << 8 - bits) == faces
    # The rest is too high for any face: it is never wrapped around to a low one.
    assert ((1 << bits) - sides) << 8 - bits == len(feed.parts)
    feed.parts.append(bytes([0]))
    assert 1 == throw(die)
    assert [] == feed.parts


@pytest.mark.parametrize("sides", [*SIDES, 2**31 + 1, 2**32])
def test_terminal_dice_have_equal_word_counts(sides: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Words below a multiple of the sides are even, and others drawn again."""
    words, last = 2**32, 2**32 - 2**32 % sides
    assert 0 == last % sides
    assert words - last < sides
    few = min(sides, 300)
    low, high = range(few), range(last - few, last)
    monkeypatch.setattr(os, "urandom", Feed(word.to_bytes(4) for word in (*low, *high)))
    assert list(low) == [roll_answer.randbelow(sides) for _ in low]
    assert list(range(sides - few, sides)) == [roll_answer.randbelow(sides) for _ in high]
    beyond = sorted({*range(last, min(last + 300, words)), *range(max(last, words - 300), words)})
    feed = Feed([*(word.to_bytes(4) for word in beyond), bytes(4)])
    monkeypatch.setattr(os, "urandom", feed)
    assert 0 == roll_answer.randbelow(sides)
    assert [] == feed.parts


@pytest.mark.slow
def test_no_other_chance_is_used() -> None:
    """No rolling module imports Python's seeded generator, and openers keep the dice."""
    # Random play and the evenings of the lab have seeds, so that they can be played again.
    seeded = {
        file
        for room in ("contract", "lab", "systems/*/tests")
        for file in ROOT.glob(f"{room}/*.py")
    }
    for file in sorted({*ROOT.rglob("*.py")} - seeded):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        imported = {
            alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.Import)
            for alias in node.names
        }
        assert "random" not in imported | {
            node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
        }
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "Tables"
            ):
                assert (1, set()) == (
                    len(node.args),
                    {keyword.arg for keyword in node.keywords} - {"languages", "snapshots"},
                ), file
