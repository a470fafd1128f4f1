"""Convolutions: the public functions, the ops with their rules, and the kernels."""
