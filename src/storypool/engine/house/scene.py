"""What a scene holds besides its people: things to try, open questions, and what is still hidden.

A thing to try is a trait of the kind `try` with the move that begins it and its answers. The GM
asks a player to try it: the trait is then about that player's character, until the character acts.
An open question is a trait of the kind `question`, until it is answered or taken out.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from storypool.engine.events import CheckOpened, Event, TraitRemoved, TraitSet
from storypool.engine.game.asks import Choice, ChoiceAsk, FlagAsk, TextAsk
from storypool.engine.game.moves import LAST, Move, at, gm_move, move, whenever
from storypool.engine.game.system import System
from storypool.engine.game.turn import Turn
from storypool.engine.game.waits import Wait
from storypool.engine.house.choices import Choices, characters, plays, traits
from storypool.engine.house.conditions import any_of
from storypool.engine.house.people import SECRET
from storypool.engine.refusal import Refused
from storypool.engine.table import Character, Seat, Table, Trait, Value
from storypool.engine.waiting import answers_of_seat

__all__ = ["DECLARE", "called"]

DECLARE = "check.declare"
"""The move that begins a thing to try unless it names another one."""
ACTOR = "as"
"""The question of a move that names the character who acts."""

_PAIR = re.compile(r'([\w-]+)=("[^"]*"|\S+)')


@dataclass(frozen=True, slots=True)
class Begins:
    """A move and answers to some of its questions, as a thing to try begins with them.

    >>> Begins.read("check.declare skill=move difficulty=2")
    Begins(move='check.declare', args={'skill': 'move', 'difficulty': '2'})
    >>> Begins.read('against="Captain Ressik"')
    Begins(move='check.declare', args={'against': 'Captain Ressik'})
    """

    move: str
    args: Mapping[str, str]

    @classmethod
    def read(cls, text: str) -> "Begins":
        """Read `MOVE NAME=ANSWER ...`; without a move it is the one that declares an action."""
        key, _, rest = text.strip().partition(" ")
        if "=" in key:
            key, rest = DECLARE, text
        pairs = ((name, answer.strip('"')) for name, answer in _PAIR.findall(rest))
        return cls(key or DECLARE, dict(pairs))

    @classmethod
    def of(cls, trait: Trait) -> "Begins":
        """How this thing to try begins."""
        return cls.read(str(trait.terms.get("begins", "")))


def _row(turn: Turn, key: str) -> Move | None:
    """The move of this game with this key, or None."""
    return turn.system.by_key.get(key) if isinstance(turn.system, System) else None


def _described(trait: Trait) -> str:
    """A thing to try with its note."""
    note = trait.terms.get("note", "")
    return f"{trait.text} ({note})" if note else trait.text


@gm_move(
    "try.add",
    asks=[
        TextAsk("text", "What could be tried?"),
        TextAsk("note", "What does it roll?", needed=False, most=80),
        FlagAsk("secret", "Only for the GM's eyes?", default=True, needed=False),
        TextAsk("begins", "The move and its answers", needed=False, quiet=True),
    ],
)
def add_try(turn: Turn) -> Iterator[Event]:
    """Note something to try

    It ends with the scene. A player whom you ask to try it begins with the answers that it has.
    """
    begins, terms = Begins.read(turn.text("begins")), dict[str, Value]()
    row = _row(turn, begins.move)
    known = {ask.name for ask in row.asks} if row else set[str]()
    if row is None or not known >= {*begins.args}:
        wrong = ", ".join(sorted({*begins.args} - known)) or begins.move
        raise turn.refused("argument", "try.begins", "begins", name=wrong)
    for name in ("note", "begins"):
        if turn.text(name):
            terms[name] = turn.text(name)
    yield turn.trait(
        "try", turn.text("text"), secret=turn.flag("secret"), until="scene", terms=terms
    )


TRIES = traits("try")


@gm_move(
    "try.call",
    only_if=[any_of(TRIES, "try"), any_of(characters("players"), "try.who")],
    asks=[ChoiceAsk("id", "What?", TRIES), ChoiceAsk("who", "Who?", characters("players"))],
)
def call(turn: Turn) -> Iterator[Event]:
    """Ask a player to try something

    The player sees it, and begins with its answers. What only you decide, such as how hard it is,
    is decided with it.
    """
    trait, who = turn.table.traits[turn.text("id")], turn.text("who")
    yield TraitSet(replace(trait, about=who, at="called", seen_by=None))
    yield from _undecided(turn, who)
    if decided := dict(_decided(turn, Begins.of(trait), who)):
        what = trait.terms.get("note") or trait.text
        text = turn.words.say("standing.told.next", what=what)
        yield turn.trait("standing", text, who, at="next", until="scene", terms=decided)


def _undecided(turn: Turn, who: str) -> Iterator[Event]:
    """Remove what an earlier call decided for the next action of a character."""
    for old in turn.table.of_kind("standing", at="next", about=who):
        yield TraitRemoved(old.id)


def _decided(turn: Turn, begins: Begins, who: str) -> Iterator[tuple[str, Value]]:
    """The answers and defaults of questions that are the GM's, for the player of a character."""
    seat = turn.table.seats.get(turn.table.characters[who].seat)
    row = _row(turn, begins.move)
    if seat is None or row is None:
        return
    asked = turn.as_seat(seat, **{ACTOR: who})
    asked.key = row.key
    for ask in row.asks if begins.args else ():
        value: Value | None = None
        try:
            if ask.name in begins.args:
                value = ask.read(asked, begins.args[ask.name])
            elif ask.is_shown(asked):
                value = ask.unasked(asked)
        except Refused:
            # The player's form says what is wrong with it.
            continue
        if value is not None:
            asked.args[ask.name] = value
            if ask.suggests(asked) and value is not False:
                yield ask.name, value


def _own(turn: Turn) -> Choices:
    """Yield the things that a GM asks this seat's characters to try."""
    return traits("try", only=lambda turn, one: plays(turn, _asked(turn.table, one)))(turn)


def _asked(table: Table, trait: Trait) -> Character | None:
    """The character who is asked to try this, if any."""
    return table.characters.get(trait.about)


@move(
    "try.decline",
    when=any_of(_own, "try.called"),
    asks=[ChoiceAsk("id", "What?", _own, first=True)],
    place=at("actions", LAST),
)
def decline(turn: Turn) -> Iterator[Event]:
    """Try something else instead"""
    trait = turn.table.traits[turn.text("id")]
    yield from _undecided(turn, trait.about)
    yield TraitSet(replace(trait, about="", at=""))


def _answers(turn: Turn, seat: Seat, wait: Wait) -> bool:
    return isinstance(turn.system, System) and bool(
        answers_of_seat(turn.system, turn.table, seat, wait)
    )


def called(turn: Turn) -> Iterator[Wait]:
    """Yield a wait for each player whom a GM asks to try something, and who may act now."""
    for trait in turn.table.of_kind("try"):
        who, begins = _asked(turn.table, trait), Begins.of(trait)
        row = _row(turn, begins.move)
        if who is None or row is None:
            continue
        usual = {"title": trait.text, **begins.args}
        if begins.args:
            # Without further answers the form asks for them, and so for the character.
            usual[ACTOR] = who.id
        args = {ask.name: usual[ask.name] for ask in row.asks if ask.name in usual}
        seat = turn.table.seats.get(who.seat)
        values = {"what": _described(trait), "name": who.name}
        wait = Wait("called", (who.seat,), (row.key,), args=args, values=values)
        # Until it is this player's time to act, nobody is asked in their place.
        if seat is not None and seat.here and _answers(turn, seat, wait):
            yield wait


@whenever(CheckOpened)
def _tried(turn: Turn, event: CheckOpened) -> Iterator[Event]:
    """An actor is no longer asked to act."""
    for trait in turn.table.of_kind("try"):
        if trait.about == event.check.actor and not event.check.hidden:
            yield TraitSet(replace(trait, about="", at=""))


@gm_move(
    "question.add",
    asks=[TextAsk("text", "What is still open?"), SECRET],
)
def add_question(turn: Turn) -> Iterator[Event]:
    """Note an open question

    It stays open until you answer it or take it out; the recap of a session lists it.
    """
    yield turn.trait("question", turn.text("text"), secret=turn.flag("secret"))


QUESTIONS = traits("question")


@gm_move(
    "question.answer",
    only_if=[any_of(QUESTIONS, "question")],
    asks=[ChoiceAsk("id", "Which question?", QUESTIONS), TextAsk("text", "What is the answer?")],
)
def answer_question(turn: Turn) -> Iterator[Event]:
    """Answer a question

    The answer becomes a fact of the story. It is hidden where the question is.
    """
    question = turn.table.traits[turn.text("id")]
    text = turn.words.say("question.fact", question=question.text, answer=turn.text("text"))
    yield TraitRemoved(question.id)
    yield turn.trait("fact", text, seen_by=question.seen_by)


def _hidden(turn: Turn) -> Choices:
    """Yield the hidden statements about nobody, of any seat."""
    for one in turn.table.traits.values():
        if one.hidden and one.text and one.by and not (one.about or one.at):
            yield Choice(one.id, one.text)


@gm_move(
    "trait.show",
    only_if=[any_of(_hidden, "show")],
    asks=[ChoiceAsk("id", "What?", _hidden)],
)
def show(turn: Turn) -> Iterator[Event]:
    """Show something hidden to the players"""
    yield TraitSet(turn.table.traits[turn.text("id")].revealed())
