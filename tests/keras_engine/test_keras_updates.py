"""Updates of Keras's optimizers outside of `fit`, which are recorded by themselves."""

import gc
import pickle
import weakref

import numpy as np
import pytest

import cinta as tf
from cinta.replay import automatic

keras = tf.keras
optimizers = keras.optimizers
STEPS = 9
REPLAYED = STEPS - 4  # one builds, two run as Python, one is recorded
DECAY = optimizers.schedules.ExponentialDecay(0.1, 2, 0.5)


@pytest.fixture(autouse=True)
def recorded_soon(monkeypatch):
    monkeypatch.setattr(automatic, "OFTEN", 2)


def variables(dtype="float32"):
    random = np.random.default_rng(0)
    shapes = [(4, 3), (3,), (5, 4), ()]
    return [
        keras.Variable(np.asarray(random.normal(size=s), dtype), name=f"v{i}")
        for i, s in enumerate(shapes)
    ]


def gradients(of, step):
    random = np.random.default_rng(100 + step)
    return [tf.constant(np.asarray(random.normal(size=v.shape), v.dtype)) for v in of]


def replays(optimizer):
    """How many updates of an optimizer, and of those in it, were replays."""
    inner = [getattr(optimizer, "inner_optimizer", None), *getattr(optimizer, "optimizers", ())]
    count = sum(replays(each) for each in inner if each is not None)
    owned = vars(optimizer).get("_owned")
    made = [] if owned is None else owned.by_maker.values()
    return count + sum(each._variants.report().replays for each in made)


def trained(make, steps=STEPS, between=None, of=variables, grads=gradients):
    """The optimizer, and all values after some updates."""
    optimizer, trained = make(), of()
    for step in range(steps):
        if between is not None:
            between(optimizer, trained, step)
        optimizer.apply_gradients(zip(grads(trained, step), trained, strict=True))
    return optimizer, [v.numpy() for v in [*trained, *optimizer.variables]]


def check(make, **options):
    """Updates that are recorded give the values of Python, to the bit; returns the optimizer."""
    optimizer, found = trained(make, **options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(automatic, "OFTEN", 1_000_000)
        python, expected = trained(make, **options)
    assert replays(python) == 0
    for a, b in zip(found, expected, strict=True):
        assert a.dtype == b.dtype
        assert a.tobytes() == b.tobytes()
    return optimizer


ALL = {
    name: getattr(optimizers, name)
    for name in (
        *("Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax", "Ftrl", "Lamb", "Lion"),
        *("Muon", "Nadam", "RMSprop", "SGD", "ScheduleFreeAdamW"),
    )
    if hasattr(optimizers, name)
}
SETTINGS = {
    "amsgrad": lambda: optimizers.Adam(amsgrad=True),
    "momentum": lambda: optimizers.SGD(momentum=0.9, nesterov=True),
    "centered": lambda: optimizers.RMSprop(centered=True, momentum=0.5),
    "clipnorm": lambda: optimizers.Adam(clipnorm=0.5),
    "global clipnorm": lambda: optimizers.Adam(global_clipnorm=0.5),
    "clipvalue": lambda: optimizers.SGD(clipvalue=0.1),
    "decay": lambda: optimizers.Adam(weight_decay=0.01),
    "average": lambda: optimizers.SGD(use_ema=True, ema_momentum=0.5, ema_overwrite_frequency=3),
    "scale": lambda: optimizers.Adam(loss_scale_factor=8.0),
    "accumulation": lambda: optimizers.Adam(gradient_accumulation_steps=3),
    "schedule": lambda: optimizers.Adam(DECAY),
    "dynamic scale": lambda: optimizers.LossScaleOptimizer(
        optimizers.Adam(), initial_scale=4.0, dynamic_growth_steps=3
    ),
}


@pytest.mark.parametrize("name", ALL)
def test_every_optimizer(name):
    assert replays(check(ALL[name])) == REPLAYED


@pytest.mark.parametrize("name", SETTINGS)
def test_settings(name):
    assert replays(check(SETTINGS[name])) > 0


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float64"])
def test_dtypes(dtype):
    assert replays(check(optimizers.Adam, of=lambda: variables(dtype))) == REPLAYED


def test_several_optimizers():
    def make():
        chosen = optimizers.SGD(0.1), optimizers.Adam()
        return optimizers.MultiOptimizer(lambda v: chosen[v.path.endswith(("1", "3"))])

    assert replays(check(make)) > 0


CHANGES = {
    "assigned rate": lambda o, _, step: o.learning_rate.assign(0.1 / (step + 1)),
    "rate": lambda o, _, step: setattr(o, "learning_rate", 0.1 / (step + 1)),
    "hyperparameter": lambda o, _, step: setattr(o, "beta_1", 0.9 if step < 5 else 0.5),
    "clipping": lambda o, _, step: setattr(o, "clipnorm", None if step < 5 else 0.1),
    "decay": lambda o, _, step: setattr(o, "weight_decay", None if step < 5 else 0.1),
    "scale": lambda o, _, step: setattr(o, "loss_scale_factor", None if step < 5 else 2.0),
    "variable": lambda _, of, step: of[0].assign(of[0] * 2.0) if step == 5 else None,
    "iterations": lambda o, _, step: o.iterations.assign(0) if step == 5 else None,
    "constraint": lambda _, of, step: setattr(
        of[0], "constraint", None if step < 5 else keras.constraints.MaxNorm(0.5)
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_changes_between_updates(name):
    assert replays(check(lambda: optimizers.Adam(0.1), between=CHANGES[name])) > 0


def test_rows_of_a_table():
    def rows(of, step):
        first, *others = gradients(of, step)
        return [tf.IndexedSlices(first[:3], tf.constant([0, 2, 0]), first.shape), *others]

    for make in (optimizers.SGD, optimizers.Adam, lambda: optimizers.SGD(momentum=0.5)):
        assert replays(check(make, grads=rows)) == REPLAYED


def test_gradients_that_are_none():
    def some(of, step):
        first, *others = gradients(of, step)
        return [first, None, *others[1:]]

    with pytest.warns(UserWarning, match="v1") as warned:
        assert replays(check(optimizers.Adam, grads=some)) == REPLAYED
    assert len(warned) == 2 * STEPS


def test_gradients_that_are_not_finite_change_the_scale():
    def grads(of, step):
        return [g * (np.inf if step in (4, 7) else 1.0) for g in gradients(of, step)]

    assert replays(check(SETTINGS["dynamic scale"], grads=grads)) > 0


def test_variables_of_tf():
    def of():
        return [tf.Variable(v.numpy()) for v in variables()]

    assert replays(check(optimizers.Adam, of=of)) == REPLAYED


def test_some_of_the_variables():
    optimizer, of = optimizers.Adam(), variables()
    optimizer.build(of)
    for step in range(STEPS):
        grads = gradients(of, step)
        optimizer.apply(grads[:2], of[:2])
        optimizer.apply(grads[2:], of[2:])
        optimizer.apply(grads)
    assert replays(optimizer) == 3 * (STEPS - 3)
    assert optimizer.iterations.numpy() == 3 * STEPS


def test_a_variable_that_is_not_known():
    optimizer, _ = trained(optimizers.Adam)
    with pytest.raises(ValueError, match="Unknown variable"):
        optimizer.apply_gradients([(tf.constant(1.0), keras.Variable(1.0))])


def test_gradients_of_other_shapes_are_refused_as_ever():
    optimizer, of = optimizers.SGD(), [keras.Variable([1.0, 2.0])]
    for _ in range(STEPS):
        optimizer.apply([tf.ones([2])], of)
    for _ in range(STEPS):
        with pytest.raises(tf.errors.InvalidArgumentError, match="shape"):
            optimizer.apply([tf.ones([3])], of)
    np.testing.assert_allclose(of[0], [1.0 - 0.01 * STEPS, 2.0 - 0.01 * STEPS], rtol=1e-5)


class Counting(optimizers.SGD):
    """Notes its updates in Python."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.updates = 0

    def update_step(self, gradient, variable, learning_rate):
        self.updates += 1
        super().update_step(gradient, variable, learning_rate)


class Noisy(optimizers.SGD):
    """Draws random numbers."""

    def update_step(self, gradient, variable, learning_rate):
        noise = tf.random.normal(gradient.shape, dtype=gradient.dtype)
        super().update_step(gradient + noise, variable, learning_rate)


class Halved(optimizers.SGD):
    """Does something of its own that can be recorded."""

    def update_step(self, gradient, variable, learning_rate):
        super().update_step(gradient / 2.0, variable, learning_rate)


class Clipped(optimizers.SGD):
    """Looks at values."""

    def update_step(self, gradient, variable, learning_rate):
        if tf.norm(gradient) > 2.0:
            gradient = gradient / tf.norm(gradient)
        super().update_step(gradient, variable, learning_rate)


def test_what_python_does_is_done_at_every_update():
    assert check(Counting).updates == 4 * STEPS


def test_random_numbers_are_those_of_python():
    def make():
        tf.random.set_seed(3)
        return Noisy(0.1)

    assert replays(check(make)) == 0


@pytest.mark.parametrize("make", [Halved, Clipped])
def test_optimizers_of_programs(make):
    assert replays(check(make)) > 0


def test_eager_functions_run_as_python():
    tf.config.run_functions_eagerly(True)
    try:
        optimizer, _ = trained(optimizers.Adam)
    finally:
        tf.config.run_functions_eagerly(False)
    assert replays(optimizer) == 0


def test_under_a_tape_and_in_a_function():
    optimizer, of = trained(optimizers.SGD)[0], variables()
    optimizer.built = False
    before, calls = of[3].numpy(), replays(optimizer)
    with tf.GradientTape() as tape:
        optimizer.apply_gradients([(of[3] * 2.0, of[3])])
        loss = of[3] * 1.0
    np.testing.assert_allclose(of[3], before - 0.02 * before, rtol=1e-6)
    np.testing.assert_allclose(tape.gradient(loss, of[3]), 1.0)
    step = tf.function(lambda g: optimizer.apply([g], [of[3]]))
    for _ in range(STEPS):
        step(tf.constant(1.0))
    assert replays(optimizer) == calls
    np.testing.assert_allclose(of[3], 0.98 * before - 0.01 * STEPS, rtol=1e-5)


def test_copies_and_pickles_begin_anew():
    optimizer = optimizers.Adam()
    model = keras.Sequential([keras.Input([2]), keras.layers.Dense(1)])
    model.compile(optimizer, "mse")
    trained(lambda: optimizer, of=lambda: model.trainable_variables)
    again = pickle.loads(pickle.dumps(model)).optimizer
    assert replays(optimizer) > 0
    assert replays(again) == 0


def test_optimizers_are_freed():
    optimizer, _ = trained(optimizers.Adam)
    gone = weakref.ref(optimizer)
    del optimizer
    gc.collect()
    assert gone() is None
