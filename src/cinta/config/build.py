"""How this package was built."""

from __future__ import annotations

from collections import OrderedDict

from ..public import public


@public("sysconfig.get_build_info")
def get_build_info() -> OrderedDict[str, bool]:
    """The libraries that the package was built with: none of those that TensorFlow may have.

    GPUs are used through XLA, which brings its own.

    >>> import cinta as tf
    >>> tf.sysconfig.get_build_info()["is_cuda_build"]
    False
    """
    return OrderedDict(is_cuda_build=False, is_rocm_build=False, is_tensorrt_build=False)
