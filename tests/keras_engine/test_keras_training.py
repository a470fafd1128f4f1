"""Models of Keras trained over cinta: as over TensorFlow, but for what rounding makes of it.

Processors sum in orders of their own. That moves a first loss by 1e-6 of it, and those of later
steps by up to 3e-4.
"""

import json

import numpy as np
import pytest

import cinta as tf
from tests.keras_engine import keras_trainings
from tests.keras_engine.keras_table import numbers

keras = tf.keras
EXPECTED = json.loads(keras_trainings.EXPECTED.read_text())


@pytest.mark.parametrize("name", keras_trainings.TRAININGS)
def test_a_training_goes_as_with_tensorflow(name):
    found = keras_trainings.TRAININGS[name](tf)
    assert found.keys() == EXPECTED[name].keys()
    for log, values in EXPECTED[name].items():
        np.testing.assert_allclose(found[log], values, rtol=1e-3, atol=1e-6, err_msg=log)


@pytest.mark.parametrize("name", sorted({*keras_trainings.TRAININGS} - {"adversaries"}))
def test_a_training_learns(name):
    first, *_, last = EXPECTED[name]["loss"]
    assert last < 0.6 * first


X = numbers(64, 4).astype("float32")
Y = X @ np.array([[1.0], [-2.0], [3.0], [0.5]], "float32")


def line(**options):
    keras.utils.set_random_seed(1)
    model = keras.Sequential([keras.layers.Dense(8, "tanh"), keras.layers.Dense(1)])
    model.compile(keras.optimizers.Adam(0.03), "mse", metrics=["mae"], **options)
    return model


@pytest.mark.parametrize("how", ["eagerly", "jit", "several steps at once", "accumulating"])
def test_ways_to_run_a_step(how):
    options = {
        "eagerly": {"run_eagerly": True},
        "jit": {"jit_compile": True},
        "several steps at once": {"steps_per_execution": 4},
        "accumulating": {},
    }[how]
    model, plain = line(**options), line()
    if how == "accumulating":
        for each in (model, plain):
            each.optimizer = keras.optimizers.SGD(0.1, gradient_accumulation_steps=2)
    for each in (model, plain):
        each.fit(X, Y, epochs=2, batch_size=16, shuffle=False, verbose=0)
    np.testing.assert_allclose(model.get_weights()[0], plain.get_weights()[0], rtol=1e-5, atol=1e-6)


def test_steps_are_compiled_as_set_engine_says():
    assert line().jit_compile is None
    assert line(run_eagerly=True).jit_compile is False
    assert line(jit_compile=True).jit_compile is True
    model = line()
    tf.config.set_engine("xla")
    try:
        losses = model.fit(X, Y, epochs=3, verbose=0).history["loss"]
    finally:
        tf.config.set_engine("numpy")
    expected = line().fit(X, Y, epochs=3, verbose=0).history["loss"]
    np.testing.assert_allclose(losses, expected, rtol=1e-5)


def batches():
    for i in range(0, 64, 16):
        yield X[i : i + 16], Y[i : i + 16]


class Sequence(keras.utils.PyDataset):
    def __len__(self):
        return 4

    def __getitem__(self, i):
        return X[16 * i : 16 * i + 16], Y[16 * i : 16 * i + 16]


@pytest.mark.parametrize(
    "data",
    [(X, Y), (tf.constant(X), tf.constant(Y)), batches, Sequence],
    ids=["arrays", "tensors", "generator", "PyDataset"],
)
@pytest.mark.filterwarnings("ignore:Your input ran out of data")  # the generator ends, as it should
def test_where_batches_come_from(data):
    arguments = data if isinstance(data, tuple) else (data(),)
    model, plain = line(), line()
    model.fit(*arguments, batch_size=16 if data is (X, Y) else None, shuffle=False, verbose=0)
    plain.fit(X, Y, shuffle=False, verbose=0, batch_size=32 if len(arguments) == 2 else 16)
    np.testing.assert_allclose(model.get_weights()[0], plain.get_weights()[0], rtol=1e-5, atol=1e-6)


@pytest.mark.filterwarnings("ignore:`shuffle=True` was passed")  # as fit does by itself
def test_datasets():
    data = tf.data.Dataset.from_tensor_slices((X, Y)).batch(16)
    model, plain = line(), line()
    history = model.fit(data, verbose=0, validation_data=data).history
    plain.fit(X, Y, batch_size=16, shuffle=False, verbose=0)
    np.testing.assert_array_equal(model.get_weights()[0], plain.get_weights()[0])
    assert history["val_loss"][0] == pytest.approx(model.evaluate(data, verbose=0)[0])
    assert model.predict(data.map(lambda x, y: x), verbose=0).shape == (64, 1)


def test_steps_one_by_one():
    model, plain = line(), line()
    losses = [model.train_on_batch(x, y)[0] for x, y in batches()]
    history = plain.fit(X, Y, batch_size=16, shuffle=False, verbose=0).history
    np.testing.assert_allclose(np.mean(losses), history["loss"][0], rtol=1e-6)
    tested, predicted = model.test_on_batch(X, Y)[0], model.predict_on_batch(X)
    np.testing.assert_allclose(tested, np.mean((predicted - Y) ** 2), rtol=1e-6)
    assert isinstance(predicted, np.ndarray)


def test_the_same_seed_draws_the_same():
    weights = []
    for _ in range(2):
        model = line()
        model.fit(X, Y, epochs=2, verbose=0)
        weights.append(model.get_weights()[0])
    np.testing.assert_array_equal(*weights)


def test_callbacks_and_progress(tmp_path, capsys):
    seen = []
    model = line()
    history = model.fit(
        X,
        Y,
        epochs=30,
        validation_split=0.25,
        callbacks=[
            keras.callbacks.EarlyStopping(monitor="loss", min_delta=10.0, patience=3),
            keras.callbacks.ModelCheckpoint(tmp_path / "best.keras", save_best_only=True),
            keras.callbacks.CSVLogger(tmp_path / "log.csv"),
            keras.callbacks.LearningRateScheduler(lambda epoch: 0.01 / (epoch + 1)),
            keras.callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: seen.append(logs)),
        ],
    )
    assert history.epoch == [0, 1, 2, 3]
    assert history.history["val_mae"] == [logs["val_mae"] for logs in seen]
    np.testing.assert_allclose(float(model.optimizer.learning_rate), 0.0025)
    assert (tmp_path / "log.csv").read_text().startswith("epoch,")
    assert "Epoch 4/30" in capsys.readouterr().out
    best = keras.models.load_model(tmp_path / "best.keras")
    assert best.evaluate(X[48:], Y[48:], verbose=0)[0] == pytest.approx(
        min(history.history["val_loss"])
    )


class Twice(keras.layers.Layer):
    def __init__(self, factor=2.0, **options):
        super().__init__(**options)
        self.factor = factor
        self.inner = keras.layers.Dense(4)

    def build(self, shape):
        self.inner.build(shape)
        self.scale = self.add_weight(shape=(), initializer="ones", name="scale")

    def call(self, x):
        return self.factor * self.scale * self.inner(x)

    def get_config(self):
        return {**super().get_config(), "factor": self.factor}


def test_files(tmp_path):
    inputs = keras.Input([4])
    outputs = keras.layers.BatchNormalization()(Twice(3.0)(inputs))
    model = keras.Model(inputs, outputs)
    model.compile("adam", "mse")
    model.fit(X, X, verbose=0)
    model.save(tmp_path / "model.keras")
    loaded = keras.models.load_model(tmp_path / "model.keras", custom_objects={"Twice": Twice})
    np.testing.assert_array_equal(loaded.predict(X, verbose=0), model.predict(X, verbose=0))
    for each in (loaded, model):  # the state of the optimizer was saved too
        each.fit(X, X, shuffle=False, verbose=0)
    np.testing.assert_array_equal(loaded.get_weights()[0], model.get_weights()[0])

    model.save_weights(tmp_path / "model.weights.h5")
    fresh = keras.models.clone_model(
        model, clone_function=lambda x: type(x).from_config(x.get_config())
    )
    fresh.load_weights(tmp_path / "model.weights.h5")
    np.testing.assert_array_equal(fresh(X), model(X))


def test_mixed_precision():
    policy = keras.mixed_precision.Policy("mixed_bfloat16")
    model = keras.Sequential(
        [keras.layers.Dense(8, "relu", dtype=policy), keras.layers.Dense(1, dtype="float32")]
    )
    model.compile(keras.optimizers.Adam(0.03), "mse")
    losses = model.fit(X, Y, epochs=10, verbose=0).history["loss"]
    assert model.layers[0](X).dtype == tf.bfloat16
    assert model.layers[0].kernel.dtype == "float32"
    assert losses[-1] < losses[0] / 2


def test_loss_scaling():
    model = line()
    model.optimizer = keras.mixed_precision.LossScaleOptimizer(keras.optimizers.SGD(0.1))
    losses = model.fit(X, Y, epochs=5, verbose=0).history["loss"]
    assert losses[-1] < losses[0]


def test_layers_that_are_frozen_stay():
    model = line()
    model.build([None, 4])
    model.layers[0].trainable = False
    model.compile("sgd", "mse")
    before = model.get_weights()
    model.fit(X, Y, verbose=0)
    after = model.get_weights()
    np.testing.assert_array_equal(before[0], after[0])
    assert (before[2] != after[2]).all()


def test_shapes_that_only_running_tells():
    inputs = keras.Input([None, 4])
    outputs = keras.layers.Lambda(lambda x: tf.reduce_sum(x, 1)[:, ::2])(inputs)
    assert keras.Model(inputs, outputs).output_shape == (None, 2)


class Offset(keras.layers.Layer):
    def call(self, x, offset=None):
        return x if offset is None else x + offset


@pytest.mark.parametrize("shuffle", [True, False])
def test_an_optional_input_may_be_left_out_of_a_training(shuffle):
    x, offset = keras.Input([4]), keras.Input([4], optional=True)
    model = keras.Model([x, offset], keras.layers.Dense(1)(Offset()(x, offset)))
    model.compile(keras.optimizers.SGD(0.1), "mse")
    losses = model.fit([X, None], Y, epochs=5, shuffle=shuffle, verbose=0).history["loss"]
    assert losses[-1] < losses[0]


def test_a_required_input_may_not_be_left_out_of_a_training():
    x = keras.Input([4])
    model = keras.Model(x, keras.layers.Dense(1)(x))
    model.compile("sgd", "mse")
    with pytest.raises(ValueError, match="not optional"):
        model.fit([None], Y, verbose=0)


def test_dropout_draws_anew_each_time():
    layer = keras.layers.Dropout(0.5, seed=3)
    first, second = layer(X, training=True), layer(X, training=True)
    assert (first.numpy() != second.numpy()).any()
    kept = first.numpy() != 0
    np.testing.assert_allclose(first.numpy()[kept], 2 * X[kept])


def two_outputs(**options):
    keras.utils.set_random_seed(1)
    given = keras.Input((3,))
    outputs = [keras.layers.Dense(n, name=name)(given) for n, name in ((1, "a"), (2, "b"))]
    model = keras.Model(given, outputs)
    model.compile("sgd", ["mse", "mae"], **options)
    x = np.sin(np.arange(30.0)).reshape(10, 3).astype("float32")
    y = np.arange(10, dtype="float32")[:, None] * 3, np.arange(20, dtype="float32").reshape(10, 2)
    return model, x, y


BY_SAMPLES = [256.35052, 9.49579, 265.84634]
BY_BATCHES = [318.73279, 10.82521, 265.84634]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, BY_BATCHES),
        ({"jit_compile": True}, BY_BATCHES),
        ({"steps_per_execution": 2}, BY_BATCHES),
        ({"run_eagerly": True}, BY_SAMPLES),
    ],
)
@pytest.mark.parametrize("as_dataset", [False, True])
def test_losses_of_single_outputs_are_means_over_batches(as_dataset, options, expected):
    model, x, y = two_outputs(**options)
    if as_dataset:
        dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(4)
        found = model.fit(dataset, verbose=0, shuffle=False).history
    else:
        found = model.fit(x, y, batch_size=4, verbose=0, shuffle=False).history
    np.testing.assert_allclose([*found.values()], np.transpose([expected]), rtol=1e-5)
    assert [*found] == ["a_loss", "b_loss", "loss"]


def test_losses_of_single_outputs_in_evaluations():
    model, x, y = two_outputs()
    found = model.evaluate(x, y, batch_size=4, verbose=0)
    np.testing.assert_allclose(found, [271.48593, 327.01065, 10.82933], rtol=1e-5)
    found = model.test_on_batch(x, y)
    np.testing.assert_allclose(found, [271.4859, 261.98691, 9.499], rtol=1e-5)


class Counting(keras.utils.PyDataset):
    passes = 0

    def __len__(self):
        return 3

    def __getitem__(self, place):
        return X[place : place + 2], Y[place : place + 2]

    def on_epoch_end(self):
        self.passes += 1


def test_the_last_execution_of_a_pass_may_have_fewer_steps():
    model, data, ends = line(steps_per_execution=2), Counting(), []
    noted = keras.callbacks.LambdaCallback(
        on_train_batch_end=lambda batch, logs: ends.append(batch)
    )
    model.fit(data, epochs=2, verbose=0, shuffle=False, callbacks=[noted])
    assert (ends, data.passes, int(model.optimizer.iterations)) == ([1, 3, 1, 3], 3, 6)


def test_too_few_batches_are_warned_of():
    model, data = line(steps_per_execution=2), Counting()
    with pytest.warns(UserWarning, match="ran out of data"):
        model.fit(data, steps_per_epoch=5, verbose=0, shuffle=False)
    assert (data.passes, int(model.optimizer.iterations)) == (2, 3)


def test_an_optimizer_that_is_first_called_in_a_branch_on_values(recwarn):
    class Accumulating(keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = keras.layers.Dense(1, kernel_initializer="ones")
            self.steps = tf.Variable(0, trainable=False)

        def build(self, shape):
            self.dense.build(shape)
            self.sums = [tf.Variable(0.0 * v, trainable=False) for v in self.trainable_variables]

        def call(self, x):
            return self.dense(x)

        def train_step(self, data):
            x, y = data
            with tf.GradientTape() as tape:
                loss = self.compute_loss(x, y, self(x, training=True))
            for total, each in zip(
                self.sums, tape.gradient(loss, self.trainable_variables), strict=True
            ):
                total.assign_add(each)
            tf.cond(self.steps.assign_add(1) % 2 == 0, self.apply, lambda: None)
            return {"own": loss}

        def apply(self):
            self.optimizer.apply_gradients(zip(self.sums, self.trainable_variables, strict=True))
            for each in self.sums:
                each.assign(tf.zeros_like(each))

    model = Accumulating()
    model.compile("sgd", "mse")
    # the losses are those of TensorFlow
    losses = model.fit(X, Y, epochs=3, batch_size=16, shuffle=False, verbose=0).history["own"]
    np.testing.assert_allclose(losses, [5.85239, 5.510116, 5.189348], rtol=1e-4)
    assert not [str(each.message) for each in recwarn if "at every call" in str(each.message)]
