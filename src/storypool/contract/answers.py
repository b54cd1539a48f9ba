"""Random answers to the questions of a move."""

from collections.abc import Iterator, Mapping
from random import Random

from storypool.contract.random_game import Game
from storypool.engine.bag import Bag
from storypool.engine.dice import in_order
from storypool.engine.game.asks import AskView
from storypool.engine.game.kit import Entry
from storypool.engine.house.papers import EVERYONE
from storypool.engine.house.people import PICTURE
from storypool.engine.offers import offer
from storypool.engine.sight import may_see
from storypool.engine.table import Seat, Table, Value

PHRASES = (
    "The door is open",
    "A draft from below",
    "Someone's coming",
    "Rain",
    "Grit & luck",
    "2nd thoughts",
)


def answers(game: Game, seat: Seat, key: str, named: bool = True) -> Iterator[tuple[str, object]]:
    """Random answers to the required questions and some others, in the order of a front end.

    If several actions are open, the move may name one of them if `named`.
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


def _answer(
    game: Game, seat: Seat, key: str, ask: AskView, args: Mapping[str, object]
) -> object | None:
    chance = game.chance
    match ask.kind:
        case "choice":
            if ask.free and chance.random() < 0.2:
                return "basket weaving"
            picked = chance.choice(ask.choices) if ask.choices else None
            return picked.value if picked else None
        case "text":
            knowing = _allowed_seats(game, seat, key, args)
            if ask.name == PICTURE.name:
                return game.picture(knowing)
            if knowing is not None:
                return game.word(knowing)
            return chance.choice(PHRASES)
        case "number":
            high = min(ask.high, ask.low + (3 if chance.random() < 0.8 else 10**6))
            number = chance.randint(ask.low, high)
            if chance.random() < 0.5:
                return number
            return str(number)
        case "flag":
            return chance.random() < 0.5
        case "several":
            there = [choice.value for choice in ask.choices if not choice.closed]
            return chance.sample(there, chance.randint(ask.low, ask.high)) or None
        case "faces":
            check = game.table.checks.get(str(args.get("check", "")))
            if check is None or check.phase != "build":
                return None
            return [game.roll(die) for die in in_order(check.pool, game.system.dice)]
        case "pool":
            dice = [die for die in game.system.pool_dice if chance.random() < 0.4]
            return game.system.notation.show(Bag({die.name: chance.randint(1, 3) for die in dice}))
        case "sheet":
            entries = chance.sample(game.system.sheet, min(4, len(game.system.sheet)))
            return {entry.key: _value_of(entry, chance) for entry in entries}


def _value_of(entry: Entry, chance: Random) -> Value:
    """A number of an entry, or words as long as it holds."""
    if entry.text:
        words = 'A rope, two lamps; a "lucky" coin = 3'[: entry.text].strip()
        return chance.choice(["", words])
    return chance.randint(entry.low, entry.high)


def _allowed_seats(
    game: Game, seat: Seat, key: str, args: Mapping[str, object]
) -> list[str] | None:
    """The only seats that may know the hidden content of these arguments; None without any."""
    table = game.table
    if args.get("secret") is True:
        return [*game.masters(), seat.id]
    if key == "paper.write":
        return _readers(game, seat, args)
    if key in ("character.give", "paper.edit") or seat.side != "gm":
        return None
    hidden = [c.id for c in table.characters.values() if c.seen_by] + [
        t.id for t in table.traits.values() if t.seen_by
    ]
    named = [str(value) for name, value in args.items() if name != "check"]
    if any(name == id or name.startswith(f"{id}.") for name in named for id in hidden):
        return game.masters()
    check = table.checks.get(str(args.get("check", "")))
    if check is not None and check.seen_by and _about_a_check(game, seat, key):
        return game.masters()
    return None


def _readers(game: Game, seat: Seat, args: Mapping[str, object]) -> list[str] | None:
    """The seats for whom a paper is written; None for one that is shown to everyone."""
    whom = args.get("whom")
    chosen = [str(one) for one in whom] if isinstance(whom, list) else []
    if EVERYONE in chosen:
        return None
    # What one GM reads, all read.
    by_gms = {seat.id, *chosen} & {*game.masters()}
    return [seat.id, *chosen, *(game.masters() if by_gms else ())]


def _about_a_check(game: Game, seat: Seat, key: str) -> bool:
    """Whether this move is about an action: without one, it is closed for that reason."""
    bare = Table(
        system=game.system.key,
        options={**game.table.options, "enforcement": "strict"},
        seats=game.table.seats,
    )
    closed = offer(game.system, bare, seat.id, key, {}).all_closed
    return game.system.words["no.check"] in [no.text for no in closed]
