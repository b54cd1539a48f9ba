"""`storypool rules`: the reference pages, made from the rows that decide."""

from __future__ import annotations

import json

import pytest

from storypool import systems
from storypool.cli import main
from storypool.cli.reference import reference
from tests.games.tiny import game as tiny


@pytest.mark.parametrize("key", systems.names())
def test_reference_page_is_current(key: str) -> None:
    """The page that is checked in is the one that the command prints now."""
    page = systems.folder(key).joinpath("reference.md")
    assert page.read_text(encoding="utf-8") == reference(systems.get(key)), (
        f"Write it anew: storypool rules {key} > {page}"
    )


@pytest.mark.parametrize("key", systems.names())
def test_reference_names_every_row(key: str) -> None:
    """Every move, option, account and die of a game is in its reference, and every option has its sentence."""
    system = systems.get(key)
    text = reference(system)
    names = [*(made.key for made in system.moves), *(option.key for option in system.options)]
    assert [] == [name for name in names if f"`{name}`" not in text]
    assert [] == [
        name for name in (*system.by_account, *(die.name for die in system.dice)) if f"| {name} |" not in text
    ]
    assert [] == [option.key for option in system.options if not system.words.get(f"option.{option.key}")]


def test_move_says_who_when_price_limit_and_rule() -> None:
    """A move stands there with its title, who may make it, why it is refused, its price, its limit and its consent."""
    text = reference(tiny.SYSTEM)
    spend = text[text.index("#### Spend luck for a coin more") :].split("\n#### ")[0]
    assert "- **Move:** `luck.spend`" in spend
    assert "- **Who:** a player" in spend
    assert "- **Price:** 1 luck" in spend
    assert "- **Limit:** once for each action (luck)" in spend
    assert "- **Refused:** No action is going on. · The dice have been rolled." in spend
    fact = text[text.index("#### Add a fact to the story") :].split("\n#### ")[0]
    assert "- **Consent:** may need the game master's" in fact
    assert "`text` What is true? (a text)" in fact


def test_condition_turned_round_tells_its_own_sentence() -> None:
    """A move that is closed while a session runs says that, and not what the condition it turns round would say."""
    begin = reference(tiny.SYSTEM).partition("`session.begin`")[2].split("\n#### ")[0]
    assert "A session is already going on." in begin
    assert "No session is going on." not in begin


def test_rules_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """`--json` gives the same Markdown in an object."""
    assert 0 == main(["rules", "starwars", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert ("starwars", reference(systems.get("starwars"))) == (told["system"], told["markdown"])


def test_rules_of_no_game(capsys: pytest.CaptureFixture[str]) -> None:
    """A game that is not there is bad input."""
    assert 2 == main(["rules", "chess"])
    assert "genesys, starwars" in capsys.readouterr().err
