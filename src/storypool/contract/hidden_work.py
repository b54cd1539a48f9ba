"""Nothing hidden leaks: others receive the same with and without hidden work of a seat.

A game is played twice from one state: once as it is, and once with hidden work between its moves:
that of the GM with actions, statements, characters, notes and pictures, or a player's own notes.
Common moves roll the same dice. Then each other seat must receive the same text, except for the
numbers of records and the ids made from them.
"""

import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from storypool.contract.answers import answers
from storypool.contract.finding import Broken
from storypool.contract.random_game import Game, copy_of
from storypool.engine import story
from storypool.engine.decisions import decision_of
from storypool.engine.events import CheckOpened, Event, MoveMade, TraitSet, writes_a_sheet
from storypool.engine.offers import offers, open_moves
from storypool.engine.refusal import Refused
from storypool.engine.sight import audience, may_see, seen, view
from storypool.engine.table import GM_ONLY, Audience, Seat, Table

MOVES = 8
"""The number of moves that both games make."""
SKIPPED = frozenset({"character.show", "seat.remove", "table.undo", "table.redo", "table.settings"})
"""Moves to skip: their results depend on record numbers, or on the seats present.

One shows on purpose what hidden work has written on a sheet.
"""
_NUMBERS = re.compile(r"\b(seq|undo_to|redo_to|open_undo_to|dice_at)=\d+|\bbegan=Bag\([^)]*\)")
_ID = re.compile(r"\b([a-z]{1,2})(\d+)\b")

Further = Callable[[Game, Seat], Iterator[str]]
"""Returns further texts that a seat receives, such as the bytes of a front end."""


@dataclass
class _Pair:
    """One game played twice: `bare` without hidden work, `busy` with that of `worker`."""

    bare: Game
    busy: Game
    since: int
    worker: Seat
    numbers: dict[int, int] = field(default_factory=dict)

    def both(self, seed: str, seat: Seat, key: str, args: Mapping[str, object]) -> bool:
        """Make a move in both games; False if the bare game or hidden work prevents it."""
        bare = _tried(self.bare, seed, seat, key, args)
        if not isinstance(bare, str) and any(
            isinstance(one, CheckOpened) and one.check.seen_by for one in bare
        ):
            # A hidden action by default, next to a public one, is hidden work.
            return False
        if seat.side == "gm" and not isinstance(bare, str):
            # The default choice may be hidden; the GM means the visible one.
            args = {**_answered(bare), **args}
        busy = _tried(self.busy, seed, seat, key, self._translated(args))
        if isinstance(bare, str) or isinstance(busy, str):
            same = isinstance(bare, str) and isinstance(busy, str) and self._read(bare) == busy
            if seat.side != "gm" and not same:
                raise Broken(
                    "hidden.refused",
                    who=seat.id,
                    move=key,
                    bare=_described(bare),
                    busy=_described(busy),
                )
            return same
        before = self.bare.table.seq, self.busy.table.seq
        alone = _alone(self.worker)
        bare_public, busy_public = _public_indices(bare, alone), _public_indices(busy, alone)
        if len(bare_public) != len(busy_public):
            raise Broken(
                "hidden.events",
                who=seat.id,
                move=key,
                bare=[repr(bare[n - 1])[:300] for n in bare_public],
                busy=[repr(busy[n - 1])[:300] for n in busy_public],
            )
        for n, m in zip(bare_public, busy_public, strict=True):
            self.numbers[before[0] + n] = before[1] + m
        self.bare.keep(bare, seat.id)
        self.busy.keep(busy, seat.id)
        return True

    def compare(self, seat: Seat, further: Further | None, trail: list[str]) -> None:
        """Compare everything that this seat receives."""
        bare_texts, busy_texts = (
            received(game, seat, self.since, further) for game in (self.bare, self.busy)
        )
        for (what, bare), (_, busy) in zip(bare_texts, busy_texts, strict=True):
            bare = self._read(bare)
            if bare != busy:
                start = max(0, _same(bare, busy) - 60)
                near = slice(start, start + 120)
                how = " · ".join(trail)
                raise Broken(
                    "hidden.shows",
                    who=seat.id,
                    what=what,
                    bare=bare[near],
                    busy=busy[near],
                    how=how,
                )

    def _translated(self, args: Mapping[str, object]) -> dict[str, object]:
        found = dict(args)
        for name, value in args.items():
            if isinstance(value, str):
                found[name] = self._read(value)
        return found

    def _read(self, text: str) -> str:
        """A text of the bare game with the ids of the busy one."""
        dice = {die.name for die in self.bare.system.dice}

        def renumbered(found: re.Match[str]) -> str:
            if found[0] in dice:
                return found[0]
            return f"{found[1]}{self.numbers.get(int(found[2]), int(found[2]))}"

        return _ID.sub(renumbered, text)


def received(
    game: Game, seat: Seat, since: int = 0, further: Further | None = None
) -> Iterator[tuple[str, str]]:
    """The named texts that a seat receives: its log after record `since`, its table, and more."""
    own = view(game.records[since:], seat)
    yield "the log", "\n".join(repr(record.event) for record in own if record.event is not None)
    yield "the table", _NUMBERS.sub(r"\1", repr(seen(game.table, seat)))
    yield "the offers", repr(offers(game.system, game.table, seat.id))
    sentences = (
        story.sentence(record, seen(game.tables[record.seq - 1], seat), game.system)
        for record in own
    )
    yield "the story", "\n".join(text for text in sentences if text)
    if further is not None:
        for n, text in enumerate(further(game, seat)):
            yield f"the front end's text {n}", text


def hidden_work(
    game: Game, chance: random.Random, further: Further | None = None, moves: int = MOVES
) -> int:
    """Play on with and without hidden work, and compare; return the count of hidden moves."""
    here = [seat for seat in game.table.seats.values() if seat.here and seat.side != "spectator"]
    if any(check.seen_by for check in game.table.checks.values()):
        return 0
    masters = [seat for seat in here if seat.side == "gm"]
    # The GM does more in secret.
    worker = masters[0] if masters and chance.random() < 0.8 else chance.choice(here)
    others = [seat for seat in _others(game.table, worker) if seat.here]
    if not others:
        return 0
    pair = _Pair(copy_of(game, chance), copy_of(game, chance), game.table.seq, worker)
    trail, done = list[str](), 0
    for n in range(moves):
        for _ in range(chance.randint(0, 3)):
            made = _hidden(pair, chance)
            if made:
                trail.append(made)
                done += 1
        _public(pair, f"{game.seed} {game.table.seq} {n}", chance, trail)
        if n % 4 == 3:
            for seat in others if moves == MOVES else [chance.choice(others)]:
                pair.compare(seat, further, trail)
    return done


def _alone(worker: Seat) -> Audience:
    """The audience of what this seat keeps to itself; game masters share it."""
    return GM_ONLY if worker.side == "gm" else (worker.id,)


def _others(table: Table, worker: Seat) -> list[Seat]:
    """The seats that do not see what this seat does for itself: game masters work together."""
    return [
        seat
        for seat in table.seats.values()
        if seat.id != worker.id and not seat.side == worker.side == "gm"
    ]


def _public(pair: _Pair, seed: str, chance: random.Random, trail: list[str]) -> None:
    bare = pair.bare
    seats = [seat for seat in bare.table.seats.values() if seat.here and seat.side != "spectator"]
    seat = chance.choice(seats)
    keys = _moves(bare, seat)
    if seat.id == pair.worker.id and seat.side != "gm":
        # The seat's own papers are others in the busy game.
        keys = [key for key in keys if not key.startswith("paper.")]
    opened = open_moves(bare.system, bare.table, seat.id, keys)
    if not opened:
        return
    key = chance.choice(opened)
    args = dict(answers(bare, seat, key, named=False))
    checks = [check.id for check in bare.table.checks.values() if check.seen_by is None]
    if seat.side == "gm" and checks:
        # With several open actions, the GM names the visible one.
        args["check"] = checks[-1]
    if args.get("secret") or any(
        isinstance(value, str) and _secret(pair.bare, value) for value in args.values()
    ):
        return
    if pair.both(seed, seat, key, args):
        trail.append(f"{seat.id} {key} {args}")


def _moves(game: Game, seat: Seat) -> list[str]:
    """The moves of this seat's side, except for skipped ones."""
    return [
        move.key for move in game.system.moves if seat.side in move.by and move.key not in SKIPPED
    ]


def _secret(game: Game, id: str) -> bool:
    """Whether this id belongs to something hidden."""
    table = game.table
    thing = (
        table.characters.get(id.partition(".")[0]) or table.traits.get(id) or table.checks.get(id)
    )
    return thing is not None and thing.seen_by is not None


def _hidden(pair: _Pair, chance: random.Random) -> str:
    """Make a move with events that no other seat sees, and describe it; "" if none was made."""
    busy, table, worker = pair.busy, pair.busy.table, pair.worker
    is_paper = worker.side != "gm" or chance.random() < 0.2
    key, args = (_with_papers if is_paper else _gms_work)(busy, worker, chance)
    try:
        made = decision_of(busy.system, table, worker.id, key, args, roll=busy.roll)
    except Refused:
        return ""
    others = _others(table, worker)
    if any(may_see(seat, audience(event)) for event in made.events for seat in others):
        return ""
    if any(_promises_visible_dice(event, table) for event in made.events):
        return ""
    busy.keep(made.events, worker.id)
    return f"{worker.id} {key} {args} (hidden)"


Work = tuple[str, dict[str, object]]


def _with_papers(busy: Game, worker: Seat, chance: random.Random) -> Work:
    """A note of this seat alone, or a portrait of a hidden character."""
    table = seen(busy.table, worker)
    knowing = busy.masters() if worker.side == "gm" else [worker.id]
    text, picture = busy.word(knowing), busy.picture(knowing)
    lurking = [one.id for one in table.characters.values() if one.seen_by == GM_ONLY]
    own = [paper.id for paper in table.papers.values() if paper.seen_by == _alone(worker)]
    if worker.side == "gm" and lurking and chance.random() < 0.3:
        return "character.portrait", {"who": chance.choice(lurking), "picture": picture}
    about = chance.choice(["", *table.characters])
    words: dict[str, object] = {"title": text, "text": text, "picture": picture, "about": about}
    verb = chance.choice(("write", "edit", "remove")) if own else "write"
    if verb == "write":
        return "paper.write", words
    return f"paper.{verb}", {"id": chance.choice(own), **(words if verb == "edit" else {})}


def _gms_work(busy: Game, master: Seat, chance: random.Random) -> Work:
    """A move of the GM in secret: an undo, or one with an action, a character or a statement."""
    table = busy.table
    lurking = [one.id for one in table.characters.values() if one.seen_by is not None]
    hidden = [check for check in table.checks.values() if check.seen_by is not None]
    choice = chance.random()
    if hidden and choice < 0.6:
        check = hidden[-1]
        keys = [key for key in _moves(busy, master) if key != "check.reveal"]
        key = chance.choice(open_moves(busy.system, table, master.id, keys, check.id))
        return key, {**dict(answers(busy, master, key, named=False)), "check": check.id}
    if choice < 0.75:
        return "table.undo", {}
    if lurking and choice < 0.82 and (zones := table.of_kind("zone")):
        return "zone.place", {"what": chance.choice(lurking), "zone": chance.choice(zones).id}
    if not lurking or choice < 0.8:
        return "character.add", {"name": busy.word(busy.masters()), "secret": True}
    if choice < 0.9:
        return "trait.set", {"text": busy.word(busy.masters()), "secret": True}
    asking = []
    for key in _moves(busy, master):
        if any(ask.name == "secret" for ask in busy.system.by_key[key].asks):
            asking.append(key)
    declaring = open_moves(busy.system, table, master.id, asking)
    key = chance.choice([key for key in declaring if key.startswith("check.")] or declaring)
    args = dict(answers(busy, master, key, named=False))
    args.pop("against", None)
    return key, {**args, "secret": True, "as": chance.choice(lurking)}


def _promises_visible_dice(event: Event, table: Table) -> bool:
    """Whether this promises dice to a visible character: they are shown with the roll."""
    if not isinstance(event, TraitSet) or not event.trait.mods:
        return False
    about = table.characters.get(event.trait.about)
    return about is None or about.seen_by is None


def _tried(
    game: Game, seed: str, seat: Seat, key: str, args: Mapping[str, object]
) -> list[Event] | str:
    dice = random.Random(seed)
    try:
        made = decision_of(
            game.system,
            game.table,
            seat.id,
            key,
            args,
            roll=lambda die: dice.randint(die.first, die.last),
        )
    except Refused as no:
        return repr(no.refusal)
    return made.events


def _answered(events: list[Event]) -> dict[str, object]:
    """The text answers of a move that was made, including defaults."""
    made = events[0]
    assert isinstance(made, MoveMade)
    return {name: value for name, value in made.args.items() if isinstance(value, str) and value}


def _public_indices(events: list[Event], alone: Audience) -> list[int]:
    """The indices, from 1, of the events that others see, or that a sheet can show them later."""
    numbered = enumerate(events, 1)
    return [n for n, event in numbered if audience(event) != alone or writes_a_sheet(event)]


def _described(made: list[Event] | str) -> str:
    return made if isinstance(made, str) else "made"


def _same(one: str, other: str) -> int:
    """The length of the common prefix of two texts."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))
