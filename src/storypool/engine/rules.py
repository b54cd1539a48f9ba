"""Everything that a game's rules are written with: `from storypool.engine import rules as r`.

Each module that is listed here names in `__all__` its exports to games. The needs of a roll and its
odds come from `folder`, `bag`, `refusal`, `notation`, `dice` and `table`, which load quickly.
"""

from storypool.engine import house as house
from storypool.engine.bag import *
from storypool.engine.copies import replace as replace
from storypool.engine.dice import *
from storypool.engine.events import *
from storypool.engine.folder import *
from storypool.engine.game.asks import *
from storypool.engine.game.faces_ask import *
from storypool.engine.game.kit import *
from storypool.engine.game.moment_panel import *
from storypool.engine.game.moves import *
from storypool.engine.game.panels import *
from storypool.engine.game.several_ask import *
from storypool.engine.game.sheet_rolls import *
from storypool.engine.game.state import *
from storypool.engine.game.steps import *
from storypool.engine.game.system import *
from storypool.engine.game.turn import *
from storypool.engine.game.waits import *
from storypool.engine.house.action import *
from storypool.engine.house.choices import *
from storypool.engine.house.conditions import *
from storypool.engine.house.consent import *
from storypool.engine.house.hiding import *
from storypool.engine.house.menu import *
from storypool.engine.house.modifiers import *
from storypool.engine.house.order import *
from storypool.engine.house.people import *
from storypool.engine.house.standing import *
from storypool.engine.notation import *
from storypool.engine.offers import is_allowed as is_allowed
from storypool.engine.offers import why_not as why_not
from storypool.engine.refusal import *
from storypool.engine.sight import gm_only as gm_only
from storypool.engine.sight import hidden_like as hidden_like
from storypool.engine.sight import known_to as known_to
from storypool.engine.sight import public as public
from storypool.engine.sight import reads_sheet as reads_sheet
from storypool.engine.table import *
from storypool.engine.table import NOTHING as NOTHING
from storypool.engine.table import Value as Value
from storypool.engine.waiting import *
from storypool.engine.whereabouts import *
from storypool.words.folding import alike as alike
