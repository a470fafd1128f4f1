"""Export functions to formats that other programs run."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ..files.atomic import path_of, replacing, write
from ..public import public
from .described import exported

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping


@public("export.to_onnx")
def to_onnx(
    function: object, path: str | os.PathLike[str], *args: object, **kwargs: object
) -> None:
    """Write a function as an ONNX model; this needs ``pip install 'cinta[onnx]'``.

    >>> import tempfile
    >>> import cinta as tf
    >>> w = tf.Variable([[1.0], [2.0]])
    >>> path = tempfile.mkdtemp() + "/model.onnx"
    >>> tf.export.to_onnx(lambda x: tf.nn.relu(x @ w), path, tf.TensorSpec([None, 2]))
    >>> import onnxruntime
    >>> session = onnxruntime.InferenceSession(path)
    >>> session.run(None, {"x": tf.constant([[3.0, 4.0]]).numpy()})
    [array([[11.]], dtype=float32)]

    Variables become constants of the model. Unknown dimensions stay unknown.

    Args:
        function: A function or model; if it has an ``input_signature``, no arguments are needed.
        path: The file to write.
        args: Specs of the arguments, or tensors like them; other values are constants.
        kwargs: The same by name.

    Raises:
        ModuleNotFoundError: If ``onnx`` is not installed.
    """
    write_onnx(path, function, args, kwargs)


def write_onnx(
    path: str | os.PathLike[str],
    function: object,
    args: tuple[object, ...] = (),
    kwargs: Mapping[str, object] = MappingProxyType({}),
    opset: int | None = None,
) -> None:
    """The same, with a choice of the version of ONNX's operators."""
    try:
        from .onnx.model import model_of
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"to_onnx needs {error.name}: pip install 'cinta[onnx]'"
        ) from None
    data = model_of(exported(function, args, dict(kwargs)), opset).SerializeToString()
    _write(path, data)


@public("export.to_stablehlo")
def to_stablehlo(
    function: Callable[..., Any], path: str | os.PathLike[str], *args: object, **kwargs: object
) -> None:
    """Write a function as StableHLO, in the form of ``jax.export``; this needs JAX.

    >>> import tempfile
    >>> import cinta as tf
    >>> path = tempfile.mkdtemp() + "/model.stablehlo"
    >>> tf.export.to_stablehlo(lambda x: tf.sin(x) * 2.0, path, tf.TensorSpec([2]))
    >>> import jax
    >>> with open(path, "rb") as file:
    ...     loaded = jax.export.deserialize(bytearray(file.read()))
    >>> loaded.call(tf.constant([0.0, 1.0]).numpy())["output_0"]
    Array([0.       , 1.6829419], dtype=float32)

    Variables become constants of the program. All dimensions must be known.

    Args:
        function: A function or model; if it has an ``input_signature``, no arguments are needed.
        path: The file to write.
        args: Specs of the arguments, or tensors like them; other values are constants.
        kwargs: The same by name.

    Raises:
        ModuleNotFoundError: If JAX is not installed.
    """
    try:
        from .stablehlo import serialized
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"to_stablehlo needs {error.name}: pip install 'cinta[xla]'"
        ) from None
    data = serialized(exported(function, args, kwargs))
    _write(path, data)


def _write(path: object, data: bytes) -> None:
    with replacing(path_of(path, "path")) as file:
        write(file, memoryview(data))
