"""Compiled functions that go over the rows of arrays, on threads where there is enough for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.parallel import spread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.annotations import ArrayFunction
    from ...engine.tensor import Array


def over_rows(
    function: ArrayFunction,
    given: Sequence[Array],
    results: Sequence[Array],
    *shared: object,
    share: int,
) -> None:
    """Call a function on rows of what is given, and let it write its results.

    All have the same rows, and numbers for each or one; what is shared is the same for all rows.
    A thread gets ``share`` elements of the first at least.
    """
    count, width = given[0].shape
    if count * width < 2 * share:  # for one thread: small ones take 1 µs less without their parts
        function(*given, *shared, out=tuple(results))
        return

    def work(low: int, high: int) -> None:
        parts = tuple([array[low:high] for array in results])
        function(*[array[low:high] for array in given], *shared, out=parts)

    spread(work, count, 1, -(-share // width))
