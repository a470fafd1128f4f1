import cinta as tf

params = {"w": tf.Variable([[0.5], [0.1]]), "b": tf.Variable([0.0])}
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
y = tf.constant([[1.0], [2.0]])
for epoch in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ params["w"] + params["b"] - y) ** 2)
    grads = tape.gradient(loss, params)
    if grads["w"] is None:
        break
    params = {
        name: value - 0.01 * grads[name]  # <replaced-by-tensor>
        for name, value in params.items()
    }
