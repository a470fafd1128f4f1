"""Comparisons, logic and bits: whatever answers in bools and ints, without a gradient."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...engine.dtype_kinds import ANY, BOOL, INTEGER, REAL, REAL_FLOATING
from ...engine.fast_calls import binary, matched, published, unary
from ...engine.op import elementwise, op
from ...public import public

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, NumericLike
    from ...engine.fast_calls import Binary
    from ...engine.op import Op
    from ...engine.tensor import Array, Tensor

Equal = elementwise("Equal", "equal").no_grad()
NotEqual = elementwise("NotEqual", "not_equal").no_grad()
Less = elementwise("Less", "less").no_grad()
LessEqual = elementwise("LessEqual", "less_equal").no_grad()
Greater = elementwise("Greater", "greater").no_grad()
GreaterEqual = elementwise("GreaterEqual", "greater_equal").no_grad()
LogicalAnd = elementwise("LogicalAnd", "logical_and").no_grad()
LogicalOr = elementwise("LogicalOr", "logical_or").no_grad()
LogicalNot = elementwise("LogicalNot", "logical_not").no_grad()
BitwiseAnd = elementwise("BitwiseAnd", "bitwise_and").no_grad()
BitwiseOr = elementwise("BitwiseOr", "bitwise_or").no_grad()
BitwiseXor = elementwise("BitwiseXor", "bitwise_xor").no_grad()
Invert = elementwise("Invert", "invert").no_grad()
# TensorFlow registers no gradient for these three: asking for one is an error
IsNan = elementwise("IsNan", "isnan")
IsInf = elementwise("IsInf", "isinf")
IsFinite = elementwise("IsFinite", "isfinite")


@op("LeftShift", broadcasts=True)
def LeftShift(xp: ArrayModule, x: Array, y: Array) -> Array:
    """Shift bits to the left by at least 0 and less than the width of the dtype."""
    return xp.left_shift(x, xp.clip(y, 0, x.dtype.itemsize * 8 - 1).astype(x.dtype))


@op("RightShift", broadcasts=True)
def RightShift(xp: ArrayModule, x: Array, y: Array) -> Array:
    """Shift bits to the right by at least 0 and less than the width of the dtype."""
    return xp.right_shift(x, xp.clip(y, 0, x.dtype.itemsize * 8 - 1).astype(x.dtype))


LeftShift.no_grad()
RightShift.no_grad()


def compare(op: Op, name: str, sign: str, shown: str, kinds: str = REAL) -> Binary:
    """The function for a comparison; ``shown`` is the result of its example."""
    doc = f"""Whether ``x {sign} y``, elementwise.

    >>> import cinta as tf
    >>> tf.{name}([1.0, 2.0, 3.0], 2.0).numpy()
    array([{shown}])
    """
    return binary(op, name, doc, kinds)


def logical(op: Op, name: str, word: str, shown: str) -> Binary:
    """The function for an op on bools; ``shown`` is the result of its example."""
    doc = f"""x {word} y, elementwise, of bools.

    >>> import cinta as tf
    >>> tf.math.{name}([True, True, False], [True, False, False]).numpy()
    array([{shown}])
    """
    return _strict(op, name, doc, BOOL)


def bitwise(op: Op, name: str, does: str, shown: str) -> Binary:
    """The function for an op on the bits of integers; ``shown`` is the result of its example."""
    doc = f"""{does}

    >>> import cinta as tf
    >>> tf.bitwise.{name}([4, 5], [3, 1]).numpy()
    array([{shown}], dtype=int32)

    Args:
        x: A tensor of integers.
        y: Another one of the same dtype; the two broadcast.
    """
    return _strict(op, name, doc, INTEGER)


def _strict(op: Op, name: str, doc: str, kinds: str) -> Binary:
    """The function for an op that takes no floats, not even those that a fast call lets through."""

    def call(x: Any, y: NumericLike, name: str | None = None) -> Tensor:
        try:
            return matched(op, x, y, kinds)
        except (TypeError, ValueError) as error:
            failure = error
        from ...engine.dispatch import rescue  # loaded when a conversion has failed

        found: Tensor = rescue(failure, call, (x, y))
        return found

    return published(call, name, doc)


equal = public("equal", "math.equal")(compare(Equal, "equal", "==", "False,  True, False", ANY))
not_equal = public("math.not_equal", "not_equal")(
    compare(NotEqual, "not_equal", "!=", " True, False,  True", ANY)
)
less = public("less", "math.less")(compare(Less, "less", "<", " True, False, False"))
less_equal = public("less_equal", "math.less_equal")(
    compare(LessEqual, "less_equal", "<=", " True,  True, False")
)
greater = public("greater", "math.greater")(compare(Greater, "greater", ">", "False, False,  True"))
greater_equal = public("greater_equal", "math.greater_equal")(
    compare(GreaterEqual, "greater_equal", ">=", "False,  True,  True")
)
logical_and = public("logical_and", "math.logical_and")(
    logical(LogicalAnd, "logical_and", "and", " True, False, False")
)
logical_or = public("logical_or", "math.logical_or")(
    logical(LogicalOr, "logical_or", "or", " True,  True, False")
)
logical_xor = public("math.logical_xor")(
    logical(NotEqual, "logical_xor", "or, but not both,", "False,  True, False")
)
bitwise_and = public("bitwise.bitwise_and")(
    bitwise(BitwiseAnd, "bitwise_and", "The bits that are set in both.", "0, 1")
)
bitwise_or = public("bitwise.bitwise_or")(
    bitwise(BitwiseOr, "bitwise_or", "The bits that are set in either.", "7, 5")
)
bitwise_xor = public("bitwise.bitwise_xor")(
    bitwise(BitwiseXor, "bitwise_xor", "The bits that are set in one of the two.", "7, 4")
)
left_shift = public("bitwise.left_shift")(
    bitwise(LeftShift, "left_shift", "The bits of x moved to the left by y places.", "32, 10")
)
right_shift = public("bitwise.right_shift")(
    bitwise(RightShift, "right_shift", "The bits of x moved to the right by y places.", "0, 2")
)
logical_not = public("logical_not", "math.logical_not")(
    unary(
        LogicalNot,
        "logical_not",
        """False where x is True, True where it is False.

    >>> import cinta as tf
    >>> tf.logical_not([True, False]).numpy()
    array([False,  True])
    """,
        BOOL,
    )
)
invert = public("bitwise.invert")(
    unary(
        Invert,
        "invert",
        """Every bit flipped: -1 - x of signed integers.

    >>> import cinta as tf
    >>> tf.bitwise.invert([0, 5]).numpy()
    array([-1, -6], dtype=int32)
    """,
        INTEGER,
    )
)
is_nan = public("math.is_nan")(
    unary(
        IsNan,
        "is_nan",
        """Where the tensor is not a number.

    >>> import cinta as tf
    >>> tf.math.is_nan([1.0, float("nan"), float("inf")]).numpy()
    array([False,  True, False])
    """,
        REAL_FLOATING,
    )
)
is_inf = public("math.is_inf")(
    unary(
        IsInf,
        "is_inf",
        """Where the tensor is infinite, on either side.

    >>> import cinta as tf
    >>> tf.math.is_inf([1.0, float("nan"), float("-inf")]).numpy()
    array([False, False,  True])
    """,
        REAL_FLOATING,
    )
)
is_finite = public("math.is_finite")(
    unary(
        IsFinite,
        "is_finite",
        """Where the tensor is a number and not infinite.

    >>> import cinta as tf
    >>> tf.math.is_finite([1.0, float("nan"), float("-inf")]).numpy()
    array([ True, False, False])
    """,
        REAL_FLOATING,
    )
)
