"""Benchmarks of plain tapes: cinta, NumPy by hand, and the peers that are installed.

python -m bench [--quick] [--peers torch jax ...]
"""
