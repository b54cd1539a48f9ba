"""`storypool rules`: the reference pages, made from the decisive rows."""

from __future__ import annotations

import json
import re
from functools import cache

import pytest

from storypool import systems
from storypool.cli import main
from storypool.cli.reference import RULINGS, reference
from storypool.contract.row_words import reasons
from storypool.engine import house
from storypool.engine.game.turn import Turn
from storypool.engine.refusal import Refusal
from tests.fixed_set import cases
from tests.games.tiny import game as tiny


@cache
def page_of(key: str) -> str:
    """The reference of a game."""
    return reference(systems.get(key))


@pytest.mark.parametrize("key", cases(systems.names(), ("starwars",), pytest.mark.slow))
def test_reference_page_is_current(key: str) -> None:
    """The checked-in page equals the command's output."""
    page = systems.folder(key).joinpath("reference.md")
    assert page.read_text(encoding="utf-8") == page_of(key), (
        f"Write it anew: storypool rules {key} > {page}"
    )


@pytest.mark.parametrize(
    "key", [key for key in systems.playable() if systems.package(key).startswith("storypool.")]
)
def test_reference_links_to_its_reasons(key: str) -> None:
    """The page of rulings exists, and each answer there has a question and a reason."""
    page = systems.folder(key) / RULINGS
    assert f"]({RULINGS})" in page_of(key)
    rows = [
        line.strip("| ").split(" | ")
        for line in page.read_text(encoding="utf-8").splitlines()
        if line[:2] == "| "
    ]
    assert len(rows) > 40
    assert [] == [row for row in rows if len(row) != 3 or not all(row)]


@pytest.mark.parametrize("key", systems.names())
def test_reference_names_every_row(key: str) -> None:
    """A game's reference has all moves, options, accounts and dice, with option sentences."""
    system = systems.get(key)
    text = page_of(key)
    names = [*(made.key for made in system.moves), *(option.key for option in system.options)]
    assert [] == [name for name in names if f"`{name}`" not in text]
    assert [] == [
        name
        for name in (*system.by_account, *(die.name for die in system.dice))
        if f"| {name} |" not in text
    ]
    assert [] == [
        option.key for option in system.options if not system.words.get(f"option.{option.key}")
    ]


@pytest.mark.parametrize("key", [key for key in systems.names() if key != "tiny"])
def test_rulings_name_every_option_of_the_game(key: str) -> None:
    """Where the books are silent the reference states the decision and its option."""
    system = systems.get(key)
    rulings = " ".join(
        " ".join((note.text, *(cell for row in note.rows for cell in row))) for note in system.notes
    )
    # The ladder of people and the letters of dice are not rulings.
    own = {option.key for option in system.options if option.system} - {"ratings"}
    assert set() == {name for name in own | {"trust", "hidden_rolls"} if f"`{name}`" not in rulings}


def test_moves_are_fully_described() -> None:
    """A move has its title, actor, refusals, price, limit and consent."""
    text = reference(tiny.SYSTEM)
    spend = text[text.index("#### Spend luck for a coin more") :].split("\n#### ")[0]
    assert "- **Move:** `luck.spend`" in spend
    assert "- **Who:** a player" in spend
    assert "- **Price:** 1 luck" in spend
    assert "- **Limit:** once for each action (luck)" in spend
    assert (
        "- **Refused:** Nobody is trying anything just now. · The dice have been rolled." in spend
    )
    fact = text[text.index("#### Add a fact to the story") :].split("\n#### ")[0]
    assert "- **Consent:** may need the GM's" in fact
    assert "`text` What is true? (a text)" in fact


def test_negated_condition_has_its_own_sentence() -> None:
    """A move that is closed during a session says that, not the opposite condition's text."""
    begin = reference(tiny.SYSTEM).partition("`session.begin`")[2].split("\n#### ")[0]
    assert "A session is already going on." in begin
    assert "No session is going on." not in begin


def test_rules_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """`--json` gives the same Markdown in an object."""
    assert 0 == main(["rules", "starwars", "--json"])
    shown = json.loads(capsys.readouterr().out)
    assert ("starwars", page_of("starwars")) == (shown["system"], shown["markdown"])


def test_unknown_game_is_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    """A game that does not exist has no reference."""
    assert 2 == main(["rules", "chess"])
    assert "genesys, starwars" in capsys.readouterr().err


@pytest.mark.parametrize("key", systems.names())
def test_reference_has_the_whole_sheet(key: str) -> None:
    """Every sheet entry is there by key, with its label, range and initial number."""
    page = page_of(key)
    for entry in systems.get(key).sheet:
        [row] = re.findall(
            rf"(?m)^\| `{re.escape(entry.key)}` \| (.*) \|$", page[page.index("## Sheet") :]
        )[:1]
        assert row.startswith(entry.label)
        assert row.endswith(f"{entry.low} to {entry.high} | {entry.default}")


def going_on(turn: Turn) -> Refusal | None:
    """Something is going on."""
    return turn.no("move") if turn.check else turn.no("seat")


def test_every_reason_is_found() -> None:
    """A lambda's reasons are its own and of the conditions before; pure tests are not listed."""
    words = tiny.SYSTEM.words
    shown = {
        name: re.sub(r"\{\w+\}", "…", words[f"no.{name}"]) for name in ("move", "seat", "session")
    }
    for condition, names in (
        (going_on, ["move", "seat"]),
        (
            lambda turn: going_on(turn) or (None if turn.table.traits else turn.firm("session")),
            ["session", "move", "seat"],
        ),
        (lambda turn: turn.no("session") if going_on(turn) is None else None, ["session"]),
        (lambda turn: house.in_session(turn), ["session"]),
    ):
        assert [shown[name] for name in names] == list(reasons(tiny.SYSTEM, condition))
