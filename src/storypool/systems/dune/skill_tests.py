"""A test up to its roll.

Source: seed 004, Skill Test Procedure, Difficulty Levels, Traits; dune.md 4.1.
"""

from collections.abc import Iterable

from storypool.engine import rules as r
from storypool.systems.dune import skill_test_terms as terms
from storypool.systems.dune.conditions import before_roll, has_difficulty, no_offer
from storypool.systems.dune.conflict.conflicts import usual_skill
from storypool.systems.dune.conflict.turns import begin_turn, in_turn, is_harder, update_order
from storypool.systems.dune.payment import refund, take_back_bought
from storypool.systems.dune.people import sheet
from storypool.systems.dune.skill_test_terms import SkillTest
from storypool.systems.dune.tasks import TASK
from storypool.systems.twod20.dice import BASE


def _actor(turn: r.Turn) -> r.Character | None:
    return turn.table.characters.get(turn.text("as") or (turn.check.actor if turn.check else ""))


def _actors(turn: r.Turn) -> r.Choices:
    """The characters of this seat, the defeated last."""
    ours = r.characters(own=True)(turn)
    yield from sorted(ours, key=lambda one: sheet.is_defeated(turn.table, one.value))


ACTOR = r.first_choice("as", "Who acts?", _actors)
SKILL = r.ChoiceAsk("skill", "Skill", sheet.skills, needed=False)
DRIVE = r.ChoiceAsk("drive", "Drive", lambda t: sheet.drive_choices(t, _actor(t)), needed=False)
SKILL_RATING, DRIVE_RATING = sheet.ratings("as")


def has_statement(turn: r.Turn) -> bool:
    """Whether the chosen drive can have a statement; behind a target number by hand it can."""
    actor, drive = _actor(turn), turn.text("drive")
    if actor is None or drive in ("", sheet.QUALITY):
        return actor is not None and not drive and "target" in turn.args
    level = turn.number("drive_rating") or r.rating(actor, drive) or 0
    return level >= sheet.STATEMENT_FROM or sheet.statement(turn.table, actor.id, drive) is not None


def _written(turn: r.Turn) -> r.Trait | None:
    actor = _actor(turn)
    return sheet.whole_statement(turn.table, actor.id, turn.text("drive")) if actor else None


def _relations(turn: r.Turn) -> r.Choices:
    """The relations of a drive's statement to the test; a written statement is quoted."""
    written = _written(turn)
    for choice in r.answers("fit", "applies", "none", "contradicts")(turn):
        if written and choice.value == "applies":
            choice = r.replace(choice, label=turn.words.say("fit.written", text=written.text))
        # Only a drive that is named can be contradicted, because then it is struck.
        if choice.value != "contradicts" or turn.text("drive"):
            yield choice


def _usual_fit(turn: r.Turn) -> str | None:
    """No statement is relevant where none is written down; of one that is, a person says so."""
    return None if _written(turn) else "none"


def focuses(turn: r.Turn, who: r.Character | None) -> r.Choices:
    """The focuses of a character in the chosen skill."""
    if who is not None:
        for trait in turn.table.of_kind("focus", about=who.id, at=turn.text("skill") or None):
            # A focus that was hidden with its character stays hidden once that character is not.
            if who.hidden or not trait.hidden:
                yield r.Choice(trait.text, trait.text, sheet.label(turn, trait.at))


FIT = r.ChoiceAsk(
    "fit", "Its statement", _relations, default=_usual_fit, needed=False, shown=has_statement
)
FOCUS = r.ChoiceAsk(
    "focus", "One focus, if it helps", lambda t: focuses(t, _actor(t)), needed=False, free=True
)
# Source of the levels: seed 004, Difficulty Levels.
_LEVELS = r.answers("level", *"012345")
DIFFICULTY = r.ChoiceAsk(
    "difficulty",
    "Difficulty",
    _LEVELS,
    needed=False,
    shown=lambda t: not t.text("against"),
    whose="gm",
)
RANGE = r.ChoiceAsk(
    "range", "Complications on", r.answers("range", *"12345"), needed=False, whose="gm"
)


def others(turn: r.Turn, actor: r.Character | None, side: r.Team = r.Team.PLAYERS) -> r.Choices:
    """All but the actor, the other side first; `side` is the actor's by default."""
    who = turn.table.characters
    ours = actor.team if actor else side
    theirs = r.characters(only=lambda t, one: one is not actor)(turn)
    yield from sorted(theirs, key=lambda one: who[one.value].team is ours)


AGAINST = r.ChoiceAsk(
    "against", "Opponent, in a contest", lambda t: others(t, _actor(t)), needed=False
)
TARGET = r.NumberAsk("target", "Type a target number", needed=False, low=1, high=20, whose="gm")
TWICE = r.NumberAsk(
    "twice",
    "Highest face that counts twice",
    default=1,
    low=1,
    high=20,
    shown=lambda t: "target" in t.args,
    whose=lambda t: "gm" if t.number("twice", 1) > 1 else "",
)


def _usual_drive(turn: r.Turn) -> str | None:
    actor = _actor(turn)
    usable = [one.value for one in sheet.drive_choices(turn, actor) if actor and not one.closed]
    return max(usable, key=lambda key: r.rating(actor, key) or 0, default=None)


# A target number by hand needs neither.
_BEST = r.replace(
    SKILL, default=lambda t: None if "target" in t.args else sheet.best_skill(_actor(t))
)
_HIGHEST = r.replace(DRIVE, default=lambda t: None if "target" in t.args else _usual_drive(t))
NUMBERS = (_BEST, SKILL_RATING, _HIGHEST, DRIVE_RATING, FIT, FOCUS)
_SKILL, _DRIVE = r.replace(SKILL, default=usual_skill), r.replace(DRIVE, default=_usual_drive)
TEST = (_SKILL, SKILL_RATING, _DRIVE, DRIVE_RATING, FIT, FOCUS, TARGET, TWICE)
"""The questions of a test in a conflict: by default with the usual skill and the highest drive."""


def unopened(turn: r.Turn, title: str, against: str = "") -> r.Check:
    """A test by the character of the answers, with a target number by hand if it was given."""
    who, pool = turn.table.characters[turn.text("as")], r.Bag(d20=BASE)
    check = turn.action(who, turn.text("title") or title, against, base=pool, pool=pool)
    by_hand = {"target": turn.number("target"), "critical": turn.number("twice", 1)}
    return SkillTest.put(check, by_hand=True, **by_hand) if "target" in turn.args else check


def open_test(
    turn: r.Turn,
    kind: str,
    title: str,
    deed: terms.Deed,
    difficulty: int | None = None,
    harder: Iterable[str] = (),
) -> r.Events:
    """Open a test of this kind, at this usual Difficulty; each reason of `harder` adds 1 to it.

    `Refused` for a contest that everybody would have to see and may not.
    """
    actor, against = turn.table.characters[turn.text("as")], turn.text("against")
    check = unopened(turn, title, against)
    span, deed = int(turn.text("range") or terms.ORDINARY), deed.changed(task=turn.text("task"))
    check = SkillTest.put(check, kind=kind, range=span, deed=deed)
    check = r.replace(check, windows=("target",) if against else ())
    if asset := turn.table.traits.get(deed.asset):
        check = r.hidden_like(check, asset)
    if check.hidden and against:
        raise turn.refused("argument", "contest.hidden", "against")
    if busy := [one for one in turn.table.checks.values() if one.hidden == check.hidden]:
        raise turn.refused("argument", "busy", "secret", title=busy[0].title)
    if not check.hidden:
        yield from r.remember(turn, actor, sheet.RATED)
    elif deed.task:
        raise turn.refused("argument", "task.hidden", "task")
    if turn.text("difficulty") and not against:
        check = terms.with_difficulty(check, int(turn.text("difficulty")))
    check = chosen(turn, check)
    if not against and SkillTest.of(check).difficulty is None:
        check = terms.with_difficulty(check, difficulty)
    for why in harder:
        check = terms.shifted(check, 1, why)
    if is_harder(turn, check):
        check = terms.shifted(check, 1, turn.words["initiative.harder"])
    beforehand = [trait.terms.get("difficulty") for trait in turn.table.of_kind("standing")]
    suggested = DIFFICULTY.suggests(turn) and turn.text("difficulty") not in ("", *beforehand)
    what = "" if suggested else terms.difficulty_in_words(turn, check)
    yield turn.open(check)
    if what:
        yield turn.amend(check, what)
    yield from begin_turn(turn, check)


@r.whenever(r.CharacterSet)
def follow_sheet(turn: r.Turn, event: r.CharacterSet) -> r.Events:
    """Whenever the sheet of the actor changes before the roll, so does the target number."""
    for check in turn.table.checks.values():
        theirs = check.actor == event.character.id and check.phase == "build" and not check.hidden
        if theirs and (changed := terms.with_target(turn.table, check)) != check:
            yield turn.amend(changed)


@r.whenever(r.CheckChanged)
def record_agreed(turn: r.Turn, event: r.CheckChanged) -> r.Events:
    """Whenever the GM agrees to a player's suggestion, the log has the current Difficulty."""
    what = terms.difficulty_in_words(turn, event.check)
    if turn.key == "check.agree" and what not in ("", event.what):
        yield turn.amend(event.check, what)


def chosen(turn: r.Turn, check: r.Check) -> r.Check:
    """The check with the skill, drive and focus of the answers, and its target number."""
    answered = {key: turn.text(key) for key in ("skill", "drive", "focus") if turn.text(key)}
    if "drive" in answered or "target" in turn.args:
        # It is asked only where there can be a statement; of one that is written down it may be
        # left open.
        answered["fit"] = turn.text("fit") or _usual_fit(turn) or ""
    actor = r.with_answers(turn, turn.table.characters[check.actor], sheet.RATED)
    return terms.with_target(turn.table, SkillTest.put(check, **answered), actor)


@r.declares(
    window=in_turn,
    only_if=[r.has_a_character],
    asks=[ACTOR, r.TITLE, TARGET, TWICE, *NUMBERS, DIFFICULTY, RANGE, AGAINST, TASK, r.HIDE_ACTION],
    rule="Skill Test Procedure",
    place=r.at("primary", 6),
)
def declare(turn: r.Turn) -> r.Events:
    """Make a test

    Two d20 against skill and drive. What is left open here is chosen before the roll: the GM sets
    skill and Difficulty, the player chooses drive and focus. Against another character it is a
    contest.
    """
    skill = turn.text("skill")
    title = sheet.label(turn, skill) if skill else turn.words["check.untitled"]
    yield from open_test(turn, "test", title, terms.Deed())


def _can_be_contested(turn: r.Turn) -> bool:
    check = turn.check
    return check is not None and SkillTest.of(check).kind == "test" and not check.hidden


def _is_uncontested(check: r.Check) -> bool:
    return not check.against or SkillTest.of(check).opposes


@before_roll(
    "check.difficulty",
    by=["gm"],
    only_if=[
        terms.of_test(lambda test: not test.opposes, "opposing"),
        r.of_check(_is_uncontested, "contest.difficulty"),
    ],
    asks=[
        r.replace(AGAINST, label="An opponent, in a contest", shown=_can_be_contested),
        r.replace(DIFFICULTY, needed=True),
        RANGE,
        SKILL,
    ],
    rule="Difficulty Levels",
    place=r.at("test"),
)
def set_difficulty(turn: r.Turn) -> r.Events:
    """Set the Difficulty

    The GM decides on the skill and gives a Difficulty from 0 to 5, or an opponent, who rolls for
    it. Changing it later gives back the points that were spent on the test since, and what they
    bought.
    """
    check, against = turn.here, turn.text("against")
    base = None if against else int(turn.text("difficulty"))
    if SkillTest.of(check).base != base and (check.spent or any(mod.bought for mod in check.mods)):
        yield from r.corrected(turn)
        yield from take_back_bought(turn)
    check = SkillTest.put(turn.here, let_be=SkillTest.of(turn.here).fit == "contradicts")
    if against:
        suggested = {name: text for name, text in check.suggested.items() if name != "difficulty"}
        check = SkillTest.put(check, base=None, difficulty=None)
        check = r.replace(check, against=against, windows=("target",), suggested=suggested)
    else:
        check = terms.with_difficulty(check, base)
    if turn.text("range"):
        check = SkillTest.put(check, range=int(turn.text("range")))
    if turn.text("skill") and turn.text("skill") != SkillTest.of(check).skill:
        check = terms.with_target(
            turn.table, SkillTest.put(check, skill=turn.text("skill"), focus="")
        )
    what = terms.difficulty_in_words(turn, check)
    if against:
        whom = turn.table.characters[against].name
        what = turn.words.say("contest.becomes", title=check.title, whom=whom)
    yield turn.amend(check, what)


def _as_chosen(ask: r.Ask) -> r.Ask:
    """The question for what the test has already unless answered otherwise."""

    def named(turn: r.Turn) -> str | None:
        has = getattr(SkillTest.of(turn.here), ask.name)
        return (
            has if any(one.value == has and not one.closed for one in ask.offered(turn)) else None
        )

    return r.replace(ask, default=named, needed=True)


_skill_rating, _drive_rating = sheet.ratings(_actor)


@before_roll(
    "check.drive",
    only_if=[r.yours, no_offer],
    asks=[_as_chosen(SKILL), _skill_rating, _as_chosen(DRIVE), _drive_rating, FIT, FOCUS],
    rule="Skill Test Procedure",
    place=r.at("actions", 61),
)
def choose_drive(turn: r.Turn) -> r.Events:
    """Choose skill, drive and focus

    If its statement is relevant, that drive; if none is, one of the others, and no Determination on
    this test. At most one focus helps.
    """
    if (actor := turn.table.actor(turn.here)) and not turn.here.hidden:
        yield from r.remember(turn, actor, sheet.RATED)
    check = chosen(turn, SkillTest.put(turn.here, focus="", let_be=False))
    test, id, fit = SkillTest.of(check), "check.drive", ""
    written = sheet.whole_statement(turn.as_read().table, check.actor, test.drive)
    if test.fit == "applies" and written:
        fit = turn.words.say("fit.written", text=written.text)
    elif test.fit:
        fit = turn.words[f"fit.{test.fit}"]
    else:
        id = "check.drive_alone"
    chose = {"skill": sheet.label(turn, test.skill), "drive": sheet.label(turn, test.drive)}
    yield turn.amend(check, turn.words.say(id, fit=fit, **chose))


def _known_traits(turn: r.Turn) -> r.Choices:
    """Each known trait with its character, those of the scene and of the actor first."""
    actor, people = turn.here.actor, turn.table.characters
    known = turn.visible.of_kind("trait", "fact", "complication", "asset")
    for trait in sorted(known, key=lambda trait: trait.about not in ("", actor)):
        if trait.text:
            whose = people.get(trait.about)
            yield r.Choice(trait.text, trait.text, note=whose.name if whose else "")


EFFECTS = ("easier", "harder", "allow", "forbid")


@before_roll(
    "check.trait",
    asks=[
        r.ChoiceAsk("trait", "Which trait?", _known_traits, free=True),
        r.ChoiceAsk("effect", "What does it do?", r.answers("trait", *EFFECTS)),
    ],
    approval=r.proposes,
    rule="Traits",
    place=r.at("actions", 66),
)
def bring_trait(turn: r.Turn) -> r.Events:
    """Use a trait

    It makes the test easier or harder by 1, lets you try it at all, or stops it: each trait helps a
    test once, or hinders it once. A player proposes it.
    """
    check, name, effect = turn.here, turn.text("trait"), turn.text("effect")
    role = f"{'helps' if effect in ('easier', 'allow') else 'hinders'} {name.casefold()}"
    if role in SkillTest.of(check).traits:
        raise turn.refused("argument", "trait.twice", "trait", trait=name)
    check = SkillTest.add(check, traits=(role,))
    what = turn.words.say(f"trait.{effect}.told", trait=name)
    if effect in ("easier", "harder"):
        if refusal := has_difficulty(turn):
            raise r.Refused(r.replace(refusal, code="argument", field="effect"))
        check = terms.shifted(check, -1 if effect == "easier" else 1, name)
        what = f"{what} {terms.difficulty_in_words(turn, check)}".strip()
    elif effect == "forbid" and SkillTest.of(check).offer:
        raise turn.refused("argument", "offer.made", "effect")
    yield turn.amend(check, what)
    if effect == "forbid":
        yield from call_off(turn)


def _with_opposing(turn: r.Turn) -> list[r.Check]:
    """The open test, after one that opposes it."""
    first = terms.opposing(turn.table, turn.here)
    return [first, turn.here] if first else [turn.here]


def call_off(turn: r.Turn) -> r.Events:
    """End the test before its roll, and one that opposes it; what was paid comes back."""
    for check in _with_opposing(turn):
        if check.phase == "build":
            yield from refund(turn, check)
        yield r.CheckClosed(check.id, "cancelled")
    yield from update_order(turn)


def _comes_back(turn: r.Turn) -> str:
    """What calling the test off gives back, and takes out of Threat again."""
    checks = [one for one in _with_opposing(turn) if one.phase == "build"]
    back = sum((check.spent for check in checks), r.Points())
    added = min(sum(SkillTest.of(check).added for check in checks), turn.table.balance("threat"))
    return r.coming_back(turn, back, r.Bag(threat=added), sum(map(terms.gone, checks), r.NOTHING))


@r.cancels(only_if=[r.yours, no_offer], rule="Skill Test Procedure", caution=_comes_back)
def cancel(turn: r.Turn) -> r.Events:
    """Cancel this test

    Before the roll: points come back, and what was added to Threat is taken out again. What has had
    an effect stays spent: Threat that was peril, and points for a trait.
    """
    yield from call_off(turn)
