"""The results of a study, as text, CSV, plain data, pictures, or a self-contained page."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from storypool import systems
from storypool.engine.game.system import System
from storypool.lab.estimates import Estimate
from storypool.lab.playing import Setting
from storypool.lab.study import Study
from storypool.pictures.bands import bands
from storypool.pictures.charts import Picture
from storypool.pictures.leaflet import Leaf, Leaflet
from storypool.words.languages import ENGLISH, Language

SHARES = ("passed", "touched", "changed", "worth", "locked")
"""The measures that are shares, shown in percent."""
COLUMNS = 5
"""The approximate number of columns in a table of the pools."""


class Report:
    """One study, or two that are compared, in words."""

    def __init__(self, studies: Sequence[Study], language: Language = ENGLISH) -> None:
        self.studies, self.language, self.words = studies, language, language.program
        self.first = studies[0]
        self.system: System = systems.get(self.first.evening.system, language)
        self.names = [self.words["lab.first"], self.words["lab.second"]][: len(studies)]

    @property
    def title(self) -> str:
        """The game and the evening."""
        return self.words.say("lab.title", game=self.system.name, evening=self.first.evening.title)

    def lines(self) -> Iterator[str]:
        """The evening, the settings, and the duration."""
        first, say = self.first, self.words.say
        evenings = say("lab.evenings", n=len(first.rows))
        yield (
            say("lab.about", evenings=evenings, actions=first.evening.length, seed=first.seed) + "."
        )
        for name, study in zip(self.names, self.studies, strict=True):
            setting = self._setting(study.setting, study)
            yield f"{name}: {setting}" if len(self.studies) > 1 else setting
        if len(first.rows) < first.wanted:
            yield say("lab.stopped", played=len(first.rows), wanted=first.wanted)
        rows = [row for study in self.studies for row in study.rows]
        if rows and first.seconds:
            actions = len(rows) * first.evening.length
            yield say(
                "lab.speed",
                seconds=f"{first.seconds:.1f}",
                rate=f"{len(rows) / first.seconds:.1f}",
                action=f"{1000 * sum(row.seconds for row in rows) / actions:.2f}",
                moves=f"{sum(row.moves for row in rows) / actions:.1f}",
            )

    def sheets(self) -> Iterator[Leaf]:
        """The tables of numbers."""
        if not self.first.rows:
            return
        yield from (
            self._pools(study, name) for name, study in zip(self.names, self.studies, strict=True)
        )
        if len(self.studies) > 1:
            yield self._compared()
        else:
            yield self._measures()
        yield from (
            self._flows(study, name) for name, study in zip(self.names, self.studies, strict=True)
        )

    def pictures(self) -> Iterator[Picture]:
        """A picture of each pool over the evening."""
        if not self.first.rows:
            return
        for pool in self.first.pools:
            name = self._pool(pool)
            settings = {"": self.first.bands(pool)}
            if len(self.studies) > 1:
                settings = {
                    self._setting(one.setting, one): one.bands(pool) for one in self.studies
                }
            yield bands(self.words.say("lab.picture", pool=name), name, settings, self.language)

    def leaflet(self) -> Leaflet:
        """The whole report as one leaflet."""
        pictures = tuple(one.svg() for one in self.pictures())
        return Leaflet(
            self.title, tuple(self.lines()), tuple(self.sheets()), pictures, self.words.language
        )

    def text(self) -> str:
        """The whole report as text in columns."""
        return self.leaflet().text()

    def html(self) -> str:
        """The whole report as one self-contained page, without scripts or fonts."""
        return self.leaflet().html()

    def csv(self) -> str:
        """A line for each number: its setting, name, mean, interval, and number of evenings."""
        file = io.StringIO()
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(["setting", "kind", "name", "mean", "low", "high", "evenings"])
        for name, study in zip(self.names, self.studies, strict=True):
            for measure, one in study.estimates().items():
                lines.writerow([name, "measure", measure, *_cells(one)])
            for flow, one in study.flows().items():
                lines.writerow([name, "flow", "/".join(flow), *_cells(one)])
            evenings = len(study.rows)
            for pool in study.pools if evenings else ():
                for n, (low, middle, high) in enumerate(study.bands(pool)):
                    lines.writerow([name, "band", f"{pool}/{n}", middle, low, high, evenings])
        for measure, one in self._differences().items():
            lines.writerow(["-".join(reversed(self.names)), "measure", measure, *_cells(one)])
        return file.getvalue()

    def data(self) -> dict[str, Any]:
        """The whole report as plain data."""
        first = self.first
        return {
            "system": first.evening.system,
            "evening": first.evening.key,
            "actions": first.evening.length,
            "seed": first.seed,
            "evenings": len(first.rows),
            "wanted": first.wanted,
            "seconds": round(first.seconds, 3),
            "settings": [_study(study) for study in self.studies],
            "differences": {name: _data(one) for name, one in self._differences().items()},
        }

    # Parts.

    def _differences(self) -> Mapping[str, Estimate]:
        if len(self.studies) > 1:
            return self.first.differences(self.studies[1])
        return {}

    def _setting(self, setting: Setting, study: Study) -> str:
        say, options = (
            self.words.say,
            ", ".join(f"{key}={value}" for key, value in setting.options.items()),
        )
        if options:
            changed = say("lab.changed", options=options)
        else:
            changed = self.words["lab.usual"]
        players, gm = (
            setting.players or study.evening.players.policy,
            setting.gm or study.evening.gm.policy,
        )
        return say("lab.setting", players=players, gm=gm, options=changed)

    def _pool(self, pool: str) -> str:
        name = self.system.plural(pool)
        return name[:1].upper() + name[1:]

    def _named(self, title: str, name: str) -> str:
        if len(self.studies) > 1:
            return f"{title} ({name})"
        return title

    def _pools(self, study: Study, name: str) -> Leaf:
        length = study.evening.length
        at = sorted({round(i * length / (COLUMNS - 1)) for i in range(COLUMNS)})
        say = self.words.say
        head = (self.words["lab.head.pool"], *(say("lab.head.after", n=n) for n in at))
        rows = []
        for pool in study.pools:
            found, row = study.bands(pool), [self._pool(pool)]
            for n in at:
                low, middle, high = map("{:g}".format, found[n])
                row.append(say("lab.band", low=low, middle=middle, high=high))
            rows.append(tuple(row))
        return Leaf(self._named(self.words["lab.table.pools"], name), head, tuple(rows))

    def _measures(self) -> Leaf:
        words = self.words
        head = (words["lab.head.measure"], words["lab.head.mean"], words["lab.head.margin"])
        rows = []
        for name, one in self.first.estimates().items():
            if _worth(name, one):
                rows.append((self._measure(name), *_mean_in_words(name, one)))
        return Leaf(words["lab.table.measures"], head, tuple(rows))

    def _compared(self) -> Leaf:
        words, (one, two) = self.words, [study.estimates() for study in self.studies]
        head = (
            words["lab.head.measure"],
            *self.names,
            words["lab.head.change"],
            words["lab.head.margin"],
        )
        rows = []
        for name, change in self._differences().items():
            if _worth(name, one[name]) or _worth(name, two[name]):
                differs = words["lab.yes" if change.differs else "lab.no"]
                means = (_mean_in_words(name, one[name])[0], _mean_in_words(name, two[name])[0])
                rows.append(
                    (
                        self._measure(name),
                        *means,
                        *_mean_in_words(name, change, signed=True),
                        differs,
                    )
                )
        return Leaf(words["lab.table.compared"], (*head, words["lab.head.differs"]), tuple(rows))

    def _flows(self, study: Study, name: str) -> Leaf:
        words = self.words
        head = tuple(
            words[f"lab.head.{part}"] for part in ("pool", "kind", "source", "mean", "margin")
        )
        rows = []
        for flow, one in study.flows().items():
            if flow.pool in study.pools:
                rows.append(
                    (
                        self._pool(flow.pool),
                        words[f"lab.kind.{flow.kind}"],
                        self.system.words.get(f"source.{flow.move}", self.system.title(flow.move)),
                        *_mean_in_words("points", one),
                    )
                )
        return Leaf(self._named(words["lab.table.flows"], name), head, tuple(rows))

    def _measure(self, name: str) -> str:
        kind, _, of = name.partition(".")
        if of in self.first.pools and f"lab.measure.{kind}.pool" in self.words:
            return self.words.say(f"lab.measure.{kind}.pool", pool=self._pool(of))
        return self.words[f"lab.measure.{name}"]


def _worth(name: str, one: Estimate) -> bool:
    """Whether to show a line; those with a mean of 0 are left out, except for shares."""
    return bool(one.mean) or name.partition(".")[0] in SHARES


def _mean_in_words(name: str, one: Estimate, signed: bool = False) -> tuple[str, str]:
    """A mean and its margin as people read them."""
    sign = "+" if signed else ""
    if name.partition(".")[0] in SHARES:
        mean, margin = f"{one.mean * 100:{sign}.1f} %", f"{(one.margin or 0) * 100:.1f} %"
    else:
        mean, margin = f"{one.mean:{sign}.2f}", f"{one.margin or 0:.2f}"
    return mean.replace("-", "−"), "" if one.margin is None else margin


def _cells(one: Estimate) -> list[object]:
    return [f"{one.mean:.6g}", f"{one.low:.6g}", f"{one.high:.6g}", one.n]


def _data(one: Estimate) -> dict[str, object]:
    return {"mean": one.mean, "margin": one.margin, "evenings": one.n}


def _study(study: Study) -> dict[str, object]:
    setting = study.setting
    return {
        "options": dict(setting.options),
        "players": setting.players or study.evening.players.policy,
        "gm": setting.gm or study.evening.gm.policy,
        "measures": {name: _data(one) for name, one in study.estimates().items()},
        "flows": [{**flow._asdict(), **_data(one)} for flow, one in study.flows().items()],
        "bands": {pool: study.bands(pool) for pool in study.pools} if study.rows else {},
    }
