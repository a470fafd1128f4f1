"""Callables that look at nothing but their arguments, each group with the reason why it is here.

A callable of Python or of a library that is not listed is not taken for one of these. Python code
is then read as the program's own is; anything else makes a function run as Python.
"""

from __future__ import annotations

import random
import sys
import types
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .code import SHOWN
from .ownership import owner_of

if TYPE_CHECKING:
    from collections.abc import Iterator


class ListedNames(NamedTuple):
    """Names of one module; None for all that it has but those of ``besides``."""

    why: str
    names: str | None = None
    besides: str = ""


_LISTED = {
    "builtins": ListedNames(
        "they compute on their arguments, or ask these by methods which are read",
        "abs aiter all anext any ascii bin bool bytearray bytes callable chr classmethod complex "
        "delattr dict dir divmod enumerate filter float format frozenset getattr hasattr hash hex "
        "int isinstance issubclass iter len list locals map max min next object oct ord pow print "
        "property range repr reversed round set setattr slice sorted staticmethod str sum super "
        "tuple type vars zip __build_class__ NotImplemented Ellipsis",
    ),
    "math": ListedNames("functions of numbers"),
    "cmath": ListedNames("functions of numbers"),
    "operator": ListedNames("operators", None, "attrgetter methodcaller"),
    "_operator": ListedNames("operators", None, "attrgetter methodcaller"),
    "itertools": ListedNames("iterators over their arguments"),
    "functools": ListedNames(
        "functions made of their arguments",
        "partial reduce wraps update_wrapper cmp_to_key total_ordering cached_property "
        "partialmethod WRAPPER_ASSIGNMENTS WRAPPER_UPDATES",
    ),
    "collections": ListedNames(
        "containers", "namedtuple deque OrderedDict Counter defaultdict ChainMap UserDict UserList"
    ),
    "dataclasses": ListedNames("classes made of annotations; fields are found by name"),
    "contextlib": ListedNames(
        "blocks made of their arguments",
        "contextmanager nullcontext suppress closing ExitStack AbstractContextManager "
        "ContextDecorator _GeneratorContextManager",
    ),
    "typing": ListedNames(
        "what annotations are made of",
        None,
        "get_type_hints runtime_checkable get_overloads clear_overloads overload",
    ),
    "types": ListedNames("classes of Python's own objects", None, "coroutine"),
    "enum": ListedNames("classes with members that are fixed when they are made"),
    "abc": ListedNames("markers on methods and classes", "ABC ABCMeta abstractmethod"),
    "logging": ListedNames(
        "what is logged does not come back",
        None,
        "getLogRecordFactory setLogRecordFactory getLoggerClass setLoggerClass makeLogRecord "
        "LogRecord",
    ),
    "warnings": ListedNames("what is told does not come back", "warn simplefilter catch_warnings"),
    "copy": ListedNames("copies of its arguments", "copy deepcopy replace"),
    "copyreg": ListedNames("how its arguments are copied", "__newobj__ __reduce_ex__"),
    "string": ListedNames("constants and functions of texts", "capwords digits ascii_letters"),
    "re": ListedNames("functions of texts; patterns that are kept depend on nothing else"),
    "json": ListedNames("functions of texts and plain values", "dumps loads"),
    "textwrap": ListedNames("functions of texts"),
    "bisect": ListedNames("functions of sequences"),
    "_bisect": ListedNames("functions of sequences"),
    "heapq": ListedNames("functions of lists"),
    "_heapq": ListedNames("functions of lists"),
    "statistics": ListedNames("functions of numbers", None, "NormalDist"),
    "decimal": ListedNames("numbers", "Decimal"),
    "fractions": ListedNames("numbers", "Fraction"),
    "numbers": ListedNames("abstract classes of numbers"),
    "collections.abc": ListedNames("abstract classes of containers"),
    "_collections_abc": ListedNames("abstract classes of containers"),
    "datetime": ListedNames(
        "dates and spans of time", "timedelta timezone tzinfo date time datetime MINYEAR MAXYEAR"
    ),
    "time": ListedNames("it gives nothing back", "sleep"),
    "keyword": ListedNames("functions of texts"),
    "sys": ListedNames("the error that is being handled; one from outside is compared", "exc_info"),
    "_testcapi": ListedNames("the error that is being handled is shown otherwise", "set_exc_info"),
    "struct": ListedNames("functions of bytes", "pack unpack calcsize"),
    "posixpath": ListedNames(
        "functions of texts", "join basename dirname split splitext normpath isabs commonprefix"
    ),
    "ntpath": ListedNames(
        "functions of texts", "join basename dirname split splitext normpath isabs commonprefix"
    ),
    "posix": ListedNames(
        "the environment, which is compared where it is used", "fspath putenv unsetenv"
    ),
    "os": ListedNames("it gives the text of its argument", "fspath fsencode fsdecode"),
    "numpy": ListedNames(
        "functions of arrays",
        None,
        "load loadtxt genfromtxt fromfile fromregex memmap DataSource save savez savez_compressed "
        "savetxt random testing show_config show_runtime info get_include "
        "geterr seterr geterrcall seterrcall getbufsize setbufsize get_printoptions "
        "set_printoptions set_string_function",
    ),
    "numpy.linalg": ListedNames("functions of arrays"),
    "numpy.fft": ListedNames("functions of arrays"),
    "numpy.exceptions": ListedNames("errors"),
    "numpy.strings": ListedNames("functions of arrays"),
    "numpy.lib.array_utils": ListedNames("functions of arrays"),
    "numpy.char": ListedNames("functions of arrays"),
    "scipy.special": ListedNames("functions of numbers"),
    "cinta_kernels": ListedNames("the same functions of arrays as NumPy's, compiled from C"),
    **dict.fromkeys(
        ("jax.numpy", "jax.nn", "jax.lax", "jax.scipy.special", "jax.numpy.linalg"),
        ListedNames("functions of arrays; JAX compiles them for their arguments"),
    ),
    "einops": ListedNames("what they keep depends on the arguments alone"),
    "einops.einops": ListedNames("what they keep depends on the arguments alone"),
    "tree": ListedNames("functions of nested structures"),
    "optree": ListedNames("functions of nested structures"),
}
"""The modules of Python and of libraries whose names stand for such callables."""

_WRAPPERS = {
    ("dataclasses", "_recursive_repr.<locals>.wrapper"): "shows what is in itself once",
    ("reprlib", "recursive_repr.<locals>.decorating_function.<locals>.wrapper"): "the same",
    ("contextlib", "contextmanager.<locals>.helper"): "makes a block of a generator",
    **dict.fromkeys(
        [
            ("attr._make", f"_ClassBuilder._make_getstate_setstate.<locals>.slots_{way}")
            for way in ("getstate", "setstate")
        ],
        "copies slots, which are compared where the copy is looked at",
    ),
}
"""Functions that decorators make, which only call those that they are made of."""

_MAKERS = "default_rng RandomState SeedSequence MT19937 PCG64 PCG64DXSM Philox SFC64"
"""Functions that make generators of NumPy's random numbers: with a given seed, or the system's."""

_READ = frozenset(("getenv", "getenvb"))
"""Functions of modules that ask the system which are read: they look where it is compared."""

SYSTEM_MODULES = frozenset(
    (
        *("time", "datetime", "_datetime", "posix", "nt", "os", "io", "_io", "uuid", "secrets"),
        *("socket", "_socket", "subprocess", "platform", "getpass", "tempfile", "shutil", "glob"),
        *("genericpath", "posixpath", "ntpath", "pathlib", "random", "_random", "select"),
        *("urllib", "http", "_thread", "threading", "signal", "resource", "sqlite3", "_sqlite3"),
    )
)
"""Modules that ask the system, which may answer otherwise at each call."""

SYSTEM_FUNCTIONS = frozenset(
    (*("open", "input", "load", "loadtxt", "genfromtxt", "fromfile", "memmap", "id"),)
)
"""The same in other modules."""

CLOCK_METHODS = frozenset(("now", "utcnow", "today"))
"""The same among methods of dates and times."""

LOCK_METHODS = frozenset(("locked", "acquire", "_is_owned", "_recursion_count"))
"""Methods of locks that tell of other threads."""

READ_METHODS = frozenset(("tell", "read", "readline", "getvalue", "closed", "buffer", "fileno"))
"""Methods of a stream that give back written text."""

_SETTING_GETTERS = frozenset(
    (
        *("get_verbosity", "get_engine", "get_current_name_scope", "get_global_generator"),
        *("functions_run_eagerly", "get_memory_policy", "get_jacobian_memory", "get_language"),
        *("get_jit", "get_experimental_options", "tensor_float_32_execution_enabled"),
        *("get_inter_op_parallelism_threads", "get_intra_op_parallelism_threads"),
        *("get_soft_device_placement", "get_log_device_placement", "get_visible_devices"),
        *("list_physical_devices", "list_logical_devices", "get_checkpoint_progress"),
        *("is_traceback_filtering_enabled", "get_default_mesh", "cores"),
        *("dtype_policy", "global_policy", "max_epochs", "max_steps_per_epoch", "distribution"),
        *("is_interactive_logging_enabled", "is_flash_attention_enabled", "is_nnx_enabled"),
        *("get_strategy", "has_strategy", "in_cross_replica_context", "get_replica_context"),
        *("get_device_policy", "get_synchronous_execution"),
    )
)
"""Functions of these libraries that tell what was set; it is compared."""

_OPAQUE = frozenset(("cinta", "keras", "jax"))
"""Libraries that tell the recorder what they do, or whose functions are so by contract (JAX's)."""

_modules: dict[int, str] = {}
"""The modules in the list by the identities of what they have, of those that are loaded."""
_not_loaded = dict.fromkeys(_LISTED)


def is_listed(value: object) -> bool:
    """Whether a callable or a class is in the list, and is what the library made it."""
    return module_of_listed(value) is not None


def module_of_listed(value: object) -> str | None:
    """The module in the list that has a callable or a class; None if it is not in the list."""
    for module in [each for each in _not_loaded if each in sys.modules]:
        for each in _named_by(module):
            _modules.setdefault(id(each), module)
        _not_loaded.pop(module, None)
    return _modules.get(id(value))


def _named_by(module: str) -> Iterator[Any]:
    """The values in a module of a library by the names of the list."""
    names, group = vars(sys.modules[module]), _LISTED[module]
    if owner_of(sys.modules[module]) is None:
        return  # a module of the program with such a name
    besides = group.besides.split()
    listed = names if group.names is None else group.names.split()
    for name in listed:
        value = names.get(name)
        if callable(value) and name not in besides and _is_of(value, module):
            yield value
    if module == "builtins":
        yield from [
            x for x in names.values() if isinstance(x, type) and issubclass(x, BaseException)
        ]


def _is_of(value: object, module: str) -> bool:
    """Whether a library's module has this by itself, and not because somebody replaced it."""
    if isinstance(value, types.FunctionType) and owner_of(value) is None:
        return False
    home = str(getattr(value, "__module__", None) or module).partition(".")[0]
    return home not in SYSTEM_MODULES or home.strip("_") == module.strip("_")


def of_opaque_library(value: object) -> bool:
    """Whether a thing is of a library that tells the recorder what it does."""
    return owner_of(value) in _OPAQUE


def reads_a_setting(function: types.FunctionType) -> bool:
    """Whether a function of such a library tells what was set for all functions."""
    return function.__name__ in _SETTING_GETTERS and of_opaque_library(function)


def methods_called_by_numpy(function: object) -> frozenset[str]:
    """The methods of its arguments that a function of NumPy calls, where these are not arrays."""
    code = getattr(getattr(function, "__wrapped__", function), "__code__", None)
    named = () if code is None else (*code.co_names, *code.co_consts)
    own = getattr(function, "__name__", "")
    shown = (SHOWN,) if own in _SHOWING_ARRAYS else ()
    of_arrays = [x for x in named if isinstance(x, str) and hasattr(np.ndarray, x)]
    return frozenset((own, *shown, *of_arrays))


_SHOWING_ARRAYS = frozenset(("array2string", "array_str", "array_repr"))


def makes_generators(value: object) -> bool:
    """Whether a callable makes generators of random numbers, for which a seed may be asked."""
    return any([value is each for each in (random.Random, *of_numpy_random(_MAKERS))])


def of_numpy_random(names: str) -> tuple[Any, ...]:
    """The things that ``numpy.random`` has by these names; none until a program has loaded it.

    NumPy loads that module when it is first asked for, which takes milliseconds. Nothing that a
    function refers to can come from there before.
    """
    if "numpy.random" not in sys.modules:
        return ()
    return tuple([getattr(np.random, name) for name in names.split()])


def is_compiled_by_jax(value: object) -> bool:
    """Whether JAX has compiled a function: it does not look again at what that refers to."""
    return type(value).__module__.startswith("jaxlib") and type(value).__name__ == "PjitFunction"


def is_listed_wrapper(function: types.FunctionType) -> bool:
    """Whether a function is made by a decorator of Python's library that is in the list."""
    place = function.__globals__.get("__name__", ""), function.__code__.co_qualname
    return place in _WRAPPERS and owner_of(function) is not None


def is_shown_by_attrs(function: types.FunctionType) -> bool:
    """Whether attrs has written how objects are shown: once, though they may be in themselves.

    It takes their identities to tell that they are being shown already, and for nothing else.
    """
    by_attrs = function.__globals__.get("_compat") is sys.modules.get("attr._compat", function)
    return by_attrs and function.__name__ == "__repr__"


def queries_system(function: types.FunctionType) -> bool:
    """Whether a function of a module is known to ask the system, so that it need not be read."""
    return (
        "." not in function.__qualname__
        and function.__name__ not in _READ
        and may_query_system(function)
    )


def may_query_system(value: object) -> bool:
    """Whether a callable is known to ask the system."""
    module = str(getattr(value, "__module__", None) or "").partition(".")[0]
    name = getattr(value, "__name__", "")
    owned = not isinstance(value, types.FunctionType) or owner_of(value) is not None
    return owned and (module in SYSTEM_MODULES or name in SYSTEM_FUNCTIONS)
