import cinta as tf

images = tf.random.normal([2, 3])
kernel = tf.constant([[1.0], [2.0], [3.0]])
with tf.GradientTape(persistent=True) as tape:
    out = images @ kernel
    tape.watch(images)  # <watched-too-late>
    loss = tf.reduce_sum(out)
saliency = tape.gradient(loss, images)
