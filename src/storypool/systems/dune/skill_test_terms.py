"""A skill test. Source: seed 004, Skill Test Procedure and Spending Threat; rulings.md."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from storypool.engine import rules as r
from storypool.systems.twod20.dice import D20, bound

ORDINARY = 1
"""The complication range of most tests: only a 20."""
ACTIONS = ("attack", "move", "use")
"""Kinds of test that are a side's action in a conflict; others are plain, or oppose another."""
APPLY = ("proficiency", "familiarity", "guidance")
"""Special abilities that apply themselves."""


@dataclass(frozen=True)
class Shift(r.State):
    """What makes a test harder or easier, with its reason: "+1 Shield"."""

    renamed: ClassVar = {"n": "shifts", "why": "reasons"}

    n: int = 0
    why: str = ""


@dataclass(frozen=True)
class Helper(r.State):
    """A character who helps: their target number, and the highest face that is critical."""

    renamed: ClassVar = {
        "who": "helpers",
        "target": "helper_targets",
        "critical": "helper_criticals",
    }

    who: str = ""
    target: int = 0
    critical: int = 1


@dataclass(frozen=True)
class Gone(r.State):
    """Points that were paid for a test and stay spent when it is called off."""

    renamed: ClassVar = {"account": "gone", "n": "gone_n"}

    account: str = ""
    n: int = 0


@dataclass(frozen=True)
class Abilities(r.State):
    """Special abilities: those that apply themselves, those used, and those left aside."""

    proficiency: str = ""
    familiarity: str = ""
    guidance: str = ""
    used: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()


@dataclass(frozen=True)
class Contest(r.State):
    """A side of a contest: the test it `opposes`, or whether and with which skill it was `opposed`.

    Where both test at one Difficulty, `rival` is the opponent's Momentum.
    """

    opposes: str = ""
    opposed: bool = False
    opponent_skill: str = ""
    both_test: bool = False
    rival: int | None = None


@dataclass(frozen=True)
class Deed(r.State):
    """The purpose of a test: part of a `task`, or a move or `use` of an asset.

    An asset is moved to the zone `to`, in this `style`.

    A use is about the trait `at`, and brings `text` for `whom`. The asset that it brings may last
    (`keeps`).
    """

    task: str = ""
    asset: str = ""
    to: str = ""
    style: str = ""
    use: str = ""
    at: str = ""
    text: str = ""
    whom: str = ""
    keeps: bool = False


@dataclass(frozen=True)
class SkillTest(r.State):
    """What is agreed about a test, and what has come of it.

    `fit` says whether the statement of the drive applies, "" while that is open; `offer` what
    became of a point offered for it. It is `let_be` where the GM set the Difficulty and offered
    none. Threat has `raised` some of the shifts. `bought` are dice, `added` points added to Threat;
    each of `traits` has helped or hindered. `again` are the places of dice rolled again. Once
    `touched`, the roll is not changed any more; a failure that is `answered` is accepted. A success
    `at_cost` is not paid for while its complication is `unpaid`.
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
    shifts: tuple[Shift, ...] = ()
    raised: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    helpers: tuple[Helper, ...] = ()
    bought: int = 0
    added: int = 0
    gone: tuple[Gone, ...] = ()
    abilities: Abilities = Abilities()
    contest: Contest = Contest()
    deed: Deed = Deed()
    again: tuple[int, ...] = ()
    touched: bool = False
    at_cost: bool = False
    unpaid: bool = False
    scored: bool = False
    answered: bool = False
    extra: bool = False

    @property
    def opposes(self) -> bool:
        return self.kind == "oppose"

    @property
    def helping(self) -> tuple[str, ...]:
        return tuple(one.who for one in self.helpers)

    @property
    def die(self) -> r.Die:
        """The d20 of the character who acts, with what its faces say against the target number."""
        if not self.target:
            return D20
        return bound(D20.name, self.target, self.critical or 1, self.range or ORDINARY)


def of_test(holds: Callable[[SkillTest], object], reason: str, firm: bool = False) -> r.Condition:
    """The condition on the open test that this holds; else it refuses with `reason`."""
    return r.of_check(lambda check: holds(SkillTest.of(check)), reason, firm)


@dataclass(frozen=True)
class Ability(r.State):
    """Which special ability it is, and the Threat that it costs, where that is agreed."""

    ability: str = ""
    price: int = 0


def with_difficulty(check: r.Check, base: int | None = None) -> r.Check:
    """The check with its Difficulty: its base, and what shifts it. Source: dune.md 4.6."""
    test = SkillTest.of(check)
    base = test.base if base is None else base
    if base is None:
        return check
    shift = sum(one.n for one in test.shifts) - bool(test.abilities.familiarity)
    return SkillTest.put(check, base=base, difficulty=max(0, base + shift))


def shifted(check: r.Check, n: int, why: str) -> r.Check:
    return with_difficulty(SkillTest.add(check, shifts=(Shift(n, f"{n:+d} {why}"),)))


def changes_of(table: r.Table, check: r.Check) -> list[str]:
    """The changes of a test's Difficulty, each with its number and sign."""
    changes = [one.why for one in SkillTest.of(check).shifts]
    if eased := table.traits.get(SkillTest.of(check).abilities.familiarity):
        changes.append(f"-1 {eased.text.partition(':')[0]}")
    return changes


def sum_of(table: r.Table, check: r.Check) -> str:
    """The sum behind the Difficulty, such as "1 + 1 Shield"; "" if nothing changes its base."""
    signed = [f"{one[0]} {one[1:]}" for one in changes_of(table, check)]
    return " ".join([str(SkillTest.of(check).base), *signed]) if signed else ""


def difficulty_in_words(turn: r.Turn, check: r.Check) -> str:
    """The Difficulty with the parts that make it up, or "" while nothing is set."""
    n, base, words = SkillTest.of(check).difficulty, SkillTest.of(check).base, turn.words
    if base is None:
        return ""
    if parts := ", ".join(one.lstrip("+") for one in changes_of(turn.table, check)):
        id = "difficulty.rolled" if check.against else "difficulty.parts"
        return words.say(id, n=n, base=base, parts=parts)
    if check.against:
        return words.say("difficulty.opponent", n=n)
    return words.say("difficulty.level", n=n, level=words[f"level.{n}"])


def with_target(table: r.Table, check: r.Check, actor: r.Character | None = None) -> r.Check:
    """The check with the abilities of its skill, and its target number: skill plus drive.

    With a focus, up to the skill is a critical. Numbers given by hand stay. `actor` is the
    character who acts, where the table does not know their numbers. Source: seed 004, Skill Test
    Procedure.
    """
    check = with_abilities(table, check)
    test, actor = SkillTest.of(check), actor or table.actor(check)
    skill, drive = r.rating(actor, test.skill), r.rating(actor, test.drive)
    if test.by_hand or skill is None or drive is None:
        return check
    return SkillTest.put(check, target=skill + drive, critical=skill if test.focus else 1)


def applying(table: r.Table, check: r.Check) -> Iterator[r.Trait]:
    """The abilities that apply automatically, as players may know. Source: rulings.md."""
    test = SkillTest.of(check)
    for trait in table.of_kind("ability"):
        key = Ability.of(trait).ability
        guides = key == "guidance"
        theirs = trait.about in test.helping if guides else trait.about == check.actor
        fits = guides or trait.at == test.skill or trait.id in test.abilities.used
        left = key not in APPLY or trait.id in test.abilities.aside
        if theirs and fits and not left and check.knows(trait):
            yield trait


def with_abilities(table: r.Table, check: r.Check) -> r.Check:
    """The check with the abilities that apply automatically, and the resulting Difficulty."""
    found = {Ability.of(trait).ability: trait.id for trait in applying(table, check)}
    return with_difficulty(Abilities.put(check, **{key: found.get(key, "") for key in APPLY}))


def with_gone(check: r.Check, paid: r.Points) -> r.Check:
    """The check with what was paid now and stays spent, such as for a declaration."""
    return SkillTest.add(check, gone=tuple(Gone(purse.account, n) for purse, n in paid.items()))


def gone(check: r.Check) -> r.Bag:
    """What was paid for this test and stays spent when it is called off."""
    return sum((r.Bag({one.account: one.n}) for one in SkillTest.of(check).gone), r.NOTHING)


def awaits_opponent(check: r.Check) -> bool:
    return bool(check.against) and not Contest.of(check).opposed and not SkillTest.of(check).opposes


def opposing(table: r.Table, check: r.Check) -> r.Check | None:
    """The open test that opposes this one, or None."""
    return next((one for one in table.checks.values() if Contest.of(one).opposes == check.id), None)


def opposed(table: r.Table, check: r.Check | None) -> r.Check | None:
    """The open test that this one opposes, or None."""
    return table.checks.get(Contest.of(check).opposes) if check else None


def pass_on_result(turn: r.Turn, check: r.Check) -> r.Events:
    """Make an opponent's successes the Difficulty of the other, or their Momentum its rival."""
    first, outcome = opposed(turn.table, check), check.outcome
    if first is None or outcome is None:
        return
    first = Contest.put(first, opposed=True, opponent_skill=SkillTest.of(check).skill)
    what = outcome.words
    if Contest.of(check).both_test:
        rival = outcome.margin if outcome.passed else -1
        first = Contest.put(with_difficulty(first, 1), rival=rival)
    else:
        first = with_difficulty(first, outcome.net["successes"])
        what = difficulty_in_words(turn, first)
    yield turn.amend(first, what, windows=())
