"""A small game whose sheets have words, for the tests of what a file can say of characters."""

from __future__ import annotations

__all__ = ["HARBOUR", "changed"]

HARBOUR = """\
format = 1
key = "harbour"
name = "Harbour"
about = "Porters and pilots of a harbour at night."

[dice.d6]
sides = 6

[sheet.skills]
title = "Skills"
high = 4
default = 1
entries = { haul = "Haul", pilot = "Pilot" }

[sheet.about]
title = "About them"
text = true
most = 60
lines = 2
entries = { gear = "Gear", trade = "Trade" }

[points.coin]
of = "character"
word = "coin"

[points.dread]
of = "gm"
word = "dread"
start = "2 * players"
cap = "3 * players"

[points.luck]
of = "hero"
word = "luck"
start = 2

[trait.aid]
word = "Aid"
of = "character"
by = "player"
kinds = { ally = "Ally", tool = "Tool" }
rank = [1, "1 + haul"]

[action]
pool = { d6 = "skill + min(3, with.rank)" }
figures = { best = { highest = 1 } }
counts = { total = "best + bonus" }
terms = { bonus = "1 if with.kind == 'ally' else 0" }
asks = [
    { name = "skill", label = "Which skill?", entry = "skills" },
    { name = "with", label = "With what help?", trait = "aid", needed = false },
]

[[outcome]]
key = "done"
when = "total >= 5"
words = "Done, with {best}."
passed = true

[[outcome]]
key = "missed"
words = "Not done."
passed = false

[[move]]
key = "mend"
title = "Mend a tool"
who = "player"
only = "traits(aid) > 0"
asks = [{ name = "what", label = "Which?", trait = "aid" }]
do = [
    { when = "what.kind == 'tool'", rank = "what" },
    { when = "what.kind == 'ally'", rank = "what", to = 1 },
]

[[move]]
key = "hire"
title = "Hire somebody"
who = "player"
do = [{ make = "aid", of = "mover", text = "A runner", kind = "ally", n = "haul + 7" }]

[[move]]
key = "gains"
title = "What it brings"
about = "Two of these with a five or more, else one."
who = "actor"
when = "after the roll"
limit = "once an action"
do = [
    { when = "'pay' in what", gain = "coin", of = "actor", n = 2 },
    { when = "'calm' in what", gain = "coin", of = "actor", n = 10 },
    { when = "'word' not in what", gain = "coin", of = "actor", n = 100 },
]

[[move.asks]]
name = "what"
label = "What?"
choices = { pay = "Pay, at once", calm = "Calm", word = "A word" }
choose = "2 if total >= 5 else 1"

[[effects.tide]]
at = 1
words = "It ebbs."
do = [{ gain = "coin", of = "each" }]

[[effects.tide]]
at = 3
words = "It turns, and turns."
do = [
    { throw = { d6 = 1 }, figures = { more = { highest = 1 } } },
    { consult = "tide", n = "more" },
    { consult = "wreck", n = "more" },
]

[[effects.wreck]]
at = 1
words = "Something floats by."
do = [{ gain = "coin", of = "each", n = 10 }]

[[move]]
key = "wait"
title = "Wait for the tide"
who = "gm"
do = [
    { throw = { d6 = 1 }, figures = { first = { highest = 1 } } },
    { consult = "tide", n = "first" },
]

[[move]]
key = "dare"
title = "Dare it"
who = "anybody"
price = { luck = 1 }
do = [{ gain = "dread", n = "players" }]

[[move]]
key = "bless"
title = "Bless somebody"
who = "gm"
asks = [{ name = "whom", label = "Whom?", character = "any" }]
do = [{ gain = "luck", of = "whom" }]

[[move]]
key = "ready"
title = "Get ready"
who = "player"
do = [{ forward = "bonus", of = "mover", n = 2 }]

[[move]]
key = "storm"
title = "A storm comes up"
who = "gm"
do = [{ forward = "bonus", of = "each", n = -1 }]

[[character]]
name = "Ilse"
about = "Pilots what floats."
sheet = { pilot = 3, gear = "A lamp, a rope", trade = "Pilot" }

[[npc]]
key = "guard"
name = "A guard"
sheet = { haul = 2, gear = "A whistle" }
"""


def changed(old: str, new: str) -> str:
    """The game with one passage changed."""
    assert 1 == HARBOUR.count(old)
    return HARBOUR.replace(old, new)
