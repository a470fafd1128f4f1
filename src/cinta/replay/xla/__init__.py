"""Recordings as programs of XLA. Whoever imports this needs JAX."""

from .start_jax import devices_for as devices_for  # first: it lets JAX begin
from .program import XlaProgram as XlaProgram
