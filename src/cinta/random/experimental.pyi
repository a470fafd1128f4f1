# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from ..ops.random.generator import Generator as Generator
from ..ops.random.generator import get_global_generator as get_global_generator
from ..ops.random.generator import set_global_generator as set_global_generator
from ..ops.random.generator_state import create_rng_state as create_rng_state
from ..ops.random.seeds import Algorithm as Algorithm
from ..ops.random.stateless import index_shuffle as index_shuffle
from ..ops.random.stateless import fold_in as _stateless_fold_in
stateless_fold_in = _stateless_fold_in
from ..ops.random.stateless import stateless_shuffle as stateless_shuffle
from ..ops.random.stateless import split as _stateless_split
stateless_split = _stateless_split
