"""Valid names of a file, and the words that people read for names and answers."""

from __future__ import annotations

import keyword
import re
import tomllib

import pytest

from storypool import systems
from storypool.gamefile.authoring.format_schema import key_lines
from storypool.gamefile.compiled import compiled
from storypool.gamefile.file_format.expression_parser import parse
from storypool.gamefile.file_format.expressions import ExpressionError, Scope, Value
from storypool.gamefile.file_format.row_checks.given_names import RESERVED
from storypool.odds.question import Question
from storypool.play import LocalTable
from tests.gamefile.conftest import ONE_DIE, Write, head, mistakes, sit

WORN = (
    head("worn")
    + ONE_DIE
    + """
[sheet.skills]
title = "Skills"
default = 2
entries = { lift = "Heavy lifting", look = "Sharp eyes" }
[trait.tool]
word = "Tool"
of = "character"
by = "player"
[trait.scrap]
word = "Scrap"
of = "character"
by = "rules"
[[action.asks]]
name = "how"
label = "How?"
choices = { slow = "Slowly", quick = "In a hurry" }
[[action.asks]]
name = "tool"
label = "With which tool?"
trait = ["tool"]
needed = false
[[action.asks]]
name = "whom"
label = "For whom?"
character = "any"
needed = false
[[outcome]]
key = "done"
when = "best > 0"
words = "Done {how} with {tool} for {whom}."
[[outcome]]
key = "missed"
words = "Missed."
[[move]]
key = "wreck"
title = "Wreck a tool"
who = "player"
only = "traits(tool) > 0"
asks = [{ name = "what", label = "Which?", trait = "tool" }]
do = [{ make = "scrap", of = "mover", text = "what" }, { end = "what" }]
[[move]]
key = "blame"
title = "Blame"
who = "gm"
asks = [{ name = "whom", label = "Whom?", character = "any" }]
do = [{ make = "scrap", of = "whom", text = "whom" }]
"""
)


@pytest.fixture
def worn(write: Write) -> LocalTable:
    """A table of tools where Ann plays Kit."""
    return sit(systems.get(write(WORN)))


def test_statement_uses_words_of_another(worn: LocalTable) -> None:
    """For a question about a statement or character its words or name are used, never an id."""
    worn.make("mona", "move.tool_new", {"whom": "kit", "text": "A brass lantern"})
    (tool,) = worn.state.of_kind("tool")
    worn.make("ann", "move.wreck", {"as": "kit", "what": tool.id})
    worn.make("mona", "move.blame", {"whom": "kit"})
    assert ["A brass lantern", "Kit"] == [one.text for one in worn.state.of_kind("scrap")]


def test_sentence_names_answers_in_words(worn: LocalTable) -> None:
    """Results and an action's log name choices, statements and characters by their titles."""
    worn.make("mona", "move.tool_new", {"whom": "kit", "text": "A brass lantern"})
    (tool,) = worn.state.of_kind("tool")
    worn.make("ann", "check.declare", {"as": "kit", "how": "quick", "tool": tool.id, "whom": "kit"})
    assert not re.search(r"\bt\d", "\n".join(worn.sentences("ann")))
    assert "A brass lantern" in list(worn.sentences("ann"))[-1]
    worn.make("ann", "check.roll", {"faces": (4,)})
    (action,) = worn.state.checks.values()
    assert action.outcome is not None
    assert "Done In a hurry with A brass lantern for Kit." == action.outcome.words


def test_character_named_like_an_id_is_found(worn: LocalTable) -> None:
    """A question for a character prefers that character to a statement with the same id."""
    worn.make("mona", "move.tool_new", {"whom": "kit", "text": "A brass lantern"})
    (tool,) = worn.state.of_kind("tool")
    worn.make("mona", "character.add", {"name": tool.id})
    worn.make("mona", "move.blame", {"whom": tool.id})
    assert [(tool.id, tool.id)] == [(one.about, one.text) for one in worn.state.of_kind("scrap")]


@pytest.mark.parametrize(
    "word", sorted({*keyword.kwlist, *keyword.softkwlist} - {"True", "False", "None", "_"})
)
def test_program_words_are_valid_names(word: str) -> None:
    """Only words with a meaning in a file are reserved, in keys as in expressions."""
    text = WORN.replace("wreck", word).replace('"how"', f'"{word}"').replace("{how}", f"{{{word}}}")
    text = text.replace("best > 0", f"best > 0 and {word} != 'slow'").replace('"done"', f'"{word}"')
    text = text.replace("highest = 1 }", f"highest = 1 }}, {word}x = {{ highest = 1 }}")
    if word in RESERVED:
        assert mistakes(text)
        return
    assert f"move.{word}" in compiled(text).system.by_key


def test_rung_may_be_named_pass() -> None:
    """The chance of success then has another name, and both are right."""
    text = WORN.replace('key = "done"', 'key = "pass"\npassed = true').replace(
        "best > 0", "best > 4"
    )
    fine = (
        'key = "fine"\nwhen = "best > 3"\nwords = "Fine."\npassed = true\n[[outcome]]\nkey ='
        ' "missed"'
    )
    text = text.replace('key = "missed"', fine)
    game = compiled(text)
    found = game.reckon(Question(game.usual_pool)).outcomes
    assert {"passed": "1/2", "pass": "1/3", "fine": "1/6", "missed": "1/2"} == {
        k: str(v) for k, v in found.items()
    }
    assert "passed" in game.system.look


class AnyScope(Scope):
    """A scope where every name is 1."""

    def value(self, name: str) -> Value:
        """The value 1."""
        return 1

    def call(self, function: str, about: tuple[str, ...]) -> int:
        """The result 1."""
        return 1


def test_key_examples_are_valid() -> None:
    """Every example on the page of keys is valid TOML, and its expressions can be parsed."""
    read = 0
    for _, lines in key_lines():
        for line in lines:
            if line.example.startswith("["):
                continue
            value = tomllib.loads(f"x = {line.example.replace('...', '1')}")["x"]
            if "expression" in line.holds:
                for text in value.values() if isinstance(value, dict) else [value]:
                    assert parse(str(text))(AnyScope()) is not None
                    read += 1
    assert read > 15


def test_keyword_misuse_in_expressions_is_refused() -> None:
    """Keywords are not names, and unsupported syntax is refused in the format's terms."""
    for text in ("if + 1", "x in y", "with and", "lambda: 1", "[x for x in y]"):
        with pytest.raises(ExpressionError) as wrong:
            parse(text)
        assert "Z" not in str(wrong.value)


@pytest.mark.parametrize("name", ["actor", "mover", "each", "gm"])
def test_question_may_not_use_a_row_keyword(name: str) -> None:
    """A row of `of = "actor"` would mean the actor, not the author's answer."""
    (wrong,) = mistakes(
        WORN.replace('name = "what"', f'name = "{name}"').replace('= "what"', f'= "{name}"')
    )
    assert f"“{name}” has a meaning of its own" in str(wrong.what)
