"""Generative models, reinforcement learning, and losses that need more than one model."""

import collections

import numpy as np

import cinta as tf
from tests.functions.programs.table import labels, program, rows, weights
from tests.functions.programs.training import MLP, Adam


@program
def an_autoencoder():
    encoder, decoder = MLP(6, 4, 2), MLP(2, 4, 6)
    variables = encoder.variables + decoder.variables
    optimizer = Adam(variables)

    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((decoder(encoder(x)) - x) ** 2)
        optimizer.apply(tape.gradient(loss, variables))
        return loss

    yield step, rows(8, 6)
    yield rows(8, 6, seed=1)


@program
def a_variational_autoencoder():
    encoder, decoder = MLP(6, 8, 4), MLP(2, 8, 6)
    variables = encoder.variables + decoder.variables
    count = tf.Variable(0)

    def step(x, beta=0.5):
        noise = tf.random.stateless_normal([x.shape[0], 2], [7, count.assign_add(1)])
        with tf.GradientTape() as tape:
            mean, log_variance = tf.split(encoder(x), 2, axis=-1)
            z = mean + tf.exp(0.5 * log_variance) * noise
            fit = tf.reduce_mean(tf.reduce_sum((decoder(z) - x) ** 2, -1))
            divergence = -0.5 * tf.reduce_sum(1 + log_variance - mean**2 - tf.exp(log_variance), -1)
            loss = fit + beta * tf.reduce_mean(divergence)
        for v, g in zip(variables, tape.gradient(loss, variables), strict=True):
            v.assign_sub(0.01 * g)
        return loss, fit

    yield step, rows(8, 6)
    yield rows(8, 6, seed=1)


@program
def an_adversarial_network():
    generator, critic = MLP(2, 8, 3), MLP(3, 8, 1)
    optimizers = {"generator": Adam(generator.variables), "critic": Adam(critic.variables)}

    def entropy(value, logits):
        wanted = tf.fill(logits.shape, value)
        return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(wanted, logits))

    def step(real, noise):
        with tf.GradientTape() as one, tf.GradientTape() as other:
            fake = generator(noise)
            of_real, of_fake = critic(real), critic(fake)
            losses = {
                "generator": entropy(1.0, of_fake),
                "critic": entropy(0.9, of_real) + entropy(0.0, of_fake),
            }
        for tape, model, name in ((one, generator, "generator"), (other, critic, "critic")):
            optimizers[name].apply(tape.gradient(losses[name], model.variables))
        return losses

    yield step, rows(4, 3), rows(4, 2)
    yield rows(4, 3, seed=1), rows(4, 2, seed=1)


@program
def a_gradient_penalty():
    critic = MLP(3, 8, 1)

    def step(real, fake, share):
        mixed = share * real + (1 - share) * fake
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                inner.watch(mixed)
                scores = critic(mixed)
            slopes = inner.gradient(scores, mixed)
            penalty = tf.reduce_mean((tf.norm(slopes, axis=-1) - 1.0) ** 2)
            loss = tf.reduce_mean(critic(fake)) - tf.reduce_mean(critic(real)) + 10.0 * penalty
        gradients = outer.gradient(loss, critic.variables, unconnected_gradients="zero")
        for v, g in zip(critic.variables, gradients, strict=True):
            v.assign_sub(0.01 * g)
        return loss, penalty

    yield step, rows(4, 3), rows(4, 3, seed=1), tf.constant(0.25)
    yield rows(4, 3, seed=2), rows(4, 3, seed=3), tf.constant(0.75)


@program
def a_diffusion_model():
    model, turns = MLP(4, 8, 3), 10
    betas = np.linspace(1e-2, 0.2, turns, dtype=np.float32)
    kept = np.cumprod(1 - betas)

    def step(x, t, noise):
        share = tf.gather(kept, t)[:, None]
        noisy = tf.sqrt(share) * x + tf.sqrt(1 - share) * noise
        times = tf.cast(t, tf.float32)[:, None] / turns
        with tf.GradientTape() as tape:
            found = model(tf.concat([noisy, times], axis=-1))
            loss = tf.reduce_mean((found - noise) ** 2)
        for v, g in zip(model.variables, tape.gradient(loss, model.variables), strict=True):
            v.assign_sub(0.1 * g)
        return loss

    yield step, rows(8, 3), labels(8, 10), rows(8, 3, seed=1)
    yield rows(8, 3, seed=2), labels(8, 10, seed=1), rows(8, 3, seed=3)


@program
def a_flow():
    scale, shift = MLP(2, 8, 2), MLP(2, 8, 2)
    variables = scale.variables + shift.variables

    def step(x):
        with tf.GradientTape() as tape:
            log_density = 0.0
            for turn in range(2):
                fixed, moved = tf.split(x if turn % 2 == 0 else tf.reverse(x, [-1]), 2, axis=-1)
                s = tf.tanh(scale(fixed))
                moved = moved * tf.exp(s) + shift(fixed)
                log_density += tf.reduce_sum(s, -1)
                x = tf.concat([fixed, moved], -1)
            log_density += -0.5 * tf.reduce_sum(x**2, -1)
            loss = -tf.reduce_mean(log_density)
        for v, g in zip(variables, tape.gradient(loss, variables), strict=True):
            v.assign_sub(0.01 * g)
        return loss

    yield step, rows(8, 4)
    yield rows(8, 4, seed=1)


@program
def contrasted_pairs():
    model, heat = MLP(4, 8, 3), 0.5

    def step(one, other):
        with tf.GradientTape() as tape:
            a, b = (tf.math.l2_normalize(model(x), axis=-1) for x in (one, other))
            logits = tf.matmul(a, b, transpose_b=True) / heat
            wanted = tf.range(logits.shape[0])
            losses = [
                tf.nn.sparse_softmax_cross_entropy_with_logits(wanted, m)
                for m in (logits, tf.transpose(logits))
            ]
            loss = tf.reduce_mean(tf.add_n(losses)) / len(losses)
        for v, g in zip(model.variables, tape.gradient(loss, model.variables), strict=True):
            v.assign_sub(0.1 * g)
        return loss

    yield step, rows(4, 4), rows(4, 4, seed=1)
    yield rows(4, 4, seed=2), rows(4, 4, seed=3)


@program
def a_student_and_its_teacher():
    teacher, student = MLP(4, 8, 3), MLP(4, 3)
    heat, share = 2.0, 0.7

    def step(x, y):
        soft = tf.nn.softmax(teacher(x) / heat)
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(student.variables)
            logits = student(x)
            hard = tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits)
            near = tf.nn.softmax_cross_entropy_with_logits(soft, logits / heat)
            loss = tf.reduce_mean(share * near * heat**2 + (1 - share) * hard)
        for v, g in zip(student.variables, tape.gradient(loss, student.variables), strict=True):
            v.assign_sub(0.1 * g)
        return loss

    yield step, rows(8, 4), labels(8, 3)
    yield rows(8, 4, seed=1), labels(8, 3, seed=1)


Transition = collections.namedtuple("Transition", "state action reward next_state done")


@program
def q_learning():
    online, target = MLP(4, 8, 2), MLP(4, 8, 2)
    discount, tau = 0.9, 0.05

    def step(batch):
        best = tf.reduce_max(target(batch.next_state), axis=-1)
        wanted = batch.reward + discount * (1.0 - batch.done) * best
        with tf.GradientTape() as tape:
            values = tf.gather(online(batch.state), batch.action, batch_dims=1)
            error = tf.stop_gradient(wanted) - values
            loss = tf.reduce_mean(tf.where(tf.abs(error) < 1, 0.5 * error**2, tf.abs(error) - 0.5))
        for v, g in zip(online.variables, tape.gradient(loss, online.variables), strict=True):
            v.assign_sub(0.1 * g)
        for slow, fast in zip(target.variables, online.variables, strict=True):
            slow.assign(tau * fast + (1 - tau) * slow)
        return loss

    for seed in range(2):
        states, rewards = rows(8, 4, seed=seed), rows(8, seed=seed)
        done = tf.cast(labels(8, 2, seed=seed), tf.float32)
        batch = Transition(states, labels(8, 2, seed=seed), rewards, tf.reverse(states, [0]), done)
        yield (step, batch) if seed == 0 else (batch,)


@program
def a_policy_step():
    policy = MLP(4, 8, 2)
    optimizer = Adam(policy.variables, rate=0.05)

    def returns(rewards, discount=0.9):
        total, found = 0.0, []
        for reward in reversed(tf.unstack(rewards)):
            total = reward + discount * total
            found.append(total)
        return tf.stack(found[::-1])

    def step(states, actions, rewards):
        gains = returns(rewards)
        gains = (gains - tf.reduce_mean(gains)) / (tf.math.reduce_std(gains) + 1e-6)
        with tf.GradientTape() as tape:
            chances = tf.nn.log_softmax(policy(states))
            taken = tf.reduce_sum(tf.one_hot(actions, 2) * chances, -1)
            entropy = -tf.reduce_sum(tf.exp(chances) * chances, -1)
            loss = -tf.reduce_mean(taken * gains + 0.01 * entropy)
        optimizer.apply(tape.gradient(loss, policy.variables))
        return loss

    yield step, rows(6, 4), labels(6, 2), rows(6)
    yield rows(6, 4, seed=1), labels(6, 2, seed=1), rows(6, seed=1)


@program
def a_clipped_policy_step():
    policy, value = MLP(3, 8, 2), MLP(3, 8, 1)
    settings = {"clip": 0.2, "weights": {"value": 0.5, "entropy": 0.01}, "rate": 0.05}
    variables = [*policy.variables, *value.variables]

    def step(states, actions, old, advantages, gains):
        with tf.GradientTape() as tape:
            chances = tf.nn.log_softmax(policy(states))
            taken = tf.gather(chances, actions, axis=1, batch_dims=1)
            ratio = tf.exp(taken - old)
            low, high = 1 - settings["clip"], 1 + settings["clip"]
            clipped = tf.clip_by_value(ratio, low, high)
            gain = tf.minimum(ratio * advantages, clipped * advantages)
            error = (tf.squeeze(value(states), -1) - gains) ** 2
            entropy = -tf.reduce_sum(tf.exp(chances) * chances, -1)
            terms = {"value": error, "entropy": -entropy}
            loss = tf.reduce_mean(
                -gain + sum(settings["weights"][name] * term for name, term in terms.items())
            )
        for v, g in zip(variables, tape.gradient(loss, variables), strict=True):
            v.assign_sub(settings["rate"] * g)
        return loss

    for seed in range(2):
        parts = [rows(6, seed=10 * seed + i) for i in range(3)]
        given = rows(6, 3, seed=seed), labels(6, 2, seed=seed), *parts
        yield (step, *given) if seed == 0 else given


@program
def a_recommender():
    users, items = weights(7, 3), weights(9, 3, seed=1)
    biases = {"users": weights(7, seed=2), "items": weights(9, seed=3)}

    def step(user, item, rating):
        with tf.GradientTape() as tape:
            both = tf.gather(users, user) * tf.gather(items, item)
            found = tf.reduce_sum(both, -1)
            found += tf.gather(biases["users"], user) + tf.gather(biases["items"], item)
            loss = tf.reduce_mean((found - rating) ** 2)
        variables = [users, items, *biases.values()]
        for v, g in zip(variables, tape.gradient(loss, variables), strict=True):
            v.assign_sub(0.1 * tf.convert_to_tensor(g))
        return loss

    yield step, labels(8, 7), labels(8, 9), rows(8)
    yield labels(8, 7, seed=1), labels(8, 9, seed=1), rows(8, seed=1)
