"""Recordings as programs of XLA. Whoever imports this needs JAX."""

from .jax_start import devices_for as devices_for  # first: it lets JAX begin
from .program import XlaProgram as XlaProgram
