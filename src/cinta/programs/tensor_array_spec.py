"""The spec of TensorArrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import dtypes
from ..engine.shapes import TensorShape
from ..ops.control.tensor_array import TensorArray
from ..public import public
from .specs import TypeSpec

if TYPE_CHECKING:
    from typing import Self

    from ..engine.annotations import DTypeLike, PartialShape


@public("TensorArraySpec")
class TensorArraySpec(TypeSpec):
    """The spec of a ``tf.TensorArray``: the shape and the dtype of its elements.

    >>> import cinta as tf
    >>> array = tf.TensorArray(tf.float32, size=2, element_shape=[3])
    >>> tf.TensorArraySpec.from_value(array)
    TensorArraySpec(TensorShape([3]), tf.float32, False, True)
    >>> tf.TensorArraySpec([None]).is_compatible_with(array)
    True

    Args:
        element_shape: The shape of the elements, of which parts may be unknown.
        dtype: The dtype of the elements.
        dynamic_size: Whether a write behind the end makes the array longer.
        infer_shape: Whether the first element determines the shape of the others.
    """

    __slots__ = ("_dtype", "_dynamic_size", "_element_shape", "_infer_shape")

    def __init__(
        self,
        element_shape: PartialShape = None,
        dtype: DTypeLike = dtypes.float32,
        dynamic_size: bool = False,
        infer_shape: bool = True,
    ) -> None:
        self._element_shape = TensorShape(element_shape)
        self._dtype = dtypes.as_dtype(dtype)
        self._dynamic_size, self._infer_shape = dynamic_size, infer_shape

    @classmethod
    def from_value(cls, value: object) -> Self:
        """The spec of a TensorArray.

        >>> import cinta as tf
        >>> tf.TensorArraySpec.from_value(tf.TensorArray(tf.int32, size=1, dynamic_size=True))
        TensorArraySpec(TensorShape(None), tf.int32, True, True)

        Args:
            value: The TensorArray.

        Raises:
            TypeError: If it is something else.
        """
        if not isinstance(value, TensorArray):
            raise TypeError(f"Expected value to be a TensorArray, but got: `{type(value)}`")
        return cls(*value._kind())

    def _serialize(self) -> tuple[Any, ...]:
        return self._element_shape, self._dtype, self._dynamic_size, self._infer_shape

    @property
    def value_type(self) -> type[Any]:
        """The class of the values."""
        return TensorArray

    def is_compatible_with(self, spec_or_value: object) -> bool:
        other = spec_or_value
        if isinstance(other, TensorArray):
            other = type(self).from_value(other)
        return (
            isinstance(other, TensorArraySpec)
            and self._dtype is other._dtype
            and self._dynamic_size == other._dynamic_size
            and self._element_shape.is_compatible_with(other._element_shape)
        )
