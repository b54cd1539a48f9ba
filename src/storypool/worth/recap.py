"""The recap of a session in a few lines: length, rolls, moments, conflicts, harm, swings."""

from collections import Counter
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field, replace
from typing import Literal

from storypool.engine import events
from storypool.engine.events import Record
from storypool.engine.game.panels import ListPanel, TracksPanel
from storypool.engine.game.system import System
from storypool.engine.moments import listed, moments
from storypool.engine.story import sentence
from storypool.engine.table import Check, Table, Team

SETTING = ("points.correct", "session.begin", "session.end")
"""Moves that set points rather than spend them: not a swing."""


@dataclass(frozen=True, slots=True)
class RecapLine:
    """One line of a recap: its kind, its sentence, and its record, 0 for several."""

    kind: Literal["scenes", "facts", "length", "rolls", "moments", "ended", "hurt", "best", "swing"]
    text: str
    seq: int = 0


@dataclass(frozen=True, slots=True)
class Recap:
    """The latest session: its number (0 before the first), and its lines, at most nine.

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
    move: str = "session.begin"
    moved: int = 0
    checks: dict[str, Check] = field(default_factory=dict)
    started: set[str] = field(default_factory=set)
    done: list[tuple[int, Check]] = field(default_factory=list)
    moment_counts: Counter[str] = field(default_factory=Counter)
    subjects: dict[str, dict[str, None]] = field(default_factory=dict)
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
        beginnings = {panel.name for panel in listed(self.system) if panel.began}
        for one in moments(_with_revealed_roll(record.event, before), before, self.system):
            if one.name in beginnings:
                # The end of the conflict says more.
                continue
            match record.event:
                case events.TraitSet(trait) if trait.about in before.characters:
                    self.subjects.setdefault(one.name, {})[trait.about] = None
                case events.TraitSet() | events.TraitRemoved() if record.seen_by is None:
                    # A trait about no character ends a conflict or contest: its sentence names the
                    # winner.
                    self.endings.append((record.seq, sentence(record, before, self.system)))
                    continue
            self.moment_counts[one.name] += max(1, len(one.dice))
        match record.event:
            case events.MoveMade(move):
                self.move, self.moved = move, record.seq
            case events.PeriodBegan(kind="scene", title=title):
                self.scenes += 1
                self.titles += [title] if title else []
            case events.TraitSet(trait) if trait.seen_by is None and trait.kind in self._told():
                self.facts[trait.id] = trait.text
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
            case events.PointsSet(account, owner) as event if (
                account in self.system.by_account and (not owner or account in self.own)
            ):
                if self.move not in SETTING:
                    self._note_swing(record.seq, event)

    def _told(self) -> Set[str]:
        """The kinds of traits that the story consists of: facts, and what the game's lists tell."""
        told = (panel.told for panel in self.system.panels if isinstance(panel, ListPanel))
        return {"fact"}.union(*told)

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
    """The lines of a session; an absent part has none."""
    system = session.system
    say = system.words.say
    hours, minutes = divmod(max(0, session.ended - session.began) // 60_000, 60)
    if hours:
        time = say("recap.hours", h=hours, m=minutes)
    else:
        time = say("recap.minutes", n=minutes)
    parts: dict[Literal["scenes", "facts"], list[str]] = {
        "scenes": session.titles,
        "facts": list(session.facts.values()),
    }
    for kind, texts in parts.items():
        if texts:
            story = system.words["list.semicolon"].join(texts)
            yield RecapLine(kind, say(f"recap.story.{kind}", story=story))
    yield RecapLine(
        "length", say("recap.length", scenes=say("recap.scenes", n=session.scenes), time=time)
    )

    rolled = [
        (seq, check) for seq, check in session.done if check.outcome is not None and check.rolled
    ]
    if rolled:
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

    # Rising and turning points are shown in the gauge.
    titles = {
        one.name: one.title for one in listed(system) if one.symbols or one.faces or one.traits
    }
    shown_moments = [(name, n) for name, n in session.moment_counts.most_common() if name in titles]
    if shown_moments:
        times = [_moment_text(session, table, name, titles[name], n) for name, n in shown_moments]
        yield RecapLine("moments", say("recap.moments", moments=", ".join(times)))

    if session.endings:
        seqs, sentences = zip(*session.endings, strict=True)
        seq = seqs[0] if len(seqs) == 1 else 0
        yield RecapLine("ended", " ".join(sentences), seq)

    # Ignore healing after the session.
    hurt = dict(_hurt(system, table)) if session.running else session.hurt
    if hurt:
        each = [say("recap.whom", what=_name(table, id), who=points) for id, points in hurt.items()]
        yield RecapLine("hurt", say("recap.hurt", who=", ".join(each)))

    won = [
        (check.outcome.margin, seq, check)
        for seq, check in rolled
        if check.outcome and check.outcome.passed
    ]
    if won:
        _, seq, check = max(won, key=lambda one: (one[0], *_rank(system, table, one[2])))
        words = check.outcome.words if check.outcome else ""
        best = say("recap.best", who=_name(table, check.actor), title=check.title, words=words)
        yield RecapLine("best", best, seq)

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


def _with_revealed_roll(event: events.Event, before: Table) -> events.Event:
    """The event, or the roll of a hidden action that is revealed, as its dice were not seen."""
    if (
        isinstance(event, events.CheckChanged)
        and event.check.rolled
        and event.check.id not in before.checks
    ):
        return events.DiceRolled(event.check.id, event.check.by, event.check.rolled)
    return event


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
    who = [
        table.characters[id].name for id in session.subjects.get(name, ()) if id in table.characters
    ]
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


def _name(table: Table, id: str) -> str:
    if id in table.characters:
        return table.characters[id].name
    return id
