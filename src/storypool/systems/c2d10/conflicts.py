"""Conflicts: stakes, sides, circumstances, assets, and progress.

Source: c2d10.md 2.5; seed 001, Uses for hero and villain points; rulings.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from storypool.engine import rules as r
from storypool.systems.c2d10.dice import ACTIVE
from storypool.systems.c2d10.prices import buys, keeps_price
from storypool.systems.c2d10.sides import stance
from storypool.systems.c2d10.test import Test, roller, winner

USUAL_DC = 2
"""The default DC of a test."""
ROUNDS = 3
"""The planned rounds of a conflict, for its default target."""
PROGRESS = 2
"""The progress of a passing test, without its excess."""
TYPES = ("unopposed", "opposed", "duel")


@dataclass(frozen=True)
class Conflict(r.State):
    """A conflict: its type, the stakes of both sides, and the fighters of a duel.

    It is `begun` once the first test in it is done.
    """

    type: str = ""
    dc: int | None = None
    stake: str = ""
    their_stake: str = ""
    one: str = ""
    other: str = ""
    begun: bool = False


@dataclass(frozen=True)
class Circumstance(r.State):
    """A circumstance, by name."""

    name: str = ""


_NONE = r.Trait("", "conflict", "")


def current(table: r.Table) -> r.Trait:
    """The open conflict; without one, a conflict with no id and no type."""
    return next(iter(table.of_kind("conflict")), _NONE)


going_on = r.requires(lambda turn: current(turn.table).id, "conflict.none", firm=True)
"""A conflict is going on."""
fighting = r.all_of(going_on, r.in_session)
"""A conflict is going on in a session."""


def fighters(table: r.Table) -> list[str]:
    """The ids of the two fighters of a duel; none otherwise."""
    duel = Conflict.of(current(table))
    return [id for id in (duel.one, duel.other) if id]


def side_of(table: r.Table, character: r.Character | None) -> str:
    """A character's side in a conflict: in a duel each fighter is a side."""
    if character is not None and character.id in fighters(table):
        return character.id
    return (r.Team.PLAYERS if stance(character) == "heroes" else r.Team.GM).mark


def _default_target(turn: r.Turn) -> int:
    """The default target: players times rounds; in a duel one per side."""
    if turn.text("type") == "duel":
        return ROUNDS
    return max(1, len(r.players_with_a_character(turn.table))) * ROUNDS


_OTHERS = r.characters(hidden=False, only=lambda turn, one: one.id != turn.text("one"))
_of_duel = partial(r.ChoiceAsk, shown=lambda t: t.text("type") == "duel", implies=("type", "duel"))


@r.gm_move(
    "conflict.open",
    when=r.all_of(
        r.between_actions, r.requires(lambda t: not current(t.table).id, "conflict.running")
    ),
    asks=[
        r.TextAsk("title", "What is it about?"),
        r.ChoiceAsk("type", "What kind of conflict?", r.answers("conflict", *TYPES)),
        _of_duel("one", "Who fights?", r.characters(hidden=False)),
        _of_duel("other", "Who is the other one?", _OTHERS),
        r.TextAsk("stake", "What is at stake for the heroes?", needed=False),
        r.TextAsk(
            "their_stake",
            "What is at stake for the other side?",
            needed=False,
            shown=lambda t: t.text("type") in TYPES[1:],
            implies=("type", "opposed"),
        ),
        r.NumberAsk("dc", "Usual DC", default=USUAL_DC, high=10, needed=False),
        r.NumberAsk(
            "target",
            "Target: a test that passes brings 2, and 1 for each success to spare",
            default=_default_target,
            low=1,
            high=99,
            needed=False,
        ),
    ],
    rule="Conflicts",
    place=r.at("conflict", 60),
)
def open_conflict(turn: r.Turn) -> Iterator[r.Event]:
    """Start a conflict

    Its target is as many as there are players, times the rounds it is meant to last, unless the
    Keeper names another. Unopposed, the heroes try to reach it. Opposed, and in a duel, each side
    has its stake and its score, which everybody sees: the first to reach the target wins, or the
    Keeper ends it and says who does.
    """
    kind = turn.text("type")
    stakes = turn.text("stake"), turn.text("their_stake")
    state = Conflict(
        kind, turn.number("dc", USUAL_DC), *stakes, turn.text("one"), turn.text("other")
    )
    conflict = turn.trait("conflict", turn.text("title"), until="scene", terms=state.terms)
    yield conflict
    teams = {"unopposed": [r.Team.PLAYERS.mark], "opposed": [team.mark for team in r.Team]}
    for side in teams.get(kind) or fighters(turn.table):
        id = "conflict.own_progress"
        if side.startswith("@"):
            id = "conflict.progress"
        text = turn.words.say(id, who=_name(turn, side))
        yield turn.trait(
            "progress", text, side, goal=turn.number("target"), at=conflict.trait.id, until="scene"
        )


def _name(turn: r.Turn, side: str) -> str:
    """The name of a side of the conflict; a fighter's own name."""
    fighter = turn.table.characters.get(side)
    if fighter:
        return fighter.name
    return turn.words[f"circumstance.{side.removeprefix('@') or 'all'}"]


def moved_scores(table: r.Table, check: r.Check) -> list[r.Trait]:
    """The score that this test adds to on a success; none for a character on neither side.

    Finding something out may bring a bonus, but no progress.
    """
    part, test = winner(table, check), Test.of(check)
    if part is None or test.kind == "information" or not test.counts(table):
        return []
    return table.of_kind(
        "progress", at=test.conflict, about=side_of(table, roller(table, check, part))
    )


def _tracks_after(turn: r.Turn, check: r.Check) -> Iterator[r.Trait]:
    """The progress track of the test's side as it will be after this test."""
    test, n = Test.of(check), PROGRESS + (abs(check.outcome.margin) if check.outcome else 0)
    asset = None
    if winner(turn.table, check) is ACTIVE:
        asset = turn.table.traits.get(test.asset)
    for track in moved_scores(turn.table, check):
        yield r.replace(track, rating=track.rating + n + (max(0, asset.rating) if asset else 0))


def wasted_caution(turn: r.Turn) -> str:
    """A caution that a bought success is wasted: no score to add to, or one already complete."""
    check = turn.check
    if check is not None and reaches_target(turn, check):
        return turn.words["conflict.enough"]
    if check is None or moved_scores(turn.table, check):
        return ""
    return turn.words["conflict.aimless"]


def reaches_target(turn: r.Turn, check: r.Check) -> bool:
    """Whether the conflict is over when this test is done."""
    return any(track.rating >= track.goal for track in _tracks_after(turn, check))


def record_progress(turn: r.Turn, check: r.Check) -> Iterator[r.Event]:
    """Record the progress of a finished test, and end the conflict at its target."""
    conflict, gained = current(turn.table), list(_tracks_after(turn, check))
    if conflict.id and Test.of(check).conflict == conflict.id and not Conflict.of(conflict).begun:
        yield r.TraitSet(Conflict.put(conflict, begun=True))
    for track in gained:
        yield r.TraitSet(track)
        if track.rating >= track.goal:
            yield from _end(turn, turn.words.say("conflict.reached", who=_name(turn, track.about)))


NOBODY = "nobody"
"""The answer that no side wins."""


def _winners(turn: r.Turn) -> Iterator[r.Choice]:
    """The choice of the sides with a score, and nobody."""
    for track in turn.table.of_kind("progress", at=current(turn.table).id):
        score = turn.words.say("conflict.so_far", n=track.rating, goal=track.goal)
        yield r.Choice(track.about.removeprefix("@"), _name(turn, track.about), score)
    yield r.Choice(NOBODY, turn.words["conflict.nobody"])


def _leader(turn: r.Turn) -> str:
    """The side with the highest score; nobody for a tie or a single side."""
    tracks = sorted(
        turn.table.of_kind("progress", at=current(turn.table).id), key=lambda one: -one.rating
    )
    leads = len(tracks) > 1 and tracks[0].rating > tracks[1].rating
    if leads:
        return tracks[0].about.removeprefix("@")
    return NOBODY


@r.gm_move(
    "conflict.end",
    when=r.all_of(fighting, r.idle),
    asks=[
        r.ChoiceAsk("winner", "Who wins?", _winners, default=_leader, needed=False),
        r.TextAsk("text", "How does it end?", needed=False),
    ],
    rule="Conflicts",
    place=r.at("conflict", 62),
)
def end_conflict(turn: r.Turn) -> Iterator[r.Event]:
    """End the conflict

    The side that is ahead wins, unless the Keeper says otherwise. Its circumstances, its temporary
    assets and its order are gone with it.
    """
    chosen = next(choice.label for choice in _winners(turn) if choice.value == turn.text("winner"))
    won = turn.words.say("conflict.won", who=chosen)
    yield from _end(turn, turn.text("text") or turn.words["conflict.ended"], won)


def score_caution(turn: r.Turn) -> str:
    """A caution about the conflict that ends with its scene, with its score."""
    conflict = current(turn.table)
    if not conflict.id:
        return ""
    score = turn.words["list.semicolon"].join(_score(turn, conflict))
    return turn.words.say("conflict.cut_short", what=conflict.text, score=score)


@r.whenever(r.PeriodEnded)
def end_with_scene(turn: r.Turn, event: r.PeriodEnded) -> Iterator[r.Event]:
    """End a conflict with its scene, and record the score."""
    if event.kind == "scene" and current(turn.table).id:
        yield from _end(turn, turn.words["conflict.left"])


def _end(turn: r.Turn, *why: str) -> Iterator[r.Event]:
    """End the conflict with one line: the reason, the score, and the stakes."""
    conflict = current(turn.table)
    score = [*why, *_score(turn, conflict)]
    own = turn.table.of_kind("progress", "circumstance", "asset", "acts-next", at=conflict.id)
    for trait in [*own, *turn.table.of_kind("slot", "turn")]:
        yield r.TraitRemoved(trait.id)
    yield r.TraitRemoved(conflict.id, turn.words["list.semicolon"].join(score))
    if "round" in turn.table.running:
        yield r.PeriodEnded("round", turn.table.periods["round"])


def _score(turn: r.Turn, conflict: r.Trait) -> Iterator[str]:
    """The score of each side and the stakes, in words; without a target already reached."""
    state, tracks = Conflict.of(conflict), turn.table.of_kind("progress", at=conflict.id)
    alone = len(tracks) == 1
    for track in tracks:
        n, who = min(track.rating, track.goal), _name(turn, track.about)
        if not alone or n < track.goal:
            yield turn.words.say("conflict.score", who=who, n=n, goal=track.goal)
    own = "stake.alone" if alone else "stake"
    for key, stake in {own: state.stake, "their_stake": state.their_stake}.items():
        if stake:
            yield turn.words.say(f"conflict.{key}", what=stake)


TEXT = r.TextAsk("text", "What is it?")
WAY = r.ChoiceAsk("way", "What does it do to the DC?", r.answers("way", "harder", "easier"))


def _sides(turn: r.Turn) -> Iterator[r.Choice]:
    """The choice of everybody, or one side; in a duel each fighter."""
    for side in ("all", *(fighters(turn.table) or [team.value for team in r.Team])):
        yield r.Choice(side, _name(turn, side))


CREATING = (TEXT, WAY, r.ChoiceAsk("whom", "For whom?", _sides, default="all", needed=False))


def signed_change(n: int, what: str) -> str:
    """A change of a DC with its sign: +1 Darkness, −1 Higher ground."""
    return f"{n:+d} ".replace("-", "−") + what


def step(turn: r.Turn) -> int:
    """The change of the DC: 1 for harder, -1 for easier."""
    return 1 if turn.text("way") == "harder" else -1


def _create(turn: r.Turn) -> Iterator[r.Event]:
    whom = turn.text("whom")
    about = {"all": "", **{team.value: team.mark for team in r.Team}}.get(whom, whom)
    terms = Circumstance(turn.text("text")).terms
    new = turn.trait(
        "circumstance", "", about, at=current(turn.table).id, until="scene", terms=terms
    )
    yield _move_circumstance(turn, new.trait)


def _move_circumstance(turn: r.Turn, trait: r.Trait) -> r.Event:
    """Move a circumstance by 1 in the chosen direction, with its text."""
    n = trait.rating + step(turn)
    values = {
        "what": Circumstance.of(trait).name,
        "n": f"{n:+d}".replace("-", "−"),
        "whom": _name(turn, trait.about),
    }
    text = turn.words.say("circumstance.stands" if n else "circumstance.level", **values)
    return r.TraitSet(r.replace(trait, rating=n, text=text))


@r.gm_move(
    "circumstance.set",
    when=fighting,
    only_if=[r.requires(lambda t: not Conflict.of(current(t.table)).begun, "conflict.begun")],
    asks=CREATING,
    rule="Circumstances",
    place=r.at("conflict", 61),
)
def set_circumstance(turn: r.Turn) -> Iterator[r.Event]:
    """Set the starting conditions

    Each circumstance is 1 on the DC, up or down, for everybody or for one side. Once the first test
    is done, a circumstance costs points.
    """
    yield from _create(turn)


@keeps_price
@buys("circumstance")
@r.move(
    "circumstance.create",
    when=r.in_session,
    only_if=[going_on],
    asks=CREATING,
    place=r.at("actions", 70),
)
def create_circumstance(turn: r.Turn) -> Iterator[r.Event]:
    """Create a circumstance

    In a conflict; it begins at 1 on the DC, up or down.
    """
    yield from _create(turn)


def _circumstances(turn: r.Turn) -> Iterator[r.Choice]:
    for trait in turn.table.of_kind("circumstance", at=current(turn.table).id):
        note = f"{trait.rating:+d}" if trait.rating else ""
        yield r.Choice(trait.id, Circumstance.of(trait).name, note)


@keeps_price
@buys("change")
@r.move(
    "circumstance.change",
    when=r.in_session,
    only_if=[going_on, r.any_of(_circumstances, "circumstances.none")],
    asks=[r.ChoiceAsk("id", "Which?", _circumstances), WAY],
    place=r.at("actions", 69),
)
def change_circumstance(turn: r.Turn) -> Iterator[r.Event]:
    """Change a circumstance

    By 1, up or down. It counts from the next roll on, not for dice that have been rolled.
    """
    yield _move_circumstance(turn, turn.table.traits[turn.text("id")])


OWNER = r.ChoiceAsk("about", "Whose is it?", r.characters(own=True), needed=False)


@keeps_price
@buys("asset")
@r.move(
    "asset.create",
    when=r.in_session,
    only_if=[going_on],
    asks=[TEXT, OWNER],
    place=r.at("actions", 71),
)
def create_asset(turn: r.Turn) -> Iterator[r.Event]:
    """Buy an asset for this conflict

    It has a quality of 1, is its owner's or the whole side's, and is gone when the conflict is
    over.
    """
    about = turn.text("about") or turn.team.mark
    yield turn.trait(
        "asset", turn.text("text"), about, rating=1, at=current(turn.table).id, until="scene"
    )


@r.move(
    "asset.add",
    asks=[TEXT, OWNER, r.NumberAsk("quality", "Quality", default=1, low=0, high=5, needed=False)],
    approval=r.proposes,
    rule="Assets",
    place=r.at("actions", 73),
)
def add_asset(turn: r.Turn) -> Iterator[r.Event]:
    """Add an asset

    What a character owns or can count on, with its quality: in a conflict a passing test that uses
    it gains as much progress. A player proposes it.
    """
    yield turn.trait(
        "asset", turn.text("text"), turn.text("about"), rating=turn.number("quality", 1)
    )
