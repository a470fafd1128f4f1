"""The version, for the package and for its builds."""

import sys

__version__ = "0.1.0"
VERSION = __version__  # named as in tf.version
GIT_VERSION = f"v{VERSION}"
COMPILER_VERSION = sys.version
