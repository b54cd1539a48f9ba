"""The page about the keys of game files, made from their schema."""

import inspect
from collections.abc import Iterable, Iterator

from storypool.gamefile.authoring.format_schema import key_lines, name_of
from storypool.gamefile.file_format.expressions import COUNTS
from storypool.gamefile.file_format.readable_names import PLAYERS
from storypool.gamefile.file_format.row_checks.given_names import OF_TURNS, RESERVED
from storypool.gamefile.names import MEANT

HEAD = """# Every key of a game file

[A game on one page](docs/a-game-on-one-page.md) teaches the format by a game that grows.
With [the JSON Schema](docs/game-file.schema.json) an editor completes a file.

A name in an expression or a reference is one of the file: a die, a symbol, points, an entry of the
sheet, a question or a term of the action, a number read off the dice, an option, `outcome`, or
`face`.
`side` is the side that acts, `players` or `gm`; `players` is how many players are at the table, and
`round` the number of the round.
`hero` is 1 where a player's character acts or makes the move, and 0 for an NPC; a name of the
file's own comes first.
In a file with several actions, `action` is the key of the open one.

## Expressions

Numbers, texts between single quotes, names, `+ - * /` (whole numbers, rounded down),
`== != < <= > >=`, `and`, `or`, `not`, `a if b else c`, `min(...)` and `max(...)`.
`%` is what a division leaves over; a number divided by one that happens to be 0 is 0.
And counts: {counts}.

A question for an entry of the sheet is a number, the rating, and compared with a text it is which
entry was chosen: `skill + 1`, `skill == 'sneak'`.
A question for a character is no number; what is theirs is read as `foe.parry` (an entry of the
sheet), `foe.points(stress)`, `foe.traits(harm)` (the number of statements about them that everybody
knows) and `foe.hero`.
Where such a question is left open, these are 0, and `foe == ''` is true.
A question for a statement about a character means that character in the same way.

What has no value at a place is a mistake there:

- Questions and terms of the action: the action itself; moves before the roll, after it and at any
  time; what follows on `rolled` and `closed`.
- Numbers read off the dice, and `shows(...)`: `counts` and outcomes; moves after the roll and at
  any time; what follows on `rolled` and `closed`.
- `outcome`: moves after the roll and at any time; what follows on `rolled` and `closed`.
- Points, the sheet, house rules, `side`, `players` and `traits(...)`: everywhere but `shows`,
  `counts` and outcomes. Those know only the action, so make a term of it.
- What belongs to a character, and `hero`: where one acts. In what is done, `of = "each"` means each
  of the players' characters.
- Questions of a move: its `price`, its `do` and its other questions, not its `only`.

At any time there may be no action; then what is an action's is 0.

These names have a meaning of their own, so nothing in a file can have them:
{reserved}; in a game with turns {of_turns}.
A question cannot be called {meant}.
Any other key of small letters, digits and `_` can be a name, up to 30 characters, beginning with
a letter.
"""


def game_file_page() -> str:
    """The page as Markdown."""
    counts = ", ".join(f"`{example}`" for _, example in COUNTS.values())
    head = HEAD.replace("{counts}", counts).replace("{reserved}", _listed(RESERVED | {PLAYERS}))
    head = head.replace("{of_turns}", _listed(OF_TURNS)).replace("{meant}", _listed(MEANT))
    return "\n".join([head, *_tables()])


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names))


def _tables() -> Iterator[str]:
    for kind, lines in key_lines():
        yield f"## {name_of(kind)[0].upper()}{name_of(kind)[1:]}\n"
        yield f"{inspect.cleandoc(kind.__doc__ or '')}\n"
        yield "| key | holds | if left out | what it means | example |\n|---|---|---|---|---|"
        for line in lines:
            example = line.example.replace("|", "\\|")
            yield f"| `{line.name}` | {line.holds} | {line.default} | {line.about} | `{example}` |"
        yield ""
