"""Numbers for the next action of a character: taken with its declaration, used up by its roll."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from storypool.engine import rules as r
from storypool.gamefile.action_rows import ActionRows
from storypool.gamefile.file_format.schema import DoRow
from storypool.gamefile.scope import TurnScope

__all__ = ["FORWARD", "ForwardRows", "as_taken", "still_taken", "taken_ids", "total", "used_up"]
__all__ += ["waiting"]

FORWARD = "next-action"
"""The kind of traits that hold a number for the next action; its dash keeps it out of files."""
TAKEN = "next "
"""Prefix of a term of the action: the id of such a trait that it took."""
OF, TERM, N = "of", "term", "n"
"""The terms of such a trait: the keys of its actions, the term that rises, and by how much."""


def waiting(known: TurnScope, hidden: bool) -> list[r.Trait]:
    """The numbers that the action of this scope takes, which its character is about to declare.

    One in the open waits for an action in the open, since its end would reveal a hidden one. One
    for a question waits for an action that asks it.
    """
    found, row = [], known.rules.game.action
    about = known.who.id if known.who is not None else ""
    for trait in known.turn.table.of_kind(FORWARD, about=about):
        of, name = str(trait.terms.get(OF, "")).split(), str(trait.terms.get(TERM, ""))
        ask = known.rules.asks.get(name)
        asked = ask is None or ask.when is None or ask.when.holds(known)
        meant = (not of or row.key in of) and name in row.raised
        if meant and asked and trait.hidden is hidden:
            found.append(trait)
    return found


def total(traits: list[r.Trait]) -> Counter[str]:
    """By how much these numbers raise each name."""
    found = Counter[str]()
    for trait in traits:
        found[str(trait.terms[TERM])] += _number(trait.terms.get(N))
    return found


def taken(terms: Mapping[str, r.Value]) -> dict[str, r.Value]:
    """The terms of an action that record what it took."""
    return {name: value for name, value in terms.items() if name.startswith(TAKEN)}


def taken_ids(check: r.Check) -> list[str]:
    """The ids of the numbers that an action took."""
    return [name.removeprefix(TAKEN) for name in taken(check.terms)]


def as_taken(traits: list[r.Trait]) -> dict[str, str]:
    """What an action records of the numbers that it takes: each term and its number."""
    return {f"{TAKEN}{one.id}": f"{one.terms[TERM]} {_number(one.terms.get(N))}" for one in traits}


def still_taken(terms: Mapping[str, r.Value]) -> Counter[str]:
    """By how much an action's terms rise by what it took."""
    found = Counter[str]()
    for value in taken(terms).values():
        name, _, n = str(value).partition(" ")
        found[name] += int(n)
    return found


def used_up(turn: r.Turn, check: r.Check) -> Iterator[r.Event]:
    """Remove the numbers that a roll used up; an action that is called off leaves them."""
    for id in taken_ids(check):
        if id in turn.table.traits:
            yield r.TraitRemoved(id, turn.words["promise.kept"])


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


class ForwardRows(ActionRows):
    """The rows of one move or reaction that give a number for a next action."""

    def _forward_to(self, row: DoRow, one: r.Character) -> Iterator[r.Event]:
        if not (n := max(-99, min(99, self._n(row)))):
            return
        called, actions = "", self.rules.actions
        of = [actions[key] for key in row.action or actions]
        for each in of:
            ask = each.asks.get(row.forward)
            asked = f"“{ask.label}”" if ask is not None else each.called_term(row.forward)
            called = each.game.action.shown.get(row.forward, called or asked)
        key = "filed.forward.of" if row.action else "filed.forward"
        titles = self.turn.words["list.or"].join(f"“{each.game.action.title}”" for each in of)
        text = self.turn.words.say(key, n=f"{n:+d}".replace("-", "−"), name=called, titles=titles)
        terms: dict[str, r.Value] = {TERM: row.forward, N: n, OF: " ".join(row.action)}
        text = f"{text} ({self.why})"
        yield self.turn.result(FORWARD, text, one.id, until="session", terms=terms)
