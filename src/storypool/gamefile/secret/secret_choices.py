"""Secret choices: a move opens one, players answer, and the last answer reveals all.

An answer is a statement that its seat alone sees, not even a GM. The fact that there is one is
public. Nothing that another seat is sent depends on an answer before all have chosen. These
statements name neither a subject nor an author, so no list of facts has them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from storypool.engine import rules as r
from storypool.engine.copies import replace
from storypool.gamefile.file_format.expressions import Value
from storypool.gamefile.file_format.schema import AskRow, MoveRow
from storypool.gamefile.file_rules import Rules
from storypool.gamefile.move_asks import ACTOR_ASK, ask_of
from storypool.gamefile.scope import TurnScope
from storypool.gamefile.secret.chosen_rows import carried_out

__all__ = ["SECRET_KINDS", "SecretChoices"]

CHOICE, CHOOSER, ANSWER, REVEAL = (
    "secret-choice",
    "secret-chooser",
    "secret-answer",
    "secret-reveal",
)
"""The kinds of statements that keep a choice; no file can name them."""
SECRET_KINDS = frozenset({CHOICE, CHOOSER, ANSWER, REVEAL})
GIVEN, PAID = "given ", "paid "
"""Prefixes of terms of a choice: the answers of the move that opened it, and its price."""
NOBODY = r.Seat("", "", "spectator")


@dataclass(frozen=True)
class OpenChoice(r.State):
    """What a choice keeps: the key of its move, its character, and the seat that made it."""

    move: str = ""
    mover: str = ""
    seat: str = ""


def opened(table: r.Table) -> r.Trait | None:
    """The open choice of a table, if any."""
    return next(iter(table.of_kind(CHOICE)), None)


class SecretChoices:
    """The moves, waits and reactions of the secret choices of one game."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.rows = {row.key: row for row in rules.game.move if row.secret}

    # What it is now.

    def _row(self, choice: r.Trait) -> MoveRow:
        return self.rows[OpenChoice.of(choice).move]

    def _missing(self, table: r.Table) -> list[r.Character]:
        """The characters who have not chosen."""
        people = (table.characters.get(one.at) for one in table.of_kind(CHOOSER) if not one.rating)
        return [one for one in people if one is not None]

    # The moves.

    def opening(self, row: MoveRow, move: r.Move) -> r.Move:
        """The move of a row; a secret one opens its choice in place of its effects."""
        if not row.secret:
            return move

        def none_open(turn: r.Turn) -> r.Refusal | None:
            """No other choice is open."""
            choice = opened(turn.table)
            return turn.firm("filed.choice.open", title=choice.text) if choice else None

        def body(turn: r.Turn) -> Iterator[r.Event]:
            yield from move.body(turn)
            yield from self._begin(turn, row)

        body.__doc__ = move.body.__doc__
        return replace(move, body=body, only_if=(none_open, *move.only_if))

    def _begin(self, turn: r.Turn, row: MoveRow) -> Iterator[r.Event]:
        mover = turn.text(ACTOR_ASK)
        people = self._asked(turn, row, mover)
        for one in people:
            if one.hidden:
                raise turn.refused("argument", "filed.choice.hidden", who=one.name)
        if len(people) < (2 if row.secret == "both" else 1):
            raise turn.refused("argument", "filed.choice.nobody")
        terms: dict[str, Value] = {}
        for ask in row.asked:
            if isinstance(value := turn.args.get(ask.name), int | str):
                terms[f"{GIVEN}{ask.name}"] = value
        terms |= {f"{PAID}{purse}": n for purse, n in turn.paid.items()}
        choice = r.Trait(turn.fresh("t"), CHOICE, row.title, terms=terms)
        yield r.TraitSet(OpenChoice(row.key, mover, turn.seat.id).into(choice))
        for one in people:
            yield r.TraitSet(r.Trait(turn.fresh("t"), CHOOSER, "", at=one.id))

    def _asked(self, turn: r.Turn, row: MoveRow, mover: str) -> list[r.Character]:
        """The characters who choose."""
        table = turn.table
        if row.secret == "both":
            ids = dict.fromkeys(
                [mover, *(turn.text(ask.name) for ask in row.asked if ask.character)]
            )
            return [table.characters[id] for id in ids if id in table.characters]
        people = r.characters("players", hidden=False)(turn)
        return [table.characters[one.value] for one in people]

    def moves(self) -> Iterator[r.Move]:
        """The answers to each choice, its end without the others, and calling it off."""
        if not self.rows:
            return
        for row in self.rows.values():
            yield self._choosing(row)
        rules = {row.rule or row.title for row in self.rows.values()}
        rule = rules.pop() if len(rules) == 1 else self.rules.game.name

        def may_call_off(turn: r.Turn) -> r.Refusal | None:
            """A choice is open that this seat opened, or the seat is a GM's."""
            choice = opened(turn.table)
            if choice is None:
                return turn.firm("filed.choice.none")
            if turn.leads or OpenChoice.of(choice).seat == turn.seat.id:
                return None
            return turn.no("filed.choice.theirs")

        @r.move("choice.call_off", when=may_call_off, rule=rule, place=r.at("actions", 95))
        def call_off(turn: r.Turn) -> Iterator[r.Event]:
            """Call the choice off

            Nothing is revealed, and its price comes back.
            """
            yield from self._called_off(turn)

        def has_some(turn: r.Turn) -> r.Refusal | None:
            """Some have chosen, and some have not."""
            choice = opened(turn.table)
            if choice is None:
                return turn.firm("filed.choice.none")
            rated = [one.rating for one in turn.table.of_kind(CHOOSER)]
            if self._row(choice).secret == "all" and any(rated):
                return None
            return turn.firm("filed.choice.early")

        @r.gm_move("choice.reveal", when=has_some, rule=rule, place=r.at("actions", 94))
        def reveal(turn: r.Turn) -> Iterator[r.Event]:
            """Reveal it without the others

            Those who have not chosen take no part.
            """
            for one in turn.table.of_kind(CHOOSER):
                if not one.rating:
                    yield r.TraitRemoved(one.id)
            yield from self._revealed(turn)

        yield call_off
        if any(row.secret == "all" for row in self.rows.values()):
            yield reveal

    def _choosing(self, row: MoveRow) -> r.Move:
        asks = {ask.name: ask for ask in row.asks}
        secret = [ask for ask in row.asks if ask.secret]

        def choosers(turn: r.Turn) -> Iterator[r.Choice]:
            choice = opened(turn.table)
            if choice is None or OpenChoice.of(choice).move != row.key:
                return
            for one in turn.table.of_kind(CHOOSER):
                who = turn.table.characters.get(one.at)
                if who is not None and r.plays(turn, who):
                    yield r.Choice(who.id, who.name)

        def first(turn: r.Turn) -> str:
            """The first own character who has not chosen, else the first."""
            missing = {one.id for one in self._missing(turn.table)}
            own = [one.value for one in choosers(turn)]
            return next((id for id in own if id in missing), next(iter(own), ""))

        def scope(turn: r.Turn) -> TurnScope:
            who = turn.table.characters.get(turn.text(ACTOR_ASK) or first(turn))
            found, choice = TurnScope(self.rules, turn, who=who, answers=asks), opened(turn.table)
            if choice is not None:
                found.given = {**_given(choice), **turn.args}
            return found

        def asked(turn: r.Turn) -> r.Refusal | None:
            """The choice is open, and a character of this seat is asked."""
            choice = opened(turn.table)
            if choice is None or OpenChoice.of(choice).move != row.key:
                return turn.firm("filed.choice.none")
            return None if any(choosers(turn)) else turn.firm("filed.choice.not_asked")

        def title(turn: r.Turn) -> str:
            """What the button says to a seat that may choose otherwise."""
            known = turn.table.of_kind(ANSWER, at=turn.text(ACTOR_ASK) or first(turn))
            return turn.words["filed.choice.again"] if known else ""

        who = r.ChoiceAsk(ACTOR_ASK, "Who?", choosers, default=first)

        @r.move(
            f"choose.{row.key}",
            when=asked,
            asks=(who, *(self._ask(ask, scope) for ask in secret)),
            rule=row.rule or row.title,
            shown_as=title,
            place=r.at("actions", 1),
        )
        def choose(turn: r.Turn) -> Iterator[r.Event]:
            """Choose in secret

            Everybody sees it once all have chosen; until then it can be changed.
            """
            yield from self._chosen(turn, secret)

        return choose

    def _ask(self, ask: AskRow, scope: Callable[[r.Turn], TurnScope]) -> r.Ask:
        """A secret question as one of the engine; a hidden character cannot be its answer."""
        made = ask_of(self.rules, ask, scope)
        if isinstance(made, r.ChoiceAsk) and ask.character:
            made = replace(made, choices=r.characters(*_sides(ask), hidden=False))
        return made

    def _chosen(self, turn: r.Turn, asks: list[AskRow]) -> Iterator[r.Event]:
        """Keep an answer for its seat alone, and say that it is there."""
        choice = opened(turn.table)
        who = turn.character(ACTOR_ASK)
        mine = turn.table.of_kind(CHOOSER, at=who.id) if who is not None else []
        if choice is None or who is None or not mine:
            raise turn.refused("argument", "filed.choice.not_asked", ACTOR_ASK)
        terms: dict[str, Value] = {}
        for ask in asks:
            if isinstance(value := turn.args.get(ask.name), int | str):
                terms[ask.name] = value
        chooser, words = mine[0], self._in_words(terms, asks, turn.table)
        # Its id follows from a public one, so ids tell nothing.
        answer = r.Trait(f"a{chooser.id}", ANSWER, words, at=who.id, terms=terms)
        yield turn.sealed(answer)
        if not chooser.rating:
            yield r.TraitSet(replace(chooser, text=who.name, rating=1))
        yield from self._revealed(turn)

    def _in_words(self, given: Mapping[str, Value], asks: list[AskRow], table: r.Table) -> str:
        found = []
        for ask in asks:
            if ask.name in given:
                found.append(self.rules.answer_in_words(ask, str(given[ask.name]), table))
        return ", ".join(found)

    # How it ends.

    def _revealed(self, turn: r.Turn) -> Iterator[r.Event]:
        """Reveal the choice once all have chosen, and carry out what follows.

        Where nothing is rolled, as in a preview, what others chose is not foreseen either.
        """
        choice, table = opened(turn.table), turn.table
        people = table.of_kind(CHOOSER)
        if choice is None or turn.roll is None or not people or self._missing(table):
            return
        if lost := [one for one in people if not table.of_kind(ANSWER, at=one.at)]:
            # The log is a copy by another seat, which lacks these answers: ask for them again.
            for one in lost:
                yield r.TraitSet(replace(one, text="", rating=0))
            return
        row, kept = self._row(choice), OpenChoice.of(choice)
        secret = [ask for ask in row.asks if ask.secret]
        chosen: dict[str, Mapping[str, Value]] = {}
        lines = []
        for one in people:
            terms = next((a.terms for a in table.of_kind(ANSWER, at=one.at)), {})
            chosen[one.at] = {k: v for k, v in terms.items() if isinstance(v, int | str)}
            words = self._in_words(chosen[one.at], secret, table)
            lines.append(turn.words.say("filed.choice.line", who=one.text, what=words))
        yield from self._ended(turn, choice)
        text = turn.words["filed.choice.and"].join(lines)
        shown = r.Trait(turn.fresh("t"), REVEAL, text, until="scene", terms={"title": row.title})
        yield r.TraitSet(shown)
        seat = table.seats.get(kept.seat, turn.seat)
        yield from carried_out(self.rules, turn, row, (seat, kept.mover, _given(choice)), chosen)

    def _ended(self, turn: r.Turn, choice: r.Trait, why: str = "") -> Iterator[r.Event]:
        """Remove the choice, and what was chosen."""
        for one in turn.table.of_kind(ANSWER, CHOOSER, REVEAL):
            yield r.TraitRemoved(one.id)
        yield r.TraitRemoved(choice.id, why)

    def _called_off(self, turn: r.Turn) -> Iterator[r.Event]:
        """End the choice without revealing anything, and give its price back."""
        choice = opened(turn.table)
        if choice is None:
            return
        yield from self._ended(turn, choice, turn.words["filed.choice.off"])
        price = {
            r.Purse.read(name.removeprefix(PAID)): n
            for name, n in choice.terms.items()
            if name.startswith(PAID) and isinstance(n, int)
        }
        yield from turn.refund(r.Points(price), choice.text)

    # Waits and reactions.

    def waits(self, turn: r.Turn) -> Iterator[r.Wait]:
        """The open choice, for everybody who has not chosen."""
        choice, table = opened(turn.table), turn.table
        if choice is None:
            return
        missing = self._missing(table)
        whom = r.players_of(table, missing)
        row = self._row(choice)
        own = [one.text for one in table.of_kind(ANSWER)]
        chosen = turn.words.say("filed.choice.own", what=turn.words["list.comma"].join(own))
        values = {"what": row.title, "own": f"{chosen} " if own else ""}
        yield r.Wait("filed.choose", whom, (f"choose.{row.key}",), each=True, values=values)

    def reactions(self) -> Iterator[tuple[type, Callable[[r.Turn, r.Event], Iterator[r.Event]]]]:
        """The consequences of characters who leave, and of the end of a scene or session."""
        yield r.CharacterSet, self._left
        yield r.PeriodEnded, self._over

    def _left(self, turn: r.Turn, event: r.Event) -> Iterator[r.Event]:
        choice = opened(turn.table)
        if not isinstance(event, r.CharacterSet) or choice is None or r.here(event.character):
            return
        for one in turn.table.of_kind(ANSWER, CHOOSER, at=event.character.id):
            yield r.TraitRemoved(one.id)
        least = 2 if self._row(choice).secret == "both" else 1
        if len(turn.table.of_kind(CHOOSER)) < least:
            yield from self._called_off(turn)
        else:
            yield from self._revealed(turn)

    def _over(self, turn: r.Turn, event: r.Event) -> Iterator[r.Event]:
        if isinstance(event, r.PeriodEnded) and event.kind in ("scene", "session"):
            yield from self._called_off(turn)


def _given(choice: r.Trait) -> dict[str, Value]:
    """The answers of the move that opened a choice."""
    return {
        name.removeprefix(GIVEN): value
        for name, value in choice.terms.items()
        if name.startswith(GIVEN) and isinstance(value, int | str)
    }


def _sides(ask: AskRow) -> tuple[str, ...]:
    return (ask.character,) if ask.character in ("players", "gm") else ()
