"""The rows and expressions of a game file in words, for its reference and its printed sheet.

The sentences of a reference come from the source, like those of its prices.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping

from storypool.gamefile.file_format.expression_parser import tree_of, written_name
from storypool.gamefile.file_format.expressions import Expression
from storypool.gamefile.file_format.schema import AskRow, DoRow, FigureRow, MoveRow, WheneverRow
from storypool.gamefile.file_rules import Rules

__all__ = ["RowsInWords", "titled"]

WHO = {
    "actor": "who acts",
    "helper": "a player who does not act",
    "joined": "who has joined",
    "player": "a player",
    "gm": "the GM",
    "anybody": "anybody",
}
WHOSE = {
    "actor": "of who acts",
    "mover": "of who does it",
    "each": "of each character of the players",
}
OTHERS = {
    "face": "what the die shows",
    "side": "the side that acts",
    "outcome": "the result",
    "action": "the action",
    "round": "the number of the round",
    "players": "the number of players",
    "joined": "the number who have joined",
    "kind": "the kind",
    "rank": "the rank",
}
VALUE = "the value of the card"
"""What `face` is of a card."""
GROUP = {"best": "highest", "lowest": "lowest", "sum": "sum of the"}
"""How a number of all who act together is read."""
SIDES = {"players": "that of the players", "gm": "that of the GM"}
ARITHMETIC: Mapping[type[ast.operator], str] = {
    ast.Add: "plus",
    ast.Sub: "minus",
    ast.Mult: "times",
    ast.Div: "divided by",
    ast.FloorDiv: "divided by",
    ast.Mod: "modulo",
}
COMPARED: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "exactly",
    ast.NotEq: "not",
    ast.Lt: "less than",
    ast.LtE: "at most",
    ast.Gt: "more than",
    ast.GtE: "at least",
}
EVENTS = {
    "session begins": "A session begins",
    "session ends": "A session ends",
    "scene begins": "A scene begins",
    "scene ends": "A scene ends",
    "round begins": "A round begins",
    "turn begins": "A turn begins",
    "turn ends": "A turn ends",
    "turn thrown": "A place in the turns is thrown",
    "full": "All the {what} there is room for",
    "empty": "No {what} left",
    "lost": "{what} lost without being a price",
    "reaches": "{what} at {n}",
}
MOVED = {"rises": "more", "falls": "less", "either": "more or less"}
"""How points have moved."""


class RowsInWords:
    """The words of a game's rows; `asks` are the questions of the row that is put into words."""

    def __init__(self, rules: Rules, asks: Iterable[AskRow] = ()) -> None:
        self.rules, self.asks = rules, {ask.name: ask for ask in asks}

    @classmethod
    def of_row(cls, rules: Rules, row: MoveRow | WheneverRow) -> RowsInWords:
        """The words for a row, in the first of its actions."""
        asks = row.asks if isinstance(row, MoveRow) else ()
        return cls(rules.actions[row.action[0]] if rules.several and row.action else rules, asks)

    def value(self, expression: Expression) -> str:
        """A number or a text in words."""
        return self._value(tree_of(expression.text))

    def condition(self, expression: Expression) -> str:
        """A condition in words."""
        return self._condition(tree_of(expression.text))

    def counted(self, name: str, n: Expression | None) -> str:
        """A name with its number, in words: `2 stress`, or what the number follows from."""
        if n is None or n.fixed is not None:
            many = n.fixed if n is not None and n.fixed is not None else 1
            return f"{many} {self.noun(name, many)}"
        if n.text == name:
            return f"all {self.noun(name)}"
        if n.text in self.asks:
            return f"as many {self.noun(name)} as you choose"
        return f"{self.noun(name)} equal to {self.value(n)}"

    def noun(self, name: str, n: int = 2) -> str:
        """The noun for this many of a die, a symbol or points."""
        game = self.rules.game
        if name in game.points and n != 1:
            return self.rules.plural(name)
        row = game.points.get(name) or game.symbols.get(name) or game.pool_dice.get(name)
        if row is None:
            return self.name(name)
        return (row.word if n == 1 else row.plural or row.word) or name

    def pool(self, dice: Mapping[str, Expression]) -> str:
        """Dice in words."""
        return ", ".join(self.counted(die, n) for die, n in dice.items())

    def filled(self, text: str) -> str:
        """A sentence with a mark for each number that is filled in between its braces."""
        return re.sub(r"\{\w+\}", "…", text)

    def figure(self, row: FigureRow) -> str:
        """How a number is read off the dice."""
        which, n = ("highest", row.highest) if row.highest else ("lowest", row.lowest)
        usual = "dice" if self.rules.game.dice else "cards"
        dice = " or ".join(self.noun(die) for die in row.of) or usual
        if row.against:
            others = " or ".join(self.noun(die) for die in row.against)
            read = f"1 where the {dice} win against the {others}, -1 where they lose"
        elif row.next:
            read = f"the number of the highest die after the first {row.next}"
        elif row.left:
            read = f"the most sides of a die besides the {row.left} highest"
        elif n == 1:
            read = f"the {which} of the {dice}"
        else:
            read = f"the sum of the {n} {which} {dice}"
        if row.at:
            read = f"{read}, of those at “{self.rules.game.action.places[row.at]}”"
        return f"{read}, of those that show more than {row.over}" if row.over else read

    def ask(self, ask: AskRow) -> str:
        """A question with its possible answers, and who answers it."""
        game, answers = self.rules.game, ""
        if ask.choices:
            answers = ", ".join(ask.choices.values())
        elif ask.entry:
            answers = ", ".join(game.sheet[one].title for one in ask.entry if one in game.sheet)
        elif ask.number:
            answers = " to ".join(self.value(one) for one in ask.number)
        elif ask.trait:
            answers = ", ".join(game.trait[kind].word for kind in ask.trait)
        who = "; the GM decides" if ask.whose == "gm" else ""
        return f"{ask.label} ({answers}{who})" if answers or who else ask.label

    def made(self, row: MoveRow) -> str:
        """The maker of a move, its time, its limit, and whether it is a loss."""
        game, when = self.rules.game, row.when
        if when == "before the roll" and not game.is_rolled(game.action):
            when = "in the action"
        return ", ".join([WHO[row.who], when, *row.limit, *(["a loss"] if row.loss else [])])

    def event(self, row: WheneverRow) -> str:
        """The event that a row follows, with its condition."""
        if row.on in ("rolled", "closed"):
            titles = [self.rules.actions[key].game.action.title for key in row.action]
            of = " or ".join(f"“{title}”" for title in titles) or "an action"
            text = f"A roll of {of}" if row.on == "rolled" else f"The end of {of}"
        elif row.on == "points":
            text = f"{self.noun(row.points)[:1].upper()}{self.noun(row.points)[1:]}"
            text = f"{text}: {MOVED[row.direction]}"
        else:
            kind = self.rules.game.trait.get(row.trait)
            what = kind.lower_word if kind is not None else self.noun(row.points or row.entry)
            n = self.value(row.reaches) if row.reaches is not None else ""
            text = EVENTS[row.on].format(what=what, n=n)
            text = text[:1].upper() + text[1:]
        return text if row.when is None else f"{text}, if {self.condition(row.when)}"

    def does(self, rows: Iterable[DoRow]) -> str:
        """The effects of a row in words, each a sentence."""
        return " ".join(f"{one[:1].upper()}{one[1:]}." for one in map(self._does, rows))

    def _does(self, row: DoRow) -> str:
        text = str(getattr(self, f"_{row.verb}", self._changes)(row))
        return text if row.when is None else f"{text}, if {self.condition(row.when)}"

    def _changes(self, row: DoRow) -> str:
        """The verbs that are their own words: what they change, and by how much."""
        return f"{row.verb} {self.counted(getattr(row, row.verb), row.n)}{self._whose(row)}"

    def _whose(self, row: DoRow) -> str:
        if not row.of:
            return ""
        return f" {WHOSE[row.of]}" if row.of in WHOSE else f" of {self.name(row.of)}"

    def _symbol(self, row: DoRow) -> str:
        return f"add {self.counted(row.symbol, row.n)} to the roll"

    def _set(self, row: DoRow) -> str:
        to = self.value(row.to) if row.to is not None else "0"
        return f"{self.name(row.set)} becomes {to}"

    def _shift(self, row: DoRow) -> str:
        return f"{self.name(row.shift)} changes by {self._n(row)}"

    def _again(self, row: DoRow) -> str:
        game = self.rules.game
        kinds, always = game.again(row), row.again is None or bool(row.again.fixed)
        which = " and ".join(self.noun(die) for die in row.dice) or "dice"
        when = "" if row.again is None else self.condition(row.again)
        if {*kinds} <= game.deck.keys():
            cards, when = " and ".join(map(self.noun, kinds)), when.replace(OTHERS["face"], VALUE)
            return f"replace the {cards}" + ("" if always else f" for which {when}")
        return f"roll the {which} again" + ("" if always else f" for which {when}")

    def _make(self, row: DoRow) -> str:
        kind, text = self.rules.game.trait[row.make], self._text(row.text)
        n = f" with {self.value(row.goal)} segments" if row.goal is not None else ""
        whom = self._whose(row).replace(" of ", " for ", 1)
        return f"{kind.lower_word} begins{whom}{text}{n}"

    def _text(self, text: str) -> str:
        if text in self.asks or text in self.rules.asks:
            return f": the answer to {self.name(text)}"
        return f": “{text}”" if text else ""

    def _fill(self, row: DoRow) -> str:
        return f"{self.name(row.fill)} rises by {self._n(row)}"

    def _end(self, row: DoRow) -> str:
        kind = self.rules.game.trait.get(row.end)
        what = kind.lower_word if kind is not None else self.name(row.end)
        return f"{what} ends{self._whose(row)}"

    def _reveal(self, row: DoRow) -> str:
        return f"everybody sees {self.name(row.reveal)}"

    def _put(self, row: DoRow) -> str:
        return f"{self.name(row.put)} goes to “{self.rules.game.action.places[row.at]}”"

    def _step(self, row: DoRow) -> str:
        return f"{self.name(row.step)}{self._whose(row)} steps along its dice by {self._n(row)}"

    def _forward(self, row: DoRow) -> str:
        titles = [f"“{self.rules.actions[key].game.action.title}”" for key in row.action]
        which = " or ".join(titles) or "action"
        term = self.name(row.forward)
        return f"{term} rises by {self._n(row)} in the next {which}{self._whose(row)}"

    def _rank(self, row: DoRow) -> str:
        if row.to is not None:
            return f"the rank of {self.name(row.rank)} becomes {self.value(row.to)}"
        return f"the rank of {self.name(row.rank)} rises by {self._n(row)}"

    def _play(self, row: DoRow) -> str:
        return f"the card of {self.name(row.play)} lies open"

    def _discard(self, row: DoRow) -> str:
        if row.discard in self.rules.game.deck:
            return f"all open {self.noun(row.discard)} are discarded"
        return f"the card of {self.name(row.discard)} is discarded"

    def _give(self, row: DoRow) -> str:
        whom = WHOSE[row.of].removeprefix("of ") if row.of in WHOSE else self.name(row.of)
        return f"the card of {self.name(row.give)} goes to {whom}"

    def _shuffle(self, row: DoRow) -> str:
        return f"the discarded {self.noun(row.shuffle)} are shuffled in"

    def _promise(self, row: DoRow) -> str:
        return f"{self.counted(row.promise, row.n)} for the next action{self._whose(row)}"

    def _throw(self, row: DoRow) -> str:
        read = [f"{_plain(name)} is {self.figure(one)}" for name, one in row.figures.items()]
        return "; ".join([f"throw {self.pool(row.throw)}", *read])

    def _next(self, row: DoRow) -> str:
        return f"{self.name(row.next)} takes the next turn"

    def _consult(self, row: DoRow) -> str:
        return f"look up {self._n(row)} in “{titled(row.consult)}”"

    def _improve(self, row: DoRow) -> str:
        return f"{self.name(row.improve)}{self._whose(row)} rises by {self._n(row)}"

    def _n(self, row: DoRow) -> str:
        return "1" if row.n is None else self.value(row.n)

    def name(self, name: str) -> str:
        """What a name is called where people read it."""
        rules = self.rules
        if name in self.asks:
            return f"“{self.asks[name].label}”"
        for one in (rules, *rules.actions.values()):
            if name in one.game.action.shown:
                return one.game.action.shown[name]
            if name in one.asks:
                return f"“{one.asks[name].label}”"
        if name in rules.entries:
            return rules.label(name)
        if name in rules.game.option:
            return f"“{rules.game.option[name].title}”"
        game = rules.game
        if name in game.points or name in game.symbols or name in game.pool_dice:
            return self.noun(name)
        if (thrown := name.removeprefix("thrown_")) != name:
            return f"{self.noun(thrown)} thrown"
        return OTHERS.get(name, _plain(name))

    def _value(self, tree: ast.expr) -> str:
        match tree:
            case ast.Constant(value=str() as text):
                return f"“{text}”"
            case ast.Constant(value=value):
                return str(value)
            case ast.Name() | ast.Attribute() if hero := self._hero(tree):
                return f"1 if {hero} a player's, else 0"
            case ast.Name(id=name):
                return self.name(written_name(name))
            case ast.Attribute(value=ast.Name(id=question), attr=entry):
                return f"{self.name(entry)} of {self.name(written_name(question))}"
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                is_fixed = isinstance(operand, ast.Constant)
                return f"{'-' if is_fixed else 'minus '}{self._value(operand)}"
            case ast.BinOp(left=left, op=op, right=right):
                parts = (self._part(left, op), ARITHMETIC[type(op)], self._part(right, op))
                return " ".join(parts)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                condition = self._condition(test)
                return f"{self._value(body)} if {condition}, else {self._value(orelse)}"
            case ast.Call():
                return self._called(tree)
        return self._condition(tree)

    def _part(self, tree: ast.expr, op: ast.operator) -> str:
        text, additive = self._value(tree), (ast.Add, ast.Sub)
        is_sum = isinstance(tree, ast.BinOp) and isinstance(tree.op, additive)
        needs = isinstance(tree, ast.IfExp) or (is_sum and not isinstance(op, additive))
        return f"({text})" if needs else text

    def _called(self, tree: ast.Call) -> str:
        match tree:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=who)), args=[ast.Name(id=name)]):
                kind = self.rules.game.trait.get(written_name(name))
                what = f"the number of “{kind.word}”" if kind else self.noun(written_name(name))
                return f"{what} of {self.name(written_name(who))}"
            case ast.Call(func=ast.Name(id="min" | "max" as which), args=args):
                return self._bounded(which, args)
            case ast.Call(func=ast.Name(id="dice"), args=[ast.Name(id=die)]):
                return f"the number of {self.noun(written_name(die))} in the pool"
            case ast.Call(func=ast.Name(id="traits"), args=[ast.Name(id=kind)]):
                return f"the number of “{self.rules.game.trait[written_name(kind)].word}”"
            case ast.Call(func=ast.Name(id=which), args=[ast.Name(id=name)]) if which in GROUP:
                return f"the {GROUP[which]} {self.name(written_name(name))} of all who act"
            case ast.Call(args=[ast.Name(id=die), ast.Constant(value=int() as n)]):
                return f"the number of {self.noun(written_name(die))} that show {n}"
        return ast.unparse(tree)

    def _bounded(self, which: str, args: list[ast.expr]) -> str:
        """The least or the most of some numbers; a fixed one is a bound of the others."""
        fixed = [self._value(one) for one in args if isinstance(one, ast.Constant)]
        others = [self._part(one, ast.Add()) for one in args if not isinstance(one, ast.Constant)]
        if len(fixed) == 1 and len(others) == 1:
            return f"{others[0]}, at {'least' if which == 'max' else 'most'} {fixed[0]}"
        return f"the {'highest' if which == 'max' else 'lowest'} of {' and '.join(fixed + others)}"

    def _hero(self, tree: ast.expr) -> str:
        """A condition on heroes by this name, as in “the character is”; "" for any other name."""
        match tree:
            case ast.Name(id=name) if self.rules.means_hero(name):
                return "the character is"
            case ast.Attribute(value=ast.Name(id=question), attr=name):
                who = self.name(written_name(question))
                return f"{who} is" if self.rules.means_hero(name) else ""
        return ""

    def _condition(self, tree: ast.expr) -> str:
        match tree:
            case ast.UnaryOp(op=ast.Not(), operand=operand) if hero := self._hero(operand):
                return f"{hero} an NPC"
            case ast.Name() | ast.Attribute() if hero := self._hero(tree):
                return f"{hero} a player's"
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return f"not ({self._condition(operand)})"
            case ast.BoolOp(op=op, values=values):
                either = isinstance(op, ast.Or)
                return (" or " if either else " and ").join(self._grouped(values, either))
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self._compared(left, type(op), right)
            case ast.Constant(value=value):
                return "always" if value else "never"
        return f"{self._value(tree)} is not 0"

    def _grouped(self, values: Iterable[ast.expr], either: bool) -> Iterator[str]:
        for one in values:
            text = self._condition(one)
            mixed = isinstance(one, ast.BoolOp) and isinstance(one.op, ast.Or) is not either
            yield f"({text})" if mixed else text

    def _compared(self, left: ast.expr, op: type[ast.cmpop], right: ast.expr) -> str:
        if isinstance(left, ast.Constant) and op in (ast.Eq, ast.NotEq):
            left, right = right, left
        no = "not " if op in (ast.NotEq, ast.NotIn) else ""
        match left, right:
            case ast.Constant(value=str() as text), ast.Name(id=written):
                name = written_name(written)
                return f"{self._choice(name, text)} is {no}among {self.name(name)}"
            case ast.Attribute(value=ast.Name(id=written)), ast.Constant(value=str() as text):
                return f"{self._value(left)} is {no}{self._kind(written_name(written), text)}"
            case ast.Name(id=written), ast.Constant(value=str() as text):
                name = written_name(written)
                return f"{self.name(name)} is {no}{self._choice(name, text)}"
            case ast.Name(id=written), ast.Constant(value=int() as n) if self._counts(written):
                if op is ast.Gt:
                    op, n = ast.GtE, n + 1
                are = "is" if n == 1 else "are"
                return f"there {are} {COMPARED[op]} {n} {self.noun(written_name(written), n)}"
        return f"{self._value(left)} is {COMPARED[op]} {self._value(right)}"

    def _kind(self, question: str, kind: str) -> str:
        """What a kind of a statement is called that a question means."""
        ask = self.asks.get(question) or self.rules.asks.get(question)
        rows = [self.rules.game.trait[name] for name in ask.trait] if ask is not None else []
        return next((row.kinds[kind] for row in rows if kind in row.kinds), f"“{kind}”")

    def _counts(self, name: str) -> bool:
        """Whether a name is that of points, or of symbols of a roll."""
        game = self.rules.game
        return name in game.points or name in game.symbols

    def _choice(self, name: str, text: str) -> str:
        """A text that a name can be, as people read it."""
        rules, ask = self.rules, self.asks.get(name) or self.rules.asks.get(name)
        if name == "outcome":
            rungs = (row for one in rules.actions.values() for row in one.game.outcome)
            words = next((row.words for row in rungs if row.key == text), text)
            return f"“{self.filled(words).rstrip('.')}”"
        if name == "side":
            return SIDES.get(text, text)
        if name == "action" and text in rules.actions:
            return f"“{rules.actions[text].game.action.title}”"
        if name in rules.game.option:
            return f"“{rules.game.option[name].values.get(text, text)}”"
        if ask is not None and (ask.choices or ask.entry):
            return ask.choices.get(text) or rules.label(text)
        return f"“{text}”"


def _plain(name: str) -> str:
    return name.replace("_", " ")


def titled(name: str) -> str:
    """A key of a file as a title."""
    return _plain(name)[:1].upper() + _plain(name)[1:]
