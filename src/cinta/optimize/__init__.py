"""SciPy's optimizers on tensors, with exact derivatives; solutions that are differentiable."""

from ..public import namespace as _namespace

__getattr__, __dir__ = _namespace(__name__)
