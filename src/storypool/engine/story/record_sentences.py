"""The sentence for a record of the log."""

from collections.abc import Mapping

from storypool.engine import events
from storypool.engine.events import Record
from storypool.engine.game.system import System
from storypool.engine.story.action_sentences import (
    changed_sentence,
    closed_sentence,
    opened_sentence,
)
from storypool.engine.story.dice_sentences import rolled_sentence
from storypool.engine.story.log_line import LogLine, ended
from storypool.engine.story.trait_sentences import over_sentence, removed_sentence, set_sentence
from storypool.engine.table import Character, Seat, Table, Value

UNITS = (("days", 86_400_000), ("hours", 3_600_000), ("minutes", 60_000), ("seconds", 1000))
"""The units in which a time is shown, largest first, with the milliseconds of each."""


def sentence(record: Record, before: Table, system: System) -> str:
    """The sentence for a record, given the table before it; "" if there is nothing to say.

    A record that is hidden from the reader has none.
    """
    return ended(_sentence(LogLine(record, before, system.played_at(before))))


def _sentence(line: LogLine) -> str:
    match line.record.event:
        case None | events.DiceBound():
            return ""
        case events.TableOpened(_, title):
            return line.say("story.opened", title=title)
        case events.OptionsSet():
            return line.say("story.options")
        case events.RulesChanged(changes=changes):
            return line.say("story.rules", changes=" ".join(changes))
        case events.SeatTaken(taken):
            return _seated(line, taken)
        case events.CharacterSet(one):
            return _character(line, one)
        case events.SheetSet(id, sheet):
            old = line.before.characters[id]
            # The numbers of a new character are on its sheet.
            return " ".join(_new_numbers(line, old, {**old.sheet, **sheet})) if old.unread else ""
        case events.PeriodBegan() as began:
            return _period_began(line, began)
        case events.PeriodEnded() as over:
            return _period_ended(line, over)
        case events.MoveMade() as made:
            return _move_made(line, made)
        case events.Proposed(one):
            return line.say("story.proposed", who=line.seat(one.seat), text=one.text)
        case events.ProposalSettled() as settled:
            return _proposal_settled(line, settled)
        case events.PointsSet() as points:
            return _points(line, points)
        case events.CheckOpened() as opened:
            return opened_sentence(line, opened)
        case events.CheckChanged() as changed:
            return changed_sentence(line, changed)
        case events.DiceRolled() as rolled:
            return rolled_sentence(line, rolled)
        case events.CheckClosed() as closed:
            return closed_sentence(line, closed)
        case events.TraitSet() as is_true:
            return set_sentence(line, is_true)
        case events.TraitRemoved() as removed:
            return removed_sentence(line, removed)
        case events.PaperSet() as paper:
            return _paper_held_up(line, paper)
        case events.PaperRemoved():
            return ""
        case events.Said(id, text, seen_by):
            key = "story.said" if seen_by is None else "story.said_hidden"
            return line.say(key, who=line.seat(id), text=text)
        case events.ClockSet(by):
            return _clock(line, by)
        case events.Rewound() as rewound:
            return _rewound(line, rewound)


def _seated(line: LogLine, taken: Seat) -> str:
    old = line.before.seats.get(taken.id)
    if not taken.here:
        return line.say("story.left", who=taken.name)
    if old is not None and old.here and old.name != taken.name:
        return line.say("story.renamed", who=old.name, name=taken.name)
    key = "story.joined" if old is None or old.here else "story.back"
    return line.say(key, who=taken.name)


def _character(line: LogLine, one: Character) -> str:
    say, name, old = line.say, one.name, line.before.characters.get(one.id)
    if one.side == "none" and not one.seat:
        return say("story.gone", character=name)
    if old is None:
        return say("story.character", character=name)
    texts = _new_numbers(line, old, one.sheet)
    if one.name != old.name:
        texts.insert(0, say("story.character_renamed", old=old.name, character=name))
    if one.seat != old.seat:
        played = one.seat in line.before.seats
        who = line.seat(one.seat) if played else line.words["wait.gm"]
        texts.append(say("story.played", who=who, character=name))
    return " ".join(texts)


def _new_numbers(line: LogLine, old: Character, sheet: Mapping[str, Value]) -> list[str]:
    """The sentences for the entries of a sheet that differ from the old one's."""
    say, name = line.say, old.name
    new = {key: value for key, value in sheet.items() if old.sheet.get(key) != value}
    # A text on a sheet has a sentence of its own, or none.
    ids = [f"story.sheet.{key}.{value}" for key, value in new.items()]
    texts = [say(id, character=name) for id in ids if id in line.words]
    # A 0 on a sheet is worth a word only if the sheet had the entry before.
    known = [
        (key, value)
        for key, value in new.items()
        if isinstance(value, int) and (value or key in old.sheet)
    ]
    for key, value in new.items():
        entry = line.system.by_entry.get(key)
        if entry is not None and entry.text and (value or old.sheet.get(key)):
            id = "story.character_words" if value else "story.character_wordless"
            text = " / ".join(str(value).splitlines())
            texts.append(say(id, character=name, entry=entry.label, text=text))
    if numbers := [f"{line.system.entry(key)} {value}" for key, value in known]:
        texts.insert(0, say("story.character_changed", character=name, numbers=", ".join(numbers)))
    return texts


def _period_began(line: LogLine, event: events.PeriodBegan) -> str:
    kind, number = line.words[f"period.{event.kind}"], event.number
    if event.title:
        return line.say("story.began_titled", kind=kind, number=number, title=event.title)
    return line.say("story.began", kind=kind, number=number)


def _period_ended(line: LogLine, event: events.PeriodEnded) -> str:
    """The end of a period, with the statements that end with it."""
    kind = line.words[f"period.{event.kind}"]
    text = line.say("story.ended", kind=kind, number=event.number)
    traits = [trait for trait in line.before.traits.values() if trait.until == event.kind]
    ending = [over_sentence(line, trait) for trait in traits]
    what = line.words["list.semicolon"].join(filter(None, ending))
    return line.say("story.ended_with", text=text.rstrip("."), what=what) if what else text


def _move_made(line: LogLine, event: events.MoveMade) -> str:
    title = line.system.title(event.move) or event.move
    if event.set_aside:
        text = " ".join(event.set_aside)
        return line.say("story.aside", who=line.who, title=title, text=text)
    own = f"story.move.{event.move}"
    if own in line.words:
        return line.say(own, who=line.who)
    describe = line.system.describe_move
    if describe and (what := describe(line.words, event)):
        return line.say("story.made_with", who=line.who, title=title, what=what)
    return line.say("story.made", who=line.who, title=title)


def _proposal_settled(line: LogLine, event: events.ProposalSettled) -> str:
    proposal = line.before.proposals.get(event.id)
    text = proposal.text if proposal else ""
    key = "accepted" if event.accepted else "declined"
    if proposal is not None and not event.accepted and proposal.seat == event.by:
        key = "withdrawn"
    settled = line.say(f"story.{key}", who=line.seat(event.by), text=text)
    return line.because(settled, event.why)


def _points(line: LogLine, event: events.PointsSet) -> str:
    """The sentence for a balance: its payer or contributor, the change or its absence, the cause.

    An account may have a sentence of its own, `story.points.ACCOUNT.gained`. Without a known cause,
    it is the one with `.plain`, if there is one, and for a balance below 0 the one with `.debt`.
    """
    system, owner = line.system, line.character(event.owner)
    account, n, why = event.account, abs(event.delta), event.why.rstrip(".")
    # The title of a move is its price or its contribution; its purpose follows in the log. Nobody
    # pays what a rule takes, which names no seat.
    titled = event.why in system.titles.values()
    paid = titled and bool(event.by)
    if event.delta == 0:
        key = "kept" if owner else "same"
    elif event.delta > 0:
        key = "added" if paid else "more"
        key = "gained" if owner else key
    else:
        key = "lost" if owner else "fewer"
        key = "spent" if paid else key
    if owner and titled:
        why = ""
    own = f"story.points.{account}.{key}"
    id = line.own((own, f"story.points.{key}"))
    values = {"who": owner or line.seat(event.by), "n": n, "balance": event.balance, "why": why}
    values |= {"account": system.word(account, n), "left": system.word(account, event.balance)}
    if not why and f"{id}.plain" in line.words:
        id = f"{id}.plain"
    if event.balance < 0 and f"{id}.debt" in line.words:
        id = f"{id}.debt"
    return line.say(id, **values)


def _paper_held_up(line: LogLine, event: events.PaperSet) -> str:
    """The sentence for a paper that is shown; one that is only written has none."""
    if not event.held_up:
        return ""
    paper = event.paper
    what = " / ".join(filter(None, paper.text.splitlines()))
    if paper.title:
        what = line.say("story.paper.titled", title=paper.title, text=what).rstrip()
    what = what or line.words["paper.picture"]
    if paper.seen_by is None:
        return line.say("story.paper.shown", who=line.who, what=what)
    writer = line.before.seats.get(line.record.seat)
    names = [line.seat(id) for id in paper.seen_by if id not in (line.record.seat, "@gm")]
    if "@gm" in paper.seen_by and writer is not None and writer.side != "gm":
        names.append(line.words["wait.gm"])
    whom = line.words.joined(names)
    return line.say("story.paper.shown_to", who=line.who, whom=whom, what=what)


def _clock(line: LogLine, by: int) -> str:
    unit, most = next(((unit, most) for unit, most in UNITS if abs(by) >= most), UNITS[-1])
    how_long = line.say(f"story.clock.{unit}", n=round(abs(by) / most))
    key = "story.clock.forward" if by > 0 else "story.clock.back"
    return line.say(key, how_long=how_long)


def _rewound(line: LogLine, event: events.Rewound) -> str:
    if event.redo:
        return line.say("story.redone", who=line.who)
    key = "story.rewound_dice" if event.dice else "story.rewound"
    return line.say(key, who=line.who, what=event.what or line.say("story.something"))
