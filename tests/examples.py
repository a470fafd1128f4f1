"""The calls that docstrings show, of all public functions, for tests that vary them."""

import ast
import doctest
import inspect

from tests.namespaces import namespaces, public


def shown_calls(left_out=frozenset()):
    """For each public function the function, the code before its call, and the call's syntax."""
    return {
        names[0]: (function, *found)
        for function, names in functions()
        if not left_out.intersection(names) and (found := example(function, names))
    }


def functions():
    """Each public function once, and all the names that it has."""
    found = {}
    for prefix, module in namespaces().items():
        for name, value in public(module).items():
            if inspect.isfunction(value):
                found.setdefault(id(value), (value, []))[1].append(f"{prefix}.{name}")
    return list(found.values())


def example(function, names):
    """The code before the first call of a function in its docstring, and the call."""
    before = []
    for shown in doctest.DocTestParser().get_examples(function.__doc__ or ""):
        for node in ast.walk(ast.parse(shown.source)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in names:
                if any(isinstance(each, ast.Starred) for each in node.args):
                    continue
                return "".join(before), node
        before.append(shown.source)
    return None
