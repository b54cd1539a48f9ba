"""The sentences for a statement that is set, changed or removed, or ends with its scene."""

from storypool.engine.events import TraitRemoved, TraitSet
from storypool.engine.story.log_line import LogLine
from storypool.engine.table import Trait


def set_sentence(line: LogLine, event: TraitSet) -> str:
    """The sentence for a new or changed statement; "" if there is nothing to say about it.

    A kind of trait may have sentences of its own, or none.
    """
    trait, words = event.trait, line.words
    old = line.before.traits.get(trait.id)
    if old is not None and old.read_by is not None and trait.read_by is None:
        # For the players it is new.
        old = None
    if not trait.text or words.get(f"story.trait.{trait.kind}") == "":
        return ""
    # Traits that come with a new character are shown on its sheet; a hidden move is another one.
    brings = f"story.brings.{line.before.last_move}" in words
    if trait.about in line.before.characters and brings and line.before.undo_seen_by is None:
        return ""
    counts = bool(trait.goal) and (old is None or old.rating != trait.rating)
    # A full track has no sentence if its consequence has one.
    full = f"story.full.{trait.kind}"
    if counts and trait.rating >= trait.goal and full in words:
        return line.say(full, text=trait.text)
    own = _of_a_term(line, trait) if old is None else _changed(line, trait, old, counts)
    return _stated(line, trait, old, counts) if own is None else own


def _of_a_term(line: LogLine, trait: Trait) -> str | None:
    """The sentence of a new trait for one of its terms, or None."""
    for key, value in trait.terms.items():
        if (own := f"story.trait.{trait.kind}.{key}") in line.words:
            return line.say(own, about=line.character(trait.about), text=trait.text, value=value)
    return None


def _changed(line: LogLine, trait: Trait, old: Trait, counts: bool) -> str | None:
    """The game's sentence for a change, else one for a new place, else None."""
    own = line.own((f"story.changed.{trait.kind}.{trait.at}", f"story.changed.{trait.kind}"))
    if own:
        return line.say(own, text=trait.text)
    if old.text != trait.text or counts:
        return None
    if (note := line.system.note(trait)) != line.system.note(old):
        text = line.say("story.trait_now", text=trait.text, note=note)
        about = line.character(trait.about) if trait.about in line.before.characters else ""
        return line.say("story.trait_about", about=about, text=text) if about else text
    place = line.before.traits.get(trait.at)
    if place is None or trait.at == old.at:
        return ""
    return line.say("story.moved", text=trait.text, place=place.text)


def _stated(line: LogLine, trait: Trait, old: Trait | None, counts: bool) -> str:
    """The text of a trait, with its subject."""
    text = trait.text
    if counts:
        n = min(trait.rating, trait.goal)
        text = line.say("story.track", text=text, n=n, most=trait.goal)
    if note := line.system.note(trait):
        text = line.say("story.trait_noted", text=text, note=note)
    of_one = trait.about and not trait.about.startswith("@")
    about = line.character(trait.about) if of_one else ""
    # A text that begins with its subject's name gets no name before it.
    named = bool(about) and not text.startswith(about)
    # A kind of trait may have a sentence for a new text, which would be a bare line otherwise.
    key = "new" if old is None else "now"
    own = f"story.{key}_of.{trait.kind}" if named else f"story.{key}.{trait.kind}"
    # A text with the word of its kind in it, such as “A major wound”, says its kind.
    kind = line.words.get(f"story.word.{trait.kind}", "")
    says_its_kind = bool(kind) and kind.casefold() in trait.text.casefold()
    if own in line.words and not says_its_kind and (old is None or not counts):
        return line.say(own, who=line.who, about=about, text=text)
    return line.say("story.trait_about", about=about, text=text) if named else text


def removed_sentence(line: LogLine, event: TraitRemoved) -> str:
    """The sentence for the end of a statement; "" where that goes without saying."""
    gone, why, before = line.before.traits.get(event.id), event.why, line.before
    # The traits of a character who leaves the story go without saying.
    if gone is None or not gone.text or (gone.about and before.last_move == "character.leave"):
        return ""
    # A kind of trait may have a sentence of its own, or none, for its end.
    own = f"story.removed.{gone.kind}"
    values = {"text": gone.text.rstrip("."), "about": line.character(gone.about)}
    if why and f"{own}.why" in line.words:
        return line.say(f"{own}.why", **values, why=why)
    # The end of a trait with its scene goes without saying.
    over = gone.until in ("scene", "session") and gone.until not in before.running
    if over and not why and own not in line.words:
        return ""
    key = own if own in line.words else "story.removed"
    text = line.say(key, **values)
    return line.because(text, why) if text else ""


def over_sentence(line: LogLine, trait: Trait) -> str:
    """The sentence `story.over.KIND` for a trait that ends with its scene, or ""."""
    if not trait.text or f"story.over.{trait.kind}" not in line.words:
        return ""
    own = line.say(f"story.over.{trait.kind}", text=trait.text.rstrip("."))
    if trait.about not in line.before.characters:
        return own
    return line.say("story.over_about", text=own, about=line.character(trait.about))
