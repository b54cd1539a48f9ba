"""A session's recap from its log: length, rolls, moments, best roll and biggest swing."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from storypool.engine.bag import Bag
from storypool.engine.dice import Axes, Rolled
from storypool.engine.events import (
    CheckChanged,
    CheckClosed,
    CheckOpened,
    DiceRolled,
    Event,
    MoveMade,
    PeriodBegan,
    PeriodEnded,
    PointsSet,
    Record,
    Rewound,
    TraitSet,
)
from storypool.engine.fold import kept_records
from storypool.engine.game.moment_panel import MomentPanel
from storypool.engine.game.system import System
from storypool.engine.ledger import economy
from storypool.engine.sight import records_of, view
from storypool.engine.table import Check, Outcome, Seat, Trait
from storypool.worth.session import session_recap
from tests.games.tiny import game as tiny

GAME = replace(
    tiny.SYSTEM, panels=(MomentPanel("A flash", tone="good", symbols=("flash",), name="flash"),)
)


def log(*events: Event, minutes: int = 5) -> list[Record]:
    """These events as a log with minutes between records."""
    return [r._replace(at=60_000 * minutes * r.seq) for r in records_of(events, "ann", 0, 0)]


def tossed(id: str, margin: int, actor: str = "pash") -> list[Event]:
    """A declared, rolled and finished action; without a margin it neither succeeds nor fails."""
    check = Check(id, actor, "players", "ann", f"the toss {id}")
    outcome = Outcome(margin > 0 if margin else None, margin, Bag(), f"By {margin}.")
    spark = (Rolled("spark", 3 if margin > 2 else 1),)
    return [
        CheckOpened(check),
        DiceRolled(id, "ann", spark),
        CheckChanged(replace(check, rolled=spark, outcome=outcome, phase="rolled")),
        CheckClosed(id, "done"),
    ]


def test_session_in_five_lines() -> None:
    """Its length, rolls with the busiest actor, moments, best roll and biggest swing."""
    records = log(
        *tossed("before", 9),
        MoveMade("session.begin", "mona", {}),
        PeriodBegan("session", 2),
        PointsSet("doom", "", 9, 9, "at the start"),
        PeriodBegan("scene", 4),
        *tossed("a", 1),
        *tossed("b", 3),
        *tossed("c", -1, "oska"),
        MoveMade("luck.spend", "ann", {}),
        PointsSet("doom", "", 7, -2, "spent"),
        MoveMade("points.correct", "mona", {}),
        PointsSet("doom", "", 1, -6, "a miscount"),
        PeriodEnded("session", 2),
        PointsSet("doom", "", 9, 8, "after the end"),
    )
    shown = session_recap(records, GAME).short
    assert (2, False, ("luck", "doom")) == (shown.session, shown.running, shown.accounts)
    assert [
        ("moments", "To remember: A flash.", 0),
        ("best", "Best roll: pash, the toss b. By 3.", 16),
        ("length", "1 scene in 1 h 35 min.", 0),
        ("rolls", "3 rolls, 2 successful. pash acted most, 2 times.", 0),
        ("swing", "Biggest swing: doom, from 9 to 7.", 22),
    ] == [(one.kind, one.text, one.seq) for one in shown.lines]


def test_reached_goal_and_notes_of_a_gm() -> None:
    """A goal that is reached is named; what only the GM knows did not come to be true."""
    task = Trait("t1", "task", "Dig out the harvester", goal=5)
    note = Trait("t2", "fact", "To try: the cellar", seen_by=("@gm",))
    done = MomentPanel("The task is done", tone="good", reached=("task",), name="done")
    records = log(
        MoveMade("session.begin", "mona", {}),
        PeriodBegan("session", 1),
        TraitSet(note),
        TraitSet(Trait("t3", "fact", "It rains")),
        TraitSet(task),
        TraitSet(replace(task, rating=5)),
    )
    mona = Seat("mona", "Mona", "gm")
    shown = session_recap(view(records, mona), replace(GAME, panels=(done,))).short
    texts = {one.kind: one.text for one in shown.lines}
    assert "What came to be true: It rains." == texts["facts"]
    assert "To remember: The task is done (Dig out the harvester)." == texts["moments"]
    assert "ended" not in texts


def test_every_die_of_a_moment_counts() -> None:
    """Two flashes in one roll count as two, also in a roll that is revealed with its dice."""
    two = (Rolled("spark", 3), Rolled("spark", 3))
    hidden = replace(Check("b", "oska", "gm", "mona", "the toss b"), rolled=two, phase="rolled")
    records = log(
        PeriodBegan("session", 1),
        CheckOpened(Check("a", "pash", "players", "ann", "the toss a")),
        DiceRolled("a", "ann", two),
        CheckChanged(hidden),
        CheckChanged(replace(hidden, title="the toss b, again")),
    )
    lines = session_recap(records, GAME).short.lines
    assert "To remember: A flash (4 times)." == next(
        one.text for one in lines if one.kind == "moments"
    )


def remembered(*events: Event, game: System = GAME) -> str:
    """The line of moments of a session, or ""."""
    lines = session_recap(log(PeriodBegan("session", 1), *events), game).short.lines
    return next((one.text for one in lines if one.kind == "moments"), "")


def test_moments_are_those_of_the_dice_in_the_end() -> None:
    """A re-rolled flash is gone, a new one counts, and undone or cancelled rolls have none.

    Neither have dice without an action, such as those for a place in the order of turns.
    """
    flash, blank = Rolled("spark", 3), Rolled("spark", 1)
    check = Check("a", "pash", "players", "ann", "the toss a", phase="rolled")
    four = (flash, flash, flash, flash)
    opened = CheckOpened(replace(check, phase="build"))
    rolled = (opened, DiceRolled("a", "ann", four), CheckChanged(replace(check, rolled=four)))
    assert "To remember: A flash (4 times)." == remembered(*rolled, CheckClosed("a", "done"))
    again = (
        DiceRolled("a", "ann", (blank,)),
        CheckChanged(replace(check, rolled=(*four[1:], blank))),
    )
    assert "To remember: A flash (3 times)." == remembered(*rolled, *again)
    back = (DiceRolled("a", "ann", (flash,)), CheckChanged(replace(check, rolled=four)))
    assert "To remember: A flash (4 times)." == remembered(*rolled, *again, *back)
    assert "To remember: A flash (4 times)." == remembered(*rolled, *again, Rewound(4))
    assert "" == remembered(*rolled, Rewound(2))
    assert "" == remembered(*rolled, CheckClosed("a", "cancelled"))
    loose = DiceRolled("", "ann", (flash, flash))
    assert "To remember: A flash (4 times)." == remembered(*rolled, loose)
    assert "" == remembered(loose)


def test_steps_in_one_direction_are_one_swing() -> None:
    """Moves after each other that raise a balance are one swing, until it falls."""
    records = log(
        PeriodBegan("session", 1),
        *tossed("a", 1),
        MoveMade("luck.spend", "ann", {}),
        PointsSet("doom", "", 2, 2, "a gain"),
        MoveMade("luck.spend", "ann", {}),
        PointsSet("doom", "", 4, 2, "another"),
        MoveMade("luck.spend", "ann", {}),
        PointsSet("doom", "", 1, -3, "spent"),
    )
    lines = session_recap(records, GAME).short.lines
    assert ("Biggest swing: doom, from 0 to 4.", 7) == next(
        (one.text, one.seq) for one in lines if one.kind == "swing"
    )


def test_flash_decides_between_equal_rolls() -> None:
    """The better of two equal results is the one with a die's own effect."""
    first = tossed("a", 1)
    opened, dice, changed, closed = tossed("b", 1)
    assert isinstance(changed, CheckChanged)
    flash = [
        opened,
        dice,
        replace(changed, check=replace(changed.check, rolled=(Rolled("spark", 3),))),
        closed,
    ]
    lines = session_recap(log(PeriodBegan("session", 1), *first, *flash), GAME).short.lines
    assert "Best roll: pash, the toss b. By 1." == next(
        one.text for one in lines if one.kind == "best"
    )


def test_more_symbols_decide_between_equal_rolls() -> None:
    """Of two equal margins with equal dice the better is the one with more of a paired axis."""
    axes = Axes({"edge": {"edge": 1}, "trouble": {"edge": -1}}, {"edge": "trouble"})
    game = replace(GAME, axes=axes)
    lines = session_recap(
        log(PeriodBegan("session", 1), *won_with("a", 1), *won_with("b", 2), *won_with("c", -1)),
        game,
        chances=False,
    ).short.lines
    assert "Best roll: pash, the toss b. By 1." == next(
        one.text for one in lines if one.kind == "best"
    )


def won_with(id: str, edge: int) -> list[Event]:
    """A toss won by 1, with this net on another axis."""
    opened, dice, changed, closed = tossed(id, 1)
    assert isinstance(changed, CheckChanged)
    outcome = Outcome(True, 1, Bag(edge=edge), "By 1.")
    return [opened, dice, replace(changed, check=replace(changed.check, outcome=outcome)), closed]


def test_roll_payments_are_spent() -> None:
    """A price paid by a roll bypasses the pool, but is spent in ledger and recap."""
    rolled = replace(
        Check("a", "pash", "players", "ann", "the toss"), outcome=Outcome(True, 3, Bag(), "By 3.")
    )
    records = log(
        PeriodBegan("session", 1),
        CheckOpened(Check("a", "pash", "players", "ann", "the toss")),
        CheckChanged(replace(rolled, phase="rolled", owed=Bag(luck=3))),
        MoveMade("luck.spend", "ann", {}, check="a"),
        CheckChanged(replace(rolled, phase="rolled", owed=Bag(luck=1))),
    )
    luck = next(one for one in economy(records, GAME).accounts if one.account == "luck")
    assert (2, 0) == (luck.spent, luck.balance)
    assert [{"luck": 2}] == [one.points for one in session_recap(records, GAME).spends]


def test_unrolled_action_is_no_roll() -> None:
    """An action without dice, or without an end, is counted apart, and one called off is not."""
    free = Check("b", "pash", "players", "ann", "an easy thing")
    done = replace(free, outcome=Outcome(True, 0, Bag(), "Free."), phase="rolled")
    records = log(
        PeriodBegan("session", 1),
        *tossed("a", 1),
        CheckOpened(free),
        CheckChanged(done),
        CheckClosed("b", "done"),
        CheckOpened(replace(free, id="c")),
        CheckClosed("c", "cancelled"),
        CheckOpened(replace(free, id="d")),
    )
    recap = session_recap(records, GAME)
    assert ["1 roll, 1 successful. 1 action had no roll. 1 action is not finished."] == [
        one.text for one in recap.short.lines if one.kind == "rolls"
    ]
    assert {3} == {one.actions for one in recap.locks}


def test_single_roll_has_no_busiest_actor() -> None:
    """One action is not more than others', and no success has no number."""
    lines = session_recap(log(PeriodBegan("session", 1), *tossed("a", -1)), GAME).short.lines
    assert "1 roll, none successful." == next(one.text for one in lines if one.kind == "rolls")


def test_equal_actors_have_no_busiest() -> None:
    """Two who acted twice each have nobody above them."""
    often = [
        event
        for n, who in enumerate(("pash", "oska", "oska", "pash"))
        for event in tossed(str(n), 1, who)
    ]
    lines = session_recap(log(PeriodBegan("session", 1), *often), GAME).short.lines
    assert "4 rolls, 4 successful." == next(one.text for one in lines if one.kind == "rolls")


def test_tie_is_a_separate_result() -> None:
    """Games with ties count them next to successes; others count neutral results."""
    records = log(PeriodBegan("session", 1), *tossed("a", 0), *tossed("b", 1), *tossed("c", -1))
    ties = replace(GAME, words=GAME.words.also({"recap.tied": "{n} tied"}))
    shown = [
        next(one.text for one in session_recap(records, game).short.lines if one.kind == "rolls")
        for game in (ties, GAME)
    ]
    assert "3 rolls, 1 successful, 1 tied. pash acted most, 3 times." == shown[0]
    assert (
        "3 rolls, 1 successful, 1 that neither passed nor failed. pash acted most, 3 times."
        == shown[1]
    )


def test_infallible_roll_is_no_failure() -> None:
    """Rolls that neither pass nor fail are not counted as unsuccessful."""
    only = session_recap(log(PeriodBegan("session", 1), *tossed("a", 0)), GAME).short.lines
    assert "1 roll." == next(one.text for one in only if one.kind == "rolls")


def test_undone_moves_are_in_no_recap() -> None:
    """After a rewind the session is as before; a redo brings it back."""
    start = [PeriodBegan("session", 1), *tossed("a", 1)]
    assert [1, 2, 3, 4, 5] == [
        one.seq for one in kept_records(log(*start, *tossed("b", 4), Rewound(5)))
    ]
    again = log(*start, *tossed("b", 4), Rewound(5), Rewound(9, redo=True), *tossed("c", 2))
    assert [*range(1, 10), *range(12, 16)] == [one.seq for one in kept_records(again)]
    assert all(one.seq < two.seq for one, two in pairwise(kept_records(again)))
    assert "the toss b" in " ".join(one.text for one in session_recap(again, GAME).short.lines)
    assert "the toss b" not in " ".join(
        one.text
        for one in session_recap(log(*start, *tossed("b", 4), Rewound(5)), GAME).short.lines
    )


def test_recap_before_the_first_session() -> None:
    """A table without a session has no recap, and an empty session one line."""
    assert () == session_recap(log(), GAME).short.lines
    assert ["length"] == [
        one.kind for one in session_recap(log(PeriodBegan("session", 1)), GAME).short.lines
    ]
