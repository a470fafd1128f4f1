"""Branches, loops, and functions mapped over tensors."""
