"""Loops in recordings: found, folded into one step, and run."""
