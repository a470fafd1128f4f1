"""Sets, queues, and what is replaced as a whole."""

import collections
import heapq

from tests.functions.changes.table import change


@change
def a_set():
    ks = {2.0}
    yield lambda x: x * sum(ks)
    ks.add(3.0)
    yield


@change
def whether_something_is_in_a_set():
    names = {"a"}
    yield lambda x: x * (3.0 if "b" in names else 2.0)
    names.add("b")
    yield


@change
def a_set_through_its_operators():
    names, others = {"a", "b"}, {"b"}
    yield lambda x: x * len(names & others)
    others.add("a")
    yield


@change
def a_bound_pop_of_a_set():
    ks = {1.0}
    pop = ks.pop

    def f(x):
        k = pop()
        ks.add(k + 1.0)
        return x * k

    yield f
    ks.add(0.0)
    yield


@change
def a_queue():
    queue = collections.deque([2.0, 3.0])
    yield lambda x: x * queue[0]
    queue.rotate()
    yield


@change
def the_room_of_a_queue():
    queues = [collections.deque([1.0], maxlen=2)]
    yield lambda x: x * queues[0].maxlen
    queues[0] = collections.deque([1.0], maxlen=3)
    yield


@change
def a_queue_that_drops_its_oldest():
    queue = collections.deque([1.0, 2.0], maxlen=2)
    yield lambda x: x * sum(queue)
    queue.append(5.0)
    yield


@change
def a_heap():
    heap = [2.0, 5.0]
    yield lambda x: x * heapq.nsmallest(1, heap)[0]
    heapq.heappush(heap, 1.0)
    yield


@change
def a_tuple_that_is_replaced():
    ks = (2.0, 3.0)
    yield lambda x: x * ks[0]
    ks = (3.0, 3.0)
    yield


@change
def a_range_that_is_replaced():
    turns = range(2)
    yield lambda x: x * sum(1.0 for _ in turns)
    turns = range(3)
    yield


@change
def a_slice_that_is_replaced():
    part, ks = slice(0, 2), [1.0, 2.0, 4.0]
    yield lambda x: x * sum(ks[part])
    part = slice(0, 3)
    yield
