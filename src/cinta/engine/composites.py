"""Values that are made of tensors, and that functions return as they are."""

from __future__ import annotations


class Composite:
    """What is made of tensors, and is no structure to be taken apart."""
