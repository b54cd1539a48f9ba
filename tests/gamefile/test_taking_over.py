"""Adopting new rules: a table continues by a newer text of its game and logs the difference."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from storypool import systems
from storypool.contract.table_promises import check_balances
from storypool.engine.events import CheckOpened, MoveMade, Record, RulesChanged
from storypool.engine.house import open_table
from storypool.engine.refusal import Refused
from storypool.engine.sight import copy_for, records_of
from storypool.engine.story import transcript
from storypool.gamefile import Unread
from storypool.gamefile.authoring.rule_changes import gone_kinds
from storypool.gamefile.file_format.file_text import read
from storypool.live.folded import ledger_of
from storypool.live.tables import NoNewRules, Tables
from storypool.log.export import BadFile, export_lines
from storypool.log.memory import MemoryStore
from storypool.systems import game_files
from storypool.systems.newer_rules import played_in, whose
from storypool.worth.session import session_recap
from tests.gamefile.test_file_text import SMALL

OLD = SMALL.replace(
    "[action]",
    """
[points.doom]
of = "gm"
plural = "doom"
start = 1

[sheet.skill]
title = "Skills"
entries = { climb = "Climbing" }
high = 6
default = 5

[trait.harm]
word = "Harm"
of = "character"

[trait.clue]
word = "Clue"

[action]""",
)
NEW = (
    OLD.replace("coin = 2 }", "coin = 3 }")
    .replace(
        '[points.doom]\nof = "gm"\nplural = "doom"',
        '[points.grit]\nof = "character"\nplural = "grit"',
    )
    .replace("high = 6\ndefault = 5", "high = 3\ndefault = 1")
    .replace(
        'entries = { climb = "Climbing" }', 'entries = { climb = "Climbing", swim = "Swimming" }'
    )
    .replace('[trait.clue]\nword = "Clue"\n', "")
    .replace("luck = 1 }", "luck = 2 }")
    + """
[[move]]
key = "pray"
title = "Pray"
do = [{ gain = "luck" }]
"""
)
CHANGES = (
    "New on the sheet: Swimming.",
    "The numbers that Climbing can have are different.",
    "New points: grit.",
    "No more doom: what was left is lost.",
    "“Clue” is gone, and what was true of it ends.",
    "How many dice an action rolls is different.",
    "A new move: “Pray”.",
    "“Wish for one more” costs 2 luck; it cost 1 luck before.",
)


def tables(store: MemoryStore) -> Tables:
    """Tables whose dice always show their first face, a head."""
    return Tables(store, randbelow=lambda sides: 0)


def played(
    work: Callable[[Tables, str], Coroutine[Any, Any, None]], text: str = OLD
) -> list[Record]:
    """The log of a table with the GM Mona, and Ann as Ilse, after this work."""

    async def play() -> list[Record]:
        store = MemoryStore()
        house = tables(store)
        id = await house.open("", "Coins", game=text)
        await house.take_seat(id, "Mona", "gm")
        await house.take_seat(id, "Ann", "player")
        await house.make(id, "mona", "session.begin", {})
        await house.make(id, "ann", "character.add", {"name": "Ilse"})
        await work(house, id)
        return store.read(id)

    return asyncio.run(play())


def forgotten() -> None:
    """Forget every kept game, like a new process."""
    game_files.forget_kept()
    gc.collect()


def test_table_continues_by_the_new_rules() -> None:
    """Moves, dice, prices, points and sheet follow the new text, and obsolete ones go."""

    async def work(house: Tables, id: str) -> None:
        await house.make(id, "mona", "move.clue_new", {"text": "A torn map"})
        await house.make(id, "mona", "move.harm_new", {"text": "Bruised", "whom": "ilse"})
        made = await house.take_over(id, "mona", NEW)
        (changed,) = [one.event for one in made.records if isinstance(one.event, RulesChanged)]
        assert CHANGES == changed.changes
        table, system = await house.look(id), await house.system(id)
        assert (game_files.kept(NEW), NEW) == (table.system, table.game)
        assert "move.pray" in system.by_key
        balances = {str(purse): n for purse, n in table.points.items()}
        assert {"luck": 2, "ilse.grit": 1} == balances, "doom is gone, and grit begins"
        assert ["Bruised"] == [trait.text for trait in table.traits.values()], (
            "clues are gone, harms stay"
        )
        assert 3 == table.characters["ilse"].rating("climb"), "the new sheet has no 5"
        check_balances(system, table, table)
        await house.make(id, "ann", "move.pray", {})
        await house.make(id, "ann", "check.declare", {})
        await house.make(id, "ann", "move.wish", {})
        (check,) = (await house.look(id)).checks.values()
        assert ({"coin": 4}, 1) == (dict(check.pool), (await house.look(id)).balance("luck"))

    played(work)


SEVERAL = OLD.replace("[action]", '[[action]]\nkey = "toss"').replace(
    "[[outcome]]",
    """[[action]]
key = "again"
title = "Toss again"
pool = { coin = 1 }

[[outcome]]""",
    1,
)
"""A text with a second action, which shares the ladder."""


def test_second_action_of_newer_rules() -> None:
    """It is declared from then on; only then does an action store its key."""

    async def work(house: Tables, id: str) -> None:
        await house.make(id, "ann", "check.declare", {"as": "ilse"})
        with pytest.raises(Refused):
            await house.take_over(id, "mona", SEVERAL)
        await house.make(id, "ann", "check.roll", {})
        await house.make(id, "ann", "check.close", {})
        await house.take_over(id, "mona", SEVERAL)
        for key in ("check.declare", "action.again"):
            await house.make(id, "ann", key, {"as": "ilse"})
            await house.make(id, "ann", "check.roll", {})
            await house.make(id, "ann", "check.close", {})

    opened = [one.event.check for one in played(work) if isinstance(one.event, CheckOpened)]
    assert [{}, {"action": "toss"}, {"action": "again"}] == [one.terms for one in opened]


@pytest.mark.parametrize(
    ("bounds", "n"),
    [
        ("cap = 3", 3),
        ('cap = "2 + traits(clue)"', 2),
        ("floor = 6", 6),
        ('floor = "7 - traits(clue)"', 7),
    ],
)
def test_points_keep_to_the_new_bounds(bounds: str, n: int) -> None:
    """A balance outside the new floor or cap is brought inside."""
    old = OLD.replace("start = 1\n", "start = 5\n")
    assert old != OLD

    async def work(house: Tables, id: str) -> None:
        assert 5 == (await house.look(id)).balance("doom")
        start = "" if "floor" in bounds else "start = 1\n"
        await house.take_over(id, "mona", old.replace("start = 5\n", f"{start}{bounds}\n"))
        assert n == (await house.look(id)).balance("doom")

    played(work, old)


def test_log_reads_records_by_their_rules() -> None:
    """Transcript, ledger and recap read each record by its rules, and the change is logged."""

    async def work(house: Tables, id: str) -> None:
        await house.make(id, "mona", "move.clue_new", {"text": "A torn map"})
        await house.take_over(id, "mona", NEW)
        await house.make(id, "ann", "move.pray", {})
        steps, system = await house.steps(id, 0), await house.system(id)
        assert {"luck"} == {play.account for play in ledger_of(system, steps).economy().accounts}
        assert session_recap(await house.records(id), system).short.session == 1

    records = played(work)
    forgotten()
    text = transcript(records, systems.get(played_in(records)))
    expected = (
        "- Mona: Take over the new rules.",
        "- From here on the table plays by new rules. " + " ".join(CHANGES),
        "- Clue: A torn map.",
        "- Ann: Pray.",
    )
    for line in expected:
        assert line in text, text


def test_undo_and_redo_switch_the_rules() -> None:
    """A rewind past the change restores the old text; a redo restores the new one."""

    async def work(house: Tables, id: str) -> None:
        before = await house.look(id)
        await house.take_over(id, "mona", NEW)
        (undo,) = [
            one for one in (await house.offers(id, "mona")).offers if one.key == "table.undo"
        ]
        assert "Undo the last move: “Take over the new rules” (Mona)" == undo.title
        await house.make(id, "mona", "table.undo", {})
        after = await house.look(id)
        assert (before.system, before.points) == (after.system, after.points)
        assert "move.pray" not in (await house.system(id)).by_key
        await house.make(id, "mona", "table.redo", {})
        assert "move.pray" in (await house.system(id)).by_key
        await house.make(id, "ann", "move.pray", {})

    played(work)


def test_cached_results_of_old_rules_are_dropped() -> None:
    """Offers are cached for a table, and never across its rules."""

    async def work(house: Tables, id: str) -> None:
        await house.make(id, "ann", "check.declare", {})
        old = {one.key: one for one in (await house.offers(id, "ann")).offers}
        await house.make(id, "ann", "check.cancel", {})
        await house.take_over(id, "mona", NEW)
        await house.make(id, "ann", "check.declare", {})
        new = {one.key: one for one in (await house.offers(id, "ann")).offers}
        assert [1, 2] == [next(iter(one["move.wish"].price.values())) for one in (old, new)]
        assert {"move.pray"} == new.keys() - old.keys()

    played(work)


def test_obstacles_to_new_rules_are_named() -> None:
    """Open actions and proposals must end by their own rules; each obstacle has its remedy."""

    async def work(house: Tables, id: str) -> None:
        await house.make(id, "ann", "check.declare", {})
        with pytest.raises(Refused, match="“Try something” is still under way") as refused:
            await house.take_over(id, "mona", NEW)
        assert "Finish it or call it off" in refused.value.refusal.remedy
        await house.make(id, "ann", "check.cancel", {})
        await house.make(id, "ann", "table.undo", {})
        with pytest.raises(Refused, match="A proposal by Ann waits for its answer"):
            await house.take_over(id, "mona", NEW)
        (proposal,) = (await house.look(id)).proposals
        await house.make(id, "mona", "proposal.decline", {"id": proposal})
        await house.take_over(id, "mona", NEW)

    played(work)


def test_adoption_has_permissions_and_limits() -> None:
    """Players, other games, the same text, mistakes and oversized texts are refused."""

    async def work(house: Tables, id: str) -> None:
        with pytest.raises(Refused) as refused:
            await house.take_over(id, "ann", NEW)
        assert "identity" == refused.value.refusal.code
        other = SMALL.replace('key = "coins"', 'key = "cups"').replace(
            'name = "Coins"', 'name = "Cups"'
        )
        for text, why in ((other, "another game, Cups"), (OLD, "plays by these rules already")):
            with pytest.raises(Refused, match=why):
                await house.take_over(id, "mona", text)
        for text, why in (
            (NEW.replace("coin = 3", "coins = 3"), "coins"),
            ("#" * 300_000, "200 kB"),
        ):
            with pytest.raises(Unread, match=why):
                await house.take_over(id, "mona", text)
        assert OLD == (await house.look(id)).game

    played(work)


def test_repeated_token_adopts_once() -> None:
    """A page without an answer sends the move again."""

    async def work(house: Tables, id: str) -> None:
        first = await house.take_over(id, "mona", NEW, "once")
        again = await house.take_over(id, "mona", NEW, "once")
        assert (first.seq, True) == (again.seq, again.repeated)

    assert 1 == sum(isinstance(one.event, RulesChanged) for one in played(work))


@pytest.mark.slow
def test_other_servers_use_the_new_rules() -> None:
    """The texts are in the log, which is read and played where neither is known."""

    async def work(house: Tables, id: str) -> None:
        await house.take_over(id, "mona", NEW)
        records = house.store.read(id)
        forgotten()
        again = tables(house.store)  # type: ignore[arg-type]
        await again.make(id, "ann", "move.pray", {})
        forgotten()
        other = tables(MemoryStore())
        brought = await other.bring(list(export_lines(records)))
        await other.make(brought, "ann", "move.pray", {})
        assert game_files.kept(NEW) == (await other.listing(brought)).system
        await other.make(brought, "mona", "table.undo", {"to": 10})
        assert game_files.kept(OLD) == (await other.look(brought)).system
        # A player's own copy of the log holds both texts too.
        ann = (await house.look(id)).seats["ann"]
        assert NEW in [getattr(one.event, "game", "") for one in copy_for(records, ann)]

    played(work)


@pytest.mark.parametrize(
    ("spoilt", "what"),
    [
        (lambda event: replace(event, game=SMALL), "There is no game"),
        (lambda event: replace(event, game="nonsense"), "not TOML"),
        (lambda event: replace(event, changes=("x" * 5000,)), "a text is longer"),
    ],
)
def test_log_with_invalid_rules_is_refused(
    spoilt: Callable[[RulesChanged], RulesChanged], what: str
) -> None:
    """As at the opening, the key must be the hash of a readable text."""

    async def work(house: Tables, id: str) -> None:
        await house.take_over(id, "mona", NEW)

    records = [
        one._replace(event=spoilt(one.event)) if isinstance(one.event, RulesChanged) else one
        for one in played(work)
    ]
    with pytest.raises(BadFile, match=what):
        asyncio.run(tables(MemoryStore()).bring(list(export_lines(records))))


def test_adoption_is_logged_as_one_move() -> None:
    """Its records belong to one move of the GM."""

    async def work(house: Tables, id: str) -> None:
        made = await house.take_over(id, "mona", NEW)
        first = made.records[0].event
        assert isinstance(first, MoveMade)
        assert ("rules.take_over", "mona") == (first.move, first.seat)
        assert 1 == sum(isinstance(one.event, MoveMade) for one in made.records)

    played(work)


def test_table_keeps_a_server_games_text(tmp_path: Path) -> None:
    """After its file changes, the table plays on, and its GM may adopt the new text."""
    file = tmp_path / f"coins{game_files.ENDING}"
    file.write_text(OLD, encoding="utf-8")
    key = systems.added(file)
    try:

        async def play() -> None:
            house = tables(MemoryStore())
            id = await house.open(key, "Coins")
            await house.take_seat(id, "Mona", "gm")
            assert (game_files.kept(OLD), OLD) == (
                (await house.look(id)).system,
                (await house.look(id)).game,
            )
            with pytest.raises(NoNewRules):
                await house.new_rules(id)
            assert "" == whose((await house.look(id)).system)
            file.write_text(NEW, encoding="utf-8")
            new = await house.new_rules(id)
            assert (CHANGES, NEW) == (new.changes, new.text)
            assert "copy" == whose((await house.look(id)).system)
            await house.make(id, "mona", "session.begin", {})
            assert OLD == (await house.look(id)).game
            await house.take_over(id, "mona", new.text)
            assert NEW == (await house.look(id)).game
            assert "move.pray" in systems.get(key).by_key, "a new table has the new rules at once"
            file.unlink()
            with pytest.raises(NoNewRules):
                await house.new_rules(id)
            assert "own" == whose((await house.look(id)).system)
            # A scene that was set up from a play keeps no text; its table takes one over all the
            # same.
            file.write_text(OLD, encoding="utf-8")
            opened = open_table(systems.get(key), "A scene")
            id = await house.begin(records_of([opened], "", 0, 1))
            await house.take_seat(id, "Mona", "gm")
            with pytest.raises(Refused, match="plays by these rules already"):
                await house.take_over(id, "mona", OLD)
            assert CHANGES == (await house.new_rules(id, NEW)).changes
            await house.take_over(id, "mona", NEW)
            assert "move.pray" in (await house.system(id)).by_key
            await house.make(id, "mona", "table.undo", {})
            assert (key, "") == ((await house.look(id)).system, (await house.look(id)).game)
            assert "move.pray" not in (await house.system(id)).by_key

        asyncio.run(play())
    finally:
        systems.removed(key)


def test_new_turn_order_ends_the_old_one() -> None:
    """The current turn, its rest and the named successor go with a different order."""
    old, new = (
        read(f"{SMALL}\n[turns]\norder = '{order}'\n").game
        for order in ("handed over", "sides in turn")
    )
    assert old is not None
    assert new is not None
    assert {"slot", "turn", "acts-next"} == gone_kinds(old, new)
    assert frozenset() == gone_kinds(old, old)
