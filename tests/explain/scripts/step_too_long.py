import cinta as tf

x = tf.Variable(1.0)
for step in range(200):
    with tf.GradientTape() as tape:
        loss = x**4  # <diverged>
    g = tape.gradient(loss, x)
    x.assign_sub(1.0 * g)
    if not tf.math.is_finite(loss):
        break
