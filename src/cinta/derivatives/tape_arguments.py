"""The arguments of a tape's methods, checked, and the gradients at both ends of a sweep."""

from __future__ import annotations

import enum
from itertools import islice
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from .. import dtypes, nest
from ..engine import recorders
from ..engine.arrays import HOW_TO_EXPLAIN_NONE
from ..engine.convert import as_tensor
from ..engine.device_values import Spread
from ..engine.indexed_slices import GradientRows, IndexedSlices
from ..engine.primitives import BroadcastTo, Cast, OnesLike
from ..engine.shapes import written
from ..engine.sparse_tensor import SparseTensor
from ..engine.tensor import Tensor, as_wrapped, wrap
from ..engine.variable import Variable, behind
from ..engine.warning import warn
from ..errors import InvalidArgumentError, out_of_memory
from ..public import public
from ..tracebacks import note_none
from .user_rules import conjugate

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeGuard

    from ..engine.annotations import Gradient, Source, Swept, TensorLike
    from ..engine.composites import Part
    from ..engine.shapes import Shape, TensorShape
    from ..engine.tensor import Array


@public("UnconnectedGradients")
class UnconnectedGradients(enum.Enum):
    """The gradient for a source on which the target does not depend: ``NONE``, or zeros by
    ``ZERO``.

    >>> import cinta as tf
    >>> x, unused = tf.Variable(2.0), tf.Variable([1.0, 1.0])
    >>> with tf.GradientTape() as tape:
    ...     y = x * x
    >>> zeros = tf.UnconnectedGradients.ZERO
    >>> tape.gradient(y, unused, unconnected_gradients=zeros).numpy()
    array([0., 0.], dtype=float32)
    """

    NONE = "none"
    ZERO = "zero"


def is_known(value: Tensor | Variable) -> bool:
    """Whether records can refer to the value by a number."""
    if isinstance(value, Variable):
        return value._differentiable
    return value._recorder is not None


def checked_targets(target: object) -> list[Any]:
    if target is None:
        raise TypeError(
            "Argument `target` should be a list or nested structure of Tensors, Variables or "
            "CompositeTensors to be differentiated, but received None. A function that returns "
            f"nothing, or a gradient that is None, often ends up here. {HOW_TO_EXPLAIN_NONE}"
        )
    return checked(target, "target")


def checked(value: object, role: str) -> list[Any]:
    """The tensors and variables of a structure, which must hold nothing else."""
    if is_single(value):
        return [value]
    if is_plain(value):
        return list(value)
    leaves = [part for leaf in nest.flatten(value) for part in tracked_in(leaf)]
    for leaf in leaves:
        if not isinstance(leaf, (Tensor, Variable)):
            _refuse(leaf, role)
    return leaves


def tracked_in(leaf: object) -> list[Any]:
    """The values through which gradients flow: several in an object that is made of tensors."""
    parts = getattr(type(leaf), "_tracked_parts", None)
    return [behind(leaf)] if parts is None else [behind(part) for part in parts(leaf)]


def _refuse(leaf: object, role: str) -> None:
    kind = type(leaf).__name__
    advice = f"`{role}` takes tensors and variables, in lists, tuples, dicts or dataclasses."
    if isinstance(leaf, (np.ndarray, np.generic)):
        raise AttributeError(
            f"'{kind}' object given in `{role}`: {leaf!r} is NumPy's, of which nothing is "
            "recorded: drop .numpy(), and use tf's functions, tf.sin for np.sin. "
            f"{advice}"
        )
    if isinstance(leaf, (int, float, complex)):
        instead = (
            f"Make a tensor first: {as_tensor_first(leaf)}, watch it with tape.watch(x), compute "
            "the target from x, and give x here"
            if role == "sources"
            else "Compute it with tf's functions inside `with tape:`, without float() or int()"
        )
        raise AttributeError(
            f"'{kind}' object given in `{role}`: {leaf!r} was never recorded. {instead}. {advice}"
        )
    if isinstance(leaf, IndexedSlices):
        raise AttributeError(
            f"'{kind}' object given in `{role}`: {leaf!r} was never recorded. {advice}"
        )
    if isinstance(leaf, SparseTensor):
        raise ValueError(
            "Type SparseTensor is not supported as a gradient source or gradient target. Give its "
            "values: sparse.values."
        )
    if hasattr(leaf, "trainable_variables"):
        advice = f"Give its variables: x.trainable_variables. {advice}"
    raise TypeError(
        f"{advice} A '{kind}' is none of them: {leaf!r}. (Cannot convert the argument "
        "`type_value` to a TensorFlow DType.)"
    )


def as_tensor_first(value: object) -> str:
    """How to write a tensor of this value, if it is one that people have typed."""
    text = repr(value)
    typed = isinstance(value, (int, float, complex, list, tuple)) and len(text) <= _TYPED
    return f"x = tf.constant({text if typed else 'x'})"


_TYPED = 40
"""How long what people have typed may be, to be shown to them."""


def wants_zero(unconnected: UnconnectedGradients | str) -> bool:
    if unconnected is UnconnectedGradients.NONE:
        return False
    try:
        if not isinstance(unconnected, (str, UnconnectedGradients)):
            raise ValueError
        return UnconnectedGradients(unconnected) is UnconnectedGradients.ZERO
    except ValueError:
        raise ValueError(
            f"Unknown value for unconnected_gradients: {unconnected!r}. Give "
            "tf.UnconnectedGradients.NONE or ZERO."
        ) from None


def starting_gradients(targets: list[Any], output_gradients: object) -> list[Any]:
    """The starting gradient of each target: ones, or the caller's values."""
    if output_gradients is None:
        return [_ones(t) for t in targets]
    given = _given(targets, output_gradients)
    seeds = [_seed(target, g) for target, g in zip(targets, given, strict=False)]
    return seeds + [_ones(target) for target in targets[len(seeds) :]]


def _given(targets: list[Any], output_gradients: Part) -> list[Any]:
    """The caller's value for each target. Unless the target is a scalar, a list is a tensor."""
    given = nest.flatten(output_gradients)
    one = len(targets) == 1 and targets[0]._array.ndim and isinstance(output_gradients, _LISTS)
    if one and len(given) > 1 and all(map(_is_number, given)):
        return [output_gradients[0] if len(output_gradients) == 1 else output_gradients]
    return given


def _is_number(value: object) -> bool:
    return isinstance(value, _NUMBERS) or (is_single(value) and not value._array.ndim)


_LISTS = (list, tuple)
_NUMBERS = (int, float, complex, np.generic)

_ONE = np.float32(1)
"""Where most gradients start, made once."""


def _ones(target: Source) -> Tensor | Array | None:
    array = target._array
    if isinstance(array, Spread):
        return OnesLike(wrap(array))
    if array.dtype.kind == "O":
        return None
    if isinstance(array, np.float32):
        return _ONE
    if array.ndim == 0:
        one: Array = array.dtype.type(1)
        return one
    try:
        return np.ones(array.shape, array.dtype)
    except MemoryError as error:  # of a target that takes less, as its values repeat
        raise out_of_memory("OnesLike", array.shape, error) from None


def _seed(target: Tensor | Variable, given: Tensor) -> Tensor | Array:
    if given is None:
        raise ValueError(
            "Attempt to convert a value (None) with an unsupported type to a gradient: an entry of "
            "output_gradients is None. Give ones for a target that counts as it is, zeros for one "
            f"that does not count. For a gradient that was computed: {HOW_TO_EXPLAIN_NONE}"
        )
    seed = as_tensor(behind(given))
    if seed._array.dtype != target._array.dtype:
        expected, got = target.dtype, seed.dtype
        raise InvalidArgumentError(
            f"cannot compute Mul as input #1(zero-based) was expected to be a {got.kernel_name} "
            f"tensor but is a {expected.kernel_name} tensor [Op:Mul]: output_gradients has dtype "
            f"{got!r} for a target of dtype {expected!r}."
        )
    if seed._array.shape != target._array.shape:
        try:
            seed = BroadcastTo(seed, shape=target._array.shape, rank=seed.ndim)
        except InvalidArgumentError:
            raise InvalidArgumentError(
                f"Incompatible shapes: {written(seed.shape)} vs. {written(target._array.shape)}: "
                "output_gradients must have the shapes of the targets."
            ) from None
    return for_sweep(seed)


def for_sweep(tensor: Tensor) -> Tensor | Array:
    """A user's tensor in the form for a sweep: an array unless a recorder tracks it."""
    return tensor if recorders.recording() else tensor._array


def own_seeds(source: Tensor | Variable, targets: list[Any], seeds: list[Any]) -> Tensor | None:
    """The gradient of a source that no tape knows: it can only be among the targets itself."""
    total = None
    for target, seed in zip(targets, seeds, strict=True):
        if target is source and seed is not None:
            total = seed if total is None else total + seed
    return total if total is None else as_wrapped(total)


def must_be_floating(role: str, value: Tensor | Variable, example: str, when: str = "") -> str:
    """The warning for a gradient that can only be None."""
    return (
        f"The dtype of the {role} tensor must be floating (e.g. tf.float32), got {value.dtype!r}: "
        f"its gradients will be None. Make it a float, as in {example}, or use "
        f"tf.cast(x, tf.float32){when}."
    )


def unconnected(source: Tensor | Variable, targets: list[Any], zero: bool) -> Tensor | None:
    """The gradient where there is none; a warning if no float could have been in its place."""
    if zero:
        return zeros(source.shape, source.dtype)
    _warn_of_integers(source, targets)
    note_none()
    return None


def _warn_of_integers(source: Tensor | Variable, targets: list[Any]) -> None:
    """Warn if a gradient is None because of the dtype of the source, or of all targets."""
    if not dtypes.is_differentiable(source._array.dtype):
        example = "tf.Variable(3.0)" if isinstance(source, Variable) else "tf.constant(3.0)"
        warn(must_be_floating("source", source, example))
        return
    refused = [t for t in targets if not dtypes.is_differentiable(t._array.dtype)]
    if refused and len(refused) == len(targets):
        warn(must_be_floating("target", refused[0], "x / 2.0 for x // 2"))


def zeros(shape: Shape | TensorShape, dtype: dtypes.DType) -> Tensor:
    """The value for a gradient that does not exist, if zeros are wanted."""
    if dtype == dtypes.string:
        return wrap(np.full(shape, b"", object))
    return wrap(np.zeros(tuple(shape), dtype.dtype)[()])


def is_single(value: object) -> TypeGuard[Source]:
    """Whether this is one tensor or variable, not a structure of them."""
    return type(value) is Tensor or isinstance(value, Variable)


def is_plain(structure: object) -> TypeGuard[list[Any] | tuple[Any, ...]]:
    """Whether this is a list or tuple of tensors and variables, without any structure in it."""
    kind = type(structure)
    return (kind is list or kind is tuple) and all(map(is_single, structure))  # type: ignore[call-overload]


def checked_one(value: TensorLike | None, role: str) -> Tensor | Variable:
    """The value, which must be one tensor or variable."""
    found: Tensor | Variable = behind(value)
    if not is_single(found):
        if isinstance(found, (np.ndarray, np.generic)):
            _refuse(found, role)
        raise AttributeError(
            f"'{type(found).__name__}' object has no attribute 'shape': `{role}` takes one tensor "
            "or variable here. For several, ask for each, or stack them into one tensor."
        )
    return found


def check_batches(target: Any, source: Any) -> None:
    """Refuse a target and a source that are not as many samples."""
    if not target.shape.rank:
        raise IndexError(
            "list index out of range: the target of batch_jacobian has no axis of samples; it is "
            "a scalar. Use tape.gradient or tape.jacobian."
        )
    for shape in (target.shape, source.shape):
        if shape.rank < 2:
            raise ValueError(
                f"Shape {shape} must have rank at least 2: batch_jacobian takes samples along the "
                "first axis. Use tape.jacobian for single vectors."
            )
    if target.shape[0] != source.shape[0]:
        raise ValueError(
            f"Need first dimension of target shape ({target.shape}) and source shape "
            f"({source.shape}) to match."
        )


@overload
def finished(gradient: Array | Tensor, source: Source) -> Tensor: ...
@overload
def finished(gradient: Swept | None, source: Source) -> Gradient | None: ...
def finished(gradient: Swept | None, source: Source) -> Gradient | None:
    """A gradient of the sweep as people get it: a tensor of the source's dtype, or None."""
    if gradient is None:
        return None
    if type(gradient) is GradientRows:
        return conjugate(gradient).joined()
    tensor = gradient if isinstance(gradient, Tensor) else wrap(gradient)
    dtype = source._array.dtype
    if tensor._array.dtype is not dtype and tensor._array.dtype != dtype:
        tensor = Cast(tensor, dtype=dtype)
    return conjugate(tensor) if dtype.kind == "c" else tensor


def directions(primals: Any, tangents: Any) -> list[Tensor]:
    """A tangent for each primal, of its shape and dtype, from nests of the same structure."""
    if is_single(behind(primals)):
        return [_fitting(primals, tangents)]
    nest.assert_same_structure(primals, tangents)
    pairs = zip(nest.flatten(primals), nest.flatten(tangents), strict=True)
    return [_fitting(p, t) for p, t in pairs]


def like(sources: object, results: list[Any]) -> Any:
    """The results in the structure of the sources."""
    if is_single(sources):
        return results[0]
    if is_plain(sources):
        return type(sources)(results)  # the most frequent structures, in a quarter of the time
    left = iter(results)
    return nest.map_structure(lambda source: _gradient_of(source, left), sources)


def _gradient_of(source: Part, results: Iterator[Any]) -> object:
    """The gradient of one source, from the next results: as many as it has tracked values."""
    if hasattr(type(source), "_tracked_parts"):
        return source._with_gradients(list(islice(results, len(source._tracked_parts()))))
    found = next(results)
    return source._with_gradient(found) if hasattr(type(source), "_with_gradient") else found


def _fitting(primal: Tensor | Variable, tangent: TensorLike) -> Tensor:
    if tangent is None:
        raise ValueError(
            "Attempt to convert a value (None) with an unsupported type to a tangent: give zeros "
            "for a primal that is to stay where it is. For a derivative that was computed: "
            f"{HOW_TO_EXPLAIN_NONE}"
        )
    array = behind(primal)._array
    direction, shape = as_tensor(tangent, array.dtype), array.shape
    if direction._array.shape == shape:
        return direction
    try:
        fitted: Tensor = BroadcastTo(direction, shape=shape, rank=direction.ndim)
    except InvalidArgumentError:
        raise ValueError(
            f"Dimensions must be equal: a tangent of shape {written(direction._array.shape)} was "
            f"given for a primal of shape {written(shape)}. Tangents have the shapes of their "
            "primals."
        ) from None
    return fitted
