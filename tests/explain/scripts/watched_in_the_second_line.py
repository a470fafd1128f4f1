import cinta as tf


def potential(position):
    with tf.GradientTape() as tape:
        scaled = position * 0.5
        tape.watch(position)  # <watched-too-late>
        value = tf.reduce_sum(tf.sin(scaled))
    return tape.gradient(value, position)


print(potential(tf.constant([0.1, 0.2])))
