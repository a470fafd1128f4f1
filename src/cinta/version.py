"""The version, for the package and for its builds."""

__version__ = "0.1.0"
VERSION = __version__  # named as in tf.version
