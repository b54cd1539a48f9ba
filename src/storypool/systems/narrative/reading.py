"""A result in words, as a player would say it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from storypool.dice import Rolled
from storypool.systems.narrative import checks
from storypool.table import Check, Outcome, Table
from storypool.words import Words


def reader(words: Words) -> Callable[[Table, Check, tuple[Rolled, ...]], Outcome]:
    """A reader of rolls that speaks in these words."""

    def read(table: Table, check: Check, lies: tuple[Rolled, ...]) -> Outcome:
        outcome = checks.read(table, check, lies)
        return replace(outcome, words=sentence(words, outcome))

    return read


def sentence(words: Words, outcome: Outcome) -> str:
    """The result in one or two sentences: passed or not, what else it brought, and what that means."""
    net = outcome.net
    n = net["success"]
    head = words.say("result.success", n=n) if n > 0 else words.say("result.failure", n=-n)
    if n == 0:
        head = words["result.failure_even"]
    sides = []
    if net["advantage"]:
        name = "advantage" if net["advantage"] > 0 else "threat"
        sides.append(words.say(f"result.{name}", n=abs(net["advantage"])))
    for name in ("triumph", "despair"):
        if net[name]:
            sides.append(words.say(f"result.{name}" + ("_1" if net[name] == 1 else ""), n=net[name]))
    if not sides:
        return words.say("result.plain", head=head)
    listed = ", ".join(sides[:-1]) + (words["result.and"] if len(sides) > 1 else "") + sides[-1]
    text = words.say("result.with", head=head, side=listed)
    if net["triumph"] and not outcome.passed:
        text += words["result.triumph_fails"]
    if net["despair"] and outcome.passed:
        text += words["result.despair_succeeds"]
    return text
