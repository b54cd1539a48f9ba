"""Fold a log into a table by setting and counting alone: no rules, no clock, no dice."""

from collections.abc import Callable, Iterable, Sequence

from storypool.engine import events
from storypool.engine.bag import Multiset
from storypool.engine.copies import replace
from storypool.engine.events import Event, Record
from storypool.engine.table import GM_ONLY, Binding, Purse, Table, Use, without_uses

__all__ = ["evolve", "fold", "fold_on"]

UNDO = "table.undo"
"""The move that takes back the last one; a player's is a proposal."""


def evolve(table: Table, event: Event | None) -> Table:
    """The table after one more event, by setting and counting: no rules, no clock, no dice.

    None is a hidden event: only the number goes up. `ValueError` for a `Rewound`, which needs the
    log; see `fold`.
    """
    seq = table.seq + 1
    match event:
        case None:
            return replace(table, seq=seq)
        case events.TableOpened(system, title, options, game):
            return replace(table, seq=seq, system=system, title=title, options=options, game=game)
        case events.OptionsSet(options, title):
            return replace(table, seq=seq, options=options, title=title)
        case events.RulesChanged(system, game, options):
            return replace(table, seq=seq, system=system, game=game, options=options)
        case events.SeatTaken(seat):
            return replace(table, seq=seq, seats={**table.seats, seat.id: seat})
        case events.CharacterSet(character):
            old = table.characters.get(character.id)
            if character.sheet_seen_by is not None and old is not None:
                # The event lacks what not everybody reads.
                character = replace(character, sheet={**old.unread, **character.sheet})
            return replace(table, seq=seq, characters={**table.characters, character.id: character})
        case events.SheetSet(id, sheet):
            known = table.characters[id].without_unread()
            whole = replace(known, sheet={**known.sheet, **sheet})
            return replace(table, seq=seq, characters={**table.characters, id: whole})
        case events.PeriodBegan(kind, number, title):
            running = table.running if kind in table.running else (*table.running, kind)
            periods, began = (
                table.periods.with_count(kind, number),
                table.began.with_count(kind, seq),
            )
            titles = {**table.titles, kind: title}
            # Each fight counts its rounds from 1, so the uses of the last one go.
            uses = table.uses
            if kind == "round":
                now = (kind, str(number))
                uses = Multiset({use: n for use, n in uses.items() if now not in use.scopes})
            return replace(
                table,
                seq=seq,
                periods=periods,
                running=running,
                titles=titles,
                began=began,
                uses=uses,
            )
        case events.PeriodEnded(kind, _):
            return replace(table, seq=seq, running=tuple(k for k in table.running if k != kind))
        case events.MoveMade():
            uses = table.uses + _counted(event) if event.counts else table.uses
            last_move, last_seat = (event.move, event.seat)
            if event.hidden:
                last_move, last_seat = table.last_move, table.last_seat
            if event.move == UNDO:
                # An undo is not itself a last move; a proposed one leaves the last move unchanged.
                return replace(table, seq=seq, uses=uses, redo_to=table.seq)
            if event.aside:
                return replace(table, seq=seq, uses=uses)
            if event.automatic:
                # An automatic end is undone with the move that caused it.
                after = table.last_move
                return replace(
                    table, seq=seq, uses=uses, redo_to=0, last_move=event.move, ended_after=after
                )
            return replace(
                table,
                seq=seq,
                uses=uses,
                undo_to=table.seq,
                undo_seen_by=event.seen_by if event.hidden else None,
                open_undo_to=table.open_undo_to if event.hidden else table.seq,
                redo_to=0,
                last_move=last_move,
                last_seat=last_seat,
                ended_after=table.ended_after if event.hidden else "",
            )
        case events.Proposed(proposal):
            redo_to = 0 if proposal.move == UNDO else table.redo_to
            return replace(
                table,
                seq=seq,
                proposals={**table.proposals, proposal.id: proposal},
                redo_to=redo_to,
            )
        case events.ProposalSettled():
            left = {key: one for key, one in table.proposals.items() if key != event.id}
            # Closing an action has already dropped its uses.
            uses = without_uses(table.uses, Multiset(event.freed))
            return replace(table, seq=seq, proposals=left, uses=uses)
        case events.PointsSet(account, owner, balance):
            return replace(
                table, seq=seq, points=table.points.with_count(Purse(account, owner), balance)
            )
        case events.CheckOpened(check):
            return replace(table, seq=seq, checks={**table.checks, check.id: check})
        case events.CheckChanged(check):
            uses = without_uses(table.uses, Multiset(event.freed)) if event.freed else table.uses
            return replace(table, seq=seq, checks={**table.checks, check.id: check}, uses=uses)
        case events.CheckClosed(id):
            # These uses were counted for this check alone, so they can go.
            uses = Multiset(
                {use: n for use, n in table.uses.items() if ("check", id) not in use.scopes}
            )
            return replace(
                table, seq=seq, checks={k: c for k, c in table.checks.items() if k != id}, uses=uses
            )
        case events.TraitSet(trait):
            return replace(table, seq=seq, traits={**table.traits, trait.id: trait})
        case events.TraitRemoved(id):
            return replace(
                table, seq=seq, traits={k: t for k, t in table.traits.items() if k != id}
            )
        case events.PaperSet(paper):
            return replace(table, seq=seq, papers={**table.papers, paper.id: paper})
        case events.PaperRemoved(id):
            return replace(
                table, seq=seq, papers={k: p for k, p in table.papers.items() if k != id}
            )
        case events.DiceRolled():
            # Of a hidden hand everybody knows that it has drawn.
            return replace(
                table, seq=seq, dice_at=seq if event.seen_by != GM_ONLY else table.dice_at
            )
        case events.DiceBound(row, place, next, sealed):
            before = (
                table.binding.seats if table.binding and table.binding.row == row else frozenset()
            )
            seats = before | {one.partition("=")[0] for one in sealed}
            return replace(table, seq=seq, binding=Binding(row, place + 1, next, sealed, seats))
        case events.Said() | events.ClockSet():
            return replace(table, seq=seq)
        case events.Rewound():
            raise ValueError("A rewind needs the log before it: fold the records.")


def rewind(table: Table, past: Table, event: events.Rewound) -> Table:
    """The table after a rewind: `past`, with the next number of `table` and what outlasts it.

    That is what is not part of the story: the seats, the papers and the binding of the next roll.
    """
    redo_to = past.redo_to if event.redo else table.redo_to or table.undo_to
    hidden = past.redo_seen_by if event.redo else event.seen_by
    rewound = replace(past, redo_to=redo_to, redo_seen_by=hidden)
    if event.redo:
        # A redo restores the state before the undo, without the proposal that asked for the undo.
        asked = {
            key: one
            for key, one in past.proposals.items()
            if one.move != UNDO or key in table.proposals
        }
        rewound = replace(rewound, proposals=asked)
    if event.seen_by is not None:
        # A hidden rewind leaves all public proposals, even one for an undo: proposing is not a
        # move.
        public = {key: one for key, one in table.proposals.items() if one.seen_by is None}
        secret = {key: one for key, one in rewound.proposals.items() if one.seen_by is not None}
        rewound = replace(rewound, proposals=public | secret)
    return replace(
        rewound,
        seq=table.seq + 1,
        seats=table.seats,
        papers=table.papers,
        binding=table.binding,
    )


def fold(records: Sequence[Record]) -> Table:
    """The table that a whole log makes, from its first record; a hidden record only counts.

    `ValueError` for a rewind to a record that does not exist yet.
    """
    wanted = {record.event.to for record in records if isinstance(record.event, events.Rewound)}
    table = Table()
    past = {0: table}

    def table_after(seq: int) -> Table:
        if seq not in past:
            raise ValueError(f"Record {seq} is not there yet: nothing can be rewound to it.")
        return past[seq]

    for record in records:
        table = fold_on(table, [record], table_after)
        if table.seq in wanted:
            past[table.seq] = table
    return table


def fold_on(table: Table, records: Iterable[Record], past: Callable[[int], Table]) -> Table:
    """The table after further records.

    `past(seq)`, called only for a rewind, returns an earlier table.
    """
    for record in records:
        if isinstance(record.event, events.Rewound):
            table = rewind(table, past(record.event.to), record.event)
        else:
            table = evolve(table, record.event)
    return table


def kept_records(records: Iterable[Record]) -> list[Record]:
    """The records that no rewind took back, in order, without the rewinds; seats stay."""
    ends: list[tuple[Record, int] | None] = [None]
    for record in records:
        to = record.event.to if isinstance(record.event, events.Rewound) else None
        ends.append((record, len(ends) - 1) if to is None else ends[to])
    found, end = [], ends[-1]
    while end is not None:
        found.append(end[0])
        end = ends[end[1]]
    return found[::-1]


def _counted(move: events.MoveMade) -> Multiset[Use]:
    """The uses of limits that a move counts; those of a hidden one only its audience sees."""
    if not move.hidden:
        return Multiset(move.counts)
    return Multiset(Use(use.group, use.scopes, move.seen_by) for use in move.counts)
