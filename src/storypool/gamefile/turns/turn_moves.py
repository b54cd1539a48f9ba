"""The moves of a game file with turns: start a conflict, end a turn, end the conflict."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from storypool.engine import rules as r
from storypool.gamefile.looks import shared_words
from storypool.gamefile.scope import TurnScope
from storypool.gamefile.turns.turn_order import FileTurns, TurnSlot, not_now, not_your_turn

__all__ = ["TurnMoves"]

FACES, FIRST, NEXT = "faces", "first", "who"
"""The questions of the moves: the faces of the dice, who begins, who is next."""


class TurnMoves:
    """The moves, waits and reactions of a game's turns, and the conditions for other moves."""

    def __init__(self, turns: FileTurns, answered: tuple[str, ...] = ()) -> None:
        self.turns, self.row, self.answered = turns, turns.row, answered
        self.running = _running(turns)
        self.in_conflict = r.all_of(r.between_actions, self.running)
        self.on_your_turn = r.all_of(self.in_conflict, _your_turn(turns, self.taking))
        self.may_act = _may_act(turns)

    # Conditions of other moves.

    def acting(self, turn: r.Turn) -> Iterator[r.Choice]:
        """The characters of this seat, closed when it is not their turn."""
        for choice in r.characters(own=True)(turn):
            yield choice.unless(not_now(self.turns, turn, choice.value))

    def taking(self, turn: r.Turn) -> Iterator[r.Choice]:
        """The characters of this seat whose turn it is."""
        whose = [one.id for one in self.turns.may_act(turn.table)]
        return (choice for choice in r.characters(own=True)(turn) if choice.value in whose)

    @property
    def conditions(self) -> Mapping[str, r.Condition]:
        """The conditions of a move, by the words of the file."""
        return {"on your turn": self.on_your_turn, "in a conflict": self.in_conflict}

    def among_next(self, ask: r.Ask) -> r.Ask:
        """A question for one of the characters who can take the next turn."""
        if not isinstance(ask, r.ChoiceAsk):
            return ask
        choices = ask.choices

        def among(turn: r.Turn) -> Iterator[r.Choice]:
            return (one for one in choices(turn) if self.turns.may_be_next(turn, one.value))

        return replace(ask, choices=among)

    def one_next(self, ask: r.Ask) -> r.Condition:
        """The condition that a character can take the next turn."""

        def there_is(turn: r.Turn) -> r.Refusal | None:
            """There is a character who can take the next turn."""
            if any(ask.offered(turn)):
                return None
            return turn.no("filed.next.nobody")

        return r.all_of(self.running, there_is)

    # The moves.

    def moves(self) -> Iterator[r.Move]:
        """The moves."""
        word, rule = self.row.lower_word, self.row.word

        def may_begin(turn: r.Turn) -> r.Refusal | None:
            """No turns are being taken, and there is a character to take one."""
            if self.turns.is_on(turn.table):
                return turn.no("filed.turns.on", word=word)
            if self.turns.fighters(turn.table):
                return None
            return turn.firm("filed.turns.nobody")

        asks: list[r.Ask] = []
        if self.row.order == "sides in turn":
            asks.append(r.ChoiceAsk(FIRST, "Which side acts first?", _sides, first=True))
        elif self.row.order == "handed over":
            asks.append(r.ChoiceAsk(FIRST, "Who acts first?", self._fighters, first=True))
        elif self.row.throw:
            asks.append(
                r.FacesAsk(FACES, "What do your dice show?", needed=False, dice=self._thrown)
            )

        @r.gm_move(
            "turns.begin",
            when=r.between_actions,
            only_if=[may_begin],
            asks=asks,
            rule=rule,
            place=r.at("scene", 10),
        )
        def begin(turn: r.Turn) -> Iterator[r.Event]:
            """Start the conflict

            Everybody takes turns from now on, whom all can see.
            """
            faces, dice = turn.numbers(FACES), r.Bag(one.value for one in self._thrown(turn))
            if faces and len(faces) != dice.total:
                counts = {"n": dice.total, "got": len(faces), "pool": turn.show(dice)}
                raise turn.refused("argument", "faces.count", FACES, **counts)
            yield from self.turns.begin(turn, turn.text(FIRST), faces)

        yours = _your_turn(self.turns, self.taking)

        def may_end(turn: r.Turn) -> r.Refusal | None:
            """It is the turn of a character of this seat, or the seat is a GM's."""
            return None if turn.is_gm else yours(turn)

        after: list[r.Ask] = []
        if self.row.order == "handed over":
            ask = r.ChoiceAsk(
                NEXT,
                "Who acts next?",
                r.characters(
                    hidden=False, only=lambda turn, one: self.turns.may_be_next(turn, one.id)
                ),
                default=lambda turn: self.turns.next_named(turn.table),
            )
            after = [replace(ask, shown=lambda turn: any(ask.offered(turn)))]

        def named(turn: r.Turn) -> str:
            """What the end of a turn is called where it is nobody's, or its player names who is
            next.
            """
            if self.turns.order.present(turn.table) is None:
                return turn.words["filed.turns.next"]
            if after and self.turns.next_named(turn.table) is None:
                return turn.words["filed.turns.hand"]
            return ""

        @r.move(
            "turns.next",
            when=r.all_of(self.in_conflict, may_end),
            asks=after,
            rule=rule,
            shown_as=named,
            place=r.at("slots"),
        )
        def go_on(turn: r.Turn) -> Iterator[r.Event]:
            """End the turn

            It ends automatically once an action is done. After the last turn the next round begins.
            """
            yield from self.turns.go_on(turn, turn.text(NEXT))

        @r.gm_move("turns.end", when=self.in_conflict, rule=rule, place=r.at("slots"))
        def end(turn: r.Turn) -> Iterator[r.Event]:
            """End the conflict

            Nobody takes turns any more.
            """
            yield from self.turns.end(turn)

        say = shared_words().say
        yield replace(begin, title=say("filed.turns.begin", word=word))
        yield go_on
        yield replace(end, title=say("filed.turns.end", word=word))

    def _fighters(self, turn: r.Turn) -> Iterator[r.Choice]:
        return (r.Choice(one.id, one.name) for one in self.turns.fighters(turn.table))

    def _thrown(self, turn: r.Turn) -> Iterator[r.Choice]:
        """The dice thrown for the order, one by one, with their characters."""
        for one in self.turns.fighters(turn.table):
            scope = TurnScope(self.turns.rules, turn, who=one)
            for die, n in self.row.throw.items():
                for _ in range(max(0, min(20, n.number(scope)))):
                    yield r.Choice(die, turn.word(die), one.name)

    # Waits and reactions.

    def waits(self, turn: r.Turn) -> Iterator[r.Wait]:
        """The present turn; the naming of the next; and the end, once a whole side is out."""
        table, turns = turn.table, self.turns
        if self.in_conflict(turn) is not None:
            return
        slot = turns.order.present(table)
        values = {
            "word": self.row.lower_word,
            "name": turns.name(turn, slot) if slot is not None else "",
        }
        if turns.is_beaten(table):
            yield r.Wait("filed.over", r.gms(table), ("turns.end",), values=values)
        elif slot is None:
            yield r.Wait("filed.next", r.gms(table), ("turns.next", "turns.end"), values=values)
        elif turns.has_acted(table):
            yield r.Wait(
                "filed.hand",
                r.players_of(table, turns.may_act(table)),
                ("turns.next",),
                values=values,
            )
        else:
            moves, whom = (
                (*self.answered, "turns.next"),
                r.players_of(table, turns.may_act(table)),
            )
            npc = ".npc" if slot.about == r.Team.GM.mark else ""
            if TurnSlot.of(slot).who:
                side = npc
            else:
                side = f".{slot.about.removeprefix('@')}"
            yield r.Wait(f"filed.turn{side}", whom, moves, values=values)

    def reactions(self) -> Iterator[tuple[type, Callable[[r.Turn, r.Event], Iterator[r.Event]]]]:
        """The consequences of an action's end, of arrivals and departures, and of a new scene."""
        yield r.CheckClosed, self._acted
        yield r.CharacterSet, self._changed
        if self.row.begins == "scene":
            yield r.PeriodBegan, self._starts

    def _acted(self, turn: r.Turn, event: r.Event) -> Iterator[r.Event]:
        check = None
        if isinstance(event, r.CheckClosed):
            check = turn.before.checks.get(event.id)
        if check is not None and isinstance(event, r.CheckClosed) and event.how == "done":
            yield from self.turns.follow_action(turn, check)

    def _changed(self, turn: r.Turn, event: r.Event) -> Iterator[r.Event]:
        if isinstance(event, r.CharacterSet):
            yield from self.turns.follow_character(turn, event.character)

    def _starts(self, turn: r.Turn, event: r.Event) -> Iterator[r.Event]:
        if (
            isinstance(event, r.PeriodBegan)
            and event.kind == "scene"
            and self.turns.fighters(turn.table)
        ):
            yield from self.turns.begin(turn)


def _running(turns: FileTurns) -> r.Condition:
    word = turns.row.lower_word

    def running(turn: r.Turn) -> r.Refusal | None:
        """Turns are being taken."""
        if turns.is_on(turn.table):
            return None
        return turn.firm("filed.turns", word=word)

    return running


def _your_turn(turns: FileTurns, taking: Callable[[r.Turn], Iterator[r.Choice]]) -> r.Condition:
    def your_turn(turn: r.Turn) -> r.Refusal | None:
        """It is the turn of a character of this seat."""
        slot = turns.order.present(turn.table)
        if any(taking(turn)):
            return None
        if slot is not None:
            return not_your_turn(turn, slot)
        return turn.no("filed.next")

    return your_turn


def _may_act(turns: FileTurns) -> r.Condition:
    own = r.characters(own=True)

    def may_act(turn: r.Turn) -> r.Refusal | None:
        """It is the turn of a character of this seat, or of nobody."""
        closed = [not_now(turns, turn, choice.value) for choice in own(turn)]
        if r.only_hidden(turn) or not closed or not all(closed):
            return None
        return closed[0]

    return may_act


def _sides(turn: r.Turn) -> Iterator[r.Choice]:
    for team in r.Team:
        yield r.Choice(team.mark, turn.words[f"filed.side.{team}"])
