"""A skill test: what is agreed about it, what has come of it, and its Difficulty and target number.

Source: seed 004, Skill Test Procedure and Spending Threat; rulings.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from storypool.engine import rules as r
from storypool.systems.twod20.dice import D20, bound

ORDINARY = 1
"""The complication range of most tests: only a 20."""
ACTIONS = ("attack", "move", "use")
"""Kinds of test that are a side's action in a conflict; others are a plain test, and one that
opposes another.
"""
APPLY = ("proficiency", "familiarity", "guidance")
"""Special abilities that apply themselves. The term of each names it, or nothing where it does not
apply.
"""


@dataclass(frozen=True)
class Test(r.State):
    """What is agreed about a test, and what has come of it.

    The numbers are `target`, the Difficulty with its `base` and what shifts it for which `reasons`
    (Threat has `raised` some), the highest face that is `critical`, and the `range` of
    complications. `fit` says whether the statement of the drive applies, "" while that is open;
    `offer` what became of a point offered for it. It is `let_be` where the GM set the Difficulty
    and offered none. `bought` are dice, `added` points added to Threat; `gone` are accounts from
    which `gone_n` points were paid that do not come back; `used` and `aside` special abilities;
    `traits` have helped or hindered. In a contest a test `opposes` another, or was `opposed`, with
    the Momentum of the `rival` where both test. An action has its `asset`; a move its `style` and
    zone, `to`; a use of an asset what for (`use`), on what (`at`), and what comes of it (`text`)
    for `whom`. `again` are the places of dice rolled again. Once `touched`, the roll is not changed
    any more; a failure that is `answered` is accepted. A success `at_cost` is not paid for while
    its complication is `unpaid`.
    """

    kind: str = ""
    skill: str = ""
    drive: str = ""
    focus: str = ""
    fit: str = ""
    offer: str = ""
    let_be: bool = False
    by_hand: bool = False
    target: int | None = None
    critical: int = 0
    range: int = 0
    base: int | None = None
    difficulty: int | None = None
    shifts: tuple[int, ...] = ()
    reasons: tuple[str, ...] = ()
    raised: tuple[str, ...] = ()
    bought: int = 0
    added: int = 0
    gone: tuple[str, ...] = ()
    gone_n: tuple[int, ...] = ()
    proficiency: str = ""
    familiarity: str = ""
    guidance: str = ""
    used: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    helpers: tuple[str, ...] = ()
    helper_targets: tuple[int, ...] = ()
    helper_criticals: tuple[int, ...] = ()
    opposes: str = ""
    opposed: bool = False
    opponent_skill: str = ""
    both_test: bool = False
    rival: int | None = None
    task: str = ""
    asset: str = ""
    style: str = ""
    to: str = ""
    use: str = ""
    at: str = ""
    text: str = ""
    whom: str = ""
    again: tuple[int, ...] = ()
    touched: bool = False
    at_cost: bool = False
    unpaid: bool = False
    scored: bool = False
    answered: bool = False
    keeps: bool = False
    extra: bool = False

    @property
    def is_action(self) -> bool:
        """Whether it is a side's action in a conflict."""
        return self.kind in ACTIONS

    @property
    def die(self) -> r.Die:
        """The d20 of the character who acts, with what its faces say against the target number."""
        return (
            bound(D20.name, self.target, self.critical or 1, self.range or ORDINARY)
            if self.target
            else D20
        )

    @property
    def helping(self) -> tuple[tuple[int, int], ...]:
        """The target number of each helper, and the highest face that is critical for them."""
        return tuple(zip(self.helper_targets, self.helper_criticals, strict=True))


@dataclass(frozen=True)
class Ability(r.State):
    """Which special ability it is, and the Threat that it costs, where that is agreed."""

    ability: str = ""
    price: int = 0


def with_difficulty(check: r.Check, base: int | None = None) -> r.Check:
    """Return the check with its Difficulty derived: the base that was set, and all that shifts it,
    never below 0.

    Source: seed 004, Traits and Spending Threat; dune.md 4.6.
    """
    test = Test.of(check)
    base = test.base if base is None else base
    if base is None:
        return check
    eased = int(bool(test.familiarity))
    return Test.put(check, base=base, difficulty=max(0, base + sum(test.shifts) - eased))


def shifted(check: r.Check, n: int, why: str) -> r.Check:
    """Return the check made harder or easier, with the reason on record."""
    return with_difficulty(Test.add(check, shifts=(n,), reasons=(f"{n:+d} {why}",)))


def changes_of(table: r.Table, check: r.Check) -> list[str]:
    """Return the changes of a test's Difficulty, each with its number and sign."""
    test = Test.of(check)
    eased = table.traits.get(test.familiarity)
    return [*test.reasons, *([f"-1 {eased.text.partition(':')[0]}"] if eased else [])]


def sum_of(table: r.Table, check: r.Check) -> str:
    """Return the sum behind the Difficulty, such as "1 + 1 Shield"; "" if nothing changes its
    base.
    """
    changes = changes_of(table, check)
    signed = [f"{one[0]} {one[1:]}" for one in changes]
    return " ".join([str(Test.of(check).base), *signed]) if changes else ""


def difficulty_in_words(turn: r.Turn, check: r.Check) -> str:
    """Return the Difficulty with the parts that make it up, or "" while nothing is set: what was
    set, or rolled by an opponent, and each thing that made it easier or harder.
    """
    test = Test.of(check)
    if test.base is None:
        return ""
    n, parts = test.difficulty, [reason.lstrip("+") for reason in changes_of(turn.table, check)]
    if parts:
        id = "difficulty.rolled" if check.against else "difficulty.parts"
        return turn.words.say(id, n=n, base=test.base, parts=", ".join(parts))
    if check.against:
        return turn.words.say("difficulty.opponent", n=n)
    return turn.words.say("difficulty.level", n=n, level=turn.words[f"level.{n}"])


def with_target(table: r.Table, check: r.Check, actor: r.Character | None = None) -> r.Check:
    """Return the check with the abilities that its skill brings, and with its target number, where
    skill and drive are known: their sum; with a focus, up to the skill is a critical. Numbers given
    by hand stay. `actor` is the character who acts, where the table does not know their numbers.

    Source: seed 004, Skill Test Procedure.
    """
    check = with_abilities(table, check)
    test, actor = Test.of(check), actor or table.actor(check)
    skill, drive = r.rating(actor, test.skill), r.rating(actor, test.drive)
    if test.by_hand or skill is None or drive is None:
        return check
    return Test.put(check, target=skill + drive, critical=skill if test.focus else 1)


def applying(table: r.Table, check: r.Check) -> Iterator[r.Trait]:
    """Yield the abilities that apply to this test by themselves: those of its skill, a helper's
    guidance, and any other that was called for; not those left aside, nor any that the players do
    not see where they see the test.

    Source: seed 004, Non-player Character Special Abilities; rulings.md.
    """
    test = Test.of(check)
    for trait in table.of_kind("ability"):
        key = Ability.of(trait).ability
        guides = key == "guidance"
        theirs = trait.about in test.helpers if guides else trait.about == check.actor
        fits = guides or trait.at == test.skill or trait.id in test.used
        if theirs and fits and check.knows(trait) and key in APPLY and trait.id not in test.aside:
            yield trait


def with_abilities(table: r.Table, check: r.Check) -> r.Check:
    """Return the check with the abilities that apply to it by themselves, and with the Difficulty
    that follows.
    """
    found = {Ability.of(trait).ability: trait.id for trait in applying(table, check)}
    return with_difficulty(Test.put(check, **{key: found.get(key, "") for key in APPLY}))


def with_gone(check: r.Check, paid: r.Points) -> r.Check:
    """Return the check with what was paid now and stays spent when it is called off, such as a
    declaration.
    """
    return Test.add(check, gone=tuple(purse.account for purse in paid), gone_n=tuple(paid.values()))


def gone(check: r.Check) -> r.Bag:
    """Return what was paid for this test and stays spent when it is called off."""
    test = Test.of(check)
    return sum(
        (r.Bag({name: n}) for name, n in zip(test.gone, test.gone_n, strict=True)), r.NOTHING
    )


def awaits_opponent(check: r.Check) -> bool:
    """Whether this is a contest whose opponent has not rolled yet."""
    return bool(check.against) and not Test.of(check).opposed and Test.of(check).kind != "oppose"


def opposing(table: r.Table, check: r.Check) -> r.Check | None:
    """Return the open test that opposes this one, or None."""
    return next((one for one in table.checks.values() if Test.of(one).opposes == check.id), None)


def pass_on_result(turn: r.Turn, check: r.Check) -> Iterator[r.Event]:
    """Make the successes of an opponent's test the Difficulty of the other, or its Momentum what
    must be met.
    """
    test, outcome = Test.of(check), check.outcome
    first = turn.table.checks.get(test.opposes)
    if first is None or outcome is None:
        return
    first = Test.put(first, opposed=True, opponent_skill=test.skill)
    if test.both_test:
        rival = outcome.margin if outcome.passed else -1
        yield turn.amend(
            Test.put(with_difficulty(first, 1), rival=rival), outcome.words, windows=()
        )
    else:
        first = with_difficulty(first, outcome.net["successes"])
        yield turn.amend(first, difficulty_in_words(turn, first), windows=())
