"""Loaded functions, which run their recordings, and modules with such functions."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..engine.module import Module
from ..engine.recorders import next_number, paused
from ..engine.tensor import wrap
from ..errors import InvalidArgumentError, OpError, ResourceExhaustedError
from ..ops.random import op_numbering
from ..ops.random.state import owner_of_streams, seeds
from ..programs.concrete import TensorCallable
from ..replay.engines import compiler
from ..replay.numpy.engine import Changed
from ..replay.variant import Runner
from ..replay.variants import is_watched
from . import bodies
from .found_sizes import finds_sizes
from .plain_structures import BoundArguments, Result, Unknown, arguments_in, built, shown
from .renumbering import renumbered
from .repetition import unfolded
from .run_program import play

if TYPE_CHECKING:
    import inspect
    from collections.abc import Iterator, Mapping, Sequence

    from ..engine.annotations import NumericLike, TensorLike
    from ..engine.tensor import Tensor
    from ..engine.variable import Variable
    from ..ops.random.op_numbering import NumberedGraph
    from ..programs.specs import TensorSpec
    from ..replay.recording import Recording
    from .programs import SavedProgram
    from .sizes import Sizes

_MOST_KEPT = 32
"""For how many sizes a program is kept ready to run."""


class LoadedFunction(TensorCallable):
    """A function whose Python is not there: it runs what was recorded of it.

    ``programs`` are what it can do; ``left_out`` says of which calls no program could be saved,
    ``has_specs`` whether it had an ``input_signature``, ``origin`` in which file it stands.
    """

    def __init__(
        self,
        name: str,
        signature: inspect.Signature,
        programs: Sequence[SavedProgram],
        left_out: Sequence[str] = (),
        has_specs: bool = False,
        origin: str = "",
    ) -> None:
        self.name = self.__name__ = name
        self.signature, self.programs = signature, programs
        self.left_out, self.has_specs, self.origin = left_out, has_specs, origin
        self._ready = [ReadyProgram(program) for program in programs]
        self._owner_of_streams = owner_of_streams(self)

    def __repr__(self) -> str:
        return f"<loaded function {self.name}{self.signature}>"

    def __call__(self, *args: TensorLike, **kwargs: NumericLike) -> Any:
        try:
            given = canonical(self.signature, args, kwargs)
        except TypeError as error:
            raise TypeError(
                f"Binding inputs to tf.function failed due to `{error}`. Received args: {args} "
                f"and kwargs: {kwargs} for signature: {self.signature}, loaded from {self.origin}."
            ) from None
        went_another_way = False
        for convert in (False, True):
            for ready in self._ready:
                binding = BoundArguments(ready.program.arguments, given, convert=convert)
                if binding.fits and ready.serves(binding.sizes):
                    try:
                        with said_of_the_file(self.name, self.origin):
                            graph, tensors = self._graph(), binding.tensors
                            return op_numbering.run_in(graph, ready, tensors, binding.sizes)
                    except Changed:
                        went_another_way = True
        raise self._went_another_way() if went_another_way else self._nothing_fits(given)

    def _graph(self) -> NumberedGraph:
        """The graph of a call, in which its random ops are counted."""
        return (op_numbering.within_another if is_watched() else op_numbering.of_call)(
            self._owner_of_streams
        )

    def _went_another_way(self) -> InvalidArgumentError:
        return InvalidArgumentError(
            f"The Python of {self.name}, loaded from {self.origin}, would look at values and go "
            "another way for these arguments than in any call that was recorded, and the Python is "
            "not here. Call it with such values before saving it, or use tf.where or tf.cond in "
            "place of `if`."
        )

    def _nothing_fits(self, given: tuple[tuple[object, ...], dict[str, object]]) -> Exception:
        if not self.programs and not self.left_out:
            return ValueError(
                f"Found zero restored functions for {self.name} in {self.origin}: it has no "
                "input_signature, and was not called before it was saved."
            )
        options = dict.fromkeys([f"  {shown(*program.arguments)}" for program in self.programs])
        if self.has_specs:
            return TypeError(
                f"Binding inputs to tf.function failed: {self.name} was saved in {self.origin} for "
                f"{' or '.join(map(str.strip, options))}, and cannot take {shown(*given)}."
                + (_SOME_ARE_EQUAL if any(map(_has_ties, self.programs)) else "")
            )
        lines = [
            f"Could not find matching concrete function to call {self.name} loaded from the "
            f"SavedModel {self.origin}. Got:",
            f"  {shown(*given)}",
            f"Expected these arguments to match one of the following {len(options)} option(s):",
            *options,
            *[f"Not saved: {why}" for why in self.left_out],
        ]
        return ValueError("\n".join(lines))


@contextmanager
def said_of_the_file(name: str, origin: str) -> Iterator[None]:
    """Say in errors which file a function is from: it may say what makes no sense."""
    where = f"in {name}, loaded from {origin}"
    try:
        yield
    except Changed:
        raise
    except (OpError, ValueError, TypeError) as error:
        error.add_note(where)
        raise
    except MemoryError as error:
        raise ResourceExhaustedError(f"{error}, {where}.") from None
    except Exception as error:
        raise InvalidArgumentError(
            f"{type(error).__name__}: {error}, {where}, which is not for these arguments, or "
            "damaged."
        ) from error


_SOME_ARE_EQUAL = (
    " Some of the unknown dimensions must be equal, because it could not be recorded otherwise."
)


def _has_ties(program: SavedProgram) -> bool:
    """Whether two unknown dimensions are known to be equal."""
    lengths = [n for each in arguments_in(program.arguments) for n in each.shape]
    unknown = [n for n in lengths if isinstance(n, Unknown)]
    return len({*unknown}) < len(unknown)


class SignatureFunction(LoadedFunction):
    """A function that takes tensors by name and returns a dict of tensors."""

    @property
    def structured_input_signature(self) -> tuple[tuple[()], dict[str, TensorSpec]]:
        """The specs of the arguments."""
        arguments = arguments_in(self.programs[-1].arguments)
        pairs = zip(self.signature.parameters, arguments, strict=True)
        return (), {name: each._replace(name=name).spec for name, each in pairs}

    @property
    def structured_outputs(self) -> dict[str, TensorSpec]:
        """The specs of the results."""
        program = self.programs[-1]
        places: dict[str, Result] = program.returned
        pairs = [(name, program.outputs[place.position]) for name, place in places.items()]
        return {name: output._replace(name=name).spec for name, output in pairs}

    @property
    def inputs(self) -> list[TensorSpec]:
        """The specs of what it takes."""
        return [*self.structured_input_signature[1].values()]


def canonical(
    signature: inspect.Signature, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments by position where that can be, with those that were left out."""
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    return bound.args, bound.kwargs


class ReadyProgram:
    """A program that can be run: its recording for some sizes is made when it is first needed."""

    def __init__(self, program: SavedProgram) -> None:
        self.program = program
        self._finds_sizes = finds_sizes(program.recording, program.serves.count(None))
        self._made: dict[Sizes, SizedRecording] = {}

    def serves(self, sizes: Sizes) -> bool:
        """Whether it is for these sizes."""
        return self.program.free(sizes) is not None

    def __call__(self, tensors: Sequence[Tensor], sizes: Sizes) -> Any:
        """The function's result; raises ``Changed`` if a guard does not hold."""
        free = self.program.free(sizes) or ()
        if self._finds_sizes:
            return built(self.program.returned, play(self.program.recording, tensors, free))
        if free not in self._made:
            if len(self._made) == _MOST_KEPT:
                self._made.pop(next(iter(self._made)), None)
            recording = renumbered(unfolded(self.program.recording, free), next_number)
            self._made[free] = SizedRecording(recording)
        return built(self.program.returned, self._made[free](tensors))


class SizedRecording:
    """A recording for certain sizes; its first run tells of which shapes its values are."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._has_bodies = any([step.bodies for step in recording.calls])
        self._runner: Runner | None = None

    def __call__(self, tensors: Sequence[Tensor]) -> list[Tensor]:
        if self._runner is None and (self._has_bodies or not is_watched()):
            before = seeds.snapshot()
            try:
                self._recording = with_specs(self._recording, [x._array for x in tensors])
            finally:
                seeds.rewind(before)
            self._runner = Runner(self._recording, compiler(None))
        if self._runner is None or is_watched():
            return play(self._recording, tensors)
        return self._runner(tensors)


def with_specs(recording: Recording, arrays: Sequence[Any], made_up: bool = False) -> Recording:
    """The recording with the dtypes and shapes that its values have for these inputs."""
    given = dict(zip(recording.inputs, arrays, strict=True))
    given.update((number, variable._array) for variable, number in recording.reads)
    try:
        return bodies.with_specs(recording, given, made_up)
    except Changed:
        raise
    except Exception:
        with paused():
            play(recording, [wrap(x) for x in arrays])  # which says it in the words of the op
        raise


class LoadedModule(Module):
    """An object with the variables, functions and modules that were saved."""

    signatures: dict[str, SignatureFunction]

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The list that was saved under this name, else the variables in it."""
        return self._saved_list("variables") or super().variables

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """The list that was saved under this name, else the variables that are trained."""
        return self._saved_list("trainable_variables") or super().trainable_variables

    @property
    def non_trainable_variables(self) -> tuple[Variable, ...]:
        """The list that was saved under this name, else the variables that are not trained."""
        return self._saved_list("non_trainable_variables") or super().non_trainable_variables

    def _saved_list(self, name: str) -> tuple[Variable, ...]:
        found = vars(self).get(name)
        return tuple(found) if isinstance(found, (list, tuple)) else ()

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...  # the object saved under this name

    def __repr__(self) -> str:
        known = sorted(vars(self).items())
        names = [n for n, v in known if not n.startswith("_") and (n != "signatures" or v)]
        return f"<loaded model with {', '.join(names) or 'nothing in it'}>"


class CallableModule(LoadedModule):
    """One that can be called."""

    def __call__(self, *args: object, **kwargs: object) -> Any:
        return vars(self)["__call__"](*args, **kwargs)
