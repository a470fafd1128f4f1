"""Raw ops: their arguments, and what they give for calls whose results TensorFlow knows."""

import gzip
import json

import numpy as np
import pytest

import cinta as tf
from tests.raw_ops.raw_op_cases import cases
from tests.raw_ops.raw_op_running import outcome
from tests.references import REFERENCES

DATA = REFERENCES / "raw_ops.json.gz"
OF_TENSORFLOW = json.loads(gzip.decompress(DATA.read_bytes()))
CASES = cases()

DRAWN = {
    "NonDeterministicInts",
    "NonDeterministicInts 2",
    "RandomStandardNormal 2",
    "SampleDistortedBoundingBox",
    "SampleDistortedBoundingBoxV2",
}
"""Calls whose numbers nobody can foretell: their shapes and dtypes are compared."""

NOT_WRITTEN = {"Eig 2": 1, "FusedBatchNorm 2": 1, "FusedBatchNormV3 2": 1, "SelfAdjointEigV2": 1}
NOT_WRITTEN |= {"FusedBatchNormV3": 5, "Svd": 1}
"""Calls of which TensorFlow computes so many results, and leaves the others to chance."""

DIFFERENTIABLE = {
    "ExtractGlimpse",
    "FakeQuantWithMinMaxArgsGradient",
    "FakeQuantWithMinMaxVarsGradient",
    "FakeQuantWithMinMaxVarsPerChannelGradient",
    "FusedBatchNorm",
    "FusedBatchNormGradV2",
    "FusedBatchNormV3",
    "HSVToRGB",
    "LinSpace",
    "MatrixSolveLs",
    "ParameterizedTruncatedNormal",
    "ResizeBilinearGrad",
    "SparseAddGrad",
    "SparseConcat",
}
"""Ops with derivatives that TensorFlow does not know."""

TRUE = {
    "BlockLSTMV2",
    "CropAndResize 2",
    "StatelessParameterizedTruncatedNormal",
    "ImageProjectiveTransformV2",
    "ImageProjectiveTransformV3",
    "MatrixDiagV2",
}
"""Ops whose gradients in TensorFlow are those of other functions."""

SIGNS = {"Qr", "SelfAdjointEigV2", "Svd"}
"""Ops whose results are unique up to signs, or turns."""


def array(about):
    """The elements as they were written down."""
    dtype, shape, elements = about
    if dtype.startswith("complex"):
        elements = np.asarray(elements, float).reshape(-1, 2) @ [1, 1j]
    kind = "float64" if dtype == "bfloat16" else "object" if dtype == "string" else dtype
    return np.array(elements, kind).reshape(shape)


def compare(found, expected, what, up_to_sign=False):
    assert found[:2] == expected[:2], f"{what}: {found[:2]} for {expected[:2]}"
    got, wanted = array(found), array(expected)
    if found[0] == "string" or got.dtype.kind not in "fc":
        np.testing.assert_array_equal(got, wanted, err_msg=what)
        return
    if up_to_sign:
        got, wanted = np.abs(got), np.abs(wanted)
    small = found[0] in ("float16", "bfloat16")
    size = max([1.0, *np.abs(wanted[np.isfinite(wanted)]).reshape(-1)])
    tolerance = 4e-3 if small else 2e-5
    np.testing.assert_allclose(got, wanted, tolerance, tolerance * size, err_msg=what)


@pytest.mark.parametrize("name", OF_TENSORFLOW)
def test_results_and_gradients_are_tensorflows(name):
    expected = OF_TENSORFLOW[name]
    op = name.partition(" ")[0]
    found = outcome(tf, name, CASES[name])
    assert found["fields"] == expected["fields"]
    for part in ("results", "held") if op != "StatefulRandomBinomial" else ("results",):
        assert len(found[part]) == len(expected[part])
        count = NOT_WRITTEN.get(name)
        for got, wanted in zip(found[part][:count], expected[part][:count], strict=True):
            if name in DRAWN:
                assert got[:2] == wanted[:2]
            else:
                compare(got, wanted, part, op in SIGNS)
    if name in DRAWN or op in SIGNS | TRUE or name in TRUE:
        return
    for source, wanted in expected["gradients"].items():
        got = found["gradients"][source]
        if isinstance(wanted, list):
            if got is None and not np.any(array(wanted)):
                continue  # zeros are another way to say that nothing flows
            assert isinstance(got, list), f"gradient by {source}: {got}"
            compare(got, wanted, f"gradient by {source}")
        elif wanted is None and op not in DIFFERENTIABLE:
            assert got is None, f"gradient by {source}"


def test_slices_of_strings_are_told_apart():
    x = tf.constant([["b", "a"], ["b", "a"], ["a", "a"]])
    rows = tf.raw_ops.UniqueV2(x=x, axis=[0])
    assert rows.y.numpy().tolist() == [[b"b", b"a"], [b"a", b"a"]]
    assert rows.idx.numpy().tolist() == [0, 0, 1]
    columns = tf.raw_ops.UniqueV2(x=x, axis=[1])
    np.testing.assert_array_equal(columns.y, x)
