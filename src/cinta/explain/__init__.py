"""Explanations: why a gradient is None, zero or not finite, and on which line that began."""
