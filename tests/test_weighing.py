"""Weighing the visible action: exact odds of its pool in every game, and no secrets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from storypool import play, systems
from storypool.cli.what_if import WhatIf
from storypool.engine import decisions
from storypool.engine import offers as offering
from storypool.engine.bag import Bag
from storypool.engine.dice import Mod
from storypool.engine.events import CheckChanged, CheckOpened, PointsSet, TraitSet
from storypool.engine.fold import evolve
from storypool.engine.game.moves import Condition, Move
from storypool.engine.game.panels import DrawerPanel, TrayPanel
from storypool.engine.game.system import System
from storypool.engine.game.turn import Turn
from storypool.engine.offers import Offer, offer, offers, open_offers
from storypool.engine.refusal import Refused
from storypool.engine.sight import seen
from storypool.engine.table import GM_ONLY, Check, Table, Trait
from storypool.odds import allowing
from storypool.odds.allowance import SURFACES
from storypool.odds.question import Question, Reckoned, Worth
from storypool.systems import game_stakes
from storypool.worth import gains, weighing
from storypool.worth.gains import OpponentReplies, TrialMoves, in_sight, left_to_others
from storypool.worth.weighing import Asked, weighed, weighed_data
from tests.fixed_set import each_fifth
from tests.games_with_odds import TELLING
from tests.sample_table import Evening

pytestmark = pytest.mark.slow

MAX_TABLES = 40
"""Tables of a game that are weighed for every seat; the first few may have no odds."""

STARWARS = systems.get("starwars")


def tables(key: str) -> Iterator[Table]:
    """Tables with an unrolled action from this game's plays."""
    for name, text in systems.plays(key).items():
        performance = play.Performance(play.read(text, name))
        for _ in performance.steps():
            if any(check.phase == "build" for check in performance.table.checks.values()):
                yield performance.table


def scene(**options: str) -> Evening:
    """Ann tries something average, and both sides have points."""
    evening = Evening(STARWARS, trust="players_set", **options)
    evening.make("mona", "destiny.begin")
    for account in ("light", "dark"):
        evening.make("mona", "points.correct", account=account, to=2, why="for this scene")
    evening.make(
        "ann", "check.declare", {"as": "pash", "pool": "2 ability 1 proficiency vs 2 difficulty"}
    )
    return evening


def test_open_offer_is_judged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check that a move is open found no reasons, so its offer does not look again."""
    table, judged, conditions = scene().table, list[str](), offering._conditions_now

    def judge(turn: Turn, move: Move, priced: bool) -> tuple[tuple[str, Condition], ...]:
        judged.append(move.key)
        return conditions(turn, move, priced)

    monkeypatch.setattr(offering, "_conditions_now", judge)
    for level in ("strict", "warn", "log"):
        at = replace(table, options={**table.options, "enforcement": level})
        for seat in at.seats:
            keys = [move.key for move in STARWARS.moves if at.seats[seat].side in move.by]
            judged.clear()
            found = list(open_offers(STARWARS, at, seat, keys))
            assert keys == judged
            assert found == [one for one in offers(STARWARS, at, seat) if one.closed is None]


def test_game_weighs_offers_with_one_question(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game with only a question in its `stakes` and no scene weighs changed dice."""
    stakes = game_stakes.stakes("starwars")
    monkeypatch.delattr(stakes, "further")
    monkeypatch.delattr(stakes, "scene")
    weighing._kept.clear()
    table = scene().table
    assert "destiny.upgrade" in [one.move for one in weighed(STARWARS, table, "ann").worth]
    with pytest.raises(Refused, match="does not tell what its offers are worth"):
        WhatIf("starwars", Question(Bag(ability=2, difficulty=1)))


@pytest.mark.slow
@each_fifth
@pytest.mark.parametrize("key", TELLING)
def test_table_and_library_agree(key: str, step: int) -> None:
    """A seat's odds of its action are those of any client for that pool and terms."""
    system, weighed_rows, worth = systems.get(key), 0, 0
    for table in list(islice(tables(key), MAX_TABLES))[::step]:
        for seat in table.seats:
            found = weighed(system, table, seat)
            worth += len(found.worth)
            for one in found.worth:
                assert one.of == "amount" or all(0 <= share <= 1 for share in one.after.values())
            if found.odds is not None:
                asked = found.odds.question
                pool = system.notation.parse(system.notation.show(asked.pool))
                assert (
                    found.odds.plain()
                    == systems.odds(key).reckon(replace(asked, pool=pool)).plain()
                )
                weighed_rows += 1
    assert weighed_rows
    assert worth


@pytest.mark.slow
@pytest.mark.parametrize("key", ["c2d10", "destinydice", "dune", "starwars"])
def test_brief_and_single_worth_agree(key: str) -> None:
    """Buttons' rows and a form's rows of its move are exactly rows of the whole."""
    brief, whole = 0, 0
    for table in islice(tables(key), 0, 6, 2):
        for seat in table.seats:
            shown, rows = in_brief_and_whole(systems.get(key), table, seat)
            brief, whole = brief + shown, whole + rows
    assert 0 < brief <= whole


def test_dice_for_threat_are_in_brief() -> None:
    """Offers named by the game are there even without Momentum, if only Threat pays."""
    assert (4, 8) == in_brief_and_whole(
        systems.get("dune"), play.perform(play.read(POOR, "poor.play")).table, "ann"
    )


POOR = """\
table dune
seat gm side=gm
seat ann ruhan: battle=7 communicate=4 discipline=6 move=6 understand=5 duty=8 faith=5 justice=7 \
power=4 truth=6
ann check.declare skill=battle drive=duty
gm check.difficulty difficulty=2
"""


def in_brief_and_whole(system: System, table: Table, seat: str) -> tuple[int, int]:
    """The numbers of brief and of all rows of this seat, which agree in every form."""
    rows = weighed(system, table, seat).worth
    usual = weighed(system, table, seat, Asked(usual=True)).worth
    offered = {one.key: one for one in offers(system, table, seat)}
    tools = drawer_alone(system) if table.seats[seat].side != "gm" else set[str]()
    sight = seen(table, table.seats[seat])
    check = in_sight(sight, seat)
    own = (
        [(one.move, one.args) for one in game_stakes.further(system.key, sight, check)]
        if check
        else []
    )
    brief = [
        row
        for row in rows
        if (row.move, row.args) in own or in_brief(system, row, offered[row.move])
    ]
    assert [row for row in brief if row.move not in tools] == list(usual)
    for move in {row.move for row in rows}:
        assert [row for row in rows if row.move == move] == [
            *weighed(system, table, seat, Asked(key=move)).worth
        ]
    return len(usual), len(rows)


def drawer_alone(system: System) -> set[str]:
    """The moves that are only in the GM's drawer, without buttons for players."""
    drawers = [panel for panel in system.panels if isinstance(panel, DrawerPanel)]
    others = {
        key
        for panel in system.panels
        if panel not in drawers
        for key in getattr(panel, "moves", ())
    }
    return {key for panel in drawers for key in panel.moves} - others


def in_brief(system: System, row: Worth, offered: Offer) -> bool:
    """Whether a row is priced, closed, a die of the tray or the default of its offer.

    Free texts do not matter.
    """
    trays = [panel for panel in system.panels if isinstance(panel, TrayPanel)]
    taps = [(tap.move, tap.ask, tap.die) for panel in trays for tap in panel.taps]
    if any((row.move, *answer) in taps for answer in row.args.items()):
        return True
    defaults = {ask.name: ask.default for ask in offered.asks}
    usual = all(
        value == defaults[name]
        for name, value in row.args.items()
        if name in defaults.keys() - {*row.texts}
    )
    return bool(offered.price) or offered.closed is not None or usual


def test_equal_views_share_their_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All players share what the other side can do; other views have their own."""
    asked: list[str] = []

    def counted(tries: TrialMoves, table: Table, seat_id: str, check: Check) -> OpponentReplies:
        asked.append(seat_id)
        return left_to_others(tries, table, seat_id, check)

    monkeypatch.setattr(weighing, "left_to_others", counted)
    evening = scene()
    for seat in ("ann", "bo", "mona"):
        weighed(STARWARS, evening.table, seat)
    assert 3 == len(asked), "each look at this evening folds another table"
    asked.clear()
    table = evening.table
    weighed_rows = {seat: weighed(STARWARS, table, seat) for seat in ("ann", "bo", "mona")}
    assert ["ann", "mona"] == asked
    asked.clear()
    evening.make("mona", "character.add", name="Brute", secret=True)
    table = evening.table
    weighed(STARWARS, table, "mona")
    assert [weighed_rows["ann"], weighed_rows["bo"]] == [
        weighed(STARWARS, table, seat) for seat in ("ann", "bo")
    ]
    assert ["mona", "ann", "bo"] == asked


def unknown(table: Table) -> Table:
    """The same table with other action ids, where nothing has been weighed."""
    return replace(table, checks=dict(table.checks))


def test_known_offers_are_not_computed_again() -> None:
    """Given offers have the same worth; for a named action others do not count."""
    table = scene().table
    for seat in ("ann", "bo", "mona"):
        fresh = weighed(STARWARS, unknown(table), seat)
        assert fresh == weighed(
            STARWARS, unknown(table), seat, offered=offers(STARWARS, table, seat)
        )
        assert fresh.worth
        assert () == weighed(STARWARS, unknown(table), seat, offered=[]).worth
        assert fresh == weighed(STARWARS, unknown(table), seat, Asked(fresh.check), offered=[])


def test_pool_is_counted_once_for_all_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal dice at another table are known for any seat and action."""
    counted, odds = list[Question](), systems.odds("starwars")
    reckon = odds.reckon

    def counting(question: Question) -> Reckoned:
        counted.append(question)
        return reckon(question)

    monkeypatch.setattr(odds, "reckon", counting)
    weighing._answer.cache_clear()
    first = weighed(STARWARS, scene().table, "ann")
    asked = len(counted)
    assert first.odds is not None
    assert asked == len({tuple(sorted(one.pool.items())) for one in counted}) > 1
    other = scene()
    other.make("mona", "table.rename", title="Another evening")
    again = weighed(STARWARS, other.table, "bo")
    assert asked == len(counted)
    assert again.odds is not None
    assert first.odds.plain() == again.odds.plain()


def test_irrelevant_moves_are_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only moves in a game's stakes are tried, for this seat and the others."""
    tried: set[str] = set()

    def what_if(
        system: System, table: Table, seat_id: str, key: str, args: Mapping[str, object]
    ) -> Table:
        tried.add(key)
        return decisions.what_if(system, table, seat_id, key, args)

    monkeypatch.setattr(gains, "what_if", what_if)
    weighed(STARWARS, scene().table, "mona")
    assert (
        {"check.difficulty", "pool.add", "destiny.upgrade"}
        <= tried
        <= (game_stakes.tried("starwars") or set())
    )


def test_closed_choice_is_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A currently unusable talent is not tried, even as an answer."""
    tried, closed = set[tuple[str, object]](), set[tuple[str, object]]()

    def what_if(
        system: System, table: Table, seat_id: str, key: str, args: Mapping[str, object]
    ) -> Table:
        choices = [
            choice
            for ask in offer(system, table, seat_id, key, args).asks
            for choice in ask.choices
        ]
        closed.update((key, choice.value) for choice in choices if choice.closed)
        tried.update((key, value) for value in args.values())
        return decisions.what_if(system, table, seat_id, key, args)

    monkeypatch.setattr(gains, "what_if", what_if)
    weighed(STARWARS, scene().table, "ann")
    assert {key for key, _ in closed} >= {"destiny.talent"}
    assert closed.isdisjoint(tried)


@pytest.mark.slow
@each_fifth
@pytest.mark.parametrize("key", TELLING)
def test_skipped_moves_lose_nothing(key: str, step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Odds and worths match a trial of each move, except for irrelevant answers."""
    system, named, worth = systems.get(key), game_stakes.tried(key), 0
    assert named is not None
    for table in list(islice(tables(key), MAX_TABLES))[::step]:
        for seat in table.seats:
            found = weighed(system, unknown(table), seat)
            with monkeypatch.context() as every:
                every.setattr(game_stakes, "tried", lambda key: None)
                whole = weighed(system, unknown(table), seat)
            rows = [
                replace(row, answered=None) if row.answered == row.after else row
                for row in whole.worth
            ]
            assert rows == [
                replace(row, answered=None) if row.answered == row.after else row
                for row in found.worth
            ]
            left = None if whole.odds and whole.answered == whole.odds.outcomes else whole.answered
            assert replace(whole, worth=found.worth, answered=left) == found
            worth += len(found.worth)
    assert worth


@pytest.mark.slow
@each_fifth
@pytest.mark.parametrize("key", ["dune", "genesys", "starwars"])
def test_shared_answers_lose_nothing(key: str, step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Equivalent moves of a side share one answer, equal to a fresh computation."""
    system, alike = systems.get(key), gains._allow_same_replies
    for table in list(islice(tables(key), MAX_TABLES))[::step]:
        sides = unknown(table)
        for seat in table.seats:
            monkeypatch.setattr(gains, "_allow_same_replies", lambda one, other, id: False)
            fresh = weighed(system, unknown(table), seat)
            monkeypatch.setattr(gains, "_allow_same_replies", alike)
            assert fresh == weighed(system, sides, seat)


def test_die_is_answered_once_for_its_givers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ann's die has the answer to Bo's, as if computed for each."""
    asked, answered = list[str](), gains.answered

    def counted(
        tries: TrialMoves, table: Table, seat_id: str, check: Check, ours: bool = False
    ) -> gains.Odds:
        asked.append(seat_id)
        return answered(tries, table, seat_id, check, ours)

    monkeypatch.setattr(gains, "answered", counted)
    table, added = scene().table, Asked(key="pool.add")
    found = {seat: weighed(STARWARS, table, seat, added) for seat in ("ann", "bo")}
    assert ["ann"] * (1 + len(found["ann"].worth)) == asked
    assert all(one.answered for one in found["bo"].worth)
    assert found["bo"] == weighed(STARWARS, unknown(table), "bo", added)


def test_only_equivalent_moves_are_alike() -> None:
    """A die may have another seat or reason, and nothing else."""
    table = scene().table
    [check] = table.checks.values()

    def brought(**changes: Any) -> Table:
        mod = replace(Mod("add", "boost", 1, "High ground", "ann"), **changes)
        return evolve(table, CheckChanged(replace(check, mods=(mod,))))

    one = brought()
    assert all(
        gains._allow_same_replies(one, other, check.id)
        for other in (one, brought(by="bo"), brought(why="Rain"))
    )
    others = [
        brought(**changes)
        for changes in ({"by": "mona"}, {"die": "setback"}, {"n": 2}, {"bought": True})
    ]
    others += [
        evolve(one, CheckChanged(replace(one.checks[check.id], windows=("gm",)))),
        evolve(one, OTHER_POINTS),
    ]
    others += [
        evolve(one, CheckOpened(replace(check, id="c99"))),
        evolve(one, TraitSet(Trait("t1", "fact", "Rain"))),
    ]
    assert not any(gains._allow_same_replies(one, other, check.id) for other in others)


OTHER_POINTS = PointsSet("light", "", balance=1, delta=-1, why="", by="ann")


def test_remainder_is_shown_before_a_purchase() -> None:
    """There are the current odds, and those after the GM's best answer."""
    found = weighed(STARWARS, scene().table, "ann")
    assert found.odds is not None
    assert found.answered is not None
    upgraded = systems.odds("starwars").reckon(
        Question(Bag(ability=2, proficiency=1, difficulty=1, challenge=1))
    )
    assert upgraded.outcomes == found.answered


def test_last_point_has_no_answer() -> None:
    """The side that answers last knows its gain."""
    evening = scene()
    evening.make("ann", "destiny.pass")
    [upgrade] = [
        one
        for one in weighed(STARWARS, evening.table, "mona").worth
        if one.move == "destiny.upgrade"
    ]
    assert upgrade.answered is None
    assert {"dark": 1} == upgrade.price.written()


def test_answer_may_follow_another_window() -> None:
    """Against a player's character, that player decides before the GM may answer."""
    evening = scene()
    evening.make("ann", "check.cancel")
    evening.make(
        "ann",
        "check.declare",
        {"as": "pash", "pool": "2 ability 1 proficiency vs 2 difficulty", "against": "oska"},
    )
    [check] = evening.table.checks.values()
    assert ("active", "target", "gm") == check.windows
    found = weighed(STARWARS, evening.table, "ann")
    upgraded = systems.odds("starwars").reckon(
        Question(Bag(ability=2, proficiency=1, difficulty=1, challenge=1))
    )
    assert upgraded.outcomes == found.answered
    assert all(one.answered is not None for one in found.worth)


def test_gm_may_keep_the_odds() -> None:
    """At such a table players get nothing, and the GM everything."""
    table = scene(odds="gm").table
    assert weighed(STARWARS, table, "ann").odds is None
    assert () == weighed(STARWARS, table, "ann").worth
    assert weighed(STARWARS, table, "mona").odds is not None
    assert weighed(STARWARS, table, "nobody").odds is None


def test_hidden_action_is_not_weighed() -> None:
    """Players and spectators get no odds of a check that they do not see."""
    evening = Evening(STARWARS)
    evening.make("mona", "destiny.begin")
    evening.make("mona", "character.add", name="Guard")
    evening.make(
        "mona",
        "check.declare",
        {"as": "guard", "pool": "1 ability vs 1 difficulty", "secret": True},
    )
    assert weighed(STARWARS, evening.table, "mona").odds is not None
    for seat in ("ann", "vera"):
        found = weighed(STARWARS, evening.table, seat)
        assert ("", None, ()) == (found.check, found.odds, found.worth)


def test_too_many_dice_are_reported() -> None:
    """A pool beyond the limit is not computed."""
    table = scene().table
    [check] = table.checks.values()
    pool = Bag(ability=101)
    crowded = evolve(table, CheckChanged(replace(check, base=pool, pool=pool, mods=())))
    with allowing(SURFACES):
        found = weighed(STARWARS, crowded, "ann")
    assert (check.id, True, None, ()) == (found.check, found.too_many, found.odds, found.worth)


def test_costly_dice_are_too_many() -> None:
    """Uncancelled Hope needs all axes: there is time for it, or too many dice."""
    destiny = systems.get("destinydice")
    evening = Evening(destiny, hope_success_uncancellable="yes")
    evening.make("ann", "check.declare", {"as": "pash", "pool": "5 expertise vs 4 challenge"})
    table = evening.table
    with allowing(100):
        found = weighed(destiny, table, "ann")
    assert (True, None, ()) == (found.too_many, found.odds, found.worth)
    assert not weighed(destiny, unknown(table), "ann").too_many


def test_suggested_odds_depend_on_consent() -> None:
    """Pending answers are listed with the odds, by question and sentence, until accepted."""
    evening = scene()
    [check] = evening.table.checks.values()
    waits = evolve(
        evening.table, CheckChanged(replace(check, suggested={"difficulty": "Difficulty Hard"}))
    )
    for seat in ("ann", "mona", "vera"):
        weighed_rows = weighed_data(weighed(STARWARS, waits, seat))
        assert {"difficulty": "Difficulty Hard"} == weighed_rows["suggested"]
        assert "If the GM agrees: Difficulty Hard." == weighed_rows["words"]
        agreed = weighed_data(weighed(STARWARS, evening.table, seat))
        assert ({}, "") == (agreed["suggested"], agreed["words"])
        assert weighed_rows["odds"] == agreed["odds"]


def test_gm_weighs_the_named_action() -> None:
    """A hidden and an open action have their own odds and worth, without any for players."""
    evening = scene()
    before = {
        seat: weighed_data(weighed(STARWARS, evening.table, seat)) for seat in ("ann", "vera")
    }
    [(public, check)] = evening.table.checks.items()
    pool = Bag(ability=1, difficulty=1)
    listening = replace(check, id="c99", title="listen", base=pool, pool=pool, seen_by=GM_ONLY)
    table = evolve(evening.table, CheckOpened(listening))
    shares = {
        named: weighed(STARWARS, table, "mona", Asked(named)) for named in ("", public, "listen")
    }
    assert [public, public, "c99"] == [found.check for found in shares.values()]
    assert shares[""].odds == shares[public].odds != shares["listen"].odds
    assert all(any(one.move == "pool.upgrade" for one in found.worth) for found in shares.values())
    for seat, weighed_rows in before.items():
        assert weighed_rows == weighed_data(weighed(STARWARS, table, seat))
        assert not weighed(STARWARS, table, seat, Asked("listen")).check


@pytest.mark.parametrize("key", ["starwars", "destinydice"])
def test_odds_need_opposition(key: str) -> None:
    """Dice without the other side's would promise too much: odds come with the difficulty."""
    system = systems.get(key)
    evening = Evening(system)
    if key == "starwars":
        evening.make("mona", "destiny.begin")
    stealth: dict[str, object] = {
        "skill": "stealth",
        "characteristic": "agility",
        "value": 3,
        "rank": 1,
    }
    own = stealth if key == "starwars" else {"approach": "quick"}
    evening.make("ann", "check.declare", {"as": "pash", **own})
    [check] = evening.table.checks.values()
    assert check.pool
    assert weighed(system, evening.table, "ann").odds is None
    level = {"starwars": "average", "destinydice": "1"}[key]
    stands = evolve(
        evening.table, CheckChanged(replace(check, terms={**check.terms, "difficulty": level}))
    )
    assert weighed(system, stands, "ann").odds is not None


def test_outcome_names_its_side() -> None:
    """Against a character the odds name the side that succeeds, but not against a task."""
    evening = scene()
    assert {} == weighed_data(weighed(STARWARS, evening.table, "ann"))["named"]
    evening.make("ann", "check.cancel")
    pool = "2 ability 1 proficiency vs 2 difficulty"
    evening.make("ann", "check.declare", {"as": "pash", "pool": pool, "against": "oska"})
    assert {"success": "A success for Pash"} == weighed_data(
        weighed(STARWARS, evening.table, "ann")
    )["named"]
