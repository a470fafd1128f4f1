"""The version, for the package and for whoever builds it."""

__version__ = "0.1.0"
VERSION = __version__  # as tf.version has it
