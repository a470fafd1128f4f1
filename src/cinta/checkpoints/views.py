"""The objects of a checkpoint, and of a program, as people look at them."""

from __future__ import annotations

import warnings
from collections import deque
from typing import TYPE_CHECKING, Any

from ..errors import DataLossError
from ..files.atomic import path_of
from ..ops.arguments import whole_number
from ..public import public
from .collecting import parts_of, walk
from .object_graph import ObjectGraph
from .value_sources import graph_of, open_source

if TYPE_CHECKING:
    import os

    PathLike = str | os.PathLike[str]


@public("train.TrackableView")
class TrackableView:
    """The objects that a checkpoint would follow from one object on.

    >>> import cinta as tf
    >>> module = tf.Module()
    >>> module.layers = [tf.Variable(1.0), tf.Variable(2.0)]
    >>> view = tf.train.TrackableView(module)
    >>> view.root is module, len(view.descendants()), [*view.children(module)]
    (True, 4, ['layers'])

    Args:
        root: The object.
    """

    def __init__(self, root: object) -> None:
        self._root = root

    @property
    def root(self) -> Any:
        """The object."""
        return self._root

    @classmethod
    def children(
        cls, obj: object, save_type: str = "checkpoint", **kwargs: object
    ) -> dict[str, Any]:
        """The objects that ``obj`` is made of, by their names.

        Args:
            obj: The object.
            save_type: Accepted, as are more arguments: the parts are the same for all.
        """
        return parts_of(obj)

    def descendants(self) -> list[Any]:
        """The object, and all in reach of it, each once, the nearest first."""
        return [thing for _, thing, _ in walk(self._root)]


@public("train.CheckpointView")
class CheckpointView:
    """The objects in a checkpoint, by numbers: 0 is the one that was saved.

    >>> import tempfile
    >>> import cinta as tf
    >>> module = tf.Module()
    >>> module.w = tf.Variable(1.0)
    >>> path = tf.train.Checkpoint(root=module).write(tempfile.mkdtemp() + "/ckpt")
    >>> view = tf.train.CheckpointView(path)
    >>> view.children(0), view.descendants()
    ({'w': 1}, [0, 1])
    >>> view.match(module)[1] is module.w
    True
    >>> module.b = tf.Variable(2.0)
    >>> matching, only_saved, only_here = view.diff(module)
    >>> [*matching], only_saved, only_here[0] is module.b
    ([0, 1], [], True)

    Args:
        save_path: The path of the checkpoint, as ``Checkpoint.save`` returned it.

    Raises:
        TypeError: If ``save_path`` is not a path.
        NotFoundError: If there is no checkpoint.
        DataLossError: If the file has no objects, but values alone.
    """

    def __init__(self, save_path: PathLike) -> None:
        path = path_of(save_path, "save_path")
        graph = graph_of(open_source(path))
        if graph is None:
            raise DataLossError(f"{path} has no graph of objects, but values alone.")
        self._graph: ObjectGraph = graph

    def children(self, node_id: int) -> dict[str, int]:
        """The numbers of the objects that one is made of, by their names.

        Raises:
            TypeError: If ``node_id`` is not an integer.
            ValueError: If there is no object of the number ``node_id``.
        """
        node_id = whole_number(node_id, "node_id")
        if not 0 <= node_id < len(self._graph.nodes):
            raise ValueError(
                f"There is no object of node_id {node_id}: there are {len(self._graph.nodes)}."
            )
        return dict(self._graph.nodes[node_id].children)

    def descendants(self) -> list[int]:
        """The numbers of the object that was saved and of all in reach of it, the nearest first."""
        found, waiting = {0: None}, deque([0])
        while waiting:
            for child in self._graph.nodes[waiting.popleft()].children.values():
                if child not in found:
                    found[child] = None
                    waiting.append(child)
        return [*found]

    def match(self, obj: object) -> dict[int, Any]:
        """The objects that ``obj`` has where the checkpoint has one too, by numbers.

        Warns where two objects stand in the place of one; the first one counts.
        """
        found: dict[int, Any] = {0: obj}
        waiting = deque([0])
        while waiting:
            number = waiting.popleft()
            here = parts_of(found[number])
            for name, child in self._graph.nodes[number].children.items():
                if name not in here:
                    continue
                if child not in found:
                    found[child] = here[name]
                    waiting.append(child)
                elif found[child] is not here[name]:
                    warnings.warn(
                        "Inconsistent references when matching the checkpoint into this object "
                        f"graph. The referenced objects are {found[child]!r} and {here[name]!r}, "
                        "which are one in the checkpoint.",
                        stacklevel=2,
                    )
        return found

    def diff(self, obj: object) -> tuple[dict[int, Any], list[int], list[Any]]:
        """Objects that match, numbers of other objects saved, other objects of ``obj``."""
        matching = self.match(obj)
        ours = {id(thing) for thing in matching.values()}
        saved = [number for number in self.descendants() if number not in matching]
        return matching, saved, [x for x in TrackableView(obj).descendants() if id(x) not in ours]
