"""SciPy's optimizers on tensors, with exact derivatives; solutions that are differentiable."""

from ..listing import only_public as _only_public
from .implicit import fixed_point as fixed_point
from .implicit import implicit_root as implicit_root
from .minimizing import minimize as minimize
from .roots import least_squares as least_squares
from .roots import root as root

__dir__ = _only_public(globals())
