"""The names of tf.export."""

from ..listing import only_public as _only_public
from .exporting import to_onnx as to_onnx
from .exporting import to_stablehlo as to_stablehlo

__dir__ = _only_public(globals())
