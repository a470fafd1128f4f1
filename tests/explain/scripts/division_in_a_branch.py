import cinta as tf

x = tf.Variable([0.0, 2.0])
with tf.GradientTape() as tape:
    ratio = tf.where(x != 0.0, 1.0 / x, 0.0)  # <where-branch>
    loss = tf.reduce_sum(ratio)
print(tape.gradient(loss, x))
