"""Assets, moved and used.

Source: seed 004, Use of Assets, Moving Assets, Attack Sequence; dune.md 4.4.
"""

from collections.abc import Callable

from storypool.engine import rules as r
from storypool.systems.dune.conditions import in_full, own, plays, spend, succeeded
from storypool.systems.dune.conflict.turns import FIGHTER, action, conflict, nobody_acts, running
from storypool.systems.dune.payment import Payment
from storypool.systems.dune.people.sheet import MOST_POTENT, Asset, Defeat
from storypool.systems.dune.skill_test_terms import Deed, SkillTest
from storypool.systems.dune.skill_tests import AGAINST, DIFFICULTY, TEST, open_test

KINDS = ("weapon", "protection", "people", "spies", "vehicle", "contact", "knowledge", "favour")


def own_assets(turn: r.Turn) -> r.Choices:
    """The actor's assets, the most potent first; closed for those out of play."""
    words, traits = turn.words, turn.table.traits
    theirs = turn.table.of_kind("asset", about=turn.text("as"))
    for trait in sorted(theirs, key=lambda trait: -trait.rating):
        zone = traits[trait.at].text if trait.at in traits else ""
        notes = filter(None, (words.say("asset.potency", n=trait.rating), zone))
        aside = words.say("no.asset.aside", asset=trait.text) if Asset.of(trait).aside else ""
        yield r.Choice(trait.id, trait.text, words["list.comma"].join(notes), aside)


def _weapon(turn: r.Turn) -> str | None:
    mine = [one.value for one in own_assets(turn) if not one.closed]
    return min(mine, key=lambda id: Asset.of(turn.table.traits[id]).defensive, default=None)


def in_play(table: r.Table) -> list[r.Trait]:
    """The assets that are not set aside."""
    return [trait for trait in table.of_kind("asset") if not Asset.of(trait).aside]


def _has_asset_in_play(turn: r.Turn) -> bool:
    ours = {choice.value for choice in r.characters(own=True)(turn)}
    return any(one.about in ours for one in in_play(turn.table))


IN_PLAY = r.requires(_has_asset_in_play, "asset.in_play", firm=True)

ASSET = r.ChoiceAsk("asset", "With which asset?", own_assets, default=_weapon)


def owned(turn: r.Turn) -> r.Trait:
    return turn.table.traits[turn.text("asset")]


def defences(table: r.Table, who: str) -> list[r.Trait]:
    """The defensive assets of one's side in one's zone; one's own, where it is not known."""
    people, zone = table.characters, r.place_of(table, who)
    assets = [
        one for one in in_play(r.public(table)) if Asset.of(one).defensive and one.about in people
    ]
    if who not in people:
        return []
    if not zone:
        return [one for one in assets if one.about == who]
    return [one for one in assets if one.at == zone and people[one.about].team is people[who].team]


@r.move(
    "asset.add",
    when=r.any_of(r.written_by, "character.none"),
    asks=[
        r.ChoiceAsk("who", "Whose is it?", r.written_by, default=r.first_own),
        r.TextAsk("text", "What is it called?"),
        r.ChoiceAsk("kind", "What kind?", r.answers("asset", *KINDS), needed=False, free=True),
        r.NumberAsk("potency", "Potency", default=0, low=0, high=MOST_POTENT, needed=False),
        r.FlagAsk("defensive", "Does it defend its zone?", default=False, needed=False),
        r.FlagAsk("tangible", "Is it a physical thing?", default=True, needed=False),
        r.ChoiceAsk(
            "zone",
            "In which zone?",
            r.zones,
            needed=False,
            preset=lambda t: r.place_of(t.table, t.text("who")) or None,
            shown=lambda t: any(r.zones(t)),
        ),
    ],
    approval=lambda t: r.proposes(t) and conflict(t.table) is not None,
    rule="Use of Assets",
    place=r.at("words"),
)
def add_asset(turn: r.Turn) -> r.Events:
    """Add an asset

    With its kind, its zone, and its rating, called Potency here and Quality in other books of the
    family. In the middle of a conflict a player proposes it.
    """
    asset = Asset(turn.text("kind"), turn.flag("defensive"), turn.flag("tangible"))
    who, rating, zone = turn.text("who"), turn.number("potency"), turn.text("zone")
    yield turn.trait("asset", turn.text("text"), who, rating=rating, at=zone, terms=asset.terms)


def _placeable(turn: r.Turn) -> r.Choices:
    ours = {choice.value: choice for choice in r.written_by(turn)}
    yield from ours.values()
    yield from (
        r.Choice(asset.id, asset.text)
        for asset in turn.table.of_kind("asset")
        if asset.about in ours
    )


def _comes_along(table: r.Table, who: str | None) -> list[r.Trait]:
    """The assets in play of a character that are in no zone yet."""
    theirs = [one for one in in_play(table) if one.about == who]
    return [one for one in theirs if not r.is_placed(table, one.id)]


def _place_along(turn: r.Turn, who: str, zone: str) -> r.Events:
    """Place the assets that come along with a character, unless they stay where they are."""
    if turn.args.get("assets") != "stay":
        for asset in _comes_along(turn.table, who):
            yield place_in_zone(turn, asset.id, zone)


def place_in_zone(turn: r.Turn, what: str, zone: str) -> r.Event:
    """The event that places an asset, or a character, in a zone from now on."""
    trait = turn.table.traits.get(what)
    if trait is not None:
        return r.TraitSet(r.replace(Asset.put(trait, aside=False), at=zone))
    return r.put_in_zone(turn, what, zone)


RULE = "Moving Assets"
PLACING = r.placing(
    RULE,
    r.at("actions", 74),
    _placeable,
    place_in_zone,
    _place_along,
    asks=[
        r.ChoiceAsk(
            "assets",
            "Their assets",
            r.answers("zone.assets", "along", "stay"),
            default="stay",
            preset=lambda t: "along",
            shown=lambda t: bool(_comes_along(t.table, t.text("what") or r.first_to_place(t))),
        )
    ],
)
ZONES = (
    *r.laying_out(RULE),
    r.gathering(RULE, r.at("scene"), _place_along),
    r.replace(PLACING, title="Place a character or an asset"),
)
"""The moves that lay out zones, and say who and what is where."""


USES = {"remove": 2, "trait": 2, "asset": 2, "obstacle": 1, "information": 0, "aid": 2}
"""What an asset is used for besides attacking, with the usual Difficulty. Source: dune.md 4.4."""


def next_zone(turn: r.Turn, start: str) -> str:
    """The zone of the answers; `Refused` where it is not next to the start."""
    to, near = turn.text("to"), r.beside(turn.table, start)
    if start and to not in near:
        names = ", ".join(turn.table.traits[id].text for id in near) or turn.words["zone.nowhere"]
        values = {"zone": turn.table.traits[to].text, "near": names}
        raise turn.refused("argument", "zone.far", "to", **values)
    return to


def _movable(turn: r.Turn) -> r.Choices:
    if who := turn.character("as"):
        yield r.Choice(who.id, who.name, turn.words["asset.oneself"])
    yield from own_assets(turn)


def _at(turn: r.Turn) -> str:
    """The zone of the asset, or the character, that is to be moved."""
    trait = turn.table.traits.get(turn.text("asset"))
    return trait.at if trait else r.place_of(turn.table, turn.text("asset"))


def _arrived(turn: r.Turn) -> str:
    """The zone to which the open action moves."""
    return Deed.of(turn.check).to if turn.check else ""


def _other_zones(start: Callable[[r.Turn], str]) -> Callable[[r.Turn], r.Choices]:
    """The zones without the one where a move starts, which is no move."""
    return lambda turn: (one for one in r.zones(turn) if one.value != start(turn))


@action(
    "asset.move",
    when=r.all_of(running, r.any_zone, nobody_acts),
    only_if=[r.has_a_character],
    asks=[
        FIGHTER,
        r.ChoiceAsk("asset", "What do you move?", _movable),
        r.ChoiceAsk("to", "To which zone?", _other_zones(_at)),
        r.ChoiceAsk(
            "style", "How?", r.answers("style", "plainly", "subtly", "boldly"), default="plainly"
        ),
        *TEST,
        r.replace(DIFFICULTY, label="Difficulty, if not 2"),
    ],
    rule="Moving Assets",
    place=r.at("actions", 69),
)
def move_asset(turn: r.Turn) -> r.Events:
    """Move an asset

    To the next zone, at Difficulty 2. Subtly, keeping the initiative is free if it succeeds;
    boldly, an opponent's asset can be moved too. If it fails an enemy moves an asset, and the
    initiative is not kept.
    """
    thing = turn.text("asset")
    trait = turn.table.traits.get(thing)
    name = trait.text if trait else turn.table.characters[thing].name
    to = next_zone(turn, _at(turn))
    title = turn.words.say("asset.moves", asset=name, zone=turn.table.traits[to].text)
    yield from open_test(turn, "move", title, Deed(asset=thing, to=to, style=turn.text("style")), 2)


def _is_move(check: r.Check) -> bool:
    return SkillTest.of(check).kind == "move" and check.outcome is not None


_MOVED = r.of_check(_is_move, "move.none", firm=True)
_ARRIVED = r.of_check(lambda check: check.passed or not _is_move(check), "move.failed")


FURTHER = Payment("move", 2)


@FURTHER.buys
@spend(
    "asset.further",
    limit=r.Limit("further", ("check",)),
    only_if=[own, r.in_the_open, _MOVED, _ARRIVED, in_full],
    asks=[r.ChoiceAsk("to", "To which zone?", _other_zones(_arrived))],
    rule="Moving Assets",
    place=r.at("menu", 65),
)
def move_further(turn: r.Turn) -> r.Events:
    """Move one zone further

    For 2, once, after a move that succeeded.
    """
    to = next_zone(turn, Deed.of(turn.here).to)
    what = turn.words.say("asset.further", zone=turn.table.traits[to].text)
    yield turn.amend(SkillTest.put(Deed.put(turn.here, to=to), touched=True), what)


def _shifts(turn: r.Turn) -> r.Refusal | None:
    """A bold move moves an opponent's asset; after a failed one an enemy moves theirs."""
    check, mine = turn.here, turn.team is turn.here.team
    if not _is_move(check):
        return None
    if check.passed:
        return None if mine and Deed.of(check).style == "boldly" else turn.no("move.bold")
    if SkillTest.of(check).offer == "refused":
        return turn.no("move.refused")
    return turn.no("move.enemy") if mine else None


def shiftable(table: r.Table, check: r.Check) -> list[r.Trait]:
    """The assets in play of the side that did not make this move."""
    owners = {one.id for one in table.characters.values() if one.team is not check.team}
    return [trait for trait in in_play(table) if trait.about in owners]


_shiftable = r.traits(
    "asset",
    only=lambda t, asset: asset in shiftable(t.table, t.here),
    note=lambda t, asset: t.table.characters[asset.about].name,
)


@spend(
    "asset.shift",
    limit=r.Limit("shift", ("check",)),
    only_if=[r.in_the_open, _MOVED, _shifts, in_full],
    asks=[
        r.ChoiceAsk("asset", "Which asset?", _shiftable),
        r.ChoiceAsk("to", "To which zone?", _other_zones(_at)),
    ],
    rule="Moving Assets",
    place=r.at("menu", 66),
)
def shift(turn: r.Turn) -> r.Events:
    """Move an asset in answer

    After a bold move that succeeded, one of the opponent's; after a move that failed, an enemy
    moves one of their own. One zone.
    """
    thing = turn.table.traits[turn.text("asset")]
    owner = turn.table.characters[thing.about]
    if not turn.is_gm and owner.team is r.Team.PLAYERS and not plays(turn, owner):
        raise turn.refused("argument", "asset.theirs", "asset", who=owner.name, asset=thing.text)
    to = next_zone(turn, thing.at)
    yield place_in_zone(turn, thing.id, to)
    yield turn.amend(SkillTest.put(turn.here, touched=True, answered=True))


def _uses(turn: r.Turn) -> r.Choices:
    for use, n in USES.items():
        yield r.Choice(use, turn.words[f"use.{use}"], turn.words.say("use.note", n=n))


_ABOUT = {
    "remove": ("asset",),
    "obstacle": ("trait", "fact", "complication", "effect"),
    "aid": ("complication", "trait", "fact", "effect", "defeated"),
}
"""The kinds of traits that each use can be about."""


def _objects(turn: r.Turn) -> r.Choices:
    """The traits that a use can target."""
    use, actor = turn.text("use"), turn.character("as")
    for trait in r.public(turn.table).of_kind(*_ABOUT.get(use, ())):
        owner = turn.table.characters.get(trait.about)
        ally = owner is None or actor is None or owner.team is actor.team
        barred = {
            "remove": ally or Asset.of(trait).aside,
            "aid": not ally or Defeat.of(trait).lasting,
        }
        if trait.text and not barred.get(use):
            yield r.Choice(trait.id, trait.text, owner.name if owner else "")


def _brings_about(turn: r.Turn) -> bool:
    return turn.text("use") not in ("remove", "aid")


def _allies(turn: r.Turn) -> r.Choices:
    """The actor, and the allies whom the test may show. Source: seed 004, Use of Assets."""
    actor, asset = turn.character("as"), turn.table.traits.get(turn.text("asset"))
    if actor is not None:
        team, hidden = actor.team, actor.hidden or (asset is not None and asset.hidden)
        allies = r.characters(hidden=hidden, only=lambda t, one: one.team is team)
        yield from sorted(allies(turn), key=lambda one: one.value != turn.text("as"))


@action(
    "asset.use",
    only_if=[r.has_a_character, IN_PLAY],
    asks=[
        FIGHTER,
        ASSET,
        r.ChoiceAsk("use", "What for?", _uses),
        r.ChoiceAsk(
            "at", "What is it about?", _objects, needed=False, shown=lambda t: any(_objects(t))
        ),
        r.TextAsk("text", "What do you want to come of it?", needed=False, shown=_brings_about),
        r.ChoiceAsk(
            "whom",
            "Whose is the new asset?",
            _allies,
            default=lambda t: t.text("as"),
            shown=r.answered("use", "asset"),
            implies=("use", "asset"),
        ),
        r.replace(r.TITLE, shown=lambda t: not _brings_about(t)),
        *TEST,
        DIFFICULTY,
        AGAINST,
    ],
    rule="Use of Assets",
    place=r.at("actions", 70),
)
def use_asset(turn: r.Turn) -> r.Events:
    """Use an asset

    To remove an opponent's asset, create a trait, or an asset for yourself or an ally, overcome an
    obstacle, learn something, or help an ally who is hindered or defeated.
    """
    asset, use = owned(turn), turn.text("use")
    hidden = asset.hidden or turn.table.characters[asset.about].hidden
    if hidden and turn.text("at"):
        raise turn.refused("argument", "use.hidden", "at")
    if use in ("remove", "aid") and not turn.text("at"):
        raise turn.refused("argument", "use.at", "at")
    if use in ("trait", "asset") and not turn.text("text"):
        raise turn.refused("argument", "use.text", "text")
    title = turn.words.say("use.title", asset=asset.text, what=turn.words[f"use.{use}"])
    what = {key: turn.text(key) for key in ("use", "at", "text", "whom")}
    deed = Deed(asset=asset.id).changed(**what)
    yield from open_test(turn, "use", title, deed, USES[use])


_brought = r.of_check(
    lambda check: Deed.of(check).use == "asset" and check.passed, "use.asset.none", firm=True
)


@Payment("asset", 2).buys
@spend(
    "asset.keep",
    limit=r.Limit("keep", ("check",)),
    only_if=[own, r.in_the_open, succeeded, _brought],
    rule="Use of Assets",
    place=r.at("menu", 67),
)
def keep_asset(turn: r.Turn) -> r.Events:
    """Make the asset last

    For 2: it is not over with the scene.
    """
    kept = SkillTest.put(Deed.put(turn.here, keeps=True), touched=True)
    yield turn.amend(kept, turn.words["use.kept"])


def carry_out(turn: r.Turn, check: r.Check) -> r.Events:
    """The effects of a finished, successful move or use of an asset."""
    if not check.passed:
        return
    deed, table = Deed.of(check), turn.table
    at = table.traits.get(deed.at)
    match deed.use or SkillTest.of(check).kind:
        case "move" if deed.to in table.traits and deed.asset in (*table.traits, *table.characters):
            yield place_in_zone(turn, deed.asset, deed.to)
        case "remove" if at is not None and Asset.of(at).tangible:
            yield r.TraitSet(r.replace(Asset.put(at, aside=True), at=""))
        case "remove" | "aid" | "obstacle" if at is not None and not Defeat.of(at).lasting:
            helped = turn.words.say("defeat.helped", who=table.characters[check.actor].name)
            why = helped if at.kind == "defeated" else check.title
            yield r.TraitRemoved(at.id, "" if check.hidden else why)
        case "trait":
            yield turn.result("trait", deed.text, until="scene")
        case "asset":
            whose = deed.whom if deed.whom in table.characters else check.actor
            yield turn.result("asset", deed.text, whose, until="" if deed.keeps else "scene")
