"""An action of a game file: its declaration, decisions, roll and end; and its waits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain

from storypool.engine import rules as r
from storypool.engine.copies import recent, replace
from storypool.engine.game.kit import Kit
from storypool.engine.offers import is_allowed
from storypool.gamefile.cards.card_rows import enough, into_discard
from storypool.gamefile.cards.piles import Piles
from storypool.gamefile.file_format.expressions import Value, as_number, as_value
from storypool.gamefile.file_format.game_bounds import MOST_DICE
from storypool.gamefile.file_format.readable_names import ACTION
from storypool.gamefile.file_format.schema import AskRow, MoveRow, WindowRow
from storypool.gamefile.file_rolls.explosions import rolled_pool
from storypool.gamefile.file_rolls.roll_conditions import belonging
from storypool.gamefile.file_rules import Rules
from storypool.gamefile.move_asks import ACTOR_ASK, ask_of, entries_of, refuse_hidden
from storypool.gamefile.move_rows import GIVEN, key_of
from storypool.gamefile.movers import Movers, able_first
from storypool.gamefile.scope import TurnScope
from storypool.gamefile.statements.forwards import as_taken, still_taken, total, used_up, waiting
from storypool.gamefile.together.joined import joined
from storypool.gamefile.together.joining import parted
from storypool.gamefile.turns.turn_moves import TurnMoves

__all__ = ["Action", "Follows", "Moves", "taken_back"]

ACTING, OTHER = "acting", "other"
"""The windows after a roll: the side that acts, and the other side."""
KEPT = 32
"""The tables with an action whose open moves are kept: each condition and wait asks for them."""
WINDOWS_AFTER_ROLL = (ACTING, OTHER)
"""The windows after a roll, in order; those without an open move are skipped.

Once the other side has made a move, the acting side decides again.
"""

Moves = Callable[[], Mapping[str, r.Move]]
"""Returns the moves of the whole game, by key."""

Follows = Callable[[str, r.Turn, str], Iterator[r.Event]]
"""Yields the consequences when an action, by its id, is `rolled` or `closed`."""


class Action:
    """The moves of one action, and its waits; the first of a file is `check.declare`.

    `moves` are those of the complete game; `more` are those added by Python.
    """

    def __init__(
        self,
        rules: Rules,
        moves: Moves,
        follows: Follows,
        turns: TurnMoves | None = None,
        more: tuple[r.Move, ...] = (),
    ) -> None:
        self.rules, self.row, self._moves, self._follows = rules, rules.game.action, moves, follows
        self.turns = turns
        self.is_rolled = rules.game.is_rolled(self.row)
        after = [row for row in rules.game.move if row.when == "after the roll"]
        self._due = [row for row in after if row.due]
        added = tuple(move.key for move in more if move.when is r.rolled)
        self._windows = dict[str, tuple[str, ...]]()
        for window in (ACTING, OTHER):
            keys = [key_of(row) for row in after if _is_in_window(row, window)]
            self._windows[window] = tuple(dict.fromkeys((*keys, *added)))
        self._deciding = recent(KEPT)(self._left_windows)
        self._open = recent(KEPT)(self._all_open)
        self._after = tuple(window for window in WINDOWS_AFTER_ROLL if self._windows[window])
        self.before = [row for row in rules.game.move if row.when == "before the roll"]

    # The moves.

    def moves(self) -> Iterator[r.Move]:
        """The moves that this action has alone: its declaration, and what the GM decides of it."""
        rule = self.row.rule or self.row.title
        yield replace(self._declare(rule), title=self.row.title)
        if self.gms:
            yield self._decide(rule)

    def passes_alone(self, turn: r.Turn, check: r.Check) -> bool:
        """Whether this seat can say that it is done, whatever its moves are."""
        alone = check.windows == (ACTING,) and not self._due
        return alone and self.decides(turn, check, ACTING)

    def due(self, turn: r.Turn, check: r.Check, window: str) -> MoveRow | None:
        """The move that comes before the end of an action in this window, if any."""
        moves = self._open(turn.system, turn.table, check, window) if self._due else ()
        still = {key for _, key in moves}
        return next((row for row in self._due if key_of(row) in still), None)

    def _declare(self, rule: str) -> r.Move:
        def scope(turn: r.Turn) -> TurnScope:
            return TurnScope(self.rules, turn, None, turn.character(ACTOR_ASK), self.rules.asks)

        turns, only, closed = self.turns, self.row.only, self.rules.closed_id

        def can(turn: r.Turn, who: r.Character) -> bool:
            return only is None or only.holds(TurnScope(self.rules, turn, None, who))

        def one_can(turn: r.Turn) -> bool:
            people = turn.table.characters
            return any(can(turn, people[one.value]) for one in acting(turn) if not one.closed)

        acting: Movers = turns.acting if turns else r.characters(own=True)
        actors = acting if only is None else able_first(acting, can, closed)
        asks = (
            r.ChoiceAsk(ACTOR_ASK, "Who acts?", actors, first=True),
            *(ask_of(self.rules, ask, scope) for ask in self.row.asks),
            r.TITLE,
            r.HIDE_ACTION,
        )

        def declare(turn: r.Turn) -> Iterator[r.Event]:
            actor = turn.table.characters[turn.text(ACTOR_ASK)]
            known = TurnScope(self.rules, turn, None, actor, self.rules.asks)
            asked = (ask.name for ask in self.row.asks if ask.name in turn.args)
            terms: dict[str, Value] = {name: as_value(turn.args[name]) for name in asked}
            hidden = turn.flag("secret") or actor.hidden
            ahead = waiting(known, hidden)
            terms |= self._with_terms(known, total(ahead))
            terms |= as_taken(ahead)
            if self.row.key:
                terms[ACTION] = self.row.key
            base = self._base(known)
            title = turn.text("title") or self.row.title
            check = turn.action(actor, title, base=base, terms=terms)
            refuse_hidden(self.rules, turn, check)
            self._check_decks(turn, check, base)
            windows = tuple(
                str(n)
                for n, window in enumerate(self.row.window)
                if window.when is None
                or window.when.holds(TurnScope(self.rules, turn, check, actor))
            )
            check = replace(check, windows=windows)
            yield turn.open(replace(check, mods=r.promised(turn, check)))

        conditions = [r.may_open, r.has_a_character, *([turns.may_act] if turns else [])]
        if only is not None:
            conditions.append(r.requires(one_can, closed))
        declare.__doc__ = f"{self.row.title}\n\n{self.row.about}"
        return r.move(
            self.rules.declared,
            when=r.in_session,
            only_if=conditions,
            asks=asks,
            rule=rule,
            place=(r.at("primary", 3), *(() if self.rules.is_first else [r.at("actions", 2)])),
        )(declare)

    def _with_terms(self, known: TurnScope, ahead: Mapping[str, int]) -> dict[str, Value]:
        """The terms of the file for a new action, which its scope knows from then on.

        They rise by the numbers that were given to the character's next action, and so do the
        answers to its questions for a number.
        """
        asked = [name for name in self.rules.asks if ahead.get(name)]
        for name in asked:
            known.numbers[name] = as_number(known.value(name)) + ahead[name]
        for name, expression in self.rules.reading.terms_in_order.items():
            known.numbers[name] = expression.number(known) + ahead.get(name, 0)
        return {name: known.numbers[name] for name in (*asked, *self.row.terms)}

    def sheet_rolls(self, turn: r.Turn, who: r.Character) -> Iterator[r.SheetRoll]:
        """The action with each entry that it asks for: its dice, or the number that it sets."""
        usual = TurnScope(self.rules, turn, None, who, self.rules.asks)
        asks = [ask for ask in self.row.asks if ask.when is None or ask.when.holds(usual)]
        for ask in asks:
            entries = list(entries_of(self.rules, ask))
            numbers = {entry: self.rules.rating(who, entry) for entry in entries}
            named = self.rules.reads_entry(ask)
            rolls: dict[str | int, tuple[r.Bag, dict[str, Value]]] = {}
            for entry, n in {"": 0, **numbers}.items():
                key = entry if named and entry else n
                if key not in rolls:
                    rolls[key] = self._usual_roll(turn, who, {ask.name: entry})
            has_dice = len({pool for pool, _ in rolls.values()}) > 1
            set_by_it = (name for name in self.row.shown if _varies(name, rolls.values()))
            shown = next(set_by_it, "")
            for entry, n in numbers.items():
                pool, terms = rolls[entry if named else n]
                is_other = shown and terms[shown] != n
                yield r.SheetRoll(
                    entry,
                    pool=pool if has_dice else r.Bag(),
                    text=f"{self.row.shown[shown]} {terms[shown]}" if is_other else "",
                    move=self.rules.declared,
                    given={ACTOR_ASK: who.id, ask.name: entry},
                )

    def _usual_roll(
        self, turn: r.Turn, who: r.Character, given: dict[str, str]
    ) -> tuple[r.Bag, dict[str, Value]]:
        """The dice and terms of an action with these answers, and the default of the others."""
        known = TurnScope(self.rules, turn, None, who, self.rules.asks)
        known.given = given
        terms = self._with_terms(known, total(waiting(known, who.hidden)))
        return self.rules.reading.base_pool(known), terms

    def _base(self, known: TurnScope) -> r.Bag:
        """The dice that the action rolls by its answers, before any move."""
        base = self.rules.reading.base_pool(known)
        if base.total > MOST_DICE:
            raise known.turn.refused("argument", "filed.dice", n=MOST_DICE)
        return base

    def _check_decks(self, turn: r.Turn, check: r.Check, base: r.Bag) -> None:
        """Raise `Refused` if the cards of a new action are not there, or would be missed."""
        for name, deck in self.rules.reading.decks.items():
            if base[name] and check.hidden:
                raise turn.refused("argument", "filed.cards.secret", deck=turn.plural(name))
            if base[name]:
                enough(turn, Piles(deck, turn.table), base[name])

    @property
    def gms(self) -> list[AskRow]:
        """The questions of the action that the GM answers."""
        return [ask for ask in self.row.asks if ask.whose == "gm"]

    @property
    def _building_this(self) -> r.Condition:
        """The condition that this action is under way before its roll."""
        if self.rules.several:
            return r.all_of(r.building, belonging(self.rules, (self.row.key,)))
        return r.building

    def before_roll(self, turn: r.Turn) -> TurnScope:
        """The name scope of a decision about the open action, if any."""
        who = turn.table.actor(turn.check) if turn.check is not None else None
        return TurnScope(self.rules, turn, turn.check, who, self.rules.asks)

    def _decide(self, rule: str) -> r.Move:
        def as_it_is(ask: AskRow) -> r.Ask:
            def now(turn: r.Turn) -> r.Value | None:
                if turn.check is None:
                    return None
                value, ahead = turn.check.terms.get(ask.name), still_taken(turn.check.terms)
                return value - ahead[ask.name] if isinstance(value, int) else value

            return replace(ask_of(self.rules, ask, self.before_roll), default=now)

        @r.gm_move(
            self.rules.decided,
            when=self._building_this,
            asks=[as_it_is(ask) for ask in self.gms],
            rule=rule,
            place=r.at("actions", 10),
        )
        def decide(turn: r.Turn) -> Iterator[r.Event]:
            """Decide how it stands

            What was spent on the action since comes back, and everybody decides again.
            """
            yield from taken_back(turn)
            yield from r.corrected(turn)
            check = parted(self.rules, turn.here, *joined(turn.here.terms))
            terms, ahead = dict(check.terms), still_taken(check.terms)
            answers = []
            for ask in self.gms:
                value = turn.args.get(ask.name)
                if isinstance(value, int):
                    value += ahead[ask.name]
                if isinstance(value, int | str) and value != terms.get(ask.name):
                    terms[ask.name] = value
                    answers.append(
                        turn.words.say(
                            "filed.answer",
                            name=self.rules.called(ask),
                            value=ask.choices.get(str(value), value),
                        )
                    )
            known = TurnScope(
                self.rules, turn, replace(check, terms=terms), turn.table.actor(check)
            )
            for name, expression in self.rules.reading.terms_in_order.items():
                terms[name] = expression.number(known) + ahead[name]
                known = TurnScope(self.rules, turn, replace(check, terms=terms), known.who)
            yield turn.amend(
                check, turn.words["list.comma"].join(answers), terms=terms, base=self._base(known)
            )

        return decide

    def roll(self, turn: r.Turn) -> Iterator[r.Event]:
        """Roll the dice, read them, and follow what the roll brings."""
        check = turn.here
        yield from r.kept_promises(turn, check)
        yield from used_up(turn, check)
        reading = self.rules.reading
        dice = yield from rolled_pool(turn, reading, reading.thrown(check.pool))
        fell = tuple(chain.from_iterable(dice))
        yield from into_discard(turn, reading.decks, check.id, fell)
        outcome = turn.system.read(turn.table, turn.here, fell)
        left = reading.to_spend(outcome.net)
        yield turn.amend(
            turn.here, phase="rolled", rolled=fell, outcome=outcome, left=left, windows=self._after
        )
        yield from self._follows("rolled", turn, check.id)

    def deciding(self, turn: r.Turn, table: r.Table, check: r.Check) -> tuple[str, ...]:
        """The windows after a roll that nobody has passed, from the first with an open move."""
        if check.phase != "rolled" or not check.windows:
            return ()
        return self._deciding(turn.system, table, check)

    def _left_windows(self, system: Kit, table: r.Table, check: r.Check) -> tuple[str, ...]:
        windows = check.windows
        while windows and next(self._open_moves(system, table, check, windows[0]), None) is None:
            windows = windows[1:]
        return windows

    def next_window(self, turn: r.Turn, check: r.Check, made: str) -> Iterator[r.Event]:
        """Open the next of the windows there are, once the move of this row has been made."""
        if check.phase == "build":
            if made in self.window(check).moves:
                yield turn.amend(check, windows=check.windows[1:])
        elif OTHER in check.windows and self.decides(turn, check, OTHER):
            before = turn.before.checks.get(check.id, check)
            if self.deciding(turn, turn.before, before) == (OTHER,):
                yield turn.amend(check, windows=(OTHER, ACTING))

    def decides(self, turn: r.Turn, check: r.Check, window: str) -> bool:
        """Whether this window after a roll is this seat's."""
        return turn.seat.id in self._seats(turn.table, check, window)

    def _seats(self, table: r.Table, check: r.Check, window: str) -> tuple[str, ...]:
        """The seats of a window after a roll; only GMs in a hidden action."""
        if check.hidden:
            return r.gms(table)
        if window == ACTING:
            return r.actor_of(table, check)
        if check.team is r.Team.PLAYERS:
            return r.gms(table)
        return r.players(table)

    def _open_moves(
        self, system: Kit, table: r.Table, check: r.Check, window: str
    ) -> Iterator[tuple[str, str]]:
        """The seats with open moves of this window after the roll, each with such a move."""
        moves = self._moves()
        seats = self._seats(table, check, window)
        if window == ACTING and not check.hidden:
            group = (r.player_of(table, id) for id in joined(check.terms))
            seats = tuple(dict.fromkeys(chain(seats, *group)))
        for id in seats:
            seat = table.seats[id]
            for key in self._windows[window]:
                move = moves[key]
                if seat.side not in move.by:
                    continue
                there = r.Turn(system, table, seat, key, title=move.title, rule=move.rule)
                there.args["check"] = check.id
                if is_allowed(there, move):
                    yield id, key

    def _all_open(
        self, system: Kit, table: r.Table, check: r.Check, window: str
    ) -> tuple[tuple[str, str], ...]:
        return tuple(self._open_moves(system, table, check, window))

    def close(self, turn: r.Turn) -> Iterator[r.Event]:
        """Pass the window of this seat, or end the action."""
        if not self.is_rolled:
            yield from self._settled(turn)
        check = turn.here
        windows = check.windows
        if windows != (ACTING,):
            windows = self.deciding(turn, turn.table, check)
        mine = next((window for window in windows if self.decides(turn, check, window)), "")
        passed = replace(check, windows=tuple(window for window in windows if window != mine))
        if windows := self.deciding(turn, turn.table, passed):
            yield turn.amend(
                check, turn.words.say("filed.passed", who=turn.seat.name), windows=windows
            )
            return
        for account, n in check.owed.items():
            yield from turn.change(account, n, why=turn.words["filed.turned"])
        yield from self._follows("closed", turn, check.id)
        yield r.CheckClosed(check.id, "done")

    def _settled(self, turn: r.Turn) -> Iterator[r.Event]:
        """Read the ladder of an action without a roll, if it has one, and use up what it took."""
        yield from used_up(turn, turn.here)
        if self.rules.game.outcome:
            check = turn.here
            outcome = turn.system.read(turn.table, check, ())
            yield turn.amend(check, phase="rolled", outcome=outcome, windows=())

    def window(self, check: r.Check) -> WindowRow:
        """The present window before the roll."""
        return self.row.window[int(check.windows[0])]

    def deciders(self, table: r.Table, check: r.Check) -> tuple[str, ...]:
        """The seats that decide in the present window before the roll."""
        who = self.window(check).who
        if who == "gm":
            return r.gms(table)
        return self._seats(table, check, ACTING if who == "actor" else OTHER)

    def waits(self, turn: r.Turn, check: r.Check) -> Iterator[r.Wait]:
        """The wait of this action while it is open."""
        actor = r.actor_of(turn.table, check)
        if check.phase == "build":
            yield from self._building(turn, check, actor)
        elif windows := self.deciding(turn, turn.table, check):
            yield self._after_roll(turn, check, windows[0])
        else:
            yield r.Wait("filed.close", actor, ("check.close",), check.id)

    def _after_roll(self, turn: r.Turn, check: r.Check, window: str) -> r.Wait:
        """The wait of a window after the roll, for a move that is due first if there is one."""
        group = (id for id, _ in self._open(turn.system, turn.table, check, window))
        whom = tuple(dict.fromkeys((*self._seats(turn.table, check, window), *group)))
        keys = (*self._windows[window], "check.close")
        due = self.due(turn, check, window)
        if due is None:
            return r.Wait("filed.after", whom, keys, check.id)
        labels = [ask.label for ask in due.asks if ask.needed and ask.default is None]
        what = " ".join([turn.words.say("filed.sentence", text=due.title), *labels[:1]])
        # The dock shows the question of the first answer.
        keys = tuple(dict.fromkeys((key_of(due), *keys)))
        return r.Wait("filed.due", whom, keys, check.id, values={"what": what, "title": due.title})

    def _building(self, turn: r.Turn, check: r.Check, actor: tuple[str, ...]) -> Iterator[r.Wait]:
        if check.windows:
            window = self.window(check)
            who = window.who
            if window.moves:
                keys = tuple(f"move.{key}" for key in window.moves)
                yield r.Wait("filed.decide", self.deciders(turn.table, check), keys, check.id)
                return
            side = ("gm",) if who == "gm" else ("actor",)
            keys = tuple(key_of(row) for row in self.before if row.who in side)
            yield r.Wait(
                "filed.before", self.deciders(turn.table, check), ("check.let", *keys), check.id
            )
        elif self.is_rolled:
            yield r.Wait("filed.roll", actor, ("check.roll",), check.id)
        else:
            yield r.Wait("filed.close", actor, ("check.close",), check.id)


def taken_back(turn: r.Turn) -> Iterator[r.Event]:
    """Take back the points that an action gave to the GM, as far as they are still there.

    The GM's own refunds are set off against them first, so that no cap cuts a refund.
    """
    check = turn.here
    given = {
        name: n for name, n in check.terms.items() if name.startswith(GIVEN) and isinstance(n, int)
    }
    if not given:
        return
    purses = {r.Purse(name.removeprefix(GIVEN)): n for name, n in given.items()}
    set_off = r.Points({purse: min(n, check.spent[purse]) for purse, n in purses.items()})
    terms = {name: value for name, value in check.terms.items() if name not in given}
    yield turn.amend(check, terms=terms, spent=check.spent - set_off)
    why = turn.words.say("points.refund", what=check.title)
    for purse, n in purses.items():
        account = turn.system.by_account[purse.account]
        there = turn.table.balance(purse.account) - account.least(turn.table, "")
        yield from turn.change(purse.account, -min(n - set_off[purse], there), why=why)


def _varies(name: str, rolls: Iterable[tuple[r.Bag, Mapping[str, Value]]]) -> bool:
    """Whether a term differs between rolls."""
    return len({terms.get(name) for _, terms in rolls}) > 1


def _is_in_window(row: MoveRow, window: str) -> bool:
    """Whether a move after the roll belongs to this window."""
    if row.who in ("actor", "helper", "joined"):
        return window == ACTING
    return True
