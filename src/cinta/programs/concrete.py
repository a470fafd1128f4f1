"""Concrete functions: functions whose arguments have been said."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .. import nest
from ..engine.convert import as_tensor, is_tensor
from ..engine.creators import noting_created
from ..engine.shapes import TensorShape
from ..errors import InvalidArgumentError
from ..public import public
from ..replay.argument_structures import Arguments
from ..replay.examples import example
from ..replay.recording import Spec
from .composite_specs import IndexedSlicesSpec, SparseTensorSpec
from .declared import Declared, by_spec, fitted
from .function_types import FunctionType
from .specs import TensorSpec, TypeSpec

if TYPE_CHECKING:
    import inspect
    from collections.abc import Hashable, Iterator

    from ..engine.annotations import NumericLike
    from ..engine.variable import Variable
    from ..replay.recording import Recording
    from ..replay.variant import Variant
    from .function import Function
    from .graph_view import GraphView, SymbolicTensor

_SIZES = (2, 3)
"""Lengths to try for dimensions that are not known: what differs in the results is not, either."""


@public("types.experimental.Callable")
class TensorCallable:
    """The class of functions that ``tf.function`` makes, of their concrete ones and of loaded ones.

    >>> import cinta as tf
    >>> square = tf.function(lambda x: x * x)
    >>> isinstance(square, tf.types.experimental.Callable)
    True
    """


@public("types.experimental.ConcreteFunction", "types.experimental.AtomicFunction")
class ConcreteFunction(TensorCallable):
    """A function with specs for its arguments; an argument without a spec is a constant.

    ``get_concrete_function`` makes it. A call raises a TypeError if arguments do not fit the specs,
    and an InvalidArgumentError if a tensor has another dtype.

    >>> import cinta as tf
    >>> w = tf.Variable([1.0, 2.0])
    >>> scale = tf.function(lambda x: {"scaled": x * w})
    >>> concrete = scale.get_concrete_function(tf.TensorSpec([None, 2]))
    >>> concrete(tf.constant([[1.0, 1.0]]))["scaled"].numpy()
    array([[1., 2.]], dtype=float32)
    >>> concrete.output_shapes, concrete.output_dtypes
    ({'scaled': TensorShape([None, 2])}, {'scaled': tf.float32})
    >>> [operation.name for operation in concrete.graph.get_operations()]
    ['x', 'ReadVariableOp/resource', 'ReadVariableOp', 'mul', 'Identity']
    >>> [len(each) for each in (concrete.inputs, concrete.outputs, concrete.structured_outputs)]
    [2, 1, 1]
    >>> [each[0] is w for each in (concrete.variables, concrete.trainable_variables)]
    [True, True]
    >>> concrete.captured_inputs[0] is w, concrete.inference_fn is concrete
    (True, True)
    >>> concrete.structured_input_signature
    ((TensorSpec(shape=(None, 2), dtype=tf.float32, name='x'),), {})
    >>> print(concrete.recording)
    <lambda>(%0: float32[2,2])
      %1: float32[2] = read Variable:0
      %2: float32[2,2] = Mul(%0, %1)
      return %2

    Args:
        made_of: The function.
        bound: Its arguments: specs and constants.
    """

    def __init__(self, made_of: Function[..., Any], bound: inspect.BoundArguments) -> None:
        self._function = self.__wrapped__ = made_of
        self._declared = Declared(bound)
        self.name = self.__name__ = made_of.__name__

    def __repr__(self) -> str:
        return f"<ConcreteFunction {self.function_type} at {id(self):#x}>"

    def __str__(self) -> str:
        return f"ConcreteFunction {self.pretty_printed_signature()}"

    def _refers_to(self) -> tuple[Any, ...]:
        """The objects that its calls depend on, for code that follows a program's references."""
        return self._function, *self._declared.arguments.values()

    # -- properties ----------------------------------------------------------------------------

    @property
    def structured_input_signature(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The specs and constants, by position and by keyword."""
        return self._declared.placed({})

    @property
    def kind(self) -> Hashable:
        """A key that is equal for those that were made for the same arguments."""
        leaves = nest.flatten([*self._declared.arguments.values()])
        constants = tuple([x for x in leaves if not isinstance(x, TypeSpec)])
        return repr(self._declared), Arguments((), constants, {}).kind

    @property
    def function_type(self) -> FunctionType:
        """The types of the arguments and of the result."""
        return FunctionType._of(self._declared, self._output_specs, self.variables)

    def pretty_printed_signature(self, verbose: bool = True) -> str:
        """The types of the arguments and of the result, as text.

        Args:
            verbose: Whether to write them in several lines.

        >>> import cinta as tf
        >>> double = tf.function(lambda x: 2.0 * x).get_concrete_function(tf.TensorSpec([3]))
        >>> print(double.pretty_printed_signature())
        Input Parameters:
          x (POSITIONAL_OR_KEYWORD): TensorSpec(shape=(3,), dtype=tf.float32, name=None)
        Output Type:
          TensorSpec(shape=(3,), dtype=tf.float32, name=None)
        Captures:
          None
        """
        return repr(self.function_type) if verbose else f"{self.name}{self.function_type}"

    @property
    def inputs(self) -> list[SymbolicTensor]:
        """The tensors that it takes, and the handles of the variables that it reads."""
        return self.graph.inputs

    @property
    def outputs(self) -> list[SymbolicTensor]:
        """The tensors that it returns, in a list."""
        return self.graph.outputs

    @property
    def structured_outputs(self) -> Any:
        """The tensors that it returns, in the structure in which it does."""
        return self.graph.structured_outputs

    @property
    def output_shapes(self) -> Any:
        """The shapes of the results, in their structure."""
        return nest.map_structure(lambda spec: spec and spec.shape, self._output_specs)

    @property
    def output_dtypes(self) -> Any:
        """The dtypes of the results, in their structure."""
        return nest.map_structure(lambda spec: spec and spec.dtype, self._output_specs)

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The variables that it reads or assigns."""
        return self.graph.variables

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """Those of them that are trained."""
        return self.graph.trainable_variables

    @property
    def captured_inputs(self) -> list[Variable]:
        """Its inputs beside the arguments: variables."""
        return [*self.variables]

    @property
    def inference_fn(self) -> ConcreteFunction:
        """The function that runs where no tape listens: this one."""
        return self

    @property
    def recording(self) -> Recording:
        """Its recording for examples of its arguments."""
        return self._variants[0].recording

    @cached_property
    def graph(self) -> GraphView:
        """Its ops as a graph that can be read; ``recording`` shows more."""
        from .graph_view import GraphView

        return GraphView(self.recording, [*self._tensor_names()], self._variants[0].pack)

    def _tensor_names(self) -> Iterator[str]:
        """A name for each tensor in the arguments."""
        for name, value in self._declared.arguments.items():
            for spec in nest.flatten(value):
                if isinstance(spec, TensorSpec):
                    yield spec.name or name
                elif isinstance(spec, (SparseTensorSpec, IndexedSlicesSpec)):
                    yield from [f"{name}_{i}" for i in range(2)]  # indices and values

    @cached_property
    def _variants(self) -> list[Variant]:
        """Its recordings for examples of its arguments, several if not all sizes are known."""
        specs = nest.flatten([*self._declared.arguments.values()])
        known = all(x.shape.is_fully_defined() for x in specs if isinstance(x, TensorSpec))
        found = [self._recorded(_SIZES[0])]
        if not known:
            with suppress(Exception):  # it may take one size alone, which is known then
                found.append(self._recorded(_SIZES[1]))
        return found

    def _recorded(self, size: int) -> Variant:
        examples = self._declared.examples
        values = {
            name: by_spec(lambda s, x: _example(s, x, size), spec, examples.get(name, spec))
            for name, spec in self._declared.arguments.items()
        }
        args, kwargs = self._declared.placed(values)
        with noting_created() as created:
            found = self._function._tried(args, kwargs)
        if any(made() is not None for made in created):  # later calls read what this one made
            found = self._function._tried(args, kwargs)
        return found

    @cached_property
    def _output_specs(self) -> Any:
        first, *others = [variant.recording for variant in self._variants]
        specs = []
        for i, ref in enumerate(first.results):
            known = first.spec_of(ref)
            shape = TensorShape(known.shape)
            for other in others:
                shape = shape.most_specific_compatible_shape(other.spec_of(other.results[i]).shape)
            specs.append(TensorSpec(shape, known.dtype))
        return self._variants[0].pack(specs)

    # -- calls ---------------------------------------------------------------------------------

    def add_to_graph(self, g: object = None, overwrite: bool = False) -> None:
        """Nothing: the recording of the function is with the function, and no graph needs it.

        >>> import cinta as tf
        >>> double = tf.function(lambda x: 2.0 * x).get_concrete_function(1.0)
        >>> double.add_to_graph(overwrite=True)

        Args:
            g: Accepted; changes no result.
            overwrite: Accepted; changes no result.
        """

    add_gradient_functions_to_graph = add_to_graph

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        args, kwargs = self._arguments(args, kwargs)
        return self._function(*args, **kwargs)

    def _arguments(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        try:
            return self._declared.converted(self._bound(args, kwargs), self._of_dtype)
        except (TypeError, ValueError) as error:
            raise TypeError(
                f"Binding inputs to tf.function failed due to `{error}`. Received args: {args} "
                f"and kwargs: {kwargs} for signature: ({self._declared})."
            ) from None

    def _bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """The arguments by name: all of them, or only those that are not constants."""
        try:
            return self._declared.bound(args, kwargs)
        except TypeError:
            try:
                return self._declared.open_signature.bind(*args, **kwargs).arguments
            except TypeError:
                pass
            raise

    def _of_dtype(self, spec: TypeSpec, value: NumericLike) -> Any:
        if not isinstance(spec, TensorSpec):
            return fitted(spec, value)
        tensor = as_tensor(value, None if is_tensor(value) else spec.dtype.dtype)
        if tensor.dtype != spec.dtype:
            wanted, got = spec.dtype.kernel_name, tensor.dtype.kernel_name
            raise InvalidArgumentError(
                f"cannot compute {self.name} as an input was expected to be a {wanted} tensor but "
                f"is a {got} tensor [Op:{self.name}]"
            )
        return tensor


def _example(spec: TypeSpec, given: object, size: int) -> Any:
    """A value of a spec, with this length where a dimension is not known."""
    if not isinstance(spec, TensorSpec):
        if isinstance(given, TypeSpec):
            raise TypeError(
                f"No value can be made up for {spec}, so this function cannot be looked into: give "
                "get_concrete_function a value in place of the spec."
            )
        return given
    if spec.shape.rank is None:
        shape: tuple[int, ...] = (size,) * (size - _SIZES[0])  # a scalar, then a vector
    else:
        shape = tuple([size if n is None else n for n in spec.shape.as_list()])
    return example(Spec(spec.dtype.dtype, shape))
