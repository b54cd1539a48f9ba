"""Dune and its family: traps of Momentum, Threat and Determination, and promises of its parts."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from storypool import play, systems
from storypool.engine import story
from storypool.engine.fold import evolve
from storypool.engine.game.panels import RowsPanel
from storypool.engine.moments import moments
from storypool.engine.offers import offer
from storypool.engine.table import Table
from storypool.systems.dune.people.adversaries import TEMPLATES, template
from storypool.systems.dune.people.generators import HOOKS, hook
from storypool.systems.dune.people.sheet import SKILLS
from storypool.systems.dune.pools import dice_price
from storypool.systems.twod20.dice import bound
from storypool.worth.weighing import weighed

SYSTEM = systems.get("dune")
SCENE = """\
table dune trust=players_set
seat gm   side=gm
seat gm   feyd: battle=7 communicate=5 power=7 duty=5 rank=2
seat ann  ruhan: battle=7 communicate=4 duty=8 faith=5
seat bo   ysolde: communicate=8 move=4 power=8
points momentum=3 threat=3 ruhan.determination=1
"""
DECLARE = "ann check.declare as=ruhan skill=battle drive=duty fit=applies difficulty=1\n"


def run(text: str) -> play.Performance:
    """The scene and these lines after it, each of which holds."""
    return play.perform(play.read(SCENE + text, "trap.play"))


def test_the_price_counts_dice_and_not_purchases() -> None:
    """Three dice cost 6 however they are bought; Proficiency waives only the first price."""
    assert [1, 2, 3] == [dice_price(n, 1) for n in range(3)]
    assert 6 == dice_price(0, 3) == dice_price(0, 1) + dice_price(1, 2)
    assert [0, 2, 3] == [dice_price(n, 1, first_free=True) for n in range(3)]


def test_only_dice_with_room_in_the_pool_are_offered() -> None:
    """A new test offers up to three dice, one of 3d20 two, and one of 4d20 asks no number."""
    for bought, most in (("", [3]), ("ann dice.buy n=1\n", [2]), ("ann dice.buy n=2\n", [])):
        table = run("points momentum=6\n" + DECLARE + bought).table
        asks = offer(SYSTEM, table, "ann", "dice.buy", {}).asks
        assert most == [ask.high for ask in asks if ask.name == "n"]


def test_trap_14_a_one_is_always_two_successes() -> None:
    """A 1 counts twice with a focus or without; with one, so does every face up to the skill."""
    assert [2, 1, 1, 0] == [bound("d20", 13).face(n)["success"] for n in (1, 2, 13, 14)]
    assert [2, 2, 1, 0] == [bound("d20", 13, 6).face(n)["success"] for n in (1, 6, 7, 14)]


def test_dice_that_an_opponent_has_rolled_do_not_come_back() -> None:
    """A contest called off refunds an opposing test's dice only before they are rolled."""
    contest = "gm check.declare as=feyd skill=battle drive=power against=ruhan\n"
    bought = (
        contest + "ann contest.oppose skill=battle drive=duty\nann dice.buy n=1 => momentum 2\n"
    )
    first = next(iter(run(bought).table.checks))
    run(f"{bought}gm check.cancel check={first} => momentum 3\n")
    run(f"{bought}ann check.roll dice 19 19 19\ngm check.cancel check={first} => momentum 2\n")


STRUCK = (
    "ann check.declare as=ruhan skill=battle drive=duty fit=contradicts difficulty=0\ngm"
    " drive.offer\n"
)
ZONES = """
gm zone.add text=Hall
gm zone.add text=Yard next=Hall
gm zone.add text=Roof next=Yard
ann asset.add who=ruhan text=Kindjal zone=Hall
bo asset.add who=ysolde text=Letter zone=Hall
gm conflict.begin kind=skirmish text=There
"""


@pytest.mark.parametrize(
    ("before", "line", "rule", "remedy"),
    [
        (
            DECLARE + "ann dice.buy n=3 threat=3\n",
            "dice.buy n=1 => refused: only_if",
            "Momentum Uses: Buying d20s",
            "Helpers roll a d20",
        ),
        (
            "points ruhan.determination=2\n"
            + DECLARE
            + "ann check.roll dice 16 17\nann determination.reroll which=1 dice 20\n",
            "determination.reroll which=1 => refused: argument",
            "Determination: Re-roll",
            "Choose among the others.",
        ),
        (
            DECLARE,
            "dice.buy n=3 threat=0 => refused: price",
            "Momentum Uses: Buying d20s",
            "Add to Threat instead",
        ),
        (
            "points ruhan.determination=0\n" + DECLARE,
            "determination.one => refused: price",
            "Determination: Automatic 1",
            "Comply with a drive that speaks against what you do",
        ),
        (
            ZONES,
            "asset.move as=ruhan asset=Kindjal to=Roof => refused: argument",
            "Moving Assets",
            "Next to it: Yard.",
        ),
        (
            ZONES,
            "asset.move as=ruhan asset=Letter to=Yard => refused: argument Kindjal",
            "Moving Assets",
            "",
        ),
        (
            STRUCK + "ann drive.accept vow=challenge\nann check.simple\nann check.close\n",
            "check.declare as=ruhan skill=battle drive=duty => refused: argument",
            "Skill Test Procedure",
            "recover the drive",
        ),
    ],
    ids=[
        "a sixth die",
        "a second re-roll",
        "no Momentum",
        "no Determination",
        "a far zone",
        "not theirs",
        "struck",
    ],
)
def test_bad_input_is_refused_with_its_rule_and_remedy(
    before: str, line: str, rule: str, remedy: str
) -> None:
    """Each refusal names the rule that it follows, and what would make it possible."""
    step = list(play.Performance(play.read(f"{SCENE}{before}ann {line}\n", "bad.play")).steps())[-1]
    assert step.refusal is not None
    assert rule == step.refusal.rule
    assert remedy in step.refusal.remedy


def test_trap_16_each_die_in_the_range_is_a_complication() -> None:
    """Two dice in the range are two complications, and the range is the test's own."""
    faces = [n for n in range(1, 21) if bound("d20", 10, 1, 5).face(n)["complication"]]
    assert [16, 17, 18, 19, 20] == faces


def test_trap_18_the_pools_belong_to_the_table() -> None:
    """Momentum and Threat are balances of the table, so two players spend from one pool."""
    assert "table" == SYSTEM.by_account["momentum"].each == SYSTEM.by_account["threat"].each


def test_trap_19_nobody_rolls_for_these_points() -> None:
    """Pools start with what the rules say, and no move of this game rolls for them."""
    assert not [move.key for move in SYSTEM.moves if move.key.startswith("destiny")]


@pytest.mark.parametrize("rank", list(TEMPLATES))
def test_npcs_have_the_numbers_of_their_rank(rank: str) -> None:
    """Generated NPCs follow the templates: chosen skill best, majors spread 11 points."""
    sheet = template(rank, ("move",), ("truth",))
    assert sorted(TEMPLATES[rank]["skills"], reverse=True) == sorted(
        (sheet[s] for s in SKILLS), reverse=True
    )
    assert sheet["move"] == max(sheet[skill] for skill in SKILLS)
    assert ("quality" in sheet) == (rank == "minor")
    if rank == "major":
        assert 11 == sum(sheet[skill] - 4 for skill in SKILLS)
        assert [8, 7, 6, 5, 4] == TEMPLATES[rank]["drives"]


def test_every_face_has_its_hook() -> None:
    """Each column has an entry for each of the twenty faces, four faces to an entry."""
    for column in HOOKS:
        entries = [hook(SYSTEM.words, column, face) for face in range(1, 21)]
        assert [entries[i] for i in range(0, 20, 4)] == [entries[i] for i in range(3, 20, 4)]
        assert 5 == len(set(entries))


def test_the_log_names_a_complication_once() -> None:
    """What goes wrong is one line, which says for whom."""
    performed = run(
        DECLARE + "ann check.roll dice 5 20\n" + 'gm complication.suffer text="A trace is left"\n'
    )
    lines = [
        line for line in story.sentences(performed.records, SYSTEM) if "A trace is left" in line
    ]
    assert ["A complication is set for ruhan: A trace is left."] == lines


def test_dice_are_rolled_again_above_what_goes_wrong() -> None:
    """The menu of a roll orders re-rolls first: one may take a complication away."""
    menu = next(
        keys
        for one in SYSTEM.panels
        if "complication.suffer" in (keys := getattr(one, "moves", ()))
    )
    assert menu.index("determination.reroll") < menu.index("complication.suffer")


def test_an_extra_die_has_its_worth() -> None:
    """The gain of a die is known before it is bought: 84 %, 94 % with one, 97 % with two."""
    performed = run("ann check.declare as=ruhan target=12 difficulty=1\n")
    found = weighed(SYSTEM, performed.table, "ann")
    assert found.odds is not None
    assert {
        "target": "12",
        "focus": "1",
        "difficulty": "1",
        "range": "1",
    } == found.odds.question.terms
    assert Fraction(21, 25) == found.odds.outcomes["pass"]
    dice = {
        one.args["n"]: (one.price.total, one.after["pass"])
        for one in found.worth
        if one.move == "dice.buy"
    }
    assert {1: (1, Fraction(117, 125)), 2: (3, Fraction(609, 625))} == {n: dice[n] for n in (1, 2)}


def test_odds_of_an_open_test_count_helpers() -> None:
    """A helper's own numbers are among the terms of the test's odds."""
    performed = run(
        DECLARE + "bo check.assist helper=ysolde skill=communicate drive=power focus=Talk\n"
    )
    found = weighed(SYSTEM, performed.table, "ann").odds
    assert found is not None
    assert "16:8" == found.question.terms["assist"]


def test_a_die_paid_with_threat_has_its_worth_too() -> None:
    """The same dice, for 1, 3 and 6 added to Threat where the pool is empty or is to be spared."""
    performed = run("ann check.declare as=ruhan target=12 difficulty=1\n")
    found = weighed(SYSTEM, performed.table, "ann").worth
    paid = {one.args["n"]: (one.adds, one.after["pass"]) for one in found if one.args.get("threat")}
    assert {n: {"threat": price} for n, price in ((1, 1), (2, 3), (3, 6))} == {
        n: adds.written() for n, (adds, _) in paid.items()
    }
    assert (Fraction(117, 125), Fraction(609, 625)) == (paid[1][1], paid[2][1])


REROLLS = (
    # Neither die passed Difficulty 2: both again, 2/5 as any two dice. From the start it is 91/125:
    # dune.md 4.7.
    ("15 19", "failed", "pass", Fraction(0), Fraction(2, 5)),
    # One success is rolled: the other die has to bring one.
    ("12 19", "failed", "pass", Fraction(0), Fraction(3, 5)),
    # Two are rolled: each could only become a critical, or less.
    ("11 12", None, "", Fraction(0), Fraction(0)),
)


@pytest.mark.parametrize(("faces", "which", "name", "before", "after"), REROLLS)
def test_a_reroll_has_its_worth(
    faces: str,
    which: str | None,
    name: str,
    before: Fraction,
    after: Fraction,
) -> None:
    """The best re-roll is named with its change after the roll; its potential before it."""
    declared = "ann check.declare as=ruhan skill=communicate drive=duty fit=applies difficulty=2\n"
    building = weighed(SYSTEM, run(declared).table, "ann").worth
    held = next(one for one in building if one.move == "determination.reroll")
    assert (Fraction(2, 5), Fraction(91, 125)) == (held.before["pass"], held.after["pass"])
    performed = run(declared + f"ann check.roll dice {faces}\n")
    found = [
        one
        for one in weighed(SYSTEM, performed.table, "ann").worth
        if one.move == "determination.reroll"
    ]
    choices = [(one.args["which"], one.before[name], one.after[name]) for one in found]
    assert ([(which, before, after)] if which else []) == choices


def test_a_helper_chooses_among_their_own_focuses() -> None:
    """Helpers are offered their focuses in the chosen skill; own words are accepted too."""
    focus = "sheet.write kind=focus at=communicate"
    table = run(
        f"bo {focus} who=ysolde text=Bargains\nann {focus} who=ruhan text=Threats\n{DECLARE}"
    ).table
    given = {"helper": "ysolde", "skill": "communicate"}
    (asked,) = (
        ask for ask in offer(SYSTEM, table, "bo", "check.assist", given).asks if ask.name == "focus"
    )
    assert (["Bargains"], True) == ([choice.value for choice in asked.choices], asked.free)


def test_moments_mark_what_matters() -> None:
    """Every screen marks a resisted defeat, a task done, a struck drive and a conflict won.

    A conflict that ends with its scene, or that nobody won, is not marked.
    """
    lines = f"""\
points momentum=6 threat=9
gm   asset.add who=feyd text=Rapier potency=3
ann  asset.add who=ruhan text=Kindjal potency=3
gm   conflict.begin kind=skirmish text=Yard first=gm against=feyd
gm   conflict.attack as=feyd against=ruhan asset=Rapier skill=battle drive=power
ann  contest.oppose skill=communicate drive=duty
ann  check.roll dice 19 19
gm   check.roll dice 5 6
gm   track.score
ann  defeat.resist text=Torn
gm   check.close
gm   turn.pass
ann  conflict.attack as=ruhan against=feyd asset=Kindjal skill=battle drive=duty
gm   contest.oppose skill=communicate drive=power
gm   check.roll dice 19 19
ann  check.roll dice 5 6
ann  track.score
gm   defeat.accept
ann  check.close
gm   conflict.end
gm   conflict.begin kind=skirmish text=Again
gm   conflict.end winner=nobody
gm   conflict.begin kind=skirmish text=Thrice
gm   scene.begin
gm   task.begin text=Dig goal=2
{DECLARE.strip()} task=Dig
ann  check.roll dice 5 19
ann  check.close
{DECLARE.strip().replace("applies", "contradicts")}
gm   drive.offer
ann  drive.accept vow=challenge
ann  check.roll dice 5 19
ann  check.close
"""
    table, found = Table(), []
    for record in run(lines).records:
        if record.event is not None:
            found += [one.name for one in moments(record.event, table, SYSTEM)]
            table = evolve(table, record.event)
    marked = ["begins", "defeated", "resisted", "defeated", "over", "begins", "begins"]
    marked += ["scene-over", "done"]
    assert [*marked, "struck"] == [one for one in found if one not in ("twenty", "momentum-full")]


def test_target_question_names_any_zone() -> None:
    """Where zones are laid out, the question of an attack says that none limits its target."""
    fight = "ann asset.add who=ruhan text=Kindjal\ngm conflict.begin kind=skirmish text=Here\n"
    for zone, label in (("", "Target"), ("gm zone.add text=Yard\n", "Target, in any zone")):
        seen = offer(SYSTEM, run(zone + fight).table, "ann", "conflict.attack", {})
        assert label == next(ask.label for ask in seen.asks if ask.name == "against")


def test_a_struck_drive_is_closed_where_drives_are_chosen() -> None:
    """Actor and helper read the struck statement, the refusal, and the way to open it."""
    written = 'ann sheet.write who=ruhan kind=statement at=duty text="I stand"\n'
    struck = (
        written
        + DECLARE.replace("applies", "contradicts")
        + "gm drive.offer\nann drive.accept vow=challenge\n"
    )
    done = struck + "ann check.roll dice 5 5\nann check.close\n"
    helped = done + "bo check.declare as=ysolde skill=communicate drive=power difficulty=1"
    for lines, move, args in (
        (done, "check.declare", {}),
        (helped, "check.assist", {"helper": "ruhan"}),
    ):
        asks = offer(SYSTEM, run(lines).table, "ann", move, args).asks
        duty, faith, *_ = next(ask.choices for ask in asks if ask.name == "drive")
        assert ("struck: I stand", "The statement of Duty is struck") == (
            duty.note,
            duty.closed[:31],
        )
        assert duty.remedy.endswith("or recover the drive.")
        assert ("", "", "") == (faith.note, faith.closed, faith.remedy)


def test_rows_of_ratings_show_the_sheet_that_is_asked_about() -> None:
    """A form that asks for a skill of a character names them by a question that the rows know."""
    (rows,) = (panel for panel in SYSTEM.panels if isinstance(panel, RowsPanel))
    for key in (
        "advance.buy",
        "check.assist",
        "check.declare",
        "conflict.attack",
        "contest.oppose",
    ):
        asked = {ask.name for ask in SYSTEM.by_key[key].asks}
        assert asked & set(rows.of), (key, asked)


def test_a_hidden_test_promises_nothing_for_points() -> None:
    """What the players do not see is not rolled again for Threat, so that is not weighed."""
    statement = "gm sheet.write who=feyd kind=statement at=power text=Mine\n"
    declared = "gm check.declare as=feyd skill=battle drive=power difficulty=2"

    def worth(how: str) -> set[str]:
        table = run(f"{statement}{declared}{how}\n").table
        return {one.move for one in weighed(SYSTEM, table, "gm").worth}

    assert "determination.reroll" in worth("")
    assert "determination.reroll" not in worth(" secret=yes")


def test_a_closed_row_keeps_its_price() -> None:
    """What cannot be bought now is on the menu at the price for which it is otherwise bought."""
    house = 'gm house.add text="House Vennart"\n'
    poor = run("points momentum=0 threat=0\n" + DECLARE).table
    rich = run("points momentum=6 threat=6\n" + DECLARE + house).table
    for seat, key in (
        ("ann", "momentum.trait"),
        ("ann", "momentum.ask"),
        ("ann", "determination.act"),
        ("gm", "threat.trait"),
        ("gm", "threat.house"),
    ):
        closed, other = (offer(SYSTEM, table, seat, key, {}) for table in (poor, rich))
        assert closed.closed is not None
        assert 0 < closed.price.total == other.price.total


NEW = """\
table dune trust=players_set
seat gm   side=gm
seat gm   feyd: battle=7 communicate=5 power=7 duty=5 rank=2
seat ann  side=player
gm conflict.begin kind=personal text=Yard
"""


@pytest.mark.parametrize("ready", SYSTEM.ready, ids=lambda one: str(one["key"]))
def test_ready_made_characters_can_do_all_that_the_game_offers(ready: Mapping[str, Any]) -> None:
    """They have 28 points of skills, five drives, statements, assets, and talents in words."""
    sheet = ready["sheet"]
    assert 28 == sum(sheet[skill] for skill in SKILLS)
    assert [4, 5, 6, 7, 8] == sorted(n for key, n in sheet.items() if key not in SKILLS)
    line = " ".join(f"{key}={n}" for key, n in sheet.items())
    attack = (
        f'ann character.add name=Anja sheet="{line}"\nann conflict.attack fit=applies => term fit'
        " applies\n"
    )
    table = play.perform(play.read(NEW + attack, "ready.play")).table
    high = {key for key, n in sheet.items() if key not in SKILLS and n >= 6}
    assert high == {trait.at for trait in table.of_kind("statement")}
    kinds = ("focus", "talent", "asset", "trait")
    assert [4, 3, 3, 2] == [len(table.of_kind(kind)) for kind in kinds]
    # A talent says what it does.
    assert all(": " in trait.text for trait in table.of_kind("talent"))


def test_other_numbers_are_another_character() -> None:
    """A character of the same name with numbers of their own brings nothing."""
    text = NEW + 'ann character.add name="Odile Marr" sheet="battle=4"\n'
    table = play.perform(play.read(text, "other.play")).table
    assert not [trait for trait in table.traits.values() if trait.about == "odile-marr"]


def zones_for(table: Table, seat: str, move: str, **args: object) -> list[str]:
    """The zones that a move offers."""
    asks = offer(SYSTEM, table, seat, move, args).asks
    return [one.label for ask in asks if ask.name == "to" for one in ask.choices]


def test_no_move_stays_where_it_is() -> None:
    """The zones of a move, and of one further, are others than the one that it starts from."""
    zones = "gm zone.add text=Yard\ngm zone.add text=Hall next=Yard\n"
    knife = "ann asset.add who=ruhan text=Knife kind=weapon zone=Hall\n"
    conflict = "gm conflict.begin kind=skirmish text=Through\n"
    table = run(zones + knife + conflict).table
    (asset,) = table.of_kind("asset")
    assert zones_for(table, "ann", "asset.move") == ["Yard", "Hall"]
    assert zones_for(table, "ann", "asset.move", **{"as": "ruhan", "asset": asset.id}) == ["Yard"]
    moved = "ann asset.move as=ruhan asset=Knife to=Yard skill=battle drive=duty fit=applies\n"
    table = run(zones + knife + conflict + moved + "ann check.roll dice 1 1\n").table
    assert zones_for(table, "ann", "asset.further") == ["Hall"]
