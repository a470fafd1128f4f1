"""Signals: their spectra against the sums that define them, frames against slices, windows."""

import numpy as np
import pytest
import scipy.fft
import scipy.signal

import cinta as tf
from tests.shorthand import gradient

signal = tf.signal
InvalidArgument = tf.errors.InvalidArgumentError
draw = np.random.default_rng(0)
REAL = draw.standard_normal((2, 3, 4, 5))
COMPLEX = REAL + 1j * draw.standard_normal(REAL.shape)
WAVE = draw.standard_normal((2, 50))

SINGLE_AND_DOUBLE = pytest.mark.parametrize(
    ("real", "whole"), [(np.float32, np.complex64), (np.float64, np.complex128)]
)


def close(found, expected, dtype=None):
    array = np.asarray(found)
    assert array.shape == np.shape(expected)
    if dtype is not None:
        assert array.dtype == dtype
    bound = 1e-12 if array.dtype.itemsize == (16 if array.dtype.kind == "c" else 8) else 1e-5
    scale = np.abs(expected).max(initial=1.0)
    np.testing.assert_allclose(array, expected, rtol=0, atol=bound * scale)


# -- Fourier transforms ------------------------------------------------------------------------


@SINGLE_AND_DOUBLE
@pytest.mark.parametrize("rank", [1, 2, 3])
def test_transforms_over_the_last_axes(rank, real, whole):
    end = "" if rank == 1 else f"{rank}d"
    axes = tuple(range(-rank, 0))
    z, x = tf.constant(COMPLEX.astype(whole)), tf.constant(REAL.astype(real))
    close(getattr(signal, "fft" + end)(z), np.fft.fftn(COMPLEX, axes=axes), whole)
    close(getattr(signal, "ifft" + end)(z), np.fft.ifftn(COMPLEX, axes=axes), whole)
    close(getattr(signal, "rfft" + end)(x), np.fft.rfftn(REAL, axes=axes), whole)
    close(getattr(signal, "irfft" + end)(z), np.fft.irfftn(COMPLEX, axes=axes), real)


@pytest.mark.parametrize("lengths", [(2, 3), (3, 8), (7, 4), (1, 1), (4, 5)])
def test_a_length_cuts_the_input_or_fills_it_up(lengths):
    close(signal.rfft2d(REAL, lengths), np.fft.rfft2(REAL.astype(np.float32), lengths))
    close(signal.irfft2d(COMPLEX, lengths), np.fft.irfft2(COMPLEX, lengths))
    close(signal.rfft(REAL, lengths[1:]), np.fft.rfft(REAL, lengths[1]))
    close(signal.irfft(COMPLEX, tf.constant(lengths[1:])), np.fft.irfft(COMPLEX, lengths[1]))
    three = (2, *lengths)
    close(signal.rfft3d(REAL, three), np.fft.rfftn(REAL, three, (1, 2, 3)))
    close(signal.irfft3d(COMPLEX, three), np.fft.irfftn(COMPLEX, three, (1, 2, 3)))


@pytest.mark.parametrize("norm", [None, "backward", "ortho", "forward"])
@pytest.mark.parametrize(
    ("axes", "lengths"), [((0,), None), ((2, 0), (3, 5)), ((-1, 1), (4, 4)), (None, None)]
)
def test_transforms_over_any_axes(axes, lengths, norm):
    z, x = tf.constant(COMPLEX), tf.constant(REAL)
    options = {"axes": axes, "norm": norm}
    close(signal.fftnd(z, lengths, **options), np.fft.fftn(COMPLEX, lengths, **options))
    close(signal.ifftnd(z, lengths, **options), np.fft.ifftn(COMPLEX, lengths, **options))
    close(signal.rfftnd(x, lengths, **options), np.fft.rfftn(REAL, lengths, **options))
    close(signal.irfftnd(z, lengths, **options), np.fft.irfftn(COMPLEX, lengths, **options))


def test_large_transforms_are_shared_among_threads_and_stay_the_same():
    x = draw.standard_normal((1100, 512))
    close(signal.rfft(tf.constant(x)), np.fft.rfft(x), np.complex128)


def test_nothing_has_no_spectrum():
    assert signal.fft(tf.zeros([0, 3], tf.complex64)).shape == (0, 3)
    assert signal.fft2d(tf.zeros([3, 0], tf.complex64)).shape == (3, 0)
    assert signal.rfft(tf.zeros([0])).shape == (0,)
    assert signal.rfft(tf.zeros([0, 4])).shape == (0, 3)
    assert signal.irfft(tf.zeros([3, 1], tf.complex128)).shape == (3, 0)
    assert signal.irfft(tf.zeros([3, 1], tf.complex128)).dtype is tf.float64
    np.testing.assert_array_equal(signal.rfft(tf.zeros([2, 0]), [4]), np.zeros((2, 3)))
    np.testing.assert_array_equal(gradient(lambda x: signal.rfft(x, [0]), [1.0, 2.0]), [0.0, 0.0])


def test_numbers_and_arrays_become_single_precision():
    assert signal.rfft([1, 2, 3]).dtype is tf.complex64
    assert signal.rfft(np.ones(3)).dtype is tf.complex64
    assert signal.fft(np.ones(3, complex)).dtype is tf.complex64
    assert signal.fft([1.0, 2.0]).dtype is tf.complex64
    assert signal.fft([1.0 + 1.0j, 2.0]).dtype is tf.complex128  # as tf.constant makes it


def test_the_gradient_of_energy_is_twice_the_signal():
    def energy(x):
        return tf.reduce_sum(tf.abs(signal.fftnd(tf.cast(x, tf.complex128), norm="ortho")) ** 2)

    close(gradient(energy, REAL), 2 * REAL)


def test_what_a_transform_ignores_has_no_influence():
    # the imaginary parts of the first and of the last of an even half spectrum
    found = gradient(lambda z: signal.irfft(z) ** 3, COMPLEX)
    np.testing.assert_array_equal(found[..., 0].imag, 0)
    np.testing.assert_array_equal(found[..., -1].imag, 0)
    assert np.abs(found[..., 1:-1].imag).min() > 0


def test_transforms_refuse_other_dtypes_ranks_and_lengths():
    x, z = tf.ones([4]), tf.ones([4], tf.complex64)
    for function in (signal.fft, signal.ifft, signal.fftnd):
        with pytest.raises(InvalidArgument, match="of float is not in the list"):
            function(x)
    with pytest.raises(InvalidArgument, match="rank of at least 2"):
        signal.fft2d(z)
    for wrong in (z, tf.constant([1, 2]), tf.cast(x, tf.float16)):
        with pytest.raises(ValueError, match="RFFT requires"):
            signal.rfft(wrong)
    with pytest.raises(ValueError, match="IRFFT requires"):
        signal.irfft(x)
    with pytest.raises(ValueError, match="rank at least 2"):
        signal.rfft2d(x)
    with pytest.raises(ValueError, match="rank at least 1"):
        signal.rfftnd(1.0)
    with pytest.raises(TypeError, match=r"such as \[4\]"):
        signal.rfft(x, 4)
    with pytest.raises(InvalidArgument, match=r"shape \[1\], got \[2\]"):
        signal.rfft(x, [4, 4])
    with pytest.raises(InvalidArgument, match=">= 0"):
        signal.irfft(z, [-1])
    for axes in ([], [0, 0], [1]):
        with pytest.raises(InvalidArgument, match="axes"):
            signal.fftnd(z, axes=axes)
    with pytest.raises(ValueError, match="'ortho' or 'forward', got 'both'"):
        signal.fftnd(z, norm="both")


@pytest.mark.parametrize("axes", [None, 0, -1, [1], (0, -1), []])
def test_shifting_is_numpys(axes):
    given = axes if axes != [] else ()
    for x in (REAL[0], np.arange(6).reshape(2, 3)):
        np.testing.assert_array_equal(signal.fftshift(x, axes), np.fft.fftshift(x, given))
        np.testing.assert_array_equal(signal.ifftshift(x, axes), np.fft.ifftshift(x, given))
    with pytest.raises(InvalidArgument, match="axes 7"):
        signal.fftshift(REAL, 7)


# -- frames ------------------------------------------------------------------------------------


def slices(x, length, step, pad_end, value=0):
    """The frames of the last axis, one by one."""
    starts = range(0, x.shape[-1] if pad_end else x.shape[-1] - length + 1, step)
    longer = np.pad(x, ((0, 0), (0, length)), constant_values=value)
    pieces = [longer[:, i : i + length] for i in starts]
    return np.stack(pieces, 1) if pieces else np.zeros((len(x), 0, length))


@pytest.mark.parametrize("pad_end", [False, True])
@pytest.mark.parametrize("length", [1, 3, 4, 10, 60])
@pytest.mark.parametrize("step", [1, 2, 3, 7])
def test_frames_are_slices(length, step, pad_end):
    expected = slices(WAVE, length, step, pad_end, 2.5)
    found = signal.frame(tf.constant(WAVE), length, step, pad_end, 2.5)
    np.testing.assert_array_equal(found, expected)
    swapped = signal.frame(tf.constant(WAVE.T), length, step, pad_end, 2.5, axis=0)
    np.testing.assert_array_equal(swapped, expected.transpose(1, 2, 0))


@pytest.mark.parametrize("step", [1, 2, 3, 4, 5, 9])
def test_overlapping_frames_are_added(step):
    frames = draw.standard_normal((2, 6, 4))
    expected = np.zeros((2, 5 * step + 4))
    for k in range(6):
        expected[:, k * step : k * step + 4] += frames[:, k]
    close(signal.overlap_and_add(tf.constant(frames), step), expected)


def test_frames_of_anything():
    assert signal.frame(["a", "b", "c"], 2, 1).numpy().tolist() == [[b"a", b"b"], [b"b", b"c"]]
    assert signal.frame(tf.zeros([0, 5]), 2, 1).shape == (0, 4, 2)
    assert signal.frame(tf.zeros([0]), 2, 1, pad_end=True).shape == (0, 2)
    assert signal.frame([1, 2], 0, 1).shape == (3, 0)
    assert signal.frame([1, 2, 3], tf.constant(2), np.int64(1)).shape == (2, 2)
    assert signal.overlap_and_add(tf.zeros([0, 4]), 2).numpy().tolist() == [0.0, 0.0]
    assert signal.overlap_and_add(tf.zeros([0, 4]), 6).shape == (0,)
    half = signal.overlap_and_add(tf.ones([3000, 2], tf.float16), 1)
    assert half.dtype is tf.float16
    assert half.numpy().max() == 2


def test_the_gradient_of_frames_counts_how_often_each_place_was_seen():
    found = gradient(lambda x: signal.frame(x, 3, 2), tf.zeros([8]))
    assert found.tolist() == [1, 1, 2, 1, 2, 1, 1, 0]


def test_frames_refuse_what_is_no_length():
    x = tf.ones([5])
    for arguments in ((-1, 1), (1, 0), (1, -1), (2.0, 1), (2, 1.0)):
        with pytest.raises(InvalidArgument, match="frame_"):
            signal.frame(x, *arguments)
    for arguments in (([2], 1), (2, [1]), (2, 1, True, [0.0]), (2, 1, False, 0, [0])):
        with pytest.raises(ValueError, match="rank 0"):
            signal.frame(x, *arguments)
    with pytest.raises(ValueError, match="rank at least 1"):
        signal.frame(1.0, 2, 1)
    with pytest.raises(IndexError, match="axis 1"):
        signal.frame(x, 2, 1, axis=1)
    with pytest.raises(ValueError, match="rank at least 2"):
        signal.overlap_and_add(x, 1)
    with pytest.raises(ValueError, match="must be an integer"):
        signal.overlap_and_add([x], 1.0)


# -- spectra of frames -------------------------------------------------------------------------


@SINGLE_AND_DOUBLE
@pytest.mark.parametrize(
    ("arguments", "length"), [((8, 3), 8), ((10, 4), 16), ((8, 4, 6), 6), ((1, 1), 1)]
)
def test_spectra_of_frames(arguments, length, real, whole):
    window = signal.hann_window(arguments[0], dtype=tf.float64).numpy()
    expected = np.fft.rfft(slices(WAVE, *arguments[:2], False) * window, length)
    close(signal.stft(tf.constant(WAVE.astype(real)), *arguments), expected, whole)


@pytest.mark.parametrize(("length", "step"), [(16, 4), (12, 5), (8, 8)])
@pytest.mark.parametrize("window", [signal.hamming_window, signal.vorbis_window])
def test_a_signal_comes_back_from_its_spectra(length, step, window):
    spectra = signal.stft(tf.constant(WAVE), length, step, window_fn=window)
    inverse = signal.inverse_stft_window_fn(step, window)
    found = signal.inverse_stft(spectra, length, step, window_fn=inverse).numpy()
    inside = slice(length, found.shape[-1] - length)
    close(found[:, inside], WAVE[:, : found.shape[-1]][:, inside])


def test_a_window_may_be_left_out_or_ones_own():
    plain = signal.stft(tf.constant(WAVE), 8, 4, window_fn=None)
    ones = signal.stft(tf.constant(WAVE), 8, 4, window_fn=lambda n, dtype: tf.ones([n], dtype))
    np.testing.assert_array_equal(plain, ones)
    halved = signal.inverse_stft(plain, 8, 4, window_fn=None)[:, 4:-4] / 2
    close(halved, WAVE[:, 4 : 4 + halved.shape[-1]])


def test_a_window_can_be_learned():
    weights = tf.Variable(np.ones(8))
    with tf.GradientTape() as tape:
        spectra = signal.stft(tf.constant(WAVE), 8, 4, window_fn=lambda n, dtype: weights)
        loss = tf.reduce_sum(tf.abs(spectra) ** 2)
    assert np.abs(tape.gradient(loss, weights).numpy()).min() > 0


def test_spectra_of_frames_refuse_other_dtypes_and_ranks():
    for wrong in (tf.constant([1, 2, 3]), tf.ones([3], tf.complex64)):
        with pytest.raises(ValueError, match="floating point type"):
            signal.stft(wrong, 2, 1)
    with pytest.raises(ValueError, match="rank at least 2"):
        signal.inverse_stft(tf.ones([3], tf.complex64), 2, 1)
    with pytest.raises(InvalidArgument, match="division by zero"):
        signal.inverse_stft_window_fn(0)(4, tf.float32)


# -- cosine transforms -------------------------------------------------------------------------


@SINGLE_AND_DOUBLE
@pytest.mark.parametrize(
    ("kind", "norm"), [(1, None), *[(k, norm) for k in (2, 3, 4) for norm in (None, "ortho")]]
)
@pytest.mark.parametrize("n", [None, 3, 9])
def test_cosine_transforms_are_scipys(kind, norm, n, real, whole):
    x = tf.constant(REAL.astype(real))
    close(signal.dct(x, kind, n, norm=norm), scipy.fft.dct(REAL, kind, n, norm=norm), real)
    plain = scipy.fft.idct(REAL, kind, n, norm=norm or "forward")
    close(signal.idct(x, kind, n, norm=norm), plain, real)


def test_cosine_transforms_refuse_what_they_do_not_know():
    x = tf.ones([4])
    with pytest.raises(NotImplementedError, match="axis must be -1"):
        signal.dct(x, axis=0)
    wrong = [{"type": 5}, {"n": 0}, {"norm": "both"}, {"type": 1, "norm": "ortho"}]
    for arguments in wrong:
        for function in (signal.dct, signal.idct):
            with pytest.raises(ValueError, match=r"supported|positive|normalization"):
                function(x, **arguments)
    with pytest.raises(ValueError, match="greater than one"):
        signal.dct(x[:1], 1)
    for other in (tf.constant([1, 2]), tf.ones([4], tf.float16), tf.ones([4], tf.complex64)):
        with pytest.raises(TypeError, match=r"float32 or tf\.float64"):
            signal.dct(other)
    with pytest.raises(TypeError):
        signal.dct(x, n=2.5)


@pytest.mark.parametrize("norm", [None, "ortho"])
@pytest.mark.parametrize(
    "window", [None, signal.vorbis_window, signal.kaiser_bessel_derived_window]
)
def test_a_signal_comes_back_from_its_overlapping_cosine_transforms(window, norm):
    spectra = signal.mdct(tf.constant(WAVE), 8, window, norm=norm)
    assert spectra.shape == (2, 11, 4)
    found = signal.inverse_mdct(spectra, window, norm)
    close(found[:, 4:-4], WAVE[:, 4:44])


def test_the_modified_cosine_transform_is_a_sum_of_cosines():
    n = np.arange(8)
    k = np.arange(4)[:, None]
    cosines = np.cos(np.pi / 4 * (n + 0.5 + 2) * (k + 0.5))
    frames = slices(WAVE, 8, 4, False) * np.sqrt(0.5)
    close(signal.mdct(tf.constant(WAVE), 8, window_fn=None), 2 * frames @ cosines.T)


def test_overlapping_cosine_transforms_refuse_other_lengths():
    with pytest.raises(ValueError, match="multiple of 4, got 6"):
        signal.mdct(WAVE, 6)
    with pytest.raises(InvalidArgument, match="division by zero"):
        signal.mdct(WAVE, 0)
    with pytest.raises(ValueError, match="rank at least 2"):
        signal.inverse_mdct(tf.ones([4]))


# -- windows and the mel scale -----------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 3, 4, 7, 16])
def test_windows_are_scipys(n):
    windows = scipy.signal.windows
    for periodic in (False, True):
        symmetric = not periodic or n % 2 == 1  # an odd window is symmetric in either case
        hann = windows.hann(n, symmetric)
        close(signal.hann_window(n, periodic, tf.float64), hann, np.float64)
        hamming = windows.hamming(n, symmetric)
        close(signal.hamming_window(n, periodic), hamming, np.float32)
    close(signal.kaiser_window(n, 5, tf.float64), windows.kaiser(n, 5))
    if n % 2 == 0:
        derived = signal.kaiser_bessel_derived_window(n, 4.0, tf.float64)
        close(derived, windows.kaiser_bessel_derived(n, 4.0))
        for window in (derived, signal.vorbis_window(n, tf.float64)):
            close(window[: n // 2] ** 2 + window[n // 2 :] ** 2, np.ones(n // 2))


def test_windows_are_of_the_dtype_asked_for():
    for window in (signal.hann_window, signal.kaiser_window, signal.vorbis_window):
        for dtype in (tf.float16, tf.bfloat16, tf.float32, tf.float64):
            assert window(4, dtype=dtype).dtype is dtype
        with pytest.raises(ValueError, match="floating point type"):
            window(4, dtype=tf.int32)
        with pytest.raises(TypeError):
            window(4.0)
        with pytest.raises(ValueError, match="rank 0"):
            window([4])
        with pytest.raises(InvalidArgument, match="negative"):
            window(-1)
    assert signal.hann_window(0).shape == (0,)
    with pytest.raises(InvalidArgument, match="at least 1"):
        signal.kaiser_window(0)


def test_mel_bins_are_triangles_that_add_up_to_one():
    matrix = signal.linear_to_mel_weight_matrix(10, 257, 16000, 80.0, 7600.0, tf.float64).numpy()
    assert matrix.shape == (257, 10)
    hertz = np.linspace(0, 8000, 257)
    mel = 2595 * np.log10(1 + hertz / 700)
    edges = np.linspace(*[2595 * np.log10(1 + edge / 700) for edge in (80, 7600)], 12)
    inside = (mel >= edges[1]) & (mel <= edges[-2])
    np.testing.assert_allclose(matrix[inside].sum(1), 1, atol=1e-3)
    np.testing.assert_array_equal(matrix[mel > edges[-1] + 1e-6], 0)
    np.testing.assert_array_equal(matrix.argmax(0), np.abs(mel[:, None] - edges[1:-1]).argmin(0))


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"num_mel_bins": 0}, "num_mel_bins must be positive"),
        ({"sample_rate": 0}, "sample_rate must be positive"),
        ({"lower_edge_hertz": -1.0}, "non-negative"),
        ({"lower_edge_hertz": 3800.0}, "3800.0 >= upper_edge_hertz 3800.0"),
        ({"upper_edge_hertz": 4001.0}, "Nyquist"),
        ({"dtype": tf.int32}, "floating point type"),
    ],
)
def test_mel_bins_that_cannot_be(arguments, complaint):
    with pytest.raises(ValueError, match=complaint):
        signal.linear_to_mel_weight_matrix(**arguments)


def test_cepstral_coefficients_are_scaled_as_in_the_toolkit():
    found = signal.mfccs_from_log_mel_spectrograms(tf.constant(REAL))
    expected = scipy.fft.dct(REAL, norm="ortho")
    expected[..., 0] *= np.sqrt(2)
    close(found, expected)
    with pytest.raises(ValueError, match="num_mel_bins must be positive"):
        signal.mfccs_from_log_mel_spectrograms(tf.zeros([3, 0]))
