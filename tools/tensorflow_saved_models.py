"""Let TensorFlow write the saved models that the tests read: tests/references/saved_models.zip.

    python tools/tensorflow_saved_models.py

TensorFlow must be installed; the tests need only the file. Beside the models there is a list of
calls, with what TensorFlow's loaded functions return, and the gradients of that.
"""

import json
import os
import shutil
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import tensorflow as tf

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))
from tests.saved_model.saved_model_calls import described, encoded, path_in  # noqa: E402 - the path comes first

TARGET = ROOT / "tests" / "references" / "saved_models.zip"
WHEN = (2026, 1, 1, 0, 0, 0)
keras = tf.keras


def spec(shape, dtype=tf.float32, name=None):
    return tf.TensorSpec(shape, dtype, name)


def function(*specs):
    return tf.function(input_signature=specs)


def floats(*shape):
    """Numbers that are neither very large nor equal."""
    count = int(np.prod(shape))
    return np.sin(np.arange(1, count + 1) * 0.7).astype(np.float32).reshape(shape)


class Functions(tf.Module):
    """Functions of many kinds."""

    def __init__(self):
        super().__init__()
        self.w = tf.Variable(floats(3, 4))
        self.b = tf.Variable(floats(4))
        self.v = tf.Variable(2.0)
        self.count = tf.Variable(0, trainable=False)
        self.kernel = tf.Variable(floats(3, 3, 2, 3))
        self.scale = tf.Variable(floats(3))
        self.embedding = tf.Variable(floats(5, 2))
        self.parts = [tf.Variable(1.0), {"deep": tf.Variable([3.0, 4.0])}]
        self.offset = tf.constant([0.5, 1.5])

    @function(spec([None, 3]))
    def layer(self, x):
        return tf.nn.relu(x @ self.w + self.b)

    @function(spec([None, 3]), spec([None], tf.int32))
    def loss(self, x, labels):
        logits = tf.nn.log_softmax(x @ self.w + self.b)
        return -tf.reduce_mean(tf.gather(logits, labels, batch_dims=1))

    @function(spec([None, 3]), spec([None], tf.int32))
    def sparse_cross_entropy(self, x, labels):
        return tf.nn.sparse_softmax_cross_entropy_with_logits(labels, x @ self.w)

    @function(spec([None, 6, 6, 2]))
    def convolution(self, x):
        y = tf.nn.conv2d(x, self.kernel, 1, "SAME")
        y, mean, variance = tf.compat.v1.nn.fused_batch_norm(
            y, self.scale, tf.zeros([3]), epsilon=0.01
        )
        tf.debugging.assert_equal(tf.size(mean), tf.size(variance))
        return tf.nn.max_pool2d(tf.nn.leaky_relu(y), 2, 2, "VALID")

    @function(spec([]))
    def conditional(self, x):
        return tf.cond(x > 0, lambda: x * self.v, lambda: x - self.v)

    @function(spec([]))
    def nested_conditional(self, x):
        return tf.cond(x > 0, lambda: tf.exp(x) if x < 1 else tf.sqrt(x), lambda: x**2)

    @function(spec([], tf.int32), spec([]))
    def case(self, i, x):
        return tf.switch_case(i, [lambda: x, lambda: x * x, lambda: tf.sin(x)])

    @function(spec([]), spec([], tf.int32))
    def power(self, x, n):
        i, y = tf.constant(0), tf.constant(1.0)
        while i < n:
            y, i = y * x * self.v, i + 1
        return y

    @function(spec([None, 4]))
    def collected(self, x):
        array = tf.TensorArray(tf.float32, size=tf.shape(x)[0])
        total = tf.zeros([4])
        for i in tf.range(tf.shape(x)[0]):
            total = total + x[i]
            array = array.write(i, total)
        return array.stack()

    @function(spec([None]))
    def scanned(self, x):
        return tf.scan(lambda a, each: a * 0.5 + each, x), tf.map_fn(lambda each: each * 2.0, x)

    @function(spec([], tf.int32))
    def counted(self, n):
        before = self.count.read_value()
        self.count.assign_add(n)
        return before, self.count.read_value()

    @function(spec([None, None]))
    def reductions(self, x):
        return {
            "sum": tf.reduce_sum(x),
            "mean": tf.reduce_mean(x, 0),
            "max": tf.reduce_max(x, -1, keepdims=True),
            "norm": tf.norm(x),
            "std": tf.math.reduce_std(x),
            "logsumexp": tf.reduce_logsumexp(x, 1),
            "argmax": tf.argmax(x, 1),
            "all": tf.reduce_all(x > -2),
        }

    @function(spec([None, None]))
    def shaping(self, x):
        rows, columns = tf.unstack(tf.shape(x))
        return [
            tf.reshape(x, [rows * columns]),
            tf.transpose(x),
            tf.concat([x, x], 1),
            tf.stack([x, -x]),
            tf.pad(x, [[1, 0], [0, 2]]),
            tf.tile(x, [2, 1]),
            tf.split(x, 2, 1),
            x[::-1, 1:],
            x[..., tf.newaxis],
            tf.expand_dims(x, 0),
            tf.squeeze(x[:1]),
            tf.reverse(x, [1]),
            tf.roll(x, 1, 0),
        ]

    @function(spec([None]))
    def arithmetic(self, x):
        return (
            tf.abs(x) + tf.sign(x) * tf.square(x),
            x / 3.0 - x // 2.0 + x % 0.7,
            tf.maximum(x, 0.1) ** 1.5,
            tf.math.softplus(x) + tf.sigmoid(x) * tf.tanh(x),
            tf.math.erf(x) + tf.math.lgamma(x + 3.0) + tf.math.log1p(x * x),
            tf.where(x > 0, x, tf.zeros_like(x)),
            tf.clip_by_value(x, -0.5, 0.5),
            tf.atan2(x, 2.0) + tf.cosh(x) + tf.asinh(x),
            tf.cast(x * 10, tf.int32) + 7,
            tf.round(x * 10.0) + tf.floor(x) + tf.math.ceil(x),
            tf.math.cumsum(x),
        )

    @function(spec([None, 3, 3], tf.float64))
    def algebra(self, x):
        positive = x @ tf.linalg.matrix_transpose(x) + 3.0 * tf.eye(3, dtype=tf.float64)
        return (
            tf.linalg.cholesky(positive),
            tf.linalg.inv(positive),
            tf.linalg.det(positive),
            tf.linalg.solve(positive, x),
            tf.einsum("bij,bjk->bik", x, x),
            tf.linalg.diag_part(x),
            tf.linalg.band_part(x, 0, -1),
            tf.linalg.eigvalsh(positive),
        )

    @function(spec([None], tf.int32))
    def lookup(self, ids):
        return tf.nn.embedding_lookup(self.embedding, ids)

    @function(spec([None]))
    def sorting(self, x):
        top = tf.math.top_k(x, 2)
        return top.values, top.indices, tf.sort(x), tf.argsort(x)

    @function(spec([None], tf.int32))
    def integers(self, x):
        unique = tf.unique(x)
        return (
            unique.y,
            unique.idx,
            tf.one_hot(x, 5),
            tf.math.bincount(x, minlength=6),
            x // 2 + x % 3,
            tf.bitwise.bitwise_and(x, 3),
            tf.range(tf.size(x)),
            tf.where(x > 1),
        )

    @function(spec([None]), spec([None], tf.int32))
    def segments(self, x, ids):
        return (
            tf.math.unsorted_segment_sum(x, ids, 4),
            tf.math.unsorted_segment_max(x, ids, 4),
            tf.scatter_nd(ids[:, None], x, [6]),
            tf.tensor_scatter_nd_add(tf.ones([6]), ids[:, None], x),
            tf.dynamic_partition(x, tf.cast(ids > 1, tf.int32), 2),
        )

    @function(spec([None], tf.complex64))
    def complexes(self, x):
        return tf.abs(x), tf.math.conj(x) * x, tf.math.angle(x), tf.math.real(tf.signal.fft(x))

    @function(spec([None], tf.string))
    def strings(self, words):
        return (
            tf.strings.join([words, "!"]),
            tf.strings.length(words),
            tf.strings.upper(words),
            tf.strings.substr(words, 0, 2),
            tf.strings.regex_replace(words, "[aeiou]", "_"),
            tf.strings.to_hash_bucket_fast(words, 100),
            tf.strings.reduce_join(words, separator=" "),
        )

    @function(spec([None], tf.string))
    def split(self, words):
        return tf.strings.split(words).to_tensor("?"), tf.strings.to_number(["1.5", "2"])

    @function(tf.RaggedTensorSpec([None, None], tf.float32))
    def ragged(self, x):
        return tf.reduce_sum(x, 1), x * 2.0, x.to_tensor(), x.row_lengths()

    @function(tf.SparseTensorSpec([None, None], tf.float32))
    def sparse(self, x):
        return (
            tf.sparse.reduce_sum(x, 1),
            tf.sparse.to_dense(x),
            tf.sparse.sparse_dense_matmul(x, tf.ones([3, 2])),
        )

    @function(spec([None, 8, 8, 1]))
    def images(self, x):
        return (
            tf.image.resize(x, [4, 6]),
            tf.image.flip_left_right(x),
            tf.nn.avg_pool2d(x, 2, 2, "SAME"),
            tf.nn.depthwise_conv2d(x, self.kernel[:, :, :1, :], [1, 1, 1, 1], "VALID"),
        )

    @function(spec([2], tf.int32))
    def stateless(self, seed):
        return tf.random.stateless_uniform([3], seed), tf.random.stateless_normal([2], seed)

    @function(spec([None]))
    def doubled_by_another(self, x):
        return self.helper(x) + self.helper(x, 3.0) + self.offset[0]

    @tf.function
    def helper(self, x, factor=2.0, *, add=1.0):
        return x * factor + add * self.v

    @tf.function
    def structured(self, pair, table, flag=True):
        x, [y] = pair
        return {"out": (x + table["a"], y if flag else -y), "none": None}

    @tf.function
    def on_several(self, x):
        return x + x

    @function(spec([None]))
    def custom(self, x):
        return clipped_gradient(x) * self.v

    @function(spec([None], tf.string))
    def hashed(self, words):
        return self.table.lookup(words), self.vocabulary.lookup(words), self.mutable.lookup(words)

    @function(spec([None]))
    def constants(self, x):
        return (
            x + tf.constant([1.0, 2.0, 3.0]),
            tf.constant(["a", "b"]),
            tf.constant([True, False]),
            tf.constant([1, 2], tf.uint8),
            tf.constant([1, 2], tf.int64),
            tf.constant([1.5], tf.float16),
            tf.constant([1.5], tf.bfloat16),
            tf.constant([1.5 + 2j], tf.complex128),
            tf.zeros([2, 3]),
            tf.fill([2], 7.0),
        )

    @function(spec([], tf.int32))
    def checked(self, n):
        with tf.control_dependencies([tf.debugging.assert_positive(n)]):
            return n * 2

    @function(spec([None, None]), spec([None, None]))
    def sharded(self, x, y):
        with tf.control_dependencies([self.parts[0].assign(5.0)]):
            return tf.matmul(x, y, transpose_b=True) * self.parts[0] + self.parts[1]["deep"][0]

    @function(spec([None]))
    def untaken(self, x):
        return tf.raw_ops.DebugGradientIdentity(input=x)


class Plain(tf.Module):
    """A small model without variables, for tests that change its file."""

    @function(spec([None]), spec([], tf.int32))
    def repeated(self, x, n):
        i = tf.constant(0)
        while i < n:
            x, i = tf.cond(x[0] > 1, lambda x=x: x / 2.0, lambda x=x: x * 3.0), i + 1
        return x


def plain(folder):
    tf.saved_model.save(Plain(), folder)
    yield from [("repeated", [floats(3), np.int32(n)], []) for n in (1, 4)]


@tf.custom_gradient
def clipped_gradient(x):
    factor = tf.exp(x)

    def gradient(upstream):
        return tf.clip_by_value(upstream * factor * x, -1.0, 1.0)

    return x * 1.0, gradient


def functions(folder, work):
    model = Functions()
    keys = tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2])
    model.table = tf.lookup.StaticHashTable(keys, -1)
    (work / "words.txt").write_text("x\ny\n")
    index = tf.lookup.TextFileIndex
    lines = tf.lookup.TextFileInitializer(
        str(work / "words.txt"), tf.string, index.WHOLE_LINE, tf.int64, index.LINE_NUMBER
    )
    model.vocabulary = tf.lookup.StaticHashTable(lines, -1)
    model.mutable = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, 0)
    model.mutable.insert(tf.constant(["q"]), tf.constant([5], tf.int64))
    model.structured((tf.constant(1.0), [tf.constant(2.0)]), {"a": tf.constant(3.0)})
    model.structured((tf.constant(1.0), [tf.constant(2.0)]), {"a": tf.constant(3.0)}, flag=False)
    model.helper(tf.constant([1.0, 2.0]))
    model.helper(tf.constant([1.0, 2.0]), 3.0)
    model.on_several(tf.constant([1.0, 2.0]))
    model.on_several(tf.constant(1))
    model.concrete = model.layer.get_concrete_function()
    signatures = {
        "layer": model.layer.get_concrete_function(),
        "reductions": model.reductions.get_concrete_function(),
        "several": model.loss.get_concrete_function(),
    }
    options = tf.saved_model.SaveOptions(experimental_custom_gradients=True)
    tf.saved_model.save(model, folder, signatures, options)
    weights = ["w", "b"]
    ragged = tf.ragged.constant([[1.0, 2.0], [], [3.0]])
    sparse = tf.sparse.from_dense([[0.0, 2.0, 0.0], [1.0, 0.0, 3.0]])
    x2, x3 = floats(2), floats(2, 3)
    pair = (x2[0], [x2[1]])
    labels = np.array([3, 1], np.int32)
    yield from [
        ("layer", [x3], weights),
        ("concrete", [x3], weights),
        ("loss", [x3, labels], weights),
        ("sparse_cross_entropy", [x3, labels], ["w"]),
        ("convolution", [floats(2, 6, 6, 2)], ["kernel", "scale"]),
        ("conditional", [np.float32(1.5)], ["v"]),
        ("conditional", [np.float32(-1.5)], ["v"]),
        *[("nested_conditional", [np.float32(x)], []) for x in (0.5, 4.0, -2.0)],
        *[("case", [np.int32(i), np.float32(0.7)], []) for i in (0, 1, 2, 9)],
        *[("power", [np.float32(0.7), np.int32(n)], ["v"]) for n in (1, 3)],
        ("collected", [floats(3, 4)], []),
        ("scanned", [floats(4)], []),
        ("counted", [np.int32(3)], []),
        ("reductions", [x3], []),
        ("shaping", [floats(3, 4)], []),
        ("arithmetic", [floats(5)], []),
        ("algebra", [floats(2, 3, 3).astype(np.float64)], []),
        ("lookup", [np.array([1, 4, 1], np.int32)], ["embedding"]),
        ("sorting", [floats(4)], []),
        ("integers", [np.array([3, 1, 3, 0], np.int32)], []),
        ("segments", [floats(4), np.array([3, 1, 3, 0], np.int32)], []),
        ("complexes", [(floats(4) + 1j * floats(4)[::-1]).astype(np.complex64)], []),
        ("strings", [np.array([b"tape", b"of ops"], object)], []),
        ("split", [np.array([b"a b", b"c"], object)], []),
        ("ragged", [ragged], []),
        ("sparse", [sparse], []),
        ("images", [floats(1, 8, 8, 1)], ["kernel"]),
        ("stateless", [np.array([1, 2], np.int32)], []),
        ("doubled_by_another", [x2], ["v"]),
        ("helper", [x2], ["v"]),
        ("helper", [x2, 3.0], ["v"]),
        ("structured", [pair, {"a": x2[0]}], []),
        ("structured", [pair, {"a": x2[0]}, False], []),
        ("on_several", [x2], []),
        ("on_several", [np.int32(4)], []),
        ("custom", [floats(4)], ["v"]),
        ("hashed", [np.array([b"a", b"y", b"q"], object)], []),
        ("constants", [floats(3)], []),
        ("checked", [np.int32(3)], []),
        ("sharded", [x3, x3], ["parts.0"]),
        ("signatures.layer", {"x": x3}, weights),
        ("signatures.reductions", {"x": x3}, []),
        ("signatures.several", {"x": x3, "labels": labels}, weights),
    ]


def network(*layers):
    """A network with numbers that follow a rule in place of random ones."""
    model = keras.Sequential(layers)
    for i, weight in enumerate(model.weights):
        values = floats(*weight.shape) * 0.3
        weight.assign(values + 1.0 if "variance" in weight.path else values + 0.01 * i)
    return model


def networks():
    layers = keras.layers
    tokens = layers.TextVectorization(output_sequence_length=4)
    tokens.adapt(["a tape of ops", "ops and a tape"])
    words = keras.Sequential([keras.Input([], dtype="string"), tokens, layers.Embedding(9, 2)])
    words.layers[1].set_weights([floats(9, 2)])
    sentences = np.array([b"a tape", b"of new ops and more"], object)
    two = [keras.Input([3]), keras.Input([2])]
    joined = layers.Dense(2)(layers.Concatenate()(two))
    both = keras.Model(two, [joined, layers.ReLU()(joined)])
    both.set_weights([floats(*w.shape) for w in both.weights])
    return {
        "dense": (
            network(
                keras.Input([3]),
                layers.Dense(4, "relu"),
                layers.Dropout(0.5),
                layers.LayerNormalization(),
                layers.Dense(2, "softmax"),
            ),
            [floats(2, 3)],
        ),
        "convolutional": (
            network(
                keras.Input([8, 8, 2]),
                layers.Conv2D(3, 3, activation="relu"),
                layers.BatchNormalization(),
                layers.MaxPooling2D(),
                layers.SeparableConv2D(2, 2),
                layers.GlobalAveragePooling2D(),
                layers.Dense(2),
            ),
            [floats(2, 8, 8, 2)],
        ),
        "lstm": (network(keras.Input([5, 3]), layers.LSTM(4), layers.Dense(1)), [floats(2, 5, 3)]),
        "recurrent": (
            network(
                keras.Input([None, 3]),
                layers.Bidirectional(layers.GRU(3, return_sequences=True)),
                layers.SimpleRNN(2),
            ),
            [floats(2, 4, 3)],
        ),
        "attention": (self_attention(), [floats(2, 4, 6)]),
        "text": (words, [sentences]),
        "several": (both, [[floats(2, 3), floats(2, 2)]]),
    }


def self_attention():
    inputs = keras.Input([None, 6])
    outputs = keras.layers.MultiHeadAttention(2, 3)(inputs, inputs, use_causal_mask=True)
    model = keras.Model(inputs, outputs)
    model.set_weights([floats(*weight.shape) * 0.3 for weight in model.weights])
    return model


def exported(folder, model, arguments):
    model.export(folder, verbose=False)
    yield "serve", arguments, [f"trainable_variables.{i}" for i in range(1)]


def saved(folder, model, arguments):
    tf.saved_model.save(model, folder)
    signature = tf.saved_model.load(folder).signatures["serving_default"]
    (name,) = signature.structured_input_signature[1]
    yield "signatures.serving_default", {name: arguments[0]}, []


def calls(name, folder, described_calls):
    """The list of calls with what TensorFlow says of them; the model is as it was before each."""
    for path, arguments, variables in described_calls:
        model = tf.saved_model.load(folder)
        called = path_in(model, path)
        sources = [path_in(model, each) for each in variables]
        found = described(tf, called, arguments, sources)
        yield {
            "model": name,
            "function": path,
            "arguments": encoded(arguments),
            "variables": variables,
            **found,
        }


def main():
    work = Path(tempfile.mkdtemp())
    makers = {"functions": lambda folder: functions(folder, work), "plain": plain}
    for name, (model, arguments) in networks().items():
        makers[f"{name}_exported"] = lambda folder, m=model, a=arguments: exported(folder, m, a)
    model, arguments = networks()["dense"]
    makers["dense_saved"] = lambda folder: saved(folder, model, arguments)
    listed = []
    for name, make in makers.items():
        folder = str(work / "models" / name)
        listed += calls(name, folder, [*make(folder)])
    (work / "models" / "calls.json").write_text(json.dumps(listed))
    with zipfile.ZipFile(TARGET, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted((work / "models").rglob("*")):
            if path.is_file() and path.name != "fingerprint.pb":
                about = zipfile.ZipInfo(str(path.relative_to(work / "models")), WHEN)
                archive.writestr(about, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
    shutil.rmtree(work)
    print(f"{len(listed)} calls of {len(makers)} models: {os.path.getsize(TARGET)} bytes")


if __name__ == "__main__":
    main()
