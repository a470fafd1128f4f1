"""Keras's LSTM and GRU as one op each, under the conditions of TensorFlow's fused kernel.

Unlike that, the ops take any mask, every float dtype and sequences backwards, and XLA compiles
them.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import cinta

from ..ops.nn.recurrent.functions import gru, lstm

if TYPE_CHECKING:
    from ..engine.annotations import TensorLike
    from ..engine.tensor import Tensor

    Outputs = tuple[Tensor, Tensor, list[Tensor]]


def fused_functions(module: Any) -> None:
    """``lstm`` and ``gru`` of Keras's module of recurrent functions."""
    module.lstm, module.gru = partial(_lstm, module), partial(_gru, module)


def _lstm(
    module: Any,
    inputs: TensorLike,
    initial_state_h: TensorLike,
    initial_state_c: TensorLike,
    mask: TensorLike,
    kernel: Tensor,
    recurrent_kernel: Tensor,
    bias: Tensor | None,
    activation: object,
    recurrent_activation: object,
    return_sequences: bool = False,
    go_backwards: bool = False,
    unroll: bool = False,
    time_major: bool = False,
) -> Outputs:
    fits = module._do_lstm_arguments_support_cudnn(
        activation, recurrent_activation, unroll, use_bias=True
    )
    x, keep = _steps(inputs, mask, go_backwards, time_major, fits)
    h, c = (cinta.convert_to_tensor(state) for state in (initial_state_h, initial_state_c))
    kernel, recurrent_kernel, bias = _weights(x, kernel, recurrent_kernel, bias)
    outputs, cells, _ = lstm(x, h, c, kernel, recurrent_kernel, bias, keep)
    return _returned(outputs, [outputs[-1], cells[-1]], keep, return_sequences, time_major)


def _gru(
    module: Any,
    inputs: TensorLike,
    initial_state: TensorLike,
    mask: TensorLike,
    kernel: Tensor,
    recurrent_kernel: Tensor,
    bias: Tensor | None,
    activation: object,
    recurrent_activation: object,
    return_sequences: bool = False,
    go_backwards: bool = False,
    unroll: bool = False,
    time_major: bool = False,
    reset_after: bool = True,
) -> Outputs:
    fits = module._do_gru_arguments_support_cudnn(
        activation, recurrent_activation, unroll, bias is not None, reset_after
    )
    x, keep = _steps(inputs, mask, go_backwards, time_major, fits)
    h = cinta.convert_to_tensor(initial_state)
    kernel, recurrent_kernel, bias = _weights(x, kernel, recurrent_kernel, bias)
    outputs = gru(x, h, kernel, recurrent_kernel, bias[0], bias[1], keep)
    return _returned(outputs, [outputs[-1]], keep, return_sequences, time_major)


def fused_layer(kind: Any) -> None:
    """A layer whose inner loop these functions serve.

    Keras takes such loops for code that XLA cannot compile, and forgets that masked outputs may
    have to be zeros.
    """
    fused = kind.inner_loop

    def inner_loop(
        self: Any, sequences: TensorLike, initial_state: Any, mask: Any, training: bool = False
    ) -> Any:
        if mask is not None and self.zero_output_for_mask:
            return super(kind, self).inner_loop(sequences, initial_state, mask, training)
        return fused(self, sequences, initial_state, mask, training)

    kind.inner_loop = inner_loop
    kind.supports_jit = property(lambda self: True, lambda self, value: None)


def _steps(
    inputs: TensorLike, mask: Any, go_backwards: bool, time_major: bool, fits: bool
) -> tuple[Tensor, Tensor | None]:
    """The sequence with the time in front, and where its samples keep their state."""
    x = cinta.convert_to_tensor(inputs)
    fits = fits and x.dtype.is_floating
    if not fits or x.shape.rank != 3 or not x.shape[0 if time_major else 1]:
        raise NotImplementedError  # Keras then goes its own way
    keep = None
    if mask is not None:
        keep = cinta.logical_not(cinta.cast(mask, "bool"))
        keep = keep[..., None] if keep.shape.rank == 2 else keep
    found = [each for each in (x, keep) if each is not None]
    if not time_major:
        found = [cinta.transpose(each, [1, 0, 2]) for each in found]
    if go_backwards:
        found = [cinta.reverse(each, [0]) for each in found]
    return found[0], found[1] if mask is not None else None


def _weights(x: Tensor, *weights: Any) -> list[Any]:
    """The weights as the layer's computations take them, None for those that there are not."""
    return [None if w is None else cinta.convert_to_tensor(w, x.dtype) for w in weights]


def _returned(
    outputs: Tensor,
    states: list[Tensor],
    keep: Tensor | None,
    return_sequences: bool,
    time_major: bool,
) -> Outputs:
    if keep is not None:  # before the first step that counts outputs are 0, whatever the state is
        began = cinta.cumsum(cinta.cast(cinta.logical_not(keep), "int32"), axis=0) > 0
        outputs = cinta.where(began, outputs, cinta.zeros_like(outputs))
    last = outputs[-1]
    if not return_sequences:
        outputs = last[None]
    return last, outputs if time_major else cinta.transpose(outputs, [1, 0, 2]), states
