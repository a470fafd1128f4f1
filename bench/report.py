"""The tables as Markdown, which reads well in a terminal too, and as JSON."""

import json
from importlib.metadata import packages_distributions, version
from pathlib import Path

from bench.peers import PEERS

RESULTS = Path(__file__).parent / "results"
OURS = ("cinta", "cinta-xla", "cinta-replay")
"""Which of our numbers the peers' are compared to: the first that there is."""
LEGEND = "In brackets: cinta's number divided by the peer's. Below 1, cinta takes less."


def write(tables, names):
    """Keep the results, for people and for programs."""
    machine = describe_machine(names)
    RESULTS.mkdir(exist_ok=True)
    found = {"machine": machine, "tables": [vars(table) for table in tables]}
    (RESULTS / "results.json").write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n")
    parts = ["# What cinta and its peers take", LEGEND, "\n".join(["```", *machine, "```"])]
    parts += [markdown(table, names) for table in tables]
    (RESULTS / "results.md").write_text("\n\n".join(parts) + "\n")


def markdown(table, names, titles=None):
    """The table, with a column for each peer."""
    titles = titles or {name: PEERS[name].title for name in names}
    head = [f"{table.title}, {table.unit}", *(titles[name] for name in names)]
    body = [[title, *(cell(row, name) for name in names)] for title, row in table.rows.items()]
    widths = [max(map(len, column)) for column in zip(head, *body, strict=True)]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join(
        "| " + " | ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]) + " |"
        for line in (head, rule, *body)
    )


def cell(row, name):
    if name not in row:
        return ""
    ours = next((row[each] for each in OURS if each in row), None)
    if ours is None or name.startswith("cinta"):
        return number(row[name])
    return f"{number(row[name])} ({ours / row[name]:.2g})"


def number(value):
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def describe_machine(names):
    """The machine as cinta finds it, and the versions of the peers."""
    # Imported at the top, it would be imported, and tune NumPy, in the processes of all peers too.
    from cinta import machine

    distributions = packages_distributions()
    libraries = dict.fromkeys(name.partition("-")[0] for name in names)
    packages = [
        f"{name} {version(distributions[name][0])}" for name in libraries if name in distributions
    ]
    return [*str(machine.report()).splitlines(), f"peers      {', '.join(packages)}"]
