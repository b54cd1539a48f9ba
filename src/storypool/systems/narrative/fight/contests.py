"""Contests: everyone rolls against one difficulty. Source: starwars.md 1.6, Competitive."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from storypool.engine import rules as r
from storypool.systems.narrative.attempt import Attempt
from storypool.systems.narrative.checks import LEVELS, Contest, contests
from storypool.systems.narrative.symbol_dice import AXES, RANKED


@r.gm_move(
    "contest.open",
    when=r.in_session,
    asks=[
        r.TextAsk("title", "What is it about?"),
        r.ChoiceAsk(
            "difficulty",
            "Difficulty for everybody",
            lambda t: [r.Choice(k, t.words[f"level.{k}"]) for k in LEVELS],
        ),
    ],
    rule="Competitive checks",
    place=r.at("scene", 62),
)
def open_contest(turn: r.Turn) -> Iterator[r.Event]:
    """Start a contest

    Everyone who takes part rolls against the same difficulty; most net successes wins.
    """
    contest = Contest(turn.text("difficulty"))
    yield turn.trait("contest", turn.text("title"), until="scene", terms=contest.terms)


@r.gm_move(
    "contest.settle",
    when=r.all_of(r.any_of(contests, "contest.none"), r.idle),
    asks=[r.ChoiceAsk("contest", "Which contest?", contests)],
    rule="Competitive checks",
    place=r.at("scene", 63),
)
def settle_contest(turn: r.Turn) -> Iterator[r.Event]:
    """Settle a contest

    Most net successes wins; a tie goes to the most Triumphs, then the most Advantage; if nobody
    succeeds it is a draw. Everybody reads what comes of the results that all see; where hidden ones
    change it, the GM reads that too.
    """
    contest = turn.table.traits[turn.text("contest")]
    results = turn.table.of_kind("result", at=contest.id)
    for trait in (*results, contest):
        yield r.TraitRemoved(trait.id)
    seen = _result_sentence(turn, contest, [result for result in results if not result.hidden])
    yield turn.trait("contest-result", seen, until="scene")
    if (whole := _result_sentence(turn, contest, results)) != seen:
        yield turn.trait("contest-result", whole, secret=True, until="scene")


@dataclass(frozen=True)
class Result(r.State):
    """A result in a contest: the tiebreakers, and its action."""

    triumph: int | None = None
    advantage: int | None = None
    check: str = ""


def _result_sentence(turn: r.Turn, contest: r.Trait, results: Sequence[r.Trait]) -> str:
    """The result of a contest as a sentence."""
    ranked = RANKED[turn.option("competitive_tiebreak")]

    def merit(result: r.Trait) -> tuple[int, ...]:
        return (result.rating, *(getattr(Result.of(result), symbol) or 0 for symbol in ranked))

    succeeded = [result for result in results if result.rating > 0]
    best = max(map(merit, succeeded), default=())
    winners = [result for result in succeeded if merit(result) == best]
    how = {0: "nobody", 1: "won"}.get(len(winners), "drawn")
    name = turn.table.characters[winners[0].about].name if winners else ""
    return turn.words.say(f"contest.{how}", who=name, title=contest.text)


@r.whenever(r.CheckChanged)
def record_result(turn: r.Turn, event: r.CheckChanged) -> Iterator[r.Event]:
    """Record the result of the first roll of each character in a contest."""
    check = event.check
    contest = Attempt.of(check).contest
    if check.outcome is None or contest not in turn.table.traits:
        return
    if any(result.about == check.actor for result in turn.table.of_kind("result", at=contest)):
        return
    net = check.outcome.net
    n, triumph, advantage = net["success"], net["triumph"], net["advantage"]
    who = turn.table.characters[check.actor]
    came_to = AXES.named(r.Bag(success=n, advantage=advantage, triumph=triumph))
    text = turn.words.say(
        "contest.result", who=who.name, result=r.priced(turn, came_to) or turn.words["nothing"]
    )
    # No seat is its author.
    result = r.Trait(turn.fresh("t"), "result", text, who.id, n, at=contest, until="scene")
    yield r.hidden_like(r.TraitSet(Result(triumph, advantage, check.id).into(result)), check)
