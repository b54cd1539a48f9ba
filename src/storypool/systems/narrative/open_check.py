"""An open check: changes of its pool, the roll, and the end.

Every change is kept with its reason and its giver, and they are applied in the book's order, not in
the order of entry. Sources: seed 003, Modifying a Dice Pool, Interpreting the Pool; seed 000, Using
Destiny Points; starwars.md 1.6.
"""

from collections.abc import Callable, Iterator

from storypool.engine import rules as r
from storypool.systems.narrative import windows
from storypool.systems.narrative.attempt import Attempt
from storypool.systems.narrative.checks import difficulty_known, paid, with_base_pool
from storypool.systems.narrative.fight.attacks import undealt_hit
from storypool.systems.narrative.healing import injury_healed, wounds_healed
from storypool.systems.narrative.lasting import end_turn_effects
from storypool.systems.narrative.sheet import ready_dice

HELPING = ("advantage", "triumph")
HINDERING = ("threat", "despair")
SHARES = r.Shares(HELPING, HINDERING, lambda turn: turn.option("npc_threat") == "gm")


def _by_hand(key: str, rule: str, *dice: str) -> Callable[[r.Body], r.Move]:
    """A decorator for a move that adds, changes or removes some of these dice."""
    asks = [r.die_of(*dice), r.DIE_COUNT, r.DIE_WHY]
    place = r.at("tray") if key == "pool.add" else r.at("pool")
    return r.move(key, when=r.building, asks=asks, approval=r.proposes, rule=rule, place=place)


@_by_hand(
    "pool.add",
    "Adding Dice",
    "boost",
    "setback",
    "difficulty",
    "ability",
    "proficiency",
    "challenge",
)
def add_dice(turn: r.Turn) -> Iterator[r.Event]:
    """Add dice

    A Boost for each thing that helps, a Setback for each that hinders; they do not cancel. A player
    proposes them.
    """
    return r.modified(turn, "add")


@_by_hand("pool.upgrade", "Upgrading Dice", "difficulty", "ability")
def upgrade_dice(turn: r.Turn) -> Iterator[r.Event]:
    """Upgrade (no point)

    For skilled opposition, harsh circumstances, or a talent (seed 003, Difficulty). Not the GM's
    one point. A player proposes it.
    """
    return r.modified(turn, "upgrade")


@_by_hand("pool.downgrade", "Downgrading Dice", "challenge", "proficiency")
def downgrade_dice(turn: r.Turn) -> Iterator[r.Event]:
    """Downgrade dice

    After all upgrades; what is already in its lesser form stays (seed 003).
    """
    return r.modified(turn, "downgrade")


@_by_hand(
    "pool.remove",
    "Removing Dice",
    "setback",
    "boost",
    "difficulty",
    "challenge",
    "ability",
    "proficiency",
)
def remove_dice(turn: r.Turn) -> Iterator[r.Event]:
    """Remove dice

    Last of all; removals beyond what is there are dropped (seed 003).
    """
    return r.modified(turn, "remove")


def _may_help(turn: r.Turn, who: r.Character) -> bool:
    check, ours = turn.here, turn.is_gm or r.plays(turn, who)
    return ours and who.team is check.team and who.id != check.actor and check.knows(who)


_helpers = r.characters(only=_may_help)


@r.move(
    "check.assist",
    when=r.building,
    limit=r.Limit("assist", ("check",)),
    only_if=[r.has_a_character, r.any_of(_helpers, "assist")],
    asks=[r.ChoiceAsk("helper", "Who helps?", _helpers)],
    rule="Assisted checks",
    place=r.at("actions", 62),
)
def assist(turn: r.Turn) -> Iterator[r.Event]:
    """Help with this check

    A helper who is better in the characteristic or the skill lends it; any other adds a Boost die
    (starwars.md 1.6).
    """
    check = turn.here
    helper, actor = turn.table.characters[turn.text("helper")], turn.table.actor(check)
    keys = Attempt.of(check).characteristic, Attempt.of(check).skill
    better = any((r.rating(helper, key) or 0) > (r.rating(actor, key) or 0) for key in keys)
    # Ready dice have no numbers to compare.
    if better and not Attempt.of(check).by_hand and not ready_dice(turn, actor):
        changed = with_base_pool(turn, Attempt.put(check, helper=helper.id))
        yield turn.amend(changed, turn.words.say("assist.skilled", who=helper.name))
    else:
        why = turn.words.say("assist.boost", who=helper.name)
        yield turn.amend(check, why, mods=(*check.mods, r.Mod("add", "boost", 1, why, helper.id)))


def _others_may_answer(turn: r.Turn) -> r.Refusal | None:
    """Another seat may still spend a point after this one passes; otherwise roll at once."""
    check = windows.unrolled_check(turn)
    if check is None or Attempt.of(check).ready:
        return None
    after = windows.open_windows(turn, check, windows.open_windows(turn, check, check.windows)[1:])
    return None if after else turn.firm("ready.alone")


@r.move(
    "check.ready",
    when=r.building,
    window=windows.own_window,
    only_if=[
        r.of_check(lambda check: not Attempt.of(check).ready, "ready.already"),
        windows.acts,
        difficulty_known,
        paid,
        _others_may_answer,
    ],
    rule="Interpreting the Pool",
    place=r.at("primary", 4),
)
def ready_to_roll(turn: r.Turn) -> Iterator[r.Event]:
    """Roll, spend no point

    The dice fall as soon as the others have answered or passed.
    """
    check = Attempt.put(windows.after_decision(turn, turn.here), ready=turn.seat.id)
    yield turn.amend(check, turn.words.say("check.ready", who=turn.seat.name))


def roll_if_ready(turn: r.Turn, check: r.Check | None) -> Iterator[r.Event]:
    """Roll for the seat that is ready, once nobody may spend a point on the dice."""
    if check is None or check.phase != "build" or not Attempt.of(check).ready:
        return
    # A trial has no dice: it leaves the pool as it would be thrown, which has odds.
    if turn.roll is None:
        return
    if not windows.open_windows(turn, check, check.windows) and not turn.table.paid_proposals(
        check.id
    ):
        yield from _roll_and_read(turn, check, Attempt.of(check).ready)


@r.whenever(r.PointsSet)
def roll_after_fact(turn: r.Turn, event: r.PointsSet) -> Iterator[r.Event]:
    """Roll once the point of a proposed fact, for which the roll waited, comes back."""
    for proposal in turn.before.proposals.values():
        if proposal.price and proposal.id not in turn.table.proposals and event.delta > 0:
            yield from roll_if_ready(turn, turn.table.checks.get(proposal.check))


@r.rolls(
    window=windows.others_decided,
    only_if=[r.yours, difficulty_known, paid],
    rule="Interpreting the Pool",
    place=r.at("primary", 3),
)
def roll(turn: r.Turn) -> Iterator[r.Event]:
    """Roll the dice

    Or type in the faces of real dice, in the order in which the pool is written.
    """
    return _roll_and_read(turn, turn.here, turn.seat.id)


def _roll_and_read(turn: r.Turn, check: r.Check, seat: str) -> Iterator[r.Event]:
    """Roll the dice for this seat, and read the result."""
    rolled = yield from r.roll_pool(turn, check, seat=seat)
    yield from r.kept_promises(turn, check)
    outcome = turn.system.read(turn.table, check, rolled)
    named = turn.system.axes.named(outcome.net)
    left = named - named.only(("success", "failure"))
    check, n = r.replace(check, outcome=outcome), wounds_healed(turn, check, outcome)
    injury = injury_healed(turn, check, outcome)
    if n:
        check = check.also(
            turn.words.say("treatment.healed", who=turn.table.characters[check.against].name, n=n)
        )
    if injury is not None:
        who = turn.table.characters[check.against].name
        check = check.also(turn.words.say("treatment.injury", who=who, text=injury.text))
    yield turn.amend(check, rolled=rolled, left=left, phase="rolled", windows=())
    if injury is not None:
        yield r.TraitRemoved(injury.id)
    if n:
        yield from turn.change(
            "wounds", -n, check.against, turn.system.entry(Attempt.of(check).skill)
        )


def nothing_left_to_others(turn: r.Turn) -> r.Refusal | None:
    """Nothing is left to spend for the other side."""
    check = turn.check
    if check is None or check.phase != "rolled" or SHARES.gm_spends_all(turn, check):
        return None
    ours, actor = r.acts_in(turn, check), turn.table.actor(check)
    left = check.left.only(HINDERING if ours else HELPING)
    if not left:
        return None
    others = turn.words["wait.gm" if check.team is r.Team.PLAYERS else "spend.players"]
    who = others if ours or not actor else actor.name
    return turn.no("symbols", left=r.priced(turn, left), who=who)


def _unspent_caution(turn: r.Turn) -> str:
    """The unspent symbols of the roll."""
    left = turn.here.left
    if left:
        return turn.words.say("check.lost", what=in_words(turn, left))
    return ""


def _undealt_title(turn: r.Turn) -> str:
    """The title of the end for a hit whose damage is not dealt."""
    if undealt_hit(turn, turn.check):
        return turn.words["check.unhurt"]
    return ""


def in_words(turn: r.Turn, left: r.Bag) -> str:
    """The rest of a roll in words: its symbols, and its pips, which are not points yet."""
    symbols = left.only(SHARES.both)
    pips = [turn.words.say(f"symbol.{name}", n=n) for name, n in (left - symbols).items()]
    return turn.words["list.last"].join([*([r.priced(turn, symbols)] if symbols else []), *pips])


@r.closes(
    window=nothing_left_to_others,
    rule="Using Destiny Points",
    caution=_unspent_caution,
    place=r.at("primary", 60),
    shown_as=_undealt_title,
)
def close(turn: r.Turn) -> Iterator[r.Event]:
    """Done

    What was spent turns over now, on both sides at once (seed 000, Using Destiny Points). Symbols
    left are lost.
    """
    yield from r.lapsed(turn)
    check = turn.here
    yield r.CheckClosed(check.id, "done")
    yield from end_turn_effects(turn, check)
    for account, n in check.owed.items():
        yield from turn.change(account, n, why=turn.words["points.turned"])


def _refund_caution(turn: r.Turn) -> str:
    """The points that come back when the action is cancelled, and those that stay spent."""
    check = turn.here
    crosses = windows.crossing(turn)
    back = r.Bag({account: n for (account, _), n in check.spent.items()})
    # Other owed points were spent on effects that have happened.
    stays = r.Bag({crosses[account]: n for account, n in check.owed.items()}) - back
    if windows.crosses_at_once(turn):
        return r.coming_back(turn, check.spent, stays=r.NOTHING)
    return r.coming_back(turn, check.spent, stays=stays.only(crosses))


@r.cancels(rule="Using Destiny Points", caution=_refund_caution)
def cancel(turn: r.Turn) -> Iterator[r.Event]:
    """Cancel this check

    Before the roll: points for its dice come back. What a fact or a talent has done stays, and its
    point turns over.
    """
    check = turn.here
    yield r.CheckClosed(check.id, "cancelled")
    if check.hidden:
        why = turn.words["points.back"]
    else:
        why = turn.words.say("points.refund", what=check.title)
    # Take back points that have crossed over already and are no longer owed.
    crosses = windows.crossing(turn)
    crossed = r.Points({r.Purse(crosses[account]): n for (account, _), n in check.spent.items()})
    for (account, _), n in (check.spent - crossed + r.Points.of_the_table(check.owed)).items():
        yield from turn.change(account, n, why=why)
