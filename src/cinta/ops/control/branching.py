"""Control flow in the form of functions: cond, case, switch_case, while_loop.

Tensors have values here, so these do what Python's own ``if`` and ``while`` do and the tape sees
the ops that ran. They are for programs that are written in this form.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np

from ... import nest
from ...engine.composites import Composite
from ...engine.convert import as_tensor
from ...engine.op import originate
from ...engine.primitives import Identity
from ...engine.recorders import is_observed
from ...engine.sparse_tensor import PLACED
from ...engine.tensor import Tensor
from ...engine.variable import Variable
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import checked_callable, flag, whole_number
from ..random import op_numbering
from .tensor_array import TensorArray

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...engine.annotations import IntLike, NumericLike, TensorLike
    from ...engine.indexed_slices import IndexedSlices
    from ...engine.sparse_tensor import SparseTensor

    T = TypeVar("T")
    U = TypeVar("U")
    Cases: TypeAlias = dict[Tensor, Callable[[], T]] | Sequence[tuple[Tensor, Callable[[], T]]]
    Branches: TypeAlias = (
        dict[int, Callable[[], T]]
        | Sequence[Callable[[], T]]
        | Sequence[tuple[int, Callable[[], T]]]
    )
    LoopVariables: TypeAlias = list[Any] | tuple[Any, ...]


@public("cond")
def cond(
    pred: TensorLike,
    true_fn: Callable[[], T] | None = None,
    false_fn: Callable[[], U] | None = None,
    name: str | None = None,
) -> T | U:
    """The result of ``true_fn()`` or ``false_fn()``; the other one is not called.

    >>> import cinta as tf
    >>> x = tf.constant(3.0)
    >>> tf.cond(x > 2, lambda: x * x, lambda: -x).numpy()
    np.float32(9.0)

    Args:
        pred: A boolean, or a tensor that is a single one.
        true_fn: A function without arguments.
        false_fn: A function without arguments.

    Raises:
        TypeError: If one of them is not a function.
    """
    functions: list[Callable[[], T | U]] = []
    for argument, function in ("true_fn", true_fn), ("false_fn", false_fn):
        if function is None:
            raise TypeError(f"cond(): '{argument}' argument required")
        checked_callable(function, argument)
        functions.append(op_numbering.graph_of(function))
    decides = as_tensor(pred)
    taken = functions[0] if bool(decides) else functions[1]
    if not is_observed(decides):
        return taken()
    found: T | U = nest.map_structure(_noted, taken())  # the other one may run in the next call
    return found


@public("case")
def case(
    pred_fn_pairs: Cases[T],
    default: Callable[[], U] | None = None,
    exclusive: bool = False,
    strict: bool = False,
    name: str = "case",
) -> T | U:
    """The result of the function paired with the first true predicate, or else of ``default()``.

    Predicates are bool tensors. With ``exclusive=True`` it is an error if several are true.

    >>> import cinta as tf
    >>> x = tf.constant(3.0)
    >>> tf.case([(x > 5, lambda: x), (x > 2, lambda: x * x)], default=lambda: -x).numpy()
    np.float32(9.0)

    Args:
        pred_fn_pairs: A list of pairs of a predicate and a function without arguments; or a
            dictionary.
        default: The function to call if no predicate is true.
        exclusive: Whether it is an error if several predicates are true.
        strict: Accepted; changes no result.

    Raises:
        InvalidArgumentError: If no predicate is true and there is no ``default``, or several are
            and ``exclusive`` is true.
        ValueError: If there are no pairs.
    """
    exclusive = flag(exclusive, "exclusive")
    pairs = [(p, op_numbering.graph_of(f)) for p, f in _pairs(pred_fn_pairs, exclusive)]
    if default is not None:
        checked_callable(default, "default")
        default = op_numbering.graph_of(default)
    true = [i for i, (pred, _) in enumerate(pairs) if bool(pred)]
    if exclusive and len(true) > 1:
        raise InvalidArgumentError(
            f"Input error: exclusive=True: more than 1 conditions evaluated as True: {true}"
        )
    if true:
        return pairs[true[0]][1]()
    if default is None:
        raise InvalidArgumentError(
            f"Input error: None of conditions evaluated as True: there are {len(pairs)} and no "
            "default. Pass default=."
        )
    return default()


def _pairs(pred_fn_pairs: Cases[T], exclusive: bool) -> list[tuple[Tensor, Callable[[], T]]]:
    """The pairs of ``case``, checked."""
    if not isinstance(pred_fn_pairs, (list, tuple, dict)):
        raise TypeError(
            f"'pred_fn_pairs' must be a list, tuple, or dict. Received: {type(pred_fn_pairs)}"
        )
    is_dict = isinstance(pred_fn_pairs, dict)
    if is_dict and not exclusive and not isinstance(pred_fn_pairs, OrderedDict):
        raise ValueError(
            "Unordered dictionaries are not supported for the 'pred_fn_pairs' argument when "
            "`exclusive=False`. Use a list of pairs."
        )
    pairs = list(pred_fn_pairs.items() if isinstance(pred_fn_pairs, dict) else pred_fn_pairs)
    if not pairs:
        raise ValueError("'pred_fn_pairs' is empty: case needs at least one pair.")
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError(f"Each entry in 'pred_fn_pairs' must be a 2-tuple. Received {pair}.")
        pred, function = pair
        if not isinstance(pred, Tensor):
            raise TypeError(f"pred must be a Tensor, got: {pred}")
        if pred._array.dtype != bool:
            raise TypeError(f"pred must be Tensor of type bool: {pred!r}")
        checked_callable(function, f"fn for pred {pred}")
    return pairs


@public("switch_case")
def switch_case(
    branch_index: TensorLike,
    branch_fns: Branches[T],
    default: Callable[[], T] | None = None,
    name: str = "switch_case",
) -> T:
    """The result of the function with this index; without one, of ``default()`` or of the last.

    >>> import cinta as tf
    >>> tf.switch_case(tf.constant(1), [lambda: "zero", lambda: "one"])
    'one'

    Args:
        branch_index: An integer.
        branch_fns: A list of functions without arguments, or of pairs of an index and a function;
            or a dictionary.
        default: What to call for any other index; None for the last function.

    Raises:
        TypeError: If the index is not an integer, or something listed is not a function.
    """
    if not isinstance(branch_index, Tensor):
        raise TypeError(f"'branch_index' must be a Tensor, got {type(branch_index)}")
    if not branch_index.dtype.is_integer:
        raise TypeError(f"'branch_index' must be an integer Tensor, got {branch_index.dtype}")
    branches = _branches(branch_fns)
    if default is not None:
        checked_callable(default, "default")
        branches.append(default)
    branches = [op_numbering.graph_of(function) for function in branches]
    index = int(branch_index)
    return branches[index if 0 <= index < len(branches) else -1]()


def _branches(branch_fns: Branches[T]) -> list[Callable[[], T]]:
    """The functions of ``switch_case`` in the order of their indices, checked."""
    if not isinstance(branch_fns, (list, tuple, dict)):
        raise TypeError(f"'branch_fns' must be a list, tuple, or dict, got {type(branch_fns)}")
    if not branch_fns:
        raise ValueError("Must provide at least one item in 'branch_fns'")
    pairs = list(branch_fns.items() if isinstance(branch_fns, dict) else branch_fns)
    if all(callable(function) for function in pairs):
        return pairs
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError(f"Each entry in 'branch_fns' must be a 2-tuple. Received {pair}.")
        key, function = pair
        if not isinstance(key, int):
            raise TypeError(
                f"A key of 'branch_fns' must be a Python `int`, got {type(key)}: {key!r}."
            )
        checked_callable(function, f"fn for key {key}")
    by_key = dict(pairs)
    if sorted(key for key, _ in pairs) != list(range(len(pairs))):
        raise ValueError(
            f"branch indices (keys) must form contiguous range of [0 to {len(pairs)}) but found "
            f"{{{','.join(str(key) for key, _ in sorted(pairs, key=lambda pair: pair[0]))}}}"
        )
    return [by_key[key] for key in range(len(pairs))]


@public("while_loop")
def while_loop(
    cond: Callable[..., TensorLike],
    body: Callable[..., object],
    loop_vars: LoopVariables,
    shape_invariants: object = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    maximum_iterations: IntLike | None = None,
    name: str | None = None,
) -> LoopVariables:
    """``while cond(*loop_vars): loop_vars = body(*loop_vars)``, then the loop variables.

    ``body`` returns a list or tuple like ``loop_vars``, or the only variable itself.

    >>> import cinta as tf
    >>> i, power = tf.while_loop(
    ...     lambda i, power: i < 10, lambda i, power: (i + 1, power * 2), (0, tf.constant(1))
    ... )
    >>> power.numpy()
    np.int32(1024)

    Args:
        cond: A function of the loop variables, whose result is a boolean.
        body: A function of the loop variables.
        loop_vars: A list, tuple or nest of tensors.
        shape_invariants: Accepted: shapes may change from one turn to the next.
        parallel_iterations: Accepted; changes no result.
        back_prop: Accepted; changes no result.
        swap_memory: Accepted; changes no result.
        maximum_iterations: After how many turns to stop in any case.

    Raises:
        TypeError: If ``cond`` or ``body`` is not a function.
        ValueError: If ``body`` returns another structure.
    """
    checked_callable(cond, "cond")
    checked_callable(body, "body")
    if whole_number(parallel_iterations, "parallel_iterations") < 1:
        raise TypeError("'parallel_iterations' must be a positive integer.")
    if not isinstance(loop_vars, (list, tuple)) or not loop_vars:
        raise ValueError("'loop_vars' must be provided: a list or tuple of values.")
    loop_vars = nest.map_structure(read, loop_vars)
    like, left = list(loop_vars), _count(maximum_iterations)
    strict = left is not None  # as in TensorFlow, list and tuple are then told apart
    given, in_cond, in_body = loop_vars, op_numbering.next_graph(), op_numbering.next_graph()
    while left is None or left > 0:
        goes_on = as_tensor(op_numbering.called_in(in_cond, cond, *loop_vars))
        if is_observed(goes_on):  # then the number of turns may be another in the next call
            loop_vars = nest.map_structure(_noted, loop_vars)
        if not bool(goes_on):
            break
        found: object = op_numbering.called_in(in_body, body, *loop_vars)
        if len(like) == 1 and not isinstance(found, (list, tuple)):
            found = [found] if isinstance(given, list) else (found,)
        if not isinstance(found, (list, tuple)):
            raise TypeError(
                "The body of tf.while_loop must return a list or tuple of loop variables, got "
                f"{found!r}."
            )
        loop_vars = found
        nest.assert_same_structure(
            given if strict else like, loop_vars if strict else list(loop_vars)
        )
        left = None if left is None else left - 1
    results: LoopVariables = nest.map_structure(_result, loop_vars)
    return results


def _noted(value: object) -> Any:
    """A tensor that is known to those who record a function, also of a number."""
    if isinstance(value, (bool, int, float, np.ndarray, np.generic)):
        value = as_tensor(value)
    if type(value) is not Tensor or is_observed(value):
        return value
    return originate(Identity, value)


def _count(maximum_iterations: object) -> int | Tensor | None:
    """The number of turns at most: a tensor where it may be another in the next call."""
    if maximum_iterations is None:
        return None
    limit = as_tensor(maximum_iterations)
    if limit.ndim:
        raise ValueError(f"'maximum_iterations' must be a scalar. Received shape: {limit.shape}")
    return limit if is_observed(limit) else int(limit)


def read(value: T | Variable) -> T | Tensor:
    """A variable's value as a tensor; anything else as it is."""
    return value.__tf_tensor__() if isinstance(value, Variable) else value


def _result(value: NumericLike) -> Tensor | IndexedSlices | TensorArray | SparseTensor:
    return value if isinstance(value, (TensorArray, Composite, *PLACED)) else as_tensor(value)
