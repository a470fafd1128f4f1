"""The names of tf.random."""

from . import random_experimental
from .ops.generator import Generator as Generator
from .ops.generator import create_rng_state as create_rng_state
from .ops.generator import get_global_generator as get_global_generator
from .ops.generator import set_global_generator as set_global_generator
from .ops.random import categorical as categorical
from .ops.random import gamma as gamma
from .ops.random import normal as normal
from .ops.random import poisson as poisson
from .ops.random import shuffle as shuffle
from .ops.random import truncated_normal as truncated_normal
from .ops.random import uniform as uniform
from .ops.random_state import set_seed as set_seed
from .ops.stateless_random import Algorithm as Algorithm
from .ops.stateless_random import fold_in as fold_in
from .ops.stateless_random import split as split
from .ops.stateless_random import stateless_binomial as stateless_binomial
from .ops.stateless_random import stateless_categorical as stateless_categorical
from .ops.stateless_random import stateless_gamma as stateless_gamma
from .ops.stateless_random import stateless_normal as stateless_normal
from .ops.stateless_random import stateless_poisson as stateless_poisson
from .ops.stateless_random import stateless_truncated_normal as stateless_truncated_normal
from .ops.stateless_random import stateless_uniform as stateless_uniform

experimental = random_experimental
