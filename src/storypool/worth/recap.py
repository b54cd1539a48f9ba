"""The recap of a session in a few lines: the story first, then its numbers, then what is open."""

from collections import Counter
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field, replace
from typing import Literal

from storypool.engine import events
from storypool.engine.dice import Rolled
from storypool.engine.events import Record
from storypool.engine.game.panels import BoardPanel, ListPanel, TracksPanel
from storypool.engine.game.system import System
from storypool.engine.moments import listed, moments
from storypool.engine.story import sentence
from storypool.engine.table import Check, Table, Team, Trait
from storypool.worth.quotes import Quotes

SETTING = ("points.correct", "session.begin", "session.end")
"""Moves that set points rather than spend them: not a swing."""


Story = Literal["who", "scenes", "ended", "quotes", "facts", "moments", "best", "hurt"]
Kind = Story | Literal["length", "rolls", "swing", "open"]
"""The kinds of lines, in their order."""


@dataclass(frozen=True, slots=True)
class RecapLine:
    """One line of a recap: its kind, its sentence, and its record, 0 for several."""

    kind: Kind
    text: str
    seq: int = 0


@dataclass(frozen=True, slots=True)
class Recap:
    """The latest session: its number (0 before the first), and its lines, at most twelve.

    `accounts` are those of the table, for a gauge. `moved`: points changed, so there is something
    to draw.
    """

    session: int
    running: bool
    lines: tuple[RecapLine, ...]
    accounts: tuple[str, ...]
    moved: bool = False


@dataclass(frozen=True, slots=True)
class Swing:
    """A change of one balance: its first record, and the balance before and after."""

    seq: int
    account: str
    owner: str
    start: int
    end: int


@dataclass(slots=True)
class CountedSession:
    """The counts of a session for its lines, record by record from the one that began it.

    `own` are the accounts of characters whose balance can be the biggest swing.
    """

    system: System
    number: int
    began: int
    own: Set[str] = frozenset()
    ended: int = 0
    running: bool = True
    scenes: int = 0
    titles: list[str] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)
    quotes: Quotes = field(default_factory=Quotes)
    move: str = "session.begin"
    moved: int = 0
    checks: dict[str, Check] = field(default_factory=dict)
    started: set[str] = field(default_factory=set)
    done: list[tuple[int, Check]] = field(default_factory=list)
    moment_counts: Counter[str] = field(default_factory=Counter)
    dice: dict[str, tuple[Rolled, ...]] = field(default_factory=dict)
    subjects: dict[str, dict[str, str]] = field(default_factory=dict)
    endings: list[tuple[int, str]] = field(default_factory=list)
    swings: dict[tuple[int, str, str], Swing] = field(default_factory=dict)
    hurt: dict[str, str] = field(default_factory=dict)

    def take(self, record: Record, before: Table) -> None:
        """Count one more record, unless the session is over."""
        if not self.running:
            return
        if record.event is None:
            # The move is hidden, so its records do not belong to the previous move.
            self.move, self.moved = "", record.seq
            return
        self.ended = record.at
        self.quotes.take(record, before, self._has_line)
        self._note_dice(record.event, before)
        self._keep(record.event, before)
        # The end of a conflict says more than its beginning, and the dice that an action ends with
        # say more than those of its first roll.
        elsewhere = {
            panel.name
            for panel in listed(self.system)
            if panel.began or panel.kept or panel.periods
        }
        goals = {panel.name for panel in listed(self.system) if panel.reached}
        for one in moments(record.event, before, self.system):
            # Dice without an action, such as for a place in an order of turns, bring no moment.
            if one.name in elsewhere or one.dice:
                continue
            match record.event:
                case events.TraitSet(trait) if trait.about in before.characters:
                    self.subjects.setdefault(one.name, {})[trait.about] = ""
                case events.TraitSet(trait) if one.name in goals and not trait.about:
                    # A goal that is reached is about nobody, and has a name of its own.
                    self.subjects.setdefault(one.name, {})[trait.id] = trait.text
                case events.TraitSet() | events.TraitRemoved() if record.seen_by is None:
                    # A trait about no character ends a conflict or contest: its sentence names the
                    # winner.
                    self.endings.append((record.seq, sentence(record, before, self.system)))
                    continue
            self.moment_counts[one.name] += 1
        match record.event:
            case events.MoveMade(move):
                self.move, self.moved = move, record.seq
            case events.PeriodBegan(kind="scene", title=title):
                self.scenes += 1
                self.titles += [title] if title else []
            case events.TraitSet(trait) if self._is_story(trait):
                who = before.seats.get(trait.by)
                text = trait.text
                if who is not None and who.side == "player":
                    text = self.system.words.say("recap.whom", what=text.rstrip("."), who=who.name)
                self.facts[trait.id] = text
            case events.ClockSet(by):
                self.began += by
            case events.PeriodEnded(kind="session"):
                self.running, self.hurt = False, dict(_hurt(self.system, before))
            case events.CheckOpened(check) | events.CheckChanged(check):
                if not self.checks:
                    # Points dealt out before the first action are the start of the session.
                    self.swings.clear()
                if check.id not in before.checks:
                    self.started.add(check.id)
                self.checks[check.id] = check
            case events.CheckClosed(id=id, how="done") if id in self.checks:
                self.done.append((record.seq, self.checks[id]))
            case events.CheckClosed(id=id):
                self.started.discard(id)
                self.dice.pop(id, None)
            case events.PointsSet(account, owner) as event if (
                account in self.system.by_account and (not owner or account in self.own)
            ):
                if self.move not in SETTING:
                    self._note_swing(record.seq, event)

    def _keep(self, event: events.Event, before: Table) -> None:
        """Count what a roll brought once it comes true."""
        if not isinstance(event, events.TraitSet) or event.trait.id in before.traits:
            return
        for panel in listed(self.system):
            if event.trait.kind in panel.kept:
                self.moment_counts[panel.name] += 1

    def _is_story(self, trait: Trait) -> bool:
        """Whether everybody sees it, and it is a fact or of a kind that the game's lists name."""
        named = (panel.recap for panel in self.system.panels if isinstance(panel, ListPanel))
        return trait.seen_by is None and trait.kind in {"fact"}.union(*named)

    def _has_line(self, trait: Trait) -> bool:
        """Whether the recap names it elsewhere, or it is a place or a thing of a board."""
        boards = (one for one in self.system.panels if isinstance(one, BoardPanel))
        on_board = any(trait.kind in (board.place, board.things) for board in boards)
        return on_board or self._is_story(trait)

    def _note_dice(self, event: events.Event, before: Table) -> None:
        """Note the dice that an action shows at present."""
        match event:
            case events.DiceRolled(id, rolled=rolled) if _of_an_action(event, before):
                if not before.checks[id].rolled:
                    self.dice[id] = rolled
            case events.CheckChanged(check) if check.rolled:
                self.dice[check.id] = check.rolled

    def counted_moments(self, table: Table) -> Counter[str]:
        """How often each moment came, by the dice that actions ended with."""
        found = Counter(self.moment_counts)
        kept = {panel.name for panel in listed(self.system) if panel.kept}
        for id, dice in self.dice.items():
            for one in moments(events.DiceRolled(id, "", dice), table, self.system):
                if one.name not in kept:
                    found[one.name] += len(one.dice)
        return +found

    def _note_swing(self, seq: int, event: events.PointsSet) -> None:
        key = self.moved, event.account, event.owner
        start = Swing(seq, event.account, event.owner, event.balance - event.delta, event.balance)
        self.swings[key] = replace(self.swings.get(key, start), end=event.balance)

    def recap(self, table: Table) -> Recap:
        """The lines of the session; characters have their names at this table."""
        lines = tuple(_lines(self, table)) if self.number else ()
        shared = tuple(
            account.name
            for account in self.system.accounts
            if account.each == "table" and account.side
        )
        moved = any(one.start != one.end for one in self.swings.values())
        return Recap(self.number, self.running, lines, shared, moved)


def _lines(session: CountedSession, table: Table) -> Iterator[RecapLine]:
    """The lines of a session; an absent part has none. The story comes before the numbers."""
    yield from _story(session, table)
    yield from _moments_and_harm(session, table)
    yield from _numbers(session, table)
    yield from _open(session.system, table)


def _story(session: CountedSession, table: Table) -> Iterator[RecapLine]:
    """Who played, the scenes, what ended, the words of people, and what came to be true."""
    words = session.system.words
    played = [
        words.say("recap.as", who=seat.name, hero=one.name)
        for one in table.characters.values()
        if one.team is Team.PLAYERS and (seat := table.seats.get(one.seat)) is not None
    ]
    if played:
        yield RecapLine("who", words.say("recap.who", who=words.joined(played, "list.last")))
    if session.titles:
        yield _listed(session, "scenes", session.titles)
    if session.endings:
        seqs, sentences = zip(*session.endings, strict=True)
        seq = seqs[0] if len(seqs) == 1 else 0
        yield RecapLine("ended", " ".join(sentences), seq)
    if quotes := session.quotes.best():
        spoken = (
            words.say("recap.quote", text=one.text, who=_seat(table, one.seat)) for one in quotes
        )
        text = words.say("recap.quotes", quotes=words["list.semicolon"].join(spoken))
        yield RecapLine("quotes", text, quotes[0].seq if len(quotes) == 1 else 0)
    if session.facts:
        yield _listed(session, "facts", dict.fromkeys(session.facts.values()))


def _listed(
    session: CountedSession, kind: Literal["scenes", "facts"], texts: Iterable[str]
) -> RecapLine:
    words = session.system.words
    story = words["list.semicolon"].join(text.rstrip(".") for text in texts)
    return RecapLine(kind, words.say(f"recap.story.{kind}", story=story))


def _moments_and_harm(session: CountedSession, table: Table) -> Iterator[RecapLine]:
    """What everybody felt, the best roll, and who is hurt at the end."""
    system, say = session.system, session.system.words.say
    # Rising and turning points are shown in the gauge.
    titles = {
        one.name: one.title
        for one in listed(system)
        if one.symbols or one.faces or one.traits or one.reached or one.terms
    }
    counts = session.counted_moments(table).most_common()
    times = [
        _moment_text(session, table, name, titles[name], n) for name, n in counts if name in titles
    ]
    if times:
        yield RecapLine("moments", say("recap.moments", moments=", ".join(times)))
    won = [
        (check.outcome.margin, seq, check)
        for seq, check in _rolled(session)
        if check.outcome and check.outcome.passed
    ]
    if won:
        _, seq, check = max(won, key=lambda one: (one[0], *_rank(system, table, one[2])))
        words = check.outcome.words if check.outcome else ""
        best = say("recap.best", who=_name(table, check.actor), title=check.title, words=words)
        yield RecapLine("best", best, seq)
    # Ignore healing after the session.
    hurt = dict(_hurt(system, table)) if session.running else session.hurt
    if hurt:
        each = [say("recap.whom", what=_name(table, id), who=points) for id, points in hurt.items()]
        yield RecapLine("hurt", say("recap.hurt", who=", ".join(each)))


def _rolled(session: CountedSession) -> list[tuple[int, Check]]:
    """The actions that ended with a roll, each with its last record."""
    return [
        (seq, check) for seq, check in session.done if check.outcome is not None and check.rolled
    ]


def _numbers(session: CountedSession, table: Table) -> Iterator[RecapLine]:
    """The length of the session, its rolls, and the biggest swing."""
    system = session.system
    say = system.words.say
    hours, minutes = divmod(max(0, session.ended - session.began) // 60_000, 60)
    if hours:
        time = say("recap.hours", h=hours, m=minutes)
    else:
        time = say("recap.minutes", n=minutes)
    yield RecapLine(
        "length", say("recap.length", scenes=say("recap.scenes", n=session.scenes), time=time)
    )

    if rolled := _rolled(session):
        passed = sum(check.passed for _, check in rolled)
        (most, n), *others = Counter(check.actor for _, check in rolled).most_common(2)
        # No one acted most if several acted as often, or each acted once.
        who = ""
        if n > 1 and n not in dict(others).values():
            who = say("recap.most", who=_name(table, most), n=n)
        even = sum(1 for _, check in rolled if check.outcome and check.outcome.passed is None)
        # Only games with ties have a word for them.
        tied = "recap.tied"
        ties = tied in system.words
        # An action that can neither pass nor fail does not count as "no success".
        results = []
        if ties or even < len(rolled):
            id = "recap.successful" if passed else "recap.successful.none"
            results.append(say(id, n=passed))
        if even and (ties or results):
            id = tied if ties else "recap.open"
            results.append(say(id, n=even))
        text = system.words["list.comma"].join([say("recap.checks", n=len(rolled)), *results])
        rolls = say("recap.rolls", results=text)
        yield RecapLine("rolls", " ".join(filter(None, (rolls, who, *_unrolled(session)))))

    swings = list(_runs(session.swings.values()))
    furthest = max((abs(one.end - one.start) for one in swings), default=0)
    biggest = [one for one in swings if abs(one.end - one.start) == furthest]
    # Without a single biggest swing there is no line.
    if len(biggest) == 1:
        [swing] = biggest
        name = system.plural(swing.account)
        if swing.owner:
            name = say("recap.swing.of", who=_name(table, swing.owner), account=name)
        yield RecapLine(
            "swing", say("recap.swing", account=name, start=swing.start, n=swing.end), swing.seq
        )


def _open(system: System, table: Table) -> Iterator[RecapLine]:
    """The questions that are open for everybody, and the tracks that are not full."""
    say = system.words.say
    threads = []
    for one in table.traits.values():
        if one.hidden or not one.text:
            continue
        if one.kind == "question":
            threads.append(one.text)
        elif 0 <= one.rating < one.goal and one.about not in table.characters:
            threads.append(say("story.track", text=one.text, n=one.rating, most=one.goal))
    if threads:
        text = system.words["list.semicolon"].join(threads)
        yield RecapLine("open", say("recap.still_open", threads=text))


def _unrolled(session: CountedSession) -> Iterator[str]:
    """Sentences for the actions that were not rolled to their end: without dice, or still open."""
    say = session.system.words.say
    ended = {check.id for _, check in session.done}
    free = sum(not check.rolled for _, check in session.done)
    still = len(session.started - ended)
    if free:
        yield say("recap.unrolled", n=free)
    if still:
        yield say("recap.unfinished", n=still)


def _runs(swings: Iterable[Swing]) -> Iterator[Swing]:
    """The changes of each balance, with those in one direction after each other as one."""
    runs: dict[tuple[str, str], Swing] = {}
    for one in swings:
        if one.start == one.end:
            continue
        key = one.account, one.owner
        run = runs.pop(key, None)
        rises = one.end > one.start
        if run is not None and run.end == one.start and (run.end > run.start) == rises:
            one = replace(run, end=one.end)
        elif run is not None:
            yield run
        runs[key] = one
    yield from runs.values()


def _rank(system: System, table: Table, check: Check) -> tuple[int, int]:
    """The rank of a roll within its margin: its dice that are good on their own, then the rest.

    The rest is its net on the axes on which symbols cancel.
    """
    net = check.outcome.net if check.outcome else {}
    symbols = sum(net.get(axis, 0) for axis in system.axes.below)
    good = {panel.name for panel in listed(system) if panel.tone == "good"}
    found = moments(events.DiceRolled(check.id, check.by, check.rolled), table, system)
    return sum(len(one.dice) for one in found if one.name in good), symbols


def _of_an_action(event: events.Event, before: Table) -> bool:
    """Whether this is a roll of an action, which may show other dice in the end."""
    return isinstance(event, events.DiceRolled) and event.check in before.checks


def harm_accounts(system: System) -> frozenset[str]:
    """The accounts for which more is worse."""
    tracks = [
        panel for panel in system.panels if isinstance(panel, TracksPanel) and panel.tone == "bad"
    ]
    return frozenset(account for panel in tracks for account in panel.accounts)


def own_points(system: System) -> frozenset[str]:
    """The accounts of characters that are points to have, not a track that a move fills."""
    tracks = [panel for panel in system.panels if isinstance(panel, TracksPanel)]
    return frozenset(
        account for panel in tracks if not (panel.tone or panel.up) for account in panel.accounts
    )


def _moment_text(session: CountedSession, table: Table, name: str, title: str, n: int) -> str:
    """A moment with the characters it was about, or else with its count."""
    known = {id: one.name for id, one in table.characters.items()}
    subjects = session.subjects.get(name, {}).items()
    who = [known.get(id, text) for id, text in subjects if id in known or text]
    say = session.system.words.say
    if who:
        return say("recap.whom", what=title, who=", ".join(who))
    if n > 1:
        return say("recap.times", what=title, n=n)
    return title


def _hurt(system: System, table: Table) -> Iterator[tuple[str, str]]:
    """The harm of each of the players' characters, by id: bad points and other harm."""
    harmful = [account.name for account in system.accounts if account.name in harm_accounts(system)]
    lists = [panel for panel in system.panels if isinstance(panel, ListPanel)]
    for one in table.characters.values():
        held = [(account, table.balance(account, one.id)) for account in harmful]
        traits = [trait for trait in table.traits.values() if trait.about == one.id]
        parts = [f"{n} {system.word(account, n)}" for account, n in held if n]
        for trait in traits:
            if any(panel.is_harm(trait) for panel in lists):
                parts.append(trait.text)
        words = ", ".join(parts)
        if words and one.team is Team.PLAYERS:
            yield one.id, words


def _seat(table: Table, id: str) -> str:
    return table.seats[id].name if id in table.seats else id


def _name(table: Table, id: str) -> str:
    if id in table.characters:
        return table.characters[id].name
    return id
