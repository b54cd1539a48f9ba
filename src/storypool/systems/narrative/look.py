"""The appearance of the narrative dice, their symbols and the tracks."""

from storypool.engine import rules as r

LOOK = {
    "ability": r.Look("Ability", "Ability", "A", "diamond", "plain", colour="green"),
    "proficiency": r.Look("Proficiency", "Proficiency", "P", "hexagon", "plain", colour="yellow"),
    "boost": r.Look("Boost", "Boost", "B", "square", "plain", colour="sky"),
    "difficulty": r.Look("Difficulty", "Difficulty", "D", "diamond", "hatching", colour="purple"),
    "challenge": r.Look("Challenge", "Challenge", "C", "hexagon", "hatching", colour="red"),
    "setback": r.Look("Setback", "Setback", "S", "square", "hatching", colour="black"),
    "d100": r.Look("d100", "d100s", outline="pentagon"),
    "success": r.Look("Success", "Successes", glyph="success", colour="help"),
    "failure": r.Look("Failure", "Failures", glyph="failure", colour="hinder"),
    "advantage": r.Look("Advantage", "Advantages", glyph="advantage", colour="help"),
    "threat": r.Look("Threat", "Threats", glyph="threat", colour="hinder"),
    "triumph": r.Look("Triumph", "Triumphs", glyph="triumph", colour="help"),
    "despair": r.Look("Despair", "Despairs", glyph="despair", colour="hinder"),
    "strain": r.Look("strain", "strain", glyph="strain"),
    "wounds": r.Look("wound", "wounds", glyph="wound"),
}


def moments(accounts: tuple[str, str]) -> tuple[r.MomentPanel, ...]:
    """The moments that everybody feels; `accounts` are the players' points, then the GM's."""
    players, gm = accounts
    return (
        r.MomentPanel("Triumph", tone="good", symbols=("triumph",), name="triumph", weight=3),
        r.MomentPanel("Despair", tone="bad", symbols=("despair",), name="despair", weight=3),
        r.MomentPanel(
            "A point for the players",
            tone="good",
            turned=(players,),
            name="turned-players",
            weight=1,
        ),
        r.MomentPanel("A point for the GM", tone="bad", turned=(gm,), name="turned-gm", weight=1),
        r.MomentPanel(
            "Beyond the threshold", tone="bad", traits=("beyond",), name="beyond", weight=3
        ),
        r.MomentPanel(
            "The contest is settled",
            tone="good",
            traits=("contest-result",),
            name="contest",
            weight=1,
        ),
        r.MomentPanel("A fight breaks out", tone="bad", began=("slot",), name="begins"),
        r.MomentPanel(
            "The fight is over", tone="good", traits=("fight-over",), name="over", cue="dusk"
        ),
        r.SCENE_OVER,
    )
