"""Measure, print the tables, and keep them in `bench/results`."""

import argparse
import os

from bench import measure, peers, report


def main():
    present = peers.installed()
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument(
        "--peers",
        nargs="+",
        choices=present,
        default=present,
        metavar="PEER",
        help=f"of {', '.join(present)} (default: all of them)",
    )
    parser.add_argument("--rounds", type=int, default=7, help="default: %(default)s")
    args = parser.parse_args()

    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")  # TensorFlow talks while it starts
    tables = []
    for table in measure.everything(args.peers, args.rounds):
        tables.append(table)
        print(report.markdown(table, args.peers), end="\n\n", flush=True)
    report.write(tables, args.peers)
    print(report.LEGEND, f"Kept in {report.RESULTS}.", sep="\n")


if __name__ == "__main__":
    main()
