"""The sentence for dice that were rolled, and dice, faces and pools in words."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from storypool.engine.bag import Bag
from storypool.engine.dice import Die, Rolled
from storypool.engine.events import DiceRolled
from storypool.engine.game.system import System
from storypool.engine.story.log_line import LogLine
from storypool.engine.table import Check


def rolled_sentence(line: LogLine, event: DiceRolled) -> str:
    """The sentence for a roll: its seat, the faces, and the purpose."""
    check, system = line.before.checks.get(event.check), line.system
    cards = [system.face_in_words(one.die, one.face) for one in event.rolled]
    if all(cards):
        key = "drawn_by_hand" if _by_hand(event.rolled) else "drawn"
        drawn = line.words["list.comma"].join(cards)
        text = line.say(f"story.{key}", who=line.seat(event.seat), faces=drawn)
        return _for(line, event, text)
    rolled = _bound(line, check, event.rolled)
    key = "rolled_by_hand" if _by_hand(event.rolled) else "rolled"
    if key == "rolled" and check is not None and _by_hand(check.rolled):
        # The others on the table are real dice.
        key = "rolled_by_program"
    faces = dice_in_words(system, rolled, bool(event.check))
    return _for(line, event, line.say(f"story.{key}", who=line.seat(event.seat), faces=faces))


def dice_in_words(system: System, rolled: Iterable[tuple[Die, int]], counts: bool = True) -> str:
    """Dice with their faces in words, the kinds one after the other; `counts` as in an action."""
    faces = []
    for die, run in groupby(rolled, itemgetter(0)):
        faces.append(_faces(system, die, [number for _, number in run], counts))
    return system.words["list.semicolon"].join(faces)


def _for(line: LogLine, event: DiceRolled, text: str) -> str:
    """The sentence for a roll with its purpose before it, if it has one."""
    if not event.why:
        return text
    return line.say("story.rolled_for", why=event.why[:1].upper() + event.why[1:], text=text)


def _bound(
    line: LogLine, check: Check | None, rolled: Iterable[Rolled]
) -> Iterator[tuple[Die, int]]:
    """Each die that was rolled, as it is bound in the action, with its face."""
    dice = {die.name: die for die in line.system.dice}
    bind = line.system.bind
    bound = list(bind(line.before, check)) if bind and check else []
    for one in rolled:
        die = next((die for die in bound if die.name == one.die), None)
        if die is not None:
            bound.remove(die)
        yield die or dice[one.die], one.face


def pool_in_words(system: System, pool: Bag) -> dict[str, str]:
    """A pool as values for its sentences.

    It is in the notation of the game, with the words for its `dice` in a row, or `named`: the
    helping dice against the others.
    """
    words, hindering = system.words, system.notation.hindering
    dice = {
        die.name: f"{n} {system.word(die.name, n)}" for die in system.dice if (n := pool[die.name])
    }

    def named(*names: str) -> str:
        if not names:
            return ""
        n = sum(pool[name] for name in names)
        return words.say("story.named", dice=words.joined(dice[name] for name in names), n=n)

    own = named(*(name for name in dice if name not in hindering))
    other = named(*(name for name in dice if name in hindering))
    both = words.say("story.against", dice=own, other=other) if own and other else own or other
    listed = words["list.comma"].join(dice.values())
    # If the game's names for dice differ from the notation, the notation is for typing alone.
    typed = all(system.word(name).casefold() == name for name in pool)
    return {"pool": system.notation.show(pool) if typed else listed, "dice": listed, "named": both}


def _symbol(system: System, name: str, n: int) -> str:
    """This many of a symbol in words; an account with the same name has its own sentence.

    That is empty where a game says only with the result whether the symbol counts.
    """
    own = f"symbol.{name}"
    if f"{own}.other" in system.words:
        return system.words.say(own, n=n)
    return f"{n} {system.word(name, n)}"


def _by_hand(rolled: Iterable[Rolled]) -> bool:
    return any(one.source == "hand" for one in rolled)


def _symbols_in_words(system: System, symbols: Bag) -> str:
    """The symbols of a face in words, or "" for a blank."""
    found = [text for one in symbols.items() if (text := _symbol(system, *one))]
    return system.words.joined(found)


def _faces(system: System, die: Die, faces: Sequence[int], counts: bool) -> str:
    """The faces of dice of one kind in words: the kind once, and equal faces once, with a count.

    Dice that have symbols printed on them have no number, unless it is shown with the symbols; only
    symbols that `counts` in an action are named.
    """
    say, look = system.words.say, system.look.get(die.name)
    blank = not any(any(one.faces) for one in system.dice if one.name == die.name)
    numbered = blank or (look is not None and look.numbered)
    read, texts = [], []
    for face in faces:
        named = system.face_in_words(die.name, face)
        symbols = named or _symbols_in_words(system, die.face(face))
        read.append((str(face) if numbered and not named else "", symbols))
    for (number, symbols), alike in groupby(read):
        n = len(list(alike))
        shown = number or symbols or system.words["story.blank"]
        if n > 1:
            shown = say("story.times" if number else "story.alike", face=shown, n=n)
        signed = bool(symbols) or not (look is not None and look.numbered)
        if numbered and any(die.faces) and (counts or blank) and signed:
            each = "story.symbols_each" if n > 1 and symbols else "story.symbols"
            shown = say(each, face=shown, symbols=symbols or system.words["story.blank"])
        texts.append(shown)
    key = "story.dice" if numbered else "story.shows"
    return say(key, die=system.word(die.name), faces=", ".join(texts))
