"""The terms of actions and traits."""

from dataclasses import dataclass

from storypool.engine import rules as r


@dataclass(frozen=True)
class Action(r.State):
    """The declaration of an action, its opposition, and used invokes, help and stunts.

    `row` is the row of actions.toml, `zone` where an overcome leads, `taken` the result that was
    carried out. Each of `invoked`
    is a side, a trait, and whether it was free: "players:t7:free".
    """

    kind: str = ""
    action: str = ""
    row: str | None = None
    approach: str = ""
    known: str = ""
    aspect: str = ""
    versus: str = ""
    by_hand: str = ""
    difficulty: str = ""
    by: str = ""
    theirs: str = ""
    zone: str = ""
    taken: str = ""
    spent: bool = False
    invoked: tuple[str, ...] = ()
    helped: tuple[str, ...] = ()
    stunts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Aspect(r.State):
    """The name of an aspect, and each side's free invokes; of a consequence, when it was taken."""

    name: str = ""
    players: int | None = None
    gm: int | None = None
    session: int | None = None
    scene: int | None = None

    def free(self, side: str) -> int:
        """The free invokes of a side."""
        return (self.gm if side == r.Team.GM else self.players) or 0


@dataclass(frozen=True)
class Named(r.State):
    """A table's own name: of a knack, or a skill with its key."""

    key: str = ""
    entry: str = ""
    name: str = ""


@dataclass(frozen=True)
class Compel(r.State):
    """A compel: its aspect, its text, and the player's purse that paid for it."""

    aspect: str = ""
    paid: str | None = None
    text: str = ""


@dataclass(frozen=True)
class Hit(r.State):
    """A hit, with the side that inflicted it."""

    by: str = ""


@dataclass(frozen=True)
class TakenOut(r.State):
    """A character taken out, with the one who still has to decide their fate."""

    by: str = ""


@dataclass(frozen=True)
class Stunt(r.State):
    """Whether a stunt gives an Aid die, or is an exception once a session."""

    bonus: bool | None = None
