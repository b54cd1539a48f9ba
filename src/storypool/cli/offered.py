"""A seat's choices at a table, as lines to read: open actions, waits, proposals and offers."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from storypool.engine.bag import Bag
from storypool.engine.game.system import System
from storypool.engine.table import Purse
from storypool.words import Words

HIDDEN_CODES = ("when", "identity")
"""The codes of moves that are closed at this time, and not listed."""


def lines(shown: Mapping[str, Any], system: System, words: Words) -> Iterator[str]:
    """The lines for a table with its offers and odds, which are plain data from the server."""
    table = shown["table"]
    for check in table["checks"].values():
        yield from _action(check, shown, system, words)
    for wait in shown["waits"]:
        yield words.say(
            "cli.offers.yours" if wait["yours"] else "cli.offers.wait", text=wait["text"]
        )
    for one in table["proposals"].values():
        who = table["seats"].get(one["seat"], {}).get("name", one["seat"])
        yield words.say("cli.offers.proposal", id=one["id"], who=who, what=one["text"]) + price(
            one["price"], system
        )
    for offer in shown["offers"]:
        if offer["closed"] is None or offer["closed"]["code"] not in HIDDEN_CODES:
            yield from _offer(offer, system, words)


def _action(
    check: Mapping[str, Any], shown: Mapping[str, Any], system: System, words: Words
) -> Iterator[str]:
    actor = shown["table"]["characters"].get(check["actor"], {}).get("name", check["actor"])
    pool = system.notation.show(Bag(check["pool"]))
    hidden = "cli.offers.hidden" if check["seen_by"] else "cli.offers.action"
    yield words.say(hidden, who=actor, title=check["title"], id=check["id"], pool=pool)
    odds = shown["odds"]
    if odds["check"] == check["id"] and odds["odds"]:
        outcome, chance = next(iter(odds["odds"]["outcomes"].items()))
        agreed = "cli.offers.agreed" if check["suggested"] else "cli.offers.odds"
        yield "  " + words.say(
            agreed, chance=f"{float(Fraction(chance)):.2%}", outcome=system.outcome(outcome)
        )


def _offer(offer: Mapping[str, Any], system: System, words: Words) -> Iterator[str]:
    closed = offer["closed"]
    master = system.words["wait.gm"]
    agrees = f" ({words.say('cli.offers.suggests', gm=master)})"
    line = f"{offer['key']}  {offer['title']}{price(offer['price'], system)}"
    if offer["approval"] and not closed:
        line += f" ({words.say('cli.offers.suggests', gm=offer.get('agrees') or master)})"
    yield line
    if closed:
        why = " ".join(filter(None, (closed["text"], closed["remedy"])))
        yield "    " + words.say("cli.offers.closed", why=why)
        return
    for ask in offer["asks"]:
        line = f"    {ask['name']}: {ask['label']}"
        if ask["suggests"]:
            line += agrees
        yield line
        for choice in ask["choices"]:
            note = f" ({choice['note']})" if choice["note"] else ""
            line = f"      {choice['value']}  {choice['label']}{note}"
            if choice["closed"]:
                line += " " + words.say("cli.offers.closed", why=choice["closed"])
            yield line


def missing(asks: Sequence[Mapping[str, Any]], words: Words) -> str:
    """Questions that need answers, a line each: key, label, and open choices or bounds."""
    listed = "".join(f"\n  {ask['name']}: {ask['label']}{_answers(ask)}" for ask in asks)
    return words.say("cli.move.missing", n=len(asks), asks=listed)


def _answers(ask: Mapping[str, Any]) -> str:
    """The possible answers to a question in brackets, or ""."""
    if ask["kind"] == "number":
        return f" [{ask['low']}-{ask['high']}]"
    choices = (choice for choice in ask["choices"] if not choice["closed"])
    listed = ", ".join(f"{choice['value']} ({choice['label']})" for choice in choices)
    return f" [{listed}]" if listed else ""


def price(points: Mapping[str, int], system: System) -> str:
    """A price in brackets, or ""."""
    accounts = ((Purse.read(purse).account, n) for purse, n in points.items())
    price = ", ".join(f"{n} {system.word(account, n)}" for account, n in accounts)
    return f"  [{price}]" if price else ""
