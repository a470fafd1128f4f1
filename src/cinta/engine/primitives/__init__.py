"""Primitives: the ops that the engine itself, rules and operators are made of, imported by name.

Here are kernels and rules alone; the functions that people call stand in ``ops/``, with the other
ops. A primitive may use those that stand below it, so nothing is looked up by a string, and an
import that would go round in a circle fails at once.
"""

from ..broadcasting import BroadcastTo as BroadcastTo
from ..broadcasting import SumTo as SumTo
from .arithmetic import Add as Add
from .arithmetic import Conj as Conj
from .arithmetic import Mul as Mul
from .arithmetic import Neg as Neg
from .arithmetic import Square as Square
from .arithmetic import Sub as Sub
from .gather_scatter import PutAlong as PutAlong
from .gather_scatter import ScatterRows as ScatterRows
from .gather_scatter import TakeAlong as TakeAlong
from .gather_scatter import TakeRows as TakeRows
from .pieces import ConcatV2 as ConcatV2
from .pieces import Pack as Pack
from .pieces import SplitV as SplitV
from .pieces import Unpack as Unpack
from .reshaping import Reshape as Reshape
from .reshaping import Transpose as Transpose
from .values import Cast as Cast
from .values import Convert as Convert
from .values import Identity as Identity
from .values import OnesLike as OnesLike
from .values import StopGradient as StopGradient
from .values import ZerosLike as ZerosLike
