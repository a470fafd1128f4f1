"""Recordings run on NumPy, as Python source."""
