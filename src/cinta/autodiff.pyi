# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from .derivatives.forward import ForwardAccumulator as ForwardAccumulator
from .derivatives.tape import GradientTape as GradientTape
from .functional.finite_differences import GradientError as GradientError
from .functional.finite_differences import check_grads as check_grads
from .functional.jet import jet as jet
from .functional.jet import taylor as taylor
from .sparsity.entry_points import sparse_hessian as sparse_hessian
from .sparsity.entry_points import sparse_hessian_plan as sparse_hessian_plan
from .sparsity.entry_points import sparse_jacobian as sparse_jacobian
from .sparsity.entry_points import sparse_jacobian_plan as sparse_jacobian_plan
