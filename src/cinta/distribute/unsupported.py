"""Strategies that cinta lacks, and what to use instead."""

from __future__ import annotations

from typing import NoReturn

from ..public import public

_SYNCHRONOUS = "use tf.distribute.MirroredStrategy, with which all replicas take each step together"


class _Refused:
    """Strategies that cannot be made."""

    _instead = _SYNCHRONOUS

    def __init__(self, *args: object, **kwargs: object) -> NoReturn:
        raise NotImplementedError(f"tf.distribute has no {type(self).__name__}: {self._instead}.")


@public("distribute.ParameterServerStrategy", "distribute.experimental.ParameterServerStrategy")
class ParameterServerStrategy(_Refused):
    """Refused: variables on servers, which workers update at different times."""


@public("distribute.Server")
class Server(_Refused):
    """Refused: servers of TensorFlow 1."""

    _instead = "start the same program on each machine, with TF_CONFIG"
