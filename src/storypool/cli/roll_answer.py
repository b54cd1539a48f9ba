"""The output of `storypool roll`: a pool rolled without a table, or read from real dice."""

import os
from collections.abc import Iterable, Mapping, Sequence

from storypool import systems
from storypool.cli import arguments
from storypool.cli.refusals import denied
from storypool.engine.bag import Bag
from storypool.engine.dice import Die, Rolled
from storypool.words.folding import half_width
from storypool.words.languages import Languages


def answer(
    languages: Languages, system: str, pool: Sequence[str], faces: str = "", as_json: bool = False
) -> int:
    """Print a roll of a pool with its terms, or of real dice with `faces`; return the exit code."""
    dice = arguments.dice(system)
    text, terms = _pool_and_terms(pool)
    read = arguments.pool_of(dice.NOTATION, text)
    thrown, judge = systems.under(system, read, terms, languages.default)
    thrown, roll = _rolled(system, thrown, faces)
    passed, net, sentence = judge(roll)
    assumed = systems.assumed(system, terms, read)
    shown = [die.face(one.face) for die, one in zip(thrown, roll, strict=True)]
    if as_json:
        import json

        whole = {
            "system": system,
            "pool": dict(read),
            "terms": terms,
            **({"assumed": assumed} if assumed else {}),
            "rolled": [{"die": one.die, "face": one.face, "source": one.source} for one in roll],
            "symbols": dict(sum(shown, Bag())),
            "net": {axis: net[axis] for axis in dice.AXES.names},
            "passed": passed,
            "words": sentence,
        }
        print(json.dumps(whole))
    else:
        say = languages.default.program.say
        taken = [say("picture.assumed", key=key, value=value) for key, value in assumed.items()]
        head = ", ".join([dice.NOTATION.show(read), *taken])
        print("\n  ".join([head, *_lines(roll, shown)]))
        print(sentence)
    return 0


def randbelow(n: int) -> int:
    """A uniform random number from 0 to n - 1 from the operating system; n is at most 2**32.

    It draws four bytes, and draws again if they exceed the last whole multiple of n, which would
    bias the result.
    """
    # Like `secrets.randbelow`, without the slow imports of that module.
    whole = 2**32 - 2**32 % n
    while (chance := int.from_bytes(os.urandom(4))) >= whole:
        pass
    return chance % n


def _pool_and_terms(words: Sequence[str]) -> tuple[str, dict[str, str]]:
    """The pool and the terms; the parser of terms is imported only if there are any."""
    if not any("=" in word or "＝" in word for word in words):
        return " ".join(words), {}
    from storypool.odds.question import terms_of

    return terms_of(words)


def cast(dice: Iterable[Die]) -> tuple[Rolled, ...]:
    """Roll every die once."""
    return tuple(Rolled(die.name, die.first + randbelow(die.sides)) for die in dice)


def typed(dice: Sequence[Die], faces: str, system: str) -> tuple[Rolled, ...]:
    """Dice that were rolled by hand; `Refused` for a wrong number of faces, or an unknown face.

    A face is a number, or its symbols. A die with one face is not rolled, and takes no face.
    """
    thrown = [die for die in dice if die.sides > 1]
    given = half_width(faces).replace(",", " ").split()
    if not all(face.isdecimal() for face in given):
        given = _numbers(thrown, faces, system)
    if len(given) != len(thrown):
        named = ", ".join(die.name for die in thrown)
        raise denied("argument", "faces.count", "faces", n=len(thrown), got=len(given), pool=named)
    for die, face in zip(thrown, given, strict=True):
        if not face.isdecimal() or len(face) > 3 or not die.first <= int(face) <= die.last:
            known = {"die": die.name, "low": die.first, "high": die.last}
            raise denied("argument", "faces.range", "faces", got=face[:12], **known)
    faces_left = map(int, given)

    def roll(die: Die) -> Rolled:
        if die.sides == 1:
            return Rolled(die.name, die.first)
        return Rolled(die.name, next(faces_left), "hand")

    return tuple(map(roll, dice))


def _rolled(
    system: str, dice: Sequence[Die], faces: str
) -> tuple[tuple[Die, ...], tuple[Rolled, ...]]:
    """The dice, each with further ones for its further rolls where it explodes, and their faces.

    Of real dice the further faces come after those of the pool, in the order of their rolls.
    """
    given, n = half_width(faces).replace(",", " ").split(), sum(die.sides > 1 for die in dice)
    further = given[n:] if all(face.isdecimal() for face in given) else []
    first = [" ".join(given[:n]) if further else faces]

    def roll(some: Sequence[Die]) -> tuple[Rolled, ...]:
        if not faces:
            return cast(some)
        if first:
            return typed(some, first.pop(), system)
        read = typed(some, " ".join(further[: len(some)]), system)
        del further[: len(some)]
        return read

    found = systems.thrown(system, dice, roll)
    if further:
        needed, named = len(given) - len(further), ", ".join(die.name for die in dice)
        raise denied("argument", "faces.count", "faces", n=needed, got=len(given), pool=named)
    return found


def _numbers(dice: Sequence[Die], faces: str, system: str) -> list[str]:
    """Faces in words as numbers, as far as these dice have them."""
    # Plain numbers need neither this nor the looks of the game, which are slow to load.
    from storypool.engine.faces import face_number, face_texts

    looks = systems.get(system).look
    names = {name: (look.word, look.plural, look.letter) for name, look in looks.items()}
    given = face_texts(faces, len(dice))
    found = [face_number(die, face, names) for die, face in zip(dice, given, strict=False)]
    for i, number in enumerate(found):
        if number is not None:
            given[i] = str(number)
    return given


def _lines(roll: Sequence[Rolled], shown: Sequence[Bag]) -> list[str]:
    wide = max(len(one.die) for one in roll) if roll else 0
    rows = zip(roll, shown, strict=True)
    return [
        f"{one.die:{wide}} {one.face:>2}  {symbols_text(symbols) or '-'}".rstrip()
        for one, symbols in rows
    ]


def symbols_text(face: Mapping[str, int], separator: str = ", ") -> str:
    """The symbols of a face, with the number of each from 2."""
    return separator.join(_counted(name, n) for name, n in face.items())


def _counted(name: str, n: int) -> str:
    return name if n == 1 else f"{n} {name}"
