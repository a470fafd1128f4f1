"""Variable: a place that holds a value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import numpy as np

from .. import dtypes
from ..errors import InvalidArgumentError, OutOfRangeError
from ..public import name_methods, public
from .arrays import HOW_TO_EXPLAIN_NONE, truth
from .convert import Readable, as_tensor
from .creators import Created, note_created
from .devices import CPU, current_device
from .listeners import listeners
from .name_scopes import scoped
from .op import op
from .operators import Operators
from .recorders import cannot_be_replayed, join, next_number
from .reference import Reference
from .replicas import VariableAggregation, VariableSynchronization
from .save_slice_info import SaveSliceInfo
from .shapes import TensorShape
from .tensor import Array, Tensor, numpy_repr, seen, wrap
from .variable_parts import VariableParts
from .variable_storage import VariableStorage
from .warning import warn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .annotations import DTypeLike, PartialShape, TensorLike


@op("ReadVariableOp", elementwise=True)
def ReadVariable(xp, x):  # type: ignore[no-untyped-def]
    """A read that people can see: a tensor of its own, whose gradient is the variable's."""
    return x


ReadVariable.grads(x=lambda g: g)
ReadVariable.takes_rows = True


if TYPE_CHECKING:

    class Part(Tensor):
        """A part of a variable: a tensor, and the way to assign to that part."""

        def assign(self, value: object, name: str | None = None) -> Variable: ...


_Kind = TypeVar("_Kind", VariableSynchronization, VariableAggregation)


def _chosen(kind: type[_Kind], value: object, default: str) -> _Kind:
    """The member that was asked for, or the one that stands for nothing."""
    if value is None:
        return kind[default]
    if not isinstance(value, kind):
        raise ValueError(f"Invalid {kind.__name__}: {value!r}. Use one of {list(kind)}.")
    return value


@public("Variable")
class Variable(VariableParts, Readable, Operators, metaclass=Created):
    """A value that can be changed, and that tapes watch when it is read.

    Args:
        initial_value: The first value, or a function without arguments that makes it.
        trainable: Whether tapes watch the variable; by default they do, except with
            ``VariableSynchronization.ON_READ``, by which copies on replicas differ.
        validate_shape: Accepted, as are ``caching_device`` and ``import_scope``.
        dtype: The type of the elements; by default that of the value.
        constraint: A function that optimizers apply after an update.
        synchronization: When copies on several replicas are made equal.
        aggregation: How updates of several replicas become one.
        shape: The shape that values must have; by default that of the first one.
        variable_def: Refused, because it needs graphs of TensorFlow 1.

    Raises:
        ValueError: If there is no first value, or if it does not have the shape or the dtype.

    >>> import cinta as tf
    >>> v = tf.Variable(3.0)
    >>> with tf.GradientTape() as tape:
    ...     y = v * v
    >>> tape.gradient(y, v).numpy()
    np.float32(6.0)
    >>> v.assign_add(1.0).numpy()
    np.float32(4.0)
    >>> v.name, v.shape, v.dtype, v.trainable, v.constraint
    ('Variable:0', TensorShape([]), tf.float32, True, None)
    >>> v.get_shape() == v.shape, v.handle is v, v.device[-5:], bool(v.is_initialized())
    (True, True, 'CPU:0', True)
    >>> v.aggregation.name, v.synchronization.name, v.value().numpy(), v.ref().deref() is v
    ('NONE', 'AUTO', np.float32(4.0), True)
    """

    __array_priority__ = 100
    SaveSliceInfo = SaveSliceInfo
    asks_creators = True  # which classes that are derived from it do not

    def __init__(
        self,
        initial_value: TensorLike | Callable[[], TensorLike] | None = None,
        trainable: bool | None = None,
        validate_shape: bool = True,
        caching_device: object = None,
        name: str | None = None,
        variable_def: object = None,
        dtype: DTypeLike | None = None,
        import_scope: object = None,
        constraint: Callable[[Any], Any] | None = None,
        synchronization: object = VariableSynchronization.AUTO,
        aggregation: object = VariableAggregation.NONE,
        shape: PartialShape = None,
        **ignored: object,
    ) -> None:
        if initial_value is None:
            raise ValueError(
                "The `initial_value` arg to `tf.Variable` must be specified except when you are "
                "not providing a `variable_def`. You provided neither: it is None. If that is a "
                f"gradient, {HOW_TO_EXPLAIN_NONE}"
            )
        truth(trainable, "trainable")
        if variable_def is not None:
            raise ValueError(f"`variable_def` needs TensorFlow 1's graphs, got {variable_def!r}.")
        if constraint is not None and not callable(constraint):
            raise ValueError(f"The `constraint` argument must be a callable, got {constraint!r}.")
        if isinstance(trainable, (dtypes.DType, np.dtype, type)):
            warn(
                f"tf.Variable took {trainable!r} for `trainable`, its second argument, so the "
                f"variable's dtype is that of the value. Write dtype={trainable!r}."
            )
        value = initial_value() if callable(initial_value) else initial_value
        cannot_be_replayed("it makes a variable")
        note_created(self)
        if current_device() is not CPU:
            self._device = current_device()
        self._array = _initial(value, dtype)
        self._number = next_number()
        self._name = scoped("Variable" if name is None else name)
        self._differentiable = dtypes.is_differentiable(self._array.dtype)
        self._constraint = constraint
        self._aggregation = _chosen(VariableAggregation, aggregation, "NONE")
        self._synchronization = _chosen(VariableSynchronization, synchronization, "AUTO")
        own = self._synchronization is VariableSynchronization.ON_READ
        self._trainable = not own if trainable is None else trainable
        self._shape = TensorShape._of(self._array.shape) if shape is None else TensorShape(shape)
        if not self._shape.is_compatible_with(self._array.shape):
            raise ValueError(
                f"In this `tf.Variable` creation, the initial value's shape ({self._array.shape}) "
                f"is not compatible with the explicitly supplied `shape` argument ({shape})."
            )

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        from .derived_variables import adapt  # loaded when a class is derived

        adapt(cls, Variable)

    # -- properties --------------------------------------------------------------------------

    @property
    def shape(self) -> TensorShape:
        """The shape that values must have: None stands for lengths that may change."""
        return self._shape

    def get_shape(self) -> TensorShape:
        """The shape that values must have: the same as ``shape``."""
        return self._shape

    @property
    def dtype(self) -> dtypes.DType:
        """The type of the elements, which a variable keeps."""
        return dtypes.of(self._array.dtype)

    @property
    def trainable(self) -> bool:
        """Whether tapes watch the variable when it is read. ``tape.watch`` watches others too."""
        return self._trainable

    @property
    def constraint(self) -> Callable[[Any], Any] | None:
        """A function that optimizers apply after an update, or None."""
        return self._constraint

    @property
    def aggregation(self) -> VariableAggregation:
        """How updates of several replicas become one, as it was given."""
        return self._aggregation

    @property
    def synchronization(self) -> VariableSynchronization:
        """When the copies of several replicas are made equal, as it was given."""
        return self._synchronization

    @property
    def device(self) -> str:
        """The name of the device that holds the value, in TensorFlow's spelling."""
        found: str = vars(self).get("_device", CPU)
        return found

    @property
    def handle(self) -> Variable:
        """The identity of the variable's state: the variable itself."""
        return self

    @property
    def _unique_id(self) -> str:
        """The name by which optimizers know the variable."""
        return f"{self._name}_{self._number}"

    def is_initialized(self) -> Tensor:
        """Whether the variable has a value, which it always has."""
        return wrap(np.bool_(True))

    def ref(self) -> Reference[Variable]:
        """A hashable reference to this variable, for sets and keys of dicts; ``deref()`` gives
        it back.
        """
        return Reference(self)

    # -- reading -----------------------------------------------------------------------------

    def __tf_tensor__(self, dtype: DTypeLike | None = None, name: str | None = None) -> Tensor:
        """The value for an op: what depends on it depends on the variable."""
        tensor = wrap(array := self._array)
        tracking: list[Any] = [
            x for x in listeners() if x.on_read(self, array)
        ]  # those are recorders
        if tracking:
            tensor._recorder = join(tracking)
            tensor._number = self._number
        return tensor

    def _read(self) -> Tensor:
        """The value that this variable holds, also where its class gives ops another one."""
        return Variable.__tf_tensor__(self)

    def _visibly_read(self, dtype: dtypes.DType | None) -> Tensor:
        return ReadVariable(self.__tf_tensor__(dtype))

    def _operand(self) -> Tensor:
        """The value that operators take."""
        return self.__tf_tensor__()

    def _own_value(self) -> Tensor:
        """The value that a class derived from this one gives."""
        return as_tensor(self.value())

    def read_value(self) -> Tensor:
        """The value as a tensor of its own, through which gradients flow to the variable.

        >>> import cinta as tf
        >>> v = tf.Variable(1.0)
        >>> before = v.read_value()
        >>> float(v.assign(2.0)), float(before)
        (2.0, 1.0)
        """
        return ReadVariable(self._read())

    def value(self) -> Tensor:
        """The value as a tensor: the same as ``read_value``.

        A class derived from this one may give another value here: operators and ops compute with
        it, unless ``tf.register_tensor_conversion_function`` says what ops take.
        """
        return ReadVariable(self._read())

    def numpy(self) -> Any:
        """The value for NumPy, as a copy that may be written to.

        >>> import cinta as tf
        >>> tf.Variable([1.0, 2.0]).numpy()
        array([1., 2.], dtype=float32)
        """
        return self.__tf_tensor__().numpy()

    if TYPE_CHECKING:  # as `operators` has it

        def __getitem__(self, key: object) -> Part: ...

    def _note_read(self) -> None:
        array = self._array
        for listener in listeners():
            listener.on_read(self, array)

    # -- Python ------------------------------------------------------------------------------

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> Array:
        return np.array(self.__tf_tensor__(), dtype=dtype, copy=True)

    def __bool__(self) -> bool:
        return bool(self._operand())

    def __int__(self) -> int:
        return int(self._operand())

    def __float__(self) -> float:
        return float(self._operand())

    def __complex__(self) -> complex:
        return complex(self._operand())

    def item(self) -> bool | int | float | complex | bytes:
        """The only element, as a number of Python.

        >>> import cinta as tf
        >>> tf.Variable(2.5).item()
        2.5
        """
        return self._operand().item()

    def __len__(self) -> int:  # without it pandas takes the elements of a variable as objects
        return len(self._operand())

    def __iter__(self) -> Iterator[Tensor]:
        return iter(self.read_value())

    def __hash__(self) -> int:
        raise TypeError(
            f"Variable is unhashable. Instead, use variable.ref() as the key. (Variable: {self!r})"
        )

    def __format__(self, spec: str) -> str:
        return format(self.__tf_tensor__(), spec) if spec else str(self)

    def __repr__(self) -> str:
        value = seen(self.__tf_tensor__())  # showing the value is reading it
        shape = "<unknown>" if self._shape.rank is None else str(self._shape)
        return (
            f"<tf.Variable '{self.name}' shape={shape} dtype={self.dtype.name}, "
            f"numpy={numpy_repr(value)}>"
        )

    def _repr_html_(self) -> str | None:
        from ..text_tables import shown  # loaded when a notebook asks

        return shown(self.__tf_tensor__().numpy(), repr(self))

    def __setitem__(self, key: int, value: Array | float) -> NoReturn:
        raise TypeError(
            "'Variable' object does not support item assignment. Use v[...].assign(value)."
        )

    if not TYPE_CHECKING:  # a type checker must see which attributes exist

        def __getattr__(self, name: str) -> Array:
            if name == "_array" and "_number" in vars(self):
                return self._fetched()
            from .missing_attributes import no_attribute  # loaded when it is needed

            raise no_attribute(self, name)

    def __copy__(self) -> Variable:
        return self

    def __getstate__(self) -> dict[str, Any]:
        state, without = {**vars(self), "_array": self._array}, ("_number", "_unsettled")
        return {name: value for name, value in state.items() if name not in without}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._number = next_number()

    def eval(self, session: object = None) -> NoReturn:
        """Refused by a RuntimeError: an eager variable has its value already; use ``v.numpy()``."""
        raise RuntimeError(
            "Variable.eval is not supported when eager execution is enabled: use v.numpy()."
        )

    def count_up_to(self, limit: int) -> Tensor:
        """Add one to an integer, unless it has reached the limit; returns the number before.

        Args:
            limit: The number that is not exceeded.

        Raises:
            OutOfRangeError: If the limit has been reached.
            InvalidArgumentError: If the variable is not int32 or int64.

        >>> import cinta as tf
        >>> v = tf.Variable(0)
        >>> v.count_up_to(2).numpy(), v.numpy()
        (np.int32(0), np.int32(1))
        """
        if self.dtype.name not in ("int32", "int64"):
            raise InvalidArgumentError(
                f"count_up_to counts in int32 or int64, and {self.name} is {self.dtype.name} "
                "[Op:ResourceCountUpTo]"
            )
        before = self.read_value()
        if before >= limit:
            raise OutOfRangeError(f"Reached limit of {limit} [Op:ResourceCountUpTo]")
        self.assign_add(np.ones((), self._array.dtype))
        return before

    initializer = None  # an op of TensorFlow 1: variables have their values when they are made

    @property
    def initial_value(self) -> NoReturn:
        """Refused by a RuntimeError: an eager variable does not keep its initial value."""
        raise RuntimeError("This property is not supported when eager execution is enabled.")


name_methods("Variable", VariableStorage, VariableParts)


def _initial(value: TensorLike, dtype: DTypeLike | None) -> Array:
    wanted = None if dtype is None else dtypes.as_dtype(dtype).dtype
    try:
        return as_tensor(value, wanted)._array
    except ValueError as error:
        raise ValueError(f"initial_value: {error}") from None


def is_variable(value: TensorLike) -> bool:
    """Whether this is a variable, or an object that has one."""
    return isinstance(behind(value), Variable)


def behind(value: object) -> Any:
    """The variable behind an object that has one, as Keras's variables have; else the value."""
    if isinstance(value, (Tensor, Variable)):
        return value
    tracked = getattr(type(value), "_tracked", None)  # of composites, which load when needed
    if tracked is not None:
        return tracked(value)
    handle = getattr(value, "handle", None)
    return handle if isinstance(handle, Variable) else value
