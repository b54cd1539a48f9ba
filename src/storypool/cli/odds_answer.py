"""The output of `storypool odds`: the exact odds of a pool, as text, as a picture, or as JSON."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from storypool import systems
from storypool.cli import arguments, output
from storypool.engine.refusal import Refusal, Refused
from storypool.odds.display import bar, carries
from storypool.odds.question import OddsShown, Question, Reckoned, terms_of, text, within_limits
from storypool.words import Phrase
from storypool.words.languages import Language, Languages
from storypool.worth.showing import Kind, picture, title

if TYPE_CHECKING:
    from storypool.cli.what_if import WhatIf

BAR = 30
"""The width of the longest bar, in characters."""
RARE = Fraction(1, 2000)
"""Numbers at either end of an axis that are rarer than this are omitted in the terminal."""


def answer(
    languages: Languages,
    system: str,
    pool: Sequence[str],
    against: str = "",
    compare: str = "",
    svg: str = "",
    kind: Kind | None = None,
    axes: Sequence[str] = (),
    what_if: bool = False,
    as_json: bool = False,
) -> int:
    """Print the odds of a pool with its terms, or draw them into `svg`; return the exit code."""
    dice, terms = terms_of(pool)
    if svg:
        output.writable(svg, "svg")
    found = reckon(system, dice, terms, against)
    other = None
    if compare:
        second, more = terms_of(compare.split())
        other = reckon(
            system, second or dice, terms | more, against, "compare" if second else "pool"
        )
    if svg:
        output.one_output(svg, as_json=as_json)
        drawn = picture(found, other, kind, axes, languages.default).svg()
        output.write(svg, drawn, "svg")
    elif kind or axes:
        raise Refused(Refusal.of("argument", Phrase("picture.file.alone")))
    would = _what_if(system, found.question, languages.default) if what_if else None
    if as_json:
        import json

        additions = ({"compare": other.plain()} if other else {}) | (
            {"what_if": would.plain()} if would else {}
        )
        print(json.dumps(found.plain() | additions))
    elif svg != output.OUTPUT:
        with within_limits():
            lines = _lines(found, languages.default)
            if other:
                lines += _lines(other, languages.default)
        print("\n".join(lines))
        if would:
            print("\n".join(would.lines()))
    return 0


def reckoned(key: str, pool: str, terms: Mapping[str, str], against: str = "") -> OddsShown:
    """The odds of a pool in a game's notation as plain data; `Refused` as for `reckon`."""
    return reckon(key, pool, terms, against).plain()


def reckon(
    key: str, pool: str, terms: Mapping[str, str], against: str = "", field: str = "pool"
) -> Reckoned:
    """The odds of a pool in a game's notation; `Refused` for a bad pool or an unknown term."""
    notation = arguments.dice(key).NOTATION
    mine = arguments.pool_of(notation, pool, field)
    theirs = arguments.pool_of(notation, against, "against") if against else None
    return systems.odds(key).reckon(Question(mine, terms, theirs))


def _what_if(key: str, question: Question, language: Language) -> WhatIf:
    # It needs the rules of the game, which odds alone do not import.
    from storypool.cli.what_if import WhatIf

    return WhatIf(key, question, language)


def _lines(of: Reckoned, language: Language) -> list[str]:
    """The odds as lines to read: every outcome, the distribution of the first axis, the means."""
    joint, words, blocks = of.distribution, language.program, carries(sys.stdout.encoding)
    axis = joint.axes[0]
    means = {of.called(name): joint.mean(name) for name in joint.axes} | dict(of.means)
    outcomes = of.labelled().outcomes
    wide = max(map(len, (*outcomes, *means)))
    lines = [title(of, language)]
    for name, share in outcomes.items():
        lines.append(
            f"  {name:{wide}} {float(share):7.2%}  {bar(share, BAR, blocks):{BAR}}  {text(share)}"
        )
    lines.append(words.say("picture.exactly", axis=of.called(axis)))
    shares = {n: share for (n,), share in joint.on(axis).joint()}
    most = max(shares.values())
    for n in _shown_range(shares):
        share = shares.get(n, Fraction(0))
        lines.append(f"  {n:{wide}} {float(share):7.2%}  {bar(share / most, BAR, blocks)}".rstrip())
    lines.append(words["picture.average"])
    lines += [f"  {name:{wide}} {float(mean):7.3f}  {text(mean)}" for name, mean in means.items()]
    if of.in_words and of.assumed:
        typed = " ".join(f"{key}={value}" for key, value in of.assumed.items())
        lines.append(words.say("picture.typed", terms=typed))
    return lines


def _shown_range(shares: Mapping[int, Fraction]) -> range:
    """The numbers worth a line: from the first to the last that is not too rare."""
    seen = [n for n, share in shares.items() if share >= RARE]
    return range(seen[0], seen[-1] + 1)
