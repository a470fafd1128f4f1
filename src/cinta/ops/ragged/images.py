"""Images of several sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..arrays.joining import stack
from ..image.resizing import resize as dense
from .tensor import RaggedTensor

if TYPE_CHECKING:
    from .annotations import RaggedOrDense


def resize(
    images: RaggedTensor, size: RaggedOrDense, *args: object, **kwargs: object
) -> RaggedOrDense:
    """Every image in one size."""
    if len(images.shape) != 4:
        raise ValueError(
            f"tf.image.resize: images.shape.rank must be 4 if images is ragged, got {images.shape}."
        )
    resized: list[RaggedOrDense] = []
    for image in images:
        whole = image.to_tensor() if isinstance(image, RaggedTensor) else image
        resized.append(dense(whole, size, *args, **kwargs))  # type: ignore[arg-type]
    if resized:
        return stack(resized)
    nothing = images.to_tensor(shape=[0, 1, 1, images.shape[3]])
    return dense(nothing, size, *args, **kwargs)  # type: ignore[arg-type]
