import cinta as tf

action = tf.Variable([3.0, -4.0])
with tf.GradientTape() as tape:
    limited = tf.clip_by_value(action, -1.0, 1.0)  # <saturated>
    cost = tf.reduce_sum((limited - 0.2) ** 2)
print(tape.gradient(cost, action))
