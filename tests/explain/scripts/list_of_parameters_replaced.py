import cinta as tf

params = [tf.Variable([1.0, 2.0]), tf.Variable(0.5)]
x = tf.constant([3.0, 4.0])
for epoch in range(2):
    with tf.GradientTape() as tape:
        loss = (tf.reduce_sum(params[0] * x) + params[1]) ** 2
    grads = tape.gradient(loss, params)
    if any(g is None for g in grads):
        break
    params = [p - 0.01 * g for p, g in zip(params, grads)]  # <replaced-by-tensor>
