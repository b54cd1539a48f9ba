"""What Destiny Dice keep in the terms of actions and traits."""

from dataclasses import dataclass

from storypool.engine import rules as r


@dataclass(frozen=True)
class Action(r.State):
    """What was declared, what stands against it, and what was used for it.

    `row` is the row of actions.toml, `taken` the result that was carried out. `invoked` are the
    aspects that were invoked, each as side, trait, and whether it was free: "players:t7:free".
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
    taken: str = ""
    spent: bool = False
    invoked: tuple[str, ...] = ()
    helped: tuple[str, ...] = ()
    stunts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Aspect(r.State):
    """What an aspect is called, and how many free invokes each side has of it; of a consequence,
    when taken.
    """

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
    """What a table calls something of its own: a knack, or a skill with its key."""

    key: str = ""
    entry: str = ""
    name: str = ""


@dataclass(frozen=True)
class Compel(r.State):
    """The aspect by which a character is compelled, to what, and whose point was paid for it."""

    aspect: str = ""
    paid: str | None = None
    text: str = ""


@dataclass(frozen=True)
class Hit(r.State):
    """The side that inflicted a hit."""

    by: str = ""


@dataclass(frozen=True)
class TakenOut(r.State):
    """The character who took another out and still has to decide what becomes of them."""

    by: str = ""


@dataclass(frozen=True)
class Stunt(r.State):
    """Whether a stunt gives an Aid die; otherwise it is an exception, once a session."""

    bonus: bool | None = None
