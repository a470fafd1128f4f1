"""Rows of tables that rows of numbers name, combined: rows of numbers are sparse ones, too."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

from ..nn import sparse_embedding
from .tensor import RaggedTensor

if TYPE_CHECKING:
    from collections.abc import Callable


def _on_sparse(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function for numbers, and weights, in ragged tensors."""

    @wraps(function)
    def called(*args: object, **kwargs: object) -> Any:
        named = {name: _sparse(value) for name, value in kwargs.items()}
        return function(*map(_sparse, args), **named)

    return called


def _sparse(value: object) -> object:
    return value.to_sparse() if isinstance(value, RaggedTensor) else value


embedding_lookup_sparse = _on_sparse(sparse_embedding.embedding_lookup_sparse)
safe_embedding_lookup_sparse = _on_sparse(sparse_embedding.safe_embedding_lookup_sparse)
