"""Explanations: why a gradient is None, zero or not finite, and what was recorded again, and where."""
