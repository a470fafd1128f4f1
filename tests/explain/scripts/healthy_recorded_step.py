import cinta as tf

a = tf.Variable(tf.random.normal([4, 3], seed=1))
b = tf.Variable(tf.zeros([3]))


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        p = x @ a + b
        loss = tf.reduce_mean(tf.nn.relu(p - y) + tf.abs(p))
    ga, gb = tape.gradient(loss, [a, b])
    a.assign_sub(0.1 * ga)
    b.assign_sub(0.1 * gb)
    return loss


for _ in range(10):
    step(tf.random.normal([8, 4]), tf.random.normal([8, 3]))
