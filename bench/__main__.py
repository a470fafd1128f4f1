"""Measure and print the tables; with --keep, write them to `bench/results` and draw them."""

import argparse
import os

from bench import measure, peers, report, speed


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
    parser.add_argument("--rounds", type=int, default=5, help="default: %(default)s")
    parser.add_argument("--keep", action="store_true", help=f"write {report.RESULTS}")
    args = parser.parse_args()

    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")  # TensorFlow talks while it starts
    tables = []
    for table in measure.everything(args.peers, args.rounds):
        tables.append(table)
        print(report.markdown(table, args.peers), end="\n\n", flush=True)
    print(report.LEGEND)
    if args.keep:
        report.write(tables, args.peers)
        speed.draw()


if __name__ == "__main__":
    main()
