"""The questions of a game file as questions of the engine, with choices read from the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from storypool.engine import rules as r
from storypool.engine.events import MoveMade
from storypool.engine.sight import may_see
from storypool.gamefile.cards.card_asks import Who, in_hand
from storypool.gamefile.file_format.expressions import LARGEST, Expression, Value
from storypool.gamefile.file_format.schema import AskRow
from storypool.gamefile.file_rolls.placed_dice import place_labels
from storypool.gamefile.file_rolls.usual_terms import bounds_of, usual_number
from storypool.gamefile.file_rules import Rules
from storypool.gamefile.scope import TurnScope
from storypool.gamefile.statements.ranked_rows import note_of
from storypool.words import Words

__all__ = [
    "ACTOR_ASK",
    "Meant",
    "answers_in_words",
    "ask_of",
    "entries_of",
    "is_own",
    "refuse_hidden",
    "to_choose",
    "used_by",
]

ACTOR_ASK = "as"
"""The question for the character who makes a move."""

Meant = Callable[[AskRow, r.Turn, r.Trait], bool]
"""Whether a question may choose a statement."""


def ask_of(
    rules: Rules,
    ask: AskRow,
    scope: Callable[[r.Turn], TurnScope],
    meant: Meant = lambda ask, turn, trait: True,
    who: Who = lambda turn: turn.character(ACTOR_ASK),
) -> r.Ask:
    """A question of the file as a question of the engine."""
    when = ask.when
    shown = (lambda turn: when.holds(scope(turn))) if when is not None else None
    whose = ask.decides

    def default(turn: r.Turn) -> Value | None:
        if ask.entry and ask.default is not None and ask.default.text in rules.entries:
            return ask.default.text
        if ask.default is not None:
            return ask.default(scope(turn))
        return None

    usual: Callable[[r.Turn], Value | None] | Value | None = None
    if ask.default is not None:
        usual = default
    if ask.choices:
        listed = [r.Choice(value, label) for value, label in ask.choices.items()]
        if ask.choose:
            low, high = ask.choose[0], ask.choose[-1]
            return r.SeveralAsk(
                ask.name,
                ask.label,
                choices=lambda turn: listed,
                least=partial(_number_of, low, scope),
                most=partial(_number_of, high, scope),
                needed=ask.needed,
                shown=shown,
            )
        return r.ChoiceAsk(
            ask.name,
            ask.label,
            lambda turn: listed,
            default=usual,
            needed=ask.needed,
            shown=shown,
            whose=whose,
        )
    if ask.entry:
        return r.ChoiceAsk(
            ask.name,
            ask.label,
            _entries(rules, ask, scope),
            default=usual,
            needed=ask.needed,
            shown=shown,
            whose=whose,
        )
    if ask.number:
        return _number(ask, scope, shown)
    if ask.character:
        return r.ChoiceAsk(ask.name, ask.label, _characters(ask), needed=ask.needed, shown=shown)
    if ask.card:
        cards = in_hand(rules.reading.decks, ask, who)
        return r.ChoiceAsk(ask.name, ask.label, cards, needed=ask.needed, shown=shown)
    if ask.trait:
        return r.ChoiceAsk(
            ask.name, ask.label, _statements(rules, ask, meant), needed=ask.needed, shown=shown
        )
    if ask.rolled:
        return r.ChoiceAsk(
            ask.name, ask.label, partial(_rolled, rules, ask), needed=ask.needed, shown=shown
        )
    return r.TextAsk(ask.name, ask.label, needed=ask.needed, shown=shown)


def _number_of(n: Expression, scope: Callable[[r.Turn], TurnScope], turn: r.Turn) -> int:
    return n.number(scope(turn))


def _number(
    ask: AskRow, scope: Callable[[r.Turn], TurnScope], shown: Callable[[r.Turn], bool] | None
) -> r.Ask:
    """A question for a number, whose bounds and default may follow from the table."""
    low, high = ask.number[0].fixed, ask.number[-1].fixed

    def default(turn: r.Turn) -> Value | None:
        return usual_number(ask, scope(turn))

    def least(turn: r.Turn) -> int:
        return bounds_of(ask, scope(turn))[0]

    def most(turn: r.Turn) -> int:
        return bounds_of(ask, scope(turn))[1]

    fixed = low if ask.needed else None
    return r.NumberAsk(
        ask.name,
        ask.label,
        default=fixed if ask.default is None and low is not None else default,
        low=-LARGEST if low is None else low,
        high=LARGEST if high is None else high,
        least=least if low is None else None,
        most=most if high is None else None,
        capped=True,
        needed=ask.needed,
        shown=shown,
        whose=ask.decides,
    )


def entries_of(rules: Rules, ask: AskRow) -> Iterator[str]:
    """The entries of the sheet that a question asks for."""
    for group in ask.entry:
        if group in rules.game.sheet:
            yield from rules.game.sheet[group].entries


def _rolled(rules: Rules, ask: AskRow, turn: r.Turn) -> Iterator[r.Choice]:
    """The rolled dice that no other question of the move means, each with its place."""
    check = turn.check
    if check is None or check.phase != "rolled":
        return
    rules = rules.of(check)
    reading, labels = rules.reading, place_labels(rules.reading, check.terms)
    row = rules.moves.get(turn.key.removeprefix("move."))
    others = [one.name for one in row.asks if one.rolled and one is not ask] if row else []
    meant = {turn.text(name) for name in others}
    for n, die in enumerate(reading.by_die(check.rolled, reading.thrown(check.pool))):
        if str(n) not in meant:
            shown = f"{turn.word(die[0].die)} {sum(one.face for one in die)}"
            yield r.Choice(str(n), shown, note=labels.get(n, ""))


def _entries(
    rules: Rules, ask: AskRow, scope: Callable[[r.Turn], TurnScope]
) -> Callable[[r.Turn], Iterator[r.Choice]]:
    def choices(turn: r.Turn) -> Iterator[r.Choice]:
        who = scope(turn).who
        for entry in entries_of(rules, ask):
            yield r.Choice(entry, rules.label(entry), str(rules.rating(who, entry)) if who else "")

    return choices


def _statements(rules: Rules, ask: AskRow, meant: Meant) -> Callable[[r.Turn], Iterator[r.Choice]]:
    def note(turn: r.Turn, trait: r.Trait) -> str:
        about = turn.table.characters.get(trait.about)
        rating = note_of(rules, turn.words, trait) or (str(trait.rating) if trait.rating else "")
        parts = (about.name if about is not None else "", rating)
        return turn.words["list.comma"].join(filter(None, parts))

    listed = r.traits(*ask.trait, only=partial(meant, ask), note=note)

    def unused(turn: r.Turn) -> Iterator[r.Choice]:
        for one in listed(turn):
            if turn.check is not None and used_by(turn, one.value) in turn.check.terms:
                one = one.unless(turn.no("filed.used"))
            yield one

    return unused if ask.once else listed


def refuse_hidden(rules: Rules, turn: r.Turn, check: r.Check) -> None:
    """Raise `Refused` where an action in the open names something hidden, and follows from it."""
    for ask in rules.game.action.asks:
        id = turn.text(ask.name) if ask.character or ask.trait else ""
        things = turn.table.traits if ask.trait else turn.table.characters
        thing = things.get(id)
        if thing is not None and not check.knows(thing):
            who = thing.text if isinstance(thing, r.Trait) else thing.name
            raise turn.refused("argument", "hidden", ask.name, who=who)


def used_by(turn: r.Turn, trait: str) -> str:
    """The term of an action that records this side's use of a statement."""
    return f"used by {turn.seat.side} {trait}"


def to_choose(rules: Rules, ask: AskRow, meant: Meant) -> r.Condition:
    choices = _statements(rules, ask, meant)
    words = [rules.game.trait[kind].lower_word for kind in ask.trait]

    def there_is(turn: r.Turn) -> r.Refusal | None:
        """There is a statement of the kind that is asked for, and this seat reads it."""
        known = turn.table.traits
        here = [one for one in choices(turn) if may_see(turn.seat, known[one.value].sheet_seen_by)]
        if here and all(one.closed for one in here):
            return turn.no("filed.used")
        if here:
            return None
        return turn.firm("filed.statement", words=turn.words["list.or"].join(words))

    return there_is


def is_own(turn: r.Turn, id: str) -> bool:
    """Whether a character moves, or is played by this seat where no character was asked for."""
    who = turn.text(ACTOR_ASK)
    if who:
        return who == id
    one = turn.table.characters.get(id)
    return one is not None and r.plays(turn, one)


def _characters(ask: AskRow) -> Callable[[r.Turn], Iterator[r.Choice]]:
    if ask.character in ("players", "gm"):
        return r.characters(ask.character)
    if ask.character == "other":
        return r.characters(only=lambda turn, one: not r.plays(turn, one))
    return r.characters()


def answers_in_words(rules: Rules, words: Words, made: MoveMade) -> str:
    """What the log says of a move's answers: a text that nothing else says, and what dice are for.

    "" where the effects tell it all.
    """
    row = rules.moves.get(made.move.removeprefix("move."))
    if row is None or row.consent not in ("", "gm"):
        # The proposal has the text to which another player agrees.
        return ""
    used, throws = {do.text for do in row.do}, any(do.throw for do in row.do)
    sentences, answers = [], []
    for ask in row.asks:
        given = made.args.get(ask.name)
        if ask.text and given and ask.name not in used:
            sentences.append(words.say("filed.asked", text=given))
        elif ask.choose and isinstance(given, (tuple, list)):
            answers.append(rules.several_in_words(ask, given))
        elif ask.choices and throws and given:
            answers.append(ask.choices.get(str(given), str(given)))
        elif ask.number and throws and given is not None:
            name = ask.label.rstrip("?")
            answers.append(words.say("filed.answer", name=name, value=given))
    if answers:
        sentences.append(words.say("filed.answers", answers=words["list.comma"].join(answers)))
    return " ".join(sentences)
