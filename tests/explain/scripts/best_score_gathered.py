import cinta as tf

scores = tf.Variable([0.1, 0.9, 0.3])
values = tf.constant([10.0, 20.0, 30.0])
with tf.GradientTape() as tape:
    best = tf.argmax(scores)  # <nondifferentiable-op>
    reward = tf.gather(values, best)
    loss = -reward
print(tape.gradient(loss, scores))
