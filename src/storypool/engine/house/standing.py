"""Decisions of the GM beforehand or after points were spent, and seats that are not asked."""

from collections.abc import Iterator

from storypool.engine.bag import NO_POINTS
from storypool.engine.events import CheckOpened, Event, TraitRemoved
from storypool.engine.game.asks import Ask, ChoiceAsk
from storypool.engine.game.moves import Move, Spot, move, whenever
from storypool.engine.game.suggestions import answer
from storypool.engine.game.turn import Turn
from storypool.engine.house.choices import answers
from storypool.engine.table import Check, Table, Team, Use

__all__ = ["SILENT", "be_silent", "corrected", "is_silent", "standing"]

DURATION = ChoiceAsk("until", "For how long?", answers("standing", "next", "scene"), default="next")


def standing(*asks: Ask, rule: str = "", place: Spot | tuple[Spot, ...] = ()) -> Move:
    """The GM's move that decides these questions for a player's next action or for the scene.

    They are the GM's questions (`whose`), with the names that they have where an action is
    declared.
    """

    @move("check.standing", by=["gm"], asks=[*asks, DURATION], rule=rule, place=place)
    def decide_beforehand(turn: Turn) -> Iterator[Event]:
        """Say beforehand how hard it is

        For the next action that a player declares, or for the whole scene. What a player answers
        otherwise is a suggestion.
        """
        terms = {ask.name: turn.args[ask.name] for ask in asks if ask.name in turn.args}
        how_long = turn.text("until")
        for old in turn.table.of_kind("standing", at=how_long, about=""):
            yield TraitRemoved(old.id)
        what = ", ".join(
            answer(turn, ask, turn.args[ask.name]) for ask in asks if ask.name in terms
        )
        text = turn.words.say(f"standing.told.{how_long}", what=what)
        yield turn.trait("standing", text, at=how_long, until="scene", terms=terms)

    return decide_beforehand


SILENT = "silent"
"""The kind of trait by a seat that is asked about points only when it says so."""


def is_silent(table: Table, seat: str) -> bool:
    """Whether a seat is asked about points only when it says so."""
    return any(trait.by == seat for trait in table.of_kind(SILENT))


def be_silent(turn: Turn, text: str) -> Iterator[Event]:
    """Make this seat silent, with this sentence; one that is silent is asked again."""
    old = [trait for trait in turn.table.of_kind(SILENT) if trait.by == turn.seat.id]
    for trait in old:
        yield TraitRemoved(trait.id)
    if not old:
        yield turn.trait(SILENT, text)


def corrected(turn: Turn) -> Iterator[Event]:
    """Refund the points spent on the open action, because the GM corrects its terms.

    Every modification that was bought goes. Moves limited in this action may be made again, except
    by a side without a refund because its points had an effect. The caller then sets the new
    values, and opens the windows again.
    """
    check = turn.here
    if not check.spent and not any(mod.bought for mod in check.mods):
        return
    refunded = _refunded_sides(turn, check)
    freed: tuple[Use, ...] = ()
    for use, n in turn.table.uses.items():
        # A hidden use is not freed in the open.
        seen = use.seen_by is None or check.hidden
        if seen and ("check", check.id) in use.scopes and _side(use) in refunded:
            freed += n * (Use(use.group, use.scopes),)
    spent, mods = check.spent, tuple(mod for mod in check.mods if not mod.bought)
    yield turn.amend(check, turn.words["amend.corrected"], freed, mods=mods, spent=NO_POINTS)
    yield from turn.refund(spent, check.title)


def _refunded_sides(turn: Turn, check: Check) -> set[str]:
    """ "gm" or "player" for each side with a refund; also "", for limits of no side."""
    table = turn.table
    owners = {
        table.characters[purse.owner].side
        for purse in check.spent
        if purse.owner in table.characters
    }
    pools = {turn.system.by_account[purse.account].side for purse in check.spent if not purse.owner}
    buyers = {
        table.seats[mod.by].side for mod in check.mods if mod.bought and mod.by in table.seats
    }
    sides = owners | pools | buyers
    refunded = {""}
    if "gm" in sides:
        refunded.add("gm")
    if sides - {"gm"}:
        refunded.add("player")
    return refunded


def _side(use: Use) -> str:
    """The side whose use of a limit this is; "" for a limit of no side."""
    scopes = dict(use.scopes)
    return scopes.get("side") or {"": "", "@gm": "gm"}.get(scopes.get("seat", ""), "player")


@whenever(CheckOpened)
def _use_up(turn: Turn, event: CheckOpened) -> Iterator[Event]:
    """Remove the decisions for the next action, or for its actor's, once a player declares one."""
    if event.check.team is Team.PLAYERS and not event.check.hidden:
        for trait in turn.table.of_kind("standing", at="next"):
            if trait.about in ("", event.check.actor):
                yield TraitRemoved(trait.id)
