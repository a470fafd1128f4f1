"""Assertions about shapes and dtypes, which raise ValueError or TypeError."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ... import dtypes
from ...engine.composites import Assembled, Composite
from ...engine.convert import as_tensor, is_tensor
from ...engine.sparse_tensor import SparseTensor
from ...public import public
from ..arguments import listed

if TYPE_CHECKING:
    from ...engine.annotations import DTypeLike, IntLike, ShapeLike, TensorLike


def _prefixed(message: str | None, text: str) -> str:
    return f"{message}.  {text}" if message else text


# -- ranks -------------------------------------------------------------------------------------


@public("assert_rank", "debugging.assert_rank")
def assert_rank(
    x: TensorLike, rank: IntLike, message: str | None = None, name: str | None = None
) -> None:
    """Raise ValueError unless the tensor has this rank.

    >>> import cinta as tf
    >>> tf.debugging.assert_rank(tf.zeros([2, 3]), 2)

    Args:
        x: A tensor.
        rank: The number of axes that it must have.
        message: The beginning of the message of the error.
    """
    wanted = _rank(rank)
    _check_rank(x, _rank_of(x) == wanted, f"rank {wanted}", message)


@public("debugging.assert_rank_at_least")
def assert_rank_at_least(
    x: TensorLike, rank: IntLike, message: str | None = None, name: str | None = None
) -> None:
    """Raise ValueError unless the tensor has this rank or a higher one.

    >>> import cinta as tf
    >>> tf.debugging.assert_rank_at_least(tf.ones([2, 3]), 1)

    Args:
        x: A tensor.
        rank: The least number of axes.
        message: The beginning of the message of the error.
    """
    wanted = _rank(rank)
    _check_rank(x, _rank_of(x) >= wanted, f"rank at least {wanted}", message)


@public("debugging.assert_rank_in")
def assert_rank_in(
    x: TensorLike, ranks: TensorLike, message: str | None = None, name: str | None = None
) -> None:
    """Raise ValueError unless the tensor has one of these ranks.

    >>> import cinta as tf
    >>> tf.debugging.assert_rank_in(tf.ones([2, 3]), (2, 3))

    Args:
        x: A tensor.
        ranks: The numbers of axes that it may have.
        message: The beginning of the message of the error.
    """
    wanted = tuple([_rank(rank, "ranks") for rank in listed(ranks, "ranks")])
    _check_rank(x, _rank_of(x) in wanted, f"rank in {wanted}", message)


def _rank(rank: object, argument: str = "rank") -> int:
    tensor = as_tensor(rank)
    if tensor.ndim:
        raise ValueError(f"Rank must be a scalar, got {rank!r} for '{argument}'.")
    if not tensor.dtype.is_integer:
        raise TypeError(
            f"Rank must be of type {dtypes.int32!r}; got {tensor.dtype!r} for '{argument}'"
        )
    return int(tensor)


def _check_rank(x: TensorLike, held: bool, wanted: str, message: str | None) -> None:
    if not held:
        tensor = _typed(x)
        shape = tensor.shape
        told = f"Tensor {_described(tensor)} must have {wanted}.  Received rank {shape.rank}"
        raise ValueError(_prefixed(message, f"{told}, shape {shape}"))


def _typed(x: TensorLike) -> Any:
    """The value as something that has a shape and a dtype."""
    return x if isinstance(x, (Assembled, SparseTensor)) else as_tensor(x)


def _rank_of(x: TensorLike) -> int:
    return len(_typed(x).shape)


@public("debugging.assert_scalar")
def assert_scalar(tensor: TensorLike, message: str | None = None, name: str | None = None) -> None:
    """Raise ValueError unless the tensor has no axes.

    >>> import cinta as tf
    >>> tf.debugging.assert_scalar(tf.constant(1.0))

    Args:
        tensor: A tensor.
        message: The beginning of the message of the error.
    """
    value = as_tensor(tensor)
    if value.ndim:
        raise ValueError(_prefixed(message, f"Expected scalar shape, saw shape: {value.shape}."))


# -- shapes ------------------------------------------------------------------------------------


@public("debugging.assert_shapes")
def assert_shapes(
    shapes: object,
    data: TensorLike | None = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> None:
    """Raise ValueError unless tensors have shapes that go together.

    Takes pairs of a tensor and a shape made of lengths, names of lengths, and None for any length.
    A name means the same length wherever it stands. ``...`` or ``"*"`` in front stands for any
    number of axes. A shape with one length also takes a scalar, as length 1.

    >>> import cinta as tf
    >>> x, w, y = tf.zeros([10, 3]), tf.zeros([3, 2]), tf.zeros([10, 2])
    >>> tf.debugging.assert_shapes([(x, ("N", "D")), (w, ("D", "K")), (y, (..., "K"))])

    Args:
        shapes: A dictionary, or a list of pairs.
        data: Accepted: the error shows the shapes.
        summarize: Accepted; changes no result.
        message: The beginning of the message of the error.
    """
    pairs = shapes.items() if isinstance(shapes, dict) else shapes
    pairs = listed(pairs, "shapes")
    if not all([isinstance(pair, (list, tuple)) and len(pair) == 2 for pair in pairs]):
        raise TypeError(f"Expected pairs of a tensor and a shape for `shapes`, got {shapes!r}.")
    typed = [(_typed(x), s) for x, s in pairs if s is not None]
    given = [(x, _symbols(x, s, message)) for x, s in typed]
    for tensor, (symbols, leading) in given:
        _check_symbols(tensor, symbols, leading, message)
    known: dict[str, tuple[int, str]] = {}
    for tensor, (symbols, leading) in given:
        lengths = tensor.shape.as_list() or [1]
        offset = len(lengths) - len(symbols) if leading else 0
        for axis, symbol in enumerate(symbols):
            if symbol in (None, "."):
                continue
            length = lengths[offset + axis]
            place = axis - len(symbols) if leading else axis
            wanted, origin = _wanted(
                symbol, known, (length, f"{_described(tensor)} dimension {place}")
            )
            if length != wanted:
                raise ValueError(
                    _prefixed(
                        message,
                        f"Specified {origin}.  Tensor {_described(tensor)} dimension {place} must "
                        f"have size {wanted}.  Received size {length}, shape {tensor.shape}",
                    )
                )


def _symbols(tensor: object, shape: ShapeLike, message: str | None) -> tuple[tuple[Any, ...], bool]:
    """The lengths and names of a shape, and whether any number of axes may stand before them."""
    if not isinstance(shape, Iterable):
        raise ValueError(
            _prefixed(
                message,
                f"Tensor {_described(tensor)}.  Specified shape must be an iterable.  An iterable "
                "has the attribute `__iter__` or `__getitem__`.  Received specified shape: "
                f"{shape!r}",
            )
        )
    symbols = tuple(shape)
    wild = [i for i, symbol in enumerate(symbols) if symbol in (..., "*")]
    if wild and wild != [0]:
        raise ValueError(
            _prefixed(
                message,
                f"Tensor {_described(tensor)} specified shape index {wild[-1]}.  Symbol `...` or "
                "`*` for a variable number of unspecified dimensions is only allowed as the first "
                f"entry, got {symbols}.",
            )
        )
    return (symbols[1:], True) if wild else (symbols or (1,), False)


def _check_symbols(
    tensor: Any, symbols: tuple[Any, ...], leading: bool, message: str | None
) -> None:
    """Check the rank, where a scalar passes for a vector of length 1."""
    if len(symbols) > 1:
        (assert_rank_at_least if leading else assert_rank)(tensor, len(symbols), message)
    elif not leading:
        assert_rank_in(tensor, (0, 1), message)


def _wanted(
    symbol: Any, known: dict[str, tuple[int, str]], here: tuple[int, str]
) -> tuple[int, str]:
    """The length that a symbol stands for, and the tensor that it comes from."""
    try:
        return int(symbol), "explicitly"
    except ValueError:
        length, where = known.setdefault(symbol, here)
        return length, f"by tensor {where}"


def _described(tensor: Any) -> str:
    return f"shape={tensor.shape} dtype={tensor.dtype.name}"


# -- dtypes ------------------------------------------------------------------------------------


@public("debugging.assert_type")
def assert_type(
    tensor: TensorLike, tf_type: DTypeLike, message: str | None = None, name: str | None = None
) -> None:
    """Raise TypeError unless the tensor has this dtype.

    >>> import cinta as tf
    >>> tf.debugging.assert_type(tf.constant(1.0), tf.float32)

    Args:
        tensor: A tensor.
        tf_type: The dtype.
        message: The beginning of the message of the error.
    """
    wanted, given = dtypes.as_dtype(tf_type), _typed(tensor).dtype
    if given != wanted:
        raise TypeError(_prefixed(message, f"tensor must be of type {wanted!r}; got {given!r}"))


@public("debugging.assert_integer")
def assert_integer(x: TensorLike, message: str | None = None, name: str | None = None) -> None:
    """Raise TypeError unless the tensor has an integer dtype.

    >>> import cinta as tf
    >>> tf.debugging.assert_integer(tf.constant(1))

    Args:
        x: A tensor.
        message: The beginning of the message of the error.
    """
    given = _typed(x).dtype
    if not given.is_integer:
        text = f'Expected "x" to be integer type.  Found: tensor of dtype {given}'
        raise TypeError(_prefixed(message, text))


@public("debugging.assert_same_float_dtype")
def assert_same_float_dtype(tensors: object = None, dtype: DTypeLike | None = None) -> dtypes.DType:
    """The one floating dtype of these tensors, or ValueError; float32 if there are none.

    >>> import cinta as tf
    >>> tf.debugging.assert_same_float_dtype([tf.ones(2), tf.zeros(3)])
    tf.float32
    """
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    given_tensors = [] if tensors is None else listed(tensors, "tensors")
    for tensor in [each for each in given_tensors if each is not None]:
        given = _typed(tensor).dtype
        if wanted is not None and given != wanted:
            raise ValueError(f"{tensor!r}, type={given}, must be of the same type ({wanted}).")
        wanted = given
    wanted = dtypes.float32 if wanted is None else wanted
    if not wanted.is_floating:
        raise ValueError(f"Expected floating point type, got {wanted}.")
    return wanted


@public("debugging.is_numeric_tensor")
def is_numeric_tensor(tensor: object) -> bool:
    """Whether this is a tensor of numbers.

    >>> import cinta as tf
    >>> tf.debugging.is_numeric_tensor(tf.constant(1)), tf.debugging.is_numeric_tensor(1)
    (True, False)
    """
    is_one = is_tensor(tensor) and not isinstance(tensor, SparseTensor)
    return is_one and bool(as_tensor(tensor).dtype.is_numeric)


@public("debugging.assert_proper_iterable")
def assert_proper_iterable(values: object) -> None:
    """Raise TypeError unless this is an iterable other than a tensor, an array or a string.

    >>> import cinta as tf
    >>> tf.debugging.assert_proper_iterable([1, 2])

    Args:
        values: Anything.
    """
    whole = is_tensor(values) or isinstance(values, (str, bytes, Composite, SparseTensor))
    if whole or hasattr(values, "__array__"):
        raise TypeError(
            f'Expected argument "values" to be a "proper" iterable.  Found: {type(values)}'
        )
    if not isinstance(values, Iterable):
        raise TypeError(f'Expected argument "values" to be iterable.  Found: {type(values)}')
