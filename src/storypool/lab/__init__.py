"""The lab: evenings of a game played by its own rules, and the flow of its points.

`play` plays evenings that a game brings (`evening`) under a `Setting`, or under two with the same
luck, and `Report` presents the results. `solution` computes the value of points. A policy is a
function from a `Position`, a seat's view, to one of its `spends`.
"""

from storypool.lab.course import EveningStuck
from storypool.lab.evenings import Evening, evening, evenings
from storypool.lab.playing import Setting
from storypool.lab.policies import SeatPolicy, best, named, never
from storypool.lab.position import Position, Spend
from storypool.lab.report import Report
from storypool.lab.solutions import Solution, solution
from storypool.lab.study import Study, play

__all__ = [
    "Evening",
    "EveningStuck",
    "Position",
    "Report",
    "SeatPolicy",
    "Setting",
    "Solution",
    "Spend",
    "Study",
    "best",
    "evening",
    "evenings",
    "named",
    "never",
    "play",
    "solution",
]
