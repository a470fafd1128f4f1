"""Where in a function random ops stand: TensorFlow numbers them in each graph of its own.

A graph is what a call of a ``tf.function``, a branch of ``cond`` or the body of a loop makes. Ops
without a seed have the numbers 0, 1, ... in their graph, and the global seed and this number are
their seeds. Each op keeps its own stream of numbers from call to call of the outermost function. A
function that is called in two places of another has two streams; the body of a loop has one for all
turns.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, TypeVar, TypeVarTuple, Unpack

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

GraphPath = tuple[int, ...]
"""The numbers of the graphs around an op, from the outermost function on, and its own number."""


class NumberedGraph:
    """A graph of a function, while Python runs through it."""

    def __init__(self, root: tuple[Hashable, ...], path: GraphPath) -> None:
        self.root = root
        self.path = path
        self._graphs = 0
        self._ops = {False: 0, True: 0}

    @property
    def counts(self) -> tuple[int, ...]:
        """Where it stands, and how many graphs and ops have come in it so far."""
        return (*self.path, self._graphs, *self._ops.values())

    def next_graph(self) -> GraphPath:
        """The path of the next graph within this one."""
        self._graphs += 1
        return (*self.path, self._graphs - 1)

    def next_op(self, *, has_seed: bool) -> GraphPath:
        """The path of the next random op; those with a seed of their own are counted apart."""
        self._ops[has_seed] += 1
        return (*self.path, self._ops[has_seed] - 1)


class _Here(threading.local):
    graph: NumberedGraph | None = None


_here = _Here()


def current() -> NumberedGraph | None:
    """The graph in which Python is on this thread; None outside functions."""
    return _here.graph


def root() -> tuple[Hashable, ...]:
    """The name of the call of the outermost function."""
    return () if _here.graph is None else _here.graph.root


def run_in(graph: NumberedGraph | None, function: Callable[[Unpack[Ts]], T], *args: *Ts) -> T:
    """Call the function in this graph; None means outside functions, as in a py_function.

    An interrupt could come into the end of a context manager, which then ends too late or never.
    A function ends as its frame does; it does so twice, in case the interrupt comes into the first.
    """
    before = _here.graph
    try:
        try:
            _here.graph = graph
            return function(*args)
        finally:
            _here.graph = before
    finally:
        _here.graph = before


@contextmanager
def outside() -> Iterator[None]:
    """Let Python be outside functions in a block of the user."""
    before, _here.graph = _here.graph, None
    try:
        yield
    finally:
        _here.graph = before


def anew() -> NumberedGraph | None:
    """The graph in which Python is, from its beginning."""
    graph = _here.graph
    return None if graph is None else NumberedGraph(graph.root, graph.path)


def of_call(*root: Hashable) -> NumberedGraph:
    """The graph of a call that runs alone, of a function that is known by this."""
    graph = _here.graph
    return NumberedGraph(root if graph is None else (*graph.root, *graph.next_graph()), ())


def within_another(*root: Hashable) -> NumberedGraph:
    """The graph of a call that becomes part of the recording of the function that calls it."""
    graph = _here.graph
    return (
        NumberedGraph(root, ()) if graph is None else NumberedGraph(graph.root, graph.next_graph())
    )


def next_graph() -> GraphPath | None:
    """The path of a new graph within the one in which Python is; None outside functions."""
    return None if _here.graph is None else _here.graph.next_graph()


def called_in(path: GraphPath | None, function: Callable[..., T], *args: object) -> T:
    """Call the function in the graph with this path, from its beginning."""
    around = _here.graph
    if path is None or around is None:
        return function(*args)
    return run_in(NumberedGraph(around.root, path), function, *args)


def graph_of(function: Callable[..., T]) -> Callable[..., T]:
    """The function as a graph within the one in which Python is, one for all its calls."""
    path = next_graph()
    return function if path is None else partial(called_in, path, function)
