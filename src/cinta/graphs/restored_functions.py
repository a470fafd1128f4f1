"""Functions that are made of graphs, called as the functions that they were saved from."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

from .. import nest
from ..engine.convert import is_tensor
from ..engine.variable import Variable
from ..errors import UnimplementedError
from ..programs.concrete import ConcreteFunction
from ..programs.declared import fitted
from ..programs.function import Function
from ..programs.specs import TensorSpec, TypeSpec
from ..saved_model.restored import said_of_the_file

if TYPE_CHECKING:
    import inspect
    from collections.abc import Sequence

    from .library import FunctionLibrary


class LibraryFunction:
    """A function of the library, with the structures of its arguments and of its result."""

    def __init__(
        self, library: FunctionLibrary, name: str, arguments: Any, returned: object
    ) -> None:
        self.name, self.arguments, self.returned = name, arguments, returned
        self._library = library
        self._places = nest.flatten_with_path(arguments)

    def values(self, given: object, convert: bool) -> list[Any]:
        """The arguments in the places of specs; TypeError or ValueError if some do not fit."""
        found = nest.flatten_with_path(given)
        if [path for path, _ in found] != [path for path, _ in self._places]:
            raise TypeError("the arguments have another structure")
        values = []
        for (_, wanted), (_, each) in zip(self._places, found, strict=True):
            if isinstance(wanted, TypeSpec):
                values.append(_fitted(wanted, each, convert))
            elif type(each) is not type(wanted) or each != wanted:
                raise TypeError(f"{each!r} is not {wanted!r}")
        return values

    def __call__(self, values: Sequence[Any]) -> object:
        """The result for these arguments."""
        with said_of_the_file(self.name, self._library.origin):
            tensors = nest.flatten([*values], expand_composites=True)
            graph = self._library.graph(self.name)
            results = graph(*tensors, *self._library.bound(self.name))
            return self._packed(results)

    @property
    def bound(self) -> list[Any]:
        """The objects that it takes beside its arguments."""
        return self._library.bound(self.name)

    def _packed(self, results: Sequence[Any]) -> object:
        """The results in the structure that the function returns."""
        rest = iter(results)

        def part(spec: object) -> object:
            if not isinstance(spec, TypeSpec):
                return spec
            if isinstance(spec, TensorSpec):
                return next(rest)
            return spec._of_parts([next(rest) for _ in spec._parts()])  # type: ignore[attr-defined]

        return nest.map_structure(part, self.returned)


def _fitted(spec: TypeSpec, value: object, convert: bool) -> object:
    if isinstance(spec, TensorSpec) and not convert and not is_tensor(value):
        raise TypeError(f"{value!r} is not a tensor")
    return fitted(spec, value)


class GraphPython:
    """The choice among a function's ways, which stands in the place of its Python."""

    def __init__(
        self, name: str, signature: inspect.Signature, ways: Sequence[LibraryFunction], origin: str
    ) -> None:
        self.__name__ = self.__qualname__ = name
        self.__signature__ = signature
        self._ways, self._origin = ways, origin

    def _refers_to(self) -> tuple[Variable, ...]:
        """The variables that it takes beside its arguments."""
        found = {id(x): x for way in self._ways for x in way.bound if isinstance(x, Variable)}
        return (*found.values(),)

    def __call__(self, *args: object, **kwargs: object) -> object:
        bound = self.__signature__.bind(*args, **kwargs)
        bound.apply_defaults()
        given = bound.args, bound.kwargs
        for convert in (False, True):
            for way in self._ways:
                try:
                    values = way.values(given, convert)
                except (TypeError, ValueError):
                    continue
                return way(values)
        options = [f"  {_shown(way.arguments)}" for way in self._ways]
        raise ValueError(
            "\n".join(
                [
                    f"Could not find matching concrete function to call {self.__name__} loaded "
                    f"from the SavedModel {self._origin}. Got:",
                    f"  {_shown(given)}",
                    f"Expected these arguments to match one of the following {len(options)} "
                    "option(s):",
                    *options,
                ]
            )
        )


def _shown(given: tuple[tuple[Any, ...], dict[str, Any]]) -> str:
    args, kwargs = given
    return f"({', '.join([*map(repr, args), *[f'{k}={v!r}' for k, v in kwargs.items()]])})"


def function(
    python: GraphPython, ways: Sequence[LibraryFunction], specs: object
) -> Function[..., Any]:
    """The function of these ways; it knows of those that it has."""
    made: Function[..., Any] = Function(python, specs)
    if specs is None:
        for way in ways:
            args, kwargs = way.arguments
            made.get_concrete_function(*args, **kwargs)
    return made


class GraphConcrete(ConcreteFunction):
    """A function for one kind of arguments, of which the file says what it returns."""

    def __init__(self, python: GraphPython, way: LibraryFunction) -> None:
        made: Function[..., Any] = Function(python, None)
        args, kwargs = way.arguments
        super().__init__(made, made._binding.bind(args, kwargs))
        self._returned, self._held = way.returned, python._refers_to()

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The variables that it takes beside its arguments."""
        return self._held

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """Those of them that are trained."""
        return tuple([variable for variable in self._held if variable.trainable])

    @cached_property
    def _output_specs(self) -> object:
        return self._returned

    @property
    def structured_outputs(self) -> object:
        """The specs of the results, in the structure in which it returns them."""
        return self._returned


class RefusedFunction:
    """Stands for a function that cannot be understood: a call says why."""

    def __init__(self, name: str, why: UnimplementedError) -> None:
        self.__name__, self._why = name, why

    def __call__(self, *args: object, **kwargs: object) -> NoReturn:
        raise UnimplementedError(f"{self.__name__} was not loaded: {self._why}.")
