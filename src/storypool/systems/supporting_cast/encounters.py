"""Encounters: who comes, how many, and where, prepared in secret and brought in by one move.

An encounter is a trait of the table that only GMs see; its text is its title. So it is undone,
exported and hidden like any other. It is no paper: a rule reads it, and an undo takes it back.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from storypool.engine import rules as r
from storypool.systems.supporting_cast.bringing import MOST_OF_A_GROUP, Casting, Row
from storypool.systems.supporting_cast.copying import copies

KIND = "encounter"
ROWS = range(1, 7)
"""The numbers of the rows of an encounter."""
MOST_COMING = 24
"""The most characters that one encounter brings in."""
MOST_ENCOUNTERS = 40
"""The most encounters that a table keeps."""
LONGEST_WHERE = 80
"""The most characters in the place of an encounter."""
NPC = "npc:"
"""What the value of an NPC of the table begins with, among the people of the library."""


@dataclass(frozen=True)
class Encounter(r.State):
    """Who comes and how many of each, where, and how often they came; hidden on arrival or not."""

    who: tuple[str, ...] = ()
    count: tuple[int, ...] = ()
    where: str = ""
    hidden: bool = False
    came: int = 0


def kept(turn: r.Turn) -> Iterator[r.Choice]:
    """Yield the encounters of the table, the newest first, each with who comes and where."""
    for trait in reversed(turn.table.of_kind(KIND)):
        encounter = Encounter.of(trait)
        parts = [*in_words(turn, encounter), encounter.where]
        note = turn.words["list.comma"].join(filter(None, parts))
        yield r.Choice(trait.id, trait.text, note)


def in_words(turn: r.Turn, encounter: Encounter) -> Iterator[str]:
    """Yield the people who come, with their number, row by row."""
    for who, n in zip(encounter.who, encounter.count, strict=True):
        yield turn.words.say("encounter.row", n=n, who=name_of(turn, who))


def name_of(turn: r.Turn, who: str) -> str:
    """The name of a ready-made person, or of an NPC of the table."""
    one = turn.table.characters.get(who.removeprefix(NPC))
    if who.startswith(NPC):
        return one.name if one else turn.words["encounter.gone"]
    return turn.words.get(f"people.{who}", who)


def prepared(turn: r.Turn, title: str, encounter: Encounter) -> r.Event:
    """The event that keeps an encounter; it has no author, so it is no fact among others."""
    event = turn.trait(KIND, title, secret=True, terms=encounter.terms)
    return r.TraitSet(r.replace(event.trait, by=""))


def _chosen(turn: r.Turn) -> r.Trait | None:
    return turn.table.traits.get(turn.text("id"))


def _preset(field: str) -> Callable[[r.Turn], r.Value | None]:
    """What a form begins with: this field of the chosen encounter."""

    def preset(turn: r.Turn) -> r.Value | None:
        trait = _chosen(turn)
        if trait is None:
            return None
        return trait.text if field == "title" else getattr(Encounter.of(trait), field)

    return preset


def _of_row(field: str, n: int) -> Callable[[r.Turn], r.Value | None]:
    """What a form begins with in row `n`."""

    def preset(turn: r.Turn) -> r.Value | None:
        listed = _preset(field)(turn)
        return listed[n - 1] if isinstance(listed, tuple) and len(listed) >= n else None

    return preset


class Encounters:
    """The moves about encounters of a game whose people are those of a casting."""

    def __init__(self, casting: Casting) -> None:
        self.casting = casting

    def people(self, turn: r.Turn) -> r.Choices:
        """Yield the NPCs of the table, and then everybody in the library."""
        for choice in r.characters("gm")(turn):
            yield r.Choice(NPC + choice.value, choice.label, turn.words["encounter.own"])
        yield from self.casting.choices(turn)

    def found(self, turn: r.Turn, who: str) -> tuple[Row, r.Character | None]:
        """The row of a person, or the NPC; both empty where there is neither any longer."""
        if who.startswith(NPC):
            one = turn.table.characters.get(who.removeprefix(NPC))
            return {}, one if one is not None and r.here(one) else None
        return self.casting.rows.get(who, {}), None

    def is_group(self, turn: r.Turn, who: str) -> bool:
        """Whether so many of them are one group, whose numbers follow its size."""
        row, one = self.found(turn, who)
        return self.casting.size in row or (
            one is not None and self.casting.resized(one, 1) is not None
        )

    def asks(self) -> list[r.Ask]:
        """The questions about an encounter; a form begins with those of the chosen one."""
        title = r.TextAsk("title", "Title", most=r.LONGEST_NAME, preset=_preset("title"))
        found: list[r.Ask] = [title]
        for n in ROWS:
            found += self._row(n)
        where = r.TextAsk(
            "where", "Where?", needed=False, most=LONGEST_WHERE, preset=_preset("where")
        )
        hidden = r.FlagAsk("hidden", "Hidden on arrival?", default=_is("hidden"), needed=False)
        return [*found, where, hidden]

    def _row(self, n: int) -> tuple[r.Ask, r.Ask]:
        """The questions of one row: who they are, and how many."""
        who, many = f"who{n}", f"n{n}"

        def usual(turn: r.Turn) -> int | None:
            if turn.text(who) == _of_row("who", n)(turn):
                count = _of_row("count", n)(turn)
                return count if isinstance(count, int) else None
            row, one = self.found(turn, turn.text(who))
            members = r.rating(one, self.casting.members)
            size: int = row.get(self.casting.size, members or 1)
            return size

        def most(turn: r.Turn) -> int:
            row, _ = self.found(turn, turn.text(who))
            return self.casting.most(row) if self.casting.size in row else MOST_OF_A_GROUP

        return (
            r.ChoiceAsk(
                who,
                "Who comes?" if n == 1 else "And who else?",
                self.people,
                needed=n == 1,
                shown=lambda turn: n == 1 or bool(turn.text(f"who{n - 1}")),
                preset=_of_row("who", n),
            ),
            r.NumberAsk(
                many,
                "How many are they?",
                default=usual,
                low=1,
                high=MOST_OF_A_GROUP,
                most=most,
                capped=True,
                needed=False,
                shown=lambda turn: bool(turn.text(who)),
            ),
        )

    def answered(self, turn: r.Turn, came: int = 0) -> Encounter:
        """The encounter of a form; `Refused` where more would come than one brings in."""
        rows = [n for n in ROWS if turn.text(f"who{n}")]
        who = tuple(turn.text(f"who{n}") for n in rows)
        count = tuple(turn.number(f"n{n}", 1) for n in rows)
        one = Encounter(who, count, turn.text("where"), turn.flag("hidden"), came)
        self.check_size(turn, one)
        return one

    def check_size(self, turn: r.Turn, one: Encounter) -> None:
        """Refuse an encounter that would bring in too many characters."""
        coming = 0
        for who, n in zip(one.who, one.count, strict=True):
            coming += 1 if self.is_group(turn, who) else n
        if coming > MOST_COMING:
            raise turn.refused("argument", "encounter.many", "n1", n=coming, most=MOST_COMING)

    def arrivals(self, turn: r.Turn, who: str, n: int) -> Iterator[r.Event]:
        """Yield the arrival of `n` of these: one group, or so many single ones."""
        row, one = self.found(turn, who)
        given = dict(turn.args)
        grouped = self.is_group(turn, who)
        for _ in range(1 if grouped else n):
            if one is not None:
                sheet = self.casting.resized(one, n) or one.sheet
                yield from copies(turn, self.casting, one, sheet, one.name)
                continue
            turn.args = {"secret": turn.flag("secret"), "person": who}
            if self.casting.size in row:
                turn.args[self.casting.size] = n
            yield from self.casting.comes(turn, turn.words[f"people.{who}"])
            turn.args = given

    def place(self) -> list[r.Ask]:
        """The question for a zone, by default the one that is named in `where`."""

        def named(turn: r.Turn) -> str | None:
            where = r.alike(str(_preset("where")(turn) or ""))
            return next((one.value for one in r.zones(turn) if r.alike(one.label) == where), None)

        label, has_zones = "In which zone?", lambda turn: any(r.zones(turn))
        there = r.ChoiceAsk("zone", label, r.zones, default=named, needed=False, shown=has_zones)
        return [there] if self.casting.placed is not None else []

    def to_zone(self, turn: r.Turn, zone: str, before: Collection[str]) -> Iterator[r.Event]:
        """Yield the events that put all but those of `before` in a zone, if one is named."""
        if self.casting.placed is None or not zone:
            return
        for one in [*turn.table.characters.values()]:
            if one.id not in before:
                yield from self.casting.placed(turn, one, zone)

    def closed(self, turn: r.Turn) -> r.Choices:
        """Yield the encounters, closed where one of their NPCs has left."""
        for choice in kept(turn):
            people = Encounter.of(turn.table.traits[choice.value]).who
            gone = any(self.found(turn, who) == ({}, None) for who in people)
            yield choice.unless(turn.firm("encounter.gone") if gone else None)


def _is(field: str) -> Callable[[r.Turn], bool]:
    """A default: whether this holds of the chosen encounter."""
    return lambda turn: _preset(field)(turn) is True


def _room(turn: r.Turn) -> r.Refusal | None:
    """The table may keep one more encounter."""
    if len(turn.table.of_kind(KIND)) < MOST_ENCOUNTERS:
        return None
    return turn.firm("encounter.full", most=MOST_ENCOUNTERS)


def encounter_moves(casting: Casting, rule: str = "") -> tuple[r.Move, ...]:
    """The moves that prepare encounters of this game's people, and bring them in."""
    own, there = Encounters(casting), r.any_of(kept, "encounter.none")
    which = r.ChoiceAsk("id", "Which one?", kept)

    @r.gm_move("encounter.prepare", only_if=[_room], asks=own.asks(), rule=rule)
    def prepare(turn: r.Turn) -> Iterator[r.Event]:
        """Prepare an encounter

        Who comes, how many, and where. Players see nothing of it until you bring it in.
        """
        yield prepared(turn, turn.text("title"), own.answered(turn))

    @r.gm_move("encounter.edit", only_if=[there], asks=[which, *own.asks()], rule=rule)
    def edit(turn: r.Turn) -> Iterator[r.Event]:
        """Change an encounter

        All of it is as you answer now.
        """
        trait = turn.table.traits[turn.text("id")]
        encounter = own.answered(turn, Encounter.of(trait).came)
        yield r.TraitSet(encounter.into(r.replace(trait, text=turn.text("title"))))

    @r.gm_move(
        "encounter.bring",
        only_if=[there],
        asks=[
            r.replace(which, choices=own.closed),
            *own.place(),
            r.replace(r.SECRET, default=_is("hidden")),
        ],
        rule=rule,
    )
    def bring(turn: r.Turn) -> Iterator[r.Event]:
        """Bring in an encounter

        Everybody in it comes at once, each with a name of their own, and one undo takes all of them
        back. It stays prepared, so that it can come again.
        """
        trait = turn.table.traits[turn.text("id")]
        encounter, before = Encounter.of(trait), frozenset(turn.table.characters)
        for who, n in zip(encounter.who, encounter.count, strict=True):
            yield from own.arrivals(turn, who, n)
        yield from own.to_zone(turn, turn.text("zone"), before)
        yield r.TraitSet(Encounter.add(trait, came=1))

    @r.gm_move("encounter.remove", only_if=[there], asks=[which], rule=rule)
    def remove(turn: r.Turn) -> Iterator[r.Event]:
        """Throw away an encounter

        Those who came with it stay.
        """
        yield r.TraitRemoved(turn.text("id"))

    return prepare, edit, bring, remove
