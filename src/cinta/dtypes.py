"""The dtypes: TensorFlow's names and rules over NumPy's dtypes.

There is one `DType` per dtype, so `is` works; `==` also takes whatever names a dtype:

>>> import numpy as np
>>> float32 == "float32", float32 == np.float32, float32 == np.dtype("f4")
(True, True, True)
>>> np.zeros(2, float32)
array([0., 0.], dtype=float32)
"""

from __future__ import annotations

import builtins
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from .public import public

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import DTypeLike

    from . import few_bits as experimental  # noqa: F401
    from .ops.elementwise.casting import cast as cast
    from .ops.elementwise.clipping import saturate_cast as saturate_cast
    from .ops.elementwise.complex_numbers import complex as complex

_when_loaded: dict[str, Callable[[np.dtype[Any]], object]] = {}


def when_loaded(name: str, do: Callable[[np.dtype[Any]], object]) -> None:
    """Do this with the NumPy dtype of the dtype with a name, once ml_dtypes is loaded for it."""
    _when_loaded[name] = do


_KERNEL_NAMES = {"float16": "half", "float32": "float", "float64": "double"}


@public("DType")
class DType:
    """The type of a tensor's elements, such as `tf.float32`.

    `kind` is one of "floating", "complex", "integer", "bool", "quantized" and "other". `dtype` is
    the NumPy dtype; NumPy before 2.4 finds it under this name, later ones as `__numpy_dtype__`.
    `numpy_dtype` is it too, or None for a dtype of ml_dtypes of the same name, which is loaded when
    it is needed. `as_datatype_enum` is TensorFlow's number.

    >>> float32.name, float32.size, float32.is_floating
    ('float32', 4, True)
    >>> float32
    tf.float32
    >>> float32.as_numpy_dtype, float32.kernel_name, float32.as_datatype_enum
    (<class 'numpy.float32'>, 'float', 1)
    >>> uint8.is_integer, uint8.is_unsigned, uint8.min, uint8.max, uint8.limits
    (True, True, 0, 255, (0, 255))
    >>> uint8.is_numeric, uint8.is_complex, uint8.is_bool, uint8.is_quantized
    (True, False, False, False)
    >>> complex64.real_dtype, complex64.base_dtype, complex64.is_numpy_compatible
    (tf.float32, tf.complex64, True)
    >>> float32.is_compatible_with("float32")
    True
    """

    __slots__ = ("as_datatype_enum", "dtype", "kind", "name")
    name: str
    kind: str
    dtype: np.dtype[Any]
    as_datatype_enum: int

    def __init__(
        self, name: str, kind: str, numpy_dtype: np.dtype[Any] | None, as_datatype_enum: int
    ) -> None:
        write = partial(object.__setattr__, self)
        write("name", name)
        write("kind", kind)
        write("as_datatype_enum", as_datatype_enum)
        if numpy_dtype is not None:
            write("dtype", numpy_dtype)

    if not TYPE_CHECKING:  # a type checker must see which attributes exist

        def __getattr__(self, name: str) -> np.dtype[Any]:
            """`dtype`, as long as ml_dtypes was not needed, which takes 8 ms to load."""
            if name != "dtype":
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            found = np.dtype(getattr(import_module("ml_dtypes"), self.name))
            object.__setattr__(self, "dtype", found)
            _when_loaded.get(self.name, id)(found)
            return found

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{name!r} of {self!r} cannot be changed: dtypes are constants.")

    @property
    def __numpy_dtype__(self) -> np.dtype[Any]:
        return self.dtype

    @property
    def as_numpy_dtype(self) -> type[Any]:
        """The NumPy scalar type, or `object` for strings; a dtype with a field if quantized."""
        if self.is_quantized:
            return self.dtype  # type: ignore[return-value]  # as in TensorFlow
        return object if self.dtype == object else self.dtype.type

    @property
    def kernel_name(self) -> str:
        """The name that error messages use: `float` for float32, `double` for float64."""
        return _KERNEL_NAMES.get(self.name, self.name)

    @property
    def size(self) -> int:
        """The bytes of one element; 0 where elements are Python objects."""
        return 0 if self.dtype == object else self.dtype.itemsize

    @property
    def is_floating(self) -> builtins.bool:
        """Whether this is a real floating-point dtype."""
        return self.kind == "floating"

    @property
    def is_complex(self) -> builtins.bool:
        """Whether this is complex64 or complex128."""
        return self.kind == "complex"

    @property
    def is_integer(self) -> builtins.bool:
        """Whether this is an integer dtype, signed or not; bool is none."""
        return self.kind == "integer"

    @property
    def is_bool(self) -> builtins.bool:
        """Whether this is bool."""
        return self.kind == "bool"

    @property
    def is_numeric(self) -> builtins.bool:
        """Whether elements are numbers: floating, complex or integer."""
        return self.kind in ("floating", "complex", "integer")

    @property
    def is_quantized(self) -> builtins.bool:
        """Whether elements are whole numbers that stand for others; no op computes with them."""
        return self.kind == "quantized"

    @property
    def is_numpy_compatible(self) -> builtins.bool:
        """Whether NumPy has arrays of this dtype."""
        return self.name not in ("resource", "variant")

    @property
    def is_unsigned(self) -> builtins.bool:
        """Whether this is an integer dtype without negative values."""
        return self.is_integer and self.min == 0

    @property
    def min(self) -> Any:
        """The lowest finite value."""
        return self._limits("minimum").min

    @property
    def max(self) -> Any:
        """The highest finite value."""
        return self._limits("maximum").max

    def _limits(self, wanted: str) -> Any:
        if self.is_floating:
            return finfo(self.dtype)
        if self.is_integer:
            return _known_of(self.dtype).iinfo(self.dtype)
        raise TypeError(
            f"Cannot find {wanted} value of {self}: only floating and integer dtypes have one."
        )

    @property
    def limits(self) -> tuple[int, int]:
        """The range that images of this dtype use: (0, 255) for uint8, (0, 1) for float32.

        Raises ValueError for dtypes that are not real numbers.
        """
        if self.is_integer:
            return 0, int(self.max)
        if self.is_floating or self.is_bool:
            return 0, 1
        raise ValueError(f"{self} does not have defined limits.")

    @property
    def real_dtype(self) -> DType:
        """The dtype of the real part: float32 for complex64, the dtype itself for real ones."""
        return _REAL_OF.get(self, self)

    @property
    def base_dtype(self) -> DType:
        """The dtype itself: a Variable's dtype is that of its value."""
        return self

    def is_compatible_with(self, other: object) -> builtins.bool:
        """Whether `other` names this dtype; TypeError where it names none."""
        return self is as_dtype(other)

    def __eq__(self, other: object) -> builtins.bool:
        if isinstance(other, DType):
            return self is other
        try:
            return self is as_dtype(other)
        except TypeError:
            return False

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> tuple[Callable[[object], DType], tuple[str]]:
        return as_dtype, (self.name,)

    def __repr__(self) -> str:
        return f"tf.{self.name}"

    def __str__(self) -> str:
        return f"<dtype: '{self.name}'>"


def finfo(dtype: np.dtype[Any]) -> Any:
    """The limits of a floating NumPy dtype, as ``np.finfo`` gives them, also for ml_dtypes."""
    return _known_of(dtype).finfo(dtype)


def _known_of(dtype: np.dtype[Any]) -> Any:
    """The module that knows the limits of a dtype."""
    return np if dtype.isbuiltin == 1 else import_module("ml_dtypes")


def _declared(name: str, kind: str, numpy_dtype: DTypeLike, enum: int) -> DType:
    return DType(name, kind, np.dtype(numpy_dtype), enum)


def _quantized(name: str, numbers: DTypeLike, enum: int) -> DType:
    """A dtype whose NumPy arrays have one field, by which they are told from plain numbers."""
    return _declared(name, "quantized", [(name, numbers)], enum)


# The numbers are those of TensorFlow's DataType, which as_dtype() takes and files hold.
float16 = public("float16", "half")(_declared("float16", "floating", np.float16, 19))
bfloat16 = public("bfloat16")(DType("bfloat16", "floating", None, 14))
float32 = public("float32")(_declared("float32", "floating", np.float32, 1))
float64 = public("double", "float64")(_declared("float64", "floating", np.float64, 2))
float8_e5m2 = public("experimental.float8_e5m2")(DType("float8_e5m2", "floating", None, 24))
float8_e4m3fn = public("experimental.float8_e4m3fn")(DType("float8_e4m3fn", "floating", None, 25))
float8_e4m3fnuz = public("experimental.float8_e4m3fnuz")(
    DType("float8_e4m3fnuz", "floating", None, 26)
)
float8_e4m3b11fnuz = public("experimental.float8_e4m3b11fnuz")(
    DType("float8_e4m3b11fnuz", "floating", None, 27)
)
float8_e5m2fnuz = public("experimental.float8_e5m2fnuz")(
    DType("float8_e5m2fnuz", "floating", None, 28)
)
float4_e2m1fn = public("experimental.float4_e2m1fn")(DType("float4_e2m1fn", "floating", None, 33))
complex64 = public("complex64")(_declared("complex64", "complex", np.complex64, 8))
complex128 = public("complex128")(_declared("complex128", "complex", np.complex128, 18))
int8 = public("int8")(_declared("int8", "integer", np.int8, 6))
int16 = public("int16")(_declared("int16", "integer", np.int16, 5))
int32 = public("int32")(_declared("int32", "integer", np.int32, 3))
int64 = public("int64")(_declared("int64", "integer", np.int64, 9))
uint8 = public("uint8")(_declared("uint8", "integer", np.uint8, 4))
uint16 = public("uint16")(_declared("uint16", "integer", np.uint16, 17))
uint32 = public("uint32")(_declared("uint32", "integer", np.uint32, 22))
uint64 = public("uint64")(_declared("uint64", "integer", np.uint64, 23))
int4 = public("experimental.int4")(DType("int4", "integer", None, 29))
uint4 = public("experimental.uint4")(DType("uint4", "integer", None, 30))
int2 = public("experimental.int2")(DType("int2", "integer", None, 31))
uint2 = public("experimental.uint2")(DType("uint2", "integer", None, 32))
bool = public("bool")(_declared("bool", "bool", np.bool_, 10))
qint8 = public("qint8")(_quantized("qint8", np.int8, 11))
quint8 = public("quint8")(_quantized("quint8", np.uint8, 12))
qint32 = public("qint32")(_quantized("qint32", np.int32, 13))
qint16 = public("qint16")(_quantized("qint16", np.int16, 15))
quint16 = public("quint16")(_quantized("quint16", np.uint16, 16))
string = public("string")(_declared("string", "other", object, 7))
resource = public("resource")(_declared("resource", "other", object, 20))
variant = public("variant")(_declared("variant", "other", object, 21))

half = float16
double = float64

QUANTIZED_DTYPES = frozenset((qint8, quint8, qint16, quint16, qint32))
"""The dtypes of whole numbers that stand for floats: see `tf.quantization.quantize`."""

_ALL = [value for value in globals().values() if isinstance(value, DType)]
OF_ML_DTYPES = {
    each.name: each
    for each in (
        bfloat16,
        *(float8_e5m2, float8_e4m3fn, float8_e4m3fnuz, float8_e4m3b11fnuz, float8_e5m2fnuz),
        *(float4_e2m1fn, int4, uint4, int2, uint2),
    )
}
"""The dtypes that NumPy knows only when ml_dtypes has been loaded, which it is when one is used."""

_REAL_OF = {complex64: float32, complex128: float64}


class _ByNumpy(dict[np.dtype[Any], DType]):
    """Looks a DType up by NumPy dtype, at the price of one dictionary access."""

    def __missing__(self, dtype: np.dtype[Any]) -> DType:
        if dtype.kind in "OSUT":
            return string
        native = dtype.newbyteorder("=")
        if native in self:
            return self[native]
        found = OF_ML_DTYPES.get(dtype.name)
        if found is None or found.dtype != native:
            raise _no_dtype(dtype)
        return self.setdefault(dtype, found)


class _Differentiable(dict[np.dtype[Any], builtins.bool]):
    """Whether a gradient can flow through a NumPy dtype, at the same price."""

    def __missing__(self, dtype: np.dtype[Any]) -> builtins.bool:
        found = OF_ML_DTYPES.get(dtype.name)
        flows = found is not None and found.is_floating and found.dtype == dtype
        return self.setdefault(dtype, flows)


_LOADED = [each for each in _ALL if each.name not in OF_ML_DTYPES]
_BY_NUMPY = _ByNumpy({each.dtype: each for each in _LOADED if each.kind != "other"})
_STRINGS = (object, np.object_, np.str_, np.bytes_)
_BY_NAME: dict[str | int | type, DType] = {
    **{each.name: each for each in _ALL},
    **{each.kernel_name: each for each in _ALL},
    **{each.as_datatype_enum: each for each in _ALL},
    **{d.type: each for d, each in _BY_NUMPY.items() if not each.is_quantized},
    # C's integers: NumPy has two types of 64 bits, on Windows of 32, and int64 is one of them.
    **{c_type: _BY_NUMPY[np.dtype(c_type)] for c_type in (np.intc, np.long, np.longlong)},
    **{c_type: _BY_NUMPY[np.dtype(c_type)] for c_type in (np.uintc, np.ulong, np.ulonglong)},
    **dict.fromkeys(_STRINGS, string),
    float: float32,
    builtins.bool: bool,
}
_DIFFERENTIABLE = _Differentiable(
    {each.dtype: each.kind in ("floating", "complex") for each in _LOADED}
)

of: Callable[[np.dtype[Any]], DType] = _BY_NUMPY.__getitem__
"""The DType of a NumPy dtype, fast."""

is_differentiable: Callable[[np.dtype[Any]], builtins.bool] = _DIFFERENTIABLE.__getitem__
"""Whether a gradient can flow through a NumPy dtype: floating or complex."""


@public("as_dtype")
def as_dtype(type_value: object) -> DType:
    """The DType that a name, a NumPy dtype or scalar type, `float` or `bool` stands for.

    >>> as_dtype("float64"), as_dtype(float), as_dtype(np.int8)
    (tf.float64, tf.float32, tf.int8)

    Args:
        type_value: A name such as "float32", a NumPy dtype or scalar type, ``float``, ``bool`` or a
            ``DType``.

    Raises:
        TypeError: If it stands for no dtype.
    """
    if isinstance(type_value, DType):
        return type_value
    if isinstance(type_value, np.dtype):
        return of(type_value)
    if isinstance(type_value, (str, int, type)) and type_value in _BY_NAME:
        return _BY_NAME[type_value]
    carried = getattr(type_value, "dtype", None)
    if isinstance(carried, np.dtype):
        return of(carried)
    raise _no_dtype(type_value)


def _no_dtype(given: object) -> TypeError:
    return TypeError(
        f"Cannot convert the argument `type_value`: {given!r} to a TensorFlow DType. "
        "Expected a tf.DType, a name such as 'float32', a NumPy dtype or scalar type, "
        "or one of Python's float and bool; strings are of tf.string."
    )


_FUNCTIONS = {
    "cast": "casting",
    "complex": "complex_numbers",
    "saturate_cast": "clipping",
}
"""The ops that are shown in tf.dtypes, and their modules, which import this one."""

if not TYPE_CHECKING:  # a type checker must see which attributes exist

    def __getattr__(name: str) -> Any:
        if name == "experimental":
            return import_module(".few_bits", __package__)
        if name not in _FUNCTIONS:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module = import_module(f".ops.elementwise.{_FUNCTIONS[name]}", __package__)
        return getattr(module, name)


def __dir__() -> list[str]:
    return sorted(
        [
            *[n for n, v in globals().items() if isinstance(v, DType)],
            *_FUNCTIONS,
            "DType",
            "QUANTIZED_DTYPES",
            "experimental",
            "as_dtype",
        ]
    )
