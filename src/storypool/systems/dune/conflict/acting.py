"""Who acts in a conflict, and with which asset: the usual ones first.

Source: seed 004, Conflict and Use of Assets.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from storypool.engine import rules as r
from storypool.systems.dune.conflict.turns import next_one, state_of
from storypool.systems.dune.people.sheet import Asset


def own_assets(turn: r.Turn) -> Iterator[r.Choice]:
    """Yield the assets of the character who acts, the most potent first; closed for those out of play."""
    found = sorted(turn.table.of_kind("asset"), key=lambda trait: -trait.rating)
    for trait in found:
        if trait.about == turn.text("as"):
            note = [turn.words.say("asset.potency", n=trait.rating)]
            note += [turn.table.traits[trait.at].text] if trait.at in turn.table.traits else []
            aside = turn.words.say("no.asset.aside", asset=trait.text) if Asset.of(trait).aside else ""
            yield r.Choice(trait.id, trait.text, turn.words["list.comma"].join(note), aside)


def _weapon(turn: r.Turn) -> str | None:
    """Return the first asset that defends nothing."""
    mine = [one for one in own_assets(turn) if not one.closed]
    attacks = (one for one in mine if not Asset.of(turn.table.traits[one.value]).defensive)
    return next((one.value for one in (*attacks, *mine)), None)


def _fighters(turn: r.Turn) -> Iterator[r.Choice]:
    """Yield the characters of this seat, those yet to act first; closed for those who are defeated."""
    acted = state_of(turn.table).acted_by
    for one in sorted(r.characters(own=True)(turn), key=lambda one: one.value in acted):
        down = turn.words.say("no.defeat.acts", who=one.label) if f"defeated-{one.value}" in turn.table.traits else ""
        yield replace(one, note=turn.words["turn.has_acted"] if one.value in acted else "", closed=down)


def _next_fighter(turn: r.Turn) -> str | None:
    ours = [choice.value for choice in _fighters(turn) if not choice.closed]
    named = next_one(turn.table)
    return named if named in ours else next(iter(ours), None)


FIGHTER = r.ChoiceAsk("as", "Who acts?", _fighters, default=_next_fighter)
ASSET = r.ChoiceAsk("asset", "With which asset?", own_assets, default=_weapon)
