# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from ..optimize.implicit import fixed_point as fixed_point
from ..optimize.implicit import implicit_root as implicit_root
from ..optimize.minimizing import minimize as minimize
from ..optimize.roots import least_squares as least_squares
from ..optimize.roots import root as root
