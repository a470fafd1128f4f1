"""The functions of a file by name, and what the file says of each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import structured_values
from .custom_gradients import Enclosed, WrittenGradient, gradient_type, unknown_gradient
from .graph_functions import NodeGraph

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..engine.tensor import Tensor
    from ..protobuf.graph_messages import GraphDef, NameAttrList, NodeDef
    from ..protobuf.saved_model_messages import SavedConcreteFunction, SavedObject, SavedObjectGraph


class FunctionLibrary:
    """Functions of graphs, each made when it is first needed.

    ``object_at`` gives the object of the model at a place: a variable, a constant or a table.
    """

    def __init__(
        self,
        graph: GraphDef,
        objects: SavedObjectGraph,
        origin: str,
        object_at: Callable[[int], object],
    ) -> None:
        self.origin = origin
        self._definitions = {each.signature.name: each for each in graph.library.function}
        self._gradients = {
            each.registered_op_type: each.gradient_func
            for each in graph.library.registered_gradients
        }
        self._objects, self._object_at = objects, object_at
        self._made: dict[str, NodeGraph | None] = {}

    def graph(self, name: str) -> NodeGraph:
        """The function of this name; ``NotFoundError`` if it or one that it calls cannot run."""
        if name not in self._definitions:
            raise ValueError(f"there is no function {name!r} in the library")
        if name not in self._made:
            self._made[name] = None
            try:
                self._made[name] = NodeGraph(self._definitions[name], self)
            finally:
                if self._made[name] is None:
                    del self._made[name]
        found = self._made[name]
        if found is None:
            raise ValueError(f"the function {name} calls itself")
        return found

    def function_of(self, attribute: NameAttrList) -> NodeGraph:
        """The function that an attribute names."""
        return self.graph(attribute.name)

    def saved(self, name: str) -> SavedConcreteFunction:
        """The structures of arguments and results of a function, and what is bound to it."""
        if name not in self._objects.concrete_functions:
            raise ValueError(f"nothing is said of the function {name!r}")
        found: SavedConcreteFunction = self._objects.concrete_functions[name]
        return found

    def bound(self, name: str) -> list[object]:
        """The objects that a function takes behind its arguments."""
        return [self._object_at(place) for place in self.saved(name).bound_inputs]

    # -- gradients -----------------------------------------------------------------------------

    def gradient_of(self, node: NodeDef, inside: str) -> WrittenGradient:
        """The gradient that somebody wrote for a node of a function."""
        name = self._gradients.get(gradient_type(node))
        if name is None:
            return unknown_gradient(
                node,
                "and was saved without it. Save it with "
                "tf.saved_model.SaveOptions(experimental_custom_gradients=True)",
            )
        bound = [*self.saved(name).bound_inputs]
        captured = {place: self._captured(place) for place in bound}
        if any(each and each.concrete_function != inside for each in captured.values()):
            return unknown_gradient(node, "which takes a value of another function")
        enclosed = {place: _enclosed(each.name) for place, each in captured.items() if each}
        structure = structured_values.plain(self.saved(name).output_signature)
        returned = structure if isinstance(structure, (list, tuple)) else [structure]

        def gradients(given: Sequence[Tensor], held: Sequence[Any]) -> list[Tensor | None]:
            values = dict(zip(enclosed, held, strict=True))
            rest = [values[p] if p in values else self._object_at(p) for p in bound]
            found = iter(self.graph(name)(*given, *rest))
            return [None if each is None else next(found) for each in returned]

        return WrittenGradient(gradients, [*enclosed.values()])

    def _captured(self, place: int) -> Any:
        """The value of another function that stands at a place among the objects, if one does."""
        thing: SavedObject = self._objects.nodes[place]
        return thing.captured_tensor if thing.WhichOneof("kind") == "captured_tensor" else None


def _enclosed(name: str) -> Enclosed:
    node, _, place = name.partition(":")
    return Enclosed(node, int(place or 0))
