"""How the narrative dice, their symbols and the tracks are shown."""

from __future__ import annotations

from storypool.engine.rules import Look, MomentPanel

LOOK = {
    "ability": Look("Ability", "Ability", "A", "diamond", "plain", "green"),
    "proficiency": Look("Proficiency", "Proficiency", "P", "hexagon", "plain", "yellow"),
    "boost": Look("Boost", "Boost", "B", "square", "plain", "sky"),
    "difficulty": Look("Difficulty", "Difficulty", "D", "diamond", "hatching", "purple"),
    "challenge": Look("Challenge", "Challenge", "C", "hexagon", "hatching", "red"),
    "setback": Look("Setback", "Setback", "S", "square", "hatching", "black"),
    "success": Look("Success", "Successes", glyph="success", colour="help"),
    "failure": Look("Failure", "Failures", glyph="failure", colour="hinder"),
    "advantage": Look("Advantage", "Advantages", glyph="advantage", colour="help"),
    "threat": Look("Threat", "Threats", glyph="threat", colour="hinder"),
    "triumph": Look("Triumph", "Triumphs", glyph="triumph", colour="help"),
    "despair": Look("Despair", "Despairs", glyph="despair", colour="hinder"),
    "strain": Look("strain", "strain", glyph="strain"),
    "wounds": Look("wound", "wounds", glyph="wound"),
}


def moments(accounts: tuple[str, str]) -> tuple[MomentPanel, ...]:
    """What everybody feels; `accounts` are the points of the players, then those of the GM."""
    players, gm = accounts
    return (
        MomentPanel("Triumph", tone="good", symbols=("triumph",), name="triumph"),
        MomentPanel("Despair", tone="bad", symbols=("despair",), name="despair"),
        MomentPanel("A point for the players", tone="good", turned=(players,), name="turned-players"),
        MomentPanel("A point for the GM", tone="bad", turned=(gm,), name="turned-gm"),
        MomentPanel("Beyond the threshold", tone="bad", traits=("beyond",), name="beyond"),
        MomentPanel("The fight is over", tone="good", traits=("fight-over",), name="over"),
    )
