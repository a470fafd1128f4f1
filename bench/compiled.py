"""Times of recorded and compiled functions: those of cinta, JAX, TensorFlow and PyTorch.

    python -m bench.compiled [--peers PEER ...] [--rows ROW ...] [--rounds N] [--keep]

Values and gradients, fetched. Each peer works in a process of its own, and they are asked in turn.
"""

import argparse
import json
import os
import statistics
from importlib.util import find_spec

from bench import data, measure, peers, report

TITLES = {
    "mlp": measure.WORKLOADS["mlp"],
    "attention": measure.LAYERS["attention"],
    "convolution": measure.LAYERS["convolution"],
    "elementwise": measure.WORKLOADS["elementwise"],
    "chain": measure.WORKLOADS["chain"],
    "updates": "6 variables of 4 numbers, updated",
    "loop": f"loop of {data.TURNS} turns: tanh(h @ w + x), 8 × 32",
    "descent": "6 variables of 4 numbers, read, differentiated and updated",
}


TURNS = (data.TURNS, 100_000)
FIRST = ("mlp", "attention", "chain")


def first_calls(rounds):
    """The time of a function's first call, which records, beside that of the Python alone."""
    table = measure.Table("First calls", "µs")
    worker = measure.Worker(["cinta-eager", "cinta-replay"])
    for workload in FIRST:
        eager, first = [], []
        for _ in range(10 * rounds):
            eager.append(worker.ask("once", "cinta-eager", workload))
            first.append(worker.ask("first", "cinta-replay", workload))
        table.rows[TITLES[workload]] = {
            "cinta-eager": 1e6 * statistics.median(eager),
            "cinta-replay": 1e6 * statistics.median(first),
        }
    worker.close()
    return table


def second_calls(rounds):
    """The time of a function's second call, which compiles the recording."""
    table = measure.Table("Second calls", "ms")
    names = ["cinta-replay", "cinta-xla"]
    worker = measure.Worker(names)
    for workload in FIRST:
        for name in names if find_spec("jax") else names[:1]:
            times = [worker.ask("second", name, workload) for _ in range(rounds)]
            table.rows[TITLES[workload]][name] = 1e3 * statistics.median(times)
    worker.close()
    return table


def loops(names):
    """The time of the first two calls of a function with a loop, and of its gradient."""
    table = measure.Table("Loops with their gradients: the first two calls", "ms")
    for name in names:
        worker = measure.Worker([name])
        if worker.ask("offers", name, "loop"):
            for turns in TURNS:
                seconds = worker.ask("first_two", name, "loop", turns)
                table.rows[f"{turns} turns"][name] = 1e3 * seconds
        worker.close()
    return table


def main():
    present = peers.installed(peers.COMPILED)
    parser = argparse.ArgumentParser(prog="python -m bench.compiled", description=__doc__)
    parser.add_argument("--peers", nargs="+", choices=present, default=present, metavar="PEER")
    parser.add_argument("--rows", nargs="+", choices=TITLES, default=list(TITLES), metavar="ROW")
    parser.add_argument("--rounds", type=int, default=5, help="default: %(default)s")
    parser.add_argument("--keep", action="store_true", help=f"write to {report.RESULTS}")
    args = parser.parse_args()
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    rows = {name: TITLES[name] for name in args.rows}
    tables = [measure.speed("Compiled functions", rows, args.peers, args.rounds)]
    if {"cinta-eager", "cinta-replay"} <= set(args.peers):
        tables += [first_calls(args.rounds), second_calls(args.rounds)]
    if "loop" in rows:
        tables.append(loops(args.peers))
    titles = {name: peers.COMPILED[name].title for name in args.peers}
    for table in tables:
        names = [name for name in args.peers if any(name in row for row in table.rows.values())]
        print(report.markdown(table, names, titles), end="\n\n")
    if args.keep:
        found = json.dumps([vars(table) for table in tables], indent=2, ensure_ascii=False)
        (report.RESULTS / "compiled.json").write_text(found + "\n")


if __name__ == "__main__":
    main()
