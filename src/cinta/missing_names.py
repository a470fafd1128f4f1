"""Names that a namespace lacks: those of TensorFlow 1, NumPy and PyTorch, and misspelled ones.

This is loaded when a name is missing, and not before.
"""

from __future__ import annotations

import sys
from importlib import import_module

from .public_names import NAMES, NAMESPACES

_PACKAGE = __name__.partition(".")[0]

_SESSION = "Ops run when they are called, without a session; y.numpy() gives NumPy's value of y."
_GRAPH = "Ops run when they are called; there is no graph to build. Decorate with @tf.function."
_ARGUMENT = "Write a function of tensors, def f(x), and call it on values."
_VARIABLES = "Variables have their values as soon as they are made; leave this line out."
_SCOPE = "Make variables with tf.Variable, in a tf.Module or a layer of Keras that keeps them."
_FLAGS = "Read the command line with argparse."
_NO_TPU = "cinta does not compute on TPUs."
_KERAS_LAYER = "Layers are in Keras: tf.keras.layers."
_PROFILER = "Profile in the program itself, with tf.profiler.experimental.start."
_MODEL = "Models are in Keras: tf.keras.Model."

_ADVICE: dict[str, str] = {
    "InteractiveSession": _SESSION,
    "Session": _SESSION,
    "all_variables": "A module and a model keep their variables: model.trainable_variables.",
    "app": _FLAGS,
    "contrib": "TensorFlow 2 has no contrib either; most of it is in tf.keras, tf.nn and tf.image.",
    "cuda": "tf.config.list_physical_devices() tells the devices.",
    "device_count": "tf.config.list_physical_devices() tells the devices.",
    "disable_eager_execution": "Ops run when they are called; nothing else is offered.",
    "empty": "Use tf.zeros.",
    "enable_eager_execution": "Ops run when they are called; leave this line out.",
    "estimator": _MODEL,
    "feature_column": "Preprocess with tf.keras.layers, such as Normalization or StringLookup.",
    "flags": _FLAGS,
    "get_default_graph": _GRAPH,
    "get_variable": _SCOPE,
    "global_variables": "A module and a model keep their variables: model.variables.",
    "global_variables_initializer": _VARIABLES,
    "inf": 'Write float("inf").',
    "initialize_all_variables": _VARIABLES,
    "layers": _KERAS_LAYER,
    "lite": "tf.export writes a function for other programs, as ONNX or StableHLO.",
    "load": "Use tf.train.Checkpoint or tf.saved_model.load.",
    "local_variables_initializer": _VARIABLES,
    "manual_seed": "Use tf.random.set_seed.",
    "nan": 'Write float("nan").',
    "no_grad": "Outside of a tape nothing is recorded; inside: `with tape.stop_recording():`.",
    "optim": "Optimizers are in Keras: tf.keras.optimizers.",
    "pi": "Write math.pi, of Python's module math.",
    "placeholder": _ARGUMENT,
    "placeholder_with_default": _ARGUMENT,
    "reset_default_graph": _GRAPH,
    "save": "Use tf.train.Checkpoint or tf.saved_model.save.",
    "set_grad_enabled": "Nothing is recorded outside of a tape.",
    "sparse_placeholder": _ARGUMENT,
    "tables_initializer": "Tables are filled when they are made; leave this line out.",
    **dict.fromkeys(("tpu.XLAOptions", "tpu.experimental.embedding"), _NO_TPU),
    "trainable_variables": "A module and a model keep them: model.trainable_variables.",
    "variable_scope": _SCOPE,
    "nn.Module": "Use tf.Module or tf.keras.Model.",
    "nn.Parameter": "Use tf.Variable.",
    "nn.dynamic_rnn": "Use tf.keras.layers.RNN.",
    "nn.rnn_cell": "Use tf.keras.layers.LSTMCell or GRUCell.",
    "nn.static_rnn": "Use tf.keras.layers.RNN.",
    "nn.functional": "Its functions are in tf.nn itself.",
    "profiler.experimental.client": _PROFILER,
    "profiler.experimental.server": _PROFILER,
    "random.get_state": "Make a tf.random.Generator, whose state can be read and set.",
    "train.MonitoredTrainingSession": _SESSION,
    "train.get_global_step": "Count steps in a tf.Variable, or read optimizer.iterations.",
    "train.get_or_create_global_step": "Count steps in a tf.Variable.",
}
"""Advice for missing names that have no counterpart, by names without ``tf.``."""

_RENAMED: dict[str, str] = {
    "all": "tf.reduce_all",
    "amax": "tf.reduce_max",
    "amin": "tf.reduce_min",
    "any": "tf.reduce_any",
    "arange": "tf.range",
    "arccos": "tf.acos",
    "arcsin": "tf.asin",
    "arctan": "tf.atan",
    "arctan2": "tf.atan2",
    "array": "tf.constant",
    "as_tensor": "tf.convert_to_tensor",
    "average": "tf.reduce_mean",
    "avg": "tf.reduce_mean",
    "asarray": "tf.convert_to_tensor",
    "assign": "Variable.assign, as in v.assign(value)",
    "assign_add": "Variable.assign_add, as in v.assign_add(value)",
    "assign_sub": "Variable.assign_sub, as in v.assign_sub(value)",
    "astype": "tf.cast",
    "bmm": "tf.matmul",
    "cat": "tf.concat",
    "clamp": "tf.clip_by_value",
    "clip": "tf.clip_by_value",
    "concatenate": "tf.concat",
    "copy": "tf.identity",
    "clone": "tf.identity",
    "detach": "tf.stop_gradient",
    "diag": "tf.linalg.diag",
    "div": "tf.divide",
    "dot": "tf.tensordot(a, b, axes=1), tf.linalg.matvec, or a @ b for matrices",
    "flatten": "tf.reshape(x, [-1])",
    "flip": "tf.reverse",
    "float": "tf.float32",
    "from_numpy": "tf.constant",
    "full": "tf.fill",
    "full_like": "tf.fill(tf.shape(x), value)",
    "hstack": "tf.concat(arrays, axis=1)",
    "index_select": "tf.gather",
    "inner": "tf.tensordot(a, b, axes=1)",
    "int": "tf.int32",
    "inverse": "tf.linalg.inv",
    "isfinite": "tf.math.is_finite",
    "isinf": "tf.math.is_inf",
    "isnan": "tf.math.is_nan",
    "lin_space": "tf.linspace",
    "ln": "tf.math.log",
    "log10": "tf.math.log(x) / tf.math.log(10.0)",
    "log2": "tf.math.log(x) / tf.math.log(2.0)",
    "logsumexp": "tf.reduce_logsumexp",
    "long": "tf.int64",
    "masked_select": "tf.boolean_mask",
    "matrix_inverse": "tf.linalg.inv",
    "matrix_band_part": "tf.linalg.band_part",
    "matrix_determinant": "tf.linalg.det",
    "matrix_diag": "tf.linalg.diag",
    "matrix_diag_part": "tf.linalg.diag_part",
    "matrix_set_diag": "tf.linalg.set_diag",
    "matrix_solve": "tf.linalg.solve",
    "matrix_triangular_solve": "tf.linalg.triangular_solve",
    "max": "tf.reduce_max",
    "mean": "tf.reduce_mean",
    "min": "tf.reduce_min",
    "mm": "tf.matmul",
    "mul": "tf.multiply",
    "multinomial": "tf.random.categorical",
    "mv": "tf.linalg.matvec",
    "nan_to_num": "tf.where(tf.math.is_finite(x), x, 0.0)",
    "neg": "tf.negative",
    "nonzero": "tf.where",
    "outer": "tf.tensordot(a, b, axes=0)",
    "permute": "tf.transpose(x, perm)",
    "power": "tf.pow",
    "prod": "tf.reduce_prod",
    "Print": "tf.print",
    "py_func": "tf.py_function or tf.numpy_function",
    "rand": "tf.random.uniform",
    "randint": "tf.random.uniform(shape, minval, maxval, dtype=tf.int32)",
    "randn": "tf.random.normal",
    "random_crop": "tf.image.random_crop",
    "random_normal": "tf.random.normal",
    "random_shuffle": "tf.random.shuffle",
    "random_uniform": "tf.random.uniform",
    "ravel": "tf.reshape(x, [-1])",
    "reduce_avg": "tf.reduce_mean",
    "reduce_average": "tf.reduce_mean",
    "reduce_std": "tf.math.reduce_std",
    "set_random_seed": "tf.random.set_seed",
    "sparse_tensor_dense_matmul": "tf.sparse.sparse_dense_matmul",
    "sparse_tensor_to_dense": "tf.sparse.to_dense",
    "sparse_to_dense": "tf.sparse.to_dense",
    "std": "tf.math.reduce_std",
    "string_to_number": "tf.strings.to_number",
    "sub": "tf.subtract",
    "sum": "tf.reduce_sum",
    "tensor": "tf.constant",
    "to_double": "tf.cast(x, tf.float64)",
    "to_float": "tf.cast(x, tf.float32)",
    "to_int32": "tf.cast(x, tf.int32)",
    "to_int64": "tf.cast(x, tf.int64)",
    "truncated_normal": "tf.random.truncated_normal",
    "unsqueeze": "tf.expand_dims",
    "var": "tf.math.reduce_variance",
    "view": "tf.reshape",
    "vstack": "tf.concat(arrays, axis=0)",
    "image.resize_bicubic": 'tf.image.resize(images, size, "bicubic")',
    "image.resize_bilinear": "tf.image.resize",
    "image.resize_images": "tf.image.resize",
    "image.resize_nearest_neighbor": 'tf.image.resize(images, size, "nearest")',
    "image.resize_image_with_crop_or_pad": "tf.image.resize_with_crop_or_pad",
    "linalg.pinverse": "tf.linalg.pinv",
    "nn.BatchNorm2d": "tf.keras.layers.BatchNormalization",
    "nn.Conv2d": "tf.keras.layers.Conv2D",
    "nn.CrossEntropyLoss": "tf.nn.sparse_softmax_cross_entropy_with_logits",
    "nn.Dropout": "tf.keras.layers.Dropout",
    "nn.Embedding": "tf.keras.layers.Embedding",
    "nn.Flatten": "tf.keras.layers.Flatten",
    "nn.LSTM": "tf.keras.layers.LSTM",
    "nn.Linear": "tf.keras.layers.Dense",
    "nn.MSELoss": "tf.keras.losses.MeanSquaredError",
    "nn.ReLU": "tf.keras.layers.ReLU",
    "nn.Sequential": "tf.keras.Sequential",
    "nn.cross_entropy": "tf.nn.sparse_softmax_cross_entropy_with_logits",
    "nn.softmax_cross_entropy_with_logits_v2": "tf.nn.softmax_cross_entropy_with_logits",
    "random.choice": "tf.random.categorical, or tf.gather at tf.random.uniform indices",
    "random.permutation": "tf.random.shuffle",
    "random.seed": "tf.random.set_seed",
    "random.random": "tf.random.uniform",
    "train.AdagradOptimizer": "tf.keras.optimizers.Adagrad",
    "train.AdamOptimizer": "tf.keras.optimizers.Adam",
    "train.GradientDescentOptimizer": "tf.keras.optimizers.SGD",
    "train.MomentumOptimizer": "tf.keras.optimizers.SGD(momentum=0.9)",
    "train.RMSPropOptimizer": "tf.keras.optimizers.RMSprop",
    "train.Saver": "tf.train.Checkpoint",
    "train.exponential_decay": "tf.keras.optimizers.schedules.ExponentialDecay",
}
"""The counterparts of names of TensorFlow 1, NumPy and PyTorch, by names without ``tf.``.

Names without a dot are known in every namespace: people look for a mean in ``tf.math`` as well.
"""

_FIRST = ("nn", "math", "linalg", "random", "io", "image", "strings", "sparse", "signal")
"""Where a name is looked for before all other namespaces."""

_ALIKE = 0.78
"""From which ratio of ``difflib`` on a name is taken for another one, misspelled."""


def advice(namespace: str, name: str) -> str:
    """The advice for a missing name; empty if there is none."""
    inside = namespace.removeprefix("tf").removeprefix(".")
    for key in (f"{inside}.{name}", name):
        if key in _RENAMED:
            return f" Use {_RENAMED[key]}."
        if key in _ADVICE:
            return f" {_ADVICE[key]}"
    spaces = _namespaces(namespace)
    same = _same(spaces, name)
    if same is not None:
        return f" Use {same}."
    similar = _similar(spaces, name)
    return f" Did you mean {' or '.join(similar)}?" if similar else ""


_ARGUMENTS: dict[str, tuple[str, ...]] = {
    "dim": ("axis",),
    "dimension": ("axis",),
    "dims": ("axis", "shape"),
    "keep_dims": ("keepdims",),
    "keepdim": ("keepdims",),
    "max": ("clip_value_max", "maxval"),
    "min": ("clip_value_min", "minval"),
    "reduction_indices": ("axis",),
    "scale": ("stddev",),
    "size": ("shape",),
    "std": ("stddev",),
}
"""The counterparts of arguments of TensorFlow 1, NumPy and PyTorch."""


def argument(function: str, name: str) -> str | None:
    """The name of the argument that is meant by one that the function does not have.

    >>> from cinta.missing_names import argument
    >>> argument("reduce_sum", "keep_dims")
    'keepdims'
    """
    from difflib import get_close_matches

    for place in _namespaces("tf"):
        found = _found(place, function)
        code = getattr(getattr(found, "__wrapped__", found), "__code__", None)
        if code is not None:
            known = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
            meant = [each for each in _ARGUMENTS.get(name, ()) if each in known]
            meant += get_close_matches(name, known, n=1)
            return meant[0] if meant else None
    return None


def _found(place: str, name: str) -> object:
    """The value of this name in a namespace, or None."""
    if name not in _names(place):
        return None
    return getattr(import_module(_PACKAGE + place.removeprefix("tf")), name)


def _same(spaces: dict[str, list[str]], name: str) -> str | None:
    """A name that is the same but for capitals and underscores."""
    plain = _plain(name)
    for place, names in spaces.items():
        for each in names:
            if _plain(each) == plain:
                return f"{place}.{each}"
    return None


def _plain(name: str) -> str:
    return name.lower().replace("_", "")


def _similar(spaces: dict[str, list[str]], name: str) -> list[str]:
    """The closest names, in the first namespace or in another that has a closer one."""
    from difflib import get_close_matches  # takes longer to load than all the rest

    own = spaces[next(iter(spaces))]
    known = {each: f"{place}.{each}" for place in reversed(spaces) for each in spaces[place]}
    closest = get_close_matches(name, known, n=1, cutoff=_ALIKE)
    found = {*closest, *get_close_matches(name, own, n=2, cutoff=_ALIKE)}
    return [known[each] for each in get_close_matches(name, sorted(found), n=2, cutoff=_ALIKE)]


def _namespaces(first: str) -> dict[str, list[str]]:
    """The names of all namespaces, by what people write; those of this one to begin with."""
    found = {place: _names(place) for place in (first, "tf", *[f"tf.{each}" for each in _FIRST])}
    found |= {f"tf.{each}": _names(f"tf.{each}") for each in NAMES if each}
    return {place: names for place, names in found.items() if names}


def _names(place: str) -> list[str]:
    """The names of a namespace: those that are declared, or those of a module that is loaded."""
    inside = place.removeprefix("tf").removeprefix(".")
    declared = " ".join(NAMES.get(inside, {}).values()).split()
    if declared:
        return [each.partition("=")[0] for each in declared] + NAMESPACES.get(inside, "").split()
    module = sys.modules.get(f"{_PACKAGE}.{inside}")
    return [] if module is None else [each for each in dir(module) if each[0] != "_"]
