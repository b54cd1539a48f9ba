"""The verbs of a game file: the effects of a move, as events; `action_rows` has some of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import chain

from storypool.engine import rules as r
from storypool.engine.copies import replace
from storypool.engine.sight import audience, of_its_subject
from storypool.gamefile.action_rows import BROUGHT_TERM
from storypool.gamefile.cards.card_rows import CardRows, into_discard
from storypool.gamefile.file_format.expressions import as_value
from storypool.gamefile.file_format.row_checks.effect_tables import MOST_NESTED
from storypool.gamefile.file_format.schema import DoRow, MoveRow, WheneverRow
from storypool.gamefile.file_points import has_points
from storypool.gamefile.file_rolls.followed_rows import follows_again
from storypool.gamefile.file_rolls.roll_reading import MOST_THROWN, TermScope, figure
from storypool.gamefile.file_rolls.step_dice import stepped
from storypool.gamefile.file_rolls.usual_terms import group_of
from storypool.gamefile.file_rules import ENTRY, Rules
from storypool.gamefile.statements.forwards import ForwardRows
from storypool.gamefile.statements.ranked_rows import RankedRows
from storypool.words import Words

__all__ = [
    "EACH",
    "POOL",
    "REFUNDED",
    "RowExecutor",
    "after_roll",
    "allowed_consequences",
    "cause",
    "changes_the_action_alone",
    "only_moves_points",
]

POOL = ("add", "remove", "upgrade", "downgrade")
"""The verbs that change the dice of an action."""
REFUNDED = (*POOL, "set", "shift")
"""The verbs whose effect ends with a cancelled action, so that their price is refunded."""
EACH = "each"
"""The target of a row that is done once for each of the players' characters."""
BROUGHT = "brought "
"""Prefix of a term of the action: the points of this name that its roll brought."""


class RowExecutor(CardRows, RankedRows, ForwardRows):
    """Carries out the rows of one move or reaction in order, on the changing table."""

    def all(self, rows: tuple[DoRow, ...]) -> Iterator[r.Event]:
        """Carry out the rows whose `when` holds."""
        for row in rows:
            executors = self._each() if row.of == EACH else (self,)
            for one in executors:
                if row.when is None or row.when.holds(one.scope()):
                    act: Callable[[DoRow], Iterator[r.Event]] = getattr(one, f"_{row.verb}")
                    yield from act(row)

    def _each(self) -> Iterator[RowExecutor]:
        """The executors of a row for each of the players' characters."""
        for who in [
            one
            for one in self.turn.table.characters.values()
            if one.side == "players" and r.here(one)
        ]:
            each = RowExecutor(
                self.rules, self.turn, who, answers=self.answers, about=self.about, why=self.why
            )
            each.numbers, each.nested = self.numbers, self.nested
            yield each

    def _again(self, row: DoRow) -> Iterator[r.Event]:
        check = self.check
        if check is None or check.phase != "rolled" or row.again is None:
            return
        again = self.rolled_again(row, check)
        pool = r.Bag(rolls[0].die for rolls in again)
        self._check_cards(pool)
        fell = self._cast(pool)
        yield r.DiceRolled(check.id, self.turn.seat.id, fell, self.why)
        yield from into_discard(self.turn, self.rules.reading.decks, check.id, fell)
        new, kept = (yield from self._exploded(fell)), self.by_die(check)
        for rolls in again:
            kept.remove(rolls)
        order = self.rules.reading.order
        by_die = sorted((*kept, *new), key=lambda rolls: order[rolls[0].die])
        dice = tuple(chain.from_iterable(by_die))
        if (before := self.taken_back(check)) is not check:
            yield self.amend(before)
        yield from self.read_again(dice)
        yield from self._redo_roll(check.id)

    def _redo_roll(self, about: str) -> Iterator[r.Event]:
        """Take back the points that the previous roll brought, and follow what this one brings."""
        turn, check = self.turn, self.turn.table.checks.get(about)
        game = self.rules.game
        if check is None or not any(follows_again(game, row) for row in game.whenever):
            return
        for name, n in check.terms.items():
            if name.startswith(BROUGHT) and isinstance(n, int):
                account, owner = r.Purse.read(name.removeprefix(BROUGHT))
                row, balance = (
                    turn.system.by_account[account],
                    turn.table.balance(account, owner) - n,
                )
                balance = max(balance, row.least(turn.table, owner))
                most = row.most(turn.table, owner)
                balance = balance if most is None else min(balance, most)
                yield from turn.set_balance(
                    account, balance, owner, turn.words["filed.rolled_again"]
                )
        yield from after_roll(self.rules, turn, about, again=True)

    def owner(self, row: DoRow, name: str) -> str | None:
        """The owner of these points: a character's id, "" for the table, None for nobody."""
        points = self.rules.game.points[name]
        if not points.is_own:
            return ""
        one = self.character(row)
        return one.id if one is not None and has_points(points, one) else None

    def character(self, row: DoRow) -> r.Character | None:
        """The character whom a row is about."""
        if row.of in ("", "mover", EACH):
            return self.who
        if row.of == "actor":
            check = self.check
            if check:
                return self.turn.table.actor(check)
            return self.who
        return self.scope().meant(row.of)

    def _gain(self, row: DoRow) -> Iterator[r.Event]:
        owner, n = self.owner(row, row.gain), self._n(row)
        if owner is None or n <= 0:
            return
        for event in self.turn.change(row.gain, n, owner, self.why):
            if isinstance(event, r.PointsSet) and self.why != self.turn.title:
                # The seat of another move or of a roll contributes nothing.
                event = replace(event, by="")
            yield event

    def _lose(self, row: DoRow) -> Iterator[r.Event]:
        owner = self.owner(row, row.lose)
        if owner is None:
            return
        table = self.turn.table
        least = self.turn.system.by_account[row.lose].least(table, owner)
        left = table.balance(row.lose, owner) - least
        if (n := min(self._n(row), left)) > 0:
            balance = table.balance(row.lose, owner) - n
            yield from self.turn.set_balance(row.lose, balance, owner, self.why)

    def _make(self, row: DoRow) -> Iterator[r.Event]:
        kind = self.rules.game.trait[row.make]
        one = self.character(row) if kind.of == "character" else None
        if kind.of == "character" and one is None:
            return
        if kind.held:
            yield from self._hold(row, one)
            return
        text, entry = self._text(row.text)
        about = one.id if one else ""
        known = self.turn.table.of_kind(row.make, about=about)
        if kind.single and any(held.text == text for held in known):
            return
        goal = kind.goal[0] if kind.goal else 0
        if row.goal is not None:
            goal = max(1, min(99, row.goal.number(self.scope())))
        rating = self._rank_of_new(row, one)
        terms = self._kind_of_new(row) | ({ENTRY: entry} if entry else {})
        until = "check" if kind.until == "action" else kind.until
        at = self.about if until == "check" else ""
        yield self._stated(
            row.make,
            text or kind.word,
            one,
            goal=goal,
            terms=terms,
            rating=rating,
            until=until,
            at=at,
        )

    def _stated(self, kind: str, text: str, one: r.Character | None, **more: object) -> r.Event:
        """The event of a new statement, hidden like its action or its character."""
        about = one.id if one is not None else ""
        if self.rules.game.trait[kind].hidden:
            return self.turn.trait(kind, text, about, secret=True, **more)
        if self.about:
            return self.turn.result(kind, text, about, **more)
        made = self.turn.trait(kind, text, about, **more)  # type: ignore[arg-type]
        if one is not None:
            return r.hidden_like(made, one)
        return made

    def _hold(self, row: DoRow, whom: r.Character | None) -> Iterator[r.Event]:
        """Add to what a character holds on another."""
        who, n = self.who, self._n(row)
        if who is None or whom is None or who is whom or n < 1:
            return
        known = self.turn.table.of_kind(row.make, about=whom.id)
        had = next((one for one in known if one.at == who.id), None)
        if had is not None:
            yield r.TraitSet(replace(had, rating=min(99, had.rating + n)))
            return
        text = self.turn.words.say(
            "filed.held", what=self.rules.game.trait[row.make].lower_word, who=who.name
        )
        yield self._stated(row.make, text, whom, rating=n, at=who.id)

    def _text(self, text: str) -> tuple[str, str]:
        """A text, and the entry of the sheet that it names: for a question, its answer."""
        if text not in self.answers and text not in self.rules.asks:
            return text, ""
        ask = self.answers.get(text) or self.rules.asks[text]
        terms = self.check.terms if self.check else {}
        if text in self.answers:
            given = str(as_value(self.turn.args.get(text)) or "")
        else:
            given = str(terms.get(text, ""))
        words = self.rules.answer_in_words(ask, given, self.turn.table)
        if ask.entry:
            return words, given
        if ask.trait and text in self.answers:
            return words, self._entry(text)
        return words, ""

    def _consult(self, row: DoRow) -> Iterator[r.Event]:
        rows, n = self.rules.game.effects[row.consult], self._n(row)
        effect = next((one for one in reversed(rows) if n >= one.at), rows[0])
        check = self.check
        if check is not None:
            yield self.amend(check, effect.words)
        else:
            yield r.Said(self.turn.seat.id, effect.words)
        if self.nested + 1 == MOST_NESTED and any(do.consult for do in effect.do):
            yield from self.all(tuple(do for do in effect.do if not do.consult))
            yield r.Said(self.turn.seat.id, self.turn.words.say("filed.nested", n=MOST_NESTED))
            return
        self.nested += 1
        yield from self.all(effect.do)
        self.nested -= 1

    def _improve(self, row: DoRow) -> Iterator[r.Event]:
        one, entry = self.character(row), self._entry(row.improve)
        if one is None or not entry:
            return
        group = group_of(self.rules.game.sheet, entry)
        low, high = (group.low, group.high) if group is not None else (0, 99)
        rating = max(low, min(high, self.rules.rating(one, entry) + self._n(row)))
        yield r.CharacterSet(replace(one, sheet={**one.sheet, entry: rating}))

    def _step(self, row: DoRow) -> Iterator[r.Event]:
        name, n, table = row.step, self._n(row), self.turn.table
        if (points := self.rules.game.points.get(name)) is not None:
            owner = self.owner(row, name)
            if owner is not None:
                size = stepped(points.steps, table.balance(name, owner), n)
                yield from self.turn.set_balance(name, size, owner, self.why)
            return
        trait = table.traits.get(self.turn.text(name)) if name in self.answers else None
        if trait is not None and ENTRY not in trait.terms:
            size = stepped(self.rules.game.trait[trait.kind].steps, trait.rating, n)
            if size != trait.rating:
                yield r.TraitSet(replace(trait, rating=size))
            if not size:
                yield r.TraitRemoved(trait.id, self.why)
            return
        one, entry = self.character(row), self._entry(name)
        group = group_of(self.rules.game.sheet, entry)
        if one is not None and group is not None:
            size = stepped(group.steps, self.rules.rating(one, entry), n)
            yield r.CharacterSet(replace(one, sheet={**one.sheet, entry: size}))

    def _entry(self, name: str) -> str:
        """The entry of the sheet that a name means: itself, an answer, or that of a statement."""
        found, ask = name, self.answers.get(name)
        if ask is not None:
            found = self.rules.entry_of(ask, self.turn.text(name), self.turn.table)
        return found if found in self.rules.entries else ""

    def _fill(self, row: DoRow) -> Iterator[r.Event]:
        trait = self.statement(row.fill)
        if trait is None:
            return
        most = trait.goal or 99
        rating = max(0, min(most, trait.rating + self._n(row)))
        if rating == 0 and not trait.goal:
            yield r.TraitRemoved(trait.id, self.why)
        elif rating != trait.rating:
            yield r.TraitSet(replace(trait, rating=rating))

    def _end(self, row: DoRow) -> Iterator[r.Event]:
        if row.end in self.answers or row.end not in self.rules.game.trait:
            named = self.statement(row.end)
            found = [named] if named else []
        else:
            one = self.character(row)
            about = ""
            if one and self.rules.game.trait[row.end].of == "character":
                about = one.id
            found = self.turn.table.of_kind(row.end, about=about)
        for trait in found:
            yield r.TraitRemoved(trait.id, self.why)

    def _reveal(self, row: DoRow) -> Iterator[r.Event]:
        trait = self.turn.table.traits.get(self.turn.text(row.reveal))
        if trait is not None and trait.hidden:
            yield r.TraitSet(trait.revealed())

    def _next(self, row: DoRow) -> Iterator[r.Event]:
        one = self.turn.character(row.next)
        if one is not None and self.turn.table.of_kind("slot"):
            for given in self.turn.table.of_kind("acts-next"):
                yield r.TraitRemoved(given.id)
            text = self.turn.words.say("filed.acts_next", who=one.name)
            yield self.turn.result("acts-next", text, one.id, until="scene")

    def _promise(self, row: DoRow) -> Iterator[r.Event]:
        one = self.character(row)
        if one is not None:
            n = max(1, min(MOST_THROWN, self._n(row)))
            die = r.Mod("add", row.promise, n, self.why, self.turn.seat.id)
            text, _ = self._text(row.text)
            yield r.promise(self.turn, die, one.id, text or self.why, until="session")

    def _forward(self, row: DoRow) -> Iterator[r.Event]:
        one = self.character(row)
        if one is not None:
            yield from self._forward_to(row, one)

    def _throw(self, row: DoRow) -> Iterator[r.Event]:
        scope = self.scope()
        pool = self.rules.reading.pool_of(row.throw, scope)
        if not pool:
            return
        # Nobody knows beforehand which dice a table throws, so none of them are typed.
        fell = self.turn.cast(pool, ()) if self.nested else self._cast(pool)
        yield r.DiceRolled(self.about, self.turn.seat.id, fell, self.why)
        yield from into_discard(self.turn, self.rules.reading.decks, self.about, fell)
        by_die = yield from self._exploded(fell)
        shown = self.rules.reading.single_dice(by_die)
        self.numbers |= {name: figure(one, shown) for name, one in row.figures.items()}
        total = r.Bag()
        for one in chain.from_iterable(by_die):
            total += self.rules.reading.die(one.die, {}).face(one.face)
        net = self.rules.reading.axes.net(total)
        self.numbers |= {f"thrown_{name}": net[name] for name in self.rules.reading.axis_names}


def changes_the_action_alone(row: MoveRow, args: Mapping[str, r.Value]) -> bool:
    """Whether all effects of a move with these answers end with a cancelled action.

    A row that the answers rule out has no effect.
    """
    given = TermScope({ask.name: as_value(args.get(ask.name)) for ask in row.asks})
    return all(
        do.verb in REFUNDED
        or (
            do.when is not None
            and not do.when.counts
            and do.when.names <= given.terms.keys()
            and not do.when.holds(given)
        )
        for do in row.do
    )


def cause(rules: Rules, words: Words, row: WheneverRow) -> str:
    """The reason that the log gives for what follows automatically."""
    if row.why:
        return row.why
    kind = rules.game.trait.get(row.trait)
    what = kind.lower_word if kind is not None else row.points and rules.plural(row.points)
    return words.say(f"filed.why.{row.on}", what=what)


def only_moves_points(row: WheneverRow) -> bool:
    """Whether a row only moves points."""
    return all(do.verb in ("gain", "lose") for do in row.do)


def allowed_consequences(turn: r.Turn, about: str, events: Iterator[r.Event]) -> Iterator[r.Event]:
    """The consequences of an action; of a hidden one, none that are public, such as points."""
    check = turn.table.checks.get(about)
    for event in events:
        if (
            check is None
            or not check.hidden
            or audience(of_its_subject(event, turn.table)) is not None
        ):
            yield event


def after_roll(rules: Rules, turn: r.Turn, about: str, again: bool = False) -> Iterator[r.Event]:
    """The effects of a roll, noted as far as a re-roll takes them back; after one only those."""
    rules = rules.of(turn.table.checks[about])
    who, came = turn.table.characters.get(turn.table.checks[about].actor), r.Points()
    moved = Counter[str]()
    for row in rules.game.whenever:
        if row.on != "rolled" or (again and not follows_again(rules.game, row)):
            continue
        before, doing = (
            turn.table.points,
            RowExecutor(
                rules, turn, who, answers={}, about=about, why=cause(rules, turn.words, row)
            ),
        )
        if row.when is None or row.when.holds(doing.scope()):
            yield from allowed_consequences(turn, about, doing.all(row.do))
        if follows_again(rules.game, row):
            came += turn.table.points - before
            moved.update(doing.moved)
    check = turn.table.checks.get(about)
    if check is None or not any(do.again is not None for row in rules.game.move for do in row.do):
        return
    terms = {
        name: value
        for name, value in check.terms.items()
        if not name.startswith((BROUGHT, BROUGHT_TERM))
    }
    terms |= {f"{BROUGHT}{purse}": n for purse, n in came.items()}
    terms |= {f"{BROUGHT_TERM}{name}": n for name, n in moved.items() if n}
    if terms != check.terms:
        yield turn.amend(check, terms=terms)
