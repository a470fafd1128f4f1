"""The names by which libraries know TensorFlow's classes: ``type(x).__module__`` and its like."""

from __future__ import annotations

from importlib import import_module

_NAMES = """
    Tensor                   python.framework.ops.EagerTensor
    Variable                 python.ops.resource_variable_ops.ResourceVariable
    IndexedSlices            python.framework.indexed_slices.IndexedSlices
    SparseTensor             python.framework.sparse_tensor.SparseTensor
    TensorShape              python.framework.tensor_shape.TensorShape
    DType                    python.framework.dtypes.DType
    TensorSpec               python.framework.tensor.TensorSpec
    Module                   python.module.module.Module
    GradientTape             python.eager.backprop.GradientTape
    data.Dataset             python.data.ops.dataset_ops.DatasetV2
"""
"""The public names of classes, and where TensorFlow's classes stand."""


def take_names() -> None:
    """Give cinta's classes the names of TensorFlow's, and put them where those are found."""
    for line in _NAMES.strip().splitlines():
        public, full = line.split()
        home, _, name = f"tensorflow.{full}".rpartition(".")
        namespace, _, attribute = f"cinta.{public}".rpartition(".")
        kind = getattr(import_module(namespace), attribute)
        setattr(import_module(home), name, kind)
        kind.__module__, kind.__name__, kind.__qualname__ = home, name, name
