"""The report of ``cinta doctor``: the machine, the engines, and the optional packages."""

from __future__ import annotations

import importlib.metadata

from . import machine
from .engine import c_kernels, contention, parallel, settings

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
        "engine": f"{settings.engine} runs functions (tf.config.set_engine, CINTA_ENGINE)",
        "kernels": _kernels(),
        "xla": _xla(),
        "threads": f"{parallel.threads()} for large ops (tf.config.threading), beside BLAS",
        "products": contention.report(),
        "optional": ", ".join(_installed(name) for name in _OPTIONAL),
    }
    return "\n".join([str(machine.report()), *[f"{k:<10} {text}" for k, text in lines.items()]])


def _kernels() -> str:
    kind = c_kernels.processor()
    if kind is None:
        return "NumPy's only; pip install 'cinta[fast]' brings compiled ones (CINTA_KERNELS)"
    return f"compiled, for processors of the kind {kind} (CINTA_KERNELS)"


def _xla() -> str:
    try:
        import jax
    except ImportError:
        return "not there; pip install 'cinta[xla]' brings JAX"
    try:
        devices = ", ".join(str(device) for device in jax.devices())
    except RuntimeError as error:
        return f"jax {jax.__version__}, which finds no device: {error}"
    return f"jax {jax.__version__} on {devices}"


def _installed(name: str) -> str:
    try:
        return f"{name} {importlib.metadata.version(name)}"
    except importlib.metadata.PackageNotFoundError:
        return f"no {name} (pip install {_OPTIONAL[name]})"
