"""Write what TensorFlow says of its raw ops into cinta/raw_ops/signatures.json.

python tools/raw_op_signatures.py            (needs tensorflow 2.21)

One line for each op of ``tf.raw_ops``: the arguments in their order, the inputs with their dtypes,
the attributes with their kinds, defaults and bounds, the results. Ops that cinta does not have are
there by their names only.
"""

import inspect
import json
import pathlib
import re
import sys

import tensorflow as tf
from tensorflow.python.framework import op_def_registry

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))
from cinta import raw_ops  # noqa: E402 - the path comes first

TARGET = ROOT / "src" / "cinta" / "raw_ops" / "signatures.json"


def dtype_name(number):
    """The name of a dtype, with an ampersand in front if it is a reference to a variable."""
    dtype = tf.as_dtype(number)
    return ("&" if dtype._is_ref_dtype else "") + dtype.base_dtype.name


def kind_of(argument):
    """The dtype of an input or result: `int32`, `T`, `N*T` or `T...`."""
    if argument.type_list_attr:
        return f"{argument.type_list_attr}..."
    kind = argument.type_attr or dtype_name(argument.type)
    kind = f"&{kind}" if argument.is_ref else kind
    return f"{argument.number_attr}*{kind}" if argument.number_attr else kind


def python_names(function):
    """Python's names of the op's inputs, in their order, and of its attributes, by their names."""
    module, name = sys.modules[function.__module__], function.__name__
    source = inspect.getsource(getattr(module, f"{name}_eager_fallback"))
    inputs = re.search(r"_inputs_flat = (.*)", source).group(1)
    attributes = re.search(r"_attrs = (.*?)\n  _result", source, re.S).group(1)
    inputs = [each for each in re.findall(r"[A-Za-z_]\w*", inputs) if each != "list"]
    return inputs, dict(re.findall(r'"(\w+)",\s*(\w+)', attributes))


def allowed(attribute):
    """The values that an attribute may have, or None for any."""
    if not attribute.HasField("allowed_values"):
        return None
    values = attribute.allowed_values.list
    if attribute.type in ("type", "list(type)"):
        names = [dtype_name(number) for number in values.type]
        return [name for name in names if "q" not in name]  # quantized ones are not in cinta
    return [value.decode() for value in values.s]


def plain(value):
    """A default value as JSON has it."""
    if isinstance(value, tf.DType):
        return value.name
    return list(value) if isinstance(value, (list, tuple)) else value


def described(name):
    """All that a caller of the op must know."""
    function = inspect.unwrap(getattr(tf.raw_ops, name))
    definition = op_def_registry.get(name)
    inputs, called = python_names(function)
    by_name = {each.name: each for each in definition.attr}
    parameters = {p.name: p.default for p in inspect.signature(function).parameters.values()}
    del parameters["name"]
    given = {}
    for attribute, python_name in called.items():
        if python_name not in parameters:
            continue
        about, default = by_name[attribute], parameters[python_name]
        given[python_name] = {
            "kind": about.type,
            **({} if default is inspect.Parameter.empty else {"default": plain(default)}),
            **({"allowed": allowed(about)} if allowed(about) else {}),
            **({"minimum": about.minimum} if about.has_minimum else {}),
        }
    types = {
        about.name: {
            **({"allowed": allowed(about)} if allowed(about) else {}),
            **(
                {"default": dtype_name(about.default_value.type)}
                if about.default_value.type
                else {}
            ),
        }
        for about in definition.attr
        if about.type == "type" and called.get(about.name) not in parameters
    }
    least = {
        about.name: about.minimum
        for about in definition.attr
        if about.minimum > 0 and called.get(about.name) not in parameters
    }
    inputs = dict(zip(inputs, map(kind_of, definition.input_arg), strict=True))
    order = list(parameters)
    attributes = {name: given[name] for name in order if name in given}
    return {
        **({"order": order} if order != [*inputs, *attributes] else {}),
        "inputs": inputs,
        "attributes": attributes,
        "types": types,
        **({"least": least} if least else {}),
        "results": {each.name: kind_of(each) for each in definition.output_arg},
    }


if __name__ == "__main__":
    have = set(raw_ops.names())
    names = [name for name in dir(tf.raw_ops) if not name.startswith("_")]
    lines = [
        f"{json.dumps(name)}: {json.dumps(described(name) if name in have else None)}"
        for name in names
    ]
    TARGET.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"wrote {TARGET.stat().st_size} bytes: {len(have)} of {len(names)} ops")
    print("not TensorFlow's:", *sorted(have - set(names)))
