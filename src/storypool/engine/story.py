"""The log as readable sentences: one for each record, and a whole log as a transcript."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, tzinfo
from itertools import groupby
from operator import itemgetter

from storypool.engine import events
from storypool.engine.bag import Bag
from storypool.engine.dice import Die, Rolled
from storypool.engine.events import Record
from storypool.engine.fold import fold_on, kept_records
from storypool.engine.game.system import System
from storypool.engine.offers import listed
from storypool.engine.sight import audience
from storypool.engine.table import Character, Check, Table, Trait, Value
from storypool.words.markdown import plain_markdown

__all__ = ["sentence", "sentences", "transcript"]

UNITS = (("days", 86_400_000), ("hours", 3_600_000), ("minutes", 60_000), ("seconds", 1000))
"""The units in which a time is shown, largest first, with the milliseconds of each."""
ENDS = (".", "!", "?", "…", "”")
"""The signs that end a sentence."""


def sentence(record: Record, before: Table, system: System) -> str:
    """Return the sentence for a record, given the table before it; "" if there is nothing to say.

    A record that is hidden from the reader has none.
    """
    return _ended(_sentence(record, before, system.played_at(before)))


def _sentence(record: Record, before: Table, system: System) -> str:
    say, event = system.words.say, record.event

    def seat(id: str) -> str:
        return before.seats[id].name if id in before.seats else id

    def character(id: str) -> str:
        return before.characters[id].name if id in before.characters else id

    who = seat(record.seat)
    match event:
        case None | events.DiceBound():
            return ""
        case events.TableOpened(_, title):
            return say("story.opened", title=title)
        case events.OptionsSet():
            return say("story.options")
        case events.RulesChanged(changes=changes):
            return say("story.rules", changes=" ".join(changes))
        case events.SeatTaken(taken):
            old = before.seats.get(taken.id)
            if not taken.here:
                return say("story.left", who=taken.name)
            if old is not None and old.here and old.name != taken.name:
                return say("story.renamed", who=old.name, name=taken.name)
            return say("story.joined" if old is None or old.here else "story.back", who=taken.name)
        case events.CharacterSet(one):
            return _character(system, one, before)
        case events.PeriodBegan(kind, number, title):
            word = system.words[f"period.{kind}"]
            if title:
                return say("story.began_titled", kind=word, number=number, title=title)
            return say("story.began", kind=word, number=number)
        case events.PeriodEnded(kind, number):
            text = say("story.ended", kind=system.words[f"period.{kind}"], number=number)
            ending = [
                _over(system, one, before) for one in before.traits.values() if one.until == kind
            ]
            what = system.words["list.semicolon"].join(filter(None, ending))
            return say("story.ended_with", text=text.rstrip("."), what=what) if what else text
        case events.MoveMade(move):
            title = system.title(move) or move
            if event.set_aside:
                return say("story.aside", who=who, title=title, text=" ".join(event.set_aside))
            silent = f"story.move.{move}"
            return (
                say(silent, who=who)
                if silent in system.words
                else say("story.made", who=who, title=title)
            )
        case events.Proposed(proposal):
            return say("story.proposed", who=seat(proposal.seat), text=proposal.text)
        case events.ProposalSettled():
            return _settled(system, event, before, seat)
        case events.PointsSet(owner=owner):
            return _points(system, event, seat(event.by), character(owner) if owner else "")
        case events.CheckOpened(check):
            text = _declared(system, check, before, character)
            if system.describe_terms and (
                terms := system.describe_terms(system.words, before, check)
            ):
                text = f"{text} {terms}."
            if check.suggested:
                return say("story.suggested", told=text, who=who, what=listed(check.suggested))
            return text
        case events.CheckChanged(check, what):
            return _changed(system, before, check, what, character(check.actor))
        case events.DiceRolled():
            return _rolled(system, event, before, seat(event.seat))
        case events.CheckClosed(how=how):
            return _closed(system, before.checks.get(event.id), how)
        case events.TraitSet(trait):
            old_trait = before.traits.get(trait.id)
            place = before.traits.get(trait.at)
            counts = bool(trait.goal) and (old_trait is None or old_trait.rating != trait.rating)
            if not trait.text or system.words.get(f"story.trait.{trait.kind}") == "":
                return ""
            # What a new character brings is read on its sheet.
            brings = f"story.brings.{before.last_move}" in system.words
            if trait.about in before.characters and brings and record.seen_by is None:
                return ""
            # A track that is full may have a sentence of its own, or none, where what follows from
            # it has one.
            if counts and trait.rating >= trait.goal and f"story.full.{trait.kind}" in system.words:
                return say(f"story.full.{trait.kind}", text=trait.text)
            # A new trait may have a sentence for one of its terms.
            keys = [key for key in trait.terms if f"story.trait.{trait.kind}.{key}" in system.words]
            if old_trait is None and keys:
                values = {
                    "about": character(trait.about),
                    "text": trait.text,
                    "value": trait.terms[keys[0]],
                }
                return say(f"story.trait.{trait.kind}.{keys[0]}", **values)
            # A kind of trait may have a sentence of its own, or none, for a change, also by where
            # it is then.
            changed = [f"story.changed.{trait.kind}.{trait.at}", f"story.changed.{trait.kind}"]
            own = (
                next((id for id in changed if id in system.words), "")
                if old_trait is not None
                else ""
            )
            if own:
                return say(own, text=trait.text)
            if old_trait is not None and old_trait.text == trait.text and not counts:
                moved = place is not None and trait.at != old_trait.at
                return (
                    say("story.moved", text=trait.text, place=place.text) if moved and place else ""
                )
            text = trait.text
            if counts:
                text = say(
                    "story.track", text=text, n=min(trait.rating, trait.goal), most=trait.goal
                )
            about = (
                character(trait.about) if trait.about and not trait.about.startswith("@") else ""
            )
            # A text that begins with the name that it is about gets no name before it.
            named = bool(about) and not text.startswith(about)
            # A kind of trait may have a sentence for a new text, which would be a bare line
            # otherwise.
            own = f"story.{'new' if old_trait is None else 'now'}{'_of' if named else ''}.{trait.kind}"
            if own in system.words and (old_trait is None or not counts):
                return say(own, who=who, about=about, text=text)
            return say("story.trait_about", about=about, text=text) if named else text
        case events.TraitRemoved(id, why):
            gone = before.traits.get(id)
            # What a character who leaves the story takes along goes without saying.
            if (
                gone is None
                or not gone.text
                or (gone.about and before.last_move == "character.leave")
            ):
                return ""
            # A kind of trait may have a sentence of its own, or none, for its end.
            own = f"story.removed.{gone.kind}"
            if why and f"{own}.why" in system.words:
                return say(
                    f"{own}.why", text=gone.text.rstrip("."), about=character(gone.about), why=why
                )
            # What ends with its scene goes without saying.
            over = gone.until in ("scene", "session") and gone.until not in before.running
            if over and not why and own not in system.words:
                return ""
            values = {"text": gone.text.rstrip("."), "about": character(gone.about)}
            text = say(own if own in system.words else "story.removed", **values)
            return _because(system, text, why) if text else ""
        case events.Said(id, text):
            return say(
                "story.said" if event.seen_by is None else "story.said_hidden",
                who=seat(id),
                text=text,
            )
        case events.ClockSet(by):
            unit, most = next(((unit, most) for unit, most in UNITS if abs(by) >= most), UNITS[-1])
            how_long = say(f"story.clock.{unit}", n=round(abs(by) / most))
            return say("story.clock.forward" if by > 0 else "story.clock.back", how_long=how_long)
        case events.Rewound(_, what, dice, redo):
            if redo:
                return say("story.redone", who=who)
            return say(
                "story.rewound_dice" if dice else "story.rewound",
                who=who,
                what=what or say("story.something"),
            )


def sentences(
    records: Sequence[Record], system: System, past: Callable[[int], Table] | None = None
) -> Iterator[str]:
    """Yield the sentence of each record of a log, from the first; "" for a record without one.

    `past(seq)` returns the table after an earlier record, for rewinds; without it, the log is
    folded again.
    """
    from storypool.engine.fold import fold

    table = Table()
    for i, record in enumerate(records):
        yield sentence(record, table, system)
        table = fold_on(table, [record], past or (lambda seq: fold(records[:seq])))
        assert table.seq == i + 1


def transcript(records: Sequence[Record], system: System, zone: tzinfo | None = None) -> str:
    """Return a log as a Markdown page: a heading for each session and scene, and a line for each
    thing that happened. What was taken back is struck out, and what not everyone saw is marked.

    A session has the date of its beginning in this time zone, by default that of the computer.
    """
    kept = {record.seq for record in kept_records(records)}
    title = next(
        (r.event.title for r in records if isinstance(r.event, events.TableOpened)), system.name
    )
    lines = [f"# {plain_markdown(title)}", ""]
    for record, text in zip(records, sentences(records, system), strict=True):
        if record.event is None or not text:
            continue
        text = plain_markdown(text)
        if record.seq not in kept and not isinstance(record.event, events.Rewound):
            text = f"~~{text}~~"
        if audience(record.event) is not None and not isinstance(record.event, events.Said):
            text = system.words.say("story.in_secret", text=text)
        if isinstance(record.event, events.PeriodBegan) and record.event.kind in (
            "session",
            "scene",
        ):
            mark = "##" if record.event.kind == "session" else "###"
            day = datetime.fromtimestamp(record.at / 1000, UTC).astimezone(zone).date().isoformat()
            lines += ["", f"{mark} {text.rstrip('.')}" + (f" ({day})" if mark == "##" else ""), ""]
        else:
            lines.append(f"- {text}")
    return "\n".join(lines) + "\n"


def _character(system: System, one: Character, before: Table) -> str:
    say, name, old = system.words.say, one.name, before.characters.get(one.id)
    if one.side == "none" and not one.seat:
        return say("story.gone", character=name)
    if old is None:
        return say("story.character", character=name)
    new = {key: value for key, value in one.sheet.items() if old.sheet.get(key) != value}
    # A text on a sheet has a sentence of its own, or none.
    ids = [f"story.sheet.{key}.{value}" for key, value in new.items()]
    texts = [say(id, character=name) for id in ids if id in system.words]
    # That a sheet has none of something is worth a word only where it had some.
    known = [
        (key, value)
        for key, value in new.items()
        if isinstance(value, int) and (value or key in old.sheet)
    ]
    if numbers := [f"{system.entry(key)} {value}" for key, value in known]:
        texts.insert(0, say("story.character_changed", character=name, numbers=", ".join(numbers)))
    if one.name != old.name:
        texts.insert(0, say("story.character_renamed", old=old.name, character=name))
    if one.seat != old.seat:
        who = before.seats[one.seat].name if one.seat in before.seats else system.words["wait.gm"]
        texts.append(say("story.played", who=who, character=name))
    return " ".join(texts)


def _over(system: System, trait: Trait, before: Table) -> str:
    """Return the sentence `story.over.KIND` for a trait that ends with its scene; "" if its kind
    has none.
    """
    if not trait.text or f"story.over.{trait.kind}" not in system.words:
        return ""
    text, about = trait.text.rstrip("."), before.characters.get(trait.about)
    own = system.words.say(f"story.over.{trait.kind}", text=text)
    return system.words.say("story.over_about", text=own, about=about.name) if about else own


def _settled(
    system: System, event: events.ProposalSettled, before: Table, seat: Callable[[str], str]
) -> str:
    proposal = before.proposals.get(event.id)
    text = proposal.text if proposal else ""
    key = "accepted" if event.accepted else "declined"
    if proposal is not None and not event.accepted and proposal.seat == event.by:
        key = "withdrawn"
    sentence = system.words.say(f"story.{key}", who=seat(event.by), text=text)
    return _because(system, sentence, event.why)


def _because(system: System, text: str, why: str) -> str:
    """Return a sentence with the reason behind it, if there is one."""
    return (
        system.words.say("story.because", text=text.rstrip("."), why=why.rstrip("."))
        if why
        else text
    )


def _points(system: System, event: events.PointsSet, who: str, owner: str) -> str:
    """Return the sentence for a balance: who pays a price or adds to a pool, what else changed or
    kept it, why.

    An account may have a sentence of its own, `story.points.ACCOUNT.gained`. Where nothing is known
    of why, it is the one with `.plain`, if there is one.
    """
    account, n, why = event.account, abs(event.delta), event.why.rstrip(".")
    # The title of a move is its price, or what it pays into a pool; what it is for follows in the
    # log.
    paid = event.why in system.titles.values()
    if event.delta < 0:
        key = "spent" if paid else "lost" if owner else "fewer"
    elif event.delta:
        key = "gained" if owner else "added" if paid else "more"
    else:
        key = "kept" if owner else "same"
    if owner and paid:
        why = ""
    own = f"story.points.{account}.{key}"
    id = own if own in system.words else f"story.points.{key}"
    values = {"who": owner or who, "n": n, "balance": event.balance, "why": why}
    values |= {"account": system.word(account, n), "left": system.word(account, event.balance)}
    if not why and f"{id}.plain" in system.words:
        id = f"{id}.plain"
    return system.words.say(id, **values)


def _declared(system: System, check: Check, before: Table, character: Callable[[str], str]) -> str:
    """Return the sentence for an action: who does what against whom, its terms, its pool, what
    counts already.
    """
    say = system.words.say
    chosen, text = _deed(system, check, before, character(check.actor), character(check.against))
    # What is only suggested is named as that.
    named = {chosen, *check.suggested}
    if terms := [
        term for key, term in logged_terms(system, check, before).items() if key not in named
    ]:
        text = say("story.terms", title=text, terms=", ".join(terms))
    text = say("story.with", what=text, **_dice(system, check.pool))
    whys = dict.fromkeys(mod.why.rstrip(".") for mod in check.mods if mod.why)
    return say("story.counting", told=text, whys="; ".join(whys)) if whys else text


def _closed(system: System, check: Check | None, how: str) -> str:
    """Return the sentence for the end of an action; one of its terms may have one of its own, as
    `story.cancelled.TERM.VALUE`.
    """
    id, say = f"story.{'closed' if how == 'done' else how}", system.words.say
    if check is None:
        return say(id, title=say("story.something"))
    own = (f"{id}.{key}.{value}" for key, value in check.terms.items())
    return say(next((one for one in own if one in system.words), id), title=check.title)


def _dice(system: System, pool: Bag) -> dict[str, str]:
    """Return a pool as its sentences may have it.

    In the notation of the game, with the words for its `dice` in a row, or `named`: what helps
    against the others.
    """
    words, hindering = system.words, system.notation.hindering
    dice = {
        die.name: f"{n} {system.word(die.name, n)}" for die in system.dice if (n := pool[die.name])
    }

    def named(*names: str) -> str:
        n = sum(pool[name] for name in names)
        return (
            words.say("story.named", dice=words.joined(dice[name] for name in names), n=n)
            if names
            else ""
        )

    own = named(*(name for name in dice if name not in hindering))
    other = named(*(name for name in dice if name in hindering))
    both = words.say("story.against", dice=own, other=other) if own and other else own or other
    listed = words["list.comma"].join(dice.values())
    # Notation that has other names for dice than the game has words is for typing alone.
    typed = all(system.word(name).casefold() == name for name in pool)
    return {"pool": system.notation.show(pool) if typed else listed, "dice": listed, "named": both}


def _symbol(system: System, name: str, n: int) -> str:
    """Return so many of a symbol; by a sentence of its own where an account has the same name.

    That is empty where a game says only with the result whether the symbol counts.
    """
    own = f"symbol.{name}"
    return (
        system.words.say(own, n=n)
        if f"{own}.other" in system.words
        else f"{n} {system.word(name, n)}"
    )


def _deed(system: System, check: Check, before: Table, actor: str, against: str) -> tuple[str, str]:
    """Return who does what against whom, and the key of the term that chose these words, or "".

    A game may have a sentence of its own for what one character does to another,
    `story.declared.TERM.VALUE`, whose blanks are other terms too. A title that names the actor is a
    sentence already; an entry of the sheet is rolled.
    """
    say, title = system.words.say, check.title
    for key, value in check.terms.items() if check.against else ():
        if (own := f"story.declared.{key}.{value}") in system.words:
            words = {name: _value(system, one, before) for name, one in check.terms.items()}
            return key, say(own, **words | {"actor": actor, "against": against, "title": title})
    if title.startswith(f"{actor} "):
        return "", title
    plain = title == system.words.get("check.untitled")
    id = "untitled" if plain else "rolled" if title in system.labels else "titled"
    # A title that names the target gets no name after it.
    if check.against and against not in title:
        id += ".against"
    return "", say(f"story.declared.{id}", actor=actor, title=title, against=against)


def logged_terms(system: System, check: Check, table: Table) -> dict[str, str]:
    """Return the terms of an action that its line in the log mentions, such as its difficulty, as
    words by key.

    A game chooses them with its sentences `story.term.KEY`, whose blank `value` is this term and
    whose other blanks are others; one of them may have a sentence for a single value,
    `story.term.KEY.VALUE`, which is empty for a value that goes without saying.
    """
    found: dict[str, str] = {}
    given = {key: v for key, v in check.terms.items() if v not in ("", ()) and v is not False}
    logged = [(id, key) for id, key in system.logged_terms.items() if key in given]
    words = {name: _value(system, value, table) for name, value in given.items()} if logged else {}
    for id, key in logged:
        one = f"{id}.{given[key]}"
        text = system.words.say(one if one in system.words else id, **words | {"value": words[key]})
        if text and words[key]:
            found[key] = text
    return found


def _value(system: System, value: Value, table: Table) -> str:
    """Return a value of a term in words: the text of a trait, a name, a word of the game, or the
    value itself.

    A trait that the reader does not see is "".
    """
    if isinstance(value, tuple):
        return ", ".join(filter(None, (_value(system, one, table) for one in value)))
    if isinstance(value, str) and value in table.traits:
        return table.traits[value].text
    if isinstance(value, str) and value in table.characters:
        return table.characters[value].name
    if isinstance(value, str) and re.fullmatch(r"[a-z]\d+", value):
        return ""
    return system.words.get(f"term.{value}") or system.entry(str(value))


def _changed(system: System, before: Table, check: Check, what: str, actor: str) -> str:
    """Return the sentence for a changed action: what was done, then a new result, the pool, or new
    terms.
    """
    say, old, text = system.words.say, before.checks.get(check.id), _ended(what)
    if check.outcome is not None and (old is None or old.outcome is None):
        words = check.outcome.words
        return words if words.startswith(actor) else say("story.result", actor=actor, words=words)
    if check.outcome is not None and old is not None and old.outcome is not None:
        words, passed = check.outcome.words, check.outcome.passed
        # What comes of a result is added to it, and has a line of its own.
        if passed == old.outcome.passed and words.startswith(f"{old.outcome.words} "):
            return text
        if (words, passed) != (old.outcome.words, old.outcome.passed) and (
            words == what or words not in what
        ):
            result = (
                words
                if words.startswith(actor)
                else say("story.result_now", actor=actor, words=words)
            )
            return result if words == what else f"{text} {result}".strip()
    if old is not None and old.pool != check.pool:
        return say("story.pool", what=text, **_dice(system, check.pool)).strip()
    if old is not None and not text:
        known = logged_terms(system, old, before)
        new_terms = [
            term
            for key, term in logged_terms(system, check, before).items()
            if known.get(key) != term
        ]
        return (
            say("story.terms_now", title=check.title, terms=", ".join(new_terms))
            if new_terms
            else ""
        )
    return text


def _ended(text: str) -> str:
    """Return a text with a full stop, unless it ends in a sign of its own or is empty."""
    return text if not text or text.endswith(ENDS) else f"{text.rstrip(' :')}."


def _rolled(system: System, event: events.DiceRolled, before: Table, who: str) -> str:
    dice = {die.name: die for die in system.dice}
    check = before.checks.get(event.check)
    bound = list(system.bind(before, check)) if system.bind and check else []
    rolled: list[tuple[Die, int]] = []
    for one in event.rolled:
        die = next((die for die in bound if die.name == one.die), None)
        if die is not None:
            bound.remove(die)
        rolled.append((die or dice[one.die], one.face))
    faces = [
        _faces(system, die, [face for _, face in run], bool(event.check))
        for die, run in groupby(rolled, itemgetter(0))
    ]
    key = "rolled_by_hand" if _by_hand(event.rolled) else "rolled"
    if key == "rolled" and check is not None and _by_hand(check.rolled):
        # The others on the table are real dice.
        key = "rolled_by_program"
    text = system.words.say(
        f"story.{key}", who=who, faces=system.words["list.semicolon"].join(faces)
    )
    if not event.why:
        return text
    return system.words.say(
        "story.rolled_for", why=event.why[:1].upper() + event.why[1:], text=text
    )


def _by_hand(rolled: Iterable[Rolled]) -> bool:
    return any(one.source == "hand" for one in rolled)


def _shown(system: System, symbols: Bag) -> str:
    """Return the symbols of a face in words, or "" for a blank."""
    found = [text for one in symbols.items() if (text := _symbol(system, *one))]
    return system.words.joined(found)


def _faces(system: System, die: Die, faces: Sequence[int], counts: bool) -> str:
    """The faces of dice of one kind in words: the kind once, and faces that look alike once, with
    how many.

    Dice that have symbols printed on them have no number, unless it stands beside the symbols; of
    those only what `counts` in an action has symbols.
    """
    say, look = system.words.say, system.look.get(die.name)
    blank = not any(any(one.faces) for one in system.dice if one.name == die.name)
    numbered = blank or (look is not None and look.numbered)
    texts = []
    read = [(str(face) if numbered else "", _shown(system, die.face(face))) for face in faces]
    for (number, symbols), alike in groupby(read):
        n = len(list(alike))
        shown = number or symbols or system.words["story.blank"]
        shown = say("story.times", face=shown, n=n) if n > 1 else shown
        signed = bool(symbols) or not (look is not None and look.numbered)
        if numbered and any(die.faces) and (counts or blank) and signed:
            each = "story.symbols_each" if n > 1 and symbols else "story.symbols"
            shown = say(each, face=shown, symbols=symbols or system.words["story.blank"])
        texts.append(shown)
    return say(
        "story.dice" if numbered else "story.shows",
        die=system.word(die.name),
        faces=", ".join(texts),
    )
