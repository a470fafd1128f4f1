"""Values that are made of tensors, and that functions return as they are."""

from __future__ import annotations


class Composite:
    """Objects made of tensors that are not structures to be taken apart."""
