"""The moves that every table has: sessions and scenes, characters, facts, corrections, consent, undo, settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Literal

from storypool.asks import Ask, Choice, plain
from storypool.refusal import Refusal, Refused
from storypool.rules import Move, Option, Reaction, System, Turn, move, settle
from storypool.table import (
    GM_ONLY,
    Character,
    CharacterSet,
    CheckClosed,
    Event,
    OptionsSet,
    PeriodBegan,
    PeriodEnded,
    PointsSet,
    ProposalSettled,
    Rewound,
    Said,
    Seat,
    SeatTaken,
    Side,
    Table,
    TableOpened,
    Trait,
    TraitRemoved,
    TraitSet,
)
from storypool.words import program

# Conditions that many moves share.


def in_session(turn: Turn) -> Refusal | None:
    """A session is going on."""
    return None if "session" in turn.table.running else turn.no("session")


def idle(turn: Turn) -> Refusal | None:
    """No action that this seat can see is going on."""
    check = turn.check
    return turn.no("busy", title=check.title) if check else None


def building(turn: Turn) -> Refusal | None:
    """An action is going on, and its dice have not been rolled."""
    check = turn.check
    if check is None:
        return turn.firm("check")
    return None if check.phase == "build" else turn.no("rolled")


def rolled(turn: Turn) -> Refusal | None:
    """An action is going on, and its dice lie on the table."""
    check = turn.check
    if check is None:
        return turn.firm("check")
    return None if check.phase == "rolled" else turn.no("unrolled")


def acting(turn: Turn) -> Refusal | None:
    """Some action is going on."""
    return None if turn.check else turn.firm("check")


# Choices that many moves share.


def characters(*sides: str, own: bool = False) -> Callable[[Turn], Iterator[Choice]]:
    """The characters of these sides (all when none is named); `own` keeps to those that this seat plays."""

    def choices(turn: Turn) -> Iterator[Choice]:
        for one in turn.table.characters.values():
            if here(one) and (not sides or one.side in sides):
                ours = one.side == "gm" if turn.seat.side == "gm" else one.seat == turn.seat.id
                if ours or not own:
                    yield Choice(one.id, one.name)

    return choices


def here(character: Character) -> bool:
    """Whether a character is still in the story."""
    return character.side != "none" or bool(character.seat)


def players_with_a_character(table: Table) -> list[Seat]:
    """The players at the table who play someone."""
    playing = {c.seat for c in table.characters.values() if c.side == "players"}
    return [s for s in table.seats.values() if s.here and s.side == "player" and s.id in playing]


def sheet_of(text: str) -> dict[str, int]:
    """The entries of a sheet given in one line."""
    return {key: int(value) for key, _, value in (part.partition("=") for part in text.split())}


def slug(name: str, taken: Iterable[str]) -> str:
    """An id made of a name, that nobody has yet."""
    plain = "".join(c if c.isalnum() and c.isascii() else "-" for c in name.lower()).strip("-")
    stem = "-".join(part for part in plain.split("-") if part)[:24] or "someone"
    taken = set(taken)
    return stem if stem not in taken else next(f"{stem}-{n}" for n in range(2, 1000) if f"{stem}-{n}" not in taken)


# Opening a table and sitting down.


def open_table(system: System, title: str, options: Mapping[str, str] | None = None) -> TableOpened:
    """The first event of a new table; `Refused` names an option or a value that the game does not have."""
    return TableOpened(system.key, plain(title)[:80].strip() or system.name, checked_options(system, options or {}))


def checked_options(system: System, options: Mapping[str, str]) -> dict[str, str]:
    """Options whose names and values the game has, with the defaults of all others."""
    known = {option.key: option for option in system.options}
    for key, value in options.items():
        if key not in known:
            text = system.words.say("no.option", game=system.name, key=key)
            raise Refused(Refusal("argument", text, field=key))
        values = known[key].values
        if value not in values:
            text = system.words.say("no.option.value", key=key, value=value, values=", ".join(values))
            raise Refused(Refusal("argument", text, field=key))
    return {option.key: options.get(option.key, option.default) for option in system.options}


def take_seat(table: Table, name: str, side: Side) -> SeatTaken:
    """A new seat with an id of its own; `Refused` when the name is empty or someone here has it already."""
    words, name = program(), plain(name)[:40].strip()
    if not name:
        raise Refused(Refusal("argument", words["no.name"], field="name"))
    if any(seat.here and seat.name.casefold() == name.casefold() for seat in table.seats.values()):
        text, remedy = words.say("no.name.taken", name=name), words["no.name.taken.remedy"]
        raise Refused(Refusal("argument", text, remedy=remedy, field="name"))
    return SeatTaken(Seat(slug(name, table.seats), name, side))


# Sessions, scenes, rounds.

TITLE = Ask("title", "text", "What is it called?", needed=False)


@move(
    "session.begin", by=["gm"], when=lambda t: t.no("session.running") if in_session(t) is None else None, asks=[TITLE]
)
def begin_session(turn: Turn) -> Iterator[Event]:
    """Begin a session"""
    yield PeriodBegan("session", turn.table.periods["session"] + 1, turn.text("title"))
    yield PeriodBegan("scene", turn.table.periods["scene"] + 1)


@move("session.end", by=["gm"], when=lambda t: in_session(t) or idle(t))
def end_session(turn: Turn) -> Iterator[Event]:
    """End the session"""
    for kind in [k for k in ("round", "scene") if k in turn.table.running]:
        yield PeriodEnded(kind, turn.table.periods[kind])
    yield PeriodEnded("session", turn.table.periods["session"])


@move("scene.begin", by=["gm"], when=lambda t: in_session(t) or idle(t), asks=[TITLE])
def begin_scene(turn: Turn) -> Iterator[Event]:
    """Begin a new scene"""
    if "round" in turn.table.running:
        yield PeriodEnded("round", turn.table.periods["round"])
    if "scene" in turn.table.running:
        yield PeriodEnded("scene", turn.table.periods["scene"])
    yield PeriodBegan("scene", turn.table.periods["scene"] + 1, turn.text("title"))


@move("round.next", by=["gm"], when=lambda t: in_session(t) or idle(t))
def next_round(turn: Turn) -> Iterator[Event]:
    """Begin the next round"""
    number = turn.table.periods["round"] + 1 if "round" in turn.table.running else 1
    yield PeriodBegan("round", number)


# Characters.

SHEET = Ask("sheet", "sheet", "Numbers, as key=number", needed=False)
SECRET = Ask("secret", "flag", "Only for the game master's eyes?", default=False, needed=False)
SEAT_OF = Ask(
    "seat",
    "choice",
    "Whose character is it?",
    lambda t: [Choice(s.id, s.name) for s in t.table.seats.values() if s.here and s.side == "player"],
    default=lambda t: t.seat.id if t.seat.side == "player" else None,
    needed=False,
)


@move("character.add", asks=[Ask("name", "text", "What is the character called?"), SHEET, SEAT_OF, SECRET])
def add_character(turn: Turn) -> Iterator[Event]:
    """Bring a character into the story"""
    gm = turn.seat.side == "gm"
    seat = turn.text("seat") if gm else turn.seat.id
    id = slug(turn.text("name"), turn.table.characters)
    side: Literal["players", "gm"] = "players" if seat else "gm"
    if turn.flag("secret") and side == "players":
        raise turn.refused("argument", "secret", "secret")
    hidden = GM_ONLY if turn.flag("secret") else None
    yield CharacterSet(Character(id, turn.text("name")[:40], side, seat, sheet_of(turn.text("sheet")), hidden))


def _mine(turn: Turn) -> Iterator[Choice]:
    for one in turn.table.characters.values():
        if here(one) and (turn.seat.side == "gm" or one.seat == turn.seat.id):
            yield Choice(one.id, one.name)


WHO = Ask("who", "choice", "Who?", _mine)


@move("character.set", asks=[WHO, Ask("name", "text", "A new name", needed=False), SHEET])
def set_character(turn: Turn) -> Iterator[Event]:
    """Change a character's name or numbers"""
    one = turn.table.characters[turn.text("who")]
    sheet = {**one.sheet, **sheet_of(turn.text("sheet"))}
    yield CharacterSet(replace(one, name=turn.text("name")[:40] or one.name, sheet=sheet))


@move("character.give", by=["gm"], asks=[WHO, SEAT_OF])
def give_character(turn: Turn) -> Iterator[Event]:
    """Give a character to a player, or take it over"""
    one = turn.table.characters[turn.text("who")]
    seat = turn.text("seat")
    yield CharacterSet(replace(one, seat=seat, side="players" if seat else "gm", seen_by=None))
    if one.seen_by is not None:
        # What a hidden character had was hidden too: from here on everybody knows it.
        for row in turn.system.accounts:
            n = turn.table.balance(row.name, one.id)
            if n:
                yield PointsSet(row.name, one.id, n, 0, turn.title, turn.seat.id)


@move("character.leave", asks=[WHO])
def leave(turn: Turn) -> Iterator[Event]:
    """Take a character out of the story"""
    one = turn.table.characters[turn.text("who")]
    for trait in [t for t in turn.table.traits.values() if t.about == one.id]:
        yield TraitRemoved(trait.id)
    yield CharacterSet(replace(one, side="none", seat=""))


# Facts, words, corrections.

ABOUT = Ask("about", "choice", "About whom?", characters(), needed=False)


@move("trait.set", by=["gm"], asks=[Ask("text", "text", "What is true?"), ABOUT, SECRET])
def set_trait(turn: Turn) -> Iterator[Event]:
    """Write down something that is true"""
    hidden = GM_ONLY if turn.flag("secret") else None
    yield TraitSet(
        Trait(turn.fresh("t"), "fact", turn.text("text"), turn.text("about"), by=turn.seat.id, seen_by=hidden)
    )


TRAIT = Ask("id", "choice", "Which?", lambda t: [Choice(x.id, x.text) for x in t.table.traits.values() if x.text])


@move("trait.remove", by=["gm"], asks=[TRAIT, Ask("why", "text", "Why?", needed=False)])
def remove_trait(turn: Turn) -> Iterator[Event]:
    """Strike something that is no longer true"""
    yield TraitRemoved(turn.text("id"), turn.text("why"))


def _balances(turn: Turn) -> Iterator[Choice]:
    for row in turn.system.accounts:
        if row.each == "table":
            yield Choice(row.name, turn.word(row.name, 2))
        else:
            for one in turn.table.characters.values():
                if here(one):
                    yield Choice(f"{one.id}.{row.name}", f"{one.name}: {turn.word(row.name, 2)}")


@move(
    "points.correct",
    by=["gm"],
    asks=[
        Ask("account", "choice", "Which points?", _balances),
        Ask("to", "number", "How many are there?", low=0, high=99),
        Ask("why", "text", "Why?"),
    ],
)
def correct_points(turn: Turn) -> Iterator[Event]:
    """Set points right by hand, with a reason"""
    owner, _, account = turn.text("account").rpartition(".")
    after, before = turn.number("to"), turn.table.balance(account, owner)
    most = turn.system.by_account[account].most(turn.table, owner)
    if most is not None and after > most:
        raise turn.refused("price", "cap", "to", most=most, account=turn.word(account, 2))
    why = turn.system.words.say("points.correction", why=turn.text("why"))
    yield PointsSet(account, owner, after, after - before, why, turn.seat.id)


@move("table.say", by=["player", "gm"], asks=[Ask("text", "text", "Say what?"), SECRET])
def say(turn: Turn) -> Iterator[Event]:
    """Say something for the record"""
    yield Said(turn.seat.id, turn.text("text"), ("@gm", turn.seat.id) if turn.flag("secret") else None)


# Consent.


def _waiting(turn: Turn) -> Iterator[Choice]:
    for one in turn.table.proposals.values():
        if turn.seat.side == "gm" or one.seat == turn.seat.id:
            yield Choice(one.id, one.text)


PROPOSAL = Ask("id", "choice", "Which?", _waiting, default=lambda t: next((c.value for c in _waiting(t)), None))
WHY = Ask("why", "text", "Why?", needed=False)


def _any_waits(turn: Turn) -> Refusal | None:
    return None if turn.table.proposals else turn.firm("proposal.none")


@move("proposal.accept", by=["gm"], when=_any_waits, asks=[PROPOSAL, WHY])
def accept(turn: Turn) -> Iterator[Event]:
    """Agree to what is proposed"""
    proposal = turn.table.proposals[turn.text("id")]
    yield ProposalSettled(proposal.id, True, turn.seat.id, turn.text("why"))
    yield from settle(turn, proposal)


@move("proposal.decline", by=["gm"], when=_any_waits, asks=[PROPOSAL, WHY])
def decline(turn: Turn) -> Iterator[Event]:
    """Say no to what is proposed"""
    yield from _give_back(turn)


@move(
    "proposal.withdraw",
    by=["player"],
    when=lambda t: None if any(p.seat == t.seat.id for p in t.table.proposals.values()) else t.firm("proposal.yours"),
    asks=[PROPOSAL],
)
def withdraw(turn: Turn) -> Iterator[Event]:
    """Withdraw what you proposed"""
    yield from _give_back(turn)


def _give_back(turn: Turn) -> Iterator[Event]:
    """A proposal that comes to nothing: its price returns and its use of a limit is free again."""
    proposal = turn.table.proposals[turn.text("id")]
    yield ProposalSettled(proposal.id, False, turn.seat.id, turn.text("why"), proposal.counts)
    for name, n in proposal.price.items():
        owner, _, account = name.rpartition(".")
        yield from turn.change(account, n, owner, turn.system.words.say("points.refund", what=proposal.text))


# Taking back.


def _can_undo(turn: Turn) -> Refusal | None:
    return None if turn.table.undo_to > 0 else turn.firm("undo.nothing")


# What to go back to is settled when the move is made: a player's undo waits as a proposal meanwhile.
BACK = Ask("to", "number", "To which record?", default=lambda t: t.table.undo_to, needed=False, high=10**9, quiet=True)
FORTH = Ask("to", "number", "To which record?", default=lambda t: t.table.redo_to, needed=False, high=10**9, quiet=True)
WHAT = Ask(
    "what", "text", "What is taken back?", default=lambda t: _title(t, t.table.last_move), needed=False, quiet=True
)


@move("table.undo", when=_can_undo, asks=[BACK, WHAT], approval=lambda t: t.seat.side == "player")
def undo(turn: Turn) -> Iterator[Event]:
    """Take back the last move"""
    to = turn.number("to")
    if not 0 < to < turn.table.seq:
        raise turn.refused("argument", "undo.nothing", "to")
    yield Rewound(to, turn.text("what"), dice=to < turn.table.dice_at)


@move("table.redo", by=["gm"], when=lambda t: None if t.table.redo_to > 0 else t.firm("redo.nothing"), asks=[FORTH])
def redo(turn: Turn) -> Iterator[Event]:
    """Restore what was taken back"""
    to = turn.number("to")
    if not 0 < to < turn.table.seq:
        raise turn.refused("argument", "redo.nothing", "to")
    yield Rewound(to, redo=True)


def _title(turn: Turn, key: str) -> str:
    return turn.system.title(key) if key in turn.system.by_key else ""


# The table itself.

SETTING = Ask(
    "option",
    "choice",
    "Which setting?",
    lambda t: [Choice(o.key, t.system.words.get(f"option.{o.key}", o.key)) for o in t.system.options],
)
VALUE = Ask(
    "value",
    "choice",
    "To what?",
    lambda t: [
        Choice(v, t.system.choice(o.key, v)) for o in t.system.options if o.key == t.text("option") for v in o.values
    ],
)


@move("table.settings", by=["gm"], asks=[SETTING, VALUE])
def settings(turn: Turn) -> Iterator[Event]:
    """Change a setting of the table"""
    yield OptionsSet({**turn.table.options, turn.text("option"): turn.text("value")}, turn.table.title)


@move("table.rename", by=["gm"], asks=[Ask("title", "text", "What is the table called?")])
def rename_table(turn: Turn) -> Iterator[Event]:
    """Rename the table"""
    yield OptionsSet(turn.table.options, turn.text("title")[:80])


def _seats(turn: Turn) -> Iterator[Choice]:
    for seat in turn.table.seats.values():
        if seat.here and (turn.seat.side == "gm" or seat.id == turn.seat.id):
            yield Choice(seat.id, seat.name)


SEAT = Ask("seat", "choice", "Which seat?", _seats, default=lambda t: t.seat.id)


@move("seat.rename", by=["player", "gm", "spectator"], asks=[SEAT, Ask("name", "text", "The new name")])
def rename_seat(turn: Turn) -> Iterator[Event]:
    """Rename a seat"""
    name = turn.text("name")[:40]
    seat = turn.table.seats[turn.text("seat")]
    others = (s for s in turn.table.seats.values() if s.here and s.id != seat.id)
    if any(s.name.casefold() == name.casefold() for s in others):
        raise turn.refused("argument", "name.taken", "name", name=name)
    yield SeatTaken(replace(seat, name=name))


@move("seat.remove", by=["player", "gm", "spectator"], asks=[SEAT])
def remove_seat(turn: Turn) -> Iterator[Event]:
    """Leave the table, or free a seat"""
    seat = turn.table.seats[turn.text("seat")]
    masters = [s for s in turn.table.seats.values() if s.here and s.side == "gm"]
    if masters == [seat]:
        raise turn.refused("argument", "last.gm", "seat")
    yield SeatTaken(replace(seat, here=False))


# Reactions that every table has.


def _period_over(turn: Turn, event: Event) -> Iterator[Event]:
    """What was true until the end of a round, a scene or a session ends with it."""
    assert isinstance(event, PeriodEnded | PeriodBegan)
    ends = {"round": ("round",), "scene": ("round", "scene"), "session": ("round", "scene", "session")}
    for trait in [t for t in turn.table.traits.values() if t.until in ends.get(event.kind, ())]:
        if isinstance(event, PeriodEnded) or event.kind == "round":
            yield TraitRemoved(trait.id)


def _check_over(turn: Turn, event: Event) -> Iterator[Event]:
    """What was true for one action ends with it."""
    assert isinstance(event, CheckClosed)
    for trait in [t for t in turn.table.traits.values() if t.until == "check" and t.at == event.id]:
        yield TraitRemoved(trait.id)


REACTIONS: tuple[tuple[type, Reaction], ...] = (
    (PeriodEnded, _period_over),
    (PeriodBegan, _period_over),
    (CheckClosed, _check_over),
)

OPTIONS = (
    Option("enforcement", ("strict", "warn", "log"), "strict", system=False),
    Option("odds", ("everybody", "gm"), "everybody", system=False),
)

MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
"""Every move of this module."""
