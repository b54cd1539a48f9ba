"""Shared moments from records alone, for the list of each game."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from storypool import systems
from storypool.contract.game_rows import rows
from storypool.contract.material import Material
from storypool.engine.dice import Rolled
from storypool.engine.events import (
    DiceRolled,
    Event,
    PeriodEnded,
    PointsSet,
    TraitRemoved,
    TraitSet,
)
from storypool.engine.game.kit import Account
from storypool.engine.game.moment_panel import SCENE_OVER, Cue, MomentPanel
from storypool.engine.moments import Moment, listed, moments
from storypool.engine.table import Points, Purse, Table, Trait
from storypool.words import Words
from tests.games.tiny import game as tiny

FLASH = MomentPanel("A flash", tone="good", symbols=("flash",), name="flash")
TAILS = MomentPanel("Tails up", tone="bad", die="coin", faces=(2,), name="tails")
FULL = MomentPanel("Luck brims over", tone="good", filled=("luck",), name="full")
OMEN = MomentPanel("An omen", tone="bad", traits=("omen",), name="omen")
DOOM = MomentPanel("Doom turns", tone="bad", turned=("doom",), name="turned")
SCARE = MomentPanel("A scare", tone="bad", gained=("nerve",), name="scare")
GAME = replace(
    tiny.SYSTEM,
    panels=(FLASH, TAILS, FULL, OMEN, DOOM, SCARE),
    accounts=(Account("luck", side="players", cap=5, overflow="doom"), *tiny.SYSTEM.accounts[1:]),
    words=Words({**tiny.SYSTEM.words, "points.turned": "turned over"}),
)
OVER = GAME.words.say("points.overflow", account="luck")


def moment_names(event: Event | None, table: Table | None = None) -> list[str]:
    """The names of an event's moments."""
    return [one.name for one in moments(event, table or Table(), GAME)]


def test_dice_moment_names_its_dice() -> None:
    """A symbol or number brings one moment, and each die with it is named."""
    rolled = (
        Rolled("coin", 2),
        Rolled("spark", 3),
        Rolled("coin", 1),
        Rolled("coin", 2),
        Rolled("spark", 2),
    )
    event = DiceRolled("c1", "ann", rolled)
    assert (Moment("flash", (1,)), Moment("tails", (0, 3))) == moments(event, Table(), GAME)
    assert () == moments(DiceRolled("c1", "ann", rolled[2:3]), Table(), GAME)


@pytest.mark.parametrize(
    ("event", "names"),
    [
        (PointsSet("luck", "", 5, 2, "found"), ["full"]),
        (PointsSet("luck", "", 4, 2, "found"), []),
        (PointsSet("luck", "", 5, -1, "lost"), []),
        (PointsSet("doom", "", 3, 1, "more luck than there was room for"), ["full"]),
        (PointsSet("doom", "", 3, 1, "turned over"), ["turned"]),
        (PointsSet("doom", "", 3, 1, "set right by hand"), []),
        (PointsSet("nerve", "pash", 1, 1, "shaken"), ["scare"]),
        (PointsSet("nerve", "pash", 0, -1, "calmed"), []),
        (TraitSet(Trait("t1", "omen", "It stirs")), ["omen"]),
        (TraitSet(Trait("t1", "fact", "It rains")), []),
        (None, []),
    ],
)
def test_points_and_traits_bring_a_moment(event: Event | None, names: list[str]) -> None:
    """A filled or overflowing pool, a turned point, a rising balance or a new trait bring one."""
    assert names == moment_names(event)


def test_changed_trait_brings_no_moment() -> None:
    """Only a new trait brings one, not each change."""
    omen = Trait("t1", "omen", "It stirs")
    assert [] == moment_names(
        TraitSet(replace(omen, rating=2)), replace(Table(), traits={"t1": omen})
    )


def test_overflow_uses_the_engines_words() -> None:
    """The reason in this test is the engine's own."""
    assert OVER.endswith("than there was room for")
    table = replace(Table(), points=Points({Purse("luck"): 5}))
    shown = PointsSet(
        "doom", "", 1, 1, GAME.words.say("points.overflow", account=GAME.plural("luck"))
    )
    assert ["full"] == moment_names(shown, table)


@pytest.mark.parametrize(
    ("panel", "wrong"),
    [
        (MomentPanel("No name", tone="good", symbols=("flash",)), "one of its own"),
        (
            MomentPanel("No face", tone="good", die="coin", faces=(3,), name="x"),
            "name a die and faces that it has",
        ),
        (
            MomentPanel("No die", tone="good", faces=(1,), name="x"),
            "name a die and faces that it has",
        ),
        (MomentPanel("No symbol", tone="good", symbols=("gold",), name="x"), "which no die shows"),
        (
            MomentPanel("No account", tone="good", gained=("gold",), name="x"),
            "the accounts of this game are",
        ),
        (
            MomentPanel("No cap", tone="good", filled=("doom",), name="x"),
            "these points have no cap",
        ),
        (
            MomentPanel("No turning", tone="good", turned=("luck",), name="x"),
            "when points turn over",
        ),
        (MomentPanel("Nothing", tone="good", name="x"), "Nothing brings this moment"),
    ],
)
def test_impossible_moment_is_a_fault(panel: MomentPanel, wrong: str) -> None:
    """The contract finds a moment without a name, or one that nothing can cause."""
    found = set(rows(replace(tiny.SYSTEM, panels=(panel,)), Material()))
    [shown] = found - set(rows(replace(tiny.SYSTEM, panels=(FLASH,)), Material()))
    assert wrong in str(shown)


def test_every_game_has_good_and_bad_moments() -> None:
    """Each built-in game lists moments of both tones."""
    ours = [path.parent.name for path in Path(systems.__file__).parent.glob("*/game.py")]
    assert len(ours) == 5
    for key in ours:
        listed = [one for one in systems.get(key).panels if isinstance(one, MomentPanel)]
        assert {"good", "bad"} == {one.tone for one in listed}, key


def test_each_cue_has_a_light_motion_sound_and_buzz() -> None:
    """They are the page's own, and no two cues share one."""
    static = Path(systems.__file__).parents[1] / "web" / "static"
    styles = (static / "css" / "moment.css").read_text(encoding="utf-8")
    lights = dict(re.findall(r'\n\[data-motion="(\w+)"\] > \.moment-light \{\n([^}]+)\}', styles))
    motions = dict[str, str]()
    for cue, part, rule in re.findall(
        r'\n\.moment\[data-motion="(\w+)"\]( [^{]+)\{([^}]+)\}', styles
    ):
        motions[cue] = motions.get(cue, "") + part + rule
    cues = {cue for cue in get_args(Cue) if cue}
    for found in (lights, motions):
        assert cues == found.keys()
        assert len(cues) == len(set(found.values()))
    for module, name in (("sounds/cues.js", "CUES"), ("moments/moment.js", "BUZZES")):
        text = (static / "js" / module).read_text(encoding="utf-8")
        body = text.partition(f"const {name} = {{")[2].partition("\n};")[0]
        entries = dict(re.findall(r"(?ms)^  (\w+): (.+?),?(?=\n  \w+: |\Z)", body))
        assert cues == entries.keys()
        assert len(cues) == len({*map(str.strip, entries.values())})


def test_moments_of_every_game_differ() -> None:
    """By their cue, tone or sign; the best and the worst weigh most, and a scene's end little."""
    ours = [path.parent.name for path in Path(systems.__file__).parent.glob("*/game.py")]
    for key in ours:
        shown = list(listed(systems.get(key)))
        signs = Counter((one.cue, one.tone, *one.filled) for one in shown)
        assert {1} == set(signs.values()), key
        assert SCENE_OVER in shown
        assert all(one.weight == 3 for one in shown if one.cue in {"sun", "star", "whirl", "card"})
        assert {1, 2, 3} == {one.weight for one in shown}, key


def test_end_of_a_scene_is_a_moment() -> None:
    """That of a round or a session is none."""
    game = replace(GAME, panels=(SCENE_OVER,))
    assert (Moment("scene-over"),) == moments(PeriodEnded("scene", 1), Table(), game)
    assert () == moments(PeriodEnded("session", 1), Table(), game)


def test_ended_trait_brings_a_moment() -> None:
    """A conflict's end is shown; unknown or unlisted traits are not."""
    game = replace(
        GAME, panels=(MomentPanel("It is over", tone="good", ended=("war",), name="over"),)
    )
    table = replace(
        Table(), traits={"t1": Trait("t1", "war", "A war"), "t2": Trait("t2", "fact", "It rains")}
    )
    assert (Moment("over"),) == moments(TraitRemoved("t1"), table, game)
    assert () == moments(TraitRemoved("t2"), table, game)
    assert () == moments(TraitRemoved("t3"), table, game)


def test_won_reached_and_marked_traits_bring_moments() -> None:
    """A fight that a side has won, a track that is full, and a statement that is struck do."""
    won = MomentPanel("Won", tone="good", won=("war",), name="won")
    full = MomentPanel("Done", tone="good", reached=("task",), name="done")
    struck = MomentPanel("Struck", tone="bad", terms=("vow struck",), name="struck")
    game = replace(GAME, panels=(won, full, struck))
    war, task, vow = (
        Trait("t1", "war", "A war"),
        Trait("t2", "task", "Dig", goal=5),
        Trait("t3", "vow", "I serve"),
    )
    open_war = replace(Table(), traits={"t1": war, "t2": task, "t3": vow})
    assert () == moments(TraitRemoved("t1"), open_war, game)
    won_war = replace(Table(), traits={"t1": replace(war, about="@players")})
    assert (Moment("won"),) == moments(TraitRemoved("t1"), won_war, game)
    done = replace(task, rating=6)
    assert () == moments(TraitSet(replace(task, rating=4)), open_war, game)
    assert (Moment("done"),) == moments(TraitSet(done), open_war, game)
    assert () == moments(TraitSet(done), replace(Table(), traits={"t2": done}), game)
    crossed = replace(vow, terms={"struck": True})
    assert (Moment("struck"),) == moments(TraitSet(crossed), open_war, game)
    assert () == moments(TraitSet(crossed), replace(Table(), traits={"t3": crossed}), game)


def test_first_trait_of_a_kind_brings_a_moment() -> None:
    """A fight breaks out once, with the first slot that all see."""
    game = replace(
        GAME, panels=(MomentPanel("To arms", tone="bad", began=("slot",), name="begins"),)
    )
    first, second = Trait("t1", "slot", "Mira"), Trait("t2", "slot", "Bo")
    lurker = Trait("t3", "slot", "Lurker", seen_by=("@gm",))
    assert (Moment("begins"),) == moments(TraitSet(first), Table(), game)
    assert () == moments(TraitSet(second), replace(Table(), traits={"t1": first}), game)
    # A hidden slot reveals no fight.
    assert () == moments(TraitSet(lurker), Table(), game)
    known = replace(Table(), traits={"t3": lurker})
    assert (Moment("begins"),) == moments(TraitSet(first), known, game)
