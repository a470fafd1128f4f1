"""Operators, equality and order that classes of a program define."""

import functools
import operator

from tests.functions.changes.table import change, defining


@change
def its_multiplication():
    class Scale:
        k = 2.0

        def __mul__(self, x):
            return x * self.k

    scale = Scale()
    yield lambda x: scale * x
    scale.k = 3.0
    yield


@change
def its_multiplication_from_the_right():
    class Scale:
        __array_priority__ = 1000.0
        k = 2.0

        def __rmul__(self, x):
            return x * self.k

    scale = Scale()
    yield lambda x: 1.5 * scale
    scale.k = 3.0
    yield


@change
def its_matrix_product():
    class Scale:
        def __matmul__(self, x):
            return x * self.k

    scale = Scale()
    scale.k = 2.0
    yield lambda x: scale @ x
    scale.k = 3.0
    yield


@change
def its_addition_in_place():
    class Sum:
        step = 2.0

        def __iadd__(self, x):
            return x * self.step

    def f(x):
        total = Sum()
        total += x
        return total

    yield f
    Sum.step = 3.0
    yield


@change
def its_sign():
    mine = defining(neg=lambda self: k)
    k = 2.0
    yield lambda x: x * -mine
    k = 3.0
    yield


@change
def an_operator_that_comes_between():
    class A:
        def __add__(self, other):
            return 2.0

    class B(A): ...

    a, b = A(), B()
    yield lambda x: x * (a + b)
    B.__radd__ = lambda self, other: 3.0
    yield


@change
def a_function_of_the_module_of_operators():
    class Scale:
        k = 2.0

        def __mul__(self, x):
            return x * self.k

    scale = Scale()
    yield lambda x: operator.mul(scale, x)
    scale.k = 3.0
    yield


@change
def its_equality():
    friends = []

    class Mine:
        def __eq__(self, other):
            return other in friends

        __hash__ = None

    mine = Mine()
    yield lambda x: x * (3.0 if mine == 5 else 2.0)
    friends.append(5)
    yield


@change
def an_object_that_says_that_it_equals_all():
    class Liar:
        def __init__(self, k):
            self.k = k

        def __eq__(self, other):
            return True

        def __hash__(self):
            return 0

    liar = Liar(2.0)
    yield lambda x: x * liar.k
    liar = Liar(3.0)
    yield


@change
def a_liar_in_a_list():
    class Liar:
        def __init__(self, k):
            self.k = k

        def __eq__(self, other):
            return True

        __hash__ = object.__hash__

    liars = [Liar(2.0)]
    yield lambda x: x * liars[0].k
    liars[0] = Liar(3.0)
    yield


@change
def a_liar_as_key():
    class Liar:
        def __init__(self, k):
            self.k = k

        def __eq__(self, other):
            return True

        def __hash__(self):
            return 0

    d = {Liar(2.0): 1}
    yield lambda x: x * next(iter(d)).k
    d.clear()
    d[Liar(3.0)] = 1
    yield


@change
def its_order():
    ranks = {"a": 1, "b": 2}

    class Mine:
        def __init__(self, name, k):
            self.name, self.k = name, k

        def __lt__(self, other):
            return ranks[self.name] < ranks[other.name]

    both = [Mine("a", 2.0), Mine("b", 3.0)]
    yield lambda x: x * min(both).k
    ranks["a"] = 5
    yield


@change
def the_rest_of_its_order():
    @functools.total_ordering
    class Mine:
        def __init__(self, k):
            self.k = k

        def __eq__(self, other):
            return self.k == other.k

        def __lt__(self, other):
            return self.k < other.k

        __hash__ = None

    a, b = Mine(1.0), Mine(2.0)
    yield lambda x: x * (2.0 if a <= b else 3.0)
    a.k = 5.0
    yield


@change
def its_hash():
    k = 1
    mine = defining(hash=lambda self: k)
    yield lambda x: x * hash(mine)
    k = 3
    yield
