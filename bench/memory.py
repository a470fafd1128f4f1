"""The memory that gradients of networks of a hundred million numbers take: cinta and PyTorch.

    python -m bench.memory [--peers PEER ...] [--rows ROW ...] [--keep]

Each network has a process of its own for each peer. Counted is what the process takes beyond its
parameters: at the most during value and gradients, and between both, when what the gradients need
is kept.
"""

import argparse
import json

from bench import measure, peers, report

TITLES = {
    "mlp": "MLP 784 – 6 × 4096, batch 512",
    "convnet": "convnet, 8 images 64×64: 4 × 64 channels, 10 × 1024 on 8×8",
    "transformer": "transformer, 8 blocks 128×1024, batch 4",
    "transformer_recomputed": "the same, each block computed again",
    "transformer_bfloat16": "the same in bfloat16, none computed again",
}
MILLIONS = 100


def main():
    present = peers.installed(peers.MEMORY)
    parser = argparse.ArgumentParser(prog="python -m bench.memory", description=__doc__)
    parser.add_argument("--peers", nargs="+", choices=present, default=present, metavar="PEER")
    parser.add_argument("--rows", nargs="+", choices=TITLES, default=list(TITLES), metavar="ROW")
    parser.add_argument("--keep", action="store_true", help=f"write to {report.RESULTS}")
    args = parser.parse_args()
    tables = measured(args.rows, args.peers, MILLIONS)
    titles = {name: peers.MEMORY[name].title for name in args.peers}
    for table in tables:
        print(report.markdown(table, args.peers, titles), end="\n\n")
    if args.keep:
        found = {
            "machine": report.describe_machine(args.peers),
            "tables": [vars(table) for table in tables],
        }
        text = json.dumps(found, indent=2, ensure_ascii=False) + "\n"
        (report.RESULTS / "memory.json").write_text(text)


def measured(rows, names, millions):
    """Both tables."""
    most = measure.Table("The most during value and gradients", "MB")
    kept = measure.Table("Kept between both", "MB")
    for row in rows:
        for table, question in ((most, "peak_bytes"), (kept, "kept_bytes")):
            for name in names:
                worker = measure.Worker([name])
                table.rows[TITLES[row]][name] = worker.ask(question, name, row, millions) / 1e6
                worker.close()
    return most, kept


if __name__ == "__main__":
    main()
