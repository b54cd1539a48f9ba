"""The looks of a game file: its dice and symbols, its panels, its sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import cast

from storypool.engine import rules as r
from storypool.engine.game.kit import Outline
from storypool.engine.game.panels import Panel
from storypool.gamefile.cards.card_looks import (
    card_looks,
    card_words,
    deck_look,
    drawn_words,
)
from storypool.gamefile.file_format.drawings import Shape, die_of, shapes_of
from storypool.gamefile.file_format.row_checks.row_paths import done_rows
from storypool.gamefile.file_format.schema import GameFile, PointsRow, SymbolRow, WorldRow
from storypool.gamefile.file_rolls.placed_dice import LABELS
from storypool.gamefile.file_rules import Rules
from storypool.gamefile.file_zones import board
from storypool.gamefile.statements.forwards import FORWARD
from storypool.gamefile.together.joined import PLACES, joining_rows
from storypool.gamefile.trays import added_die
from storypool.gamefile.without_gm.players_moves import players_words
from storypool.words import Phrase, Words

__all__ = ["hues", "look", "panels", "standard_keys", "words"]

OUTLINES: Mapping[int, Outline] = {
    4: "diamond",
    6: "square",
    8: "diamond",
    10: "pentagon",
    12: "hexagon",
    20: "octagon",
    100: "pentagon",
}
"""The outline of a die by its sides."""
MOST_ENTRIES = 6
"""A longer group of entries has those without a number folded."""
WITHOUT_GM = ("wait.gm", "wait.gm_name", "side.gm")
"""The sentences that name a GM in other games."""
STANDARD = ("new", "fill", "rank", "reveal", "end")
"""The verbs of the moves that every kind of statements has."""
DRAWERS = {"scene": "The scene", "table": "The table"}


def look(rules: Rules) -> dict[str, r.Look]:
    """The names and looks of dice, symbols, points and outcomes."""
    game, found = rules.game, dict[str, r.Look]()
    taken = set[str]()
    for name, die in game.dice.items():
        sides = die.sides or len(die.faces)
        letter = die.letter or _free_letter(die.word or name, taken)
        taken.add(letter)
        pattern, colour = die.pattern, die.colour
        if die.hinders:
            pattern = "hatching" if pattern == "plain" else pattern
            colour = colour or "hinder"
        found[name] = r.Look(
            die.word or name,
            die.plural,
            letter,
            "square" if die.drawing else OUTLINES.get(sides, ""),
            pattern,
            colour=colour,
            numbered=not die.faces,
            drawing=die_of(die.drawing) if die.drawing else (),
        )
    for name, deck in rules.reading.decks.items():
        found[name] = deck_look(deck, _free_letter(deck.row.word or name, taken), shared_words())
    found |= card_looks(rules.reading.decks)
    for name, symbol in game.symbols.items():
        found[name] = r.Look(
            symbol.word or name,
            symbol.plural,
            colour=symbol.colour,
            glyph=_glyph(game, name, symbol),
            drawing=_drawing(symbol),
        )
    for name, points in game.points.items():
        found[name] = r.Look(
            points.word or name,
            rules.plural(name),
            glyph=_glyph(game, name, points),
            drawing=_drawing(points),
        )
    for action in rules.actions.values():
        for name, one in _read(action):
            found.setdefault(name, one)
    return found


def _glyph(game: GameFile, name: str, row: SymbolRow | PointsRow) -> str:
    """The page's drawing, or the name of the game's own."""
    return f"{game.key}.{name}" if row.drawing else row.glyph


def _drawing(row: SymbolRow | PointsRow) -> tuple[Shape, ...]:
    return shapes_of(row.drawing) if row.drawing else ()


def hues(world: WorldRow) -> dict[str, int]:
    """The numbers of a world that are the game's own; paper has the hue of the ground."""
    found = {"ground": world.ground, "paper": world.ground if world.paper is None else world.paper}
    found |= {"yours": world.yours, "others": world.others, "depth": world.depth}
    return {name: number for name, number in found.items() if number is not None}


def _free_letter(word: str, taken: set[str]) -> str:
    """The first letter of a word that no die has; "" if there is none."""
    return next((letter for letter in map(str.upper, word) if letter not in taken), "")


def _read(rules: Rules) -> Iterator[tuple[str, r.Look]]:
    """The looks of the numbers and outcomes of an action."""
    game = rules.game
    if not game.is_rolled(game.action):
        return
    # The odds of a file without further words are those of its first action.
    numbers = rules.reading.numbers if rules.is_first else ()
    for name in (*rules.reading.symbols, *means(rules), *numbers):
        word = game.action.shown.get(name, name.replace("_", " "))
        yield name, r.Look(word, word)
    for one in game.outcome:
        yield one.key, r.Look(one.key.replace("_", " "), one.key.replace("_", " "))
    if any(one.passed is not None for one in game.outcome):
        yield rules.reading.passing, r.Look("passed", "passed")


def means(rules: Rules) -> tuple[str, ...]:
    """The numbers whose mean the odds give."""
    shown = rules.game.action.shown
    return tuple(name for name in rules.reading.numbers if name in (shown or rules.reading.figures))


def panels(rules: Rules) -> Iterator[Panel]:
    """The panels of a game's page, in order."""
    game = rules.game
    table = tuple(name for name, one in game.points.items() if not one.is_own)
    own = tuple(name for name, one in game.points.items() if one.is_own)
    if table:
        sides = sorted(
            table, key=lambda name: ("players", "table", "gm").index(game.points[name].of)
        )
        yield r.TraysPanel(
            "Points", accounts=tuple(sides), turns=any(one.turns for one in game.points.values())
        )
        yield r.GaugePanel("How the points moved", accounts=tuple(sides))
    actions = rules.actions.values()
    figures = dict.fromkeys(name for one in actions for name in means(one))
    rungs = dict.fromkeys(rung.key for one in actions for rung in one.game.outcome)
    left_out = rules.left_out
    without = str(Phrase(f"picture.without.{left_out}")) if left_out else ""
    if any(map(game.is_rolled, game.actions)):
        yield r.OddsPanel(without, means=tuple(figures), chances=tuple(rungs))
    for one in actions:
        yield from _figure(one)
    words = dict.fromkeys(name for one in actions for name in _in_words(one))
    if any(one.game.action.together for one in actions):
        words |= dict.fromkeys(PLACES)
    placed = LABELS if any(one.places for one in game.actions) else ""
    if words or placed:
        yield r.TermsPanel("", terms=tuple(words), placed=placed)
    yield r.SetupPanel("Before the first scene")
    declared = tuple(one.declared for one in actions)
    yield r.PrimaryPanel("", beside=declared if rules.several else ())
    # A move before the roll is in the pool that it changes.
    after = (row for row in game.move if row.when != "before the roll")
    narrated = ("check.roll", "check.close", *(f"move.{row.key}" for row in after))
    dice = {f"move.{row.key}": die for row in game.move if (die := added_die(rules, row))}
    first = tuple(
        key
        for row in game.move
        if row.when == "before the roll" and row.who == "actor" and row.price
        if (key := f"move.{row.key}") not in dice
    )
    yield r.ActionsPanel("Your move", narrated=narrated, first=first)
    if dice:
        yield r.TrayPanel("Dice", dice=tuple(f"{key} {die}" for key, die in dice.items()))
    yield from board(rules)
    if game.turns is not None:
        yield r.SlotsPanel(game.turns.word, trait="slot", notes=("acts-next",), out=game.turns.out)
    if own:
        yield r.TracksPanel("Tracks", accounts=own)
    clocks = tuple(kind for kind, one in game.trait.items() if one.goal)
    stated = {kind: one for kind, one in game.trait.items() if not one.goal}
    others = tuple(
        kind for kind, one in stated.items() if one.of == "scene" or _is_condition(game, kind)
    )
    texts = tuple(kind for kind in stated if kind not in others)
    if game.sheet:
        asks = [ask for one in actions for ask in one.asks.values()]
        asked = {group for ask in asks for group in ask.entry}
        yield r.SheetPanel(
            "",
            beside=tuple(
                name for name, one in game.sheet.items() if name not in asked and not one.text
            ),
            folded=tuple(
                name
                for name, group in game.sheet.items()
                if name in asked and not group.default and len(group.entries) > MOST_ENTRIES
            ),
        )
    if game.deck:
        asking = (f"move.{row.key} {ask.name}" for row in game.move for ask in row.asks if ask.card)
        yield r.CardsPanel("Cards", decks=tuple(game.deck), any=tuple(asking))
    if clocks:
        yield r.GoalsPanel(
            "Clocks", traits=clocks, words={kind: game.trait[kind].word for kind in clocks}
        )
    if others:
        yield r.ListPanel("In the scene", traits=others, words=_notes(game, others))
    if any(do.forward for _, do, _ in done_rows(game)):
        title = shared_words()["filed.forward.title"]
        yield r.WordsPanel("", name=FORWARD, traits=(FORWARD,), words={FORWARD: title})
    if texts:
        named = {kind: game.trait[kind].word for kind in texts}
        yield r.WordsPanel("", traits=texts, words={**named, **_notes(game, texts)})
    yield from _moments(game)
    for name, title in DRAWERS.items():
        yield r.DrawerPanel(title, name=name)


def _notes(game: GameFile, kinds: Iterable[str]) -> dict[str, str]:
    """The words for the kinds and ranks of statements, as panels take them."""
    found = dict[str, str]()
    for kind in kinds:
        row = game.trait[kind]
        found |= {f"{kind}.{one}": label for one, label in row.kinds.items()}
        if row.rank:
            found[f"{kind}.rank"] = shared_words()["filed.rank_of"]
    return found


def _is_condition(game: GameFile, kind: str) -> bool:
    """Whether statements of a kind are conditions of a character, such as harm.

    Those that a player writes are not, such as aspects, unless something counts them.
    """
    row = game.trait[kind]
    if row.held:
        return False
    counted = ("traits", (kind,))
    read = [points.cap for points in game.points.values()]
    read += [term for action in game.actions for term in action.terms.values()]
    read += [move.only for move in game.move]
    return row.by in ("gm", "rules") or any(one and counted in one.counts for one in read)


def _moments(game: GameFile) -> Iterator[Panel]:
    """The moments of a game: a conflict that begins, and what takes a character out of it."""
    say = shared_words().say
    if game.turns is not None:
        title = say("filed.moment.begins", word=game.turns.word)
        yield r.MomentPanel(title, tone="bad", began=("slot",), name="begins")
    if any(row.secret for row in game.move):
        title = say("filed.moment.reveal")
        yield r.MomentPanel(title, tone="good", traits=("secret-reveal",), name="reveal")
    kinds = dict.fromkeys(game.turns.out if game.turns is not None else ())
    for row in game.whenever:
        if row.on == "full":
            kinds |= dict.fromkeys(do.make for do in row.do if do.make)
    for kind in kinds:
        yield r.MomentPanel(game.trait[kind].word, tone="bad", traits=(kind,), name=kind, weight=3)
    yield r.SCENE_OVER


def _shown(rules: Rules) -> list[str]:
    """The answers and terms that are always shown of an action, the first of them large."""
    action = rules.game.action
    usual = [ask.name for ask in action.asks if ask.number or (ask.choices and not ask.choose)]
    usual += [name for name, one in action.terms.items() if one.fixed is None]
    return [name for name in action.shown or usual if name not in rules.reading.numbers]


def _in_words(rules: Rules) -> list[str]:
    """The answers that are words below the title of an action."""
    asks, shown = rules.asks.values(), _shown(rules)
    return [ask.name for ask in asks if not (ask.number or ask.text or ask.name in shown)]


def _figure(rules: Rules) -> Iterator[Panel]:
    """The panel of the numbers that are always shown of an action."""
    action, shown = rules.game.action, _shown(rules)
    if shown:
        named = (*rules.asks, *action.terms, *action.shown)
        labels = {name: rules.called_term(name) for name in named}
        values = {
            f"{ask.name}.{value}": text
            for ask in action.asks
            for value, text in ask.choices.items()
        }
        yield r.FigurePanel(
            labels[shown[0]],
            term=shown[0],
            beside=tuple(shown[1:]),
            words={**labels, **values},
            action=action.key,
            name=action.key,
        )


@cache
def shared_words() -> Words:
    """The sentences that all games on one page share."""
    return r.game_words("storypool.gamefile")


def words(rules: Rules) -> Words:
    """The sentences of a game: those of the house, those made from its rows, and its own."""
    game, house = rules.game, shared_words()
    found: dict[str, str] = {}
    for one in rules.actions.values():
        found |= {one.outcome_id(rung.key): rung.words for rung in one.game.outcome}
        if one.game.action.only is not None:
            found[f"no.{one.closed_id}"] = _plain(one.game.action.unless) or house["filed.unless"]
        for ask in one.asks.values():
            found |= {one.answer_id(ask, value): text for value, text in ask.choices.items()}
            found |= {f"term.{value}": text for value, text in ask.choices.items()}
    found |= {f"entries.{key}": group.title for key, group in game.sheet.items()}
    for key, option in game.option.items():
        found[f"option.{key}"] = option.title
        found |= {f"option.{key}.{value}": text for value, text in option.values.items()}
    if game.turns is not None:
        ends = house.say("filed.turns.cut_short", word=game.turns.lower_word)
        for move in ("begin", "end"):
            story = house.say(f"filed.turns.story.{move}", word=game.turns.lower_word)
            found[f"story.move.turns.{move}"] = _plain(story)
        found["cut_short.order"] = ends if game.turns.begins == "conflict" else ""
    if game.zones is not None:
        found["zone.row"] = ", ".join(game.zones.row)
    for name, deck in game.deck.items():
        found |= card_words(name, _plain(deck.plural or f"{deck.word or name}s"), house)
    if game.deck:
        found |= drawn_words(house, game)
    found |= dict(_log(rules))
    for row in (*game.move, *joining_rows(game)):
        if row.limit:
            found[f"no.limit.{row.key}"] = _plain(
                house.say("filed.limit", title=row.title, often=row.limit[0])
            )
        if row.only is not None:
            found[f"no.filed.{row.key}"] = _plain(row.unless) or house["filed.unless"]
    shared: Mapping[str, str] = house
    if not game.gm:
        shared = players_words(house)
        found |= {id: house[f"filed.without_gm.{id}"] for id in WITHOUT_GM}
    return Words(
        {**shared, **found, **_flat(cast(Mapping[str, object], game.words))}, house.language
    )


def _log(rules: Rules) -> Iterator[tuple[str, str]]:
    """What the log says of moves that effects tell of, and of the kinds of statements."""
    game, house = rules.game, shared_words()
    for one in rules.actions.values():
        yield from ((f"story.move.{key}", "") for key in (one.declared, one.decided))
    yield from ((f"story.move.move.{key}", "") for key in standard_keys(game))
    yield from ((f"story.move.choose.{row.key}", "") for row in game.move if row.secret)
    for kind, row in game.trait.items():
        word, lower = _plain(row.word), _plain(row.lower_word)
        if row.of != "character":
            yield f"story.new.{kind}", house.say("filed.story.new", word=word, lower=lower)
            continue
        own = ".noted" if row.rank or row.kinds else ""
        yield f"story.new_of.{kind}", house.say(f"filed.story.new_of{own}", word=word, lower=lower)
        yield f"story.word.{kind}", lower
        if row.until not in ("scene", "session"):
            yield f"story.removed.{kind}", house["filed.story.removed"]


def standard_keys(game: GameFile) -> frozenset[str]:
    """The keys of the automatic moves of kinds of statements, or of moves in their place."""
    return frozenset(f"{kind}_{verb}" for kind in game.trait for verb in STANDARD)


def _plain(text: str) -> str:
    """A text as a sentence without blanks, whatever its braces."""
    return text.replace("{", "{{").replace("}", "}}")


def _flat(tree: Mapping[str, object], before: str = "") -> dict[str, str]:
    found: dict[str, str] = {}
    for key, value in tree.items():
        found |= (
            _flat(value, f"{before}{key}.")
            if isinstance(value, Mapping)
            else {f"{before}{key}": str(value)}
        )
    return found
