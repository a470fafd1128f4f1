"""Datasets of what stands in files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import UnimplementedError
from ..files.system_errors import translated
from ..ops.strings.converting import text_of
from ..programs.specs import TensorSpec
from ..public import public
from .dataset import Dataset
from .nesting import FlatMap
from .source_stages import Generated, slices_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..engine.annotations import IntLike
    from ..engine.tensor import Tensor
    from ..io.files import FilePath


def lines_of(path: Tensor) -> Iterator[bytes]:
    """The lines of a file, without what ends them."""
    name = path.numpy().decode()
    with translated(name, "TextLineDataset"), open(name, "rb") as file:
        for line in file:
            yield line.rstrip(b"\n").removesuffix(b"\r")


@public("data.TextLineDataset")
class TextLineDataset(Dataset):
    """The lines of text files, one file after the other.

    >>> import cinta as tf, tempfile
    >>> path = tempfile.mkdtemp() + "/poem"
    >>> tf.io.write_file(path, "one\\ntwo")
    >>> list(tf.data.TextLineDataset(path).as_numpy_iterator())
    [b'one', b'two']
    """

    def __init__(
        self,
        filenames: FilePath | Dataset,
        compression_type: str | None = None,
        buffer_size: IntLike | None = None,
        num_parallel_reads: IntLike | None = None,
        name: str | None = None,
    ) -> None:
        if compression_type:
            raise UnimplementedError(
                f"TextLineDataset reads plain files; compression_type={compression_type!r} is not "
                "supported."
            )
        paths = slices_of(text_of(filenames).reshape(-1))
        super().__init__(FlatMap(paths, _lines))


def _lines(path: Tensor) -> Dataset:
    return Dataset(Generated(lines_of, (path._array,), TensorSpec([], np.dtype(object))))
