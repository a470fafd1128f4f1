"""Calls of raw ops, by family: the op's name and its arguments, as NumPy arrays and plain values.

``tools/raw_op_reference.py`` runs them under TensorFlow, ``test_raw_ops.py`` under cinta.
"""

from importlib import import_module

FAMILIES = (
    "arrays",
    "elementwise",
    "gradients",
    "images",
    "linear",
    "neural",
    "ragged",
    "randoms",
    "recurrent",
    "reductions",
    "sparse",
    "states",
    "strings",
)


def cases():
    """All calls, with numbers in their names where an op is called more than once."""
    found = {}
    for family in FAMILIES:
        for name, arguments in import_module(f".{family}", __package__).CASES:
            count = sum(other.partition(" ")[0] == name for other in found)
            found[f"{name} {count + 1}" if count else name] = arguments
    return found
