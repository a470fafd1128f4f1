"""Simulations and solvers: time steps, sampling, optimization."""

import dataclasses
import functools
import math

import numpy as np

import cinta as tf
from tests.functions.programs.table import numbers, program, rows, weights
from tests.functions.programs.training import MLP


def runge_kutta(derivative, state, dt):
    """One step of the classical method of fourth order, over a tuple of tensors."""

    def moved(slopes, by):
        return [s + by * k for s, k in zip(state, slopes, strict=True)]

    k1 = derivative(*state)
    k2 = derivative(*moved(k1, dt / 2))
    k3 = derivative(*moved(k2, dt / 2))
    k4 = derivative(*moved(k3, dt))
    weighted = (a + 2 * b + 2 * c + d for a, b, c, d in zip(k1, k2, k3, k4, strict=True))
    return tuple(s + dt / 6 * k for s, k in zip(state, weighted, strict=True))


@dataclasses.dataclass
class Pendulum:
    length: float = 1.0
    gravity: float = 9.81
    friction: float = 0.1

    def __call__(self, angle, speed):
        pull = -self.gravity / self.length * tf.sin(angle)
        return speed, pull - self.friction * speed

    def energy(self, angle, speed):
        height = self.length * (1 - tf.cos(angle))
        return 0.5 * (self.length * speed) ** 2 + self.gravity * height


@program
def a_pendulum():
    pendulum = Pendulum(length=2.0)

    def simulate(angle, speed):
        for _ in range(5):
            angle, speed = runge_kutta(pendulum, (angle, speed), dt=0.05)
        return angle, speed, pendulum.energy(angle, speed)

    yield simulate, rows(3), rows(3, seed=1)
    yield rows(3, seed=2), rows(3, seed=3)


@program
def hares_and_foxes():
    rates = tf.Variable([1.0, 0.4, 0.4, 1.0])

    def step(hares, foxes, wanted):
        with tf.GradientTape() as tape:
            a, b, c, d = tf.unstack(rates)
            change = lambda h, f: (a * h - b * h * f, c * h * f - d * f)  # noqa: E731
            for _ in range(4):
                hares, foxes = runge_kutta(change, (hares, foxes), 0.1)
            loss = tf.reduce_mean((hares - wanted) ** 2)
        rates.assign_sub(0.05 * tape.gradient(loss, rates))
        return loss, rates + 0.0

    yield step, tf.abs(rows(3)), tf.abs(rows(3, seed=1)), tf.ones(3)
    yield tf.abs(rows(3, seed=2)), tf.abs(rows(3, seed=3)), tf.ones(3)


@program
def planets():
    masses = np.array([10.0, 1.0, 0.5], np.float32)

    def forces(places):
        apart = places[None] - places[:, None]
        distance = tf.sqrt(tf.reduce_sum(apart**2, -1) + 0.01)
        return tf.reduce_sum(masses[None, :, None] * apart / distance[..., None] ** 3, axis=1)

    def step(places, speeds, dt=0.01):
        for _ in range(3):
            speeds = speeds + 0.5 * dt * forces(places)
            places = places + dt * speeds
            speeds = speeds + 0.5 * dt * forces(places)
        return places, speeds

    yield step, rows(3, 2), rows(3, 2, seed=1)
    yield rows(3, 2, seed=2), rows(3, 2, seed=3)


@program
def heat_in_a_rod():
    conductivity = 0.2
    heat = tf.Variable(numbers(16))

    def step(turns):
        for _ in range(turns):
            inner = heat[1:-1] + conductivity * (heat[2:] - 2 * heat[1:-1] + heat[:-2])
            heat.assign(tf.concat([[0.0], inner, [0.0]], 0))
        return heat + 0.0

    yield step, 3
    yield (2,)


@program
def waves_on_a_membrane():
    kernel = tf.reshape(tf.constant([0.0, 1, 0, 1, -4, 1, 0, 1, 0]), [3, 3, 1, 1])
    now, before = (tf.Variable(numbers(1, 8, 8, 1)) for _ in range(2))

    def step(drive, damping=0.01):
        bent = tf.nn.conv2d(now, kernel, 1, "SAME")
        after = (2 - damping) * now - (1 - damping) * before + 0.1 * bent + drive
        before.assign(now)
        now.assign(after)
        return tf.reduce_sum(after**2)

    yield step, rows(1, 8, 8, 1)
    yield rows(1, 8, 8, 1, seed=1)


@program
def an_equation_learned_by_a_network():
    network, speed = MLP(2, 8, 1), 0.5

    def step(t, x):
        with tf.GradientTape() as tape:
            with tf.GradientTape() as second:
                second.watch(x)
                with tf.GradientTape() as first:
                    first.watch([t, x])
                    u = network(tf.stack([t, x], -1))[:, 0]
                by_t, by_x = first.gradient(u, [t, x])
            by_x_twice = second.gradient(by_x, x)
            left = by_t - speed * by_x_twice
            loss = tf.reduce_mean(left**2) + tf.reduce_mean((u - tf.sin(math.pi * x)) ** 2)
        gradients = tape.gradient(loss, network.variables, unconnected_gradients="zero")
        for v, g in zip(network.variables, gradients, strict=True):
            v.assign_sub(0.01 * g)
        return loss

    yield step, rows(6), rows(6, seed=1)
    yield rows(6, seed=2), rows(6, seed=3)


@program
def a_filter_of_kalman():
    a = tf.constant([[1.0, 0.1], [0.0, 1.0]])
    h, q, r = tf.constant([[1.0, 0.0]]), 0.01 * tf.eye(2), tf.constant([[0.1]])
    mean, spread = tf.Variable(tf.zeros([2, 1])), tf.Variable(tf.eye(2))

    def step(seen):
        ahead, wide = a @ mean, a @ spread @ tf.transpose(a) + q
        gain = wide @ tf.transpose(h) @ tf.linalg.inv(h @ wide @ tf.transpose(h) + r)
        mean.assign(ahead + gain @ (seen - h @ ahead))
        spread.assign((tf.eye(2) - gain @ h) @ wide)
        return mean + 0.0

    yield step, rows(1, 1)
    yield rows(1, 1, seed=1)


@program
def a_walk_of_many_particles():
    count = tf.Variable(0)

    def step(places, strength):
        noise = tf.random.stateless_normal(places.shape, [1, count.assign_add(1)])
        moved = places - 0.1 * strength * places + math.sqrt(0.2) * noise
        inside = tf.abs(moved) < 2.0
        return tf.where(inside, moved, places), tf.reduce_mean(tf.cast(inside, tf.float32))

    yield step, rows(10), 0.5
    yield rows(10, seed=1), 0.5


@program
def hamiltonian_sampling():
    def energy(x):
        return 0.5 * tf.reduce_sum(x**2, -1) + 0.1 * tf.reduce_sum(x**4, -1)

    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = energy(x)
        return tape.gradient(y, x)

    def step(x, momentum, chance, size=0.1, turns=3):
        start = energy(x) + 0.5 * tf.reduce_sum(momentum**2, -1)
        y = x
        momentum = momentum - 0.5 * size * slope(y)
        for turn in range(turns):
            y = y + size * momentum
            momentum = momentum - (0.5 if turn == turns - 1 else 1.0) * size * slope(y)
        end = energy(y) + 0.5 * tf.reduce_sum(momentum**2, -1)
        taken = tf.math.log(chance) < start - end
        return tf.where(taken[:, None], y, x)

    yield step, rows(4, 3), rows(4, 3, seed=1), tf.constant([0.5, 0.9, 0.1, 0.99])
    yield rows(4, 3, seed=2), rows(4, 3, seed=3), tf.constant([0.5, 0.9, 0.1, 0.99])


@program
def a_root_by_newton():
    tolerance = 1e-3

    def solve(target):
        x, turns = tf.ones_like(target), 0
        while True:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = x**3 + x - target
            if tf.reduce_max(tf.abs(y)) < tolerance or turns > 20:
                return x, turns
            x, turns = x - y / tape.gradient(y, x), turns + 1

    yield solve, rows(3)
    yield rows(3)


@program
def a_fit_by_gauss_and_newton():
    times = np.linspace(0, 1, 6, dtype=np.float32)
    parameters = tf.Variable([1.0, -0.5])

    def step(values):
        with tf.GradientTape() as tape:
            scale, rate = tf.unstack(parameters)
            errors = scale * tf.exp(rate * times) - values
        jacobian = tape.jacobian(errors, parameters)
        normal = tf.matmul(jacobian, jacobian, transpose_a=True) + 1e-3 * tf.eye(2)
        right = tf.linalg.matvec(jacobian, errors, transpose_a=True)
        parameters.assign_sub(tf.linalg.solve(normal, right[:, None])[:, 0])
        return tf.reduce_sum(errors**2)

    yield step, tf.constant(2.0 * np.exp(-times))
    yield (tf.constant(1.5 * np.exp(-0.7 * times)),)


@program
def the_valley_of_rosenbrock():
    place = tf.Variable([-1.0, 1.0])

    def rosenbrock(p):
        x, y = p[0], p[1]
        return (1 - x) ** 2 + 100 * (y - x**2) ** 2

    def step(damping):
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                value = rosenbrock(place)
            slope = inner.gradient(value, place)
        curvature = outer.jacobian(slope, place) + damping * tf.eye(2)
        place.assign_sub(tf.linalg.solve(curvature, slope[:, None])[:, 0])
        return value

    yield step, tf.constant(1.0)
    yield (tf.constant(0.1),)


@program
def an_implicit_layer():
    w = weights(3, 3)

    @tf.custom_gradient
    def fixed_point(x):
        z = tf.zeros_like(x)
        for _ in range(10):
            z = tf.tanh(0.5 * z @ w + x)

        def gradient(upstream, variables=None):
            slope = 1 - z**2
            g = upstream
            for _ in range(10):
                g = upstream + 0.5 * (g * slope) @ tf.transpose(w)
            by_w = 0.5 * tf.matmul(z, g * slope, transpose_a=True)
            return g * slope, [by_w for _ in variables or ()]

        return z, gradient

    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(fixed_point(x) ** 2)
        w.assign_sub(0.5 * tape.gradient(loss, w))
        return loss

    yield step, rows(4, 3)
    yield rows(4, 3, seed=1)


@program
def the_game_of_life():
    around = np.ones((3, 3, 1, 1), np.float32)
    around[1, 1] = 0

    def turn(board, turns):
        for _ in range(turns):
            neighbors = tf.nn.conv2d(board, around, 1, "SAME")
            lives = tf.logical_or(neighbors == 3, tf.logical_and(neighbors == 2, board > 0))
            board = tf.cast(lives, tf.float32)
        return board

    yield turn, tf.cast(rows(1, 6, 6, 1) > 0, tf.float32), 2
    yield tf.cast(rows(1, 6, 6, 1, seed=1) > 0, tf.float32), 2


@program
def a_spectrum_that_is_filtered():
    window = np.hanning(16).astype(np.float32)

    def filtered(signal, keep):
        spectrum = tf.signal.rfft(signal * window)
        bands = tf.range(spectrum.shape[-1])
        mask = tf.cast(bands < keep, tf.complex64)
        return tf.signal.irfft(spectrum * mask), tf.abs(spectrum) ** 2

    yield filtered, rows(2, 16), 4
    yield rows(2, 16, seed=1), 4


@program
def the_largest_eigenvalue():
    def power(matrix, turns=6):
        body = lambda i, v: (i + 1, tf.math.l2_normalize(tf.linalg.matvec(matrix, v)))  # noqa: E731
        _, v = tf.while_loop(lambda i, v: i < turns, body, [0, tf.ones(matrix.shape[0])])
        return tf.tensordot(v, tf.linalg.matvec(matrix, v), 1)

    yield power, rows(4, 4) @ tf.transpose(rows(4, 4)) + 4 * tf.eye(4)
    yield (rows(4, 4, seed=1) @ tf.transpose(rows(4, 4, seed=1)) + 4 * tf.eye(4),)


@program
def conjugate_gradients():
    def solve(matrix, right, turns=4):
        x = tf.zeros_like(right)
        r = p = right - tf.linalg.matvec(matrix, x)
        norm = tf.reduce_sum(r * r)
        for _ in range(turns):
            q = tf.linalg.matvec(matrix, p)
            alpha = norm / tf.reduce_sum(p * q)
            x, r = x + alpha * p, r - alpha * q
            norm, last = tf.reduce_sum(r * r), norm
            p = r + norm / last * p
        return x

    symmetric = functools.partial(tf.matmul, transpose_b=True)
    yield solve, symmetric(rows(5, 5), rows(5, 5)) + tf.eye(5), rows(5)
    yield symmetric(rows(5, 5, seed=1), rows(5, 5, seed=1)) + tf.eye(5), rows(5, seed=1)
