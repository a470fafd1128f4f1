"""Special methods of a program's classes: lengths, truth, items, operators."""

import math
import operator

import numpy as np

import cinta as tf
from tests.functions.changes.table import change, defining


@change
def its_length():
    ks = [1]
    mine = defining(len=lambda self: len(ks))
    yield lambda x: x * len(mine)
    ks.append(1)
    yield


@change
def its_truth():
    ks = []
    mine = defining(bool=lambda self: bool(ks))
    yield lambda x: x * (3.0 if mine else 2.0)
    ks.append(1)
    yield


@change
def its_truth_by_its_length():
    ks = []
    mine = defining(len=lambda self: len(ks))
    yield lambda x: x * (2.0 if not mine else 3.0)
    ks.append(1)
    yield


@change
def its_truth_that_comes_to_be():
    class Mine: ...

    mine = Mine()
    yield lambda x: x * (2.0 if mine else 3.0)
    Mine.__bool__ = lambda self: False
    yield


@change
def its_items():
    ks = [2.0]
    mine = defining(getitem=lambda self, i: ks[i])
    yield lambda x: x * mine[0]
    ks[0] = 3.0
    yield


@change
def what_it_contains():
    ks = []
    mine = defining(contains=lambda self, k: k in ks)
    yield lambda x: x * (3.0 if 1 in mine else 2.0)
    ks.append(1)
    yield


@change
def its_iteration():
    ks = [2.0]
    mine = defining(iter=lambda self: iter(ks))
    yield lambda x: x * sum(mine)
    ks.append(1.0)
    yield


@change
def its_reverse():
    ks = [2.0, 3.0]
    mine = defining(reversed=lambda self: reversed(ks))
    yield lambda x: x * next(iter(reversed(mine)))
    ks.append(5.0)
    yield


@change
def its_number():
    mine = defining(float=lambda self: k)
    k = 2.0
    yield lambda x: x * float(mine)
    k = 3.0
    yield


@change
def its_whole_number():
    mine = defining(int=lambda self: k, index=lambda self: k)
    k = 2
    yield lambda x: x * int(mine) * len([0, 0, 0][: operator.index(mine)])
    k = 3
    yield


@change
def its_place():
    mine, ks = defining(index=lambda self: k), [2.0, 3.0]
    k = 0
    yield lambda x: x * ks[mine]
    k = 1
    yield


@change
def its_rounding():
    mine = defining(round=lambda self, n=0: k, floor=lambda self: k)
    k = 2
    yield lambda x: x * round(mine) * math.floor(mine)
    k = 3
    yield


@change
def its_absolute_value():
    mine = defining(abs=lambda self: k)
    k = 2
    yield lambda x: x * abs(mine)
    k = 3
    yield


@change
def its_text():
    mine = defining(str=lambda self: str(k))
    k = 2.0
    yield lambda x: x * float(str(mine))
    k = 3.0
    yield


@change
def its_representation():
    mine = defining(repr=lambda self: str(k))
    k = 2.0
    yield lambda x: x * float(f"{mine!r}")
    k = 3.0
    yield


@change
def its_format():
    mine = defining(format=lambda self, how: str(k))
    k = 2.0
    yield lambda x: x * float(f"{mine:how}")
    k = 3.0
    yield


@change
def its_default_representation_by_class_name():
    class Mine: ...

    mine = Mine()
    yield lambda x: x * (3.0 if "Other" in repr(mine) else 2.0)
    Mine.__qualname__ = "Other"
    yield


@change
def its_call():
    mine = defining(call=lambda self, x: x * k)
    k = 2.0
    yield lambda x: mine(x)
    k = 3.0
    yield


@change
def its_context():
    class Scope:
        k = 2.0

        def __enter__(self):
            return self.k

        def __exit__(self, *error): ...

    scope = Scope()

    def f(x):
        with scope as k:
            return x * k

    yield f
    scope.k = 3.0
    yield


@change
def whether_its_context_swallows_errors():
    class Scope:
        swallows = True

        def __enter__(self): ...

        def __exit__(self, *error):
            return self.swallows

    scope = Scope()

    def f(x):
        with scope:
            raise ValueError
        return x * 2.0

    yield f
    scope.swallows = False
    yield


@change
def its_array():
    class Mine:
        k = 2.0

        def __array__(self, dtype=None, copy=None):
            return np.array(self.k, dtype)

    mine = Mine()
    yield lambda x: x * float(np.asarray(mine))
    mine.k = 3.0
    yield


@change
def its_array_as_an_operand():
    class Mine:
        k = 2.0

        def __array__(self, dtype=None, copy=None):
            return np.array(self.k, dtype or np.float32)

    mine = Mine()
    yield lambda x: x * tf.convert_to_tensor(mine, tf.float32)
    mine.k = 3.0
    yield


@change
def its_array_interface():
    ks = np.array([2.0], np.float32)

    class Mine:
        __array_interface__ = property(lambda self: ks.__array_interface__)

    mine = Mine()
    yield lambda x: x * tf.constant(np.asarray(mine))
    ks[0] = 3.0
    yield


@change
def its_length_hint_and_its_size():
    mine = defining(sizeof=lambda self: k, length_hint=lambda self: k)
    k = 2
    yield lambda x: x * operator.length_hint(mine)
    k = 3
    yield


@change
def its_kind_as_it_says():
    class Mine:
        said = int

        @property
        def __class__(self):
            return self.said

    mine = Mine()
    yield lambda x: x * (2.0 if isinstance(mine, int) else 3.0)
    mine.said = str
    yield


@change
def its_end():
    log = []
    mine = type("Mine", (), {"__del__": lambda self: log.append(1)})

    def f(x):
        mine()
        return x * len(log)

    yield f
    log.clear()
    yield
