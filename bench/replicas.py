"""A step of training on two replicas, against the same step by hand in ``jax.jit(shard_map)``.

    python -m bench.replicas                            both replicas in this process
    cinta launch -n 2 bench/replicas.py                  one in each of two processes

Both train an MLP by gradient descent on the same batches, in turns, step by step. The ratio is that
of the shortest steps, since other work on the machine only makes steps longer.
"""

import os
import statistics
import time

import numpy as np

WIDTHS = {"small": 64, "512": 512, "1024": 1024}
ROWS, FEATURES, ROUNDS = 64, 64, 60


def shapes(width):
    """The shapes of the weights of the MLP."""
    return [(FEATURES, width), (width,), (width, width), (width,), (width, 1), (1,)]


def ours(strategy, width, batch):
    """The step by cinta: a function that takes it and gives its loss."""
    import cinta as tf

    rng = np.random.default_rng(0)
    with strategy.scope():
        weights = [
            tf.Variable(rng.normal(size=shape).astype("f4") * 0.05) for shape in shapes(width)
        ]

    def step(x):
        w1, b1, w2, b2, w3, b3 = weights
        with tf.GradientTape() as tape:
            error = (tf.tanh(tf.tanh(x @ w1 + b1) @ w2 + b2) @ w3 + b3 - x[:, :1]) ** 2
            loss = tf.reduce_sum(error) / ROWS
        slopes = tape.gradient(loss, weights)
        slopes = tf.distribute.get_replica_context().all_reduce("SUM", slopes)
        for w, slope in zip(weights, slopes, strict=True):
            w.assign_sub(0.1 * slope)
        return loss

    @tf.function(jit_compile=True)
    def train(x):
        return strategy.run(step, args=(x,))

    data = tf.data.Dataset.from_tensors(batch)
    (given,) = strategy.experimental_distribute_dataset(data)

    def take():
        found = train(given)
        return sum(float(x) for x in strategy.experimental_local_results(found))

    return take


def by_hand(width, batch, count_here):
    """The same step in JAX."""
    import jax
    import jax.numpy as jnp
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    rng = np.random.default_rng(0)
    mesh = Mesh(np.array(jax.devices()), ("replica",))
    part, whole = PartitionSpec("replica"), PartitionSpec()
    weights = [
        jax.make_array_from_callback(x.shape, NamedSharding(mesh, whole), lambda i, x=x: x[i])
        for x in [rng.normal(size=shape).astype("f4") * np.float32(0.05) for shape in shapes(width)]
    ]

    def loss_of(weights, x):
        w1, b1, w2, b2, w3, b3 = weights
        error = (jnp.tanh(jnp.tanh(x @ w1 + b1) @ w2 + b2) @ w3 + b3 - x[:, :1]) ** 2
        return jnp.sum(error) / ROWS

    def step(weights, x):
        loss, slopes = jax.value_and_grad(loss_of)(weights, x)
        slopes = jax.lax.psum(slopes, "replica")
        return [w - 0.1 * g for w, g in zip(weights, slopes, strict=True)], loss[None]

    mapped = jax.shard_map(
        step, mesh=mesh, in_specs=(whole, part), out_specs=(whole, part), check_vma=False
    )
    program = jax.jit(mapped, donate_argnums=0)
    first = jax.process_index() * count_here * ROWS // len(jax.devices())
    rows = batch[first : first + count_here * ROWS // len(jax.devices())]
    sharding = NamedSharding(mesh, part)

    def take():
        nonlocal weights
        given = jax.make_array_from_process_local_data(sharding, rows)
        weights, losses = program(weights, given)
        return sum(float(shard.data[0]) for shard in losses.addressable_shards)

    return take


def seconds(take):
    """How long a step takes."""
    begun = time.perf_counter()
    take()
    return time.perf_counter() - begun


def compared(strategy, width, rounds=ROUNDS):
    """The seconds of the shortest steps by cinta and by hand, and the median of ratios."""
    batch = np.random.default_rng(1).normal(size=(ROWS, FEATURES)).astype("f4")
    take = ours(strategy, width, batch)
    first = take()  # now JAX has begun, with a device for each replica
    takes = [take, by_hand(width, batch, len(strategy.extended.worker_devices))]
    losses = [[first, takes[1]()], *[[take() for take in takes] for _ in range(4)]]
    np.testing.assert_allclose(*zip(*losses, strict=True), rtol=1e-5)
    times = [[seconds(take) for take in takes] for _ in range(rounds)]
    least = [min(column) for column in zip(*times, strict=True)]
    return *least, statistics.median(one / other for one, other in times)


def main():
    """Print a row for each width."""
    import cinta as tf

    if "TF_CONFIG" not in os.environ:
        (cpu,) = tf.config.list_physical_devices("CPU")
        part = tf.config.LogicalDeviceConfiguration()
        tf.config.set_logical_device_configuration(cpu, [part] * 2)
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    for name, width in WIDTHS.items():
        size = sum(4 * int(np.prod(shape)) for shape in shapes(width))
        one, other, median = compared(strategy, width)
        if not strategy.cluster_resolver.task_id:
            print(
                f"{name}: {size / 1e6:.2f} MB of gradients: {one * 1e3:.2f} ms, by hand "
                f"{other * 1e3:.2f} ms: {one / other:.2f} x, median {median:.2f} x",
                flush=True,
            )


if __name__ == "__main__":
    main()
