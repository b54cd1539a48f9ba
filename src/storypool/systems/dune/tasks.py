"""Extended tasks, outside a conflict. Source: seed 004, Attack Sequence; dune.md 4.4."""

from storypool.engine import rules as r
from storypool.systems.dune.conditions import in_play, own_or_left, spend
from storypool.systems.dune.skill_test_terms import Deed, SkillTest

open_tasks = r.traits(
    "task",
    only=lambda turn, task: task.rating < task.goal,
    note=lambda turn, task: f"{task.rating}/{task.goal}",
)
"""Offers the extended tasks that are still to be done, each with how far it is."""

TASK = r.ChoiceAsk(
    "task",
    "Part of an extended task?",
    open_tasks,
    needed=False,
    shown=lambda t: any(open_tasks(t)) and not t.flag("secret"),
)


@in_play(
    "task.begin",
    asks=[
        r.TextAsk("text", "What is to be done?"),
        r.NumberAsk("goal", "How many points does it take?", default=6, low=1, high=30),
    ],
    rule="Attack Sequence: extended task",
    place=r.at("scene"),
)
def begin_task(turn: r.Turn) -> r.Events:
    """Begin an extended task

    Each success counts 2 on its track, as a hit does in a conflict. Done, it stays until the scene
    is over.
    """
    yield turn.trait("task", turn.text("text"), goal=turn.number("goal", 6))


def _countable(turn: r.Turn) -> r.Refusal | None:
    check, test = turn.here, SkillTest.of(turn.here)
    if test.kind != "test" or test.deed.task or check.hidden or not any(open_tasks(turn)):
        return turn.firm("task.none")
    return None if check.passed else turn.firm("failed")


@spend(
    "task.count",
    when=r.all_of(r.rolled, _countable),
    only_if=[own_or_left],
    asks=[r.ChoiceAsk("task", "Which extended task?", open_tasks)],
    rule="Attack Sequence: extended task",
)
def count_for_task(turn: r.Turn) -> r.Events:
    """Count it for an extended task

    A success that was not meant for a task counts for it after all.
    """
    task = turn.table.traits[turn.text("task")]
    what = turn.words.say("task.counts", text=task.text)
    yield turn.amend(Deed.put(turn.here, task=task.id), what)
