"""Bytes that replicas send in a step of training, by the text of the program that XLA has made.

    python -m bench.traffic

A sum over n replicas by a ring lets each of them send 2 (n - 1) / n times what is summed. The sums
of a step do not depend on n, as the programs for 2, 4 and 8 replicas show.
"""

import re

import numpy as np

COMPILED = (2, 4, 8)
TABLE = tuple(2**i for i in range(1, 13))
SIZES = {"f64": 8, "f32": 4, "s64": 8, "s32": 4, "pred": 1}
"""Bytes of an element, by XLA's name of its dtype."""


def sums(text):
    """The bytes that each all-reduce of a program sums."""
    found = re.findall(r"= (.+?) all-reduce(?:-start)?\(", text)
    return [
        sum(
            SIZES[dtype] * int(np.prod([int(n) for n in shape.split(",") if n]))
            for dtype, shape in re.findall(r"(\w+)\[([\d,]*)\]", types)
        )
        for types in found
    ]


def trained(replicas, width=64):
    """The bytes of a model, and the text of a step that trains it with so many replicas."""
    import cinta as tf

    strategy = tf.distribute.MirroredStrategy([f"CPU:{i}" for i in range(replicas)])
    rng = np.random.default_rng(0)
    shapes = [(32, width), (width,), (width, width), (width,), (width, 1), (1,)]
    with strategy.scope():
        weights = [tf.Variable(rng.normal(size=shape).astype("f4")) for shape in shapes]

    def step(x, y):
        w1, b1, w2, b2, w3, b3 = weights
        with tf.GradientTape() as tape:
            error = (tf.tanh(tf.tanh(x @ w1 + b1) @ w2 + b2) @ w3 + b3 - y) ** 2
            loss = tf.nn.compute_average_loss(error[:, 0])
        slopes = tape.gradient(loss, weights)
        slopes = tf.distribute.get_replica_context().all_reduce("SUM", slopes)
        for w, slope in zip(weights, slopes, strict=True):
            w.assign_sub(0.1 * slope)
        return loss

    @tf.function(jit_compile=True)
    def train(x, y):
        return strategy.run(step, (x, y))

    x = rng.normal(size=(8 * replicas, 32)).astype("f4")
    data = tf.data.Dataset.from_tensor_slices((x, x[:, :1])).batch(8 * replicas).repeat(2)
    for batch in strategy.experimental_distribute_dataset(data):
        train(*batch)
    (variant,) = strategy._programs[step].variants
    return sum(4 * int(np.prod(shape)) for shape in shapes), variant.runner.callable.program.text()


def sent(replicas):
    """The bytes that each replica sends in a step, in sizes of the model."""
    return 2 * (replicas - 1) / replicas


def rows():
    """The table, line by line, as it stands in the documentation."""
    return [f"| {n} | {sent(n):.4f} × |" for n in TABLE]


def main():
    """Print what is summed, and the table."""
    import cinta as tf

    (cpu,) = tf.config.list_physical_devices("CPU")
    part = tf.config.LogicalDeviceConfiguration()
    tf.config.set_logical_device_configuration(cpu, [part] * max(COMPILED))
    for replicas in COMPILED:
        size, text = trained(replicas)
        found = sums(text)
        print(f"{replicas} replicas: {len(found)} all-reduce of {sum(found)} bytes, model {size}")
    print("\n".join(rows()))


if __name__ == "__main__":
    main()
