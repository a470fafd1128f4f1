"""Which part of a larger variable a variable is."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self


class SaveSliceInfo:
    """Says that a variable is a part of a larger one, and which part.

    >>> import cinta as tf
    >>> part = tf.Variable.SaveSliceInfo("table", [4, 3], [2, 0], [2, 3])
    >>> part.spec
    '4 3 2,2:0,3'
    >>> tf.Variable.SaveSliceInfo.from_spec(part.spec).var_offset
    [2, 0]

    Args:
        full_name: The name of the larger variable.
        full_shape: Its shape, a list of integers.
        var_offset: Where the part begins along each axis.
        var_shape: The shape of the part.
        save_slice_info_def: Refused, as is ``import_scope``: both belong to TensorFlow's graphs.

    Raises:
        ValueError: If a message of TensorFlow's graphs is given.
    """

    def __init__(
        self,
        full_name: str | None = None,
        full_shape: Sequence[int] | None = None,
        var_offset: Sequence[int] | None = None,
        var_shape: Sequence[int] | None = None,
        save_slice_info_def: object = None,
        import_scope: str | None = None,
    ) -> None:
        if save_slice_info_def is not None or import_scope is not None:
            raise ValueError(
                "`save_slice_info_def` and `import_scope` belong to TensorFlow's graphs: give "
                "`full_name`, `full_shape`, `var_offset` and `var_shape` instead."
            )
        self.full_name, self.full_shape = full_name, full_shape
        self.var_offset, self.var_shape = var_offset, var_shape

    @property
    def spec(self) -> str:
        """The part as text: the lengths of the larger variable, then begin and length by axis."""
        pairs = zip(self.var_offset or (), self.var_shape or (), strict=True)
        parts = ":".join(f"{begin},{length}" for begin, length in pairs)
        return " ".join([*map(str, self.full_shape or ()), parts])

    @classmethod
    def from_spec(cls, spec: str) -> Self:
        """The part that a text describes; the text does not have the name.

        Raises:
            ValueError: If the text is not of the form of ``spec``.
        """
        if not spec:
            return cls()
        *lengths, parts = spec.split(" ")
        if not lengths:
            raise ValueError(
                "Spec string must contain space-separated full_shape info, as in '4 3 2,2:0,3', "
                f"got {spec!r}."
            )
        full_shape = _numbers("full_shape must be a sequence of integers", lengths)
        begins, counts = [], []
        for part in parts.split(":"):
            pair = part.split(",")
            if len(pair) != 2:
                raise ValueError(
                    "Spec string must contain comma-separated pairs of offsets and shapes, as in "
                    f"'4 3 2,2:0,3', got {spec!r}."
                )
            begins += _numbers("var_offset must be an integer", pair[:1])
            counts += _numbers("var_shape must be an integer", pair[1:])
        return cls(full_shape=full_shape, var_offset=begins, var_shape=counts)


def _numbers(rule: str, words: Sequence[str]) -> list[int]:
    for word in words:
        if not word.lstrip("-").isdecimal():
            raise ValueError(f"Spec string {rule}. Found {word!r}, which is not an integer.")
    return [int(word) for word in words]
