"""The compiled functions of windows, against the same sums in NumPy."""

from __future__ import annotations

import numpy as np
import pytest

cinta_kernels = pytest.importorskip(
    "cinta_kernels", reason="no compiled functions here: pip install ./kernels, with a C compiler"
)


@pytest.mark.parametrize("step", [1, 2])
@pytest.mark.parametrize("width", [0, 1, 33, 100])
def test_windows(width, step):
    random = np.random.default_rng(0)
    seen = random.normal(size=(2, 4, 3, 2, width * step)).astype(np.float32)[..., ::step]
    weights = random.normal(size=(3, 2, width)).astype(np.float32)
    given = random.normal(size=(2, 4, width)).astype(np.float32)
    found = cinta_kernels.weighted(seen, weights)
    np.testing.assert_allclose(found, np.einsum("nhijr,ijr->nhr", seen, weights), atol=1e-5)
    back = cinta_kernels.gathered_weights(seen, given)
    np.testing.assert_allclose(back, np.einsum("nhijr,nhr->nijr", seen, given), atol=1e-5)


def seen_by_windows(random, counts, lines, places, run, step=1):
    """The numbers in windows of images: windows share them, as those of a convolution do."""
    *_, height, width = counts
    image = random.normal(size=(counts[0], height + lines, step * width + places, run))
    image = image.astype(np.float32)
    batch, down, across, number = image.strides
    shape = (*counts, lines, places, run)
    strides = (batch, down, step * across, down, across, number)
    return np.lib.stride_tricks.as_strided(image, shape, strides, writeable=False)


SIZES = [(2, 3, 28), (3, 13, 1), (1, 1, 150), (1, 2, 7)]


@pytest.mark.parametrize("counts", SIZES)
@pytest.mark.parametrize("results", [1, 5, 8, 16, 27, 48])
@pytest.mark.parametrize("run", [1, 3, 17])
def test_convolutions_and_the_gradients_of_filters(counts, results, run):
    random = np.random.default_rng(0)
    seen = seen_by_windows(random, counts, 3, 2, run, step=2)
    filter = random.normal(size=(3, 2, run, results)).astype(np.float32)
    wanted = np.einsum("nhwlpr,lprc->nhwc", seen, filter, dtype=np.float64)
    found = cinta_kernels.correlated(seen, filter)
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)
    given = random.normal(size=(*counts, results)).astype(np.float32)
    found = cinta_kernels.filter_gradient(seen, given)
    wanted = np.einsum("nhwlpr,nhwc->lprc", seen, given, dtype=np.float64)
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-4)


def test_a_window_gets_the_same_sum_wherever_it_stands():
    random = np.random.default_rng(0)
    seen = seen_by_windows(random, (2, 3, 28), 3, 1, 9)
    filter = random.normal(size=(3, 1, 9, 20)).astype(np.float32)
    whole = cinta_kernels.correlated(seen, filter)
    turned = np.empty_like(whole)
    views = seen.swapaxes(1, 2), turned.swapaxes(1, 2)
    cinta_kernels.correlated(views[0], filter, out=views[1])
    assert np.array_equal(turned, whole)
    for column in range(28):
        alone = cinta_kernels.correlated(seen[:, :, column : column + 1], filter)
        assert np.array_equal(alone[:, :, 0], whole[:, :, column])
    some = np.asfortranarray(filter[..., 3:9])
    assert np.array_equal(cinta_kernels.correlated(seen, some), whole[..., 3:9])


def test_nan_is_seen_by_its_windows_alone():
    seen = np.ones((1, 1, 9, 1, 1, 2), np.float32)
    seen[0, 0, 4, 0, 0, 1] = np.nan
    found = cinta_kernels.correlated(seen, np.ones((1, 1, 2, 3), np.float32))[0, 0, :, 0]
    assert np.flatnonzero(np.isnan(found)).tolist() == [4]


@pytest.mark.parametrize("empty", range(7))
def test_convolutions_of_nothing(empty):
    sizes = [2, 3, 4, 3, 2, 5, 6]
    sizes[empty] = 0
    seen, filter = np.ones(sizes[:6], np.float32), np.ones(sizes[3:], np.float32)
    found = cinta_kernels.correlated(seen, filter)
    assert np.array_equal(found, np.einsum("nhwlpr,lprc->nhwc", seen, filter))
    given = np.ones((*sizes[:3], sizes[-1]), np.float32)
    found = cinta_kernels.filter_gradient(seen, given)
    assert np.array_equal(found, np.einsum("nhwlpr,nhwc->lprc", seen, given))


def test_numbers_with_gaps_are_refused():
    seen = np.ones((1, 2, 3, 1, 1, 8), np.float32)[..., ::2]
    given = np.ones((1, 2, 3, 5), np.float32)
    with pytest.raises(ValueError, match="contiguous"):
        cinta_kernels.filter_gradient(seen, given)


@pytest.mark.parametrize("counts", SIZES)
@pytest.mark.parametrize("channels", [16, 24, 33])
def test_depthwise_convolutions_and_the_gradients_of_their_filters(counts, channels):
    random = np.random.default_rng(0)
    seen = seen_by_windows(random, counts, 3, 5, channels, step=2)
    filter = random.normal(size=(3, 5, channels)).astype(np.float32)
    wanted = np.einsum("nhwlpc,lpc->nhwc", seen, filter, dtype=np.float64)
    found = cinta_kernels.depthwise(seen, filter)
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)
    one = cinta_kernels.depthwise(seen[:, :, -1:], filter)
    assert np.array_equal(one, found[:, :, -1:])
    given = random.normal(size=(*counts, channels)).astype(np.float32)
    wanted = np.einsum("nhwlpc,nhwc->lpc", seen, given, dtype=np.float64)
    found = cinta_kernels.depthwise_gradient(seen, given)
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("empty", range(5))
def test_depthwise_convolutions_of_nothing(empty):
    sizes = [2, 3, 4, 3, 2, 17]
    sizes[empty] = 0
    seen, filter = np.ones(sizes, np.float32), np.ones(sizes[3:], np.float32)
    found = cinta_kernels.depthwise(seen, filter)
    assert np.array_equal(found, np.einsum("nhwlpc,lpc->nhwc", seen, filter))
    given = np.ones((*sizes[:3], 17), np.float32)
    found = cinta_kernels.depthwise_gradient(seen, given)
    assert np.array_equal(found, np.einsum("nhwlpc,nhwc->lpc", seen, given))


def test_few_channels_are_refused():
    seen, given = np.ones((1, 2, 3, 1, 1, 8), np.float32), np.ones((1, 2, 3, 8), np.float32)
    with pytest.raises(ValueError, match="16 channels"):
        cinta_kernels.depthwise(seen, np.ones((1, 1, 8), np.float32))
    with pytest.raises(ValueError, match="16 channels"):
        cinta_kernels.depthwise_gradient(seen, given)


def largest_by_numpy(seen, given):
    """The largest numbers in windows, and for each place what is given for those it has first."""
    flat = seen.reshape(*seen.shape[:3], -1, seen.shape[-1])
    first = np.argmax(np.where(np.isnan(flat).any(axis=3, keepdims=True), np.nan, flat), axis=3)
    places = np.arange(flat.shape[3])[:, None]
    won = np.where(places == first[..., None, :], given[..., None, :], 0)
    return np.max(flat, axis=3), won.reshape(seen.shape)


@pytest.mark.parametrize("steps", [(1, 1, 1, 1), (2, 2, 1, 1), (3, 1, 2, 3)])
@pytest.mark.parametrize("channels", [16, 24, 33])
@pytest.mark.parametrize("strange", [0.0, np.nan, -np.inf])
def test_the_largest_in_windows_and_their_gradients(steps, channels, strange):
    down, across, inside, beside = steps
    random = np.random.default_rng(0)
    image = random.integers(0, 4, (2, 9, 11, channels)).astype(np.float32)
    image[random.random(image.shape) < 0.1] = strange
    span = 2 * inside + 1, beside + 1
    whole = np.lib.stride_tricks.sliding_window_view(image, span, axis=(1, 2))
    whole = whole[:, ::down, ::across, :, ::inside, ::beside]
    seen = np.ascontiguousarray(np.moveaxis(whole, 3, -1))
    given = random.normal(size=(*seen.shape[:3], channels)).astype(np.float32)
    top, won = largest_by_numpy(seen, given)
    found = cinta_kernels.max_pool(seen)
    assert np.array_equal(found, top, equal_nan=True)
    wanted = np.zeros(image.shape)
    for i in range(3):
        for j in range(2):
            target = wanted[:, i * inside :: down, j * beside :: across]
            target[:, : seen.shape[1], : seen.shape[2]] += won[:, :, :, i, j]
    sizes = np.array([3, 2, down, across, inside, beside])
    back = cinta_kernels.max_pool_gradient(image, found, given, sizes)
    np.testing.assert_allclose(back, wanted, atol=1e-5)


@pytest.mark.parametrize("empty", range(3))
def test_the_largest_of_nothing(empty):
    sizes = [2, 3, 4]
    sizes[empty] = 0
    seen = np.ones((*sizes, 2, 2, 16), np.float32)
    assert cinta_kernels.max_pool(seen).shape == (*sizes, 16)
    nothing, steps = np.ones((*sizes, 16), np.float32), np.array([2, 2, 1, 1, 1, 1])
    back = cinta_kernels.max_pool_gradient(
        np.ones((sizes[0], 5, 5, 16), np.float32), nothing, nothing, steps
    )
    assert not back.any()


def test_pooling_refuses_few_channels_and_gaps():
    few, gaps = np.ones((1, 2, 3, 1, 1, 8), np.float32), np.ones((1, 2, 3, 1, 1, 32), np.float32)
    with pytest.raises(ValueError, match="16 channels"):
        cinta_kernels.max_pool(few)
    with pytest.raises(ValueError, match="contiguous"):
        cinta_kernels.max_pool(gaps[..., ::2])
    given, sizes = np.ones((1, 2, 3, 16), np.float32), np.ones(5, np.intp)
    with pytest.raises(ValueError, match="6 sizes"):
        cinta_kernels.max_pool_gradient(given, given, given, sizes)


def tables(random, new, old, taps):
    """For each new place some old ones, and their weights."""
    places = random.integers(0, old, (new, taps))
    return places, random.normal(size=(new, taps)).astype(np.float32)


@pytest.mark.parametrize("channels", [1, 3, 4, 9])
@pytest.mark.parametrize(("row_taps", "taps"), [(1, 1), (2, 2), (3, 3), (9, 4)])
@pytest.mark.parametrize("width", [6, 90])  # of which few places count
def test_images_of_another_size(channels, row_taps, taps, width):
    random = np.random.default_rng(0)
    images = random.integers(0, 256, (2, 5, width, channels)).astype(np.float32) / 64
    down, across = tables(random, 7, 5, row_taps), tables(random, 8, width, taps)
    across[0][-1, -1] = width - 1
    found = cinta_kernels.resampled(images, *down, *across)
    rows = np.einsum("hj,nhjxc->nhxc", down[1], images[:, down[0]].astype(float))
    wanted = np.einsum("wk,nhwkc->nhwc", across[1], rows[:, :, across[0]])
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-4)
    part = cinta_kernels.resampled(images, down[0][2:4], down[1][2:4], *across)
    assert np.array_equal(part, found[:, 2:4])
    of_bytes = cinta_kernels.resampled_bytes((64 * images).astype(np.uint8), *down, *across)
    assert np.array_equal(of_bytes, cinta_kernels.resampled(64 * images, *down, *across))


def test_resampling_refuses_gaps_and_nothing_to_sum():
    images = np.ones((5, 6, 4), np.float32)
    places, weights = np.zeros((2, 1), np.intp), np.ones((2, 1), np.float32)
    with pytest.raises(ValueError, match="contiguous"):
        cinta_kernels.resampled(images[..., ::2], places, weights, places, weights)
    none = places[:, :0], weights[:, :0]
    with pytest.raises(ValueError, match="places for each row"):
        cinta_kernels.resampled(images, *none, places, weights)
    for place in (-1, 5):
        outside = np.full((2, 1), place)
        with pytest.raises(ValueError, match="in the image"):
            cinta_kernels.resampled(images, outside, weights, places, weights)
    empty = cinta_kernels.resampled(images[..., :0], places, weights, places, weights)
    assert empty.shape == (2, 2, 0)
