"""Reading the answers to the questions of a move."""

from collections.abc import Iterable, Mapping

from storypool.engine.game.asks import Ask, choice_named, usual, worded
from storypool.engine.game.turn import Turn
from storypool.engine.refusal import shortened
from storypool.engine.table import Value
from storypool.words.folding import alike


def parsed(turn: Turn, asks: Iterable[Ask], given: Mapping[str, object]) -> dict[str, Value]:
    """The arguments of a move; `Refused` names the field, what came and what was expected.

    A question may depend on the answers before it, so each of them is in the turn when it is read.
    """
    asks = tuple(asks)
    _refuse_unknown(turn, asks, given)
    implied = _implied(asks, given)
    turn.args = {"check": turn.args["check"]} if "check" in turn.args else {}
    for ask in asks:
        value = None if ask.name == "check" else _answer(turn, ask, given.get(ask.name), implied)
        if value is not None:
            turn.args[ask.name] = value
    for ask in asks:
        _drop_unasked(turn, ask, given.get(ask.name))
    return turn.args


def _refuse_unknown(turn: Turn, asks: Iterable[Ask], given: Mapping[str, object]) -> None:
    """Refuse an argument that answers no question."""
    names = sorted({ask.name for ask in asks} - {"check"})
    for name in given:
        if name != "check" and name not in names:
            listed = ", ".join(names) or turn.system.words["list.none"]
            raise turn.refused("argument", "argument.unknown", name, name=name, known=listed)


def _implied(asks: tuple[Ask, ...], given: Mapping[str, object]) -> dict[str, Value]:
    """The answers that follow from others, by the names of their questions."""
    implied = dict[str, Value]()
    # Go backwards: an implied answer may itself imply another.
    for ask in reversed(asks):
        if ask.implies is None:
            continue
        answer = given.get(ask.name)
        # An answer equal to its default implies nothing.
        if ask.name in implied or not (_says_nothing(answer) or answer == ask.default):
            implied.update([ask.implies])
    return implied


def _answer(turn: Turn, ask: Ask, raw: object, implied: Mapping[str, Value]) -> Value | None:
    """The answer to a question, else the implied one, else its default; `Refused` if missing."""
    shown = ask.shown is None or ask.shown(turn)
    if shown and (raw in (None, "") or _leaves_open(turn, ask, raw)):
        raw = implied.get(ask.name)
    if raw is None or raw == "":
        return _unanswered(turn, ask) if shown else None
    if not shown and _says_nothing(raw):
        return None
    value = ask.read(turn, raw)
    if value != "" or ask.kind != "text":
        return value
    if ask.needed:
        raise ask.missing(turn)
    return None


def _unanswered(turn: Turn, ask: Ask) -> Value | None:
    """The default of a question; `Refused` if it has none and needs an answer."""
    value = usual(turn, ask)
    if value is None and (ask.needed or ask.without):
        raise ask.missing(turn)
    return value


def _drop_unasked(turn: Turn, ask: Ask, raw: object) -> None:
    """Drop an answer to a question that, given all other answers, is not asked.

    `Refused` if it differs from the question's value when left out.
    """
    if raw in (None, "") or ask.name not in turn.args or ask.shown is None or ask.shown(turn):
        return
    value = turn.args.pop(ask.name)
    if not _says_nothing(raw) and not _holds_anyway(turn, ask, value):
        name, got = worded(turn, ask), shortened(raw)
        raise turn.refused("argument", "argument.nowhere", ask.name, name=name, got=got)


def _says_nothing(raw: object) -> bool:
    """Whether an answer asks for nothing, so that nothing is lost where it makes no difference."""
    return raw is None or alike(str(raw)) in ("", "none", "no", "false", "0")


def _leaves_open(turn: Turn, ask: Ask, raw: object) -> bool:
    """Whether an answer such as "none" leaves the question open."""
    if ask.needed or ask.kind not in ("choice", "number", "pool") or not _says_nothing(raw):
        return False
    choices, word = ask.offered(turn), alike(str(raw))
    if usual(turn, ask, choices) is not None:
        return False
    if ask.kind == "choice":
        return word == "none" and choice_named(choices, word, alike) is None
    low, high = ask.bounds(turn)
    return ask.kind == "pool" or not (word.isdecimal() and low <= int(word) <= high)


def _holds_anyway(turn: Turn, ask: Ask, value: Value) -> bool:
    """Whether the answer to a question that is not shown is its default, or already true.

    A computed default does not count: where the question is not shown, nothing acts on it.
    """
    fixed = None if callable(ask.default) else ask.default
    return value == fixed or (ask.known is not None and value == ask.known(turn))
