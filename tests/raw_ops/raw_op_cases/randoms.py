"""Ops that draw random numbers."""

import numpy as np

from .making import f, held, i, one

SEED = i(3, 5)
SHAPE = i(2, 3)
SEEDS = {"seed": 7, "seed2": 9}
KEYED = {
    "shape": SHAPE,
    "key": np.array([11], "uint64"),
    "counter": np.array([5, 6], "uint64"),
    "alg": one(1, "int32"),
}
STATE = {
    "resource": held(np.array([1, 2, 3])),
    "algorithm": one(1, "int64"),
    "shape": SHAPE,
}
CLASSES = {"true_classes": np.array([[1], [3]]), "num_true": 1}
SAMPLED = {**CLASSES, "num_sampled": 4, "unique": True, "range_max": 6, **SEEDS}
BOUNDS = {"minval": one(-5, "int32"), "maxval": one(50, "int32")}

CASES = [
    ("AllCandidateSampler", {**CLASSES, "num_sampled": 6, "unique": True}),
    (
        "ComputeAccidentalHits",
        {
            "true_classes": np.array([[1], [3]]),
            "sampled_candidates": np.array([3, 1, 0]),
            "num_true": 1,
        },
    ),
    ("FixedUnigramCandidateSampler", {**SAMPLED, "unigrams": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]}),
    ("LearnedUnigramCandidateSampler", SAMPLED),
    ("LogUniformCandidateSampler", SAMPLED),
    ("ThreadUnsafeUnigramCandidateSampler", SAMPLED),
    ("UniformCandidateSampler", SAMPLED),
    ("Multinomial", {"logits": f(2, 4), "num_samples": one(5, "int32"), **SEEDS}),
    (
        "Multinomial",
        {"logits": f(2, 4), "num_samples": one(5, "int32"), **SEEDS, "output_dtype": "int32"},
    ),
    ("NonDeterministicInts", {"shape": SHAPE}),
    ("NonDeterministicInts", {"shape": SHAPE, "dtype": "uint32"}),
    (
        "ParameterizedTruncatedNormal",
        {
            "shape": SHAPE,
            "means": one(0),
            "stdevs": one(1),
            "minvals": one(-1),
            "maxvals": one(1),
            **SEEDS,
        },
    ),
    ("RandomGamma", {"shape": SHAPE, "alpha": f(2, low=0.5), **SEEDS}),
    ("RandomGammaGrad", {"alpha": f(3, low=0.5, high=3), "sample": f(3, low=0.5, high=3, seed=1)}),
    (
        "RandomIndexShuffle",
        {"index": i(0, 3, 9), "seed": i(1, 2, 3), "max_index": one(9, "int32")},
    ),
    (
        "RandomIndexShuffle",
        {"index": i(0, 3, 9), "seed": i(1, 2, 3), "max_index": one(9, "int32"), "rounds": 6},
    ),
    ("RandomPoissonV2", {"shape": SHAPE, "rate": f(2, low=0.5), **SEEDS}),
    ("RandomPoissonV2", {"shape": SHAPE, "rate": f(2, low=0.5), **SEEDS, "dtype": "float64"}),
    ("RandomShuffle", {"value": f(5, 2), **SEEDS}),
    ("RandomStandardNormal", {"shape": SHAPE, "dtype": "float32", **SEEDS}),
    ("RandomStandardNormal", {"shape": SHAPE, "dtype": "float32"}),
    ("RandomUniform", {"shape": SHAPE, "dtype": "float64", **SEEDS}),
    ("RandomUniformInt", {"shape": SHAPE, **BOUNDS, **SEEDS}),
    ("TruncatedNormal", {"shape": SHAPE, "dtype": "float32", **SEEDS}),
    (
        "RngReadAndSkip",
        {"resource": STATE["resource"], "alg": one(1, "int32"), "delta": one(2, "uint64")},
    ),
    (
        "RngSkip",
        {"resource": STATE["resource"], "algorithm": one(1, "int64"), "delta": one(2, "int64")},
    ),
    (
        "SobolSample",
        {"dim": one(2, "int32"), "num_results": one(3, "int32"), "skip": one(1, "int32")},
    ),
    ("StatefulRandomBinomial", {**STATE, "counts": one(9), "probs": one(0.3)}),
    ("StatefulStandardNormalV2", STATE),
    ("StatefulTruncatedNormal", STATE),
    ("StatefulUniform", STATE),
    ("StatefulUniform", {**STATE, "dtype": "float64"}),
    ("StatefulUniformFullInt", STATE),
    ("StatefulUniformInt", {**STATE, **BOUNDS}),
    ("StatelessMultinomial", {"logits": f(2, 4), "num_samples": one(5, "int32"), "seed": SEED}),
    (
        "StatelessParameterizedTruncatedNormal",
        {
            "shape": SHAPE,
            "seed": SEED,
            "means": one(0),
            "stddevs": one(1),
            "minvals": one(-1),
            "maxvals": one(1),
        },
    ),
    (
        "StatelessRandomBinomial",
        {"shape": SHAPE, "seed": SEED, "counts": one(9), "probs": one(0.3)},
    ),
    ("StatelessRandomGammaV2", {"shape": SHAPE, "seed": SEED, "alpha": f(3, low=0.5)}),
    ("StatelessRandomGammaV3", {**KEYED, "alpha": f(3, low=0.5)}),
    ("StatelessRandomGetAlg", {}),
    ("StatelessRandomGetKeyCounter", {"seed": SEED}),
    ("StatelessRandomGetKeyCounterAlg", {"seed": SEED}),
    ("StatelessRandomNormal", {"shape": SHAPE, "seed": SEED}),
    ("StatelessRandomNormalV2", KEYED),
    (
        "StatelessRandomPoisson",
        {"shape": SHAPE, "seed": SEED, "lam": one(3), "dtype": "int32"},
    ),
    ("StatelessRandomUniform", {"shape": SHAPE, "seed": SEED}),
    ("StatelessRandomUniformFullInt", {"shape": SHAPE, "seed": SEED}),
    ("StatelessRandomUniformFullIntV2", {**KEYED, "dtype": "int32"}),
    ("StatelessRandomUniformInt", {"shape": SHAPE, "seed": SEED, **BOUNDS}),
    ("StatelessRandomUniformIntV2", {**KEYED, **BOUNDS}),
    ("StatelessRandomUniformV2", {**KEYED, "dtype": "float16"}),
    ("StatelessTruncatedNormal", {"shape": SHAPE, "seed": SEED}),
    ("StatelessTruncatedNormalV2", KEYED),
]
