"""Derivatives as functions of functions, for code without tapes in it.

The function is differentiated with respect to its arguments and nothing else: what it finds
elsewhere, variables included, is constant. Arguments may be tensors, variables, arrays, floats and
nests of them. Derivatives have the structure, the shapes and the dtypes of the arguments; where
nothing depends on an argument they are zeros, so derivatives of derivatives always exist.
"""

from .grad import elementwise_grad as elementwise_grad
from .grad import grad as grad
from .grad import value_and_grad as value_and_grad
from .jacobians import hessian as hessian
from .jacobians import jacobian as jacobian
from .jacobians import per_example_gradient as per_example_gradient
from .vector_products import hvp as hvp
from .vector_products import jvp as jvp
from .vector_products import linearize as linearize
from .vector_products import vhp as vhp
from .vector_products import vjp as vjp
