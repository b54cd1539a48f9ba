"""How the narrative dice, their symbols and the tracks are shown."""

from __future__ import annotations

from storypool.engine.rules import Look

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
