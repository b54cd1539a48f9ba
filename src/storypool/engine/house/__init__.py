"""The moves of every table, and their common parts: conditions, choices, opening, taking a seat."""

from storypool.engine.events import PeriodBegan
from storypool.engine.game.moves import moves_of, reactions_of
from storypool.engine.house import (
    consent,
    facts,
    hiding,
    modifiers,
    papers,
    people,
    periods,
    players_consent,
    scene,
    settings,
    standing,
    undoing,
)
from storypool.engine.house.choices import characters, here, slug
from storypool.engine.house.conditions import acting, building, idle, in_session, rolled
from storypool.engine.house.consent import accept, proposed_asks
from storypool.engine.house.opening import (
    checked_options,
    free_seats,
    open_table,
    return_to_seat,
    take_seat,
)
from storypool.engine.house.pending import WAITS
from storypool.engine.house.periods import begin_adventure, begin_scene, begin_session, end_session
from storypool.engine.house.settings import OPTIONS
from storypool.engine.house.taking_over import KEY as TAKE_OVER
from storypool.engine.house.taking_over import NewRules, with_new_rules

MOVES = moves_of(periods, people, facts, papers, scene, consent, hiding, undoing, settings)
"""The moves of every table."""

ADVENTURES = ((PeriodBegan, begin_adventure),)
"""The reaction that begins adventures, for a game that counts them."""

PLAYERS_CONSENT = moves_of(players_consent)
"""The moves by which players answer each other, for games in which moves need players' consent."""

REACTIONS = reactions_of(consent, periods, standing, scene, hiding, modifiers)
"""The reactions of every table."""

__all__ = [
    "ADVENTURES",
    "MOVES",
    "OPTIONS",
    "PLAYERS_CONSENT",
    "REACTIONS",
    "TAKE_OVER",
    "WAITS",
    "NewRules",
]
__all__ += [
    "accept",
    "acting",
    "begin_scene",
    "begin_session",
    "building",
    "characters",
    "checked_options",
]
__all__ += [
    "end_session",
    "free_seats",
    "here",
    "idle",
    "in_session",
    "open_table",
    "proposed_asks",
]
__all__ += ["return_to_seat", "rolled", "slug", "take_seat", "with_new_rules"]
