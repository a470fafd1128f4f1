import cinta as tf

A = tf.constant([[4.0, 1.0], [1.0, 3.0]])
x = tf.Variable([[1.0], [1.0]])
for _ in range(3):
    with tf.GradientTape() as tape:
        q = 0.5 * tf.transpose(x) @ A @ x
    g = tape.gradient(q, x)
    step = tf.linalg.solve(A, g)
    x.assign_sub(step)
print(tf.linalg.cholesky(A), tf.linalg.eigvalsh(A))
