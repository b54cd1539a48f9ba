"""Destiny Dice: the seed against the data, and traps of other programs."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from storypool import systems
from storypool.engine.bag import Bag
from storypool.engine.dice import Die, Rolled
from storypool.engine.offers import offer, offers
from storypool.engine.story import transcript
from storypool.play import perform, read
from storypool.systems.destinydice import outcomes, printed, sheet, spends
from storypool.systems.destinydice.dice import (
    AXES,
    DICE,
    HELPING,
    HINDERING,
    MIRROR,
    NOTATION,
    mirrored,
)
from storypool.systems.destinydice.result import grade, net, result
from storypool.systems.destinydice.sheet import HIGHEST, LOWEST, rung, rungs
from tests.vectors import vectors

REFERENCE = systems.folder("destinydice").joinpath("reference.md").read_text(encoding="utf-8")

SYSTEM = systems.get("destinydice")
VECTORS = vectors("destinydice")
SIGNS = {
    "+": "success",
    "-": "failure",
    "o": "advantage",
    "x": "disadvantage",
    "H": "hope",
    "D": "despair",
}


@pytest.mark.parametrize("die", DICE, ids=lambda die: die.name)
def test_faces_match_the_vectors(die: Die) -> None:
    """Each die has the six faces of the shared vectors, in the seed's order."""
    faces = VECTORS["faces"][die.name]
    assert 6 == len(faces) == die.sides
    for expected, face in zip(faces, die.faces, strict=True):
        assert Bag(SIGNS[sign] for sign in expected) == face


@pytest.mark.parametrize("name", HELPING)
def test_hindering_dice_mirror_helping_dice(name: str) -> None:
    """A hindering die has the faces of its helping one with every symbol's opposite."""
    opposite = dict(
        zip(
            SIGNS.values(),
            ("failure", "success", "disadvantage", "advantage", "despair", "hope"),
            strict=True,
        )
    )
    by_name = {die.name: die for die in DICE}
    for face, opposed in zip(by_name[name].faces, by_name[MIRROR[name]].faces, strict=True):
        assert Bag({opposite[symbol]: n for symbol, n in face.items()}) == opposed


def test_double_mirroring_changes_nothing() -> None:
    """A pool mirrored twice is unchanged, and no die is its own mirror image."""
    pool = Bag({die.name: n for n, die in enumerate(DICE, 1)})
    assert pool == mirrored(mirrored(pool))
    assert {*HELPING, *HINDERING} == set(MIRROR) == set(MIRROR.values())
    assert all(die != other for die, other in MIRROR.items())


def test_destiny_dice_differ_from_narrative_dice() -> None:
    """The dice are six-sided with their own faces, despite similar names in other games."""
    narrative = {die.name: die for die in systems.dice("genesys").DICE}
    shared = [die for die in DICE if die.name in narrative]
    assert ["difficulty", "challenge"] == [die.name for die in shared]
    assert all(6 == die.sides != narrative[die.name].sides for die in shared)


def test_hope_and_despair_do_not_cancel() -> None:
    """A Hope and a Despair in one roll leave the margin at zero, and both can be spent."""
    rolled = [Rolled("expertise", 6), Rolled("challenge", 6)]
    passed, found, words = result(Bag(expertise=1, challenge=1), rolled)
    assert (None, Bag(hope=1, despair=1), "A tie, with 1 Hope and 1 Despair.") == (
        passed,
        found,
        words,
    )
    assert Bag(hope=1, despair=1) == AXES.named(found)


def test_advantage_and_disadvantage_cancel() -> None:
    """Two Advantages and three Disadvantages leave one Disadvantage and no Advantage."""
    rolled = [Rolled("aid", 3), Rolled("hindrance", 3), Rolled("hindrance", 2)]
    _, found, _ = result(Bag(aid=1, hindrance=2), rolled)
    assert Bag(disadvantage=1) == AXES.named(found)


@pytest.mark.parametrize(("expertise", "challenge"), list(product(range(1, 7), repeat=2)))
def test_margin_counts_hope_and_despair(expertise: int, challenge: int) -> None:
    """The margin of any two dice is Successes and Hopes less Failures and Despairs."""
    rolled = [Rolled("expertise", expertise), Rolled("challenge", challenge)]
    faces = DICE[1].face(expertise) + DICE[4].face(challenge)
    counted = faces["success"] + faces["hope"] - faces["failure"] - faces["despair"]
    assert counted == net(rolled)["margin"]


def test_ladder_has_a_rung_for_each_rating() -> None:
    """The rungs follow each other without a gap, and ratings beyond an end are that end."""
    assert list(range(LOWEST, HIGHEST + 1)) == [row.rating for row in rungs().values()]
    assert (rung(LOWEST), rung(HIGHEST)) == (rung(-99), rung(99))


@pytest.mark.parametrize("row", rungs().values(), ids=lambda row: row.key)
def test_difficulty_is_the_rating_less_one(row: Any) -> None:
    """A task has one Difficulty die less than its rating, and never a negative number."""
    assert max(0, row.rating - 1) == row.difficulty


@pytest.mark.parametrize("rating", range(2, HIGHEST))
def test_each_rung_improves_the_pool(rating: int) -> None:
    """From Fair on each step upgrades a Skill die, or adds one if there is none."""
    before, after = rung(rating).pool, rung(rating + 1).pool
    if before["skill"]:
        upgraded = before - Bag(skill=1) + Bag(expertise=1)
    else:
        upgraded = before + Bag(skill=1)
    assert upgraded == after


def test_negative_rating_has_a_minus_sign() -> None:
    """A negative rating has a minus sign, not a hyphen."""
    assert ("Terrible (−2)", "Great (+4)") == (
        rung(-2).title(SYSTEM.words),
        rung(4).title(SYSTEM.words),
    )


def test_spends_match_the_seed() -> None:
    """The table has the seed's nine rows and their alternatives in order."""
    expected = ["o H", "oo", "oo", "x D", "xx", "H", "D", "xx D", "xxx D"]
    signs = {symbol: sign for sign, symbol in SIGNS.items()}
    costs = []
    for row in spends.ROWS.values():
        costs.append(" ".join(_written(cost, signs) for cost in row.costs))
    assert expected == costs


def _written(cost: Bag, signs: dict[str, str]) -> str:
    return "".join(signs[symbol] * n for symbol, n in cost.items())


def test_each_row_belongs_to_one_side() -> None:
    """No row mixes the symbols of both sides."""
    for row in spends.ROWS.values():
        symbols = {symbol for cost in row.costs for symbol in cost}
        assert symbols <= set(spends.SHARES.helping) or symbols <= set(spends.SHARES.hindering)


def test_every_action_has_every_outcome() -> None:
    """Each action has results for all four outcomes, with distinct names."""
    assert {"overcome", "attack", "defend", *outcomes.ADVANTAGES.values()} == set(outcomes.ROWS)
    for row in outcomes.ROWS.values():
        assert list(outcomes.GRADES) == list(row)
        for ways in row.values():
            assert ways
            assert len({way.key for way in ways}) == len(ways)


@pytest.mark.parametrize(
    ("margin", "name"),
    [(-5, "fail"), (-1, "fail"), (0, "tie"), (1, "succeed"), (2, "succeed"), (3, "style")],
)
def test_outcomes_by_margin(margin: int, name: str) -> None:
    """Below zero fails, zero ties, one and two succeed, three and more succeed with style."""
    assert name == grade(margin)


def test_approaches_and_fate_core_skills() -> None:
    """There are six approaches and the skills of Fate Core, without duplicates."""
    groups = sheet.ABILITIES
    assert (6, 18) == (len(groups["approaches"]), len(groups["skills"]))
    assert not set(groups["approaches"]) & set(groups["skills"])


@pytest.mark.parametrize(
    ("text", "pool"),
    [
        ("3 skill 1 aid vs 2 difficulty", Bag(skill=3, aid=1, difficulty=2)),
        ("3S1A/2D", Bag(skill=3, aid=1, difficulty=2)),
        ("gbw/prb", Bag(skill=1, expertise=1, aid=1, difficulty=1, challenge=1, hindrance=1)),
        ("2 green 1 blue vs 1 black", Bag(skill=2, expertise=1, hindrance=1)),
    ],
)
def test_pool_notations(text: str, pool: Bag) -> None:
    """A pool is read from words, letters or the seed's colours."""
    assert pool == NOTATION.parse(text)


def test_reference_credits_author_and_licence() -> None:
    """The reference credits the dice's author, licence and changes, and Fate's authors."""
    text = REFERENCE
    credits = text[text.index("## Credits") :]
    for phrase in (
        "Ewen Cluney",
        "Creative Commons Attribution 3.0",
        "https://creativecommons.org/licenses/by/3.0/",
        "changes",
        "Evil Hat Productions",
        "Leonard Balsera",
    ):
        assert phrase in credits


def test_printed_page_is_complete() -> None:
    """The printed page has each face of each die, and each rung, action and spend."""
    notes, page = {note.title: note for note in SYSTEM.notes}, REFERENCE
    faces = notes["Faces"].rows
    assert [str(n) for n in range(1, 7)] == [row[0] for row in faces]
    for column, die in enumerate(DICE, 1):
        assert [printed.signs(face) or "blank" for face in die.faces] == [
            row[column] for row in faces
        ]
    assert [row.text for row in spends.ROWS.values()] == [
        row[2] for row in notes["What symbols buy"].rows
    ]
    assert len(rungs()) == len(notes["The ladder"].rows)
    assert len(outcomes.ROWS) == len(notes["The four actions"].rows)
    for note in SYSTEM.notes:
        assert all(len(row) == len(note.head) for row in note.rows)
        assert f"## {note.title}\n" in page


def test_reference_has_every_ruling() -> None:
    """Each ruling is a sentence in the reference, with its option if there is one."""
    text = REFERENCE
    rulings = [SYSTEM.words[key] for key in SYSTEM.words if key.startswith("ruling.")]
    assert rulings
    assert all(f"- {ruling}" in text for ruling in rulings)
    for option in ("hope_success_uncancellable", "late_invoke"):
        assert any(f"`{option}`" in ruling for ruling in rulings)


def test_dice_have_the_seeds_colours() -> None:
    """Skill green, Expertise blue, Aid white, Difficulty purple, Challenge red, Hindrance black."""
    colours = ["green", "blue", "white", "purple", "red", "black"]
    assert colours == [SYSTEM.look[die.name].colour for die in DICE]


def test_odds_name_the_success() -> None:
    """The odds of an open action name their outcome, which is in the future."""
    assert "success" == SYSTEM.word("succeed")


def test_economy_trace() -> None:
    """The shared trace of spends has its balances, boxes and dice."""
    trace = next(trace for trace in VECTORS["economy_traces"] if trace["id"] == "eco_dd_1")
    start, end = trace["start"], trace["end"]
    rows = {
        "clear lowest": "clear-stress",
        "gain a Fate": "fate-point",
        "Aid die": "aid-ally whom=bram",
    }
    bought = []
    for spend in trace["spends"]:
        [phrase] = [phrase for phrase in rows if phrase in spend]
        bought.append(rows[phrase])
    assert 5 == trace["roll"]["net_advantage"]
    lines = [
        "table destinydice trust=players_set",
        "seat gm side=gm",
        f"seat ann juna: refresh={start['refresh']}",
        "seat bo bram:",
        f"points juna.fate={start['fate_points']}",
        *(
            f"gm stress.toggle who=juna box={box}"
            for box, full in enumerate(start["stress"], 1)
            if full
        ),
        'ann check.declare as=juna pool="3 aid vs 1 difficulty"',
        "ann check.roll dice 3 3 2 1 => net advantage 5, net hope 0",
        *(f"ann spend.buy row={row} with=advantage" for row in bought),
    ]
    table = perform(read("\n".join(lines))).table
    assert end["fate_points"] == table.balance("fate", "juna")
    assert {box for box, full in enumerate(end["stress"], 1) if full} == sheet.checked_boxes(
        table, "juna"
    )
    waiting = []
    for trait in table.traits.values():
        if trait.kind == "promise" and trait.about == "bram":
            waiting.append(trait)
    assert end["pending_ally_aid"] == sum(
        mod.n for trait in waiting for mod in trait.mods if mod.die == "aid"
    )
    check = next(iter(table.checks.values()))
    assert end["unspent"] == check.left.total


def test_aspect_choice_is_named_once() -> None:
    """The note of an aspect has its owner and free invokes; one's own come first."""
    scene = """table destinydice trust=players_set
seat gm side=gm
seat gm duke: clever=1
seat ann juna: clever=3
points juna.fate=1 budget=1
gm aspect.add about=duke text=Vain
gm aspect.add about=juna text=Patient
gm aspect.add text="Dark deck" free=1
ann check.declare as=juna approach=clever
"""
    [offer] = [
        one
        for one in offers(SYSTEM, perform(read(scene)).table, "ann")
        if one.key == "aspect.invoke"
    ]
    choices = next(ask.choices for ask in offer.asks if ask.name == "aspect")
    found = [(one.label, one.note) for one in choices]
    assert [("Dark deck", "1 free invoke"), ("Patient", "juna"), ("Vain", "duke")] == found


def test_mook_is_skilled_or_bad() -> None:
    """A mook's knack is shown as on its sheet, without a rung of the ladder, with its dice."""
    scene = """table destinydice
seat gm side=gm
seat ann juna: quick=3
gm mook.add name=Thug skilled=Brawling bad=Thinking
ann check.declare as=juna against=thug
"""
    [found] = [
        one for one in offers(SYSTEM, perform(read(scene)).table, "gm") if one.key == "check.defend"
    ]
    notes = {one.label: one.note for ask in found.asks if ask.name == "by" for one in ask.choices}
    assert [
        "Skilled (+2): 3 Difficulty",
        "Bad (−2): 1 Difficulty and 1 Aid",
        "Mediocre (+0): 1 Difficulty",
    ] == [notes[name] for name in ("Brawling", "Thinking", "Quick")]


def test_conflict_log_is_short() -> None:
    """The log leaves the order to the table, and mentions once that an invoke was free."""
    scene = """table destinydice
seat gm side=gm
seat ann juna: name=Juna quick=3 refresh=3
seat bo bram: name=Bram quick=1
gm mook.add name=Thug skilled=Brawling stress=1
gm aspect.add text="Dark deck" free=1
gm conflict.begin kind=physical
ann check.declare as=juna action=attack approach=quick against=thug
gm check.defend by=Brawling
ann aspect.invoke aspect="Dark deck" how=aid
ann check.roll dice 6 6 1 1 1 1 1
ann outcome.take how=hit
gm harm.fall
gm conflict.end
"""
    lines = transcript(perform(read(scene)).records, SYSTEM).splitlines()
    first = lines.index("- A conflict begins.")
    assert ["- Round 1 began.", "- It is Juna's turn."] == lines[first + 1 : first + 3]
    assert [line for line in lines[first:] if "Dark deck" in line] == [
        "- “Dark deck”, invoked by ann for free. "
        "The pool is now 2 Skill, 1 Expertise and 1 Aid dice against 3 Difficulty dice."
    ]
    assert "- The conflict is over in round 1. Out of it: Thug." == lines[-2]


def test_compel_names_its_aspect_and_answer() -> None:
    """The log names a compel's character, aspect and result."""
    scene = """table destinydice
seat gm side=gm
seat ann juna: name=Juna
points juna.fate=2
gm aspect.add about=juna text=Proud
gm compel.offer who=juna aspect=Proud text="A duel"
ann compel.refuse
gm compel.offer who=juna aspect=Proud text="A speech"
ann compel.accept
gm compel.offer who=juna aspect=Proud text="A toast"
gm scene.begin
"""
    lines = transcript(perform(read(scene)).records, SYSTEM).splitlines()
    shown = [line for line in lines if "compel" in line or "speech" in line]
    assert shown == [
        "- Juna is compelled: A duel (“Proud”).",
        "- Juna bought off the compel.",
        "- Juna is compelled: A speech (“Proud”).",
        "- Juna accepted the compel.",
        "- This follows for Juna: A speech.",
        "- Juna is compelled: A toast (“Proud”).",
        "- Scene 1 is over, and with it: A speech (Juna).",
        "- The compel of Juna is off.",
    ]


def test_unknown_points_are_refused_in_a_sentence() -> None:
    """An answer that names points which the game lacks closes the offer, with the reason."""
    table = perform(read(systems.demo("destinydice") or "", "destinydice")).table
    closed = offer(SYSTEM, table, "ann", "aspect.invoke", {"with": "nowhere"}).closed
    assert closed is not None
    assert closed.text == "This game has no points called “nowhere”."
