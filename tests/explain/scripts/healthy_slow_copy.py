import cinta as tf

online = tf.Variable([1.0, 2.0])
slow = tf.Variable([1.0, 2.0], trainable=False)
for _ in range(5):
    with tf.GradientTape() as tape:
        target = tf.stop_gradient(tf.reduce_sum(slow))
        loss = (tf.reduce_sum(online) - target - 1.0) ** 2
    online.assign_sub(0.01 * tape.gradient(loss, online))
    slow.assign(0.9 * slow + 0.1 * online)
