"""Modules of a user, also of names that modules of others have."""

import types

from tests.functions.changes.table import change, doubled, module, tripled


@change
def a_number_in_a_module():
    settings = module("k = 2.0")
    yield lambda x: x * settings.k
    settings.k = 3.0
    yield


@change
def a_function_in_a_module():
    steps = types.ModuleType("steps")
    steps.step = doubled
    yield lambda x: steps.step(x)
    steps.step = tripled
    yield


@change
def a_module_in_a_module():
    outer = types.ModuleType("outer")
    outer.inner = module("k = 2.0")
    yield lambda x: x * outer.inner.k
    outer.inner.k = 3.0
    yield


@change
def a_module_in_a_module_that_is_replaced():
    outer = types.ModuleType("outer")
    outer.inner = module("k = 2.0")
    yield lambda x: x * outer.inner.k
    outer.inner = module("k = 3.0")
    yield


@change
def what_was_not_in_a_module():
    settings = module("")

    def f(x):
        try:
            return x * settings.k
        except AttributeError:
            return x * 5.0

    yield f
    settings.k = 3.0
    yield


@change
def what_has_gone_from_a_module():
    settings = module("k = 2.0")
    yield lambda x: x * getattr(settings, "k", 5.0)
    del settings.k
    yield


@change
def getattr_of_a_module():
    lazy = module("ks = {'k': 2.0}\ndef __getattr__(name): return ks[name]")
    yield lambda x: x * lazy.k
    lazy.ks["k"] = 3.0
    yield


@change
def getattr_of_a_module_that_is_replaced():
    lazy = module("def __getattr__(name): return 2.0")
    yield lambda x: x * lazy.k
    lazy.__getattr__ = lambda name: 3.0
    yield


@change
def getattr_of_a_module_that_comes_to_be():
    lazy = module("")
    yield lambda x: x * getattr(lazy, "k", 2.0)
    lazy.__getattr__ = lambda name: 3.0
    yield


@change
def all_that_a_module_has():
    settings = module("k = 2.0")
    yield lambda x: x * len(vars(settings))
    settings.j = 3.0
    yield


@change
def names_in_a_module_by_dir():
    settings = module("k = 2.0")
    yield lambda x: x * len(dir(settings))
    settings.j = 3.0
    yield


@change
def a_module_of_the_name_of_one_of_python():
    settings = module("k = 2.0", "random")
    yield lambda x: x * settings.k
    settings.k = 3.0
    yield


@change
def a_function_in_a_module_of_the_name_of_one_of_python():
    settings = module("k = 2.0\ndef f(x): return x * k", "statistics")
    yield lambda x: settings.f(x)
    settings.k = 3.0
    yield


@change
def a_class_in_a_module_of_the_name_of_one_of_python():
    settings = module("class Settings: k = 2.0", "types")
    made = settings.Settings()
    yield lambda x: x * made.k
    settings.Settings.k = 3.0
    yield


@change
def an_object_of_a_module_of_the_name_of_a_library():
    settings = module("class Settings: k = 2.0", "keras")
    made = settings.Settings()
    yield lambda x: x * made.k
    made.k = 3.0
    yield


@change
def a_submodule_of_the_name_of_a_library():
    settings = module("k = 2.0\ndef f(x): return x * k", "numpy.settings")
    yield lambda x: settings.f(x)
    settings.k = 3.0
    yield


@change
def the_name_of_a_module():
    settings = module("k = 2.0")
    yield lambda x: x * len(settings.__name__)
    settings.__name__ = "m"
    yield
