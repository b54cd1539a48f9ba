"""The windows in which seats decide about points, and their order.

Source: seed 000, Using Destiny Points: the side that forms the pool decides first, then the other
may answer.
"""

from collections.abc import Iterator
from functools import cache

from storypool.engine import rules as r
from storypool.systems.narrative.attempt import Attempt
from storypool.systems.narrative.healing import patient


def purses(turn: r.Turn, team: r.Team | None = None) -> tuple[str, str]:
    """The account that a side spends from, this seat's by default, and the one it pays into."""
    accounts = turn.system.spent_by
    own = team or turn.team
    return accounts[own.value], accounts[own.other.value]


def crossing(turn: r.Turn) -> dict[str, str]:
    """The account that the points of each account go to."""
    return dict(purses(turn, team) for team in reversed(r.Team))


def _is_played(one: r.Character) -> bool:
    """Whether this is a player's character."""
    return one.team is r.Team.PLAYERS and bool(one.seat)


def crosses_at_once(turn: r.Turn) -> bool:
    """Whether a spent point crosses over at once, an option of some games."""
    return turn.table.options.get("conversion") == "immediate"


def is_duel(turn: r.Turn, check: r.Check) -> bool:
    """Whether a player's character acts against another player's: each is a side of their own."""
    target = turn.table.target(check)
    other = target is not None and _is_played(target) and target.id != check.actor
    return check.team is r.Team.PLAYERS and other and patient(turn, check) is None


@r.worded(
    "At most one point in an action for each player and for the GM;"
    " with `destiny_limit` = side, for each side"
)
def one_point(turn: r.Turn, opening: str = "") -> tuple[r.Limit, ...]:
    """The limit of points; `opening` is the id of an action that the move opens.

    Source: seed 000, Using Destiny Points; rulings.md.
    """
    point, _ = _limits(*_scopes(turn, turn.check))
    return (r.Limit(point.group, point.per, check=opening),)


@r.worded(
    "One point for each player and one for the GM in an action, and one upgrade from each side"
)
def one_upgrade(turn: r.Turn) -> tuple[r.Limit, ...]:
    """The limits of points and of upgrades. Source: seed 000, Using Destiny Points; rulings.md."""
    return _limits(*_scopes(turn, turn.check))


def _scopes(turn: r.Turn, check: r.Check | None) -> tuple[bool, bool]:
    """Whether a point counts for a whole side, and whether an upgrade counts for a seat alone."""
    # In a duel each character is a side of their own.
    dueling = check is not None and is_duel(turn, check)
    return turn.option("destiny_limit") == "side" and not dueling, dueling


@cache
def _limits(whole_side: bool, dueling: bool) -> tuple[r.Limit, r.Limit]:
    point = r.Limit("point", ("check", "side" if whole_side else "seat"))
    return point, r.Limit("upgrade", ("check", "seat" if dueling else "side"))


def with_windows(turn: r.Turn, check: r.Check) -> r.Check:
    """The check with its windows in order, from the first in which a seat could spend."""
    target = turn.table.target(check)
    targeted = target is not None and _is_played(target)
    if check.hidden:
        # A point spent on a secret check would reveal it.
        windows: tuple[str, ...] = ()
    elif is_duel(turn, check):
        windows = ("active", "target", "gm")
    elif check.team is r.Team.PLAYERS:
        windows = ("active", "gm")
    elif targeted:
        if turn.option("responder") == "target_only":
            windows = ("gm", "target")
        else:
            windows = ("gm", "target", "players")
    else:
        windows = ("gm", "players")
    return _with_undecided(turn, check, windows)


def _with_undecided(turn: r.Turn, check: r.Check, windows: tuple[str, ...]) -> r.Check:
    """The check with these windows to come; leading ones in which nobody could spend wait."""
    return r.replace(
        Attempt.put(check, undecided=windows), windows=open_windows(turn, check, windows)
    )


@r.whenever(r.PointsSet)
def reopen(turn: r.Turn, event: r.PointsSet) -> Iterator[r.Event]:
    """Reopen skipped windows, or skip empty ones, when points come or go.

    Undecided seats decide with the new points, unless the other side has answered. Source:
    rulings.md.
    """
    if event.account in purses(turn):
        yield from _with_present_windows(turn)


@r.whenever(r.TraitRemoved)
def reopen_for_answers(turn: r.Turn, event: r.TraitRemoved) -> Iterator[r.Event]:
    """Reopen the windows of a seat that is asked for answers again."""
    trait = turn.before.traits.get(event.id)
    if trait is not None and trait.kind == r.SILENT:
        yield from _with_present_windows(turn)


def _with_present_windows(turn: r.Turn) -> Iterator[r.Event]:
    for check in turn.table.checks.values():
        if check.phase == "build" and Attempt.of(check).undecided:
            now = open_windows(turn, check, Attempt.of(check).undecided)
            if now != check.windows:
                yield turn.amend(check, windows=now)


def open_windows(turn: r.Turn, check: r.Check, windows: tuple[str, ...]) -> tuple[str, ...]:
    """These windows from the first in which a seat could still spend."""
    for i, window in enumerate(windows):
        if may_spend(turn, check, window):
            return windows[i:]
    return ()


def may_spend(turn: r.Turn, check: r.Check, window: str) -> bool:
    """Whether a seat could spend a point in this window: one is left, and so is a use."""
    table = turn.table
    team = r.Team.GM if window == "gm" else r.Team.PLAYERS
    if table.balance(purses(turn, team)[0]) <= 0:
        return False
    limits = _limits(*_scopes(turn, check))

    def has_one(seat: r.Seat) -> bool:
        return all(limit.used_by(table, seat, check.id) < limit.n for limit in limits)

    return any(map(has_one, deciders(turn, check, window)))


def deciders(turn: r.Turn, check: r.Check, window: str) -> list[r.Seat]:
    """The seats that decide in this window: they have not passed, and are asked for answers."""
    own = "gm" if check.team is r.Team.GM else "active"
    return [
        seat
        for seat in _able(turn, check, window)
        if window == own or not r.is_silent(turn.table, seat.id)
    ]


def _able(turn: r.Turn, check: r.Check, window: str) -> list[r.Seat]:
    """The seats that decide in this window and have not passed, also silent ones."""
    table, seats = turn.table, turn.table.seats
    if window == "gm":
        return [seats[id] for id in r.gms(table)]
    if window == "players":
        passed = Attempt.of(check).passed
        return [seat for seat in r.players_with_a_character(table) if seat.id not in passed]
    if window == "active":
        who = check.actor
    elif window == "target":
        who = check.against
    else:
        who = ""
    one = table.characters.get(who)
    if one and one.seat in seats and seats[one.seat].here:
        return [seats[one.seat]]
    return []


acts = r.requires(lambda turn: r.acts_in(turn, turn.here), "yours")
"""This seat plays the actor."""


def has_spent(turn: r.Turn, check: r.Check, team: r.Team) -> bool:
    """Whether a side has spent a point in this action."""
    for use in turn.table.uses:
        scopes = dict(use.scopes)
        if use.group == "point" and scopes.get("check") == check.id:
            by_gm = scopes.get("seat") == r.Team.GM.mark or scopes.get("side") == r.Team.GM
            if by_gm == (team is r.Team.GM):
                return True
    return False


def unrolled_check(turn: r.Turn) -> r.Check | None:
    """The open action, while its dice have not been rolled."""
    if turn.check and turn.check.phase == "build":
        return turn.check
    return None


def own_window(turn: r.Turn) -> r.Refusal | None:
    """It is this seat's turn to decide; a hidden action takes no points."""
    check = unrolled_check(turn)
    if check is None:
        return None
    if check.hidden:
        return r.in_the_open(turn)
    windows = open_windows(turn, check, check.windows)
    if not windows and Attempt.of(check).kind != "check":
        return turn.no("window.never")
    if not windows and r.is_silent(turn.table, turn.seat.id):
        return turn.no("window.silent")
    if not windows:
        return turn.no("window.closed")
    if turn.seat in deciders(turn, check, windows[0]):
        return None
    if r.is_silent(turn.table, turn.seat.id):
        return turn.no("window.silent")
    for proposal in turn.table.paid_proposals(check.id):
        # The points that it holds keep this seat's window from being the first.
        who = turn.table.seats[proposal.seat].name
        return turn.no("proposal.first", who=who, what=proposal.text)
    passed = pass_name(turn) in Attempt.of(check).passed
    if passed:
        return turn.no("window.passed")
    return turn.no("window", who=deciders_in_words(turn, check, windows[0]))


def in_turn(turn: r.Turn) -> r.Refusal | None:
    """A point for an ability before the roll waits for its turn: the acting side decides first.

    Source: seed 000, Using Destiny Points.
    """
    check, gm = unrolled_check(turn), turn.is_gm
    if check is None:
        return None
    windows, gone = open_windows(turn, check, check.windows), Attempt.of(check).passed
    if windows:
        if gm == (windows[0] == "gm") and not is_duel(turn, check):
            return None
        return own_window(turn)
    answered = any((seat == r.Team.GM.mark) != gm for seat in gone) or has_spent(
        turn, check, turn.team.other
    )
    over = pass_name(turn) in gone or (check.team is turn.team and answered)
    return turn.no("window.closed") if over else None


def leaves_the_last(turn: r.Turn, n: int = 1) -> r.Refusal | None:
    """The players' last point is reserved for the actor or target until they decide.

    Source: rulings.md, a bystander's fact or talent.
    """
    check, own = unrolled_check(turn), purses(turn)[0]
    windows = open_windows(turn, check, check.windows)[:1] if check else ()
    if check is None or windows not in (("active",), ("target",)):
        return None
    if turn.seat in deciders(turn, check, windows[0]):
        return None
    # With fewer, the price refuses.
    last = not turn.is_gm and turn.table.balance(own) == n
    if last:
        return turn.no("window.last", who=deciders_in_words(turn, check, windows[0]))
    return None


def others_decided(turn: r.Turn) -> r.Refusal | None:
    """Nobody else has to decide before the roll; rolling in one's own window is a pass.

    Without a difficulty, the difficulty is missing.
    """
    check = unrolled_check(turn)
    if check is None:
        return None
    windows = open_windows(turn, check, check.windows)
    own = bool(windows) and turn.seat in deciders(turn, check, windows[0])
    windows = open_windows(turn, check, windows[1:]) if own else windows
    if not windows:
        return None
    if not Attempt.of(check).difficulty:
        return turn.no("difficulty")
    return turn.no(
        "window.own" if own else "window.open", who=deciders_in_words(turn, check, windows[0])
    )


def pass_name(turn: r.Turn) -> str:
    """The name under which this seat passes; all GMs share one."""
    return r.Team.GM.mark if turn.is_gm else turn.seat.id


def after_spend(turn: r.Turn, check: r.Check) -> r.Check:
    """The check after this seat has spent: earlier windows that were skipped count as answered."""
    windows, own = Attempt.of(check).undecided, _own_window_index(turn, check)
    before = open_windows(turn, check, windows[:own])
    if own < len(windows):
        return _with_undecided(turn, check, before + windows[own:])
    return check


def after_decision(turn: r.Turn, check: r.Check) -> r.Check:
    """The check after this seat has upgraded or passed, with the next window.

    Its own window is over; the players' shared window stays open for those who have not passed.
    """
    check, passes = after_spend(turn, check), turn.key.endswith((".pass", ".ready"))
    windows, own = Attempt.of(check).undecided, _own_window_index(turn, check)
    shared = passes and windows[own : own + 1] == ("players",)
    if passes:
        check = Attempt.add(check, passed=(pass_name(turn),))
    return _with_undecided(turn, check, windows[:own] + windows[own if shared else own + 1 :])


npc_acts = r.of_check(lambda check: check.team is r.Team.GM, "all.npc")
"""The open action is an NPC's, so all players may answer it."""


def may_pass_for_all(turn: r.Turn) -> r.Refusal | None:
    """This seat may pass for all players: the current decider, or the GM by an option."""
    check, who = unrolled_check(turn), turn.option("pass_for_all")
    if who == "nobody":
        return turn.no("all.nobody")
    if not turn.is_gm or check is None:
        return own_window(turn)
    windows = open_windows(turn, check, check.windows)
    if not windows:
        return turn.no("window.closed")
    if windows[0] not in ("target", "players"):
        return turn.no("window", who=deciders_in_words(turn, check, windows[0]))
    return None if who == "gm" else turn.no("all.players")


def after_all_pass(turn: r.Turn, check: r.Check) -> r.Check:
    """The check after all players have passed."""
    for seat in r.players_with_a_character(turn.table):
        if seat.id not in Attempt.of(check).passed:
            check = Attempt.add(check, passed=(seat.id,))
    windows = Attempt.of(check).undecided
    left = tuple(one for one in windows if one not in ("target", "players"))
    return _with_undecided(turn, check, open_windows(turn, check, left))


def _own_window_index(turn: r.Turn, check: r.Check) -> int:
    """The index of the first window in which this seat decides, or the length."""
    windows = Attempt.of(check).undecided
    for i, window in enumerate(windows):
        if turn.seat in deciders(turn, check, window):
            return i
    return len(windows)


def deciders_in_words(turn: r.Turn, check: r.Check, window: str) -> str:
    """The deciders of a window, in words."""
    if window == "gm":
        return turn.words["side.gm"]
    names = turn.words["list.or"].join(seat.name for seat in deciders(turn, check, window))
    return names or turn.words["side.player"]
