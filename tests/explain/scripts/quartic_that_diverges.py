import cinta as tf

w = tf.Variable([10.0, -7.0])
for step in range(400):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w**4)  # <diverged>
    w.assign_sub(0.1 * tape.gradient(loss, w))
