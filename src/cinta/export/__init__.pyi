# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from ..export.exporting import to_onnx as to_onnx
from ..export.exporting import to_stablehlo as to_stablehlo
