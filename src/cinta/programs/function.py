"""tf.function: a Python function with the calling convention of TensorFlow's functions.

A call that is new runs the Python and records it; one like an earlier one replays the recording. So
`if`, `while` and `for` on values, prints and captured variables do what they say. The arguments are
bound and checked as TensorFlow does it: arrays become tensors, and an ``input_signature`` says of
which dtypes and shapes they are.
"""

from __future__ import annotations

import functools
import inspect
import sys
from copy import copy, deepcopy
from types import DynamicClassAttribute
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar, overload
from weakref import WeakKeyDictionary, WeakValueDictionary

from .. import nest
from ..engine import settings
from ..engine.module import Module, Owned
from ..engine.recorders import cannot_be_replayed
from ..engine.replicas import context
from ..engine.transactions import all_or_nothing
from ..ops.random import op_numbering
from ..public import name_methods, public
from ..replay.argument_structures import Arguments, Same, returned_by
from ..replay.calls import Call
from ..replay.engines import compiler, python_of
from ..replay.entry import ELSEWHERE, Written
from ..replay.exploring import EndingTrace
from ..replay.variants import Variants, is_watched
from .binding import Binding
from .concrete import ConcreteFunction, TensorCallable
from .declared import checked_specs
from .gradients_in_functions import OnTape
from .inspection import FunctionInspection
from .restrictions import few_variables, returnable, unmodified

if TYPE_CHECKING:
    from collections.abc import Callable, MutableMapping, Sequence

    from ..engine.replicas import Context
    from ..replay.recording import Recording
    from ..replay.variant import Variant

P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R")
T = TypeVar("T")


@overload
def function(
    func: Callable[P, R],
    input_signature: Sequence[Any] | None = None,
    autograph: bool = True,
    jit_compile: bool | None = None,
    reduce_retracing: bool = False,
    experimental_implements: str | None = None,
    experimental_autograph_options: object = None,
    experimental_attributes: object = None,
    experimental_relax_shapes: bool | None = None,
    experimental_compile: bool | None = None,
    experimental_follow_type_hints: bool | None = None,
) -> Function[P, R]: ...
@overload
def function(
    func: None = None,
    input_signature: Sequence[Any] | None = None,
    autograph: bool = True,
    jit_compile: bool | None = None,
    reduce_retracing: bool = False,
    experimental_implements: str | None = None,
    experimental_autograph_options: object = None,
    experimental_attributes: object = None,
    experimental_relax_shapes: bool | None = None,
    experimental_compile: bool | None = None,
    experimental_follow_type_hints: bool | None = None,
) -> Callable[[Callable[P, R]], Function[P, R]]: ...
@public("function")
def function(
    func: Callable[..., Any] | None = None,
    input_signature: Sequence[Any] | None = None,
    autograph: bool = True,
    jit_compile: bool | None = None,
    reduce_retracing: bool = False,
    experimental_implements: str | None = None,
    experimental_autograph_options: object = None,
    experimental_attributes: object = None,
    experimental_relax_shapes: bool | None = None,
    experimental_compile: bool | None = None,
    experimental_follow_type_hints: bool | None = None,
) -> Any:
    """Make a function of tensors of a Python function; also as a decorator.

    >>> import cinta as tf
    >>> @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    ... def f(x):
    ...     return tf.reduce_sum(x**2) if x[0] > 0 else x[0]
    >>> f([1, 2]).numpy()
    np.float32(5.0)

    The first call runs the Python code and records its ops. Later calls replay the recording, which
    spares the cost of Python, for as long as the code would do the same. Arguments that are arrays
    become tensors, as do results that are numbers; with an ``input_signature`` all arguments do.

    Args:
        func: The function; without it, a decorator is returned.
        input_signature: A ``TensorSpec`` for every argument, or nests of them.
        autograph: Accepted: Python's control flow works on values as it is.
        jit_compile: Whether XLA is to compile the function; it needs JAX. By default what
            ``tf.config.set_engine`` says.
        reduce_retracing: Accepted, as the next three: they say how TensorFlow is to build graphs.
        experimental_implements: Accepted.
        experimental_autograph_options: Accepted.
        experimental_attributes: Accepted.
        experimental_relax_shapes: ``reduce_retracing`` by its old name.
        experimental_compile: ``jit_compile`` by its old name.
        experimental_follow_type_hints: Accepted.

    Raises:
        TypeError: If it is not a function, or the signature is not a list or tuple.
    """
    jit_compile = experimental_compile if jit_compile is None else jit_compile
    if func is None:
        return functools.partial(function, input_signature=input_signature, jit_compile=jit_compile)
    if not callable(func):
        raise TypeError(f"{func!r} is not a callable object: tf.function takes a function.")
    return Function(func, input_signature, jit_compile)


@public("types.experimental.GenericFunction", "types.experimental.PolymorphicFunction")
class Function(FunctionInspection[P], TensorCallable, Generic[P, R]):
    """A Python function with recordings of its calls; ``tf.function`` makes it.

    A call with arguments of a dtype or shape that is new is recorded; other calls run a recording,
    without the Python.

    >>> import cinta as tf
    >>> @tf.function
    ... def square(x):
    ...     print("recording")
    ...     return x * x
    >>> [square(tf.constant(x)).numpy().item() for x in (2.0, 3.0)]
    recording
    [4.0, 9.0]
    >>> isinstance(square, tf.types.experimental.GenericFunction)
    True

    Args:
        func: The Python function.
        input_signature: A ``TensorSpec`` for every argument; None to take them as they come.
        jit_compile: Whether XLA is to compile it; None for what ``tf.config.set_engine`` says.
    """

    __name__: str
    __qualname__: str
    __module__: str

    def __init__(
        self, func: Callable[P, R], input_signature: object, jit_compile: bool | None = None
    ) -> None:
        functools.update_wrapper(self, func)
        self._func = func
        self._owner: tuple[Any, ...] = ()
        signature = inspect.signature(func)
        self._binding = Binding(signature, checked_specs(input_signature, func, signature))
        self.__name__ = getattr(func, "__name__", type(func).__name__)
        self._jit_compile = jit_compile
        self._compiler = compiler(jit_compile)
        self._on_tape = OnTape()
        self._variants = self._no_variants()
        self._in_contexts: MutableMapping[Any, dict[bool, Variants]] = WeakKeyDictionary()
        self._concrete: MutableMapping[Any, ConcreteFunction] = {}
        self._of_methods: MutableMapping[Any, ConcreteFunction] = WeakValueDictionary()

    def _no_variants(self) -> Variants:
        return Variants(
            self.__name__, self._compiler, has_signature=self._binding.specs is not None
        )

    def __repr__(self) -> str:
        return f"<tf.function {self.__name__}{self._binding.signature}>"

    @DynamicClassAttribute
    def __signature__(self) -> inspect.Signature:
        """The signature, for code that does not look behind decorators."""
        return self._binding.signature

    @property
    def python_function(self) -> Callable[P, R]:
        """The Python function.

        >>> import cinta as tf
        >>> def square(x):
        ...     return x * x
        >>> tf.function(square).python_function is square
        True
        """
        return self._func

    @property
    def input_signature(self) -> tuple[Any, ...] | None:
        """The specs of the arguments, if they were given.

        >>> import cinta as tf
        >>> f = tf.function(lambda x: x + 1, input_signature=[tf.TensorSpec([None], tf.int32)])
        >>> f.input_signature
        (TensorSpec(shape=(None,), dtype=tf.int32, name=None),)
        """
        return self._binding.specs

    def _decorate(self, decorator: Callable[[Callable[P, R]], Callable[P, R]]) -> None:
        """Put a decorator around the Python function, before it is called: Sonnet's modules do."""
        self._func = self.__dict__["__wrapped__"] = decorator(self._func)

    def _refers_to(self) -> tuple[Any, ...]:
        """The objects that its calls depend on, for code that follows a program's references."""
        return self._func, *self._owner

    def __reduce__(self) -> str | tuple[Any, ...]:
        if self._owner:
            return getattr, (*self._owner, self.__name__)
        found: object = sys.modules.get(self.__module__)
        for name in self.__qualname__.split("."):
            found = getattr(found, name, None)
        if found is self:  # a decorated function, which is known by its name
            return str(self.__qualname__)
        return function, (self._func, self._binding.specs, True, self._jit_compile)

    def __copy__(self) -> Function[P, R]:
        copied = object.__new__(type(self))
        vars(copied).update(vars(self))
        return copied

    def __deepcopy__(self, memo: dict[int, Any]) -> Function[P, R]:
        """A function of the same Python, which is recorded anew."""
        copied = copy(self)
        copied._func = copied.__dict__["__wrapped__"] = deepcopy(self._func, memo)
        copied._owner = deepcopy(self._owner, memo)
        copied._variants = self._no_variants()
        copied._in_contexts = WeakKeyDictionary()
        copied._concrete, copied._of_methods = {}, WeakValueDictionary()
        return copied

    @overload
    def __get__(self, owner: None, kind: type | None = None) -> Function[P, R]: ...
    @overload
    def __get__(
        self: Function[Concatenate[Any, Q], R], owner: object, kind: type | None = None
    ) -> Function[Q, R]: ...
    def __get__(self, owner: object, kind: type | None = None) -> Function[Any, R]:
        if owner is None:
            return self
        bound = copy(self)
        bound._owner, bound._binding = (owner,), self._binding.of_method
        bound._concrete = self._of_methods
        if isinstance(owner, Module):
            bound._variants = self._kept_by(owner, self, self._no_variants)
            bound._concrete = self._kept_by(owner, (self, "concrete"), dict)
        return bound

    def _variants_in(self, where: Context) -> Variants:
        """The recordings for one strategy, for its replica or for the program around it.

        Python's questions about strategies have other answers there.
        """
        found: dict[bool, Variants] = self._in_contexts.setdefault(where.strategy, {})
        return found.setdefault(where.replica is None, self._no_variants())

    def _kept_by(self, owner: Module, key: object, make: Callable[[], T]) -> T:
        """The thing that a module keeps of this function, which may well refer to the module."""
        owned: dict[object, T] = vars(owner).setdefault("_owned", Owned()).by_maker
        if key not in owned:
            owned[key] = make()
        return owned[key]

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        returned: R  # but numbers and arrays in it are tensors
        for entry in self._variants.entries:
            returned = entry.enter(self._owner, args, kwargs)
            if returned is not ELSEWHERE:
                return returned
        given = self._binding.converted(args, kwargs)
        returned = self._on_tape.call(lambda: self._run(given, args, kwargs))
        return returned

    def _run(
        self,
        given: tuple[tuple[Any, ...], dict[str, Any]],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> Any:
        """Call it with these arguments, which are those that are written as ``args, kwargs``."""
        where = context()
        if settings.run_functions_eagerly or (where is not None and where.turns is not None):
            return self._python(*given)
        if is_watched():
            return self._watched(*given)
        variants = self._variants if where is None else self._variants_in(where)
        written = Written(self._owner, args, kwargs, self._binding.signature.bind)
        return variants.call(self._call(given, self._checked_python, written))

    def _call(
        self,
        given: tuple[tuple[Any, ...], dict[str, Any]],
        python: Callable[..., Any],
        written: Written | None = None,
    ) -> Call:
        """A call with these arguments, by position and by name."""
        return Call(Arguments(self._owner, *given), python, (self._func, *self._owner), written)

    def _watched(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run the Python for somebody who wants to see each op."""
        try:
            graph = self._variants.graph_for(Arguments(self._owner, args, kwargs))
            run = functools.partial(returned_by, self._checked_python, args, kwargs)
            return op_numbering.run_in(graph, all_or_nothing, run)
        except BaseException:
            cannot_be_replayed(f"{self.__name__} raises an error")  # which may be caught
            raise

    def _checked_python(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run the Python function; raise if it does something that functions may not do."""
        name, signature = self.__name__, self._binding.signature
        makes_variables = not self._variants.has_run or self._makes_variables_by_owner
        with (
            few_variables(name, makes_variables),
            python_of(self._jit_compile),
            unmodified(name, signature, args, kwargs),
        ):
            returned = op_numbering.run_in(op_numbering.anew(), self._python, args, kwargs)
        self._variants.has_run = True
        return returned

    @property
    def _makes_variables_by_owner(self) -> bool:
        """Whether it is a method of an object whose recordings are shared with others."""
        return bool(self._owner) and not isinstance(self._owner[0], Module)

    def _python(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run the Python function; its results as tensors."""
        returned = self._on_tape.python(self._func, (*self._owner, *args), kwargs)
        return nest.map_structure(lambda value: returnable(value, self.__name__), returned)

    def recording(self, *args: object, **kwargs: object) -> Recording:
        """The recording that runs in place of the Python for such arguments.

        >>> import cinta as tf
        >>> f = tf.function(lambda x: tf.exp(x) * x)
        >>> [step.op.name for step in f.recording(tf.constant(1.0)).steps]
        ['Exp', 'Mul']
        """
        given = self._binding.converted(args, kwargs)
        call = self._call(given, self._python)
        return self._on_tape.call(lambda: self._variants.record(call)).recording

    def _tried(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Variant:
        """A recording for examples of arguments, with the structure of what is returned."""
        call = self._call((args, kwargs), self._python)
        return self._on_tape.call(lambda: self._variants.tried(call, EndingTrace))

    def get_concrete_function(self, *args: object, **kwargs: object) -> ConcreteFunction:
        """The function for arguments of these specs, which need not be given again.

        >>> import cinta as tf
        >>> double = tf.function(lambda x: 2 * x)
        >>> concrete = double.get_concrete_function(tf.TensorSpec([], tf.float32))
        >>> concrete(tf.constant(3.0)).numpy()
        np.float32(6.0)
        """
        specs = self._binding.specs
        if specs is not None and not args and not kwargs:
            args = specs
        made = ConcreteFunction(self, self._binding.bind(args, kwargs))
        return self._concrete.setdefault((*map(Same, self._owner), made.kind), made)


name_methods("Function", FunctionInspection)
