# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from ..config.graph_settings import get_experimental_options as get_experimental_options
from ..config.graph_settings import get_jit as get_jit
from ..config.graph_settings import set_experimental_options as set_experimental_options
from ..config.graph_settings import set_jit as set_jit
