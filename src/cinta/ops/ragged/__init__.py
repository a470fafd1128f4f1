"""Tensors whose rows differ in length: all values side by side, and where rows begin and end."""
