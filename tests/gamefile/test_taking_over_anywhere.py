"""New rules adopted in random games: all contracts hold before, during and after."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from storypool import systems
from storypool.contract import random_play
from storypool.contract.material import Material
from storypool.contract.random_game import Game
from storypool.contract.table_promises import check_logs
from storypool.contract.wait_promises import check_waits
from storypool.engine import house
from storypool.engine.decisions import decision_of
from storypool.engine.fold import fold
from storypool.engine.ledger import economy
from storypool.engine.refusal import Refused
from storypool.engine.sight import view
from storypool.engine.story import transcript
from storypool.live.folded import unfold
from storypool.systems import game_files
from storypool.systems.newer_rules import new_rules
from storypool.web.wire import table_data, written
from storypool.worth.session import session_recap

GAMES = Path(__file__).parents[2] / "docs" / "games"
BEFORE, AFTER = 40, 30
MORE = """
[points.zeal]
of = "table"
start = 3
word = "zeal"

[trait.portent]
word = "Portent"
by = "anybody"
"""
"""The additions of one text: initial points, and statements that anybody makes."""


def without(key: str, *heads: str) -> str:
    """The text of a docs game without the first section of each of these heads."""
    text = (GAMES / f"{key}{game_files.ENDING}").read_text(encoding="utf-8")
    for head in heads:
        begins = text.index(f"\n{head}\n")
        ends = text.index("\n[", begins + 2)
        text = text[:begins] + text[ends:]
    return text


def started(text: str, seed: int) -> Game:
    """A random game after some moves, at a table that keeps this text."""
    system = systems.get(game_files.kept(text))
    game = random_play.play(system, seed, BEFORE, Material())
    first = game.records[0]
    game.records[0] = first._replace(event=replace(first.event, game=text))  # type: ignore[type-var]
    game.tables = [game.tables[0], *(replace(table, game=text) for table in game.tables[1:])]
    assert fold(game.records) == game.table
    return game


def made(game: Game, seat: str, key: str, **args: object) -> bool:
    """Whether a GM can make a move, which is kept if so."""
    try:
        events = decision_of(
            game.system, game.table, seat, key, args, roll=game.roll, override=True
        ).events
    except Refused:
        return False
    game.keep(events, seat)
    return True


def calmed(game: Game) -> str:
    """The GM's seat after every open thing has been ended."""
    gm = next(seat.id for seat in game.table.seats.values() if seat.here and seat.side == "gm")
    for proposal in game.table.proposals:
        made(game, gm, "proposal.decline", id=proposal)
    for check in game.table.checks:
        assert made(game, gm, "check.cancel", check=check) or made(
            game, gm, "check.close", check=check
        ), check
    return gm


@pytest.mark.slow
@pytest.mark.parametrize("adds", [False, True], ids=["takes away", "adds"])
@pytest.mark.parametrize(
    ("key", "heads"),
    [
        ("mothcandle", ("[symbols.soot]", "[symbols.smoke]")),
        ("cinderrow", ("[[move]]", "[[whenever]]")),
    ],
)
def test_contract_holds_after_adoption(key: str, heads: tuple[str, ...], adds: bool) -> None:
    """Random play continues by the new rules, with valid offers, waits, logs and recaps."""
    part, whole = without(key, *heads), without(key) + MORE
    old, new = (part, whole) if adds else (whole, part)
    game = started(old, 3)
    gm = calmed(game)
    assert adds or (made(game, gm, "move.portent_new", text="Crows") and game.table.balance("zeal"))
    taken = new_rules(game.table, new)
    game.keep(
        decision_of(
            house.with_new_rules(game.system, taken), game.table, gm, house.TAKE_OVER, {}, roll=None
        ).events,
        gm,
    )
    for _ in range(AFTER):
        # A random undo may bring the old rules back.
        game.system = systems.get(game.table.system)
        random_play._try(game, Material(), [])
        game.system = systems.get(game.table.system)
        check_waits(game)
    check_logs(game)
    assert {"New points: zeal.", "No more zeal: what was left is lost."} & {*taken.changes}
    assert game.table.seq == len(
        [written(step, game.table.seats[gm], game.system) for step in unfold(game.records)]
    )
    economy(game.records, game.system)
    session_recap(game.records, game.system)
    for seat in game.table.seats.values():
        table_data(game.table, seat, game.system)
        assert "From here on the table plays by new rules." in transcript(
            view(game.records, seat), game.system
        )
