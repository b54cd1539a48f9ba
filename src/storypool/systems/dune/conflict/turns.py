"""Whose turn it is in a conflict: who has acted, who is yet to act, and keeping the initiative.

The sides alternate. Whose turn it is, is in one trait, and the order of turns in one for each
character: who has acted, whose turn it is now, and who is yet to act. Source: seed 004, Conflict;
dune.md 4.4.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from storypool.engine import rules as r
from storypool.systems.dune.payment import Payment, pool_of
from storypool.systems.dune.people.sheet import is_defeated
from storypool.systems.dune.skill_test_terms import ACTIONS, SkillTest

CONFLICT = "conflict"
"""The id of the trait that says that a conflict is going on, and its kind."""
KEEP_PRICE = 2


@dataclass(frozen=True)
class Conflict(r.State):
    """A conflict of this kind: the side that takes, or last took, the turn, and its prices.

    `who` has to take the turn, `last` took the last one, `acted_by` have acted since everybody last
    had. It is `harder` for a character who kept the initiative, `second` after an extra action.
    Keeping it costs `price`, unless it is `barred`; each side that has kept it waits until the
    other has acted. `against` are the NPCs with whom it began; where they were `named`, nobody else
    of their side is in it before they act. Where one character `fights` a duel, nobody else of the
    players' side is in it before they act. `before` are the attacks of earlier conflicts in which a
    character was defeated.
    """

    kind: str = ""
    side: str = ""
    acted: bool = False
    who: str = ""
    last: str = ""
    second: bool = False
    harder: bool = False
    barred: bool = False
    price: int = KEEP_PRICE
    kept_players: bool = False
    kept_gm: bool = False
    acted_by: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    named: bool = False
    fights: str = ""
    before: tuple[str, ...] = ()

    @property
    def to_act(self) -> r.Team:
        return r.Team(self.side).other if self.acted else r.Team(self.side)

    def has_kept(self, team: r.Team) -> bool:
        """Whether this side has kept the initiative, and the other has not acted since."""
        return self.kept_gm if team is r.Team.GM else self.kept_players


def conflict(table: r.Table) -> r.Trait | None:
    return table.traits.get(CONFLICT)


def state_of(table: r.Table) -> Conflict:
    """The state of the conflict that is going on; where there is none, one of no side."""
    trait = conflict(table)
    return Conflict.of(trait) if trait else Conflict()


def takes_turn(check: r.Check) -> bool:
    """Whether this test is an action in a conflict; one that the players do not see is none."""
    return not check.hidden and SkillTest.of(check).kind in ACTIONS


def is_harder(turn: r.Turn, check: r.Check) -> bool:
    now = state_of(turn.table)
    return takes_turn(check) and now.harder and now.side == check.side


NOW = 100
"""The rating of the present turn: above it who has acted, below it who is yet to act."""


def next_one(table: r.Table) -> str:
    """The character who is acting in the conflict, or for whom the turn was kept, or ""."""
    now = state_of(table)
    acting = (check.actor for check in table.checks.values() if takes_turn(check))
    return next(acting, now.who if not now.acted and now.who in table.characters else "")


def fighters(table: r.Table, team: r.Team) -> list[r.Character]:
    """Those of a side who can act: in the conflict, seen by all, and not defeated."""
    now = state_of(table)
    if team is r.Team.GM:
        placed = [trait.about for trait in r.public(table).of_kind("asset", "place")]
        in_it = now.against if now.named else placed
    else:
        in_it = [now.fights] if now.fights in table.characters else [*table.characters]
    people = [table.characters[id] for id in sorted({*in_it} & table.characters.keys())]
    theirs = [who for who in people if who.team is team and r.here(who) and not who.hidden]
    return [who for who in theirs if not is_defeated(table, who.id)]


def everybody(table: r.Table) -> list[r.Character]:
    return [*fighters(table, r.Team.PLAYERS), *fighters(table, r.Team.GM)]


def defeats(table: r.Table) -> list[r.Trait]:
    """The defeats of this conflict, without those of earlier ones in the same scene."""
    before = state_of(table).before
    return [trait for trait in table.of_kind("defeated") if not trait.at or trait.at not in before]


def is_beaten(table: r.Table, team: r.Team) -> bool:
    """Whether everybody of this side who was in the conflict is defeated, or has left the story."""
    down = (table.characters.get(trait.about) for trait in defeats(table))
    was = any(who is not None and who.team is team for who in down)
    met = team is r.Team.GM and bool(state_of(table).against)
    return (was or met) and not fighters(table, team)


def update_order(turn: r.Turn) -> r.Events:
    """Update the order of turns: a trait for each character, or for a side that acts."""
    wanted = {trait.id: trait for trait in _order(turn)}
    for old in turn.table.of_kind("slot"):
        if old.id not in wanted:
            yield r.TraitRemoved(old.id)
    yield from (r.TraitSet(one) for one in wanted.values() if turn.table.traits.get(one.id) != one)


def _order(turn: r.Turn) -> Iterator[r.Trait]:
    if conflict(turn.table) is None:
        return
    now, first = state_of(turn.table), decider(turn)
    # Until it is decided whether the initiative is kept, the turn has not gone to the other side.
    acted, named = now.acted_by, first.id if first else next_one(turn.table)
    if not named and not is_beaten(turn.table, now.to_act):
        yield _slot("side", turn.words[f"turn.{now.to_act}"], now.to_act, NOW)
    for id in dict.fromkeys((*acted, *(who.id for who in everybody(turn.table)), named)):
        who = turn.table.characters.get(id)
        if who is not None and r.here(who):
            behind = NOW + len(acted) - acted.index(id) if id in acted else 0
            yield _slot(id, who.name, who.team, NOW if id == named else behind)


def _slot(id: str, text: str, team: r.Team, rating: int) -> r.Trait:
    now = "now" if rating == NOW else ""
    slot = r.Slot("" if id == "side" else id, acted=True if rating > NOW else None)
    return slot.into(r.Trait(f"turn-{id}", "slot", text, team.mark, rating, at=now, until="scene"))


running = r.requires(lambda turn: conflict(turn.table), "conflict.none", firm=True)


def nobody_acts(turn: r.Turn) -> r.Refusal | None:
    open_ones = (check for check in turn.table.checks.values() if not check.hidden)
    return next((turn.no("busy", title=check.title) for check in open_ones), None)


KEEPING = Payment("initiative", lambda turn: state_of(turn.table).price)


def decider(turn: r.Turn) -> r.Character | None:
    """The one who has just acted, where their player may keep the initiative, or let it go."""
    table, now = turn.table, state_of(turn.table)
    who = table.characters.get(now.last)
    if who is None or not now.acted or now.barred or now.has_kept(who.team):
        return None
    if who.team is r.Team.PLAYERS and r.player_of(table, who.id) == r.gms(table):
        return None
    pays = table.balance(pool_of(who.team)) >= now.price or KEEPING.may_add(turn, who.team)
    return (
        who if pays and fighters(table, who.team) and not is_beaten(table, who.team.other) else None
    )


def in_turn(turn: r.Turn) -> r.Refusal | None:
    """It is this side's turn, or the other side has acted and leaves it at that."""
    now, first = state_of(turn.table), decider(turn)
    if not now.side or now.to_act is turn.team:
        if first is None and (named := _reserved_for(turn)) is not None:
            return turn.firm("turn.given", who=named.name)
        return turn.no("initiative.first", who=first.name) if first else None
    return turn.no("turn.over") if now.acted else turn.no("turn.theirs")


def _reserved_for(turn: r.Turn) -> r.Character | None:
    table, now = turn.table, state_of(turn.table)
    named = table.characters.get("" if now.acted else now.who)
    whose = r.player_of(table, named.id) if named else ()
    theirs = turn.seat.id in whose or whose == r.gms(table)
    return named if named and named.team is turn.team and not theirs else None


def _passes(turn: r.Turn) -> r.Refusal | None:
    """This seat decides about the initiative, or has its side's turn."""
    if (named := _reserved_for(turn)) is not None:
        return turn.no("turn.given", who=named.name)
    return None if r.plays(turn, decider(turn)) else in_turn(turn)


action = partial(r.move, when=r.all_of(running, nobody_acts), window=in_turn)
"""A move that is a side's action in a conflict, in its turn."""


def _fighters(turn: r.Turn) -> r.Choices:
    """The characters of this seat, first those yet to act; closed for the defeated."""
    acted, in_it = state_of(turn.table).acted_by, {one.id for one in everybody(turn.table)}

    def place(one: r.Choice) -> tuple[bool, bool, str]:
        return one.value not in in_it, one.value in acted, one.value

    for one in sorted(r.characters(own=True)(turn), key=place):
        yield _with_note(turn, one, turn.words["turn.has_acted"] if one.value in acted else "")


def _with_note(turn: r.Turn, one: r.Choice, note: str) -> r.Choice:
    """The choice of a character with this note, closed where they are defeated."""
    down = is_defeated(turn.table, one.value)
    return r.replace(one, note=note).unless(
        turn.firm("defeat.acts", who=one.label) if down else None
    )


def _next_fighter(turn: r.Turn) -> str | None:
    ours = [choice.value for choice in _fighters(turn) if not choice.closed]
    named = next_one(turn.table)
    return named if named in ours else next(iter(ours), None)


FIGHTER = r.ChoiceAsk("as", "Who acts?", _fighters, default=_next_fighter)


def _change(turn: r.Turn, **changes: r.Value) -> r.Event:
    return r.TraitSet(Conflict.put(turn.table.traits[CONFLICT], **changes))


def begin_turn(turn: r.Turn, check: r.Check) -> r.Events:
    """Begin the turn of the side that acts; `Refused` where it was given to another."""
    now = state_of(turn.table)
    if not now.side or not takes_turn(check):
        return
    if now.side == check.side:
        named = turn.table.characters.get(now.who)
        if named is not None and named.id != check.actor:
            raise turn.refused("argument", "turn.given", "as", who=named.name)
        yield _change(turn)
    else:
        yield _change(turn, side=check.side, acted=False, who="", harder=False)
    if now.named and check.team is r.Team.GM and check.actor not in now.against:
        yield _change(turn, against=(*now.against, check.actor))
    if now.fights and check.team is r.Team.PLAYERS and check.actor != now.fights:
        # Another player's character joins in by acting: it is no duel any more.
        yield _change(turn, fights="")
    yield from update_order(turn)


@r.whenever(r.CharacterSet, r.SeatTaken, r.PointsSet)
def follow_people(turn: r.Turn, event: r.Event) -> r.Events:
    """Whenever people or points come or go, the order has those who can act now."""
    yield from update_order(turn)


def end_turn(turn: r.Turn, check: r.Check) -> r.Events:
    """End the turn with its action: the other side may keep the initiative again.

    A lost attack or a failed move forbids keeping it, unless a point was refused; a subtle move
    makes it free.
    """
    now, outcome, test = state_of(turn.table), check.outcome, SkillTest.of(check)
    if not now.side or not takes_turn(check) or outcome is None:
        return
    free = outcome.passed and test.deed.style == "subtly" and not test.at_cost
    acted = (*[id for id in now.acted_by if id != check.actor], check.actor)
    left = {one.id for one in everybody(turn.table)} - {*acted}
    yield _change(
        turn,
        side=check.side,
        acted=not test.extra,
        who=check.actor if test.extra else "",
        last=check.actor,
        second=test.extra,
        harder=False,
        barred=not outcome.passed and test.kind in ("attack", "move") and test.offer != "refused",
        price=0 if free else KEEP_PRICE,
        acted_by=acted if left else (),
        **{f"kept_{check.team.other}": False},
    )


@r.move(
    "turn.pass",
    when=r.all_of(running, nobody_acts),
    window=_passes,
    rule="Conflict",
    group="conflict",
    place=r.at("slots", 60),
)
def pass_turn(turn: r.Turn) -> r.Events:
    """Let the other side act

    Without an action of your own, or after it, where the initiative could be kept: the turn is the
    other side's.
    """
    kept = {f"kept_{team}": False for team in r.Team}
    yield _change(
        turn, side=turn.team.other, acted=False, who="", second=False, harder=False, **kept
    )
    yield from update_order(turn)


def _has_acted(turn: r.Turn) -> r.Refusal | None:
    now = state_of(turn.table)
    acted = now.acted and now.side == turn.team
    return running(turn) or (None if acted else turn.no("initiative.when"))


def _may_keep(turn: r.Turn) -> r.Refusal | None:
    now, first = state_of(turn.table), decider(turn)
    if now.barred:
        return turn.no("initiative.barred")
    if now.has_kept(turn.team):
        return turn.no("initiative.kept")
    return (
        None
        if first is None or r.plays(turn, first)
        else turn.no("initiative.theirs", who=first.name)
    )


def _next_actors(turn: r.Turn) -> r.Choices:
    """The visible characters of this side, with the price to go on; closed for the defeated."""
    now, price = state_of(turn.table), KEEPING.in_words(turn) or turn.words["initiative.free"]
    alone = turn.team is r.Team.PLAYERS and now.fights
    again = turn.words.say("initiative.harder.note", price=price)
    for choice in r.characters(turn.team, hidden=False)(turn):
        if not alone or choice.value == alone:
            yield _with_note(turn, choice, again if choice.value == now.last else price)


def _only_one(turn: r.Turn) -> str | None:
    able = [choice.value for choice in _next_actors(turn) if not choice.closed]
    return able[0] if len(able) == 1 else None


@KEEPING.buys
@r.move(
    "initiative.keep",
    when=r.all_of(_has_acted, r.idle),
    only_if=[_may_keep],
    asks=[r.ChoiceAsk("who", "Who acts next?", _next_actors, default=_only_one)],
    rule="Conflict: Keeping the Initiative",
    group="spend",
    place=r.at("actions", 71),
)
def keep(turn: r.Turn) -> r.Events:
    """Keep the initiative

    For 2, by the player whose character has just acted: the same character acts again at 1 more
    Difficulty, or an ally acts. Then the other side has to act before it is kept again. Free after
    a subtle move that succeeded; not after a lost attack or a failed move.
    """
    who, kept = turn.text("who"), {f"kept_{turn.team}": True}
    harder = who == state_of(turn.table).last
    yield _change(turn, **kept, side=turn.team, acted=False, second=False, who=who, harder=harder)
    yield from update_order(turn)
