"""Re-rolls of narrative dice agree with every choice tried on every face."""

from __future__ import annotations

import pytest

from storypool.odds.rerolls import Goal, at_least, fewest, planned
from storypool.systems.narrative.symbol_dice import ABILITY, AXES, DIFFICULTY, PROFICIENCY
from tests.brute_force_rerolls import at_once, mean_of, thrown, value_of


@pytest.mark.slow
@pytest.mark.parametrize(
    "goal", [at_least(success=1), at_least(success=1, advantage=1), fewest("despair")]
)
def test_symbol_dice_match_every_choice(goal: Goal) -> None:
    """In a check against difficulty, the best re-roll of the roller's own dice."""
    free, fixed, value = [ABILITY, PROFICIENCY], [DIFFICULTY], value_of(goal, AXES)
    for n in (1, 2):
        tried = mean_of(thrown(free, fixed), lambda rolled, n=n: at_once(rolled, value, n)[0])  # type: ignore
        assert abs(tried) == planned(free, AXES, goal, fixed=fixed, most=n).after
