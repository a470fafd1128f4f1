"""Iterators, generators and files: what is used up as it is read."""

import itertools

from tests.functions.changes.table import change


@change
def an_iterator():
    it = iter(range(1, 100))
    yield lambda x: x * next(it)
    next(it)
    yield


@change
def a_bound_next():
    following = iter(range(1, 100)).__next__
    yield lambda x: x * following()
    following()
    yield


@change
def a_counter():
    count = itertools.count(1)
    yield lambda x: x * next(count)
    next(count)
    yield


@change
def a_cycle():
    turns = itertools.cycle([1.0, 2.0, 3.0])
    yield lambda x: x * next(turns)
    next(turns)
    yield


@change
def the_counter_in_a_name():
    count = itertools.count()
    yield lambda x: x * int(f"{next(count)}")
    next(count)
    yield


@change
def a_generator():
    def numbers():
        yield from range(1, 100)

    made = numbers()
    yield lambda x: x * next(made)
    next(made)
    yield


@change
def a_generator_that_is_sent_to():
    def summing():
        total = 0.0
        while True:
            total += yield total

    made = summing()
    next(made)
    yield lambda x: x * made.send(1.0)
    made.send(10.0)
    yield


@change
def a_bound_send():
    def summing():
        total = 0.0
        while True:
            total += yield total

    made = summing()
    next(made)
    send = made.send
    yield lambda x: x * send(1.0)
    send(10.0)
    yield


@change
def a_generator_expression():
    made = (k for k in range(1, 100))
    yield lambda x: x * next(made)
    next(made)
    yield


@change
def a_generator_over_a_list():
    ks = [1.0] * 4
    made = (k for k in ks)
    yield lambda x: x * next(made, 5.0)
    ks.append(2.0)
    yield


@change
def what_a_generator_has_left():
    made = iter([1.0, 2.0, 3.0])
    yield lambda x: x * sum(made)
    made.__setstate__(0)
    yield


@change
def a_generator_function():
    k = 2.0

    def numbers():
        yield k
        yield 2 * k

    yield lambda x: x * sum(numbers())
    k = 3.0
    yield


@change
def a_generator_that_delegates():
    ks = [1.0]

    def inner():
        yield from ks

    def outer():
        yield from inner()

    yield lambda x: x * sum(outer())
    ks.append(2.0)
    yield


@change
def an_iterator_of_its_own():
    class Rising:
        def __init__(self):
            self.n = 0

        def __iter__(self):
            return self

        def __next__(self):
            self.n += 1
            return self.n

    rising = Rising()
    yield lambda x: x * next(rising)
    rising.n = 40
    yield


@change
def an_iterator_made_inside():
    class Few:
        n = 2

        def __iter__(self):
            return iter(range(self.n))

    few = Few()
    yield lambda x: x * sum(few)
    few.n = 5
    yield


@change
def an_iterator_by_getitem():
    class Old:
        ks = [1.0, 2.0]  # noqa: RUF012

        def __getitem__(self, i):
            return self.ks[i]

    old = Old()
    yield lambda x: x * sum(old)
    Old.ks.append(5.0)
    yield


@change
def an_iterator_of_a_callable():
    ks = [1.0, 0.0, 2.0]
    yield lambda x: x * sum(iter(ks[:].pop, 0.0))
    ks.append(3.0)
    yield


@change
def a_map():
    made = map(float, range(1, 100))
    yield lambda x: x * next(made)
    next(made)
    yield


@change
def a_zip():
    made = zip(range(1, 100), range(1, 100), strict=True)
    yield lambda x: x * next(made)[1]
    next(made)
    yield


@change
def a_reversed_list():
    ks = [1.0] * 9
    made = reversed(ks)
    yield lambda x: x * next(made)
    ks[2:6] = [2.0, 3.0, 4.0, 5.0]
    yield


@change
def a_tee():
    one, other = itertools.tee(range(1, 100))
    yield lambda x: x * next(one)
    next(other)
    next(one)
    yield
