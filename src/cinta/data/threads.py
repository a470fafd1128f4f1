"""Threads: elements that are made before they are asked for, and several at a time.

A thread never holds what its consumer is known by, so an iterator that is dropped in the middle
is collected at once, and its collection ends the thread.
"""

from __future__ import annotations

import threading
import weakref
from collections import deque
from contextvars import copy_context
from typing import TYPE_CHECKING, Any

from .elements import loaded, saved
from .map_stages import Map, name_element
from .stage import EMPTY, Flow, Stage

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future, ThreadPoolExecutor

    from .stage import Element, Run, State


class Prefetch(Stage):
    """The same elements, of which a thread makes so many ahead."""

    def __init__(self, source: Stage, size: int) -> None:
        super().__init__(source)
        self.size = size

    def flow(self) -> Flow:
        flow = self.inputs[0].flow()
        return AheadFlow(flow, self.spec, self.size) if self.size else flow


class Ahead:
    """The state that the thread and its consumer share: the elements that are ready."""

    def __init__(self, source: Flow, size: int) -> None:
        self.source, self.size = source, size
        self.ready: deque[Element | Failed] = deque()
        self.changed = threading.Condition()  # its lock may be taken twice: by a collection, too
        self.turn = threading.Lock()  # held from the making of an element until it is ready
        self.ended = self.closed = False

    def work(self) -> None:
        """Make elements until the end, or until the consumer stops."""
        while self._wanted():
            with self.turn:
                self._make()

    def _wanted(self) -> bool:
        with self.changed:
            while len(self.ready) >= self.size and not (self.closed or self.ended):
                self.changed.wait()
            return not (self.closed or self.ended)

    def _make(self) -> None:
        try:
            made = list(self.source.run(1))
        except BaseException as error:  # it is the consumer's, whatever it is
            made = [Failed(error)]
        with self.changed:
            self.ready += made
            self.ended = not made
            self.changed.notify_all()

    def take(self, count: int) -> Run:
        """The elements that are ready, up to some count; waits for one, unless the end is reached.

        An error that is met is raised if it comes first.
        """
        with self.changed:
            while not self.ready and not self.ended:
                self.changed.wait()
            taken: list[Element] = []
            while self.ready and len(taken) < count and not isinstance(self.ready[0], Failed):
                taken.append(self.ready.popleft())
            failed = self.ready.popleft() if self.ready and not taken else None
            self.changed.notify_all()
        if failed:
            try:
                raise failed.error
            finally:
                del failed  # the error refers to this frame, which must not refer to the error
        return taken

    def close(self) -> None:
        """Let the thread end."""
        with self.changed:
            self.closed = True
            self.changed.notify_all()


class Failed:
    """An error in the place of the element that could not be made."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


class AheadFlow(Flow):
    """A flow of which a thread makes elements ahead; it starts when the first one is asked for."""

    def __init__(self, source: Flow, spec: Callable[[], Any], size: int) -> None:
        super().__init__(source)
        self.spec = spec
        self.ahead = Ahead(source, size)
        self.started = False

    def run(self, count: int) -> Run:
        if not self.started:
            self._start()
        return self.ahead.take(count)

    def _start(self) -> None:
        # NumPy's error state lives in the context: what is silenced here is silenced there.
        work = copy_context().run
        threading.Thread(
            target=work, args=(self.ahead.work,), name="cinta.data prefetch", daemon=True
        ).start()
        weakref.finalize(self, self.ahead.close)
        self.started = True

    def state(self) -> State:
        with self.ahead.turn:
            ready = [each for each in self.ahead.ready if not isinstance(each, Failed)]
            return {**super().state(), "ready": saved(ready)}

    def restore(self, state: State) -> None:
        super().restore(state)
        self.ahead.ready.extend(loaded(self.spec, state["ready"]))


class ParallelMap(Map):
    """The function of every element, of several at a time."""

    def __init__(
        self, source: Stage, function: Callable[..., Any], calls: int, ordered: bool
    ) -> None:
        super().__init__(source, function)
        self.calls, self.ordered = calls, ordered

    def flow(self) -> Flow:
        return ParallelMapFlow(self)


class ParallelMapFlow(Flow):
    kept = ("index",)

    def __init__(self, stage: ParallelMap) -> None:
        super().__init__(stage.inputs[0].flow())
        self.stage, self.index = stage, 0
        self.pool: ThreadPoolExecutor | None = None
        self.pending: deque[tuple[Future[Element], list[Element]]] = deque()

    def run(self, count: int) -> Run:
        self._submit_more()
        if not self.pending:
            return EMPTY
        if not self.stage.ordered:
            self._move_first_done()
        future, _ = self.pending[0]
        future.exception()  # waits, and if it is interrupted, nothing is lost
        self.pending.popleft()
        done = [future.result()]
        while len(done) < count and self.pending and _is_made(self.pending[0][0]):
            done.append(self.pending.popleft()[0].result())
        return done

    def _submit_more(self) -> None:
        while len(self.pending) < self.stage.calls:
            try:
                run = self.inputs[0].run(1)
            except Exception as error:  # the elements before it come first
                self.pending.append((_failed(error), []))
                continue
            if not len(run):
                break
            self._submit(run[0])

    def _submit(self, element: Element) -> None:
        if not self.pool:
            from concurrent.futures import ThreadPoolExecutor  # its import takes a while

            # The pool is this flow's own: functions may use datasets that are parallel themselves.
            self.pool = ThreadPoolExecutor(self.stage.calls, "cinta.data map")
        # NumPy's error state lives in the context: what is silenced here is silenced there.
        future = self.pool.submit(copy_context().run, _apply, self.stage, element, self.index)
        self.index += 1
        self.pending.append((future, [element]))

    def _move_first_done(self) -> None:
        from concurrent.futures import FIRST_COMPLETED, wait

        wait([future for future, _ in self.pending], return_when=FIRST_COMPLETED)
        place = next(i for i, (future, _) in enumerate(self.pending) if future.done())
        first = self.pending[place]
        del self.pending[place]
        self.pending.appendleft(first)

    def state(self) -> State:
        waiting = [element for _, elements in self.pending for element in elements]
        return {**super().state(), "index": self.index - len(waiting), "waiting": saved(waiting)}

    def restore(self, state: State) -> None:
        super().restore(state)
        for element in loaded(self.stage.inputs[0].spec, state["waiting"]):
            self._submit(element)


def _apply(stage: ParallelMap, element: Element, index: int) -> Element:
    try:
        return stage.apply(element)
    except Exception as error:
        name_element(error, stage.name, index)
        raise


def _is_made(future: Future[Element]) -> bool:
    return future.done() and not future.exception()


def _failed(error: Exception) -> Future[Element]:
    from concurrent.futures import Future

    future: Future[Element] = Future()
    future.set_exception(error)
    return future
