"""Trainings: norms of variables and gradients at each step, drawn and told in words."""
