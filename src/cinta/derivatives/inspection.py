"""Readings of a tape: graphs, memory, explanations; the module of each loads when it is used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from ..engine.annotations import Nest, Source
    from ..explain.memory_summary import MemorySummary
    from ..explain.pictures.drawing import Drawing
    from .tape import GradientTape


class TapeInspection:
    """The methods of a tape that are for people."""

    def explain(self, target: Source | Nest, sources: Source | Nest) -> Any:
        """Why the gradient of the target by each source is None; None where it is not.

        While explanations are on (see ``tf.debugging.explaining``), an explanation has the line
        where the way ends, also after the tape was used. Otherwise it tells what can be known
        afterwards.

        >>> import cinta as tf
        >>> v = tf.Variable(2.0, trainable=False)
        >>> with tf.GradientTape() as tape:
        ...     y = v * v
        >>> print(tape.explain(y, v).headline)
        The gradient of `y` with respect to `v` is None. `v` was made with trainable=False, and \
tapes do not watch such variables.

        Returns:
            An ``Explanation`` or None for each source, in the structure of ``sources``.
        """
        from ..explain.tape_answers import explain_tape

        return explain_tape(self, target, sources)

    def _repr_html_(self) -> str:
        from ..explain.gradient_tables import html_of_tape

        return html_of_tape(cast("GradientTape", self))

    def summary(self) -> MemorySummary:
        """The arrays that the tape keeps, by lines of the program, the largest first.

        Lines are known while explanations are on; otherwise ops stand in their place.

        >>> import cinta as tf
        >>> x = tf.Variable(tf.ones([100]))
        >>> with tf.debugging.explaining():
        ...     with tf.GradientTape() as tape:
        ...         y = tf.reduce_sum(tf.exp(x) * 2.0)
        ...     found = tape.summary()
        >>> found.lines[0].bytes, found.lines[0].line.source
        (400, 'y = tf.reduce_sum(tf.exp(x) * 2.0)')
        """
        from ..explain.tape_answers import summary_of

        return summary_of(self)

    def draw(self, target: Source | Nest | None = None) -> Drawing:
        """A picture of what the tape recorded: a box for each line of the program.

        Notebooks show it; ``save`` writes an SVG, a page or a timeline. ``tf.debugging.show(tape)``
        gives the page at once. Lines are known while explanations are on; otherwise each op is a
        box. Gradients of the ``target`` (by default of what was computed last) are measured too,
        for which the tape must have its records still: draw it before you ask for the gradient.

        >>> import cinta as tf
        >>> x = tf.Variable(3.0)
        >>> with tf.GradientTape(persistent=True) as tape:
        ...     y = tf.exp(x) * x
        >>> tape.draw()
        <Drawing of a tape: 3 boxes>
        """
        from ..explain.pictures.of_tape import draw_tape

        return draw_tape(cast("GradientTape", self), target)
