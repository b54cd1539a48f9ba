"""What every system must satisfy, held by random play: two game masters, three players and a spectator at one table.

Two games of three go on from where a play of that system has come to a move that is seldom open. `play` makes one game
from its seed and checks each promise as it goes. A broken one is an `AssertionError` that says which system, which
seed, which move; `play(system, seed, moves)` with that seed repeats it.
"""

from __future__ import annotations

import functools
import random
import string
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import accumulate

from storypool import systems
from storypool.engine import house, story
from storypool.engine.asks import AskView
from storypool.engine.bag import Bag
from storypool.engine.decisions import Decision, decide
from storypool.engine.dice import Die, derive, in_order
from storypool.engine.events import Event, MoveMade, Record, Rewound
from storypool.engine.fold import evolve, fold, fold_on
from storypool.engine.offers import Offer, offer, offers
from storypool.engine.refusal import Refusal, Refused
from storypool.engine.sight import may_see, records_of, seen, shown, view
from storypool.engine.system import System
from storypool.engine.table import Seat, Side, Table
from storypool.log import codec
from storypool.play import Play, perform, read
from storypool.play.text import Acting

CODES = ("identity", "sight", "window", "when", "limit", "only_if", "price", "argument", "unknown")
"""Every code of a refusal that a program may have to tell apart."""
PHRASES = ("The door is open", "A draft from below", "Someone's coming", "Rain", "Grit & luck", "2nd thoughts")
SEATS: tuple[tuple[str, Side], ...] = (
    ("Mona", "gm"),
    ("Milo", "gm"),
    ("Ann", "player"),
    ("Bo", "player"),
    ("Cy", "player"),
    ("Vera", "spectator"),
)
WEIGHTS = {
    "session.end": 0.1,
    "seat.remove": 0.2,
    "table.settings": 0.3,
    "character.leave": 0.2,
    "table.undo": 0.7,
    "table.redo": 60.0,
    "check.declare": 9.0,
    "check.roll": 16.0,
    "check.close": 2.0,
    "check.cancel": 1.0,
    "proposal.accept": 3.0,
    "proposal.withdraw": 0.5,
    "spend": 16.0,
    "npc": 0.5,
    "asset": 0.5,
    "dire": 0.7,
    "day": 0.5,
    "track": 1.0,
    "information.seek": 1.0,
    "contest.declare": 3.0,
    "trouble.take": 3.0,
    "trouble.ignore": 30.0,
    "track.test": 20.0,
    "conflict.open": 12.0,
    "conflict.end": 3.0,
    "circumstance.create": 40.0,
    "asset.create": 40.0,
    "initiative.roll": 12.0,
    "initiative.next": 20.0,
    "initiative.seize": 60.0,
    "crisis.inflict": 90.0,
    "crisis.answer": 90.0,
    "hook.roll": 1.0,
    "sheet.write": 1.0,
    "threat.escalate": 1.0,
    "ability.use": 300.0,
    "asset.add": 1.0,
    "asset.move": 30.0,
    "asset.use": 30.0,
    "conflict.attack": 60.0,
    "contest.oppose": 60.0,
    "drive.offer": 30.0,
    "drive.accept": 30.0,
    "drive.refuse": 30.0,
    "drive.recover": 300.0,
    "determination.act": 60.0,
    "asset.further": 300.0,
    "asset.keep": 300.0,
    "asset.shift": 300.0,
    "track.score": 90.0,
    "track.lasting": 300.0,
    "defeat.resist": 300.0,
    "threat.harder": 16.0,
    "challenge.roll": 30.0,
}
"""How often some moves come: those that end much of what goes on more seldom, those that are seldom open more often.

By key or by group; what is a move of the house otherwise weighs 1, and what is of the game 4.
"""
SELDOM = 30.0
"""From this weight on a move is so seldom open that games begin where a play has come to it."""
HOUSE = {move.key for move in house.MOVES}


@dataclass
class Game:
    """One random game while it runs: the log, the table it makes, and who may know which hidden word."""

    system: System
    seed: int
    chance: random.Random = field(default_factory=random.Random)
    records: list[Record] = field(default_factory=list)
    tables: list[Table] = field(default_factory=lambda: [Table()])
    words: dict[str, frozenset[str]] = field(default_factory=dict)
    told: dict[str, list[Record]] = field(default_factory=dict)
    made: dict[str, int] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)

    @property
    def table(self) -> Table:
        """The table as it is by now."""
        return self.tables[-1]

    def roll(self, die: Die) -> int:
        """A face of this die, by the chance of this game."""
        return self.chance.randint(die.first, die.last)

    def word(self, knowing: Iterable[str]) -> str:
        """A word that was never said before and that only these seats may ever read."""
        word = f"Zyx{''.join(self.chance.choices(string.ascii_lowercase, k=7))}q"
        self.words[word.casefold()] = frozenset(knowing)
        return word

    def masters(self) -> list[str]:
        """The seats of all game masters, those who left included."""
        return [seat.id for seat in self.table.seats.values() if seat.side == "gm"]

    def keep(self, events: list[Event], seat: str) -> list[Record]:
        """Events put on the log; each record survives being stored, and tells nobody what they may not see."""
        new = records_of(events, seat, self.table.seq, 1_000 * self.table.seq)
        for record in new:
            stored = codec.to_json(codec.to_dict(record))
            assert record == codec.from_dict(codec.from_json(stored)), "an event does not survive being stored"
            self.tables.append(fold_on(self.table, [record], lambda seq: self.tables[seq]))
            self.records.append(record)
            for reader in self.table.seats.values():
                assert may_see(reader, record.seen_by) or shown(record, reader).event is None
                self.unheard(reader, codec.to_json(codec.to_dict(shown(record, reader))), "the log")
        return new

    def unheard(self, reader: Seat, text: str, where: str) -> None:
        """Nothing in this text is a word that this seat may not know."""
        lower = text.casefold()
        if "zyx" in lower:
            heard = [word for word, knowing in self.words.items() if word in lower and reader.id not in knowing]
            assert [] == heard, f"{reader.id} reads a hidden word in {where}: {text}"


def play(system: System, seed: int, moves: int) -> Game:
    """A game of so many tries at a move, with every promise checked; `AssertionError` names system, seed and try."""
    game = Game(system, seed, random.Random(f"{system.key} {seed}"))
    try:
        scenes = _scenes(system.key)
        _resume(game, scenes) if seed % 3 and scenes else _begin(game)
    except Exception as error:
        raise AssertionError(f"{system.key}, seed {seed}, at the beginning: {error}") from error
    for n in range(1, moves + 1):
        trying: list[object] = []
        try:
            _try(game, trying)
            if n % 75 == 0 or n == moves:
                checked(game)
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            raise AssertionError(f"{system.key}, seed {seed}, try {n} of {moves}, {trying}: {what}") from error
    return game


def _begin(game: Game) -> None:
    options = {
        option.key: option.default if game.chance.random() < 0.7 else game.chance.choice(option.values)
        for option in game.system.options
    }
    game.keep([house.open_table(game.system, "A table", options)], "")
    for name, side in SEATS:
        game.keep([house.take_seat(game.table, name, side)], name.lower())
    hidden = {"name": game.word(["mona", "milo"]), "secret": True}
    for seat, key, args in (
        ("mona", "session.begin", {}),
        ("mona", "character.add", {"name": "Brute"}),
        ("mona", "character.add", hidden),
        ("ann", "character.add", {"name": "Pash"}),
        ("bo", "character.add", {"name": "Oska"}),
        ("mona", "trait.set", {"text": game.word(["mona", "milo"]), "secret": True}),
    ):
        game.keep(decide(game.system, game.table, seat, key, args, game.roll), seat)
    for account in game.system.accounts:
        if account.each == "table" and game.chance.random() < 0.8:
            to = {"account": account.name, "to": game.chance.randint(1, 3), "why": "A beginning"}
            game.keep(decide(game.system, game.table, "mona", "points.correct", to, game.roll), "mona")


@functools.cache
def _scenes(key: str) -> dict[str, list[Play]]:
    """The plays of this game up to a move that is seldom open, by that move: chance alone seldom finds the way."""
    found = dict[str, list[Play]]()
    for name, text in systems.plays(key).items() if key in systems.names() else ():
        whole = read(text, name)
        for n, made in enumerate(whole.statements):
            if isinstance(made, Acting) and not any(words[0] == "refused:" for words in made.expects):
                weight = WEIGHTS.get(made.move, WEIGHTS.get(made.move.partition(".")[0], 0.0))
                if weight >= SELDOM and made.move not in HOUSE:
                    found.setdefault(made.move, []).append(replace(whole, statements=whole.statements[:n]))
    return dict(sorted(found.items()))


def _resume(game: Game, scenes: Mapping[str, list[Play]]) -> None:
    """The table as a play leaves it just before such a move, each in its turn, with somebody more to look on."""
    # The seeds that are no multiples of 3, counted from 0.
    turn = game.seed - game.seed // 3 - 1
    plays = scenes[list(scenes)[turn % len(scenes)]]
    performance = perform(game.chance.choice(plays), lambda key: game.system)
    for record in performance.records:
        game.tables.append(fold_on(game.table, [record], lambda seq: game.tables[seq]))
        game.records.append(record)
    for name, side in (SEATS[1], SEATS[-1]):
        game.keep([house.take_seat(game.table, name, side)], name.lower())


# One try.


def _try(game: Game, trying: list[object]) -> None:
    chance = game.chance
    if len([s for s in game.table.seats.values() if s.here and s.side == "player"]) < 2 or chance.random() < 0.01:
        taken = house.take_seat(game.table, f"Guest {game.table.seq}", "player")
        game.keep([taken], taken.seat.id)
    here = [seat for seat in game.table.seats.values() if seat.here]
    seat = chance.choice([s for s in here for _ in range(1 if s.side == "spectator" else 6)])
    listed = offers(game.system, game.table, seat.id)
    assert len(listed) == len([m for m in game.system.moves if seat.side in m.by])
    for one in listed:
        if one.closed is not None:
            clear(game, seat, one.closed)
    opened = [one for one in listed if one.closed is None]
    closed = [one for one in listed if one.closed is not None]
    if closed and (not opened or chance.random() < 0.15):
        _closed(game, seat, chance.choice(closed), trying)
    elif opened:
        usual = (1.0 if one.key in HOUSE else 4.0 for one in opened)
        weights = [WEIGHTS.get(one.key, WEIGHTS.get(one.group, w)) for one, w in zip(opened, usual, strict=True)]
        _opened(game, seat, chance.choices(opened, weights)[0], trying)


def tried(
    game: Game, seat: Seat, key: str, args: Mapping[str, object], override: bool = False
) -> list[Event] | Refusal:
    """The events that a move makes, or why it may not be made; anything else that it raises is a broken promise."""
    try:
        made = Decision(game.system, game.table, seat.id, key, args, game.roll, override)
    except Refused as no:
        return no.refusal
    # What the decision says of the tables that it makes is what their fold says.
    assert made.tables == list(accumulate(made.events[: len(made.tables)], evolve, initial=game.table))[1:]
    assert all(isinstance(event, Rewound) for event in made.events[len(made.tables) :])
    return made.events


def _opened(game: Game, seat: Seat, one: Offer, trying: list[object]) -> None:
    args = dict(_answers(game, seat, one.key))
    trying += [seat.id, one.key, args]
    one = offer(game.system, game.table, seat.id, one.key, args)
    if game.chance.random() < 0.12:
        _spoilt(game, seat, one, args, trying)
        return
    events = tried(game, seat, one.key, args)
    if isinstance(events, Refusal):
        clear(game, seat, events)
        # Whether the moment of what was proposed has passed depends on which proposal is answered.
        passed = ("when", "sight") if one.key == "proposal.accept" else ()
        may = ("argument", "price", *passed) if one.closed is None else (one.closed.code, "argument")
        assert events.code in may, f"offered ({one.closed}), and refused as {events.code}: {events.text}"
        game.refused[one.key] = game.refused.get(one.key, 0) + 1
    else:
        assert one.closed is None, f"closed ({one.closed.text}), and was made: {events}"
        _made(game, seat, one.key, events)


def _closed(game: Game, seat: Seat, one: Offer, trying: list[object]) -> None:
    """A closed offer is refused for the reason it shows; a GM's override makes it and records what was set aside."""
    assert one.closed is not None
    events = tried(game, seat, one.key, {})
    assert isinstance(events, Refusal), f"{one.key} is closed to {seat.id} ({one.closed.text}), and was made: {events}"
    clear(game, seat, events)
    # Whether a price can be paid is asked after the arguments, because it may depend on them.
    same = (one.closed.code, "argument") if one.closed.code == "price" else (one.closed.code,)
    assert events.code in same, f"{one.key} is closed as {one.closed.code} and refused as {events.code}"
    args = dict(_answers(game, seat, one.key, named=False))
    trying += [seat.id, one.key, args, "override"]
    events = tried(game, seat, one.key, args, override=True)
    if isinstance(events, Refusal):
        clear(game, seat, events)
        return
    assert all(no.overridable for no in one.all_closed), f"a reason that nobody sets aside was: {one.all_closed}"
    assert isinstance(events[0], MoveMade)
    assert [no.text for no in one.all_closed] == list(events[0].set_aside)
    if seat.side != "gm":
        assert set(game.table.proposals) < set(_after(game, events, seat).proposals), "a player overrode a rule"
    _made(game, seat, one.key, events)


def _after(game: Game, events: list[Event], seat: Seat) -> Table:
    new = records_of(events, seat.id, game.table.seq, 0)
    return fold_on(game.table, new, lambda seq: game.tables[seq])


def _made(game: Game, seat: Seat, key: str, events: list[Event]) -> None:
    """The move put on the log; what must be true of any table is still true."""
    before = game.table
    assert isinstance(events[0], MoveMade)
    assert (key, seat.id) == (events[0].move, events[0].seat)
    if key == "character.give":
        _revealed(game, before, str(events[0].args["who"]))
    game.keep(events, seat.id)
    game.made[key] = game.made.get(key, 0) + 1
    in_range(game.system, before, game.table)


def _revealed(game: Game, before: Table, who: str) -> None:
    """A hidden character whom a player plays from now on is no secret any more."""
    one = before.characters[who]
    text = f"{one.id} {one.name}".casefold()
    game.words = {word: knowing for word, knowing in game.words.items() if word not in text}


def _spoilt(game: Game, seat: Seat, one: Offer, args: dict[str, object], trying: list[object]) -> None:
    """Arguments that nobody should send are refused in a clear sentence, or understood; nothing else breaks."""
    chance = game.chance
    names = [*args, "nonsense", "check"]
    odd: list[object] = ["", "\x00", "\ud800", "x" * 100_000, "٣", -1, 10**40, 1.5, True, None, [], [1, 2], {"a": -1}]
    odd += [*game.table.characters, *game.table.checks]
    args[chance.choice(names)] = chance.choice(odd)
    hidden = {c.id for c in game.table.characters.values() if not may_see(seat, c.seen_by)}
    hidden |= {c.id for c in game.table.checks.values() if not may_see(seat, c.seen_by)}
    views = {view.name: view for view in offer(game.system, game.table, seat.id, one.key, {}).asks}
    events = tried(game, seat, one.key, args)
    if isinstance(events, Refusal):
        clear(game, seat, events, repr(args))
        return
    assert isinstance(events[0], MoveMade)
    for name, value in events[0].args.items():
        named = isinstance(value, str) and value in hidden
        if named and name in views and views[name].kind == "choice" and not views[name].free:
            raise AssertionError(f"{seat.id} chose what they may not see: {name}={value}")
    # Who says a hidden word aloud has told it.
    game.words = {word: knowing for word, knowing in game.words.items() if word not in repr(args).casefold()}
    _made(game, seat, one.key, events)


# Answers, drawn from the questions themselves.


def _answers(game: Game, seat: Seat, key: str, named: bool = True) -> Iterator[tuple[str, object]]:
    """An answer to each needed question and to some of the others, in order, as a front end would put them.

    Where several actions are open the move may name one of them, if it is to be `named`.
    """
    args: dict[str, object] = {}
    asked: set[str] = set()
    checks = [c.id for c in game.table.checks.values() if may_see(seat, c.seen_by)]
    if checks and named and game.chance.random() < 0.5:
        args["check"] = game.chance.choice(checks)
        yield "check", args["check"]
    while True:
        views = offer(game.system, game.table, seat.id, key, args).asks
        ask = next((one for one in views if one.name not in asked and one.kind != "text"), None)
        ask = ask or next((one for one in views if one.name not in asked), None)
        if ask is None:
            return
        asked.add(ask.name)
        if ask.needed or game.chance.random() < 0.5:
            answer = _answer(game, seat, key, ask, args)
            if answer is not None:
                args[ask.name] = answer
                yield ask.name, answer


def _answer(game: Game, seat: Seat, key: str, ask: AskView, args: Mapping[str, object]) -> object | None:
    chance = game.chance
    match ask.kind:
        case "choice":
            if ask.free and chance.random() < 0.2:
                return "basket weaving"
            picked = chance.choice(ask.choices) if ask.choices else None
            return picked.value if picked else None
        case "text":
            knowing = _knowing(game, seat, key, args)
            return game.word(knowing) if knowing is not None else chance.choice(PHRASES)
        case "number":
            high = min(ask.high, ask.low + (3 if chance.random() < 0.8 else 10**6))
            number = chance.randint(ask.low, high)
            return number if chance.random() < 0.5 else str(number)
        case "flag":
            return chance.random() < 0.5
        case "faces":
            check = game.table.checks.get(str(args.get("check", "")))
            if check is None or check.phase != "build":
                return None
            return [game.roll(die) for die in in_order(check.pool, game.system.dice)]
        case "pool":
            dice = [die for die in game.system.dice if chance.random() < 0.4]
            return game.system.notation.show(Bag({die.name: chance.randint(1, 3) for die in dice}))
        case "sheet":
            entries = chance.sample(game.system.sheet, min(4, len(game.system.sheet)))
            return {entry.key: chance.randint(entry.low, entry.high) for entry in entries}


def _knowing(game: Game, seat: Seat, key: str, args: Mapping[str, object]) -> list[str] | None:
    """Who alone may know what is said with these arguments: about something hidden, or marked as a secret."""
    table = game.table
    if args.get("secret") is True:
        return [*game.masters(), seat.id]
    if key == "character.give" or seat.side != "gm":
        return None
    hidden = [c.id for c in table.characters.values() if c.seen_by] + [t.id for t in table.traits.values() if t.seen_by]
    named = [str(value) for name, value in args.items() if name != "check"]
    if any(name == id or name.startswith(f"{id}.") for name in named for id in hidden):
        return game.masters()
    check = table.checks.get(str(args.get("check", "")))
    return game.masters() if check is not None and check.seen_by and _about_a_check(game, seat, key) else None


def _about_a_check(game: Game, seat: Seat, key: str) -> bool:
    """Whether this move says that no action is going on where none is: then it is about one."""
    bare = Table(
        system=game.system.key, options={**game.table.options, "enforcement": "strict"}, seats=game.table.seats
    )
    closed = offer(game.system, bare, seat.id, key, {}).all_closed
    return game.system.words["no.check"] in [no.text for no in closed]


# Promises.


def clear(game: Game, seat: Seat, no: Refusal, said: str = "") -> None:
    """A refusal is a sentence with nothing left to fill in, has a known code, and tells no secret but what was said."""
    assert no.code in CODES, no
    for text in (no.text, no.remedy):
        assert "{" in said or not set("{}") & set(text), f"a blank was not filled: {text}"
    assert no.text, f"a silent refusal: {no}"
    assert no.text[0] in "“‘(" or not no.text[0].islower(), f"no sentence: {no.text}"
    assert no.text.rstrip("”’)")[-1] in ".!?", f"no sentence: {no.text}"
    if "zyx" not in said.casefold():
        game.unheard(seat, f"{no.text} {no.remedy} {no.field}", "a refusal")


def in_range(system: System, before: Table, table: Table) -> None:
    """Every balance is one of a known account, at least 0, at most its cap; pools follow from their modifications."""
    for purse, n in table.points.items():
        account, owner = purse
        row = system.by_account[account]
        most = row.most(table, owner)
        assert ("character" if owner else "table") == row.each, f"{purse} is not kept so"
        assert not owner or owner in table.characters, f"{purse} is nobody's"
        assert n >= 0, f"{purse} is {n}"
        # A cap that fell takes nothing away from who was below it.
        assert most is None or n <= max(most, before.points[purse]), f"{purse} is {n} of {most}"
    for check in table.checks.values():
        assert check.pool == derive(check.base, check.mods, system.upgrades), f"a pool was not derived: {check}"
        for bag in (check.pool, check.left, check.owed, check.spent.written()):
            assert all(n > 0 for n in bag.values()), f"less than nothing: {bag}"
    assert all(n > 0 for n in table.uses.values()), f"less than no uses: {table.uses}"


def checked(game: Game) -> None:
    """The whole log makes this table, and each seat's own log makes what that seat may see of it."""
    system, table = game.system, game.table
    assert table == fold(game.records), "the log does not make the table"
    for seat in table.seats.values():
        own = view(game.records, seat)
        assert len(game.records) == len(own)
        past = [Table()]
        for record in own:
            past.append(fold_on(past[-1], [record], past.__getitem__))
        theirs, ours = past[-1], seen(table, seat)
        for part in ("title", "options", "seats", "characters", "traits", "checks", "proposals", "points", "periods"):
            want, have = getattr(ours, part), getattr(theirs, part)
            assert want == have, f"{seat.id} folds other {part}: {want} != {have}"
        assert (ours.running, ours.seq) == (theirs.running, theirs.seq)
        game.unheard(seat, repr(ours), "the table")
        game.unheard(seat, repr(offers(system, table, seat.id)), "the offers")
        for record, text in zip(own, story.told(own, system, past.__getitem__), strict=True):
            assert record.event is not None or text == "", "a hidden record says something"
            assert not set("{}") & set(text), f"a blank was not filled: {text}"
            game.unheard(seat, text, "the story")
