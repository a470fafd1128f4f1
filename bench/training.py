"""The time of a training step with Adam in a hand-written loop: cinta, PyTorch and JAX.

    python -m bench.training [--peers PEER ...] [--rows ROW ...] [--rounds N] [--cpu] [--keep]

Each peer works in a process of its own, and they are asked in turn. All must come to the same
losses. The last column is the least time for the products and for Adam's way through memory, from
rates that are measured too. On a machine that is not quiet, `--cpu` counts processor time on one
thread.
"""

import argparse
import json
import os

from bench import measure, peers, report

TITLES = {
    "mlp": "MLP 784-512-512-10, batch 128",
    "cnn": "CNN 28×28×1, convolutions to 16 and 32, 3×3, batch 128",
    "transformer": "transformer, two blocks 64×128 of 4 heads, batch 16",
    "lstm": "LSTM, 50 steps of 64 numbers, 128 units, batch 32",
}


def main():
    present = peers.installed(peers.TRAINING)
    parser = argparse.ArgumentParser(prog="python -m bench.training", description=__doc__)
    parser.add_argument("--peers", nargs="+", choices=present, default=present, metavar="PEER")
    parser.add_argument("--rows", nargs="+", choices=TITLES, default=list(TITLES), metavar="ROW")
    parser.add_argument("--rounds", type=int, default=5, help="default: %(default)s")
    parser.add_argument("--keep", action="store_true", help=f"write to {report.RESULTS}")
    parser.add_argument("--cpu", action="store_true", help="processor time, on one thread")
    args = parser.parse_args()
    if args.cpu:
        os.environ.update(measure.ON_ONE_THREAD)
    table = measured(args.rows, args.peers, args.rounds, args.cpu)
    titles = {name: peers.TRAINING[name].title for name in args.peers}
    print(report.markdown(table, [*args.peers, "limit"], titles | {"limit": "limit"}))
    if args.keep:
        from bench import bars  # at the top it would import cinta in the processes of all peers

        picture = bars.chart(table.rows, titles, f"{table.title}: multiples of the limit")
        (report.RESULTS / "training.svg").write_text(picture)
        found = {"machine": report.describe_machine(args.peers), "table": vars(table)}
        text = json.dumps(found, indent=2, ensure_ascii=False) + "\n"
        (report.RESULTS / "training.json").write_text(text)


def measured(rows, names, rounds, by_processor):
    """The times of the peers, and beside them the limit of the machine."""
    title, question = "A training step with Adam", "seconds"
    if by_processor:
        title, question = f"{title}, processor time on one thread", "cpu_seconds"
    titles = {name: TITLES[name] for name in rows}
    table = measure.speed(title, titles, names, rounds, question=question)
    from bench import limits  # at the top it would import NumPy in the processes of all peers

    worker = measure.Worker([])
    flops, bandwidth = worker.ask("rates", by_processor)
    worker.close()
    for name in rows:
        limits.add(table.rows[TITLES[name]], name, flops, bandwidth)
    return table


if __name__ == "__main__":
    main()
