import cinta as tf


def grad_norm(critic, samples):
    with tf.GradientTape() as tape:
        d = critic(samples)
    return tape.gradient(d, samples)


weights = tf.Variable([[1.0], [2.0]])
grad_norm(lambda s: s @ weights, tf.ones([3, 2]))  # <not-watched>
