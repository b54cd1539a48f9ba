"""The expectations of a play, compared with the table after its move."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from storypool.engine.events import CheckChanged, CheckOpened, Event, Proposed, Record, Rewound
from storypool.engine.game.asks import AskView
from storypool.engine.game.kit import Account
from storypool.engine.game.system import System
from storypool.engine.offers import Offer
from storypool.engine.refusal import Refusal
from storypool.engine.table import Check, Outcome, Purse, Table, Trait
from storypool.engine.waiting import Waiting, waiting
from storypool.play.text import EXPECTATIONS, OFFER_EXPECTATIONS, as_typed, fault, whole_number
from storypool.words import Phrase
from storypool.words.folding import alike


@dataclass(frozen=True)
class Expectation:
    """A table after a move: the whole log, the move's events, and its refusal or None."""

    system: System
    table: Table
    records: Sequence[Record]
    events: Sequence[Event]
    refusal: Refusal | None

    def expect(self, words: tuple[str, ...]) -> None:
        """Raise a `Fault` with the actual value unless the expectation holds."""
        match words:
            case ("passed",) | ("failed",):
                outcome = self._outcome()
                if outcome.passed is not (words[0] == "passed"):
                    found = {True: "passed", False: "failed", None: "neither"}[outcome.passed]
                    raise fault(
                        "passed", found=Phrase(f"play.{found}"), expected=Phrase(f"play.{words[0]}")
                    )
            case ("proposed",):
                if not any(isinstance(event, Proposed) for event in self.events):
                    raise fault("proposed")
            case ("refused:", code, *text):
                _expect_refused(self.refusal, code, " ".join(text))
            case ("net", axis, n):
                _expect_same(f"net {axis}", self._net(axis), n)
            case ("left", symbol, n):
                _expect_same(f"left {symbol}", self._check().left[self._symbol(symbol)], n)
            case ("owed", account, n):
                _expect_same(f"owed {account}", self._check().owed[str(self._purse(account))], n)
            case ("term", key, _, *_):
                term = self._check().terms.get(key, Phrase("play.nothing"))
                value = term
                if isinstance(term, tuple):
                    value = " ".join(map(str, term))
                if alike(str(value)) != alike(" ".join(words[2:])):
                    raise fault("term", key=key, told=value, expected=" ".join(words))
            case ("pool", _, *_):
                show = self.system.notation.show
                notation, scheme = self.system.notation, self.table.options.get("scheme") or None
                want = notation.thrown(notation.parse(" ".join(words[1:]), scheme))
                if (have := self._check().pool) != want:
                    raise fault("pool", found=show(have), expected=show(want))
            case ("outcome", _, *_):
                want_words, result = " ".join(words[1:]), self._outcome().words
                if alike(want_words) not in alike(result):
                    raise fault("outcome", found=result, expected=want_words)
            case ("trait", id, *more):
                if not any(_is_trait(trait, id, more) for trait in self.table.traits.values()):
                    raise fault("trait", found=self._traits(), expected=" ".join(words))
            case ("no", "trait", id, *more):
                if any(_is_trait(trait, id, more) for trait in self.table.traits.values()):
                    raise fault("trait", found=self._traits(), expected=" ".join(words))
            case ("waits", seat, _, *_):
                self._expect_waits(seat, words[2:], words)
            case ("no", "waits", seat, *rest):
                self._expect_waits(seat, tuple(rest), words)
            case (balance, n):
                _expect_same(balance, self.table.points[self._purse(balance)], n)
            case _:
                raise fault("expectation", found=" ".join(words), expectations=EXPECTATIONS)

    def _expect_waits(self, name: str, described: tuple[str, ...], words: tuple[str, ...]) -> None:
        """Compare the waits of a seat: with moves its first own wait, else any with the text."""
        seat = next(
            (id for id, one in self.table.seats.items() if alike(name) == alike(one.name)), None
        )
        if seat is None:
            raise fault(
                "seat", name=name, known=", ".join(one.name for one in self.table.seats.values())
            )
        moves = tuple(word for word in described if word in self.system.by_key)
        for word in (one for one in described if one not in moves):
            # Refuse a misspelt or unquoted word: it would never match, so `no waits` would always
            # hold.
            if word is not described[-1] or ("." in word[:-1] and " " not in word):
                raise fault("waits.word", word=word)
        found = waiting(self.system, self.table, seat)
        text = as_typed(described[-1]) if described[-1:] != moves[-1:] else ""
        mine = [wait for wait in found if wait.yours][:1] if moves else found
        is_met = any(
            as_typed(wait.text) == text or not text
            for wait in mine
            if not moves or wait.moves == moves
        )
        if is_met is (words[0] == "no"):
            in_words = "; ".join(map(_wait_in_words, found))
            raise fault(
                "waits",
                who=name,
                found=in_words or Phrase("play.nothing"),
                expected=" ".join(words),
            )

    def _traits(self) -> Phrase:
        held = "; ".join(
            " ".join(filter(None, (t.id, t.kind, t.about, t.text)))
            for t in self.table.traits.values()
        )
        if held:
            return Phrase("play.traits", held=held)
        return Phrase("play.traits.none")

    def _check(self) -> Check:
        if not self.table.checks:
            raise fault("action")
        return list(self.table.checks.values())[-1]

    def _outcome(self) -> Outcome:
        """The latest outcome on record; its action may be over."""
        i = len(self.records)
        while i:
            i -= 1
            match self.records[i].event:
                case CheckChanged(check) | CheckOpened(check) if check.outcome is not None:
                    return check.outcome
                case Rewound(to=to):
                    i = to
        raise fault("roll")

    def _net(self, axis: str) -> int:
        """The signed net of an axis; negated under the axis's name for values below zero."""
        axes, net = self.system.axes, self._outcome().net
        if axis in axes.names:
            return net[axis]
        for above, below in axes.below.items():
            if axis == below:
                return -net[above]
        # A number that a game counts from its dice has a look, like an axis.
        if axis in self.system.look:
            return net[axis]
        raise fault("axis", axis=axis, known=", ".join((*axes.names, *axes.below.values())))

    def _symbol(self, name: str) -> str:
        known = dict.fromkeys(
            (*self.system.axes.moves, *self.system.axes.names, *self._check().left)
        )
        if name not in known:
            raise fault("symbol", name=name, known=", ".join(known))
        return name

    def _purse(self, name: str) -> Purse:
        return purse_named(self.system, self.table, name)


def _wait_in_words(wait: Waiting) -> str:
    moves = wait.moves if wait.yours else ()
    return " ".join((*moves, f"“{wait.text}”"))


def _account_in_words(row: Account) -> str:
    if row.each == "table":
        return row.name
    return f"OWNER.{row.name}"


def purse_named(system: System, table: Table, name: str) -> Purse:
    """A purse of this table by its name; a `Fault` lists the known ones."""
    account, owner = purse = Purse.read(name)
    ours = set(map(_account_in_words, system.accounts))
    row = system.by_account.get(account)
    if row is None or (row.each == "table") == bool(owner):
        id = "balance" if ours else "balance.none"
        raise fault(id, name=name, known=", ".join(sorted(ours)))
    if owner and owner not in table.characters:
        known = ", ".join(table.characters)
        raise fault("owner" if known else "owner.none", owner=owner, known=known)
    return purse


def _expect_same(what: str, found: int, expected: str) -> None:
    if found != whole_number(expected, what):
        raise fault("same", what=what, found=found, expected=expected)


def _expect_refused(refusal: Refusal | None, code: str, text: str) -> None:
    if refusal is None:
        raise fault("made", code=code)
    if refusal.code != code:
        raise fault("refused.code", code=refusal.code, text=refusal.text, expected=code)
    if alike(text) not in alike(refusal.text):
        raise fault("refused.text", text=refusal.text, expected=text)


def expect_offered(found: Offer, words: tuple[str, ...]) -> None:
    """Raise a `Fault` with the actual value unless the expectation holds for this offer."""
    match words:
        case ("title", _, *_):
            _expect_words("title", found.key, found.title, " ".join(words[1:]))
        case ("caution", _, *_):
            _expect_words("caution", found.key, found.caution, " ".join(words[1:]))
        case ("no", "caution"):
            _expect_words("caution", found.key, found.caution, "")
        case ("asks", name) | ("asks", name, _) | ("no", "asks", name):
            presets = {ask.name: _preset(ask) for ask in found.asks}
            if (name in presets) is (words[0] == "no"):
                asked = ", ".join(presets) or Phrase("play.nothing")
                raise fault("asks", move=found.key, found=asked, expected=" ".join(words))
            if words[0] == "asks" and words[2:]:
                _expect_words("begins", name, presets[name], words[2])
        case _:
            raise fault("expectation", found=" ".join(words), expectations=OFFER_EXPECTATIONS)


def _expect_words(what: str, of: str, found: str, expected: str) -> None:
    if as_typed(found) != as_typed(expected):
        raise fault(what, of=of, found=_quoted(found), expected=_quoted(expected))


def _quoted(text: str) -> str | Phrase:
    return f"“{text}”" if text else Phrase("play.nothing")


def _preset(ask: AskView) -> str:
    """The preset answer of a form in the notation of a play; "" without one."""
    value = ask.default if ask.preset is None else ask.preset
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case tuple():
            return " ".join(map(str, value))
        case _:
            return str(value)


_FILTERS = ("kind", "about", "by", "until", "at", "rating", "goal")


def _is_trait(trait: Trait, id: str, more: Iterable[str]) -> bool:
    """Whether a trait has this id, kind or text, and all further fields and words."""
    words = []
    for word in more:
        key, is_pair, value = word.partition("=")
        if is_pair and key in _FILTERS:
            if str(getattr(trait, key)) != value:
                return False
        else:
            words.append(word)
    text = alike(trait.text)
    return (id in (trait.id, trait.kind) or alike(id) in text) and alike(" ".join(words)) in text
