"""The result of a restoration, and ways to require that it was complete."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .collecting import walk
from .trackable import is_container

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

    from .restoring import Restoration

_SHOWN = 10


class CheckpointLoadStatus:
    """The result of a restoration; objects that are created later still change it."""

    def __init__(self, restoration: Restoration, root: object) -> None:
        self._restoration, self._root = restoration, root

    def assert_consumed(self) -> Self:
        """Raise ``AssertionError`` unless all values found objects, and all objects values."""
        self.assert_existing_objects_matched()
        graph = self._restoration.graph
        for number, node in enumerate(graph.nodes):
            if node.holds and number not in self._restoration.consumed:
                raise AssertionError(
                    f"Unresolved object in checkpoint {graph.path(number)}: no object of the "
                    f"program took {', '.join(node.values.values()) or 'its state'} from "
                    f"{self._restoration.source.path}."
                )
        return self

    def assert_existing_objects_matched(self) -> Self:
        """Raise ``AssertionError`` unless every object that there is now has its counterpart."""
        missing = list(self._unmatched())
        if missing:
            raise AssertionError(
                f"Found {len(missing)} Python objects that were not bound to checkpointed values, "
                "likely due to changes in the Python program. Showing "
                f"{min(_SHOWN, len(missing))} of {len(missing)} unmatched objects: "
                f"{missing[:_SHOWN]}"
            )
        return self

    def assert_nontrivial_match(self) -> Self:
        """Raise ``AssertionError`` if nothing but the root has its counterpart."""
        if self._restoration.matched.keys() <= {0}:
            raise AssertionError(
                "Nothing except the root object matched a checkpointed value. Typically this means "
                "that the checkpoint does not match the Python program. Objects without a match: "
                f"{list(self._unmatched())[:_SHOWN]}"
            )
        return self

    def expect_partial(self) -> Self:
        """Say that parts may be missing. Nobody warns of them here, so this changes nothing."""
        return self

    def initialize_or_restore(self, session: object = None) -> None:
        """There is nothing left to do: values are restored when objects are there."""

    def run_restore_ops(self, session: object = None) -> None:
        """There is nothing left to do: values are restored when objects are there."""

    def _unmatched(self) -> Iterator[Any]:
        matched = {id(reference()) for reference in self._restoration.matched.values()}
        for _, thing, _ in walk(self._root):
            if id(thing) not in matched and not is_container(thing):
                yield thing


class InitializationOnlyStatus:
    """The result of ``restore(None)``: nothing was restored."""

    def assert_consumed(self) -> Self:
        """Raises ``AssertionError``: there is no checkpoint."""
        raise AssertionError(_NO_CHECKPOINT)

    def assert_existing_objects_matched(self) -> Self:
        """Raises ``AssertionError``: there is no checkpoint."""
        raise AssertionError(_NO_CHECKPOINT)

    def assert_nontrivial_match(self) -> Self:
        """Raises ``AssertionError``: there is no checkpoint."""
        raise AssertionError(_NO_CHECKPOINT)

    def expect_partial(self) -> Self:
        """Nothing was expected."""
        return self

    def initialize_or_restore(self, session: object = None) -> None:
        """Objects have their values since they were made."""

    def run_restore_ops(self, session: object = None) -> None:
        """Raises ``AssertionError``: there is no checkpoint."""
        raise AssertionError(_NO_CHECKPOINT)


_NO_CHECKPOINT = "No checkpoint specified (save_path=None); nothing is being restored."
