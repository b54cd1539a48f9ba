"""The visibility of records, logs and tables. All hiding happens here and nowhere else."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeVar, cast

from storypool.engine import events as e
from storypool.engine.bag import Multiset
from storypool.engine.copies import recent, replace
from storypool.engine.table import (
    GM_ONLY,
    LEFT_OUT,
    Audience,
    Character,
    Check,
    Points,
    Purse,
    Seat,
    Table,
    Trait,
    Value,
)
from storypool.words import BadValue
from storypool.words.folding import alike

__all__ = ["gm_only", "hidden_like", "known_to", "public", "seen", "view"]


def may_see(seat: Seat | None, seen_by: Audience) -> bool:
    """Whether a seat may see something with this audience; None is a reader without a seat."""
    return seen_by is None or (
        seat is not None and (seat.id in seen_by or f"@{seat.side}" in seen_by)
    )


def view(records: Iterable[e.Record], seat: Seat | None) -> list[e.Record]:
    """The log as one seat may read it: the same length, with hidden records emptied.

    The audience is what the rules recorded; neither the request nor the reader can change it.
    """
    return [shown(record, seat) for record in records]


def shown(record: e.Record, seat: Seat | None) -> e.Record:
    """One record as a seat may read it; a hidden record keeps only its number and its time."""
    if may_see(seat, record.seen_by):
        return record._replace(seen_by=None)
    return e.Record(record.seq, None, "", record.at, None)


def reads_sheet(seat: Seat | None, one: Character) -> bool:
    """Whether a seat reads all entries of a character's sheet."""
    return may_see(seat, one.sheet_seen_by)


def seen(table: Table, seat: Seat | None) -> Table:
    """The table as one seat sees it: the fold of that seat's own log, if nothing was renamed."""
    table = without_unread(without_hidden(table, seat), seat)
    unread = [one for one in table.characters.values() if not reads_sheet(seat, one)]
    if not unread:
        return table
    people = {**table.characters, **{one.id: one.without_unread() for one in unread}}
    return replace(table, characters=people)


@recent(32)
def without_unread(table: Table, seat: Seat | None) -> Table:
    """The table without the traits of sheets that a seat does not read: what it is asked about."""
    read = {k: t for k, t in table.traits.items() if may_see(seat, t.read_by)}
    return table if len(read) == len(table.traits) else replace(table, traits=read)


@recent(32)
def without_hidden(table: Table, seat: Seat | None) -> Table:
    """The table by which the rules judge a seat: without hidden things, with whole sheets.

    What an action does in the open follows from the numbers of all it is about, read or not.
    """
    ours = partial(may_see, seat)
    things = (table.characters, table.traits, table.checks, table.proposals, table.papers)
    is_gm = seat is not None and seat.side == "gm"
    # GMs alone undo and redo hidden moves, of those that they see.
    if table.undo_seen_by is not None and not (is_gm and ours(table.undo_seen_by)):
        table = replace(table, undo_to=table.open_undo_to, undo_seen_by=None)
    if table.redo_seen_by is not None and not (is_gm and ours(table.redo_seen_by)):
        table = replace(table, redo_to=0, redo_seen_by=None)
    kinds = (*(kind.values() for kind in things), table.uses)
    if all(one.seen_by is None or ours(one.seen_by) for kind in kinds for one in kind):
        return table
    hidden = {c.id for c in table.characters.values() if not ours(c.seen_by)}
    lane = {("check", c.id) for c in table.checks.values() if not ours(c.seen_by)}
    uses = table.uses.items()
    counted = {use: n for use, n in uses if ours(use.seen_by) and lane.isdisjoint(use.scopes)}
    return replace(
        table,
        uses=Multiset(counted),
        characters={k: c for k, c in table.characters.items() if ours(c.seen_by)},
        traits={k: t for k, t in table.traits.items() if ours(t.seen_by)},
        checks={k: c for k, c in table.checks.items() if ours(c.seen_by)},
        proposals={k: p for k, p in table.proposals.items() if ours(p.seen_by)},
        papers={k: p for k, p in table.papers.items() if ours(p.seen_by)},
        points=Points({purse: n for purse, n in table.points.items() if purse.owner not in hidden}),
    )


def public(table: Table) -> Table:
    """The table that everybody sees, with whole sheets: public actions use all numbers.

    >>> from storypool.engine.table import GM_ONLY, Trait
    >>> rain, trap = Trait("t1", "fact", "Rain"), Trait("t2", "fact", "A trap", seen_by=GM_ONLY)
    >>> [*public(Table(traits={"t1": rain, "t2": trap})).traits]
    ['t1']
    """
    return without_hidden(table, None)


def known_to(table: Table, check: Check | None) -> Table:
    """The table known to the seats that see this action; without an action, the public table.

    >>> from storypool.engine.table import GM_ONLY, Trait
    >>> table = Table(traits={"t2": Trait("t2", "fact", "A trap", seen_by=GM_ONLY)})
    >>> check = Check("c1", "pash", "gm", seen_by=GM_ONLY)
    >>> [*known_to(table, check).traits], [*known_to(table, None).traits]
    (['t2'], [])
    """
    return table if check is not None and check.seen_by is not None else public(table)


def check_in_sight(table: Table, seat: Seat, id: Value | None = None) -> Check | None:
    """The action with this id or title among those this seat may see; else None.

    If none is named it is the latest that everybody sees, or without one the latest that is hidden.
    """
    if not table.checks:
        return None
    name, found = alike(str(id)) if id else "", None
    for check in table.checks.values():
        if check.seen_by is not None and not may_see(seat, check.seen_by):
            continue
        if check.id == id:
            return check
        named = not name or alike(check.title) == name
        if named and (found is None or check.seen_by is None or found.seen_by is not None):
            found = check
    return found


def both_lanes(table: Table, seat: Seat) -> tuple[Check, Check] | None:
    """The latest public and the latest hidden open action, if this seat sees one of each."""
    ours = [check for check in table.checks.values() if may_see(seat, check.seen_by)]
    seen_by_all = [check for check in ours if check.seen_by is None]
    hidden = [check for check in ours if check.seen_by is not None]
    return (seen_by_all[-1], hidden[-1]) if seen_by_all and hidden else None


def copy_for(records: Sequence[e.Record], seat: Seat) -> Sequence[e.Record]:
    """The exportable log of a seat: what it may see as stored; a GM needs no others' papers."""
    copy = [for_reader(record, seat) for record in records]
    for n, record in enumerate(records) if seat.side == "gm" else ():
        if copy[n].event is None and e.is_about_a_paper(record.event):
            copy[n] = copy[n]._replace(seen_by=LEFT_OUT)
    return copy


def for_reader(record: e.Record, seat: Seat | None) -> e.Record:
    """One record as it is sent to a seat: like `shown`, with its audience, which it belongs to."""
    return record if may_see(seat, record.seen_by) else shown(record, seat)


def audiences(record: e.Record, table: Table) -> tuple[Audience, ...]:
    """The audiences of everything hidden at this table or in this record.

    Seats that belong to the same of these audiences see the same things, so one rendering serves
    them all.
    """
    things = (table.characters, table.traits, table.checks, table.proposals, table.papers)
    found = {thing.seen_by for kind in things for thing in kind.values()}
    found |= {one.sheet_seen_by for one in table.characters.values()}
    found |= {trait.sheet_seen_by for trait in table.traits.values()}
    return tuple(sorted((found | {record.seen_by}) - {None}, key=repr))


def audience(event: e.Event) -> Audience:
    """The audience of an event or its subject. A kind without one does not type-check."""
    match event:
        case e.CharacterSet(subject) | e.CheckOpened(subject) | e.CheckChanged(subject):
            return subject.seen_by
        case e.TraitSet(trait):
            return trait.read_by
        case e.Proposed(proposal):
            return proposal.seen_by
        case e.PaperSet(paper):
            return paper.seen_by
        case (
            e.MoveMade()
            | e.SheetSet()
            | e.ProposalSettled()
            | e.PointsSet()
            | e.DiceRolled()
            | e.CheckClosed()
        ):
            return event.seen_by
        case e.TraitRemoved() | e.PaperRemoved() | e.Said() | e.Rewound():
            return event.seen_by
        case (
            e.TableOpened()
            | e.OptionsSet()
            | e.RulesChanged()
            | e.SeatTaken()
            | e.DiceBound()
            | e.ClockSet()
        ):
            return None
        case e.PeriodBegan() | e.PeriodEnded():
            return None


def records_of(events: Iterable[e.Event], seat: str, after: int, at: int) -> list[e.Record]:
    """Events as the records after record `after`, each with the audience that the rules gave it."""
    return [
        e.Record(after + i, event, seat, at, audience(event)) for i, event in enumerate(events, 1)
    ]


def for_audience(event: e.Event, seen_by: Audience) -> e.Event:
    """A copy of an event for this audience; `seen_by` must be a field of the event's kind."""
    return replace(event, seen_by=seen_by)  # type: ignore[arg-type]


Shown = TypeVar("Shown", bound=e.Event | Character | Trait | Check)


def hidden_like(item: Shown, thing: Character | Trait | Check) -> Shown:
    """An event, or its subject, with the audience of `thing`; unchanged if that is public.

    A trait that is hidden like a character is shown with it.

    >>> from storypool.engine.events import Said
    >>> from storypool.engine.table import GM_ONLY
    >>> spy = Character("vey", "Vey", "gm", seen_by=GM_ONLY)
    >>> audience(hidden_like(Said("gm", "Vey listens."), spy))
    ('@gm',)
    """
    match thing:
        case Character(id=shown_with) | Trait(shown_with=shown_with):
            pass
        case _:
            shown_with = ""
    return item if thing.seen_by is None else _hidden(item, thing.seen_by, shown_with)


def gm_only(item: Shown) -> Shown:
    """An event, or its subject, with the GMs as its audience.

    >>> from storypool.engine.events import Said
    >>> audience(gm_only(Said("gm", "Vey listens.")))
    ('@gm',)
    """
    return _hidden(item, GM_ONLY)


def _hidden(item: Shown, seen_by: Audience, shown_with: str = "") -> Shown:
    match item:
        case e.TraitSet(trait):
            hidden = replace(trait, seen_by=seen_by, shown_with=shown_with)
            return cast(Shown, e.TraitSet(hidden))
        case e.PaperSet(paper):
            return cast(Shown, replace(item, paper=replace(paper, seen_by=seen_by)))
        case _:
            return cast(Shown, for_audience(cast(e.Event, item), seen_by))


def of_its_subject(event: e.Event, table: Table) -> e.Event:
    """An event with the audience of its subject: events about something hidden are hidden too.

    `table` is the table before the event. An event that is already hidden keeps its audience.
    """
    subject: Audience = None
    match event:
        case e.DiceRolled(check=id) | e.CheckClosed(id=id):
            subject = table.checks[id].seen_by if id in table.checks else None
        case e.PointsSet(owner=owner) if owner in table.characters:
            subject = table.characters[owner].seen_by
        case e.TraitRemoved(id=id) if id in table.traits:
            subject = table.traits[id].read_by
        case e.PaperRemoved(id=id) if id in table.papers:
            subject = table.papers[id].seen_by
        case e.ProposalSettled(id=id) if id in table.proposals:
            subject = table.proposals[id].seen_by
        case e.TraitSet(trait) if trait.about in table.characters and trait.seen_by is None:
            return hidden_like(event, table.characters[trait.about])
        case e.PaperSet(paper) if paper.about in table.characters:
            hidden = table.characters[paper.about].seen_by
            return _hidden(event, hidden) if _has_more(paper.seen_by, hidden) else event
        case e.CheckOpened(check) if check.actor in table.characters:
            hidden = table.characters[check.actor].seen_by
            return (
                e.CheckOpened(replace(check, seen_by=hidden))
                if check.seen_by is None and hidden
                else event
            )
        case e.Proposed(proposal):
            checks = [one.seen_by for one in table.checks.values() if one.id == proposal.check]
            hidden = _narrowest(
                [*checks, *_audiences_of(table, proposal.args)], table.seats.get(proposal.seat)
            )
            return (
                e.Proposed(replace(proposal, seen_by=hidden))
                if proposal.seen_by is None and hidden
                else event
            )
    return event if subject is None or audience(event) is not None else for_audience(event, subject)


def taken_from_sight(event: e.Event, table: Table) -> e.Event | None:
    """The removal to log for those who lose sight of a statement or paper by this event, or None.

    It comes before the event, which then sets it for those who may still see it.
    `ValueError` if a rule hides an action or a character from a seat that saw it: there is no event
    to remove those.
    """
    match event:
        case e.TraitSet(trait):
            old = table.traits.get(trait.id)
            if old is not None and _has_more(old.read_by, trait.read_by):
                return e.TraitRemoved(trait.id, seen_by=old.read_by)
        case e.PaperSet(paper):
            if (was := table.papers.get(paper.id)) and _has_more(was.seen_by, paper.seen_by):
                return e.PaperRemoved(paper.id, seen_by=was.seen_by)
        case e.CheckOpened(subject) | e.CheckChanged(subject):
            _check_stays_in_sight(subject, table.checks.get(subject.id))
        case e.CharacterSet(subject):
            _check_stays_in_sight(subject, table.characters.get(subject.id))
            _check_stays_read(subject, table.characters.get(subject.id))
    return None


def in_parts(event: e.Event, table: Table) -> tuple[e.Event, ...]:
    """An event as it is stored: of a character, what everybody reads, and the other numbers.

    `table` is the table before the event; numbers that it has already are not stored again.
    """
    if not isinstance(event, e.CharacterSet) or event.character.sheet_seen_by is None:
        return (event,)
    one = event.character
    old, known = table.characters.get(one.id), e.CharacterSet(one.without_unread())
    if one.unread == (old.unread if old else {}):
        return (known,)
    return known, e.SheetSet(one.id, one.unread, seen_by=one.sheet_seen_by)


def of_its_sheet(event: e.Event, table: Table, kinds: Container[str]) -> e.Event:
    """An event that sets a trait of one of these kinds, read by who reads its character's sheet.

    A trait that everybody has read stays in the open.
    """
    if not isinstance(event, e.TraitSet) or event.trait.kind not in kinds:
        return event
    trait, old = event.trait, table.traits.get(event.trait.id)
    one = table.characters.get(trait.about)
    was_read = old is not None and old.read_by is None
    unread = one is not None and not was_read and trait.id not in one.shown
    return e.TraitSet(replace(trait, sheet_seen_by=one.sheet_seen_by if one and unread else None))


def brought_into_sight(
    event: e.Event, before: Table, table: Table, why: str, by: str
) -> Iterator[e.Event]:
    """Yield the balances and traits to log after an event that shows more of a character.

    `why` and `by` are the reason and the seat to record. A trait hidden on its own stays hidden.
    """
    if not isinstance(event, e.CharacterSet) or event.character.id not in before.characters:
        return
    one, old = event.character, before.characters[event.character.id]
    revealed = _has_more(one.seen_by, old.seen_by)
    for (account, owner), n in table.points.items():
        if revealed and owner == one.id:
            yield e.PointsSet(account, owner, balance=n, delta=0, why=why, by=by)
    for trait in table.traits.values():
        known = e.TraitSet(trait)
        if revealed and trait.shown_with == one.id:
            known = hidden_like(e.TraitSet(trait.revealed()), one)
        if trait.about == one.id and (one.sheet_seen_by is None or trait.id in one.shown):
            known = e.TraitSet(replace(known.trait, sheet_seen_by=None))
        if known.trait != trait:
            yield known


def _has_more(one: Audience, other: Audience) -> bool:
    """Whether the first audience has a member that the second may not have."""
    return other is not None and (one is None or not set(one) <= set(other))


def _check_stays_in_sight(subject: Check | Character, old: Check | Character | None) -> None:
    if old is not None and _has_more(old.seen_by, subject.seen_by):
        saw = old.seen_by or "everybody"
        raise BadValue(
            f"What {saw} saw cannot be hidden: {subject.id!r} would be shown to {subject.seen_by}"
            " alone."
        )


def _check_stays_read(one: Character, old: Character | None) -> None:
    if old is None or one.sheet_seen_by is None:
        return
    if _has_more(old.sheet_seen_by, one.sheet_seen_by) or not {*old.shown} <= {*one.shown}:
        raise BadValue(f"Numbers of {one.id!r} that were read cannot be hidden.")


def openly_against(check: Check, table: Table) -> Character | None:
    """The hidden character that an action open to all would name as its target, or None."""
    target = table.target(check)
    return (
        target
        if target is not None and target.seen_by is not None and check.seen_by is None
        else None
    )


def hide_move(
    events: Sequence[e.Event], table: Table, seat: Seat, check: Check | None
) -> e.MoveMade:
    """A move's `MoveMade` for the smallest audience of a hidden thing that it is about.

    `table` is the table before the move, `check` its action. A move is about what its arguments
    name; if they name nothing hidden, it is hidden only if all of its effects are, or if its words
    are in something hidden. Only audiences that include the seat count: its own words cannot hold
    anything that it may not see.
    """
    first = events[0]
    assert isinstance(first, e.MoveMade)
    effects = [event for event in events[1:] if not e.writes_a_sheet(event)]
    done = [audience(event) for event in effects]
    hidden = _narrowest([check.seen_by if check else None, *_audiences_of(table, first.args)], seat)
    if hidden is None and any(one is not None for one in done):
        unseen = repr([event for event in effects if audience(event) is not None])
        words = [
            value
            for value in first.args.values()
            if isinstance(value, str) and value not in table.characters
        ]
        if all(one is not None for one in done) or any(
            word and repr(word)[1:-1] in unseen for word in words
        ):
            hidden = _narrowest(done, seat)
    if hidden is None and (seat.id,) in done:
        # What the seat alone may see, such as a secret choice, is in its answers.
        hidden = (seat.id,)
    if first.args.get("faces"):
        # Typed faces tell what a hand has drawn.
        drawn = (audience(event) for event in effects if is_for_a_hand(event))
        hidden = hidden or _narrowest(drawn, seat)
    hidden = hidden or _narrowest(_audiences_of_sheets(events), seat)
    if hidden is None:
        secret = first.check in table.checks and table.checks[first.check].seen_by is not None
        return replace(first, check="") if secret else first
    return replace(first, hidden=all(one is not None for one in done), seen_by=hidden)


def is_for_a_hand(event: e.Event) -> bool:
    """Whether this is a draw that the player of a hand sees, and everybody knows to be made."""
    return isinstance(event, e.DiceRolled) and event.seen_by not in (None, GM_ONLY)


def _audiences_of_sheets(events: Sequence[e.Event]) -> Iterator[Audience]:
    """Yield the audiences of what a move wrote on sheets, which is in its arguments.

    What an action in the open uses is public, so a move about one is not hidden.
    """
    if not any(isinstance(event, (e.CheckOpened, e.CheckChanged)) for event in events):
        yield from (audience(event) for event in events if e.writes_a_sheet(event))


def _narrowest(audiences: Iterable[Audience], seat: Seat | None) -> Audience:
    """The smallest of these audiences that is limited and includes this seat, the first if several.

    None for everybody.
    """
    limited = (one for one in audiences if one is not None and may_see(seat, one))
    return min(limited, key=len, default=None)


def _audiences_of(table: Table, args: Mapping[str, Value]) -> Iterator[Audience]:
    """Yield the audience of each character, trait or paper in these arguments."""
    for value in args.values():
        if isinstance(value, str):
            owner = Purse.read(value).owner or value
            thing = (
                table.traits.get(value) or table.papers.get(value) or table.characters.get(owner)
            )
            if thing is not None:
                yield thing.seen_by
