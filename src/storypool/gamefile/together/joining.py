"""The moves with which characters join an action before its roll, and leave it again."""

from __future__ import annotations

from collections.abc import Iterator
from functools import wraps

from storypool.engine import rules as r
from storypool.engine.copies import replace
from storypool.gamefile.action_rows import worked_out
from storypool.gamefile.file_format.expressions import JOINED
from storypool.gamefile.file_format.schema import ActionRow
from storypool.gamefile.file_rules import Rules
from storypool.gamefile.move_asks import ACTOR_ASK
from storypool.gamefile.move_rows import NextWindow, compiled_move
from storypool.gamefile.together.joined import (
    PAID,
    PLACES,
    joined,
    joined_by_seat,
    joining_row,
    without,
)

__all__ = ["LEAVE", "join_moves", "parted"]

LEAVE = "check.leave"
"""The key of the move that leaves an action again."""


def join_moves(rules: Rules, next_window: NextWindow) -> Iterator[r.Move]:
    """The moves to join each action that others can join, and the one to leave it again."""
    for one in rules.actions.values():
        if one.game.action.together:
            yield _join(one, one.game.action, next_window)
    if any(row.together for row in rules.game.actions):
        yield _leave(rules)


def parted(rules: Rules, check: r.Check, *ids: str) -> r.Check:
    """The action as these characters leave it: without them, and without the dice they added."""
    together = rules.of(check).game.action.together
    if together is None:
        return check
    mods = (mod for mod in check.mods if not (mod.by in ids and mod.why == together.title))
    return replace(check, terms=without(check.terms, *ids), mods=tuple(mods))


def _join(rules: Rules, action: ActionRow, next_window: NextWindow) -> r.Move:
    row, together = joining_row(action), action.together
    assert row is not None
    assert together is not None
    most = together.most

    def may_join(turn: r.Turn, one: r.Character) -> bool:
        check = turn.check
        if check is None or one.side != check.side or not check.knows(one):
            return False
        return one.id not in (check.actor, *joined(check.terms))

    def has_room(turn: r.Turn) -> r.Refusal | None:
        """There is room for one more in the action."""
        check = turn.check
        if check is None or len(joined(check.terms)) < most:
            return None
        return turn.no("filed.join.full", n=most)

    move = compiled_move(rules, row, next_window, movers=r.characters(own=True, only=may_join))

    @wraps(move.body)
    def body(turn: r.Turn) -> Iterator[r.Event]:
        before = turn.here
        yield from move.body(turn)
        check, id = turn.here, turn.text(ACTOR_ASK)
        new = check.mods[len(before.mods) :]
        mods = (*before.mods, *(replace(mod, by=id) for mod in new))
        there = joined(check.terms)
        terms = {**check.terms, PLACES[len(there)]: id, JOINED: len(there) + 1}
        if paid := check.spent - before.spent:
            terms[f"{PAID}{id}"] = " ".join(f"{purse} {n}" for purse, n in paid.items())
        what = turn.words.say("filed.joins", who=turn.table.characters[id].name)
        changed = replace(check, mods=mods)
        yield turn.amend(changed, what, mods=mods, **worked_out(rules, turn, changed, terms))

    return replace(move, body=body, only_if=(*move.only_if, has_room))


def _leave(rules: Rules) -> r.Move:
    @r.move(
        LEAVE,
        when=r.building,
        only_if=[r.any_of(joined_by_seat, "filed.join.none")],
        asks=[r.ChoiceAsk(ACTOR_ASK, "Who?", joined_by_seat, first=True)],
        rule=rules.game.name,
        place=r.at("actions", 41),
    )
    def leave(turn: r.Turn) -> Iterator[r.Event]:
        """Step back

        What it cost to join comes back.
        """
        check, id = turn.here, turn.text(ACTOR_ASK)
        one, words = rules.of(check), str(check.terms.get(f"{PAID}{id}", "")).split()
        paid = r.Points(
            {r.Purse.read(purse): int(n) for purse, n in zip(words[::2], words[1::2], strict=True)}
        )
        left = parted(rules, check, id)
        what = turn.words.say("filed.leaves", who=turn.table.characters[id].name)
        changes = worked_out(one, turn, replace(check, mods=left.mods), left.terms)
        yield turn.amend(check, what, mods=left.mods, spent=check.spent - paid, **changes)
        yield from turn.refund(paid, check.title)

    return leave
