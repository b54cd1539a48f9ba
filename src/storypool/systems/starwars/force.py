"""The Force die, and Force powers whose dark pips cost a Destiny Point.

Source: starwars.md 1.1 and 1.8; rulings.md.
"""

from collections.abc import Callable, Iterator

from storypool.engine import rules as r
from storypool.systems.narrative import windows
from storypool.systems.narrative.attempt import Attempt
from storypool.systems.narrative.checks import ready
from storypool.systems.narrative.fight.slots import in_order
from storypool.systems.narrative.points import after_payment, one_point
from storypool.systems.starwars.dice import FORCE
from storypool.words import Words

RATING = r.Entry("force-rating", "Force rating", "rank", low=0, high=10, default=0)
DARK_SIDE = r.Entry(
    "dark-side", "Follows the dark side (1 for yes)", "rank", low=0, high=1, default=0
)


def _conflict_cap(table: r.Table, who: str) -> int | None:
    """The cap of Conflict: none, or 0 for a table that does not track it."""
    if table.options.get("conflict") == "yes":
        return None
    return 0


CONFLICT = r.Account("conflict", "character", cap=_conflict_cap)


def reader(words: Words, narrative: r.Read) -> r.Read:
    """A reader of rolls: Force dice alone as pips that never cancel, others as symbols."""

    def read(table: r.Table, check: r.Check, rolled: tuple[r.Rolled, ...]) -> r.Outcome:
        total = r.symbols([one for one in rolled if one.die == "force"], [FORCE])
        if Attempt.of(check).kind != "force":
            outcome = narrative(table, check, tuple(one for one in rolled if one.die != "force"))
            return r.replace(outcome, net=outcome.net + total)
        return r.Outcome(
            None,
            total["light"],
            total,
            words.say("force.result", light=total["light"], dark=total["dark"]),
        )

    return read


def sheet_rolls(turn: r.Turn, who: r.Character) -> Iterator[r.SheetRoll]:
    """The Force dice of a rating, with the power that they begin."""
    n = who.rating(RATING.key)
    if n:
        given = {"as": who.id}
        yield r.SheetRoll(RATING.key, pool=r.Bag(force=n), move="force.use", given=given)


_users = r.characters(own=True, only=lambda turn, one: one.rating(RATING.key))
"""The characters of this seat who have a Force rating."""


def _most_committed(turn: r.Turn) -> int:
    """The most Force dice to commit elsewhere, with one left to roll."""
    return (r.rating(turn.table.characters.get(turn.text("as")), RATING.key) or 0) - 1


@r.move(
    "force.use",
    when=r.all_of(r.any_of(_users, "force.rating"), r.in_session, r.may_open),
    only_if=[ready, in_order],
    asks=[
        r.first_choice("as", "Who?", _users),
        r.TITLE,
        r.NumberAsk(
            "committed",
            "Dice committed elsewhere",
            default=0,
            high=9,
            most=_most_committed,
            needed=False,
        ),
        r.HIDE_ACTION,
    ],
    rule="Force powers",
    place=r.at("actions", 72),
)
def use(turn: r.Turn) -> Iterator[r.Event]:
    """Use a Force power

    As many Force dice as the Force rating, less those committed. Only who has a rating is asked.
    """
    actor = turn.table.characters[turn.text("as")]
    rating = actor.rating(RATING.key) or 0
    n = rating - turn.number("committed")
    if n < 1:
        raise turn.refused("argument", "force.committed", "committed", who=actor.name, n=rating)
    pool, title = r.Bag(force=n), turn.text("title") or turn.words["force.title"]
    terms = Attempt(kind="force", difficulty="none").terms
    yield turn.open(turn.action(actor, title, base=pool, terms=terms))


_force_rolled = r.all_of(
    r.rolled,
    r.of_check(lambda check: any(one.die == FORCE.name for one in check.rolled), "force.none"),
)
"""Force dice have been rolled for the open action."""


def _sides(turn: r.Turn) -> tuple[str, str]:
    """The pips of the actor's own side, and those of the other."""
    actor = turn.table.actor(turn.here)
    if r.rating(actor, DARK_SIDE.key):
        return ("dark", "light")
    return ("light", "dark")


_has_own = r.requires(lambda turn: turn.here.left[_sides(turn)[0]], "force.own")
_has_other = r.requires(lambda turn: turn.here.left[_sides(turn)[1]], "force.other")


def _drawn_before(turn: r.Turn) -> bool:
    """The point for the other side's pips of this roll has been spent."""
    return turn.check is not None and Attempt.of(turn.check).drawn


def _use_title(own: bool) -> Callable[[r.Turn], str]:
    """The title for using one's own pips or the others, by side and price, after a roll."""

    def title(turn: r.Turn) -> str:
        if _force_rolled(turn):
            return ""
        if own:
            price = "own"
        elif _drawn_before(turn):
            price = "further"
        else:
            price = "other"
        return turn.words[f"force.{price}.{_sides(turn)[not own]}"]

    return title


def _asks(own: bool) -> tuple[r.Ask, ...]:
    """The questions for the pips to use, limited to those of one side, and their purpose."""

    def left(turn: r.Turn) -> int:
        if turn.check:
            return turn.check.left[_sides(turn)[not own]]
        return 0

    return (
        r.NumberAsk("n", "How many?", default=1, low=1, high=20, needed=False, most=left),
        r.TextAsk("text", "What for?", needed=False),
    )


@r.move(
    "force.light",
    when=_force_rolled,
    only_if=[windows.acts, _has_own],
    asks=_asks(own=True),
    rule="Force powers",
    place=r.at("actions", 73),
    shown_as=_use_title(own=True),
)
def use_own(turn: r.Turn) -> Iterator[r.Event]:
    """Use your own pips (free)"""
    yield _after_use(turn, _sides(turn)[0])


@r.worded("One point of this seat's side, for the first use of these pips in a roll")
def _other_price(turn: r.Turn) -> r.Bag:
    if _drawn_before(turn):
        return r.Bag()
    return one_point(turn)


@r.worded("That of points in one action, where the point is not paid yet")
def _other_limit(turn: r.Turn) -> tuple[r.Limit, ...]:
    if _drawn_before(turn):
        return ()
    return windows.one_point(turn)


@r.move(
    "force.other",
    when=_force_rolled,
    price=_other_price,
    limit=_other_limit,
    only_if=[windows.acts, r.in_the_open, _has_other],
    asks=_asks(own=False),
    rule="Force powers",
    place=r.at("actions", 74),
    shown_as=_use_title(own=False),
)
def use_other(turn: r.Turn) -> Iterator[r.Event]:
    """Use pips of the other side

    One point turns over, whatever the number of pips of this roll; each pip used is one strain, and
    one Conflict where the table keeps it. It is this player's one point of the action.
    """
    if not _drawn_before(turn):
        yield from after_payment(turn)
        yield turn.amend(Attempt.put(turn.here, drawn=True))
    yield _after_use(turn, _sides(turn)[1])
    check, n, why = turn.here, turn.number("n", 1), turn.words["force.strain"]
    yield from turn.change("strain", n, check.actor, why)
    if turn.option("conflict") == "yes" and check.team is r.Team.PLAYERS:
        yield from turn.change("conflict", n, check.actor, why)


def _after_use(turn: r.Turn, pips: str) -> r.Event:
    """The open roll after using this many pips; `Refused` for too many."""
    check, n = turn.here, turn.number("n", 1)
    if check.left[pips] < n:
        price, left = f"{n} {turn.word(pips, n)}", f"{check.left[pips]}"
        raise turn.refused("price", "symbols.short", "n", price=price, left=left)
    used = turn.words.say(f"symbol.{pips}", n=n)
    what = turn.words.say("force.used", pips=used, text=turn.text("text") or check.title)
    return turn.amend(check, what, left=check.left - r.Bag({pips: n}))
