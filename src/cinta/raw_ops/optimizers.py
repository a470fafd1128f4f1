"""Steps of optimizers, which change a variable and what the optimizer remembers of it.

A rule takes an op's arguments by their names, variables as their values, and gives the new values
in the variables' order. The ops for sparse gradients apply it to those rows that have one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cinta as tf

from .signature import Signature

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.annotations import NumericLike
    from ..engine.tensor import Tensor

    Values = tuple[Tensor, ...]


def _toward(old: Tensor, new: Tensor, share: Tensor) -> Tensor:
    """A running mean, of which the new value is a share of 1 - ``share``."""
    return old + (new - old) * (1 - share)


def _shrunk(x: Tensor, by: Tensor) -> Tensor:
    """Numbers moved towards 0 by a distance, and 0 where it is larger."""
    return tf.sign(x) * tf.maximum(tf.abs(x) - by, 0)


def _gradient_descent(var: Tensor, alpha: Tensor, delta: Tensor, **_: object) -> Values:
    return (var - alpha * delta,)


def _proximal_gradient_descent(
    var: Tensor,
    alpha: Tensor,
    l1: Tensor,
    l2: Tensor,
    grad: Tensor | None = None,
    delta: Tensor | None = None,
    **_: NumericLike,
) -> Values:
    step = grad if delta is None else delta
    return (_shrunk(var - alpha * step, alpha * l1) / (1 + l2 * alpha),)


def _adagrad(
    var: Tensor,
    accum: Tensor,
    lr: Tensor,
    grad: Tensor,
    update_slots: bool,
    epsilon: NumericLike = 0.0,
    **_: NumericLike,
) -> Values:
    accum = accum + grad * grad if update_slots else accum
    return var - lr * grad / (tf.sqrt(accum) + epsilon), accum


def _proximal_adagrad(
    var: Tensor, accum: Tensor, lr: Tensor, l1: Tensor, l2: Tensor, grad: Tensor, **_: NumericLike
) -> Values:
    accum = accum + grad * grad
    rate = lr * tf.math.rsqrt(accum)
    return _shrunk(var - rate * grad, rate * l1) / (1 + l2 * rate), accum


def _adagrad_da(
    var: Tensor,
    gradient_accumulator: Tensor,
    gradient_squared_accumulator: Tensor,
    grad: Tensor,
    lr: Tensor,
    l1: Tensor,
    l2: Tensor,
    global_step: Tensor,
    **_: NumericLike,
) -> Values:
    total = gradient_accumulator + grad
    squares = gradient_squared_accumulator + grad * grad
    steps = tf.cast(global_step, var.dtype)
    new = -lr * _shrunk(total, l1 * steps) / (l2 * steps * lr + tf.sqrt(squares))
    return new, total, squares


def _adadelta(
    var: Tensor,
    accum: Tensor,
    accum_update: Tensor,
    lr: Tensor,
    rho: Tensor,
    epsilon: Tensor,
    grad: Tensor,
    **_: NumericLike,
) -> Values:
    accum = accum * rho + grad * grad * (1 - rho)
    update = tf.sqrt(accum_update + epsilon) * tf.math.rsqrt(accum + epsilon) * grad
    return var - lr * update, accum, accum_update * rho + update * update * (1 - rho)


def _adam(var: Tensor, m: Tensor, v: Tensor, vhat: Tensor | None = None, **given: Tensor) -> Values:
    beta1, beta2, grad = given["beta1"], given["beta2"], given["grad"]
    rate = given["lr"] * tf.sqrt(1 - given["beta2_power"]) / (1 - given["beta1_power"])
    m, v = _toward(m, grad, beta1), _toward(v, grad * grad, beta2)
    step = grad * (1 - beta1) + beta1 * m if given.get("use_nesterov") else m
    highest = v if vhat is None else tf.maximum(vhat, v)
    new = var - step * rate / (tf.sqrt(highest) + given["epsilon"])
    return (new, m, v) if vhat is None else (new, m, v, highest)


def _adamax(var: Tensor, m: Tensor, v: Tensor, **given: Tensor) -> Values:
    grad = given["grad"]
    m = _toward(m, grad, given["beta1"])
    v = tf.maximum(given["beta2"] * v, tf.abs(grad))
    rate = given["lr"] / (1 - given["beta1_power"])
    return var - rate * m / (v + given["epsilon"]), m, v


def _add_sign(
    var: Tensor,
    m: Tensor,
    lr: Tensor,
    alpha: Tensor,
    sign_decay: Tensor,
    beta: Tensor,
    grad: Tensor,
    **_: object,
) -> Values:
    m = m * beta + grad * (1 - beta)
    agree = tf.sign(grad) * tf.sign(m)
    return var - lr * (alpha + sign_decay * agree) * grad, m


def _power_sign(
    var: Tensor,
    m: Tensor,
    lr: Tensor,
    logbase: Tensor,
    sign_decay: Tensor,
    beta: Tensor,
    grad: Tensor,
    **_: object,
) -> Values:
    m = m * beta + grad * (1 - beta)
    agree = tf.sign(grad) * tf.sign(m)
    return var - lr * tf.exp(logbase * sign_decay * agree) * grad, m


def _rms_prop(
    var: Tensor,
    ms: Tensor,
    mom: Tensor,
    lr: Tensor,
    rho: Tensor,
    momentum: Tensor,
    epsilon: Tensor,
    grad: Tensor,
    **_: NumericLike,
) -> Values:
    ms = _toward(ms, grad * grad, rho)
    mom = mom * momentum + lr * grad * tf.math.rsqrt(ms + epsilon)
    return var - mom, ms, mom


def _centered_rms_prop(var: Tensor, mg: Tensor, ms: Tensor, mom: Tensor, **given: Tensor) -> Values:
    grad, rho = given["grad"], given["rho"]
    ms, mg = _toward(ms, grad * grad, rho), _toward(mg, grad, rho)
    spread = ms - mg * mg + given["epsilon"]
    mom = mom * given["momentum"] + given["lr"] * grad * tf.math.rsqrt(spread)
    return var - mom, mg, ms, mom


def _momentum(
    var: Tensor,
    accum: Tensor,
    lr: Tensor,
    grad: Tensor,
    momentum: Tensor,
    use_nesterov: bool,
    **_: NumericLike,
) -> Values:
    accum = accum * momentum + grad
    step = grad + accum * momentum if use_nesterov else accum
    return var - lr * step, accum


def _keras_momentum(
    var: Tensor,
    accum: Tensor,
    lr: Tensor,
    grad: Tensor,
    momentum: Tensor,
    use_nesterov: bool,
    **_: NumericLike,
) -> Values:
    accum = accum * momentum - lr * grad
    step = accum * momentum - lr * grad if use_nesterov else accum
    return var + step, accum


def _ftrl(var: Tensor, accum: Tensor, linear: object, **given: Tensor) -> Values:
    grad, lr, l1, l2 = [given[name] for name in ("grad", "lr", "l1", "l2")]
    moved = grad + 2 * given.get("l2_shrinkage", 0.0) * var
    new = accum + grad * grad
    high, low = new ** -given["lr_power"], accum ** -given["lr_power"]
    if given["multiply_linear_by_lr"]:
        linear, l1 = linear + moved * lr - (high - low) * var, l1 * lr
        slope = high + 2 * l2 * lr
    else:
        linear = linear + moved - (high - low) / lr * var
        slope = high / lr + 2 * l2
    beyond = tf.clip_by_value(linear, -l1, l1) - linear
    return beyond / slope, new, linear


# -- applied to variables ------------------------------------------------------------------------


def _applied(name: str, rule: Callable[..., Values]) -> Callable[..., None]:
    """Apply a rule to all of the variables, or to rows if the op takes their numbers."""

    def apply(*arguments: Any) -> None:
        signature = Signature(name)
        given = dict(zip(signature.order, arguments, strict=True))
        held = {n: given[n] for n, kind in signature.inputs.items() if kind == "resource"}
        if "indices" not in given:
            values = {n: variable.read_value() for n, variable in held.items()}
            for variable, new in zip(held.values(), rule(**(given | values)), strict=True):
                variable.assign(new)
            return
        for indices, grad in _without_repetitions(given["indices"], given["grad"]):
            values = {n: tf.gather(variable, indices) for n, variable in held.items()}
            news = rule(**(given | values | {"grad": grad}))
            for variable, new in zip(held.values(), news, strict=True):
                variable.scatter_update(tf.IndexedSlices(new, indices))

    return apply


def _without_repetitions(indices: Tensor, grad: Tensor) -> list[tuple[Tensor, Tensor]]:
    """Rows one after the other if one of them is there twice, else all at once."""
    if tf.size(tf.unique(indices)[0]) == tf.size(indices):
        return [(indices, grad)]
    return [(indices[i : i + 1], grad[i : i + 1]) for i in range(indices.shape[0])]


_RULES: dict[str, Callable[..., Values]] = {
    "AdaMax": _adamax,
    "Adadelta": _adadelta,
    "Adagrad": _adagrad,
    "AdagradDA": _adagrad_da,
    "AdagradV2": _adagrad,
    "Adam": _adam,
    "AdamWithAmsgrad": _adam,
    "AddSign": _add_sign,
    "CenteredRMSProp": _centered_rms_prop,
    "Ftrl": _ftrl,
    "FtrlV2": _ftrl,
    "GradientDescent": _gradient_descent,
    "KerasMomentum": _keras_momentum,
    "Momentum": _momentum,
    "PowerSign": _power_sign,
    "ProximalAdagrad": _proximal_adagrad,
    "ProximalGradientDescent": _proximal_gradient_descent,
    "RMSProp": _rms_prop,
}
_DENSE_ONLY = {"AdaMax", "Adam", "AdamWithAmsgrad", "AddSign", "GradientDescent", "PowerSign"}

OPS: dict[str, Callable[..., Any]] = {
    f"{kind}{name}": _applied(f"{kind}{name}", rule)
    for kind in ("ResourceApply", "ResourceSparseApply")
    for name, rule in _RULES.items()
    if kind == "ResourceApply" or name not in _DENSE_ONLY
}
