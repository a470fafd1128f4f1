"""The time of a training step with Adam in a hand-written loop: cinta, PyTorch and JAX.

    python -m bench.training [--peers PEER ...] [--rows ROW ...] [--rounds N] [--keep]

Each peer works in a process of its own, and they are asked in turn. All must come to the same
losses.
"""

import argparse
import json

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
    args = parser.parse_args()
    rows = {name: TITLES[name] for name in args.rows}
    table = measure.speed("A training step with Adam", rows, args.peers, args.rounds)
    titles = {name: peers.TRAINING[name].title for name in args.peers}
    print(report.markdown(table, args.peers, titles))
    if args.keep:
        found = {"machine": report.describe_machine(args.peers), "table": vars(table)}
        text = json.dumps(found, indent=2, ensure_ascii=False) + "\n"
        (report.RESULTS / "training.json").write_text(text)


if __name__ == "__main__":
    main()
