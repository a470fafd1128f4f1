"""Draws of random numbers that TensorFlow and cinta must agree on.

``tools/random_reference.py`` runs them in TensorFlow and writes what it draws to
``tests/references/random_reference.npz``; ``test_random`` runs them in cinta.
"""

import numpy as np

FLOATS = ("float16", "bfloat16", "float32", "float64")
SIZES = (1, 7, 65)  # part of a block, blocks and a part, many
GLOBAL_SEEDS = (0, 5, -3, 2**31 - 1, 2**40)
ALPHAS = np.array([[0.1, 0.5, 1.0], [1.5, 10.0, 200.0]])
RATES = np.array([0.0, 0.1, 1.0, 9.0, 10.0, 11.5, 100.0, 1e4])
LOGITS = np.array([[0.0, 1.0, 2.0, -3.0], [0.0, -np.inf, 5.0, np.nan]])
BOUNDS = (
    ([50], 0.0, 1.0, -2.0, 2.0),
    ([20, 3], [0.0, 1.0, -1.0], 2.0, [-1.0, 0.5, -9.0], [5.0, 0.7, 9.0]),
    ([40], 0.0, 1.0, 3.0, np.inf),
    ([40], 0.0, 1.0, -np.inf, -1.0),
    ([7, 2, 3], [[0.0], [4.0]], 1.0, [0.0, 1.0, 2.0], 3.0),
)
WEIGHTS = [1.0, 3.0, 0.5, 0.0, 2.0, 7.0, 1.0, 1.0, 0.1, 4.0]
SAMPLERS = (
    ("uniform", {"range_max": 10}),
    ("uniform", {"range_max": 2**61 + 5}),
    ("log_uniform", {"range_max": 10}),
    ("log_uniform", {"range_max": 10**6}),
    ("fixed_unigram", {"range_max": 10, "unigrams": WEIGHTS}),
    (
        "fixed_unigram",
        {"range_max": 12, "unigrams": WEIGHTS, "distortion": 0.75, "num_reserved_ids": 2},
    ),
    ("learned_unigram", {"range_max": 11}),
    ("all", {}),
)
BINOMIALS = (([20.0, 3.0], 0.3), (200.0, [0.3, 0.7]), ([1e6, 0.0], [0.999, 0.5]))


def draws(tf):
    """Names and arrays; what a name says is drawn in this order."""
    for cases in (
        seeded,
        floats,
        integers,
        by_parameters,
        plain,
        shuffled,
        stateless,
        bounded,
        indexed,
        candidates,
        generators,
    ):
        for name, value in cases(tf):
            array = np.asarray(value)
            narrow = array.dtype.kind == "V"  # bfloat16, which NumPy's files cannot hold
            yield f"{cases.__name__}: {name}", array.astype(np.float32) if narrow else array


def seeded(tf):
    for seed in GLOBAL_SEEDS:
        tf.random.set_seed(seed)
        for step in range(2):
            yield f"{seed} {step}", tf.random.uniform([5])
            yield f"{seed} {step} op 0", tf.random.uniform([5], seed=0)
            yield f"{seed} {step} op -7", tf.random.normal([5], seed=-7)
            yield f"{seed} {step} int64 shape", tf.random.normal(np.array([5]), seed=-7)


def floats(tf):
    draw = tf.random
    for dtype in FLOATS:
        tf.random.set_seed(7)
        for n in SIZES:
            for name in ("normal", "truncated_normal", "uniform"):
                function = getattr(draw, name)
                yield f"{name} {dtype} {n}", function([n], dtype=dtype)
                yield f"{name} {dtype} {n} seed", function([n], dtype=dtype, seed=3)
                yield f"{name} {dtype} {n} at 2, 5", function([n], 2.0, 5.0, dtype=dtype, seed=3)


def integers(tf):
    for dtype in ("int32", "int64"):
        tf.random.set_seed(7)
        for n in SIZES:
            yield f"{dtype} {n}", tf.random.uniform([n], -7, 2**30, dtype)
            yield f"{dtype} {n} seed", tf.random.uniform([n], maxval=10, dtype=dtype, seed=3)


def by_parameters(tf):
    tf.random.set_seed(11)
    for dtype in ("float16", "float32", "float64"):
        alphas, rates = tf.constant(ALPHAS, dtype), tf.constant(RATES, dtype)
        logits = tf.constant(LOGITS, dtype)
        for step in range(2):
            yield f"gamma {dtype} {step}", tf.random.gamma([20], alphas, dtype=dtype, seed=4)
            beta = tf.constant([[2.0], [3.0]], dtype)
            yield f"beta {dtype} {step}", tf.random.gamma([3, 2], alphas, beta, dtype, seed=4)
            yield f"poisson {dtype} {step}", tf.random.poisson([20], rates, dtype, seed=4)
            yield f"poisson counts {dtype} {step}", tf.random.poisson([20], rates, "int64", seed=4)
            yield f"categorical {dtype} {step}", tf.random.categorical(logits, 33, seed=4)
            rows = tf.constant(np.tile(LOGITS, (9, 1)), dtype)
            yield f"rows {dtype} {step}", tf.random.categorical(rows, 1, "int32", seed=4)


def plain(tf):
    """Parameters that are numbers of Python: of what dtype they are decides whose stream it is."""
    tf.random.set_seed(11)
    for step in range(2):
        for rate in (2.0, 2, [0.1, 3], np.float32(2), np.array([0.1, 3.0])):
            yield f"poisson {rate!r} {step}", tf.random.poisson([5], rate, seed=4)
        yield f"gamma {step}", tf.random.gamma([5], [0.1, 3], seed=4)
        yield f"categorical {step}", tf.random.categorical([[0.1, 3]], 5, seed=4)
    yield "stateless poisson", tf.random.stateless_poisson([5, 2], [1, 2], [0.1, 3])
    for counts, probs in ((5.0, 1.5), (5.0, -0.5), (-5.0, 0.7), (0.0, 0.5), (500.0, 1.0)):
        yield f"binomial {counts} {probs}", tf.random.stateless_binomial([3], [1, 2], counts, probs)


def shuffled(tf):
    tf.random.set_seed(11)
    for step in range(2):
        yield f"vector {step}", tf.random.shuffle(np.arange(10))
        yield f"vector {step} seed", tf.random.shuffle(np.arange(10), seed=2)
        yield f"rows {step} seed", tf.random.shuffle(np.arange(100).reshape(50, 2), seed=2)


def stateless(tf):
    draw = tf.random
    for dtype in FLOATS:
        for n in SIZES:
            for name in ("normal", "truncated_normal", "uniform"):
                function = getattr(draw, f"stateless_{name}")
                yield f"{name} {dtype} {n}", function([n], [3, -n], dtype=dtype)
    for dtype in ("int32", "int64", "uint32", "uint64"):
        yield f"full {dtype}", draw.stateless_uniform([9], [1, 2], None, None, dtype)
    for dtype in ("int32", "int64"):
        yield f"range {dtype}", draw.stateless_uniform([9], [1, 2], -5, 77, dtype)
    yield "gamma", draw.stateless_gamma([10, 2, 3], [1, 2], tf.constant(ALPHAS, "float32"))
    yield "poisson", draw.stateless_poisson([10, 8], [1, 2], tf.constant(RATES, "float32"))
    yield "categorical", draw.stateless_categorical(tf.constant(LOGITS, "float32"), 33, [5, 6])
    for counts, probs in BINOMIALS:
        drawn = draw.stateless_binomial([30, 2], [1, 2], counts, probs)
        yield f"binomial {counts} {probs}", drawn
    yield "shuffle", draw.experimental.stateless_shuffle(np.arange(10), [1, 2])
    yield "split", draw.split([1, 2], 5)
    yield "fold_in", draw.fold_in([1, 2], 7)
    yield "fold_in int64", draw.fold_in(np.array([1, 2]), np.int64(-7))


def bounded(tf):
    for dtype in ("float16", "float32", "float64"):
        for shape, *parameters in BOUNDS:
            given = [tf.constant(p, dtype) for p in parameters]
            drawn = tf.random.stateless_parameterized_truncated_normal(shape, [1, 2], *given)
            yield f"{dtype} {shape} {parameters}", drawn


def indexed(tf):
    shuffle = tf.random.experimental.index_shuffle
    for dtype in ("int32", "int64", "uint32", "uint64"):
        for largest in (0, 9, 65536, 2**31 - 1):
            index = np.arange(min(largest, 20) + 1).astype(dtype)
            limit = np.array(largest, dtype)
            yield f"{dtype} {largest}", shuffle(index, np.array([5, -9], np.int32), limit)
    yield "limits", shuffle([3, 4], [1, 2], [9, 30])


def candidates(tf):
    tf.random.set_seed(5)
    true = np.array([[1, 2], [0, 3]])
    for step in range(2):
        for unique in (False, True):
            for seed in (None, 7):
                case = f"{step} {unique} {seed}"
                for name, given in SAMPLERS:
                    draw = getattr(tf.random, f"{name}_candidate_sampler")
                    parts = draw(true, 2, 8, unique, **given, seed=seed)
                    for part, values in zip(("drawn", "true", "sampled"), parts, strict=True):
                        yield f"{name} {given} {case} {part}", values


def generators(tf):
    for seed in (1234, 2**70 + 5, -1, [1, 2]):
        g = tf.random.Generator.from_seed(seed)
        yield f"{seed} state", g.state
        yield f"{seed} normal", g.normal([2, 3])
        yield f"{seed} uniform", g.uniform([7], 2.0, 3.0)
        yield f"{seed} integers", g.uniform([7], maxval=100, dtype="int32")
        yield f"{seed} all integers", g.uniform_full_int([7])
        yield f"{seed} truncated", g.truncated_normal([7], dtype="float64")
        yield f"{seed} seeds", g.make_seeds(3)
        yield f"{seed} split", g.split(2)[1].normal([3])
        yield f"{seed} skip", g.skip(5)
        yield f"{seed} state after", g.state
    g = tf.random.Generator.from_seed(1)
    for counts, probs in BINOMIALS:
        yield f"binomial {counts} {probs}", g.binomial([30, 2], counts, probs)
        yield f"binomial {counts} {probs} state", g.state
    g = tf.random.Generator.from_key_counter(5, [2**64 - 1, 1], "philox")
    yield "carry", g.normal([9])
    yield "carry state", g.state
