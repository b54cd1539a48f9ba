"""A game file with several actions: their keys, their names, and what belongs to each."""

from __future__ import annotations

from fractions import Fraction

import pytest

from storypool import systems
from storypool.engine.bag import Bag
from storypool.engine.game.panels import FigurePanel
from storypool.gamefile.authoring.rule_changes import rule_changes
from storypool.gamefile.compiled import compiled
from storypool.live.previews import rolls_of_sheet
from storypool.odds.question import Question
from storypool.play import LocalTable
from tests.gamefile.conftest import GAMES, Add, Write, head, mistakes, sit

TWO = """
[sheet.skills]
title = "Skills"
high = 5
default = 2
entries = { run = "Run", hide = "Hide" }
[sheet.guards]
title = "Guards"
default = 1
entries = { shield = "Shield" }

[[action]]
key = "try"
title = "Try it"
pool = { d6 = "skill" }
figures = { best = { highest = 1 } }
asks = [{ name = "skill", label = "With what?", entry = "skills" }]

[[action]]
key = "save"
title = "Save yourself"
pool = { d6 = 1 }
terms = { least = "3 + worse" }
figures = { best = { lowest = 1 } }
asks = [
    { name = "skill", label = "By what?", entry = ["skills", "guards"] },
    { name = "worse", label = "How much worse?", number = [0, 2] },
]
[[action.outcome]]
key = "whole"
when = "best >= least"
words = "Saved, with {least}."
passed = true
[[action.outcome]]
key = "lost"
words = "Lost."
passed = false

[[outcome]]
key = "whole"
when = "best >= 4"
words = "Done."
passed = true
[[outcome]]
key = "lost"
words = "Not done."
passed = false
"""


def text(more: str = "") -> str:
    """A file with two actions that share a ladder and names, and more rows."""
    return f"{head('two')}{TWO}{more}"


def move(*lines: str) -> str:
    """A move before the roll, with these further lines."""
    rest = "\n".join(lines)
    return f'\n[[move]]\nkey = "m"\ntitle = "M"\nwhen = "before the roll"\n{rest}\n'


def declared(table: LocalTable, key: str, **answers: object) -> None:
    """Ann declares an action, and nobody else decides."""
    table.make("ann", key, {"as": "kit", **answers})


def test_each_action_has_its_title_dice_ladder_and_names(write: Write) -> None:
    """Two actions may use the same names and keys of outcomes for different things."""
    table = sit(systems.get(write(text())))
    declared(table, "check.declare", skill="run")
    table.make("ann", "check.roll", {"faces": "4 1"})
    (check,) = table.state.checks.values()
    assert check.title == "Try it"
    assert check.outcome is not None
    assert check.outcome.words == "Done."
    table.make("ann", "check.close")
    declared(table, "action.save", skill="shield", worse=2)
    table.make("ann", "check.roll", {"faces": "4"})
    (check,) = table.state.checks.values()
    assert (check.title, check.terms["action"]) == ("Save yourself", "save")
    assert check.outcome is not None
    assert (check.outcome.words, check.outcome.passed) == ("Lost.", False)


def test_one_action_keeps_its_terms(write: Write) -> None:
    """A file with one action stores nothing more than before, and may use the name `action`."""
    one = '[action]\npool = { d6 = 1 }\nasks = [{ name = "action", label = "A", number = [1, 2] }]'
    table = sit(systems.get(write(f'{head("one")}{one}\n[[outcome]]\nkey = "o"\nwords = "O."')))
    declared(table, "check.declare", action=2)
    (check,) = table.state.checks.values()
    assert check.terms == {"action": 2}


def test_first_that_asks_for_an_entry_rolls_it(write: Write) -> None:
    """A tap on the sheet begins the first action that asks for that entry."""
    game = systems.get(write(text()))
    table = sit(game)
    seat = table.state.seats["ann"]
    rolls = {one.entry: one for one in rolls_of_sheet(game, table.state, seat, "kit", {})}
    assert {"run": "check.declare", "hide": "check.declare", "shield": "action.save"} == {
        entry: roll.move for entry, roll in rolls.items()
    }
    assert rolls["shield"].given == {"as": "kit", "skill": "shield"}


def test_move_of_one_action_reads_its_names(write: Write) -> None:
    """A move that belongs to one action may read what that one alone has."""
    key = write(text(move('action = "save"', 'do = [{ shift = "least", n = "-worse" }]')))
    table = sit(systems.get(key))
    declared(table, "check.declare", skill="run")
    closed = table.offer("ann", "move.m").closed
    assert closed is not None
    assert closed.text == "That goes with “Save yourself”, not with “Try it”."
    table.make("ann", "check.cancel")
    declared(table, "action.save", skill="run", worse=1)
    table.make("ann", "move.m")
    (check,) = table.state.checks.values()
    assert check.terms["least"] == 3


def test_odds_read_the_action() -> None:
    """A shared ladder and what follows from a roll may depend on the action, and odds know it."""
    shared = text().replace("[[action.outcome]]", "[[unused]]", 1).partition("[[unused]]")
    ladder = "[[outcome]]" + shared[2].partition("[[outcome]]")[2]
    ladder = ladder.replace("best >= 4", "best >= 5 or (action == 'save' and best >= 3)")
    follows = (
        '\n[[whenever]]\non = "rolled"\nwhen = "action == \'save\' and best == 1"\n'
        'do = [{ symbol = "ill" }]\n[symbols.ill]\n'
    )
    game = compiled(shared[0] + ladder + follows)
    chances = {key: game.reckon(Question(Bag(d6=1), {"action": key})) for key in ("try", "save")}
    assert {"try": Fraction(2, 6), "save": Fraction(4, 6)} == {
        key: found.outcomes["whole"] for key, found in chances.items()
    }
    assert {"try": 0, "save": Fraction(1, 6)} == {
        key: found.distribution.mean("ill") for key, found in chances.items()
    }


GMS = 'asks = [{ name = "danger", label = "How bad?", number = [1, 5], whose = "gm" }]'


@pytest.mark.parametrize(("other", "decided"), [(GMS, ["danger"]), (GMS.replace("5", "9"), [])])
def test_gm_decides_beforehand_what_actions_share(other: str, decided: list[str]) -> None:
    """A question of two actions is decided for both, but not two that differ under one name."""
    rows = "".join(
        f'\n[[action]]\nkey = "a{n}"\npool = {{ d6 = 1 }}\n{asks}\n'
        for n, asks in enumerate((GMS, other))
    )
    game = compiled(f'{head("both")}{rows}[[outcome]]\nkey = "o"\nwords = "O."\n').system
    standing = game.by_key.get("check.standing")
    asked = [ask.name for ask in standing.asks if ask.name != "until"] if standing else []
    assert decided == asked
    assert {"check.decide", "decide.a1"} <= game.by_key.keys()


WRONG = [
    (move('only = "worse > 0"'), "only =", '“worse” belongs to "save" alone: write action ='),
    (move('action = "try"', 'do = [{ shift = "least" }]'), "do =", 'write action = ["save"]'),
    (move('action = "swim"'), "action =", "There is no “swim” here"),
    (
        '\n[[move]]\nkey = "m"\ntitle = "M"\naction = "try"\n',
        'action = "try"',
        "“action” has no effect with “between actions”",
    ),
    (
        '\n[[whenever]]\non = "scene begins"\naction = "try"\ndo = []\n',
        'action = "try"',
        "“action” has no effect with “scene begins”",
    ),
    (
        '\n[[whenever]]\non = "rolled"\nwhen = "worse > 0"\ndo = []\n',
        'when = "worse > 0"',
        '“worse” belongs to "save" alone',
    ),
    (
        move('asks = [{ name = "action", label = "A", text = true }]'),
        "asks =",
        "“action” has a meaning of its own",
    ),
    (
        '\n[[action]]\nkey = "save"\npool = { d6 = 1 }\n',
        'key = "save"\npool',
        "“save” is the name of two things",
    ),
    ("\n[[action]]\npool = { d6 = 1 }\n", "[[action]]\npool", "Each of several actions needs a"),
    (
        '\n[[action]]\nkey = "third"\npool = { d6 = "worse" }\n'
        '[[action.outcome]]\nkey = "o"\nwords = "O."\n',
        'pool = { d6 = "worse" }',
        '“worse” belongs to "save" alone, so it cannot be read here',
    ),
    (
        '\n[[action]]\nkey = "third"\npool = { d6 = 1 }\n',
        'when = "best >= 4"',
        '“best” belongs to "try", "save" alone',
    ),
    (
        '\n[[action]]\nkey = "third"\ncounts = { run = "1" }\n[[action.outcome]]\nkey = "o"\n'
        'words = "O."\n',
        'counts = { run = "1" }',
        "“run” is the name of two things",
    ),
]


@pytest.mark.parametrize(("more", "line", "sentence"), WRONG)
def test_mistakes_with_several_actions(more: str, line: str, sentence: str) -> None:
    """Each is at its line, with the actions that have a name."""
    whole = text(more)
    first = mistakes(whole)[0]
    assert sentence in str(first.what)
    assert whole[: whole.rindex(line)].count("\n") + 1 == first.line


def test_action_without_a_ladder() -> None:
    """Each action needs a ladder of its own, or one that it shares."""
    alone = text().partition("\n[[outcome]]")[0]
    (mistake,) = mistakes(alone)
    assert "at least one [[outcome]]" in str(mistake.what)
    assert alone.splitlines()[mistake.line - 1] == "[[action]]"


def test_figures_of_each_action_are_shown_of_it_alone(added: Add) -> None:
    """A panel of numbers says to which action it belongs; one of the only action says nothing."""
    panels = systems.get(added("kelpwater")).panels
    figures = [panel for panel in panels if isinstance(panel, FigurePanel)]
    assert [(panel.action, panel.term) for panel in figures] == [
        ("act", "bonus"),
        ("save", "target"),
        ("oath", "sworn"),
    ]
    alone = compiled((GAMES / "nightshift.game.toml").read_text(encoding="utf-8"))
    assert {""} == {one.action for one in alone.system.panels if isinstance(one, FigurePanel)}


def test_many_actions_are_refused() -> None:
    """A file has at most 24 actions."""
    rows = "".join(f'\n[[action]]\nkey = "a{n}"\npool = {{ d6 = 1 }}\n' for n in range(25))
    found = mistakes(f'{head("many")}{rows}\n[[outcome]]\nkey = "o"\nwords = "O."')
    assert "There are at most 24 actions, not 25." in [str(one.what) for one in found]


def test_no_action_is_refused() -> None:
    """An empty list of actions is a mistake."""
    (mistake,) = mistakes(f"action = []\n{head('none')}")
    assert str(mistake.what) == "A game with dice has at least one [action] that rolls them."


def test_changes_of_several_actions() -> None:
    """A newer text names the action that is new, gone, or different."""
    old = compiled(text())
    newer = text().replace("pool = { d6 = 1 }", "pool = { d6 = 2 }").replace("Saved,", "Safe,")
    third = '\n[[action]]\nkey = "swim"\ntitle = "Swim"\npool = { d6 = 1 }\n' + (
        '[[action.outcome]]\nkey = "o"\nwords = "O."\n'
    )
    new, words = compiled(newer + third), old.system.words
    assert rule_changes(old.game, new.game, words) == (
        "A new action: “Swim”.",
        "How many dice “Save yourself” rolls is different.",
        "When a roll comes to this, or what it says, is different: Safe, with ….",
    )
    assert "“Swim” is no longer an action." in rule_changes(new.game, old.game, words)
