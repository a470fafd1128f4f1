"""The version, for the package and for its builds."""

import sys

__version__ = "0.1.0"
VERSION = __version__  # named as in tf.version
GIT_VERSION = f"v{VERSION}"
COMPILER_VERSION = sys.version
GRAPH_DEF_VERSION = 2474  # of the graphs that TensorFlow 2.21 writes, which are read here
GRAPH_DEF_VERSION_MIN_CONSUMER = 0
GRAPH_DEF_VERSION_MIN_PRODUCER = 0
