"""Ops that draw random numbers: by seeds, by keys and counters, by a generator's state."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, Any

import numpy as np

import cinta as tf

from ..ops.elementwise.gamma import IgammaGradA
from ..ops.random import distributions
from ..ops.random.gamma_numbers import StatelessRandomGammaV3
from ..ops.random.generator_state import AdvancedState
from ..ops.random.kernels import RESERVED
from ..ops.random.permutation import FEWEST_ROUNDS, MOST_ROUNDS, RandomIndexShuffle
from ..ops.random.seeds import MixedSeed, algorithm, check_philox
from ..ops.random.state import SeedPair, stream

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..dtypes import DType
    from ..engine.op import Op
    from ..engine.tensor import Tensor
    from ..engine.variable import Variable
    from ..ops.random.candidates import Candidates
    from ..ops.random.distributions import Source

_r = tf.random

# -- by seeds, of which each op has two; the numbers go on from call to call ---------------------


def _pair(seed: int, seed2: int) -> Any:
    return SeedPair(seed, seed2) if seed or seed2 else None


def _seeded(draw: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """A drawing function of a shape and a dtype."""
    return lambda shape, dtype, *seeds: draw(shape, dtype=dtype, seed=_pair(*seeds))


def _uniform_integers(shape: Tensor, low: Tensor, high: Tensor, *seeds: int) -> Tensor:
    return _r.uniform(shape, low, high, low.dtype, _pair(*seeds))


def _gamma(shape: Tensor, alpha: Tensor, *seeds: int) -> Tensor:
    return _r.gamma(shape, alpha, dtype=alpha.dtype, seed=_pair(*seeds))


def _poisson(
    shape: Tensor, rate: Tensor, seed: int, seed2: int, dtype: DType | None = None
) -> Tensor:
    return _r.poisson(shape, rate, dtype or rate.dtype, _pair(seed, seed2))


def _multinomial(logits: Tensor, count: Tensor, seed: int, seed2: int, dtype: DType) -> Tensor:
    return _r.categorical(logits, count, dtype, _pair(seed, seed2))


def _shuffle(value: Tensor, *seeds: int) -> Tensor:
    return _r.shuffle(value, _pair(*seeds))


def _gamma_gradient(alpha: Tensor, sample: Tensor) -> Tensor:
    """How a sample moves with alpha, where its place in the distribution stays."""
    density = tf.exp((alpha - 1) * tf.math.log(sample) - sample - tf.math.lgamma(alpha))
    return -IgammaGradA(alpha, sample, order=1) / density


def _candidates(sample: Callable[..., Candidates]) -> Callable[..., Candidates]:
    def drawn(classes: Tensor, *how: int) -> Candidates:
        *attributes, seed, seed2 = how
        return sample(classes, *attributes, seed=_pair(seed, seed2))

    return drawn


def _fixed_candidates(
    classes: Tensor,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    vocab_file: str,
    distortion: float,
    num_reserved_ids: int,
    num_shards: int,
    shard: int,
    unigrams: list[float],
    seed: int,
    seed2: int,
) -> Candidates:
    return _r.fixed_unigram_candidate_sampler(
        classes,
        num_true,
        num_sampled,
        unique,
        range_max,
        vocab_file,
        distortion,
        num_reserved_ids,
        num_shards,
        shard,
        unigrams,
        _pair(seed, seed2),
    )


def _hits(classes: Tensor, sampled: Tensor, num_true: int, *seeds: int) -> tuple[Tensor, ...]:
    return tf.nn.compute_accidental_hits(classes, sampled, num_true)


def _truncated(
    shape: Tensor, means: Tensor, stdevs: Tensor, low: Tensor, high: Tensor, seed: int, seed2: int
) -> Tensor:
    parameters = means, stdevs, low, high
    axes = [1] * (shape.shape[0] - 1)
    rows = [tf.reshape(each, [-1, *axes]) if len(each.shape) else each for each in parameters]
    return distributions.bounded_normal(stream(_pair(seed, seed2)), shape, *rows)


# -- by a key and a counter, or by the seed of which these are made ------------------------------


def _of_key(key: Tensor, counter: Tensor, alg: Tensor) -> Source:
    check_philox(int(alg))
    state = tf.concat([counter[:2], key], axis=0)
    return lambda op, names, blocks: state


def _key_and_counter(seed: Tensor) -> tuple[Tensor, Tensor]:
    state = MixedSeed(seed)
    return state[2:], state[:2]


def _keyed(draw: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """A drawing function of a source, a shape and a dtype."""
    return lambda shape, *how: draw(_of_key(*how[:3]), shape, how[3].dtype)


def _normal(source: Source, shape: Tensor, dtype: np.dtype[Any]) -> Tensor:
    return distributions.normal(source, shape, 0.0, 1.0, dtype)


def _truncated_normal(source: Source, shape: Tensor, dtype: np.dtype[Any]) -> Tensor:
    return distributions.truncated_normal(source, shape, 0.0, 1.0, dtype)


def _uniform(source: Source, shape: Tensor, dtype: np.dtype[Any]) -> Tensor:
    return distributions.uniform(source, shape, 0, 1, dtype)


def _keyed_integers(shape: Tensor, *how: Tensor) -> Tensor:
    *key, low, high = how
    return distributions.uniform(_of_key(*key), shape, low, high, low.dtype.dtype)


def _keyed_gamma(shape: Tensor, *how: Tensor) -> Tensor:
    *key, alpha = how
    sizes, samples = distributions.rows_of(StatelessRandomGammaV3, shape, tuple(alpha.shape))
    drawn = distributions.gamma(_of_key(*key), samples, alpha, None, alpha.dtype)
    return tf.reshape(drawn, sizes)


def _stateless(draw: Callable[..., Tensor]) -> Callable[..., Tensor]:
    return lambda shape, seed, dtype: draw(shape, seed, dtype=dtype)


def _full_integers(shape: Tensor, seed: Tensor, dtype: tf.DType) -> Tensor:
    return _r.stateless_uniform(shape, seed, None, None, dtype)


def _integers(shape: Tensor, seed: Tensor, low: Tensor, high: Tensor) -> Tensor:
    return _r.stateless_uniform(shape, seed, low, high, low.dtype)


def _stateless_gamma(shape: Tensor, seed: Tensor, alpha: Tensor) -> Tensor:
    return _r.stateless_gamma(shape, seed, alpha, dtype=alpha.dtype)


def _categorical(logits: Tensor, count: Tensor, seed: Tensor, dtype: tf.DType) -> Tensor:
    return _r.stateless_categorical(logits, count, seed, dtype)


def _places(index: Tensor, seed: Tensor, most: Tensor, rounds: int) -> Tensor:
    if not MOST_ROUNDS >= rounds >= FEWEST_ROUNDS:
        raise tf.errors.InvalidArgumentError(
            f"rounds must be from {FEWEST_ROUNDS} to {MOST_ROUNDS}, got {rounds} "
            "[Op:RandomIndexShuffle]"
        )
    return RandomIndexShuffle(index, seed, most, rounds=rounds)


# -- by a generator's state, which is a variable -------------------------------------------------


def _of_variable(variable: Variable, alg: Tensor) -> Source:
    check_philox(int(alg))

    def source(op: Op, names: tuple[Any, ...], blocks: int) -> Tensor:
        return tf.bitcast(_read_and_skip(variable, blocks), tf.uint64)

    return source


def _read_and_skip(variable: Variable, blocks: int) -> Tensor:
    before = variable.read_value()
    variable.assign(AdvancedState(before, blocks=blocks))
    return before


def _skipping(variable: Variable, alg: Tensor, delta: Tensor) -> Tensor:
    check_philox(int(alg))
    return _read_and_skip(variable, int(delta) * RESERVED)


def _stateful(draw: Callable[..., Tensor]) -> Callable[..., Tensor]:
    return lambda variable, alg, shape, dtype: draw(_of_variable(variable, alg), shape, dtype.dtype)


def _stateful_integers(variable: Variable, alg: Tensor, shape: Tensor, *bounds: Tensor) -> Tensor:
    low, high = bounds
    return distributions.uniform(_of_variable(variable, alg), shape, low, high, low.dtype.dtype)


def _binomial(variable: Variable, alg: Tensor, shape: Tensor, *how: DType | Tensor) -> Tensor:
    counts, probs, dtype = how
    return distributions.binomial(_of_variable(variable, alg), shape, counts, probs, dtype)


def _any_integers(shape: Tensor, dtype: tf.DType) -> Tensor:
    sizes = shape.numpy().tolist()
    drawn = np.frombuffer(os.urandom(dtype.size * math.prod(sizes)), dtype.dtype)
    return tf.constant(drawn.reshape(sizes))


OPS: dict[str, Callable[..., Any]] = {
    "AllCandidateSampler": _candidates(_r.all_candidate_sampler),
    "ComputeAccidentalHits": _hits,
    "FixedUnigramCandidateSampler": _fixed_candidates,
    "LearnedUnigramCandidateSampler": _candidates(_r.learned_unigram_candidate_sampler),
    "LogUniformCandidateSampler": _candidates(_r.log_uniform_candidate_sampler),
    "Multinomial": _multinomial,
    "NonDeterministicInts": _any_integers,
    "ParameterizedTruncatedNormal": _truncated,
    "RandomGamma": _gamma,
    "RandomGammaGrad": _gamma_gradient,
    "RandomIndexShuffle": _places,
    "RandomPoissonV2": _poisson,
    "RandomShuffle": _shuffle,
    "RandomStandardNormal": _seeded(_r.normal),
    "RandomUniform": _seeded(_r.uniform),
    "RandomUniformInt": _uniform_integers,
    "RngReadAndSkip": _skipping,
    "RngSkip": _skipping,
    "SobolSample": tf.math.sobol_sample,
    "StatefulRandomBinomial": _binomial,
    "StatefulStandardNormalV2": _stateful(_normal),
    "StatefulTruncatedNormal": _stateful(_truncated_normal),
    "StatefulUniform": _stateful(_uniform),
    "StatefulUniformFullInt": _stateful(distributions.full_integers),
    "StatefulUniformInt": _stateful_integers,
    "StatelessMultinomial": _categorical,
    "StatelessParameterizedTruncatedNormal": _r.stateless_parameterized_truncated_normal,
    "StatelessRandomBinomial": _r.stateless_binomial,
    "StatelessRandomGammaV2": _stateless_gamma,
    "StatelessRandomGammaV3": _keyed_gamma,
    "StatelessRandomGetAlg": lambda: tf.constant(algorithm("philox").value),
    "StatelessRandomGetKeyCounter": _key_and_counter,
    "StatelessRandomGetKeyCounterAlg": lambda seed: (
        *_key_and_counter(seed),
        tf.constant(algorithm("philox").value),
    ),
    "StatelessRandomNormal": _stateless(_r.stateless_normal),
    "StatelessRandomNormalV2": _keyed(_normal),
    "StatelessRandomPoisson": _r.stateless_poisson,
    "StatelessRandomUniform": _stateless(_r.stateless_uniform),
    "StatelessRandomUniformFullInt": _full_integers,
    "StatelessRandomUniformFullIntV2": _keyed(distributions.full_integers),
    "StatelessRandomUniformInt": _integers,
    "StatelessRandomUniformIntV2": _keyed_integers,
    "StatelessRandomUniformV2": _keyed(_uniform),
    "StatelessTruncatedNormal": _stateless(_r.stateless_truncated_normal),
    "StatelessTruncatedNormalV2": _keyed(_truncated_normal),
    "ThreadUnsafeUnigramCandidateSampler": _candidates(_r.learned_unigram_candidate_sampler),
    "TruncatedNormal": _seeded(_r.truncated_normal),
    "UniformCandidateSampler": _candidates(_r.uniform_candidate_sampler),
}
