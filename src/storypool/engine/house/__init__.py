"""The moves that every table has, and what they share: conditions, choices, opening a table and taking a seat."""

from storypool.engine.game.moves import moves_of, reactions_of
from storypool.engine.house import bounds, consent, facts, hiding, people, periods, settings, standing, undoing
from storypool.engine.house.choices import characters, here, slug
from storypool.engine.house.conditions import acting, building, idle, in_session, rolled
from storypool.engine.house.consent import accept, proposed_asks
from storypool.engine.house.opening import checked_options, free_seats, open_table, return_to_seat, take_seat
from storypool.engine.house.pending import WAITS
from storypool.engine.house.periods import begin_scene, begin_session, end_session
from storypool.engine.house.settings import OPTIONS

MOVES = moves_of(periods, people, facts, consent, hiding, undoing, settings)
"""The moves of every table."""

REACTIONS = reactions_of(consent, periods, standing, hiding, bounds)
"""The reactions of every table."""

__all__ = ["MOVES", "OPTIONS", "REACTIONS", "WAITS", "accept", "acting", "begin_scene", "begin_session"]
__all__ += ["building", "characters", "checked_options", "end_session", "free_seats", "here", "idle", "in_session"]
__all__ += ["open_table", "proposed_asks", "return_to_seat", "rolled", "slug", "take_seat"]
