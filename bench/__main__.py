"""Measure and print the tables; with --keep, write them to `bench/results` and draw them.

On a machine that is not quiet, --cpu counts processor time on one thread, of gradients alone.
"""

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
    parser.add_argument("--cpu", action="store_true", help="processor time, of gradients alone")
    args = parser.parse_args()
    if args.cpu and args.keep:
        parser.error("kept are times of a quiet machine, not those of --cpu")

    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")  # TensorFlow talks while it starts
    if args.cpu:
        os.environ.update(measure.ON_ONE_THREAD)
        asked = measure.gradients(args.peers, args.rounds, "cpu_seconds")
    else:
        asked = measure.everything(args.peers, args.rounds)
    tables = []
    for table in asked:
        tables.append(table)
        print(report.markdown(table, args.peers), end="\n\n", flush=True)
    print(report.LEGEND)
    if args.keep:
        report.write(tables, args.peers)
        speed.draw()


if __name__ == "__main__":
    main()
