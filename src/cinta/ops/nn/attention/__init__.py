"""Attention as one op that works by blocks and never holds all weights at once."""
