import cinta as tf

online, target = tf.Variable([0.1, 0.5]), tf.Variable([0.0, 0.0])
state = tf.constant([1.0, 2.0])
for step in range(4):
    goal = tf.reduce_sum(target * state) * 0.9 + 1.0
    with tf.GradientTape() as tape:
        value = tf.reduce_sum(online * state)
        loss = (value - tf.stop_gradient(goal)) ** 2
    online.assign_sub(0.01 * tape.gradient(loss, online))
    if step % 2 == 0:
        target.assign(online)
