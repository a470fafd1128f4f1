"""Write what TensorFlow does with the junk of tests/junk; needs tensorflow 2.21 in the second step.

    python tools/junk_in_tensorflow.py list calls.json   # where cinta is installed
    python tools/junk_in_tensorflow.py ask calls.json    # where TensorFlow is

Each function has a process of its own, because some junk ends it. A space stands for what is not
known: the process ended, or waited for longer than a few seconds.
"""

import gzip
import json
import os
import pathlib
import select
import signal
import sys
import warnings

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = ROOT / "tests" / "references" / "junk_in_tensorflow.json.gz"
SECONDS, PATIENCE = 2, 15
LETTERS = "IUORNFEAKXLMSPWTVDYQ"


def listed(path):
    """Write the calls, and the code that comes before each."""
    sys.path.insert(0, str(ROOT))
    from tests.junk.kinds import JUNK
    from tests.junk.subjects import public, subjects

    calls = {}
    for name in public():
        for subject in subjects(name):
            for _, call in subject.variants():
                calls.setdefault(call, [subject.before, list(JUNK)])
            for _, call in subject.miscounted():
                calls.setdefault(call, [subject.before, ["None"]])
    pathlib.Path(path).write_text(json.dumps({"junk": JUNK, "calls": calls}))


class TooLong(BaseException):
    """The call did not come to an end in time."""


def stop(*_):
    raise TooLong


def answer(tf, np, before, call, junk):
    """A dot if the call returns, the letter of what it raises, a space if it does not end."""
    names = {"tf": tf, "np": np}
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        exec(before.replace("import cinta as tf", "import tensorflow as tf"), names)
        names["JUNK"] = eval(junk, names)
    except BaseException:
        return " "
    try:
        eval(call, names)
    except TooLong:
        return " "
    except Exception as error:
        return letter(tf, error)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return "."


def letter(tf, error):
    """The letter of an exception, as in tests/junk/table.py."""
    found = [each for each, kind in zip(LETTERS, kinds(tf), strict=True) if isinstance(error, kind)]
    return [*found, "?"][0]


def kinds(tf):
    """The kinds of exceptions in the order of their letters."""
    errors = tf.errors
    return (
        errors.InvalidArgumentError,
        errors.UnimplementedError,
        errors.OutOfRangeError,
        errors.ResourceExhaustedError,
        errors.NotFoundError,
        errors.FailedPreconditionError,
        errors.OpError,
        *(AttributeError, KeyError, IndexError, LookupError, NotImplementedError, AssertionError),
        *(StopIteration, OverflowError, TypeError, ValueError, OSError, MemoryError, RuntimeError),
    )


def in_a_process(tf, np, before, call, junk):
    """The answers for a list of junk, up to where the process ended."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        signal.signal(signal.SIGALRM, stop)
        warnings.simplefilter("ignore")
        for each in junk:
            os.write(write, answer(tf, np, before, call, each).encode())
        os._exit(0)
    os.close(write)
    found = ""
    while select.select([read], [], [], PATIENCE)[0] and (piece := os.read(read, 4096)):
        found += piece.decode()
    os.close(read)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return found


def asked(path):
    """Ask TensorFlow about all calls, and write the table."""
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import numpy as np
    import tensorflow as tf

    data = json.loads(pathlib.Path(path).read_text())
    table = {}
    for call, (before, junk) in data["calls"].items():
        found = ""
        while len(found) < len(junk):
            found += in_a_process(tf, np, before, call, junk[len(found) :])
            found += " " * (len(found) < len(junk))  # this one ended the process
        if found.strip():
            table[call] = found
    text = json.dumps({"junk": data["junk"], "calls": table}, indent=0, sort_keys=True)
    TARGET.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    print(f"wrote {TARGET}, {TARGET.stat().st_size} bytes, by TensorFlow {tf.__version__}")


if __name__ == "__main__":
    {"list": listed, "ask": asked}[sys.argv[1]](sys.argv[2])
