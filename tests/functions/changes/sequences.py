"""Lists, tuples, sets and queues."""

import collections
import itertools
import operator

from tests.functions.changes.table import Box, change

Pair = collections.namedtuple("Pair", "first second")


@change
def an_item_of_a_list():
    ks = [2.0]
    yield lambda x: x * ks[0]
    ks[0] = 3.0
    yield


@change
def a_list_that_grows():
    ks = [2.0]
    yield lambda x: x * sum(ks)
    ks.append(3.0)
    yield


@change
def a_list_that_shrinks():
    ks = [2.0, 3.0]
    yield lambda x: x * len(ks)
    ks.pop()
    yield


@change
def the_last_item_of_a_list():
    ks = [2.0]
    yield lambda x: x * ks[-1]
    ks += [3.0]
    yield


@change
def a_list_in_another_order():
    ks = [2.0, 3.0]
    yield lambda x: (x + ks[0]) * ks[1]
    ks.reverse()
    yield


@change
def a_list_by_a_slice():
    ks = [1.0, 2.0, 3.0]
    yield lambda x: x * sum(ks[1:])
    ks[1:] = [7.0]
    yield


@change
def whether_a_list_is_empty():
    ks = []
    yield lambda x: x * (3.0 if ks else 2.0)
    ks.append(0)
    yield


@change
def whether_something_is_in_a_list():
    names = ["a"]
    yield lambda x: x * (3.0 if "b" in names else 2.0)
    names.append("b")
    yield


@change
def a_list_in_a_list():
    ks = [[[2.0]]]
    yield lambda x: x * ks[0][0][0]
    ks[0][0][0] = 3.0
    yield


@change
def a_list_that_holds_itself():
    ks = [2.0]
    ks.append(ks)
    yield lambda x: x * ks[1][1][0]
    ks[0] = 3.0
    yield


@change
def a_list_in_a_tuple():
    ks = ([2.0],)
    yield lambda x: x * ks[0][0]
    ks[0][0] = 3.0
    yield


@change
def an_object_in_a_list():
    boxes = [Box(k=2.0)]
    yield lambda x: x * boxes[0].k
    boxes[0].k = 3.0
    yield


@change
def an_object_in_a_list_that_is_replaced():
    boxes = [Box(k=2.0)]
    yield lambda x: x * boxes[0].k
    boxes[0] = Box(k=3.0)
    yield


@change
def an_object_in_a_frozenset():
    box = Box(k=2.0)
    boxes = frozenset([box])
    yield lambda x: x * sum(b.k for b in boxes)
    box.k = 3.0
    yield


@change
def an_int_that_becomes_a_float():
    ks = [2]
    yield lambda x: x * (2.0 if isinstance(ks[0], int) else 3.0)
    ks[0] = 2.0
    yield


@change
def a_bool_that_becomes_an_int():
    ks = [True]
    yield lambda x: x * (2.0 if ks[0] is True else 3.0)
    ks[0] = 1
    yield


@change
def a_zero_that_changes_its_sign():
    ks = [0.0]
    yield lambda x: x / ks[0]
    ks[0] = -0.0
    yield


@change
def a_number_that_becomes_not_a_number():
    ks = [2.0]
    yield lambda x: x * ks[0]
    ks[0] = float("nan")
    yield


@change
def a_nan_that_becomes_a_number():
    ks = [float("nan")]
    yield lambda x: x * ks[0]
    ks[0] = 2.0
    yield


@change
def a_list_through_zip():
    ks, js = [2.0, 1.0], [3.0, 1.0]
    yield lambda x: x * sum(k * j for k, j in zip(ks, js, strict=True))
    js[0] = 5.0
    yield


@change
def a_list_through_enumerate():
    ks = [1.0, 2.0]
    yield lambda x: x * sum(i * k for i, k in enumerate(ks))
    ks.append(5.0)
    yield


@change
def a_list_through_sorted():
    ks = [2.0, 3.0]
    yield lambda x: x * sorted(ks)[0]
    ks.append(1.0)
    yield


@change
def a_list_through_itertools():
    ks = [1.0, 2.0]
    yield lambda x: x * sum(itertools.accumulate(itertools.chain(ks, ks)))
    ks[1] = 5.0
    yield


@change
def a_list_through_a_star():
    ks = [2.0, 3.0]
    yield lambda x: x * max(*ks)
    ks[1] = 5.0
    yield


@change
def a_list_that_is_unpacked():
    ks = [2.0, 3.0]

    def f(x):
        first, *others = ks
        return x * first + len(others)

    yield f
    ks.append(4.0)
    yield


@change
def a_list_that_is_matched():
    ks = [2.0]

    def f(x):
        match ks:
            case [k]:
                return x * k
            case [_, k]:
                return x / k

    yield f
    ks.append(4.0)
    yield


@change
def a_list_that_the_function_fills():
    log = []

    def f(x):
        log.append(1)
        return x * len(log)

    yield f
    log.clear()
    yield


@change
def a_list_that_the_function_fills_and_empties():
    log = []

    def f(x):
        log.append(2.0)
        return x * log.pop() + len(log)

    yield f
    log.append(1.0)
    yield


@change
def a_bound_append():
    log = []
    append = log.append
    yield lambda x: (append(1), x * len(log))[1]
    log.clear()
    yield


@change
def a_bound_pop():
    ks = [9.0, 8.0, 7.0, 6.0, 5.0, 4.0]
    pop = ks.pop
    yield lambda x: x * pop()
    ks.insert(0, 1.0)
    yield


@change
def a_bound_index():
    names = ["a", "b"]
    index = names.index
    yield lambda x: x * (index("b") + 1)
    names.insert(0, "c")
    yield


@change
def a_bound_count():
    names = ["a", "b"]
    count = names.count
    yield lambda x: x * count("b")
    names.append("b")
    yield


@change
def a_bound_getitem():
    ks = [2.0]
    get = ks.__getitem__
    yield lambda x: x * get(0)
    ks[0] = 3.0
    yield


@change
def a_bound_length():
    ks = [2.0]
    length = ks.__len__
    yield lambda x: x * length()
    ks.append(3.0)
    yield


@change
def whether_two_lists_are_one():
    ks = [[1.0], [1.0]]
    yield lambda x: x * (2.0 if ks[0] is ks[1] else 3.0)
    ks[1] = ks[0]
    yield


@change
def whether_two_named_tuples_are_one():
    ks = [Pair(1.0, 2.0), Pair(1.0, 2.0)]
    yield lambda x: x * (2.0 if operator.is_(*ks) else 3.0)
    ks[1] = ks[0]
    yield
