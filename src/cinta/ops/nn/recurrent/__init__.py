"""Recurrent layers, all gates and steps of which are one op, with kernels for NumPy and XLA."""
