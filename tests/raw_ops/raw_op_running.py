"""Runs a call of a raw op, under TensorFlow or under cinta, and writes down what it gives."""

import numpy as np

from tests.raw_ops.raw_op_cases.making import Held

DIFFERENTIATED = {
    "BlockLSTM": slice(6, 7),
    "BlockLSTMV2": slice(6, 7),
    "FusedBatchNorm": slice(1),
    "FusedBatchNormV2": slice(1),
    "FusedBatchNormV3": slice(1),
    "SoftmaxCrossEntropyWithLogits": slice(1),
    "SparseSoftmaxCrossEntropyWithLogits": slice(1),
}
"""The results of which gradients are compared, where TensorFlow forgets those of the others."""


def outcome(tf, name, arguments):
    """The results with their names, what variables hold then, and the gradients of it all."""
    given, inputs, variables = {}, {}, {}
    for key, value in arguments.items():
        if isinstance(value, Held):
            variables[key] = tf.Variable(np.asarray(value))
            given[key] = variables[key].handle
        elif isinstance(value, np.ndarray):
            given[key] = inputs[key] = tf.constant(value)
        elif isinstance(value, list) and value and isinstance(value[0], np.ndarray):
            given[key] = [tf.constant(each) for each in value]
            inputs |= {f"{key}.{k}": each for k, each in enumerate(given[key])}
        else:
            given[key] = value
    sources = {k: x for k, x in inputs.items() if x.dtype.is_floating or x.dtype.is_complex}
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(list(sources.values()))
        result = getattr(tf.raw_ops, name.partition(" ")[0])(**given)
        targets = [y for _, y in flat(result) if y.dtype.is_floating or y.dtype.is_complex]
        chosen = DIFFERENTIATED.get(name.partition(" ")[0], slice(None))
        total = [weighted(tf, y) for y in targets[chosen]]
    return {
        "fields": list(getattr(result, "_fields", [])),
        "results": [written(y) for _, y in flat(result)],
        "held": [written(variable) for variable in variables.values()],
        "gradients": {k: gradient(tf, tape, total, x) for k, x in sources.items()} if total else {},
    }


def flat(result):
    """The tensors that a result is made of."""
    if result is None:
        return []
    if hasattr(result, "_fields"):
        return [pair for part in result for pair in flat(part)]
    return list(enumerate(result)) if isinstance(result, (list, tuple)) else [("", result)]


def weighted(tf, y):
    """One number that depends on each element in another way."""
    weights = tf.reshape(tf.cast(tf.linspace(1.0, 2.0, tf.size(y)), y.dtype), tf.shape(y))
    return tf.cast(tf.math.real(tf.reduce_sum(y * weights)), "float32")


def gradient(tf, tape, targets, x):
    """The gradient as it is written down, None, or the name of what was raised."""
    try:
        found = tape.gradient(targets, x)
    except (LookupError, tf.errors.OpError, NotImplementedError, ValueError, TypeError) as error:
        return type(error).__name__
    return None if found is None else written(tf.convert_to_tensor(found))


def written(tensor):
    """The dtype, the shape and the elements, as JSON has them."""
    array = np.asarray(tensor.numpy())
    elements = array.reshape(-1)
    if array.dtype == object or array.dtype.kind in "SU":
        plain = [bytes(each).decode("latin-1") for each in elements.tolist()]
    elif array.dtype.kind == "c":
        plain = [short(n) for each in elements for n in (each.real, each.imag)]
    elif tensor.dtype.is_floating:
        plain = [short(each) for each in elements.astype("float64")]
    else:
        plain = elements.tolist()
    return [tensor.dtype.name, list(array.shape), plain]


def short(number):
    """A float with nine digits."""
    return float(f"{number:.9g}")
