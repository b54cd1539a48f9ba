"""What may be done in Lantern: try something, push your luck, and what the Dread does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from storypool.engine.rules import (
    DIE_COUNT,
    DIE_WHY,
    GM_ONLY,
    Bag,
    Check,
    CheckClosed,
    Choice,
    ChoiceAsk,
    DiceRolled,
    Event,
    FacesAsk,
    Limit,
    Mod,
    NumberAsk,
    PeriodEnded,
    Refusal,
    Rolled,
    TextAsk,
    Trait,
    TraitRemoved,
    TraitSet,
    Turn,
    Wait,
    actor_of,
    building,
    characters,
    die_of,
    entries,
    first_own,
    gms,
    has_a_character,
    idle,
    in_session,
    kept_promises,
    modified,
    move,
    proposes,
    rating,
    rolled,
    yours,
)

ABILITIES = {"body": "Body", "wits": "Wits", "heart": "Heart"}

# A try: declared, dimmed by the Dread, rolled, pushed, closed.


@move(
    "check.declare",
    when=in_session,
    only_if=[idle, has_a_character],
    asks=[
        ChoiceAsk("as", "Who acts?", characters(own=True), default=first_own),
        ChoiceAsk("with", "With what?", entries("ability")),
        TextAsk("title", "What are you trying to do?", needed=False),
    ],
    rule="Trying something",
)
def declare(turn: Turn) -> Iterator[Event]:
    """Try something

    You roll as many light dice as the ability says. Where there is Dread, the game master may dim them first.
    """
    actor = turn.table.characters[turn.text("as")]
    pool = Bag(light=rating(actor, turn.text("with")) or 1)
    waiting = tuple(mod for trait in turn.table.traits.values() if trait.about == actor.id for mod in trait.mods)
    ours = actor.side != "gm"
    yield turn.open(
        Check(
            turn.own_check,
            actor.id,
            "players" if ours else "gm",
            turn.seat.id,
            turn.text("title") or turn.words["check.untitled"],
            base=pool,
            mods=waiting,
            windows=("gm",) if ours and turn.table.balance("dread") else (),
        )
    )


def gm_may_dim(turn: Turn) -> Refusal | None:
    """The game master has not decided yet what the Dread does to this action."""
    return None if turn.here.windows else turn.no("window.dimmed")


def dread_has_spoken(turn: Turn) -> Refusal | None:
    """The game master has decided what the Dread does to this action."""
    return turn.no("window.dread") if turn.here.windows else None


def one_for_each(turn: Turn) -> Bag:
    """1 Dread for each die."""
    return Bag(dread=turn.number("n", 1))


@move(
    "dread.dim",
    by=["gm"],
    when=building,
    window=gm_may_dim,
    price=one_for_each,
    asks=[NumberAsk("n", "How many shade dice?", default=1, low=1, high=3)],
    rule="Dread",
)
def dim(turn: Turn) -> Iterator[Event]:
    """Spend Dread to add shade dice

    One for each point, three at most. Each 6 on them takes a success away.
    """
    check, n = turn.here, turn.number("n", 1)
    mod = Mod("add", "shade", n, turn.title, turn.seat.id)
    yield turn.amend(check, turn.words.say("dread.dims", n=n), mods=(*check.mods, mod), windows=())


@move("dread.wait", by=["gm"], when=building, window=gm_may_dim, rule="Dread")
def wait(turn: Turn) -> Iterator[Event]:
    """Let them roll"""
    yield turn.amend(turn.here, turn.words["dread.waits"], windows=())


@move(
    "pool.add",
    when=building,
    asks=[die_of("light", "shade"), DIE_COUNT, DIE_WHY],
    approval=proposes,
    rule="Circumstances",
)
def add_dice(turn: Turn) -> Iterator[Event]:
    """Add dice for the circumstances

    A player proposes them, and the game master agrees.
    """
    yield from modified(turn, "add")


@move(
    "check.roll",
    when=building,
    window=dread_has_spoken,
    only_if=[yours],
    asks=[FacesAsk("faces", "What do your dice show?", needed=False)],
    rule="Trying something",
)
def roll(turn: Turn) -> Iterator[Event]:
    """Roll the dice

    Each 6 on a light die is a success, and one is enough.
    """
    check = turn.here
    yield from kept_promises(turn, check)
    lie = turn.cast(check.pool, turn.numbers("faces"))
    yield DiceRolled(check.id, turn.seat.id, lie)
    yield from _reads(turn, check, lie)


def _reads(turn: Turn, check: Check, lie: tuple[Rolled, ...]) -> Iterator[Event]:
    outcome = turn.system.read(turn.table, check, lie)
    yield turn.amend(check, phase="rolled", rolled=lie, outcome=outcome)


def dark(check: Check) -> list[Rolled]:
    """The light dice that a push picks up: those that show neither a 1 nor a 6."""
    return [one for one in check.rolled if one.die == "light" and one.face not in (1, 6)]


def something_to_push(turn: Turn) -> Refusal | None:
    """There is a light die that shows neither a 1 nor a 6."""
    return None if dark(turn.here) else turn.firm("push.none")


@move(
    "check.push",
    when=lambda turn: rolled(turn) or something_to_push(turn),
    only_if=[yours],
    limit=Limit("push", ("check",)),
    asks=[
        FacesAsk(
            "faces",
            "What do they show now?",
            needed=False,
            dice=lambda turn: [Choice(one.die, turn.word(one.die)) for one in (dark(turn.check) if turn.check else ())],
        )
    ],
    rule="Pushing",
)
def push(turn: Turn) -> Iterator[Event]:
    """Push your luck

    Once. Light dice that show neither a 1 nor a 6 are rolled again; then each 1 adds a point of Dread.
    """
    check = turn.here
    again = turn.cast(Bag(light=len(dark(check))), turn.numbers("faces"))
    yield DiceRolled(check.id, turn.seat.id, again, turn.words["push.again"])
    kept = [one for one in check.rolled if one not in dark(check)]
    lie = tuple(sorted((*kept, *again), key=lambda one: one.die))
    yield from _reads(turn, check, lie)
    ones = sum(one.die == "light" and one.face == 1 for one in lie)
    if ones:
        yield from turn.change("dread", ones, why=turn.words.say("push.ones", n=ones))


@move("check.close", when=rolled, only_if=[yours], rule="Trying something")
def close(turn: Turn) -> Iterator[Event]:
    """Done"""
    yield CheckClosed(turn.here.id, "done")


@move("check.cancel", when=building, only_if=[yours], rule="Trying something")
def cancel(turn: Turn) -> Iterator[Event]:
    """Cancel

    Dread that was spent on it comes back.
    """
    check = turn.here
    spent = sum(mod.n for mod in check.mods if mod.why == turn.system.title("dread.dim"))
    if spent:
        yield from turn.change("dread", spent)
    yield CheckClosed(check.id, "cancelled")


# What waits in the dark: hidden until the game master reveals it, then a die for somebody's next action.


@move(
    "horror.lurk",
    by=["gm"],
    when=in_session,
    price=Bag(dread=2),
    asks=[TextAsk("text", "What waits in the dark?")],
    rule="Horrors",
)
def lurk(turn: Turn) -> Iterator[Event]:
    """Let something lurk

    Only the game master knows of it. It costs 2 Dread.
    """
    horror = Trait(turn.fresh("t"), "horror", turn.text("text"), by=turn.seat.id, until="session", seen_by=GM_ONLY)
    yield TraitSet(horror)


def _lurking(turn: Turn) -> Iterator[Choice]:
    for trait in turn.table.traits.values():
        if trait.kind == "horror" and trait.seen_by is not None:
            yield Choice(trait.id, trait.text)


@move(
    "horror.reveal",
    by=["gm"],
    when=lambda turn: None if any(_lurking(turn)) else turn.firm("horror.none"),
    asks=[ChoiceAsk("what", "What shows itself?", _lurking), ChoiceAsk("to", "To whom?", characters("players"))],
    rule="Horrors",
)
def reveal(turn: Turn) -> Iterator[Event]:
    """Reveal what lurks

    Everybody knows it from now on, and it brings a shade die to the next action of whoever it shows itself to.
    """
    horror = turn.table.traits[turn.text("what")]
    yield TraitRemoved(horror.id)
    id = turn.fresh("t")
    shade = Mod("add", "shade", 1, horror.text, turn.seat.id, id)
    yield TraitSet(replace(horror, id=id, about=turn.text("to"), mods=(shade,), seen_by=None))


def ebbs(turn: Turn, event: Event) -> Iterator[Event]:
    """Whenever a scene ends, a point of Dread is gone."""
    assert isinstance(event, PeriodEnded)
    if event.kind == "scene" and turn.table.balance("dread"):
        yield from turn.change("dread", -1, why=turn.words["dread.ebbs"])


# Whom the table waits for.


def waits(turn: Turn) -> Iterator[Wait]:
    """What an open action waits for: the Dread, the roll, and the end."""
    for check in turn.table.checks.values():
        actor = actor_of(turn.table, check)
        if check.phase == "rolled":
            yield Wait("close", actor, ("check.close", "check.push"), check.id)
        elif check.windows:
            yield Wait("dread", gms(turn.table), ("dread.wait", "dread.dim"), check.id)
        else:
            yield Wait("roll", actor, ("check.roll",), check.id)
