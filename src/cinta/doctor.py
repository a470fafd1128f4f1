"""The report of ``cinta doctor``: the machine, the engines, and the optional packages."""

from __future__ import annotations

import importlib.metadata

from . import machine
from .engine import busy_cores, c_kernels, parallel, settings
from .languages.phrases import said

_OPTIONAL = {
    "keras": "'cinta[keras]'",
    "matplotlib": "'cinta[plot]'",
    "onnx": "'cinta[onnx]'",
    "pillow": "'cinta[image]'",
    "safetensors": "safetensors",
}
"""Packages that cinta can do without, and what pip is to install for them."""


def report() -> str:
    """The findings, a line for each."""
    lines = {
        "engine": said("{} runs functions (tf.config.set_engine, CINTA_ENGINE)").format(
            settings.engine
        ),
        "kernels": _kernels(),
        "xla": _xla(),
        "threads": said("{} for large ops (tf.config.threading), beside BLAS").format(
            parallel.threads()
        ),
        "products": busy_cores.report(),
        "optional": ", ".join(_installed(name) for name in _OPTIONAL),
    }
    own = [f"{said(name):<10} {text}" for name, text in lines.items()]
    return "\n".join([str(machine.report()), *own])


def _kernels() -> str:
    kind = c_kernels.processor()
    if kind is None:
        return said(
            "NumPy's only; pip install ./kernels, in a clone, brings compiled ones (CINTA_KERNELS)"
        )
    return said("compiled, for processors of the kind {} (CINTA_KERNELS)").format(kind)


def _xla() -> str:
    try:
        import jax
    except ImportError:
        return said("not there; pip install 'cinta[xla]' brings JAX")
    try:
        devices = ", ".join(str(device) for device in jax.devices())
    except RuntimeError as error:
        return said("jax {}, which finds no device: {}").format(jax.__version__, error)
    return said("jax {} on {}").format(jax.__version__, devices)


def _installed(name: str) -> str:
    try:
        return f"{name} {importlib.metadata.version(name)}"
    except importlib.metadata.PackageNotFoundError:
        return said("no {} (pip install {})").format(name, _OPTIONAL[name])
