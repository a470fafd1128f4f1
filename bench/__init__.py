"""Benchmarks of plain tapes, on Linux: cinta, NumPy by hand, and the peers that are installed.

python -m bench [--rounds 7] [--peers cinta numpy ...]
"""
