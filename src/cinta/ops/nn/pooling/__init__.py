"""Pooling: the public functions, and the ops with their rules."""
