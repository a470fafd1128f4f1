"""Advice for attributes that tensors and variables do not have."""

from __future__ import annotations

import numpy as np

_WAYS = {
    "T": "tf.transpose(t)",
    "transpose": "tf.transpose(t, axes)",
    "reshape": "tf.reshape(t, shape)",
    "ravel": "tf.reshape(t, [-1])",
    "flatten": "tf.reshape(t, [-1])",
    "squeeze": "tf.squeeze(t, axis)",
    "repeat": "tf.repeat(t, repeats, axis)",
    "astype": "tf.cast(t, dtype)",
    "copy": "tf.identity(t)",
    "size": "tf.size(t)",
    "clip": "tf.clip_by_value(t, low, high)",
    "round": "tf.round(t)",
    "dot": "tf.tensordot(t, u, axes=1)",
    "take": "tf.gather(t, indices)",
    "sort": "tf.sort(t)",
    "argsort": "tf.argsort(t)",
    "argmax": "tf.argmax(t, axis)",
    "argmin": "tf.argmin(t, axis)",
    "cumsum": "tf.cumsum(t, axis)",
    "sum": "tf.reduce_sum(t, axis)",
    "mean": "tf.reduce_mean(t, axis)",
    "prod": "tf.reduce_prod(t, axis)",
    "max": "tf.reduce_max(t, axis)",
    "min": "tf.reduce_min(t, axis)",
    "all": "tf.reduce_all(t, axis)",
    "any": "tf.reduce_any(t, axis)",
    "std": "tf.math.reduce_std(t, axis)",
    "var": "tf.math.reduce_variance(t, axis)",
    "real": "tf.math.real(t)",
    "imag": "tf.math.imag(t)",
    "conj": "tf.math.conj(t)",
}
"""The replacement for an attribute of NumPy's arrays."""

_CHANGING = (
    "a tensor never changes. Was a tf.Variable replaced by a tensor, as by w = w - 0.1 * g? Write "
    "w.assign_sub(0.1 * g)."
)
_BY_TAPE = (
    "gradients are asked of a tape that recorded: `with tf.GradientTape() as tape: ...`, and then "
    "tape.gradient(y, x)."
)
_ELSEWHERE = {
    "_unique_id": (
        "a tensor stands where a tf.Variable belongs. Optimizers take pairs of a gradient and its "
        "variable, optimizer.apply_gradients(zip(gradients, variables))."
    ),
    "assign": _CHANGING,
    "assign_add": _CHANGING,
    "assign_sub": _CHANGING,
    "backward": _BY_TAPE,
    "detach": "tf.stop_gradient(t) gives the value as a constant.",
    "grad": _BY_TAPE,
    "requires_grad": "trainable variables are watched by themselves, others by tape.watch(x).",
    "requires_grad_": "trainable variables are watched by themselves, others by tape.watch(x).",
}
"""The advice for an attribute that variables have, or tensors of other libraries."""


def no_attribute(value: object, name: str) -> AttributeError:
    """The error for an attribute that a tensor or variable does not have."""
    message = f"'{type(value).__name__}' object has no attribute '{name}'"
    if hasattr(np.ndarray, name) and not name.startswith("_"):
        way = f"use {_WAYS[name]}, or" if name in _WAYS else "use"
        message += (
            f", which NumPy arrays have: {way} t.numpy().{name} where gradients may stop. If you "
            "are looking for numpy-related methods, please run "
            "tf.experimental.numpy.experimental_enable_numpy_behavior(), which adds them."
        )
    elif name in _ELSEWHERE:
        message += f": {_ELSEWHERE[name]}"
    return AttributeError(message)
