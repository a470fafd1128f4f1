"""Fourier transforms: the public functions, and the ops with their rules."""
