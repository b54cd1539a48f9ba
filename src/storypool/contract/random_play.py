"""Random play of a game by two GMs, three players and a spectator, with all promises checked.

Two games of three start where a play makes a rarely open move. `play` runs one game from its seed
and checks each promise on the way. `BrokenOff` names the game, the seed and the move; `play(system,
seed, moves)` with that seed repeats it.
"""

import random
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import accumulate

from storypool.contract.answer_promises import check_numbers
from storypool.contract.answers import answers
from storypool.contract.calling_off import check_calling_off
from storypool.contract.file_moves import reads_its_price
from storypool.contract.finding import Broken, error_text, place
from storypool.contract.firmness import check_firmness
from storypool.contract.hidden_work import Further, hidden_work
from storypool.contract.material import HOUSE, SELDOM, Material, material
from storypool.contract.random_game import Game
from storypool.contract.table_promises import check_balances, check_logs, check_refusal
from storypool.contract.wait_promises import check_end, check_waits
from storypool.engine import house
from storypool.engine.decisions import decide, decision_of
from storypool.engine.events import Event, MoveMade, Proposed, Rewound
from storypool.engine.fold import evolve, fold_on
from storypool.engine.game.system import System
from storypool.engine.game.waits import asked_for
from storypool.engine.offers import Offer, offer, offers
from storypool.engine.refusal import Refusal, Refused
from storypool.engine.sight import may_see, records_of
from storypool.engine.table import Points, Proposal, Seat, Side, Table
from storypool.play import Play, perform, read
from storypool.play.text import Acting
from storypool.systems import game_stakes
from storypool.words import Phrase, StorypoolError
from storypool.worth.weighing import weighed

SEATS: tuple[tuple[str, Side], ...] = (
    ("Mona", "gm"),
    ("Milo", "gm"),
    ("Ann", "player"),
    ("Bo", "player"),
    ("Cy", "player"),
    ("Vera", "spectator"),
)


class BrokenOff(StorypoolError, AssertionError):
    """A random game that broke off: the game, the seed, the try, and the reason."""

    def __init__(self, game: Game, when: Phrase, error: Exception) -> None:
        self.when = when
        self.what = (
            str(error) if isinstance(error, Broken) else f"{error_text(error)}{place(error)}."
        )
        super().__init__(f"{game.system.key}, seed {game.seed}, {when}: {self.what}")


def play(
    system: System,
    seed: int,
    moves: int,
    brings: Material | None = None,
    walks: int = 0,
    further: Further | None = None,
) -> Game:
    """Play a random game of this many tries and check every promise.

    `BrokenOff` names the game, the seed and the try. `brings` is the game's material for its
    checks, by default from its folder. After every tenth try, `walks` further walks of each kind go
    on from there: some cancel an action, and some have hidden work. `further` returns texts besides
    those of the rules that hidden work must not change.
    """
    brings = material(system.key) if brings is None else brings
    game = Game(system, seed, random.Random(f"{system.key} {seed}"))
    try:
        scenes = _scenes(brings) if seed % 3 else {}
        _resume(game, scenes) if scenes else _begin(game)
    except Exception as error:
        raise BrokenOff(game, Phrase("check.beginning"), error) from error
    waited = None
    for n in range(1, moves + 1):
        trying: list[object] = []
        try:
            _try(game, brings, trying)
            # A try without a change leaves all waits as they were.
            if game.table is not waited:
                check_waits(game)
            waited = game.table
            if n % 75 == 0 or n == moves:
                check_logs(game)
            if n % 10 == 9:
                # Like the page, weigh one seat at a time.
                weighed(system, game.table, list(game.table.seats)[n // 10 % len(game.table.seats)])
            if n % 15 == 5:
                game.called_off += check_calling_off(game, random.Random(f"{seed} {n}"))
            if n % 75 == 40:
                game.hidden += hidden_work(game, random.Random(f"{seed} {n}"), further)
            if n % 75 == 60:
                game.firm += check_firmness(game, random.Random(f"{seed} {n}"))
            if n % 10 == 0:
                for walk in range(walks):
                    id = f"{seed} {n} {walk}"
                    game.called_off += check_calling_off(game, random.Random(id))
                    game.hidden += bool(hidden_work(game, random.Random(id), moves=4))
        except Exception as error:
            raise BrokenOff(
                game,
                Phrase("check.try", n=n, moves=moves, trying=" ".join(map(str, trying))),
                error,
            ) from error
    return game


def _begin(game: Game) -> None:
    options = {}
    for option in game.system.options:
        usual = game.chance.random() < 0.7
        options[option.key] = option.default if usual else game.chance.choice(option.values)
    game.keep([house.open_table(game.system, "A table", options)], "")
    for name, side in SEATS:
        game.keep([house.take_seat(game.system, game.table, name, side)], name.lower())
    hidden = {"name": game.word(["mona", "milo"]), "secret": True}
    for seat, key, args in (
        ("mona", "session.begin", {}),
        ("mona", "character.add", {"name": "Brute"}),
        ("mona", "character.add", hidden),
        ("ann", "character.add", {"name": "Pash"}),
        ("bo", "character.add", {"name": "Oska"}),
        ("mona", "trait.set", {"text": game.word(["mona", "milo"]), "secret": True}),
    ):
        if args.get("secret") and not game.system.has_gm:
            continue
        game.keep(decide(game.system, game.table, seat, key, args, roll=game.roll), seat)
    for account in game.system.accounts:
        if account.each == "table" and game.chance.random() < 0.8:
            most, n = account.most(game.table, ""), game.chance.randint(1, 3)
            to = {"account": account.name, "to": min(n, most or n), "why": "A beginning"}
            game.keep(
                decide(game.system, game.table, "mona", "points.correct", to, roll=game.roll),
                "mona",
            )


@cache
def _scenes(brings: Material) -> dict[str, list[Play]]:
    """The plays up to a rarely open move, by that move: random play seldom gets there."""
    found = dict[str, list[Play]]()
    for name, text in brings.plays.items():
        whole = read(text, name)
        for n, made in enumerate(whole.statements):
            if isinstance(made, Acting) and not any(
                words[0] == "refused:" for words in made.expects
            ):
                weight = brings.weight(made.move, made.move.partition(".")[0])
                if weight >= SELDOM and made.move not in HOUSE:
                    found.setdefault(made.move, []).append(
                        replace(whole, statements=whole.statements[:n])
                    )
    return dict(sorted(found.items()))


def _resume(game: Game, scenes: Mapping[str, list[Play]]) -> None:
    """Start with the table that a play leaves just before such a move, each move in turn."""
    # The number of earlier seeds that are not multiples of 3.
    turn = game.seed - game.seed // 3 - 1
    plays = scenes[list(scenes)[turn % len(scenes)]]
    performance = perform(game.chance.choice(plays), lambda key, language: game.system)
    for record in performance.records:
        game.tables.append(fold_on(game.table, [record], lambda seq: game.tables[seq]))
        game.records.append(record)
    for name, side in (SEATS[1], SEATS[-1]):
        game.keep([house.take_seat(game.system, game.table, name, side)], name.lower())


# One try.


def _try(game: Game, brings: Material, trying: list[object]) -> None:
    chance = game.chance
    if (
        len([s for s in game.table.seats.values() if s.here and s.side == "player"]) < 2
        or chance.random() < 0.01
    ):
        taken = house.take_seat(game.system, game.table, f"Guest {game.table.seq}", "player")
        game.keep([taken], taken.seat.id)
    here = [seat for seat in game.table.seats.values() if seat.here]
    drawn_from = list[Seat]()
    for each in here:
        drawn_from += [each] * (1 if each.side == "spectator" else 6)
    seat = chance.choice(drawn_from)
    trying.append(seat.id)
    listed = offers(game.system, game.table, seat.id)
    if len(listed) != len([move for move in game.system.moves if seat.side in move.by]):
        raise Broken("listed", who=seat.id)
    for one in listed:
        if one.closed is not None:
            check_refusal(game, seat, one.closed)
    opened = [one for one in listed if one.closed is None]
    closed = [one for one in listed if one.closed is not None]
    if closed and (not opened or chance.random() < 0.15):
        _check_closed_offer(game, seat, chance.choice(closed), trying)
    elif opened:
        weights = [brings.weight(one.key, one.group) for one in opened]
        _try_open_offer(game, seat, chance.choices(opened, weights)[0], trying)


def events_or_refusal(
    game: Game, seat: Seat, key: str, args: Mapping[str, object], override: bool = False
) -> list[Event] | Refusal:
    """The events of a move, or its refusal; any other exception is a broken promise."""
    try:
        made = decision_of(
            game.system, game.table, seat.id, key, args, roll=game.roll, override=override
        )
    except Refused as no:
        return no.refusal
    # The decision must have folded its events into the same tables as `evolve` does.
    folded = list(accumulate(made.events[: len(made.tables)], evolve, initial=game.table))[1:]
    if made.tables != folded or not all(
        isinstance(event, Rewound) for event in made.events[len(made.tables) :]
    ):
        raise Broken("decided", move=key)
    return made.events


def _try_open_offer(game: Game, seat: Seat, one: Offer, trying: list[object]) -> None:
    args = dict(answers(game, seat, one.key))
    trying += [one.key, args]
    one = offer(game.system, game.table, seat.id, one.key, args)
    if game.chance.random() < 0.12:
        _send_nonsense(game, seat, one, args, trying)
        return
    events = events_or_refusal(game, seat, one.key, args)
    if isinstance(events, Refusal):
        check_refusal(game, seat, events)
        # The answer depends on the proposal: it may no longer be possible.
        if one.closed is None:
            may = {"argument", "price"}
        else:
            may = {"argument", one.closed.code}
        if one.closed is None and one.key in ("proposal.accept", "consent.give"):
            may |= {"identity", "when", "sight", "window", "only_if"}
        if events.code not in may:
            raise Broken("offered", move=one.key, code=events.code, text=events.text)
        game.refused[one.key] = game.refused.get(one.key, 0) + 1
    else:
        if one.closed is not None:
            raise Broken("closed", move=one.key, text=one.closed.text)
        check_unpaid(game, seat, one, args)
        check_numbers(game, seat, one, args)
        _keep_move(game, seat, one.key, events)


def check_unpaid(game: Game, seat: Seat, one: Offer, args: Mapping[str, object]) -> None:
    """Check that an open move is refused with "price" alone if one point of its price is missing.

    With fewer points it may be another seat's turn to decide first, and the condition of a file's
    row, or the bounds of its questions, may name the points that it costs.
    """
    for purse, n in one.price.items():
        row = game.system.by_account[purse.account]
        most = row.most(game.table, purse.owner)
        if row.paying == "raises" and most is None:
            continue
        least = row.least(game.table, purse.owner)
        if row.paying == "lowers" or most is None:
            left = least + n - 1
        else:
            left = most - (n - 1)
        poor = replace(game.table, points=Points({**game.table.points, purse: left}))
        try:
            decision_of(game.system, poor, seat.id, one.key, args, roll=lambda die: die.first)
        except Refused as no:
            own = no.refusal.code in ("only_if", "argument")
            says_so = own and reads_its_price(game.system, one.key)
            if no.refusal.code not in ("price", "window") and not says_so:
                raise Broken(
                    "unpaid", move=one.key, code=no.refusal.code, text=no.refusal.text
                ) from no


def _check_closed_offer(game: Game, seat: Seat, one: Offer, trying: list[object]) -> None:
    """Check that a closed offer is refused for its reason, and that an override records it."""
    assert one.closed is not None
    events = events_or_refusal(game, seat, one.key, {})
    if not isinstance(events, Refusal):
        raise Broken("closed", move=one.key, text=one.closed.text)
    check_refusal(game, seat, events)
    # A price is checked after the arguments, because it may depend on them.
    late = one.closed.code == "price" and events.code == "argument"
    if events.code != one.closed.code and not late:
        raise Broken(
            "otherwise", move=one.key, closed=one.closed.code, code=events.code, text=events.text
        )
    args = dict(answers(game, seat, one.key, named=False))
    trying += [one.key, args, "override"]
    events = events_or_refusal(game, seat, one.key, args, override=True)
    if isinstance(events, Refusal):
        check_refusal(game, seat, events)
        return
    if not all(no.overridable for no in one.all_closed):
        raise Broken("overridden", move=one.key, text=" ".join(no.text for no in one.all_closed))
    made = events[0]
    if not isinstance(made, MoveMade) or [no.text for no in one.all_closed] != list(made.set_aside):
        raise Broken("set_aside", move=one.key, text=" ".join(no.text for no in one.all_closed))
    if seat.side != "gm" and not set(game.table.proposals) < set(
        _after(game, events, seat).proposals
    ):
        raise Broken("overruled", move=one.key, who=seat.id)
    _keep_move(game, seat, one.key, events)


def _after(game: Game, events: list[Event], seat: Seat) -> Table:
    new = records_of(events, seat.id, game.table.seq, 0)
    return fold_on(game.table, new, lambda seq: game.tables[seq])


def _keep_move(game: Game, seat: Seat, key: str, events: list[Event]) -> None:
    """Append a move to the log, and check the promises about every table."""
    before = game.table
    made = events[0]
    if not isinstance(made, MoveMade) or (key, seat.id) != (made.move, made.seat):
        raise Broken("recorded", move=key)
    game.keep(events, seat.id)
    game.made[key] = game.made.get(key, 0) + 1
    check_balances(game.system, before, game.table)
    if not any(isinstance(event, Rewound) for event in events):
        _check_tried(game, made, before)
        check_end(game, before, seat.id)
    for event in events:
        if isinstance(event, Proposed):
            check_consent(game, event.proposal)


def check_consent(game: Game, proposal: Proposal) -> None:
    """Check that a new proposal can be accepted: points it reserves do not count against it."""
    for judge in asked_for(game.table, proposal):
        key = "consent.give"
        if game.table.seats[judge].side == "gm":
            key = "proposal.accept"
        try:
            decision_of(
                game.system, game.table, judge, key, {"id": proposal.id}, roll=lambda die: die.first
            )
        except Refused as no:
            raise Broken(
                "consent", move=proposal.move, code=no.refusal.code, text=no.refusal.text
            ) from no


def _check_tried(game: Game, made: MoveMade, before: Table) -> None:
    """Check that a move which changed the roll of its open action is among those tried for odds."""
    stakes, moves = game_stakes.stakes(game.system.key), game_stakes.tried(game.system.key)
    if stakes is None or moves is None or made.move in moves:
        return
    then, now = before.checks.get(made.check), game.table.checks.get(made.check)
    if then is None or now is None or not then.phase == now.phase == "build":
        return
    # Compare on the same table: other inputs of a question, such as an option, do not count.
    if then.pool != now.pool or stakes.question(game.table, then) != stakes.question(
        game.table, now
    ):
        raise Broken("untried", move=made.move, title=now.title)


def _send_nonsense(
    game: Game, seat: Seat, one: Offer, args: dict[str, object], trying: list[object]
) -> None:
    """Check that nonsense arguments are refused in a clear sentence, or understood."""
    chance = game.chance
    names = [*args, "nonsense", "check"]
    odd: list[object] = ["", "\x00", "\ud800", "x" * 100_000, "٣", -1, 10**40, 1.5, True, None]
    odd += [[], [1, 2], {"a": -1}, *game.table.characters, *game.table.checks]
    args[chance.choice(names)] = chance.choice(odd)
    hidden = {c.id for c in game.table.characters.values() if not may_see(seat, c.seen_by)}
    hidden |= {c.id for c in game.table.checks.values() if not may_see(seat, c.seen_by)}
    # A character can have the id of a check.
    hidden -= {c.id for c in game.table.characters.values() if may_see(seat, c.seen_by)}
    views = {view.name: view for view in offer(game.system, game.table, seat.id, one.key, {}).asks}
    events = events_or_refusal(game, seat, one.key, args)
    if isinstance(events, Refusal):
        check_refusal(game, seat, events, repr(args))
        return
    for name, value in events[0].args.items() if isinstance(events[0], MoveMade) else ():
        named = isinstance(value, str) and value in hidden
        if named and name in views and views[name].kind == "choice" and not views[name].free:
            raise Broken("chosen", who=seat.id, move=one.key, ask=name, value=value)
    # A hidden word that a seat has used in public is not secret any more.
    game.words = {
        word: knowing for word, knowing in game.words.items() if word not in repr(args).casefold()
    }
    _keep_move(game, seat, one.key, events)
