"""What may be done in Lantern: try something, push your luck, and what the Dread does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from storypool.engine import rules as r

ABILITIES = {"body": "Body", "wits": "Wits", "heart": "Heart"}

# A try: declared, dimmed by the Dread, rolled, pushed.


@r.move(
    "check.declare",
    when=r.in_session,
    only_if=[r.idle, r.has_a_character],
    asks=[
        r.ChoiceAsk("as", "Who acts?", r.characters(own=True), default=r.first_own),
        r.ChoiceAsk("with", "With what?", r.entries("ability")),
        r.TextAsk("title", "What are you trying to do?", needed=False),
    ],
    rule="Trying something",
    place=r.at("primary", 3),
)
def declare(turn: r.Turn) -> Iterator[r.Event]:
    """Try something

    You roll as many light dice as the ability says. Where there is Dread, the game master may dim
    them first.
    """
    actor = turn.table.characters[turn.text("as")]
    pool = r.Bag(light=r.rating(actor, turn.text("with")) or 1)
    dims = actor.team is r.Team.PLAYERS and turn.table.balance("dread")
    title = turn.text("title") or turn.words["check.untitled"]
    check = turn.action(actor, title, base=pool, windows=("gm",) if dims else ())
    yield turn.open(replace(check, mods=r.promised(turn, check)))


gm_may_dim = r.of_check(lambda check: check.windows, "window.dimmed")
dread_has_spoken = r.of_check(lambda check: not check.windows, "window.dread")


@r.worded("1 Dread for each die")
def one_for_each(turn: r.Turn) -> r.Bag:
    return r.Bag(dread=turn.number("n", 1))


@r.gm_move(
    "dread.dim",
    when=r.building,
    window=gm_may_dim,
    price=one_for_each,
    asks=[r.NumberAsk("n", "How many shade dice?", default=1, low=1, high=3)],
    rule="Dread",
    place=r.at("actions"),
)
def dim(turn: r.Turn) -> Iterator[r.Event]:
    """Spend Dread to add shade dice

    One for each point, three at most. Each 6 on them takes a success away.
    """
    check, n = turn.here, turn.number("n", 1)
    mod = r.Mod("add", "shade", n, turn.title, turn.seat.id)
    text = turn.words.say("dread.dims", n=n)
    yield turn.amend(
        check, text, mods=(*check.mods, mod), spent=check.spent + turn.paid, windows=()
    )


@r.gm_move("dread.wait", when=r.building, window=gm_may_dim, rule="Dread", place=r.at("actions"))
def wait(turn: r.Turn) -> Iterator[r.Event]:
    """Let them roll"""
    yield turn.amend(turn.here, turn.words["dread.waits"], windows=())


@r.move(
    "pool.add",
    when=r.building,
    asks=[r.die_of("light", "shade"), r.DIE_COUNT, r.DIE_WHY],
    approval=r.proposes,
    rule="Circumstances",
    place=r.at("actions", 60),
)
def add_dice(turn: r.Turn) -> Iterator[r.Event]:
    """Add dice for the circumstances

    A player proposes them, and the game master agrees.
    """
    yield from r.modified(turn, "add")


def dark(check: r.Check) -> list[r.Rolled]:
    """The light dice that a push picks up: those that show neither a 1 nor a 6."""
    return [one for one in check.rolled if one.die == "light" and one.face not in (1, 6)]


def _picked_up(turn: r.Turn) -> list[r.Choice]:
    return [
        r.Choice(one.die, turn.word(one.die)) for one in (dark(turn.check) if turn.check else ())
    ]


something_to_push = r.of_check(dark, "push.none", firm=True)


@r.move(
    "check.push",
    when=r.all_of(r.rolled, something_to_push),
    only_if=[r.yours],
    limit=r.Limit("push", ("check",)),
    asks=[r.FacesAsk("faces", "What do they show now?", needed=False, dice=_picked_up)],
    rule="Pushing",
    place=r.at("actions"),
)
def push(turn: r.Turn) -> Iterator[r.Event]:
    """Push your luck

    Once. Light dice that show neither a 1 nor a 6 are rolled again; then each 1 adds a point of
    Dread.
    """
    check = turn.here
    again = turn.cast(r.Bag(light=len(dark(check))), turn.numbers("faces"))
    yield r.DiceRolled(check.id, turn.seat.id, again, turn.words["push.again"])
    kept = [one for one in check.rolled if one not in dark(check)]
    rolled = tuple(sorted((*kept, *again), key=lambda one: one.die))
    yield turn.read(rolled)
    ones = sum(one.die == "light" and one.face == 1 for one in rolled)
    if ones:
        yield from turn.change("dread", ones, why=turn.words.say("push.ones", n=ones))


# What waits in the dark: hidden until the game master reveals it, then a die for a character's next
# action.


@r.gm_move(
    "horror.lurk",
    when=r.in_session,
    price=r.Bag(dread=2),
    asks=[r.TextAsk("text", "What waits in the dark?")],
    rule="Horrors",
    place=r.at("dark"),
)
def lurk(turn: r.Turn) -> Iterator[r.Event]:
    """Let something lurk

    Only the game master knows of it. It costs 2 Dread.
    """
    yield turn.trait("horror", turn.text("text"), secret=True, until="session")


_lurking = r.traits("horror", only=lambda turn, trait: trait.hidden)


@r.gm_move(
    "horror.reveal",
    when=r.any_of(_lurking, "horror.none"),
    asks=[
        r.ChoiceAsk("what", "What shows itself?", _lurking),
        r.ChoiceAsk("to", "To whom?", r.characters("players")),
    ],
    rule="Horrors",
    place=r.at("dark"),
)
def reveal(turn: r.Turn) -> Iterator[r.Event]:
    """Reveal what lurks

    Everybody knows it from now on, and it brings a shade die to the next action of the character
    who sees it.
    """
    horror = turn.table.traits[turn.text("what")]
    yield r.TraitRemoved(horror.id)
    shade = r.Mod("add", "shade", 1, horror.text, turn.seat.id)
    yield r.promise(turn, shade, turn.text("to"), horror.text, kind="horror", until="session")


@r.whenever(r.PeriodEnded)
def ebbs(turn: r.Turn, event: r.PeriodEnded) -> Iterator[r.Event]:
    """Whenever a scene ends, a point of Dread is gone."""
    if event.kind == "scene" and turn.table.balance("dread"):
        yield from turn.change("dread", -1, why=turn.words["dread.ebbs"])


# Whom the table waits for.


def waits(turn: r.Turn) -> Iterator[r.Wait]:
    """What an open action waits for: the Dread, the roll, and the end."""
    for check in turn.table.checks.values():
        actor = r.actor_of(turn.table, check)
        if check.phase == "rolled":
            yield r.Wait("close", actor, ("check.close", "check.push"), check.id)
        elif check.windows:
            yield r.Wait("dread", r.gms(turn.table), ("dread.wait", "dread.dim"), check.id)
        else:
            yield r.Wait("roll", actor, ("check.roll",), check.id)
