"""Files that go into saved models with the objects that use them."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Final

from ..engine.convert import convert_to_tensor
from ..engine.variable import Variable
from ..files.atomic import path_of
from ..files.system_errors import translated
from ..public import public

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..engine.annotations import DTypeLike
    from ..engine.tensor import Tensor

FOLDER: Final = "assets"
"""The folder below a saved model in which the files are."""


@public("saved_model.Asset")
class Asset:
    """A file that a model needs, such as a vocabulary: saving the model copies the file too.

    Functions of a loaded model read the copy, wherever the directory of the model is then.

    >>> import os, tempfile
    >>> import cinta as tf
    >>> folder, module = tempfile.mkdtemp(), tf.Module()
    >>> path = os.path.join(folder, "words.txt")
    >>> tf.io.write_file(path, "one two")
    >>> module.words = tf.saved_model.Asset(path)
    >>> module.words.asset_path.dtype
    tf.string
    >>> module.read = tf.function(lambda: tf.io.read_file(module.words), input_signature=[])
    >>> tf.saved_model.save(module, os.path.join(folder, "model"))
    >>> os.remove(path)
    >>> tf.saved_model.load(os.path.join(folder, "model")).read().numpy()
    b'one two'

    Args:
        path: The path of the file, as a string, a ``pathlib.Path`` or a tensor.
    """

    def __init__(self, path: str | os.PathLike[str] | Tensor) -> None:
        given = os.fspath(path) if isinstance(path, os.PathLike) else path
        # A variable, so that recordings look it up at each call: loaded models have other paths.
        self._path = Variable(convert_to_tensor(given, "string"), False, name="asset_path")

    @property
    def asset_path(self) -> Tensor:
        """The path as a tensor of the dtype string."""
        return self._path.read_value()

    def __tf_tensor__(self, dtype: DTypeLike | None = None, name: str | None = None) -> Tensor:
        return self._path.__tf_tensor__(dtype, name)

    def __fspath__(self) -> str:
        return path_of(self._path.numpy().decode(), "path")

    def __repr__(self) -> str:
        return f"<tf.saved_model.Asset {os.fspath(self)!r}>"

    def _checkpoint_children(self) -> Mapping[str, object]:
        """None: a path is not the state of a model."""
        return {}


class AssetFiles:
    """The files of the assets of one model, each once, under names of their own."""

    def __init__(self, directory: str) -> None:
        self._directory = os.path.join(directory, FOLDER)
        self._names: dict[str, str] = {}

    def add(self, asset: Asset) -> str:
        """Copy the file of an asset; returns its name in the folder."""
        path = os.path.abspath(os.fspath(asset))
        if path not in self._names:
            name = self._names[path] = self._free_name(os.path.basename(path))
            os.makedirs(self._directory, exist_ok=True)
            target = os.path.join(self._directory, name)
            with translated(path):
                if not (os.path.exists(target) and os.path.samefile(path, target)):
                    shutil.copyfile(path, target)
        return self._names[path]

    def _free_name(self, name: str) -> str:
        taken, number, free = {*self._names.values()}, 0, name
        while free in taken:
            number += 1
            free = f"{name}_{number}"
        return free


def inside(directory: str | os.PathLike[str], name: str) -> Asset:
    """The asset of this name in the directory of a loaded model."""
    if os.path.isabs(name) or ".." in name.replace("\\", "/").split("/"):
        raise ValueError(f"the asset {name!r} is not in the directory of the model")
    return Asset(os.path.join(directory, FOLDER, name))
