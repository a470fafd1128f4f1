"""Write what TensorFlow's raw ops give for the calls in tests/raw_op_cases; needs tensorflow 2.21.

python tools/raw_op_reference.py
"""

import gzip
import json
import pathlib
import sys

import tensorflow as tf

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
from tests.raw_ops.raw_op_cases import cases  # noqa: E402 - the path comes first
from tests.raw_ops.raw_op_running import outcome  # noqa: E402

if __name__ == "__main__":
    found = {}
    for name, arguments in cases().items():
        try:
            found[name] = outcome(tf, name, arguments)
        except Exception as error:
            print(f"{name}: {type(error).__name__}: {str(error)[:200]}")
    target = ROOT / "tests" / "references" / "raw_ops.json.gz"
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(found[name])}" for name in found)
    target.write_bytes(gzip.compress(f"{{\n{lines}\n}}\n".encode(), mtime=0))
    print(f"wrote {target}, {target.stat().st_size} bytes, by TensorFlow {tf.__version__}")
