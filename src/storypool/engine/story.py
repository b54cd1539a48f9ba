"""The log as readable sentences: one for each record, and a whole log as a transcript."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime

from storypool.engine.dice import Die
from storypool.engine.events import (
    CharacterSet,
    CheckChanged,
    CheckClosed,
    CheckOpened,
    DiceRolled,
    MoveMade,
    OptionsSet,
    PeriodBegan,
    PeriodEnded,
    PointsSet,
    ProposalSettled,
    Proposed,
    Record,
    Rewound,
    Said,
    SeatTaken,
    TableOpened,
    TraitRemoved,
    TraitSet,
)
from storypool.engine.fold import fold_on
from storypool.engine.offers import listed
from storypool.engine.system import System
from storypool.engine.table import Check, Table


def sentence(record: Record, before: Table, system: System) -> str:
    """Return the sentence for a record, given the table before it; "" if there is nothing to say.

    A record that is hidden from the reader says nothing.
    """
    say, event = system.words.say, record.event

    def seat(id: str) -> str:
        return before.seats[id].name if id in before.seats else id

    def character(id: str) -> str:
        return before.characters[id].name if id in before.characters else id

    who = seat(record.seat)
    match event:
        case None:
            return ""
        case TableOpened(_, title):
            return say("story.opened", title=title)
        case OptionsSet():
            return say("story.options")
        case SeatTaken(taken):
            old = before.seats.get(taken.id)
            if not taken.here:
                return say("story.left", who=taken.name)
            if old is not None and old.here and old.name != taken.name:
                return say("story.renamed", who=old.name, name=taken.name)
            return say("story.joined", who=taken.name)
        case CharacterSet(one):
            return _character(system, one.name, one.side == "none" and not one.seat, one.sheet, before, one.id)
        case PeriodBegan(kind, number, title):
            word = system.words[f"period.{kind}"]
            if title:
                return say("story.began_titled", kind=word, number=number, title=title)
            return say("story.began", kind=word, number=number)
        case PeriodEnded(kind, number):
            return say("story.ended", kind=system.words[f"period.{kind}"], number=number)
        case MoveMade(move):
            title = system.title(move) if move in system.by_key else move
            if event.set_aside:
                return say("story.aside", who=who, title=title, text=" ".join(event.set_aside))
            silent = f"story.move.{move}"
            return system.words[silent] if silent in system.words else say("story.made", who=who, title=title)
        case Proposed(proposal):
            return say("story.proposed", who=seat(proposal.seat), text=proposal.text)
        case ProposalSettled():
            return _settled(system, event, before, seat)
        case PointsSet(account, owner, balance, delta, why):
            word = system.plural(account)
            values = {"account": word, "before": balance - delta, "after": balance, "why": why}
            return say("story.points_of", owner=character(owner), **values) if owner else say("story.points", **values)
        case CheckOpened(check):
            values = {"actor": character(check.actor), "title": check.title, "pool": system.notation.show(check.pool)}
            against = character(check.against)
            declared = "story.against" if check.against else "story.declared"
            told = say(declared, against=against, **values) if check.against else say(declared, **values)
            if system.tells and (terms := system.tells(system.words, before, check)):
                told = f"{told} {terms}."
            if check.suggested:
                return say("story.suggested", told=told, who=who, what=listed(check.suggested))
            return told
        case CheckChanged(check, what):
            return _changed(system, before.checks.get(check.id), check, what, character(check.actor))
        case DiceRolled():
            return _rolled(system, event, before, seat(event.seat))
        case CheckClosed(_, how):
            return say("story.closed" if how == "done" else "story.cancelled")
        case TraitSet(trait):
            old_trait = before.traits.get(trait.id)
            place = before.traits.get(trait.at)
            counts = bool(trait.goal) and (old_trait is None or old_trait.rating != trait.rating)
            if not trait.text:
                return ""
            if old_trait is not None and old_trait.text == trait.text and not counts:
                moved = place is not None and trait.at != old_trait.at
                return say("story.moved", text=trait.text, place=place.text) if moved and place else ""
            text = trait.text
            if counts:
                text = say("story.track", text=text, n=min(trait.rating, trait.goal), most=trait.goal)
            about = character(trait.about) if trait.about and not trait.about.startswith("@") else ""
            return say("story.trait_about", about=about, text=text) if about else say("story.trait", text=text)
        case TraitRemoved(id, why):
            text = before.traits[id].text if id in before.traits else ""
            told = say("story.removed", text=text) if text else ""
            return say("story.because", text=told, why=why) if told and why else told
        case Said(id, text):
            return say("story.said" if event.seen_by is None else "story.said_hidden", who=seat(id), text=text)
        case Rewound(_, what, dice, redo):
            if redo:
                return say("story.redone", who=who)
            return say("story.rewound_dice" if dice else "story.rewound", who=who, what=what or say("story.something"))


def told(records: Sequence[Record], system: System, past: Callable[[int], Table] | None = None) -> Iterator[str]:
    """Yield the sentence of each record of a log, from the first; "" for those that say nothing.

    `past(seq)` returns the table after an earlier record, for rewinds; without it, the log is folded again.
    """
    from storypool.engine.fold import fold

    table = Table()
    for i, record in enumerate(records):
        yield sentence(record, table, system)
        table = fold_on(table, [record], past or (lambda seq: fold(records[:seq])))
        assert table.seq == i + 1


def transcript(records: Sequence[Record], system: System) -> str:
    """Return a log as a Markdown page: a heading for each session and scene, and a line for each thing
    that happened.
    """
    title = next((r.event.title for r in records if isinstance(r.event, TableOpened)), system.name)
    lines = [f"# {_plain(title)}", ""]
    for record, text in zip(records, told(records, system), strict=True):
        if not text:
            continue
        if isinstance(record.event, PeriodBegan) and record.event.kind in ("session", "scene"):
            mark = "##" if record.event.kind == "session" else "###"
            day = datetime.fromtimestamp(record.at / 1000, UTC).date().isoformat()
            lines += ["", f"{mark} {_plain(text.rstrip('.'))}" + (f" ({day})" if mark == "##" else ""), ""]
        else:
            lines.append(f"- {_plain(text)}")
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    """Return text escaped for Markdown."""
    return "".join(f"\\{c}" if c in "\\`*_[]<>#|" else c for c in text)


def _character(system: System, name: str, gone: bool, sheet: object, before: Table, id: str) -> str:
    if gone:
        return system.words.say("story.gone", character=name)
    old = before.characters.get(id)
    if old is None or not isinstance(sheet, dict):
        return system.words.say("story.character", character=name)
    changed = {key: n for key, n in sheet.items() if isinstance(n, int) and old.sheet.get(key) != n}
    new = [f"{system.entry(key)} {n}" for key, n in changed.items()]
    return system.words.say("story.character_changed", character=name, numbers=", ".join(new)) if new else ""


def _settled(system: System, event: ProposalSettled, before: Table, seat: Callable[[str], str]) -> str:
    proposal = before.proposals.get(event.id)
    text = proposal.text if proposal else ""
    key = "accepted" if event.accepted else "declined"
    if proposal is not None and not event.accepted and proposal.seat == event.by:
        key = "withdrawn"
    told = system.words.say(f"story.{key}", who=seat(event.by), text=text)
    return system.words.say("story.because", text=told, why=event.why) if event.why else told


def _changed(system: System, old: Check | None, check: Check, what: str, actor: str) -> str:
    if check.outcome is not None and (old is None or old.outcome is None):
        return system.words.say("story.result", actor=actor, words=check.outcome.words)
    if old is not None and old.pool != check.pool:
        closed = what if what.endswith((".", "!", "?")) or not what else what + "."
        return system.words.say("story.pool", what=closed, pool=system.notation.show(check.pool)).strip()
    return what


def _rolled(system: System, event: DiceRolled, before: Table, who: str) -> str:
    dice = {die.name: die for die in system.dice}
    check = before.checks.get(event.check)
    bound = list(system.bind(before, check)) if system.bind and check else []
    faces = []
    for one in event.rolled:
        die = next((die for die in bound if die.name == one.die), None)
        if die is not None:
            bound.remove(die)
        faces.append(_face(system, die or dice[one.die], one.face))
    key = "rolled_by_hand" if any(one.source == "hand" for one in event.rolled) else "rolled"
    text = system.words.say(f"story.{key}", who=who, faces=", ".join(faces))
    return system.words.say("story.rolled_for", why=event.why, text=text) if event.why else text


def _face(system: System, die: Die, face: int) -> str:
    """Return a rolled face in words: its symbols, or just the number if no face of the die has symbols."""
    word = system.word(die.name)
    if not any(die.faces):
        return system.words.say("story.number", die=word, face=face)
    symbols = ", ".join(f"{n} {system.word(symbol, n)}" for symbol, n in die.face(face).items())
    return system.words.say("story.face", die=word, face=face, symbols=symbols or system.words["story.blank"])
