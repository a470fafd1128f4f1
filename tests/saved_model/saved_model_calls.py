"""Calls of functions of saved models as JSON, made in TensorFlow and repeated here."""

import base64

import numpy as np


def path_in(model, path):
    """The object that a path of names leads to: `parts.0`, `signatures.f`, `__call__`."""
    for name in path.split("."):
        if name.isdecimal():
            model = model[int(name)]
        elif isinstance(model, dict) or hasattr(model, "keys"):
            model = model[name]
        else:
            model = getattr(model, name)
    return model


def encoded(value):
    """Arguments or results as JSON."""
    if isinstance(value, dict):
        return {"dict": {key: encoded(each) for key, each in value.items()}}
    if isinstance(value, (list, tuple)):
        return {type(value).__name__: [encoded(each) for each in value]}
    if hasattr(value, "row_splits"):
        return {"ragged": [encoded(value.values), encoded(value.row_splits)]}
    if hasattr(value, "dense_shape") and hasattr(value, "indices"):
        return {"sparse": [encoded(x) for x in (value.indices, value.values, value.dense_shape)]}
    if value is None or isinstance(value, (bool, int, float)):
        return value
    array = np.asarray(value.numpy() if hasattr(value, "numpy") else value)
    if array.dtype.kind in "OS":
        array = array.astype(object)
        content = [bytes(each).decode("latin-1") for each in array.reshape(-1)]
    else:
        content = base64.b64encode(array.tobytes()).decode()
    return {"array": [array.dtype.name, list(array.shape), content]}


def decoded(tf, value):
    """The arguments again, as values of this package."""
    if not isinstance(value, dict):
        return value
    ((kind, content),) = value.items()
    if kind == "dict":
        return {key: decoded(tf, each) for key, each in content.items()}
    if kind in ("list", "tuple"):
        return {"list": list, "tuple": tuple}[kind]([decoded(tf, each) for each in content])
    if kind == "ragged":
        return tf.RaggedTensor.from_row_splits(*[decoded(tf, each) for each in content])
    if kind == "sparse":
        return tf.SparseTensor(*[decoded(tf, each) for each in content])
    name, shape, content = content
    if name == "object":
        return tf.constant([each.encode("latin-1") for each in content], shape=shape)
    raw = base64.b64decode(content)
    return tf.constant(np.frombuffer(raw, tf.as_dtype(name).as_numpy_dtype).reshape(shape))


def described(tf, function, arguments, variables):
    """The result of a call, and its gradients by floats among arguments and by variables."""
    given = decoded(tf, encoded(arguments))
    leaves = [x for x in tf.nest.flatten(given, True) if hasattr(x, "dtype")]
    sources = [x for x in leaves if x.dtype.is_floating]
    with tf.GradientTape() as tape:
        tape.watch(sources)
        result = function(**given) if isinstance(given, dict) else function(*given)
        flat = [x for x in tf.nest.flatten(result, True) if hasattr(x, "dtype")]
        total = [weighted(tf, x) for x in flat if x.dtype.is_floating]
    gradients = tape.gradient(total, [*sources, *variables]) if total else []
    return {
        "result": encoded(tf.nest.flatten(result)),
        "gradients": [None if g is None else encoded(tf.convert_to_tensor(g)) for g in gradients],
    }


def weighted(tf, x):
    """One number that depends on each element in another way."""
    weights = tf.reshape(tf.linspace(1.0, 2.0, tf.size(x)), tf.shape(x))
    return tf.cast(tf.reduce_sum(x * tf.cast(weights, x.dtype)), "float32")
