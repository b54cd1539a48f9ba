"""Play the questions of docs/tuning and write docs/tuning.md: `python -m tools.tuning`.

The questions are in docs/tuning/questions.toml, the numbers in docs/tuning/figures.json, from which
the page is made; a test holds the two together. With the names of questions only those are played
again.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from storypool import systems
from storypool.lab import Evening, Setting, Study, evening, play
from storypool.lab.estimates import Estimate
from storypool.lab.report import SHARES
from storypool.pictures.bands import bands
from tools.sentences import laid_out

ROOT = Path(__file__).resolve().parent.parent
PAGE, FOLDER = ROOT / "docs" / "tuning.md", ROOT / "docs" / "tuning"
SEED = 7

Figures = dict[str, dict[str, Estimate]]
"""The means of a question, by case and measure."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """One way to play the evening of a question: options, policies, and its cut into scenes."""

    name: str
    options: Mapping[str, str] = field(default_factory=dict)
    players: str = ""
    gm: str = ""
    scenes: int = 0
    actions: int = 0


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question about an economy; docs/tuning/questions.toml says what each part is."""

    title: str
    asked: str
    command: str
    game: str
    evenings: int
    apart: Sequence[str]
    pool: str
    pictured: Sequence[str]
    answer: str
    cases: Mapping[str, Case]
    measures: Mapping[str, str]
    evening: str = "hard"

    def played_in(self, case: Case) -> Evening:
        """The evening of a case."""
        name = str(ROOT / self.evening) if self.evening.endswith(".toml") else self.evening
        whole = evening(self.game, name)
        return replace(
            whole, scenes=case.scenes or whole.scenes, actions=case.actions or whole.actions
        )


def questions() -> dict[str, Question]:
    """Every question by its name."""
    questions: dict[str, dict[str, Any]] = tomllib.loads(
        (FOLDER / "questions.toml").read_text(encoding="utf-8")
    )
    found = {}
    for key, one in questions.items():
        cases = {name: Case(**case) for name, case in one["cases"].items()}
        found[key] = Question(**{**one, "cases": cases})
    return found


def studied(question: Question, n: int = 0, cores: int = 1) -> dict[str, Study]:
    """A study of each case, with the same luck."""
    found = {}
    for name, case in question.cases.items():
        setting = Setting(case.options, case.players, case.gm)
        [found[name]] = play(
            question.played_in(case), n or question.evenings, SEED, (setting,), cores
        )
    return found


def figures(question: Question, studies: Mapping[str, Study]) -> Figures:
    """The measures of a question, case by case."""
    found = {}
    for name, study in studies.items():
        estimates = study.estimates()
        found[name] = {measure: estimates[measure] for measure in question.measures}
    return found


def differ(question: Question, found: Figures) -> bool:
    """Whether the intervals of the answer are apart."""
    measure = next(iter(question.measures))
    answers = sorted((found[name][measure] for name in question.apart), key=lambda one: one.mean)
    return all(one.high < two.low for one, two in pairwise(answers))


def picture(question: Question, studies: Mapping[str, Study]) -> str:
    """A pool under two cases of a question as SVG."""
    shown = {
        question.cases[name].name: studies[name].bands(question.pool) for name in question.pictured
    }
    pool = capital(systems.get(question.game).plural(question.pool))
    return bands(pool, pool, shown).svg()


def capital(text: str) -> str:
    """A word as the beginning of a title."""
    return text[:1].upper() + text[1:]


HEAD = """# Tuning an economy

What does a cap do, a price, a rule about when points come back? The lab plays evenings by the real
rules and answers with an interval. Here are five questions, one for each game, as a designer would
ask them. `python -m tools.tuning` makes this page: every number and picture comes from the lab,
from seed {seed}. An interval holds the true number in 95 cases of 100; where two of them do not
touch, there is a difference. What the policies leave out is in [the lab](lab.md): nobody
roleplays, and nobody spends because a scene deserves it.
"""

TAIL = """## Your own question

Ask what should be different, pick the measure, and only then play. When the interval is too wide,
play more evenings; when the difference is smaller than anybody would feel at a table, stop. The
same from Python: an evening is data, so it can be cut differently, and a setting is options and
policies. Two settings of the same evening have the same luck, so a difference shows with few
evenings.

```python
>>> from dataclasses import replace
>>> from storypool.lab import Report, Setting, evening, play
>>> shorter = replace(evening("starwars", "hard"), scenes=2)
>>> spends, sits = play(shorter, 12, seed=7, settings=(Setting(), Setting(gm="never")))
>>> one, two = (study.estimates()["locked.players"] for study in (spends, sits))
>>> one.high < two.low
True
>>> change = spends.differences(sits)["locked.players"]
>>> change.n, change.differs
(12, True)
>>> print(Report([spends, sits]).csv().splitlines()[0])
setting,kind,name,mean,low,high,evenings

```

What is measured has a name: `passed`, `touched` (actions on which a side spends), `worth` (what a
point changes, where only that side spends), `locked`, `locks` and `longest_lock` of the `players`
and the `gm`; `changed`; and for each pool `mean`, `end`, `gained`, `spent`, `faded`, `lost` and
`overflows`.

```python
>>> sorted(name.removesuffix(".light") for name in spends.measured() if name.endswith(".light"))
['end', 'faded', 'gained', 'lost', 'mean', 'overflows', 'spent']
>>> spends.bands("light")[0]
(0, 2, 5)

```
"""


def page(found: Mapping[str, Figures]) -> str:
    """The chapter, as Markdown, from the figures of each question."""
    parts = [HEAD.format(seed=SEED)]
    for key, question in questions().items():
        own = found[key]
        command = (
            f"storypool lab play {question.command} --evenings {question.evenings} --seed {SEED}"
        )
        parts += [
            f"## {question.title}\n\n{question.asked.strip()}\n",
            f"```\n{command}\n```\n",
            _table(question, own),
        ]
        parts.append(f"Means of {question.evenings} evenings, with the ends of their intervals.\n")
        parts.append(f"![{question.title}](tuning/{key}.svg)\n\n{_answer(question, own).strip()}\n")
    return laid_out("\n".join([*parts, TAIL]))


def _table(question: Question, found: Figures) -> str:
    lines = [["", *question.measures.values()]]
    for name, measures in found.items():
        cells = (_cell(measure, one) for measure, one in measures.items())
        lines.append([question.cases[name].name, *cells])
    texts = [f"| {' | '.join(line)} |" for line in lines]
    return "\n".join([texts[0], f"|---|{'--:|' * len(question.measures)}", *texts[1:]]) + "\n"


def _answer(question: Question, found: Figures) -> str:
    def filled(place: re.Match[str]) -> str:
        one = found[place[1]][place[2]]
        if not _is_share(place[2]):
            return f"{one.mean:.1f}"
        places = 0 if one.mean >= 0.1 else 1
        return f"{100 * one.mean:.{places}f} %"

    return re.sub(r"{(\w+)\.([\w.]+)}", filled, question.answer)


def _cell(measure: str, one: Estimate) -> str:
    ends = (one.mean, one.low, one.high)
    if _is_share(measure):
        mean, low, high = (f"{100 * n:.1f}" for n in ends)
        return f"{mean} % ({low} to {high})".replace("-", "−")
    mean, low, high = (f"{n:.2f}" for n in ends)
    return f"{mean} ({low} to {high})".replace("-", "−")


def _is_share(measure: str) -> bool:
    return measure.partition(".")[0] in SHARES


def kept() -> dict[str, Figures]:
    """The figures that were written last."""
    written = json.loads((FOLDER / "figures.json").read_text(encoding="utf-8"))
    found = dict[str, Figures]()
    for key, cases in written.items():
        found[key] = {name: _read(own) for name, own in cases.items()}
    return found


def _read(own: Mapping[str, Sequence[Any]]) -> dict[str, Estimate]:
    return {measure: Estimate(*one) for measure, one in own.items()}


def main(names: Sequence[str]) -> int:
    """Play all or these questions and write the chapter; the exit code is 1 if intervals touch."""
    found, touching = kept(), 0
    for key, question in questions().items():
        if names and key not in names:
            continue
        studies = studied(question, cores=2)
        found[key] = figures(question, studies)
        (FOLDER / f"{key}.svg").write_text(picture(question, studies), encoding="utf-8")
        differs, seconds = (
            differ(question, found[key]),
            sum(study.seconds for study in studies.values()),
        )
        touching += not differs
        touch = "do not touch" if differs else "touch"
        print(
            f"{key}: {seconds:.0f} s, the intervals {touch}",
            flush=True,
        )
        _keep(found)
    PAGE.write_text(page(found), encoding="utf-8")
    return int(touching > 0)


def _keep(found: Mapping[str, Figures]) -> None:
    plain = {}
    for key, cases in found.items():
        plain[key] = {name: _plain(own) for name, own in cases.items()}
    (FOLDER / "figures.json").write_text(json.dumps(plain, indent=1) + "\n", encoding="utf-8")


def _plain(own: Mapping[str, Estimate]) -> dict[str, list[float | None]]:
    return {measure: [one.mean, one.margin, one.n] for measure, one in own.items()}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
