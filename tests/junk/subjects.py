"""Valid calls of all that is public, by which others are made: of functions, classes, methods.

They are the calls that docstrings show. A method that no docstring shows is called on what the
docstrings of its class make, with a guess for its arguments.
"""

import ast
import doctest
import inspect
import io
import re
import zlib
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass
from functools import cache

import numpy as np

import cinta as tf
from tests.namespaces import namespaces

GUESS = "tf.ones([2, 2])"
POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
MADE_ELSEWHERE = {
    "tf.Tensor": "tf.constant([1.0, 2.0])",
    "tf.DType": "tf.float32",
    "tf.IndexedSlices": "tf.IndexedSlices(tf.ones([1, 2]), tf.constant([0]), tf.constant([2, 2]))",
    "tf.IndexedSlicesSpec": "tf.IndexedSlicesSpec([2, 2])",
    "tf.TensorShape": "tf.TensorShape([2, None])",
    "tf.initializers.VarianceScaling": "tf.initializers.VarianceScaling()",
    "tf.linalg.LinearOperatorCirculant2D": "tf.linalg.LinearOperatorCirculant2D(tf.eye(2))",
    "tf.linalg.LinearOperatorCirculant3D": "tf.linalg.LinearOperatorCirculant3D([[[1.0]]])",
    "tf.data.DatasetSpec": "tf.data.DatasetSpec(tf.TensorSpec([]))",
    "tf.data.NumpyIterator": "tf.data.Dataset.range(2).as_numpy_iterator()",
    "tf.data.ThreadingOptions": "tf.data.ThreadingOptions()",
    "tf.data.experimental.Optional": "iter(tf.data.Dataset.range(2)).get_next_as_optional()",
}
"""An object with the methods of a class whose docstrings do not make one."""

NEVER_CALLED = frozenset(dir(object)) | {
    "__array__",
    "__array_ufunc__",
    "__class_getitem__",
    "__copy__",
    "__deepcopy__",
    "__del__",
    "__enter__",
    "__exit__",
    "__getattr__",
    "__post_init__",
    "__setstate__",
}
"""Methods that Python calls, and never with what people give."""


@dataclass
class Subject:
    """A call that works, after some code that makes what it needs."""

    name: str
    before: str
    call: ast.Call
    callee: object

    def variants(self):
        """The argument that is replaced, and the call's source with ``JUNK`` in its place."""
        call, junk = self.call, ast.Name("JUNK")
        for place in range(len(call.args)):
            arguments = [*call.args[:place], junk, *call.args[place + 1 :]]
            yield str(place), written(call.func, arguments, call.keywords)
        given = {keyword.arg for keyword in call.keywords}
        for parameter in self._parameters()[len(call.args) :]:
            if parameter.name in given or parameter.default is not parameter.empty:
                others = [k for k in call.keywords if k.arg != parameter.name]
                keywords = [*others, ast.keyword(parameter.name, junk)]
                yield parameter.name, written(call.func, call.args, keywords)

    def miscounted(self):
        """Calls with arguments that do not exist, or without those that must be there."""
        call = self.call
        unknown = ast.keyword("nonsense", ast.Constant(1))
        nothing = ast.Constant(None)
        yield "an unknown keyword", written(call.func, call.args, [*call.keywords, unknown])
        yield "too many", written(call.func, [*call.args, *[nothing] * 40], [])
        yield "none at all", written(call.func, [], [])
        yield "the first left out", written(call.func, call.args[1:], call.keywords)

    def named(self, argument):
        """The name of an argument that ``variants`` knows by its place."""
        parameters = self._parameters()
        known = argument.isdigit() and int(argument) < len(parameters)
        return parameters[int(argument)].name if known else argument

    def _parameters(self):
        try:
            parameters = inspect.signature(self.callee).parameters.values()
        except (TypeError, ValueError):
            return []
        return [p for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD and p.name != "name"]


def written(function, arguments, keywords):
    """A call as source."""
    return ast.unparse(ast.Call(function, list(arguments), list(keywords)))


# -- public names --------------------------------------------------------------------------------


@cache
def public():
    """The public callables: all names of each, by the first of them."""
    found = {}
    for prefix, module in namespaces().items():
        for name, value in vars(module).items():
            if callable(value) and not name.startswith("_") and not _is_foreign(value):
                found.setdefault(id(value), (value, []))[1].append(f"{prefix}.{name}")
    return {names[0]: (value, names) for value, names in found.values()}


def _is_foreign(value):
    """Whether this is NumPy's, or an exception."""
    if inspect.isclass(value) and issubclass(value, BaseException):
        return True
    return not (getattr(value, "__module__", None) or "").startswith("cinta")


def methods(cls):
    """The names of a class's methods that people call with arguments."""
    found = []
    for name in dir(cls):
        value = getattr(cls, name, None)
        hidden = name.startswith("_") and not (name.startswith("__") and name.endswith("__"))
        if hidden or name in NEVER_CALLED or name.startswith("__tf") or not callable(value):
            continue
        if not inspect.isclass(value) and not _is_foreign(value):
            found.append(name)
    return found


# -- docstrings ----------------------------------------------------------------------------------


def subjects(name):
    """The calls for a public name: one for a function, one for each method of a class."""
    value, names = public()[name]
    if not inspect.isclass(value):
        return list(filter(None, [shown_function(name, value, names)]))
    return shown_class(name, value, names)


def shown_function(name, function, names):
    """The call of a function that its docstring shows, or a guess."""
    for before, node in calls_in(function.__doc__):
        starred = any(isinstance(each, ast.Starred) for each in node.args)
        if ast.unparse(node.func) in names and not starred:
            return Subject(name, before, node, function)
    return _guess(name, function, "", name)


def shown_class(name, cls, names):
    """The calls of a class and of its methods that its docstrings show, or guesses."""
    found = {}
    origin = ("", MADE_ELSEWHERE[name]) if name in MADE_ELSEWHERE else None
    documents = [cls.__doc__, cls.__init__.__doc__]
    documents += [getattr(getattr(cls, m), "__doc__", None) for m in methods(cls)]
    for document in documents:
        bare = rf"(?<![\w.]){cls.__name__}\("  # as modules write it for themselves
        for before, node in calls_in(re.sub(bare, f"{name}(", document or "")):
            function = ast.unparse(node.func)
            if function in names:
                found.setdefault(name, Subject(name, before, node, cls))
                origin = origin or (before, ast.unparse(node))
            elif isinstance(node.func, ast.Attribute):
                source = ast.unparse(node.func.value)
                owner = _value(before, source)
                if owner is cls or isinstance(owner, cls):
                    key = f"{name}.{node.func.attr}"
                    if node.func.attr in methods(cls):
                        callee = getattr(owner, node.func.attr)
                        found.setdefault(key, Subject(key, before, node, callee))
                if isinstance(owner, cls):
                    origin = origin or (before, source)
    if name not in found:
        found[name] = _guess(name, cls, "", name)
    for method in methods(cls):
        key = f"{name}.{method}"
        if key not in found and origin is not None:
            before, source = origin
            bound = getattr(_value(before, source), method, None)
            found[key] = _guess(key, bound, before, f"({source}).{method}")
    return [each for each in found.values() if each is not None]


def _guess(name, callee, before, source):
    """A call of what no docstring calls; None if it takes no arguments."""
    try:
        parameters = list(inspect.signature(callee).parameters.values())
    except (TypeError, ValueError):
        return None
    if not parameters:
        return None
    wanted = [p for p in parameters if p.default is p.empty and p.kind in POSITIONAL]
    call = ast.parse(f"{source}({', '.join([GUESS] * len(wanted))})", mode="eval").body
    return Subject(name, before, call, callee)


def calls_in(document):
    """The calls in a docstring's examples, each with the code that comes before it."""
    before = ""
    for shown in doctest.DocTestParser().get_examples(inspect.cleandoc(document or "")):
        tree = ast.parse(shown.source)
        inner = set().union(*map(_bound, ast.walk(tree)))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and not inner.intersection(_read(node)):
                yield before, node
        before += shown.source


def _bound(node):
    """The names that a loop, a ``with`` or a function has for what is inside it."""
    if isinstance(node, ast.arg):
        return {node.arg}
    target = getattr(node, "optional_vars", None)
    if isinstance(node, (ast.For, ast.comprehension)):
        target = node.target
    return set() if target is None else _read(target)


def _read(node):
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _value(before, source):
    """The value of an expression in a docstring's example; None if it has none yet."""
    names = {"tf": tf, "np": np}
    with suppress(Exception), redirect_stdout(io.StringIO()):
        exec(before, names)
        return eval(source, names)
    return None


def chosen(key, share):
    """Whether this is in one of so many equal parts of all that there is."""
    return zlib.crc32(key.encode()) % share == 0
