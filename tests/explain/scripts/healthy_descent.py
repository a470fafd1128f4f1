import cinta as tf

w = tf.Variable([1.0, 2.0])
for _ in range(20):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((w - 3.0) ** 2)
    w.assign_sub(0.1 * tape.gradient(loss, w))
    print(float(loss))
