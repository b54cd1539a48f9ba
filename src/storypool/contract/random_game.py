"""A running random game: its log, its tables, and the readers of each hidden word."""

import random
import string
from collections.abc import Iterable
from dataclasses import dataclass, field

from storypool.contract.finding import Broken
from storypool.contract.material import material
from storypool.engine.dice import Die
from storypool.engine.events import Event, MoveMade, Record
from storypool.engine.fold import fold_on
from storypool.engine.game.system import System
from storypool.engine.sight import audience, may_see, records_of, shown
from storypool.engine.table import Seat, Table
from storypool.log import codec

REVEALING = (
    *("character.give", "character.show", "check.reveal", "paper.show", "trait.show", "try.call"),
)
"""The moves that reveal something hidden on purpose."""

HIDDEN_PICTURE = "facade"
"""How the key of a hidden picture begins."""


@dataclass
class Game:
    """A running random game: its log, its tables, and the readers of each hidden word."""

    system: System
    seed: int
    chance: random.Random = field(default_factory=random.Random)
    records: list[Record] = field(default_factory=list)
    tables: list[Table] = field(default_factory=lambda: [Table()])
    words: dict[str, frozenset[str]] = field(default_factory=dict)
    made: dict[str, int] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)
    called_off: int = 0
    hidden: int = 0
    firm: int = 0
    pressed: dict[tuple[object, ...], int] = field(default_factory=dict)
    """The buttons of waits that have been pressed, each with the last record at that time."""

    @property
    def table(self) -> Table:
        """The current table."""
        return self.tables[-1]

    def roll(self, die: Die) -> int:
        """A random face of this die."""
        return self.chance.randint(die.first, die.last)

    def word(self, knowing: Iterable[str]) -> str:
        """A new word that only these seats may ever read."""
        word = f"Zyx{''.join(self.chance.choices(string.ascii_lowercase, k=7))}q"
        self.words[word.casefold()] = frozenset(knowing)
        return word

    def picture(self, knowing: Iterable[str] | None) -> str:
        """A new key of a picture; with `knowing`, only these seats may ever read it."""
        if knowing is None:
            return self.chance.randbytes(16).hex()
        key = f"{HIDDEN_PICTURE}{self.chance.randbytes(13).hex()}"
        self.words[key] = frozenset(knowing)
        return key

    def masters(self) -> list[str]:
        """The seats of all GMs, including those who left."""
        return [seat.id for seat in self.table.seats.values() if seat.side == "gm"]

    def keep(self, events: list[Event], seat: str) -> list[Record]:
        """Append events to the log; check that each record survives storage and leaks no secret."""
        self._forget_revealed(events)
        new = records_of(events, seat, self.table.seq, 1_000 * self.table.seq)
        for record in new:
            if record != codec.from_row(*codec.to_row(record)):
                raise Broken("stored", event=type(record.event).__name__)
            self.tables.append(fold_on(self.table, [record], lambda seq: self.tables[seq]))
            self.records.append(record)
            texts = list[tuple[Record, str]]()
            for reader in self.table.seats.values():
                theirs = shown(record, reader)
                if theirs.event is not None and not may_see(reader, record.seen_by):
                    raise Broken("shown", who=reader.id, event=type(record.event).__name__)
                text = next((text for known, text in texts if known == theirs), None)
                if text is None:
                    text = codec.record_json(theirs).decode()
                    texts.append((theirs, text))
                self.check_secrets(reader, text, "the log")
        return new

    def _forget_revealed(self, events: list[Event]) -> None:
        """Treat a secret as public once a move reveals it on purpose."""
        made, moves = events[0], (*REVEALING, *material(self.system.key).reveals)
        if not isinstance(made, MoveMade) or made.move not in moves:
            return
        shown = made.move == "paper.show"
        text = repr([one for one in events if shown or audience(one) is None]).casefold()
        self.words = {word: knowing for word, knowing in self.words.items() if word not in text}

    def check_secrets(self, reader: Seat, text: str, where: str) -> None:
        """Check that this text has no word that this seat may not know."""
        lower = text.casefold()
        if "zyx" in lower or HIDDEN_PICTURE in lower:
            heard = []
            for word, knowing in self.words.items():
                if word in lower and reader.id not in knowing:
                    heard.append(word)
            if heard:
                raise Broken("heard", who=reader.id, where=where, text=text)


def copy_of(game: Game, chance: random.Random) -> Game:
    """A copy of a game that goes on independently, with its own source of chance."""
    return Game(
        game.system,
        game.seed,
        chance,
        records=list(game.records),
        tables=list(game.tables),
        words=dict(game.words),
    )
