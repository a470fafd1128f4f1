"""The order of batches in `fit`: that of TensorFlow 2.21 and Keras 3.15 for the same seeds."""

import numpy as np
import pytest

import cinta as tf

keras = tf.keras
Dataset = tf.data.Dataset


class Watched(keras.Model):
    """Notes which samples come in which batch, and their weights."""

    def __init__(self):
        super().__init__()
        self.seen = []
        self.compile("sgd", "mse", run_eagerly=True)

    def noted(self, data):
        x, _, weights = keras.utils.unpack_x_y_sample_weight(data)
        self.seen.append([int(number) for number in x[:, 0]])
        if weights is not None:
            assert [float(w) for w in np.ravel(weights)] == [1.0 + n % 2 for n in self.seen[-1]]
        return {"loss": 0.0}

    train_step = test_step = noted


def samples(count):
    x = np.arange(count, dtype="float32")[:, None]
    return x, x % 2


def fitted(*data, seed=7, **options):
    keras.utils.set_random_seed(seed)
    model = Watched()
    model.fit(*data, verbose=0, **options)
    return model.seen


PASS = [[3, 5, 6], [1, 4, 2], [0]]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"epochs": 3}, PASS * 3),
        ({"epochs": 2, "seed": 8}, [[4, 5, 2], [6, 3, 1], [0]] * 2),
        ({"epochs": 2, "seed": 0, "batch_size": 4}, [[4, 5, 2, 1], [0, 3, 6]] * 2),
        ({"seed": 2**31 + 5, "batch_size": 4}, [[6, 3, 1, 0], [4, 5, 2]]),
        ({"epochs": 3, "shuffle": "batch"}, [[0, 1, 2], [3, 5, 4], [6]] * 3),
        ({"epochs": 2, "shuffle": False}, [[0, 1, 2], [3, 4, 5], [6]] * 2),
        ({"epochs": 2, "class_weight": {0: 1.0, 1: 2.0}}, PASS * 2),
        ({"epochs": 3, "initial_epoch": 2}, PASS),
    ],
)
def test_arrays(options, expected):
    assert fitted(*samples(7), **{"batch_size": 3, **options}) == expected


def test_epochs_that_end_within_a_pass():
    found = fitted(*samples(7), batch_size=2, epochs=5, steps_per_epoch=2)
    assert found == [[3, 5], [6, 1], [4, 2], [0], [3, 5], [6, 1], [4, 2], [0], [3, 5], [6, 1]]


def test_the_part_for_validation_is_left_out():
    found = fitted(*samples(10), batch_size=3, epochs=2, validation_split=0.3)
    assert found == [*PASS, [7, 8, 9], *PASS, [7, 8, 9]]


def test_few_samples():
    assert fitted(*samples(1)) == [[0]]
    assert fitted(*samples(2), epochs=2) == [[1, 0]] * 2


def test_without_a_seed_each_epoch_has_an_order_of_its_own():
    tf.random.set_seed(None)
    model = Watched()
    model.fit(*samples(50), epochs=2, batch_size=50, verbose=0)
    first, second = model.seen
    assert first != second
    assert sorted(first) == sorted(second) == list(range(50))


def test_numbers_drawn_before_do_not_matter():
    keras.utils.set_random_seed(7)
    tf.random.uniform([3])
    model = Watched()
    for _ in range(2):
        model.fit(*samples(7), batch_size=3, verbose=0)
    assert model.seen == PASS * 2


@pytest.mark.parametrize(
    ("change", "options", "expected"),
    [
        (
            lambda d: d.shuffle(7).batch(3),
            {"epochs": 3},
            [[[2, 6, 0], [1, 3, 4], [5]], [[2, 0, 3], [4, 6, 5], [1]], [[5, 1, 0], [4, 2, 6], [3]]],
        ),
        (
            lambda d: d.shuffle(3).batch(3).prefetch(1),
            {"epochs": 2},
            [[[2, 3, 1], [5, 6, 4], [0]], [[1, 2, 4], [3, 6, 5], [0]]],
        ),
        (
            lambda d: d.shuffle(7, seed=3).batch(3),
            {"epochs": 2, "class_weight": {0: 1.0, 1: 2.0}},
            [[[5, 1, 6], [4, 2, 0], [3]], [[3, 4, 1], [6, 0, 2], [5]]],
        ),
        (
            lambda d: d.shuffle(7, seed=3, reshuffle_each_iteration=False).batch(3),
            {"epochs": 2},
            [[[6, 1, 2], [3, 5, 4], [0]], [[6, 1, 2], [3, 5, 4], [0]]],
        ),
        (
            lambda d: d.shuffle(7).repeat().batch(3),
            {"epochs": 2, "steps_per_epoch": 2},
            [[[2, 6, 0], [1, 3, 4]], [[5, 4, 0], [6, 1, 3]]],
        ),
        (
            lambda d: d.shuffle(7).batch(2),
            {"epochs": 4, "steps_per_epoch": 2},
            [[[2, 6], [0, 1]], [[3, 4], [5]], [[4, 0], [6, 1]], [[3, 2], [5]]],
        ),
        (
            lambda d: d.shuffle(6).shuffle(3).take(5).batch(4),
            {"epochs": 2},
            [[[0, 6, 1, 3], [4]], [[4, 0, 6, 1], [5]]],
        ),
    ],
)
@pytest.mark.filterwarnings("ignore:`shuffle=True` was passed", "ignore:Your input ran out")
def test_datasets_that_shuffle(change, options, expected):
    keras.utils.set_random_seed(7)
    data = change(Dataset.from_tensor_slices(samples(7)))
    model = Watched()
    model.fit(data, verbose=0, **options)
    assert model.seen == [batch for epoch in expected for batch in epoch]


@pytest.mark.filterwarnings("ignore:`shuffle=True` was passed")
def test_validation_takes_passes_of_its_own():
    keras.utils.set_random_seed(3)
    data = Dataset.from_tensor_slices(samples(6)).shuffle(6).batch(4)
    model = Watched()
    model.fit(*samples(6), epochs=2, validation_data=data, verbose=0)
    model.evaluate(data, verbose=0)
    trained = [1, 4, 0, 5, 3, 2]
    tested = [[[3, 4, 0, 5], [1, 2]], [[0, 4, 2, 5], [1, 3]], [[5, 1, 2, 4], [0, 3]]]
    assert model.seen == [trained, *tested[0], trained, *tested[1], *tested[2]]


def test_a_training_with_dropout_gives_the_losses_of_tensorflow():
    keras.utils.set_random_seed(5)
    layers = [keras.layers.Dense(8, "tanh"), keras.layers.Dropout(0.2), keras.layers.Dense(1)]
    model = keras.Sequential(layers)
    model.compile(keras.optimizers.Adam(0.03), "mse")
    x = np.sin(np.arange(160, dtype="float32")).reshape(40, 4)
    y = x @ np.array([[1.0], [-2.0], [3.0], [0.5]], "float32")
    history = model.fit(x, y, epochs=3, batch_size=7, verbose=0, validation_split=0.1).history
    np.testing.assert_allclose(history["loss"], [0.86076802, 0.15377669, 0.27051353], rtol=1e-5)
