"""The graphs of functions as summaries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..engine.operation import Op
from ..engine.recorders import cannot_be_replayed
from ..ops.arguments import flag
from ..profiler.profiling import start, stop
from ..programs.graph_view import Graph, GraphView
from ..protobuf.event_messages import Event, PluginData, SummaryMetadata
from ..protobuf.graph_messages import FunctionGraphs, GraphDef, RunMetadata
from ..public import public
from ..replay import variants
from .writing import add_event, summary_scope, write

if TYPE_CHECKING:
    from ..engine.tensor import Tensor
    from ..replay.variant import Variant
    from .writing import Step


@public("summary.graph")
def graph(graph_data: Graph | GraphDef) -> Tensor:
    """Write the graph of a function; True if it was written.

    >>> import cinta as tf
    >>> double = tf.function(lambda x: 2 * x).get_concrete_function(tf.TensorSpec([], tf.float32))
    >>> bool(tf.summary.graph(double.graph))  # there is no writer
    False

    Args:
        graph_data: The graph of a concrete function, or a ``GraphDef``.

    Raises:
        ValueError: If it is neither.
    """
    if isinstance(graph_data, GraphView):
        graph_data = graph_data.as_graph_def()
    serialized = getattr(graph_data, "SerializeToString", None)
    if serialized is None:
        raise ValueError(
            "Argument 'graph_data' is not tf.Graph or tf.compat.v1.GraphDef. Received "
            f"graph_data={graph_data!r}."
        )
    return add_event(Event(graph_def=serialized()))


class _Trace:
    """The functions that were recorded since it was turned on."""

    def __init__(self, profiles: bool) -> None:
        self.profiles = profiles
        self.found: list[tuple[str, Variant]] = []

    def start(self) -> None:
        """Hear of recordings; all functions are recorded anew, to be heard of."""
        Op.begin_epoch()
        variants.on_recording.append(self._heard)

    def stop(self) -> None:
        """Hear no more."""
        variants.on_recording.remove(self._heard)

    def _heard(self, name: str, variant: Variant) -> None:
        self.found.append((name, variant))

    def graphs(self) -> list[GraphDef]:
        """The graphs of the functions."""
        found = []
        for _, variant in self.found:
            recording = variant.recording
            names = [f"args_{i}" for i in range(len(recording.inputs))]
            found.append(GraphView(recording, names).as_graph_def())
        return found


_trace: list[_Trace] = []
"""The trace that is on, if any."""


@public("summary.trace_on")
def trace_on(
    graph: bool = True, profiler: bool = False, profiler_outdir: str | None = None
) -> None:
    """Begin to collect the graphs of the functions that are called, until `trace_export`.

    With ``profiler`` a profile is taken too, as by `tf.profiler.experimental.start`.

    >>> import cinta as tf
    >>> tf.summary.trace_on()
    >>> tf.function(lambda x: 2 * x)(1.0).numpy()
    np.float32(2.0)
    >>> tf.summary.trace_off()

    Args:
        graph: Accepted: graphs are always collected.
        profiler: Whether to take a profile.
        profiler_outdir: The folder that it is written to.

    Raises:
        ValueError: If a profile is to be taken, and there is no folder.
    """
    cannot_be_replayed("it begins a trace")
    flag(graph, "graph")
    if _trace:
        return
    if flag(profiler, "profiler"):
        if profiler_outdir is None:
            raise ValueError("trace_on(profiler=True) needs `profiler_outdir`, got None.")
        start(profiler_outdir)
    _trace.append(_Trace(bool(profiler)))
    _trace[0].start()


@public("summary.trace_export")
def trace_export(name: str, step: Step = None, profiler_outdir: str | None = None) -> None:
    """Write the graphs that were collected since `trace_on`, and end that.

    >>> import cinta as tf
    >>> tf.summary.trace_on()
    >>> tf.summary.trace_export("step", step=0)

    Args:
        name: The tag.
        step: The step; None for ``tf.summary.experimental.get_step()``.
        profiler_outdir: Accepted: `trace_on` says where profiles go.

    Raises:
        ValueError: If nothing is being collected.
    """
    cannot_be_replayed("it ends a trace")
    if not _trace:
        raise ValueError("Must enable trace before export through tf.summary.trace_on.")
    found = _trace[0].graphs()
    if _trace[0].profiles:
        stop()
        _trace[0].profiles = False
    trace_off()
    run = RunMetadata(
        function_graphs=[
            FunctionGraphs(pre_optimization_graph=each, post_optimization_graph=each)
            for each in found
        ]
    )
    shown = PluginData(plugin_name="graph_run_metadata_graph", content=b"1")
    with summary_scope(name, "graph_run_metadata_graph_summary") as (tag, _):
        write(tag, run.SerializeToString(), step, SummaryMetadata(plugin_data=shown))


@public("summary.trace_off")
def trace_off() -> None:
    """End the collection of graphs, and forget them.

    >>> import cinta as tf
    >>> tf.summary.trace_off()
    """
    while _trace:
        trace = _trace.pop()
        trace.stop()
        if trace.profiles:
            stop(save=False)
