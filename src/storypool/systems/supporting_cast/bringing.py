"""The move that brings in a ready-made NPC: the rows of a game's people.toml.

A row has a `rank` and a `role`; its numbers are the game's. Its name is the sentence `people.KEY`
of the game, and what it carries has sentences that begin with `people.KEY.`. The rows are read when
the move is first offered. They are our own: no book prints them.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from storypool.engine import rules as r

PACKAGE = "storypool.systems.supporting_cast"
"""Where the sentences for roles are."""
ROLES = ("leader", "fighter", "sneak", "talker", "expert", "beast", "machine")
MOST_OF_A_GROUP = 12
"""The most members of one group."""

Row = Mapping[str, Any]


def _no_events(turn: r.Turn, who: r.Character, row: Row) -> Iterator[r.Event]:
    yield from ()


def _members(row: Row) -> int:
    return MOST_OF_A_GROUP


def _one_sheet(who: r.Character, n: int) -> Mapping[str, r.Value] | None:
    return None


def _nothing_else(trait: r.Trait) -> bool:
    return False


def _anything(turn: r.Turn, trait: r.Trait) -> bool:
    return True


@dataclass(frozen=True, kw_only=True)
class Casting:
    """What one game makes of the people in its people.toml.

    `ranks` are their ranks, the lowest first, each with the sentence `rank.RANK`. `sheet` returns
    the numbers of a row; `gives` yields what its character brings along. `best` names what the row
    with this key is best at, in words.

    A row with the key `size` is a group, one character of so many; the question of that name asks
    how many they are, at most `most` of them. `resized` returns the sheet of a group with another
    number of members, or None for a single NPC; `members` is the entry of that number.

    `belongs` returns whether a lasting trait about an NPC is also true of a copy, in addition to
    those of a sheet. In a pack each kind of `kinds` has the state of its terms, and only what
    `fits` the game is taken; `worded` are entries with words, each with those that there are.

    `placed` yields what puts a new character in a zone, in a game that has zones.
    """

    package: str
    ranks: tuple[str, ...]
    sheet: Callable[[r.Turn, Row], Mapping[str, r.Value]]
    best: Callable[[r.Turn, str, Row], str]
    gives: Callable[[r.Turn, r.Character, Row], Iterator[r.Event]] = _no_events
    size: str = ""
    members: str = ""
    most: Callable[[Row], int] = _members
    resized: Callable[[r.Character, int], Mapping[str, r.Value] | None] = _one_sheet
    belongs: Callable[[r.Trait], bool] = _nothing_else
    kinds: Mapping[str, type[r.State]] = field(default_factory=dict)
    fits: Callable[[r.Turn, r.Trait], bool] = _anything
    worded: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    placed: Callable[[r.Turn, r.Character, str], Iterator[r.Event]] | None = None

    @property
    def rows(self) -> Mapping[str, Row]:
        """The people of the game, by key."""
        return r.rows(self.package, "people")

    def chosen(self, turn: r.Turn) -> Row:
        """The row of the answer, or an empty one."""
        return self.rows.get(turn.text("person"), {})

    def name(self, turn: r.Turn) -> str | None:
        """The name of the chosen person, numbered if it is taken."""
        key = turn.text("person")
        return r.free_name(turn, turn.words[f"people.{key}"]) if key in self.rows else None

    def choices(self, turn: r.Turn) -> r.Choices:
        """Those of the answered rank and role, each with what they are."""
        for key, row in self.rows.items():
            if all(turn.text(of) in ("", row[of]) for of in ("rank", "role")):
                rank, role = turn.words[f"rank.{row['rank']}"], turn.words[f"role.{row['role']}"]
                note = turn.words["list.comma"].join((rank, role, self.best(turn, key, row)))
                yield r.Choice(key, turn.words[f"people.{key}"], note)

    def comes(self, turn: r.Turn, name: str = "", sheet: str = "") -> Iterator[r.Event]:
        """Yield the arrival of the chosen person, with other numbers of the sheet if given."""
        row = self.chosen(turn)
        numbers = {**self.sheet(turn, row), **r.sheet_of(sheet)}
        new = r.npc(turn, numbers, name, key=turn.text("person"))
        yield new
        yield from self.gives(turn, new.character, row)


def bringing(casting: Casting, *asks: r.Ask, rule: str = "", place: r.Spot) -> r.Move:
    """The move `character.bring` of a game; `asks` are the game's own questions about a row."""

    @r.gm_move(
        "character.bring",
        asks=[
            r.ChoiceAsk("rank", "Of which rank?", r.answers("rank", *casting.ranks), needed=False),
            r.ChoiceAsk("role", "In which role?", r.answers("role", *ROLES), needed=False),
            r.ChoiceAsk("person", "Who comes?", casting.choices),
            r.replace(r.NAME, label="Under which name?", default=casting.name, needed=False),
            *asks,
            r.SheetAsk("sheet", "Other numbers on the sheet", needed=False),
            r.SECRET,
        ],
        rule=rule,
        place=place,
    )
    def bring(turn: r.Turn) -> Iterator[r.Event]:
        """Bring in a ready-made NPC

        With a name, a sheet and what they carry. Players read nothing of the sheet until it is
        shown, and all of it can be changed afterwards like that of any NPC.
        """
        yield from casting.comes(turn, sheet=turn.text("sheet"))

    return bring
