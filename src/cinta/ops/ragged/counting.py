"""How often numbers occur in ragged tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..sparse import counting, reducing
from .tensor import RaggedTensor

if TYPE_CHECKING:
    from .annotations import Function, RaggedOrDense


def _of_sparse(dense: Function) -> Function:
    """The function of the values and their coordinates, which leaves no number out."""

    def function(
        arr: RaggedOrDense, weights: RaggedOrDense = None, *args: object, **kwargs: object
    ) -> RaggedOrDense:
        if isinstance(weights, RaggedTensor) and not isinstance(arr, RaggedTensor):
            raise ValueError("`weights` must be a ragged tensor just if the numbers are in one.")
        given = weights.to_sparse() if isinstance(weights, RaggedTensor) else weights
        return dense(arr.to_sparse(), given, *args, **kwargs)

    return function


bincount = _of_sparse(counting.bincount)
sparse_bincount = _of_sparse(reducing.bincount)
