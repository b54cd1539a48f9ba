"""The promises about any table of any game, after any moves."""

from storypool.contract.finding import Broken
from storypool.contract.random_game import Game
from storypool.engine import story
from storypool.engine.events import Record
from storypool.engine.fold import fold, fold_on
from storypool.engine.game.system import System
from storypool.engine.offers import offers
from storypool.engine.refusal import CODES, Refusal
from storypool.engine.sight import seen, view
from storypool.engine.table import Seat, Table

FOLDED = (
    *(
        "title",
        "options",
        "seats",
        "characters",
        "traits",
        "checks",
        "proposals",
        "points",
        "periods",
    ),
    *("running", "seq"),
)
"""The parts of a table that must follow from the log as a seat sees it."""


def check_refusal(game: Game, seat: Seat, no: Refusal, typed: str = "") -> None:
    """Check that a refusal is a whole sentence, has a known code, and leaks no secret."""
    if no.code not in CODES:
        raise Broken("code", code=no.code, text=no.text, codes=", ".join(CODES))
    for text in (no.text, no.remedy):
        if "{" not in typed and set("{}") & set(text):
            raise Broken("blank", text=text)
    if not no.text:
        raise Broken("silent", code=no.code)
    # A name at the start of a sentence is written as its owner wrote it.
    names = tuple(one.name for one in game.table.characters.values()) + tuple(
        one.name for one in game.table.seats.values()
    )
    capital = not no.text[0].islower() or no.text.startswith(names)
    if not capital or no.text.rstrip("”’)")[-1:] not in (".", "!", "?"):
        raise Broken("no_sentence", text=no.text)
    if "zyx" not in typed.casefold():
        game.check_secrets(seat, f"{no.text} {no.remedy} {no.field}", "a refusal")


def check_balances(system: System, before: Table, table: Table) -> None:
    """Check that balances are of known accounts and in bounds, and that pools match their mods."""
    for purse, n in table.points.items():
        account, owner = purse
        row = system.by_account.get(account)
        if (
            row is None
            or row.each != ("character" if owner else "table")
            or (owner and owner not in table.characters)
        ):
            raise Broken("account", name=purse, accounts=", ".join(system.by_account))
        if n < min(row.least(table, owner), before.points[purse]):
            raise Broken("below", name=purse, n=n)
        most = row.most(table, owner)
        # A balance stays when its cap falls below it.
        if most is not None and n > max(most, before.points[purse]):
            raise Broken("cap", name=purse, n=n, most=most)
    for one in table.characters.values():
        had = before.characters.get(one.id)
        for entry in system.sheet:
            number = one.rating(entry.key)
            if number is None or (had is not None and number == had.rating(entry.key)):
                continue
            if not entry.low <= number <= entry.high:
                raise Broken(
                    "sheet", name=f"{one.id}.{entry.key}", n=number, low=entry.low, high=entry.high
                )
    for check in table.checks.values():
        derived = system.pool(check.base, check.mods)
        if check.pool != derived:
            raise Broken("derived", check=check.id, pool=dict(check.pool), derived=dict(derived))
        bags = {
            "pool": check.pool,
            "left": check.left,
            "owed": check.owed,
            "spent": check.spent.written(),
        }
        for part, bag in bags.items():
            if any(n <= 0 for n in bag.values()):
                raise Broken("less", check=check.id, part=part, bag=dict(bag))
    if any(n <= 0 for n in table.uses.values()):
        raise Broken("uses", made=dict(table.uses))


def check_logs(game: Game) -> None:
    """Check that the log makes this table, and that each seat's log makes that seat's view."""
    system, table = game.system, game.table
    if table != fold(game.records):
        raise Broken("fold")
    # Seats that read the same log read the same sentences.
    read = list[tuple[list[Record], Table, list[str]]]()
    for seat in table.seats.values():
        own = view(game.records, seat)
        if len(own) != len(game.records):
            raise Broken("length", who=seat.id, have=len(own), want=len(game.records))
        alike = next((one for one in read if one[0] == own), None)
        if alike is None:
            past = [Table()]
            for record in own:
                past.append(fold_on(past[-1], [record], past.__getitem__))
            alike = own, past[-1], list(story.sentences(own, system, past.__getitem__))
            read.append(alike)
        (_, theirs, texts), ours = alike, seen(table, seat)
        for part in FOLDED:
            want, have = getattr(ours, part), getattr(theirs, part)
            if want != have:
                raise Broken("folds", who=seat.id, part=part, want=want, have=have)
        game.check_secrets(seat, repr(ours), "the table")
        game.check_secrets(seat, repr(offers(system, table, seat.id)), "the offers")
        for record, text in zip(own, texts, strict=True):
            if record.event is None and text:
                raise Broken("heard", who=seat.id, where="the story", text=text)
            if set("{}") & set(text):
                raise Broken("blank", text=text)
            game.check_secrets(seat, text, "the story")
