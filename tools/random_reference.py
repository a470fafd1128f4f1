"""Write what TensorFlow draws in the cases of `random_cases.py`; needs tensorflow 2.21.

python tools/random_reference.py
"""

import pathlib
import sys

import numpy as np
import tensorflow as tf

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
from tests.ops.random.random_cases import draws  # noqa: E402 - the path comes first

if __name__ == "__main__":
    target = ROOT / "tests" / "references" / "random_reference.npz"
    target.parent.mkdir(exist_ok=True)
    np.savez_compressed(target, **dict(draws(tf)))
    print(f"wrote {target}, {target.stat().st_size} bytes, by TensorFlow {tf.__version__}")
