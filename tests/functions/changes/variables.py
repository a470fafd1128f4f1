"""Variables of Python: globals, closures, defaults, and the functions that hold them."""

import builtins

from tests.functions.changes.table import Box, change, doubled, module, tripled

rate = 2.0
helper = None
holder = Box(k=2.0)


@change
def a_global():
    global rate
    rate = 2.0
    yield lambda x: x * rate
    rate = 3.0
    yield


@change
def a_global_of_a_module():
    settings = module("k = 2.0\ndef f(x): return x * k")
    yield settings.f
    settings.k = 3.0
    yield


@change
def a_global_that_hides_a_builtin():
    settings = module("def f(x): return x * max(2.0, 1.0)")
    yield settings.f
    settings.max = min
    yield


@change
def a_global_that_uncovers_a_builtin():
    settings = module("def f(x): return x * max(2.0, 1.0)\nmax = min")
    yield settings.f
    del settings.max
    yield


@change
def a_global_that_is_gone():
    settings = module("k = 2.0\ndef f(x): return x * k")
    yield settings.f
    del settings.k
    yield


@change
def a_global_that_is_gone_and_caught():
    settings = module("k = 2.0\ndef f(x):\n try: return x * k\n except NameError: return x * 5.0")
    yield settings.f
    del settings.k
    yield


@change
def a_global_through_globals():
    settings = module("k = 2.0\ndef f(x): return x * globals()['k']")
    yield settings.f
    settings.k = 3.0
    yield


@change
def a_global_through_eval():
    settings = module("k = 2.0\ndef f(x): return x * eval('k')")
    yield settings.f
    settings.k = 3.0
    yield


@change
def a_global_through_the_dictionary_of_another_function():
    settings = module("k = 2.0\ndef g(x): return x")
    yield lambda x: x * settings.g.__globals__["k"]
    settings.k = 3.0
    yield


@change
def a_global_named_in_a_class_body():
    settings = module("k = 2.0\ndef f(x):\n class C: j = k\n return x * C.j")
    yield settings.f
    settings.k = 3.0
    yield


@change
def a_global_named_in_a_comprehension():
    settings = module("k = 2.0\ndef f(x): return sum([x * k for _ in range(2)])")
    yield settings.f
    settings.k = 3.0
    yield


@change
def a_global_named_in_a_generator():
    settings = module("k = 2.0\ndef f(x): return sum(x * k for _ in range(2))")
    yield settings.f
    settings.k = 3.0
    yield


@change
def a_global_named_in_a_lambda_in_a_lambda():
    settings = module("k = 2.0\ndef f(x): return (lambda: (lambda: x * k))()()")
    yield settings.f
    settings.k = 3.0
    yield


@change
def a_global_named_by_a_default_inside():
    settings = module("k = 2.0\ndef f(x):\n def g(a=k): return x * a\n return g()")
    yield settings.f
    settings.k = 3.0
    yield


@change
def a_global_that_the_function_writes():
    settings = module("k = 2.0\ndef f(x):\n global k\n k = k + 1\n return x * k")
    yield settings.f
    settings.k = 30.0
    yield


@change
def a_global_that_a_helper_writes():
    settings = module("k = 2.0\ndef g():\n global k\n k = 2 * k\ndef f(x):\n g()\n return x * k")
    yield settings.f
    settings.k = 30.0
    yield


@change
def a_global_that_the_function_deletes():
    settings = module("k = 2.0\ndef f(x):\n global k\n y = x * k\n del k\n return y")
    yield settings.f
    settings.k = 3.0
    yield


@change
def a_global_function():
    global helper

    helper = doubled
    yield lambda x: helper(x)
    helper = tripled
    yield


@change
def a_global_of_a_helper():
    settings = module("k = 2.0\ndef g(x): return x * k\ndef f(x): return g(x)")
    yield settings.f
    settings.k = 3.0
    yield


@change
def a_global_object():
    holder.k = 2.0
    yield lambda x: x * holder.k
    holder.k = 3.0
    yield


@change
def a_builtin_that_is_replaced():
    before = builtins.max
    try:
        yield lambda x: x * max(2.0, 1.0)
        builtins.max = min
        yield
    finally:
        builtins.max = before


@change
def a_closure():
    k = 2.0
    yield lambda x: x * k
    k = 3.0
    yield


@change
def a_closure_two_functions_deep():
    k = 2.0

    def f(x):
        def g():
            return x * k

        return g()

    yield f
    k = 3.0
    yield


@change
def a_closure_of_a_helper():
    k = 2.0

    def g(x):
        return x * k

    yield lambda x: g(x)
    k = 3.0
    yield


@change
def a_closure_written_by_nonlocal():
    count = 0

    def f(x):
        nonlocal count
        count += 1
        return x * count

    yield f
    count = 50
    yield


@change
def a_closure_written_by_another_function():
    k = 2.0

    def rise():
        nonlocal k
        k += 1.0

    yield lambda x: x * k
    rise()
    yield


@change
def a_closure_written_through_its_cell():
    k = 2.0

    def f(x):
        return x * k

    yield f
    f.__closure__[0].cell_contents = 3.0
    yield


@change
def a_closure_that_is_unbound():
    k = 2.0

    def f(x):
        try:
            return x * k
        except NameError:
            return x * 5.0

    yield f
    del k
    yield


@change
def a_closure_that_is_bound_late():
    def f(x):
        try:
            return x * k
        except NameError:
            return x * 5.0

    yield f
    k = 3.0
    yield


@change
def a_closure_function():
    g = doubled
    yield lambda x: g(x)
    g = tripled
    yield


@change
def a_closure_that_refers_to_itself():
    depth = 2

    def f(x, n=0):
        return x if n == depth else 2.0 * f(x, n + 1)

    yield f
    depth = 3
    yield


@change
def two_functions_that_call_each_other():
    k = 2.0

    def even(x, n):
        return x if n == 0 else odd(x * k, n - 1)

    def odd(x, n):
        return x if n == 0 else even(x + k, n - 1)

    yield lambda x: even(x, 3)
    k = 3.0
    yield
