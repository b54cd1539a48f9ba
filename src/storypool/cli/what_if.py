"""The effect of each side's offers on the odds of a pool, at a temporary table."""

from collections import Counter
from collections.abc import Iterator

from storypool import play, systems
from storypool.engine.game.system import System
from storypool.engine.refusal import Refusal, Refused
from storypool.engine.table import Purse, Table
from storypool.odds.question import SIDES, Question, Worth
from storypool.systems import game_stakes
from storypool.web.wire import plain
from storypool.words import Phrase, Words
from storypool.words.languages import ENGLISH, Language
from storypool.worth.weighing import Weighed, weighed


class WhatIf:
    """A question as a player's open action, with points on both sides, weighed for both sides.

    `Refused` for a game without stakes, and if no action of the game asks this question.
    """

    def __init__(self, key: str, question: Question, language: Language = ENGLISH) -> None:
        self.words = language.program
        scene = game_stakes.scene(key, question)
        if scene is None:
            raise _no("game")
        self.system: System = systems.get(key, language)
        self.table = _played(scene, language)
        self.sides: dict[str, Weighed] = {
            side: weighed(self.system, self.table, seat) for seat, side in SIDES
        }
        odds = self.sides["player"].odds
        if odds is None or odds.outcomes != systems.odds(key).reckon(question).outcomes:
            raise _no("question")

    def plain(self) -> dict[str, list[dict[str, object]]]:
        """Plain data: for each side the same `worth` as `GET /api/tables/{id}/odds`."""
        return {side: plain(found.worth) for side, found in self.sides.items()}

    def lines(self) -> Iterator[str]:
        """Lines to read: each side's offers, prices, and chances before, after and answered."""
        shown = set[tuple[str, ...]]()
        for side, found in self.sides.items():
            priced = sorted(found.worth, key=lambda one: not one.price)
            all_rows = [
                (self._offer(one), self._price(one), *_changes(one, self.words)) for one in priced
            ]
            # Omit the rows of another player that equal those of the acting one.
            rows = [row for row in all_rows if side != "other" or row not in shown]
            shown |= set(all_rows)
            if not rows:
                continue
            yield self.words[f"whatif.{side}"]
            widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
            for offer, price, change, left in rows:
                yield (
                    f"  {offer:{widths[0]}}  {price:{widths[1]}}  {change:{widths[2]}}  {left}"
                ).rstrip()

    def _offer(self, one: Worth) -> str:
        # An amount that is paid by adding to a pool is shown with the price.
        answers = [
            str(value)
            for name, value in one.args.items()
            if value != "-" and Purse(name) not in one.adds
        ]
        title = self.system.title(one.move)
        return f"{title}: {', '.join(answers)}" if answers else title

    def _price(self, one: Worth) -> str:
        price = (f"{n} {self.system.word(purse.account, n)}" for purse, n in one.price.items())
        gained = Counter[str]()
        for purse, n in one.adds.items():
            gained[purse.account] += n
        added = (f"+{n} {self.system.word(account, n)}" for account, n in gained.items())
        return ", ".join((*price, *added))


def _changes(one: Worth, words: Words) -> tuple[str, str]:
    before, after = (next(iter(odds.values())) for odds in (one.before, one.after))
    if one.of == "amount":
        return f"{float(before):g} → {float(after):g}", ""
    left = "" if one.answered is None else f"{float(next(iter(one.answered.values()))):.2%}"
    return f"{float(before):.2%} → {float(after):.2%}", left and words.say(
        "whatif.answered", chance=left
    )


def _played(text: str, language: Language) -> Table:
    performance = play.Performance(play.read(text, "what-if"), language=language)
    for step in performance.steps():
        if step.refusal is not None:
            raise Refused(step.refusal)
        if step.problem is not None:
            raise _no("question")
    return performance.table


def _no(key: str) -> Refused:
    return Refused(Refusal.of("argument", Phrase(f"whatif.{key}"), "pool"))
