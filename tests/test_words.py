"""The catalogue: every sentence of the program with its blanks, and no unused one."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import storypool
from storypool import systems
from storypool.engine import house
from storypool.engine.game.asks import ChoiceAsk
from storypool.engine.game.turn import Turn
from storypool.engine.house.choices import answers
from storypool.engine.table import Seat, Table
from storypool.gamefile.looks import shared_words
from storypool.words import PROGRAM, Words, blanks, counts, english, house_words, package_file, read
from storypool.words.languages import Language, languages
from storypool.words.plurals import CATEGORIES, categories, rule
from tests.batched_cases import together

ROOT = Path(storypool.__file__).parent
KEYS = {
    "no": "no.{}",
    "firm": "no.{}",
    "refused": "no.{}",
    "of_check": "no.{}",
    "of_test": "no.{}",
    "requires": "no.{}",
    "any_of": "no.{}",
    "any_now": "no.{}",
    "_bad": "no.argument.{}",
    "fault": "play.{}.found",
    "no_odds": "no.odds.{}",
    "denied": "cli.{}",
    "not_served": "client.{}",
    "problem": "web.{}",
    "Broken": "check.{}",
    "finding": "check.{}",
}
"""The additions of a verb to its id."""


class Use(NamedTuple):
    """A requested sentence: its place, id, and values of blanks (None: computed)."""

    file: str
    line: int
    key: str
    values: frozenset[str] | None


def files() -> list[Path]:
    """Every module of the package."""
    return sorted(
        file for file in ROOT.rglob("*.py") if "tests" not in file.relative_to(ROOT).parts
    )


def files_of_games() -> list[Path]:
    """Every module of the package, and of external games."""
    folders = [systems.folder(key) for key in systems.playable()]
    elsewhere = {
        file for folder in folders if ROOT not in folder.parents for file in folder.rglob("*.py")
    }
    return [*files(), *sorted(elsewhere)]


@cache
def tree(file: Path) -> ast.Module:
    """The source of a module."""
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def nodes(file: Path) -> tuple[ast.AST, ...]:
    """Every node of a module's source."""
    return tuple(ast.walk(tree(file)))


@cache
def catalogues(file: Path) -> list[Words]:
    """The catalogues of a module: those of its games, the server's, or the house's."""
    room = file.relative_to(ROOT).parts
    if room[0] == "systems" and len(room) > 2:
        games = (
            [systems.get(room[1])] if room[1] in systems.names() else list(systems.find().values())
        )
        return [
            game.words
            for game in games
            if room[1] in systems.names() or _of_family(game.key, room[1])
        ]
    core = {
        "asks.py",
        "notation.py",
        "turn.py",
        "odds",
        "rules.py",
        "house.py",
        "story.py",
        "system.py",
    }
    if room[0] == "gamefile":
        return [Words({**english(), **shared_words()})]
    return [house_words()] if room[0] in core else [english()]


def _of_family(game: str, family: str) -> bool:
    sources = "".join(
        f.read_text(encoding="utf-8") for f in sorted((ROOT / "systems" / game).glob("*.py"))
    )
    return f"storypool.systems.{family}" in sources


@cache
def uses(file: Path) -> tuple[Use, ...]:
    """Every sentence that a module requests by a literal id."""
    return tuple(_uses(file))


def _uses(file: Path) -> Iterator[Use]:
    name = str(file.relative_to(ROOT) if ROOT in file.parents else file)
    for node in nodes(file):
        if isinstance(node, ast.Subscript) and _words(node.value):
            for key in _literals(node.slice):
                yield Use(name, node.lineno, key, frozenset())
        elif isinstance(node, ast.Call):
            called = (
                node.func.attr
                if isinstance(node.func, ast.Attribute)
                else getattr(node.func, "id", "")
            )
            at = {
                "say": 0,
                "Phrase": 0,
                "no": 0,
                "firm": 0,
                "of_check": 1,
                "of_test": 1,
                "requires": 1,
                "any_of": 1,
                "any_now": 1,
                "refused": 1,
                "fault": 0,
                "no_odds": 0,
                "denied": 1,
                "not_served": 1,
                "problem": 2,
                "_bad": 2,
                "Broken": 0,
                "finding": 1,
            }.get(called)
            if at is None or len(node.args) <= at:
                continue
            given = (
                None
                if any(k.arg is None for k in node.keywords)
                else frozenset(str(k.arg) for k in node.keywords)
            )
            if called == "_bad" and given is not None:
                # It says itself which question is meant.
                given |= {"name"}
            for key in _literals(node.args[at]):
                if called == "say" and "." not in key:
                    continue
                yield Use(name, node.lineno, KEYS.get(called, "{}").format(key), given)


def _words(node: ast.expr) -> bool:
    """Whether this expression is a catalogue: `words`, an attribute `words`, or `words()`."""
    if isinstance(node, ast.Call):
        return _words(node.func)
    return getattr(node, "attr", getattr(node, "id", "")) in ("words", "house_words")


def _literals(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _literals(node.body)
        yield from _literals(node.orelse)


def forms(words: Mapping[str, str], key: str) -> list[str]:
    """The ids of a sentence: its own, or one for each English plural category if it counts."""
    return [id for id in (key, *(f"{key}.{one}" for one in CATEGORIES)) if id in words]


@together(files())
def test_requested_sentences_exist(file: Path) -> None:
    """Each is in its module's catalogue, and gets the values of its blanks."""
    for words in catalogues(file):
        for use in uses(file):
            found = forms(words, use.key)
            assert found, f"{use.file}:{use.line}: there is no sentence {use.key}"
            if use.values is not None:
                for key in {*found, f"{use.key}.remedy"} & set(words):
                    assert set() == blanks(words[key]) - use.values, f"{use.file}:{use.line}: {key}"


PEOPLES = {
    *(
        "Refusal",
        "Refused",
        "NotationError",
        "PlayError",
        "Fault",
        "UnknownSystem",
        "TooManyDice",
        "BadFile",
    ),
    *(
        "CannotServe",
        "StoreError",
        "NoTable",
        "Conflict",
        "TokenReused",
        "StoreFull",
        "StoreReadOnly",
        "StoreDamaged",
    ),
    *("StoreNewer", "StoreBusy", "Problem", "Choice", "echo"),
}
"""Classes whose text reaches people. A `ValueError` and its like are for programmers."""


def sentences(node: ast.AST) -> Iterator[str]:
    """Every text with a space between words in an expression, except those named by id."""
    if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in (
        "say",
        "Phrase",
    ):
        return
    if (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.search("[A-Za-z,] [a-z]", node.value)
    ):
        yield node.value
    for child in ast.iter_child_nodes(node):
        yield from sentences(child)


@together(files())
def test_no_refusal_is_written_in_code(file: Path) -> None:
    """Refusals and offered answers have no sentence outside the catalogue."""
    written = []
    for node in nodes(file):
        name = (
            getattr(node.func, "attr", getattr(node.func, "id", ""))
            if isinstance(node, ast.Call)
            else ""
        )
        if isinstance(node, ast.Call) and name in PEOPLES:
            written += [
                text
                for one in (*node.args, *(k.value for k in node.keywords))
                for text in sentences(one)
            ]
    assert [] == written


def test_sentences_in_code_are_found() -> None:
    """The search finds whole and composed sentences, and none named by id."""
    found = {
        text: list(sentences(ast.parse(text)))
        for text in ('f("No x here.")', 'f(f"a {x} is no b.")', 'f(say("a b"))')
    }
    assert [["No x here."], [" is no b."], []] == list(found.values())


def test_uses_are_found() -> None:
    """The search finds every kind of sentence, so that it is not green by mistake."""
    found = {use.key for file in files() for use in uses(file)}
    expected = {
        "no.busy",
        "no.check",
        "no.argument.missing",
        "no.cap",
        "story.opened",
        "points.refund",
        "no.window",
    }
    assert set() == expected - found


def all_catalogues() -> Mapping[str, Words]:
    """The catalogue of each game, and the server's."""
    return {
        **{key: game.words for key, game in systems.find().items()},
        "program": Words(
            {key: text for key, text in english().items() if not key.startswith("page.")}
        ),
    }


@cache
def sayable() -> tuple[frozenset[str], tuple[re.Pattern[str], ...]]:
    """Every text in the source, and every pattern of a composed text."""
    texts, patterns = set(), set()
    for file in files_of_games():
        for node in nodes(file):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.add(node.value)
            elif isinstance(node, ast.JoinedStr):
                parts = [
                    re.escape(str(p.value)) if isinstance(p, ast.Constant) else ".+"
                    for p in node.values
                ]
                fixed = "".join(str(p.value) for p in node.values if isinstance(p, ast.Constant))
                # A pattern of any text after "no." says nothing about the reasons that exist.
                if re.fullmatch(r"[a-z_]+\.[a-z_.]*", fixed) and fixed not in ("no.", "no..remedy"):
                    patterns.add("".join(parts))
            elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "startswith":
                patterns |= {
                    re.escape(before) + ".+"
                    for before in _literals(node.args[0])
                    if before.endswith(".")
                }
            elif (
                isinstance(node, ast.Call)
                and ast.unparse(node.func) in ("answers", "r.answers")
                and node.args
            ):
                # The answers to a question stand under what it is about.
                patterns |= {re.escape(about) + r"\..+" for about in _literals(node.args[0])}
    for script in sorted(ROOT.rglob("web/static/js/**/*.js")):
        texts |= set(
            re.findall(r"[\"'`]([a-z_]+(?:\.[a-z_]+)+)[\"'`]", script.read_text(encoding="utf-8"))
        )
    for shell in ("index.html", "manifest.webmanifest"):
        texts |= set(
            re.findall(
                r"\{\{([\w.]+)\}\}", (ROOT / "web" / "static" / shell).read_text(encoding="utf-8")
            )
        )
    return frozenset(texts), tuple(re.compile(pattern) for pattern in sorted(patterns))


@cache
def asked() -> frozenset[str]:
    """Every literally requested id."""
    return frozenset(use.key for file in files_of_games() for use in uses(file))


def _sayable(key: str) -> bool:
    if key.startswith("term."):
        # The page has them all: an action says which it needs. Played below, in
        # tests/test_languages.py.
        return True
    texts, patterns = sayable()
    base = key.removesuffix(".remedy")
    before, _, last = base.rpartition(".")
    if last in CATEGORIES and _sayable(before):
        return True
    if base in texts or any(
        p.fullmatch(base) or p.fullmatch(base.removeprefix("no.")) for p in patterns
    ):
        return True
    return base in asked()


@pytest.mark.slow
@pytest.mark.parametrize("name", all_catalogues())
def test_no_sentence_is_unused(name: str) -> None:
    """The source has each id of the catalogue, or a pattern for it."""
    assert [] == sorted(key for key in all_catalogues()[name] if not _sayable(key))


@pytest.mark.parametrize("name", systems.names())
def test_patterned_sentences_have_a_subject(name: str) -> None:
    """Sentences on moves, options and remedies belong to an existing one."""
    game = systems.get(name)
    options = {option.key for option in game.options}
    houses = {
        option.key: option.values for other in systems.find().values() for option in other.options
    }
    entries = [entry for other in systems.find().values() for entry in other.sheet]
    groups = {entry.group for entry in entries} | {entry.notes.get("group") for entry in entries}
    known = {move.key for other in systems.find().values() for move in other.moves}
    for key in game.words:
        if key.startswith("story.move."):
            assert key.removeprefix("story.move.") in known, key
        if key.startswith("option."):
            option, _, value = key.removeprefix("option.").partition(".")
            assert option in houses, key
            assert not value or value in houses[option], key
        if key.startswith("value."):
            assert any(key.removeprefix("value.") in values for values in houses.values()), key
        if key.startswith("entries."):
            assert key.removeprefix("entries.") in groups, key
        if key.endswith(".remedy"):
            assert forms(game.words, key.removesuffix(".remedy")), key
    assert set() == {f"option.{key}" for key in options} - set(game.words)


@pytest.mark.parametrize("name", systems.names())
def test_every_value_and_group_has_a_word(name: str) -> None:
    """An option's value is a number or has a word, and so has each group on a sheet."""
    game = systems.get(name)
    bare = [
        (o.key, v)
        for o in game.options
        for v in o.values
        if game.choice(o.key, v) == v and not v.isdecimal()
    ]
    assert [] == bare
    assert [] == [entry.group for entry in game.sheet if game.group(entry.group) == entry.group]


@pytest.mark.parametrize("name", all_catalogues())
def test_sentences_are_complete(name: str) -> None:
    """They can be formatted with named blanks, and refusals end with punctuation."""
    for key, text in all_catalogues()[name].items():
        assert all(re.fullmatch(r"[a-z_]+", blank) for blank in blanks(text)), key
        assert text == text.strip() or key in (
            "list.or",
            "list.comma",
            "list.semicolon",
            "list.last",
            "result.and",
            "result.triumph_fails",
            "result.despair_succeeds",
        ), key
        assert "  " not in text, key
        if key.startswith("no."):
            assert text.endswith((".", "!", "?")), f"{key}: {text}"
            assert not text[0].islower(), f"{key}: {text}"


@pytest.mark.parametrize("name", systems.names())
def test_every_side_and_period_has_a_word(name: str) -> None:
    """Keys that refusals or the story put into blanks have a word in every catalogue."""
    words = systems.get(name).words
    assert {f"side.{side}" for side in ("gm", "player", "spectator")} <= set(words)
    assert {f"period.{kind}" for kind in ("session", "scene", "round")} <= set(words)


def test_formatting_fills_every_blank() -> None:
    """Blanks may have any name, and a value with braces stays as it is."""
    words = Words({"a": "{key} of {self}: {n}", "b": "{who}"})
    assert "1 of 2: 3" == words.say("a", key=1, self=2, n=3)
    assert "{n}" == words.say("b", who="{n}")
    with pytest.raises(KeyError):
        words.say("a", key=1)
    with pytest.raises(KeyError):
        words.say("c")


def test_duplicate_id_is_refused(tmp_path: Path) -> None:
    """A file with an existing sentence is an error that names it."""
    (tmp_path / "more.toml").write_text(
        '[no]\nbusy = "No."\n[new]\nkey = "Yes."\n', encoding="utf-8"
    )
    with pytest.raises(ValueError, match=r"no\.busy"):
        house_words().plus(tmp_path / "more.toml")
    added = Words({}).plus(tmp_path / "more.toml")
    assert {"no.busy": "No.", "new.key": "Yes."} == dict(added)


def test_sentence_file_is_read_on_demand() -> None:
    """It is read once by its ids' prefix; all together have each id once."""
    files = {name: read(package_file("storypool.words", f"{name}.toml")) for name in PROGRAM}
    begins = {name: {key.partition(".")[0] for key in texts} for name, texts in files.items()}
    assert {**begins, "en": set()} == {name: set(own) for name, own in PROGRAM.items()}
    assert begins["en"].isdisjoint(set().union(*PROGRAM.values()))
    assert {key: text for texts in files.values() for key, text in texts.items()} == dict(english())
    assert sum(map(len, files.values())) == len(english())
    code = (
        "import storypool.words as w; real = w.toml; seen = []\nw.toml = lambda file:"
        " seen.append(file.rpartition('/')[2]) or real(file)\nw.english()['cli.option'];"
        " 'web.nothing' in w.english(); w.english()['nothing']; w.house_words(); print(*seen)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "cli.toml web.toml en.toml" == run.stdout.strip()


@pytest.mark.parametrize("name", all_catalogues())
def test_counting_sentence_has_english_forms(name: str) -> None:
    """An id with a plural category is a form, and English has two of them."""
    words = all_catalogues()[name]
    ending = {key.rpartition(".")[0] for key in words if key.rpartition(".")[2] in CATEGORIES}
    counting = {key for key in ending if counts(words, key)}
    assert [] == [
        key for key in sorted(counting) if forms(words, key) != [f"{key}.one", f"{key}.other"]
    ]
    # An id that ends so by chance is not the form of another sentence.
    assert [] == [key for key in sorted(ending - counting) if "n" in blanks(words.get(key, ""))]


NUMBERS = (0, 1, 2, 3, 5, 11, 12, 21, 22, 100, 101, 102, 111, 1_000_000)
COUNTED = {
    "en": "other one other other other other other other other other other other other other",
    "fr": "one one other other other other other other other other other other other many",
    "pl": "many one few few many many many many few many many few many many",
    "ru": "many one few few many many many one few many one few many many",
    "cs": "other one few few other other other other other other other other other other",
    "sl": "other one two few other other other other other other one two other other",
    "lt": "other one few few few other other one few other one few other other",
    "ar": "zero one two few few many many many many other other other many other",
    "he": "other one two other other other other other other other other other other other",
    "ja": "other other other other other other other other other other other other other other",
}
"""The categories of these numbers by a browser's `Intl.PluralRules`, CLDR 48."""


@pytest.mark.parametrize("language", COUNTED)
def test_numbers_have_cldr_categories(language: str) -> None:
    """Integers have the browsers' plural category, and a language knows all of its own."""
    found = [rule(language)(n) for n in NUMBERS]
    assert COUNTED[language].split() == found
    assert [one for one in CATEGORIES if one in {*found, "other"}] == list(categories(language))
    assert "other" == Words({}, language).category("1")


def polish(folder: Path) -> Language:
    """A language with four plural categories and three sentences of its own."""
    (folder / "pl").mkdir()
    (folder / "pl" / "program.toml").write_text(
        '"odds.dice" = {few = "{n} kości", many = "{n} kostek"}\n"no.name" = "Miejsce musi mieć'
        ' nazwę."\n',
        encoding="utf-8",
    )
    (folder / "pl" / "starwars.toml").write_text(
        '[look]\nlight = {plural = "punkty", few = "punkty jasne", many = "punktów jasnych"}\n'
        '[result.triumph]\none = "jeden triumf"\nfew = "{n} triumfy"\nmany = "{n} triumfów"\n',
        encoding="utf-8",
    )
    return languages(folder).of({"language": "pl"})


def test_language_uses_its_plural_forms(tmp_path: Path) -> None:
    """A counting sentence and a pluralized word have one form for each category."""
    language = polish(tmp_path)
    game = systems.get("starwars", language)
    sayable = [game.words.say("result.triumph", n=n) for n in (1, 2, 5)]
    assert ["jeden triumf", "2 triumfy", "5 triumfów"] == sayable
    assert ["light point", "punkty jasne", "punktów jasnych"] == [
        game.word("light", n) for n in (1, 2, 5)
    ]
    assert "punkty" == game.plural("light")
    assert "23 kości" == language.program.say("odds.dice", n=23, most=100)
    assert "125 kostek" == language.program.say("odds.dice", n=125, most=100)
    # A word without an own form uses that of most numbers, in English where the language lacks it.
    assert "5 dice are too many for exact odds; take at most 1." == house_words().say(
        "odds.dice", n=5, most=1
    )
    assert "2 dark points" == f"2 {game.word('dark', 2)}"
    assert language.program["no.option"] == english()["no.option"]


def test_counting_sentence_may_have_one_form() -> None:
    """Another language's single form covers every number, with no form left over."""
    sayable = english().under(Words({"cli.faces.count": "{got} / {n}"}, "de"))
    assert ["3 / 1", "3 / 2"] == [
        sayable.say("cli.faces.count", n=n, got=3, pool="") for n in (1, 2)
    ]
    with pytest.raises(ValueError, match=r"cli\.faces\.count"):
        english().under(Words({"cli.faces.count": "{want}"}, "de"))


def test_form_has_no_unfilled_blank() -> None:
    """It may use its sentence's blanks; forms of sentences that do not count are ignored."""
    with pytest.raises(ValueError, match=r"odds\.dice\.few"):
        english().under(Words({"odds.dice.few": "{n} {zyx}"}, "pl"))
    assert "no.name.few" not in english().under(Words({"no.name.few": "x"}, "pl"))


def test_house_moves_use_house_words() -> None:
    """Refusals at every table are in the house's catalogue, for any new game."""
    assert [] == [move.key for move in house.MOVES if not move.title]
    assert {"no.session", "no.check", "no.undo.nothing", "no.proposal.none"} <= set(house_words())


@pytest.mark.parametrize("key", systems.playable())
def test_each_button_has_its_own_verb(key: str) -> None:
    """It is the title of its move: no two are equal, and none only says "send"."""
    system = systems.get(key)
    titles = [system.title(move) for move in system.by_key]
    assert sorted(set(titles)) == sorted(titles)
    assert not {"OK", "Do it", "Go", "Send", "Submit", "Save", "Confirm"} & set(titles)


@pytest.mark.parametrize("key", systems.playable())
def test_answers_start_with_capitals(key: str) -> None:
    """A game's answers to a question begin like the titles of buttons."""
    system = systems.get(key)
    turn = Turn(system, Table(system=key), Seat("gm", "GM", "gm"), "")
    asks = [ask for move in system.moves for ask in move.asks if isinstance(ask, ChoiceAsk)]
    written = [
        ask for ask in asks if getattr(ask.choices, "__qualname__", "") == answers("").__qualname__
    ]
    assert [] == [
        choice.label for ask in written for choice in ask.choices(turn) if choice.label[0].islower()
    ]


PUZZLING = {
    r"% if answered|chance\} if answered": "{n} % if the other side answers",
    r"\bRoll (against|to oppose) it\b": "Oppose it",
    r"Not now: ": "{n} more, not possible now",
    r"\bbrim\b": "The hero points are full",
    r"Apply the result|What is it, in a few words": "what the answer brings, and what it is called",
    r"besides this one": "hidden from the players, next to the open action",
    r"\{n\} set\b": "{n} from the Keeper",
    r"unless they answer": "Roll, spend no point",
    r"Held for later": "Possible after the roll",
    r"as key=number": "Numbers on the sheet",
    r"that is the bar": "which is the Difficulty now",
    r"Count the hit": "Add the hit to the track",
    r"Who is it about\?": "Which character is it for?",
    r"% (passed|won)": "{n} % to succeed",
    r"\bHopes\b": "3 Hope",
    r"Something that hurts": "a question for the name of a consequence",
    r"Whoever acted, or an ally, gets a Setback|next check, or of an ally's": (
        "the actor or an ally"
    ),
    r"whom do you make\?|^Can it be touched\?": "Target",
    r"Nothing to choose from yet": "There is nothing to choose yet for the question",
    r"spent much Threat|moves no pool|on the way to defeat": "what happened, with its number",
    r"\((seed|srd|immediate_only)\)": "what the house rule decides",
    r"follows of itself": "automatically",
    r"at least so much": "at least this much",
    r"roll later|Pass and roll": "what is not spent, and when the dice fall",
    r"a second asset": "nothing: 2 Momentum move an asset one zone further",
}
"""Patterns that puzzled first-time players or match no move, with replacements."""


def puzzles(texts: Iterable[str]) -> list[tuple[str, str]]:
    """The puzzling texts, with replacements."""
    return [
        (text, better) for text in texts for was, better in PUZZLING.items() if re.search(was, text)
    ]


@pytest.mark.parametrize("key", systems.names())
def test_no_text_has_a_puzzling_phrase(key: str) -> None:
    """It is in no sentence, button, question or rule of a game or of the page."""
    game = systems.get(key)
    titles = (panel.title for panel in game.panels)
    odds = (f"{{n}} % {look.word}" for look in game.look.values())
    page = systems.folder(key).joinpath("reference.md").read_text(encoding="utf-8")
    assert [] == puzzles(
        [*titles, *odds, *game.words.values(), *english().values(), *page.splitlines()]
    )


def test_puzzling_phrases_are_found() -> None:
    """The search finds each of them."""
    sayable = ["65 % if answered", "Not now: 7", "59 % passed", "DC 3: {n} set", "Count the hit"]
    assert sayable == [text for text, _ in puzzles(sayable)]
