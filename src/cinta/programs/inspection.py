"""Readings of a function: its recordings, types, code and memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, ParamSpec, cast

from .. import nest
from ..replay.argument_structures import Same, TensorKind
from ..replay.engines import check_has_jax
from .declared import Declared
from .function_types import FunctionType
from .specs import TensorSpec

if TYPE_CHECKING:
    from collections.abc import Callable, MutableMapping

    from ..explain.explanation import Explanations
    from ..explain.memory_summary import MemorySummary
    from ..replay.report import CallReport
    from ..replay.variant import Variant
    from ..replay.variants import Variants
    from .binding import Binding
    from .concrete import ConcreteFunction
    from .function import Function

P = ParamSpec("P")


class FunctionInspection(Generic[P]):
    """The methods of a function that are for people. Their modules load when they are called."""

    __name__: str
    _binding: Binding
    _jit_compile: bool | None
    _variants: Variants
    _concrete: MutableMapping[Any, ConcreteFunction]

    def report(self) -> CallReport:
        """How often the function was called, how often replayed, and what its recordings take.

        >>> import cinta as tf
        >>> double = tf.function(lambda x: 2.0 * x)
        >>> for _ in range(3):
        ...     y = double(tf.constant(1.0))
        >>> double.report().calls, double.report().replays
        (3, 2)

        Printed, it also tells where the time of a call goes, which is measured then.
        """
        return self._variants.report()

    def experimental_get_tracing_count(self) -> int:
        """How often the Python has been recorded.

        >>> import cinta as tf
        >>> f = tf.function(lambda x: 2 * x)
        >>> for x in (1.0, 2.0, [1.0, 2.0]):  # the list is of another shape
        ...     _ = f(tf.constant(x))
        >>> f.experimental_get_tracing_count()
        2
        """
        return self._variants.recorded

    def explain(self, *args: P.args, **kwargs: P.kwargs) -> Explanations:
        """Why it was recorded again, or runs as Python; of a call, why gradients are None or NaN.

        With arguments it is called once, on a tape, with explanations on: gradients of what it
        returns by the variables that it reads, or by its arguments if it reads none, are explained
        if they are None, zero or not finite. Variables and random numbers are as before.

        >>> import cinta as tf
        >>> @tf.function
        ... def loss(x):
        ...     return tf.reduce_sum(tf.sqrt(x))
        >>> loss.explain(tf.constant([0.0, 4.0]))[0].cause
        'sqrt-at-zero'
        >>> for n in (2, 3):
        ...     y = loss(tf.ones([n]))
        >>> loss.explain()[0].cause
        'argument-shape'
        """
        from ..explain.function_answers import explain_function

        return explain_function(cast("Function[P, Any]", self), args, kwargs)

    def _repr_html_(self) -> str:
        from ..explain.gradient_tables import html_of_function

        return html_of_function(cast("Function[P, Any]", self))

    def summary(self, *args: P.args, **kwargs: P.kwargs) -> MemorySummary:
        """The arrays that a tape keeps for the gradient of a call, by lines of the program.

        The function is called once; variables and random numbers are as before. Without arguments
        the summary is of its recording: the results of its ops, whose lines are not known.

        >>> import cinta as tf
        >>> @tf.function
        ... def loss(x):
        ...     return tf.reduce_sum(tf.exp(x))
        >>> loss.summary(tf.ones([100])).lines[0].bytes
        400
        """
        from ..explain.function_answers import summary_of_function

        return summary_of_function(cast("Function[P, Any]", self), args, kwargs)

    def experimental_get_compiler_ir(
        self, *args: object, **kwargs: object
    ) -> Callable[..., str | bytes]:
        """A function that gives the code for such arguments at a stage of compilation by XLA.

        The arguments may be specs. The stages are ``"stablehlo"``, ``"hlo"`` and
        ``"optimized_hlo"``, each also ``_serialized``, and ``"optimized_hlo_dot"``.

        >>> import cinta as tf
        >>> double = tf.function(lambda x: 2.0 * x, jit_compile=True)
        >>> ir = double.experimental_get_compiler_ir(tf.TensorSpec([2]))
        >>> "stablehlo.multiply" in ir(stage="stablehlo")
        True

        Raises:
            ValueError: If the function is not one with ``jit_compile=True``.
            ImportError: If JAX is not installed.
        """
        if not self._jit_compile:
            raise ValueError(
                "Compiler IR can only be returned for functions marked with 'jit_compile=True'"
            )
        check_has_jax()
        concrete = cast("Function[P, Any]", self).get_concrete_function(*args, **kwargs)

        def at_stage(
            stage: str = "hlo", device_name: object = None, platform_name: object = None
        ) -> str | bytes:
            from ..replay.xla.compiler_ir import compiler_ir  # JAX is imported when it is needed

            return compiler_ir(concrete.recording, stage)

        return at_stage

    def pretty_printed_concrete_signatures(self, verbose: bool = True) -> str:
        """The types of the arguments with which it was recorded, and of what it returned.

        >>> import cinta as tf
        >>> double = tf.function(lambda x: 2 * x)
        >>> y = double(tf.constant(1)), double(tf.constant(1.5))
        >>> print(double.pretty_printed_concrete_signatures())
        Input Parameters:
          x (POSITIONAL_OR_KEYWORD): TensorSpec(shape=(), dtype=tf.int32, name=None)
        Output Type:
          TensorSpec(shape=(), dtype=tf.int32, name=None)
        Captures:
          None
        <BLANKLINE>
        Input Parameters:
          x (POSITIONAL_OR_KEYWORD): TensorSpec(shape=(), dtype=tf.float32, name=None)
        Output Type:
          TensorSpec(shape=(), dtype=tf.float32, name=None)
        Captures:
          None

        Args:
            verbose: Whether to print parts by lines, or each signature on one line.
        """
        types = [self._type_of(variant) for variant in self._variants]
        types += [concrete.function_type for concrete in self._concrete.values()]
        texts = [repr(each) if verbose else f"{self.__name__}{each}" for each in types]
        return "\n\n".join(dict.fromkeys(texts))

    def _type_of(self, variant: Variant) -> FunctionType:
        """The type of the function as it was recorded."""
        args, kwargs = nest.map_structure(_as_spec, variant.arguments)
        recording = variant.recording
        specs = [TensorSpec._of(recording.spec_of(ref)) for ref in recording.results]
        variables = [variable for variable, _ in recording.reads]
        return FunctionType._of(
            Declared(self._binding.bind(args, kwargs)), variant.pack(specs), variables
        )


def _as_spec(described: object) -> Any:
    if isinstance(described, TensorKind):
        return TensorSpec._of(described.spec)
    return described.thing if isinstance(described, Same) else described
