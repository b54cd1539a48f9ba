"""What may be a name in a file, and what people read where a file says a name or an answer."""

from __future__ import annotations

import keyword
import re
import tomllib

import pytest

from storypool import systems
from storypool.gamefile.authoring.format_schema import key_lines
from storypool.gamefile.compiled import compiled
from storypool.gamefile.file_format.expressions import ExpressionError, Scope, Value, parse
from storypool.gamefile.names import RESERVED
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
when = "tool != 't1' and best > 0"
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


def test_a_statement_is_made_with_the_words_of_another(worn: LocalTable) -> None:
    """Where a question means a statement or a character, its words or name are written, and never
    an id.
    """
    worn.make("mona", "move.tool_new", {"whom": "kit", "text": "A brass lantern"})
    (tool,) = worn.state.of_kind("tool")
    worn.make("ann", "move.wreck", {"as": "kit", "what": tool.id})
    worn.make("mona", "move.blame", {"whom": "kit"})
    assert ["A brass lantern", "Kit"] == [one.text for one in worn.state.of_kind("scrap")]


def test_a_sentence_says_answers_as_people_read_them(worn: LocalTable) -> None:
    """A result and the log of an action name choices, statements and characters by what they are
    called.
    """
    worn.make("mona", "move.tool_new", {"whom": "kit", "text": "A brass lantern"})
    (tool,) = worn.state.of_kind("tool")
    worn.make("ann", "check.declare", {"as": "kit", "how": "quick", "tool": tool.id, "whom": "kit"})
    assert not re.search(r"\bt\d", "\n".join(worn.sentences("ann")))
    assert "A brass lantern" in list(worn.sentences("ann"))[-1]
    worn.make("ann", "check.roll", {"faces": (4,)})
    (action,) = worn.state.checks.values()
    assert action.outcome is not None
    assert "Done In a hurry with A brass lantern for Kit." == action.outcome.words


def test_a_character_called_like_an_id_is_meant(worn: LocalTable) -> None:
    """A character whose id is also that of a statement is the one whom a question for a character
    means.
    """
    worn.make("mona", "move.tool_new", {"whom": "kit", "text": "A brass lantern"})
    (tool,) = worn.state.of_kind("tool")
    worn.make("mona", "character.add", {"name": tool.id})
    worn.make("mona", "move.blame", {"whom": tool.id})
    assert [(tool.id, tool.id)] == [(one.about, one.text) for one in worn.state.of_kind("scrap")]


@pytest.mark.parametrize(
    "word", sorted({*keyword.kwlist, *keyword.softkwlist} - {"True", "False", "None", "_"})
)
def test_words_of_programs_are_names(word: str) -> None:
    """Only words that mean something in a file are taken; others are names, in keys as in
    expressions.
    """
    text = WORN.replace("wreck", word).replace('"how"', f'"{word}"').replace("{how}", f"{{{word}}}")
    text = text.replace("best > 0", f"best > 0 and {word} != 'slow'").replace('"done"', f'"{word}"')
    text = text.replace("highest = 1 }", f"highest = 1 }}, {word}x = {{ highest = 1 }}")
    if word in RESERVED:
        assert mistakes(text)
        return
    assert f"move.{word}" in compiled(text).system.by_key


def test_a_rung_may_be_called_pass() -> None:
    """The chance to succeed has another name then, and both are right."""
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
    """Knows every name as 1."""

    def value(self, name: str) -> Value:
        """Return 1."""
        return 1

    def call(self, function: str, about: tuple[str, ...]) -> int:
        """Return 1."""
        return 1


def test_examples_of_the_keys_can_be_written() -> None:
    """Every example on the page of keys is TOML, and those of expressions can be read."""
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


def test_an_expression_without_its_words_is_refused() -> None:
    """Words of the language are none of its names, and what it does not have is refused in its own
    terms.
    """
    for text in ("if + 1", "x in y", "with and", "lambda: 1", "[x for x in y]"):
        with pytest.raises(ExpressionError) as wrong:
            parse(text)
        assert "Z" not in str(wrong.value)


@pytest.mark.parametrize("name", ["actor", "mover", "each", "gm"])
def test_no_question_is_called_as_whom_a_row_means(name: str) -> None:
    """A row of `of = "actor"` would mean the actor where its author means the answer."""
    (wrong,) = mistakes(
        WORN.replace('name = "what"', f'name = "{name}"').replace('= "what"', f'= "{name}"')
    )
    assert f"“{name}” has a meaning of its own" in str(wrong.what)
