"""Let TensorFlow write the small checkpoints that the tests read: tests/references/checkpoints/.

    python tools/tensorflow_checkpoints.py

TensorFlow must be installed; the tests need only the files.
"""

import shutil
from pathlib import Path

import tensorflow as tf

FOLDER = Path(__file__).parent.parent / "tests" / "references" / "checkpoints"
DTYPES = "float16 bfloat16 float32 float64 complex64 complex128 bool int8 int16 int32 int64"
MORE_DTYPES = "uint8 uint16 uint32 uint64 float8_e5m2 float8_e4m3fn"


class Dense(tf.Module):
    def __init__(self, inputs, outputs, start):
        super().__init__()
        numbers = tf.range(start, start + inputs * outputs, dtype=tf.float32)
        self.w = tf.Variable(tf.reshape(numbers, [inputs, outputs]))
        self.b = tf.Variable(tf.fill([outputs], float(start)))


class Model(tf.Module):
    def __init__(self):
        super().__init__()
        self.layers = [Dense(2, 3, 10), Dense(3, 1, 20)]
        self.table = {"a/b.c": tf.Variable([1, 2, 3])}
        self.pair = (self.layers[0].w, tf.Variable(True))
        self.words = tf.Variable(["", "ñandú", "x" * 200])
        self.generator = tf.random.Generator.from_seed(7)
        self.again = self


def objects():
    checkpoint = tf.train.Checkpoint(model=Model(), step=tf.Variable(5, dtype=tf.int64))
    checkpoint.save(FOLDER / "objects" / "ckpt")


def dtypes():
    variables = {
        name: tf.Variable(tf.cast(tf.constant([0.0, 1.0, 1.0, 2.0, 3.0]), name))
        for name in f"{DTYPES} {MORE_DTYPES}".split()
    }
    variables["empty"] = tf.Variable(tf.zeros([0, 3]))
    tf.train.Checkpoint(**variables).write(FOLDER / "dtypes")


def slices():
    """Several files, with a tensor that goes through two of them."""
    policy = tf.train.experimental.MaxShardSizePolicy(max_shard_size=256)
    options = tf.train.CheckpointOptions(experimental_sharding_callback=policy)
    big = tf.Variable(tf.reshape(tf.range(96.0), [24, 4]))
    tf.train.Checkpoint(big=big, small=tf.Variable([7.0])).write(FOLDER / "slices", options)


def counted(shape, dtype, partition_info):
    begin = partition_info.var_offset[0]
    return tf.range(begin, begin + shape[0], dtype=dtype)


def by_name():
    """The way of TensorFlow 1: no objects, an optimizer with slots, a variable in parts."""
    v1 = tf.compat.v1
    with tf.Graph().as_default(), v1.Session() as session:
        with v1.variable_scope("scope", partitioner=v1.fixed_size_partitioner(3)):
            parts = v1.get_variable("parts", shape=[10], initializer=counted)
        w = v1.get_variable("w", initializer=[1.0, 2.0], use_resource=False)
        loss = tf.reduce_sum(w**2) + tf.reduce_sum(tf.convert_to_tensor(parts))
        step = v1.train.AdamOptimizer(0.5).minimize(loss, var_list=[w])
        session.run(v1.global_variables_initializer())
        session.run(step)
        v1.train.Saver().save(session, str(FOLDER / "by_name"), write_meta_graph=False)
    (FOLDER / "checkpoint").unlink()


def slots():
    """An optimizer that is not a module of variables, but gives slots to those of others."""
    w = tf.Variable([1.0, 2.0])
    adam = tf.compat.v1.train.AdamOptimizer(0.5)
    adam.minimize(lambda: tf.reduce_sum(w**2), var_list=[w])
    tf.train.Checkpoint(w=w, optimizer=adam).write(FOLDER / "slots")


def keras():
    """A model and its optimizer after two steps, with what the model makes of some rows."""
    keras = tf.keras
    keras.utils.set_random_seed(1)
    layers = [keras.layers.Dense(3, "relu"), keras.layers.BatchNormalization()]
    model = keras.Sequential([keras.Input([4]), *layers, keras.layers.Dense(1)])
    model.compile("adam", "mse")
    rows = tf.random.uniform([8, 4])
    model.fit(rows, tf.reduce_sum(rows, 1), batch_size=4, verbose=0)
    results = tf.Variable(model(rows))
    tf.train.Checkpoint(
        model=model, optimizer=model.optimizer, rows=tf.Variable(rows), results=results
    ).write(FOLDER / "keras")


if __name__ == "__main__":
    shutil.rmtree(FOLDER, ignore_errors=True)
    for write in (objects, dtypes, slices, by_name, slots, keras):
        write()
