"""tf.queue: orders, waiting, closing."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cinta as tf


def fifo(capacity=10, dtypes=tf.int32, shapes=((),), **options):
    return tf.queue.FIFOQueue(capacity, dtypes, shapes, **options)


def filled(queue, values):
    queue.enqueue_many([values])
    return queue


def started(function, *args):
    """A thread that runs the function, and the list in which it leaves the result or the error."""
    found = []

    def run():
        try:
            found.append(function(*args))
        except Exception as error:
            found.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread, found


def waits(thread):
    thread.join(0.05)
    return thread.is_alive()


def taken(queue, count):
    return [queue.dequeue().numpy().item() for _ in range(count)]


@given(st.lists(st.integers(0, 9), max_size=8), st.integers(0, 8))
def test_what_comes_in_first_goes_out_first(values, first):
    queue = filled(fifo(), values)
    first = min(first, len(values))
    assert queue.size().numpy() == len(values)
    assert taken(queue, first) == values[:first]
    assert queue.dequeue_many(len(values) - first).numpy().tolist() == values[first:]


def test_components():
    queue = fifo(dtypes=[tf.float32, tf.string], shapes=[[2], []])
    queue.enqueue([[1.0, 2.0], "a"])
    queue.enqueue_many([[[3.0, 4.0]], ["b"]])
    numbers, texts = queue.dequeue_many(2)
    assert numbers.numpy().tolist() == [[1, 2], [3, 4]]
    assert texts.numpy().tolist() == [b"a", b"b"]


def test_names():
    queue = fifo(dtypes=[tf.float32, tf.int32], shapes=[[], []], names=["x", "y"])
    queue.enqueue({"y": 2, "x": 1.0})
    assert {name: x.numpy() for name, x in queue.dequeue().items()} == {"x": 1.0, "y": 2}


def test_draws_are_those_of_tensorflow():
    tf.random.set_seed(42)
    queue = filled(tf.queue.RandomShuffleQueue(20, 0, tf.int32, [[]], seed=7), list(range(10)))
    assert taken(queue, 4) == [6, 5, 8, 0]
    filled(queue, list(range(10, 14))).close()
    assert queue.dequeue_many(3).numpy().tolist() == [2, 1, 12]
    assert queue.dequeue_up_to(20).numpy().tolist() == [3, 4, 9, 7, 10, 13, 11]


def test_a_reserve_stays_until_the_queue_is_closed():
    queue = filled(tf.queue.RandomShuffleQueue(9, 2, tf.int32, [[]]), [1, 2, 3])
    assert queue.dequeue().numpy() in (1, 2, 3)
    thread, found = started(queue.dequeue)
    assert waits(thread)
    queue.close()
    thread.join(5)
    assert found[0].numpy() in (1, 2, 3)


def test_priorities():
    queue = tf.queue.PriorityQueue(10, [tf.string], [[]])
    queue.enqueue_many([[3, 1, 2, 1], ["c", "a", "b", "also a"]])
    numbers, texts = queue.dequeue_many(4)
    assert numbers.numpy().tolist() == [1, 1, 2, 3]
    assert texts.numpy().tolist() == [b"a", b"also a", b"b", b"c"]


def test_padding():
    queue = tf.queue.PaddingFIFOQueue(10, [tf.int32], [[None]])
    queue.enqueue_many([[[1, 2], [3, 4]]])
    queue.enqueue([[7]])
    assert queue.dequeue_up_to(3).numpy().tolist() == [[1, 2], [3, 4], [7, 0]]


def test_batches_larger_than_the_queue():
    queue = fifo(capacity=2)
    thread, found = started(queue.dequeue_many, 5)
    filled(queue, [1, 2, 3, 4, 5])
    thread.join(5)
    assert found[0].numpy().tolist() == [1, 2, 3, 4, 5]


def test_waiting_for_an_element_and_for_room():
    queue = fifo(capacity=1)
    taker, found = started(queue.dequeue)
    assert waits(taker)
    queue.enqueue(1)
    taker.join(5)
    assert found[0].numpy() == 1
    queue.enqueue(2)
    putter, found = started(queue.enqueue, 3)
    assert waits(putter)
    assert taken(queue, 2) == [2, 3]
    putter.join(5)
    assert found == [None]


def test_many_threads_take_each_element_once():
    queue = fifo(capacity=3)
    takers = [started(taken, queue, 50) for _ in range(4)]
    putters = [started(filled, queue, list(range(100 * i, 100 * i + 50))) for i in range(4)]
    for thread, _ in takers + putters:
        thread.join(20)
    everything = [value for _, found in takers for value in found[0]]
    assert sorted(everything) == [100 * i + j for i in range(4) for j in range(50)]


def test_a_closed_queue():
    queue = filled(fifo(), [1, 2, 3])
    assert not queue.is_closed().numpy()
    queue.close()
    assert queue.is_closed().numpy()
    with pytest.raises(tf.errors.CancelledError, match="closed"):
        queue.enqueue(4)
    with pytest.raises(tf.errors.OutOfRangeError, match=r"requested 5, current size 3"):
        queue.dequeue_many(5)
    assert taken(queue, 1) == [1]  # too few elements stay in the queue
    assert queue.dequeue_up_to(5).numpy().tolist() == [2, 3]
    for take in (queue.dequeue, lambda: queue.dequeue_up_to(2)):
        with pytest.raises(tf.errors.OutOfRangeError, match="insufficient"):
            take()
    with pytest.raises(tf.errors.CancelledError, match="already closed"):
        queue.close()


def test_closing_while_threads_wait():
    queue = filled(fifo(capacity=1), [1])
    putter, put = started(queue.enqueue, 2)
    assert waits(putter)
    queue.close()
    assert taken(queue, 2) == [1, 2]
    putter.join(5)
    assert put == [None]


def test_closing_while_somebody_waits_for_an_element():
    queue = fifo()
    taker, found = started(queue.dequeue)
    assert waits(taker)
    queue.close()
    taker.join(5)
    assert isinstance(found[0], tf.errors.OutOfRangeError)


def test_cancelling_who_waits():
    queue = filled(fifo(capacity=1), [1])
    putter, put = started(queue.enqueue, 2)
    assert waits(putter)
    queue.close(cancel_pending_enqueues=True)
    putter.join(5)
    assert isinstance(put[0], tf.errors.CancelledError)
    assert taken(queue, 1) == [1]


def test_gradients_stop():
    x = tf.constant(3.0)
    queue = fifo(dtypes=tf.float32)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        queue.enqueue(x * x)
        y = queue.dequeue()
        z = x * y
    assert tape.gradient(y, x) is None
    assert tape.gradient(z, x).numpy() == 9


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: fifo(shapes=None).dequeue_many(1), tf.errors.InvalidArgumentError, "shapes"),
        (lambda: fifo().dequeue_many(-1), tf.errors.InvalidArgumentError, "-1 < 0"),
        (lambda: fifo().enqueue([1, 2]), tf.errors.InvalidArgumentError, "1 components, got 2"),
        (lambda: fifo().enqueue([[1, 2]]), ValueError, "incompatible"),
        (lambda: fifo().enqueue(tf.constant(1.0)), ValueError, "int32"),
        (lambda: fifo().enqueue({"a": 1}), ValueError, "must have names"),
        (lambda: fifo().enqueue_many([1]), ValueError, "rank at least 1"),
        (
            lambda: fifo(dtypes=[tf.int32] * 2, shapes=[[]] * 2).enqueue_many([[1], [1, 2]]),
            ValueError,
            "Dimensions 1 and 2",
        ),
        (lambda: fifo(names=["a"]).enqueue(1), ValueError, "dictionary"),
        (lambda: fifo(names=["a"]).enqueue({"b": 1}), ValueError, "do not match names"),
        (lambda: fifo(names=["a", "b"]), ValueError, r"len\(names\)=2"),
        (lambda: fifo(dtypes=[tf.int32] * 2), tf.errors.InvalidArgumentError, "Different number"),
        (
            lambda: tf.queue.RandomShuffleQueue(3, 3, tf.int32),
            tf.errors.InvalidArgumentError,
            "min_after_dequeue 3",
        ),
        (
            lambda: tf.queue.PaddingFIFOQueue(3, tf.int32, [tf.TensorShape(None)]),
            ValueError,
            "rank",
        ),
        (
            lambda: tf.queue.QueueBase.from_list(0, [fifo(), fifo(dtypes=tf.int64)]),
            TypeError,
            "dtypes",
        ),
    ],
)
def test_refusals(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_queues_show_what_they_are():
    queue = tf.queue.FIFOQueue(3, [tf.float32, tf.int32])
    queue.enqueue([1.0, 2])
    assert repr(queue) == "<tf.queue FIFOQueue of float32, int32: 1 element, open>"


@pytest.mark.parametrize(
    ("shapes", "expected"),
    [
        (None, [None]),
        ((), [()]),
        ([], [()]),
        ([()], [()]),
        ([3, 2], [(3, 2)]),
        ((3, 2), [(3, 2)]),
        ([(3, 2)], [(3, 2)]),
        (tf.TensorShape([2]), [(2,)]),
        ([tf.TensorShape([2])], [(2,)]),
    ],
)
def test_shapes_of_one_component(shapes, expected):
    for made in (
        tf.queue.FIFOQueue(10, tf.float32, shapes),
        tf.queue.RandomShuffleQueue(10, 0, tf.float32, shapes),
        tf.queue.PriorityQueue(10, tf.float32, shapes),
    ):
        assert made.shapes[-1:] == [tf.TensorShape(shape) for shape in expected]
    scalars = tf.queue.FIFOQueue(10, tf.float32, ())
    scalars.enqueue(1.0)
    assert float(scalars.dequeue()) == 1.0


def test_shapes_of_several_components():
    queue = tf.queue.FIFOQueue(10, (tf.float32, tf.int32), ((), (2,)))
    assert queue.shapes == [tf.TensorShape([]), tf.TensorShape([2])]
    for shapes in ((), [()], [2, 3]):
        with pytest.raises(tf.errors.InvalidArgumentError, match="Different number of component"):
            tf.queue.FIFOQueue(10, (tf.float32, tf.int32), shapes)
    with pytest.raises(TypeError, match="list or tuple of TensorShapes"):
        tf.queue.FIFOQueue(10, tf.float32, 3)
    with pytest.raises(ValueError, match="fully defined"):
        tf.queue.FIFOQueue(10, tf.float32, [None])
    for shapes in (None, (), [None], [2]):
        with pytest.raises(ValueError, match="a list of shapes must be provided"):
            tf.queue.PaddingFIFOQueue(10, tf.float32, shapes)


@pytest.mark.parametrize("junk", [None, 1, "a", [1], tf.data.Dataset.range(2), tf.constant(1)])
def test_iterators_are_made_by_datasets(junk):
    for made in (tf.data.Iterator, tf.data.NumpyIterator):
        with pytest.raises(TypeError, match="takes no arguments of this kind"):
            made(junk)
