"""Tensor: an immutable value.

A tensor is a NumPy array or NumPy scalar (scalars are several times faster than arrays of rank
zero) and, while a tape tracks it, that tape's recorder and the tensor's number there. An op finds
out from its inputs alone whether it must be recorded.

Its operators, indexing and iteration are ops, which ``operators`` finds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, TypeVar

import numpy as np

from .. import dtypes
from ..public import public
from .device_values import Spread, fetchers, on_host, quickly_on_host
from .devices import CPU, place
from .operators import Operators
from .recorders import Recorder, active, join, value_read
from .reference import Reference
from .shapes import TensorShape

if TYPE_CHECKING:
    from collections.abc import Callable

    from .annotations import PartialShape
    from .device_values import DeviceValue, Held
    from .recorders import Tracker

Array: TypeAlias = "np.ndarray[Any, Any]"
"""A NumPy array, or what has its methods: NumPy's scalars, and arrays of another array module."""

T = TypeVar("T")

_GRAPH_ONLY = frozenset(("name", "op", "graph", "value_index"))


@public("Tensor", "tnp.ndarray")
class Tensor(Operators):
    """An immutable array of one dtype; made by ops and by ``tf.constant``.

    Operators, indexing, ``len`` and iteration work as on NumPy's arrays, and tapes record them.
    Assignment to items is refused: keep values that change in a ``tf.Variable``.

    >>> import cinta as tf
    >>> x = tf.constant([1.0, 2.0])
    >>> x * 2
    <tf.Tensor: shape=(2,), dtype=float32, numpy=array([2., 4.], dtype=float32)>
    >>> x.shape, x.get_shape() == x.shape, x.dtype, x.ndim, x.set_shape([None])
    (TensorShape([2]), True, tf.float32, 1, None)
    >>> x.numpy() + 1, x.ref().deref() is x
    (array([2., 3.], dtype=float32), True)
    >>> x.device == x.backing_device, x.is_packed, x.cpu() is x
    (True, False, True)
    """

    __slots__ = ("__dict__", "__weakref__", "_array", "_number", "_recorder", "_unsettled")
    __array_priority__ = 100  # ndarray <op> tensor asks the tensor

    # There is no __init__: the hot path makes a bare object and fills it (see `wrap`).
    # ``_array`` is empty while the value is away, until somebody reads it.
    _array: Array
    _unsettled: DeviceValue
    _recorder: Tracker
    _number: int

    # -- properties --------------------------------------------------------------------------

    @property
    def shape(self) -> TensorShape:
        """The length of every axis, as a ``TensorShape``; in a value all of them are known."""
        return TensorShape._of(self._array.shape)

    def get_shape(self) -> TensorShape:
        """The length of every axis: the same as ``shape``."""
        return self.shape

    @property
    def dtype(self) -> dtypes.DType:
        """The type of the elements, such as ``tf.float32``; ``tf.cast`` makes a tensor of
        another one.
        """
        return dtypes.of(self._array.dtype)

    @property
    def ndim(self) -> int:
        """The number of axes, as Python's int: 0 for a scalar."""
        return int(self._array.ndim)

    @property
    def device(self) -> str:
        """The name of the device that holds the values, in TensorFlow's spelling."""
        array = self._array
        if isinstance(array, Spread):
            return array.device
        found: str = vars(self).get("_device", CPU)
        return found

    backing_device = device

    @property
    def is_packed(self) -> bool:
        """Whether this stands for tensors on several devices, which it never does: always False."""
        return False

    def cpu(self) -> Tensor:
        """The tensor on the processor: the tensor itself."""
        return self

    def gpu(self, gpu_index: int = 0) -> NoReturn:
        """Refused by a RuntimeError: there is no device with the number ``gpu_index``."""
        raise RuntimeError(f"GPU:{gpu_index} unknown device: cinta computes on the processor.")

    def numpy(self) -> Any:
        """The value for NumPy: a scalar for rank 0, else a copy that may be written to.

        Gradients do not flow through it: a tape does not see what NumPy computes.
        """
        array = seen(self)
        if array.dtype.names:  # quantized numbers, which NumPy sees as they are kept
            array = array[array.dtype.names[0]]
        if isinstance(array, np.generic):
            return array
        return array.copy() if array.ndim else array[()]

    def ref(self) -> Reference[Tensor]:
        """A hashable reference to this very tensor, for sets and keys of dicts; ``deref()``
        gives it back.
        """
        return Reference(self)

    def set_shape(self, shape: PartialShape) -> None:
        """Check that ``shape`` is compatible, by a ValueError; a tensor's shape never changes."""
        self.shape._check_supplied(shape)

    # -- to Python and NumPy -----------------------------------------------------------------

    def __array__(self, dtype: np.dtype[Any] | None = None, copy: bool | None = None) -> Any:
        array = seen(self)
        if array.dtype.names and dtype is None:
            array = array[array.dtype.names[0]]
        if copy or (dtype is not None and array.dtype != dtype):
            return np.array(array, dtype=dtype)
        view = np.asarray(array).view()
        view.flags.writeable = False
        return view

    @property
    def __array_struct__(self) -> object:
        """The attribute that NumPy reads first: it takes a tensor so in a third of the time."""
        return self._struct()

    def _struct(self) -> object:
        """The array by NumPy's array interface, closed to writing."""
        if self._recorder is not None:
            array = seen(self)
        else:
            try:
                array = _array_of(self)
            except AttributeError:  # it is on a device, which is asked in the quickest way
                array = quickly_on_host(self._unsettled)
        if array.dtype.kind not in "biufc":
            raise AttributeError("__array_struct__")  # it has no words for strings and bfloat16
        if type(array) is np.ndarray and array.flags.writeable:
            array = array.view()
            array.flags.writeable = False
        return array.__array_struct__

    def __buffer__(self, flags: int) -> memoryview:
        """The buffer for ``memoryview`` and ``bytes``, from Python 3.12 on."""
        return memoryview(self.__array__())

    def __dlpack__(self, **options: Any) -> Any:
        return np.array(seen(self)).__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return np.asarray(self._array).__dlpack_device__()

    def __bool__(self) -> bool:
        if self._array.size > 1:
            raise ValueError(
                "The truth value of an array with more than one element is ambiguous: this tensor "
                f"has shape {self.shape}. Use tf.reduce_any(t) or tf.reduce_all(t)."
            )
        return look(self, truth)

    def _scalar(self) -> Array:
        if self._array.ndim:
            raise TypeError(
                "only 0-dimensional arrays can be converted to Python scalars, "
                f"but this tensor has shape {self.shape}"
            )
        value = seen(self)[()]
        if self._array.dtype.kind == "O":
            raise TypeError(
                f"a tensor of strings is not a number, got {value!r}: use tf.strings.to_number."
            )
        return value

    def __int__(self) -> int:
        return int(self._scalar())

    def __float__(self) -> float:
        return float(self._scalar())

    def item(self) -> bool | int | float | complex | bytes:
        """The only element, as a number of Python.

        >>> import cinta as tf
        >>> tf.constant([[2.5]]).item()
        2.5

        Raises:
            ValueError: If there is not exactly one element.
        """
        if self._array.size != 1:
            raise ValueError(
                f"item() gives the only element, but this tensor has shape {self.shape}: choose an "
                "element first, as in t[0].item(), or take all of them by t.numpy().tolist()."
            )
        found: bool | int | float | complex | bytes = np.asarray(seen(self)).item()
        return found

    def __complex__(self) -> complex:
        return complex(self._scalar())

    def __index__(self) -> int:
        value = self._scalar()
        if self._array.dtype.kind not in "iu":
            raise TypeError(f"only integer tensors can be used as an index, not {self.dtype!r}")
        return int(value)

    def __len__(self) -> int:
        if not self._array.ndim:
            raise TypeError("Scalar tensor has no `len()`")
        return len(self._array)

    def __format__(self, spec: str) -> str:
        if spec and self._array.ndim:
            raise TypeError(
                f"the format {spec!r} is for one number, but this tensor has shape {self.shape}: "
                "format its elements, or use np.array2string(t.numpy(), precision=2)."
            )
        return format(self.numpy(), spec)

    # -- as text -----------------------------------------------------------------------------

    def __repr__(self) -> str:
        array = self._shown()
        shown = (
            f"value={array.shown()}" if isinstance(array, Spread) else f"numpy={numpy_repr(array)}"
        )
        mark = ", weak=True" if is_weak(self) else ""
        return f"<tf.Tensor: shape={self.shape}, dtype={self.dtype.name}, {shown}{mark}>"

    def _repr_html_(self) -> str | None:
        from ..text_tables import shown  # loaded when a notebook asks

        return shown(seen(self), repr(self))

    def __str__(self) -> str:
        array = self._shown()
        if isinstance(array, Spread):
            shown = array.shown()
            return f"tf.Tensor({shown}, shape={self.shape}, dtype={self.dtype.name})"
        text = on_own_lines(str(array if array.ndim else array[()]))
        mark = ", weak=True" if is_weak(self) else ""
        return f"tf.Tensor({text}, shape={self.shape}, dtype={self.dtype.name}{mark})"

    def _shown(self) -> Array:
        """The array, for a text: Python can take numbers out of it, so this is a look at them."""
        if self._recorder is not None:
            seen(self)
        array = self._array
        return array[array.dtype.names[0]] if array.dtype.names else array

    # -- refusals ----------------------------------------------------------------------------

    def __hash__(self) -> int:
        raise TypeError("Tensor is unhashable. Instead, use tensor.ref() as the key.")

    def __setitem__(self, key: object, value: object) -> None:
        raise TypeError(
            "'Tensor' object does not support item assignment: a tensor never changes. Use "
            "tf.tensor_scatter_nd_update(t, indices, updates) or tf.where(mask, new, t) for a new "
            "tensor, or keep the values in a tf.Variable and use v[...].assign(value)."
        )

    def __delitem__(self, key: object) -> None:
        raise TypeError("'Tensor' object does not support item deletion: a tensor never changes.")

    if not TYPE_CHECKING:  # a type checker must see which attributes exist

        def __getattr__(self, name: str) -> Any:
            if name == "_array":
                array = self._array = on_host(self._unsettled)
                return array
            if name.startswith("__"):  # NumPy asks for several, each time that it takes a tensor
                raise AttributeError(f"'Tensor' object has no attribute '{name}'")
            if name in _GRAPH_ONLY:
                raise AttributeError(f"Tensor.{name} is undefined when eager execution is enabled.")
            from .missing_attributes import no_attribute  # loaded when it is needed

            raise no_attribute(self, name)

    def consumers(self) -> NoReturn:
        """Refused by a NotImplementedError: an eager tensor does not know the ops that take it."""
        raise NotImplementedError("Tensor.consumers() needs a graph; eager tensors have none.")

    def eval(self, *args: object, **kwargs: object) -> NoReturn:
        """Refused by a NotImplementedError: an eager tensor has its value already; use
        ``t.numpy()``.
        """
        raise NotImplementedError("Tensor.eval() needs a session; use t.numpy().")

    # -- copying -----------------------------------------------------------------------------

    def __copy__(self) -> Tensor:
        return self

    def __deepcopy__(self, memo: dict[str, Any]) -> Tensor:
        return self

    def __reduce__(self) -> tuple[Callable[[Array], Tensor], tuple[Array]]:
        return wrap, (seen(self),)


def is_weak(tensor: Tensor) -> bool:
    """Whether nobody has asked for the dtype of a tensor, which can make room for others then."""
    return "_is_weak" in vars(tensor)


def made_weak(tensor: Tensor) -> Tensor:
    """The tensor, whose dtype nobody has asked for."""
    vars(tensor)["_is_weak"] = True
    return tensor


def mark_devices() -> None:
    """Let new tensors know on which device they are made. Programs of one device pay nothing."""
    Tensor.__init__ = _marked  # type: ignore[assignment,method-assign]


def _marked(tensor: Tensor) -> None:
    if place.device is not CPU:
        vars(tensor)["_device"] = place.device


def look(tensor: Tensor, how: Callable[[Array], T]) -> T:
    """A plain value that a function computes from a tensor's array, for Python's control flow.

    A recorder of functions takes note: a replay must find the same value.
    """
    array = tensor._array
    found = how(array.on_host() if isinstance(array, Spread) else array)
    if tensor._recorder is not None:
        found = value_read(tensor, how, found)
    return found


def seen(tensor: Tensor) -> Array:
    """The values of a tensor, for Python to look at all of them."""
    return look(tensor, itself)


def itself(array: Array) -> Array:
    return array


def truth(array: Array) -> bool:
    return bool(array.reshape(-1)[0]) if array.size else False


def wrap(array: Array | np.generic) -> Tensor:
    """An untracked tensor over an array that will not be written to."""
    tensor = Tensor()
    tensor._array = array  # type: ignore[assignment]  # a scalar has the methods of an array
    tensor._recorder = None
    return tensor


def wrap_held(value: Held) -> Tensor:
    """A tensor of such a value, wherever it is."""
    tensor = Tensor()
    if type(value) in fetchers:
        tensor._unsettled = value
    else:
        tensor._array = value  # type: ignore[assignment]
    tensor._recorder = None
    return tensor


def held(tensor: Tensor) -> Held:
    """The value of a tensor, wherever it is."""
    try:
        return _array_of(tensor)
    except AttributeError:
        return tensor._unsettled


_array_of: Callable[[Tensor], Array] = Tensor.__dict__["_array"].__get__


def as_wrapped(value: Any) -> Tensor:
    """A tensor as it is, an array as a tensor."""
    return value if isinstance(value, Tensor) else wrap(value)


def tracked(array: Array, recorder: Tracker, number: int) -> Tensor:
    """A tensor over an array that recorders know under this number."""
    tensor = Tensor()
    tensor._array = array
    tensor._recorder = recorder
    tensor._number = number
    return tensor


def unwatched(tensor: Tensor) -> Tensor:
    """The tensor as a constant for tapes; observers know it still."""
    recorder = tensor._recorder
    if recorder is None:
        return tensor
    if type(recorder) is Recorder:
        return wrap(tensor._array)
    return tracked(tensor._array, join([r for r in active(recorder) if r.wide]), tensor._number)


def numpy_repr(array: Array) -> str:
    """How a tensor or variable shows its value, as TensorFlow prints it."""
    if array.dtype.names:
        array = array[array.dtype.names[0]]
    if array.ndim:
        return on_own_lines(repr(np.asarray(array)))
    return repr(array[()].item() if isinstance(array[()], np.generic) else array[()])


def on_own_lines(text: str) -> str:
    """The text, begun on a new line if it has several."""
    return f"\n{text}" if "\n" in text else text
