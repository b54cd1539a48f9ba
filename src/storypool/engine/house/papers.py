"""Private notes and handouts: papers that a seat writes, and shows to all or to some.

A paper is not part of the story: no rule reads it, and no undo takes it back.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import partial

from storypool.engine.events import Event, PaperRemoved, PaperSet
from storypool.engine.game.asks import Choice, ChoiceAsk, TextAsk
from storypool.engine.game.moves import move
from storypool.engine.game.several_ask import SeveralAsk
from storypool.engine.game.turn import Turn
from storypool.engine.house.choices import characters
from storypool.engine.house.conditions import any_of
from storypool.engine.house.people import PICTURE, picture_of
from storypool.engine.refusal import shortened
from storypool.engine.table import Audience, Paper, Seat

__all__ = ["EVERYONE", "LONGEST_PAPER"]

LONGEST_TITLE = 80
"""The most characters in the title of a paper."""
LONGEST_PAPER = 4000
"""The most characters in the text of a paper."""
EVERYONE = "@everyone"
"""The choice of all seats, those that come later too."""


def _name(seat: Seat) -> str:
    """The name of a seat in an audience: game masters share what they see."""
    return f"@{seat.side}" if seat.side == "gm" else seat.id


def _is_own(turn: Turn, paper: Paper) -> bool:
    """Whether this seat has written a paper; game masters share theirs."""
    writer = turn.table.seats.get(paper.by)
    return writer is not None and _name(writer) == _name(turn.seat)


def _own(turn: Turn) -> Iterator[Choice]:
    """Yield the papers that this seat has written, the newest first."""
    for paper in reversed([*turn.table.papers.values()]):
        if _is_own(turn, paper):
            yield Choice(
                paper.id, paper.title or shortened(paper.text) or turn.words["paper.picture"]
            )


def _shown_to_others(turn: Turn) -> Iterator[Choice]:
    """Yield the papers of this seat that others see too."""
    alone = _audience(turn, ())
    return (one for one in _own(turn) if turn.table.papers[one.value].seen_by != alone)


def _readers(turn: Turn) -> Iterator[Choice]:
    """Yield everyone, and each other seat at the table."""
    yield Choice(EVERYONE, turn.words["paper.everyone"])
    for seat in turn.table.seats.values():
        if seat.here and _name(seat) != _name(turn.seat):
            yield Choice(seat.id, seat.name)


def _audience(turn: Turn, chosen: Collection[str]) -> Audience:
    """The audience of a paper of this seat with these readers: itself and them, or everybody."""
    if EVERYONE in chosen:
        return None
    seats = (turn.seat, *(turn.table.seats[id] for id in chosen))
    return tuple(dict.fromkeys(map(_name, seats)))


def _shown(turn: Turn, paper: Paper, chosen: Collection[str]) -> PaperSet:
    """The event that shows a paper to the chosen readers, or to nobody any longer."""
    paper = replace(paper, seen_by=_audience(turn, chosen))
    return PaperSet(_naming_nobody_hidden(turn, paper), held_up=bool(chosen))


def _naming_nobody_hidden(turn: Turn, paper: Paper) -> Paper:
    """A paper that is about no hidden character, unless its writer alone sees it."""
    about = turn.table.characters.get(paper.about)
    is_shown = paper.seen_by != _audience(turn, ())
    return replace(paper, about="") if is_shown and about and about.hidden else paper


def _chosen(turn: Turn) -> tuple[str, ...]:
    """The readers that were chosen."""
    value = turn.args.get(WHOM.name)
    return tuple(map(str, value)) if isinstance(value, tuple) else ()


def _paper(turn: Turn) -> Paper:
    """The paper that was chosen."""
    return turn.table.papers[turn.text(PAPER.name)]


def _answered(turn: Turn, paper: Paper) -> Paper:
    """A paper with what was answered; `Refused` without a text and a picture."""
    title, text, about = turn.text("title"), turn.text("text"), turn.text("about")
    picture = picture_of(turn) or paper.picture
    if not (text or picture):
        raise turn.refused("argument", "paper.empty", "text")
    return replace(paper, title=title, text=text, about=about, picture=picture)


def _preset(field: str) -> Callable[[Turn], str | None]:
    """What a form begins with: this field of the chosen paper."""

    def preset(turn: Turn) -> str | None:
        paper = turn.table.papers.get(turn.text(PAPER.name))
        return getattr(paper, field, None) or None

    return preset


PAPER = ChoiceAsk("id", "Which one?", _own)
TITLE = TextAsk("title", "Title", needed=False, most=LONGEST_TITLE, preset=_preset("title"))
TEXT = TextAsk("text", "Text", needed=False, most=LONGEST_PAPER, lines=True, preset=_preset("text"))
ABOUT = ChoiceAsk("about", "About whom?", characters(), needed=False, preset=_preset("about"))
WHOM = SeveralAsk("whom", "Whom do you show it to?", choices=_readers, least=0, needed=False)
SHOWN_TO = SeveralAsk("whom", "Whom do you show it to?", choices=_readers)

paper_move = partial(move, aside=True)
"""`move` for one that is not part of the story."""


@paper_move("paper.write", asks=[TITLE, TEXT, PICTURE, ABOUT, WHOM])
def write(turn: Turn) -> Iterator[Event]:
    """Write a note or a handout

    It is yours alone until you show it; those who lead the game read each other's. Those who may
    see it are shown it at once.
    """
    scene = turn.table.periods["scene"]
    paper = _answered(turn, Paper(turn.fresh("pa"), scene=scene, by=turn.seat.id))
    yield _shown(turn, paper, _chosen(turn))


@paper_move(
    "paper.edit", only_if=[any_of(_own, "paper")], asks=[PAPER, TITLE, TEXT, PICTURE, ABOUT]
)
def edit(turn: Turn) -> Iterator[Event]:
    """Change a note or a handout

    It stays with those who see it.
    """
    yield PaperSet(_naming_nobody_hidden(turn, _answered(turn, _paper(turn))))


@paper_move("paper.show", only_if=[any_of(_own, "paper")], asks=[PAPER, SHOWN_TO])
def show(turn: Turn) -> Iterator[Event]:
    """Show a note or a handout

    Those you choose see it at once, and find it again later. Nobody else has it any longer.
    """
    yield _shown(turn, _paper(turn), _chosen(turn))


@paper_move(
    "paper.hide",
    only_if=[any_of(_shown_to_others, "paper.hidden")],
    asks=[replace(PAPER, choices=_shown_to_others)],
)
def hide(turn: Turn) -> Iterator[Event]:
    """Take back a note or a handout

    From now on it is yours alone again.
    """
    yield _shown(turn, _paper(turn), ())


@paper_move("paper.remove", only_if=[any_of(_own, "paper")], asks=[PAPER])
def remove(turn: Turn) -> Iterator[Event]:
    """Throw away a note or a handout

    It is gone for all who could see it.
    """
    yield PaperRemoved(_paper(turn).id)
