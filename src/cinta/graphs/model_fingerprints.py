"""Fingerprints of saved models: by them models are told apart without being loaded."""

from __future__ import annotations

import json
import os
from hashlib import sha256
from typing import TYPE_CHECKING

from ..files.atomic import path_of
from ..protobuf.saved_model_messages import FingerprintDef
from ..public import public
from ..saved_model.load_model import open_model
from ..saved_model.saving import FILE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..saved_model.saving import PathLike

_FINGERPRINT_FILE = "fingerprint.pb"
_HASHES = (
    "saved_model_checksum",
    "graph_def_program_hash",
    "signature_def_hash",
    "saved_object_graph_hash",
    "checkpoint_hash",
)


@public("saved_model.experimental.Fingerprint")
class Fingerprint:
    """Numbers of a saved model: of the whole file, and of each of its parts.

    >>> import cinta as tf
    >>> fingerprint = tf.saved_model.experimental.Fingerprint(
    ...     graph_def_program_hash=1, signature_def_hash=2, saved_object_graph_hash=3,
    ...     checkpoint_hash=4)
    >>> fingerprint.singleprint()
    '1/2/3/4'

    Args:
        saved_model_checksum: The number of the file.
        graph_def_program_hash: That of the functions.
        signature_def_hash: That of the signatures.
        saved_object_graph_hash: That of the objects.
        checkpoint_hash: That of the values of variables.
        version: The version of the way to compute these.
    """

    def __init__(
        self,
        saved_model_checksum: int | None = None,
        graph_def_program_hash: int | None = None,
        signature_def_hash: int | None = None,
        saved_object_graph_hash: int | None = None,
        checkpoint_hash: int | None = None,
        version: int | None = None,
    ) -> None:
        self.saved_model_checksum = saved_model_checksum
        self.graph_def_program_hash = graph_def_program_hash
        self.signature_def_hash = signature_def_hash
        self.saved_object_graph_hash = saved_object_graph_hash
        self.checkpoint_hash = checkpoint_hash
        self.version = version

    @classmethod
    def from_proto(cls, proto: FingerprintDef) -> Fingerprint:
        """The fingerprint that a message holds, as files of TensorFlow have it.

        >>> import cinta as tf
        >>> from cinta.protobuf.saved_model_messages import FingerprintDef
        >>> message = FingerprintDef(checkpoint_hash=4)
        >>> tf.saved_model.experimental.Fingerprint.from_proto(message).checkpoint_hash
        4

        Args:
            proto: The message.

        Raises:
            ValueError: If it is another kind of message.
        """
        if getattr(proto, "full_name", "") != FingerprintDef.full_name:
            raise ValueError(
                "Given proto could not be deserialized as fingerprint: expected a "
                f"{FingerprintDef.full_name}, got {type(proto)}."
            )
        hashes = {name: getattr(proto, name) for name in _HASHES}
        return cls(**hashes, version=proto.version.producer)

    def singleprint(self) -> str:
        """The numbers of the parts in one text.

        >>> import cinta as tf
        >>> tf.saved_model.experimental.Fingerprint(0, 1, 2, 3, 4).singleprint()
        '1/2/3/4'

        Raises:
            ValueError: If one of them is not known.
        """
        parts = [getattr(self, name) for name in _HASHES[1:]]
        if None in parts:
            raise ValueError(
                "Encounted invalid fingerprint values: a singleprint needs all numbers of parts, "
                f"got {self}."
            )
        return "/".join(map(str, parts))

    def __eq__(self, other: object) -> bool:
        return all(getattr(self, name) == getattr(other, name, self) for name in _HASHES)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        numbers = ", ".join([f"{name}={getattr(self, name)}" for name in _HASHES])
        return f"Fingerprint({numbers})"


@public("saved_model.experimental.read_fingerprint")
def read_fingerprint(export_dir: PathLike) -> Fingerprint:
    """The fingerprint of the saved model in this directory.

    TensorFlow's models have a file with it; that of cinta's models is computed from what is saved.

    >>> import tempfile
    >>> import cinta as tf
    >>> module, folder = tf.Module(), tempfile.mkdtemp()
    >>> module.v = tf.Variable(1.0)
    >>> tf.saved_model.save(module, folder)
    >>> first = tf.saved_model.experimental.read_fingerprint(folder)
    >>> tf.saved_model.save(module, folder)
    >>> tf.saved_model.experimental.read_fingerprint(folder) == first
    True

    Args:
        export_dir: The directory.

    Raises:
        FileNotFoundError: If there is no fingerprint.
    """
    directory = path_of(export_dir, "export_dir")
    theirs, ours = [os.path.join(directory, file) for file in (_FINGERPRINT_FILE, FILE)]
    if os.path.isfile(ours):
        return _computed(directory)
    if not os.path.isfile(theirs):
        raise FileNotFoundError(
            f"SavedModel Fingerprint Error: {directory} has neither a {_FINGERPRINT_FILE} nor a "
            f"{FILE}."
        )
    with open(theirs, "rb") as file:
        return Fingerprint.from_proto(FingerprintDef.FromString(file.read()))


def _computed(directory: str) -> Fingerprint:
    """The fingerprint of a model of cinta, from its file."""
    model = open_model(directory)
    nodes, signatures = model.document["nodes"], model.document["signatures"]
    functions = [node for node in nodes if node["kind"] == "function"]
    objects = [node for node in nodes if node["kind"] != "function"]
    texts = [json.dumps(part, sort_keys=True).encode() for part in (functions, signatures, objects)]
    arrays = [(name, model.read(name)) for name in sorted(model.names())]
    values = _hash(part for name, array in arrays for part in (name.encode(), array.tobytes()))
    hashes = *[_hash([text]) for text in texts], values
    return Fingerprint(_hash(str(each).encode() for each in hashes), *hashes)


def _hash(parts: Iterable[bytes]) -> int:
    digest = sha256()
    for part in parts:
        digest.update(part)
    return int.from_bytes(digest.digest()[:8], "little")
