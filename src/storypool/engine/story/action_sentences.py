"""The sentences for an action: declared, changed, closed or cancelled."""

import re

from storypool.engine.events import CheckChanged, CheckClosed, CheckOpened
from storypool.engine.game.system import System
from storypool.engine.offers import listed
from storypool.engine.story.dice_sentences import pool_in_words
from storypool.engine.story.log_line import LogLine, ended
from storypool.engine.table import Check, Table, Value


def opened_sentence(line: LogLine, event: CheckOpened) -> str:
    """The sentence for a declared action, with the suggestions for it."""
    check, describe = event.check, line.system.describe_terms
    text = _declared(line, check)
    if describe and (terms := describe(line.words, line.before, check)):
        text = f"{text} {terms}."
    if check.suggested:
        what = listed(check.suggested)
        return line.say("story.suggested", told=text, who=line.who, what=what)
    return text


def _declared(line: LogLine, check: Check) -> str:
    """The actor, action and opponent, the terms, the pool, and the modifications so far."""
    say = line.say
    chosen, text = _deed(line, check)
    # Suggested terms are listed separately, as suggestions.
    named = {chosen, *check.suggested}
    logged = logged_terms(line.system, check, line.before)
    if terms := [term for key, term in logged.items() if key not in named]:
        text = say("story.terms", title=text, terms=", ".join(terms))
    if line.system.dice:
        text = say("story.with", what=text, **pool_in_words(line.system, check.pool))
    else:
        text = ended(text)
    whys = dict.fromkeys(mod.why.rstrip(".") for mod in check.mods if mod.why)
    return say("story.counting", told=text, whys="; ".join(whys)) if whys else text


def _deed(line: LogLine, check: Check) -> tuple[str, str]:
    """The sentence of actor, action and opponent, and the key of the term that chose it, or "".

    A game may have a sentence of its own for what one character does to another,
    `story.declared.TERM.VALUE`, whose blanks are other terms too. A title that names the actor is a
    sentence already; an entry of the sheet is rolled.
    """
    system, say, title = line.system, line.say, check.title
    actor, against = line.character(check.actor), line.character(check.against)
    for key, value in check.terms.items() if check.against else ():
        if (own := f"story.declared.{key}.{value}") in system.words:
            words = {name: _value(system, one, line.before) for name, one in check.terms.items()}
            return key, say(own, **words | {"actor": actor, "against": against, "title": title})
    if title.startswith(f"{actor} "):
        return "", title
    id = "rolled" if title in system.labels else "titled"
    if title == system.words.get("check.untitled"):
        id = "untitled"
    # A title that names the target gets no name after it.
    if check.against and against not in title:
        id += ".against"
    return "", say(f"story.declared.{id}", actor=actor, title=title, against=against)


def changed_sentence(line: LogLine, event: CheckChanged) -> str:
    """The sentence for a changed action: the change, then a new result, the pool, or new terms."""
    check, text = event.check, ended(event.what)
    old, system = line.before.checks.get(check.id), line.system
    result = _result(line, event, old)
    if result is not None:
        return result
    if old is not None and old.pool != check.pool:
        return line.say("story.pool", what=text, **pool_in_words(system, check.pool)).strip()
    if old is None or text:
        return text
    known = logged_terms(system, old, line.before)
    now = logged_terms(system, check, line.before)
    terms = ", ".join(term for key, term in now.items() if known.get(key) != term)
    return line.say("story.terms_now", title=check.title, terms=terms) if terms else ""


def _result(line: LogLine, event: CheckChanged, old: Check | None) -> str | None:
    """The sentence for a new result of an action, or None where there is none."""
    outcome, before = event.check.outcome, old.outcome if old is not None else None
    if outcome is None:
        return None
    what, words, actor = event.what, outcome.words, line.character(event.check.actor)
    names_actor = words.startswith(actor)
    if before is None:
        return words if names_actor else line.say("story.result", actor=actor, words=words)
    # An addition to a result has a line of its own; do not repeat the result.
    if outcome.passed == before.passed and words.startswith(f"{before.words} "):
        return ended(what)
    if (words, outcome.passed) == (before.words, before.passed):
        return None
    if words != what and words in what:
        return None
    result = words if names_actor else line.say("story.result_now", actor=actor, words=words)
    return result if words == what else f"{ended(what)} {result}".strip()


def closed_sentence(line: LogLine, event: CheckClosed) -> str:
    """The sentence for the end of an action, or a term's own: `story.cancelled.TERM.VALUE`.

    An action that nobody named has none: its result is its last line.
    """
    id = "story.closed" if event.how == "done" else f"story.{event.how}"
    check = line.before.checks.get(event.id)
    if check is None:
        return line.say(id, title=line.say("story.something"))
    if event.how == "done" and check.title in line.system.titles.values():
        return ""
    own = line.own(f"{id}.{key}.{value}" for key, value in check.terms.items())
    return line.say(own or id, title=check.title)


def logged_terms(system: System, check: Check, table: Table) -> dict[str, str]:
    """The terms of an action in its log line, such as its difficulty, in words by key.

    A game chooses them with its sentences `story.term.KEY`, whose blank `value` is this term and
    whose other blanks are others; one of them may have a sentence for a single value,
    `story.term.KEY.VALUE`, which is empty for a value that goes without saying.
    """
    found: dict[str, str] = {}
    given = {key: v for key, v in check.terms.items() if v not in ("", ()) and v is not False}
    logged = [(id, key) for id, key in system.logged_terms.items() if key in given]
    words = {name: _value(system, value, table) for name, value in given.items()} if logged else {}
    for id, key in logged:
        if (own := f"{id}.{given[key]}") in system.words:
            id = own
        text = system.words.say(id, **words | {"value": words[key]})
        if text and words[key]:
            found[key] = text
    return found


def _value(system: System, value: Value, table: Table) -> str:
    """A term's value in words: a trait's text, a name, a word of the game, or the value itself.

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
