"""What is agreed about a test: its target number, its Difficulty, who may touch it, and how it is paid for.

Players pay with Momentum, the GM for NPCs with Threat. Source: seed 004, Skill Test Procedure, Momentum Uses, Adding to
Threat and Spending Threat; rulings.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from storypool.engine import rules as r
from storypool.systems.dune.people.advancement import returnable
from storypool.systems.twod20.dice import D20

ORDINARY = 1
"""The complication range of most tests: only a 20."""
ACTIONS = ("attack", "move", "use")
"""Kinds of test that are a side's action in a conflict. The others are a plain test, and one that opposes another."""


def with_difficulty(check: r.Check, base: int | None = None) -> r.Check:
    """The check with its Difficulty derived: the base that was set, and everything that shifts it, never below 0.

    Source: seed 004, Traits and Spending Threat; dune.md 4.6.
    """
    check = check if base is None else check.with_terms(base=base)
    if "base" not in check.terms:
        return check
    eased = int(bool(check.text("familiarity")))
    return check.with_terms(difficulty=max(0, check.number("base") + sum(check.numbers("shifts")) - eased))


def shifted(check: r.Check, n: int, why: str) -> r.Check:
    """The check made harder or easier, with the reason on record."""
    shifts, reasons = (*check.numbers("shifts"), n), (*check.names("reasons"), f"{n:+d} {why}")
    return with_difficulty(check.with_terms(shifts=shifts, reasons=reasons))


def told_difficulty(turn: r.Turn, check: r.Check) -> str:
    """The Difficulty in words with the parts that make it up, "" while nothing is set: what was set, or rolled by an
    opponent, and each thing that made it easier or harder.
    """
    if "base" not in check.terms:
        return ""
    n, base = check.number("difficulty"), check.number("base")
    parts = [reason.lstrip("+") for reason in check.names("reasons")]
    if trait := turn.table.traits.get(check.text("familiarity")):
        parts.append(f"-1 {trait.text.partition(':')[0]}")
    if parts:
        return turn.words.say("difficulty.parts", n=n, base=base, parts=", ".join(parts))
    if check.against:
        return turn.words.say("difficulty.opponent", n=n)
    return turn.words.say("difficulty.level", n=n, level=turn.words[f"level.{n}"])


def with_target(table: r.Table, check: r.Check, actor: r.Character | None = None) -> r.Check:
    """The check with the abilities that its skill brings, and with its target number, where skill and drive are known:
    their sum; with a focus, up to the skill is a critical. Numbers given by hand stay. `actor` is whoever acts, where
    the table does not know their numbers.

    Source: seed 004, Skill Test Procedure.
    """
    check = with_abilities(table, check)
    if check.terms.get("by_hand"):
        return check
    actor = actor or table.characters.get(check.actor)
    skill, drive = r.rating(actor, check.text("skill")), r.rating(actor, check.text("drive"))
    if skill is None or drive is None:
        return check
    return check.with_terms(target=skill + drive, critical=skill if check.text("focus") else 1)


APPLY = ("proficiency", "familiarity", "guidance")
"""Special abilities that apply themselves. The term of each names it, or nothing where it does not apply."""


def applying(table: r.Table, check: r.Check) -> Iterator[r.Trait]:
    """The abilities that apply to this test by themselves: those of its skill, a helper's guidance, and any other that
    was called for; not those left aside, nor any that the players do not see where they see the test.

    Source: seed 004, Non-player Character Special Abilities; rulings.md.
    """
    for trait in table.of_kind("ability"):
        guides = trait.terms.get("ability") == "guidance"
        theirs = trait.about in check.names("helpers") if guides else trait.about == check.actor
        fits = guides or trait.at == check.text("skill") or trait.id in check.names("used")
        known = check.knows(trait)
        if theirs and fits and known and trait.terms.get("ability") in APPLY and trait.id not in check.names("aside"):
            yield trait


def with_abilities(table: r.Table, check: r.Check) -> r.Check:
    """The check with the abilities that apply to it by themselves, and with the Difficulty that follows."""
    found = {str(trait.terms["ability"]): trait.id for trait in applying(table, check)}
    terms = {key: found.get(key, "") for key in APPLY if key in found or check.text(key)}
    return with_difficulty(check.with_terms(**terms)) if terms else check


def purse(side: str) -> str:
    """The pool that a side saves to and spends from."""
    return "threat" if side == "gm" else "momentum"


def awaits_opponent(check: r.Check) -> bool:
    """Whether this is a contest whose opponent has not rolled yet."""
    return bool(check.against) and "opposed" not in check.terms and check.text("kind") != "oppose"


def opposing(table: r.Table, check: r.Check) -> r.Check | None:
    """The open test that opposes this one, or None."""
    return next((one for one in table.checks.values() if one.text("opposes") == check.id), None)


def passed(check: r.Check) -> bool:
    """Whether the test was rolled, or waved through, and passed."""
    return check.outcome is not None and bool(check.outcome.passed)


def plays(turn: r.Turn, who: r.Character) -> bool:
    """Whether this seat plays this character."""
    return turn.is_gm if who.side == "gm" else who.seat == turn.seat.id


# Conditions.


def own(turn: r.Turn) -> r.Refusal | None:
    """The test is this seat's own: what it costs is paid by nobody else."""
    check = turn.check
    return None if check is None or r.acts_in(turn, check) else turn.no("own")


def own_or_left(turn: r.Turn) -> r.Refusal | None:
    """The test is this seat's own; or nobody who is here plays it, and the GM answers for them."""
    check = turn.check
    left = check is not None and turn.seat.id in r.actor_of(turn.table, check)
    return None if left else own(turn)


def own_or_won(turn: r.Turn) -> r.Refusal | None:
    """The test is this seat's own; or it was lost, and what it brought is for whoever plays the opponent."""
    opponent, outcome = turn.table.characters.get(turn.here.against), turn.here.outcome
    if opponent is None or outcome is None or outcome.passed is not False:
        return own(turn)
    return None if plays(turn, opponent) else turn.no("failed")


in_the_open = r.of_check(lambda check: not check.hidden, "hidden.points", firm=True)
"""A test that the players do not see moves no pool: the change would tell of it."""

known = r.of_check(
    lambda check: "difficulty" in check.terms or check.against or check.text("kind") == "oppose", "difficulty"
)
"""The Difficulty is known, or comes from an opponent: before that, points and dice wait."""

untouched = r.of_check(lambda check: not check.terms.get("touched"), "touched")
"""Nothing has come of the roll yet, so it can still be changed."""

no_offer = r.of_check(lambda check: not check.text("offer"), "offer.made")
"""No point of Determination was offered for this test."""


in_full = r.of_check(lambda check: not check.terms.get("at_cost"), "at_cost.further")
"""The success was not bought at a cost, so more can come of it."""


def succeeded(turn: r.Turn) -> r.Refusal | None:
    """The test was passed, and not at a cost, or it was lost to this side: Momentum can be spent on it."""
    check = turn.here
    if check.terms.get("at_cost"):
        return turn.no("at_cost.spend")
    if check.owed[purse(turn.seat.side)] or check.outcome is None or check.outcome.passed is not False:
        return None
    return turn.no("failed")


in_play = partial(r.move, by=["gm"], when=r.in_session)
"""A move of the GM while a session is going on."""
spend = partial(r.move, when=r.rolled, group="spend")
"""A move that makes something of the roll."""


def overflowing(turn: r.Turn) -> str:
    """What closing the test would lose, because the pool has no room for it."""
    check = turn.check
    if check is None or check.phase != "rolled":
        return ""
    for account, n in check.owed.items():
        most = turn.system.by_account[account].most(turn.table, "")
        lost = 0 if most is None else turn.table.balance(account) + n - most
        if lost > 0:
            return turn.words.say("momentum.overflows", n=lost)
    return ""


# Payment.

SUBSTITUTES = {
    "seed": ("dice", "resist", "initiative"),
    "immediate_only": ("dice", "resist", "initiative", "trait"),
}
"""What players may pay for by adding to Threat, by the option `threat_substitution`; "any" is everything."""
APART = ("resist", "initiative")
"""What is paid for apart from any test: nothing of it stands on one that happens to be open."""


@dataclass(frozen=True, slots=True)
class Payment:
    """A price in points, by what it is for: the questions, the price of the row, and the paying.

    `cost` may look at the answers. Where points of this roll are still owed, they are taken first.
    """

    what: str
    cost: Callable[[r.Turn], int] = lambda turn: 2

    @property
    def asks(self) -> tuple[r.Ask, r.Ask]:
        """How much is paid by adding to Threat, and how much from the pool."""
        label, default = "How much by adding to Threat?", self._shortfall
        threat = r.NumberAsk("threat", label, default=default, needed=False, high=20, shown=self.may_add)
        # Settled when the move is made, so that a proposal costs what it said.
        saved = r.NumberAsk("saved", "From the pool", default=self._from_pool, needed=False, high=99, quiet=True)
        return threat, saved

    def price(self, turn: r.Turn) -> r.Bag:
        """Momentum of the players, or Threat of the GM for an NPC, as far as this roll did not bring it"""
        n = turn.number("saved", self._from_pool(turn))
        return r.Bag({purse(turn.seat.side): max(0, n)})

    def paid(self, turn: r.Turn) -> Iterator[r.Event]:
        """What follows when the price of the row was taken: this roll's own points, and Threat, for the rest."""
        cost, threat, saved = self.cost(turn), self._threat(turn), turn.number("saved", self._from_pool(turn))
        check, pool, owed = self._test(turn), purse(turn.seat.side), self._owed(turn)
        brought = cost - threat - saved
        if brought < 0:
            raise turn.refused("argument", "too.much", "threat", price=cost)
        if brought > owed:
            have = turn.table.balance(pool) + saved + owed
            raise r.Refused(replace(turn.short(pool, cost - threat, have), code="price"))
        if threat:
            yield from turn.change("threat", threat, why=turn.title)
        if check is None:
            return
        if check.phase == "build":
            spent = check.spent + returnable(turn, r.Points({r.Purse(pool): saved}))
            yield turn.amend(check.with_terms(added=check.number("added") + threat), spent=spent)
        elif brought:
            yield turn.amend(check.with_terms(touched=True), owed=check.owed - r.Bag({pool: brought}))

    def held(self, turn: r.Turn) -> r.Held:
        """What a proposal holds of what this roll owes, until it is answered."""
        brought = self.cost(turn) - self._threat(turn) - turn.number("saved", self._from_pool(turn))
        return r.Held(owed=r.Bag({purse(turn.seat.side): max(0, brought)}))

    def may_add(self, turn: r.Turn) -> bool:
        """Whether these players may pay for this by adding to Threat."""
        allowed = SUBSTITUTES.get(turn.option("threat_substitution"))
        return turn.seat.side == "player" and (allowed is None or self.what in allowed)

    def _threat(self, turn: r.Turn) -> int:
        return turn.number("threat", self._shortfall(turn) or 0) if self.may_add(turn) else 0

    def _test(self, turn: r.Turn) -> r.Check | None:
        return None if self.what in APART else turn.check

    def _owed(self, turn: r.Turn) -> int:
        check = self._test(turn)
        return check.owed[purse(turn.seat.side)] if check else 0

    def _shortfall(self, turn: r.Turn) -> int | None:
        """What Momentum cannot cover: the least that has to be added to Threat."""
        if not self.may_add(turn):
            return None
        return max(0, self.cost(turn) - self._owed(turn) - turn.table.balance("momentum"))

    def _from_pool(self, turn: r.Turn) -> int:
        return max(0, self.cost(turn) - self._threat(turn) - self._owed(turn))


def refunded(turn: r.Turn, check: r.Check) -> Iterator[r.Event]:
    """Everything that was paid for a test that is called off comes back, and what was added to Threat goes."""
    yield from turn.refund(check.spent, check.title)
    yield from _taken_out(turn, check)


def unbought(turn: r.Turn) -> Iterator[r.Event]:
    """What was added to Threat for the open test goes, with the dice and the Difficulty that points bought."""
    check = turn.here
    yield from _taken_out(turn, check)
    shifts = zip(check.numbers("shifts"), check.names("reasons"), strict=True)
    kept = [(n, why) for n, why in shifts if why not in check.names("raised")]
    bought = sum(mod.n for mod in check.mods if mod.kind == "add" and mod.die == D20.name)
    check = check.with_terms(shifts=tuple(n for n, _ in kept), reasons=tuple(why for _, why in kept))
    yield turn.amend(with_difficulty(check.with_terms(raised=(), bought=bought, added=0)))


def _taken_out(turn: r.Turn, check: r.Check) -> Iterator[r.Event]:
    """The points that players added to Threat for a test, as far as they are still there."""
    added = min(check.number("added"), turn.table.balance("threat"))
    if added:
        yield from turn.change("threat", -added, why=turn.words.say("points.refund", what=check.title))
