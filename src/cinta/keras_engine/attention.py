"""Keras's attention as one op, where nothing is added to the scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import cinta

from ..engine.tensor import wrap
from ..ops.nn.attention.rules import NONE, DotProductAttention

if TYPE_CHECKING:
    from ..engine.tensor import Tensor


def fused_attention(module: Any) -> None:
    """The attention in Keras's module of functions for networks."""
    with_all_weights = module._dot_product_attention_xla

    def attention(
        query: Tensor,
        key: Tensor,
        value: Tensor,
        bias: Tensor | None,
        mask: Tensor | None,
        is_causal: bool,
        scale: Tensor | float,
    ) -> Tensor:
        batch, _, heads, _ = query.shape
        fits = key.shape[2] == value.shape[2] == heads and key.shape[0] == value.shape[0] == batch
        if bias is not None or not fits or 0 in (*query.shape, *value.shape):
            seen: Tensor = with_all_weights(query, key, value, bias, mask, is_causal, scale)
            return seen
        scaled = query * cinta.cast(scale, query.dtype)
        q, k, v = (cinta.transpose(x, [0, 2, 1, 3]) for x in (scaled, key, value))
        hidden = wrap(np.zeros(NONE, bool)) if mask is None else cinta.cast(mask, "bool")
        seen, _, _ = DotProductAttention(q, k, v, hidden, causal=bool(is_causal))
        return cinta.transpose(seen, [0, 2, 1, 3])

    module._dot_product_attention_xla = attention
