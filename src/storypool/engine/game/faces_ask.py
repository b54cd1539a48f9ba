"""The question for the faces of real dice, answered by numbers or by what the faces show."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from storypool.engine.bag import Bag
from storypool.engine.dice import Die, in_order
from storypool.engine.faces import face_number, face_texts
from storypool.engine.game.asks import Ask, Choice, Choices, worded
from storypool.engine.game.turn import Turn
from storypool.engine.refusal import Refused, shortened
from storypool.words.folding import half_width

__all__ = ["FacesAsk"]

MAX_FACES = 60
"""The most faces typed in at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FacesAsk(Ask):
    """The faces that real dice show.

    `dice` names the dice thrown, in order, if they are not those of the open action. `pool` returns
    what the open action throws, if that is not what the notation says of its pool. `further`
    returns the dice that these first dice throw once they show the typed faces.
    """

    dice: Choices | None = None
    pool: Callable[[Turn], Bag] | None = None
    further: Callable[[Turn, tuple[str, ...], tuple[int, ...]], Iterable[Choice]] | None = None

    def offered(self, turn: Turn) -> tuple[Choice, ...]:
        """The dice thrown, or nothing if they are those of the open action's pool.

        Those that a game throws for an empty pool are named, and so are all where typed faces throw
        further dice, which follow the first ones.
        """
        first, faces = tuple(self.dice(turn)) if self.dice else (), turn.numbers(self.name)
        more = tuple[Choice, ...]()
        if self.further is not None and faces:
            more = tuple(self.further(turn, tuple(die.name for die in self._thrown(turn)), faces))
        is_other = turn.check is not None and not any(turn.check.pool.values())
        if more or (self.dice is None and is_other):
            thrown = (Choice(die.name, turn.word(die.name)) for die in self._thrown(turn))
            return (*thrown, *more)
        return first

    def is_shown(self, turn: Turn) -> bool:
        """Whether a form asks it now: not before it is known which dice are thrown."""
        return Ask.is_shown(self, turn) and (self.dice is None or bool(self.offered(turn)))

    def read(self, turn: Turn, raw: object) -> tuple[int, ...]:
        """The printed faces in the dice's order, from a list or a text with spaces or commas.

        A face is a number, or the symbols that it shows: `HH`, `2 hits`, `hit and spark`, `blank`.
        """
        dice = self._thrown(turn)
        if isinstance(raw, int) and not isinstance(raw, bool):
            raw = str(raw)
        parts = face_texts(raw, len(dice)) if isinstance(raw, str) else raw
        if not isinstance(parts, (list, tuple)) or len(parts) > MAX_FACES:
            raise self._unread(turn, raw)
        texts = [half_width(str(part)).strip() for part in parts]
        # `Turn.cast` checks whether these numbers fit the dice.
        if all(text.isdecimal() and len(text) <= 3 for text in texts):
            return tuple(map(int, texts))
        if not dice:
            raise self._unread(turn, raw)
        if len(texts) != len(dice):
            pool = turn.show(Bag({die.name: dice.count(die) for die in dice}))
            raise turn.refused(
                "argument", "faces.count", self.name, n=len(dice), got=len(texts), pool=pool
            )
        return tuple(self._face(turn, die, text) for die, text in zip(dice, texts, strict=True))

    def _thrown(self, turn: Turn) -> list[Die]:
        """The dice whose faces are typed; one with a single face is not thrown."""
        if self.dice is not None:
            names = [choice.value for choice in self.dice(turn)]
        elif turn.check is not None:
            own = self.pool(turn) if self.pool is not None else turn.check.pool
            pool = turn.system.notation.thrown(own)
            names = [die.name for die in in_order(pool, turn.system.dice)]
        else:
            return []
        dice = {die.name: die for die in turn.system.dice}
        return [dice[name] for name in names if dice[name].sides > 1]

    def _face(self, turn: Turn, die: Die, text: str) -> int:
        """The number of a face; `Refused` lists those that the die has."""
        symbols = dict.fromkeys(symbol for face in die.faces for symbol in face)
        looks = turn.system.look
        names = {}
        for symbol in symbols:
            letter = looks[symbol].letter if symbol in looks else ""
            names[symbol] = turn.word(symbol), turn.plural(symbol), letter
        face = face_number(die, text, names)
        if face is not None:
            return face
        limits = {
            "die": turn.word(die.name),
            "got": shortened(text),
            "low": die.first,
            "high": die.last,
        }
        if not symbols:
            raise turn.refused("argument", "faces.range", self.name, **limits)
        shown = turn.words["list.comma"].join(
            _described(turn, face) for face in dict.fromkeys(die.faces)
        )
        raise turn.refused("argument", "faces.shown", self.name, **limits, shown=shown)

    def _unread(self, turn: Turn, raw: object) -> Refused:
        named = {"name": worded(turn, self), "got": shortened(raw)}
        return turn.refused("argument", "argument.faces", self.name, **named)


def _described(turn: Turn, face: Bag) -> str:
    """The symbols of a face in words."""
    texts = [f"{n} {turn.word(symbol, n)}" for symbol, n in face.items()]
    return turn.words["list.last"].join(texts) or turn.words["story.blank"]
