"""Variables that lie on a mesh."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .. import dtypes
from ..engine.convert import as_tensor
from ..engine.primitives import Add, Sub
from ..engine.slice_updates import UpdateRows, UpdateSlice
from ..engine.tensor import Tensor
from ..engine.transactions import alone
from ..engine.variable import Variable
from ..errors import InvalidArgumentError, UnimplementedError
from ..public import public
from .moving import copy_to_mesh, fetch_layout, is_dtensor

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from ..engine.annotations import BasicIndex, DTypeLike, TensorLike
    from ..engine.op import Op
    from .layout import Layout

_OPS: dict[np.ufunc, Op] = {np.add: Add, np.subtract: Sub}


@public("experimental.dtensor.DVariable")
class DVariable(Variable):
    """A variable on a mesh, whose layout stays what it is.

    >>> import cinta as tf
    >>> from cinta.experimental import dtensor
    >>> mesh = dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
    >>> v = dtensor.DVariable([1.0, 2.0], layout=dtensor.Layout(["x"], mesh))
    >>> v.assign_add(v * 2.0).numpy()
    array([3., 6.], dtype=float32)

    Args:
        initial_value: A tensor, a tensor on a mesh, or a function that makes one.
        trainable: Whether tapes watch it.
        name: A name.
        dtype: The dtype of its values.
        layout: How it is cut; None for the layout of the tensor on a mesh.
        options: Other arguments of ``tf.Variable``.

    Raises:
        InvalidArgumentError: If there is no layout, or there are two.
    """

    def __init__(
        self,
        initial_value: TensorLike | Callable[[], TensorLike],
        trainable: bool | None = None,
        name: str | None = None,
        dtype: DTypeLike | None = None,
        layout: Layout | None = None,
        **options: object,
    ) -> None:
        value = initial_value() if callable(initial_value) else initial_value
        if is_dtensor(value):
            if layout not in (None, fetch_layout(value)):
                raise InvalidArgumentError(
                    "Conflicting layout are provided for initial value layout "
                    f"({fetch_layout(value)}) and variable ({layout})."
                )
        elif layout is None:
            raise InvalidArgumentError(
                "Neither layout nor DTensor initial value are provided: give "
                "tf.experimental.dtensor.DVariable(value, layout=...)."
            )
        else:
            wanted = None if dtype is None else dtypes.as_dtype(dtype).dtype
            value = copy_to_mesh(as_tensor(value, wanted), layout)
        super().__init__(
            value,
            trainable,
            name=name,
            dtype=dtype,
            **options,  # type: ignore[arg-type]
        )

    @property
    def layout(self) -> Layout:
        """How the value lies on the mesh."""
        return fetch_layout(self)

    def _converted(self, value: TensorLike | None) -> Tensor:
        tensor = super()._converted(value)
        if is_dtensor(self) and not is_dtensor(tensor) and tensor.ndim:
            raise UnimplementedError(
                f"The variable '{self.name}' is on a mesh, and was given a regular tensor of shape "
                f"{tensor.shape}: use tf.experimental.dtensor.copy_to_mesh."
            )
        return self._laid(tensor) if tensor.ndim == self.shape.rank else tensor

    def _laid(self, tensor: Tensor) -> Tensor:
        """The tensor as the variable lies; while a model is saved, it lies on no mesh."""
        return copy_to_mesh(tensor, self.layout) if is_dtensor(self) else tensor

    def _restore(self, tensor: Tensor) -> None:
        super()._restore(self._laid(tensor))

    def _become(self, tensor: Tensor) -> None:
        super()._become(self._laid(tensor))

    def _updated(self, ufunc: np.ufunc, tensor: Tensor) -> Self:
        return self._told(_OPS[ufunc], tensor)

    def _update_rows(self, ufunc: np.ufunc | None, vectors: Tensor, new: Tensor) -> Self:
        return self._told(UpdateRows, vectors, new, how=ufunc)

    def _assign_slice(self, index: BasicIndex, value: TensorLike) -> Self:
        tensor = super()._converted(value)
        return alone(self, self._update_slice, index, tensor)._returned(True)

    def _update_slice(self, index: BasicIndex, new: Tensor) -> Self:
        return self._told(UpdateSlice, new, index=index)

    def __repr__(self) -> str:
        shown = self._array.shown()  # type: ignore[attr-defined]  # it lies on a mesh
        return (
            f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}, value={shown}>"
        )
