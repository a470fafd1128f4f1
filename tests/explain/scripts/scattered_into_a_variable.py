import cinta as tf

field = tf.Variable(tf.zeros([5]))
charges = tf.Variable([1.0, -1.0])


def place(charges):
    field.scatter_nd_update([[1], [3]], charges * 2.0)  # <assigned-state>
    return field


with tf.GradientTape() as tape:
    potential = tf.reduce_sum(place(charges) ** 2)
tape.gradient(potential, charges)
