"""The log's sentences in the catalogue: each event in words that fit its actor."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import storypool
from storypool import systems
from storypool.play import perform, read
from storypool.words.languages import ENGLISH

ROOT = Path(storypool.__file__).parent


@pytest.mark.parametrize(
    "key", [key for key in systems.names() if ROOT in systems.folder(key).parents]
)
def test_no_log_line_repeats_a_button(key: str) -> None:
    """A move has a sentence of its event, or none before one, but never its title."""
    system = systems.get(key)
    assert [] == [move for move in system.by_key if f"story.move.{move}" not in system.words]
    titles = {title.rstrip(".") for title in system.titles.values()}
    assert not titles & {
        system.words[f"story.move.{move}"].partition(" ")[2].rstrip(".") for move in system.by_key
    }


@pytest.mark.parametrize("key", systems.names())
def test_sentences_fit_group_names(key: str) -> None:
    """No sentence has a singular-only verb for a character: "Dock guards joins"."""
    wrong = re.compile(r"\{(?:character|actor|old)\} (?:is|has|does|[a-z]+[^s\W]s)\b")
    words = systems.get(key).words
    assert [] == [
        text for id, text in words.items() if id.startswith("story.") and wrong.search(text)
    ]


def test_gm_is_called_keeper_in_c2d10() -> None:
    """No sentence of C2D10 says GM, and none of any game says game master."""
    for key in systems.names():
        words = systems.get(key).words
        wrong = r"game master" + (r"|\bGM\b" if words["wait.gm_name"] == "Keeper" else "")
        assert [] == [
            id
            for id, text in words.items()
            if re.search(wrong, text, re.I if key != "c2d10" else 0)
        ]


@pytest.mark.parametrize("key", systems.names())
def test_die_name_is_not_doubled(key: str) -> None:
    """A die's text for screen readers has no word twice, whatever the game calls it."""
    system, sentence = systems.get(key), ENGLISH.program["page.pool.die"]
    looks = [system.look[die.name] for die in system.dice if die.name in system.look]
    spoken = [sentence.format(die=look.word, letter=look.letter) for look in looks]
    assert [] == [text for text in spoken if re.search(r"\b(\w+) \1\b", text)]


ALIKE = (
    """
table genesys trust=players_set
seat gm  side=gm
seat ann pash: agility=3
ann check.declare as=pash characteristic=agility difficulty=easy
# Two faces of an ability die have one success each.
ann check.roll dice 2 3 3 1
ann sees "Ability: 1 Success (3 dice);"
""",
    """
table dune trust=players_set
seat gm  side=gm
seat ann ruhan: battle=7 duty=6
ann check.declare as=ruhan skill=battle drive=duty
gm  check.difficulty difficulty=1
ann check.roll dice 11 11
ann sees "d20 11\u00a0×2 (1 success each)"
""",
)


@pytest.mark.parametrize("text", ALIKE, ids=["genesys", "dune"])
def test_equal_faces_are_counted_together(text: str) -> None:
    """Dice are grouped by face, and a shared number has the result of each of them."""
    perform(read(text))
