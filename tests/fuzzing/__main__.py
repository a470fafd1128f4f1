"""Run many cases with little memory: ``python -m tests.fuzzing checkpoints 10000 [first]``."""

import faulthandler
import resource
import sys
import warnings

from . import complaint, kinds

ROOM = 2 << 30
"""Bytes that may be taken beyond what the process has when it begins."""


def main(name, count, first=0):
    faulthandler.enable()
    warnings.simplefilter("ignore")
    kind = kinds()[name]
    complaint(kind, name, 0)  # which imports what it needs
    with open("/proc/self/statm") as file:
        size = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + ROOM, size + ROOM))
    failed = 0
    for number in range(first, first + count):
        print(number, end="\r", file=sys.stderr, flush=True)  # the last one, if it crashes
        found = complaint(kind, name, number)
        if found:
            failed += 1
            print(found, flush=True)
    print(f"{name}: {count} changed files, {failed} complaints")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))
