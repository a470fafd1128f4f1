"""cinta's names of NumPy's functions, for advice."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from ..public_names import NAMES

if TYPE_CHECKING:
    from .lines import Line

_OTHERWISE = {
    "sum": "reduce_sum",
    "mean": "reduce_mean",
    "prod": "reduce_prod",
    "max": "reduce_max",
    "amax": "reduce_max",
    "min": "reduce_min",
    "amin": "reduce_min",
    "any": "reduce_any",
    "all": "reduce_all",
    "std": "math.reduce_std",
    "var": "math.reduce_variance",
    "power": "pow",
    "concatenate": "concat",
    "vstack": "concat",
    "hstack": "concat",
    "clip": "clip_by_value",
    "dot": "tensordot",
    "outer": "tensordot",
    "array": "convert_to_tensor",
    "asarray": "convert_to_tensor",
    "log": "math.log",
    "log1p": "math.log1p",
    "expm1": "math.expm1",
    "cumsum": "math.cumsum",
    "absolute": "abs",
    "arctan2": "math.atan2",
    "arctan": "math.atan",
    "arcsin": "math.asin",
    "arccos": "math.acos",
}
"""NumPy's functions that have another name in cinta."""

_CALL = re.compile(r"\b(np|numpy)\.(?:linalg\.)?(\w+)\s*\(")


def remedy_for(line: Line | None) -> str:
    """The replacement for NumPy's functions on a line."""
    found = {} if line is None else dict.fromkeys(_CALL.findall(line.source))
    pairs = [(f"{np}.{name}", ours(name)) for np, name in found]
    known = [f"{name} for {theirs}" for theirs, name in pairs if name]
    return ", ".join(known) or "tf.abs for np.abs, tf.reduce_mean for np.mean, and so on"


def ours(name: str) -> str | None:
    """cinta's name of a function of NumPy, if cinta has the function."""
    return public_name(_OTHERWISE.get(name, name))


def public_name(name: str) -> str | None:
    """A function of cinta as programs write it, if there is one of this name."""
    place, _, last = name.rpartition(".")
    for namespace in (place,) if place else ("", "math", "nn", "linalg", "image"):
        if last in _names_in(namespace):
            return f"tf.{namespace}.{last}" if namespace else f"tf.{last}"
    return None


@functools.cache
def _names_in(namespace: str) -> frozenset[str]:
    texts = NAMES.get(namespace, {}).values()
    return frozenset(each.partition("=")[0] for text in texts for each in text.split())
