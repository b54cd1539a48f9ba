"""Spending a roll: the purchases for its symbols, each symbol booked once.

Source: seed 002, Using Special Symbols (rows in spends.toml); destinydice.md 3.4 and
3.6.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from storypool.engine import rules as r
from storypool.systems.destinydice.fight.conflict import on_players_side
from storypool.systems.destinydice.fight.stress import take_consequence, turn_box
from storypool.systems.destinydice.outcomes import is_due
from storypool.systems.destinydice.pool import KNOWN, promise
from storypool.systems.destinydice.sheet import (
    HERE,
    checked_boxes,
    is_out,
    open_consequences,
    refresh,
    unchecked_boxes,
)
from storypool.systems.destinydice.state import Action


class Shares(r.Shares):
    """The symbols of each side; players with a character in the scene come first."""

    def other_seats(self, turn: r.Turn, check: r.Check) -> tuple[str, ...]:
        """The seats that are asked to spend the hindering symbols of this roll."""
        seats = super().other_seats(turn, check)
        left = {
            one.seat for one in turn.table.characters.values() if not is_out(turn.table, one.id)
        }
        return tuple(seat for seat in seats if seat in left) or seats


SHARES = Shares(("advantage", "hope"), ("disadvantage", "despair"))
"""The side that rolled spends Advantage and Hope, the other Disadvantage and Despair."""
ROOM: Mapping[str, Callable[[r.Table, str], object]] = {
    "clear": checked_boxes,
    "check": unchecked_boxes,
    "fate": lambda table, who: table.balance("fate", who) < refresh(table, who),
    "consequence": open_consequences,
}
"""The visible effects on the actor, each with its precondition."""


ROWS = r.menu_rows(HERE, "spends", r.MenuRow)
"""The rows of the table by key, in the seed's order; spends.toml explains its fields."""


def close_if_finished(turn: r.Turn, id: str) -> Iterator[r.Event]:
    """The end of a visible action with nothing left to decide; else nothing."""
    check = turn.table.checks.get(id)
    if check is None or check.phase != "rolled" or check.hidden or is_due(check):
        return
    if any(one.check == id for one in turn.table.proposals.values()):
        return
    if turn.table.of_kind("hit", at=id) or affordable_to_any(turn, check, SHARES.both):
        return
    yield r.CheckClosed(id, "done")


def affordable_to_any(turn: r.Turn, check: r.Check, symbols: tuple[str, ...]) -> bool:
    """Whether these symbols of a roll can still buy anything for their owners."""
    return bool(spendable(turn.as_seat(turn.seat, check=check.id), check, symbols))


def spendable(turn: r.Turn, check: r.Check, symbols: Sequence[str]) -> r.Bag:
    """The rest of these symbols of a roll, if it can still buy anything."""
    left = check.left.only(symbols)
    if left and any(not closed for *_, closed in MENU.offered(turn, check, symbols)):
        return left
    return r.Bag()


class Spends(r.Menu[r.MenuRow]):
    """The table of seed 002, closed if a row would reveal a hidden roll or do nothing."""

    def rows(self, turn: r.Turn) -> Mapping[str, r.MenuRow]:
        return ROWS

    def closed(self, turn: r.Turn, check: r.Check, row: r.MenuRow, costs: Sequence[r.Bag]) -> str:
        """A row needs a box to clear or check, room up to Refresh, or an ally; and symbols."""
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
        """The possible owners of the die: allies; for the last row anybody.

        An enemy gets an Aid die.
        """
        if not row.whom:
            return
        for one in KNOWN(turn):
            ally = not _is_enemy(turn, check, one.value) and one.value != check.actor
            if not is_out(turn.table, one.value) and (ally or row.whom == "anybody"):
                yield r.replace(one, note=turn.word(_die(turn, check, row, one.value)))

    def usual(self, check: r.Check, row: r.MenuRow) -> str:
        return check.actor


MENU = Spends(SHARES)


def _is_enemy(turn: r.Turn, check: r.Check, whom: str) -> bool:
    """Whether a character is against the actor; an NPC may be on the players' side."""
    sides = [on_players_side(turn.table, one) for one in (whom, check.actor)]
    return sides[0] != sides[1] or whom == check.against


def _die(turn: r.Turn, check: r.Check, row: r.MenuRow, whom: str) -> str:
    """The die that a row promises, which may depend on its owner's side."""
    helps = row.key == "aid-ally" or (row.whom == "anybody" and _is_enemy(turn, check, whom))
    return "aid" if helps else "hindrance"


_has_symbols = r.requires(MENU.left, "no.symbols", firm=True)


def _something_to_buy(turn: r.Turn) -> r.Refusal | None:
    """These symbols can buy something; the refusal has every row's reason."""
    rows = list(MENU.choices(turn))
    if any(not row.closed for row in rows):
        return None
    return r.replace(
        turn.firm("nothing.to.buy"), remedy=" ".join(dict.fromkeys(row.closed for row in rows))
    )


def _hurts(turn: r.Turn) -> bool:
    """Whether a consequence is bought, which needs a name."""
    row = MENU.row(turn)
    return row is not None and row.effect == "consequence"


def _note_question(turn: r.Turn) -> str:
    """The question for a row that its buyer describes; "" for any other."""
    row = MENU.row(turn)
    if row is not None and row.effect == "note":
        return turn.words[f"spend.{row.key}"]
    return ""


def _worded(ask: r.Ask) -> r.Ask:
    """A question of the menu; a form asks for the buyer's own words only without an effect."""
    if ask.name != "text":
        return ask
    return r.replace(
        ask,
        shown=lambda t: not _hurts(t),
        default=lambda t: "" if _note_question(t) else None,
        shown_as=_note_question,
    )


@r.move(
    "spend.buy",
    when=r.rolled,
    only_if=[_has_symbols, _something_to_buy],
    asks=[
        *map(_worded, MENU.asks),
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
    yield MENU.booked(turn, check, price, turn.text("name") or _purchase_text(turn, row))
    yield from _effect(turn, row, r.priced(turn, price))
    yield from close_if_finished(turn, check.id)


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
    yield from close_if_finished(turn, check.id)


def _purchase_text(turn: r.Turn, row: r.MenuRow) -> str:
    """The purchase in its buyer's words, or in short."""
    return turn.text("text") or turn.words[f"bought.{row.key}"]


def _effect(turn: r.Turn, row: r.MenuRow, cost: str) -> Iterator[r.Event]:
    check = turn.here
    actor = check.actor
    match row.effect:
        case "clear":
            yield from turn_box(turn, actor, min(checked_boxes(turn.table, actor)))
        case "check":
            yield from turn_box(turn, actor, unchecked_boxes(turn.table, actor)[0])
        case "fate":
            yield from turn.change("fate", 1, actor, cost)
        case "consequence":
            severity = open_consequences(turn.table, actor)[0]
            yield take_consequence(turn, actor, severity, turn.text("name"))
        case "promise":
            whom = turn.text("whom")
            # The promised die may be used in an open action: do not reveal a hidden one's text.
            why = turn.words[f"promised.{row.key}"]
            if not check.hidden:
                why = turn.text("text") or why
            yield promise(turn, _die(turn, check, row, whom), whom, why)
        case "note":
            about = actor if row.key == "malfunction" else ""
            yield turn.result("effect", _purchase_text(turn, row), about, until="scene")
