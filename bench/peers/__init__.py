"""The libraries that are compared. Each module here has a class `Workloads` with the same methods.

A method prepares its workload and returns the call to time, which computes a value and its
gradients and returns them as NumPy arrays. A peer leaves out what it has no fair form of.

    square()         x² on a scalar
    chain(steps)     steps × (multiply by a Python float, sin) on a scalar
    mlp(batch)       a classifier 784-512-512-10, softmax cross-entropy: six gradients
    elementwise()    Σ sigmoid·tanh + exp(−x²) over a matrix of a million numbers
    embedding()      256 rows of a table of 100 000 × 64: a sparse gradient

Two of them draw random numbers instead, a million each time, others at each call:

    normals()        of mean 0 and standard deviation 1
    uniforms()       in [0, 1)

All but NumPy and autograd compute derivatives by many elements too:

    jacobian()        of a layer by its weights
    per_example()     of the losses of many examples by weights and biases
    batch_jacobian()  of two layers by their input, for each sample
    dense_hessian()   of a number by 200
    hessian_product() that Hessian times a vector, backwards over backwards
    hessian_tangent() the same, forwards over backwards
    tangent()         along a direction through the chain of steps on a scalar

cinta and TensorFlow have datasets, and PyTorch, whose rows come one by one, has the first of them:

    iteration()         an epoch of rows in random order, in batches, made ahead
    iteration_mapped()  the same with a function of each batch
    elements()          functions of one number after the other
    feeding()           an epoch that feeds the classifier

cinta, TensorFlow and PyTorch have the layers of networks as well: see `tape_layers`.
"""

import os
from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple


class Peer(NamedTuple):
    title: str
    module: str
    options: tuple[tuple[str, Any], ...] = ()
    environment: tuple[tuple[str, str], ...] = ()  # of its process


PEERS = {
    "cinta": Peer("cinta", "tapes"),
    "cinta-numpy": Peer("without kernels", "tapes", environment=(("CINTA_KERNELS", "0"),)),
    "numpy": Peer("NumPy by hand", "by_hand"),
    "torch": Peer("PyTorch", "torches"),
    "tensorflow": Peer("TensorFlow", "tapes"),
    "autograd": Peer("autograd", "autograds"),
    "jax": Peer("JAX eager", "jaxes"),
}


BY_XLA = (("jit_compile", True),)
COMPILED = {
    "cinta-eager": Peer("cinta eager", "tapes"),
    "cinta-replay": Peer("cinta function", "compiled_tapes"),
    "cinta-xla": Peer("cinta on XLA", "compiled_tapes", BY_XLA),
    "numpy": PEERS["numpy"],
    "jax-jit": Peer("jax.jit", "compiled_jax"),
    "tensorflow-function": Peer("tf.function", "compiled_tapes"),
    "tensorflow-xla": Peer("tf.function on XLA", "compiled_tapes", BY_XLA),
    "torch-compile": Peer("torch.compile", "compiled_torch"),
}
"""Peers that record or compile functions, each named after its library; and who does neither."""


TRAINING = {
    "cinta-steps": Peer("cinta eager", "training_tapes"),
    "cinta-recorded-steps": Peer("cinta function", "training_tapes", (("record", True),)),
    "cinta-xla-steps": Peer("cinta on XLA", "training_tapes", (("record", True), *BY_XLA)),
    "torch-steps": Peer("PyTorch", "training_torch"),
    "jax-steps": Peer("JAX jit", "training_jax"),
}
"""Peers that train: ``mlp``, ``cnn``, ``transformer`` and ``lstm`` give the call of one step."""

MEMORY = {
    "cinta-memory": Peer("cinta", "memory_tapes"),
    "cinta-recorded-memory": Peer("cinta function", "memory_tapes", (("record", True),)),
    "torch-memory": Peer("PyTorch", "memory_torch"),
}
"""Peers whose memory is measured, with networks of so many million numbers."""


def installed(names: Iterable[str] = PEERS) -> list[str]:
    """The peers that can be imported here."""
    return [name for name in names if find_spec(_library(name))]


def workloads(name: str) -> Any:
    """The workloads of the peer `name`.

    Its library is imported before anything of ours, so that it finds the process untouched: cinta
    sets up NumPy's linear algebra while it imports NumPy.
    """
    peer = (PEERS | COMPILED | TRAINING | MEMORY)[name]
    os.environ.update(peer.environment)
    library = import_module(_library(name))
    return import_module(f"bench.peers.{peer.module}").Workloads(library, **dict(peer.options))


def _library(name: str) -> str:
    return name.partition("-")[0]
