"""Spending a roll: what its symbols can buy, booked so that nothing is spent twice.

Source: seed 002, Using Special Symbols (rows in spends.toml beside this); destinydice.md 3.4 and
3.6.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from storypool.engine import rules as r
from storypool.systems.destinydice.fight.conflict import on_players_side
from storypool.systems.destinydice.fight.stress import take_consequence, turn_box
from storypool.systems.destinydice.outcomes import due
from storypool.systems.destinydice.pool import KNOWN, promise
from storypool.systems.destinydice.sheet import (
    HERE,
    checked,
    open_consequences,
    out,
    refresh,
    unchecked,
)
from storypool.systems.destinydice.state import Action


class Shares(r.Shares):
    """Who spends what a roll shows: of the players those first who have a character left in the
    scene.
    """

    def other_seats(self, turn: r.Turn, check: r.Check) -> tuple[str, ...]:
        """Return the seats that are asked to spend the hindering symbols of this roll."""
        seats = super().other_seats(turn, check)
        left = {one.seat for one in turn.table.characters.values() if not out(turn.table, one.id)}
        return tuple(seat for seat in seats if seat in left) or seats


SHARES = Shares(("advantage", "hope"), ("disadvantage", "despair"))
"""The side that rolled spends Advantage and Hope, the other Disadvantage and Despair."""
ROOM: Mapping[str, Callable[[r.Table, str], object]] = {
    "clear": checked,
    "check": unchecked,
    "fate": lambda table, who: table.balance("fate", who) < refresh(table, who),
    "consequence": open_consequences,
}
"""The effects on the actor, which everybody would see, and what there has to be for each."""


ROWS = r.menu_rows(HERE, "spends", r.MenuRow)
"""Every row of the table, by its key, in the order of the seed; its fields are explained in
spends.toml.
"""


def finished(turn: r.Turn, id: str) -> Iterator[r.Event]:
    """The end of an action that everybody sees, where nobody has anything left to decide; else
    nothing.
    """
    check = turn.table.checks.get(id)
    if check is None or check.phase != "rolled" or check.hidden or due(check):
        return
    asked = any(one.check == id for one in turn.table.proposals.values())
    if (
        not asked
        and not turn.table.of_kind("hit", at=id)
        and not affordable_to_any(turn, check, SHARES.both)
    ):
        yield r.CheckClosed(id, "done")


def affordable_to_any(turn: r.Turn, check: r.Check, symbols: tuple[str, ...]) -> bool:
    """Whether these symbols of a roll can still buy anything for those who spend them."""
    return bool(useful(turn.as_seat(turn.seat, check=check.id), check, symbols))


def useful(turn: r.Turn, check: r.Check, symbols: Sequence[str]) -> r.Bag:
    """What is left of these symbols of a roll, as long as they can still buy anything."""
    left = check.left.only(symbols)
    return (
        left
        if left and any(not closed for *_, closed in MENU.offered(turn, check, symbols))
        else r.Bag()
    )


class Spends(r.Menu[r.MenuRow]):
    """The table of seed 002; what would tell of a hidden roll, and what would do nothing, cannot be
    bought.
    """

    def rows(self, turn: r.Turn) -> Mapping[str, r.MenuRow]:
        return ROWS

    def closed(self, turn: r.Turn, check: r.Check, row: r.MenuRow, costs: Sequence[r.Bag]) -> str:
        """It needs a box to clear or to check, room up to Refresh, a character to help, and enough
        symbols.
        """
        actor = turn.table.actor(check)
        if actor is None or (row.effect in ROOM and not check.may_use(actor)):
            return turn.words["no.spend.hidden"]
        if row.effect in ROOM and not ROOM[row.effect](turn.table, actor.id):
            return turn.words.say(
                f"no.spend.{row.effect}", who=actor.name, n=refresh(turn.table, actor.id)
            )
        if row.effect == "promise" and not any(self.people(turn, check, row)):
            return turn.words["no.spend.promise"]
        return self.short(turn, check, costs)

    def people(self, turn: r.Turn, check: r.Check, row: r.MenuRow) -> Iterator[r.Choice]:
        """Who may get the die: an ally of the actor; of the last row anybody, an enemy for an Aid
        die.
        """
        for one in KNOWN(turn) if row.whom else ():
            ally = not _is_enemy(turn, check, one.value) and one.value != check.actor
            if not out(turn.table, one.value) and (ally or row.whom == "anybody"):
                yield r.replace(one, note=turn.word(_die(turn, check, row, one.value)))

    def usual(self, check: r.Check, row: r.MenuRow) -> str:
        return check.actor


MENU = Spends(SHARES)


def _is_enemy(turn: r.Turn, check: r.Check, whom: str) -> bool:
    """Whether a character is against the one who acts; an NPC may be on the players' side in this
    conflict.
    """
    sides = [on_players_side(turn.table, one) for one in (whom, check.actor)]
    return sides[0] != sides[1] or whom == check.against


def _die(turn: r.Turn, check: r.Check, row: r.MenuRow, whom: str) -> str:
    """The die that a row promises: its own, or by the side of who gets it."""
    helps = row.key == "aid-ally" or (row.whom == "anybody" and _is_enemy(turn, check, whom))
    return "aid" if helps else "hindrance"


_has_symbols = r.requires(MENU.left, "no.symbols", firm=True)


def _something_to_buy(turn: r.Turn) -> r.Refusal | None:
    """These symbols can buy something; otherwise every row says why not."""
    rows = list(MENU.choices(turn))
    if any(not row.closed for row in rows):
        return None
    return r.replace(
        turn.firm("nothing.to.buy"), remedy=" ".join(dict.fromkeys(row.closed for row in rows))
    )


def _hurts(turn: r.Turn) -> bool:
    """Whether a consequence is bought, which is called something."""
    row = MENU.row(turn)
    return row is not None and row.effect == "consequence"


def _noted(turn: r.Turn) -> str:
    """What is asked about a row that is nothing but what its buyer makes of it; "" of any other."""
    row = MENU.row(turn)
    return turn.words[f"spend.{row.key}"] if row is not None and row.effect == "note" else ""


def _wording(ask: r.Ask) -> r.Ask:
    """The question for the buyer's own words, which may stay open; a form asks where nothing else
    is bought.
    """
    return r.replace(
        ask,
        shown=lambda t: not _hurts(t),
        default=lambda t: "" if _noted(t) else None,
        shown_as=_noted,
    )


@r.move(
    "spend.buy",
    when=r.rolled,
    only_if=[_has_symbols, _something_to_buy],
    asks=[
        *(_wording(ask) if ask.name == "text" else ask for ask in MENU.asks),
        r.TextAsk("name", "What is the consequence?", shown=_hurts),
    ],
    rule="Using Special Symbols",
    place=r.at("menu"),
)
def buy(turn: r.Turn) -> Iterator[r.Event]:
    """Spend symbols

    The roller spends Advantage and Hope, the GM Disadvantage and Despair; on an NPC's roll the
    players spend those. One Hope or Despair pays where the row says so. The same row may be bought
    again. An action that nobody has anything left to decide about is done with it.
    """
    check, row, price = Action.put(turn.here, spent=True), ROWS[turn.text("row")], MENU.price(turn)
    yield MENU.booked(turn, check, price, turn.text("name") or _bought(turn, row))
    yield from _effect(turn, row, r.priced(turn, price))
    yield from finished(turn, check.id)


@r.move(
    "spend.waive",
    when=r.all_of(r.rolled, _has_symbols),
    ends=MENU.lost_to_others,
    rule="Using Special Symbols",
)
def waive(turn: r.Turn) -> Iterator[r.Event]:
    """Done spending

    What is left of your symbols is lost. An action that nobody has anything left to decide about is
    done with it.
    """
    check = Action.put(turn.here, spent=True)
    yield MENU.done(turn, check)
    yield from finished(turn, check.id)


def _bought(turn: r.Turn, row: r.MenuRow) -> str:
    """What was bought, in the words of its buyer, or else in a few of the program's."""
    return turn.text("text") or turn.words[f"bought.{row.key}"]


def _effect(turn: r.Turn, row: r.MenuRow, cost: str) -> Iterator[r.Event]:
    check = turn.here
    actor = check.actor
    match row.effect:
        case "clear":
            yield from turn_box(turn, actor, min(checked(turn.table, actor)))
        case "check":
            yield from turn_box(turn, actor, unchecked(turn.table, actor)[0])
        case "fate":
            yield from turn.change("fate", 1, actor, cost)
        case "consequence":
            yield take_consequence(
                turn, actor, open_consequences(turn.table, actor)[0], turn.text("name")
            )
        case "promise":
            whom = turn.text("whom")
            # The die may come to an action that everybody sees: the words for a hidden one stay
            # behind.
            short = turn.words[f"promised.{row.key}"]
            why = (turn.text("text") or short) if not check.hidden else short
            yield promise(turn, _die(turn, check, row, whom), whom, why)
        case "note":
            about = actor if row.key == "malfunction" else ""
            yield turn.result("effect", _bought(turn, row), about, until="scene")
