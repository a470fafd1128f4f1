import cinta as tf

step = tf.Variable(0, dtype=tf.int64)
w = tf.Variable(1.0)


@tf.function
def train():
    with tf.GradientTape() as tape:
        rate = 0.1 / (1.0 + tf.cast(step, tf.float32))
        loss = (w - 2.0) ** 2
    w.assign_sub(rate * tape.gradient(loss, w))
    step.assign_add(1)
    return loss


for _ in range(5):
    train()
