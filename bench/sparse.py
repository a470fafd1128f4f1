"""How the time of sparse derivatives grows with their size, against dense ones.

    python -m bench.sparse [--keep]

A tridiagonal Jacobian and the Hessian of the chained Rosenbrock function, in double precision: with
cinta, structure and coloring included or with a plan that is there already; dense with JAX,
compiled; and dense with finite differences of NumPy written by hand. Each peer works in a process
of its own, one after the other, up to the size that takes it too long or too much memory. Then the
processor time of coloring a million columns: a tridiagonal structure, by a period, and rows of 3
and 5 nonzeros at random places, greedily.
"""

import argparse
import json
import math
import subprocess
import sys
import time

import numpy as np
from scipy.sparse import csr_array, diags_array

from bench import loglog, report

SIZES = [round(10 ** (k / 2)) for k in range(4, 13)]
LONGEST = 5.0  # seconds; a peer that took longer goes no further
MOST_BYTES = 2 << 30  # of a dense matrix
TITLES = {
    "jacobian": "Tridiagonal Jacobian",
    "hessian": "Hessian of the chained Rosenbrock function",
}
PEERS = {
    "found": "cinta, structure found each time",
    "planned": "cinta, with a plan",
    "jax": "JAX, dense, compiled",
    "differences": "finite differences, dense",
}


# -- workloads -----------------------------------------------------------------------------------


def tridiagonal(x, concatenate, sin):
    zero = np.zeros(1)
    left, right = concatenate([zero, x[:-1]], 0), concatenate([x[1:], zero], 0)
    return x * x - left * right + sin(left)


def rosenbrock(x, total):
    return total(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def rosenbrock_gradient(x):
    g = np.zeros_like(x)
    inner = x[1:] - x[:-1] ** 2
    g[1:] += 200.0 * inner
    g[:-1] -= 400.0 * x[:-1] * inner + 2.0 * (1.0 - x[:-1])
    return g


def by_cinta(kind, x, planned):
    import cinta as tf

    if kind == "jacobian":
        make = tf.autodiff.sparse_jacobian_plan if planned else tf.autodiff.sparse_jacobian
        f = lambda x: tridiagonal(x, tf.concat, tf.sin)  # noqa: E731
    else:
        make = tf.autodiff.sparse_hessian_plan if planned else tf.autodiff.sparse_hessian
        f = lambda x: rosenbrock(x, tf.reduce_sum)  # noqa: E731
    x = tf.constant(x)
    derivative = make(f, x) if planned else make(f)
    return lambda: derivative(x)


def by_jax(kind, x):
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    if kind == "jacobian":
        derivative = jax.jit(jax.jacfwd(lambda x: tridiagonal(x, jnp.concatenate, jnp.sin)))
    else:
        derivative = jax.jit(jax.hessian(lambda x: rosenbrock(x, jnp.sum)))
    x = jnp.asarray(x)
    return lambda: derivative(x).block_until_ready()


def by_differences(kind, x):
    if kind == "jacobian":
        f = lambda x: tridiagonal(x, np.concatenate, np.sin)  # noqa: E731
    else:
        f = rosenbrock_gradient

    def derivative():
        found, here = np.empty((x.size, x.size)), f(x)
        for j in range(x.size):
            step = 1e-7 * max(1.0, abs(x[j]))
            moved = x.copy()
            moved[j] += step
            found[:, j] = (f(moved) - here) / step
        return found

    return derivative


def prepared(peer, kind, x):
    """The call to time."""
    if peer == "jax":
        return by_jax(kind, x)
    if peer == "differences":
        return by_differences(kind, x)
    return by_cinta(kind, x, peer == "planned")


# -- coloring -----------------------------------------------------------------------------------


def structures(size):
    """By name a structure that has a period, and some that have none."""
    ones = np.ones(size)
    band = diags_array([ones[1:], ones, ones[1:]], offsets=[-1, 0, 1]).tocsr()
    found = {"tridiagonal": band}
    for count in (3, 5):
        columns = np.sort(np.random.default_rng(0).integers(0, size, (size, count)), axis=1)
        places = np.arange(0, columns.size + 1, count)
        rows = csr_array((np.ones(columns.size, bool), columns.ravel(), places), (size, size))
        rows.sum_duplicates()
        found[f"{count} at random in each row"] = rows
    return found


def coloring(size):
    """The seconds of the processor for each structure, and how many colors it needs."""
    from cinta.sparsity.coloring import color_columns

    found = {}
    for name, structure in structures(size).items():
        begin = time.process_time()
        colors = color_columns(structure)
        found[name] = time.process_time() - begin, int(colors.max()) + 1
    return found


# -- a peer in its process -----------------------------------------------------------------------


def curve(peer, kind):
    """For every size that is within reach the time in seconds, and a number to compare."""
    points = []
    for size in SIZES:
        if peer in ("jax", "differences") and 8 * size**2 > MOST_BYTES:
            break
        x = np.random.default_rng(size).uniform(0.5, 1.5, size)
        call = prepared(peer, kind, x)
        matrix = call()  # not timed: compiled, or loaded
        seconds = []
        while len(seconds) < 3 or (sum(seconds) < 0.5 and len(seconds) < 20):
            before = time.perf_counter()
            call()
            seconds.append(time.perf_counter() - before)
            if seconds[-1] > LONGEST:
                break
        direction = np.cos(np.arange(size))
        points.append((size, min(seconds), float(np.sin(np.arange(size)) @ (matrix @ direction))))
        if min(seconds) > LONGEST:
            break
    return points


# -- the driver ----------------------------------------------------------------------------------


def measured(peer, kind):
    command = [sys.executable, "-m", "bench.sparse", "--peer", peer, "--kind", kind]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def agree(curves):
    """Raise unless all peers compute the same."""
    for size, _, value in (point for points in curves.values() for point in points):
        expected = next(v for n, _, v in curves["found"] if n == size)
        if not math.isclose(value, expected, rel_tol=1e-3, abs_tol=1e-2 * math.sqrt(size)):
            raise ArithmeticError(f"at size {size} peers disagree: {value}, {expected}")


def main():
    parser = argparse.ArgumentParser(prog="python -m bench.sparse", description=__doc__)
    parser.add_argument("--keep", action="store_true", help=f"write to {report.RESULTS}")
    parser.add_argument("--peer", choices=PEERS, help=argparse.SUPPRESS)
    parser.add_argument("--kind", choices=TITLES, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.peer:
        print(json.dumps(curve(args.peer, args.kind)))
        return
    for kind, title in TITLES.items():
        curves = {peer: measured(peer, kind) for peer in PEERS}
        agree(curves)
        times = {PEERS[peer]: [point[:2] for point in points] for peer, points in curves.items()}
        print(f"{title}, seconds")
        for name, points in times.items():
            print(f"  {name:34}", "  ".join(f"{n:,}: {seconds:.2g}" for n, seconds in points))
        if args.keep:
            picture = loglog.chart(times, title, "size", "seconds")
            (report.RESULTS / f"sparse_{kind}.svg").write_text(picture)
            (report.RESULTS / f"sparse_{kind}.json").write_text(json.dumps(times, indent=2) + "\n")
    print("Coloring of a million columns, seconds of the processor")
    for name, (seconds, colors) in coloring(10**6).items():
        print(f"  {name:34} {seconds:.2g}, {colors} colors")


if __name__ == "__main__":
    main()
