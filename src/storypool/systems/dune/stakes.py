"""What the odds of an open test are, and what rolling again is worth after it."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import chain, combinations

from storypool.engine import rules as r
from storypool.odds import odds
from storypool.odds import question as answers
from storypool.odds.question import Question, Worth
from storypool.systems.dune.conditions import holds_any
from storypool.systems.dune.determination import applies, blanks
from storypool.systems.dune.odds import reckon
from storypool.systems.dune.pools import dice_price, room
from storypool.systems.dune.skill_test_rolls import bind, places
from storypool.systems.dune.skill_test_terms import ORDINARY, SkillTest, awaits_opponent
from storypool.systems.twod20.dice import AXES, BASE, D20, HELPER, ONE
from storypool.systems.twod20.odds import with_help

REROLL = "determination.reroll"

TRIED = frozenset(
    {
        "ability.leave",
        "ability.use",
        "check.assist",
        "check.difficulty",
        "check.drive",
        "check.simple",
        "check.trait",
        "determination.one",
        "dice.buy",
        "proposal.accept",
        "threat.harder",
    }
)
"""The moves that can change what an open test rolls."""


def question(table: r.Table, check: r.Check) -> Question | None:
    """The question about the odds of a test, as far as it is agreed; none before that."""
    test = SkillTest.of(check)
    opposes = test.opposes
    if test.target is None or awaits_opponent(check) or (test.difficulty is None and not opposes):
        return None
    if check.phase == "build" and opposes and not test.difficulty:
        return None
    numbers = {
        "target": test.target,
        "focus": test.critical or 1,
        "difficulty": (test.difficulty or 0) + max(0, test.contest.rival or 0),
        "range": test.range or ORDINARY,
    }
    terms = {key: str(n) for key, n in numbers.items()}
    if assist := ",".join(f"{one.target}:{one.critical}" for one in test.helpers):
        terms["assist"] = assist
    return Question(check.pool.only([D20.name, ONE.name]), terms)


def further(table: r.Table, check: r.Check) -> Iterator[Worth]:
    """The uses of points beyond the roll: dice paid with Threat, and rolling again."""
    asked, test = question(table, check), SkillTest.of(check)
    # A test that the players do not see moves no pool.
    if asked is None or check.hidden:
        return
    if check.phase == "build":
        now = reckon(asked).outcomes
        if check.team is r.Team.PLAYERS:
            yield from _with_threat(check, asked, now)
        if applies(table, check):
            again = r.replace(asked, terms={**asked.terms, "reroll": "failed"})
            yield Worth(REROLL, {"which": "failed"}, now, reckon(again).outcomes)
    elif check.outcome and places(check) and not test.touched and not holds_any(table, check):
        yield from _after(table, check, int(asked.terms["difficulty"]))


def _with_threat(check: r.Check, asked: Question, now: Mapping[str, Fraction]) -> Iterator[Worth]:
    """The dice that players pay for wholly by adding to Threat: one, two, three."""
    for n in range(1, room(check) + 1):
        cost = dice_price(
            SkillTest.of(check).bought, n, bool(SkillTest.of(check).abilities.proficiency)
        )
        more = r.replace(asked, pool=asked.pool + r.Bag({D20.name: n}))
        args: dict[str, str | int] = {"n": n, "threat": cost}
        yield Worth(
            "dice.buy", args, now, reckon(more).outcomes, adds=r.Points({r.Purse("threat"): cost})
        )


def _after(table: r.Table, check: r.Check, difficulty: int) -> Iterator[Worth]:
    """The best dice to roll again, and the change they make; of equal choices, the fewest."""
    assert check.outcome is not None
    if len(check.rolled) != len(bind(table, check)):
        return  # A table without enforcement has changed the pool after its roll.
    passed = check.outcome.passed
    name = {None: "successes", True: "momentum", False: "pass"}[passed]

    def worth(kept: int, helped: int, successes: int) -> Fraction:
        n = with_help(kept + successes, helped)
        return Fraction(
            {"successes": n, "momentum": max(0, n - difficulty), "pass": int(n >= difficulty)}[name]
        )

    now = best = worth(0, 0, check.outcome.net["successes"])
    die, free = SkillTest.of(check).die, places(check)
    which: tuple[int, ...] = ()
    for chosen in chain.from_iterable(combinations(free, n + 1) for n in range(len(free))):
        kept, helped = _kept_successes(table, check, chosen)
        if passed and with_help(kept, helped) < difficulty:
            continue
        more = odds({die: len(chosen)}, AXES).on("successes")
        mean = more.mean(partial(worth, kept, helped))
        if mean > best:
            best, which = mean, chosen
    if which:
        named = {tuple(free): "all", tuple(blanks(check)): "failed"}
        args = {"which": named.get(which) or " ".join(map(str, which))}
        yield Worth(
            REROLL, args, {name: now}, {name: best}, of="chance" if name == "pass" else "amount"
        )


def _kept_successes(table: r.Table, check: r.Check, chosen: Sequence[int]) -> tuple[int, int]:
    """The successes that stay when these dice are taken up: the leader's, the helpers'."""
    kept = r.Bag()
    for i, (rolled, die) in enumerate(zip(check.rolled, bind(table, check), strict=True), 1):
        if i not in chosen:
            kept += r.Bag({rolled.die: die.face(rolled.face)["success"]})
    return kept.total - kept[HELPER.name], kept[HELPER.name]


def scene(question: Question) -> str:
    """A play of a test by numbers that need no consent; the statement applies."""
    given = question.terms
    terms = ("drive=duty", f"target={given.get('target', 0)}", f"twice={given.get('focus', 1)}")
    task = (
        f"difficulty={given.get('difficulty', 1)}",
        f"range={given.get('range', 1)}",
        "fit=applies",
    )
    lines = [" ".join(["check.declare as=hero", *terms, *task])]
    if question.pool[D20.name] > BASE:
        lines.append(f"dice.buy n={question.pool[D20.name] - BASE}")
    return answers.scene(
        "dune", "battle=7 duty=7", "momentum=6 threat=6 hero.determination=3", *lines
    )
