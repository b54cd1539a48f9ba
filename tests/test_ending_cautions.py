"""A move that ends others' fight, conflict, scenario or adventure asks once more."""

from __future__ import annotations

import pytest

from storypool import systems
from storypool.engine.offers import offer
from storypool.play import perform, read
from storypool.systems import get

SEATS = (
    "seat gm side=gm",
    "seat ann juna: name=Juna quick=2",
    "seat gm thug: name=Thug quick=1",
    "gm session.begin",
)
FOUGHT = ("table destinydice", *SEATS, "gm conflict.begin kind=physical")
SHOTS = (
    "table genesys",
    "seat gm side=gm",
    "seat gm thug: name=Thug presence=2 willpower=2 wound-threshold=3",
    "gm session.begin",
    "gm initiative.roll as=thug with=cool dice 2 2",
    "gm initiative.next",
)
SIEGE = (
    "table c2d10",
    "seat gm side=gm",
    "seat ann mira: name=Mira",
    "gm session.begin",
    "gm conflict.open title='The siege' type=opposed",
)
DUEL = (
    "table dune",
    "seat gm side=gm",
    "seat ann kara: name=Kara",
    "seat gm feyd: name=Feyd",
    "gm session.begin",
    "gm conflict.begin kind=skirmish text=Dawn first=players against=feyd",
)


@pytest.mark.parametrize(
    ("lines", "key", "ends"),
    [
        (FOUGHT, "conflict.end", "Neither side is beaten. Still in the conflict: Juna, Thug."),
        (FOUGHT, "scene.begin", "The conflict that is going on ends with this scene."),
        ((*FOUGHT, "gm conflict.concede as=thug"), "conflict.end", ""),
        (FOUGHT[:-1], "scene.begin", ""),
        (
            FOUGHT,
            "scenario.end",
            "The scenario ends for everybody, and nobody has a severe consequence.",
        ),
        (
            SHOTS,
            "initiative.end",
            (
                "The fight ends for everybody, and the order of turns is gone. Still standing"
                " against the players: Thug."
            ),
        ),
        (SHOTS, "scene.begin", "The fight that is going on ends with this scene."),
        ((*SHOTS, "gm track.suffer who=thug track=wounds by=4"), "initiative.end", ""),
        (
            SIEGE,
            "scene.begin",
            "“The siege” ends with this scene: the heroes 0 of 3; the opposition 0 of 3.",
        ),
        (SIEGE[:-1], "scene.begin", ""),
        (DUEL, "scene.begin", "The conflict that is going on ends with this scene."),
        (DUEL, "conflict.end", "Neither side is defeated. Still in the conflict: Kara, Feyd."),
        (
            DUEL,
            "adventure.begin",
            (
                "The adventure that is under way ends. Momentum, Threat and everybody's"
                " Determination start over."
            ),
        ),
    ],
)
def test_move_names_its_other_endings(lines: tuple[str, ...], key: str, ends: str) -> None:
    """While others are in it, unless the table waits for its end."""
    table = perform(read("\n".join(lines) + "\n")).table
    assert ends == offer(get(table.system), table, "gm", key, {}).ends


def test_scenario_end_names_its_consequences() -> None:
    """Those that last until its end are named."""
    play = (systems.folder("destinydice") / "plays" / "recovery.play").read_text(encoding="utf-8")
    started, taken, _ = play.partition("severe=Blind")
    table = perform(read(f"{started}{taken}\n")).table
    expected = "The scenario ends for everybody. Over with it: Blind."
    assert expected == offer(get(table.system), table, "gm", "scenario.end", {}).ends


@pytest.mark.parametrize("key", ["destinydice", "genesys"])
def test_shared_purchases_are_left_with_consent(key: str) -> None:
    """Players share the spends of an NPC's roll: leaving them names who could still buy."""
    faces, what = {"destinydice": ("1 1 3", "1 Disadvantage"), "genesys": ("1 1 4", "1 Threat")}[
        key
    ]
    own = {"destinydice": "skill", "genesys": "ability"}[key]
    lines = (
        f"table {key}",
        "seat gm side=gm",
        "seat gm thug: name=Thug",
        "seat ann juna: name=Juna",
        "seat bo bram: name=Bram",
        "gm session.begin",
        f"gm check.declare as=thug pool='2 {own} 1 difficulty' title=Boast",
        *(("gm story.pass", "ann story.pass_all") if key == "genesys" else ()),
        f"gm check.roll dice {faces}",
    )
    table = perform(read("\n".join(lines) + "\n")).table
    asked = f"{what} would be lost, and bo could still spend that."
    assert asked == offer(get(key), table, "ann", "spend.waive", {}).ends
    # The GM leaves what is theirs alone.
    assert "" == offer(get(key), table, "gm", "spend.waive", {}).ends
