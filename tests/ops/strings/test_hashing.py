"""Buckets of strings and crosses of features: the numbers are TensorFlow 2.21's."""

import numpy as np
import pytest

import cinta as tf

LARGE = 2**62
TEXT = bytes(33 + (i * 7) % 90 for i in range(300))
LENGTHS = [0, 1, 3, 4, 7, 8, 16, 17, 32, 33, 63, 64, 65, 128, 129, 300]

FAST = [
    1936946117179621455,
    3152378937766532274,
    1502982227347875767,
    1798552924835906904,
    3373097716403973378,
    4605104588124634413,
    42562127207776778,
    2580174333978254235,
    192840938313500618,
    1236644660140986865,
    2720222154143330047,
    2926624341216769490,
    2031067199706244730,
    1553026246911387374,
    1138458046925123604,
    223331868432533448,
]
STRONG = [
    139821925654099718,
    4267163767923835086,
    2267777690767985241,
    2190194613290690998,
    4490043373460152799,
    4216276742283029397,
    1466328158026364471,
    3703501376381147610,
    1636376071183527826,
    3381887440945785108,
    1487522009730105942,
    3233820400626181868,
    909324317203004430,
    579982559125147007,
    4322309623655390080,
    542823243475548716,
]
PLAIN = [
    105434511174508091,
    1071844640987773547,
    3843561962655813673,
    50298458468103915,
    3379588215372599715,
    3754477659011449336,
    1388899411252815222,
    583835779079844239,
    2863881238479540537,
    1152440945460158910,
    451046828156415482,
    2303190937163892442,
    2983570764737539397,
    2788811195433475674,
    4558192846519484762,
    4317809363020942520,
]


def buckets(function, *more):
    return [int(function(TEXT[:n], LARGE, *more)) for n in LENGTHS]


def test_farm_hash():
    assert buckets(tf.strings.to_hash_bucket_fast) == FAST


def test_sip_hash():
    assert buckets(tf.strings.to_hash_bucket_strong, [123, -456]) == STRONG


def test_murmur_hash():
    assert buckets(tf.strings.to_hash_bucket) == PLAIN


def test_shapes_and_dtypes():
    found = tf.strings.to_hash_bucket_fast([["a", "b"], ["c", "d"]], 10)
    assert (found.dtype, found.shape) == (tf.int64, (2, 2))
    assert tf.strings.to_hash_bucket_fast("a", 1).shape == ()
    assert tf.strings.to_hash_bucket_strong(np.zeros([0], object), 3, [1, 2]).shape == (0,)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: tf.strings.to_hash_bucket_fast("a", 0), tf.errors.InvalidArgumentError),
        (lambda: tf.strings.to_hash_bucket_fast(1, 5), TypeError),
        (lambda: tf.strings.to_hash_bucket_strong("a", 5, [1]), tf.errors.InvalidArgumentError),
        (lambda: tf.strings.to_hash_bucket_strong("a", 5, ["x", "y"]), TypeError),
        (lambda: tf.sparse.cross("a"), TypeError),
        (lambda: tf.sparse.cross([["a"]]), TypeError),
        (lambda: tf.sparse.cross([tf.constant(["a"])]), tf.errors.InvalidArgumentError),
        (lambda: tf.sparse.cross([LETTERS, LETTERS[:1]]), tf.errors.InvalidArgumentError),
        (lambda: tf.sparse.cross_hashed([LETTERS], -1), tf.errors.InvalidArgumentError),
    ],
)
def test_what_is_refused(call, error):
    with pytest.raises(error):
        call()


LETTERS = tf.constant([["a", "b"], ["c", "d"]])
OTHERS = tf.constant([["x"], ["y"]])
NUMBERS = tf.constant([[1], [2]], tf.int64)
FEW = tf.sparse.from_dense([["a", "b"], ["c", ""]])
SINGLE = tf.sparse.from_dense([[5, 0], [0, 7]])


def rows(crossed):
    return tf.sparse.to_dense(crossed).numpy().tolist()


def test_crosses():
    assert rows(tf.sparse.cross([LETTERS, OTHERS])) == [[b"a_X_x", b"b_X_x"], [b"c_X_y", b"d_X_y"]]
    assert rows(tf.sparse.cross([LETTERS, NUMBERS], separator="-")) == [
        [b"a-1", b"b-1"],
        [b"c-2", b"d-2"],
    ]
    assert rows(tf.sparse.cross([NUMBERS, OTHERS, SINGLE])) == [[b"5_X_1_X_x"], [b"7_X_2_X_y"]]
    assert rows(tf.sparse.cross([OTHERS, FEW])) == [[b"a_X_x", b"b_X_x"], [b"c_X_y", b""]]
    assert rows(tf.sparse.cross([tf.zeros([2, 0], tf.string), OTHERS])) == [[], []]
    assert tf.sparse.cross([]).shape == (0, 0)


def test_hashed_crosses():
    hashed = tf.sparse.cross_hashed
    assert rows(hashed([LETTERS, OTHERS])) == [
        [1484974617627318892, 3552177129620670004],
        [6571367263544129360, 3132355153294617199],
    ]
    assert rows(hashed([LETTERS, OTHERS], 100)) == [[92, 4], [60, 6]]
    assert rows(hashed([LETTERS, NUMBERS], 100, hash_key=42)) == [[63, 41], [23, 6]]
    assert rows(hashed([OTHERS, SINGLE, FEW], 50)) == [[49, 27], [25, 0]]
    assert rows(hashed([tf.constant([[-1]]), tf.constant([[2]], tf.int64)], 50)) == [[23]]
    assert rows(hashed([FEW, LETTERS], 100)) == [[15, 86, 0, 47], [32, 22, 0, 0]]
